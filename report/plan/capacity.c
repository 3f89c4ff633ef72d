/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judging numbers of nodes; see capacity.h. */
#include "report/plan/capacity.h"

#include "report/rundir.h"
#include "report/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *const capacity_verdict_words[] = {"met", "open", "missed"};

/* ---- one point ---- */

static enum capacity_verdict verdict_of(const struct target *target, const struct capacity_value *v)
{
    if (v->over.n == 0 || v->unknown > 0)
        return CAPACITY_OPEN;
    bool above = target_bounds_above(target);
    double good = above ? v->over.low : v->over.high, bad = above ? v->over.high : v->over.low;
    if (!target_met_by(target, good) && !(v->bounded > 0 && !above))
        return CAPACITY_MISSED;
    return target_met_by(target, bad) && !(v->bounded > 0 && above) ? CAPACITY_MET : CAPACITY_OPEN;
}

static bool judge_target(const struct capacity *c, size_t t, struct capacity_point *point,
                         cJSON *const *summaries, size_t count, struct err *err)
{
    struct capacity_value *v = &point->value[t];
    double *x = mem_alloc(count + 1, sizeof *x);
    size_t n = 0;
    bool ok = true;
    *v = (struct capacity_value){.unknown = 0};
    for (size_t i = 0; i < count && ok; i++) {
        enum target_found found = target_find(&c->targets[t], summaries[i], &x[n]);
        v->bounded += found == TARGET_AT_LEAST_SO;
        v->unknown += found == TARGET_UNKNOWN;
        n += found == TARGET_KNOWN || found == TARGET_AT_LEAST_SO;
        ok = found != TARGET_ABSENT || target_absent(&c->targets[t], summaries[i], err);
    }
    /* Where some jobs never fit they may be all that the target counts; on more nodes it is defined. */
    if (ok && n == 0 && !(point->never_fits > 0))
        ok = err_set(err, EXIT_INPUT,
                     "target '%s': the runs of this scenario do not define it (no such jobs, or nothing to "
                     "measure it by)",
                     c->targets[t].text);
    v->over = stat_t_interval(x, n, 2 * (1 - c->confidence));
    free(x);
    v->verdict = verdict_of(&c->targets[t], v);
    return ok;
}

/* nan when it is null in any of them. */
static double mean_at(cJSON *const *summaries, size_t count, const char *path)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += json_number_at(summaries[i], path);
    return sum / (double)count;
}

bool capacity_judge(const struct capacity *c, struct capacity_point *point, cJSON *const *summaries,
                    size_t count, struct err *err)
{
    point->met = 0;
    point->never_fits = mean_at(summaries, count, "jobs.never_fits");
    for (size_t t = 0; t < c->target_count; t++) {
        if (!judge_target(c, t, point, summaries, count, err))
            return false;
        point->met |= point->value[t].verdict == CAPACITY_MET ? UINT32_C(1) << t : 0;
    }
    point->allocation = mean_at(summaries, count, "utilization.allocation");
    point->usd = mean_at(summaries, count, "cost.usd");
    point->usd_per_gpu_h = mean_at(summaries, count, "cost.usd_per_productive_gpu_h");
    double stops[] = {mean_at(summaries, count, "preemption.evictions"),
                      mean_at(summaries, count, "reliability.job_interruptions")};
    point->stops = (isnan(stops[0]) ? 0 : stops[0]) + (isnan(stops[1]) ? 0 : stops[1]);
    return true;
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

static bool surely_misses(const struct capacity *c, const struct capacity_point *point)
{
    bool misses = point->crowded;
    for (size_t t = 0; t < c->target_count; t++)
        misses |= point->value[t].verdict == CAPACITY_MISSED;
    return misses;
}

int64_t capacity_least(const struct capacity *c)
{
    int64_t least = c->low;
    for (size_t i = 0; i < c->point_count; i++)
        if (c->points[i].nodes < c->found.answer && surely_misses(c, &c->points[i]))
            least = c->points[i].nodes + 1;
    return least;
}

/* ---- without an answer ---- */

/* By how much of its limit the targets are missed, summed up. */
static double excess(const struct capacity *c, const struct capacity_point *point)
{
    double sum = 0;
    for (size_t t = 0; t < c->target_count; t++) {
        double off = fabs(point->value[t].over.mean - c->targets[t].limit), limit = fabs(c->targets[t].limit);
        if ((point->met >> t & 1) == 0)
            sum += isnan(off) ? HUGE_VAL : off / (limit > 0 ? limit : 1);
    }
    return sum;
}

const struct capacity_point *capacity_closest(const struct capacity *c)
{
    const struct capacity_point *best = NULL;
    int most = -1;
    for (size_t i = 0; i < c->point_count; i++) {
        const struct capacity_point *point = &c->points[i];
        int met = __builtin_popcount(point->met);
        if (met < most || (met == most && !(excess(c, point) < excess(c, best))))
            continue;
        best = point;
        most = met;
    }
    return best;
}

const char *capacity_text(char text[64], const struct target *target, double value)
{
    if (target->is_time)
        return unit_duration(text, value < 0 ? 0 : value);
    return unit_amount(text, value);
}

static void put_value(struct out *out, const struct capacity *c, const struct capacity_point *point, size_t t)
{
    char value[UNIT_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];
    const struct capacity_value *v = &point->value[t];
    out_format(out, "%s: %s%s (%s..%s)", c->targets[t].text, v->bounded > 0 ? "at least " : "",
               capacity_text(value, &c->targets[t], v->over.mean),
               capacity_text(low, &c->targets[t], v->over.low),
               capacity_text(high, &c->targets[t], v->over.high));
}

static void put_misses(struct out *out, const struct capacity *c, const struct capacity_point *point)
{
    bool first = true;
    for (size_t t = 0; t < c->target_count; t++) {
        if ((point->met >> t & 1) != 0)
            continue;
        out_text(out, first ? "" : "; ");
        put_value(out, c, point, t);
        first = false;
    }
    if (point->crowded)
        out_text(out, first ? "jobs that never fit there" : "; and jobs never fit there");
}

char *capacity_why(const struct capacity *c)
{
    struct out *out = out_memory();
    const struct capacity_point *closest = capacity_closest(c);
    if (c->bound.known && c->bound.impossible)
        out_text(out, "jobs run for longer than the target allows them to take, whatever the fleet");
    else if (c->found.conflict != 0)
        out_format(out,
                   "%lld nodes are the fewest that meet what fewer miss, and there another target is missed: "
                   "the targets exclude each other",
                   (long long)c->found.conflict);
    else
        out_format(out, "up to %lld nodes no number meets", (long long)c->high);
    for (size_t t = 0, n = 0; c->found.conflict == 0 && t < c->target_count; t++)
        if ((c->found.unreachable >> t & 1) != 0)
            out_format(out, "%s %s", n++ > 0 ? "," : "", c->targets[t].text);
    if (closest != NULL) {
        out_format(out, ". Closest are %lld nodes, which miss ", (long long)closest->nodes);
        put_misses(out, c, closest);
    }
    return out_memory_take(out);
}

char *capacity_headline(const struct capacity *c)
{
    struct out *out = out_memory();
    if (c->found.answer == 0) {
        char *why = capacity_why(c);
        out_format(out, "No answer: %s.", why);
        free(why);
        return out_memory_take(out);
    }
    int64_t least = capacity_least(c);
    out_format(out, "%lld nodes in pool '%s'", (long long)c->found.answer, c->pool);
    if (least < c->found.answer)
        out_format(out, " (%lld to %lld are not excluded)", (long long)least, (long long)c->found.answer - 1);
    out_format(out, " meet %s with confidence %g", c->target_count > 1 ? "all targets" : "the target",
               c->confidence);
    if (c->bound.known && !c->bound.impossible)
        out_format(out, "; a perfect system needs at least %lld", (long long)c->bound.nodes);
    out_char(out, '.');
    if (c->found.above_tried && !c->found.above_meets)
        out_format(out, " Mind that %lld do not.", (long long)c->found.answer + 1);
    return out_memory_take(out);
}
