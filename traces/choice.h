/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format of a file and the delimiter of its fields. */
#ifndef TRACES_CHOICE_H
#define TRACES_CHOICE_H

#include "traces/formats.h"

struct choice {
    const struct trace_format *format;
    char delimiter; /* tables */
    bool unquoted;  /* likewise, as in struct csv_table */
};

/* Chooses the format that the options name, `table` if they map columns, else by the first bytes.
 */
bool choice_make(struct choice *, struct input *, const struct trace_options *, struct err *);

#endif
