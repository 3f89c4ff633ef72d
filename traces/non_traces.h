/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Non-trace tables: files that are kept beside job traces, such as lists of machines, requests to
 * services, distributions, the state of a cluster. They are easily mistaken for traces, so the
 * message says what they are.
 */
#ifndef TRACES_NON_TRACES_H
#define TRACES_NON_TRACES_H

#include <stdbool.h>
#include <stddef.h>

/* Prints the fields that traces/formats/sacct.c reads, for the jobs of 30 days. */
#define NON_TRACE_SACCT                                                                            \
    "sacct -a -X -P -S now-30days -o JobID,User,Account,Partition,QOS,State,Submit,Eligible,"      \
    "Start,End,ElapsedRaw,TimelimitRaw,NNodes,ReqTRES,AllocTRES,Restarts"

/* Returns what a CSV file with this header contains, "a list of nodes"; NULL if it is unknown. */
const char *non_trace_table(const char *line, size_t n);

/* The same for a file that begins with this text, if it begins a JSON object. */
const char *non_trace_object(const char *head, size_t n);

/*
 * Returns true for a header of sacct that makes no trace: in columns for people, or with '|' but
 * without the submit time.
 */
bool non_trace_sacct(const char *line, size_t n);

#endif
