/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges numbers of nodes; see capacity.h. */
#include "report/plan/capacity.h"

#include "report/results/rundir.h"
#include "report/stats/skewed.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *const capacity_verdict_words[] = {"met", "open", "missed"};

/* ---- one point ---- */

#define ALPHA 0.05 /* of reported intervals */

/*
 * Judges one target by counting misses, or by Student's bounds (v->over covers with 2c - 1) if
 * there are too few replicas to count; see rule.h.
 */
static enum capacity_verdict verdict_of(const struct capacity *c, const struct target *target,
                                        const struct capacity_value *v, size_t tried)
{
    int64_t allows = rule_allows(c->confidence, (size_t)c->replicas);
    bool above = target_bounds_above(target);
    if (allows >= 0 && (int64_t)v->missed > allows)
        return rule_leaves_open(c->confidence, v->missed, tried) ? CAPACITY_OPEN : CAPACITY_MISSED;
    if (allows >= 0)
        return tried == (size_t)c->replicas ? CAPACITY_MET : CAPACITY_OPEN;
    if (v->over.n == 0 || v->unknown > 0)
        return CAPACITY_OPEN;
    double margin = rule_margin(&v->over);
    double fresh = above ? v->over.mean + margin : v->over.mean - margin;
    if (!target_met_by(target, above ? v->over.low : v->over.high) && !(v->bounded > 0 && !above))
        return CAPACITY_MISSED;
    return target_met_by(target, fresh) && !(v->bounded > 0 && above) ? CAPACITY_MET
                                                                      : CAPACITY_OPEN;
}

/* Reads one value; sets *misses if it misses the target. */
static bool take(const struct target *target, const cJSON *summary, struct capacity_value *v,
                 double *x, bool *misses, struct err *err)
{
    double value;
    enum target_found found = target_find(target, summary, &value);
    if (found == TARGET_ABSENT)
        return target_absent(target, summary, err);
    bool known = found == TARGET_KNOWN || found == TARGET_AT_LEAST_SO;
    bool meets = target_met_in(target, found, value);
    if (known)
        x[v->over.n++] = value;
    v->bounded += found == TARGET_AT_LEAST_SO;
    v->unknown += found == TARGET_UNKNOWN;
    v->missed += !meets;
    *misses |= !meets;
    return true;
}

/*
 * If counting decides, the set of replicas tried depends on their results: a number is abandoned
 * once too many miss, so completed numbers are biased to few extremes. Their mean has no interval,
 * but the risk has one. A mean of lower bounds, or of equal values, has none either.
 */
static struct stat_interval shown_interval(const struct capacity *c, const struct capacity_value *v,
                                           const double *x)
{
    size_t n = v->over.n;
    bool known = rule_allows(c->confidence, (size_t)c->replicas) < 0 && n >= STAT_LEAST &&
                 v->bounded + v->unknown == 0;
    struct stat_interval shown = known ? stat_skewed_interval(x, n, ALPHA) : stat_sample(x, n);
    if (!(shown.se > 0))
        shown.low = shown.high = (double)NAN;
    return shown;
}

static bool judge_target(const struct capacity *c, size_t t, struct capacity_point *point,
                         cJSON *const *summaries, size_t count, bool *misses, struct err *err)
{
    struct capacity_value *v = &point->value[t];
    double *x = mem_alloc(count + 1, sizeof *x);
    bool ok = true;
    *v = (struct capacity_value){.unknown = 0};
    for (size_t i = 0; i < count && ok; i++)
        ok = take(&c->targets[t], summaries[i], v, x, &misses[i], err);
    size_t n = v->over.n;
    /*
     * If some jobs never fit, they may be all that the target covers; with more nodes it is
     * defined.
     */
    if (ok && n == 0 && !(point->never_fits > 0))
        ok = err_set(err, EXIT_INPUT,
                     "target '%s': the runs of this scenario do not define it (no such jobs, or "
                     "nothing to measure it by)",
                     c->targets[t].text);
    v->over = stat_t_interval(x, n, 2 * (1 - c->confidence));
    v->verdict = verdict_of(c, &c->targets[t], v, count);
    v->over = shown_interval(c, v, x);
    free(x);
    return ok;
}

/* Returns NaN if the value is null in any summary. */
static double mean_at(cJSON *const *summaries, size_t count, const char *path)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += json_number_at(summaries[i], path);
    return sum / (double)count;
}

#define HOURS_A_YEAR 8760

/*
 * All targets have to hold in the same replicas; if counting does not decide, each is judged
 * separately (Berger's intersection-union test).
 */
static void judge_all(const struct capacity *c, struct capacity_point *point, size_t missed,
                      size_t tried)
{
    int64_t allows = rule_allows(c->confidence, (size_t)c->replicas);
    size_t met = 0, excluded = 0;
    point->met = 0;
    for (size_t t = 0; t < c->target_count; t++) {
        const struct capacity_value *v = &point->value[t];
        /* At a number abandoned early, a target counts as met while few replicas have missed it. */
        bool so_far = v->verdict == CAPACITY_MET || (allows >= 0 && (int64_t)v->missed <= allows);
        point->met |= so_far ? UINT32_C(1) << t : 0;
        met += v->verdict == CAPACITY_MET;
        excluded += v->verdict == CAPACITY_MISSED;
    }
    point->risk = rule_risk(missed, tried, tried == (size_t)c->replicas);
    point->meets =
        allows >= 0 ? point->risk.complete && (int64_t)missed <= allows : met == c->target_count;
    point->open = !point->meets &&
                  (allows >= 0 ? rule_leaves_open(c->confidence, missed, tried) : excluded == 0);
    if (c->target_count > 1)
        point->met |= point->meets ? UINT32_C(1) << c->target_count : 0;
    else if (!point->meets)
        point->met = 0;
}

bool capacity_judge(const struct capacity *c, struct capacity_point *point, cJSON *const *summaries,
                    size_t count, struct err *err)
{
    bool *misses = mem_alloc(count + 1, sizeof *misses), ok = true;
    size_t missed = 0;
    point->never_fits = mean_at(summaries, count, "jobs.never_fits");
    for (size_t t = 0; ok && t < c->target_count; t++)
        ok = judge_target(c, t, point, summaries, count, misses, err);
    for (size_t i = 0; i < count; i++)
        missed += misses[i];
    free(misses);
    if (!ok)
        return false;
    judge_all(c, point, missed, count);
    point->allocation = mean_at(summaries, count, "utilization.allocation");
    point->usd = mean_at(summaries, count, "cost.usd");
    point->usd_per_gpu_h = mean_at(summaries, count, "cost.usd_per_productive_gpu_h");
    double hours = mean_at(summaries, count, "gpu_hours.installed") / (double)point->gpus;
    point->usd_per_year = hours > 0 ? point->usd / hours * HOURS_A_YEAR : (double)NAN;
    double stops[] = {mean_at(summaries, count, "preemption.evictions"),
                      mean_at(summaries, count, "reliability.job_interruptions")};
    point->stops = (isnan(stops[0]) ? 0 : stops[0]) + (isnan(stops[1]) ? 0 : stops[1]);
    return true;
}

bool capacity_settled(const struct capacity *c, const struct capacity_point *point)
{
    int64_t allows = rule_allows(c->confidence, (size_t)c->replicas);
    return point->risk.complete || (allows >= 0 && (int64_t)point->risk.missed > allows);
}

void capacity_reject(struct capacity_point *point)
{
    point->crowded = true;
    point->meets = point->open = false;
    point->met = 0;
    point->risk = rule_risk(point->risk.tried, point->risk.tried, point->risk.complete);
}

/* ---- all of them ---- */

struct capacity_point *capacity_find(const struct capacity *c, int64_t nodes)
{
    for (size_t i = 0; i < c->point_count; i++)
        if (c->points[i].nodes == nodes)
            return &c->points[i];
    return NULL;
}

struct capacity_point *capacity_add(struct capacity *c, const struct capacity_point *point)
{
    c->points = mem_grow(c->points, &c->point_capacity, c->point_count + 1, sizeof *c->points);
    size_t i = c->point_count++;
    for (; i > 0 && c->points[i - 1].nodes > point->nodes; i--)
        c->points[i] = c->points[i - 1];
    c->points[i] = *point;
    return &c->points[i];
}

void capacity_fini(struct capacity *c)
{
    free(c->points);
    c->points = NULL;
    c->point_count = c->point_capacity = 0;
}

const struct capacity_point *capacity_answer(const struct capacity *c)
{
    return c->found.answer > 0 ? capacity_find(c, c->found.answer) : NULL;
}

int64_t capacity_least(const struct capacity *c)
{
    int64_t least = c->found.answer;
    for (size_t i = c->point_count; i-- > 0;) {
        const struct capacity_point *point = &c->points[i];
        if (point->nodes < c->found.answer && !point->open && !point->meets)
            break;
        if (point->nodes < least)
            least = point->nodes;
    }
    return least;
}

void capacity_bracket(const struct capacity *c, int64_t *misses, int64_t *meets)
{
    *misses = *meets = 0;
    for (size_t i = c->point_count; i-- > 0;)
        if (c->points[i].meets)
            *meets = c->points[i].nodes;
    for (size_t i = 0; i < c->point_count; i++)
        if (!c->points[i].meets && (*meets == 0 || c->points[i].nodes < *meets))
            *misses = c->points[i].nodes;
}

/* Returns true if a is the better answer. */
static bool better(const struct capacity_point *a, const struct capacity_point *b)
{
    if (a->usd_per_year < b->usd_per_year || a->usd_per_year > b->usd_per_year)
        return a->usd_per_year < b->usd_per_year;
    return a->fleet_nodes < b->fleet_nodes;
}

void capacity_choose(struct capacity_plan *plan)
{
    const struct capacity_point *best = NULL;
    plan->best = 0;
    for (size_t i = 0; i < plan->option_count; i++) {
        const struct capacity_point *point = capacity_answer(&plan->options[i]);
        if (point == NULL || (best != NULL && !better(point, best)))
            continue;
        best = point;
        plan->best = i;
    }
}

/* ---- without an answer ---- */

/* Returns by how much the targets are missed, relative to their limits, summed up. */
static double excess(const struct capacity *c, const struct capacity_point *point)
{
    double sum = 0;
    for (size_t t = 0; t < c->target_count; t++) {
        double off = fabs(point->value[t].over.mean - c->targets[t].limit),
               limit = fabs(c->targets[t].limit);
        if ((point->met >> t & 1) == 0)
            sum += isnan(off) ? HUGE_VAL : off / (limit > 0 ? limit : 1);
    }
    return sum;
}

/* Returns true if fewer replicas miss at a, or by less. */
static bool closer(const struct capacity *c, const struct capacity_point *a,
                   const struct capacity_point *b)
{
    if (a->risk.share < b->risk.share || a->risk.share > b->risk.share)
        return a->risk.share < b->risk.share;
    return excess(c, a) < excess(c, b);
}

const struct capacity_point *capacity_closest(const struct capacity *c)
{
    const struct capacity_point *best = NULL;
    int most = -1;
    for (size_t i = 0; i < c->point_count; i++) {
        const struct capacity_point *point = &c->points[i];
        int met = __builtin_popcount(point->met);
        if (met < most || (met == most && !closer(c, point, best)))
            continue;
        best = point;
        most = met;
    }
    return best;
}
