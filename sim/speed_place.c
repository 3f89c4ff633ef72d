/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The placement of a job as its speed sees it, and its neighbours on shared devices. */
#include "sim/speed_internal.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* ---- tenants of shared devices ---- */

static uint32_t new_tenant(struct sim_speed *speed)
{
    uint32_t id = speed->free_tenant;
    if (id != WORK_NONE) {
        speed->free_tenant = speed->tenants[id].sibling;
        return id;
    }
    speed->tenants = mem_grow(speed->tenants, &speed->tenant_capacity, speed->tenant_count + 1,
                              sizeof *speed->tenants);
    return (uint32_t)speed->tenant_count++;
}

static void note_beside(struct sim *sim, uint32_t node, uint64_t devices)
{
    const struct sim_speed *speed = sim->speed;
    for (uint32_t id = speed->first_on[node]; id != WORK_NONE; id = speed->tenants[id].next)
        if ((speed->tenants[id].devices & devices) != 0)
            speed_note(sim, speed->tenants[id].job);
}

void speed_add_tenants(struct sim *sim, const struct work_job *job, struct pace *pace)
{
    struct sim_speed *speed = sim->speed;
    if (job->request.profile > 0)
        return;
    for (uint32_t i = job->first_task; i != WORK_NONE; i = sim->work.tasks[i].next) {
        const struct work_task *task = &sim->work.tasks[i];
        if (task->release_ms != WORK_NEVER || task->milli == FLEET_WHOLE || task->devices == 0)
            continue;
        note_beside(sim, task->node, task->devices);
        uint32_t id = new_tenant(speed);
        uint32_t *first = &speed->first_on[task->node];
        speed->tenants[id] = (struct tenant){.devices = task->devices,
                                             .job = job->core.i,
                                             .node = task->node,
                                             .prev = WORK_NONE,
                                             .next = *first,
                                             .sibling = pace->tenant};
        if (*first != WORK_NONE)
            speed->tenants[*first].prev = id;
        *first = pace->tenant = id;
    }
}

void speed_drop_tenants(struct sim *sim, struct pace *pace)
{
    struct sim_speed *speed = sim->speed;
    while (pace->tenant != WORK_NONE) {
        uint32_t id = pace->tenant;
        struct tenant *t = &speed->tenants[id];
        if (t->prev != WORK_NONE)
            speed->tenants[t->prev].next = t->next;
        else
            speed->first_on[t->node] = t->next;
        if (t->next != WORK_NONE)
            speed->tenants[t->next].prev = t->prev;
        note_beside(sim, t->node, t->devices);
        pace->tenant = t->sibling;
        t->sibling = speed->free_tenant;
        speed->free_tenant = id;
    }
}

/* As given in the trace, else by its model. */
static struct perf_tenant describe(const struct sim *sim, uint32_t id)
{
    const struct work_job *job = &sim->work.jobs[id];
    const struct perf_model *model = sim->speed->paces[id].model;
    double utilization = model != NULL ? model->utilization : 0;
    return (struct perf_tenant){.family = model != NULL ? model->family : PERF_FAMILY_NONE,
                                .utilization =
                                    job->sm_util_ppm > 0 ? job->sm_util_ppm / 1e6 : utilization};
}

/* The share of one of its devices that is left to the job. */
static double device_keeps(struct sim *sim, const struct tenant *own, uint64_t device)
{
    struct sim_speed *speed = sim->speed;
    size_t count = 0;
    size_t of = 0;
    for (uint32_t id = speed->first_on[own->node]; id != WORK_NONE; id = speed->tenants[id].next) {
        const struct tenant *other = &speed->tenants[id];
        if ((other->devices & device) == 0)
            continue;
        speed->beside =
            mem_grow(speed->beside, &speed->beside_capacity, count + 1, sizeof *speed->beside);
        of = other == own ? count : of;
        speed->beside[count++] = describe(sim, other->job);
    }
    return perf_tenant_keeps(sim->config.network.interference.sharing, speed->beside, count, of);
}

/* The same for its worst device on a node. */
static double node_keeps(struct sim *sim, const struct pace *pace, uint32_t node)
{
    double keeps = 1;
    for (uint32_t id = pace->tenant; id != WORK_NONE; id = sim->speed->tenants[id].sibling) {
        const struct tenant *own = &sim->speed->tenants[id];
        for (uint64_t rest = own->node == node ? own->devices : 0; rest != 0; rest &= rest - 1) {
            double here = device_keeps(sim, own, rest & (~rest + 1));
            keeps = here < keeps ? here : keeps;
        }
    }
    return keeps;
}

/* ---- pieces ---- */

/* NVLink domains from the fleet's own level, if it has one; else the nodes of a pool fill domains
 * in order. */
static uint32_t nvlink_domain(const struct sim *sim, const struct node_traits *traits,
                              uint32_t node)
{
    if (traits->nvlink_nodes <= 1)
        return 0;
    uint32_t level = fleet_find_level(sim->fleet, "nvlink");
    if (level < sim->fleet->level_count)
        return fleet_domain_of(sim->fleet, level, node);
    uint32_t first = sim->fleet->pools[sim->fleet->nodes[node].pool].first_node;
    return node - (node - first) % (uint32_t)traits->nvlink_nodes;
}

static struct piece *piece_at(struct sim *sim, uint32_t node, const struct yardstick *yard)
{
    struct sim_speed *speed = sim->speed;
    if (speed->piece_on[node] > 0)
        return &speed->pieces[speed->piece_on[node] - 1];
    uint32_t kind = sim->config.network.kind_of[node];
    const struct sim_node_kind *k = &sim->config.network.kinds[kind];
    speed->pieces = mem_grow(speed->pieces, &speed->piece_capacity, speed->piece_count + 1,
                             sizeof *speed->pieces);
    struct piece *piece = &speed->pieces[speed->piece_count++];
    *piece = (struct piece){
        .part = perf_part(k->traits, sim->fleet->nodes[node].gpus, 1), .node = node, .kind = kind};
    piece->part.devices = 0;
    piece->part.nic_share = k->vnic != NULL ? k->vnic->share : 1;
    piece->part.domain = nvlink_domain(sim, k->traits, node);
    piece->part.speed = yard->device[kind];
    speed->piece_on[node] = (uint32_t)speed->piece_count;
    return piece;
}

/* An instance on an unknown device counts as a whole device. */
static void add_task(struct sim *sim, const struct work_job *job, const struct work_task *task,
                     const struct yardstick *yard)
{
    const struct work_request *r = &job->request;
    if (task->devices == 0 && r->profile == 0)
        return;
    struct perf_part *part = &piece_at(sim, task->node, yard)->part;
    part->devices |= task->devices != 0 ? task->devices : ~part->devices & (part->devices + 1);
    if (r->cpu_milli > 0)
        part->cores = (part->cores > 0 ? part->cores : 0) + (double)r->cpu_milli / 1000;
}

/*
 * Returns true if the devices of the part cover every such unit (NUMA domain, switch) of the node.
 */
static bool spans(const struct perf_part *part, const int *next_to, int divisor)
{
    uint64_t own = 0;
    uint64_t all = 0;
    for (int i = 0; i < part->node_gpus; i++) {
        uint64_t bit = UINT64_C(1) << (next_to[i] / divisor & 63);
        all |= bit;
        own |= (part->devices >> i & 1) != 0 ? bit : 0;
    }
    return own == all;
}

static void interfere(const struct sim *sim, struct piece *piece)
{
    const struct sim_network *network = &sim->config.network;
    const struct perf_vnic *vnic = network->kinds[piece->kind].vnic;
    struct perf_part *part = &piece->part;
    const struct node_traits *traits = part->traits;
    int64_t cpu_milli = sim->fleet->nodes[piece->node].cpu_milli;
    if (network->interference.cpu && part->cores < 0 && cpu_milli > 0)
        part->cores = (double)cpu_milli / 1000 * part->gpus / part->node_gpus;
    if (!network->interference.numa || traits->numa < 2)
        return;
    part->cores_remote = !spans(part, traits->numa_of, 1);
    if (vnic != NULL && vnic->own && traits->sockets > 1)
        part->nics_remote = !spans(part, traits->numa_of, traits->numa / traits->sockets);
}

#define BY(a, b)                                                                                   \
    if ((a) != (b))                                                                                \
    return (a) < (b) ? -1 : 1

/* Sorts nodes of one NVLink domain together, and within a domain equal nodes. */
static int by_likeness(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    BY(x->part.domain, y->part.domain);
    BY(x->kind, y->kind);
    BY(x->part.node_gpus, y->part.node_gpus);
    BY(x->part.devices, y->part.devices);
    BY(x->part.cores, y->part.cores);
    BY(x->part.keeps, y->part.keeps);
    BY(x->node, y->node); /* unique */
    return 0;
}

static bool is_like(const struct piece *a, const struct piece *b)
{
    return a->kind == b->kind && a->part.domain == b->part.domain &&
           a->part.node_gpus == b->part.node_gpus && a->part.devices == b->part.devices &&
           !(a->part.cores < b->part.cores) && !(a->part.cores > b->part.cores) &&
           !(a->part.keeps < b->part.keeps) && !(a->part.keeps > b->part.keeps);
}

static void merge_alike(struct sim_speed *speed)
{
    size_t n = speed->piece_count;
    speed->parts = mem_grow(speed->parts, &speed->part_capacity, n, sizeof *speed->parts);
    speed->nodes = mem_grow(speed->nodes, &speed->node_capacity, n, sizeof *speed->nodes);
    speed->part_count = 0;
    for (size_t i = 0; i < n; i++) {
        speed->nodes[i] = speed->pieces[i].node;
        if (i > 0 && is_like(&speed->pieces[i - 1], &speed->pieces[i]))
            speed->parts[speed->part_count - 1].nodes++;
        else
            speed->parts[speed->part_count++] = speed->pieces[i].part;
    }
}

int speed_read_place(struct sim *sim, const struct work_job *job, const struct pace *pace)
{
    struct sim_speed *speed = sim->speed;
    int gpus = 0;
    speed->piece_count = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next)
        if (sim->work.tasks[id].release_ms == WORK_NEVER)
            add_task(sim, job, &sim->work.tasks[id], pace->yard);
    for (size_t i = 0; i < speed->piece_count; i++) {
        struct piece *piece = &speed->pieces[i];
        speed->piece_on[piece->node] = 0;
        piece->part.gpus = __builtin_popcountll(piece->part.devices);
        piece->part.keeps = node_keeps(sim, pace, piece->node);
        interfere(sim, piece);
        gpus += piece->part.gpus;
    }
    qsort(speed->pieces, speed->piece_count, sizeof *speed->pieces, by_likeness);
    merge_alike(speed);
    return gpus;
}

/* The smallest instance determines the speed, since all others wait for it. */
void speed_on_instances(struct sim *sim, const struct work_job *job, const struct perf_model *model)
{
    struct sim_speed *speed = sim->speed;
    int slices = sim->fleet->profiles[job->request.profile - 1].compute;
    double keeps = 1;
    for (size_t i = 0; i < speed->piece_count; i++)
        keeps =
            fmin(keeps, perf_mig_keeps(sim->config.network.kinds[speed->pieces[i].kind].gpu_type,
                                       slices, model->utilization));
    for (size_t i = 0; i < speed->part_count; i++)
        speed->parts[i].keeps *= keeps;
}
