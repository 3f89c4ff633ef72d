/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of a journal as files that every simulating command accepts:
 *
 *     DIR/scenario.json   the scenario; the recorded policy, decisions at every event
 *     DIR/cluster.json    a snapshot: nodes, queues, and the jobs present at the first decision
 *     DIR/jobs.csv        the jobs that came later, with their recorded run times, starts and ends
 *     DIR/outages.csv     when nodes were down; only if one was
 *
 * Types, pools and users are numbers in a journal, which become their names. Each run of a job
 * takes the usual start overhead, the median of the recorded ones, and so does the end of an
 * evicted one.
 */
#ifndef SIM_REPLAY_RECORDED_FILES_H
#define SIM_REPLAY_RECORDED_FILES_H

#include "sim/replay/recorded.h"

/* DIR exists. `name`: of the scenario. False with err set. Sorts the spans. */
bool recorded_write(struct recorded *, const char *dir, const char *name, struct err *err);

/* How many jobs were never started: they are left out. */
uint64_t recorded_never_started(const struct recorded *);

#endif
