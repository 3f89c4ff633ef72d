/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions of the gate; see gate.h. take.c reads the replicas' results. */
#include "report/gate/gate.h"

#include "report/gate/margins.h"
#include "report/words/units.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <gsl/gsl_sort.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const gate_stage_names[GATE_STAGES] = {
    "compatibility", "processes", "repeat", "identity", "invariants", "statistics", "resources"};
const char *const gate_verdict_names[GATE_VERDICTS] = {
    "pass", "fail", "inconclusive", "violated", "incompatible", "different", "base-failed"};

int gate_exit_code(enum gate_verdict verdict)
{
    static const int codes[GATE_VERDICTS] = {EXIT_OK,        EXIT_DIFFER,   EXIT_UNDECIDED,
                                             EXIT_INVARIANT, EXIT_BASELINE, EXIT_DIFFER,
                                             EXIT_INPUT};
    return codes[verdict];
}

size_t gate_pairs(const struct gate *g, size_t scenario)
{
    const struct gate_side *sides = g->scenarios[scenario].sides;
    return sides[SIDE_A].count < sides[SIDE_B].count ? sides[SIDE_A].count : sides[SIDE_B].count;
}

const char *gate_row_name(const struct gate *g, const struct gate_row *row)
{
    static const char *const names[GATE_ROW_VERDICTS] = {"inconclusive", "pass", "fail", "warn"};
    bool stopped = g->look_count > 0 && row->replicas < (size_t)g->looks[g->look_count - 1];
    return row->verdict == GATE_ROW_OPEN && stopped ? "not decided yet" : names[row->verdict];
}

void gate_begin(struct gate *g)
{
    g->rows = mem_alloc(g->scenario_count * g->metric_count, sizeof *g->rows);
    for (size_t s = 0; s < g->scenario_count; s++)
        for (size_t m = 0; m < g->metric_count; m++)
            if (g->metrics[m].in == NULL || g->metrics[m].in[s])
                g->rows[g->row_count++] =
                    (struct gate_row){.metric = &g->metrics[m], .scenario = s};
}

bool gate_judged(const struct gate *g)
{
    return g->stage >= GATE_STATISTICS && g->looked > 0;
}

bool gate_decide(struct gate *g, enum gate_stage stage, enum gate_verdict verdict, char *reason)
{
    free(g->reason);
    g->stage = stage;
    g->verdict = verdict;
    g->reason = reason;
    return true;
}

/* ---- compatibility ---- */

static char *unpaired(const struct gate *g, const struct gate_scenario *s, size_t k)
{
    const struct gate_replica *a = &s->sides[SIDE_A].replicas[k],
                              *b = &s->sides[SIDE_B].replicas[k];
    if (a->seed != b->seed)
        return mem_format("scenario '%s': replica %zu has seed %" PRIu64 " in the base and %" PRIu64
                          " in the candidate",
                          s->name, k + 1, a->seed, b->seed);
    if (!g->jittered && strcmp(a->trace, b->trace) != 0)
        return mem_format("scenario '%s': the traces of replica %zu differ (%s and %s)", s->name,
                          k + 1, a->trace, b->trace);
    if (!g->jittered && (a->start_s < b->start_s || a->start_s > b->start_s))
        return mem_format("scenario '%s': the window of replica %zu begins at %.3f s and at %.3f s",
                          s->name, k + 1, a->start_s, b->start_s);
    return NULL;
}

bool gate_incompatible(struct gate *g)
{
    for (size_t s = 0; s < g->scenario_count; s++)
        for (size_t k = 0; k < gate_pairs(g, s); k++) {
            char *reason = unpaired(g, &g->scenarios[s], k);
            if (reason != NULL)
                return gate_decide(g, GATE_COMPATIBILITY, GATE_INCOMPATIBLE, reason);
        }
    return false;
}

/* ---- identity ---- */

bool gate_identical(struct gate *g)
{
    size_t pairs = 0, same = 0;
    for (size_t i = 0; i < g->scenario_count; i++) {
        struct gate_scenario *s = &g->scenarios[i];
        s->same = 0;
        for (size_t k = 0; k < gate_pairs(g, i); k++) {
            const char *a = s->sides[SIDE_A].replicas[k].journal;
            s->same += *a != '\0' && strcmp(a, s->sides[SIDE_B].replicas[k].journal) == 0;
        }
        pairs += gate_pairs(g, i);
        same += s->same;
    }
    if (same < pairs)
        return false;
    return gate_decide(
        g, GATE_IDENTITY, GATE_PASS,
        mem_format(
            "No decision changed: the journals of all %zu pairs of replicas have the same hash.",
            pairs));
}

/* ---- invariants ---- */

bool gate_starved(struct gate *g)
{
    static const char *const names[SIDES] = {"base", "candidate"};
    for (size_t i = 0; i < g->scenario_count; i++)
        for (int side = SIDES; side-- > 0;) {
            const struct gate_scenario *s = &g->scenarios[i];
            double bound = (double)s->starvation_ms / 1000;
            for (size_t k = 0; s->starvation_ms >= 0 && k < s->sides[side].count; k++) {
                const struct measured *longest = &s->sides[side].replicas[k].longest;
                char is[UNIT_TEXT], may[UNIT_TEXT];
                if (!(longest->value > bound))
                    continue;
                return gate_decide(
                    g, GATE_INVARIANTS, GATE_VIOLATED,
                    mem_format("Starvation: with the %s (%s) a job of scenario '%s', replica %zu, "
                               "waited %s%s, and the suite allows %s.",
                               names[side], g->names[side], s->name, k + 1,
                               longest->at_least ? "at least " : "",
                               unit_duration(is, longest->value), unit_duration(may, bound)));
            }
        }
    return false;
}

/* ---- statistics ---- */

static void look_at(struct gate *g, struct gate_row *row, double level)
{
    const struct gate_scenario *s = &g->scenarios[row->scenario];
    size_t n = gate_pairs(g, row->scenario), metric = (size_t)(row->metric - g->metrics);
    struct measure m = {.path = row->metric->path, .row = row->metric->row};
    for (int side = 0; side < SIDES; side++) {
        m.of[side] = mem_alloc(n + 1, sizeof *m.of[side]);
        for (size_t k = 0; k < n; k++)
            m.of[side][k] = s->sides[side].replicas[k].values[metric];
    }
    row->harm = harm_of(&m, n, &row->metric->rule, level);
    row->level = level;
    row->replicas = n;
    free(m.of[SIDE_A]);
    free(m.of[SIDE_B]);
}

static double level_of(const struct gate *g, double alpha)
{
    double looks[STAT_LOOKS], levels[STAT_LOOKS];
    for (size_t k = 0; k < g->look_count; k++)
        looks[k] = g->looks[k];
    stat_spending_levels(looks, g->look_count, alpha, levels);
    return levels[g->looked - 1];
}

/* Applies Holm's step-down procedure to the open rows of a family, primary rows or guards. */
static void fail_family(struct gate *g, bool guard)
{
    size_t all = g->row_count, open = 0, family = 0;
    double *p = mem_alloc(all, sizeof *p);
    size_t *rows = mem_alloc(all, sizeof *rows), *order = mem_alloc(all, sizeof *order);
    for (size_t i = 0; i < all; i++) {
        const struct gate_row *row = &g->rows[i];
        family += row->metric->guard == guard;
        if (row->metric->guard != guard || row->verdict != GATE_ROW_OPEN)
            continue;
        p[open] = row->harm.p_fail;
        rows[open++] = i;
    }
    if (open > 0)
        gsl_sort_index(order, p, 1, open);
    for (size_t j = 0; j < open; j++) {
        if (!(p[order[j]] <= level_of(g, g->alpha / 2 / (double)(family - j))))
            break;
        g->rows[rows[order[j]]].verdict = guard ? GATE_ROW_WARN : GATE_ROW_FAIL;
    }
    free(p);
    free(rows);
    free(order);
}

static void pass_rows(struct gate *g, double level)
{
    for (size_t i = 0; i < g->row_count; i++)
        if (g->rows[i].verdict == GATE_ROW_OPEN && g->rows[i].harm.p_pass <= level)
            g->rows[i].verdict = GATE_ROW_PASS;
}

bool gate_is_open(const struct gate *g, size_t scenario)
{
    for (size_t i = 0; i < g->row_count; i++)
        if (g->rows[i].scenario == scenario && !g->rows[i].metric->guard &&
            g->rows[i].verdict == GATE_ROW_OPEN)
            return true;
    return false;
}

/*
 * Returns "wait_s.p95 in 'demo', mean wait of queue 'a' in 'full'": a family's rows with a verdict;
 * *count is their number.
 */
static char *names_of(const struct gate *g, bool guard, enum gate_row_verdict verdict,
                      size_t *count)
{
    enum { SHOWN = 4 };
    struct out *out = out_memory();
    *count = 0;
    for (size_t i = 0; i < g->row_count; i++) {
        const struct gate_row *row = &g->rows[i];
        if (row->metric->guard != guard || row->verdict != verdict || ++*count > SHOWN)
            continue;
        struct gate_scope scope = gate_scope_of(row->metric);
        bool queue = scope.kind != NULL && strcmp(scope.kind, "queue") == 0;
        char *name = queue ? gate_metric_words(row->metric) : mem_text(row->metric->path);
        escape_format(out, "%s%s in '%s'", *count > 1 ? ", " : "", name,
                      g->scenarios[row->scenario].name);
        free(name);
    }
    if (*count > SHOWN)
        out_format(out, " and %zu more", *count - SHOWN);
    return out_memory_take(out);
}

/* Returns " Guards warn: ..."; "" if none does. */
static char *warnings_of(const struct gate *g)
{
    size_t count;
    char *names = names_of(g, true, GATE_ROW_WARN, &count);
    char *text = count > 0 ? mem_format(" Guards warn, worse by more than the margin: %s.", names)
                           : mem_text("");
    free(names);
    return text;
}

static bool conclude(struct gate *g)
{
    size_t failed, open;
    char *failing = names_of(g, false, GATE_ROW_FAIL, &failed);
    char *undecided = names_of(g, false, GATE_ROW_OPEN, &open), *warned = warnings_of(g);
    bool last = g->looked == g->look_count;
    if (failed > 0)
        gate_decide(g, GATE_STATISTICS, GATE_FAIL,
                    mem_format("Worse by more than the margin: %s.%s", failing, warned));
    else if (open == 0)
        gate_decide(
            g, GATE_STATISTICS, GATE_PASS,
            mem_format("Decisions differ, but no primary metric is worse by its margin or more.%s",
                       warned));
    else if (last)
        gate_decide(
            g, GATE_STATISTICS, GATE_INCONCLUSIVE,
            mem_format("Neither certainly worse nor certainly not worse after %d replicas: %s.%s",
                       g->looks[g->look_count - 1], undecided, warned));
    free(failing);
    free(undecided);
    free(warned);
    return failed > 0 || open == 0 || last;
}

bool gate_judge(struct gate *g)
{
    g->looked++;
    double level = level_of(g, g->alpha / 2);
    for (size_t i = 0; i < g->row_count; i++)
        if (g->rows[i].verdict == GATE_ROW_OPEN)
            look_at(g, &g->rows[i], level);
    fail_family(g, false);
    fail_family(g, true);
    pass_rows(g, level);
    return conclude(g);
}
