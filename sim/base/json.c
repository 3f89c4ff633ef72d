/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON writer: commas, indentation and escapes. */
#include "sim/base/json.h"

#include "sim/base/escape.h"

#include <math.h>
#include <string.h>

void json_init(struct json *json, struct out *out, int indent)
{
    *json = (struct json){.out = out, .indent = indent};
}

static void new_line(struct json *json)
{
    if (json->indent == 0)
        return;
    out_char(json->out, '\n');
    for (int i = 0; i < json->indent * json->depth; i++)
        out_char(json->out, ' ');
}

/* Stands for itself: ASCII without quotes, backslashes and control characters. */
static bool is_plain(char c)
{
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

/* How many of the first bytes do. */
static size_t plain_length(const char *s)
{
    size_t n = 0;
    while (is_plain(s[n]))
        n++;
    return n;
}

char *json_plain(char *to, const char *text)
{
    *to++ = '"';
    size_t n = 0;
    for (; n < JSON_PLAIN_MOST - 2 && is_plain(text[n]); n++)
        *to++ = text[n];
    if (text[n] != '\0')
        return NULL;
    *to = '"';
    return to + 1;
}

/*
 * Names come from traces and may contain any bytes. Invalid UTF-8 becomes U+FFFD, so the output is
 * always JSON. Invisible characters are escaped, which reads back unchanged, so JSON may go to a
 * terminal too.
 */
void json_quoted(struct out *out, const char *text)
{
    char *end = json_plain(out_room(out, JSON_PLAIN_MOST), text);
    if (end != NULL) {
        out_advance(out, end);
        return;
    }
    out_char(out, '"');
    for (const char *s = text, *last = s + strlen(s); s < last;) {
        size_t n = plain_length(s);
        if (n > 0) {
            out_bytes(out, s, n);
            s += n;
            continue;
        }
        uint32_t code = escape_decode(s, last, &n);
        if (code == ESCAPE_BROKEN)
            out_text(out, "\xef\xbf\xbd");
        else if (!escape_is_shown(code))
            escape_code(out, code, false);
        else {
            if (code == '"' || code == '\\')
                out_char(out, '\\');
            out_bytes(out, s, n);
        }
        s += n;
    }
    out_char(out, '"');
}

/* Before a value: the comma, the line break and the key. */
static void lead(struct json *json, const char *key)
{
    if (json->depth > 0) {
        if (json->filled[json->depth - 1])
            out_text(json->out, json->indent ? "," : ", ");
        json->filled[json->depth - 1] = true;
        new_line(json);
    }
    if (key) {
        json_quoted(json->out, key);
        out_text(json->out, ": ");
    }
}

static void begin(struct json *json, const char *key, char bracket)
{
    BUG_ON(json->depth == JSON_DEPTH);
    lead(json, key);
    out_char(json->out, bracket);
    json->filled[json->depth++] = false;
}

static void end(struct json *json, char bracket)
{
    BUG_ON(json->depth == 0);
    json->depth--;
    if (json->filled[json->depth])
        new_line(json);
    out_char(json->out, bracket);
}

void json_begin_object(struct json *json, const char *key)
{
    begin(json, key, '{');
}

void json_end_object(struct json *json)
{
    end(json, '}');
}

void json_begin_array(struct json *json, const char *key)
{
    begin(json, key, '[');
}

void json_end_array(struct json *json)
{
    end(json, ']');
}

void json_text(struct json *json, const char *key, const char *text)
{
    lead(json, key);
    if (text)
        json_quoted(json->out, text);
    else
        out_text(json->out, "null");
}

void json_i64(struct json *json, const char *key, int64_t value)
{
    lead(json, key);
    out_i64(json->out, value);
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
    lead(json, key);
    out_u64(json->out, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    lead(json, key);
    out_text(json->out, value ? "true" : "false");
}

void json_value(struct json *json, const char *key, const char *value)
{
    lead(json, key);
    out_text(json->out, value);
}

void json_null(struct json *json, const char *key)
{
    json_text(json, key, NULL);
}

void json_f64(struct json *json, const char *key, double value, int digits)
{
    if (!isfinite(value)) {
        json_null(json, key);
        return;
    }
    lead(json, key);
    out_f64(json->out, value, digits);
}

void json_seconds(struct json *json, const char *key, int64_t ms)
{
    lead(json, key);
    out_seconds(json->out, ms);
}
