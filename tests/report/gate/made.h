/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hand-made gates: metrics, scenarios, replicas with values, like those of a suite and simulations.
 */
#ifndef TESTS_REPORT_GATE_MADE_H
#define TESTS_REPORT_GATE_MADE_H

#include "report/gate/gate.h"
#include "sim/base/mem.h"

#include <stdio.h>

/* A name that all formats must escape. */
#define MADE_NAME "q<u>o\"t&e,d|100%#1:*`\xC3\xA9"

/* All metrics are differences ("fairness.jain", less is better here) with this margin in their own
 * unit. */
static inline void made_begin(struct gate *g, size_t scenarios, size_t metrics, double floor)
{
    static const char *const paths[] = {"fairness.jain", "fairness.gini", "fairness.min_share",
                                        "utilization.allocation", "utilization.occupancy"};
    *g = (struct gate){.suite = "made", .suite_file = "made.json", .version = "9.9", .alpha = 0.05};
    g->looks[0] = 20;
    g->look_count = 1;
    g->metrics = mem_alloc(metrics, sizeof *g->metrics);
    g->metric_count = metrics;
    for (size_t m = 0; m < metrics; m++)
        g->metrics[m] = (struct gate_metric){.path = paths[m],
                                             .row = metric_find(paths[m]),
                                             .rule = {METRIC_LOWER, 0, floor},
                                             .line = m + 3};
    g->scenarios = mem_alloc(scenarios, sizeof *g->scenarios);
    g->scenario_count = scenarios;
    for (size_t s = 0; s < scenarios; s++)
        g->scenarios[s] = (struct gate_scenario){.name = mem_text(s == 0 ? "one" : MADE_NAME),
                                                 .file = mem_text("x.json"),
                                                 .digest = "sha256:0123",
                                                 .starvation_ms = -1,
                                                 .warmup_ms = s == 0 ? 86400001 : -1};
    for (int side = 0; side < SIDES; side++)
        g->names[side] = mem_text(side == SIDE_A ? "old" : MADE_NAME);
    g->command = mem_text("fauxfleet gate made.json --base old --candidate '" MADE_NAME "'");
    gate_begin(g);
}

/* Replica k: value[m] of every metric; the decisions are those of `journal`. */
static inline void made_replica(struct gate *g, size_t s, int side, const double *value,
                                const char *journal)
{
    size_t k = g->scenarios[s].sides[side].count;
    struct gate_replica *r = gate_add(g, s, side);
    r->seed = UINT64_MAX - 100 + k;
    (void)snprintf(r->trace, sizeof r->trace, "sha256:t%zu", k);
    (void)snprintf(r->journal, sizeof r->journal, "%s%zu", journal, k);
    r->longest = (struct measured){60, false};
    for (size_t m = 0; m < g->metric_count; m++)
        r->values[m] = (struct measured){value[m], false};
}

#endif
