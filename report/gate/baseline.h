/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of the base in a file, so that a later gate needs no base policy. Per replica: its
 * seed, the digest of its trace, the hash of its decisions and the values of the suite's metrics.
 * Also everything they depend on: the versions of the format, of the program and of the metrics'
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
 * "summaries" holds the summaries of all replicas, packed (packed.h), each followed by a NUL:
 * losers are judged by all of their metrics. "decisions" holds a replica's decisions as
 * gate_record() writes them, packed, to find the first difference. A scenario keeps
 * BASELINE_DECISIONS_MAX bytes of them, from its first replicas; the others have only a hash.
 * Baselines of older versions without either are accepted.
 *
 * "warmup_ms" is present if the scenario's warm-up is "auto": found with the base, used for both
 * sides. Undefined values have no entry. A baseline that does not match is refused with
 * EXIT_BASELINE and the reason.
 */
#ifndef REPORT_GATE_BASELINE_H
#define REPORT_GATE_BASELINE_H

#include "report/gate/gate.h"
#include "scenarios/json/source.h"

#define BASELINE_DECISIONS_MAX (4 << 20) /* bytes in the file, per scenario */
/* bytes of a replica's decisions; larger ones are not kept */
#define BASELINE_RECORD_MAX ((size_t)64 << 20)

struct gate_baseline {
    struct json_source source;
};

/*
 * Returns false with err set: EXIT_BASELINE if the file is missing or of another version,
 * EXIT_INPUT if it is damaged.
 */
bool baseline_open(struct gate_baseline *, const char *path, struct err *);
bool baseline_parse(struct gate_baseline *, const char *name, const char *text, size_t n,
                    struct err *);
void baseline_close(struct gate_baseline *); /* may be zeroed */

/* Returns the warm-up found for a scenario, in ms; 0 if the baseline has none. */
int64_t baseline_warmup_ms(const struct gate_baseline *, const char *scenario);

/* Makes the baseline's replicas those of the base, as many as the last look needs. */
bool baseline_apply(const struct gate_baseline *, struct gate *, struct err *);

/* Returns the packed decisions of a replica (1..) as in the file; NULL: not kept. */
const char *baseline_decisions(const struct gate_baseline *, const char *scenario, int replica);

/* Writes the base's replicas. */
bool baseline_write(const struct gate *, const char *path, struct err *);

#endif
