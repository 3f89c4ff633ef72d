/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that lie beside job traces and are none: lists of machines, requests to services, distributions. Taking one for
 * a trace is an easy mistake, so the message says what it is.
 */
#ifndef TRACES_STRANGERS_H
#define TRACES_STRANGERS_H

#include <stddef.h>

/* What a CSV file with this header line holds, "a list of nodes"; NULL when it is not known. */
const char *stranger(const char *line, size_t n);

#endif
