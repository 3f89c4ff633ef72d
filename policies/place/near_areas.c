/* SPDX-License-Identifier: MIT */
/* The smallest domains that may hold a gang, one after another; see near_areas.h. */
#include "place/near_areas.h"

#include "place/domain_counts.h"
#include "place/left.h"
#include "state/nodes.h"
#include "state/tasks.h"

/* ---- demand ---- */

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

struct pc_near pc_near_begin(struct policy *p, uint32_t job, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_near near = {
        .job = job, .set = c->queues[c->jobs[job].queue].pool_set, .tasks = tasks, .rank = PC_NONE};
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct pc_request *r = pc_request_of(c, job, tasks->ids[i]);
        near.demand.cpu = plus(near.demand.cpu, r->cpu);
        near.demand.mem = plus(near.demand.mem, r->mem);
        near.demand.whole += pc_wants_share(r) ? 0 : r->devices;
        near.demand.milli += (int64_t)r->devices * (r->memory > 0  ? 0
                                                    : r->share > 0 ? r->share
                                                                   : POLICY_WHOLE);
    }
    near.free = near.demand.whole <= c->pool_sets[near.set].most_devices
                    ? (int32_t)near.demand.whole
                    : c->pool_sets[near.set].most_devices + 1;
    return near;
}

/* ---- nodes ---- */

/* A quick check; may be wrongly true where only a trial decides. */
static bool node_may_hold(const struct policy *p, const struct pc_near *near,
                          const struct pc_node *n)
{
    const struct pc_cluster *c = p->cluster;
    bool now = !c->traits.nominates;
    int32_t tasks = now && n->tasks_idle < n->tasks_soon ? n->tasks_idle : n->tasks_soon;
    if (c->traits.thousandths && pc_milli_left(n, now) < near->demand.milli)
        return false;
    return pc_cpu_left(n, now) >= near->demand.cpu && n->mem_soon >= near->demand.mem &&
           tasks >= 0 && (uint32_t)tasks >= near->tasks->count;
}

static bool next_node(const struct policy *p, struct pc_near *near)
{
    const struct pc_pool_set *s = &p->cluster->pool_sets[near->set];
    for (; near->free <= s->most_devices; near->free++, near->rank = PC_NONE) {
        const struct pc_bits *list = &s->by_free[near->free];
        do
            near->rank = pc_bits_next(list, near->rank == PC_NONE ? 0 : near->rank + 1);
        while (near->rank != PC_NONE && !node_may_hold(p, near, pc_ranked(p, near->rank)));
        if (near->rank != PC_NONE)
            return true;
    }
    return false;
}

/* ---- domains ---- */

/* Tasks of that many whole devices that fit, judged by the numbers of nodes per free devices. */
static int64_t slots(const struct policy *p, const int64_t *cells, int32_t devices)
{
    int64_t sum = 0;
    for (int32_t free = devices; free <= p->cluster->most_devices; free++)
        sum += cells[PC_CELL_NODES + free] * (free / devices);
    return sum;
}

static bool domain_may_hold(const struct policy *p, const struct pc_near *near, uint32_t domain)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_shape *shape = &c->shapes[c->jobs[near->job].shape];
    const int64_t *cells = pc_domain_cells(p, near->set, domain);
    if (cells[PC_CELL_WHOLE] < near->demand.whole ||
        (c->traits.thousandths && cells[PC_CELL_MILLI] < near->demand.milli))
        return false;
    for (uint32_t i = 0, task = 0; i < shape->role_count; i++) {
        const struct pc_request *r = &shape->roles[i].request;
        int64_t wanted = 0;
        for (; task < near->tasks->count &&
               near->tasks->ids[task] - shape->roles[i].first_task < shape->roles[i].tasks;
             task++)
            wanted++;
        if (r->devices > 0 && !pc_wants_share(r) && slots(p, cells, r->devices) < wanted)
            return false;
    }
    return true;
}

/* Returns true if its nodes equal those of a smaller domain that was already tried. */
static bool is_repeated(const struct pc_topology *t, uint32_t domain)
{
    const struct pc_domain *d = &t->domains[domain];
    return d->node_count == 1 || (d->level < t->level_count && d->child_count == 1);
}

/* Returns the next domain of the level that may hold the gang, by (wholly free devices, number),
 * after near->domain; or PC_NONE. */
static uint32_t next_of_level(const struct policy *p, const struct pc_near *near)
{
    const struct pc_topology *t = near->topology;
    uint32_t best = PC_NONE;
    int64_t best_whole = INT64_MAX;
    int64_t least =
        near->domain == PC_NONE ? -1 : pc_domain_cells(p, near->set, near->domain)[PC_CELL_WHOLE];
    for (uint32_t d = t->level_start[near->level]; d < t->level_start[near->level + 1]; d++) {
        int64_t whole = pc_domain_cells(p, near->set, d)[PC_CELL_WHOLE];
        if (whole < least || (whole == least && d <= near->domain) || whole >= best_whole)
            continue;
        if (!is_repeated(t, d) && domain_may_hold(p, near, d)) {
            best = d;
            best_whole = whole;
        }
    }
    return best;
}

static bool next_domain(struct policy *p, struct pc_near *near)
{
    for (; near->level > 0; near->level--, near->domain = PC_NONE) {
        near->domain = next_of_level(p, near);
        if (near->domain != PC_NONE)
            return true;
    }
    return false;
}

/* ---- areas ---- */

static void fill(const struct pc_near *near, struct pc_bits *nodes, bool in)
{
    if (near->topology == NULL) {
        (in ? pc_bits_add : pc_bits_remove)(nodes, near->rank);
        return;
    }
    const struct pc_domain *d = &near->topology->domains[near->domain];
    for (uint32_t i = d->first_node; i < d->first_node + d->node_count; i++)
        (in ? pc_bits_add : pc_bits_remove)(nodes, near->topology->ranks[i]);
}

void pc_near_end(struct policy *p, struct pc_near *near)
{
    if (near->area.nodes != NULL)
        fill(near, pc_near_nodes(p), false);
    near->area.nodes = NULL;
}

const struct pc_area *pc_near_next(struct policy *p, struct pc_near *near)
{
    pc_near_end(p, near);
    struct pc_bits *nodes = pc_near_nodes(p);
    if (nodes == NULL)
        return NULL;
    bool found = near->topology == NULL && next_node(p, near);
    if (!found && near->topology == NULL) {
        near->topology = pc_counted_topology(p);
        near->level = near->topology != NULL ? near->topology->level_count : 0;
        near->domain = PC_NONE;
    }
    if (!found && !next_domain(p, near))
        return NULL;
    near->area.nodes = nodes;
    fill(near, nodes, true);
    return &near->area;
}
