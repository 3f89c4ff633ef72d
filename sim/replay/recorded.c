/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From lines of a journal to what happened; see recorded.h. Jobs are in recorded_jobs.c. */
#include "sim/replay/recorded_internal.h"

#include "sim/base/mem.h"
#include "sim/replay/journal_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of the speaker ---- */

static uint64_t key_of(enum reading_kind kind, uint32_t i, uint32_t gen)
{
    return (uint64_t)kind << 62 | (uint64_t)(gen & 0x3fffffff) << 32 | i;
}

void reading_link(struct reading *r, enum reading_kind kind, uint32_t i, uint32_t gen,
                  uint32_t index)
{
    uint64_t key = key_of(kind, i, gen);
    struct reading_number *number = NULL;
    HASH_FIND(hh, r->numbers, &key, sizeof key, number);
    if (number == NULL) {
        number = mem_alloc(1, sizeof *number);
        number->key = key;
        HASH_ADD(hh, r->numbers, key, sizeof number->key, number);
    }
    number->index = index;
}

uint32_t reading_find(const struct reading *r, enum reading_kind kind, uint32_t i, uint32_t gen)
{
    uint64_t key = key_of(kind, i, gen);
    struct reading_number *number = NULL;
    HASH_FIND(hh, r->numbers, &key, sizeof key, number);
    return number != NULL ? number->index : SYMBOL_NONE;
}

static void forget_numbers(struct reading *r)
{
    struct reading_number *number, *next;
    for (number = r->numbers; number != NULL; number = next) {
        next = number->hh.next;
        HASH_DEL(r->numbers, number);
        free(number);
    }
}

bool reading_wrong(struct reading *r, const char *what)
{
    return err_set(r->err, EXIT_INPUT, "%s:%" PRIu64 ": %s", r->file.path, r->file.number, what);
}

bool reading_unknown(struct reading *r, const char *what, uint32_t number)
{
    return err_set(r->err, EXIT_INPUT, "%s:%" PRIu64 ": there is no %s %" PRIu32, r->file.path,
                   r->file.number, what, number);
}

/* The name, or what stands for it: "node-3". */
static uint32_t name_id(struct symbols *names, const char *name, const char *kind, uint32_t number)
{
    char own[48];
    (void)snprintf(own, sizeof own, "%s-%" PRIu32, kind, number);
    if (name == NULL || *name == '\0')
        name = own;
    return symbols_add(names, name, strlen(name));
}

/* ---- nodes ---- */

static void down(struct recorded *to, struct recorded_node *node, int64_t at)
{
    const struct recorded_outage *last =
        node->last_outage > 0 ? &to->outages[node->last_outage - 1] : NULL;
    if (node->down_since == RECORDED_NEVER) /* a node that was never up was down all the time */
        node->down_since = last != NULL && last->up_ms == at ? last->down_ms : at;
}

/* An outage that continues the previous one replaces it. */
static void up(struct recorded *to, uint32_t index, int64_t at)
{
    struct recorded_node *node = &to->nodes[index];
    int64_t since = node->down_since;
    node->down_since = RECORDED_NEVER;
    if (since == RECORDED_NEVER || since >= at)
        return;
    bool same = node->last_outage > 0 && to->outages[node->last_outage - 1].down_ms == since;
    if (!same) {
        to->outages =
            mem_grow(to->outages, &to->outage_capacity, to->outage_count + 1, sizeof *to->outages);
        node->last_outage = ++to->outage_count;
    }
    to->outages[node->last_outage - 1] =
        (struct recorded_outage){.node = index, .down_ms = since, .up_ms = at};
}

static void copy_node(struct recorded_node *node, const struct policy_node_spec *spec)
{
    free(node->labels);
    node->spec = *spec;
    node->labels = mem_alloc(spec->label_count + 1, sizeof *node->labels);
    if (spec->label_count > 0)
        memcpy(node->labels, spec->labels, spec->label_count * sizeof *node->labels);
    node->spec.labels = node->labels;
}

static bool add_node(struct reading *r, const struct fact *f)
{
    struct recorded *to = r->to;
    const struct policy_node_spec *spec = f->spec;
    if (spec->mig == POLICY_MIG_FIXED || spec->mig == POLICY_MIG_FREE)
        return reading_wrong(
            r, "a node with MIG instances: a journal does not have the names of profiles, so this "
               "world cannot be simulated");
    if (spec->devices < 0 || spec->devices > POLICY_MAX_DEVICES)
        return reading_wrong(r, "a node has from 0 to 64 devices");
    uint32_t id = name_id(to->node_names, f->name, "node", f->node.i);
    if (id == to->node_count) {
        to->nodes = mem_grow(to->nodes, &to->node_capacity, to->node_count + 1, sizeof *to->nodes);
        to->nodes[to->node_count++] = (struct recorded_node){.down_since = RECORDED_NEVER};
        if (to->begin_ms != RECORDED_NEVER) /* it was not there before */
            down(to, &to->nodes[id], to->begin_ms);
    }
    copy_node(&to->nodes[id], spec);
    to->nodes[id].is_told = to->nodes[id].is_up = true;
    if (r->is_settled)
        up(to, id, f->at);
    reading_link(r, READING_NODE, f->node.i, 0, id);
    return true;
}

static bool node_fact(struct reading *r, const struct fact *f)
{
    struct recorded *to = r->to;
    uint32_t id = reading_find(r, READING_NODE, f->node.i, 0);
    if (id == SYMBOL_NONE)
        return reading_unknown(r, "node", f->node.i);
    struct recorded_node *node = &to->nodes[id];
    to->devices += f->kind == FACT_DEVICE_HEALTH && f->state == 0;
    if (f->kind != FACT_DEVICE_HEALTH)
        node->is_up = f->kind == FACT_NODE_STATE && f->state < POLICY_NODE_DOWN;
    if (r->is_settled && node->is_up)
        up(to, id, f->at);
    else if (r->is_settled)
        down(to, node, f->at);
    to->drains += f->kind == FACT_NODE_STATE && f->state == POLICY_NODE_DRAINING;
    return true;
}

/* ---- queues ---- */

static bool add_queue(struct reading *r, const struct fact *f)
{
    struct recorded *to = r->to;
    const struct policy_queue_spec *spec = f->spec;
    uint32_t parent = SYMBOL_NONE;
    if (spec->parent.i != POLICY_NO_ID) {
        parent = reading_find(r, READING_QUEUE, spec->parent.i, 0);
        if (parent == SYMBOL_NONE)
            return reading_unknown(r, "queue", spec->parent.i);
    }
    uint32_t id = name_id(to->queue_names, f->name, "queue", f->queue.i);
    if (id == to->queue_count) {
        to->queues =
            mem_grow(to->queues, &to->queue_capacity, to->queue_count + 1, sizeof *to->queues);
        to->queues[to->queue_count++] = (struct recorded_queue){.pools = NULL};
    }
    struct recorded_queue *queue = &to->queues[id];
    free(queue->pools);
    uint32_t *pools = mem_alloc(spec->pool_count + 1, sizeof *pools);
    if (spec->pool_count > 0)
        memcpy(pools, spec->pools, spec->pool_count * sizeof *pools);
    *queue =
        (struct recorded_queue){.spec = *spec, .parent = parent, .pools = pools, .is_told = true};
    queue->spec.pools = pools;
    queue->spec.by_pool = NULL; /* belongs to the fact */
    queue->spec.by_pool_count = 0;
    reading_link(r, READING_QUEUE, f->queue.i, 0, id);
    return true;
}

/* ---- sections and cycles ---- */

static void drop_policy(struct recorded *to)
{
    for (size_t i = 0; i < to->option_count; i++) {
        free(to->option_names[i]);
        free(to->option_values[i]);
    }
    free(to->policy);
    free(to->option_names);
    free(to->option_values);
    to->option_count = 0;
}

static void keep_policy(struct recorded *to, const struct fact_policy *policy)
{
    drop_policy(to);
    to->policy = mem_text(policy->name);
    to->option_names = mem_alloc(policy->option_count + 1, sizeof *to->option_names);
    to->option_values = mem_alloc(policy->option_count + 1, sizeof *to->option_values);
    for (; to->option_count < policy->option_count; to->option_count++) {
        to->option_names[to->option_count] = mem_text(policy->options[to->option_count].name);
        to->option_values[to->option_count] = mem_text(policy->options[to->option_count].value);
    }
}

/* The world begins with the first decision: of a section without any, its jobs are not part of it.
 */
static bool begin_section(struct reading *r, const struct fact *f)
{
    struct recorded *to = r->to;
    to->sections++;
    if (to->begin_ms == RECORDED_NEVER) {
        keep_policy(to, f->spec);
        reading_forget_jobs(to);
    }
    r->is_settled = false;
    r->decided_ms = RECORDED_NEVER;
    forget_numbers(r);
    for (size_t i = 0; i < to->node_count; i++)
        to->nodes[i].is_told = false;
    for (size_t i = 0; i < to->job_count; i++)
        to->jobs[i].is_told = to->jobs[i].is_placed = false;
    return true;
}

/* The first decision of a section: everything before it was known at its start. */
static void settle(struct reading *r, int64_t at)
{
    struct recorded *to = r->to;
    r->is_settled = true;
    if (to->begin_ms == RECORDED_NEVER)
        to->begin_ms = at;
    else
        to->silent_ms += at - to->end_ms;
    for (uint32_t i = 0; i < to->node_count; i++) {
        if (to->nodes[i].is_told && to->nodes[i].is_up)
            up(to, i, at);
        else
            down(to, &to->nodes[i], at);
    }
    reading_settle_jobs(r, at);
}

static bool decide(struct reading *r, const struct fact *f)
{
    if (!r->is_settled)
        settle(r, f->at);
    if (r->decided_ms != RECORDED_NEVER)
        spans_add(&r->to->cycling, f->at - r->decided_ms);
    r->decided_ms = f->at;
    r->to->cycles++;
    return true;
}

/* Other kinds are ignored: they change what the policy knows, not what happened. */
static bool (*const readers[FACT_KINDS])(struct reading *, const struct fact *) = {
    [FACT_POLICY] = begin_section,
    [FACT_NODE_ADD] = add_node,
    [FACT_NODE_REMOVE] = node_fact,
    [FACT_NODE_STATE] = node_fact,
    [FACT_DEVICE_HEALTH] = node_fact,
    [FACT_QUEUE_ADD] = add_queue,
    [FACT_JOB_ADD] = reading_add_job,
    [FACT_JOB_CANCEL] = reading_job_fact,
    [FACT_TASK_RUNNING] = reading_job_fact,
    [FACT_TASK_STARTED] = reading_job_fact,
    [FACT_START_FAILED] = reading_job_fact,
    [FACT_TASK_ENDED] = reading_job_fact,
    [FACT_DECIDE] = decide,
};

/* ---- the whole ---- */

/* Facts before the first moment of a simulation have no time: nodes, queues, and the policy that
 * begins a section. */
static bool may_be_timeless(const struct fact_line *line)
{
    static const bool kinds[FACT_KINDS] = {
        [FACT_DECIDE] = true,     [FACT_TASK_RUNNING] = true, [FACT_TASK_STARTED] = true,
        [FACT_TASK_ENDED] = true, [FACT_JOB_CANCEL] = true,   [FACT_START_FAILED] = true};
    return line->kind == LINE_FACT && !kinds[line->fact.kind];
}

static bool take_line(struct reading *r)
{
    const struct fact_line *line = &r->file.line;
    int64_t at = line->kind == LINE_FACT ? line->fact.at : line->decision.at;
    if (!reading_is_time(at) && !(at == INT64_MIN && may_be_timeless(line)))
        return reading_wrong(r, "'t_ms' is beyond 2^53");
    bool ok = line->kind == LINE_DECISION        ? reading_decision(r, &line->decision)
              : readers[line->fact.kind] != NULL ? readers[line->fact.kind](r, &line->fact)
                                                 : true;
    if (ok && r->to->end_ms < at && r->is_settled)
        r->to->end_ms = at;
    return ok;
}

static void finish(struct reading *r)
{
    struct recorded *to = r->to;
    for (uint32_t i = 0; i < to->node_count; i++)
        if (to->nodes[i].down_since != RECORDED_NEVER)
            up(to, i, INT64_MAX);
    reading_finish_jobs(r);
    for (uint32_t i = 0; i < to->node_count; i++)
        to->nodes[i].name = symbols_name(to->node_names, i);
    for (uint32_t i = 0; i < to->queue_count; i++)
        to->queues[i].name = symbols_name(to->queue_names, i);
    for (uint32_t i = 0; i < to->job_count; i++)
        to->jobs[i].name = symbols_name(to->job_names, i);
}

bool recorded_read(struct recorded *to, const char *path, bool goes_on, struct err *err)
{
    struct reading r = {.to = to, .err = err, .decided_ms = RECORDED_NEVER};
    bool end = false;
    *to = (struct recorded){.begin_ms = RECORDED_NEVER,
                            .end_ms = RECORDED_NEVER,
                            .goes_on = goes_on,
                            .node_names = symbols_create(),
                            .queue_names = symbols_create(),
                            .job_names = symbols_create()};
    bool ok = journal_file_open(&r.file, path, err);
    while (ok && (ok = journal_file_next(&r.file, &end, err)) && !end)
        ok = take_line(&r);
    if (ok && to->begin_ms == RECORDED_NEVER)
        ok = err_set(err, EXIT_INPUT, "%s: nothing was decided in this journal", path);
    if (ok)
        finish(&r);
    forget_numbers(&r);
    journal_file_close(&r.file);
    return ok;
}

void recorded_fini(struct recorded *to)
{
    drop_policy(to);
    for (size_t i = 0; i < to->node_count; i++)
        free(to->nodes[i].labels);
    for (size_t i = 0; i < to->queue_count; i++)
        free(to->queues[i].pools);
    reading_forget_jobs(to);
    free(to->nodes);
    free(to->queues);
    free(to->jobs);
    free(to->outages);
    spans_fini(&to->seen);
    spans_fini(&to->starts);
    spans_fini(&to->cycling);
    spans_fini(&to->stops);
    symbols_destroy(to->node_names);
    symbols_destroy(to->queue_names);
    symbols_destroy(to->job_names);
    *to = (struct recorded){.policy = NULL};
}
