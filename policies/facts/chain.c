/* SPDX-License-Identifier: MIT */
/* The running hash of lines; see chain.h. */
#include "policies/facts/chain.h"

#include <string.h>

static const char key[] = ", \"chain\": \"";

void chain_begin(struct chain *chain)
{
    *chain = (struct chain){.last = ""};
    sha256_init(&chain->sum);
}

static void add(struct chain *chain, const void *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t sum[SHA256_DIGEST_SIZE];
    sha256_update(&chain->sum, n, bytes);
    struct sha256_ctx copy = chain->sum;
    sha256_digest(&copy, sizeof sum, sum);
    for (size_t i = 0; i < CHAIN_DIGITS; i++)
        chain->last[i] = digits[i % 2 == 0 ? sum[i / 2] >> 4 : sum[i / 2] & 15];
}

void chain_end_line(struct chain *chain, struct text *line)
{
    add(chain, line->bytes, line->length);
    text_put(line, key);
    text_bytes(line, chain->last, CHAIN_DIGITS);
    text_put(line, "\"}\n");
}

bool chain_take_up(struct chain *chain, const char *tail)
{
    if (memcmp(tail, key, sizeof key - 1) != 0 || memcmp(tail + CHAIN_TAIL - 2, "\"}\n", 3) != 0)
        return false;
    memcpy(chain->last, tail + sizeof key - 1, CHAIN_DIGITS);
    chain->last[CHAIN_DIGITS] = '\0';
    return true;
}

enum chain_verdict chain_check(struct chain *chain, const char *line, size_t n)
{
    if (n < CHAIN_TAIL || memcmp(line + n - CHAIN_TAIL, key, sizeof key - 1) != 0 ||
        memcmp(line + n - 2, "\"}", 2) != 0)
        return CHAIN_MISSING;
    add(chain, line, n - CHAIN_TAIL);
    return memcmp(chain->last, line + n - CHAIN_TAIL + sizeof key - 1, CHAIN_DIGITS) == 0
               ? CHAIN_HOLDS
               : CHAIN_BROKEN;
}
