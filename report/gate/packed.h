/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text made small enough to stand in a JSON file: zlib's format (RFC 1950) as base64 (RFC 4648),
 * behind the length of the text in decimal digits and a colon: "11:eJzLSM3JyVfIAJEAGZEESQ==". Equal
 * texts give equal bytes with the same zlib.
 */
#ifndef REPORT_GATE_PACKED_H
#define REPORT_GATE_PACKED_H

#include <stddef.h>

/* Freed by the caller. */
char *packed_make(const char *text, size_t n);

/* The text with a NUL behind it, freed by the caller; NULL when it is damaged or longer than `max`
 * bytes. */
char *packed_open(const char *packed, size_t max, size_t *n);

#endif
