/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flows of jobs to and from storage; see storage.h. */
#include "sim/storage.h"
#include "sim/internal.h"
#include "sim/storage/maxmin.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (INT64_MAX / 2000) /* per transfer: its thousandths are counted */

/* A transfer. `left` and `moved` are thousandths of bytes. */
struct flow {
    uint32_t id; /* in the maxmin; WORK_NONE: none */
    enum sim_store_kind kind;
    int64_t want, rate; /* bytes per second on each node */
    int64_t nodes, left, since_ms;
};

/* Flows of a job, by its id in the core. */
struct store_job {
    struct flow transfer, write, data;
    uint32_t launch; /* the run of the flows, as progress.launches */
    int64_t begun;   /* the checkpoint of the flow, as progress.begun */
    int64_t step_ms; /* next time at which one of its flows begins or ends */
    int64_t fed_ppm, scaling_ppm;
    int64_t write_bytes, read_bytes, load_bytes; /* of the job; load_bytes: of each of its tasks */
    bool streams;                                /* reads training data while it works */
    bool noted;
};

struct list {
    uint32_t *of;
    size_t count, room;
};

struct sim_storage {
    struct maxmin *shares;
    uint32_t read, write; /* links; WORK_NONE: unlimited */
    uint32_t *nodes[3];   /* links of each node: read, write, cache */
    struct store_job *jobs;
    size_t job_count;
    uint32_t *job_of_flow;
    size_t flow_room;
    struct list noted;
    struct maxmin_cross *crosses; /* buffer for the links of one flow */
    uint32_t *on;                 /* buffer for the nodes of a job */
    size_t cross_room, on_room;
    sim_store_amount moved[SIM_STORE_KINDS];
    bool left; /* a flow left since the last settlement */
};

enum { NODE_READ = 0, NODE_WRITE, NODE_CACHE };

/* ---- opening ---- */

static uint32_t add_link(struct sim_storage *st, int64_t capacity)
{
    return capacity > 0 ? maxmin_add_link(st->shares, capacity) : WORK_NONE;
}

bool sim_storage_open(struct sim *sim, struct err *err)
{
    const struct sim_storage_rules *rules = &sim->config.storage;
    if (!rules->on)
        return true;
    if (sim->counts)
        return err_set(
            err, EXIT_INPUT,
            "storage: shares depend on where jobs run, which placement 'count' does not say");
    struct sim_storage *st = sim->storage = mem_alloc(1, sizeof *st);
    const int64_t each[3] = {rules->node_read, rules->node_write, rules->cache};
    st->shares = maxmin_create();
    st->read = add_link(st, rules->read);
    st->write = add_link(st, rules->write);
    for (int kind = 0; kind < 3; kind++) {
        st->nodes[kind] = mem_alloc(sim->fleet->node_count + 1, sizeof *st->nodes[kind]);
        for (uint32_t i = 0; i < sim->fleet->node_count; i++)
            st->nodes[kind][i] = add_link(st, each[kind]);
    }
    sim->config.checkpoints.speeds |= rules->data > 0;
    return true;
}

void sim_storage_close(struct sim *sim)
{
    struct sim_storage *st = sim->storage;
    if (st == NULL)
        return;
    maxmin_destroy(st->shares);
    for (int kind = 0; kind < 3; kind++)
        free(st->nodes[kind]);
    free(st->jobs);
    free(st->job_of_flow);
    free(st->noted.of);
    free(st->crosses);
    free(st->on);
    free(st);
    sim->storage = NULL;
}

/* ---- a new job ---- */

static int64_t nodes_of(const struct sim *sim, const struct work_job *job)
{
    int64_t milli = (int64_t)sim->queues[job->queue].node_gpus * FLEET_WHOLE;
    return milli > 0 && job->gpu_milli > milli ? (job->gpu_milli + milli - 1) / milli : 1;
}

static int64_t checkpoint_bytes(const struct sim *sim, const struct work_job *job)
{
    const struct sim_storage_rules *r = &sim->config.storage;
    return r->checkpoint_bytes +
           (int64_t)((sim_store_amount)r->checkpoint_gpu_bytes * job->gpu_milli / FLEET_WHOLE);
}

/* Time for that many bytes on that many nodes without contention; at least 1. */
static int64_t ms_alone(int64_t bytes, int64_t nodes, int64_t all, int64_t each)
{
    sim_store_amount rate = all > 0 ? all : MAXMIN_MOST;
    sim_store_amount own = each > 0 ? (sim_store_amount)each * nodes : MAXMIN_MOST;
    rate = own < rate ? own : rate;
    return (int64_t)(((sim_store_amount)bytes * 1000 + rate - 1) / rate);
}

int64_t sim_storage_write_ms(const struct sim *sim, const struct work_job *job, int64_t otherwise)
{
    const struct sim_storage_rules *r = &sim->config.storage;
    int64_t bytes = sim->storage != NULL ? checkpoint_bytes(sim, job) : 0;
    return bytes > 0 ? ms_alone(bytes, nodes_of(sim, job), r->write, r->node_write) : otherwise;
}

static struct store_job *job_of(const struct sim *sim, const struct work_job *job)
{
    return &sim->storage->jobs[job->core.i];
}

bool sim_storage_admit(struct sim *sim, struct work_job *job, const struct trace_job *from,
                       struct err *err)
{
    const struct sim_storage_rules *r = &sim->config.storage;
    sim->storage->jobs = mem_extend(sim->storage->jobs, &sim->storage->job_count,
                                    sim->work.capacity, sizeof *sim->storage->jobs);
    struct store_job *of = job_of(sim, job);
    bool computes = work_computes((enum trace_class)job->class), noted = of->noted;
    bool defaults = computes && sim->config.checkpoints.given;
    int64_t bytes = defaults ? checkpoint_bytes(sim, job) : 0;
    *of = (struct store_job){
        .noted = noted, .fed_ppm = WORK_IDEAL, .scaling_ppm = WORK_IDEAL, .step_ms = WORK_NO_END};
    of->transfer.id = of->write.id = of->data.id = WORK_NONE;
    of->write_bytes = from->checkpoint_write_ms == TRACE_UNKNOWN ? bytes : 0;
    of->read_bytes = from->restart_ms == TRACE_UNKNOWN ? bytes : 0;
    of->streams = r->data > 0 && computes;
    of->load_bytes = sim->config.startup.classes >> job->class & 1 ? r->load_bytes : 0;
    if (of->load_bytes > MOST_BYTES / job->most_tasks || bytes > MOST_BYTES)
        return err_set(err, EXIT_INPUT, "storage: job '%s' moves more than %lld bytes at once",
                       from->id, (long long)MOST_BYTES);
    job->progress.load_ms = of->load_bytes > 0; /* until its share is known */
    job->progress.read_ms = of->read_bytes > 0;
    return true;
}

/* ---- flows ---- */

/* Distinct nodes on which tasks of the job run; valid until the next call. */
static size_t read_nodes(struct sim *sim, const struct work_job *job)
{
    struct sim_storage *st = sim->storage;
    size_t count = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        if (task->release_ms != WORK_NEVER)
            continue;
        st->on = mem_grow(st->on, &st->on_room, count + 1, sizeof *st->on);
        st->on[count++] = task->node;
    }
    if (count > 1)
        qsort(st->on, count, sizeof *st->on, order_u32);
    size_t kept = count > 0;
    for (size_t i = 1; i < count; i++)
        if (st->on[i] != st->on[kept - 1])
            st->on[kept++] = st->on[i];
    return kept;
}

static size_t cross(struct sim_storage *st, size_t count, uint32_t link, int64_t weight)
{
    if (link == WORK_NONE || weight == 0)
        return count;
    st->crosses = mem_grow(st->crosses, &st->cross_room, count + 1, sizeof *st->crosses);
    st->crosses[count] = (struct maxmin_cross){link, weight};
    return count + 1;
}

/* Adds a flow of `want` bytes per second on each of the nodes just read, part of which caches
 * serve. */
static void join(struct sim *sim, uint32_t job, struct flow *flow, size_t nodes, int64_t cached_ppm)
{
    struct sim_storage *st = sim->storage;
    bool writes = flow->kind == SIM_STORE_WRITE;
    int64_t stored_ppm = MAXMIN_WHOLE - cached_ppm;
    size_t count = cross(st, 0, writes ? st->write : st->read, stored_ppm * (int64_t)nodes);
    for (size_t i = 0; i < nodes; i++) {
        count = cross(st, count, st->nodes[writes ? NODE_WRITE : NODE_READ][st->on[i]], stored_ppm);
        count = cross(st, count, st->nodes[NODE_CACHE][st->on[i]], cached_ppm);
    }
    flow->id = maxmin_join(st->shares, flow->want, st->crosses, count);
    flow->nodes = (int64_t)nodes;
    flow->rate = 0;
    flow->since_ms = sim->now_ms;
    st->job_of_flow =
        mem_grow(st->job_of_flow, &st->flow_room, (size_t)flow->id + 1, sizeof *st->job_of_flow);
    st->job_of_flow[flow->id] = job;
}

/* Accounts for what it moved until now. */
static void advance(struct sim *sim, struct flow *flow)
{
    sim_store_amount each = (sim_store_amount)flow->rate * flow->nodes;
    sim_store_amount amount = each * (sim->now_ms - flow->since_ms);
    sim_store_amount inside = each * sim_inside(sim, flow->since_ms, sim->now_ms);
    flow->since_ms = sim->now_ms;
    if (flow->kind != SIM_STORE_DATA) { /* the last millisecond may exceed what it needs */
        inside -= amount > flow->left && inside > 0 ? amount - flow->left : 0;
        amount = amount < flow->left ? amount : flow->left;
        flow->left -= (int64_t)amount;
    }
    if (inside <= 0)
        return;
    sim->storage->moved[flow->kind] += inside;
    SIM_TELL(sim, moved, sim, &sim->work.jobs[sim->storage->job_of_flow[flow->id]], flow->kind,
             inside);
}

static void leave(struct sim *sim, struct flow *flow)
{
    if (flow->id == WORK_NONE)
        return;
    advance(sim, flow);
    maxmin_leave(sim->storage->shares, flow->id);
    sim->storage->left = true;
    flow->id = WORK_NONE;
}

static void leave_all(struct sim *sim, struct store_job *of)
{
    leave(sim, &of->transfer);
    leave(sim, &of->write);
    leave(sim, &of->data);
    of->step_ms = WORK_NO_END;
}

/* ---- what a job moves now ---- */

static void begin_transfer(struct sim *sim, const struct work_job *job, struct store_job *of,
                           struct flow *flow, enum sim_store_kind kind)
{
    const int64_t bytes[] = {of->load_bytes * job->running, of->read_bytes, of->write_bytes};
    size_t nodes = read_nodes(sim, job);
    int64_t want = MAXMIN_MOST;
    if (kind == SIM_STORE_LOAD && sim->config.storage.load_rate > 0) {
        sim_store_amount all =
            (sim_store_amount)sim->config.storage.load_rate * job->running / (int64_t)nodes;
        want = all < want ? (int64_t)all : want;
    }
    *flow = (struct flow){.kind = kind, .want = want > 0 ? want : 1, .left = bytes[kind] * 1000};
    join(sim, job->core.i, flow, nodes, 0);
}

static void sync_transfer(struct sim *sim, const struct work_job *job, struct store_job *of)
{
    uint8_t phase = job->progress.phase;
    enum sim_store_kind kind = phase == PHASE_READ ? SIM_STORE_READ : SIM_STORE_LOAD;
    bool moves = phase == PHASE_READ || phase == PHASE_LOAD;
    if (of->transfer.id != WORK_NONE && (!moves || of->transfer.kind != kind))
        leave(sim, &of->transfer);
    if (moves && of->transfer.id == WORK_NONE)
        begin_transfer(sim, job, of, &of->transfer, kind);
}

/* A checkpoint written out of turn bypasses the storage. */
static void sync_write(struct sim *sim, const struct work_job *job, struct store_job *of)
{
    const struct work_progress *p = &job->progress;
    bool same = p->writing_ms > 0 && of->begun == p->begun;
    if (!same || p->begins)
        leave(sim, &of->write);
    if (p->begins)
        of->begun = p->begun;
    if (p->writing_ms == 0)
        of->begun = -1;
    if (same || p->begins || p->writing_ms == 0 || of->write_bytes == 0)
        return;
    of->begun = p->begun;
    begin_transfer(sim, job, of, &of->write, SIM_STORE_WRITE);
}

static void sync_data(struct sim *sim, const struct work_job *job, struct store_job *of)
{
    const struct sim_storage_rules *r = &sim->config.storage;
    bool reads = of->streams && job->progress.phase == PHASE_WORK && job->progress.rate > 0;
    leave(sim, &of->data); /* its demand or its nodes may have changed */
    if (!reads)
        return;
    size_t nodes = read_nodes(sim, job);
    sim_store_amount want =
        (sim_store_amount)r->data * job->running_milli / FLEET_WHOLE * of->fed_ppm / WORK_IDEAL;
    want = want * of->scaling_ppm / WORK_IDEAL / (int64_t)nodes;
    of->data = (struct flow){.kind = SIM_STORE_DATA,
                             .want = want < 1             ? 1
                                     : want < MAXMIN_MOST ? (int64_t)want
                                                          : MAXMIN_MOST};
    join(sim, job->core.i, &of->data, nodes, r->cache_ppm);
}

static void sync(struct sim *sim, struct work_job *job)
{
    struct store_job *of = job_of(sim, job);
    if (job->state != WORK_RUNNING || job->running == 0 || of->launch != job->progress.launches) {
        leave_all(sim, of);
        of->launch = job->progress.launches;
        of->begun = -1;
    }
    if (job->state != WORK_RUNNING || job->running == 0)
        return;
    sim_account(sim, job);
    sync_transfer(sim, job, of);
    sync_write(sim, job, of);
    sync_data(sim, job, of);
}

/* ---- what the shares make of it ---- */

/* Applies a new share; returns the time left. */
static int64_t time_left(struct sim *sim, struct flow *flow)
{
    advance(sim, flow);
    int64_t rate = maxmin_rate(sim->storage->shares, flow->id);
    flow->rate = rate > 0 ? rate : 1;
    sim_store_amount each = (sim_store_amount)flow->rate * flow->nodes;
    sim_store_amount ms = (flow->left + each - 1) / each;
    return ms < 1 ? 1 : ms < WORK_LATEST ? (int64_t)ms : WORK_LATEST;
}

static bool feed(struct sim *sim, struct work_job *job, struct store_job *of, struct err *err)
{
    struct flow *flow = &of->data;
    if (flow->id == WORK_NONE)
        return true;
    advance(sim, flow);
    flow->rate = maxmin_rate(sim->storage->shares, flow->id);
    int64_t ppm = of->fed_ppm;
    if (flow->rate < flow->want)
        ppm = (int64_t)((sim_store_amount)ppm * flow->rate / flow->want);
    return sim_set_pace(sim, job, ppm > 0 ? (int32_t)ppm : 1, of->scaling_ppm, err);
}

static bool apply(struct sim *sim, struct work_job *job, struct err *err)
{
    struct store_job *of = job_of(sim, job);
    struct work_progress *p = &job->progress;
    if (job->state != WORK_RUNNING || job->running == 0)
        return true;
    sim_account(sim, job);
    if (of->transfer.id != WORK_NONE)
        p->left_ms = time_left(sim, &of->transfer);
    if (of->write.id != WORK_NONE) {
        p->writing_ms = time_left(sim, &of->write);
        if (!p->async)
            p->left_ms = p->writing_ms;
    }
    return feed(sim, job, of, err) && sim_schedule(sim, job, err);
}

/* Its progress changed. */
static void note(struct sim *sim, const struct work_job *job)
{
    struct sim_storage *st = sim->storage;
    if (sim->filling || st->jobs[job->core.i].noted)
        return;
    st->jobs[job->core.i].noted = true;
    st->noted.of =
        mem_grow(st->noted.of, &st->noted.room, st->noted.count + 1, sizeof *st->noted.of);
    st->noted.of[st->noted.count++] = job->core.i;
}

bool sim_storage_settle(struct sim *sim, struct err *err)
{
    struct sim_storage *st = sim->storage;
    size_t count;
    bool ok = true;
    if (st->noted.count == 0 && !st->left)
        return true;
    for (size_t i = 0; i < st->noted.count; i++)
        sync(sim, &sim->work.jobs[st->noted.of[i]]);
    const uint32_t *changed = maxmin_settle(st->shares, &count);
    for (size_t i = 0; i < count; i++)
        note(sim, &sim->work.jobs[st->job_of_flow[changed[i]]]);
    for (size_t i = 0; i < st->noted.count; i++) {
        ok = ok && apply(sim, &sim->work.jobs[st->noted.of[i]], err);
        st->jobs[st->noted.of[i]].noted = false;
    }
    st->noted.count = 0;
    st->left = false;
    return ok;
}

void sim_storage_leave(struct sim *sim, const struct work_job *job)
{
    leave_all(sim, job_of(sim, job));
}

bool sim_storage_pace(struct sim *sim, struct work_job *job, int32_t ppm, int64_t scaling_ppm)
{
    struct store_job *of = job_of(sim, job);
    if (!of->streams)
        return false;
    if (of->fed_ppm == ppm && of->scaling_ppm == scaling_ppm)
        return true;
    sim_account(sim, job); /* the loss for want of data up to now is at the previous speed */
    note(sim, job);
    of->fed_ppm = ppm;
    of->scaling_ppm = scaling_ppm;
    return true;
}

/* ---- steps ---- */

int64_t sim_storage_due(struct sim *sim, const struct work_job *job)
{
    struct store_job *of = job_of(sim, job);
    int64_t due = work_progress_end(&job->progress), next = work_progress_next(&job->progress);
    bool moves = of->streams || of->write_bytes > 0 || work_progress_launches(&job->progress);
    bool steps = moves && next < due;
    note(sim, job);
    next = steps ? next : WORK_NO_END;
    if (next != of->step_ms && steps)
        event_push(&sim->events, next, EVENT_STEP, job->core.i);
    of->step_ms = next;
    return steps ? WORK_NO_END : due;
}

bool sim_storage_step(struct sim *sim, struct work_job *job, struct err *err)
{
    if (job->state != WORK_RUNNING || job_of(sim, job)->step_ms != sim->now_ms)
        return true;
    sim->event_count++;
    sim_account(sim, job);
    sim_recount_idle(sim, job);
    return sim_schedule(sim, job, err);
}

bool sim_storage_is_stale(const struct sim *sim, const struct event *event)
{
    const struct work_job *job = &sim->work.jobs[event->subject];
    return job->state != WORK_RUNNING || job_of(sim, job)->step_ms != event->time_ms;
}

/* ---- what is known ---- */

void sim_storage_finish(struct sim *sim)
{
    struct sim_storage *st = sim->storage;
    for (size_t i = 0; i < st->job_count; i++) {
        struct flow *flows[] = {&st->jobs[i].transfer, &st->jobs[i].write, &st->jobs[i].data};
        for (size_t k = 0; k < 3 && sim->work.jobs[i].state == WORK_RUNNING; k++)
            if (flows[k]->id != WORK_NONE)
                advance(sim, flows[k]);
    }
}

sim_store_amount sim_storage_moved(const struct sim *sim, enum sim_store_kind kind)
{
    return sim->storage->moved[kind];
}

int64_t sim_storage_fed_ppm(const struct sim *sim, const struct work_job *job)
{
    const struct store_job *of = job_of(sim, job);
    return of->streams ? of->fed_ppm : job->speed_ppm;
}

/* Flows match what jobs do, none exceeds its share or could have more, and no step is overdue. */
bool sim_storage_audit(const struct sim *sim, struct err *err)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state != WORK_RUNNING || job->running == 0)
            continue;
        const struct store_job *of = job_of(sim, job);
        const struct work_progress *p = &job->progress;
        bool moves = p->phase == PHASE_LOAD || p->phase == PHASE_READ;
        bool reads = of->streams && p->phase == PHASE_WORK && p->rate > 0;
        if (p->since_ms == sim->now_ms &&
            (moves != (of->transfer.id != WORK_NONE) || reads != (of->data.id != WORK_NONE) ||
             (of->write.id != WORK_NONE && p->writing_ms == 0)))
            return err_set(err, EXIT_INVARIANT, "job '%s': its transfers do not match its phase",
                           work_id(job));
        if (of->step_ms < sim->now_ms)
            return err_set(err, EXIT_INVARIANT, "job '%s': a step of %lld ms is overdue",
                           work_id(job), (long long)of->step_ms);
        if (of->data.id != WORK_NONE && job->speed_ppm > of->fed_ppm)
            return err_set(err, EXIT_INVARIANT,
                           "job '%s': %d ppm, faster than its place lets it be", work_id(job),
                           job->speed_ppm);
    }
    return maxmin_check(sim->storage->shares, err);
}
