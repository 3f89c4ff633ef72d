/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An explanation of the policy core in words: the obstacle (which queue, limit, level, how many
 * devices where), and a hint at what would be feasible. The core has ids; the caller has the names.
 *
 *     because      OVER_LIMIT: a queue would exceed its limit
 *     evidence     queue 'dept' has 6 of at most 8 GPUs, and the job wants 4 more
 *
 *     up to 2 GPUs would stay within the limit
 *
 * The hint is what follows from the evidence alone. What the policy would really start is found by
 * asking it: alternatives.h.
 */
#ifndef SIM_ASK_WHY_H
#define SIM_ASK_WHY_H

#include "policies/policy.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

struct why {
    const struct policy_explanation *explained;
    int64_t held_ms; /* for which this reason held it, 0: not said; and its share of all waiting */
    double held_share;
    const char *behind;   /* id of the job that it is queued behind, or NULL */
    const char *queue;    /* name of explained->queue, NULL none */
    const char *pool;     /* name of explained->pool, NULL none */
    const char *topology; /* names of what it requires, or NULL */
    const char *level;
    const char *role; /* that is not complete, NULL unknown; how many of its tasks may start, */
    int32_t has_tasks, needs_tasks; /* and its minimum */
    const char *wishes;             /* labels and types of nodes, or CPU and memory, NULL unknown */
    const char *owner; /* the job's queue, if the policy divides the fleet, else NULL */
    int64_t owner_has, owner_share; /* what it has and its fair share, thousandths of devices */
};

/*
 * Fills in the share of the job's queue, of that name, unless it is unlimited. For policies with
 * POLICY_TRAIT_DIVIDES.
 */
void why_add_share(struct why *, const struct policy *, policy_queue, const char *name);

void why_print(const struct why *, struct out *); /* the lines above, and the jobs before it */
void why_hint(const struct why *, struct out *);

/* The same but for the reason on one line, for the key "detail"; to be freed. */
char *why_detail(const struct why *);

void why_gpus(struct out *, int64_t milli); /* "1 GPU", "0.5 GPUs" */

/* Members "evidence" and "alternative" of an object. */
void why_json(const struct why *, struct json *);

#endif
