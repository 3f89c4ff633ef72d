/* SPDX-License-Identifier: MIT */
/* Room that evictions could make; see room.h. */
#include "state/room.h"

#include "base/bits.h"
#include "state/devices.h"
#include "state/places.h"
#include "state/scarcity.h"

/* ---- evictable tasks ---- */

static struct pc_task *task_of(const struct pc_cluster *c, struct pc_evictable_task g)
{
    return pc_task_at(c, g.job, g.task);
}

static void enlist(struct pc_cluster *c, struct pc_node *n, struct pc_evictable_task g)
{
    struct pc_task *t = task_of(c, g);
    t->next = n->first_evictable;
    t->behind = (struct pc_evictable_task){PC_NONE, PC_NONE};
    if (t->next.job != PC_NONE)
        task_of(c, t->next)->behind = g;
    n->first_evictable = g;
}

static void unlist(struct pc_cluster *c, struct pc_node *n, struct pc_evictable_task g)
{
    const struct pc_task *t = task_of(c, g);
    if (t->next.job != PC_NONE)
        task_of(c, t->next)->behind = t->behind;
    *(t->behind.job != PC_NONE ? &task_of(c, t->behind)->next : &n->first_evictable) = t->next;
}

void pc_room_give(struct pc_cluster *c, uint32_t job, uint32_t task, const struct pc_request *r,
                  int sign)
{
    const struct pc_evictable_task g = {job, task};
    struct pc_node *n = &c->nodes[pc_stands_on(&task_of(c, g)->place)];
    c->leavings[n - c->nodes].known = false;
    if (sign > 0) {
        enlist(c, n, g);
        pc_scarcity_note(c, job);
    } else
        unlist(c, n, g);
    bool parts = pc_shares_devices(r);
    if (c->shapes[c->jobs[job].shape].tasks > 1 && (parts || r->devices > 0))
        c->giving_in_gangs[pc_gang_size(parts ? 0 : r->devices)] += (uint32_t)sign;
    if (pc_shares_devices(r)) {
        n->giving_parts += sign * (r->devices > 0 ? r->devices : 1);
        c->giving_parts += (uint32_t)sign;
    } else if (r->devices > 0) {
        n->giving[r->devices] = (uint8_t)(n->giving[r->devices] + sign);
        c->giving[r->devices] += (uint32_t)sign;
    }
}

/* ---- room ---- */

/* Devices free if all smaller evictable tasks were gone, in addition to those held in parts. */
static int32_t emptied(const struct pc_node *n)
{
    int32_t shared = pc_popcount(n->groups);
    return n->listed + (shared < n->giving_parts ? shared : n->giving_parts);
}

/* Returns false on nodes where instances are evictable: the devices they would leave are not
 * tracked. */
static bool is_plain(const struct pc_node *n)
{
    return n->mig == POLICY_MIG_OFF || n->giving_parts == 0;
}

int32_t pc_room_of(const struct pc_node *n, int32_t devices)
{
    if (n->listed < 0)
        return 0;
    if (!is_plain(n))
        return n->devices / devices;
    int32_t room = emptied(n);
    for (int32_t smaller = 1; smaller < devices; smaller++)
        room += smaller * n->giving[smaller];
    return room / devices;
}

static void count(struct pc_cluster *c, struct pc_node *n, int32_t devices, int32_t room)
{
    c->room[devices] += room - n->room[devices];
    n->room[devices] = (uint8_t)room;
    if (n->listed >= 0 && room > n->listed / devices)
        pc_bits_add(&c->roomy[devices], n->rank);
    else if (pc_bits_has(&c->roomy[devices], n->rank))
        pc_bits_remove(&c->roomy[devices], n->rank);
}

/* More whole devices are free: victims on the node may leave more room. */
static void note_growth(struct pc_cluster *c, struct pc_node *n)
{
    int32_t before = n->measured_whole;
    n->measured_whole = n->listed >= 0 ? pc_soon_whole(n) : INT32_MIN;
    if (n->measured_whole <= before)
        return;
    for (struct pc_evictable_task g = n->first_evictable; g.job != PC_NONE; g = task_of(c, g)->next)
        pc_scarcity_note(c, g.job);
}

static void measure(struct pc_cluster *c, struct pc_node *n)
{
    note_growth(c, n);
    bool whole = n->listed >= 0 && is_plain(n);
    int32_t smaller = whole ? emptied(n) : 0;
    for (int32_t devices = 1; devices <= n->devices; devices++) {
        count(c, n, devices, whole ? smaller / devices : pc_room_of(n, devices));
        smaller += devices * n->giving[devices];
    }
}

void pc_room_forget(struct pc_cluster *c, struct pc_node *n)
{
    for (int32_t devices = 1; devices <= n->devices; devices++)
        count(c, n, devices, 0);
    if (pc_bits_has(&c->changed_nodes, n->rank))
        pc_bits_remove(&c->changed_nodes, n->rank);
}

uint32_t pc_next_roomy(const struct pc_cluster *c, int32_t devices, uint32_t rank)
{
    return pc_bits_next(&c->roomy[devices], rank);
}

bool pc_room_is_known(const struct pc_cluster *c, int32_t devices)
{
    for (int32_t more = devices + 1; more <= c->most_devices; more++)
        if (more % devices != 0 && c->giving[more] > 0)
            return false;
    return true;
}

void pc_room_settle(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    uint32_t rank = pc_bits_first(&c->changed_nodes);
    for (; rank != PC_NONE; rank = pc_bits_next(&c->changed_nodes, rank + 1)) {
        measure(c, &c->nodes[p->node_of_rank[rank]]);
        pc_bits_remove(&c->changed_nodes, rank);
    }
}

int64_t pc_most_room(struct policy *p, int32_t devices)
{
    if (!pc_room_is_known(p->cluster, devices))
        return INT64_MAX;
    pc_room_settle(p);
    return p->cluster->room[devices];
}
