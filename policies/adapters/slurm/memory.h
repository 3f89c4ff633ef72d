/* SPDX-License-Identifier: MIT */
/* The adapter's allocation (libc); if memory runs out, the program ends with exit code 70. */
#ifndef ADAPTERS_SLURM_MEMORY_H
#define ADAPTERS_SLURM_MEMORY_H

#include <stddef.h>

void *memory_get(size_t count, size_t size); /* zeroed; never NULL */
void *memory_resize(void *old, size_t count, size_t size);
char *memory_text(const char *text); /* a copy; "" for NULL */
_Noreturn void memory_ran_out(void);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
