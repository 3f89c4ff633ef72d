/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node requirements as labels; see rules.h. */
#include "scenarios/import/rules.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

#define TAINT "taint "

/* ---- taints ---- */

static bool follows_state(const char *key)
{
    static const char *const keys[] = {"node.kubernetes.io/unschedulable",
                                       "node.kubernetes.io/not-ready",
                                       "node.kubernetes.io/unreachable"};
    bool found = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        found = found || strcmp(key, keys[i]) == 0;
    return found;
}

void import_taints(cJSON *node, const cJSON *taints)
{
    const cJSON *taint;
    cJSON *labels = import_object(node, "labels");
    cJSON_ArrayForEach(taint, taints)
    {
        const char *key = import_text(taint, "key"), *effect = import_text(taint, "effect");
        if (follows_state(key) ||
            (strcmp(effect, "NoSchedule") != 0 && strcmp(effect, "NoExecute") != 0))
            continue;
        char *name = mem_format(TAINT "%s:%s", key, effect);
        import_put_text(labels, name, import_text(taint, "value"));
        free(name);
    }
}

/*
 * An empty key tolerates all taints, an empty effect all effects; Exists matches any value, and
 * Equal is the default.
 */
static bool tolerates(const cJSON *toleration, const char *key, size_t n, const char *effect,
                      const char *value)
{
    const char *own = import_text(toleration, "key"), *its = import_text(toleration, "effect");
    bool exists = strcmp(import_text(toleration, "operator"), "Exists") == 0;
    bool named = *own == '\0' ? exists : strlen(own) == n && strncmp(own, key, n) == 0;
    return named && (*its == '\0' || strcmp(its, effect) == 0) &&
           (exists || strcmp(import_text(toleration, "value"), value) == 0);
}

static bool tolerated(const cJSON *tolerations, const cJSON *node)
{
    const cJSON *label, *toleration;
    cJSON_ArrayForEach(label, import_members(import_at(node, "labels")))
    {
        const char *key = label->string + strlen(TAINT), *colon;
        if (strncmp(label->string, TAINT, strlen(TAINT)) != 0 || !(colon = strrchr(key, ':')) ||
            !cJSON_IsString(label))
            continue;
        bool found = false;
        cJSON_ArrayForEach(toleration, tolerations)
        {
            found = found || tolerates(toleration, key, (size_t)(colon - key), colon + 1,
                                       label->valuestring);
        }
        if (!found)
            return false;
    }
    return true;
}

/* ---- node selector terms ---- */

static bool has_value(const cJSON *values, const char *text)
{
    const cJSON *value;
    bool found = false;
    cJSON_ArrayForEach(value, values)
    {
        found = found || (cJSON_IsString(value) && strcmp(value->valuestring, text) == 0);
    }
    return found;
}

/* Gt and Lt compare integers; other values do not match. */
static bool compares(const cJSON *values, const char *text, bool greater)
{
    const char *bound = cJSON_GetStringValue(cJSON_GetArrayItem(values, 0));
    int64_t a, b;
    return bound && text_i64(text, strlen(text), &a) && text_i64(bound, strlen(bound), &b) &&
           (greater ? a > b : a < b);
}

/* `text` NULL: the node lacks the label. An unknown operator matches nothing. */
static bool expression_holds(const cJSON *expression, const char *text)
{
    const char *operator= import_text(expression, "operator");
    const cJSON *values = import_at(expression, "values");
    if (strcmp(operator, "NotIn") == 0)
        return !text || !has_value(values, text);
    if (strcmp(operator, "DoesNotExist") == 0)
        return !text;
    if (strcmp(operator, "Exists") == 0)
        return text != NULL;
    if (strcmp(operator, "In") == 0)
        return text && has_value(values, text);
    bool greater = strcmp(operator, "Gt") == 0;
    return text && (greater || strcmp(operator, "Lt") == 0) && compares(values, text, greater);
}

/* Returns true if all expressions of one term hold; an empty term matches nothing. */
static bool selected(const cJSON *terms, const cJSON *node)
{
    const cJSON *term, *expression, *labels = import_at(node, "labels");
    cJSON_ArrayForEach(term, terms)
    {
        const cJSON *expressions = import_at(term, "matchExpressions"),
                    *fields = import_at(term, "matchFields");
        bool holds = cJSON_GetArraySize(expressions) + cJSON_GetArraySize(fields) > 0;
        cJSON_ArrayForEach(expression, expressions)
        {
            holds =
                holds && expression_holds(expression, cJSON_GetStringValue(import_at(
                                                          labels, import_text(expression, "key"))));
        }
        cJSON_ArrayForEach(expression, fields)
        {
            holds = holds && strcmp(import_text(expression, "key"), "metadata.name") == 0 &&
                    expression_holds(expression, import_text(node, "name"));
        }
        if (holds)
            return true;
    }
    return false;
}

/* ---- rules ---- */

/* The task keeps the number of the rule until the end. */
static void add_rule(struct import *import, cJSON *task, struct out *text, const char *kind,
                     const cJSON *what)
{
    size_t n;
    const char *name = out_memory_text(text, &n);
    uint32_t before = symbols_count(import->rule_names),
             rule = symbols_add(import->rule_names, name, n);
    out_discard(text);
    if (rule == before) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddItemToObject(entry, kind,
                              what ? cJSON_Duplicate(what, true) : cJSON_CreateArray());
        import->rules = mem_grow(import->rules, &import->rule_capacity, rule + (size_t)1,
                                 sizeof *import->rules);
        import->rules[rule] = entry;
    }
    cJSON *rules = cJSON_GetObjectItemCaseSensitive(task, IMPORT_RULES);
    rules = rules ? rules : cJSON_AddArrayToObject(task, IMPORT_RULES);
    cJSON_AddItemToArray(rules, cJSON_CreateNumber(rule));
}

void import_tolerations(struct import *import, cJSON *task, const cJSON *tolerations)
{
    struct out *text = out_memory();
    const cJSON *item;
    const char *between = "tolerates ";
    cJSON_ArrayForEach(item, tolerations)
    {
        const char *key = import_text(item, "key"), *value = import_text(item, "value");
        if (follows_state(key))
            continue;
        out_format(text, "%s%s%s%s:%s", between, *key ? key : "any", *value ? "=" : "", value,
                   *import_text(item, "effect") ? import_text(item, "effect") : "any");
        if (*value == '\0' && strcmp(import_text(item, "operator"), "Exists") != 0)
            out_text(text, " without value");
        between = ", ";
    }
    if (strcmp(between, ", ") != 0)
        out_text(text, "tolerates nothing");
    add_rule(import, task, text, "tolerations", tolerations);
}

static void print_expressions(struct out *out, const cJSON *expressions, const char **between)
{
    const cJSON *expression, *value;
    cJSON_ArrayForEach(expression, expressions)
    {
        const char *join = " ";
        out_format(out, "%s%s %s", *between, import_text(expression, "key"),
                   import_text(expression, "operator"));
        cJSON_ArrayForEach(value, import_at(expression, "values"))
        {
            if (cJSON_IsString(value))
                out_format(out, "%s%s", join, value->valuestring);
            join = "|";
        }
        *between = ", ";
    }
}

void import_terms(struct import *import, cJSON *task, const cJSON *terms)
{
    struct out *text = out_memory();
    const cJSON *term;
    const char *between = "wants ";
    cJSON_ArrayForEach(term, terms)
    {
        print_expressions(text, import_at(term, "matchExpressions"), &between);
        print_expressions(text, import_at(term, "matchFields"), &between);
        between = "; or ";
    }
    add_rule(import, task, text, "terms", terms);
}

static bool obeys(const cJSON *rule, const cJSON *node)
{
    const cJSON *tolerations = import_at(rule, "tolerations");
    return tolerations ? tolerated(tolerations, node) : selected(import_at(rule, "terms"), node);
}

/* Labels the nodes that satisfy a rule; returns false if all do and no label is needed. */
static bool label_nodes(struct import *import, uint32_t rule)
{
    cJSON *node;
    bool needed = false;
    cJSON_ArrayForEach(node, import->nodes)
    {
        needed = needed || !obeys(import->rules[rule], node);
    }
    if (!needed)
        return false;
    cJSON_ArrayForEach(node, import->nodes)
    {
        if (obeys(import->rules[rule], node))
            import_put_text(import_object(node, "labels"), symbols_name(import->rule_names, rule),
                            "yes");
    }
    return true;
}

static void ask(struct import *import, cJSON *task, const bool *needed)
{
    cJSON *rules = cJSON_DetachItemFromObjectCaseSensitive(task, IMPORT_RULES), *number;
    cJSON_ArrayForEach(number, rules)
    {
        if (!needed[number->valueint])
            continue;
        const char *name = symbols_name(import->rule_names, (uint32_t)number->valueint);
        cJSON *affinity = import_object(task, "node_affinity");
        cJSON_DeleteItemFromObjectCaseSensitive(affinity, name);
        cJSON_AddItemToArray(cJSON_AddArrayToObject(affinity, name), cJSON_CreateString("yes"));
    }
    cJSON_Delete(rules);
}

void import_rules_apply(struct import *import)
{
    uint32_t count = symbols_count(import->rule_names);
    bool *needed = mem_alloc(count + (size_t)1, sizeof *needed);
    cJSON *job, *task;
    for (uint32_t rule = 0; rule < count; rule++)
        needed[rule] = label_nodes(import, rule);
    cJSON_ArrayForEach(job, import->jobs)
    {
        cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(job, "tasks"))
        {
            ask(import, task, needed);
        }
    }
    free(needed);
}
