/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each sink must not take for more than text; see escape.h. */
#include "sim/base/escape.h"

#include "sim/base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- code points ---- */

uint32_t escape_decode(const char *text, const char *end, size_t *length)
{
    static const struct {
        unsigned char mask, lead;
        size_t length;
        uint32_t smallest;
    } forms[] = {
        {0x80, 0x00, 1, 0},
        {0xE0, 0xC0, 2, 0x80},
        {0xF0, 0xE0, 3, 0x800},
        {0xF8, 0xF0, 4, 0x10000},
    };
    const unsigned char *p = (const unsigned char *)text;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if ((*p & forms[f].mask) != forms[f].lead || (size_t)(end - text) < forms[f].length)
            continue;
        uint32_t code = *p & (unsigned char)~forms[f].mask;
        size_t i = 1;
        while (i < forms[f].length && (p[i] & 0xC0) == 0x80)
            code = code << 6 | (p[i++] & 0x3F);
        bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        if (i < forms[f].length || code < forms[f].smallest || surrogate || code > 0x10FFFF)
            break;
        *length = forms[f].length;
        return code;
    }
    *length = 1;
    return ESCAPE_BROKEN;
}

/*
 * Not: C0 and C1 control characters, soft hyphen, Arabic letter mark, zero-width and direction
 * marks, line separators, tags, noncharacters. XML and YAML do not allow the last, and have no
 * control characters.
 */
bool escape_is_shown(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x61C, 0x61C},
        {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0xFDD0, 0xFDEF},
        {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
    };
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return false;
    return code <= 0x10FFFF && (code & 0xFFFE) != 0xFFFE;
}

bool escape_is_utf8(const char *text)
{
    const char *end = text + strlen(text);
    for (size_t length; text < end; text += length)
        if (escape_decode(text, end, &length) == ESCAPE_BROKEN)
            return false;
    return true;
}

void escape_code(struct out *out, uint32_t code, bool yaml)
{
    static const char from[] = "\b\f\n\r\t", to[] = "bfnrt";
    const char *found = code > 0 && code < 0x20 ? strchr(from, (char)code) : NULL;
    if (found != NULL)
        out_format(out, "\\%c", to[found - from]);
    else if (code <= 0xFFFF)
        out_format(out, "\\u%04x", code);
    else if (yaml)
        out_format(out, "\\U%08x", code);
    else
        out_format(out, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10),
                   0xDC00 + (code & 0x3FF));
}

/* How many of the first bytes are ASCII that is shown and none of `but`. */
static size_t plain_length(const char *text, const char *end, const char *but)
{
    const char *p = text;
    while (p < end && *p >= ' ' && *p < 0x7F && strchr(but, *p) == NULL)
        p++;
    return (size_t)(p - text);
}

/* One character as people read it; returns its length. */
static size_t put_shown(struct out *out, const char *text, const char *end)
{
    size_t length;
    uint32_t code = escape_decode(text, end, &length);
    if (code == ESCAPE_BROKEN)
        out_format(out, "\\x%02x", (unsigned)(unsigned char)*text);
    else if (escape_is_shown(code))
        out_bytes(out, text, length);
    else
        escape_code(out, code, false);
    return length;
}

/* ---- people ---- */

void escape_shown(struct out *out, const char *text)
{
    for (const char *end = text + strlen(text); text < end;) {
        size_t n = plain_length(text, end, "");
        out_bytes(out, text, n);
        text += n;
        if (text < end)
            text += put_shown(out, text, end);
    }
}

char *escape_shown_text(const char *text)
{
    struct out *out = out_memory();
    escape_shown(out, text);
    return out_memory_take(out);
}

void escape_format(struct out *out, const char *format, ...)
{
    size_t lead = strspn(format, "\n"), n = strlen(format), tail = 0;
    while (tail < n - lead && format[n - 1 - tail] == '\n')
        tail++;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    BUG_ON(length < 0);
    char *text = mem_alloc((size_t)length + 1, 1);
    (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    text[(size_t)length - tail] = '\0';
    out_bytes(out, format, lead);
    escape_shown(out, text + lead);
    out_bytes(out, format + n - tail, tail);
    free(text);
}

static bool starts(const char *text, const char *end, const char *with)
{
    size_t n = strlen(with);
    return (size_t)(end - text) >= n && memcmp(text, with, n) == 0;
}

void escape_lines(struct out *out, const char *text, size_t n)
{
    bool begins = true; /* nothing but blanks since the line began */
    for (const char *end = text + n; text < end;) {
        size_t plain = plain_length(text, end, begins ? " #:" : "#");
        out_bytes(out, text, plain);
        text += plain;
        begins = begins && plain == 0;
        if (text == end)
            break;
        if ((begins && starts(text, end, "::")) || starts(text, end, "##["))
            escape_code(out, (uint32_t)*text++, false);
        else if (*text == '\n' || *text == '\t' || (*text >= ' ' && *text < 0x7F))
            out_char(out, *text++);
        else
            text += put_shown(out, text, end);
        begins = text[-1] == '\n' || (begins && (text[-1] == ' ' || text[-1] == '\t'));
    }
}

/* ---- columns ---- */

static size_t columns_of(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        size_t columns;
    } ranges[] = {
        {0x0300, 0x036F, 0},   {0x1100, 0x115F, 2}, {0x20D0, 0x20FF, 0}, {0x2E80, 0xA4CF, 2},
        {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2}, {0xFE00, 0xFE0F, 0}, {0xFE20, 0xFE2F, 0},
        {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2}, {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2},
        {0x20000, 0x3FFFD, 2},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return ranges[i].columns;
    return 1;
}

size_t escape_width(const char *text)
{
    const char *end = text + strlen(text);
    size_t width = 0, length;
    for (; text < end; text += length)
        width += columns_of(escape_decode(text, end, &length));
    return width;
}

/* Cuts valid UTF-8 to at most `limit` columns. */
static void cut(char *text, size_t limit)
{
    char *p = text, *end = p + strlen(text);
    size_t width = 0, length;
    for (; p < end; p += length) {
        size_t more = columns_of(escape_decode(p, end, &length));
        if (width + more > limit)
            break;
        width += more;
    }
    *p = '\0';
}

char *escape_name(const char *name, size_t limit)
{
    char *safe = escape_shown_text(name);
    if (limit == 0 || escape_width(safe) <= limit)
        return safe;
    size_t dots = limit < 3 ? limit : 3;
    cut(safe, limit - dots);
    char *shortened = mem_format("%s%.*s", safe, (int)dots, "...");
    free(safe);
    return shortened;
}

/* ---- shells ---- */

static bool is_plain_word(const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+";
    return *word != '\0' && strspn(word, plain) == strlen(word);
}

void escape_shell(struct out *out, const char *word)
{
    if (is_plain_word(word)) {
        out_text(out, word);
        return;
    }
    out_char(out, '\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            out_text(out, "'\\''");
        else
            out_char(out, *word);
    }
    out_char(out, '\'');
}

void escape_shell_comment(struct out *out, const char *word)
{
    const char *end = word + strlen(word);
    bool shown = true;
    for (const char *p = word; p < end;) {
        size_t length;
        shown = escape_is_shown(escape_decode(p, end, &length)) && shown;
        p += length;
    }
    if (shown) {
        escape_shell(out, word);
        return;
    }
    out_text(out, "$'");
    for (; word < end; word++) {
        unsigned char c = (unsigned char)*word;
        if (c == '\'' || c == '\\')
            out_format(out, "\\%c", c);
        else if (c < 0x20 || c >= 0x7F)
            out_format(out, "\\%03o", (unsigned)c);
        else
            out_char(out, *word);
    }
    out_char(out, '\'');
}

/* ---- data ---- */

void escape_yaml(struct out *out, const char *text)
{
    out_char(out, '"');
    for (const char *end = text + strlen(text); text < end;) {
        size_t n = plain_length(text, end, "\"\\");
        out_bytes(out, text, n);
        text += n;
        if (text == end)
            break;
        uint32_t code = escape_decode(text, end, &n);
        if (code == '"' || code == '\\')
            out_format(out, "\\%c", *text);
        else if (code == ESCAPE_BROKEN)
            out_text(out, "\xef\xbf\xbd");
        else if (escape_is_shown(code))
            out_bytes(out, text, n);
        else
            escape_code(out, code, true);
        text += n;
    }
    out_char(out, '"');
}

void escape_sql(struct out *out, const char *name)
{
    out_char(out, '"');
    for (; *name != '\0'; name++) {
        if (*name == '"')
            out_char(out, '"');
        out_char(out, *name);
    }
    out_char(out, '"');
}

/* ---- pages ---- */

static const char *entity_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void escape_markup(struct out *out, const char *text)
{
    for (const char *end = text + strlen(text); text < end;) {
        size_t n = plain_length(text, end, "<>&\"'");
        out_bytes(out, text, n);
        text += n;
        if (text == end)
            break;
        const char *entity = entity_of(*text);
        if (entity != NULL) {
            out_text(out, entity);
            text++;
        } else {
            text += put_shown(out, text, end);
        }
    }
}

/* An empty comment behind '@' keeps a name from calling somebody ("@org/team") where the page is
 * posted. */
void escape_markdown(struct out *out, const char *text)
{
    static const char special[] = "\\`*_|<>[]#&~!$@";
    for (const char *end = text + strlen(text); text < end;) {
        size_t n = plain_length(text, end, special);
        out_bytes(out, text, n);
        text += n;
        if (text == end)
            break;
        if (*text == '@')
            out_text(out, "@<!-- -->");
        else if (strchr(special, *text) != NULL)
            out_format(out, "\\%c", *text);
        else {
            text += put_shown(out, text, end);
            continue;
        }
        text++;
    }
}

void escape_url(struct out *out, const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL)
            out_char(out, *path);
        else
            out_format(out, "%%%02X", (unsigned)(unsigned char)*path);
    }
}

/* ---- others ---- */

/*
 * gnuplot takes two quotes for one in the middle of a string, but not where it begins and not
 * behind others; and it writes '>' into SVG as it is, so "]]>" would not be XML. Both are shown as
 * what cannot be seen is.
 */
static bool breaks_gnuplot(const char *begin, const char *at)
{
    if (*at == '\'')
        return at == begin || at[-1] == '\'';
    return *at == '>' && at - begin >= 2 && at[-1] == ']' && at[-2] == ']';
}

void escape_gnuplot(struct out *out, const char *text, bool tic)
{
    out_char(out, '\'');
    for (const char *begin = text, *end = text + strlen(text); text < end;) {
        if (breaks_gnuplot(begin, text)) {
            escape_code(out, (uint32_t)*text++, false);
        } else if (*text == '\'' || (tic && *text == '%')) {
            out_char(out, *text);
            out_char(out, *text++);
        } else {
            text += put_shown(out, text, end);
        }
    }
    out_char(out, '\'');
}

/* Data and properties are escaped differently (actions/toolkit, packages/core/src/command.ts). */
void escape_github(struct out *out, const char *text, bool property)
{
    for (const char *end = text + strlen(text); text < end;) {
        if (*text != '%' && *text != '\r' && *text != '\n' &&
            (!property || (*text != ':' && *text != ',')))
            text += put_shown(out, text, end);
        else
            out_format(out, "%%%02X", (unsigned)(unsigned char)*text++);
    }
}

void out_show(struct out *out, bool people)
{
    out_set_filter(out, people ? escape_lines : NULL);
}
