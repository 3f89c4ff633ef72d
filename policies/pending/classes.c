/* SPDX-License-Identifier: MIT */
/* Job classes: the hash table, and joining and leaving; see pending.h. */
#include "pending/ahead.h"
#include "pending/blocked.h"
#include "pending/missing.h"
#include "pending/queue_classes.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/shapes.h"

#include <string.h>

/* Number of classes kept without sweeping: a steady stream of jobs then allocates nothing. */
#define CLASSES_KEPT 1024

/* ---- the table ---- */

static uint64_t hash_of(uint32_t queue, uint32_t shape)
{
    uint64_t h = ((uint64_t)queue << 32 | shape) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return h ^ h >> 32;
}

static uint32_t look_up(const struct pc_pending *w, uint64_t hash, uint32_t queue, uint32_t shape)
{
    if (w->hash_capacity == 0)
        return PC_NONE;
    uint32_t id = w->hash[hash & (w->hash_capacity - 1)];
    while (id != PC_NONE && (w->classes[id].queue != queue || w->classes[id].shape != shape))
        id = w->classes[id].next_in_hash;
    return id;
}

static bool grow_hash(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    uint32_t capacity = w->hash_capacity > 0 ? w->hash_capacity * 2 : 64;
    uint32_t *hash = pc_alloc(&p->memory, capacity, sizeof *hash);
    if (hash == NULL)
        return false;
    memset(hash, 0xff, capacity * sizeof *hash);
    for (uint32_t id = 0; id < w->class_count; id++) {
        struct pc_job_class *k = &w->classes[id];
        if (!k->exists || k->alone)
            continue;
        uint32_t *head = &hash[k->hash & (capacity - 1)];
        k->next_in_hash = *head;
        *head = id;
    }
    pc_release(&p->memory, w->hash, w->hash_capacity, sizeof *w->hash);
    w->hash = hash;
    w->hash_capacity = capacity;
    return true;
}

/* Frees the id of a class that is in no list. */
static void give_back_id(struct policy *p, uint32_t id)
{
    struct pc_pending *w = p->cluster->pending;
    struct pc_job_class *k = &w->classes[id];
    w->lanes[k->lane].members--;
    w->sets[k->set].members[k->need]--;
    w->classes_live--;
    k->exists = false;
    k->next_in_hash = w->class_free;
    w->class_free = id;
}

/* Frees the empty classes of one queue, or of all (PC_NONE). These are in no lane and not
 * blocked. */
static void sweep(struct policy *p, uint32_t queue)
{
    struct pc_pending *w = p->cluster->pending;
    for (uint32_t bucket = 0; bucket < w->hash_capacity; bucket++) {
        uint32_t *link = &w->hash[bucket];
        while (*link != PC_NONE) {
            uint32_t id = *link;
            struct pc_job_class *k = &w->classes[id];
            if (k->jobs > 0 || (queue != PC_NONE && k->queue != queue)) {
                link = &k->next_in_hash;
                continue;
            }
            *link = k->next_in_hash;
            pc_shape_drop(p, k->shape);
            pc_release(&p->memory, k->heap.of, k->heap.capacity, sizeof *k->heap.of);
            k->heap = (struct pc_entries){NULL, 0, 0};
            give_back_id(p, id);
        }
    }
}

void pc_pending_drop_queue(struct policy *p, uint32_t queue)
{
    if (p->cluster->pending != NULL)
        sweep(p, queue);
}

static uint32_t lane_of(const struct policy *p, uint32_t queue)
{
    return p->config.scope == POLICY_SCOPE_QUEUE ? queue : 0;
}

/* Reserves memory for a class in the table, in its lane and among the blocked ones, in addition to
 * all jobs that may need a class of their own. */
static bool reserve(struct policy *p, uint32_t lane, uint32_t set, int32_t need)
{
    struct pc_pending *w = p->cluster->pending;
    struct pc_lane *l = &w->lanes[lane];
    uint32_t more = w->alone_reserved + 1;
    return PC_GROW(&p->memory, w->classes, w->class_capacity, w->classes_live + more) &&
           PC_GROW(&p->memory, l->classes.ids, l->classes.capacity, l->members + more) &&
           pc_ahead_reserve_classes(p) && pc_blocked_reserve(p, set, need);
}

/* Sums the minimum's request as far as it is compared with totals of free devices. */
static void sum_up(struct pc_job_class *k, const struct pc_shape *s)
{
    k->gpu_milli = s->first.of[PC_GPU];
    k->summed = true;
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_request *r = &s->roles[i].request;
        k->types |= r->types;
        k->summed = k->summed && r->memory == 0 && !r->wants_mig;
        if (!pc_wants_share(r))
            k->whole_devices += pc_minimum_of(s, &s->roles[i]) * r->devices;
    }
}

/* Creates an empty class; the memory is reserved. */
static uint32_t new_class(struct policy *p, uint32_t queue, uint32_t shape)
{
    struct pc_cluster *c = p->cluster;
    struct pc_pending *w = c->pending;
    uint32_t id = w->class_free;
    if (id != PC_NONE)
        w->class_free = w->classes[id].next_in_hash;
    else
        id = w->class_count++;
    struct pc_job_class *k = &w->classes[id];
    *k = (struct pc_job_class){
        .exists = true,
        .queue = queue,
        .shape = shape,
        .lane = lane_of(p, queue),
        .set = c->queues[queue].pool_set,
        .need = pc_blocked_need(&c->shapes[shape]),
        .next_in_hash = PC_NONE,
        .lane_pos = PC_NONE,
        .blocked_pos = PC_NONE,
    };
    sum_up(k, &c->shapes[shape]);
    w->lanes[k->lane].members++;
    w->sets[k->set].members[k->need]++;
    w->classes_live++;
    return id;
}

/* Reserves heap memory for every job of the class, pending or not, and one more. */
static bool reserve_job(struct policy *p, struct pc_job_class *k)
{
    return PC_GROW(&p->memory, k->heap.of, k->heap.capacity, k->jobs + 1);
}

uint32_t pc_class_join(struct policy *p, uint32_t queue, uint32_t shape)
{
    struct pc_cluster *c = p->cluster;
    struct pc_pending *w = c->pending;
    uint64_t hash = hash_of(queue, shape);
    uint32_t id = look_up(w, hash, queue, shape);
    if (id != PC_NONE) {
        if (!reserve_job(p, &w->classes[id]))
            return PC_NONE;
        w->classes[id].jobs++;
        return id;
    }
    if (w->classes_live >= w->hash_capacity) {
        if (w->hash_capacity >= CLASSES_KEPT)
            sweep(p, PC_NONE);
        if (w->classes_live * 2 >= w->hash_capacity && !grow_hash(p))
            return PC_NONE;
    }
    if (!reserve(p, lane_of(p, queue), c->queues[queue].pool_set,
                 pc_blocked_need(&c->shapes[shape])))
        return PC_NONE;
    id = new_class(p, queue, shape);
    struct pc_job_class *k = &w->classes[id];
    if (!reserve_job(p, k)) {
        give_back_id(p, id);
        return PC_NONE;
    }
    uint32_t *head = &w->hash[hash & (w->hash_capacity - 1)];
    k->hash = hash;
    k->next_in_hash = *head;
    *head = id;
    k->jobs = 1;
    c->shapes[shape].users++;
    return id;
}

void pc_class_leave(struct policy *p, uint32_t class)
{
    p->cluster->pending->classes[class].jobs--;
}

bool pc_pending_allow_alone(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    if (c->pending == NULL || j->may_stand_alone)
        return true;
    const struct pc_job_class *home = &c->pending->classes[j->home];
    if (!reserve(p, home->lane, home->set, home->need))
        return false;
    c->pending->alone_reserved++;
    j->may_stand_alone = true;
    return true;
}

/* ---- the heap of a class ---- */

static void push(struct pc_entries *h, const struct pc_entry *entry)
{
    uint32_t at = h->count++;
    while (at > 0 && pc_key_before(entry, &h->of[(at - 1) / 2])) {
        h->of[at] = h->of[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->of[at] = *entry;
}

/* Sinks the entry from the hole at `at` to its position. */
static void sink(struct pc_entries *h, uint32_t at, struct pc_entry entry)
{
    for (uint32_t child = 2 * at + 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && pc_key_before(&h->of[child + 1], &h->of[child]))
            child++;
        if (!pc_key_before(&h->of[child], &entry))
            break;
        h->of[at] = h->of[child];
        at = child;
    }
    h->of[at] = entry;
}

static void rebuild(struct pc_entries *h)
{
    for (uint32_t i = h->count / 2; i-- > 0;)
        sink(h, i, h->of[i]);
}

static void drop_stale(const struct pc_cluster *c, struct pc_entries *h)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < h->count; i++)
        if (pc_is_current(c, &h->of[i]))
            h->of[kept++] = h->of[i];
    h->count = kept;
    rebuild(h);
}

/*
 * Called after entries became stale or were added: makes the first entry current and limits stale
 * ones to half. If there are as many entries as jobs, none is stale, and the jobs, which are far
 * away in memory, need not be examined.
 */
static void tidy(const struct pc_cluster *c, struct pc_job_class *k)
{
    struct pc_entries *h = &k->heap;
    if (h->count > 2 * (uint64_t)k->pending + 16)
        drop_stale(c, h);
    while (h->count > k->pending && !pc_is_current(c, &h->of[0])) {
        h->count--;
        sink(h, 0, h->of[h->count]); /* stays in place if it was the only one */
    }
    if (h->count == 0)
        return;
    k->first = h->of[0];
    __builtin_prefetch(&c->jobs[k->first.job].detail, 1); /* not accessed since it joined */
    __builtin_prefetch(&c->jobs[k->first.job].ticket, 1);
}

/* ---- joining and leaving ---- */

static void count_pending(struct pc_pending *w, struct pc_job_class *k, int sign)
{
    struct pc_waiting_set *s = &w->sets[k->set];
    k->pending += (uint32_t)sign;
    s->pending_jobs += (uint64_t)(int64_t)sign;
    s->pending_milli += sign * k->gpu_milli;
}

struct pc_entry pc_entry_of(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    return (struct pc_entry){.key = j->key, .rank = j->rank, .job = job, .ticket = j->ticket};
}

static void enter_home(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    struct pc_job_class *k = &c->pending->classes[j->home];
    struct pc_entry entry = pc_entry_of(c, job);
    bool settled = k->pending > 0 && k->fleet_version == c->fleet_version;
    if (!PC_GROW(&p->memory, k->heap.of, k->heap.capacity, k->heap.count + 1))
        drop_stale(c, &k->heap); /* there is memory for all jobs of the class */
    push(&k->heap, &entry);
    bool leads = k->heap.of[0].job == job;
    k->first = k->heap.of[0];
    j->class = j->home;
    count_pending(c->pending, k, 1);
    if (c->pending->ahead != NULL)
        pc_ahead_add(p, job);
    if (settled && !leads) {
        pc_class_account(p, k); /* its position does not change */
        return;
    }
    pc_class_judge(p, j->home);
    pc_lane_settle(p, j->home);
}

/* Devices requested next by the job. */
static int64_t next_milli(struct policy *p, uint32_t job)
{
    int64_t milli = pc_next_amounts(p, job).of[PC_GPU];
    p->cluster->out_of_memory = false; /* only the backlog uses it */
    return milli;
}

static void enter_alone(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    uint32_t id = new_class(p, j->queue, j->shape);
    struct pc_job_class *k = &c->pending->classes[id];
    k->alone = true;
    k->above = pc_elastic_state(c, job, false) >= 0;
    k->first = pc_entry_of(c, job);
    k->gpu_milli = next_milli(p, job);
    k->summed = false;
    k->fleet_version = c->fleet_version;
    k->jobs = 1;
    c->pending->alone_reserved--;
    j->class = id;
    count_pending(c->pending, k, 1);
    if (c->pending->ahead != NULL)
        pc_ahead_add(p, job);
    pc_lane_settle(p, id);
}

static void leave(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    uint32_t id = j->class;
    struct pc_job_class *k = &c->pending->classes[id];
    if (c->pending->ahead != NULL)
        pc_ahead_remove(p, job);
    j->ticket++; /* makes its heap entry stale */
    j->class = PC_NONE;
    count_pending(c->pending, k, -1);
    if (!k->alone)
        tidy(c, k);
    pc_lane_settle(p, id);
    if (k->alone) {
        pc_blocked_forget(p, id);
        c->pending->alone_reserved++;
        give_back_id(p, id);
    }
}

void pc_pending_settle(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    bool waits =
        j->state == PC_LIVE && j->pending > 0 && (s->elastic || j->running + j->releasing == 0);
    bool may_start = waits && !j->shut;
    bool untouched = may_start && (uint32_t)j->pending == s->tasks;
    if (c->pending->ahead != NULL)
        pc_ahead_settle(p, job);
    bool ready = untouched || (may_start && s->elastic && pc_is_ready(c, job));
    if (untouched && j->class == j->home)
        return;
    if (j->class != PC_NONE)
        leave(p, job);
    if (untouched)
        enter_home(p, job);
    else if (ready)
        enter_alone(p, job);
    if (j->absent != PC_PRESENT || (waits && !ready))
        pc_settle_absent(c, job, waits && !ready);
}

void pc_pending_rekey_job(struct policy *p, uint32_t job, struct pc_key key)
{
    struct pc_job *j = &p->cluster->jobs[job];
    if (j->class != PC_NONE)
        leave(p, job);
    j->key = key;
    pc_pending_settle(p, job);
}

void pc_pending_forget(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    if (j->class != PC_NONE)
        leave(p, job);
    if (c->pending->ahead != NULL)
        pc_ahead_forget(p, job);
    if (j->absent != PC_PRESENT)
        pc_settle_absent(c, job, false);
    if (j->may_stand_alone)
        c->pending->alone_reserved--;
    j->may_stand_alone = false;
    pc_class_leave(p, j->home);
}

void pc_pending_count_held(struct policy *p, uint32_t job, int sign)
{
    const struct pc_cluster *c = p->cluster;
    if (c->pending == NULL)
        return;
    const struct pc_job_class *k = &c->pending->classes[c->jobs[job].home];
    struct pc_backlog_cell *cell = &c->pending->sets[k->set].backlog[POLICY_REASON_NOT_ELIGIBLE];
    cell->jobs += (uint64_t)(int64_t)sign;
    cell->gpu_milli += sign * k->gpu_milli;
}

/* ---- keys that changed ---- */

static void rekey_class(struct policy *p, struct pc_job_class *k)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < k->heap.count; i++) {
        struct pc_entry *e = &k->heap.of[i];
        if (pc_is_current(c, e))
            e->key = c->jobs[e->job].key = p->order->rekey(p, e->job);
    }
    if (k->alone)
        k->first.key = c->jobs[k->first.job].key = p->order->rekey(p, k->first.job);
    rebuild(&k->heap);
    tidy(c, k);
}

void pc_pending_rekey_classes(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    for (uint32_t i = 0; i < w->class_count; i++)
        if (w->classes[i].exists && w->classes[i].pending > 0)
            rekey_class(p, &w->classes[i]);
}
