/* SPDX-License-Identifier: MIT */
/* Nodes against their tasks; see check.h. */
#include "act/victims/barren.h"
#include "base/bits.h"
#include "query/check.h"
#include "state/nodes.h"
#include "state/room.h"
#include "state/tasks.h"

#include <string.h>

/* What tasks have on one node: held (running or being released), of that running, and nominated. */
struct part {
    int64_t cpu, mem;
    int32_t tasks, mig[POLICY_MAX_PROFILES];
};

struct sums {
    struct part held, running, nominated;
    int32_t nominated_whole;
    struct pc_device device[POLICY_MAX_DEVICES];
    bool overlap; /* two held MIG instances share a slice of a device */
    int32_t giving[POLICY_MAX_DEVICES + 1], giving_parts,
        givers; /* evictable tasks: see state/room.h */
};

/* ---- summing up ---- */

static void add_part(struct part *to, const struct pc_request *r)
{
    to->cpu += r->cpu;
    to->mem += r->mem;
    to->tasks++;
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
        to->mig[i] += r->mig[i];
}

/* The memory slices of the instance that a request creates at `start`; its compute slices are added
 * to *compute. */
static uint8_t slices_of(const struct pc_cluster *c, const struct pc_request *r, uint32_t start,
                         uint8_t *compute)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
        for (int32_t k = 0; r->mig[i] > 0 && k < c->memory_slices[i]; k++)
            mask |= 1u << (start + (uint32_t)k);
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
        *compute = (uint8_t)(*compute + (r->mig[i] > 0 ? c->slices[i] : 0));
    return (uint8_t)mask;
}

static void add_held_device(const struct pc_cluster *c, const struct pc_node *n,
                            const struct pc_request *r, const struct pc_place *place,
                            struct sums *s, uint32_t device)
{
    struct pc_device *d = &s->device[device];
    bool runs = pc_keeps(c, place);
    if (r->wants_mig) {
        uint8_t mask = slices_of(c, r, place->slice, runs ? &d->compute : &d->compute_leaving);
        s->overlap = s->overlap || ((d->slices | d->slices_leaving) & mask) != 0;
        *(runs ? &d->slices : &d->slices_leaving) |= mask;
        return;
    }
    *(runs ? &d->used : &d->releasing) += pc_wants_share(r) ? pc_units(n, r) : n->capacity;
    d->sharers = (uint16_t)(d->sharers + pc_wants_share(r));
}

static void add_promised_device(const struct pc_cluster *c, const struct pc_node *n,
                                const struct pc_request *r, const struct pc_place *place,
                                struct sums *s, uint32_t device)
{
    struct pc_device *d = &s->device[device];
    if (r->wants_mig) {
        d->slices_nominated |= slices_of(c, r, place->nominated_slice, &d->compute_nominated);
        return;
    }
    d->nominated += pc_units(n, r);
    d->nominated_sharers++;
}

static void add_task(const struct pc_cluster *c, uint32_t node, const struct pc_request *r,
                     const struct pc_place *place, struct sums *s)
{
    const struct pc_node *n = &c->nodes[node];
    if (place->node == node) {
        add_part(&s->held, r);
        if (pc_keeps(c, place))
            add_part(&s->running, r);
        for (uint64_t rest = place->devices; rest != 0; rest &= rest - 1)
            add_held_device(c, n, r, place, s, pc_lowest(rest));
    }
    if (place->nominated == node) {
        add_part(&s->nominated, r);
        if (!pc_shares_devices(r))
            s->nominated_whole += r->devices;
        for (uint64_t rest = place->nominated_devices; rest != 0; rest &= rest - 1)
            add_promised_device(c, n, r, place, s, pc_lowest(rest));
    }
}

static void add_giving(const struct pc_request *r, struct sums *s)
{
    s->givers++;
    if (r->wants_mig || pc_wants_share(r))
        s->giving_parts += r->devices > 0 ? r->devices : 1;
    else
        s->giving[r->devices]++;
}

static void sum_up(const struct pc_cluster *c, uint32_t node, struct sums *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *j = &c->jobs[i];
        const struct pc_shape *shape = &c->shapes[j->shape];
        for (uint32_t task = 0; j->state == PC_LIVE && task < shape->tasks; task++) {
            const struct pc_request *r = &pc_role_of(shape, task)->request;
            const struct pc_place *place = &pc_task_of(j, task)->place;
            add_task(c, node, r, place, s);
            if (c->traits.evicts && (j->preemptible || c->traits.anyone_gives) &&
                pc_is_active(place) && pc_stands_on(place) == node)
                add_giving(r, s);
        }
    }
}

/* ---- comparing ---- */

static const char *check_amounts(const struct pc_node *n, const struct sums *s)
{
    const struct part *held = &s->held;
    const struct part *running = &s->running;
    const struct part *nominated = &s->nominated;
    if (n->cpu_idle != n->cpu_total - held->cpu || n->mem_idle != n->mem_total - held->mem)
        return "a node's idle CPU or memory";
    if (n->cpu_soon != n->cpu_total - running->cpu - nominated->cpu ||
        n->mem_soon != n->mem_total - running->mem - nominated->mem)
        return "a node's CPU or memory that is free soon";
    if (n->tasks_idle != n->max_tasks - held->tasks ||
        n->tasks_soon != n->max_tasks - running->tasks - nominated->tasks)
        return "a node's number of tasks";
    if (n->nominated_whole != s->nominated_whole)
        return "a node's nominated devices";
    const struct pc_instances *has = n->instances;
    if ((has != NULL) != (n->mig == POLICY_MIG_FIXED))
        return "whether a node counts MIG instances";
    for (uint32_t i = 0; has != NULL && i < POLICY_MAX_PROFILES; i++)
        if (has->idle[i] != has->total[i] - held->mig[i] ||
            has->soon[i] != has->total[i] - running->mig[i] - nominated->mig[i])
            return "a node's MIG instances";
    return NULL;
}

static bool is_same_device(const struct pc_device *a, const struct pc_device *b)
{
    return a->used == b->used && a->releasing == b->releasing && a->nominated == b->nominated &&
           a->sharers == b->sharers && a->nominated_sharers == b->nominated_sharers &&
           a->slices == b->slices && a->slices_leaving == b->slices_leaving &&
           a->slices_nominated == b->slices_nominated && a->compute == b->compute &&
           a->compute_leaving == b->compute_leaving && a->compute_nominated == b->compute_nominated;
}

/* Returns true if no device is overcommitted. */
static bool is_possible(const struct pc_node *n, const struct pc_device *d)
{
    bool parts = d->used > 0 || d->releasing > 0;
    bool instances = d->slices != 0 || d->slices_leaving != 0;
    return d->used + d->releasing <= n->capacity && !(parts && instances) &&
           d->compute + d->compute_leaving <= 7;
}

static const char *check_devices(const struct pc_node *n, const struct sums *s)
{
    uint64_t idle = 0;
    uint64_t leaving = 0;
    uint64_t shared = 0;
    uint64_t groups = 0;
    if (s->overlap)
        return "a device's MIG instances, which overlap";
    for (int32_t i = 0; i < POLICY_MAX_DEVICES; i++) {
        const struct pc_device *d = &s->device[i];
        uint64_t bit = UINT64_C(1) << i;
        const struct pc_device known =
            i < n->devices ? pc_device_of(n, (uint32_t)i) : (struct pc_device){0};
        if (!is_same_device(d, &known))
            return "what is used of a device";
        if (!is_possible(n, d))
            return "a device that has more on it than it has room for";
        groups |= d->sharers > 0 || d->nominated_sharers > 0 ? bit : 0;
        if ((n->usable & bit) == 0)
            continue;
        bool taken = d->used > 0 || d->nominated > 0 || d->slices != 0 || d->slices_nominated != 0;
        bool leaves = d->releasing > 0 || d->slices_leaving != 0;
        bool broken_up = d->slices != 0 || d->slices_nominated != 0;
        idle |= !taken && !leaves ? bit : 0;
        leaving |= !taken && leaves ? bit : 0;
        shared |= taken && !broken_up && d->used + d->nominated < n->capacity ? bit : 0;
    }
    if ((n->usable & ~pc_all_devices(n->devices)) != 0)
        return "a node's usable devices";
    if (n->idle != idle || n->leaving != leaving)
        return "a node's sets of idle and leaving devices";
    return n->shared == shared && n->groups == groups ? NULL : "a node's sets of shared devices";
}

/* Thousandths of devices; a device that may be split into instances counts as many as it could
 * hold. */
static int64_t soon_milli(const struct pc_cluster *c, const struct pc_node *n)
{
    int64_t sum = -(int64_t)n->nominated_whole * POLICY_WHOLE;
    for (int32_t i = 0; i < n->devices; i++) {
        const struct pc_device d = pc_device_of(n, (uint32_t)i);
        bool whole = ((n->idle | n->leaving) >> i & 1) != 0;
        int64_t left = (int64_t)(n->capacity - d.used - d.nominated) * POLICY_WHOLE / n->capacity;
        sum += whole ? POLICY_WHOLE : (n->shared >> i & 1) != 0 ? left : 0;
        sum += n->mig == POLICY_MIG_FREE ? 7 * POLICY_WHOLE : 0;
    }
    for (uint32_t i = 0; n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        sum += (int64_t)n->instances->soon[i] * c->slices[i] * POLICY_WHOLE;
    return sum;
}

static const char *check_lists(const struct policy *p, const struct pc_node *n)
{
    const struct pc_cluster *c = p->cluster;
    bool up = n->state == POLICY_NODE_UP;
    int32_t soon = pc_popcount(n->idle) + pc_popcount(n->leaving) - n->nominated_whole;
    bool lists = up && c->traits.lists_soon;
    int32_t listed = !lists ? -1 : soon > 0 ? soon : 0;
    if (n->listed != listed)
        return "the devices under which a node is listed";
    if (n->popped != PC_NONE || n->trial_freed != 0 || n->reserved != PC_NONE ||
        n->ending != PC_NONE || n->reserved_whole != 0)
        return "a node's marks of the search for victims, or of a reservation";
    if (n->soon_milli != (lists ? soon_milli(c, n) : 0))
        return "how much of a node's devices is free soon";
    if (n->devices > c->most_devices)
        return "the most devices of a node";
    for (int32_t i = 0; i <= POLICY_MAX_DEVICES; i++)
        if (pc_bits_has(&c->by_soon[i], n->rank) != (i == listed))
            return "a node in the lists by free devices";
    if (pc_bits_has(&c->with_shared, n->rank) != (lists && n->shared != 0))
        return "a node in the list of those with shared devices";
    if (pc_bits_has(&c->up, n->rank) != up)
        return "a node in the list of those that are up";
    return NULL;
}

static const char *check_givers(const struct pc_cluster *c, const struct pc_node *n, int32_t givers)
{
    struct pc_evictable_task behind = {PC_NONE, PC_NONE};
    for (struct pc_evictable_task g = n->first_evictable; g.job != PC_NONE && givers >= 0;
         givers--) {
        const struct pc_task *t = pc_task(c, g.job, g.task);
        if ((!c->jobs[g.job].preemptible && !c->traits.anyone_gives) || !pc_is_active(&t->place) ||
            &c->nodes[pc_stands_on(&t->place)] != n || t->behind.job != behind.job ||
            t->behind.task != behind.task)
            return "a node's list of evictable tasks";
        behind = g;
        g = t->next;
    }
    return givers == 0 ? NULL : "the number of a node's evictable tasks";
}

/* Returns false if a remembered answer about the node differs from one found anew. */
static bool check_barren(const struct pc_cluster *c, uint32_t node)
{
    if (!c->leavings[node].known)
        return true;
    for (uint32_t queue = 0; queue < PC_LEAVINGS_QUEUES; queue++)
        for (int32_t devices = 1; devices <= c->most_devices; devices++)
            if (pc_is_barren(c, node, queue, devices) != pc_barren_now(c, node, queue, devices))
                return false;
    return true;
}

/* Evictable tasks, and the room that evicting them would make, unless a recount is due. */
static const char *check_room(const struct pc_cluster *c, const struct pc_node *n,
                              const struct sums *s)
{
    if (!c->traits.evicts)
        return n->first_evictable.job == PC_NONE && !pc_bits_has(&c->changed_nodes, n->rank)
                   ? NULL
                   : "a node's evictable tasks, which nobody wants to know";
    if (n->trial_seen || n->giving_parts != s->giving_parts)
        return "what a node's evictable tasks want parts of";
    for (int32_t devices = 1; devices <= POLICY_MAX_DEVICES; devices++) {
        if (n->giving[devices] != s->giving[devices])
            return "a node's evictable tasks";
        int32_t room = devices <= n->devices ? pc_room_of(n, devices) : 0;
        if (pc_bits_has(&c->changed_nodes, n->rank))
            continue;
        bool roomy = n->listed >= 0 && room > n->listed / devices;
        if (n->room[devices] != room ||
            (devices <= c->most_devices && pc_bits_has(&c->roomy[devices], n->rank) != roomy))
            return "the room that a node's tasks could make";
    }
    if (!check_barren(c, (uint32_t)(n - c->nodes)))
        return "what is remembered about room without the tasks of other queues";
    return check_givers(c, n, s->givers);
}

/* Evictable tasks of jobs with several tasks. */
static const char *check_gangs(const struct pc_cluster *c)
{
    uint32_t giving[sizeof c->giving_in_gangs / sizeof *c->giving_in_gangs] = {0};
    for (uint32_t i = 0; i < c->node_count; i++)
        for (struct pc_evictable_task g = c->nodes[i].first_evictable;
             c->nodes[i].exists && g.job != PC_NONE; g = pc_task(c, g.job, g.task)->next) {
            const struct pc_request *r = pc_request_of(c, g.job, g.task);
            bool parts = r->wants_mig || pc_wants_share(r);
            if (c->shapes[c->jobs[g.job].shape].tasks > 1 && (parts || r->devices > 0))
                giving[pc_gang_size(parts ? 0 : r->devices)]++;
        }
    return memcmp(giving, c->giving_in_gangs, sizeof giving) == 0
               ? NULL
               : "the tasks of gangs that could be evicted";
}

static const char *check_room_sums(const struct pc_cluster *c)
{
    for (int32_t devices = 1; devices <= POLICY_MAX_DEVICES; devices++) {
        int64_t room = 0;
        uint32_t giving = 0;
        for (uint32_t i = 0; i < c->node_count; i++) {
            room += c->nodes[i].exists ? c->nodes[i].room[devices] : 0;
            giving += c->nodes[i].exists ? c->nodes[i].giving[devices] : 0;
        }
        if (room != c->room[devices] || giving != c->giving[devices])
            return "the room that tasks of all nodes could make";
    }
    return check_gangs(c);
}

/* The lists must not have members beyond the nodes seen. */
static const char *check_members(const struct pc_cluster *c, uint32_t up, uint32_t with_shared,
                                 int64_t milli)
{
    uint32_t listed = 0;
    for (int32_t i = 0; i <= POLICY_MAX_DEVICES; i++) {
        listed += pc_members(&c->by_soon[i]);
        if (pc_members(&c->by_soon[i]) != (uint32_t)c->listed[i])
            return "the number of nodes with so many free devices";
    }
    if (pc_members(&c->up) != up || listed != (c->traits.lists_soon ? up : 0) ||
        pc_members(&c->with_shared) != with_shared)
        return "the lists of nodes";
    return milli == c->soon_milli ? NULL : "how much of all devices is free soon";
}

const char *pc_check_nodes(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const char *wrong = NULL;
    uint32_t up = 0;
    uint32_t with_shared = 0;
    uint32_t removed = 0;
    int64_t milli = 0;
    for (uint32_t i = 0; i < c->node_count && wrong == NULL; i++) {
        const struct pc_node *n = &c->nodes[i];
        removed += !n->exists;
        if (!n->exists)
            continue;
        struct sums s;
        sum_up(c, i, &s);
        up += n->state == POLICY_NODE_UP;
        milli += n->soon_milli;
        with_shared += c->traits.lists_soon && n->state == POLICY_NODE_UP && n->shared != 0;
        wrong = check_amounts(n, &s);
        if (wrong == NULL)
            wrong = check_devices(n, &s);
        if (wrong == NULL)
            wrong = check_lists(p, n);
        if (wrong == NULL)
            wrong = check_room(c, n, &s);
        if (wrong == NULL && (n->rank >= p->rank_capacity || p->node_of_rank[n->rank] != i))
            wrong = "a node's rank";
    }
    if (wrong == NULL && removed != c->nodes_removed)
        wrong = "the number of nodes that were removed";
    if (wrong == NULL)
        wrong = check_room_sums(c);
    return wrong != NULL ? wrong : check_members(c, up, with_shared, milli);
}
