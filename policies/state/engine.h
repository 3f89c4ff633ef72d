/* SPDX-License-Identifier: MIT */
/*
 * One policy: its configuration, the chosen rows and what they remember, and the cluster as it
 * knows it (state/state.h). Errors, too, and the types that rooms below the state use.
 */
#ifndef POLICY_STATE_ENGINE_H
#define POLICY_STATE_ENGINE_H

#include "base/bits.h"
#include "base/id_heap.h"
#include "base/memory.h"
#include "policy.h"
#include "rows.h"

/* ---- requests ---- */

/*
 * A policy_request in normal form: `milli` is 1..1000, or 0 when no device is wanted. Memory of
 * devices is a share that depends on the node; MIG instances are one device, of which a node that
 * makes instances has to have all left.
 */
struct pc_plain_request {
    int32_t devices, milli;
    int64_t cpu, mem;
    uint64_t types;     /* all bits when any will do */
    int64_t device_mem; /* MiB of each device, in the place of `milli`; 0: none */
    bool instances;
};

#define PC_PLENTY (INT64_MAX / 4)
#define PC_NEEDS  64 /* 0 to 63, and more counts as 63: a set of needs is one uint64_t */

/* A typical task of the workload; the memory of the request is 0. */
struct pc_typical {
    struct pc_plain_request request;
    int64_t count;
    double part; /* of the sum of all counts */
};

/* ---- tables of what is built in ---- */

extern const struct pc_job_order *const pc_orders[];
extern const uint32_t pc_order_count;
extern const uint32_t pc_placement_count;

struct policy {
    struct pc_memory memory;
    struct policy_config config;
    const struct pc_job_order *order;
    const struct pc_queue_order *queue_order; /* NULL: none */
    struct pc_modules modules;                /* of the chosen rows */
    struct policy_error error;
    policy_time now;
    uint32_t *node_of_rank;
    uint32_t rank_capacity;
    struct policy_decision *decisions;
    uint32_t decision_count, decision_capacity;
    uint64_t draws;
    uint64_t versions;          /* of nodes, handed out so far */
    struct pc_typical *typical; /* in the order in which they were reported */
    uint32_t typical_count;
    struct pc_plugin *plugin; /* or NULL */
    struct pc_cluster *cluster;
};

/* ---- errors: error.c ---- */

/* Remembers why a fact is refused: "what value: expected". Returns status. */
int pc_refuse(struct policy *, int status, const char *what, int64_t value, const char *expected);
void pc_error_set(struct policy_error *, int status, const char *what, const char *name,
                  const char *expected);
void pc_error_text(struct policy_error *,
                   const char *); /* behind what it says; NULL error: nothing */
void pc_error_number(struct policy_error *, int64_t);
bool pc_text_equal(const char *a, const char *b);

/* Advances the clock, or refuses. */
static inline int pc_at(struct policy *p, policy_time at)
{
    if (at < p->now)
        return pc_refuse(p, POLICY_TIME_BACK, "time", at, "earlier than the last fact or decision");
    p->now = at;
    return POLICY_OK;
}

/* Refuses for want of memory what pc_at() let pass, and sets the clock back: nothing has changed
 * then. */
int pc_no_memory(struct policy *, policy_time before, const char *what, int64_t value);

#endif
