/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The suite of a gate: the scenarios on which two policies are compared, the metrics that must not
 * become worse, their margins, and the level of the verdict. Its keys are rows of
 * scenarios/schema/gate.c.
 *
 *     {"fauxfleet_gate": 1, "name": "ci",
 *      "scenarios": ["demo.json", {"scenario": "demo.json", "name": "full", "set":
 *      {"workload.generate.load": 0.95}}],
 *      "metrics": [{"metric": "wait_s.p95", "margin": 0.1, "floor": 30},
 *                  {"metric": "wait_s.p95", "class": "distributed", "margin": 0.15},
 *                  {"metric": "wait_s.mean", "queue": "*", "margin": 0.5, "role": "guard"},
 *                  {"metric": "utilization.fleet_goodput", "margin": 0.01, "role": "guard"}],
 *      "alpha": 0.05, "looks": [20, 40, 80], "starvation": "14d"}
 *
 * File names are relative to the suite's folder. The suite owns everything that it returns. It does
 * not check that metrics exist.
 */
#ifndef SCENARIOS_LOAD_GATE_SUITE_H
#define SCENARIOS_LOAD_GATE_SUITE_H

#include "scenarios/json/source.h"
#include "scenarios/scenario.h"

#define GATE_LOOKS 16

struct gate_suite_scenario {
    char *name;            /* unique */
    char *file;            /* path to open */
    const cJSON *set;      /* values by key; NULL: none */
    int64_t starvation_ms; /* -1: unlimited */
    size_t line;
};

struct gate_suite_metric {
    char *path;            /* "by_class.train.wait_s.p95" */
    double margin;         /* share of the base's value, at least 0 */
    double floor;          /* in its unit; -1: not stated */
    const char *direction; /* "lower", "higher"; NULL: as for the metric */
    bool guard;
    size_t line;
};

/* Time and memory, in the order of the suite's table. */
enum { GATE_SUITE_RESOURCES = 3 };
struct gate_suite_resource {
    double margin, floor; /* as for a metric */
    bool guard, off;
};

struct gate_suite {
    const char *name;
    struct gate_suite_scenario *scenarios;
    size_t scenario_count;
    struct gate_suite_metric *metrics;
    size_t metric_count;
    struct gate_suite_resource resources[GATE_SUITE_RESOURCES];
    double alpha;
    int looks[GATE_LOOKS]; /* rising */
    size_t look_count;
    int audit; /* replicas */

    struct json_source source;
    char *folder, *stem;
    cJSON *tree;  /* with all defaults */
    cJSON **sets; /* [scenario]: moved out of the tree */
    size_t set_count;
};

bool gate_suite_open(struct gate_suite *, const char *path, struct err *err);
bool gate_suite_parse(struct gate_suite *, const char *name, const char *text, size_t n,
                      struct err *err);
void gate_suite_close(struct gate_suite *); /* may be zeroed */

/*
 * The changes of one of its scenarios for scenario_load(), on top of those of the command line. The
 * command line must not set what the suite sets: returns false with err set (EXIT_INPUT). They live
 * until gate_changes_free().
 */
struct gate_changes {
    struct scen_overrides overrides;
    struct scen_change *changes;
    char **texts; /* pairs of a label and a value */
};
bool gate_suite_changes(const struct gate_suite *, size_t scenario,
                        const struct scen_overrides *command_line, struct gate_changes *,
                        struct err *err);
void gate_changes_free(struct gate_changes *);

#endif
