/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files about device memory share. gpu_memory.c says what jobs ask for and when,
 * gpu_memory_room.c who holds how much of which device, gpu_memory_settle.c what is done when that
 * is too much.
 */
#ifndef SIM_GPU_MEMORY_INTERNAL_H
#define SIM_GPU_MEMORY_INTERNAL_H

#include "sim/base/wide.h"
#include "sim/gpu_memory.h"
#include "sim/internal.h"
#include "sim/memory/device.h"

/* A job in flight, by its number in the core. */
struct memory_job {
    int64_t due_ms, since_ms; /* when its phase ends (WORK_NEVER: it does not); and when it began */
    int64_t ready_ms;         /* it does not ask before; WORK_NEVER: it may */
    int64_t waits_ms;         /* it has been waiting since; WORK_NEVER: it does not */
    int64_t request_mib;      /* of each device; 0: `milli` thousandths of it */
    int64_t limit_mib;        /* 0: the request */
    int32_t milli;
    int32_t level_ppm; /* of the present phase, 0 in a low one */
    uint32_t gen;      /* of the job that it is about */
    uint32_t phase;
    uint32_t tenant; /* its first one */
    uint32_t ended; /* so often for its memory since it got some: it asks late when it comes back */
    bool asking;    /* listed */
    bool hopeless;  /* it waits for such as wait for it, or for each other */
};

/* A task on devices of one node. */
struct memory_place {
    uint64_t devices;
    int64_t low_mib, high_mib; /* of each device: request, and the most that it may want here */
    int64_t held_mib;
    uint32_t job, node, number; /* number of the task */
    uint32_t prev, next;        /* on the node */
    uint32_t sibling;           /* of the job, or of the free ones */
};

typedef wide memory_sum;

struct memory_load {
    int64_t held_mib; /* by its tenants */
    int64_t since_ms; /* all before is in the sums */
    int32_t tenants;
};

struct sim_memory {
    struct memory_rules rules;
    struct memory_job *jobs;
    size_t job_count;
    struct memory_place *places;
    size_t place_count, place_capacity;
    uint32_t free_place;
    uint32_t *first_on;        /* place of each node; WORK_NONE none */
    uint32_t *first_device;    /* of each node in `loads` */
    struct memory_load *loads; /* of all devices */
    int64_t most_mib;          /* of the largest device */
    int64_t least_of_type[64]; /* of the smallest device of each type of GPU; 0: there is none */

    uint32_t *asking; /* jobs */
    size_t asking_count, asking_capacity;
    uint32_t *freed; /* nodes */
    size_t freed_count, freed_capacity;
    bool *is_freed;
    struct memory_tenant *beside; /* jobs on one device, */
    uint32_t *beside_job;
    size_t *victims;
    uint32_t *chain; /* jobs that wait for each other */
    size_t chain_count, chain_capacity;
    size_t beside_capacity, beside_job_capacity, victim_capacity;

    struct sim_memory_stats stats; /* what is counted; the rest from these: */
    memory_sum used, had, tenant_ms, device_ms, swapped_kib;
    int64_t peak_ppm;
    int32_t peak_tenants;
};

/* A device of a tenant. */
struct memory_spot {
    const struct memory_place *place;
    int device;
};

static inline struct memory_job *memory_of(const struct sim *sim, uint32_t job)
{
    return &sim->memory->jobs[job];
}

static inline int64_t memory_capacity(const struct sim *sim, uint32_t node)
{
    return sim->fleet->nodes[node].device_mem_mib;
}

static inline struct memory_load *memory_load(const struct sim *sim, uint32_t node, int device)
{
    return &sim->memory->loads[sim->memory->first_device[node] + (uint32_t)device];
}

/* gpu_memory.c: what a tenant wants now. */
int64_t memory_wanted(const struct memory_job *, const struct memory_place *);
bool memory_is_idle(const struct sim *,
                    const struct work_job *); /* a session, for so long that it may be ended */

/* gpu_memory_room.c */
void memory_enter(struct sim *, const struct memory_place *); /* it is new, and holds nothing */
void memory_ask(struct sim *, uint32_t job); /* lists it, to be settled at the end of the instant */
void memory_note_freed(struct sim *, uint32_t node); /* those that wait there ask again then */
void memory_hold(struct sim *, struct memory_place *,
                 int64_t mib); /* it holds so much of each of its devices */
/* What the job wants more on a device than it holds there, by all its tasks; what is free of it,
 * below 0 with swap. */
int64_t memory_more(const struct sim *, const struct memory_place *, int device);
int64_t memory_free(const struct sim *, uint32_t node, int device);
/* The first device after *spot (a place of NULL: of all) on which the job wants more than is free;
 * false: no more. */
bool memory_next_full(const struct sim *, const struct memory_job *, struct memory_spot *spot);
/* Jobs on the device, in sim.memory's room; how many. *own is the place of `job` among them. */
size_t memory_beside(struct sim *, uint32_t node, int device, uint32_t job, size_t *own);

/*
 * gpu_memory_stuck.c: the job to end so that a waiting job, or one that it waits for, can continue;
 * WORK_NONE: none. Of jobs that wait for each other the oldest is helped, by the youngest of the
 * others on a device.
 */
uint32_t memory_stuck_victim(struct sim *, uint32_t job);

#endif
