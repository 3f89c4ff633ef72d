/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sentences about a search: its answer, numbers not excluded, why there is no answer; see
 * capacity.h.
 */
#include "report/plan/capacity.h"

#include "report/words/units.h"

#include <math.h>
#include <stdlib.h>

const char *capacity_text(char text[64], const struct target *target, double value)
{
    if (target->is_time)
        return unit_duration(text, value < 0 ? 0 : value);
    return unit_amount(text, value);
}

static void put_value(struct out *out, const struct capacity *c, const struct capacity_point *point,
                      size_t t)
{
    char value[UNIT_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];
    const struct capacity_value *v = &point->value[t];
    out_format(out, "%s: %s%s", c->targets[t].text, v->bounded > 0 ? "at least " : "",
               capacity_text(value, &c->targets[t], v->over.mean));
    if (!isnan(v->over.low))
        out_format(out, " (95%% interval %s..%s)", capacity_text(low, &c->targets[t], v->over.low),
                   capacity_text(high, &c->targets[t], v->over.high));
}

static void put_misses(struct out *out, const struct capacity *c,
                       const struct capacity_point *point)
{
    bool first = true;
    for (size_t t = 0; t < c->target_count; t++) {
        if ((point->met >> t & 1) != 0)
            continue;
        out_text(out, first ? "" : "; ");
        put_value(out, c, point, t);
        first = false;
    }
    if (first && !point->crowded)
        out_format(out, "one or another in %zu of %zu replicas", point->risk.missed,
                   point->risk.tried);
    if (point->crowded)
        out_text(out, first ? "jobs that never fit there" : "; and jobs never fit there");
}

static bool each_is_met(const struct capacity *c, int64_t nodes)
{
    const struct capacity_point *point = capacity_find(c, nodes);
    uint32_t each = (uint32_t)((UINT64_C(1) << c->target_count) - 1);
    return point != NULL && (point->met & each) == each;
}

char *capacity_why(const struct capacity *c)
{
    struct out *out = out_memory();
    const struct capacity_point *closest = capacity_closest(c);
    if (c->bound.known && c->bound.impossible)
        out_text(out,
                 "jobs run for longer than the target allows them to take, whatever the fleet");
    else if (c->found.conflict != 0)
        out_format(
            out, "%lld nodes are the fewest that meet what fewer miss, and there %s",
            (long long)c->found.conflict,
            each_is_met(c, c->found.conflict)
                ? "one or another target is missed in too many replicas, and on more nodes, too"
                : "another target is missed: the targets exclude each other");
    else
        out_format(out, "no number of nodes that was tried, up to %lld, meets", (long long)c->high);
    for (size_t t = 0, n = 0; c->found.conflict == 0 && t < c->target_count; t++)
        if ((c->found.unreachable >> t & 1) != 0)
            out_format(out, "%s %s", n++ > 0 ? "," : "", c->targets[t].text);
    if (closest != NULL) {
        out_format(out,
                   closest->nodes == 1 ? ". Closest is %lld node, which misses "
                                       : ". Closest are %lld nodes, which miss ",
                   (long long)closest->nodes);
        put_misses(out, c, closest);
    }
    return out_memory_take(out);
}

static void put_open(struct out *out, const struct capacity *c)
{
    int64_t least = capacity_least(c), before = c->found.answer - 1;
    if (least >= c->found.answer)
        return;
    bool all = true; /* all of them were tried */
    for (int64_t n = least; n <= before; n++)
        all &= capacity_find(c, n) != NULL;
    const char *were = all ? "were tried and are" : "are bracketed by what was tried, and are";
    if (least == before)
        out_format(out, " %lld was tried and is not excluded.", (long long)least);
    else
        out_format(out, " %lld to %lld %s not excluded.", (long long)least, (long long)before,
                   were);
}

bool capacity_shows_perfect(const struct capacity *c)
{
    return c->bound.known && !c->bound.impossible && (double)c->bound.nodes > c->offered.nodes;
}

/* "The work alone keeps 13.4 nodes busy."; if GPUs differ, run times are those on the fastest. */
static void put_bounds(struct out *out, const struct capacity *c)
{
    char text[UNIT_TEXT];
    if (c->offered.nodes > 0)
        out_format(out, " The work alone keeps %s%s nodes busy%s.",
                   c->offered.fastest ? "at least " : "", unit_amount(text, c->offered.nodes),
                   c->offered.fastest ? ", were all of it on the fastest GPUs" : "");
    if (capacity_shows_perfect(c))
        out_format(
            out, " The lower bound is %lld: the least that any system needs to meet the target%s.",
            (long long)c->bound.nodes, c->target_count > 1 ? "s" : "");
}

/* "8 nodes of old:9,new (17 in the whole fleet) meet" */
static void put_answer(struct out *out, const struct capacity *c,
                       const struct capacity_point *answer)
{
    bool one = answer->nodes == 1;
    out_format(out, "%lld node%s of %s", (long long)answer->nodes, one ? "" : "s", c->label);
    if (answer->fleet_nodes > answer->nodes)
        out_format(out, " (%lld in the whole fleet)", (long long)answer->fleet_nodes);
    out_text(out, one ? " meets" : " meet");
}

char *capacity_headline(const struct capacity *c)
{
    struct out *out = out_memory();
    const struct capacity_point *answer = capacity_answer(c);
    if (answer == NULL) {
        char *why = capacity_why(c);
        out_format(out, "No answer: %s.", why);
        free(why);
        put_bounds(out, c);
        return out_memory_take(out);
    }
    put_answer(out, c, answer);
    out_format(out, " %s with confidence %g: %zu of %zu replicas %s %s.",
               c->target_count > 1 ? "all targets" : "the target", c->confidence,
               answer->risk.missed, answer->risk.tried,
               answer->risk.missed == 1 ? "misses" : "miss", c->target_count > 1 ? "one" : "it");
    put_open(out, c);
    put_bounds(out, c);
    if (c->found.above_tried && !c->found.above_meets)
        out_format(out, " Mind that %lld do not.", (long long)c->found.answer + 1);
    return out_memory_take(out);
}
