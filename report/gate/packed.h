/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compressed text for use in JSON: the length of the text in decimal digits, a colon, and zlib's
 * format (RFC 1950) as base64 (RFC 4648): "11:eJzLSM3JyVfIAJEAGZEESQ==". Equal texts give equal
 * bytes with the same zlib.
 */
#ifndef REPORT_GATE_PACKED_H
#define REPORT_GATE_PACKED_H

#include <stddef.h>

/* Returns the packed text, which the caller frees. */
char *packed_make(const char *text, size_t n);

/*
 * Returns the text, NUL-terminated, which the caller frees; NULL if it is damaged or longer than
 * `max` bytes.
 */
char *packed_open(const char *packed, size_t max, size_t *n);

#endif
