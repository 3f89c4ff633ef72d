/* SPDX-License-Identifier: MIT */
/* Shares of groups of pools; see pool_shares.h. */
#include "order/pool_shares.h"

#include "order/fair_share.h"
#include "pending/queue_classes.h"
#include "state/nodes.h"
#include "state/pool_quotas.h"
#include "state/queue_limits.h"
#include "state/tasks.h"

/* ---- demand ---- */

/* Devices requested by the job's pending tasks. */
static int64_t pending_of(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    int64_t milli = 0;
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_role *role = &s->roles[i];
        int64_t tasks = role->tasks;
        for (uint32_t t = 0; j->detail != NULL && t < role->tasks; t++)
            tasks -= !pc_is_pending(pc_task_of(j, role->first_task + t));
        milli += tasks * pc_weigh_pending(c, &role->request).of[PC_GPU];
    }
    return milli;
}

static void want(struct pc_cluster *c, uint32_t leaf, uint32_t job, int64_t milli)
{
    for (uint32_t g = 0; milli > 0 && g < c->group_count; g++)
        for (uint32_t q = pc_group_suits(c, job, g) ? leaf : POLICY_NO_ID; q != POLICY_NO_ID;
             q = c->queues[q].parent)
            c->queues[q].groups[g].request += milli;
}

static void want_class(struct pc_cluster *c, const struct pc_class *k)
{
    uint32_t head = pc_class_head(k);
    int64_t jobs = k->single != PC_NONE ? 1 : k->jobs.count;
    want(c, k->queue, head, jobs * pending_of(c, head));
}

static void count_wants(struct pc_cluster *c)
{
    for (uint32_t q = 0; q < c->queue_count; q++)
        for (uint32_t g = 0; c->queues[q].exists && g < c->group_count; g++)
            c->queues[q].groups[g].request = c->queues[q].groups[g].allocated;
    for (uint32_t q = 0; q < c->queue_count; q++)
        for (uint32_t i = 0; c->queues[q].exists && i < c->queues[q].class_count; i++)
            want_class(c, &c->classes[c->queues[q].classes[i]]);
}

/* ---- guarantees ---- */

/* Guarantees up to `most` of a quota in the group; returns what is left of the quota. */
static int64_t guarantee(struct pc_cluster *c, struct pc_queue *q, uint32_t group, int64_t most,
                         int64_t left)
{
    int64_t more = most < left ? most : left;
    more = more > 0 ? more : 0;
    q->groups[group].due += more;
    c->groups[group].room -= more;
    return left - more;
}

static void measure_room(struct pc_cluster *c)
{
    for (uint32_t g = 0; g < c->group_count; g++)
        c->groups[g].room = c->groups[g].capacity;
    for (uint32_t q = 0; q < c->queue_count; q++)
        for (uint32_t g = 0; c->queues[q].exists && c->queues[q].leaf && g < c->group_count; g++)
            c->groups[g].room -= c->queues[q].groups[g].due;
}

static void float_quota(struct pc_cluster *c, uint32_t id)
{
    struct pc_queue *q = &c->queues[id];
    int64_t left = q->quota.of[PC_GPU];
    for (uint32_t g = 0; g < c->group_count; g++)
        q->groups[g].due = left == POLICY_UNLIMITED ? POLICY_UNLIMITED : 0;
    for (uint32_t k = 0; left > 0 && k < c->group_count; k++) {
        uint32_t g = c->groups[k].turn;
        left = guarantee(c, q, g, q->groups[g].allocated, left);
    }
    for (int round = 0; round < 2; round++) /* where there is room first */
        for (uint32_t k = 0; left > 0 && k < c->group_count; k++) {
            uint32_t g = c->groups[k].turn;
            int64_t most = q->groups[g].request - q->groups[g].due;
            int64_t room = round == 0 ? c->groups[g].room : most;
            left = guarantee(c, q, g, most < room ? most : room, left);
        }
}

static void add_up_children(const struct pc_cluster *c, struct pc_queue *q)
{
    for (uint32_t g = 0; g < c->group_count; g++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < q->child_count && sum != POLICY_UNLIMITED; i++) {
            int64_t due = c->queues[q->children[i]].groups[g].due;
            sum = due == POLICY_UNLIMITED ? POLICY_UNLIMITED : sum + due;
        }
        q->groups[g].due = sum;
    }
}

static void count_guarantees(struct pc_cluster *c)
{
    for (uint32_t q = 0; q < c->queue_count; q++)
        for (uint32_t g = 0; c->queues[q].exists && g < c->group_count; g++)
            c->queues[q].groups[g].due = c->queues[q].by_pool ? c->queues[q].groups[g].quota : 0;
    measure_room(c);
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (c->queues[q].exists && c->queues[q].leaf && !c->queues[q].by_pool)
            float_quota(c, q);
    for (uint32_t i = c->walk_count; i-- > 0;) /* bottom up */
        if (!c->queues[c->walk[i]].leaf && !c->queues[c->walk[i]].by_pool)
            add_up_children(c, &c->queues[c->walk[i]]);
}

/* ---- the division ---- */

static void divide(struct policy *p, uint32_t group, int64_t amount, const uint32_t *queues,
                   uint32_t count)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < count; i++) {
        const struct pc_queue *q = &c->queues[queues[i]];
        c->claims[i] = (struct pc_claim){
            .quota = q->groups[group].due,
            .limit = q->limit.of[PC_GPU],
            .weight = q->weight.of[PC_GPU],
            .request = q->groups[group].request,
            .usage_ppm = q->usage_ppm.of[PC_GPU],
            .created = q->created,
            .rank = q->rank,
            .priority = q->priority,
        };
    }
    pc_divide(amount, POLICY_WHOLE, p->config.quota.usage_k_ppm, c->claims, count, c->claim_order);
    for (uint32_t i = 0; i < count; i++) {
        const struct pc_queue *q = &c->queues[queues[i]];
        struct pc_group_share *s = &q->groups[group];
        s->fair = c->claims[i].share;
        s->allocatable = pc_allocatable(s->due, q->limit.of[PC_GPU], s->fair);
    }
}

static void divide_group(struct policy *p, uint32_t group)
{
    struct pc_cluster *c = p->cluster;
    if (c->flat) {
        divide(p, group, c->groups[group].capacity, c->walk, c->walk_count);
        return;
    }
    divide(p, group, c->groups[group].capacity, c->roots, c->root_count);
    for (uint32_t i = 0; i < c->walk_count; i++) {
        const struct pc_queue *q = &c->queues[c->walk[i]];
        if (q->child_count > 0)
            divide(p, group, q->groups[group].fair, q->children, q->child_count);
    }
}

static void add_up_shares(const struct pc_cluster *c, struct pc_queue *q)
{
    int64_t sum = 0;
    for (uint32_t g = 0; g < c->group_count; g++)
        sum += q->groups[g].fair;
    int64_t wanted = q->request.of[PC_GPU];
    q->fair.of[PC_GPU] = sum < wanted ? sum : wanted;
    q->allocatable.of[PC_GPU] =
        pc_allocatable(q->quota.of[PC_GPU], q->limit.of[PC_GPU], q->fair.of[PC_GPU]);
}

void pc_divide_groups(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (c->group_count == 0)
        return;
    count_wants(c);
    count_guarantees(c);
    for (uint32_t g = 0; g < c->group_count; g++)
        divide_group(p, g);
    for (uint32_t i = 0; i < c->walk_count; i++)
        add_up_shares(c, &c->queues[c->walk[i]]);
}
