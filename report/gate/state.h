/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a gate: metrics, scenarios with the replicas of both sides, rows with their
 * verdicts, findings (gate.h). */
#ifndef REPORT_GATE_STATE_H
#define REPORT_GATE_STATE_H

#include "report/compare/losers.h"
#include "report/compare/pairing.h"
#include "report/gate/harm.h"
#include "report/stats/spending.h"
#include "report/words/price_note.h"
#include "sim/base/digest.h"
#include "sim/base/err.h"

#include <cjson/cJSON.h>
#include <stdint.h>

#define GATE_DIGEST (DIGEST_HEX + 8) /* including "sha256:" */

enum gate_stage {
    GATE_COMPATIBILITY,
    GATE_PROCESSES,
    GATE_REPEAT,
    GATE_IDENTITY,
    GATE_INVARIANTS,
    GATE_STATISTICS,
    GATE_RESOURCES,
    GATE_STAGES
};
extern const char *const gate_stage_names[GATE_STAGES];

enum gate_verdict {
    GATE_PASS,
    GATE_FAIL,
    GATE_INCONCLUSIVE,
    GATE_VIOLATED,
    GATE_INCOMPATIBLE,
    GATE_DIFFERENT,   /* decisions differ, but had to be the same */
    GATE_BASE_FAILED, /* the base crashed, reached a limit, or is not deterministic */
    GATE_VERDICTS
};

enum gate_row_verdict {
    GATE_ROW_OPEN,
    GATE_ROW_PASS,
    GATE_ROW_FAIL,
    GATE_ROW_WARN,
    GATE_ROW_VERDICTS
};

/* A metric judged in every scenario. */
struct gate_metric {
    const char *path;
    const char
        *entry; /* the suite's entry for several metrics: "by_queue.*.wait_s.mean"; else NULL */
    char *own;  /* the path unless it is the suite's; freed with the gate */
    bool *in;   /* [scenario]: it has the metric; freed with the gate; NULL: all have it */
    const struct metric_row *row; /* NULL: none */
    struct harm_rule rule;
    bool guard;
    size_t line; /* in the suite's file */
};

/*
 * The cost of a replica; NaN: not measured. It varies between runs, so byte-stable reports leave it
 * out.
 */
enum gate_measure {
    GATE_DECISION_US, /* CPU time of the policy core per decision */
    GATE_PEAK_MIB,    /* of the process */
    GATE_HELD_BYTES,  /* from malloc() at the end of the run, per decision */
    GATE_LEFT_BYTES,  /* the same after the run and its policy were freed: a leak */
    GATE_MEASURES
};
struct gate_cost {
    double of[GATE_MEASURES];
};

/* The costs that are judged (resources.h). */
enum gate_resource {
    GATE_DECISION_TIME,
    GATE_PEAK_MEMORY,
    GATE_MEMORY_GROWTH,
    GATE_RESOURCE_COUNT
};

/* One replica of one side. */
struct gate_replica {
    uint64_t seed;
    char trace[GATE_DIGEST], journal[GATE_DIGEST];
    double start_s;          /* start of the measurement window */
    struct measured longest; /* longest wait of a job that could start, s */
    struct measured *values; /* [metric] */
    struct gate_cost cost;
    char *summary;   /* the text of its summary.json; NULL in old baselines */
    char *decisions; /* from a baseline: all decisions, packed (baseline.h); NULL: not kept */
};

struct gate_side {
    struct gate_replica *replicas;
    size_t count, capacity;
};

struct gate_scenario {
    char *name, *file;
    char digest[GATE_DIGEST]; /* of the scenario without either policy */
    int64_t starvation_ms;    /* -1: unlimited */
    int64_t
        warmup_ms; /* the warm-up found for "auto" with the base; -1: the scenario sets a time */
    struct gate_side sides[SIDES];
    size_t same; /* pairs with the same decisions */
    bool knows_losers;
    struct losers losers; /* over all metrics, not only the suite's (losers.h) */
};

struct gate_row {
    const struct gate_metric *metric;
    size_t scenario;
    enum gate_row_verdict verdict;
    struct harm harm; /* at the look of the verdict, or the last one */
    double level;     /* one-sided level of its interval */
    size_t replicas;  /* of the scenario at that look */
};

/* One side of the first different decision. */
struct gate_decision {
    char *words;   /* "starts job j-17 on main-3, devices 0-7 (allocate)", or that there is none */
    char *other;   /* the state of this job on the other side at that time, and the reason */
    int64_t at_ms; /* on the trace's clock; INT64_MAX: no further decision */
};

struct gate_difference {
    bool known;
    char *unknown;            /* why it is unknown, in a sentence; NULL: nothing to add */
    size_t scenario, replica; /* 0.. */
    uint64_t number;          /* number of the decision, from 0 */
    struct gate_decision sides[SIDES];
};

struct gate {
    const char *suite, *suite_file, *version;
    char *names[SIDES]; /* of the policies, as given */
    bool jittered;      /* the sides have different jitter: an A/A gate */
    double alpha;
    int looks[STAT_LOOKS];
    size_t look_count, looked; /* looked: looks so far */

    struct gate_metric *metrics;
    size_t metric_count;
    struct gate_scenario *scenarios;
    size_t scenario_count;
    struct gate_row *rows; /* one per metric and scenario that has it, scenario by scenario */
    size_t row_count;

    struct gate_finding *findings; /* findings.h, in order of detection */
    size_t finding_count, finding_capacity;
    struct gate_metric resources[GATE_RESOURCE_COUNT]; /* their rules; row NULL: not judged */
    struct gate_row *costs; /* [scenario * GATE_RESOURCE_COUNT + resource]; NULL: not judged yet */
    char *machine;          /* the machine of the measurement (timing.h); NULL: unknown */

    enum gate_stage stage; /* the stage that gave the verdict */
    enum gate_verdict verdict;
    char *reason;  /* the reason of the verdict, one or two sentences */
    char *command; /* the command that reproduces it */
    struct gate_difference difference;
    struct price_notes prices; /* over all replicas */
};

#endif
