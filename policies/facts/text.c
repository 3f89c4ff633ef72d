/* SPDX-License-Identifier: MIT */
/* Growable text; see text.h. */
#include "policies/facts/text.h"

#include <stdlib.h>
#include <string.h>

void text_bytes(struct text *text, const void *bytes, size_t n)
{
    if (text->failed || n > SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return;
    }
    if (text->length + n > text->room) {
        size_t room = (text->length + n) * 2 + 256;
        char *more = realloc(text->bytes, room);
        if (more == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = more;
        text->room = room;
    }
    if (n > 0)
        memcpy(text->bytes + text->length, bytes, n);
    text->length += n;
}

void text_put(struct text *text, const char *words)
{
    text_bytes(text, words, strlen(words));
}

void text_natural(struct text *text, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    text_bytes(text, digits + at, sizeof digits - at);
}

void text_number(struct text *text, int64_t value)
{
    if (value < 0)
        text_bytes(text, "-", 1);
    text_natural(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void text_quoted(struct text *text, const char *words)
{
    static const char digits[] = "0123456789abcdef";
    text_bytes(text, "\"", 1);
    for (const char *at = words; *at != '\0';) {
        size_t plain = 0;
        while ((unsigned char)at[plain] >= ' ' && at[plain] != '"' && at[plain] != '\\')
            plain++;
        text_bytes(text, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        unsigned char c = (unsigned char)*at++;
        char escaped[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
        if (c >= ' ') {
            escaped[1] = (char)c;
            text_bytes(text, escaped, 2);
        } else {
            text_bytes(text, escaped, sizeof escaped);
        }
    }
    text_bytes(text, "\"", 1);
}

void text_fini(struct text *text)
{
    free(text->bytes);
    *text = (struct text){0};
}
