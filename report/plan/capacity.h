/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What capacity planning found: the numbers of nodes that were simulated, how each target fared
 * there, and the answer.
 *
 * A number of nodes is enough if few enough replicas miss a target there: rule.h. Several targets
 * have to hold together, in the same replica. The smallest of several numbers is chosen after
 * having looked at them all, so the confidence is that of each number, not of the choice; numbers
 * below the answer that were tried, and whose misses do not show that they are too few, are
 * reported as not excluded.
 *
 * A percentile that was not reached, since too many jobs still waited at the end, is at least the
 * value that is known, and meets no bound from above. Jobs that never fit wait for ever without
 * appearing among the waits: a number of nodes on which some never fit that do on the most nodes of
 * the range misses all targets.
 */
#ifndef REPORT_PLAN_CAPACITY_H
#define REPORT_PLAN_CAPACITY_H

#include "report/plan/growth.h"
#include "report/plan/offered.h"
#include "report/plan/rule.h"
#include "report/plan/search.h"
#include "report/plan/target.h"
#include "report/stats/sample.h"
#include "sim/base/json.h"

#include <cjson/cJSON.h>

enum capacity_verdict { CAPACITY_MET, CAPACITY_OPEN, CAPACITY_MISSED };
extern const char *const capacity_verdict_words[];

/* One target at one number of nodes. Lower bounds count with their values. */
struct capacity_value {
    struct stat_interval
        over;       /* covers the mean with 95 %; without ends where that cannot be promised */
    size_t missed;  /* replicas that miss it */
    size_t bounded; /* replicas of which only "at least" is known */
    size_t unknown; /* replicas in which the metric is null; left out */
    enum capacity_verdict verdict;
};

struct capacity_point {
    int64_t nodes;             /* that are to be found */
    int64_t fleet_nodes, gpus; /* of the whole fleet */
    struct capacity_value value[SEARCH_TARGETS];
    struct rule_risk risk; /* of missing any of the targets */
    bool meets;            /* all of them, by the rule */
    bool open;             /* it does not meet them, and its misses do not exclude it */
    uint32_t met;          /* targets, a bit each, and with several one for all of them together */
    bool crowded;          /* jobs never fit that would on more nodes */
    /* means over replicas, nan where undefined */
    double allocation, usd, usd_per_gpu_h, never_fits,
        stops;           /* stops: evictions and interruptions */
    double usd_per_year; /* of the fleet, by its cost in the window */
};

/* The lower bound (bound.h). */
struct capacity_bound {
    bool known;
    const char *why;   /* where it is not known: why */
    bool impossible;   /* no number of nodes is enough */
    int64_t gpu_milli; /* of the whole fleet */
    int64_t nodes;     /* to be found, at least 1 */
    size_t jobs;       /* that the targets count, in the first replica */
};

/* The search of one alternative: which nodes are to be found, and what came of it. */
struct capacity {
    const char *scenario, *policy;
    const char *label; /* the variant, as given: "main=dgx-b200" */
    double confidence;
    int replicas;
    const struct target *targets;
    size_t target_count;
    int64_t low, high;      /* the range */
    int64_t given;          /* nodes that the scenario has in the pools that grow */
    struct offered offered; /* the work that must be served */
    struct capacity_bound bound;
    struct capacity_point *points; /* rising by nodes */
    size_t point_count, point_capacity;
    struct search_result found;
};

/* Alternatives beside each other, and today's fleet with the same demand. */
struct capacity_plan {
    struct capacity *options;
    size_t option_count;
    size_t best; /* the cheapest a year that has an answer, else the one with the fewest nodes, else
                    the first */
    struct growth growth;
    struct capacity_point today;
    const char *price_note;    /* what is to be known of the prices; NULL nothing */
    bool price_unverified;     /* some of them are unverified */
    const char *const *speeds; /* what was assumed of hardware, in lines */
    size_t speed_count;
    char *varied; /* between replicas, "replicas resample ..."; owned, NULL: not said */
};

/* Sets `best`. */
void capacity_choose(struct capacity_plan *);

/*
 * Fills a point from the summaries of its first `count` replicas; its fleet_nodes and gpus are set.
 * False with err set when a metric is not there or no number.
 */
bool capacity_judge(const struct capacity *, struct capacity_point *, cJSON *const *summaries,
                    size_t count, struct err *err);

/* The point of that number of nodes; NULL when it was not tried. */
struct capacity_point *capacity_find(const struct capacity *, int64_t nodes);
struct capacity_point *capacity_add(struct capacity *, const struct capacity_point *);
void capacity_fini(struct capacity *);

/* True when the misses of the first `tried` replicas settle that the number is not enough. */
bool capacity_settled(const struct capacity *, const struct capacity_point *);

/* That jobs never fit there: it misses all targets. */
void capacity_reject(struct capacity_point *);

/* The smallest number that was tried and is not excluded, with no excluded one between it and the
 * answer; or the answer. */
int64_t capacity_least(const struct capacity *);

/* True if the lower bound exceeds what the work alone keeps busy; otherwise it adds nothing. */
bool capacity_shows_perfect(const struct capacity *);

/* What is known before the end: the largest number that was tried without a larger one that meets,
 * and the smallest that meets; 0 none. */
void capacity_bracket(const struct capacity *, int64_t *misses, int64_t *meets);

/*
 * Without an answer: the point that comes closest (most targets met, then fewest replicas that
 * miss, then the smallest relative excess), NULL when there are no points; and why there is no
 * answer, in a sentence, to be freed.
 */
const struct capacity_point *capacity_closest(const struct capacity *);
char *capacity_why(const struct capacity *);

/* "p95 of the wait ..." is the target's text; its value as people read it, in `text`. */
const char *capacity_text(char text[64], const struct target *, double value);

char *capacity_headline(const struct capacity *); /* the answer in a sentence or two; to be freed */
const struct capacity_point *capacity_answer(const struct capacity *); /* NULL: there is none */

/* The point that stands for an alternative: its answer, or what comes closest; NULL when nothing
 * was tried. *name says so, freed by the caller. */
const struct capacity_point *capacity_shown(const struct capacity *, char **name);

void capacity_table(const struct capacity_plan *, struct out *, size_t width);
void capacity_json(const struct capacity_plan *, struct json *);
void capacity_csv(const struct capacity_plan *,
                  struct out *); /* a row an option, point and target */

/* DIR/plan.html with its figures, plan.json, points.csv. */
bool capacity_write(const struct capacity_plan *, const char *dir, struct err *err);

/* The page alone, in a file whose name ends in ".html"; its figures are in a folder beside it:
 * page.html has page-figures/. */
bool capacity_write_page(const struct capacity_plan *, const char *path, struct err *err);
bool capacity_write_markdown(const struct capacity_plan *, const char *path, struct err *err);

#endif
