/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that had not ended when their log was written, so their run time is unknown. The setting
 * `unfinished` says what to assume:
 *
 *     elapsed   the run time so far, a lower bound; pending jobs have none and are dropped
 *     limit     the declared limit
 *     user      the mean run time of the user's jobs in earlier rows that ran longer than this one
 *               has so far, at most the limit
 *     drop      nothing: the row is dropped
 *
 * Without the value it needs, `user` falls back to `limit`, and `limit` to `elapsed`.
 */
#ifndef TRACES_UNFINISHED_H
#define TRACES_UNFINISHED_H

#include "traces/formats.h"

struct run_times; /* by user, of jobs that ended */

/* For a row whose job was running or pending. Sets raw.duration_ms or drops the row; a note says
 * which. */
enum format_verdict unfinished_duration(struct format_context *);

/* Records the run time of a job that ended, for later rows of its user. */
void unfinished_learn(struct format_context *);

void run_times_destroy(struct run_times *); /* NULL is fine */

#endif
