/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A snapshot and its decisions as a test case, so that a production bug does not return. A case is
 * one JSON file:
 *
 *     id                  name of the file
 *     mode                "single": one cycle
 *     actions             those that were taken, of a policy with that option
 *     snapshot            the snapshot, with the policy and options that decided
 *     expect.decisions    what `decide` printed, all of it and in its order
 *     expect.tasks        of each task its outcome: start, nominate, pending, keep, evict or move,
 *                         and on which node
 *     expect.limits       how many starts, evictions and nominations there are
 */
#ifndef SIM_ASK_DECIDE_CASE_H
#define SIM_ASK_DECIDE_CASE_H

#include "sim/ask/dry_run.h"

/* What the run has decided on the snapshot of that file. */
bool decide_case_save(const struct dry_run *, const struct cli *, const char *path, struct err *);

/* Decides on the snapshot of a case and compares; *same says whether it came out as expected, and
 * `out` what did not. */
bool decide_case_check(const struct cli *, const char *path, struct out *out, bool *same,
                       struct err *);

#endif
