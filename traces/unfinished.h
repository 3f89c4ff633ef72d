/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that had not ended when their log was written: how long they run is not in it. The setting
 * `unfinished` says what is taken for it:
 *
 *     elapsed   the run time so far, a lower bound; pending jobs have none and are dropped
 *     limit     the declared limit
 *     user      the mean run time of its user's jobs above it in the log that ran longer than it
 *               has so far, at most the limit
 *     drop      nothing: the row is dropped
 *
 * Where that is not known either, user falls back to limit, and limit to elapsed.
 */
#ifndef TRACES_UNFINISHED_H
#define TRACES_UNFINISHED_H

#include "traces/formats.h"

struct run_times; /* of each user's jobs that ended */

/* The row's job still ran or was pending. Sets raw.duration_ms, or drops the row; a note says
 * which. */
enum format_verdict unfinished_duration(struct format_context *);

/* A job that ended, for the jobs of its user below it. */
void unfinished_learn(struct format_context *);

void run_times_destroy(struct run_times *); /* NULL is fine */

#endif
