/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saving and checking cases; see decide_case.h. */
#include "sim/ask/decide_case.h"
#include "sim/base/escape.h"

#include "scenarios/json/source.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- decisions as JSON ---- */

static cJSON *decision_tree(const struct dry_run *run, size_t i)
{
    struct out *out = out_memory();
    struct json j;
    size_t n;
    json_init(&j, out, 0);
    dry_run_print(run, &run->decisions[i], &j);
    const char *text = out_memory_text(out, &n);
    cJSON *tree = cJSON_ParseWithLength(text, n);
    BUG_ON(tree == NULL);
    out_discard(out);
    return tree;
}

static cJSON *decisions_tree(const struct dry_run *run)
{
    cJSON *all = cJSON_CreateArray();
    for (size_t i = 0; i < run->decision_count; i++)
        cJSON_AddItemToArray(all, decision_tree(run, i));
    return all;
}

/* ---- outcomes ---- */

struct outcome {
    const char *word;
    const char *node; /* NULL: it does not matter */
};

/* The last decision counts: a job that is evicted and placed again has moved. */
static struct outcome outcome_of(const struct dry_run *run, const struct snap_task *task)
{
    bool waits = task->state == SNAP_PENDING || task->state == SNAP_GATED, evicted = false;
    struct outcome outcome = {waits ? "pending" : "keep", NULL};
    for (size_t i = 0; i < run->decision_count; i++) {
        const struct policy_decision *d = &run->decisions[i];
        if (snap_facts_task(&run->facts, d->job, d->task) != task)
            continue;
        const char *node = snap_facts_node(&run->facts, d->node)->name;
        evicted |= d->kind == POLICY_EVICT;
        if (d->kind == POLICY_EVICT)
            outcome = (struct outcome){"evict", NULL};
        else
            outcome =
                (struct outcome){evicted && !waits ? "move" : policy_kind_name(d->kind), node};
    }
    return outcome;
}

static cJSON *tasks_tree(const struct dry_run *run)
{
    cJSON *tasks = cJSON_CreateObject();
    for (size_t j = 0; j < run->s->job_count; j++) {
        const struct snap_job *job = &run->s->jobs[j];
        for (uint32_t t = 0; t < job->task_count; t++) {
            if (job->tasks[t].id == NULL)
                continue;
            struct outcome outcome = outcome_of(run, &job->tasks[t]);
            cJSON *task = cJSON_AddObjectToObject(tasks, job->tasks[t].id);
            cJSON_AddStringToObject(task, "outcome", outcome.word);
            if (outcome.node != NULL)
                cJSON_AddStringToObject(task, "node", outcome.node);
        }
    }
    return tasks;
}

static cJSON *limits_tree(const struct dry_run *run)
{
    static const struct {
        int32_t kind;
        const char *key;
    } rows[] = {{POLICY_START, "max_starts"},
                {POLICY_EVICT, "max_evictions"},
                {POLICY_NOMINATE, "max_nominations"}};
    cJSON *limits = cJSON_CreateObject();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t n = 0;
        for (size_t i = 0; i < run->decision_count; i++)
            n += run->decisions[i].kind == rows[r].kind;
        cJSON_AddNumberToObject(limits, rows[r].key, (double)n);
    }
    return limits;
}

/* ---- saving ---- */

static cJSON *member_object(cJSON *of, const char *key)
{
    cJSON *member = cJSON_GetObjectItemCaseSensitive(of, key);
    return member != NULL ? member : cJSON_AddObjectToObject(of, key);
}

/* The policy that decided: that of the snapshot, unless another one was asked. */
static void set_policy(const struct dry_run *run, const struct cli *cli, cJSON *snapshot)
{
    const char *actions = cli_option(cli, OPT_ACTIONS);
    if (cli_given(cli, OPT_POLICY)) {
        cJSON_DeleteItemFromObjectCaseSensitive(snapshot, "policy");
        cJSON *policy = cJSON_AddObjectToObject(snapshot, "policy");
        cJSON_AddStringToObject(policy, "name", run->policy_name);
        if (run->policy_file.options != NULL)
            cJSON_AddItemToObject(policy, "options",
                                  cJSON_Duplicate(run->policy_file.options, true));
    }
    if (actions == NULL)
        return;
    cJSON *policy = member_object(snapshot, "policy");
    if (!cJSON_HasObjectItem(policy, "name"))
        cJSON_AddStringToObject(policy, "name", run->policy_name);
    cJSON *options = member_object(policy, "options");
    cJSON_DeleteItemFromObjectCaseSensitive(options, "actions");
    cJSON_AddStringToObject(options, "actions", actions);
}

static cJSON *actions_tree(const struct dry_run *run)
{
    cJSON *actions = cJSON_CreateArray();
    for (int32_t action = 1; action < 32 && run->config.quota.actions >> action != 0; action++)
        if ((run->config.quota.actions >> action & 1) != 0)
            cJSON_AddItemToArray(actions, cJSON_CreateString(policy_action_name(action)));
    return actions;
}

static char *id_of(const char *path)
{
    const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    size_t n = strlen(base);
    return mem_text_n(base, n > 5 && strcmp(base + n - 5, ".json") == 0 ? n - 5 : n);
}

/* Takes the snapshot. */
static cJSON *case_tree(const struct dry_run *run, const char *path, cJSON *snapshot)
{
    char *id = id_of(path);
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "id", id);
    cJSON_AddStringToObject(tree, "action", "mixed");
    cJSON_AddItemToObject(tree, "features", cJSON_CreateArray());
    cJSON_AddBoolToObject(tree, "trivial", run->decision_count == 0);
    cJSON_AddStringToObject(tree, "mode", "single");
    cJSON_AddItemToObject(tree, "actions", actions_tree(run));
    cJSON_AddNumberToObject(tree, "cycles", 1);
    cJSON_AddNumberToObject(tree, "settle", 0);
    cJSON *expect = cJSON_AddObjectToObject(tree, "expect");
    cJSON_AddItemToObject(expect, "decisions", decisions_tree(run));
    cJSON_AddItemToObject(expect, "tasks", tasks_tree(run));
    cJSON_AddItemToObject(expect, "limits", limits_tree(run));
    cJSON_AddItemToObject(tree, "snapshot", snapshot);
    free(id);
    return tree;
}

bool decide_case_save(const struct dry_run *run, const struct cli *cli, const char *path,
                      struct err *err)
{
    struct json_source source = {.root = NULL};
    struct out *out = NULL;
    bool ok = json_source_open_max(&source, cli->operands[0], SNAPSHOT_MAX_BYTES, err);
    if (ok) {
        cJSON *snapshot = cJSON_Duplicate(source.root, true);
        set_policy(run, cli, snapshot);
        cJSON *tree = case_tree(run, path, snapshot);
        char *text = cJSON_Print(tree);
        ok = text != NULL || err_set(err, EXIT_INTERNAL, "out of memory");
        out = ok ? out_open(path, err) : NULL;
        ok = out != NULL;
        if (ok) {
            out_text(out, text);
            out_char(out, '\n');
            ok = out_close(out, err);
        }
        cJSON_free(text);
        cJSON_Delete(tree);
    }
    json_source_close(&source);
    return ok;
}

/* ---- checking ---- */

static void print_tree(const char *word, const cJSON *tree, struct out *out)
{
    char *text = tree != NULL ? cJSON_PrintUnformatted(tree) : NULL;
    escape_format(out, "  %-10s %s\n", word, text != NULL ? text : "nothing (more)");
    cJSON_free(text);
}

/* Why a job that had a decision is still pending. */
static void print_why(const struct dry_run *run, const cJSON *decision, struct out *out)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(decision, "job");
    struct err unknown = {0};
    const struct snap_job *job =
        cJSON_IsString(id) ? snapshot_find_job(run->s, id->valuestring, &unknown) : NULL;
    struct pending pending;
    if (job == NULL || !dry_run_pending(run, job, &pending))
        return;
    char *detail = pending_detail(&pending);
    escape_format(out, "  now        %s waits, %s: %s\n", job->id, pending.reason, detail);
    free(detail);
    pending_fini(&pending);
}

static bool compare(const struct dry_run *run, const char *path, const cJSON *expected,
                    struct out *out)
{
    cJSON *decided = decisions_tree(run);
    int i = 0, count = cJSON_GetArraySize(expected), ours = cJSON_GetArraySize(decided);
    while (i < count && i < ours &&
           cJSON_Compare(cJSON_GetArrayItem(expected, i), cJSON_GetArrayItem(decided, i), true))
        i++;
    bool same = i == count && i == ours;
    escape_format(out, "  case       %s: %d decisions, %s\n", path, count,
                  same ? "as expected" : "not as expected");
    if (!same) {
        escape_format(out, "  the first  decision %d of %d\n", i + 1, count > ours ? count : ours);
        print_tree("expected", cJSON_GetArrayItem(expected, i), out);
        print_tree("decided", cJSON_GetArrayItem(decided, i), out);
        print_why(run, cJSON_GetArrayItem(expected, i), out);
    }
    cJSON_Delete(decided);
    return same;
}

static bool decide_on(struct dry_run *run, const struct cli *cli, const char *path,
                      const cJSON *tree, struct err *err)
{
    struct snapshot *snapshot = NULL;
    char *text = cJSON_PrintUnformatted(tree), *name = mem_format("%s: snapshot", path);
    bool ok = text != NULL || err_set(err, EXIT_INTERNAL, "out of memory");
    ok = ok && snapshot_parse(&snapshot, name, text, strlen(text), err);
    ok = ok && dry_run_open_with(run, snapshot, cli, err) && dry_run_decide(run, err);
    cJSON_free(text);
    free(name);
    return ok;
}

bool decide_case_check(const struct cli *cli, const char *path, struct out *out, bool *same,
                       struct err *err)
{
    struct json_source source = {.root = NULL};
    struct dry_run run = {.s = NULL};
    bool ok = json_source_open_max(&source, path, SNAPSHOT_MAX_BYTES, err);
    const cJSON *snapshot = ok ? cJSON_GetObjectItemCaseSensitive(source.root, "snapshot") : NULL;
    const cJSON *expected = ok ? json_find(source.root, "expect.decisions") : NULL;
    if (ok && (!cJSON_IsObject(snapshot) || !cJSON_IsArray(expected)))
        ok = err_set(err, EXIT_INPUT,
                     "%s: expected a case with 'snapshot' and 'expect.decisions', as decide "
                     "--save-case writes it",
                     path);
    ok = ok && decide_on(&run, cli, path, snapshot, err);
    if (ok)
        *same = compare(&run, path, expected, out);
    dry_run_close(&run);
    json_source_close(&source);
    return ok;
}
