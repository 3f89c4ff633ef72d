/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A snapshot and its decisions as a test case, so that a production bug does not return. A case is
 * one JSON file:
 *
 *     id                  name of the file
 *     mode                "single": one cycle
 *     actions             the actions, for a policy with that option
 *     snapshot            the snapshot, with its policy and options
 *     expect.decisions    all that `decide` printed, in order
 *     expect.tasks        outcome of each task: start, nominate, pending, keep, evict or move, and
 * on which node expect.limits       numbers of starts, evictions and nominations
 */
#ifndef SIM_ASK_DECIDE_CASE_H
#define SIM_ASK_DECIDE_CASE_H

#include "sim/ask/dry_run.h"

/* Saves the run's decisions on the snapshot of that file. */
bool decide_case_save(const struct dry_run *, const struct cli *, const char *path, struct err *);

/* Decides on the snapshot of a case and compares; sets *same, and writes differences to `out`. */
bool decide_case_check(const struct cli *, const char *path, struct out *out, bool *same,
                       struct err *);

#endif
