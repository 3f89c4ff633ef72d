/* SPDX-License-Identifier: MIT */
/*
 * A whole policy on one page: the job with the least GPU time left goes first and evicts jobs with
 * more. Jobs are walked in that order with a budget of devices: a job that fits takes its part, a
 * running job that does not fit is evicted, and if none was, the pending ones are placed. On a
 * fleet shared by all queues, with evictions answered at once, this equals the built-in srtf with
 * the order remaining-gpu, decision for decision.
 *
 *     cc -shared -fPIC -I.. -o researcher.so researcher.c
 */
#include "plugin.h"

#include <stdlib.h>
typedef const struct policy_plugin_job job_view;

static int64_t gpu_time_left(void *self, job_view *job, policy_time now)
{
    int64_t left;
    (void)self, (void)now;
    return __builtin_mul_overflow(job->gpu_milli, job->remaining_ms, &left) ? INT64_MAX : left;
}

/* Least left first; then running jobs by start; then pending jobs by time in the queue. */
static int compare(const void *a, const void *b)
{
    job_view *x = *(job_view *const *)a, *y = *(job_view *const *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->state != y->state)
        return x->state == POLICY_JOB_RUNS ? -1 : 1;
    if (x->state == POLICY_JOB_WAITS && x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return x->turn < y->turn ? -1 : x->turn > y->turn;
}

/* Thousandths of healthy devices that the job holds on nodes that are up. */
static int64_t held(const struct policy_plan *plan, job_view *job)
{
    int64_t milli = 0;
    for (uint32_t role = 0, seat = 0; role < job->role_count; role++)
        for (int32_t task = 0; task < job->roles[role].tasks && seat < job->seat_count;
             task++, seat++) {
            const struct policy_plugin_node *node = plan->node(plan, job->seats[seat].node);
            uint64_t healthy =
                node->state == POLICY_NODE_UP ? job->seats[seat].devices & node->usable : 0;
            milli += (int64_t)__builtin_popcountll(healthy) * job->roles[role].device_milli;
        }
    return milli;
}

/* Hands out the budget in order. Returns true if a job was evicted: its devices are free once that
 * is answered. */
static bool divide(struct policy_plan *plan, job_view **order, uint32_t count, int64_t budget)
{
    job_view *served = NULL;
    bool evicted = false;
    for (uint32_t i = 0; i < count; i++) {
        job_view *job = order[i];
        int64_t wants = job->state == POLICY_JOB_RUNS ? held(plan, job) : job->gpu_milli;
        if (wants <= budget || wants == 0) {
            budget -= wants;
            served = job->state == POLICY_JOB_WAITS ? job : served;
        } else {
            evicted |= job->state == POLICY_JOB_RUNS && plan->evict(plan, job, served);
            order[i] = NULL;
        }
    }
    return evicted;
}

static void decide(void *self, struct policy_plan *plan)
{
    job_view **order = malloc((plan->job_count + 1) * sizeof *order);
    uint32_t count = 0;
    int64_t budget = 0;
    (void)self;
    for (uint32_t n = 0; n < plan->node_count; n++)
        budget += plan->nodes[n].state == POLICY_NODE_UP ? plan->nodes[n].free_milli : 0;
    for (uint32_t i = 0; i < plan->job_count && order != NULL; i++) {
        job_view *job = &plan->jobs[i];
        if (job->state == POLICY_JOB_RUNS && !job->preemptible)
            continue; /* it has its devices, and nobody else gets them */
        budget += held(plan, job);
        if (job->state != POLICY_JOB_LEAVES)
            order[count++] = job;
    }
    if (order == NULL) {
        plan->give_up(plan, "no memory");
        return;
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
