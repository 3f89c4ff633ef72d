/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a trace from an open input, e.g. from memory. */
#ifndef TRACES_FILE_H
#define TRACES_FILE_H

#include "traces/input.h"
#include "traces/trace.h"

/* Like trace_open(), but ignores options->path. Takes ownership of the input, even if it fails. */
bool trace_open_input(struct trace **, struct input *, const struct trace_options *, struct err *);

#endif
