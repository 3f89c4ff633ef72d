/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation for policies in fuzz targets: libc's, so that the sanitizers see every block. */
#ifndef TESTS_FUZZ_RESIZE_H
#define TESTS_FUZZ_RESIZE_H

#include <stdlib.h>

static inline void *fuzz_resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size > 0)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

#endif
