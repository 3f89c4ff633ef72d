/* SPDX-License-Identifier: MIT */
/* Allocation that succeeds or ends the program; see memory.h. */
#include "policies/adapters/slurm/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_MEMORY 70

void memory_ran_out(void)
{
    (void)fputs("fauxfleet-slurm: out of memory\n", stderr);
    exit(EXIT_MEMORY);
}

static void *there(void *memory)
{
    if (memory == NULL)
        memory_ran_out();
    return memory;
}

void *memory_get(size_t count, size_t size)
{
    return there(calloc(count > 0 ? count : 1, size));
}

void *memory_resize(void *old, size_t count, size_t size)
{
    return there(count <= SIZE_MAX / size ? realloc(old, count * size) : NULL);
}

char *memory_text(const char *text)
{
    size_t n = text != NULL ? strlen(text) : 0;
    char *copy = memory_get(n + 1, 1);
    memcpy(copy, text != NULL ? text : "", n);
    return copy;
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = memory_get((size_t)(n > 0 ? n : 0) + 1, 1);
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)(n > 0 ? n : 0) + 1, format, arguments);
    va_end(arguments);
    return text;
}
