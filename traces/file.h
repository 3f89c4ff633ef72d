/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace from an input that is already open, e.g. from memory. */
#ifndef TRACES_FILE_H
#define TRACES_FILE_H

#include "traces/input.h"
#include "traces/trace.h"

/* As trace_open(); options->path is not used. Takes the input over, also when it fails. */
bool trace_open_input(struct trace **, struct input *, const struct trace_options *, struct err *);

#endif
