/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses targets; see target.h. */
#include "report/plan/target.h"

#include "report/measure/waits.h"
#include "report/words/metric_rows.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/base/text.h"
#include "traces/trace.h"

#include <stdlib.h>
#include <string.h>

#define TARGET_MOST ((size_t)512) /* length of a target in bytes */

const char *const target_comparison_signs[] = {"<=", "<", ">=", ">"};

static const char *const statistics[] = {"mean", "gmean", "p50", "p90", "p95", "p99", "max"};

static const struct {
    const char *name, *family;
} measures[] = {
    {"wait", "wait_s"},
    {"queue", "queue_s"},
    {"jct", "jct_s"},
    {"slowdown", "bounded_slowdown"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct reader {
    const char *what; /* "target", in messages */
    struct target *target;
    const char *at; /* position in target->text */
    char *end;      /* end of the used part of `steps` */
    struct err *err;
};

/* ---- pieces ---- */

static void skip_blanks(struct reader *r)
{
    r->at += strspn(r->at, " \t");
}

static bool wrong(const struct reader *r, const char *at, const char *what, const char *hint)
{
    return err_set(r->err, EXIT_INPUT, "%s '%s', column %zu: %s%s", r->what, r->target->text,
                   (size_t)(at - r->target->text) + 1, what, hint);
}

static bool unknown(const struct reader *r, const char *at, const char *what, const char *name,
                    const char *const *names, size_t count, size_t stride)
{
    char hint[160];
    char *text = mem_format("no %s is named '%.64s'", what, name);
    (void)wrong(r, at, text, text_suggest(hint, sizeof hint, name, names, count, stride));
    free(text);
    return false;
}

static bool unknown_metric(const struct reader *r, const char *at, const char *what,
                           const char *name)
{
    size_t count;
    const char **names = metric_names(&count);
    (void)unknown(r, at, what, name, names, count, sizeof *names);
    free(names);
    return false;
}

/* Appends a step; `steps` has room for the whole text and a few words more. */
static bool add_step(struct reader *r, const char *name, size_t n)
{
    struct target *t = r->target;
    if (t->step_count == TARGET_STEPS)
        return wrong(r, r->at, "a path with more parts than any metric has", "");
    t->step[t->step_count++] = r->end;
    memcpy(r->end, name, n);
    r->end += n;
    *r->end++ = '\0';
    return true;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    skip_blanks(r);
    return true;
}

static size_t name_length(const char *p)
{
    return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static bool is_statistic(const char *name, size_t n)
{
    for (size_t i = 0; i < COUNT(statistics); i++)
        if (strlen(statistics[i]) == n && memcmp(statistics[i], name, n) == 0)
            return true;
    return false;
}

/* ---- statistic(measure){key=value} ---- */

/* Returns the metric family of a measure; `name` itself if it is not a short name. */
static const char *family_of(const char *name)
{
    for (size_t i = 0; i < COUNT(measures); i++)
        if (strcmp(measures[i].name, name) == 0)
            return measures[i].family;
    return name;
}

static bool read_value(struct reader *r, const char **value, size_t *n)
{
    *value = r->at;
    *n = strcspn(r->at, "}");
    if (r->at[*n] == '\0')
        return wrong(r, r->at + *n, "expected '}'", "");
    r->at += *n + 1;
    while (*n > 0 && ((*value)[*n - 1] == ' ' || (*value)[*n - 1] == '\t'))
        --*n;
    return *n > 0 || wrong(r, *value, "expected a name", "");
}

/* {class=distributed}: selects jobs; becomes the first steps of the path. */
static bool read_filter(struct reader *r, bool fairness)
{
    static const struct {
        const char *key;
        const char *steps[2];
    } keys[] = {
        {"class", {"by_class", NULL}},
        {"size", {"by_size", NULL}},
        {"queue", {"by_queue", NULL}},
    };
    static const char *const shares[2] = {"fairness", "queues"};
    if (!take(r, '{'))
        return true;
    const char *key = r->at, *value;
    size_t n = name_length(key), length;
    char name[32] = "";
    memcpy(name, key, n < sizeof name ? n : sizeof name - 1);
    size_t k = 0;
    while (k < COUNT(keys) && strcmp(keys[k].key, name) != 0)
        k++;
    if (k == COUNT(keys))
        return unknown(r, key, "filter (class, size, queue)", name, &keys[0].key, COUNT(keys),
                       sizeof *keys);
    r->at += n;
    if (!take(r, '='))
        return wrong(r, r->at, "expected '='", "");
    if (!read_value(r, &value, &length))
        return false;
    const char *const *steps = fairness && strcmp(name, "queue") == 0 ? shares : keys[k].steps;
    for (size_t i = 0; i < COUNT(shares) && steps[i]; i++)
        if (!add_step(r, steps[i], strlen(steps[i])))
            return false;
    return add_step(r, value, length);
}

static bool read_function(struct reader *r, const char *statistic, size_t n)
{
    char measure[64] = "";
    const char *at = r->at;
    size_t length = name_length(at);
    memcpy(measure, at, length < sizeof measure ? length : sizeof measure - 1);
    r->at += length;
    const char *family = family_of(measure);
    const struct metric_row *row = metric_find(family);
    if (row == NULL || strcmp(row->name, family) != 0) {
        const char *near =
            text_nearest(measure, &measures[0].name, COUNT(measures), sizeof *measures);
        return near ? unknown(r, at, "measure", measure, &measures[0].name, COUNT(measures),
                              sizeof *measures)
                    : unknown_metric(r, at, "measure", measure);
    }
    if (!take(r, ')'))
        return wrong(r, r->at, "expected ')'", "");
    return read_filter(r, false) && add_step(r, family, strlen(family)) &&
           add_step(r, statistic, n);
}

/* ---- dotted paths ---- */

static bool read_steps(struct reader *r)
{
    for (;;) {
        size_t n = strcspn(r->at, ". \t<>=!{");
        if (n == 0)
            return wrong(r, r->at, "expected a metric, such as p95(wait) or utilization.allocation",
                         "");
        if (!add_step(r, r->at, n))
            return false;
        r->at += n;
        /* The size "<1" starts with a character that ends other steps. */
        if (strncmp(r->at, ".<1.", 4) == 0) {
            if (!add_step(r, "<1", 2))
                return false;
            r->at += 3;
        }
        if (*r->at != '.')
            return true;
        r->at++;
    }
}

/* Metrics of a group of jobs lie below the group: evictions{queue=a} is by_queue.a.evictions. */
static bool read_path(struct reader *r)
{
    static const char fairness[] = "fairness.", jobs[] = "jobs.";
    const char *path = r->at, *brace = path + strcspn(path, "{ \t<>=!");
    if (brace[strspn(brace, " \t")] != '{')
        return read_steps(r);
    bool shares = strncmp(path, fairness, sizeof fairness - 1) == 0;
    r->at = brace;
    if (!read_filter(r, shares))
        return false;
    const char *behind = r->at;
    if (shares && strcmp(r->target->step[0], "fairness") == 0)
        path += sizeof fairness - 1;
    else if (strncmp(path, jobs, sizeof jobs - 1) == 0) /* by_queue.a.completed */
        path += sizeof jobs - 1;
    r->at = path;
    bool ok = read_steps(r);
    r->at = behind;
    return ok;
}

/* ---- meaning of the path ---- */

static char *path_of(const struct target *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->step_count; i++)
        n += strlen(t->step[i]) + 1;
    char *path = mem_alloc(n + 1, 1), *p = path;
    for (size_t i = 0; i < t->step_count; i++) {
        /* Queue names may contain dots, which the table of metrics would take for separators. */
        const char *step = strchr(t->step[i], '.') ? "x" : t->step[i];
        if (i > 0)
            *p++ = '.';
        memcpy(p, step, strlen(step) + 1);
        p += strlen(step);
    }
    return path;
}

static bool check_name(const struct reader *r, const char *what, const char *name,
                       const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return unknown(r, r->target->text, what, name, names, count, sizeof *names);
}

/* Returns the rest of the path after the row's name; the row may have steps "*". */
static const char *rest_of(const struct target *t, const struct metric_row *row)
{
    size_t steps = 1;
    for (const char *p = row->name; *p; p++)
        steps += *p == '.';
    return t->step_count > steps ? t->step[steps] : NULL;
}

static bool check_path(struct reader *r)
{
    struct target *t = r->target;
    if (t->step_count > 1 && strcmp(t->step[0], "by_class") == 0 &&
        !check_name(r, "class", t->step[1], trace_class_names, TRACE_CLASSES))
        return false;
    if (t->step_count > 1 && strcmp(t->step[0], "by_size") == 0 &&
        !check_name(r, "size", t->step[1], waits_size_names, WAITS_SIZES))
        return false;
    char *path = path_of(t);
    const struct metric_row *row = metric_find(path);
    bool ok = row != NULL;
    if (!ok) {
        (void)unknown_metric(r, t->text, "metric (see 'list metrics')", path);
    } else if (strcmp(row->unit, "text") == 0 || strcmp(row->unit, "digest") == 0) {
        ok = wrong(r, t->text, "this metric is not a number", "");
    }
    free(path);
    if (!ok)
        return false;
    t->is_time = strcmp(row->unit, "s") == 0;
    const char *rest = rest_of(t, row);
    size_t family = strlen(row->name);
    bool waits = t->is_time && family > 5 && strcmp(row->name + family - 2, "_s") == 0 &&
                 strncmp(row->name, "makespan", 8) != 0 && strstr(row->name, "_p") == NULL;
    if (waits && rest == NULL)
        return wrong(r, t->text, "which statistic of it? such as p95 or mean: ", row->name);
    return !waits || check_name(r, "statistic", rest, statistics, COUNT(statistics));
}

/* ---- comparison and number ---- */

static bool read_comparison(struct reader *r)
{
    skip_blanks(r);
    for (size_t i = 0; i < COUNT(target_comparison_signs); i++) {
        size_t n = strlen(target_comparison_signs[i]);
        if (strncmp(r->at, target_comparison_signs[i], n) == 0) {
            r->target->comparison = (enum target_comparison)i;
            r->at += n;
            skip_blanks(r);
            return true;
        }
    }
    return wrong(r, r->at, "expected <=, <, >= or >", "");
}

static bool read_unit(struct reader *r, const char *unit, double *factor)
{
    static const struct {
        const char *name;
        double factor;
        bool time;
    } units[] = {
        {"", 1, false},     {"s", 1, true},      {"m", 60, true},    {"h", 3600, true},
        {"d", 86400, true}, {"w", 604800, true}, {"%", 0.01, false},
    };
    for (size_t i = 0; i < COUNT(units); i++)
        if (strcmp(units[i].name, unit) == 0) {
            if (units[i].time && !r->target->is_time)
                return wrong(r, unit, "a unit of time, but this metric is none", "");
            if (*unit == '%' && r->target->is_time)
                return wrong(r, unit, "expected a time (s, m, h, d, w)", "");
            *factor = units[i].factor;
            return true;
        }
    return wrong(r, unit, "expected a unit: s, m, h, d or w of times, % of ratios, or nothing", "");
}

static bool read_limit(struct reader *r)
{
    const char *number = r->at;
    size_t n = strspn(number, "+-0123456789.");
    double factor = 1;
    if (!text_f64(number, n, &r->target->limit))
        return wrong(r, number, "expected a number, with a unit if it has one, such as 2h", "");
    r->at += n;
    skip_blanks(r);
    if (!read_unit(r, r->at, &factor))
        return false;
    r->target->limit *= factor;
    return true;
}

static bool begin(struct reader *r, struct target *target, const char *text, struct err *err)
{
    size_t n = strlen(text);
    *target = (struct target){0};
    if (n > TARGET_MOST)
        return err_set(err, EXIT_INPUT, "a target of more than %zu characters", TARGET_MOST);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    target->text = mem_text_n(text, n);
    target->steps = mem_alloc(2 * n + 128, 1);
    *r = (struct reader){
        .what = "target", .target = target, .at = target->text, .end = target->steps, .err = err};
    skip_blanks(r);
    return true;
}

static bool read_metric(struct reader *r)
{
    const char *first = r->at;
    size_t name = name_length(first);
    r->at += name;
    if (!take(r, '(')) {
        r->at = first;
        return read_path(r) && check_path(r);
    }
    if (is_statistic(first, name))
        return read_function(r, first, name) && check_path(r);
    char *word = mem_text_n(first, name);
    (void)unknown(r, first, "statistic", word, statistics, COUNT(statistics), sizeof *statistics);
    free(word);
    return false;
}

bool target_parse(struct target *target, const char *text, struct err *err)
{
    struct reader r;
    bool ok =
        begin(&r, target, text, err) && read_metric(&r) && read_comparison(&r) && read_limit(&r);
    if (!ok)
        target_fini(target);
    return ok;
}

char *target_metric(const char *text, struct err *err)
{
    if (text[strcspn(text, "({")] == '\0')
        return mem_text(text);
    struct reader r = {0};
    struct target target;
    struct out *path = out_memory();
    bool ok = begin(&r, &target, text, err);
    r.what = "metric";
    ok = ok && read_metric(&r);
    if (ok)
        skip_blanks(&r);
    if (ok && *r.at != '\0')
        ok = wrong(&r, r.at, "expected nothing behind the metric", "");
    for (size_t i = 0; ok && i < target.step_count; i++)
        out_format(path, "%s%s", i > 0 ? "." : "", target.step[i]);
    char *made = ok ? out_memory_take(path) : NULL;
    if (!ok)
        out_discard(path);
    target_fini(&target);
    return made;
}

void target_fini(struct target *target)
{
    free(target->text);
    free(target->steps);
    *target = (struct target){0};
}

/* ---- values ---- */

bool target_met_by(const struct target *target, double value)
{
    switch (target->comparison) {
    case TARGET_AT_MOST:
        return value <= target->limit;
    case TARGET_BELOW:
        return value < target->limit;
    case TARGET_AT_LEAST:
        return value >= target->limit;
    case TARGET_ABOVE:
        return value > target->limit;
    }
    return false;
}

enum target_found target_find(const struct target *target, const cJSON *summary, double *value)
{
    const cJSON *node = summary, *parent = NULL;
    for (size_t i = 0; i < target->step_count; i++) {
        parent = node;
        node =
            cJSON_IsObject(node) ? cJSON_GetObjectItemCaseSensitive(node, target->step[i]) : NULL;
    }
    if (cJSON_IsNumber(node)) {
        *value = node->valuedouble;
        return TARGET_KNOWN;
    }
    if (!cJSON_IsNull(node))
        return TARGET_ABSENT;
    char *key = mem_format("%s_at_least", target->step[target->step_count - 1]);
    const cJSON *least = cJSON_GetObjectItemCaseSensitive(parent, key);
    free(key);
    if (!cJSON_IsNumber(least))
        return TARGET_UNKNOWN;
    *value = least->valuedouble;
    return TARGET_AT_LEAST_SO;
}

bool target_met_in(const struct target *target, enum target_found found, double value)
{
    if (found == TARGET_AT_LEAST_SO && target_bounds_above(target))
        return false;
    return (found == TARGET_KNOWN || found == TARGET_AT_LEAST_SO) && target_met_by(target, value);
}

bool target_absent(const struct target *target, const cJSON *summary, struct err *err)
{
    const cJSON *node = summary;
    for (size_t i = 0; i < target->step_count; i++) {
        const cJSON *next =
            cJSON_IsObject(node) ? cJSON_GetObjectItemCaseSensitive(node, target->step[i]) : NULL;
        if (next == NULL) {
            size_t count = 0;
            const char *names[256];
            for (const cJSON *c = cJSON_IsObject(node) ? node->child : NULL;
                 c && count < COUNT(names); c = c->next)
                names[count++] = c->string;
            char hint[160];
            return err_set(
                err, EXIT_INPUT, "target '%s': the runs of this scenario have no '%.64s'%s",
                target->text, target->step[i],
                text_suggest(hint, sizeof hint, target->step[i], names, count, sizeof *names));
        }
        node = next;
    }
    return err_set(err, EXIT_INPUT, "target '%s': this metric is not one number; name a part of it",
                   target->text);
}
