/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the parts of replicas' summaries that the gate keeps; see gate.h. */
#include "report/gate/findings.h"
#include "report/gate/gate.h"

#include "report/results/rundir.h"
#include "sim/base/mem.h"
#include "sim/base/symbols.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gate_replica *gate_add(struct gate *g, size_t scenario, int side)
{
    struct gate_side *to = &g->scenarios[scenario].sides[side];
    to->replicas = mem_grow(to->replicas, &to->capacity, to->count + 1, sizeof *to->replicas);
    struct gate_replica *r = &to->replicas[to->count++];
    struct measured undefined = {(double)NAN, false};
    *r = (struct gate_replica){.longest = undefined,
                               .values = mem_alloc(g->metric_count, sizeof *r->values)};
    for (size_t m = 0; m < g->metric_count; m++)
        r->values[m] = undefined;
    for (int c = 0; c < GATE_MEASURES; c++)
        r->cost.of[c] = (double)NAN;
    return r;
}

static struct measured value_at(const struct measures *values, const char *path)
{
    uint32_t id = symbols_find(values->paths, path, strlen(path));
    return id < values->count ? values->rows[id].of[SIDE_A][0]
                              : (struct measured){(double)NAN, false};
}

bool gate_take(struct gate *g, size_t scenario, int side, uint64_t seed, const char *text,
               struct err *err)
{
    cJSON *summary = cJSON_Parse(text);
    if (summary == NULL)
        return err_set(err, EXIT_INTERNAL, "a summary is not JSON");
    struct measures values;
    measures_init(&values, 1);
    measures_take(&values, SIDE_A, 0, summary);
    struct gate_replica *r = gate_add(g, scenario, side);
    r->seed = seed;
    r->summary = mem_text(text);
    r->start_s = json_number_at(summary, "window.start_s");
    r->longest = value_at(&values, "wait_s.max");
    (void)snprintf(r->trace, sizeof r->trace, "%s", json_text_at(summary, "trace_digest"));
    (void)snprintf(r->journal, sizeof r->journal, "%s",
                   json_text_at(summary, "engine.journal_sha256"));
    for (size_t m = 0; m < g->metric_count; m++)
        r->values[m] = value_at(&values, g->metrics[m].path);
    price_notes_add(&g->prices, summary);
    measures_fini(&values);
    cJSON_Delete(summary);
    return true;
}

bool gate_has_value(const struct gate_side *side, size_t metric)
{
    for (size_t k = 0; k < side->count; k++)
        if (!isnan(side->replicas[k].values[metric].value))
            return true;
    return false;
}

static bool has_no_value(const struct gate *g, const struct gate_row *row)
{
    const struct gate_side *sides = g->scenarios[row->scenario].sides;
    size_t metric = (size_t)(row->metric - g->metrics);
    return !gate_has_value(&sides[SIDE_A], metric) && !gate_has_value(&sides[SIDE_B], metric);
}

bool gate_check_metrics(struct gate *g, struct err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->row_count; i++) {
        const struct gate_row *row = &g->rows[i];
        bool empty = has_no_value(g, row);
        if (empty && row->metric->own == NULL)
            return err_set(err, EXIT_INPUT,
                           "%s: scenario '%s' has no value of the metric '%s': expected a key of "
                           "its summary.json that is one number, such as wait_s.p95",
                           g->suite_file, g->scenarios[row->scenario].name, row->metric->path);
        if (!empty)
            g->rows[kept++] = *row;
    }
    g->row_count = kept;
    return true;
}

static void free_findings(struct gate *g)
{
    for (size_t i = 0; i < g->finding_count; i++) {
        free(g->findings[i].message);
        free(g->findings[i].detail);
    }
    free(g->findings);
    free(g->costs);
    free(g->machine);
}

static void free_difference(struct gate_difference *d)
{
    for (int side = 0; side < SIDES; side++) {
        free(d->sides[side].words);
        free(d->sides[side].other);
    }
    free(d->unknown);
}

void gate_fini(struct gate *g)
{
    for (size_t s = 0; s < g->scenario_count; s++) {
        struct gate_scenario *scenario = &g->scenarios[s];
        for (int side = 0; side < SIDES; side++) {
            for (size_t k = 0; k < scenario->sides[side].count; k++) {
                free(scenario->sides[side].replicas[k].values);
                free(scenario->sides[side].replicas[k].summary);
                free(scenario->sides[side].replicas[k].decisions);
            }
            free(scenario->sides[side].replicas);
        }
        losers_fini(&scenario->losers);
        free(scenario->name);
        free(scenario->file);
    }
    free_difference(&g->difference);
    free_findings(g);
    price_notes_fini(&g->prices);
    free(g->scenarios);
    for (size_t m = 0; m < g->metric_count; m++) {
        free(g->metrics[m].own);
        free(g->metrics[m].in);
    }
    free(g->metrics);
    free(g->rows);
    free(g->names[SIDE_A]);
    free(g->names[SIDE_B]);
    free(g->reason);
    free(g->command);
    *g = (struct gate){0};
}
