/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate: is a candidate policy worse than the base? It takes the results of the replicas of both
 * sides, answers these questions in this order, and keeps everything that its reports need.
 *
 *     compatibility   do replicas of both sides pair: seed, trace, window?                   no:
 *                     GATE_INCOMPATIBLE
 *     processes       did a process crash, or reach a limit (findings.h)?                    yes:
 *                     GATE_FAIL
 *     repeat          did a replica that was run twice decide differently?                   yes:
 *                     GATE_FAIL
 *     identity        is every decision the same (hashes of journals)?                       yes:
 *                     GATE_PASS
 *     invariants      did the auditor find errors; did a job that could start wait too long?  yes:
 *                     GATE_VIOLATED
 *     statistics      is a metric certainly worse by more than its margin (GATE_FAIL), or is none
 *                     (GATE_PASS)?
 *     resources       are decisions certainly slower, or memory certainly larger, than the margins
 *                     allow (resources.h)?
 *
 * Resources are checked last, and only turn a pass or an inconclusive verdict into GATE_FAIL. If
 * the base itself crashes or is not deterministic, there is nothing to compare with:
 * GATE_BASE_FAILED.
 *
 * Statistics look at the data several times. A row is a metric in a scenario; primary rows of all
 * scenarios are one family. At look k a row
 *
 *     fails   when p_fail (harm.h) is at or below the level of the look, after Holm's step-down
 *             over the family: the smallest of m p-values has to be at or below the level for alpha
 *             / 2 / m, the next for m - 1, ...
 *     passes  when p_pass is at or below the level of the look for alpha / 2 (all have to pass, so
 *             none is favoured)
 *
 * and keeps that verdict. Guards are a family of their own, judged alike, and warn where primary
 * rows fail. Levels spend alpha over the looks (stats/spending.h); Holm with them is Y. Ye, A. Li,
 * L. Liu and B. Yao, "A group sequential Holm procedure with multiple primary endpoints",
 * Statistics in Medicine 32, 2013. So for any metrics, scenarios and looks, a candidate without
 * harm beyond a margin fails with probability alpha / 2 at most, and one with such harm passes with
 * probability alpha / 2 at most.
 */
#ifndef REPORT_GATE_GATE_H
#define REPORT_GATE_GATE_H

#include "report/gate/state.h"

extern const char *const gate_verdict_names[GATE_VERDICTS]; /* "pass", "inconclusive" */
int gate_exit_code(enum gate_verdict);

/* Makes rows for all metrics and scenarios; call when these are complete. */
void gate_begin(struct gate *);
void gate_fini(struct gate *); /* may be zeroed */

/*
 * Adds the next replica of a side from its summary. Returns false with err set (EXIT_INTERNAL) if
 * it is damaged.
 */
bool gate_take(struct gate *, size_t scenario, int side, uint64_t seed, const char *summary,
               struct err *err);

/* Adds the next replica of a side for the caller to fill in; its values are undefined. */
struct gate_replica *gate_add(struct gate *, size_t scenario, int side);

/*
 * The questions; each returns true if it sets the verdict. Pairs are the replicas that both sides
 * have. Call gate_judge() after each look; at the last look it sets a verdict.
 */
bool gate_incompatible(struct gate *);
bool gate_broken(struct gate *); /* findings.h */
bool gate_random(struct gate *);
bool gate_identical(struct gate *);
bool gate_starved(struct gate *);
bool gate_judge(struct gate *);

/*
 * Fills the groups that lose with the candidate in a scenario, whatever the margins, from the
 * summaries of both sides. Levels are those of the look, shared by the scenarios. Returns false
 * with err set if they cannot be compared.
 */
bool gate_find_losers(struct gate *, size_t scenario, const struct pairing_side sides[SIDES],
                      struct err *err);

/* Returns true if metrics were judged, so there are rows to show. */
bool gate_judged(const struct gate *);

/* Sets the verdict and takes ownership of the reason. Returns true. */
bool gate_decide(struct gate *, enum gate_stage, enum gate_verdict, char *reason);

/*
 * Returns "pass", "fail" or "warn"; for an open row "inconclusive" after the last look, and "not
 * decided yet" before.
 */
const char *gate_row_name(const struct gate *, const struct gate_row *);

size_t gate_pairs(const struct gate *, size_t scenario);
bool gate_is_open(const struct gate *,
                  size_t scenario); /* true if one of its primary rows has no verdict yet */

/* Returns true if any replica of the side has a value of the metric. */
bool gate_has_value(const struct gate_side *, size_t metric);

/*
 * Removes rows without any value if one entry of the suite stands for several metrics. Any other
 * metric without a value is an error: returns false with err set (EXIT_INPUT).
 */
bool gate_check_metrics(struct gate *, struct err *err);

#endif
