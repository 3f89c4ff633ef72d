/* SPDX-License-Identifier: MIT */
/* Room that moves alone can make for a gang; see moves.h. */
#include "act/victims/moves.h"

#include "act/victims/barren.h"
#include "act/victims/victim.h"
#include "state/devices.h"
#include "state/room.h"

/* More nodes than most gangs need; beyond them nothing is known. */
enum { MOST_NODES = 256 };

struct gang {
    const struct policy *p;
    uint32_t queue;
    int64_t tasks;
    int32_t devices;                         /* of each task */
    const struct pc_node *nodes[MOST_NODES]; /* that can take more of these tasks than now */
    uint32_t count;
};

/* How many slots of s devices the node gains when other queues' smaller tasks leave. Each share of
 * a device counts as all of it. */
static int32_t slots_gained(const struct gang *g, const struct pc_node *n, int32_t s)
{
    const struct pc_cluster *c = g->p->cluster;
    int32_t soon = pc_soon_whole(n) > 0 ? pc_soon_whole(n) : 0;
    int32_t without = soon;
    for (struct pc_evictable_task t = n->first_evictable; t.job != PC_NONE;
         t = pc_task(c, t.job, t.task)->next) {
        const struct pc_request *r = pc_request_of(c, t.job, t.task);
        if (c->jobs[t.job].queue != g->queue && pc_is_small(r, s))
            without += pc_devices_under(r);
    }
    without = without < n->devices ? without : n->devices;
    return without > soon ? without / s - soon / s : 0;
}

/* Returns false if there are too many. */
static bool find_nodes(struct gang *g)
{
    const struct pc_cluster *c = g->p->cluster;
    uint32_t rank = pc_next_roomy(c, g->devices, 0);
    for (; rank != PC_NONE; rank = pc_next_roomy(c, g->devices, rank + 1)) {
        uint32_t node = g->p->node_of_rank[rank];
        const struct pc_node *n = &c->nodes[node];
        if (pc_is_barren(c, node, g->queue, g->devices) || slots_gained(g, n, g->devices) == 0)
            continue;
        if (g->count == MOST_NODES)
            return false;
        g->nodes[g->count++] = n;
    }
    return true;
}

/* Number of nodes by slots gained. */
struct histogram {
    int64_t of[POLICY_MAX_DEVICES + 1];
};

static struct histogram count(const struct gang *g, int32_t s)
{
    struct histogram nodes = {{0}};
    for (uint32_t i = 0; i < g->count; i++)
        nodes.of[slots_gained(g, g->nodes[i], s)]++;
    return nodes;
}

/* The most slots on `most` of the nodes. */
static int64_t sum_of(const struct histogram *nodes, int64_t most)
{
    int64_t sum = 0;
    for (int32_t slots = POLICY_MAX_DEVICES; slots > 0 && most > 0; slots--) {
        int64_t taken = nodes->of[slots] < most ? nodes->of[slots] : most;
        sum += taken * slots;
        most -= taken;
    }
    return sum;
}

/* The smallest number of nodes that together gain this many slots; INT64_MAX if all of them gain
 * fewer. */
static int64_t nodes_with(const struct histogram *nodes, int64_t slots)
{
    int64_t fewest = 0;
    for (int32_t most = POLICY_MAX_DEVICES; most > 0; most--) {
        int64_t enough = slots > 0 ? (slots + most - 1) / most : 0;
        int64_t taken = nodes->of[most] < enough ? nodes->of[most] : enough;
        fewest += taken;
        slots -= taken * most;
    }
    return slots > 0 ? INT64_MAX : fewest;
}

/* Returns false if tasks of fewer devices may leave several nodes together, or if the bound of
 * room.h is unknown. Counts the room of changed nodes again. */
static bool is_known(struct policy *p, int32_t devices)
{
    const struct pc_cluster *c = p->cluster;
    bool known = pc_most_room(p, devices) != INT64_MAX;
    for (uint32_t size = 0; size <= pc_gang_size(devices - 1); size++)
        known = known && c->giving_in_gangs[size] == 0;
    return known;
}

bool pc_moves_may_do(struct policy *p, uint32_t job, const struct pc_amounts *asks)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_shape *shape = &c->shapes[c->jobs[job].shape];
    if (shape->mixed || shape->need <= 0 || !is_known(p, shape->need))
        return true;
    struct gang g;
    g.p = p;
    g.queue = c->jobs[job].queue;
    g.tasks = asks->of[PC_GPU] / POLICY_WHOLE / shape->need;
    g.devices = shape->need;
    g.count = 0;
    if (!find_nodes(&g))
        return true;
    struct histogram nodes = count(&g, g.devices);
    int64_t needed = nodes_with(&nodes, g.tasks - pc_whole_room(c, g.devices));
    bool may = needed <= g.tasks;
    for (int32_t s = g.devices; may && s % 2 == 0 && pc_room_is_known(c, s / 2);) {
        s /= 2;
        nodes = count(&g, s);
        /* The other steps may use nodes that gain no slot of d devices: what is free there and what
         * leaves is at most d - 1 beyond full slots. */
        nodes.of[(g.devices - 1) / s] += g.tasks - needed;
        may = pc_whole_room(c, s) + sum_of(&nodes, g.tasks) >= g.tasks * (g.devices / s);
    }
    return may;
}
