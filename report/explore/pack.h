/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and texts as bytes, for the explorer's script to read in the same order. Integers are
 * zigzag varints, seven bits a byte, the lowest first, so small differences take one byte. Texts
 * are their length and UTF-8.
 */
#ifndef REPORT_EXPLORE_PACK_H
#define REPORT_EXPLORE_PACK_H

#include "sim/base/out.h"

struct pack {
    unsigned char *bytes;
    size_t count, capacity;
};

void pack_number(struct pack *, int64_t);
void pack_text(struct pack *, const char *text);

/* Prints all bytes as base64 (RFC 4648). */
void pack_base64(const struct pack *, struct out *);
void pack_fini(struct pack *);

#endif
