/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Varints and base64; see pack.h. */
#include "report/explore/pack.h"

#include "sim/base/mem.h"

#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARINT = 10, CHUNK = 3 * 1024 };

void pack_number(struct pack *p, int64_t value)
{
    uint64_t rest = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    p->bytes = mem_grow(p->bytes, &p->capacity, p->count + MOST_VARINT, 1);
    for (; rest >= 0x80; rest >>= 7)
        p->bytes[p->count++] = (unsigned char)(rest | 0x80);
    p->bytes[p->count++] = (unsigned char)rest;
}

void pack_text(struct pack *p, const char *text)
{
    size_t n = strlen(text);
    pack_number(p, (int64_t)n);
    p->bytes = mem_grow(p->bytes, &p->capacity, p->count + n + 1, 1);
    memcpy(p->bytes + p->count, text, n);
    p->count += n;
}

void pack_base64(const struct pack *p, struct out *out)
{
    char text[BASE64_ENCODE_RAW_LENGTH(CHUNK)];
    for (size_t at = 0; at < p->count; at += CHUNK) {
        size_t n = p->count - at < CHUNK ? p->count - at : CHUNK;
        base64_encode_raw(text, n, p->bytes + at);
        out_bytes(out, text, BASE64_ENCODE_RAW_LENGTH(n));
    }
}

void pack_fini(struct pack *p)
{
    free(p->bytes);
    *p = (struct pack){0};
}
