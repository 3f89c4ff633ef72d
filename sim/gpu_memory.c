/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jobs ask for and when; the model is in gpu_memory.h. */
#include "sim/gpu_memory_internal.h"
#include "sim/memory/demand.h"

#include "sim/base/mem.h"

#include <stdlib.h>

#define ALWAYS_PPM   1000000
#define MOST_DOUBLED 5 /* doublings of the retry interval: from 10 s to 320 s */

/* ---- opening ---- */

static bool measure_devices(struct sim *sim, struct err *err)
{
    struct sim_memory *m = sim->memory;
    uint32_t devices = 0;
    for (uint32_t i = 0; i < sim->fleet->node_count; i++) {
        const struct fleet_node *node = &sim->fleet->nodes[i];
        m->first_on[i] = WORK_NONE;
        m->first_device[i] = devices;
        devices += (uint32_t)node->gpus;
        if (node->gpus == 0)
            continue;
        if (node->device_mem_mib == 0)
            return err_set(
                err, EXIT_INPUT,
                "gpu_memory: node '%s' does not say how much memory its GPUs have (gpu_mem_gb)",
                node->name);
        m->most_mib = node->device_mem_mib > m->most_mib ? node->device_mem_mib : m->most_mib;
        int64_t *least = &m->least_of_type[node->gpu_type % 64];
        *least = *least == 0 || node->device_mem_mib < *least ? node->device_mem_mib : *least;
    }
    m->loads = mem_alloc(devices + 1, sizeof *m->loads);
    return true;
}

bool sim_memory_open(struct sim *sim, struct err *err)
{
    if (sim->config.gpu_memory.mode == MEMORY_OFF)
        return true;
    if (sim->counts)
        return err_set(err, EXIT_INPUT,
                       "gpu_memory: tasks share devices, and placement 'count' does not say which");
    struct sim_memory *m = sim->memory = mem_alloc(1, sizeof *m);
    m->rules = sim->config.gpu_memory;
    m->free_place = WORK_NONE;
    m->first_on = mem_alloc(sim->fleet->node_count + 1, sizeof *m->first_on);
    m->first_device = mem_alloc(sim->fleet->node_count + 1, sizeof *m->first_device);
    m->is_freed = mem_alloc(sim->fleet->node_count + 1, sizeof *m->is_freed);
    return measure_devices(sim, err);
}

void sim_memory_close(struct sim *sim)
{
    struct sim_memory *m = sim->memory;
    if (m == NULL)
        return;
    free(m->jobs);
    free(m->places);
    free(m->first_on);
    free(m->first_device);
    free(m->loads);
    free(m->asking);
    free(m->freed);
    free(m->is_freed);
    free(m->beside);
    free(m->beside_job);
    free(m->victims);
    free(m->chain);
    free(m);
    sim->memory = NULL;
}

/* ---- requests ---- */

/* A share as tenants and the fleet count it: device memory in whole hundreds of MiB. */
static int64_t share_mib(int64_t device_mib, int64_t milli)
{
    return milli * (device_mib / 100 * 100) / FLEET_WHOLE;
}

/* The smallest device among the types that the job may use. */
static int64_t least_device(const struct sim_memory *m, uint64_t types)
{
    int64_t least = 0;
    for (int type = 0; type < 64; type++) {
        int64_t here = m->least_of_type[type];
        if (here > 0 && (types == 0 || (types >> type & 1) != 0) && (least == 0 || here < least))
            least = here;
    }
    return least;
}

/* Thousandths of the smallest device that hold the limit there, at most the whole device. */
static int32_t milli_for(int64_t limit_mib, int64_t device_mib, int32_t milli)
{
    int64_t whole = device_mib / 100 * 100;
    int64_t wanted = whole > 0 && limit_mib < whole ? (limit_mib * FLEET_WHOLE + whole - 1) / whole
                                                    : FLEET_WHOLE;
    return wanted > milli ? (int32_t)wanted : milli;
}

bool sim_memory_request(const struct sim *sim, const struct trace_job *from,
                        struct policy_request *r, struct err *err)
{
    const struct sim_memory *m = sim->memory;
    int64_t limit = from->gpu_mem_limit_mib;
    if (limit == 0)
        return true;
    if (limit > m->most_mib)
        return err_set(
            err, EXIT_INPUT,
            "gpu_mem_limit_mib is %lld, expected at most the memory of the largest device, %lld",
            (long long)limit, (long long)m->most_mib);
    int64_t least = least_device(m, from->gpu_types);
    if (from->gpu_milli > 0 && least > 0 && limit < share_mib(least, from->gpu_milli))
        return err_set(err, EXIT_INPUT,
                       "gpu_mem_limit_mib is %lld, below the request: %d thousandths of the "
                       "smallest device are %lld MiB",
                       (long long)limit, from->gpu_milli,
                       (long long)share_mib(least, from->gpu_milli));
    if (m->rules.mode != MEMORY_STATIC)
        return true;
    if (from->gpu_mem_mib > 0) {
        r->device_mem_mib = limit;
        return true;
    }
    int32_t milli = milli_for(limit, least, r->device_milli);
    r->device_milli = milli < FLEET_WHOLE ? milli : 0;
    return true;
}

void sim_memory_admit(struct sim *sim, const struct work_job *job, const struct trace_job *from)
{
    struct sim_memory *m = sim->memory;
    if (job->core.i >= m->job_count)
        m->jobs = mem_extend(m->jobs, &m->job_count, sim->work.capacity, sizeof *m->jobs);
    struct memory_job *d = &m->jobs[job->core.i];
    bool asking = d->asking; /* left by an ended job in the same slot */
    *d = (struct memory_job){.due_ms = WORK_NEVER,
                             .ready_ms = WORK_NEVER,
                             .waits_ms = WORK_NEVER,
                             .request_mib = from->gpu_mem_mib,
                             .limit_mib = from->gpu_mem_limit_mib,
                             .milli = from->gpu_milli,
                             .gen = job->core.gen,
                             .tenant = WORK_NONE,
                             .asking = asking};
}

/* ---- tenants come ---- */

static uint32_t new_place(struct sim_memory *m)
{
    uint32_t id = m->free_place;
    if (id != WORK_NONE) {
        m->free_place = m->places[id].sibling;
        return id;
    }
    m->places = mem_grow(m->places, &m->place_capacity, m->place_count + 1, sizeof *m->places);
    return (uint32_t)m->place_count++;
}

/* Whole devices and MIG instances do not share their memory. */
static bool shares(const struct memory_job *d, const struct work_job *job,
                   const struct work_task *task)
{
    return job->request.profile == 0 && task->devices != 0 && (d->request_mib > 0 || d->milli > 0);
}

/*
 * Tasks of one job on one device together never want more than it has; otherwise no release by
 * others would help. Each may have an equal part of what their requests leave.
 */
static void cap_together(struct sim *sim, const struct memory_place *fresh)
{
    struct memory_place *places = sim->memory->places;
    uint32_t first = sim->memory->first_on[fresh->node];
    for (uint32_t id = first; id != WORK_NONE; id = places[id].next) {
        struct memory_place *p = &places[id];
        int64_t left = memory_capacity(sim, p->node), count = 0;
        for (uint32_t k = first; k != WORK_NONE && p->job == fresh->job; k = places[k].next)
            if (places[k].job == p->job && (places[k].devices & p->devices) != 0) {
                left -= places[k].low_mib;
                count++;
            }
        if (count > 1 && p->low_mib + left / count < p->high_mib)
            p->high_mib = p->low_mib + left / count;
    }
}

void sim_memory_take(struct sim *sim, const struct work_job *job, const struct work_task *task)
{
    struct sim_memory *m = sim->memory;
    struct memory_job *d = memory_of(sim, job->core.i);
    if (!shares(d, job, task))
        return;
    int64_t capacity = memory_capacity(sim, task->node);
    int64_t low = d->request_mib > 0 ? d->request_mib : share_mib(capacity, d->milli);
    int64_t high = d->limit_mib < capacity ? d->limit_mib : capacity;
    uint32_t id = new_place(m);
    uint32_t *first = &m->first_on[task->node];
    m->places[id] = (struct memory_place){.devices = task->devices,
                                          .low_mib = low,
                                          .high_mib = high,
                                          .job = job->core.i,
                                          .node = task->node,
                                          .number = task->number,
                                          .prev = WORK_NONE,
                                          .next = *first,
                                          .sibling = d->tenant};
    if (*first != WORK_NONE)
        m->places[*first].prev = id;
    *first = d->tenant = id;
    if (high > low && m->places[id].sibling != WORK_NONE)
        cap_together(sim, &m->places[id]);
    memory_enter(sim, &m->places[id]);
    if (!sim->filling)
        memory_ask(sim, job->core.i);
}

/* ---- phases ---- */

/* A build session grows while it is active, if its activity is known. */
static bool is_session(const struct work_job *job)
{
    return job->class == TRACE_BUILD && job->active_ppm >= 0 && job->active_ppm < ALWAYS_PPM;
}

static bool is_high(const struct work_job *job, uint32_t phase)
{
    return is_session(job) ? job->active_ppm > 0 && phase % 2 == 0 : phase % 2 == 1;
}

int64_t memory_wanted(const struct memory_job *d, const struct memory_place *place)
{
    return d->level_ppm == 0 ? place->low_mib
                             : memory_level_mib(place->low_mib, place->high_mib, d->level_ppm);
}

static bool ends_idle(const struct sim *sim)
{
    return sim->memory->rules.mode == MEMORY_PRIORITY;
}

bool memory_is_idle(const struct sim *sim, const struct work_job *job)
{
    const struct memory_job *d = memory_of(sim, job->core.i);
    return is_session(job) && !is_high(job, d->phase) &&
           sim->now_ms - d->since_ms >= sim->memory->rules.idle_after_ms;
}

static void wake_at(struct sim *sim, const struct work_job *job, int64_t at_ms)
{
    event_push(&sim->events, at_ms, EVENT_MEMORY, job->core.i);
}

/* End of the phase: of sessions that of their activity phase; nothing changes for those that never
 * grow or are always idle. */
static int64_t phase_end(const struct sim *sim, const struct work_job *job,
                         const struct memory_job *d)
{
    const struct memory_rules *rules = &sim->memory->rules;
    if (is_session(job))
        return job->active_ppm > 0 && (d->limit_mib > 0 || ends_idle(sim))
                   ? sim->now_ms + sim_activity_length(sim, job, d->phase)
                   : WORK_NEVER;
    if (d->limit_mib == 0 || rules->grow_ppm == 0)
        return WORK_NEVER;
    return sim->now_ms + memory_phase_ms(rules, sim->config.seed, job->key, d->phase);
}

static void begin_phase(struct sim *sim, const struct work_job *job, struct memory_job *d)
{
    const struct memory_rules *rules = &sim->memory->rules;
    bool high = is_high(job, d->phase) && d->limit_mib > 0;
    d->since_ms = sim->now_ms;
    d->level_ppm = high ? memory_level_ppm(rules, sim->config.seed, job->key, d->phase) : 0;
    d->due_ms = phase_end(sim, job, d);
    if (d->due_ms != WORK_NEVER)
        wake_at(sim, job, d->due_ms);
    int64_t idle_ms = d->since_ms + rules->idle_after_ms;
    if (ends_idle(sim) && is_session(job) && !is_high(job, d->phase) &&
        (d->due_ms == WORK_NEVER || idle_ms < d->due_ms))
        wake_at(sim, job, idle_ms);
}

void sim_memory_begin(struct sim *sim, const struct work_job *job)
{
    struct memory_job *d = memory_of(sim, job->core.i);
    if (d->tenant == WORK_NONE || sim->filling)
        return;
    d->phase += d->phase % 2;
    if (!is_session(job))
        d->phase = memory_first_phase(&sim->memory->rules, d->phase);
    d->waits_ms = WORK_NEVER;
    d->ready_ms = WORK_NEVER;
    if (d->ended > 0) {
        uint32_t doubled = d->ended <= MOST_DOUBLED ? d->ended - 1 : MOST_DOUBLED;
        d->ready_ms = sim->now_ms + sim->memory->rules.retry_ms * ((int64_t)1 << doubled);
        wake_at(sim, job, d->ready_ms);
    }
    begin_phase(sim, job, d);
}

/* The event is still valid and concerns the job that it was created for. */
static bool is_due(const struct sim *sim, uint32_t id, int64_t at_ms)
{
    const struct work_job *job = &sim->work.jobs[id];
    const struct memory_job *d = memory_of(sim, id);
    if (job->state != WORK_RUNNING || job->stopping || d->gen != job->core.gen)
        return false;
    return d->due_ms == at_ms || d->ready_ms == at_ms ||
           (ends_idle(sim) && d->since_ms + sim->memory->rules.idle_after_ms == at_ms);
}

bool sim_memory_is_stale(const struct sim *sim, const struct event *event)
{
    return !is_due(sim, event->subject, event->time_ms);
}

void sim_memory_due(struct sim *sim, uint32_t id)
{
    if (!is_due(sim, id, sim->now_ms))
        return;
    const struct work_job *job = &sim->work.jobs[id];
    struct memory_job *d = memory_of(sim, id);
    sim->event_count++;
    if (d->due_ms == sim->now_ms) {
        d->phase++;
        if (!is_session(job))
            d->phase = memory_first_phase(&sim->memory->rules, d->phase);
        begin_phase(sim, job, d);
    }
    memory_ask(sim, id);
    for (uint32_t i = d->tenant; i != WORK_NONE && memory_is_idle(sim, job);
         i = sim->memory->places[i].sibling)
        memory_note_freed(sim, sim->memory->places[i].node);
}
