/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits chunks into lines: returns them in place, and copies only those that cross from one chunk
 * into the next. */
#include "traces/lines.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* `carry` holds the beginning of an unfinished line; `in_carry`: the last line returned is there.
 */
struct lines {
    struct input *input;
    const char *at, *end;
    char *carry;
    size_t carried, capacity;
    size_t limit;
    uint64_t number;
    bool in_carry, is_exact, is_torn;
};

struct lines *lines_create(struct input *input)
{
    struct lines *lines = lines_create_exact(input, INPUT_PIECE_MAX);
    lines->is_exact = false;
    return lines;
}

struct lines *lines_create_exact(struct input *input, size_t limit)
{
    struct lines *lines = mem_alloc(1, sizeof *lines);
    lines->input = input;
    lines->limit = limit;
    lines->is_exact = true;
    return lines;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The 1-based number of the word being read: the words that begin in `carry`, plus one after a
 * blank. */
static size_t word_reached(const struct lines *lines)
{
    size_t words = 0;
    for (size_t i = 0; i < lines->carried; i++)
        words += !is_blank(lines->carry[i]) && (i == 0 || is_blank(lines->carry[i - 1]));
    bool between = lines->carried == 0 || is_blank(lines->carry[lines->carried - 1]);
    return words + between;
}

/* Prefixes the message with the place reached. */
static bool place(const struct lines *lines, struct err *err)
{
    return err_prefix(err, "%s:%llu:%zu", input_name(lines->input),
                      (unsigned long long)lines->number + 1, word_reached(lines));
}

static bool carry(struct lines *lines, const char *text, size_t n, struct err *err)
{
    if (lines->carried + n > lines->limit) {
        (void)err_set(err, EXIT_INPUT, "line longer than %zu MiB", lines->limit >> 20);
        return place(lines, err);
    }
    lines->carry = mem_grow(lines->carry, &lines->capacity, lines->carried + n, 1);
    memcpy(lines->carry + lines->carried, text, n);
    lines->carried += n;
    return true;
}

static int give(struct lines *lines, const char *from, size_t length, const char **text, size_t *n)
{
    static const char mark[] = "\xef\xbb\xbf";
    lines->number++;
    if (lines->is_exact) {
        *text = from;
        *n = length;
        return 1;
    }
    if (lines->number == 1 && length >= 3 && memcmp(from, mark, 3) == 0) {
        from += 3;
        length -= 3;
    }
    if (length > 0 && from[length - 1] == '\r')
        length--;
    *text = from;
    *n = length;
    return 1;
}

/* Returns `carry` as a line, which must live until the next call. */
static int give_carry(struct lines *lines, const char **text, size_t *n)
{
    lines->in_carry = true;
    return give(lines, lines->carry, lines->carried, text, n);
}

/* Reads the next chunk; returns like input_read(). */
static int fetch(struct lines *lines, struct err *err)
{
    size_t size = 0;
    int got = input_read(lines->input, &lines->at, &size, err);
    if (got <= 0)
        lines->at = NULL;
    if (got < 0)
        (void)place(lines, err);
    lines->end = lines->at ? lines->at + size : NULL;
    return got;
}

int lines_next(struct lines *lines, const char **text, size_t *n, struct err *err)
{
    if (lines->in_carry)
        lines->carried = 0;
    lines->in_carry = false;
    for (;;) {
        int got = lines->at < lines->end ? 1 : fetch(lines, err);
        lines->is_torn = got == 0;
        if (got <= 0)
            return got == 0 && lines->carried > 0 ? give_carry(lines, text, n) : got;
        const char *from = lines->at;
        const char *stop = memchr(from, '\n', (size_t)(lines->end - from));
        size_t length = (size_t)((stop ? stop : lines->end) - from);
        lines->at = stop ? stop + 1 : lines->end;
        if (stop && lines->carried == 0)
            return give(lines, from, length, text, n);
        if (length > 0 && !carry(lines, from, length, err))
            return -1;
        if (stop)
            return give_carry(lines, text, n);
    }
}

uint64_t lines_number(const struct lines *lines)
{
    return lines->number;
}

bool lines_is_torn(const struct lines *lines)
{
    return lines->is_torn;
}

void lines_destroy(struct lines *lines)
{
    if (!lines)
        return;
    free(lines->carry);
    free(lines);
}
