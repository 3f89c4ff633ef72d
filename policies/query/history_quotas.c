/* SPDX-License-Identifier: MIT */
/* History of policies with a queue order: reservation, nominations, queue usage, idle jobs; see
 * state/history.h. */
#include "act/reversal.h"
#include "state/history.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/tasks.h"
#include "state/usage.h"

static policy_job id_of(const struct pc_cluster *c, uint32_t job)
{
    return (policy_job){job, c->jobs[job].gen};
}

/* Finds an unfinished job; returns a status. */
static int find_job(struct policy *p, policy_job which, uint32_t *job)
{
    *job = pc_job_find(p, which);
    return *job == PC_NONE ? POLICY_UNKNOWN : POLICY_OK;
}

/* ---- the reservation ---- */

static bool reserves(const struct policy *p)
{
    return p->config.backfill == POLICY_SINGLE;
}

static bool get_reservation(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    if (*i > 0 || r->job == PC_NONE || c->jobs[r->job].gen != r->gen ||
        c->jobs[r->job].state == PC_FREE)
        return false;
    h->job = id_of(c, r->job);
    h->at = INT64_MAX;
    h->due = true;
    return true;
}

static int set_reservation(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = find_job(p, h->job, &job);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    p->cluster->reservation.job = job;
    p->cluster->reservation.gen = h->job.gen;
    p->cluster->version++;
    return POLICY_OK;
}

const struct pc_history_row pc_reservation_history = {
    POLICY_HISTORY_PROMISE, reserves, get_reservation, set_reservation,
    "the reservation of the first job in order: it is made again"};

/* ---- nominations ---- */

static bool is_quota(const struct policy *p)
{
    return p->cluster->pending == NULL;
}

/* Restored nominations before the first decision; else those of the last decision. */
static bool get_nomination(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_nomination of;
    for (; *i < (c->noted_count > 0 ? c->noted_count : c->kept.count); (*i)++) {
        if (c->noted_count > 0) {
            const struct pc_ref *ref = &c->noted[*i];
            if (c->jobs[ref->job].gen != ref->gen || c->jobs[ref->job].state != PC_LIVE)
                continue;
            const struct pc_place *place = &pc_task(c, ref->job, ref->task)->place;
            of = (struct pc_nomination){ref->job,
                                        ref->gen,
                                        ref->task,
                                        place->nominated,
                                        place->nominated_devices,
                                        place->nominated_slice};
        } else {
            of = c->kept.of[*i];
        }
        if (of.node == PC_NONE || c->jobs[of.job].gen != of.gen || c->jobs[of.job].state != PC_LIVE)
            continue;
        h->job = id_of(c, of.job);
        h->task = of.task;
        h->node.i = of.node;
        h->devices = of.devices;
        h->place = of.slice;
        return true;
    }
    return false;
}

static int check_nomination(struct policy *p, const struct policy_history *h, uint32_t *job)
{
    const struct pc_cluster *c = p->cluster;
    int status = find_job(p, h->job, job);
    if (status != POLICY_OK)
        return status;
    if (c->jobs[*job].state != PC_LIVE || h->task >= c->shapes[c->jobs[*job].shape].tasks)
        return pc_refuse(p, POLICY_UNKNOWN, "task", h->task, "the job has no task of that number");
    if (h->node.i >= c->node_count || !c->nodes[h->node.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "node", h->node.i, "not known");
    int32_t devices = c->nodes[h->node.i].devices;
    if (devices < POLICY_MAX_DEVICES && h->devices >> devices != 0)
        return pc_refuse(p, POLICY_INVALID, "devices", (int64_t)h->devices, "those of the node");
    const struct pc_request *wants = &pc_role_of(&c->shapes[c->jobs[*job].shape], h->task)->request;
    if (pc_wants_share(wants) && pc_popcount(h->devices) != wants->devices)
        return pc_refuse(p, POLICY_INVALID, "devices", pc_popcount(h->devices),
                         "as many as the task asks for");
    if (wants->wants_mig && pc_popcount(h->devices) > 1)
        return pc_refuse(p, POLICY_INVALID, "devices", pc_popcount(h->devices),
                         "the one of an instance");
    if (h->place >= 8)
        return pc_refuse(p, POLICY_INVALID, "memory slice", h->place, "0 to 7");
    if (c->noted_count > 0)
        return pc_refuse(p, POLICY_CONFLICT, "job", *job,
                         "a nomination is told before the first decision");
    for (uint32_t i = c->kept.count; i > 0 && c->kept.of[i - 1].job == *job; i--)
        if (c->kept.of[i - 1].task == h->task)
            return pc_refuse(p, POLICY_CONFLICT, "task", h->task, "nominated already");
    return POLICY_OK;
}

static int set_nomination(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job;
    policy_time before = p->now;
    int status = check_nomination(p, h, &job);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    if (!PC_GROW(&p->memory, c->kept.of, c->kept.capacity, c->kept.count + 1))
        return pc_no_memory(p, before, "nomination of the job", job);
    c->kept.of[c->kept.count++] =
        (struct pc_nomination){job, h->job.gen, h->task, h->node.i, h->devices, (uint8_t)h->place};
    c->kept.told = c->kept.count;
    c->version++;
    return POLICY_OK;
}

const struct pc_history_row pc_nomination_history = {POLICY_HISTORY_NOMINATION, is_quota,
                                                     get_nomination, set_nomination, NULL};

/* ---- queue usage ---- */

static bool keeps_use(const struct policy *p)
{
    return p->config.quota.usage_window != POLICY_USAGE_GIVEN;
}

/* That of the cluster, then of the queues, each from the newest part to the oldest; empty ones are
 * omitted. */
static bool get_usage(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    enum { PARTS = PC_USAGE_PARTS + 1 };
    const struct pc_cluster *c = p->cluster;
    for (; *i / PARTS <= c->queue_count; (*i)++) {
        uint32_t number = *i / PARTS;
        uint32_t age = *i % PARTS;
        const struct pc_usage *u = number == 0 ? &c->capacity_usage : &c->usages[number - 1];
        struct pc_usage_part part;
        if ((number > 0 && !c->queues[number - 1].exists) || u->told ||
            !pc_usage_get(u, age, &part) ||
            (age > 0 && part.held[0] == 0 && part.held[1] == 0 && part.held[2] == 0))
            continue;
        h->queue.i = number == 0 ? POLICY_NO_ID : number - 1;
        h->count = (uint64_t)part.ms;
        h->from = part.from;
        h->at = u->until;
        h->until = u->changed;
        h->used_gpu = part.held[0];
        h->used_cpu = part.held[1];
        h->used_mem = part.held[2];
        return true;
    }
    return false;
}

static int set_usage(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_cluster *c = p->cluster;
    bool all = h->queue.i == POLICY_NO_ID;
    if (!all && (h->queue.i >= c->queue_count || !c->queues[h->queue.i].exists))
        return pc_refuse(p, POLICY_UNKNOWN, "queue", h->queue.i, "not known");
    if (h->count > (uint64_t)c->window.step_ms)
        return pc_refuse(p, POLICY_UNSUPPORTED, "length of a part of a history", (int64_t)h->count,
                         "at most a 64th of the window");
    if (h->until > at)
        return pc_refuse(p, POLICY_INVALID, "time of the last change of use", h->until,
                         "one in the past");
    policy_time before = p->now;
    int status = pc_history_check_time(p, at, h->at);
    if (status != POLICY_OK)
        return status;
    struct pc_usage *u = all ? &c->capacity_usage : &c->usages[h->queue.i];
    const struct pc_usage_part part = {
        h->from, (int64_t)h->count, {h->used_gpu, h->used_cpu, h->used_mem}};
    if (!pc_usage_set(u, &c->window, h->at, h->until, &part)) {
        p->now = before;
        return pc_refuse(p, POLICY_INVALID, "time of a part of a history", h->from,
                         "in the window of `at`, and in no other part");
    }
    u->told = false;
    c->version++;
    return POLICY_OK;
}

const struct pc_history_row pc_usage_history = {
    POLICY_HISTORY_USAGE, keeps_use, get_usage, set_usage,
    "when queues used their amounts: they count as used evenly"};

/* ---- idle jobs ---- */

static bool looks_for_idle(const struct policy *p)
{
    return p->config.quota.idle_limit_ms > 0;
}

static bool get_idle(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    for (; *i < c->job_count; (*i)++) {
        const struct pc_job *j = &c->jobs[*i];
        if (j->detail == NULL || j->detail->reported == POLICY_NEVER)
            continue;
        h->job = id_of(c, *i);
        h->at = j->detail->reported;
        h->from = j->detail->idle_since;
        return true;
    }
    return false;
}

static int set_idle(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = find_job(p, h->job, &job);
    if (status == POLICY_OK && h->from > h->at)
        status = pc_refuse(p, POLICY_INVALID, "time since which the job is idle", h->from,
                           "before the report");
    if (status == POLICY_OK && !pc_detail_make(p, job))
        status = pc_refuse(p, POLICY_NO_MEMORY, "job", job, "no memory for what it did");
    if (status != POLICY_OK || (status = pc_history_check_time(p, at, h->at)) != POLICY_OK)
        return status;
    p->cluster->jobs[job].detail->reported = h->at;
    p->cluster->jobs[job].detail->idle_since = h->from;
    p->cluster->version++;
    return POLICY_OK;
}

const struct pc_history_row pc_idle_history = {POLICY_HISTORY_IDLE, looks_for_idle, get_idle,
                                               set_idle, NULL};

/* ---- gangs below their minimum ---- */

static bool get_stale(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    for (; *i < c->job_count; (*i)++) {
        const struct pc_job *j = &c->jobs[*i];
        if (j->state == PC_FREE || !j->stale)
            continue;
        h->job = id_of(c, *i);
        h->at = p->now;
        h->from = j->detail->stale_since;
        return true;
    }
    return false;
}

static int set_stale(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = find_job(p, h->job, &job);
    if (status != POLICY_OK || (status = pc_history_check_time(p, at, h->from)) != POLICY_OK)
        return status;
    if (p->cluster->jobs[job].stale)
        p->cluster->jobs[job].detail->stale_since = h->from;
    p->cluster->version++;
    return POLICY_OK;
}

const struct pc_history_row pc_stale_history = {POLICY_HISTORY_STALE, is_quota, get_stale,
                                                set_stale, NULL};

/* ---- starts decided but not yet reported ---- */

/* Tasks per record, and records per job: later tasks count as reported. */
#define BLOCK_BITS 6
#define BLOCK      (UINT32_C(1) << BLOCK_BITS)

/* The tasks of a block that hold something and were not reported as started. */
static uint64_t unreported(const struct pc_cluster *c, uint32_t job, uint32_t block)
{
    const struct pc_job *j = &c->jobs[job];
    uint32_t tasks = j->state == PC_LIVE ? c->shapes[j->shape].tasks : 0;
    uint64_t set = 0;
    for (uint32_t i = block * BLOCK; i < tasks && i < (block + 1) * BLOCK; i++)
        if (pc_task_of(j, i)->place.holding != PC_NOTHING && pc_task_of(j, i)->place.started != 0)
            set |= UINT64_C(1) << i % BLOCK;
    return set;
}

/* A record's number is that of its job and, in the low bits, that of the block. */
static bool get_started(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t job = *i >> BLOCK_BITS; job < c->job_count && job < UINT32_MAX >> BLOCK_BITS;
         job++) {
        uint32_t block = job == *i >> BLOCK_BITS ? *i % BLOCK : 0;
        uint32_t tasks = c->jobs[job].state == PC_LIVE ? c->shapes[c->jobs[job].shape].tasks : 0;
        for (; block < BLOCK && block * BLOCK < tasks; block++) {
            h->devices = unreported(c, job, block);
            if (h->devices == 0)
                continue;
            h->job = id_of(c, job);
            h->task = block * BLOCK;
            *i = job << BLOCK_BITS | block;
            return true;
        }
    }
    return false;
}

static int check_started(struct policy *p, const struct policy_history *h, uint32_t *job)
{
    const struct pc_cluster *c = p->cluster;
    int status = find_job(p, h->job, job);
    if (status != POLICY_OK)
        return status;
    uint32_t tasks = c->jobs[*job].state == PC_LIVE ? c->shapes[c->jobs[*job].shape].tasks : 0;
    for (uint64_t rest = h->devices; rest != 0; rest &= rest - 1) {
        uint64_t task = (uint64_t)h->task + pc_lowest(rest);
        if (task >= tasks || pc_task(c, *job, (uint32_t)task)->place.holding == PC_NOTHING)
            return pc_refuse(p, POLICY_CONFLICT, "task", (int64_t)task, "does not run");
    }
    return POLICY_OK;
}

static int set_started(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = check_started(p, h, &job);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    for (uint64_t rest = h->devices; rest != 0; rest &= rest - 1)
        pc_task_at(p->cluster, job, h->task + pc_lowest(rest))->place.started = 1;
    return POLICY_OK;
}

const struct pc_history_row pc_started_history = {POLICY_HISTORY_STARTED, is_quota, get_started,
                                                  set_started, NULL};

/* ---- jobs that displaced others ---- */

static bool get_displaced(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_pairs *pairs = &p->cluster->displaced;
    for (; *i < pairs->count; (*i)++) {
        const struct pc_pair *pair = &pairs->of[*i];
        if (!pc_pair_holds(p->cluster, pair))
            continue;
        h->job = id_of(p->cluster, pair->loser);
        h->other = id_of(p->cluster, pair->by);
        h->at = pair->at;
        h->due = pairs->happened || *i < pairs->overtaken;
        return true;
    }
    return false;
}

static int check_displaced(struct policy *p, const struct policy_history *h, uint32_t *job,
                           uint32_t *other)
{
    const struct pc_pairs *pairs = &p->cluster->displaced;
    int status = find_job(p, h->job, job);
    if (status != POLICY_OK || (status = find_job(p, h->other, other)) != POLICY_OK)
        return status;
    if (*job == *other)
        return pc_refuse(p, POLICY_INVALID, "other job", *other, "another one than the job");
    if (pairs->count > 0 && h->at < pairs->of[pairs->count - 1].at)
        return pc_refuse(p, POLICY_INVALID, "time at which a job was displaced", h->at,
                         "not before that of the record before");
    if (h->due && pairs->overtaken < pairs->count)
        return pc_refuse(p, POLICY_INVALID, "due", 1, "not after a record without");
    return POLICY_OK;
}

static int set_displaced(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_pairs *pairs = &p->cluster->displaced;
    uint32_t job, other;
    policy_time before = p->now;
    int status = check_displaced(p, h, &job, &other);
    if (status != POLICY_OK || (status = pc_history_check_time(p, at, h->at)) != POLICY_OK)
        return status;
    if (!PC_GROW(&p->memory, pairs->of, pairs->capacity, pairs->count + 1))
        return pc_no_memory(p, before, "job that was displaced", job);
    pc_reversals_add_pair(p->cluster, other, job, h->at);
    pairs->overtaken += h->due;
    pairs->happened = false; /* earlier facts describe the state of that time */
    p->cluster->version++;
    return POLICY_OK;
}

const struct pc_history_row pc_displaced_history = {POLICY_HISTORY_DISPLACED, is_quota,
                                                    get_displaced, set_displaced, NULL};

/* ---- nothing has happened since the last decision ---- */

/* Returns false as well if a time that it waited for has come. */
static bool get_settled(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    h->until = p->cluster->next_time;
    return *i == 0 && p->now != INT64_MIN && !policy_has_work(p) && policy_next_wakeup(p) > p->now;
}

static int set_settled(struct policy *p, policy_time at, const struct policy_history *h)
{
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    p->cluster->decided_version = p->cluster->version;
    p->cluster->next_time = h->until;
    return POLICY_OK;
}

static bool has_cycles(const struct policy *p)
{
    return p->cluster->pending == NULL;
}

const struct pc_history_row pc_settled = {POLICY_HISTORY_DECIDED, has_cycles, get_settled,
                                          set_settled, NULL};
