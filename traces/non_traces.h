/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that lie beside job traces and are none: lists of machines, requests to services,
 * distributions, the state of a cluster. Taking one for a trace is an easy mistake, so the message
 * says what it is.
 */
#ifndef TRACES_NON_TRACES_H
#define TRACES_NON_TRACES_H

#include <stdbool.h>
#include <stddef.h>

/* Prints what traces/formats/sacct.c reads, of the jobs of 30 days. */
#define NON_TRACE_SACCT                                                                            \
    "sacct -a -X -P -S now-30days -o JobID,User,Account,Partition,QOS,State,Submit,Eligible,"      \
    "Start,End,ElapsedRaw,TimelimitRaw,NNodes,ReqTRES,AllocTRES,Restarts"

/* What a CSV file with this header line holds, "a list of nodes"; NULL when it is not known. */
const char *non_trace_table(const char *line, size_t n);

/* The same of a file that begins with this text, if that is the beginning of a JSON object. */
const char *non_trace_object(const char *head, size_t n);

/*
 * True for a header of sacct that makes no trace: in columns for people, or with '|' but without
 * the time of submission.
 */
bool non_trace_sacct(const char *line, size_t n);

#endif
