/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What children do for a gate; see pieces.h. */
#include "sim/gate/pieces.h"

#include "report/gate/timing.h"
#include "report/gate/words.h"
#include "report/results/rundir.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct list {
    struct gate_piece *pieces;
    size_t count, capacity;
};

static void add(struct list *list, const struct gate_run *run, struct gate_task task, bool again)
{
    const struct steady *steady = &run->worlds[task.scenario].steady;
    task.warmup_ms = steady->known ? steady->warmup_ms : -1;
    list->pieces = mem_grow(list->pieces, &list->capacity, list->count + 1, sizeof *list->pieces);
    list->pieces[list->count++] = (struct gate_piece){.task = task, .again = again};
}

static struct gate_batch batch_of(struct gate_run *run, const struct list *list)
{
    return (struct gate_batch){.cli = run->cli,
                               .gate = &run->gate,
                               .pieces = list->pieces,
                               .count = list->count,
                               .threads = (int)cli_number(run->cli, OPT_JOBS, 1),
                               .limits = run->limits};
}

static bool run_list(struct gate_run *run, struct gate_batch *batch, struct err *err)
{
    bool ok = gate_batch_run(batch, err);
    run->interrupted |= batch->interrupted;
    return ok;
}

static void forget(struct list *list, struct gate_batch *batch)
{
    gate_batch_forget(batch);
    free(list->pieces);
}

/* ---- before the first replica ---- */

bool gate_prepare(struct gate_run *run, int side, struct err *err)
{
    struct list list = {0};
    for (size_t s = 0; s < run->gate.scenario_count; s++)
        add(&list, run, (struct gate_task){.kind = GATE_TASK_PREPARE, .scenario = s, .side = side},
            false);
    struct gate_batch batch = batch_of(run, &list);
    bool ok = run_list(run, &batch, err);
    for (size_t i = 0; i < list.count; i++) {
        struct steady *steady = &run->worlds[list.pieces[i].task.scenario].steady;
        const cJSON *ms = json_at(list.pieces[i].answer, "warmup_ms");
        if (!cJSON_IsNumber(ms) || steady->known)
            continue;
        *steady = (struct steady){.known = true,
                                  .warmup_ms = (int64_t)ms->valuedouble,
                                  .half = cJSON_IsTrue(json_at(list.pieces[i].answer, "half"))};
    }
    forget(&list, &batch);
    return ok;
}

/* ---- replicas ---- */

static bool is_simulated(const struct gate_run *run, int side)
{
    return run->source.policies[side] != NULL &&
           (side == SIDE_B || run->baseline.source.root == NULL);
}

/*
 * A B B A A B B A ...: changes of the machine's speed affect both sides alike. For the first
 * replicas of a scenario the suite may ask to check all invariants after every event.
 */
static void add_replicas(struct list *list, const struct gate_run *run, size_t s, int replicas)
{
    bool all = cli_given(run->cli, OPT_AUDIT);
    for (int replica = 1; replica <= replicas; replica++)
        for (int turn = 0; turn < SIDES; turn++) {
            int side = replica % 2 == 1 ? turn : 1 - turn;
            struct gate_task task = {
                .kind = GATE_TASK_RUN, .scenario = s, .side = side, .replica = replica};
            task.audit = all || replica <= run->source.suite.audit;
            if (is_simulated(run, side) && run->worlds[s].sides[side].count < replica)
                add(list, run, task, false);
        }
}

static void add_repeats(struct list *list, const struct gate_run *run, size_t s)
{
    for (int side = 0; side < SIDES; side++)
        if (is_simulated(run, side) && run->worlds[s].sides[side].again == NULL)
            add(list, run,
                (struct gate_task){
                    .kind = GATE_TASK_RUN, .scenario = s, .side = side, .replica = 1},
                true);
}

static struct gate_cost cost_of(const cJSON *answer)
{
    struct gate_cost cost;
    for (int c = 0; c < GATE_MEASURES; c++)
        cost.of[c] = json_number_at(answer, gate_measure_names[c]);
    return cost;
}

static bool take_replica(struct gate_run *run, const struct gate_piece *piece, struct err *err)
{
    const struct gate_task *task = &piece->task;
    struct gate *g = &run->gate;
    struct gate_simulated *to = &run->worlds[task->scenario].sides[task->side];
    const char *summary = json_text_at(piece->answer, "summary");
    if (piece->again) {
        to->again = mem_text(summary);
        return true;
    }
    if (to->count == to->capacity) {
        to->capacity = to->capacity > 0 ? 2 * to->capacity : 16;
        to->costs = mem_resize(to->costs, (size_t)to->capacity, sizeof *to->costs);
    }
    to->costs[to->count++] = cost_of(piece->answer);
    uint64_t seed =
        run->worlds[task->scenario].scenario[task->side]->seed + (uint64_t)(task->replica - 1);
    if (!gate_take(g, task->scenario, task->side, seed, summary, err))
        return false;
    const struct gate_side *side = &g->scenarios[task->scenario].sides[task->side];
    side->replicas[side->count - 1].cost = to->costs[to->count - 1];
    return true;
}

/* ---- the same replica twice ---- */

/* The first line that differs; *number is its own. */
static void first_different(const char *const texts[2], const char *lines[2], size_t *number)
{
    lines[0] = texts[0];
    lines[1] = texts[1];
    for (*number = 0; *lines[0] != '\0' && *lines[1] != '\0'; (*number)++) {
        size_t n = strcspn(lines[0], "\n"), m = strcspn(lines[1], "\n");
        if (n != m || memcmp(lines[0], lines[1], n) != 0)
            return;
        lines[0] += n + (lines[0][n] == '\n');
        lines[1] += m + (lines[1][m] == '\n');
    }
}

static void put_decision(struct out *out, const char *which, const char *line)
{
    char *at = NULL;
    long long ms = strtoll(line, &at, 10);
    out_format(out, "%s  ", which);
    if (*line == '\0') {
        out_text(out, "decides nothing more");
    } else {
        out_text(out, "at ");
        out_seconds(out, ms);
        out_text(out, " s");
        out_bytes(out, at, strcspn(at, "\t\n"));
    }
    out_char(out, '\n');
}

/* Repeats both runs, compared decision by decision; NULL if these agree, or fail. */
static char *explain_chance(struct gate_run *run, size_t s, int side, struct err *err)
{
    struct list list = {0};
    struct gate_task task = {.kind = GATE_TASK_RECORD, .scenario = s, .side = side, .replica = 1};
    add(&list, run, task, false);
    add(&list, run, task, true);
    struct gate_batch batch = batch_of(run, &list);
    batch.quiet = true;
    char *detail = NULL;
    if (run_list(run, &batch, err) && list.pieces[0].answer != NULL &&
        list.pieces[1].answer != NULL) {
        const char *const texts[2] = {json_text_at(list.pieces[0].answer, "decisions"),
                                      json_text_at(list.pieces[1].answer, "decisions")};
        const char *lines[2];
        size_t number;
        first_different(texts, lines, &number);
        if (*lines[0] != '\0' || *lines[1] != '\0') {
            struct out *out = out_memory();
            out_format(out, "First different decision: number %zu\n", number + 1);
            put_decision(out, "one run    ", lines[0]);
            put_decision(out, "another run", lines[1]);
            detail = out_memory_take(out);
        }
    }
    forget(&list, &batch);
    return detail;
}

/* The policy depends on something outside its facts. */
static bool compare_again(struct gate_run *run, size_t s, int side, struct err *err)
{
    const struct gate_simulated *simulated = &run->worlds[s].sides[side];
    const struct gate_replica *first = run->gate.scenarios[s].sides[side].replicas;
    if (simulated->again == NULL || simulated->count == 0 ||
        strcmp(simulated->again, first->summary) == 0)
        return true;
    cJSON *again = cJSON_Parse(simulated->again);
    bool decisions = strcmp(json_text_at(again, "engine.journal_sha256"), first->journal) != 0;
    cJSON_Delete(again);
    struct gate_finding finding = {
        .kind = GATE_BY_CHANCE, .side = side, .scenario = s, .replica = 1};
    finding.detail = decisions ? explain_chance(run, s, side, err) : NULL;
    finding.message = mem_format(
        "two runs gave different %s with %s: it depends on something other than its input, such as "
        "the clock, an address, the environment, or memory that nobody has written.",
        decisions ? "decisions" : "results", run->gate.names[side]);
    gate_find(&run->gate, finding);
    return err->code == 0;
}

/*
 * What a replica follows from beside its scenario and policy. The side is among it, as equal sides
 * are simulated twice, and the machine, as costs are compared.
 */
static char *key_words(const struct gate_run *run, const struct gate_task *task)
{
    const struct scenario *sc = run->worlds[task->scenario].scenario[task->side];
    return mem_format("gate, %s%s, warm-up %lld, jitter %llu, %s", gate_side_names[task->side],
                      task->audit ? ", audit" : "", (long long)task->warmup_ms,
                      sc->has_jitter_seed ? (unsigned long long)sc->jitter_seed : 0ULL,
                      run->gate.machine);
}

/* Neighbours have the same key but for the audit: the last one is remembered. */
static bool set_keys(struct gate_run *run, const struct list *list, struct err *err)
{
    bool ok = true;
    char *last = mem_text(""), key[DIGEST_HEX] = "";
    const struct scenario *of = NULL;
    for (size_t i = 0; i < list->count && ok && run->store.dir != NULL; i++) {
        struct gate_piece *piece = &list->pieces[i];
        const struct scenario *sc = run->worlds[piece->task.scenario].scenario[piece->task.side];
        char *words = key_words(run, &piece->task);
        if (sc != of || strcmp(words, last) != 0)
            ok = replica_store_key(&run->store, sc, words, key, err);
        memcpy(piece->key, key, sizeof key);
        of = sc;
        free(last);
        last = words;
    }
    free(last);
    return ok;
}

bool gate_simulate(struct gate_run *run, int replicas, struct err *err)
{
    struct list list = {0};
    bool first = run->gate.looked == 0;
    for (size_t s = 0; s < run->gate.scenario_count; s++)
        if (first || gate_is_open(&run->gate, s))
            add_replicas(&list, run, s, replicas);
    for (size_t s = 0; s < run->gate.scenario_count && first; s++)
        add_repeats(&list, run, s);
    struct gate_batch batch = batch_of(run, &list);
    batch.progress = &run->progress;
    batch.store = &run->store;
    bool ok = set_keys(run, &list, err) && run_list(run, &batch, err) && !run->interrupted;
    run->recalled += batch.recalled;
    run->simulated += batch.done - batch.recalled;
    bool all = ok && batch.done == list.count;
    for (size_t i = 0; i < list.count && all && ok; i++)
        ok = take_replica(run, &list.pieces[i], err);
    forget(&list, &batch);
    for (size_t s = 0; s < run->gate.scenario_count && all && first && ok; s++)
        for (int side = 0; side < SIDES && ok; side++)
            ok = compare_again(run, s, side, err);
    return ok || run->interrupted;
}

/* ---- the first different decision ---- */

bool gate_keep_decisions(struct gate_run *run, struct err *err)
{
    struct list list = {0};
    for (size_t s = 0; s < run->gate.scenario_count; s++)
        for (size_t k = 0; k < run->gate.scenarios[s].sides[SIDE_A].count; k++)
            add(&list, run,
                (struct gate_task){
                    .kind = GATE_TASK_KEEP, .scenario = s, .side = SIDE_A, .replica = (int)k + 1},
                false);
    struct gate_batch batch = batch_of(run, &list);
    bool ok = run_list(run, &batch, err);
    for (size_t i = 0; i < list.count && ok; i++) {
        const struct gate_task *task = &list.pieces[i].task;
        const char *packed = json_text_at(list.pieces[i].answer, "packed");
        if (*packed != '\0')
            run->gate.scenarios[task->scenario]
                .sides[SIDE_A]
                .replicas[task->replica - 1]
                .decisions = mem_text(packed);
    }
    forget(&list, &batch);
    return ok || run->interrupted;
}

bool gate_difference(struct gate_run *run, struct err *err)
{
    struct gate_difference *d = &run->gate.difference;
    struct list list = {0};
    add(&list, run,
        (struct gate_task){.kind = GATE_TASK_DIFFERENCE,
                           .scenario = d->scenario,
                           .side = SIDE_B,
                           .replica = (int)d->replica + 1},
        false);
    struct gate_batch batch = batch_of(run, &list);
    batch.quiet = true;
    bool ok = run_list(run, &batch, err);
    const cJSON *answer = list.pieces[0].answer, *number = json_at(answer, "number");
    d->known = cJSON_IsNumber(number);
    if (d->known)
        d->number = (uint64_t)number->valuedouble;
    for (int side = 0; side < SIDES && d->known; side++) {
        const cJSON *from = json_at(answer, gate_side_names[side]);
        const cJSON *other = json_at(from, "other"), *at = json_at(from, "at_ms");
        d->sides[side] = (struct gate_decision){
            .words = mem_text(json_text_at(from, "words")),
            .other = cJSON_IsString(other) ? mem_text(other->valuestring) : NULL,
            .at_ms = cJSON_IsNumber(at) ? (int64_t)at->valuedouble : INT64_MAX,
        };
    }
    forget(&list, &batch);
    return ok;
}
