/* SPDX-License-Identifier: MIT */
/*
 * Reservation and backfill (option `backfill`): the first job in order that finds no room gets a reservation, the place
 * and time at which it could start if everything that runs ended when its owner said. Jobs behind it may start if they
 * end before that time, or leave alone what it needs then. Without it small jobs can keep a big gang from starting for
 * ever. This is ours: a Run:ai-class scheduler has nothing like it. Jobs without a declared limit never end here.
 */
#include "act/act.h"
#include "act/attempt.h"
#include "cluster/chunk.h"
#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "place/choose.h"
#include "place/sort.h"

static policy_time expected_end(const struct pq_job *j)
{
    if (j->limit_ms < 0 || j->last_start == POLICY_NEVER)
        return INT64_MAX;
    return j->last_start + j->limit_ms;
}

static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
    const struct cluster *c = context;
    policy_time x = expected_end(&c->jobs[a]);
    policy_time y = expected_end(&c->jobs[b]);
    return x != y ? x < y : a < b;
}

/* The running jobs that will end, first the one that ends first, in c->asked. */
static bool list_running(struct policy *p)
{
    struct cluster *c = p->cluster;
    c->asked.count = 0;
    for (uint32_t job = 0; job < c->job_count; job++) {
        if (c->jobs[job].state != PQ_LIVE || c->jobs[job].running == 0 ||
            expected_end(&c->jobs[job]) == INT64_MAX)
            continue;
        if (!PC_GROW(&p->memory, c->asked.ids, c->asked.capacity, c->asked.count + 1)) {
            c->out_of_memory = true;
            return false;
        }
        c->asked.ids[c->asked.count++] = job;
    }
    pc_sort_ids(c->asked.ids, c->asked.count, ends_before, c);
    return true;
}

/* What the job's tasks hold will be free. */
static bool let_end(struct policy *p, uint32_t job)
{
    struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t task = 0; task < s->tasks; task++) {
        struct pq_place place = j->tasks[task].place;
        if (place.holding != PQ_RUNS)
            continue;
        c->nodes[place.node].free_by_then += pq_role_of(s, task)->request.devices;
        place.holding = PQ_RELEASING;
        if (!pq_txn_move(p, job, task, &place))
            return false;
    }
    return true;
}

void pq_drop_reservation(struct policy *p)
{
    struct cluster *c = p->cluster;
    for (uint32_t i = 0; c->reserved_for != PC_NONE && i < c->node_count; i++)
        c->nodes[i].reserved = c->nodes[i].free_by_then = 0;
    c->reserved_for = PC_NONE;
}

void pq_reserve(struct policy *p, uint32_t job)
{
    struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    uint32_t mark = pq_txn_mark(c);
    bool placed = false;
    c->reserved_for = job;
    if (!list_running(p) || !pq_next_tasks(p, job, &c->placing))
        return;
    for (uint32_t i = 0; i < c->asked.count && !placed && !c->out_of_memory;) {
        policy_time then = expected_end(&c->jobs[c->asked.ids[i]]);
        while (i < c->asked.count && expected_end(&c->jobs[c->asked.ids[i]]) == then &&
               let_end(p, c->asked.ids[i]))
            i++;
        c->reserved_at = then;
        placed = pq_attempt(p, job, &c->placing, true);
    }
    for (uint32_t task = 0; placed && task < c->shapes[j->shape].tasks; task++)
        if (j->tasks[task].place.promised != PC_NONE)
            c->nodes[j->tasks[task].place.promised].reserved +=
                pq_role_of(&c->shapes[j->shape], task)->request.devices;
    pq_txn_rollback(c, mark);
    if (!placed)
        c->reserved_at = INT64_MAX; /* nothing that ends makes room for it: it cannot be delayed */
}

bool pq_spares_reservation(const struct policy *p, const struct pq_job *j, const struct pq_node *n,
                           int32_t devices)
{
    const struct cluster *c = p->cluster;
    if (c->reserved_for == PC_NONE || c->reserved_at == INT64_MAX || n->reserved == 0 ||
        j == &c->jobs[c->reserved_for])
        return true;
    if (j->limit_ms >= 0 && p->now + j->limit_ms <= c->reserved_at)
        return true;
    return pq_soon_whole(n) + n->free_by_then - devices >= n->reserved;
}
