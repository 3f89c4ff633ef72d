/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 over nettle. */
#include "sim/base/digest.h"

#include <stdint.h>

void digest_init(struct digest *digest)
{
    sha256_init(&digest->ctx);
}

void digest_add(struct digest *digest, const void *bytes, size_t n)
{
    if (n)
        sha256_update(&digest->ctx, n, bytes);
}

void digest_hex(const struct digest *digest, char hex[DIGEST_HEX])
{
    static const char digits[] = "0123456789abcdef";
    // Finishing resets a context, so a copy is finished and the running one goes on.
    struct sha256_ctx ctx = digest->ctx;
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&ctx, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[2 * sizeof bytes] = '\0';
}
