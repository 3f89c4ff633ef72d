/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing studies, the engine, and what plan, compare and gate report. The letters are those of
 * metric_rows_internal.h. */
#include "report/words/metric_rows_internal.h"

static const struct metric_row rows[] = {
    {"fill.curve", "%",
     "Packing studies: GPUs requested so far as a share of the capacity (arrived_pct), against "
     "allocated (alloc_pct), fragmented share of the free GPUs (frag_ratio_pct) and fragmented "
     "GPUs as a share of the capacity (frag_amount_pct).",
     METRIC_NEUTRAL},
    {"fill.curve.*.alloc_pct", "%", "At one point of the curve: allocated GPUs.", METRIC_HIGHER},
    {"fill.curve.*.frag_ratio_pct", "%", "The same: fragmented share of the free GPUs.",
     METRIC_LOWER},
    {"fill.curve.*.frag_amount_pct", "%", "The same: fragmented GPUs as a share of the capacity.",
     METRIC_LOWER},
    {"fill.arrived_gpus", "GPUs", "Packing studies: GPUs requested by all tasks that arrived.",
     METRIC_NEUTRAL},
    {"fill.allocated_gpus", "GPUs", "Packing studies: GPUs in use at the end.", METRIC_HIGHER},
    {"fill.fragment_gpus", "GPUs",
     "Packing studies: free GPUs at the end that the mix of tasks cannot use because of their "
     "location.",
     METRIC_LOWER},
    {"fill.failed_tasks", "count",
     "Packing studies: tasks that could not be placed and were dropped.", METRIC_LOWER},

    {"engine.events", "count", "Events that the simulator handled.", METRIC_NEUTRAL},
    {"engine.decisions", "count", "Decisions of the policy.", METRIC_NEUTRAL},
    {"engine.cycles", "count", "Scheduling cycles.", METRIC_NEUTRAL},
    {"engine.journal_sha256", "digest",
     "Running SHA-256 over a fixed-width record of every decision: equal in two runs if and only "
     "if they made the same decisions.",
     METRIC_NEUTRAL},

    {"plan.bound_nodes", "count",
     "Only in plan.json: the offered work in nodes: GPU-hours offered in the window, over its "
     "length and the GPUs of a node, on the pools that may run them; run times count from the "
     "submission. Of a trace, only the time between the first and the last submission counts; of a "
     "generated load, all of it. With fewer nodes the backlog grows. It is no lower bound for a "
     "percentile.",
     METRIC_NEUTRAL},
    {"plan.risk", "ratio",
     "Only in plan.json: share of the replicas that miss a target, with the exact 95 % interval of "
     "Clopper and Pearson (risk_basis). A number of nodes suffices if at most floor((1 - c)(n + "
     "1)) - 1 of n replicas miss, where c is the confidence.",
     METRIC_LOWER},
    {"compare.change", "ratio",
     "Only in compare and whatif: change of the mean over the pairs, mean(B) / mean(A) - 1, with "
     "the interval of the logarithm of that ratio: values of the jackknife (leave out one pair at "
     "a time), Student's t with Johnson's correction for skewness on the side of the tail. At "
     "least 5 pairs. The verdict is taken from this interval with Holm's correction over a "
     "section.",
     METRIC_NEUTRAL},
    {"compare.difference", "as the metric",
     "Also: mean(B) - mean(A), with the same interval of the pairs' differences. Metrics that may "
     "be negative are judged by it.",
     METRIC_NEUTRAL},
    {"gate.harm", "ratio",
     "Only in gate: compare.change, positive if the candidate is worse. An interval above the "
     "margin fails, one below it passes, any other is inconclusive; alpha is spent over the looks, "
     "and Holm's correction covers the primary metrics.",
     METRIC_LOWER},
    {"plan.usd_per_year", "USD",
     "Only in plan.json: cost of the fleet in the window, over its hours, times 8,760.",
     METRIC_LOWER},
};

const struct metric_table metrics_studies = {rows, sizeof rows / sizeof *rows};
