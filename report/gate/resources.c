/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges time and memory; see resources.h. */
#include "report/gate/resources.h"

#include "report/gate/findings.h"
#include "report/gate/gate.h"
#include "report/gate/words.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    struct metric_row row;
    const char *label;
} kinds[GATE_RESOURCE_COUNT] = {
    [GATE_DECISION_TIME] = {{"decision_time", "us", "CPU time of a decision", METRIC_LOWER},
                            "CPU time of a decision"},
    [GATE_PEAK_MEMORY] = {{"peak_memory", "MiB", "Peak memory of a replica", METRIC_LOWER},
                          "peak memory"},
    [GATE_MEMORY_GROWTH] = {{"memory_growth", "bytes",
                             "Memory that is not given back, for a decision", METRIC_LOWER},
                            "memory that is not given back, for a decision"},
};

void gate_resource_rule(struct gate *g, enum gate_resource which, double margin, double floor,
                        bool guard, bool off)
{
    g->resources[which] =
        (struct gate_metric){.path = kinds[which].row.name,
                             .row = off ? NULL : &kinds[which].row,
                             .rule = {.better = METRIC_LOWER, .margin = margin, .floor = floor},
                             .guard = guard};
}

/* ---- words ---- */

char *gate_resource_words(const struct gate *g, const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    const char *unit = row->metric->row->unit;
    char a[UNIT_TEXT], b[UNIT_TEXT], more[GATE_TEXT], interval[GATE_TEXT], margin[GATE_TEXT];
    const char *label = kinds[row->metric - g->resources].label;
    if (h->n == 0)
        return mem_format("%s: not measured", label);
    return mem_format(
        "%s: %s %s with the base, %s %s with the candidate (%s; %.4g%% interval %s, tolerated %s) "
        "over %zu replicas",
        label, unit_amount(a, h->mean[SIDE_A]), unit, unit_amount(b, h->mean[SIDE_B]), unit,
        gate_harm_text(more, row), 100 * (1 - 2 * row->level), gate_interval_text(interval, row),
        gate_margin_text(margin, row), row->replicas);
}

char *gate_resources_text(const struct gate *g)
{
    struct out *out = out_memory();
    for (size_t i = 0; g->costs != NULL && i < g->scenario_count * GATE_RESOURCE_COUNT; i++) {
        const struct gate_row *row = &g->costs[i];
        if (row->metric->row == NULL || row->harm.n == 0)
            continue;
        char *words = gate_resource_words(g, row),
             *name = unit_name(g->scenarios[row->scenario].name, 40);
        out_format(out, "%s: %s\n", name, words);
        free(words);
        free(name);
    }
    return out_memory_take(out);
}

/* ---- judging ---- */

/*
 * For growth, only the difference within a pair counts. The memory that the simulator holds at the
 * end depends on the decisions: if they differ, only what remains after everything is freed can be
 * compared.
 */
static void put_pair(const struct gate_scenario *s, size_t k, size_t which, double values[SIDES])
{
    const struct gate_replica *a = &s->sides[SIDE_A].replicas[k],
                              *b = &s->sides[SIDE_B].replicas[k];
    bool same = *a->journal != '\0' && strcmp(a->journal, b->journal) == 0;
    size_t measure = which < GATE_MEMORY_GROWTH ? which : same ? GATE_HELD_BYTES : GATE_LEFT_BYTES;
    double from = which < GATE_MEMORY_GROWTH ? 0 : a->cost.of[measure];
    values[SIDE_A] = a->cost.of[measure] - from;
    values[SIDE_B] = b->cost.of[measure] - from;
}

static void judge_row(struct gate *g, struct gate_row *row, double level)
{
    const struct gate_scenario *s = &g->scenarios[row->scenario];
    size_t n = gate_pairs(g, row->scenario), which = (size_t)(row->metric - g->resources);
    struct measure m = {.path = row->metric->path, .row = row->metric->row};
    m.of[SIDE_A] = mem_alloc(n + 1, sizeof *m.of[SIDE_A]);
    m.of[SIDE_B] = mem_alloc(n + 1, sizeof *m.of[SIDE_B]);
    for (size_t k = 0; k < n; k++) {
        double values[SIDES];
        put_pair(s, k, which, values);
        m.of[SIDE_A][k] = (struct measured){values[SIDE_A], false};
        m.of[SIDE_B][k] = (struct measured){values[SIDE_B], false};
    }
    row->harm = harm_of(&m, n, &row->metric->rule, level);
    row->level = level;
    row->replicas = n;
    row->verdict = row->harm.p_pass <= level  ? GATE_ROW_PASS
                   : row->harm.p_fail > level ? GATE_ROW_OPEN
                   : row->metric->guard       ? GATE_ROW_WARN
                                              : GATE_ROW_FAIL;
    free(m.of[SIDE_A]);
    free(m.of[SIDE_B]);
}

static void find_row(struct gate *g, const struct gate_row *row)
{
    if (row->verdict != GATE_ROW_FAIL && row->verdict != GATE_ROW_WARN)
        return;
    char *words = gate_resource_words(g, row);
    gate_find(g, (struct gate_finding){.kind = GATE_SLOWER +
                                               (enum gate_finding_kind)(row->metric - g->resources),
                                       .side = SIDE_B,
                                       .scenario = row->scenario,
                                       .warning = row->verdict == GATE_ROW_WARN,
                                       .message = mem_format("%s.", words)});
    free(words);
}

static size_t judged_rows(const struct gate *g)
{
    size_t n = 0;
    for (int which = 0; which < GATE_RESOURCE_COUNT; which++)
        n += g->resources[which].row != NULL;
    return n * g->scenario_count;
}

void gate_judge_resources(struct gate *g)
{
    size_t family = judged_rows(g);
    free(g->costs);
    g->costs = mem_alloc(g->scenario_count * GATE_RESOURCE_COUNT, sizeof *g->costs);
    for (size_t s = 0; s < g->scenario_count; s++)
        for (int which = 0; which < GATE_RESOURCE_COUNT; which++) {
            struct gate_row *row = &g->costs[s * GATE_RESOURCE_COUNT + (size_t)which];
            *row = (struct gate_row){.metric = &g->resources[which], .scenario = s};
            if (row->metric->row == NULL)
                continue;
            judge_row(g, row, g->alpha / 2 / (double)family);
            find_row(g, row);
        }
    const struct gate_finding *first = gate_finding_of(g, GATE_RESOURCES, SIDE_B);
    if (first != NULL && (g->verdict == GATE_PASS || g->verdict == GATE_INCONCLUSIVE))
        gate_decide(g, GATE_RESOURCES, GATE_FAIL, gate_finding_sentence(g, first));
}
