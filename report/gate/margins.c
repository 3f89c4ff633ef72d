/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics and margins in words; see margins.h. */
#include "report/gate/margins.h"

#include "report/words/markdown.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR 3600.0

static const struct {
    const char *prefix, *kind;
} scopes[] = {
    {"by_class.", "class"},
    {"by_size.", "size"},
    {"by_queue.", "queue"},
    {"fairness.queues.", "queue"},
};

/* The words for a value, and for a job that has it. */
static const struct {
    const char *stem, *noun, *was, *may;
} nouns[] = {
    {"wait_s", "wait", "a job that waited ", " may wait "},
    {"queue_s", "time pending", "a job that was pending for ", " may be pending for "},
    {"jct_s", "completion time", "a job that took ", " may take "},
    {"bounded_slowdown", "slowdown", "", " may become "},
    {"fairness.quota_satisfaction", "quota satisfaction", "", " may become "},
    {"quota_satisfaction", "quota satisfaction", "", " may become "},
    {"fairness.jain", "Jain's index of fairness", "", " may become "},
    {"utilization.fleet_goodput", "fleet goodput", "", " may become "},
    {"fairness.reclaim_p95_s", "p95 time to get quota back", "", " may become "},
    {"reclaim_p95_s", "p95 time to get quota back", "", " may become "},
    {"share", "share of its entitlement", "", " may become "},
};

/* ---- paths ---- */

/* A name ends where the rest of a known metric family follows, since names may contain dots. */
static size_t name_length(const char *prefix, const char *name)
{
    for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        char *path = mem_format("%s*%s", prefix, dot);
        const struct metric_row *row = metric_find(path);
        bool known = row != NULL && strncmp(row->name, path, strlen(prefix) + 2) == 0;
        free(path);
        if (known)
            return (size_t)(dot - name);
    }
    return strcspn(name, ".");
}

struct gate_scope gate_scope_of(const struct gate_metric *metric)
{
    const char *path = metric->path;
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        size_t n = strlen(scopes[i].prefix);
        if (strncmp(path, scopes[i].prefix, n) != 0)
            continue;
        size_t length = name_length(scopes[i].prefix, path + n);
        const char *rest = path + n + length;
        return (struct gate_scope){scopes[i].kind, path + n, length, rest + (*rest == '.')};
    }
    return (struct gate_scope){.rest = path};
}

/* Returns the row of `nouns` and sets what follows it, "p95" ("": nothing); -1 if there is none. */
static int noun_of(const char *path, const char **statistic)
{
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        size_t n = strlen(nouns[i].stem);
        if (strncmp(path, nouns[i].stem, n) == 0 && (path[n] == '.' || path[n] == '\0')) {
            *statistic = path[n] == '.' ? path + n + 1 : "";
            return (int)i;
        }
    }
    return -1;
}

char *gate_metric_words(const struct gate_metric *metric)
{
    struct gate_scope scope = gate_scope_of(metric);
    const char *statistic = "";
    int i = noun_of(scope.rest, &statistic);
    char *what =
        i < 0 ? mem_text(scope.rest)
              : mem_format("%s%s%s", statistic, *statistic != '\0' ? " " : "", nouns[i].noun);
    char *raw = mem_text_n(scope.name != NULL ? scope.name : "", scope.length),
         *name = unit_name(raw, 0);
    char *words = scope.kind == NULL                 ? mem_text(what)
                  : strcmp(name, "*") == 0           ? mem_format("%s of any %s", what, scope.kind)
                  : strcmp(scope.kind, "class") == 0 ? mem_format("%s of %s jobs", what, name)
                  : strcmp(scope.kind, "size") == 0
                      ? mem_format("%s of jobs of %s GPUs", what, name)
                      : mem_format("%s of queue '%s'", what, name);
    free(what);
    free(raw);
    free(name);
    return words;
}

/* ---- margins ---- */

static bool is_share(const struct gate_metric *m)
{
    return m->row != NULL && strcmp(m->row->unit, "ratio") == 0 && m->rule.better == METRIC_HIGHER;
}

static void put_value(struct out *out, const struct gate_metric *m, double value)
{
    const char *unit = m->row != NULL ? m->row->unit : "";
    char text[UNIT_TEXT];
    if (is_share(m)) {
        out_text(out, unit_percent(text, value));
        return;
    }
    out_text(out, unit_any(text, unit, value));
    if (strcmp(unit, "s") != 0 && strcmp(unit, "ratio") != 0 && strcmp(unit, "count") != 0)
        out_format(out, " %s", unit);
}

static void put_most(struct out *out, const struct gate_metric *m)
{
    const struct harm_rule *rule = &m->rule;
    if (rule->margin > 0)
        out_format(out, "%g%%", 100 * rule->margin);
    out_text(out, rule->margin > 0 && rule->floor > 0 ? " or " : "");
    if (rule->floor > 0) {
        if (is_share(m))
            out_format(out, "%g points", 100 * rule->floor);
        else
            put_value(out, m, rule->floor);
    }
    out_text(out, rule->margin > 0 && rule->floor > 0 ? ", whichever is more" : "");
}

/* Returns a round value to start from. */
static double example_of(const struct gate_metric *m)
{
    const char *unit = m->row != NULL ? m->row->unit : "";
    return strcmp(unit, "s") == 0 ? HOUR : is_share(m) ? 0.8 : strcmp(unit, "ratio") == 0 ? 2 : 100;
}

char *gate_margin_words(const struct gate_metric *m)
{
    struct out *out = out_memory();
    bool higher = m->rule.better == METRIC_HIGHER;
    const char *statistic;
    int i = noun_of(gate_scope_of(m).rest, &statistic);
    double from = example_of(m), most = fmax(m->rule.margin * from, m->rule.floor);
    out_format(out, "may %s ", higher ? "fall" : "grow");
    if (!(most > 0)) {
        out_text(out, "by nothing");
        return out_memory_take(out);
    }
    out_text(out, "by at most ");
    put_most(out, m);
    out_format(out, ": %s", i >= 0 ? nouns[i].was : "");
    put_value(out, m, from);
    out_text(out, i >= 0 ? nouns[i].may : " may become ");
    put_value(out, m, higher ? fmax(from - most, 0) : from + most);
    return out_memory_take(out);
}

static bool is_first(const struct gate *g, size_t i)
{
    return i == 0 || g->metrics[i].entry == NULL || g->metrics[i].line != g->metrics[i - 1].line;
}

/* Returns an entry of the suite in words: "mean wait of any queue". */
static char *entry_words(const struct gate_metric *metric)
{
    struct gate_metric entry = *metric;
    entry.path = metric->entry != NULL ? metric->entry : metric->path;
    return gate_metric_words(&entry);
}

void gate_margins_print(const struct gate *g, struct out *out)
{
    out_text(out, "\nTolerated:\n");
    for (size_t i = 0; i < g->metric_count; i++) {
        if (!is_first(g, i))
            continue;
        char *what = entry_words(&g->metrics[i]), *margin = gate_margin_words(&g->metrics[i]);
        out_format(out, "  %s %s\n", what, margin);
        free(what);
        free(margin);
    }
}

void gate_margins_markdown(const struct gate *g, struct out *out)
{
    out_text(out, "\nTolerated:\n\n");
    for (size_t i = 0; i < g->metric_count; i++) {
        if (!is_first(g, i))
            continue;
        char *what = entry_words(&g->metrics[i]), *margin = gate_margin_words(&g->metrics[i]);
        char *line = mem_format("%s %s", what, margin);
        out_text(out, "- ");
        markdown_text(out, line);
        out_char(out, '\n');
        free(line);
        free(what);
        free(margin);
    }
}
