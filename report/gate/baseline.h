/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the base did, kept in a file, so that a later gate needs no base policy: per replica its
 * seed, the digest of its trace, the hash of its decisions and the values of the suite's metrics;
 * and what all of that depends on: the versions of the format, of the program and of the metrics'
 * definitions, and a digest of each scenario without the policy.
 *
 *     {"fauxfleet_baseline": 1, "version": "0.1.0", "metrics_version": 1, "suite": "ci", "policy":
 *     "fifo",
 *      "scenarios": [{"name": "demo", "scenario_digest": "sha256:...", "warmup_ms": 86400000,
 *                      "summaries": "48211:eNrt...",
 *                     "replicas": [{"seed": "1", "trace_digest": "sha256:...", "journal_sha256":
 *                     "...",
 *                                   "window_start_s": 0, "longest_wait_s": 250, "values":
 *                                   {"wait_s.p95": 120.5, "wait_s.p99": {"at_least": 4000}},
 *                                   "decisions": "91204:eNqV..."}]}]}
 *
 * "summaries" are those of all replicas, packed (packed.h), a NUL behind each: who loses is judged
 * by all of their metrics. "decisions" are those of a replica, packed, as gate_record() writes
 * them: for the first difference. A scenario keeps BASELINE_DECISIONS_MAX bytes of them, of its
 * first replicas; of the others only the hash is known. Baselines from before either was kept are
 * read as they are.
 *
 * "warmup_ms" is there when the scenario's warm-up is "auto": what was found with the base, for
 * both sides. A value that is undefined has no entry. Whatever does not fit is refused with
 * EXIT_BASELINE and the reason.
 */
#ifndef REPORT_GATE_BASELINE_H
#define REPORT_GATE_BASELINE_H

#include "report/gate/gate.h"
#include "scenarios/json/source.h"

#define BASELINE_DECISIONS_MAX (4 << 20) /* bytes in the file, for a scenario */
/* bytes of the decisions of a replica; more are not kept */
#define BASELINE_RECORD_MAX ((size_t)64 << 20)

struct gate_baseline {
    struct json_source source;
};

/* False with err set: EXIT_BASELINE when it is not there or of another version, EXIT_INPUT when it
 * is damaged. */
bool baseline_open(struct gate_baseline *, const char *path, struct err *);
bool baseline_parse(struct gate_baseline *, const char *name, const char *text, size_t n,
                    struct err *);
void baseline_close(struct gate_baseline *); /* a zeroed one is fine */

/* How long the warm-up of a scenario was found to be, in ms; 0 where the baseline says nothing of
 * it. */
int64_t baseline_warmup_ms(const struct gate_baseline *, const char *scenario);

/* Its replicas become those of the base, as many as the last look wants. */
bool baseline_apply(const struct gate_baseline *, struct gate *, struct err *);

/* The packed decisions of a replica (1..) as they stand in the file; NULL: not kept. */
const char *baseline_decisions(const struct gate_baseline *, const char *scenario, int replica);

/* Of the base's replicas. */
bool baseline_write(const struct gate *, const char *path, struct err *);

#endif
