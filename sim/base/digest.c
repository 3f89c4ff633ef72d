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

static void finish(const struct digest *digest, size_t n, char *hex)
{
    static const char digits[] = "0123456789abcdef";
    // Finishing resets a context, so a copy is finished and the running one goes on.
    struct sha256_ctx ctx = digest->ctx;
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&ctx, n, bytes);
    for (size_t i = 0; i < n; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[2 * n] = '\0';
}

void digest_hex(const struct digest *digest, char hex[DIGEST_HEX])
{
    finish(digest, SHA256_DIGEST_SIZE, hex);
}

void digest_short(const struct digest *digest, char hex[DIGEST_SHORT])
{
    finish(digest, (DIGEST_SHORT - 1) / 2, hex);
}
