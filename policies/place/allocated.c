/* SPDX-License-Identifier: MIT */
/* Scores by how much of a node is allocated; see allocated.h. Rows of the placements for lines, too. */
#include "place/allocated.h"

#include "cluster/nodes.h"
#include "place/fit_index.h"

#define MOST   100
#define SLICES 7 /* compute slices of a device that MIG instances are made on */

__extension__ typedef __int128 wide;

int64_t pc_allocated_score(int32_t score, int64_t capacity, int64_t requested)
{
    int64_t counts = requested < capacity ? requested : capacity;
    if (score == POLICY_LEAST_ALLOCATED)
        counts = capacity - counts;
    if (counts <= INT64_MAX / MOST)
        return counts * MOST / capacity;
    int64_t percent =
        MOST; /* amounts that nobody has: without a division of 128 bits, which is no instruction */
    while ((wide)percent * capacity > (wide)counts * MOST)
        percent--;
    return percent;
}

int64_t pc_allocated_mean(int32_t score, const struct pq_amounts *capacity, const struct pq_amounts *taken,
                          const struct pq_amounts *wants)
{
    int64_t sum = 0;
    int64_t resources = 0;
    for (int r = 0; r < PQ_RESOURCES; r++) {
        if (wants->of[r] <= 0 || capacity->of[r] <= 0 || capacity->of[r] >= PC_PLENTY)
            continue;
        sum += pc_allocated_score(score, capacity->of[r], taken->of[r] + wants->of[r]);
        resources++;
    }
    return resources > 0 ? sum / resources : 0;
}

/* ---- nodes of the quota policy ---- */

/* Thousandths of the device that are free now, or thousandths of slices. */
static int64_t free_of(const struct pq_node *n, uint32_t device, bool slices)
{
    const struct pq_device d = pq_device_of(n, device);
    if (slices)
        return d.used + d.releasing > 0 ? 0
                                        : (int64_t)(SLICES - d.compute - d.compute_leaving) * POLICY_WHOLE;
    if (d.slices != 0 || d.slices_leaving != 0)
        return 0;
    int64_t left = n->capacity - d.used - d.releasing;
    return left > 0 ? left * POLICY_WHOLE / n->capacity : 0;
}

/* What the node has for such a request, and how much of it is taken now: devices in thousandths, or slices of them. */
static void measure_devices(const struct cluster *c, const struct pq_node *n, const struct pq_request *r,
                            int64_t *capacity, int64_t *taken)
{
    *capacity = *taken = 0;
    for (uint32_t i = 0; r->wants_mig && n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++) {
        *capacity += (int64_t)n->mig_total[i] * c->slices[i] * POLICY_WHOLE;
        *taken += (int64_t)(n->mig_total[i] - n->mig_idle[i]) * c->slices[i] * POLICY_WHOLE;
    }
    if (r->wants_mig && n->mig == POLICY_MIG_FIXED)
        return;
    if (!r->wants_mig && n->groups == 0) { /* nobody has a part of a device: the usual case */
        *capacity = (int64_t)pc_popcount(n->usable) * POLICY_WHOLE;
        *taken = *capacity - (int64_t)pc_popcount(n->idle) * POLICY_WHOLE;
        return;
    }
    int64_t each = r->wants_mig ? SLICES * POLICY_WHOLE : POLICY_WHOLE;
    for (uint64_t rest = n->usable; rest != 0; rest &= rest - 1) {
        *capacity += each;
        *taken += each - free_of(n, pc_lowest(rest), r->wants_mig);
    }
}

int64_t pq_fit_score(const struct cluster *c, const struct pq_node *n, const struct pq_request *r,
                     int32_t score)
{
    const struct pq_amounts wants = pq_weigh_on(n, r);
    struct pq_amounts capacity = {
        {0, n->cpu_total, n->mem_total}
    };
    struct pq_amounts taken = {
        {0, n->cpu_total - n->cpu_idle, n->mem_total - n->mem_idle}
    };
    if (wants.of[PQ_GPU] > 0)
        measure_devices(c, n, r, &capacity.of[PQ_GPU], &taken.of[PQ_GPU]);
    return pc_allocated_mean(score, &capacity, &taken, &wants);
}

static void rate_least(const struct pq_ask *a, const struct pq_node *n, struct pq_rating *rating)
{
    rating->score = pq_fit_score(a->p->cluster, n, a->request, POLICY_LEAST_ALLOCATED);
}

static void rate_most(const struct pq_ask *a, const struct pq_node *n, struct pq_rating *rating)
{
    rating->score = pq_fit_score(a->p->cluster, n, a->request, POLICY_MOST_ALLOCATED);
}

const struct pq_placement pq_place_least_allocated = {
    .row = {"least-allocated",
            "NodeResourcesFit of Kubernetes: most left of what the task asks for, mean in whole percent"},
    .rate = rate_least,
    .search = pq_highest_score,
    .module = &pq_fits_module,
    .traits = PQ_KEEPS_SCORES,
};

const struct pq_placement pq_place_most_allocated = {
    .row = {"most-allocated",
            "NodeResourcesFit of Kubernetes, reversed: least left of what the task asks for"},
    .rate = rate_most,
    .search = pq_highest_score,
    .module = &pq_fits_module,
    .traits = PQ_KEEPS_SCORES,
};

/* ---- nodes of lines ---- */
