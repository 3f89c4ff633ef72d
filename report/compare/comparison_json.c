/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison as JSON: every judged metric with the values of all pairs. */
#include "report/compare/comparison.h"
#include "report/measure/speeds.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS   6
#define P_DIGITS 12

static void put_sides(const struct comparison *c, struct json *j)
{
    static const char *const keys[SIDES] = {"a", "b"};
    for (int side = 0; side < SIDES; side++) {
        const struct rundir *run = &c->pairing.run[side];
        json_begin_object(j, keys[side]);
        json_text(j, run->data != NULL ? "dir" : "name", run->path);
        json_text(j, "scenario", json_text_at(run->summary, "scenario"));
        json_text(j, "scenario_digest",
                  json_text_at(c->pairing.summary[side][0], "scenario_digest"));
        json_text(j, "policy", json_text_at(run->summary, "policy"));
        json_text(j, "version", json_text_at(run->summary, "version"));
        json_end_object(j);
    }
    char *speeds = speeds_note(c->pairing.run[SIDE_A].summary, c->pairing.run[SIDE_B].summary);
    json_text(j, "speeds", speeds);
    free(speeds);
    json_begin_array(j, "seeds");
    for (size_t i = 0; i < c->pairing.replicas; i++)
        json_f64(j, NULL, json_number_at(c->pairing.summary[SIDE_A][i], "seed"), 0);
    json_end_array(j);
    json_begin_array(j, "changes");
    for (size_t i = 0; i < c->pairing.change_count; i++) {
        const struct pairing_change *change = &c->pairing.changes[i];
        json_begin_object(j, NULL);
        json_text(j, "key", change->path);
        json_text(j, "a", change->text[SIDE_A]);
        json_text(j, "b", change->text[SIDE_B]);
        json_bool(j, "follows_quota", change->follows);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_range(struct json *j, const char *key, double mean, double low, double high)
{
    json_begin_object(j, key);
    json_f64(j, "mean", mean, DIGITS);
    json_f64(j, "low", low, DIGITS);
    json_f64(j, "high", high, DIGITS);
    json_end_object(j);
}

static void put_values(struct json *j, const char *key, const struct comparison *c,
                       const struct comparison_row *row, int side)
{
    const struct judgement *v = &row->judgement;
    json_begin_object(j, key);
    json_f64(j, "mean", v->bounds[side] > 0 ? (double)NAN : v->mean[side], DIGITS);
    if (v->bounds[side] > 0)
        json_f64(j, "mean_at_least", v->mean[side], DIGITS);
    json_u64(j, "defined", v->defined[side]);
    json_u64(j, "lower_bounds", v->bounds[side]);
    json_begin_array(j, "values");
    for (size_t i = 0; i < c->pairing.replicas; i++)
        json_f64(j, NULL, row->measure->of[side][i].value, DIGITS);
    json_end_array(j);
    json_end_object(j);
}

static void put_metric(struct json *j, const struct comparison *c, const struct comparison_row *row)
{
    const struct judgement *v = &row->judgement;
    json_begin_object(j, NULL);
    json_text(j, "metric", row->measure->path);
    json_text(j, "section", comparison_section_names[row->section]);
    json_text(j, "unit", row->measure->row ? row->measure->row->unit : NULL);
    json_text(j, "better", metric_better_name(comparison_better(row)));
    json_text(j, "verdict", judge_verdict_names[v->verdict]);
    json_text(j, "scale", judge_scale_names[v->scale]);
    put_values(j, "a", c, row, SIDE_A);
    put_values(j, "b", c, row, SIDE_B);
    put_range(j, "difference", v->difference.mean, v->difference.low, v->difference.high);
    put_range(j, "change", v->change.mean, v->change.low, v->change.high);
    json_bool(j, "constant", v->constant);
    json_f64(j, "p", v->p, P_DIGITS);
    json_f64(j, "p_holm", v->p_holm, P_DIGITS);
    json_f64(j, "p_signed_rank", v->p_rank, P_DIGITS);
    json_u64(j, "pairs_higher", v->higher);
    json_u64(j, "pairs_lower", v->lower);
    json_end_object(j);
}

void comparison_json(const struct comparison *c, struct json *j)
{
    json_begin_object(j, NULL);
    json_i64(j, "fauxfleet_compare", 1);
    comparison_json_body(c, j);
    json_end_object(j);
}

void comparison_json_body(const struct comparison *c, struct json *j)
{
    put_sides(c, j);
    json_u64(j, "replicas", c->pairing.replicas);
    json_u64(j, "replicas_with_same_decisions", c->pairing.same_decisions);
    json_bool(j, "same_decisions", c->same_decisions);
    json_bool(j, "same_outputs", c->same_outputs);
    json_bool(j, "certain", c->certain);
    if (c->varied != NULL)
        json_text(j, "varied", c->varied);
    json_f64(j, "alpha", c->alpha, DIGITS);
    char *prices = comparison_cost_note(c);
    json_text(j, "prices", prices);
    free(prices);
    json_begin_array(j, "metrics");
    for (size_t i = 0; i < c->count; i++)
        put_metric(j, c, &c->rows[i]);
    json_end_array(j);
    losers_json(&c->losers, j);
    risks_json(&c->risks, j);
}
