/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which runs may be compared; see pairing.h. */
#include "report/compare/pairing.h"

#include "report/results/replicas.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN ((size_t)60)
#define DEPTH 16

static size_t replicas_of(const struct rundir *run, const cJSON ***summaries)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(run->summary, "replicas");
    int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    *summaries = mem_alloc((size_t)(count > 0 ? count : 1), sizeof **summaries);
    if (count == 0) {
        (*summaries)[0] = run->summary;
        return 1;
    }
    size_t i = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next)
        (*summaries)[i++] = item;
    return i;
}

/* ---- differences between the scenarios ---- */

static char *shown(const cJSON *node)
{
    if (node == NULL)
        return mem_text("-");
    char *text = cJSON_PrintUnformatted(node);
    char *copy = text == NULL            ? mem_text("?")
                 : strlen(text) <= SHOWN ? mem_text(text)
                                         : mem_format("%.*s...", (int)SHOWN - 3, text);
    cJSON_free(text);
    return copy;
}

static void add_change(struct pairing *p, const char *path, const cJSON *a, const cJSON *b)
{
    p->changes = mem_grow(p->changes, &p->change_capacity, p->change_count + 1, sizeof *p->changes);
    p->changes[p->change_count++] =
        (struct pairing_change){.path = mem_text(path), .text = {shown(a), shown(b)}};
}

static void find_changes(struct pairing *p, const char *path, const cJSON *a, const cJSON *b,
                         int depth);

static const char *name_of(const cJSON *element)
{
    return json_text_at(element, "name");
}

static const cJSON *named(const cJSON *list, const char *name)
{
    const cJSON *element;
    cJSON_ArrayForEach(element, list)
    {
        if (strcmp(name_of(element), name) == 0)
            return element;
    }
    return NULL;
}

/* Returns true if every element has a unique name, like queues and pools. */
static bool has_names(const cJSON *list)
{
    const cJSON *element;
    cJSON_ArrayForEach(element, list)
    {
        if (*name_of(element) == '\0' || named(list, name_of(element)) != element)
            return false;
    }
    return list->child != NULL;
}

/* Compares elements by name and reports them as --set names them: queues.speech.gpu.quota. */
static void find_by_name(struct pairing *p, const char *path, const cJSON *a, const cJSON *b,
                         int depth)
{
    const cJSON *lists[] = {a, b}, *element;
    for (int side = 0; side < SIDES; side++)
        cJSON_ArrayForEach(element, lists[side])
        {
            const cJSON *other = named(lists[1 - side], name_of(element));
            if (side == SIDE_B && other != NULL) /* already seen from side A */
                continue;
            char *below = mem_format("%s.%s", path, name_of(element));
            find_changes(p, below, side == SIDE_A ? element : NULL,
                         side == SIDE_A ? other : element, depth + 1);
            free(below);
        }
}

/* Compares the elements of lists of equal length one by one. */
static void find_in_lists(struct pairing *p, const char *path, const cJSON *a, const cJSON *b,
                          int depth)
{
    const cJSON *x = a->child, *y = b->child;
    for (int i = 0; x != NULL && y != NULL; x = x->next, y = y->next, i++) {
        char *below = mem_format("%s[%d]", path, i);
        find_changes(p, below, x, y, depth + 1);
        free(below);
    }
}

static void find_in_objects(struct pairing *p, const char *path, const cJSON *a, const cJSON *b,
                            int depth)
{
    /* These do not affect the simulated world. */
    static const char *const labels[] = {"name",     "description", "outputs",
                                         "policies", "replicas",    "seed"};
    const cJSON *sides[] = {a, b}, *item;
    for (int side = 0; side < SIDES; side++)
        cJSON_ArrayForEach(item, sides[side])
        {
            const cJSON *other = cJSON_GetObjectItemCaseSensitive(sides[1 - side], item->string);
            bool label = side == SIDE_B && other != NULL; /* already seen from side A */
            for (size_t i = 0; depth == 0 && i < sizeof labels / sizeof *labels; i++)
                label |= strcmp(item->string, labels[i]) == 0;
            if (label)
                continue;
            char *below = mem_format("%s%s%s", path, *path ? "." : "", item->string);
            find_changes(p, below, side == SIDE_A ? item : NULL, side == SIDE_A ? other : item,
                         depth + 1);
            free(below);
        }
}

static void find_changes(struct pairing *p, const char *path, const cJSON *a, const cJSON *b,
                         int depth)
{
    if (a != NULL && b != NULL && cJSON_Compare(a, b, true))
        return;
    if (cJSON_IsObject(a) && cJSON_IsObject(b) && depth < DEPTH)
        find_in_objects(p, path, a, b, depth);
    else if (cJSON_IsArray(a) && cJSON_IsArray(b) && has_names(a) && has_names(b) && depth < DEPTH)
        find_by_name(p, path, a, b, depth);
    else if (cJSON_IsArray(a) && cJSON_IsArray(b) &&
             cJSON_GetArraySize(a) == cJSON_GetArraySize(b) && depth < DEPTH)
        find_in_lists(p, path, a, b, depth);
    else
        add_change(p, path, a, b);
}

/* A share without a weight has its quota as weight, or 1 (scenarios/schema/resolve.c). */
static bool is_default_weight(const char *weight, const char *quota)
{
    return strcmp(weight, *quota == '-' || strcmp(quota, "0") == 0 ? "1" : quota) == 0;
}

/* Marks weights that changed with the quota next to them. */
static void note_weights(struct pairing *p)
{
    static const char weight[] = ".weight";
    for (size_t i = 0; i < p->change_count; i++) {
        struct pairing_change *c = &p->changes[i];
        size_t n = strlen(c->path), m = sizeof weight - 1;
        if (strncmp(c->path, "queues.", 7) != 0 || n <= m || strcmp(c->path + n - m, weight) != 0)
            continue;
        char *quota = mem_format("%.*s.quota", (int)(n - m), c->path);
        for (size_t k = 0; k < p->change_count; k++)
            if (strcmp(p->changes[k].path, quota) == 0)
                c->follows = is_default_weight(c->text[SIDE_A], p->changes[k].text[SIDE_A]) &&
                             is_default_weight(c->text[SIDE_B], p->changes[k].text[SIDE_B]);
        free(quota);
    }
}

char *pairing_change_text(const struct pairing_change *c)
{
    return mem_format("%s -> %s%s", c->text[SIDE_A], c->text[SIDE_B],
                      c->follows ? " (follows the quota unless a weight is given)" : "");
}

/* ---- what must be equal ---- */

static bool refuse_workload(const struct pairing *p, struct err *err)
{
    static const char *const bound[] = {"workload", "window"};
    for (size_t i = 0; i < p->change_count; i++)
        for (size_t k = 0; k < sizeof bound / sizeof *bound; k++) {
            const struct pairing_change *c = &p->changes[i];
            size_t n = strlen(bound[k]);
            if (strncmp(c->path, bound[k], n) == 0 &&
                (c->path[n] == '\0' || strchr(".[", c->path[n])))
                return err_set(err, EXIT_BASELINE,
                               "the runs do not pair: %s is %s in %s and %s in %s, so they did not "
                               "see the same "
                               "jobs in the same window",
                               c->path, c->text[SIDE_A], p->run[SIDE_A].path, c->text[SIDE_B],
                               p->run[SIDE_B].path);
        }
    return true;
}

/* The scenarios are NULL if unknown. */
static bool check_scenarios(struct pairing *p, cJSON *const scenario[SIDES], bool any_workload,
                            struct err *err)
{
    const char *a = json_text_at(p->summary[SIDE_A][0], "scenario_digest");
    const char *b = json_text_at(p->summary[SIDE_B][0], "scenario_digest");
    bool differ = strcmp(a, b) != 0, ok = true;
    if (differ && (scenario[SIDE_A] == NULL || scenario[SIDE_B] == NULL))
        ok = err_set(err, EXIT_BASELINE,
                     "the runs do not pair: their scenarios differ, and %s has no scenario.json to "
                     "say in what",
                     p->run[scenario[SIDE_A] == NULL ? SIDE_A : SIDE_B].path);
    if (ok && differ)
        find_changes(p, "", scenario[SIDE_A], scenario[SIDE_B], 0);
    note_weights(p);
    ok = ok && (any_workload || refuse_workload(p, err));
    if (ok && differ && p->change_count == 0) {
        cJSON *digests[SIDES] = {cJSON_CreateString(a), cJSON_CreateString(b)};
        add_change(p, "(files that the scenario names)", digests[SIDE_A], digests[SIDE_B]);
        cJSON_Delete(digests[SIDE_A]);
        cJSON_Delete(digests[SIDE_B]);
    }
    return ok;
}

static bool check_replica(const struct pairing *p, size_t k, bool any_workload, struct err *err)
{
    const cJSON *a = p->summary[SIDE_A][k], *b = p->summary[SIDE_B][k];
    double seed[SIDES] = {json_number_at(a, "seed"), json_number_at(b, "seed")};
    double start[SIDES] = {json_number_at(a, "window.start_s"),
                           json_number_at(b, "window.start_s")};
    if (!(seed[SIDE_A] <= seed[SIDE_B] && seed[SIDE_A] >= seed[SIDE_B]))
        return err_set(err, EXIT_BASELINE,
                       "the runs do not pair: replica %zu has seed %.0f in %s and %.0f in %s; run "
                       "both with the "
                       "same --seed and --replicas",
                       k + 1, seed[SIDE_A], p->run[SIDE_A].path, seed[SIDE_B], p->run[SIDE_B].path);
    if (any_workload)
        return true;
    if (strcmp(json_text_at(a, "trace_digest"), json_text_at(b, "trace_digest")) != 0)
        return err_set(err, EXIT_BASELINE,
                       "the runs do not pair: the traces of replica %zu differ (trace_digest)",
                       k + 1);
    if (start[SIDE_A] < start[SIDE_B] || start[SIDE_A] > start[SIDE_B])
        return err_set(err, EXIT_BASELINE,
                       "the runs do not pair: the window of replica %zu begins at %.3f s in %s and "
                       "at %.3f s in %s",
                       k + 1, start[SIDE_A], p->run[SIDE_A].path, start[SIDE_B],
                       p->run[SIDE_B].path);
    return true;
}

static bool check(struct pairing *p, cJSON *const scenario[SIDES], bool any_workload,
                  struct err *err)
{
    p->replicas = replicas_of(&p->run[SIDE_A], &p->summary[SIDE_A]);
    size_t replicas_b = replicas_of(&p->run[SIDE_B], &p->summary[SIDE_B]);
    if (p->replicas != replicas_b)
        return err_set(err, EXIT_BASELINE,
                       "the runs do not pair: %s has %zu replicas and %s has %zu; run both with "
                       "the same --replicas",
                       p->run[SIDE_A].path, p->replicas, p->run[SIDE_B].path, replicas_b);
    if (rundir_is_fill(&p->run[SIDE_A]) != rundir_is_fill(&p->run[SIDE_B]))
        return err_set(err, EXIT_BASELINE,
                       "the runs do not pair: one is a packing study, the other a replay");
    for (size_t k = 0; k < p->replicas; k++)
        if (!check_replica(p, k, any_workload, err))
            return false;
    return check_scenarios(p, scenario, any_workload, err);
}

static void count_same(struct pairing *p)
{
    for (size_t k = 0; k < p->replicas; k++) {
        const char *a = json_text_at(p->summary[SIDE_A][k], "engine.journal_sha256");
        const char *b = json_text_at(p->summary[SIDE_B][k], "engine.journal_sha256");
        p->same_decisions += *a != '\0' && strcmp(a, b) == 0;
    }
}

/* Takes ownership of the scenarios. */
static bool pair(struct pairing *p, bool ok, cJSON *const scenario[SIDES], bool any_workload,
                 struct err *err)
{
    ok = ok && check(p, scenario, any_workload, err);
    if (ok)
        count_same(p);
    else
        pairing_close(p);
    cJSON_Delete(scenario[SIDE_A]);
    cJSON_Delete(scenario[SIDE_B]);
    return ok;
}

bool pairing_open(struct pairing *p, const char *dir_a, const char *dir_b, struct err *err)
{
    cJSON *scenario[SIDES] = {NULL, NULL};
    *p = (struct pairing){0};
    bool ok = rundir_open(&p->run[SIDE_A], dir_a, err) &&
              rundir_open(&p->run[SIDE_B], dir_b, err) &&
              rundir_scenario(&p->run[SIDE_A], &scenario[SIDE_A], err) &&
              rundir_scenario(&p->run[SIDE_B], &scenario[SIDE_B], err);
    return pair(p, ok, scenario, false, err);
}

/* Makes the summary of all replicas as `run` would write it. */
static bool make_run(struct rundir *run, const struct pairing_side *side, struct err *err)
{
    if (side->count == 1)
        return rundir_make(run, side->name, side->summaries[0], err);
    struct out *out = out_memory();
    bool ok = replicas_summary(side->summaries, side->count, out, err) &&
              rundir_make(run, side->name, out_memory_text(out, NULL), err);
    out_discard(out);
    return ok;
}

bool pairing_make(struct pairing *p, const struct pairing_side sides[SIDES], struct err *err)
{
    cJSON *scenario[SIDES] = {NULL, NULL};
    bool ok = true;
    *p = (struct pairing){0};
    for (int side = 0; ok && side < SIDES; side++) {
        scenario[side] = cJSON_Parse(sides[side].scenario);
        ok = make_run(&p->run[side], &sides[side], err);
    }
    return pair(p, ok, scenario, sides[SIDE_A].any_workload || sides[SIDE_B].any_workload, err);
}

void pairing_close(struct pairing *p)
{
    for (int side = 0; side < SIDES; side++) {
        rundir_close(&p->run[side]);
        free(p->summary[side]);
    }
    for (size_t i = 0; i < p->change_count; i++) {
        free(p->changes[i].path);
        free(p->changes[i].text[SIDE_A]);
        free(p->changes[i].text[SIDE_B]);
    }
    free(p->changes);
    *p = (struct pairing){0};
}

struct rundir pairing_replica(const struct pairing *p, int side, size_t replica, char **data)
{
    struct rundir run = p->run[side];
    *data = run.data == NULL ? NULL
            : *run.prefix    ? mem_format("%s/rep-%zu", run.path, replica + 1)
                             : mem_text(run.path);
    run.data = *data;
    union {
        const cJSON *read;
        cJSON *write; // callers with a const run do not write to it
    } summary = {.read = p->summary[side][replica]};
    run.summary = summary.write;
    return run;
}
