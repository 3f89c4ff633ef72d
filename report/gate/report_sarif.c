/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate in SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format", errata 01), which
 * code scanning services read. A rule is a kind of finding, a stage that gave the verdict, a metric
 * or a resource. Results are the findings, every row that failed, warned or stayed open, and the
 * stage if nothing else explains why the gate did not pass. Results that are not failures have
 * their own kind ("open") and no level, as section 3.27.9 of the standard demands.
 *
 * A gate has no source lines. The physical location is the metric's line in the suite; logical
 * locations name the scenario, the metric, and the queue if there is one.
 */
#include "report/gate/findings.h"
#include "report/gate/margins.h"
#include "report/gate/reports.h"
#include "report/gate/words.h"
#include "sim/base/escape.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SCHEMA                                                                                     \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

struct sarif {
    const struct gate *g;
    struct json j;
};

static bool is_judged(const struct gate *g, const struct gate_row *row)
{
    return gate_judged(g) && row->verdict != GATE_ROW_PASS;
}

static size_t row_count(const struct gate *g)
{
    return g->row_count;
}

/* Returns true if nothing else explains the verdict: a stage before statistics, or one without
 * findings. */
static bool tells_stage(const struct gate *g)
{
    bool found = gate_finding_of(g, g->stage, SIDES) != NULL;
    return g->verdict != GATE_PASS && g->stage != GATE_STATISTICS && !found;
}

/* ---- rules: findings first, then stages, metrics, resources ---- */

static void put_message(struct sarif *s, const char *key, const char *text)
{
    json_begin_object(&s->j, key);
    json_text(&s->j, "text", text);
    json_end_object(&s->j);
}

static void put_rule(struct sarif *s, const char *id, const char *words, const char *full,
                     const char *help)
{
    json_begin_object(&s->j, NULL);
    json_text(&s->j, "id", id);
    put_message(s, "shortDescription", words);
    put_message(s, "fullDescription", full);
    if (help != NULL)
        put_message(s, "help", help);
    json_end_object(&s->j);
}

static void put_metric_rule(struct sarif *s, const struct gate_metric *metric)
{
    char *what = gate_metric_words(metric), *margin = gate_margin_words(metric);
    char *help = mem_format("%s %s.", what, margin);
    put_rule(s, metric->path, what, metric->row != NULL ? metric->row->summary : metric->path,
             help);
    free(what);
    free(margin);
    free(help);
}

static void put_rules(struct sarif *s)
{
    const struct gate *g = s->g;
    json_begin_array(&s->j, "rules");
    for (int kind = 0; kind < GATE_FINDING_KINDS; kind++)
        put_rule(s, gate_finding_rows[kind].name, gate_finding_rows[kind].words,
                 gate_finding_rows[kind].description, NULL);
    for (int stage = 0; stage < GATE_STAGES; stage++)
        put_rule(s, gate_stage_names[stage], "a question of the gate",
                 "The gate's questions have a fixed order; the first one with an answer gives the "
                 "verdict.",
                 NULL);
    for (size_t m = 0; m < g->metric_count; m++)
        put_metric_rule(s, &g->metrics[m]);
    json_end_array(&s->j);
}

static size_t stage_rule(enum gate_stage stage)
{
    return GATE_FINDING_KINDS + (size_t)stage;
}

static size_t metric_rule(const struct gate *g, const struct gate_metric *metric)
{
    return GATE_FINDING_KINDS + GATE_STAGES + (size_t)(metric - g->metrics);
}

/* ---- results ---- */

static void put_logical(struct sarif *s, const char *kind, const char *name, const char *parent)
{
    char *full = mem_format("%s%s%s", parent, *parent != '\0' ? "/" : "", name);
    json_begin_object(&s->j, NULL);
    json_text(&s->j, "name", name);
    json_text(&s->j, "fullyQualifiedName", full);
    json_text(&s->j, "kind", kind);
    json_end_object(&s->j);
    free(full);
}

static void put_location(struct sarif *s, const char *scenario, const struct gate_metric *metric)
{
    struct out *uri = out_memory();
    escape_url(uri, s->g->suite_file);
    json_begin_array(&s->j, "locations");
    json_begin_object(&s->j, NULL);
    json_begin_object(&s->j, "physicalLocation");
    json_begin_object(&s->j, "artifactLocation");
    json_text(&s->j, "uri", out_memory_text(uri, NULL));
    json_end_object(&s->j);
    json_begin_object(&s->j, "region");
    json_u64(&s->j, "startLine", metric != NULL && metric->line > 0 ? metric->line : 1);
    json_end_object(&s->j);
    json_end_object(&s->j);
    out_discard(uri);
    if (scenario != NULL) {
        struct gate_scope scope = {0};
        json_begin_array(&s->j, "logicalLocations");
        put_logical(s, "scenario", scenario, "");
        if (metric != NULL) {
            put_logical(s, "metric", metric->path, scenario);
            scope = gate_scope_of(metric);
        }
        if (scope.kind != NULL) {
            char *name = mem_text_n(scope.name, scope.length);
            put_logical(s, scope.kind, name, scenario);
            free(name);
        }
        json_end_array(&s->j);
    }
    json_end_object(&s->j);
    json_end_array(&s->j);
}

/* `level` NULL: an open result. */
static void begin_result(struct sarif *s, const char *rule, size_t index, const char *level,
                         const char *message)
{
    json_begin_object(&s->j, NULL);
    json_text(&s->j, "ruleId", rule);
    json_u64(&s->j, "ruleIndex", index);
    json_text(&s->j, "kind", level != NULL ? "fail" : "open");
    json_text(&s->j, "level", level != NULL ? level : "none");
    put_message(s, "message", message);
}

/* The same in every run, so a service recognises a known result. */
static void end_result(struct sarif *s, const char *scenario, const char *what)
{
    char *print = mem_format("%s/%s/%s", s->g->suite, scenario != NULL ? scenario : "", what);
    json_begin_object(&s->j, "partialFingerprints");
    json_text(&s->j, "fauxfleetGate/v1", print);
    json_end_object(&s->j);
    json_end_object(&s->j);
    free(print);
}

static void put_finding(struct sarif *s, const struct gate_finding *f)
{
    const char *name = gate_finding_rows[f->kind].name,
               *scenario = s->g->scenarios[f->scenario].name;
    char *sentence = gate_finding_sentence(s->g, f);
    begin_result(s, name, (size_t)f->kind, f->warning ? "warning" : "error", sentence);
    put_location(s, scenario, NULL);
    end_result(s, scenario, name);
    free(sentence);
}

static void put_row(struct sarif *s, const struct gate_row *row)
{
    const char *scenario = s->g->scenarios[row->scenario].name;
    char *what = gate_metric_words(row->metric), *words = gate_row_words(s->g, row);
    char *margin = gate_margin_words(row->metric);
    char *message = mem_format("%s in scenario '%s': %s: %s. It %s.", what, scenario,
                               gate_row_name(s->g, row), words, margin);
    const char *level = row->verdict == GATE_ROW_FAIL   ? "error"
                        : row->verdict == GATE_ROW_WARN ? "warning"
                                                        : NULL;
    begin_result(s, row->metric->path, metric_rule(s->g, row->metric), level, message);
    put_location(s, scenario, row->metric);
    end_result(s, scenario, row->metric->path);
    free(what);
    free(words);
    free(margin);
    free(message);
}

static void put_results(struct sarif *s)
{
    const struct gate *g = s->g;
    json_begin_array(&s->j, "results");
    for (size_t i = 0; i < g->finding_count; i++)
        put_finding(s, &g->findings[i]);
    if (tells_stage(g)) {
        begin_result(s, gate_stage_names[g->stage], stage_rule(g->stage), "error", g->reason);
        put_location(s, NULL, NULL);
        end_result(s, NULL, gate_stage_names[g->stage]);
    }
    for (size_t i = 0; i < row_count(g); i++)
        if (is_judged(g, &g->rows[i]))
            put_row(s, &g->rows[i]);
    json_end_array(&s->j);
}

/* ---- the log ---- */

static void put_tool(struct sarif *s)
{
    json_begin_object(&s->j, "tool");
    json_begin_object(&s->j, "driver");
    json_text(&s->j, "name", "fauxfleet gate");
    json_text(&s->j, "version", s->g->version);
    put_rules(s);
    json_end_object(&s->j);
    json_end_object(&s->j);
}

static void put_invocation(struct sarif *s)
{
    json_begin_array(&s->j, "invocations");
    json_begin_object(&s->j, NULL);
    json_text(&s->j, "commandLine", s->g->command);
    json_bool(&s->j, "executionSuccessful", true);
    json_end_object(&s->j);
    json_end_array(&s->j);
}

void gate_report_sarif(const struct gate *g, struct out *out)
{
    struct sarif s = {.g = g};
    json_init(&s.j, out, 1);
    json_begin_object(&s.j, NULL);
    json_text(&s.j, "$schema", SCHEMA);
    json_text(&s.j, "version", "2.1.0");
    json_begin_array(&s.j, "runs");
    json_begin_object(&s.j, NULL);
    put_tool(&s);
    put_invocation(&s);
    json_text(&s.j, "columnKind", "unicodeCodePoints");
    put_results(&s);
    json_begin_object(&s.j, "properties");
    json_text(&s.j, "suite", g->suite);
    json_text(&s.j, "verdict", gate_verdict_names[g->verdict]);
    json_text(&s.j, "reason", g->reason);
    json_end_object(&s.j);
    json_end_object(&s.j);
    json_end_array(&s.j);
    json_end_object(&s.j);
    out_char(out, '\n');
}
