/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs of replicas, in separate files because they vary between runs: the report "timing" of a
 * gate, and next to a baseline B.json the file B.timing.json with the cost of the base when it was
 * recorded.
 *
 *     {"fauxfleet_gate_timing": 1, "machine": "Linux 6.1 x86_64, 8 x ..., 32000 MiB",
 *      "scenarios": [{"name": "demo", "resources": [...],
 *                     "base": {"decision_us": [2.1, ...], "peak_mib": [...], "held_b": [...],
 *                     "left_b": [...]},
 *                     "candidate": {...}}]}
 *
 * Times of a baseline were not measured alternately with the candidate's, so they are compared only
 * on a machine with the same description, and with a margin of at least GATE_TIMING_APART.
 */
#ifndef REPORT_GATE_TIMING_H
#define REPORT_GATE_TIMING_H

#include "report/gate/gate.h"
#include "sim/base/out.h"

#define GATE_TIMING_APART 1.0 /* twice the time */

extern const char *const gate_measure_names[GATE_MEASURES]; /* "decision_us" */

void gate_report_timing(const struct gate *, struct out *);

/* Returns "B.timing.json" for "B.json". The caller frees it. */
char *gate_timing_path(const char *baseline);

/*
 * Writes the costs of the base's replicas. Returns false with err set if the file cannot be
 * written.
 */
bool gate_timing_write(const struct gate *, const char *baseline, struct err *err);

/*
 * Reads the costs of the base's replicas at the time of the baseline. If they are not comparable,
 * *why gets the reason (the caller frees it) and the gate is unchanged. Returns false with err set
 * (EXIT_INPUT) if the file is damaged.
 */
bool gate_timing_apply(struct gate *, const char *baseline, char **why, struct err *err);

#endif
