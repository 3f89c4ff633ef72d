/* SPDX-License-Identifier: MIT */
/*
 * A whole policy on one page: the job with the least GPU time left goes first, and evicts those that have more. All jobs
 * are walked in that order with a budget of the fleet's devices; who fits takes its part, who runs and does not fit has to
 * go, and then the others are packed. Decision for decision this is the built-in srtf with the order remaining-gpu, on
 * a fleet that all queues share.
 *
 *     cc -shared -fPIC -I.. -o researcher.so researcher.c
 */
#include "plugin.h"

#include <stdlib.h>

static int64_t gpu_time_left(void *self, const struct policy_plugin_job *job, policy_time now)
{
    int64_t product;
    (void)self, (void)now;
    return __builtin_mul_overflow(job->gpu_milli, job->remaining_ms, &product) ? INT64_MAX : product;
}

/* It has its devices, and nobody else gets them. */
static bool is_fixed(const struct policy_plugin_job *job)
{
    return job->state == POLICY_JOB_RUNS && !job->preemptible;
}

/* Least left first; then who runs, in the order of the starts; then who waits, by the time in the queue. */
static int compare(const void *a, const void *b)
{
    const struct policy_plugin_job *x = *(const struct policy_plugin_job *const *)a;
    const struct policy_plugin_job *y = *(const struct policy_plugin_job *const *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->state != y->state)
        return x->state == POLICY_JOB_RUNS ? -1 : 1;
    if (x->state == POLICY_JOB_WAITS && x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return x->turn != y->turn ? (x->turn < y->turn ? -1 : 1) : x->id.i < y->id.i ? -1 : 1;
}

/* Thousandths of healthy devices that the job holds on nodes that are up. */
static int64_t held(const struct policy_plan *plan, const struct policy_plugin_job *job)
{
    int64_t milli = 0;
    uint32_t seat = 0;
    for (uint32_t role = 0; role < job->role_count; role++)
        for (int32_t task = 0; task < job->roles[role].tasks && seat < job->seat_count; task++, seat++) {
            const struct policy_plugin_node *node = plan->node(plan, job->seats[seat].node);
            if (node->state == POLICY_NODE_UP)
                milli += __builtin_popcountll(job->seats[seat].devices & node->usable) *
                         job->roles[role].device_milli;
        }
    return milli;
}

/* Hands out the budget in order; true when somebody was evicted, whose devices are not free before that is answered. */
static bool divide(struct policy_plan *plan, const struct policy_plugin_job **order, uint32_t count,
                   int64_t budget)
{
    const struct policy_plugin_job *last = NULL;
    bool evicted = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct policy_plugin_job *job = order[i];
        int64_t wants = job->state == POLICY_JOB_RUNS ? held(plan, job) : job->gpu_milli;
        if (is_fixed(job))
            continue;
        if (wants <= budget || wants == 0) {
            budget -= wants;
            last = job->state == POLICY_JOB_WAITS ? job : last;
        } else if (job->state == POLICY_JOB_RUNS) {
            evicted |= plan->evict(plan, job, last);
        } else {
            order[i] = NULL; /* not chosen */
        }
    }
    return evicted;
}

static void decide(void *self, struct policy_plan *plan)
{
    const struct policy_plugin_job **order = malloc((plan->job_count + 1) * sizeof *order);
    uint32_t count = 0;
    int64_t budget = 0;
    (void)self;
    if (order == NULL) {
        plan->fail(plan, "no memory");
        return;
    }
    for (uint32_t n = 0; n < plan->node_count; n++)
        budget += plan->nodes[n].state == POLICY_NODE_UP ? plan->nodes[n].free_milli : 0;
    for (uint32_t i = 0; i < plan->job_count; i++) {
        const struct policy_plugin_job *job = &plan->jobs[i];
        budget += job->state != POLICY_JOB_WAITS && !is_fixed(job) ? held(plan, job) : 0;
        if (job->state != POLICY_JOB_LEAVES)
            order[count++] = job;
    }
    qsort(order, count, sizeof *order, compare);
    bool evicted = divide(plan, order, count, budget);
    for (uint32_t i = 0; i < count && !evicted; i++)
        if (order[i] != NULL && order[i]->state == POLICY_JOB_WAITS)
            plan->place(plan, order[i]);
    free(order);
}

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("researcher", "least GPU time left first, preemptive, packed"),
    .rank = gpu_time_left,
    .decide = decide,
};
