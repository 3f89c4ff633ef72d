/* SPDX-License-Identifier: MIT */
/*
 * A policy: its configuration, the chosen rows and their state, and the cluster (state/state.h).
 * Also errors, and types used by layers below the state.
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
 * A policy_request in normal form: `milli` is 1..1000, or 0 without devices. Device memory is a
 * share that depends on the node. MIG instances are represented as one device, which must be
 * entirely free on nodes that create instances.
 */
struct pc_plain_request {
    int32_t devices, milli;
    int64_t cpu, mem;
    uint64_t types;     /* all bits if any type is acceptable */
    int64_t device_mem; /* MiB of each device, instead of `milli`; 0: none */
    bool instances;
};

#define PC_PLENTY (INT64_MAX / 4)
#define PC_NEEDS  64 /* needs 0 to 63, larger ones count as 63: a set of needs is one uint64_t */

/* A typical task of the workload; its request has no memory. */
struct pc_typical {
    struct pc_plain_request request;
    int64_t count;
    double part; /* fraction of the sum of all counts */
};

/* ---- tables of built-in rows ---- */

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
    uint64_t versions;          /* node versions handed out so far */
    struct pc_typical *typical; /* in the order reported */
    uint32_t typical_count;
    struct pc_plugin *plugin; /* or NULL */
    struct pc_cluster *cluster;
};

/* ---- errors: error.c ---- */

/* Records why a fact is refused: "what value: expected". Returns status. */
int pc_refuse(struct policy *, int status, const char *what, int64_t value, const char *expected);
void pc_error_set(struct policy_error *, int status, const char *what, const char *name,
                  const char *expected);
void pc_error_text(struct policy_error *,
                   const char *); /* appends to the message; no-op if error is NULL */
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

/* Refuses for lack of memory a fact accepted by pc_at() and resets the clock, so nothing has
 * changed. */
int pc_no_memory(struct policy *, policy_time before, const char *what, int64_t value);

#endif
