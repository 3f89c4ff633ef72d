/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs texts; see packed.h. */
#include "report/gate/packed.h"

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GROUP 3 /* bytes encoded as four characters */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_base64(struct out *out, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += GROUP) {
        size_t left = n - i < GROUP ? n - i : GROUP;
        uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        for (size_t k = 0; k <= GROUP; k++)
            out_char(out, k <= left ? digits[group >> (18 - 6 * k) & 63] : '=');
    }
}

char *packed_make(const char *text, size_t n)
{
    uLongf size = compressBound((uLong)n);
    unsigned char *bytes = mem_alloc(size, 1);
    BUG_ON(compress2(bytes, &size, (const unsigned char *)text, (uLong)n, Z_BEST_COMPRESSION) !=
           Z_OK);
    struct out *out = out_memory();
    out_u64(out, n);
    out_char(out, ':');
    put_base64(out, bytes, size);
    free(bytes);
    return out_memory_take(out);
}

/* Decodes base64 into *size bytes; returns NULL if it is invalid. */
static unsigned char *take_base64(const char *text, size_t *size)
{
    size_t n = strlen(text), padding = 0;
    if (n == 0 || n % 4 != 0)
        return NULL;
    while (padding < 2 && text[n - 1 - padding] == '=')
        padding++;
    unsigned char *bytes = mem_alloc(n / 4 * GROUP, 1);
    for (size_t i = 0; i < n; i += 4) {
        uint32_t group = 0;
        for (size_t k = 0; k < 4; k++) {
            const char *digit = i + k < n - padding ? strchr(digits, text[i + k]) : digits;
            if (digit == NULL) {
                free(bytes);
                return NULL;
            }
            group = group << 6 | (uint32_t)(digit - digits);
        }
        for (size_t k = 0; k < GROUP; k++)
            bytes[i / 4 * GROUP + k] = (unsigned char)(group >> (16 - 8 * k) & 255);
    }
    *size = n / 4 * GROUP - padding;
    return bytes;
}

char *packed_open(const char *packed, size_t max, size_t *n)
{
    const char *colon = strchr(packed, ':');
    int64_t length;
    size_t size;
    if (colon == NULL || !text_i64(packed, (size_t)(colon - packed), &length) || length < 0 ||
        (uint64_t)length > max)
        return NULL;
    unsigned char *bytes = take_base64(colon + 1, &size);
    if (bytes == NULL)
        return NULL;
    char *text = mem_alloc((size_t)length + 1, 1);
    uLongf got = (uLongf)length + 1; /* one more, to detect data longer than announced */
    bool ok = uncompress((unsigned char *)text, &got, bytes, (uLong)size) == Z_OK &&
              got == (uLongf)length;
    free(bytes);
    if (!ok) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    *n = (size_t)length;
    return text;
}
