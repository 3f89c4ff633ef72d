/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each tenant holds of each device, and its integral over time. */
#include "sim/gpu_memory_internal.h"

#include "sim/base/mem.h"
#include "sim/gpu_memory.h"

#include <math.h>

#define ALL_PPM INT64_C(1000000)

/* ---- lists of what is to be settled ---- */

void memory_ask(struct sim *sim, uint32_t job)
{
    struct sim_memory *m = sim->memory;
    if (m->jobs[job].asking)
        return;
    m->jobs[job].asking = true;
    m->asking = mem_grow(m->asking, &m->asking_capacity, m->asking_count + 1, sizeof *m->asking);
    m->asking[m->asking_count++] = job;
}

void memory_note_freed(struct sim *sim, uint32_t node)
{
    struct sim_memory *m = sim->memory;
    if (m->is_freed[node])
        return;
    m->is_freed[node] = true;
    m->freed = mem_grow(m->freed, &m->freed_capacity, m->freed_count + 1, sizeof *m->freed);
    m->freed[m->freed_count++] = node;
}

/* ---- sums over time ---- */

static int64_t resident(const struct memory_load *load, int64_t capacity_mib)
{
    return load->held_mib < capacity_mib ? load->held_mib : capacity_mib;
}

/* Adds a span of a device's time to the sums. */
static void add_span(const struct sim *sim, const struct memory_load *load, int64_t capacity_mib,
                     struct sim_memory *sums)
{
    int64_t ms = load->tenants > 0 ? sim_inside(sim, load->since_ms, sim->now_ms) : 0;
    if (ms == 0)
        return;
    sums->used += (memory_sum)resident(load, capacity_mib) * ms;
    sums->had += (memory_sum)capacity_mib * ms;
    sums->tenant_ms += (memory_sum)load->tenants * ms;
    sums->device_ms += ms;
    if (sums->rules.mode == MEMORY_SWAP)
        sums->swapped_kib += memory_swap_kib(&sums->rules, load->held_mib - capacity_mib, ms);
    int64_t ppm = resident(load, capacity_mib) * ALL_PPM / capacity_mib;
    sums->peak_ppm = ppm > sums->peak_ppm ? ppm : sums->peak_ppm;
    sums->peak_tenants = load->tenants > sums->peak_tenants ? load->tenants : sums->peak_tenants;
}

/* Called before anything about the device changes. Where that changes speeds, the progress of jobs
 * is first brought up to date at the old speeds. */
static void close_span(struct sim *sim, uint32_t node, int device)
{
    struct memory_load *load = memory_load(sim, node, device);
    add_span(sim, load, memory_capacity(sim, node), sim->memory);
    load->since_ms = sim->now_ms;
}

static double part_of(memory_sum a, memory_sum b)
{
    return b > 0 ? (double)a / (double)b : (double)NAN;
}

struct sim_memory_stats sim_memory_stats(const struct sim *sim)
{
    struct sim_memory sums = *sim->memory;
    for (uint32_t node = 0; node < sim->fleet->node_count; node++)
        for (int device = 0; device < sim->fleet->nodes[node].gpus; device++)
            add_span(sim, memory_load(sim, node, device), memory_capacity(sim, node), &sums);
    sums.stats.swapped_gb = (double)sums.swapped_kib * 1024 / 1e9;
    sums.stats.mean_use = part_of(sums.used, sums.had);
    sums.stats.peak_use =
        sums.device_ms > 0 ? (double)sums.peak_ppm / (double)ALL_PPM : (double)NAN;
    sums.stats.mean_tenants = part_of(sums.tenant_ms, sums.device_ms);
    sums.stats.peak_tenants = sums.peak_tenants;
    return sums.stats;
}

/* ---- speed ---- */

static int64_t device_ppm(const struct sim *sim, uint32_t node, int device)
{
    return memory_swap_ppm(&sim->memory->rules, -memory_free(sim, node, device));
}

/* All tasks of a job wait for the slowest. */
int64_t sim_memory_ppm(const struct sim *sim, const struct work_job *job)
{
    int64_t ppm = ALL_PPM;
    if (sim->memory == NULL || sim->memory->rules.mode != MEMORY_SWAP)
        return ppm;
    const struct memory_place *place;
    for (uint32_t id = memory_of(sim, job->core.i)->tenant; id != WORK_NONE; id = place->sibling) {
        place = &sim->memory->places[id];
        for (uint64_t rest = place->devices; rest != 0; rest &= rest - 1) {
            int64_t here = device_ppm(sim, place->node, __builtin_ctzll(rest));
            ppm = here < ppm ? here : ppm;
        }
    }
    return ppm;
}

/* Brings the progress of jobs on these devices up to date at their present speed, which may change
 * now. */
static void slow_down(struct sim *sim, uint32_t node, uint64_t devices)
{
    for (uint32_t id = sim->memory->first_on[node]; id != WORK_NONE;
         id = sim->memory->places[id].next) {
        struct work_job *job = &sim->work.jobs[sim->memory->places[id].job];
        if ((sim->memory->places[id].devices & devices) == 0 || job->state != WORK_RUNNING)
            continue;
        sim_account(sim, job);
        sim_speed_note(sim, job);
    }
}

/* ---- tenants ---- */

static void add_held(struct sim *sim, const struct memory_place *place, int64_t more_mib,
                     int32_t tenants)
{
    if (sim->memory->rules.mode == MEMORY_SWAP)
        slow_down(sim, place->node, place->devices);
    for (uint64_t rest = place->devices; rest != 0; rest &= rest - 1) {
        int device = __builtin_ctzll(rest);
        close_span(sim, place->node, device);
        struct memory_load *load = memory_load(sim, place->node, device);
        load->held_mib += more_mib;
        load->tenants += tenants;
    }
}

void memory_enter(struct sim *sim, const struct memory_place *place)
{
    add_held(sim, place, 0, 1);
}

void memory_hold(struct sim *sim, struct memory_place *place, int64_t mib)
{
    if (mib == place->held_mib)
        return;
    if (mib < place->held_mib)
        memory_note_freed(sim, place->node);
    add_held(sim, place, mib - place->held_mib, 0);
    place->held_mib = mib;
}

static void unlink_place(struct sim_memory *m, const struct memory_place *place)
{
    if (place->prev != WORK_NONE)
        m->places[place->prev].next = place->next;
    else
        m->first_on[place->node] = place->next;
    if (place->next != WORK_NONE)
        m->places[place->next].prev = place->prev;
}

void sim_memory_give(struct sim *sim, const struct work_job *job, const struct work_task *task)
{
    struct sim_memory *m = sim->memory;
    for (uint32_t *link = &memory_of(sim, job->core.i)->tenant; *link != WORK_NONE;) {
        struct memory_place *place = &m->places[*link];
        if (place->node != task->node || place->number != task->number ||
            place->devices != task->devices) {
            link = &place->sibling;
            continue;
        }
        memory_note_freed(sim, place->node);
        add_held(sim, place, -place->held_mib, -1);
        unlink_place(m, place);
        uint32_t id = *link;
        *link = place->sibling;
        place->sibling = m->free_place;
        m->free_place = id;
        return;
    }
}

/* ---- what there is on a device ---- */

int64_t memory_free(const struct sim *sim, uint32_t node, int device)
{
    return memory_capacity(sim, node) - memory_load(sim, node, device)->held_mib;
}

int64_t memory_more(const struct sim *sim, const struct memory_place *place, int device)
{
    const struct sim_memory *m = sim->memory;
    const struct memory_job *d = memory_of(sim, place->job);
    int64_t more = 0; /* a job may have many tasks, a node holds few */
    for (uint32_t id = m->first_on[place->node]; id != WORK_NONE; id = m->places[id].next) {
        const struct memory_place *own = &m->places[id];
        if (own->job == place->job && (own->devices >> device & 1) != 0)
            more += memory_wanted(d, own) - own->held_mib;
    }
    return more;
}

bool memory_next_full(const struct sim *sim, const struct memory_job *d, struct memory_spot *from)
{
    const struct sim_memory *m = sim->memory;
    bool seen = from->place == NULL;
    for (uint32_t id = d->tenant; id != WORK_NONE; id = m->places[id].sibling)
        for (uint64_t rest = m->places[id].devices; rest != 0; rest &= rest - 1) {
            const struct memory_spot here = {&m->places[id], __builtin_ctzll(rest)};
            if (!seen) {
                seen = here.place == from->place && here.device == from->device;
                continue;
            }
            int64_t more = memory_more(sim, here.place, here.device);
            if (more > 0 && more > memory_free(sim, here.place->node, here.device)) {
                *from = here;
                return true;
            }
        }
    return false;
}

static struct memory_tenant describe(const struct sim *sim, uint32_t id)
{
    const struct work_job *job = &sim->work.jobs[id];
    bool leaves = job->state != WORK_RUNNING || job->stopping || job->releasing > 0;
    return (struct memory_tenant){.number = job->number,
                                  .priority = job->priority,
                                  .idle = memory_is_idle(sim, job),
                                  .hopeless = memory_of(sim, id)->hopeless,
                                  .leaves = leaves};
}

size_t memory_beside(struct sim *sim, uint32_t node, int device, uint32_t job, size_t *own)
{
    struct sim_memory *m = sim->memory;
    size_t count = 0;
    for (uint32_t id = m->first_on[node]; id != WORK_NONE; id = m->places[id].next) {
        const struct memory_place *place = &m->places[id];
        if ((place->devices >> device & 1) == 0)
            continue;
        size_t at = 0;
        while (at < count && m->beside_job[at] != place->job)
            at++;
        if (at == count) {
            m->beside = mem_grow(m->beside, &m->beside_capacity, count + 1, sizeof *m->beside);
            m->beside_job =
                mem_grow(m->beside_job, &m->beside_job_capacity, count + 1, sizeof *m->beside_job);
            m->beside[count] = describe(sim, place->job);
            m->beside_job[count++] = place->job;
        }
        m->beside[at].held_mib += place->held_mib;
        *own = place->job == job ? at : *own;
    }
    return count;
}

/* ---- audit ---- */

/* Places and loads agree, and no device lends more than it has unless tenants take turns. */
static bool check_device(const struct sim *sim, uint32_t node, int device, struct err *err)
{
    const struct sim_memory *m = sim->memory;
    const struct memory_load *load = memory_load(sim, node, device);
    int64_t held = 0;
    int32_t tenants = 0;
    for (uint32_t id = m->first_on[node]; id != WORK_NONE; id = m->places[id].next) {
        const struct memory_place *place = &m->places[id];
        if ((place->devices >> device & 1) == 0)
            continue;
        held += place->held_mib;
        tenants++;
    }
    const char *name = sim->fleet->nodes[node].name;
    if (held != load->held_mib || tenants != load->tenants)
        return err_set(err, EXIT_INVARIANT,
                       "device %d of node '%s': %d tenants hold %lld MiB, counted as %d and %lld",
                       device, name, tenants, (long long)held, load->tenants,
                       (long long)load->held_mib);
    if (m->rules.mode != MEMORY_SWAP && held > memory_capacity(sim, node))
        return err_set(err, EXIT_INVARIANT,
                       "device %d of node '%s': its tenants hold %lld of %lld MiB", device, name,
                       (long long)held, (long long)memory_capacity(sim, node));
    return true;
}

/* A tenant holds what it wants, unless its job stalls for it. */
static bool check_job(const struct sim *sim, const struct work_job *job, struct err *err)
{
    const struct sim_memory *m = sim->memory;
    const struct memory_job *d = memory_of(sim, job->core.i);
    if (job->starved && (m->rules.mode == MEMORY_STATIC || m->rules.mode == MEMORY_SWAP))
        return err_set(err, EXIT_INVARIANT, "job '%s' stands still for device memory",
                       work_id(job));
    for (uint32_t id = d->tenant; id != WORK_NONE && !sim->filling; id = m->places[id].sibling) {
        const struct memory_place *place = &m->places[id];
        bool released = job->stopping || job->releasing > 0;
        if (place->job != job->core.i ||
            (!job->starved && !released && place->held_mib != memory_wanted(d, place)))
            return err_set(err, EXIT_INVARIANT,
                           "job '%s' holds %lld MiB of a device, but wants %lld", work_id(job),
                           (long long)place->held_mib, (long long)memory_wanted(d, place));
    }
    return true;
}

bool sim_memory_audit(const struct sim *sim, struct err *err)
{
    for (uint32_t node = 0; node < sim->fleet->node_count; node++)
        for (int device = 0; device < sim->fleet->nodes[node].gpus; device++)
            if (!check_device(sim, node, device, err))
                return false;
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_RUNNING && !check_job(sim, &sim->work.jobs[i], err))
            return false;
    return true;
}
