/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files about device memory: gpu_memory.c says what jobs ask for and when,
 * gpu_memory_room.c how much of which device each tenant holds, gpu_memory_settle.c what happens
 * when that is too much.
 */
#ifndef SIM_GPU_MEMORY_INTERNAL_H
#define SIM_GPU_MEMORY_INTERNAL_H

#include "sim/base/wide.h"
#include "sim/gpu_memory.h"
#include "sim/internal.h"
#include "sim/memory/device.h"

/* A job in flight, by its id in the core. */
struct memory_job {
    int64_t due_ms, since_ms; /* end of its phase (WORK_NEVER: none), and its begin */
    int64_t ready_ms;         /* it does not ask earlier; WORK_NEVER: no restriction */
    int64_t waits_ms;         /* time since which it has stalled; WORK_NEVER: it does not */
    int64_t request_mib;      /* per device; 0: `milli` thousandths of the device */
    int64_t limit_mib;        /* 0: as requested */
    int32_t milli;
    int32_t level_ppm; /* of the current phase; 0 in a low phase */
    uint32_t gen;      /* generation of the job */
    uint32_t phase;
    uint32_t tenant; /* its first tenant */
    uint32_t ended;  /* number of times it was ended for its memory since it was last granted
                        some: it backs off when it returns */
    bool asking;     /* is listed */
    bool hopeless;   /* waits for jobs that wait for it, or for each other */
};

/* A task on devices of one node. */
struct memory_place {
    uint64_t devices;
    int64_t low_mib, high_mib; /* per device: the request, and the maximum that it may want here */
    int64_t held_mib;
    uint32_t job, node, number; /* index of the task */
    uint32_t prev, next;        /* on the node */
    uint32_t sibling;           /* next tenant of the job, or next free entry */
};

typedef wide memory_sum;

struct memory_load {
    int64_t held_mib; /* held by its tenants */
    int64_t since_ms; /* the sums include everything before */
    int32_t tenants;
};

struct sim_memory {
    struct memory_rules rules;
    struct memory_job *jobs;
    size_t job_count;
    struct memory_place *places;
    size_t place_count, place_capacity;
    uint32_t free_place;
    uint32_t *first_on;        /* first tenant of each node; WORK_NONE none */
    uint32_t *first_device;    /* first load of each node in `loads` */
    struct memory_load *loads; /* of all devices */
    int64_t most_mib;          /* memory of the largest device */
    int64_t least_of_type[64]; /* memory of the smallest device of each GPU type; 0: there is
                                  none */

    uint32_t *asking; /* jobs that ask */
    size_t asking_count, asking_capacity;
    uint32_t *freed; /* nodes where memory was released */
    size_t freed_count, freed_capacity;
    bool *is_freed;
    struct memory_tenant *beside; /* jobs on one device */
    uint32_t *beside_job;
    size_t *victims;
    uint32_t *chain; /* jobs that wait for each other */
    size_t chain_count, chain_capacity;
    size_t beside_capacity, beside_job_capacity, victim_capacity;

    struct sim_memory_stats stats; /* counters; the other statistics derive from the members
                                      below: */
    memory_sum used, had, tenant_ms, device_ms, swapped_kib;
    int64_t peak_ppm;
    int32_t peak_tenants;
};

/* One device of a tenant. */
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

/* gpu_memory.c: what a tenant wants now */
int64_t memory_wanted(const struct memory_job *, const struct memory_place *);
bool memory_is_idle(const struct sim *, const struct work_job *); /* a session that has been idle
                                                                     long enough to be evicted */

/* gpu_memory_room.c */
void memory_enter(struct sim *, const struct memory_place *); /* a new tenant, which holds
                                                                 nothing yet */
void memory_ask(struct sim *, uint32_t job); /* lists the job, to be settled at the end of the
                                                instant */
void memory_note_freed(struct sim *, uint32_t node); /* stalled jobs there ask again at the end
                                                        of the instant */
void memory_hold(struct sim *, struct memory_place *,
                 int64_t mib); /* sets what it holds of each of its devices */
/* How much more all tasks of the job want on a device than they hold there, and what is free of it
 * (below 0 with swap). */
int64_t memory_more(const struct sim *, const struct memory_place *, int device);
int64_t memory_free(const struct sim *, uint32_t node, int device);
/* The first device after *spot (NULL place: of all) on which the job wants more than is free.
 * Returns false when there is none. */
bool memory_next_full(const struct sim *, const struct memory_job *, struct memory_spot *spot);
/* Lists the jobs on the device in sim.memory's scratch array and returns their number; *own is the
 * position of `job`. */
size_t memory_beside(struct sim *, uint32_t node, int device, uint32_t job, size_t *own);

/*
 * gpu_memory_stuck.c: the job to kill so that a stalled job, or one that it waits for, can
 * continue; WORK_NONE: none. Of jobs that wait for each other the oldest is helped, and the
 * youngest of the others on a device is killed.
 */
uint32_t memory_stuck_victim(struct sim *, uint32_t job);

#endif
