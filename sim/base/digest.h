/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 (nettle) with the few calls that we need. */
#ifndef SIM_BASE_DIGEST_H
#define SIM_BASE_DIGEST_H

#include <nettle/sha2.h>
#include <stddef.h>

#define DIGEST_HEX 65 /* 64 hexadecimal digits and a NUL */

struct digest {
    struct sha256_ctx ctx;
};

void digest_init(struct digest *);
void digest_add(struct digest *, const void *bytes, size_t n);
void digest_hex(
    const struct digest *,
    char hex[DIGEST_HEX]); /* of everything added so far; more may be added afterwards */

#define DIGEST_SHORT (16 + 1)
void digest_short(const struct digest *, char hex[DIGEST_SHORT]); /* the first digits of it */

#endif
