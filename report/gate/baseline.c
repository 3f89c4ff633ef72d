/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the base's replicas in a file; see baseline.h. */
#include "report/gate/baseline.h"

#include "report/gate/packed.h"
#include "report/results/rundir.h"
#include "scenarios/schema/check.h"
#include "sim/base/file.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS        9 /* more than summaries have, so numbers are restored exactly */
#define SUMMARIES_MAX ((size_t)1 << 30)

static const struct schema_row bound_rows[] = {
    {.key = "at_least", .type = SCHEMA_NUMBER, .min = -1e300, .max = 1e300, .required = true}, {0}};
static const struct schema_row bound = {.type = SCHEMA_OBJECT, .child = bound_rows};
static const struct schema_row value = {
    .type = SCHEMA_NUMBER, .min = -1e300, .max = 1e300, .other = &bound};
static const struct schema_row replica_rows[] = {
    {.key = "seed", .type = SCHEMA_SEED, .required = true},
    {.key = "trace_digest", .type = SCHEMA_TEXT, .required = true},
    {.key = "journal_sha256", .type = SCHEMA_TEXT, .required = true},
    {.key = "window_start_s", .type = SCHEMA_NUMBER, .min = -1e300, .max = 1e300},
    {.key = "longest_wait_s", .type = SCHEMA_NUMBER, .max = 1e300, .other = &bound},
    {.key = "values", .type = SCHEMA_OBJECT, .open = &value, .required = true},
    {.key = "decisions", .type = SCHEMA_TEXT},
    {0},
};
static const struct schema_row replica = {.type = SCHEMA_OBJECT, .child = replica_rows};
static const struct schema_row scenario_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true},
    {.key = "scenario_digest", .type = SCHEMA_TEXT, .required = true},
    {.key = "summaries", .type = SCHEMA_TEXT},
    {.key = "warmup_ms", .type = SCHEMA_INTEGER, .max = 1e15},
    {.key = "replicas", .type = SCHEMA_LIST, .max = 100000, .child = &replica, .required = true},
    {0},
};
static const struct schema_row scenario = {.type = SCHEMA_OBJECT, .child = scenario_rows};
static const struct schema_row baseline_rows[] = {
    {.key = "fauxfleet_baseline", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true},
    {.key = "version", .type = SCHEMA_TEXT, .required = true},
    {.key = "metrics_version", .type = SCHEMA_INTEGER, .min = 1, .max = 1000000, .required = true},
    {.key = "suite", .type = SCHEMA_TEXT},
    {.key = "policy", .type = SCHEMA_TEXT, .required = true},
    {.key = "scenarios", .type = SCHEMA_LIST, .max = 1000, .child = &scenario, .required = true},
    {0},
};
static const struct schema_row baseline = {.type = SCHEMA_OBJECT, .child = baseline_rows};

/* ---- reading ---- */

/* A baseline of another version may contain anything: it is incompatible, not damaged. */
static bool check_tree(struct gate_baseline *b, struct err *err)
{
    const cJSON *version = json_member(b->source.root, "fauxfleet_baseline");
    if (cJSON_IsNumber(version) && version->valuedouble >= 2)
        return err_set(err, EXIT_BASELINE,
                       "%s: fauxfleet_baseline: version %.0f is unknown: make it again",
                       b->source.name, version->valuedouble);
    struct check check = {.where = check_where_file, .of = &b->source, .whole = true, .err = err};
    return check_value(&check, &baseline, b->source.root);
}

static bool check_or_close(struct gate_baseline *b, bool ok, struct err *err)
{
    ok = ok && check_tree(b, err);
    if (!ok)
        baseline_close(b);
    return ok;
}

bool baseline_open(struct gate_baseline *b, const char *path, struct err *err)
{
    *b = (struct gate_baseline){0};
    if (file_find(path, err) == FILE_ABSENT)
        return err_set(err, EXIT_BASELINE,
                       "%s: there is no such baseline: make one with --save-baseline", path);
    return check_or_close(b, json_source_open_max(&b->source, path, (size_t)256 << 20, err), err);
}

bool baseline_parse(struct gate_baseline *b, const char *name, const char *text, size_t n,
                    struct err *err)
{
    *b = (struct gate_baseline){0};
    return check_or_close(b, json_source_parse(&b->source, name, text, n, err), err);
}

void baseline_close(struct gate_baseline *b)
{
    json_source_close(&b->source);
}

/* ---- as the base's replicas ---- */

static struct measured measured_of(const cJSON *item)
{
    if (cJSON_IsNumber(item))
        return (struct measured){item->valuedouble, false};
    const cJSON *at_least = json_member(item, "at_least");
    return (struct measured){at_least != NULL ? at_least->valuedouble : (double)NAN,
                             at_least != NULL};
}

static void take_replica(struct gate *g, size_t s, const cJSON *from)
{
    struct gate_replica *r = gate_add(g, s, SIDE_A);
    const cJSON *values = json_member(from, "values"),
                *longest = json_member(from, "longest_wait_s");
    r->seed = check_seed(json_member(from, "seed"));
    r->start_s = json_number_at(from, "window_start_s");
    (void)snprintf(r->trace, sizeof r->trace, "%s", json_text_at(from, "trace_digest"));
    (void)snprintf(r->journal, sizeof r->journal, "%s", json_text_at(from, "journal_sha256"));
    if (longest != NULL)
        r->longest = measured_of(longest);
    for (size_t m = 0; m < g->metric_count; m++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(values, g->metrics[m].path);
        if (item != NULL && !cJSON_IsNull(item))
            r->values[m] = measured_of(item);
    }
    const char *decisions = json_text_at(from, "decisions");
    r->decisions = *decisions != '\0' ? mem_text(decisions) : NULL;
}

/* Reads the summaries of all replicas, each terminated by a NUL; old baselines have none. */
static bool take_summaries(const struct gate_baseline *b, struct gate_side *to, const cJSON *from,
                           struct err *err)
{
    const char *packed = json_text_at(from, "summaries");
    size_t n = 0, at = 0;
    if (*packed == '\0')
        return true;
    char *texts = packed_open(packed, SUMMARIES_MAX, &n);
    if (texts == NULL)
        return err_set(err, EXIT_BASELINE,
                       "%s: scenario '%.64s': the summaries are damaged: make the baseline again",
                       b->source.name, json_text_at(from, "name"));
    for (size_t k = 0; k < to->count && at < n; k++) {
        to->replicas[k].summary = mem_text(texts + at);
        at += strlen(texts + at) + 1;
    }
    free(texts);
    return true;
}

static const cJSON *scenario_named(const cJSON *list, const char *name)
{
    for (const cJSON *item = list->child; item != NULL; item = item->next)
        if (strcmp(json_text_at(item, "name"), name) == 0)
            return item;
    return NULL;
}

int64_t baseline_warmup_ms(const struct gate_baseline *b, const char *scenario_name)
{
    const cJSON *from = scenario_named(json_member(b->source.root, "scenarios"), scenario_name);
    const cJSON *ms = from != NULL ? json_member(from, "warmup_ms") : NULL;
    return ms != NULL ? (int64_t)ms->valuedouble : 0;
}

static bool take_scenario(const struct gate_baseline *b, struct gate *g, size_t s, struct err *err)
{
    const struct gate_scenario *to = &g->scenarios[s];
    const cJSON *from = scenario_named(json_member(b->source.root, "scenarios"), to->name);
    if (from == NULL)
        return err_set(err, EXIT_BASELINE, "%s: the baseline has no scenario '%s'", b->source.name,
                       to->name);
    const char *digest = json_text_at(from, "scenario_digest");
    if (strcmp(digest, to->digest) != 0)
        return err_set(
            err, EXIT_BASELINE,
            "%s: scenario '%s' is not the one of the baseline (scenario_digest %s there, %s here)",
            b->source.name, to->name, digest, to->digest);
    const cJSON *replicas = json_member(from, "replicas");
    int wanted = g->looks[g->look_count - 1], has = cJSON_GetArraySize(replicas);
    if (has < wanted)
        return err_set(
            err, EXIT_BASELINE,
            "%s: the baseline has %d replicas of scenario '%s', and the last look wants %d",
            b->source.name, has, to->name, wanted);
    const cJSON *item = replicas->child;
    for (int k = 0; k < wanted; k++, item = item->next)
        take_replica(g, s, item);
    return take_summaries(b, &g->scenarios[s].sides[SIDE_A], from, err);
}

const char *baseline_decisions(const struct gate_baseline *b, const char *scenario_name,
                               int replica_number)
{
    const cJSON *from = scenario_named(json_member(b->source.root, "scenarios"), scenario_name);
    const cJSON *item =
        from != NULL ? cJSON_GetArrayItem(json_member(from, "replicas"), replica_number - 1) : NULL;
    const char *decisions = item != NULL ? json_text_at(item, "decisions") : "";
    return *decisions != '\0' ? decisions : NULL;
}

static bool has_metric(const struct gate *g, size_t metric)
{
    for (size_t s = 0; s < g->scenario_count; s++)
        if (gate_has_value(&g->scenarios[s].sides[SIDE_A], metric))
            return true;
    return false;
}

bool baseline_apply(const struct gate_baseline *b, struct gate *g, struct err *err)
{
    const cJSON *root = b->source.root;
    const char *version = json_text_at(root, "version");
    double metrics = json_number_at(root, "metrics_version");
    if (strcmp(version, g->version) != 0)
        return err_set(err, EXIT_BASELINE, "%s: made by version %s of fauxfleet, this is %s",
                       b->source.name, version, g->version);
    if (metrics < METRICS_VERSION || metrics > METRICS_VERSION)
        return err_set(err, EXIT_BASELINE,
                       "%s: metrics are defined as of version %.0f there, %d here", b->source.name,
                       metrics, METRICS_VERSION);
    for (size_t s = 0; s < g->scenario_count; s++)
        if (!take_scenario(b, g, s, err))
            return false;
    for (size_t m = 0; m < g->metric_count; m++)
        if (g->metrics[m].own == NULL && !has_metric(g, m))
            return err_set(err, EXIT_BASELINE, "%s: the baseline has no value of the metric '%s'",
                           b->source.name, g->metrics[m].path);
    free(g->names[SIDE_A]);
    g->names[SIDE_A] = mem_text(json_text_at(root, "policy"));
    return true;
}

/* ---- writing ---- */

static void put_measured(struct json *j, const char *key, const struct measured *m)
{
    if (isnan(m->value))
        return;
    if (!m->at_least) {
        json_f64(j, key, m->value, DIGITS);
        return;
    }
    json_begin_object(j, key);
    json_f64(j, "at_least", m->value, DIGITS);
    json_end_object(j);
}

static void put_replica(struct json *j, const struct gate *g, const struct gate_replica *r,
                        int64_t *decisions_left)
{
    char seed[32];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, r->seed);
    json_begin_object(j, NULL);
    json_text(j, "seed", seed);
    json_text(j, "trace_digest", r->trace);
    json_text(j, "journal_sha256", r->journal);
    json_f64(j, "window_start_s", r->start_s, DIGITS);
    put_measured(j, "longest_wait_s", &r->longest);
    json_begin_object(j, "values");
    for (size_t m = 0; m < g->metric_count; m++)
        put_measured(j, g->metrics[m].path, &r->values[m]);
    json_end_object(j);
    if (*decisions_left >= 0 && r->decisions != NULL)
        *decisions_left -= (int64_t)strlen(r->decisions);
    if (*decisions_left >= 0 && r->decisions != NULL)
        json_text(j, "decisions", r->decisions);
    json_end_object(j);
}

static void put_summaries(struct json *j, const struct gate_side *side)
{
    struct out *out = out_memory();
    size_t n;
    for (size_t k = 0; k < side->count; k++) {
        const char *text = side->replicas[k].summary != NULL ? side->replicas[k].summary : "";
        out_bytes(out, text, strlen(text) + 1);
    }
    const char *texts = out_memory_text(out, &n);
    if (side->count > 0 && side->replicas[0].summary != NULL && n <= SUMMARIES_MAX) {
        char *packed = packed_make(texts, n);
        json_text(j, "summaries", packed);
        free(packed);
    }
    out_discard(out);
}

bool baseline_write(const struct gate *g, const char *path, struct err *err)
{
    struct out *out = out_open(path, err);
    struct json j;
    if (out == NULL)
        return false;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_i64(&j, "fauxfleet_baseline", 1);
    json_text(&j, "version", g->version);
    json_i64(&j, "metrics_version", METRICS_VERSION);
    json_text(&j, "suite", g->suite);
    json_text(&j, "policy", g->names[SIDE_A]);
    json_begin_array(&j, "scenarios");
    for (size_t s = 0; s < g->scenario_count; s++) {
        const struct gate_side *base = &g->scenarios[s].sides[SIDE_A];
        json_begin_object(&j, NULL);
        json_text(&j, "name", g->scenarios[s].name);
        json_text(&j, "scenario_digest", g->scenarios[s].digest);
        if (g->scenarios[s].warmup_ms >= 0)
            json_i64(&j, "warmup_ms", g->scenarios[s].warmup_ms);
        put_summaries(&j, base);
        int64_t left = BASELINE_DECISIONS_MAX;
        json_begin_array(&j, "replicas");
        for (size_t k = 0; k < base->count; k++)
            put_replica(&j, g, &base->replicas[k], &left);
        json_end_array(&j);
        json_end_object(&j);
    }
    json_end_array(&j);
    json_end_object(&j);
    out_char(out, '\n');
    return out_close(out, err);
}
