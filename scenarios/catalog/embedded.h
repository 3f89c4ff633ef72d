/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of scenarios/catalog/, embedded when the program was built. */
#ifndef SCENARIOS_CATALOG_EMBEDDED_H
#define SCENARIOS_CATALOG_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name;
    const unsigned char *bytes; /* `size` bytes, then a NUL */
    size_t size;
};

extern const struct embedded_file embedded_files[];
extern const unsigned embedded_file_count;

#endif
