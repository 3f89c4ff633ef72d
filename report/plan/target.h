/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets of capacity planning as users write them:
 *
 *     target    = metric comparison number unit
 *     metric    = statistic "(" measure ")" [ "{" key "=" value "}" ]
 *               p95(wait){class=distributed}
 *               | a dotted path of summary.json
 *                 by_class.distributed.wait_s.p95
 *                 [ "{" key "=" value "}" ]
 *                   preemption.evictions{queue=vision}
 *     statistic = mean | gmean | p50 | p90 | p95 | p99 | max
 *     measure   = wait | queue | jct | slowdown, or a family of `list metrics`:
 *               wait_gpu_h_weighted_s
 *     key       = class | size | queue                                   size=64-511, as
 *               summary.json names them
 *     unit      = s | m | h | d | w, of times; %, of ratios; or none     2h, 0.7, 70%
 *
 * Both forms of a metric denote a path of keys in summary.json, whose value is a number.
 * METRIC{queue=NAME} is by_queue.NAME.METRIC; for fairness.X it is fairness.queues.NAME.X. Blanks
 * are allowed between all parts. A target owns its texts.
 */
#ifndef REPORT_PLAN_TARGET_H
#define REPORT_PLAN_TARGET_H

#include "sim/base/err.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#define TARGET_STEPS ((size_t)6)

enum target_comparison { TARGET_AT_MOST, TARGET_BELOW, TARGET_AT_LEAST, TARGET_ABOVE };
extern const char *const target_comparison_signs[];

struct target {
    char *text; /* as given */
    const char
        *step[TARGET_STEPS]; /* "by_class", "distributed", "wait_s", "p95"; point into `steps` */
    size_t step_count;
    char *steps;
    enum target_comparison comparison;
    double limit; /* in the metric's unit: seconds, a ratio, ... */
    bool is_time; /* the metric is in seconds */
};

/*
 * Returns false with err set (EXIT_INPUT): column, value, what was expected and the nearest name.
 */
bool target_parse(struct target *, const char *text, struct err *err);
void target_fini(struct target *); /* may be zeroed */

/*
 * Returns the dotted path of either form, which the caller frees; NULL with err set. A path without
 * "{...}" is returned unchanged.
 */
char *target_metric(const char *text, struct err *err);

/* Returns true if the target is an upper limit of the metric. */
static inline bool target_bounds_above(const struct target *target)
{
    return target->comparison == TARGET_AT_MOST || target->comparison == TARGET_BELOW;
}

/* Returns true if the value meets the target; NaN does not. */
bool target_met_by(const struct target *, double value);

/* What a summary says about the metric. */
enum target_found {
    TARGET_KNOWN,       /* *value */
    TARGET_AT_LEAST_SO, /* too many jobs were still pending: at least *value */
    TARGET_UNKNOWN,     /* null */
    TARGET_ABSENT,      /* the key is missing or not a number */
};
enum target_found target_find(const struct target *, const cJSON *summary, double *value);

/* Returns true if the value found meets the target; a lower bound never meets an upper limit. */
bool target_met_in(const struct target *, enum target_found, double value);

/* Returns "p95 wait of train jobs at most 2h00m", which the caller frees. */
char *target_words(const struct target *);

/*
 * For an absent metric: returns false with err set to where the path ends and the nearest key
 * there.
 */
bool target_absent(const struct target *, const cJSON *summary, struct err *err);

#endif
