/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan for programs: JSON, and a CSV file with a row for each number of nodes and target. */
#include "report/plan/capacity.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS 6

static void put_targets(const struct capacity *c, struct json *j)
{
    json_begin_array(j, "targets");
    for (size_t t = 0; t < c->target_count; t++) {
        const struct target *target = &c->targets[t];
        json_begin_object(j, NULL);
        json_text(j, "target", target->text);
        json_begin_array(j, "path");
        for (size_t i = 0; i < target->step_count; i++)
            json_text(j, NULL, target->step[i]);
        json_end_array(j);
        json_text(j, "comparison", target_comparison_signs[target->comparison]);
        json_f64(j, "limit", target->limit, DIGITS);
        json_bool(j, "reached", (c->found.unreachable >> t & 1) == 0);
        json_end_object(j);
    }
    json_end_array(j);
}

/*
 * Writes the share of replicas that miss a target; only its lower bound if the number was abandoned
 * early.
 */
static void put_risk(const struct capacity_point *point, struct json *j)
{
    const struct rule_risk *risk = &point->risk;
    json_f64(j, "risk", risk->complete ? risk->share : (double)NAN, DIGITS);
    json_begin_object(j, "risk_basis");
    json_u64(j, "missed", risk->missed);
    json_u64(j, "replicas", risk->tried);
    json_f64(j, "low", risk->low, DIGITS);
    json_f64(j, "high", risk->high, DIGITS);
    json_end_object(j);
}

static void put_point(const struct capacity *c, const struct capacity_point *point, struct json *j)
{
    json_begin_object(j, NULL);
    json_i64(j, "nodes", point->nodes);
    json_i64(j, "fleet_nodes", point->fleet_nodes);
    json_i64(j, "gpus", point->gpus);
    json_bool(j, "meets", point->meets);
    json_bool(j, "excluded", !point->meets && !point->open);
    json_bool(j, "crowded", point->crowded);
    put_risk(point, j);
    json_begin_array(j, "values");
    for (size_t t = 0; t < c->target_count; t++) {
        const struct capacity_value *v = &point->value[t];
        json_begin_object(j, NULL);
        json_f64(j, v->bounded > 0 ? "mean_at_least" : "mean", v->over.mean, DIGITS);
        json_f64(j, "low", v->over.low, DIGITS);
        json_f64(j, "high", v->over.high, DIGITS);
        json_f64(j, "sd", v->over.sd, DIGITS);
        json_u64(j, "replicas", v->over.n);
        json_u64(j, "missed", v->missed);
        json_u64(j, "lower_bounds", v->bounded);
        json_text(j, "verdict", capacity_verdict_words[v->verdict]);
        json_end_object(j);
    }
    json_end_array(j);
    json_f64(j, "allocation", point->allocation, DIGITS);
    json_f64(j, "never_fits", point->never_fits, DIGITS);
    json_f64(j, "stops", point->stops, DIGITS);
    json_f64(j, "usd", point->usd, DIGITS);
    json_f64(j, "usd_per_year", point->usd_per_year, 2);
    json_f64(j, "usd_per_productive_gpu_h", point->usd_per_gpu_h, DIGITS);
    json_end_object(j);
}

static void put_bound(const struct capacity_bound *bound, struct json *j)
{
    bool known = bound->known && !bound->impossible;
    json_begin_object(j, "perfect_system");
    if (known) {
        json_i64(j, "nodes", bound->nodes);
        json_f64(j, "gpus", (double)bound->gpu_milli / 1000, 3);
    } else {
        json_null(j, "nodes");
        json_null(j, "gpus");
    }
    json_bool(j, "impossible", bound->known && bound->impossible);
    if (bound->known)
        json_u64(j, "jobs", bound->jobs);
    else
        json_text(j, "why", bound->why);
    json_end_object(j);
}

static void put_answer(const struct capacity *c, struct json *j)
{
    char *headline = capacity_headline(c);
    json_text(j, "headline", headline);
    free(headline);
    if (c->offered.nodes >= 0)
        json_f64(j, "bound_nodes", offered_shown(c->offered.nodes), 2);
    else
        json_null(j, "bound_nodes");
    json_f64(j, "offered_gpus", c->offered.gpus, 3);
    json_bool(j, "offered_on_fastest", c->offered.fastest);
    if (c->found.answer == 0) {
        const struct capacity_point *closest = capacity_closest(c);
        json_null(j, "answer_nodes");
        json_null(j, "nodes");
        if (closest != NULL)
            json_i64(j, "closest", closest->nodes);
        return;
    }
    json_i64(j, "answer_nodes", c->found.answer);
    json_i64(j, "nodes", c->found.answer);
    json_begin_object(j, "nodes_interval");
    json_i64(j, "low", capacity_least(c));
    json_i64(j, "high", c->found.answer);
    json_end_object(j);
    if (c->found.above_tried)
        json_bool(j, "next_meets", c->found.above_meets);
}

static void put_fleet(const struct capacity_point *point, struct json *j)
{
    json_i64(j, "fleet_nodes", point->fleet_nodes);
    json_i64(j, "gpus", point->gpus);
    put_risk(point, j);
    json_f64(j, "usd_per_year", point->usd_per_year, 2);
}

/* Writes the search of an option: the answer, its cost and risk, and all numbers tried. */
static void put_search(const struct capacity *c, struct json *j)
{
    json_begin_object(j, "range");
    json_i64(j, "low", c->low);
    json_i64(j, "high", c->high);
    json_end_object(j);
    json_i64(j, "given", c->given);
    put_answer(c, j);
    put_bound(&c->bound, j);
    put_targets(c, j);
    json_begin_array(j, "points");
    for (size_t i = 0; i < c->point_count; i++)
        put_point(c, &c->points[i], j);
    json_end_array(j);
}

static void put_option(const struct capacity_plan *plan, const struct capacity *c, struct json *j)
{
    const struct capacity_point *answer = capacity_answer(c);
    json_begin_object(j, NULL);
    json_text(j, "option", c->label);
    if (answer != NULL) {
        put_fleet(answer, j);
        json_begin_object(j, "difference");
        json_i64(j, "nodes", answer->fleet_nodes - plan->today.fleet_nodes);
        json_f64(j, "usd_per_year", answer->usd_per_year - plan->today.usd_per_year, 2);
        json_end_object(j);
    } else {
        json_null(j, "risk");
        json_null(j, "usd_per_year");
    }
    put_search(c, j);
    json_end_object(j);
}

static void put_growth(const struct growth *growth, struct json *j)
{
    json_begin_object(j, "growth");
    json_f64(j, "yearly", growth->yearly, DIGITS);
    json_f64(j, "years", growth->years, DIGITS);
    json_f64(j, "factor", growth->factor, DIGITS);
    json_end_object(j);
}

void capacity_json(const struct capacity_plan *plan, struct json *j)
{
    const struct capacity *best = &plan->options[plan->best];
    json_begin_object(j, NULL);
    json_i64(j, "fauxfleet_plan", 1);
    json_text(j, "method", "slo");
    json_text(j, "scenario", best->scenario);
    json_text(j, "policy", best->policy);
    json_f64(j, "confidence", best->confidence, DIGITS);
    json_i64(j, "replicas", best->replicas);
    if (plan->varied != NULL)
        json_text(j, "varied", plan->varied);
    put_growth(&plan->growth, j);
    json_begin_object(j, "today");
    put_fleet(&plan->today, j);
    json_bool(j, "meets", plan->today.meets);
    json_end_object(j);
    json_text(j, "pool", best->label);
    put_search(best, j);
    json_begin_array(j, "options");
    for (size_t i = 0; i < plan->option_count; i++)
        put_option(plan, &plan->options[i], j);
    json_end_array(j);
    json_text(j, "prices", plan->price_note);
    json_begin_array(j, "speeds");
    for (size_t i = 0; i < plan->speed_count; i++)
        json_text(j, NULL, plan->speeds[i]);
    json_end_array(j);
    json_end_object(j);
}

static void put_csv_row(const struct capacity *c, const struct capacity_point *point, size_t t,
                        struct out *out)
{
    const struct capacity_value *v = &point->value[t];
    out_csv(out, c->label);
    out_format(out, ",%lld,%lld,", (long long)point->nodes, (long long)point->gpus);
    out_csv(out, c->targets[t].text);
    const double numbers[] = {v->over.mean, v->over.low, v->over.high};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        out_char(out, ',');
        out_f64(out, numbers[k], DIGITS);
    }
    out_format(out, ",%s,%zu,%zu,%zu", capacity_verdict_words[v->verdict], v->missed,
               point->risk.tried, v->bounded);
    const double costs[] = {point->allocation, point->usd, point->usd_per_year,
                            point->usd_per_gpu_h};
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
        out_char(out, ',');
        out_f64(out, costs[k], DIGITS);
    }
    out_char(out, '\n');
}

void capacity_csv(const struct capacity_plan *plan, struct out *out)
{
    out_text(out, "option,nodes,gpus,target,mean,low,high,verdict,missed,replicas,lower_bounds,"
                  "allocation,usd,usd_per_year,usd_per_productive_gpu_h\n");
    for (size_t o = 0; o < plan->option_count; o++) {
        const struct capacity *c = &plan->options[o];
        for (size_t i = 0; i < c->point_count; i++)
            for (size_t t = 0; t < c->target_count; t++)
                put_csv_row(c, &c->points[i], t, out);
    }
}
