/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What capacity planning found: the numbers of nodes that were simulated, how each target fared there, and the answer.
 *
 * A target is met with confidence c at a number of nodes when the one-sided Student bound of its metric's mean over
 * replicas, at confidence c, is within it; missed when the bound on the other side is outside; else the replicas leave it
 * open. (metrics.md, Planning: "smallest N that meets the target with the stated confidence".) That all targets are met
 * is claimed only where each is, which needs no correction for their number: the intersection-union test (R. L. Berger,
 * "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982). The smallest of several numbers
 * is chosen after having looked at them all, so the confidence is that of each number, not of the choice; the interval
 * of the answer says how far down the replicas do not exclude another one.
 *
 * A percentile that was not reached, since too many jobs still waited at the end, is at least the value that is known, and
 * meets no bound from above. Jobs that never fit wait for ever without appearing among the waits: a number of nodes on which some never fit
 * that do on the most nodes of the range misses all targets.
 */
#ifndef REPORT_PLAN_CAPACITY_H
#define REPORT_PLAN_CAPACITY_H

#include "report/plan/search.h"
#include "report/plan/target.h"
#include "report/stats/sample.h"
#include "sim/base/json.h"

#include <cjson/cJSON.h>

enum capacity_verdict { CAPACITY_MET, CAPACITY_OPEN, CAPACITY_MISSED };
extern const char *const capacity_verdict_words[];

/* One target at one number of nodes. Lower bounds count with their values. */
struct capacity_value {
    struct stat_interval over; /* two-sided, covers with 2c - 1: each end is a bound at confidence c */
    size_t bounded;            /* replicas of which only "at least" is known */
    size_t unknown;            /* replicas in which the metric is null; left out of the interval */
    enum capacity_verdict verdict;
};

struct capacity_point {
    int64_t nodes; /* of the pool that varies */
    int64_t gpus;  /* of the whole fleet */
    struct capacity_value value[SEARCH_TARGETS];
    uint32_t met; /* targets, a bit each */
    bool crowded; /* jobs never fit that would on more nodes */
    /* means over replicas, nan where undefined */
    double allocation, usd, usd_per_gpu_h, never_fits, stops; /* stops: evictions and interruptions */
};

struct capacity_bound {
    bool known;
    const char *why;   /* where it is not known: why */
    bool impossible;   /* no number of nodes is enough */
    int64_t gpu_milli; /* of the whole fleet */
    int64_t nodes;     /* of the pool that varies, at least 1 */
    size_t jobs;       /* that the targets count, in the first replica */
};

struct capacity {
    const char *scenario, *policy, *pool;
    double confidence;
    int replicas;
    const struct target *targets;
    size_t target_count;
    int64_t low, high, given; /* the range; nodes that the scenario has */
    struct capacity_bound bound;
    struct capacity_point *points; /* rising by nodes */
    size_t point_count, point_capacity;
    struct search_result found;
};

/* Fills a point from the summaries of its replicas. False with err set when a metric is not there or no number. */
bool capacity_judge(const struct capacity *, struct capacity_point *, cJSON *const *summaries, size_t count,
                    struct err *err);

/* The point of that number of nodes; NULL when it was not tried. */
struct capacity_point *capacity_find(const struct capacity *, int64_t nodes);
struct capacity_point *capacity_add(struct capacity *, const struct capacity_point *);
void capacity_fini(struct capacity *);

/* The fewest nodes that the replicas do not exclude: one more than the most below the answer that surely miss. */
int64_t capacity_least(const struct capacity *);

/*
 * Without an answer: the point that comes closest (most targets met, then the smallest relative excess), NULL when there
 * are no points; and why there is no answer, in a sentence, to be freed.
 */
const struct capacity_point *capacity_closest(const struct capacity *);
char *capacity_why(const struct capacity *);

/* "p95 of the wait ..." is the target's text; its value as people read it, in `text`. */
const char *capacity_text(char text[64], const struct target *, double value);

char *capacity_headline(const struct capacity *); /* the answer in a sentence or two; to be freed */

void capacity_table(const struct capacity *, struct out *, size_t width);
void capacity_json(const struct capacity *, struct json *);
void capacity_csv(const struct capacity *, struct out *); /* a row a point and target */

/* DIR/plan.html with its figure, plan.json, points.csv. */
bool capacity_write(const struct capacity *, const char *dir, struct err *err);

#endif
