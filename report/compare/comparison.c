/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects and judges the metrics of each section; see comparison.h. */
#include "report/compare/comparison.h"

#include "report/stats/holm.h"
#include "report/stats/skewed.h"
#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const comparison_section_names[SECTIONS] = {
    "primary", "cost", "by_class", "by_size", "by_queue", "by_group", "other"};
const char *const comparison_section_titles[SECTIONS] = {
    "primary metrics", "cost",     "by class",
    "by size in GPUs", "by queue", "other metrics of classes, sizes and queues",
    "other metrics"};

/* Primary metrics by default: some each for the fleet, waiting, work and fairness. */
static const char *const usual[] = {
    "utilization.fleet_goodput", "wait_s.mean",   "wait_s.p95",          "jct_s.mean",
    "bounded_slowdown.mean",     "fairness.jain", "fill.allocated_gpus", "fill.failed_tasks",
    "fill.fragment_gpus",
};

/* The metrics shown for each group of jobs. */
static const struct {
    const char *prefix, *suffix;
    enum comparison_section section;
} groups[] = {
    {"by_class.", ".wait_s.mean", SECTION_CLASS},
    {"by_class.", ".wait_s.p95", SECTION_CLASS},
    {"by_class.", ".jct_s.mean", SECTION_CLASS},
    {"by_size.", ".wait_s.mean", SECTION_SIZE},
    {"by_size.", ".wait_s.p95", SECTION_SIZE},
    {"by_size.", ".jct_s.mean", SECTION_SIZE},
    {"by_queue.", ".wait_s.mean", SECTION_QUEUE},
    {"by_queue.", ".wait_s.p95", SECTION_QUEUE},
    {"by_queue.", ".jct_s.mean", SECTION_QUEUE},
    {"fairness.queues.", ".wait_s.mean", SECTION_QUEUE}, /* for runs without by_queue */
    {"fairness.queues.", ".wait_s.p95", SECTION_QUEUE},
};

static bool is_of(const char *path, const char *prefix, const char *suffix)
{
    size_t n = strlen(path), before = strlen(prefix), behind = strlen(suffix);
    return n > before + behind && strncmp(path, prefix, before) == 0 &&
           strcmp(path + n - behind, suffix) == 0;
}

static enum comparison_section section_of(const struct measure *m)
{
    const char *path = m->path;
    struct group_path group;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(path, usual[i]) == 0)
            return SECTION_PRIMARY;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (is_of(path, groups[i].prefix, groups[i].suffix))
            return groups[i].section;
    if (strncmp(path, "cost.", 5) == 0)
        return SECTION_COST;
    return group_of(m, &group) ? SECTION_GROUPS : SECTION_OTHER;
}

/* ---- which metrics ---- */

/* Unless cost.pue is set, energy covers the whole site when nodes are owned, and only the nodes
 * when they are rented. */
static enum metric_better better_of(const struct comparison *c, const struct measure *m)
{
    bool other_site = strcmp(m->path, "cost.energy_kwh") == 0 && !comparison_same_basis(c);
    return m->row == NULL || other_site ? METRIC_NEUTRAL : m->row->better;
}

static void add_row(struct comparison *c, const struct measure *m, enum comparison_section section)
{
    c->rows[c->count++] = (struct comparison_row){
        .measure = m,
        .section = section,
        .better = better_of(c, m),
        .judgement = judge(m, c->pairing.replicas, c->alpha),
    };
}

static bool unknown_metric(const struct comparison *c, const char *name, struct err *err)
{
    size_t count;
    const char **known = metric_names(&count);
    const char **names = mem_alloc(count + c->measures.count, sizeof *names);
    char suggestion[128] = "";
    bool exact = false;
    for (size_t i = 0; i < c->measures.count; i++)
        names[i] = c->measures.rows[i].path;
    for (size_t i = 0; i < count; i++) {
        names[c->measures.count + i] = known[i];
        exact |= strcmp(known[i], name) == 0;
    }
    if (!exact)
        (void)text_suggest(suggestion, sizeof suggestion, name, names, count + c->measures.count,
                           sizeof *names);
    free(names);
    free(known);
    return err_set(err, EXIT_INPUT,
                   "--metric '%s': neither run has a value of it (see 'fauxfleet list metrics')%s",
                   name, suggestion);
}

/*
 * A packing study has no waits and no ends, so their metrics mean nothing. Neither do amounts of
 * money on different bases.
 */
static bool has_meaning(const struct comparison *c, const struct measure *m)
{
    bool money = strncmp(m->path, "cost.", 5) == 0 && strcmp(m->path, "cost.energy_kwh") != 0;
    if (money && !comparison_same_basis(c))
        return false;
    return !rundir_is_fill(&c->pairing.run[SIDE_A]) || strncmp(m->path, "fill.", 5) == 0;
}

static bool choose(struct comparison *c, const struct comparison_options *options, struct err *err)
{
    bool *chosen = mem_alloc(c->measures.count + 1, sizeof *chosen);
    bool ok = true;
    for (size_t k = 0; ok && k < options->metric_count; k++) {
        bool found = false;
        for (size_t i = 0; i < c->measures.count; i++)
            if (metric_covers(options->metrics[k], c->measures.rows[i].path))
                found = chosen[i] = true;
        ok = found || unknown_metric(c, options->metrics[k], err);
    }
    for (size_t i = 0; ok && i < c->measures.count; i++) {
        const struct measure *m = &c->measures.rows[i];
        if (options->metric_count == 0 && has_meaning(c, m) && !group_is_twin(&c->measures, m))
            add_row(c, m, section_of(m));
        else if (chosen[i])
            add_row(c, m, SECTION_PRIMARY);
    }
    free(chosen);
    return ok;
}

/* ---- verdicts ---- */

enum metric_better comparison_better(const struct comparison_row *row)
{
    return row->better;
}

static void decide(struct comparison *c)
{
    double *p = mem_alloc(c->count + 1, sizeof *p);
    for (int section = 0; section < SECTIONS; section++) {
        for (size_t i = 0; i < c->count; i++)
            p[i] = c->rows[i].section == (enum comparison_section)section ? c->rows[i].judgement.p
                                                                          : (double)NAN;
        stat_holm(p, c->count, p);
        for (size_t i = 0; i < c->count; i++) {
            struct comparison_row *row = &c->rows[i];
            if (row->section != (enum comparison_section)section)
                continue;
            row->judgement.p_holm = p[i];
            if (c->certain)
                judge_certain(&row->judgement, comparison_better(row));
            else
                judge_decide(&row->judgement, comparison_better(row), c->alpha);
        }
    }
    free(p);
}

/* ---- losers ---- */

/*
 * The metrics shown for classes, sizes and queues are one family; all their other metrics are
 * another.
 */
static bool is_of_family(const struct comparison_row *row, int family)
{
    struct group_path group;
    const struct judgement *j = &row->judgement;
    return (row->section == SECTION_GROUPS) == (family == 1) && group_of(row->measure, &group) &&
           comparison_better(row) != METRIC_NEUTRAL && j->verdict != JUDGE_EQUAL &&
           j->verdict != JUDGE_UNDEFINED;
}

/* Returns the p-value from ranks, which need no distribution; with lower bounds, from signs. */
static double rank_p(const struct judgement *j)
{
    return j->scale == JUDGE_SIGNS ? j->p : j->p_rank;
}

/*
 * A group loses if the ranks confirm its verdict, corrected over all groups and metrics. With
 * hundreds of metrics the far tails matter, where intervals are slightly too wide or too narrow.
 * With n pairs, ranks have no p-value below 2^(1-n).
 */
static void find_losers(struct comparison *c)
{
    double *p = mem_alloc(c->count + 1, sizeof *p);
    struct group_path group;
    int n = c->pairing.replicas < 1000 ? (int)c->pairing.replicas : 1000;
    for (size_t i = 0; i < c->count; i++)
        c->losers.metrics += group_of(c->rows[i].measure, &group);
    for (int family = 0; family < 2; family++) {
        size_t size = 0;
        for (size_t i = 0; i < c->count; i++) {
            bool in = is_of_family(&c->rows[i], family);
            p[i] = in ? rank_p(&c->rows[i].judgement) : (double)NAN;
            size += in;
        }
        stat_holm(p, c->count, p);
        if (family == 0)
            c->losers.too_few = !c->certain && (double)size * ldexp(1, 1 - n) > c->alpha;
        for (size_t i = 0; i < c->count; i++)
            if (is_of_family(&c->rows[i], family))
                losers_take(&c->losers, &c->measures, c->rows[i].measure, &c->rows[i].judgement,
                            c->certain || p[i] <= c->alpha);
    }
    losers_sort(&c->losers);
    free(p);
}

static bool same_measures(const struct measures *m)
{
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < m->replicas; k++) {
            const struct measured *a = &m->rows[i].of[SIDE_A][k], *b = &m->rows[i].of[SIDE_B][k];
            bool neither = isnan(a->value) && isnan(b->value);
            if (!neither &&
                !(a->value <= b->value && a->value >= b->value && a->at_least == b->at_least))
                return false;
        }
    return true;
}

/* Judges every metric of sides that pair. */
static bool judge_all(struct comparison *c, const struct comparison_options *options,
                      struct err *err)
{
    c->alpha = options->alpha;
    c->certain = options->certain && c->pairing.replicas == 1;
    measures_init(&c->measures, c->pairing.replicas);
    for (int side = 0; side < SIDES; side++)
        for (size_t k = 0; k < c->pairing.replicas; k++)
            measures_take(&c->measures, side, k, c->pairing.summary[side][k]);
    c->rows = mem_alloc(c->measures.count + 1, sizeof *c->rows);
    c->same_decisions = c->pairing.same_decisions == c->pairing.replicas;
    c->same_outputs = c->same_decisions && same_measures(&c->measures);
    if (!choose(c, options, err) ||
        !risks_make(&c->risks, &c->pairing, options->targets, options->target_count, err)) {
        comparison_close(c);
        return false;
    }
    decide(c);
    find_losers(c);
    return true;
}

bool comparison_open(struct comparison *c, const char *dir_a, const char *dir_b,
                     const struct comparison_options *options, struct err *err)
{
    *c = (struct comparison){0};
    return pairing_open(&c->pairing, dir_a, dir_b, err) && judge_all(c, options, err);
}

bool comparison_make(struct comparison *c, const struct pairing_side sides[SIDES],
                     const struct comparison_options *options, struct err *err)
{
    *c = (struct comparison){.varied = options->varied};
    return pairing_make(&c->pairing, sides, err) && judge_all(c, options, err);
}

void comparison_close(struct comparison *c)
{
    free(c->rows);
    losers_fini(&c->losers);
    risks_fini(&c->risks);
    measures_fini(&c->measures);
    pairing_close(&c->pairing);
    *c = (struct comparison){0};
}

/* ---- words ---- */

char *comparison_names(const struct comparison *c, enum comparison_section section,
                       enum judge_verdict verdict)
{
    struct out *out = out_memory();
    const char *comma = "";
    for (size_t i = 0; i < c->count; i++) {
        const struct comparison_row *row = &c->rows[i];
        const char *path = row->measure->path;
        if (row->section != section || row->judgement.verdict != verdict)
            continue;
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
            bool mean_wait = strcmp(groups[g].suffix, ".wait_s.mean") == 0;
            if (!mean_wait || !is_of(path, groups[g].prefix, groups[g].suffix))
                continue;
            size_t before = strlen(groups[g].prefix), behind = strlen(groups[g].suffix);
            char *name = mem_text_n(path + before, strlen(path) - before - behind);
            char *safe = unit_name(name, 28);
            out_format(out, "%s%s", comma, safe);
            comma = ", ";
            free(name);
            free(safe);
        }
    }
    char *names = *comma ? mem_text(out_memory_text(out, NULL)) : NULL;
    out_discard(out);
    return names;
}

char *comparison_varied(const struct comparison *c)
{
    if (c->varied == NULL || c->pairing.replicas < 2)
        return NULL;
    return mem_format("%c%s.", toupper((unsigned char)c->varied[0]), c->varied + 1);
}

char *comparison_headline(const struct comparison *c)
{
    size_t n = c->pairing.replicas;
    if (c->same_outputs)
        return mem_format(
            "No decision differs: the journals of %s have the same hash, and no metric differs.",
            n == 1 ? "both runs" : "all replicas");
    if (c->same_decisions)
        return mem_format(
            "No decision differs: the journals of %s have the same hash; metrics below differ for "
            "other reasons.",
            n == 1 ? "both runs" : "all replicas");
    if (n == 1 && c->certain)
        return mem_text(
            "There is no randomness here: the differences below are exact for these jobs.");
    if (n == 1)
        return mem_text("One replay is one sample, and queueing is chaotic: these are differences "
                        "without a verdict. Run both sides with --replicas 20.");
    if (n < STAT_LEAST)
        return mem_format(
            "%zu pairs are too few to judge by: an interval or a verdict " STAT_TOO_FEW
            ". These are differences without one. Run both sides with --replicas 20.",
            n);
    size_t primary = 0, better = 0, worse = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->rows[i].section != SECTION_PRIMARY)
            continue;
        primary++;
        better += c->rows[i].judgement.verdict == JUDGE_BETTER;
        worse += c->rows[i].judgement.verdict == JUDGE_WORSE;
    }
    return mem_format("Of %zu primary metrics B is better in %zu and worse in %zu (%zu pairs; %g%% "
                      "intervals, Holm's correction over each section).",
                      primary, better, worse, n, 100 * (1 - c->alpha));
}

static const char *unit_of(const struct comparison_row *row)
{
    return row->measure->row != NULL ? row->measure->row->unit : "";
}

const char *comparison_value(char text[COMPARISON_TEXT], const struct comparison_row *row, int side)
{
    const struct judgement *j = &row->judgement;
    char value[UNIT_TEXT];
    if (j->defined[side] == 0)
        (void)snprintf(text, COMPARISON_TEXT, "-");
    else if (j->defined[side] < j->n)
        (void)snprintf(text, COMPARISON_TEXT, "in %zu of %zu", j->defined[side], j->n);
    else
        (void)snprintf(text, COMPARISON_TEXT, "%s%s", j->bounds[side] > 0 ? ">=" : "",
                       unit_any(value, unit_of(row), j->mean[side]));
    return text;
}

/* Formats percent with a sign; small values get one more digit. */
static int percent(char *text, size_t size, double change)
{
    double shown = 100 * change, size_of = fabs(shown);
    return snprintf(text, size, "%+.*f%%", size_of < 1 ? 2 : size_of < 1000 ? 1 : 0, shown);
}

/* Formats a difference in the metric's unit. */
static const char *signed_amount(char text[COMPARISON_TEXT], const struct comparison_row *row,
                                 double amount)
{
    char value[UNIT_TEXT];
    (void)snprintf(text, COMPARISON_TEXT, "%s%s", amount < 0 ? "-" : "+",
                   unit_any(value, unit_of(row), fabs(amount)));
    return text;
}

const char *comparison_change(char text[COMPARISON_TEXT], const struct comparison_row *row)
{
    const struct judgement *j = &row->judgement;
    if (j->scale == JUDGE_SIGNS)
        (void)snprintf(text, COMPARISON_TEXT, "%zu up %zu down", j->higher, j->lower);
    else if (isnan(j->difference.mean))
        (void)snprintf(text, COMPARISON_TEXT, "-");
    else if (!isnan(j->change.mean) && (j->scale == JUDGE_CHANGE || isnan(j->difference.low)))
        (void)percent(text, COMPARISON_TEXT, j->change.mean);
    else
        (void)signed_amount(text, row, j->difference.mean);
    return text;
}

const char *comparison_interval(char text[COMPARISON_TEXT], const struct comparison_row *row)
{
    const struct judgement *j = &row->judgement;
    char low[COMPARISON_TEXT], high[COMPARISON_TEXT];
    double shown = j->scale == JUDGE_CHANGE ? j->change.low : j->difference.low;
    if (isnan(shown)) {
        bool differs = j->verdict != JUDGE_EQUAL && !isnan(j->difference.mean);
        (void)snprintf(text, COMPARISON_TEXT, "%s",
                       !differs || j->n < 2 ? "-"
                       : j->constant        ? "the same in every pair"
                                            : STAT_TOO_FEW);
        return text;
    }
    if (j->scale == JUDGE_DIFFERENCE) {
        (void)signed_amount(low, row, j->difference.low);
        (void)signed_amount(high, row, j->difference.high);
    } else {
        (void)percent(low, sizeof low, j->change.low);
        (void)percent(high, sizeof high, j->change.high);
    }
    (void)snprintf(text, COMPARISON_TEXT, "%.28s .. %.28s", low, high);
    return text;
}

/* ---- files ---- */

bool comparison_write(const struct comparison *c, const char *path, struct err *err)
{
    return text_ends_in(path, ".md") ? comparison_write_markdown(c, path, err)
                                     : comparison_write_html(c, path, err);
}
