/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comments and trailing commas in JSON text; see relax.h. */
#include "scenarios/json/relax.h"

#include <stdbool.h>
#include <string.h>

/* Returns the offset after the comment at `at`; `at` if there is none or it does not end. */
static size_t comment_end(const char *text, size_t n, size_t at)
{
    if (n - at < 2 || text[at] != '/')
        return at;
    if (text[at + 1] == '/') {
        const char *end = memchr(text + at, '\n', n - at);
        return end ? (size_t)(end - text) : n;
    }
    if (text[at + 1] == '*')
        for (size_t i = at + 2; i + 1 < n; i++)
            if (text[i] == '*' && text[i + 1] == '/')
                return i + 2;
    return at;
}

/* Newlines stay, so line numbers in messages stay correct. */
static void blank(char *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (text[i] != '\n' && text[i] != '\r')
            text[i] = ' ';
}

/* Returns the offset after the string at `at`. */
static size_t string_end(const char *text, size_t n, size_t at)
{
    for (size_t i = at + 1; i < n; i++) {
        if (text[i] == '"')
            return i + 1;
        if (text[i] == '\\')
            i++;
    }
    return n;
}

void json_relax(char *text, size_t n)
{
    size_t comma = n;         /* the last comma with nothing after it so far; n: none */
    bool after_value = false; /* a comma here would end a value */
    for (size_t at = 0; at < n;) {
        size_t end = comment_end(text, n, at);
        char c = text[at];
        if (end > at) {
            blank(text, at, end);
            at = end;
            continue;
        }
        if ((unsigned char)c > 0x20) {
            if ((c == '}' || c == ']') && comma < n)
                text[comma] = ' ';
            comma = c == ',' && after_value ? at : n;
            after_value = c != ',' && c != '{' && c != '[' && c != ':';
        }
        at = c == '"' ? string_end(text, n, at) : at + 1;
    }
}
