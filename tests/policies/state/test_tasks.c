/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tasks change places, in transactions: what one move takes and releases, and that undoing any
 * number of moves restores every node, device, queue, job and list, byte for byte.
 */
#include "state/tasks.h"

#include "act/attempt.h"
#include "place/choose.h"
#include "state/evictable.h"
#include "state/nodes.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_draw.h"

#include <stdlib.h>
#include <string.h>

/* ---- everything that a move may change, as bytes ---- */

struct bytes {
    unsigned char *of;
    size_t count, capacity;
};

static void save_bytes(struct bytes *b, const void *data, size_t size)
{
    if (size == 0)
        return;
    if (b->count + size > b->capacity) {
        b->capacity = 2 * (b->count + size);
        b->of = realloc(b->of, b->capacity);
        ck_assert_ptr_nonnull(b->of);
    }
    memcpy(b->of + b->count, data, size);
    b->count += size;
}

static void save_set(struct bytes *b, const struct pc_bits *set)
{
    if (set->capacity > 0)
        save_bytes(b, set->words, (set->start[PC_BITS_LEVELS - 1] + 1) * sizeof *set->words);
}

static void save_evictable(struct bytes *b, const struct pc_evictable *list)
{
    for (struct pc_evictable_place at = {0, 0}; pc_evictable_at(list, at) != PC_NONE;
         pc_evictable_next(list, &at)) {
        uint32_t job = pc_evictable_at(list, at);
        save_bytes(b, &job, sizeof job);
    }
}

/* Member by member: padding does not count. */
static void save_device(struct bytes *b, const struct pc_device *d)
{
    const int32_t fields[] = {d->used,
                              d->releasing,
                              d->nominated,
                              d->sharers,
                              d->nominated_sharers,
                              d->slices,
                              d->slices_leaving,
                              d->slices_nominated,
                              d->compute,
                              d->compute_leaving,
                              d->compute_nominated};
    save_bytes(b, fields, sizeof fields);
}

static void save_cluster(struct bytes *b, const struct pc_cluster *c)
{
    b->count = 0;
    for (uint32_t i = 0; i < c->node_count; i++) {
        struct pc_node node;
        memcpy(&node, &c->nodes[i], sizeof node);
        node.device = NULL; /* their contents are saved below */
        node.size_class = 0;
        node.first_evictable = (struct pc_evictable_task){0, 0}; /* of a list in no order */
        save_bytes(b, &node, sizeof node);
    }
    for (uint32_t i = 0; i < c->node_count; i++)
        for (int32_t d = 0; d < c->nodes[i].devices; d++) {
            struct pc_device device = pc_device_of(&c->nodes[i], (uint32_t)d);
            save_device(b, &device);
        }
    for (uint32_t i = 0; i < c->node_count; i++)
        if (c->nodes[i].instances != NULL)
            save_bytes(b, c->nodes[i].instances, sizeof *c->nodes[i].instances);
    for (uint32_t i = 0; i <= POLICY_MAX_DEVICES; i++)
        save_set(b, &c->by_soon[i]);
    save_set(b, &c->with_shared);
    save_set(b, &c->up);
    save_bytes(b, c->listed, sizeof c->listed);
    save_bytes(b, &c->capacity, sizeof c->capacity);
    save_bytes(b, &c->soon_milli, sizeof c->soon_milli);
    for (uint32_t i = 0; i < c->queue_count; i++) {
        struct pc_queue queue;
        memcpy(&queue, &c->queues[i], sizeof queue);
        queue.kept = queue.kept_below = 0; /* scratch of the last session reserve query */
        memset(&queue.active, 0,
               sizeof queue.active); /* its order is saved below, not its blocks */
        memset(queue.scarcities, 0, sizeof queue.scarcities); /* may be forgotten at any time, */
        queue.scarcity_count = 0; /* and policy_check() recounts what is left */
        save_bytes(b, &queue, sizeof queue);
        save_evictable(b, &c->queues[i].active);
        save_bytes(b, c->queues[i].classes, c->queues[i].class_count * sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < c->job_count; i++) {
        struct pc_job job;
        memcpy(&job, &c->jobs[i], sizeof job);
        job.detail = NULL; /* their contents are saved below */
        save_bytes(b, &job, sizeof job);
        if (c->jobs[i].state == PC_FREE)
            continue;
        const struct pc_shape *s = &c->shapes[c->jobs[i].shape];
        for (uint32_t k = 0; k < s->tasks; k++) {
            struct pc_task task;
            memcpy(&task, pc_task(c, i, k), sizeof task);
            task.next = task.behind = (struct pc_evictable_task){0, 0}; /* of lists in no order */
            save_bytes(b, &task, sizeof task);
        }
        for (uint32_t k = 0; k < s->set_count; k++) {
            struct pc_counts counts = pc_counts_of(c, &c->jobs[i], k);
            save_bytes(b, &counts, sizeof counts);
        }
    }
    save_bytes(b, c->classes, c->class_count * sizeof *c->classes);
    save_bytes(b, c->stale, c->stale_count * sizeof *c->stale);
    save_bytes(b, &c->freed, sizeof c->freed);
}

/* ---- random transactions ---- */

enum { JOBS = 12, MOVES = 60, MARKS = 8 };

struct scene {
    struct quota_world world;
    struct quota_draw draw;
    struct tally tally;
    struct policy *p;
    struct bytes saved[MARKS], now; /* the cluster at each open mark */
    uint32_t marks[MARKS], depth;
};

static void build(struct scene *s, uint64_t seed)
{
    uint32_t pools[QUOTA_POOLS];
    s->draw = (struct quota_draw){.state = seed, .crowded = seed % 2 == 0};
    s->p = core_create(&s->tally, "runai", "");
    quota_draw_basis(&s->world, s->p);
    for (uint32_t i = 0; i < 6; i++) {
        struct quota_node n;
        quota_draw_node(&s->draw, &n, i);
        ck_assert_uint_ne(policy_add_node(s->p, 0, &n.spec).i, POLICY_NO_ID);
    }
    for (uint32_t i = 0; i < 4; i++) {
        struct quota_queue q;
        quota_draw_queue(&s->draw, &q, i == 3 ? 0 : POLICY_NO_ID, i, pools);
        ck_assert_uint_eq(policy_add_queue(s->p, 0, &q.spec).i, i);
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        struct quota_job job;
        quota_draw_job(&s->draw, &job, (policy_queue){1 + i % 3}, 0, i);
        ck_assert_uint_ne(policy_submit(s->p, 0, &job.spec).i, POLICY_NO_ID);
    }
    size_t count;
    (void)policy_decide(s->p, 0, &count);
    core_is_sound(s->p);
}

/* A place to which the task can move from where it is. */
static bool next_place(struct scene *s, uint32_t job, uint32_t task, struct pc_place *to)
{
    struct pc_cluster *c = s->p->cluster;
    const struct pc_task *t = pc_task(c, job, task);
    const struct pc_area everywhere = {0};
    *to = t->place;
    switch (quota_below(&s->draw, 4)) {
    case 0: /* told to stop, not nominated */
        to->holding = to->holding == PC_RUNS ? PC_RELEASING : to->holding;
        to->nominated = PC_NONE;
        to->nominated_devices = 0;
        to->nominated_slice = 0;
        return true;
    case 1: /* gone */
        *to = pc_nowhere();
        return true;
    case 2: /* a running task only has a promise */
        if (t->place.holding != PC_RUNS)
            return false;
        *to = pc_only_nominated(c, job, task);
        return true;
    default: /* placed, at once or later */
        if (t->place.holding == PC_RUNS || t->place.nominated != PC_NONE)
            return false;
        return pc_choose(s->p, job, task, &everywhere,
                         t->place.holding != PC_NOTHING || quota_chance(&s->draw, 50), to);
    }
}

static void move(struct scene *s)
{
    struct pc_cluster *c = s->p->cluster;
    uint32_t job = (uint32_t)quota_below(&s->draw, (int32_t)c->job_count);
    if (c->jobs[job].state != PC_LIVE)
        return;
    uint32_t task = (uint32_t)quota_below(&s->draw, (int32_t)c->shapes[c->jobs[job].shape].tasks);
    struct pc_place to;
    if (pc_task(c, job, task)->end == PC_ALIVE && next_place(s, job, task, &to))
        ck_assert(pc_txn_move(s->p, job, task, &to));
}

static void set_mark(struct scene *s)
{
    save_cluster(&s->saved[s->depth], s->p->cluster);
    s->marks[s->depth++] = pc_txn_mark(s->p->cluster);
}

/* Rolls back to one of the open marks. */
static void roll_back(struct scene *s, uint32_t to)
{
    pc_txn_rollback(s->p->cluster, s->marks[to]);
    save_cluster(&s->now, s->p->cluster);
    ck_assert_uint_eq(s->now.count, s->saved[to].count);
    ck_assert_msg(memcmp(s->now.of, s->saved[to].of, s->now.count) == 0,
                  "something is not as it was");
    s->depth = to;
}

START_TEST(undoing_restores_every_byte)
{
    struct scene *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    build(s, (uint64_t)_i);
    s->p->cluster->trying = true; /* as during trials of actions: releases are not final */
    set_mark(s);
    for (int i = 0; i < MOVES; i++) {
        move(s);
        if (s->depth < MARKS && quota_chance(&s->draw, 15))
            set_mark(s);
        else if (s->depth > 1 && quota_chance(&s->draw, 10))
            roll_back(s, 1 + (uint32_t)quota_below(&s->draw, (int32_t)s->depth - 1));
    }
    roll_back(s, 0);
    s->p->cluster->trying = false;
    core_destroy(s->p, &s->tally); /* after policy_check() */
    for (int i = 0; i < MARKS; i++)
        free(s->saved[i].of);
    free(s->now.of);
    free(s);
}
END_TEST

/* ---- one move ---- */

/* One node of four devices and 10 cores with a task that requests `devices`, or a share, and two
 * cores. */
struct one {
    struct tally tally;
    struct policy *p;
    policy_queue queue;
    policy_job job;
};

static void open_one(struct one *o, struct policy_request r)
{
    static const struct policy_share any = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    struct policy_queue_spec queue = {
        .size = sizeof queue, .parent = {POLICY_NO_ID}, .gpu = any, .cpu = any, .mem = any};
    struct policy_node_spec node = core_node_spec(0, 4);
    *o = (struct one){.p = NULL};
    o->p = core_create(&o->tally, "runai", "");
    o->queue = policy_add_queue(o->p, 0, &queue);
    node.cpu_milli = 10000;
    node.max_tasks = 3;
    ck_assert_uint_eq(policy_add_node(o->p, 0, &node).i, 0);
    r.cpu_milli = 2000;
    struct policy_role role = core_role(1, r);
    struct policy_job_spec spec = core_job_spec(o->queue, 0, &role, 1);
    spec.preemptible = true;
    o->job = policy_submit(o->p, 0, &spec);
    ck_assert_uint_ne(o->job.i, POLICY_NO_ID);
}

/* The task's state: runs, is being released, is nominated; and the amounts of node and queue then.
 */
static const struct {
    struct policy_request request;
    uint8_t holding;
    bool nominated;
    uint64_t idle, leaving, shared, groups;
    int32_t soon_whole;
    int64_t cpu_idle, cpu_soon, gpu_allocated, gpu_request;
} moves[] = {
    {{.devices = 2}, PC_NOTHING, false, 0xf, 0x0, 0x0, 0x0, 4, 10000, 10000, 0, 2000},
    {{.devices = 2}, PC_RUNS, false, 0xc, 0x0, 0x0, 0x0, 2, 8000, 8000, 2000, 2000},
    {{.devices = 2}, PC_RELEASING, false, 0xc, 0x3, 0x0, 0x0, 4, 8000, 10000, 0, 0},
    {{.devices = 2}, PC_NOTHING, true, 0xf, 0x0, 0x0, 0x0, 2, 10000, 8000, 2000, 2000},
    {{.devices = 2}, PC_RELEASING, true, 0xc, 0x3, 0x0, 0x0, 2, 8000, 8000, 2000, 0},
    {{.devices = 2, .device_milli = 300},
     PC_RUNS,
     false,
     0xc,
     0x0,
     0x3,
     0x3,
     2,
     8000,
     8000,
     600,
     600},
    {{.devices = 2, .device_milli = 300},
     PC_RELEASING,
     false,
     0xc,
     0x3,
     0x0,
     0x3,
     4,
     8000,
     10000,
     0,
     0},
    {{.devices = 2, .device_milli = 300},
     PC_NOTHING,
     true,
     0x3,
     0x0,
     0xc,
     0xc,
     2,
     10000,
     8000,
     600,
     600},
    {{.devices = 2, .device_milli = 300},
     PC_RELEASING,
     true,
     0x0,
     0x3,
     0xc,
     0xf,
     2,
     8000,
     8000,
     600,
     0},
};

START_TEST(a_move_takes_and_gives)
{
    struct one o;
    open_one(&o, moves[_i].request);
    struct pc_cluster *c = o.p->cluster;
    bool share = moves[_i].request.device_milli > 0;
    struct pc_place to = pc_nowhere();
    to.holding = moves[_i].holding;
    to.node = to.holding != PC_NOTHING ? 0 : PC_NONE;
    to.devices = to.holding != PC_NOTHING ? 0x3 : 0;
    to.nominated = moves[_i].nominated ? 0 : PC_NONE;
    to.nominated_devices = moves[_i].nominated && share ? 0xc : 0;
    uint32_t mark = pc_txn_mark(c);
    ck_assert(pc_txn_move(o.p, o.job.i, 0, &to));
    const struct pc_node *n = &c->nodes[0];
    ck_assert_uint_eq(n->idle, moves[_i].idle);
    ck_assert_uint_eq(n->leaving, moves[_i].leaving);
    ck_assert_uint_eq(n->shared, moves[_i].shared);
    ck_assert_uint_eq(n->groups, moves[_i].groups);
    ck_assert_int_eq(pc_soon_whole(n), moves[_i].soon_whole);
    ck_assert_int_eq(n->cpu_idle, moves[_i].cpu_idle);
    ck_assert_int_eq(n->cpu_soon, moves[_i].cpu_soon);
    ck_assert_int_eq(n->tasks_idle, to.holding != PC_NOTHING ? 2 : 3);
    ck_assert_int_eq(c->queues[o.queue.i].allocated.of[PC_GPU], moves[_i].gpu_allocated);
    ck_assert_int_eq(c->queues[o.queue.i].request.of[PC_GPU], moves[_i].gpu_request);
    pc_txn_rollback(c, mark);
    core_destroy(o.p, &o.tally);
}
END_TEST

/* However often a task moved, it is noted once, with its first place and the last action that moved
 * it. */
START_TEST(a_commit_notes_tasks_once)
{
    static const uint8_t reasons[2] = {POLICY_REASON_PREEMPTED, POLICY_REASON_MOVED};
    struct one o;
    open_one(&o, core_devices(1));
    struct pc_cluster *c = o.p->cluster;
    ck_assert_int_eq(policy_task_running(o.p, 0, o.job, 0, (policy_node){0}, 0x1, 0), POLICY_OK);
    struct pc_place place = pc_task(c, o.job.i, 0)->place;
    uint32_t mark = pc_txn_mark(c);
    place.holding = PC_RELEASING;
    ck_assert(pc_txn_move(o.p, o.job.i, 0, &place));
    place.nominated = 0;
    ck_assert(pc_txn_move(o.p, o.job.i, 0, &place));
    c->action = POLICY_PREEMPT;
    ck_assert(pc_txn_commit(o.p, mark, PC_NONE, reasons));
    const struct pc_task *t = pc_task(c, o.job.i, 0);
    ck_assert_uint_eq(c->noted_count, 1);
    ck_assert_uint_eq(c->undo_count, mark);
    ck_assert_uint_eq(t->before.holding, PC_RUNS);
    ck_assert_uint_eq(t->action, POLICY_PREEMPT);
    ck_assert_uint_eq(t->reason, POLICY_REASON_MOVED);
    core_destroy(o.p, &o.tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tasks");
    TCase *tcase = tcase_create("moves");
    tcase_add_loop_test(tcase, a_move_takes_and_gives, 0, ROWS(moves));
    tcase_add_test(tcase, a_commit_notes_tasks_once);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("transactions");
    tcase_add_loop_test(tcase, undoing_restores_every_byte, 0, 100);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
