/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of capacity planning: the simulated numbers of nodes, each target's result there, and
 * the answer.
 *
 * A number of nodes suffices if few enough replicas miss a target there: rule.h. Several targets
 * have to hold together, in the same replica. The smallest number is chosen after looking at all
 * results, so the confidence is that of each number, not of the choice. Smaller numbers that were
 * tried and whose misses do not prove them insufficient are reported as not excluded.
 *
 * A percentile that was not reached, since too many jobs were still pending at the end, is known as
 * a lower bound, and meets no upper limit. Jobs that never fit are pending for ever but do not
 * count as waits: a number of nodes on which a job never fits that would fit on the most nodes of
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

/* One target at one number of nodes. Lower bounds count with their value. */
struct capacity_value {
    struct stat_interval over; /* the 95 % interval of the mean; without ends if it has none */
    size_t missed;             /* replicas that miss the target */
    size_t bounded;            /* replicas in which only a lower bound is known */
    size_t unknown;            /* replicas in which the metric is null; left out */
    enum capacity_verdict verdict;
};

struct capacity_point {
    int64_t nodes;             /* the number of nodes to be planned */
    int64_t fleet_nodes, gpus; /* in the whole fleet */
    struct capacity_value value[SEARCH_TARGETS];
    struct rule_risk risk; /* of missing any target */
    bool meets;            /* meets all targets by the rule */
    bool open;             /* does not meet them, but its misses do not exclude it */
    uint32_t met; /* a bit per target, and with several targets one more for all together */
    bool crowded; /* some jobs never fit that would on more nodes */
    /* means over replicas; NaN if undefined */
    double allocation, usd, usd_per_gpu_h, never_fits,
        stops;           /* stops: evictions and interruptions */
    double usd_per_year; /* of the fleet, extrapolated from its cost in the window */
};

/* The lower bound (bound.h). */
struct capacity_bound {
    bool known;
    const char *why;   /* if not known: the reason */
    bool impossible;   /* no number of nodes suffices */
    int64_t gpu_milli; /* in the whole fleet */
    int64_t nodes;     /* nodes to be planned, at least 1 */
    size_t jobs;       /* covered by the targets, in the first replica */
};

/* The search for one alternative: the nodes to be planned, and the results. */
struct capacity {
    const char *scenario, *policy;
    const char *label; /* the variant as given: "main=dgx-b200" */
    double confidence;
    int replicas;
    const struct target *targets;
    size_t target_count;
    int64_t low, high;      /* range of the search */
    int64_t given;          /* nodes that the growing pools have in the scenario */
    struct offered offered; /* the offered work */
    struct capacity_bound bound;
    struct capacity_point *points; /* by rising number of nodes */
    size_t point_count, point_capacity;
    struct search_result found;
};

/* The alternatives, and today's fleet with the same demand. */
struct capacity_plan {
    struct capacity *options;
    size_t option_count;
    size_t best; /* the cheapest per year with an answer, else the one with the fewest nodes, else
                    the first */
    struct growth growth;
    struct capacity_point today;
    const char *price_note;    /* note about the prices; NULL: none */
    bool price_unverified;     /* some prices are unverified */
    const char *const *speeds; /* hardware assumptions, one per line */
    size_t speed_count;
    char *varied; /* what differs between replicas, "replicas resample ..."; owned; NULL: not
                     printed */
};

/* Sets `best`. */
void capacity_choose(struct capacity_plan *);

/*
 * Fills a point, whose fleet_nodes and gpus are set, from the summaries of its first `count`
 * replicas. Returns false with err set if a metric is missing or not a number.
 */
bool capacity_judge(const struct capacity *, struct capacity_point *, cJSON *const *summaries,
                    size_t count, struct err *err);

/* Returns the point of a number of nodes; NULL if it was not tried. */
struct capacity_point *capacity_find(const struct capacity *, int64_t nodes);
struct capacity_point *capacity_add(struct capacity *, const struct capacity_point *);
void capacity_fini(struct capacity *);

/*
 * Returns true if the misses among the first `tried` replicas settle that the number does not
 * suffice.
 */
bool capacity_settled(const struct capacity *, const struct capacity_point *);

/* Marks a point at which jobs never fit: it misses all targets. */
void capacity_reject(struct capacity_point *);

/*
 * Returns the smallest number that was tried and is not excluded, with no excluded one between it
 * and the answer; otherwise the answer.
 */
int64_t capacity_least(const struct capacity *);

/* Returns true if the lower bound exceeds the offered work; otherwise it adds nothing. */
bool capacity_shows_perfect(const struct capacity *);

/*
 * Sets the bracket so far: the largest tried number below all that meet the targets, and the
 * smallest that meets them; 0: none.
 */
void capacity_bracket(const struct capacity *, int64_t *misses, int64_t *meets);

/*
 * Without an answer: the closest point (most targets met, then fewest missing replicas, then
 * smallest relative excess), NULL without points; and a sentence that says why there is no answer,
 * which the caller frees.
 */
const struct capacity_point *capacity_closest(const struct capacity *);
char *capacity_why(const struct capacity *);

/* Formats a value of a target for people, in `text`. */
const char *capacity_text(char text[64], const struct target *, double value);

char *capacity_headline(
    const struct capacity *); /* the answer in one or two sentences; the caller frees it */
const struct capacity_point *capacity_answer(const struct capacity *); /* NULL: no answer */

/*
 * Returns the point that represents an alternative: its answer, or else the closest one; NULL if
 * nothing was tried. *name describes it; the caller frees it.
 */
const struct capacity_point *capacity_shown(const struct capacity *, char **name);

void capacity_table(const struct capacity_plan *, struct out *, size_t width);
void capacity_json(const struct capacity_plan *, struct json *);
void capacity_csv(const struct capacity_plan *,
                  struct out *); /* a row per option, point and target */

/* Writes DIR/plan.html with its figures, plan.json and points.csv. */
bool capacity_write(const struct capacity_plan *, const char *dir, struct err *err);

/*
 * Writes only the page, to a file whose name ends in ".html"; its figures go to a folder beside it:
 * page.html has page-figures/.
 */
bool capacity_write_page(const struct capacity_plan *, const char *path, struct err *err);
bool capacity_write_markdown(const struct capacity_plan *, const char *path, struct err *err);

#endif
