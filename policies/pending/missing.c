/* SPDX-License-Identifier: MIT */
/* What an empty fleet would hold of a job; see missing.h. */
#include "pending/missing.h"

#include "state/domains.h"
#include "state/nodes.h"
#include "state/shapes.h"

struct question {
    struct policy *p;
    const struct pc_cluster *c;
    const struct pc_shape *shape;
    const struct pc_bits *pool_set;
};

/* What some nodes would hold: all of them, or only those that are up. */
struct room {
    int64_t tasks;  /* of the minimum, role by role */
    bool holds_all; /* the whole minimum */
};

/* The minimum consists of the set's first tasks; one task if there is no minimum. */
int64_t pc_minimum_of(const struct pc_shape *s, const struct pc_role *role)
{
    const struct pc_set *set = &s->sets[role->set];
    if (set->min_tasks == 0)
        return 1;
    int64_t left = set->min_tasks - (int64_t)(role->first_task - set->first_task);
    if (left < 0)
        return 0;
    return left < role->tasks ? left : role->tasks;
}

int64_t pc_node_holds(const struct pc_cluster *c, const struct pc_node *n,
                      const struct pc_request *r)
{
    int64_t most = n->max_tasks;
    if (!pc_node_suits(c, n, r))
        return 0;
    if (r->cpu > 0 && n->cpu_total / r->cpu < most)
        most = n->cpu_total / r->cpu;
    if (r->mem > 0 && n->mem_total / r->mem < most)
        most = n->mem_total / r->mem;
    for (uint32_t i = 0; r->wants_mig && n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        if (r->mig[i] > 0 && n->instances->total[i] / r->mig[i] < most)
            most = n->instances->total[i] / r->mig[i];
    if (r->devices == 0)
        return most;
    int64_t shares =
        pc_wants_share(r) ? n->capacity / (pc_units(n, r) > 0 ? pc_units(n, r) : 1) : 1;
    int64_t by_devices = n->devices < r->devices ? 0 : (int64_t)n->devices * shares / r->devices;
    return by_devices < most ? by_devices : most;
}

/* ---- the fleet ---- */

static int32_t missing_for(const struct question *q, const struct pc_role *role)
{
    int64_t all = 0;
    int64_t up = 0;
    bool suits = false;
    for (uint32_t rank = pc_bits_first(q->pool_set); rank != PC_NONE;
         rank = pc_bits_next(q->pool_set, rank + 1)) {
        const struct pc_node *n = &q->c->nodes[q->p->node_of_rank[rank]];
        int64_t here = pc_node_holds(q->c, n, &role->request);
        suits = suits || pc_node_suits(q->c, n, &role->request);
        all += here;
        up += n->state == POLICY_NODE_UP ? here : 0;
    }
    if (all < pc_minimum_of(q->shape, role))
        return suits ? POLICY_REASON_NEVER_FITS : POLICY_REASON_NODE_MISMATCH;
    return up < pc_minimum_of(q->shape, role) ? POLICY_REASON_NODES_DOWN : 0;
}

/* ---- one domain ---- */

static bool counts(const struct question *q, const struct pc_node *n, bool only_up)
{
    return pc_bits_has(q->pool_set, n->rank) && (!only_up || n->state == POLICY_NODE_UP);
}

/* What a domain would hold of the minimum covered by the constraint. */
static struct room room_in(const struct question *q, const struct pc_topology *t,
                           const struct pc_domain *domain, const struct policy_constraint *k,
                           bool only_up)
{
    struct room room = {0, true};
    int64_t devices = 0;
    for (uint32_t i = domain->first_node; i < domain->first_node + domain->node_count; i++) {
        const struct pc_node *n = &q->c->nodes[q->p->node_of_rank[t->ranks[i]]];
        devices += counts(q, n, only_up) ? n->devices : 0;
    }
    for (uint32_t id = 0; id < q->shape->role_count; id++) {
        const struct pc_role *role = &q->shape->roles[id];
        const struct pc_request *r = &role->request;
        if (!pc_is_about(k, q->shape, role->set))
            continue;
        int64_t held = 0;
        for (uint32_t i = domain->first_node; i < domain->first_node + domain->node_count; i++) {
            const struct pc_node *n = &q->c->nodes[q->p->node_of_rank[t->ranks[i]]];
            held += counts(q, n, only_up) ? pc_node_holds(q->c, n, r) : 0;
        }
        int64_t all = pc_minimum_of(q->shape, role);
        int64_t here = held < all ? held : all;
        if (r->devices > 0 && !pc_wants_share(r)) { /* minus what the earlier roles take */
            here = devices / r->devices < here ? devices / r->devices : here;
            devices -= here * r->devices;
        }
        room.tasks += here;
        room.holds_all = room.holds_all && here == all;
    }
    return room;
}

/* ---- constraints ---- */

static struct pc_missing missing_domain(const struct question *q, const struct policy_constraint *k)
{
    struct pc_missing m = {0};
    if (k->topology <= 0 || k->required <= 0 || !pc_constraint_known(q->c, k))
        return m;
    const struct pc_topology *t = pc_domains_current(q->p, (uint32_t)k->topology - 1);
    if (t == NULL) {
        q->p->cluster->out_of_memory = true;
        return m;
    }
    bool large_enough = false;
    for (uint32_t d = t->level_start[k->required]; d < t->level_start[k->required + 1]; d++) {
        struct room room = room_in(q, t, &t->domains[d], k, false);
        if (room.holds_all && room_in(q, t, &t->domains[d], k, true).holds_all)
            return m;
        large_enough = large_enough || room.holds_all;
        m.tasks = room.tasks > m.tasks ? (int32_t)room.tasks : m.tasks;
    }
    if (large_enough)
        return (struct pc_missing){.reason = POLICY_REASON_NODES_DOWN};
    m.reason = POLICY_REASON_NEVER_FITS;
    m.level = k->required;
    return m;
}

/* Checks constraints until one cannot be met. */
static struct pc_missing missing_domains(const struct question *q)
{
    const struct pc_shape *s = q->shape;
    struct pc_missing m = missing_domain(q, &s->topology);
    for (uint32_t i = 0; i < s->group_count && m.reason == 0; i++)
        m = missing_domain(q, &s->groups[i].topology);
    for (uint32_t i = 0; i < s->set_count && m.reason == 0; i++)
        m = missing_domain(q, &s->sets[i].topology);
    return m;
}

struct pc_missing pc_find_missing(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    const struct question q = {p, c, s, &c->pool_sets[c->queues[j->queue].pool_set].nodes};
    struct pc_missing m = {0};
    for (uint32_t i = 0; i < s->role_count && m.reason == 0; i++)
        m.reason = missing_for(&q, &s->roles[i]);
    return m.reason == 0 ? missing_domains(&q) : m;
}

bool pc_domains_hold(struct policy *p, uint32_t shape, uint32_t set)
{
    struct pc_cluster *c = p->cluster;
    const struct question q = {p, c, &c->shapes[shape], &c->pool_sets[set].nodes};
    bool out_of_memory = c->out_of_memory;
    bool hold = missing_domains(&q).reason != POLICY_REASON_NEVER_FITS;
    c->out_of_memory = out_of_memory;
    return hold;
}
