/* SPDX-License-Identifier: MIT */
/* The configuration file; see config.h. */
#include "policies/adapters/slurm/config.h"

#include "policies/adapters/slurm/memory.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES   (16L << 20)
#define MOST_OPTION  9007199254740991.0 /* 2^53 - 1: integers up to here are exact */
#define MOST_QUEUES  10000
#define MOST_OPTIONS 1000

/* ---- errors ---- */

struct reader {
    const char *file;
    char path[192];
    char *error; /* CONFIG_ERROR bytes */
};

static bool fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = snprintf(r->error, CONFIG_ERROR, "%s: %s%s", r->file, r->path, *r->path ? ": " : "");
    if (n >= 0 && n < CONFIG_ERROR)
        (void)vsnprintf(r->error + n, (size_t)(CONFIG_ERROR - n), format, arguments);
    va_end(arguments);
    return false;
}

/* Descends one step in the path; returns the length to return to. */
static size_t enter(struct reader *r, const char *key, int index)
{
    size_t n = strlen(r->path);
    if (key != NULL)
        (void)snprintf(r->path + n, sizeof r->path - n, "%s%.60s", n > 0 ? "." : "", key);
    else
        (void)snprintf(r->path + n, sizeof r->path - n, "[%d]", index);
    return n;
}

static void leave(struct reader *r, size_t n)
{
    r->path[n] = '\0';
}

static bool check_twice(struct reader *r, const cJSON *object)
{
    for (const cJSON *at = object->child; at != NULL; at = at->next)
        for (const cJSON *other = object->child; other != at; other = other->next)
            if (strcmp(other->string, at->string) == 0)
                return fail(r, "the key '%.64s' is given twice", at->string);
    return true;
}

/* Checks that every key of the object is in the list "a b c". */
static bool check_keys(struct reader *r, const cJSON *object, const char *known)
{
    if (!cJSON_IsObject(object))
        return fail(r, "expected an object");
    for (const cJSON *at = object->child; at != NULL; at = at->next) {
        size_t n = strlen(at->string);
        const char *found = n > 0 ? strstr(known, at->string) : NULL;
        while (found != NULL &&
               !((found == known || found[-1] == ' ') && (found[n] == ' ' || found[n] == '\0')))
            found = strstr(found + 1, at->string);
        if (found == NULL)
            return fail(r, "unknown key '%.64s', expected one of: %s", at->string, known);
    }
    return check_twice(r, object);
}

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* ---- values; absent ones keep their defaults ---- */

static bool read_text(struct reader *r, const cJSON *object, const char *key, char **text)
{
    const cJSON *value = member(object, key);
    size_t n = enter(r, key, 0);
    if (value != NULL && !cJSON_IsString(value))
        return fail(r, "expected a text");
    leave(r, n);
    if (value == NULL)
        return true;
    free(*text);
    *text = memory_text(value->valuestring);
    return true;
}

/* A key with a number. Below `low` only -1 is allowed, and only where it means unlimited. */
struct number {
    const char *key;
    double low, high;
    double scale; /* factor to the internal unit */
    bool whole;
    bool or_unlimited;
};

static bool fits(const struct number *number, double x)
{
    if (number->or_unlimited && x == -1)
        return true;
    return x >= number->low && x <= number->high && (!number->whole || floor(x) == x);
}

static bool fail_number(struct reader *r, const struct number *number, const cJSON *value)
{
    char *shown = cJSON_PrintUnformatted(value);
    (void)fail(r, "expected %s from %.0f to %.0f%s, got %.64s",
               number->whole ? "an integer" : "a number", number->low, number->high,
               number->or_unlimited ? ", or -1 for unlimited" : "",
               shown != NULL ? shown : "something else");
    cJSON_free(shown);
    return false;
}

static bool read_number(struct reader *r, const cJSON *object, const struct number *number,
                        int64_t *kept)
{
    const cJSON *value = member(object, number->key);
    if (value == NULL)
        return true;
    size_t n = enter(r, number->key, 0);
    double x = cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
    if (!fits(number, x))
        return fail_number(r, number, value);
    leave(r, n);
    *kept = number->or_unlimited && x == -1 ? POLICY_UNLIMITED : llround(x * number->scale);
    return true;
}

static bool read_bool(struct reader *r, const cJSON *object, const char *key, bool *flag)
{
    const cJSON *value = member(object, key);
    size_t n = enter(r, key, 0);
    if (value != NULL && !cJSON_IsBool(value))
        return fail(r, "expected true or false");
    leave(r, n);
    *flag = value != NULL ? cJSON_IsTrue(value) : *flag;
    return true;
}

static bool read_priority(struct reader *r, const cJSON *object, int32_t *priority)
{
    static const struct number row = {"priority", -1e9, 1e9, 1, .whole = true};
    int64_t number = *priority;
    bool ok = read_number(r, object, &row, &number);
    *priority = (int32_t)number;
    return ok;
}

/* ---- the policy ---- */

/* Text of a string, number or boolean; NULL for anything else. */
static char *scalar_text(const cJSON *value)
{
    if (cJSON_IsString(value))
        return memory_text(value->valuestring);
    if (cJSON_IsBool(value))
        return memory_text(cJSON_IsTrue(value) ? "true" : "false");
    double x = value->valuedouble;
    if (!cJSON_IsNumber(value) || !(fabs(x) <= MOST_OPTION))
        return NULL;
    return memory_format(x == floor(x) ? "%.0f" : "%.9g", x);
}

/* The same, or a list joined by commas. */
static char *option_text(const cJSON *value)
{
    if (!cJSON_IsArray(value))
        return scalar_text(value);
    char *text = memory_text("");
    for (const cJSON *part = value->child; part != NULL && text != NULL; part = part->next) {
        char *last = scalar_text(part), *shorter = text;
        text = last != NULL ? memory_format("%s%s%s", text, part == value->child ? "" : ",", last)
                            : NULL;
        free(last);
        free(shorter);
    }
    return text;
}

static void forget_policy(struct config *c)
{
    for (size_t i = 0; i < c->option_count; i++) {
        free(c->options[i]);
        free(c->values[i]);
    }
    free(c->options);
    free(c->values);
    free(c->policy);
    c->policy = NULL;
    c->options = c->values = NULL;
    c->option_count = 0;
}

static bool read_policy(struct reader *r, struct config *c, const cJSON *from)
{
    if (!check_keys(r, from, "name options"))
        return false;
    const cJSON *name = member(from, "name"), *options = member(from, "options"), *option;
    if (!cJSON_IsString(name))
        return fail(r, "expected the \"name\" of a policy");
    if (options != NULL && !cJSON_IsObject(options))
        return fail(r, "options: expected an object");
    forget_policy(c);
    c->policy = memory_text(name->valuestring);
    size_t count = options != NULL ? (size_t)cJSON_GetArraySize(options) : 0;
    if (count > MOST_OPTIONS)
        return fail(r, "options: expected at most %d, got %zu", MOST_OPTIONS, count);
    if (count > 0 && !check_twice(r, options))
        return false;
    c->options = memory_get(count, sizeof *c->options);
    c->values = memory_get(count, sizeof *c->values);
    cJSON_ArrayForEach(option, options)
    {
        if (cJSON_IsNull(option))
            continue;
        char *text = option_text(option);
        if (text == NULL)
            return fail(r,
                        "options.%.64s: expected text, true, false, a number of magnitude up to "
                        "%.0f, or a list of these",
                        option->string, MOST_OPTION);
        c->options[c->option_count] = memory_text(option->string);
        c->values[c->option_count++] = text;
    }
    return true;
}

/* ---- queues ---- */

/* A queue has a quota, a limit and a weight for GPUs, cores and MiB. */
struct resource {
    const char *key;
    double high, scale;
    bool whole;
};

static const struct resource gpu_row = {"gpu", 1e9, 1000, false};
static const struct resource cpu_row = {"cpu", 1e9, 1000, false};
static const struct resource mem_row = {"mem", 1e12, 1, true};

static bool read_share(struct reader *r, const cJSON *queue, const struct resource *row,
                       struct policy_share *share)
{
    static const struct number weight = {"weight", 0, 1e6, 1000, false, false};
    const struct number quota = {"quota", 0, row->high, row->scale, row->whole, true};
    const struct number limit = {"limit", 0, row->high, row->scale, row->whole, true};
    const cJSON *from = member(queue, row->key);
    size_t n = enter(r, row->key, 0);
    bool ok = from == NULL || (check_keys(r, from, "quota limit weight") &&
                               read_number(r, from, &quota, &share->quota) &&
                               read_number(r, from, &limit, &share->limit) &&
                               read_number(r, from, &weight, &share->weight));
    if (ok)
        leave(r, n);
    return ok;
}

/* The adapter's pools are the sets of partitions that nodes are in, and change with them. */
static bool refuse_pool_quotas(struct reader *r, const cJSON *queue)
{
    if (member(member(queue, "gpu"), "by_pool") == NULL &&
        member(queue, "gangs_span_pools") == NULL)
        return true;
    return fail(r,
                "%s: the adapter has no quotas by pool: make a queue of each partition, with its "
                "quota",
                member(queue, "gangs_span_pools") != NULL ? "gangs_span_pools" : "gpu.by_pool");
}

const struct config_queue *config_find_queue(const struct config *c, const char *name)
{
    for (size_t i = 0; i < c->queue_count; i++)
        if (strcmp(c->queues[i].name, name) == 0)
            return &c->queues[i];
    return NULL;
}

struct config_queue config_plain_queue(char *name, char *parent)
{
    return (struct config_queue){
        .name = name,
        .parent = parent,
        .gpu = {0, POLICY_UNLIMITED, 1000},
        .cpu = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000},
        .mem = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000},
        .preempt_min_runtime_ms = POLICY_INHERIT,
        .reclaim_min_runtime_ms = POLICY_INHERIT,
    };
}

static bool read_queue(struct reader *r, struct config *c, const cJSON *from)
{
    static const struct number preempt_row = {"preempt_min_runtime_s", 0, 1e9, 1000,
                                              .whole = false};
    static const struct number reclaim_row = {"reclaim_min_runtime_s", 0, 1e9, 1000,
                                              .whole = false};
    struct config_queue queue = config_plain_queue(memory_text(""), memory_text(""));
    bool ok =
        refuse_pool_quotas(r, from) &&
        check_keys(r, from,
                   "name parent priority gpu cpu mem preempt_min_runtime_s reclaim_min_runtime_s "
                   "suspended") &&
        read_text(r, from, "name", &queue.name) && read_text(r, from, "parent", &queue.parent) &&
        read_priority(r, from, &queue.priority) && read_share(r, from, &gpu_row, &queue.gpu) &&
        read_share(r, from, &cpu_row, &queue.cpu) && read_share(r, from, &mem_row, &queue.mem) &&
        read_number(r, from, &preempt_row, &queue.preempt_min_runtime_ms) &&
        read_number(r, from, &reclaim_row, &queue.reclaim_min_runtime_ms) &&
        read_bool(r, from, "suspended", &queue.suspended);
    if (ok && *queue.name == '\0')
        ok = fail(r, "expected the \"name\" of a queue");
    if (ok && config_find_queue(c, queue.name) != NULL)
        ok = fail(r, "there is another queue '%.64s'", queue.name);
    if (ok && *queue.parent != '\0' && config_find_queue(c, queue.parent) == NULL)
        ok = fail(r, "parent: no queue '%.64s' before this one", queue.parent);
    if (ok) {
        c->queues[c->queue_count++] = queue;
        return true;
    }
    free(queue.name);
    free(queue.parent);
    return false;
}

/* ---- rules ---- */

static bool read_class(struct reader *r, const cJSON *from, int32_t *workload)
{
    static const char *const names[] = {
        [POLICY_TRAIN] = "train", [POLICY_BUILD] = "build", [POLICY_INFERENCE] = "inference"};
    char *name = memory_text(names[POLICY_TRAIN]);
    bool ok = read_text(r, from, "class", &name);
    *workload = -1;
    for (int32_t i = 0; ok && i <= POLICY_INFERENCE; i++)
        *workload = strcmp(name, names[i]) == 0 ? i : *workload;
    if (ok && *workload < 0)
        ok = fail(r, "class: '%.64s', expected train, build or inference", name);
    free(name);
    return ok;
}

static bool read_rule(struct reader *r, struct config *c, const cJSON *from)
{
    static const int32_t priority_of[] = {
        [POLICY_TRAIN] = 50, [POLICY_BUILD] = 100, [POLICY_INFERENCE] = 125};
    struct config_rule *rule = &c->rules[c->rule_count];
    *rule = (struct config_rule){
        memory_text(""), memory_text(""), memory_text(""), 0, POLICY_TRAIN, true};
    c->rule_count++;
    if (!check_keys(r, from, "partition account qos priority preemptible class") ||
        !read_class(r, from, &rule->workload))
        return false;
    rule->priority = priority_of[rule->workload];
    if (!read_priority(r, from, &rule->priority))
        return false;
    rule->preemptible = rule->priority < 100;
    return read_bool(r, from, "preemptible", &rule->preemptible) &&
           read_text(r, from, "partition", &rule->partition) &&
           read_text(r, from, "account", &rule->account) && read_text(r, from, "qos", &rule->qos);
}

/* ---- the file ---- */

static bool read_list(struct reader *r, struct config *c, const cJSON *list,
                      bool (*read)(struct reader *, struct config *, const cJSON *))
{
    const cJSON *item;
    int index = 0;
    if (list != NULL && (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > MOST_QUEUES))
        return fail(r, "expected a list of at most %d", MOST_QUEUES);
    cJSON_ArrayForEach(item, list)
    {
        size_t n = enter(r, NULL, index++);
        if (!read(r, c, item))
            return false;
        leave(r, n);
    }
    return true;
}

static bool read_root(struct reader *r, struct config *c, const cJSON *root)
{
    if (!check_keys(r, root, "fauxfleet_slurm policy queue_by queues jobs"))
        return false;
    const cJSON *version = member(root, "fauxfleet_slurm"), *policy = member(root, "policy");
    if (!cJSON_IsNumber(version) || version->valuedouble != 1)
        return fail(r, "expected \"fauxfleet_slurm\": 1");
    size_t n = enter(r, "policy", 0);
    if (policy != NULL && !read_policy(r, c, policy))
        return false;
    leave(r, n);
    char *by = memory_text("partition");
    bool ok = read_text(r, root, "queue_by", &by);
    c->by_account = ok && strcmp(by, "account") == 0;
    if (ok && !c->by_account && strcmp(by, "partition") != 0)
        ok = fail(r, "queue_by: '%.64s', expected partition or account", by);
    free(by);
    const cJSON *queues = member(root, "queues"), *jobs = member(root, "jobs");
    c->queues = memory_get((size_t)cJSON_GetArraySize(queues), sizeof *c->queues);
    c->rules = memory_get((size_t)cJSON_GetArraySize(jobs), sizeof *c->rules);
    n = enter(r, "queues", 0);
    ok = ok && read_list(r, c, queues, read_queue);
    if (ok)
        leave(r, n);
    n = ok ? enter(r, "jobs", 0) : 0;
    ok = ok && read_list(r, c, jobs, read_rule);
    if (ok)
        leave(r, n);
    return ok;
}

/* Returns bytes to be freed; NULL with the error set. */
static char *read_bytes(struct reader *r, size_t *n)
{
    FILE *file = fopen(r->file, "rb");
    if (file == NULL) {
        fail(r, "%s", strerror(errno));
        return NULL;
    }
    char *text = memory_get(MOST_BYTES + 1, 1);
    *n = fread(text, 1, MOST_BYTES + 1, file);
    bool ok = ferror(file) == 0 && *n <= MOST_BYTES;
    (void)fclose(file);
    if (ok)
        return text;
    fail(r, "cannot be read, or is longer than 16 MiB");
    free(text);
    return NULL;
}

/* NULL with the error set. */
static cJSON *parse(struct reader *r, const char *text, size_t n)
{
    const char *end = text;
    cJSON *root =
        memchr(text, '\0', n) == NULL ? cJSON_ParseWithLengthOpts(text, n, &end, false) : NULL;
    while (root != NULL && end < text + n && strchr(" \t\r\n", *end) != NULL)
        end++;
    if (root != NULL && end == text + n)
        return root;
    int line = 1;
    for (const char *at = text; at < end; at++)
        line += *at == '\n';
    fail(r, "line %d: not JSON", line);
    cJSON_Delete(root);
    return NULL;
}

/* Parses the whole file; NULL with the error set. */
static cJSON *parse_file(struct reader *r)
{
    size_t n;
    char *text = read_bytes(r, &n);
    cJSON *root = text != NULL ? parse(r, text, n) : NULL;
    free(text);
    return root;
}

/* Consumes the tree, which is NULL if the error is already set. */
static bool take_root(struct reader *r, struct config *c, cJSON *root)
{
    bool ok = root != NULL && read_root(r, c, root);
    cJSON_Delete(root);
    return ok;
}

bool config_parse(struct config *c, const char *name, const char *text, size_t n,
                  char error[CONFIG_ERROR])
{
    *c = (struct config){.policy = memory_text("runai")};
    struct reader r = {name, "", error};
    return take_root(&r, c, parse(&r, text, n));
}

bool config_read(struct config *c, const char *file, char error[CONFIG_ERROR])
{
    *c = (struct config){.policy = memory_text("runai")};
    struct reader r = {file, "", error};
    return file == NULL || take_root(&r, c, parse_file(&r));
}

bool config_policy(struct config *c, const char *policy, char error[CONFIG_ERROR])
{
    size_t length = strlen(policy);
    if (length < 5 || strcmp(policy + length - 5, ".json") != 0) {
        forget_policy(c);
        c->policy = memory_text(policy);
        return true;
    }
    struct reader r = {policy, "", error};
    cJSON *root = parse_file(&r);
    bool ok = root != NULL && read_policy(&r, c, root);
    cJSON_Delete(root);
    return ok;
}

/* ---- replacing it ---- */

static bool is_same_policy(const struct config *a, const struct config *b)
{
    bool same = strcmp(a->policy, b->policy) == 0 && a->option_count == b->option_count;
    for (size_t i = 0; same && i < a->option_count; i++)
        same = strcmp(a->options[i], b->options[i]) == 0 && strcmp(a->values[i], b->values[i]) == 0;
    return same;
}

bool config_replace(struct config *c, struct config *fresh, char error[CONFIG_ERROR])
{
    const char *next = "takes effect at the next start";
    if (!is_same_policy(c, fresh)) {
        (void)snprintf(error, CONFIG_ERROR, "a changed policy or option %s", next);
        return false;
    }
    if (c->by_account != fresh->by_account) {
        (void)snprintf(error, CONFIG_ERROR, "a changed \"queue_by\" %s", next);
        return false;
    }
    for (size_t i = 0; i < fresh->queue_count; i++) {
        const struct config_queue *queue = &fresh->queues[i],
                                  *old = config_find_queue(c, queue->name);
        if (old == NULL || strcmp(old->parent, queue->parent) == 0)
            continue;
        (void)snprintf(error, CONFIG_ERROR, "queue '%.64s': a changed parent %s", queue->name,
                       next);
        return false;
    }
    const struct config old = *c;
    c->queues = fresh->queues;
    c->queue_count = fresh->queue_count;
    c->rules = fresh->rules;
    c->rule_count = fresh->rule_count;
    c->edition++;
    fresh->queues = old.queues;
    fresh->queue_count = old.queue_count;
    fresh->rules = old.rules;
    fresh->rule_count = old.rule_count;
    return true;
}

void config_fini(struct config *c)
{
    forget_policy(c);
    for (size_t i = 0; i < c->queue_count; i++) {
        free(c->queues[i].name);
        free(c->queues[i].parent);
    }
    for (size_t i = 0; i < c->rule_count; i++) {
        free(c->rules[i].partition);
        free(c->rules[i].account);
        free(c->rules[i].qos);
    }
    free(c->queues);
    free(c->rules);
    *c = (struct config){.policy = NULL};
}
