/* SPDX-License-Identifier: MIT */
/* Scores by how much of a node is allocated; see allocated.h. Also the rows of these placements for
 * lanes. */
#include "place/allocated.h"

#include "place/fit_index.h"
#include "state/nodes.h"

#define MOST   100
#define SLICES 7 /* compute slices of a device on which MIG instances are created */

__extension__ typedef __int128 wide;

int64_t pc_allocated_score(int32_t score, int64_t capacity, int64_t requested)
{
    int64_t counts = requested < capacity ? requested : capacity;
    if (score == POLICY_LEAST_ALLOCATED)
        counts = capacity - counts;
    if (counts <= INT64_MAX / MOST)
        return counts * MOST / capacity;
    int64_t percent = MOST; /* common amounts: avoids the slow 128-bit division */
    while ((wide)percent * capacity > (wide)counts * MOST)
        percent--;
    return percent;
}

int64_t pc_allocated_mean(int32_t score, const struct pc_amounts *capacity,
                          const struct pc_amounts *taken, const struct pc_amounts *wants)
{
    int64_t sum = 0;
    int64_t resources = 0;
    for (int r = 0; r < PC_RESOURCES; r++) {
        if (wants->of[r] <= 0 || capacity->of[r] <= 0 || capacity->of[r] >= PC_PLENTY)
            continue;
        sum += pc_allocated_score(score, capacity->of[r], taken->of[r] + wants->of[r]);
        resources++;
    }
    return resources > 0 ? sum / resources : 0;
}

/* ---- nodes with a queue order ---- */

/* Free thousandths of the device, or of its slices, now. */
static int64_t free_of(const struct pc_node *n, uint32_t device, bool slices)
{
    const struct pc_device d = pc_device_of(n, device);
    if (slices)
        return d.used + d.releasing > 0
                   ? 0
                   : (int64_t)(SLICES - d.compute - d.compute_leaving) * POLICY_WHOLE;
    if (d.slices != 0 || d.slices_leaving != 0)
        return 0;
    int64_t left = n->capacity - d.used - d.releasing;
    return left > 0 ? left * POLICY_WHOLE / n->capacity : 0;
}

/* The node's capacity for such a request and the amount taken now: devices in thousandths, or
 * slices of them. */
static void measure_devices(const struct pc_cluster *c, const struct pc_node *n,
                            const struct pc_request *r, int64_t *capacity, int64_t *taken)
{
    *capacity = *taken = 0;
    for (uint32_t i = 0; r->wants_mig && n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES;
         i++) {
        *capacity += (int64_t)n->instances->total[i] * c->slices[i] * POLICY_WHOLE;
        *taken +=
            (int64_t)(n->instances->total[i] - n->instances->idle[i]) * c->slices[i] * POLICY_WHOLE;
    }
    if (r->wants_mig && n->mig == POLICY_MIG_FIXED)
        return;
    if (!r->wants_mig && n->groups == 0) { /* no device is held in part: the common case */
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

int64_t pc_fit_score(const struct pc_cluster *c, const struct pc_node *n,
                     const struct pc_request *r, int32_t score)
{
    const struct pc_amounts wants = pc_weigh_on(n, r);
    struct pc_amounts capacity = {{0, n->cpu_total, n->mem_total}};
    struct pc_amounts taken = {{0, n->cpu_total - n->cpu_idle, n->mem_total - n->mem_idle}};
    if (wants.of[PC_GPU] > 0)
        measure_devices(c, n, r, &capacity.of[PC_GPU], &taken.of[PC_GPU]);
    return pc_allocated_mean(score, &capacity, &taken, &wants);
}

static void rate_least(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    rating->score = pc_fit_score(a->p->cluster, n, a->request, POLICY_LEAST_ALLOCATED);
}

static void rate_most(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    rating->score = pc_fit_score(a->p->cluster, n, a->request, POLICY_MOST_ALLOCATED);
}

const struct pc_placement pc_place_least_allocated = {
    .row = {"least-allocated", "NodeResourcesFit of Kubernetes: the most left of the requested "
                               "resources, mean in whole percent"},
    .rate = rate_least,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .traits = PC_KEEPS_SCORES,
};

const struct pc_placement pc_place_most_allocated = {
    .row = {"most-allocated",
            "NodeResourcesFit of Kubernetes, reversed: the least left of the requested resources"},
    .rate = rate_most,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .traits = PC_KEEPS_SCORES,
};

/* ---- nodes in lanes ---- */
