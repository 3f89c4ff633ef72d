/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation that never returns NULL, for the layers in which a process without memory has no
 * useful way on. */
#include "sim/base/mem.h"

#include "sim/base/err.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* where pages are larger, or there are none, the advice is void */
#define HUGE_PAGE ((size_t)2 << 20)

static _Noreturn void out_of_memory(size_t count, size_t size)
{
    (void)fprintf(stderr, "fauxfleet: out of memory (%zu x %zu bytes)\n", count, size);
    exit(EXIT_INTERNAL);
}

/* Zero-sized requests become one byte, so that NULL always means failure. */
static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        out_of_memory(count, size);
    return bytes ? bytes : 1;
}

void *mem_alloc(size_t count, size_t size)
{
    void *memory = calloc(1, product(count, size));
    if (!memory)
        out_of_memory(count, size);
    return memory;
}

void *mem_alloc_scattered(size_t count, size_t size)
{
    char *memory = mem_alloc(count, size);
    size_t bytes = product(count, size), before = (size_t)(-(uintptr_t)memory & (HUGE_PAGE - 1));
#ifdef MADV_HUGEPAGE
    if (bytes >= before + HUGE_PAGE)
        (void)madvise(memory + before, (bytes - before) & ~(HUGE_PAGE - 1), MADV_HUGEPAGE);
#endif
    return memory;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    void *memory = realloc(old, product(count, size));
    if (!memory)
        out_of_memory(count, size);
    return memory;
}

void *mem_extend(void *table, size_t *count, size_t count_needed, size_t size)
{
    if (count_needed <= *count)
        return table;
    char *memory = mem_resize(table, count_needed, size);
    memset(memory + *count * size, 0, (count_needed - *count) * size);
    *count = count_needed;
    return memory;
}

char *mem_text(const char *text)
{
    return text ? mem_text_n(text, strlen(text)) : NULL;
}

char *mem_text_n(const char *text, size_t length)
{
    size_t size;
    if (__builtin_add_overflow(length, 1, &size))
        out_of_memory(length, 1);
    char *copy = mem_resize(NULL, size, 1);
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *mem_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    BUG_ON(length < 0);
    size_t size = (size_t)length + 1;
    char *text = mem_resize(NULL, size, 1);
    va_start(arguments, format);
    (void)vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

void *mem_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (array && need <= *capacity)
        return array;
    size_t next = *capacity < 16 ? 16 : *capacity;
    while (next < need) {
        if (__builtin_mul_overflow(next, 2, &next))
            out_of_memory(need, size);
    }
    *capacity = next;
    return mem_resize(array, next, size);
}
