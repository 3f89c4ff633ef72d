/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small scanner over JSON text: checks before parsing, locations of values and likely mistakes
 * for messages.
 */
#include "scenarios/json/scan.h"

#include <string.h>

struct json_place json_place_of(const char *text, size_t n, size_t offset)
{
    struct json_place place = {1, 1};
    for (size_t i = 0; i < offset && i < n; i++) {
        if (text[i] == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column++;
        }
    }
    return place;
}

/* Returns the length of the well-formed UTF-8 sequence; 0 if there is none (RFC 3629). */
static size_t utf8_length(const unsigned char *s, size_t rest)
{
    static const struct {
        unsigned char first, last; // of the lead byte
        unsigned char low, high;   // of the byte that follows it
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (s[0] < rows[i].first || s[0] > rows[i].last)
            continue;
        if (rest < rows[i].length ||
            (rows[i].length > 1 && (s[1] < rows[i].low || s[1] > rows[i].high)))
            return 0;
        for (size_t k = 2; k < rows[i].length; k++) {
            if ((s[k] & 0xc0) != 0x80)
                return 0;
        }
        return rows[i].length;
    }
    return 0;
}

/* Returns the problem with the bytes at `at`, inside or outside a string, or NULL. */
static const char *bad_bytes(const char *text, size_t n, size_t at, size_t *length)
{
    const unsigned char *s = (const unsigned char *)text + at;
    if (*s == '\0')
        return "a NUL byte: this is not a JSON text";
    *length = utf8_length(s, n - at);
    return *length ? NULL : "bytes that are not UTF-8: this is not a JSON text";
}

static const char *bad_in_string(const char *text, size_t n, size_t at, size_t *length)
{
    if ((unsigned char)text[at] < 0x20)
        return "a control character inside a string (a closing '\"' is missing, or it needs an "
               "escape)";
    if (text[at] != '\\' || at + 1 >= n)
        return NULL;
    if (n - at >= 6 && memcmp(text + at, "\\u0000", 6) == 0)
        return "the escape \\u0000 is not supported";
    // an escaped character is checked separately only if it may be longer than one byte
    *length = (unsigned char)text[at + 1] < 0x80 && text[at + 1] != '\0' ? 2 : 1;
    return NULL;
}

bool json_scan_clean(const char *text, size_t n, size_t *offset, const char **what)
{
    bool in_string = false;
    int depth = 0;
    size_t length = 0;
    for (size_t i = 0; i < n; i += length) {
        *offset = i;
        *what = bad_bytes(text, n, i, &length);
        if (!*what && in_string)
            *what = bad_in_string(text, n, i, &length);
        if (*what)
            return false;
        char c = text[i];
        if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '{' || c == '[')) {
            depth++;
        } else if (!in_string && (c == '}' || c == ']')) {
            depth--;
        } else if (!in_string && (unsigned char)c < 0x20 && !strchr("\t\r\n", c)) {
            *what = "a control character: this is not a JSON text";
            return false;
        }
        if (depth > JSON_MAX_DEPTH) {
            *what = "more than 24 objects and lists inside one another";
            return false;
        }
    }
    return true;
}

static size_t skip_blanks(const char *text, size_t n, size_t at)
{
    while (at < n && (unsigned char)text[at] <= 0x20)
        at++;
    return at;
}

static size_t skip_string(const char *text, size_t n, size_t at)
{
    for (at++; at < n && text[at] != '"'; at++) {
        if (text[at] == '\\')
            at++;
    }
    return at < n ? at + 1 : n;
}

/* Returns the offset after the value at `at`. */
static size_t skip_value(const char *text, size_t n, size_t at)
{
    size_t depth = 0;
    while (at < n) {
        char c = text[at];
        if (c == '"') {
            at = skip_string(text, n, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return at;
            depth--;
            at++;
        } else if (depth == 0 && (c == ',' || (unsigned char)c <= 0x20)) {
            return at;
        } else {
            at++;
            continue;
        }
        if (depth == 0)
            return at;
    }
    return n;
}

/* Moves from the key of a member to its value. */
static size_t skip_key(const char *text, size_t n, size_t at)
{
    at = skip_blanks(text, n, skip_string(text, n, at));
    return at < n && text[at] == ':' ? skip_blanks(text, n, at + 1) : at;
}

/*
 * Returns the offset of the `ordinal`-th member's key or element in the object or list at `at`; n
 * if there is none.
 */
static size_t find_child(const char *text, size_t n, size_t at, unsigned ordinal)
{
    if (at >= n || (text[at] != '{' && text[at] != '['))
        return n;
    bool object = text[at] == '{';
    at = skip_blanks(text, n, at + 1);
    for (unsigned i = 0; at < n && text[at] != '}' && text[at] != ']'; i++) {
        if (i == ordinal)
            return at;
        at = skip_blanks(text, n, skip_value(text, n, object ? skip_key(text, n, at) : at));
        if (at >= n || text[at] != ',')
            return n;
        at = skip_blanks(text, n, at + 1);
    }
    return n;
}

size_t json_scan_find(const char *text, size_t n, const unsigned *ordinals, size_t depth)
{
    // a byte order mark may precede the text
    size_t start = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    size_t found = skip_blanks(text, n, start), value = found;
    for (size_t i = 0; i < depth; i++) {
        bool object = value < n && text[value] == '{';
        size_t child = find_child(text, n, value, ordinals[i]);
        if (child == n)
            break;
        found = child;
        value = object ? skip_key(text, n, child) : child;
    }
    return found < n ? found : 0;
}

static size_t blanks_before(const char *text, size_t at)
{
    while (at > 0 && (unsigned char)text[at - 1] <= 0x20)
        at--;
    return at;
}

/*
 * The parser stops at the byte that it cannot accept, but one byte after the start of an invalid
 * key, and after the opening quote of an unterminated string.
 */
static size_t step_back(const char *text, size_t n, size_t at)
{
    if (at == 0 || at > n || (unsigned char)text[at - 1] <= 0x20)
        return at;
    if (text[at - 1] == '"')
        return memchr(text + at, '"', n - at) ? at : at - 1;
    size_t before = blanks_before(text, at - 1);
    bool key = before > 0 && (text[before - 1] == '{' || text[before - 1] == ',');
    bool mistaken = at < n ? text[at] != '"' : text[at - 1] == '}';
    return key && mistaken ? at - 1 : at;
}

const char *json_scan_guess(const char *text, size_t n, size_t *offset)
{
    size_t at = skip_blanks(text, n, step_back(text, n, *offset < n ? *offset : n));
    size_t before = blanks_before(text, at);
    char last = before > 0 ? text[before - 1] : '\0';
    char here = at < n ? text[at] : '\0';
    *offset = at;
    if (here == '\0')
        return "the text ends too early (a '}' or ']' is missing, or the file was cut off)";
    if (here == '"' && !memchr(text + at + 1, '"', n - at - 1))
        return "a string without a closing '\"' (or the file was cut off)";
    if (here == '\\')
        return "an escape that JSON does not have";
    if ((here == '}' || here == ']') && last == ',')
        return "a ',' before the closing bracket";
    if (here == '}' || here == ']')
        return "a closing bracket that does not belong here";
    if (here == '\'')
        return "strings are written with '\"'";
    if (here == '#')
        return "comments begin with '//', or stand between '/*' and '*/'";
    if (here == '/')
        return "a comment without its '*/' (or a '/' that does not belong here)";
    if (last == '"' || last == '}' || last == ']' || (last >= '0' && last <= '9'))
        return "expected ',', ':' or a closing bracket before this";
    return "expected a value or a key in '\"'";
}
