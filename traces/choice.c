/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See choice.h. */
#include "traces/choice.h"

#include <string.h>

/*
 * Returns false with err set if the input breaks off within its first line, as truncated compressed
 * data does: that is the error to report, not the unknown format. Consumes the first chunk.
 */
static bool is_whole(struct input *input, const char *head, size_t n, struct err *err)
{
    struct err broken = {0};
    size_t column = 1;
    for (size_t i = 0; i < n; i++) {
        if (head[i] == '\n')
            return true;
        column += head[i] == ',';
    }
    if (input_read(input, &head, &n, &broken) > 0 && input_read(input, &head, &n, &broken) >= 0)
        return true;
    *err = broken;
    return err_prefix(err, "%s:1:%zu", input_name(input), column);
}

/* True if columns are mapped, which makes any file a table. */
static bool is_mapped(const struct trace_options *options)
{
    for (size_t i = 0; i < options->setting_count; i++)
        if (strcmp(options->settings[i].key, "map") == 0)
            return true;
    return false;
}

static bool is_named(const struct trace_options *options)
{
    return options->format != NULL && strcmp(options->format, "auto") != 0;
}

/* Returns the first chunk without consuming it; an empty file is an error. */
static bool peek(struct input *input, const char **head, size_t *n, struct err *err)
{
    int got = input_peek(input, head, n, err);
    if (got < 0)
        return err_prefix(err, "%s:1:1", input_name(input));
    return got > 0 || err_set(err, EXIT_INPUT, "%s:1:1: the file is empty, expected a job trace",
                              input_name(input));
}

/* Returns true if the file begins with a quote. Formats that never quote were rewritten by another
 * program then. */
static bool begins_quoted(const char *head, size_t n)
{
    size_t at = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return at < n && head[at] == '"';
}

static void set_delimiter(struct choice *choice, const char *head, size_t n)
{
    const struct trace_format *format = choice->format;
    char own = format->delimiter ? format->delimiter : ',';
    choice->delimiter = format->header ? own : format_delimiter(format, head, n);
    if (choice->delimiter == '\0')
        choice->delimiter = own;
    choice->unquoted = format->unquoted && choice->delimiter == own && !begins_quoted(head, n);
}

bool choice_make(struct choice *choice, struct input *input, const struct trace_options *options,
                 struct err *err)
{
    const char *head = "";
    size_t n = 0;
    *choice = (struct choice){.format = NULL};
    if (is_named(options)) {
        choice->format = format_find(options->format, err);
        if (choice->format == NULL)
            return false;
        struct err later; /* reported by the first read */
        if (input_peek(input, &head, &n, &later) <= 0)
            n = 0;
    } else {
        if (!peek(input, &head, &n, err))
            return false;
        choice->format =
            is_mapped(options) ? &format_table : format_detect(input_name(input), head, n, err);
        if (choice->format == NULL) {
            (void)is_whole(input, head, n, err);
            return false;
        }
    }
    if (choice->format->columns != NULL)
        set_delimiter(choice, head, n);
    return true;
}
