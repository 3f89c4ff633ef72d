/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of a sweep: one scenario, simulated at many points, each of which changes some of its
 * keys.
 *
 *     {"fauxfleet_sweep": 1, "scenario": "demo.json",
 *      "points": [{"policy": "fifo"}, {"policy": "sjf", "policy.cycle_s": 30}],
 *      "grid": {"workload.generate.load": [0.7, 0.8, 0.9]},
 *      "seeds": [1, 2]}
 *
 * has 2 x 3 x 2 points: every one of `points` with every combination of `grid` and every seed, in
 * this order, the last varying fastest. Keys are paths as for --set; "policy" with a text is
 * --policy, "trace" is --trace. File names are relative to the plan's folder.
 *
 *     struct sweep_plan plan;
 *     if (!sweep_plan_open(&plan, "plan.json", err)) ...
 *     for (size_t i = 0; i < plan.count; i++)
 *         value = sweep_plan_value(&plan, i, k)      of plan.keys[k], NULL where the point does not
 *                                                    change it
 *     sweep_plan_close(&plan);
 *
 * The plan owns everything that it returns. Equal points are not detected here.
 */
#ifndef SCENARIOS_LOAD_SWEEP_PLAN_H
#define SCENARIOS_LOAD_SWEEP_PLAN_H

#include "scenarios/json/source.h"
#include "scenarios/scenario.h"

#define SWEEP_POINTS_MAX 1000000

struct sweep_plan {
    const char *name;
    char *scenario;    /* path of its file */
    const char **keys; /* all keys that points change: those of `points` in order of appearance,
                          those of `grid`, "seed" */
    size_t key_count;
    const char **metrics; /* as given, possibly none */
    size_t metric_count;
    int replicas; /* 0: not stated */
    size_t count; /* number of points, 1..SWEEP_POINTS_MAX */

    /* for sweep_plan_value() and messages */
    struct json_source source;
    char *folder, *stem;
    cJSON *points, *grid, *seeds; /* NULL if absent */
    size_t point_keys;            /* how many of `keys` are those of `points` */
    const cJSON **listed;         /* the elements of `points` */
    size_t listed_count;          /* 1 without `points` */
    struct sweep_axis {
        const cJSON **values;
        size_t count, line;
    } * axes; /* of the other keys, in their order */
};

bool sweep_plan_open(struct sweep_plan *, const char *path, struct err *err);
bool sweep_plan_parse(struct sweep_plan *, const char *name, const char *text, size_t n,
                      struct err *err);
void sweep_plan_close(struct sweep_plan *); /* may be zeroed */

/*
 * Returns the value that the point sets the key to; a JSON null removes the key from the scenario.
 */
const cJSON *sweep_plan_value(const struct sweep_plan *, size_t point, size_t key);

/*
 * A point as changes of the scenario, on top of those of the command line. --replicas overrides
 * `replicas`; the command line should not set what the plan varies. The changes live until
 * sweep_changes_free().
 */
struct sweep_changes {
    struct scen_overrides overrides;
    struct scen_change *changes;
    char **texts;
    size_t text_count;
};
bool sweep_plan_changes(const struct sweep_plan *, size_t point,
                        const struct scen_overrides *command_line, struct sweep_changes *,
                        struct err *err);
void sweep_changes_free(struct sweep_changes *);

#endif
