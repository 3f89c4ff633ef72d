/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the shares used by a decision with a division of counted amounts; see quota_world.h. */
#include "tests/lib/core.h"
#include "tests/lib/quota_world.h"

static uint32_t depth_of(const struct quota_world *w, uint32_t queue)
{
    uint32_t depth = 0;
    for (; w->queues[queue].spec.parent.i != POLICY_NO_ID; queue = w->queues[queue].spec.parent.i)
        depth++;
    return depth;
}

/* Lists queues from the roots down, those of one depth by rank; returns their number. */
static uint32_t list_queues(const struct quota_world *w, uint32_t list[QUOTA_QUEUES])
{
    uint32_t count = 0;
    for (uint32_t depth = 0; depth < QUOTA_QUEUES; depth++) {
        uint32_t first = count;
        for (uint32_t q = 0; q < QUOTA_QUEUES; q++) {
            if (!w->queues[q].exists || depth_of(w, q) != depth)
                continue;
            uint32_t at = count++;
            for (; at > first && w->queues[list[at - 1]].spec.rank > w->queues[q].spec.rank; at--)
                list[at] = list[at - 1];
            list[at] = q;
        }
    }
    return count;
}

/* The capacity of the cluster; known[r] becomes false if some node does not model the resource. */
static struct policy_amounts capacity_of(const struct quota_world *w, bool known[3])
{
    struct policy_amounts sum = {0, 0, 0};
    for (uint32_t i = 0; i < QUOTA_NODES; i++) {
        const struct quota_node *n = &w->nodes[i];
        if (!n->exists || n->state != POLICY_NODE_UP)
            continue;
        for (uint64_t usable = n->usable; usable != 0; usable &= usable - 1)
            sum.gpu += n->spec.mig == POLICY_MIG_FREE ? 7 * POLICY_WHOLE : POLICY_WHOLE;
        for (uint32_t k = 0; n->spec.mig == POLICY_MIG_FIXED && k < POLICY_MAX_PROFILES; k++)
            sum.gpu += (int64_t)n->spec.mig_instances[k] * w->slices[k] * POLICY_WHOLE;
        known[1] = known[1] && n->spec.cpu_milli >= 0;
        known[2] = known[2] && n->spec.mem_mib >= 0;
        sum.cpu += n->spec.cpu_milli >= 0 ? n->spec.cpu_milli : 0;
        sum.mem += n->spec.mem_mib >= 0 ? n->spec.mem_mib : 0;
    }
    return sum;
}

static struct policy_share_row row_of(const struct quota_world *w, uint32_t queue,
                                      const struct policy_queue_info *info)
{
    const struct policy_queue_spec *spec = &w->queues[queue].spec;
    struct quota_amounts request = quota_requested(w, queue);
    struct quota_amounts limit = quota_bound(w, queue, true);
    return (struct policy_share_row){
        .size = sizeof(struct policy_share_row),
        .parent = POLICY_NO_ID,
        .priority = spec->priority,
        .created = spec->created,
        .gpu = {spec->gpu.quota, limit.of[0], spec->gpu.weight},
        .cpu = {spec->cpu.quota, limit.of[1], spec->cpu.weight},
        .mem = {spec->mem.quota, limit.of[2], spec->mem.weight},
        .request = {request.of[0], request.of[1], request.of[2]},
        .usage_ppm = info->usage_ppm,
    };
}

void quota_audit_shares(const struct quota_world *before, const struct policy *p)
{
    struct policy_queue_info info[QUOTA_QUEUES];
    struct policy_share_row rows[QUOTA_QUEUES];
    uint32_t queues[QUOTA_QUEUES];
    bool known[3] = {true, true, true};
    struct policy_amounts capacity = capacity_of(before, known);
    struct policy_amounts remaining;
    struct tally tally = {0};
    uint32_t count = before->options.full_hierarchy ? list_queues(before, queues) : 0;
    for (uint32_t i = 0; i < count; i++) {
        info[i] = (struct policy_queue_info){.size = sizeof *info};
        QUOTA_CHECK(before, policy_queue_info(p, (policy_queue){queues[i]}, &info[i]) == POLICY_OK,
                    "queue %u", queues[i]);
        rows[i] = row_of(before, queues[i], &info[i]);
        for (uint32_t k = 0; k < i; k++)
            if (queues[k] == before->queues[queues[i]].spec.parent.i)
                rows[i].parent = k;
    }
    if (count == 0)
        return;
    QUOTA_CHECK(before,
                policy_divide(tally_allocator(&tally), &capacity, before->options.usage_k_ppm, rows,
                              count, &remaining) == POLICY_OK,
                "%u queues", count);
    for (uint32_t i = 0; i < count; i++)
        QUOTA_CHECK(before,
                    rows[i].fair_share.gpu == info[i].fair_share.gpu &&
                        (!known[1] || rows[i].fair_share.cpu == info[i].fair_share.cpu) &&
                        (!known[2] || rows[i].fair_share.mem == info[i].fair_share.mem),
                    "queue %u: a share of %lld, not %lld", queues[i],
                    (long long)rows[i].fair_share.gpu, (long long)info[i].fair_share.gpu);
}
