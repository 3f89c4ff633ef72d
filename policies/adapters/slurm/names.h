/* SPDX-License-Identifier: MIT */
/* Names that are numbered in the order of their first use: types of GPUs, labels of nodes. */
#ifndef ADAPTERS_SLURM_NAMES_H
#define ADAPTERS_SLURM_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names { /* all zero: none */
    char **texts;
    uint32_t count;
};

uint32_t names_number(struct names *, const char *name); /* a new one gets the next number */
void names_fini(struct names *);

/* The next part of a text, up to one of the characters, in the caller's buffer; NULL behind the
 * last one. */
const char *names_next(const char **rest, const char *separators, char *buffer, size_t size);

#endif
