/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which format a file has, and how its fields are divided. */
#ifndef TRACES_CHOICE_H
#define TRACES_CHOICE_H

#include "traces/formats.h"

struct choice {
    const struct trace_format *format;
    char delimiter; /* tables */
    bool unquoted;  /* likewise, as in struct csv_table */
};

/* By the options, which may name it or map its columns, else by the first bytes. */
bool choice_make(struct choice *, struct input *, const struct trace_options *, struct err *);

#endif
