/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate for programs: all judged metrics with the values of all pairs. */
#include "report/gate/findings.h"
#include "report/gate/losers.h"
#include "report/gate/margins.h"
#include "report/gate/reports.h"
#include "report/gate/words.h"
#include "sim/base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS   9
#define P_DIGITS 12

static void put_difference(struct json *j, const struct gate *g)
{
    const struct gate_difference *d = &g->difference;
    if (!d->known) {
        json_null(j, "first_difference");
        if (d->unknown != NULL)
            json_text(j, "first_difference_unknown", d->unknown);
        return;
    }
    json_begin_object(j, "first_difference");
    json_text(j, "scenario", g->scenarios[d->scenario].name);
    json_u64(j, "replica", d->replica + 1);
    json_u64(j, "decision", d->number + 1);
    for (int side = 0; side < SIDES; side++) {
        const struct gate_decision *decision = &d->sides[side];
        json_begin_object(j, gate_side_names[side]);
        if (decision->at_ms != INT64_MAX)
            json_seconds(j, "at_s", decision->at_ms);
        json_text(j, "decision", decision->words);
        json_text(j, side == SIDE_A ? "job_in_candidate" : "job_in_base", decision->other);
        json_end_object(j);
    }
    json_end_object(j);
}

static void put_findings(struct json *j, const struct gate *g)
{
    json_begin_array(j, "findings");
    for (size_t i = 0; i < g->finding_count; i++) {
        const struct gate_finding *f = &g->findings[i];
        json_begin_object(j, NULL);
        json_text(j, "kind", gate_finding_rows[f->kind].name);
        json_text(j, "level", f->warning ? "warning" : "error");
        json_text(j, "side", gate_side_names[f->side]);
        json_text(j, "scenario", g->scenarios[f->scenario].name);
        if (f->replica > 0)
            json_u64(j, "replica", f->replica);
        json_text(j, "message", f->message);
        if (f->detail != NULL)
            json_text(j, "detail", f->detail);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_scenario(struct json *j, const struct gate *g, size_t s)
{
    const struct gate_scenario *scenario = &g->scenarios[s];
    const struct gate_side *side =
        &scenario->sides[scenario->sides[SIDE_B].count > 0 ? SIDE_B : SIDE_A];
    json_begin_object(j, NULL);
    json_text(j, "name", scenario->name);
    json_text(j, "scenario", scenario->file);
    json_text(j, "scenario_digest", scenario->digest);
    if (scenario->warmup_ms >= 0)
        json_f64(j, "warmup_s", (double)scenario->warmup_ms / 1000, 3);
    json_u64(j, "replicas", gate_pairs(g, s));
    json_u64(j, "replicas_with_same_decisions", scenario->same);
    json_begin_array(j, "seeds");
    for (size_t k = 0; k < side->count; k++) {
        char seed[32];
        (void)snprintf(seed, sizeof seed, "%" PRIu64, side->replicas[k].seed);
        json_text(j, NULL, seed);
    }
    json_end_array(j);
    json_end_object(j);
}

static void put_values(struct json *j, const struct gate *g, const struct gate_row *row, int side)
{
    const struct harm *h = &row->harm;
    const struct gate_scenario *scenario = &g->scenarios[row->scenario];
    json_begin_object(j, gate_side_names[side]);
    json_f64(j, h->bounds[side] > 0 ? "mean_at_least" : "mean", h->mean[side], DIGITS);
    json_u64(j, "lower_bounds", h->bounds[side]);
    json_begin_array(j, "values");
    for (size_t k = 0; k < row->replicas; k++)
        json_f64(j, NULL, scenario->sides[side].replicas[k].values[row->metric - g->metrics].value,
                 DIGITS);
    json_end_array(j);
    json_end_object(j);
}

static void put_harm(struct json *j, const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    json_begin_object(j, "harm"); /* shares of the base's mean */
    json_f64(j, "mean", harm_share(h, h->harm), DIGITS);
    json_f64(j, "low", harm_share(h, h->low), DIGITS);
    json_f64(j, "high", harm_share(h, h->high), DIGITS);
    json_f64(j, "margin", harm_share(h, h->margin), DIGITS);
    json_end_object(j);
    json_begin_object(j, "on_scale");
    json_text(j, "scale", judge_scale_names[h->scale]);
    json_f64(j, "mean", h->harm, DIGITS);
    json_f64(j, "low", h->low, DIGITS);
    json_f64(j, "high", h->high, DIGITS);
    json_f64(j, "se", h->se, DIGITS);
    json_f64(j, "margin", h->margin, DIGITS);
    json_end_object(j);
}

/*
 * "metric_words": "p95 wait of queue 'small'"; "margin_words": "may grow by at most 5%: ...";
 * "tolerated": the largest tolerated value.
 */
static void put_words(struct json *j, const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    const struct harm_rule *rule = &row->metric->rule;
    char *what = gate_metric_words(row->metric), *margin = gate_margin_words(row->metric);
    double most = fmax(rule->margin * fabs(h->mean[SIDE_A]), rule->floor);
    json_text(j, "metric_words", what);
    json_text(j, "margin_words", margin);
    json_f64(j, "tolerated", h->mean[SIDE_A] + (rule->better == METRIC_HIGHER ? -most : most),
             DIGITS);
    free(what);
    free(margin);
}

static void put_row(struct json *j, const struct gate *g, const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    json_begin_object(j, NULL);
    json_text(j, "scenario", g->scenarios[row->scenario].name);
    json_text(j, "metric", row->metric->path);
    json_text(j, "unit", row->metric->row ? row->metric->row->unit : NULL);
    json_text(j, "better", metric_better_name(row->metric->rule.better));
    json_text(j, "role", row->metric->guard ? "guard" : "primary");
    json_text(j, "verdict", gate_row_name(g, row));
    put_words(j, row);
    json_u64(j, "replicas", row->replicas);
    put_values(j, g, row, SIDE_A);
    put_values(j, g, row, SIDE_B);
    put_harm(j, row);
    json_f64(j, "coverage", 1 - 2 * row->level, DIGITS);
    json_u64(j, "pairs", h->n);
    json_u64(j, "pairs_above_margin", h->above);
    json_u64(j, "pairs_within_margin", h->within);
    json_f64(j, "p_fail", h->p_fail, P_DIGITS);
    json_f64(j, "p_pass", h->p_pass, P_DIGITS);
    if (h->needed == SIZE_MAX)
        json_null(j, "replicas_needed");
    else
        json_u64(j, "replicas_needed", h->needed);
    json_end_object(j);
}

void gate_report_json(const struct gate *g, struct out *out)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_i64(&j, "fauxfleet_gate_report", 1);
    json_text(&j, "version", g->version);
    json_text(&j, "suite", g->suite);
    json_text(&j, "base", g->names[SIDE_A]);
    json_text(&j, "candidate", g->names[SIDE_B]);
    json_text(&j, "verdict", gate_verdict_names[g->verdict]);
    json_text(&j, "stage", gate_stage_names[g->stage]);
    json_text(&j, "reason", g->reason);
    json_text(&j, "command", g->command);
    json_bool(&j, "aa", g->jittered);
    json_f64(&j, "alpha", g->alpha, DIGITS);
    json_begin_array(&j, "looks");
    for (size_t k = 0; k < g->look_count; k++)
        json_i64(&j, NULL, g->looks[k]);
    json_end_array(&j);
    json_u64(&j, "looks_done", g->looked);
    put_findings(&j, g);
    put_difference(&j, g);
    json_begin_array(&j, "scenarios");
    for (size_t s = 0; s < g->scenario_count; s++)
        put_scenario(&j, g, s);
    json_end_array(&j);
    json_begin_array(&j, "metrics");
    for (size_t i = 0; gate_judged(g) && i < g->row_count; i++)
        put_row(&j, g, &g->rows[i]);
    json_end_array(&j);
    gate_losers_json(g, &j);
    json_end_object(&j);
    out_char(out, '\n');
}
