/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rejected rows; see rejected.h. */
#include "sim/trace/rejected.h"

#include <ctype.h>
#include <string.h>

static void put_header(struct rejected *rejected)
{
    out_text(rejected->out,
             rejected->names ? "trace,line,column,reason\n" : "line,column,reason\n");
}

bool rejected_begin(struct rejected *rejected, struct err *err)
{
    if (rejected->path == NULL)
        return true;
    out_discard(rejected->out);
    rejected->rows = 0;
    rejected->out = out_open(rejected->path, err);
    if (rejected->out != NULL)
        put_header(rejected);
    return rejected->out != NULL;
}

void rejected_keep(struct rejected *rejected, bool names)
{
    *rejected = (struct rejected){.name = "", .names = names, .out = out_memory()};
    put_header(rejected);
}

/* The digits of ":123" at *text, which advances past them; 0 if there are none. */
static size_t number_at(const char **text, const char **digits)
{
    if (**text != ':')
        return 0;
    *digits = *text + 1;
    size_t n = 0;
    while (isdigit((unsigned char)(*digits)[n]))
        n++;
    *text = *digits + n;
    return n;
}

void rejected_row(struct rejected *rejected, const struct err *row)
{
    size_t n = strlen(rejected->name), line_n = 0, column_n = 0;
    const char *reason = row->msg, *line = "", *column = "";
    if (strncmp(reason, rejected->name, n) == 0) {
        const char *at = reason + n;
        line_n = number_at(&at, &line);
        column_n = line_n > 0 ? number_at(&at, &column) : 0;
        if (column_n > 0 && strncmp(at, ": ", 2) == 0)
            reason = at + 2;
        else
            line_n = column_n = 0;
    }
    if (rejected->names) {
        out_csv(rejected->out, rejected->name);
        out_char(rejected->out, ',');
    }
    out_bytes(rejected->out, line, line_n);
    out_char(rejected->out, ',');
    out_bytes(rejected->out, column, column_n);
    out_char(rejected->out, ',');
    out_csv(rejected->out, reason);
    out_char(rejected->out, '\n');
    rejected->rows++;
}

bool rejected_end(struct rejected *rejected, bool ok, struct err *err)
{
    if (rejected->path == NULL || rejected->out == NULL)
        return ok;
    struct out *out = rejected->out;
    rejected->out = NULL;
    if (ok)
        return out_close(out, err);
    out_discard(out);
    return false;
}
