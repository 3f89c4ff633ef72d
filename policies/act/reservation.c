/* SPDX-License-Identifier: MIT */
/* Reservations and their claims; see reservation.h. */
#include "act/reservation.h"

#include "act/allocate_lanes.h"
#include "pending/blocked.h"
#include "pending/missing.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

#include <string.h>

struct reservation {
    policy_time at; /* INT64_MAX: never, and nothing is claimed */
    uint32_t first_claim, claim_count;
    uint32_t
        pool; /* counted devices: the claim is `counted` thousandths in this pool; else PC_NONE */
    int64_t counted, counted_taken;
    bool held;
};

/*
 * What a reservation needs of a node beyond what is released there by its time (negative amounts
 * count as zero), and what is actually taken on its behalf: less if another reservation took it
 * first. Devices in units of the node.
 */
struct claim {
    uint32_t node, next; /* next: claim of an earlier reservation on the same node, or PC_NONE */
    bool closes;         /* closes the whole node to all other jobs */
    int32_t places_taken;
    int64_t cpu, mem, cpu_taken, mem_taken;
    int32_t units[POLICY_MAX_DEVICES], taken[POLICY_MAX_DEVICES];
};

struct reservations {
    struct reservation *of;
    uint32_t count, capacity;
    struct claim *claims;
    uint32_t claim_count, claim_capacity;
    uint32_t *claim_of_node; /* the newest, or PC_NONE */
    uint32_t node_count, node_capacity;
};

/* ---- life ---- */

static void *create(struct policy *p)
{
    struct reservations *all = pc_alloc(&p->memory, 1, sizeof *all);
    if (all != NULL)
        memset(all, 0, sizeof *all);
    return all;
}

static void destroy(struct policy *p, void *self)
{
    struct reservations *all = self;
    pc_release(&p->memory, all->of, all->capacity, sizeof *all->of);
    pc_release(&p->memory, all->claims, all->claim_capacity, sizeof *all->claims);
    pc_release(&p->memory, all->claim_of_node, all->node_capacity, sizeof *all->claim_of_node);
    pc_release(&p->memory, all, 1, sizeof *all);
}

static const char *check(const struct policy *p, const void *self)
{
    const struct reservations *all = self;
    (void)p;
    return all->count == 0 && all->claim_count == 0 ? NULL : "a reservation that nobody has";
}

const struct pc_module pc_reservations_module = {
    .name = "reservations",
    .create = create,
    .destroy = destroy,
    .check = check,
};

static struct reservations *all_of(const struct policy *p)
{
    return pc_module_self(p, &pc_reservations_module);
}

static bool no_memory(struct policy *p)
{
    p->cluster->out_of_memory = true;
    return false;
}

/* Reserves memory for one more reservation and for claims on any node. */
static bool reserve(struct policy *p, struct reservations *all)
{
    uint32_t nodes = p->cluster->node_count;
    if (!PC_GROW(&p->memory, all->of, all->capacity, all->count + 1) ||
        !PC_GROW(&p->memory, all->claim_of_node, all->node_capacity, nodes))
        return no_memory(p);
    while (all->node_count < nodes)
        all->claim_of_node[all->node_count++] = PC_NONE;
    return true;
}

/* ---- claims ---- */

static bool claim_on(struct policy *p, struct reservations *all, const struct reservation *r,
                     uint32_t node, struct claim **found)
{
    uint32_t i = all->claim_of_node[node];
    if (i == PC_NONE || i < r->first_claim) {
        if (!PC_GROW(&p->memory, all->claims, all->claim_capacity, all->claim_count + 1))
            return no_memory(p);
        memset(&all->claims[all->claim_count], 0, sizeof *all->claims);
        all->claims[all->claim_count].node = node;
        all->claims[all->claim_count].next = i;
        i = all->claim_of_node[node] = all->claim_count++;
    }
    *found = &all->claims[i];
    return true;
}

static void add_to_claim(const struct pc_cluster *c, struct claim *k, const struct pc_request *r,
                         const struct pc_place *place, int sign)
{
    const struct pc_node *n = &c->nodes[k->node];
    k->cpu += sign * r->cpu;
    k->mem += sign * r->mem;
    k->closes = k->closes || r->wants_mig;
    for (uint64_t rest = r->wants_mig ? 0 : place->devices; rest != 0; rest &= rest - 1)
        k->units[pc_lowest(rest)] += sign * (pc_wants_share(r) ? pc_units(n, r) : n->capacity);
}

/* Deducts devices that the job releases by the reserved time: they need not be kept free
 * earlier. */
static void deduct(const struct policy *p, struct reservations *all, struct reservation *r,
                   uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    for (uint32_t task = 0; j->detail != NULL && task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &j->detail->tasks[task].place;
        uint32_t i = place->node != PC_NONE ? all->claim_of_node[place->node] : PC_NONE;
        if (place->counted != 0 && place->counted - 1 == r->pool)
            r->counted -= pc_weigh_pending(c, pc_request_of(c, job, task)).of[PC_GPU];
        while (i != PC_NONE && i >= r->first_claim + r->claim_count)
            i = all->claims[i].next;
        if (i != PC_NONE && i >= r->first_claim)
            add_to_claim(c, &all->claims[i], pc_request_of(c, job, task), place, -1);
    }
}

/* Turns the places found since the mark into claims. */
static bool make_claims(struct policy *p, struct reservations *all, struct reservation *r,
                        uint32_t mark)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t i = mark; i < c->undo_count; i++) {
        const struct pc_undo *u = &c->undo[i];
        const struct pc_place *place = &pc_task(c, u->job, u->task)->place;
        const struct pc_request *request = pc_request_of(c, u->job, u->task);
        struct claim *k;
        if (place->counted != 0) {
            r->pool = place->counted - 1;
            r->counted += pc_weigh_pending(c, request).of[PC_GPU];
            continue;
        }
        if (!claim_on(p, all, r, place->node, &k))
            return false;
        if (pc_wants_share(request) &&
            !pc_devices_make(p, place->node)) /* to take part of a device */
            return no_memory(p);
        add_to_claim(c, k, request, place, 1);
    }
    r->claim_count = all->claim_count - r->first_claim;
    return true;
}

static int64_t within(int64_t wanted, int64_t most)
{
    int64_t some = wanted < most ? wanted : most;
    return some > 0 ? some : 0;
}

/* The unallocated units of a device; 0 if it is split into instances. */
static int32_t idle_units(const struct pc_node *n, uint32_t d)
{
    const struct pc_device dev = pc_device_of(n, d);
    if (((n->held | n->released) >> d & 1) != 0 || (dev.slices | dev.slices_leaving) != 0)
        return 0;
    return n->capacity - dev.used - dev.releasing;
}

/* Takes the recorded claim, or releases it: whole devices at once, parts of devices one by one. */
static void move_taken(struct pc_cluster *c, const struct claim *k, int sign)
{
    struct pc_node *n = &c->nodes[k->node];
    struct pc_request r = {
        .cpu = k->cpu_taken, .mem = k->mem_taken, .types = ~UINT64_C(0), .selector = PC_NONE};
    struct pc_place place = pc_nowhere();
    place.node = k->node;
    place.holding = PC_RUNS;
    for (int32_t d = 0; d < n->devices; d++)
        place.devices |= k->taken[d] == n->capacity ? UINT64_C(1) << d : 0;
    r.devices = pc_popcount(place.devices);
    n->tasks_idle -= sign * k->places_taken;
    n->tasks_soon -= sign * k->places_taken;
    pc_node_change(c, &r, &place, sign);
    for (int32_t d = 0; d < n->devices; d++) {
        if (k->taken[d] == 0 || k->taken[d] == n->capacity)
            continue;
        struct pc_request part = {.devices = 1, .types = ~UINT64_C(0), .selector = PC_NONE};
        if (n->in_memory)
            part.memory = k->taken[d];
        else
            part.share = k->taken[d];
        place.devices = UINT64_C(1) << d;
        pc_node_change(c, &part, &place, sign);
    }
}

static void hold_claim(struct pc_cluster *c, struct claim *k)
{
    const struct pc_node *n = &c->nodes[k->node];
    k->cpu_taken = within(k->cpu, n->cpu_idle);
    k->mem_taken = within(k->mem, n->mem_idle);
    k->places_taken = k->closes ? n->tasks_idle : 0;
    for (int32_t d = 0; d < n->devices; d++)
        k->taken[d] = (int32_t)within(k->units[d], idle_units(n, (uint32_t)d));
    move_taken(c, k, 1);
}

static void hold(struct pc_cluster *c, struct reservations *all, struct reservation *r, bool hold)
{
    if (r->held == hold)
        return;
    r->held = hold;
    if (r->pool != PC_NONE && hold)
        r->counted_taken = within(r->counted, c->pools[r->pool].free_milli);
    if (r->pool != PC_NONE)
        pc_pool_count(c, r->pool, hold ? r->counted_taken : -r->counted_taken);
    for (uint32_t i = r->first_claim; i < r->first_claim + r->claim_count; i++)
        if (hold)
            hold_claim(c, &all->claims[i]);
        else
            move_taken(c, &all->claims[i], -1);
}

uint32_t pc_hold_reservations(struct policy *p, policy_time end)
{
    struct reservations *all = all_of(p);
    uint32_t count = 0;
    bool anew = false; /* if a reservation is no longer held: the amounts taken by others on its
                          nodes change */
    for (uint32_t i = 0; i < all->count; i++)
        anew |= all->of[i].held && all->of[i].at >= end;
    for (uint32_t i = 0; i < all->count && anew; i++)
        hold(p->cluster, all, &all->of[i], false);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->of[i].at < end) {
            hold(p->cluster, all, &all->of[i], true);
            count++;
        }
    return count;
}

/* ---- finding a time ---- */

/* Releases tentatively what the job holds. */
static bool let_go(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_place nowhere = pc_nowhere();
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++)
        if (j->detail->tasks[task].place.holding != PC_NOTHING &&
            !pc_txn_move(p, job, task, &nowhere))
            return false;
    return true;
}

/*
 * Returns false if free devices cannot suffice for the class: a trial would place some of a gang's
 * tasks in vain.
 */
static bool may_fit(const struct policy *p, const struct pc_job_class *k)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_shape *shape = &c->shapes[k->shape];
    if (k->need > pc_blocked_met(p, k->set))
        return false;
    if (!k->summed || c->traits.counts_only)
        return true;
    for (uint32_t i = 0; i < shape->role_count; i++) {
        const struct pc_role *role = &shape->roles[i];
        const struct pc_request *r = &role->request;
        if (r->devices > 0 && !pc_wants_share(r) &&
            pc_minimum_of(shape, role) > pc_most_tasks(&c->pool_sets[k->set], r->devices))
            return false;
    }
    return true;
}

/*
 * Releases jobs, those with the same end together, until the job fits. Returns 0, or why it never
 * fits. The places are the changes since *mark; *next is the first job that was not released.
 */
static int32_t find_time(struct policy *p, uint32_t job, struct reservation *r, uint32_t *next,
                         uint32_t *mark)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job_class *k = &c->pending->classes[c->jobs[job].class];
    int32_t why = k->blocked;
    *mark = pc_txn_mark(c);
    for (*next = pc_ahead_first_to_end(p); why != 0 && *next != PC_NONE;) {
        policy_time then = pc_ahead_end(p, *next) > p->now ? pc_ahead_end(p, *next) : p->now;
        do {
            if (!let_go(p, *next))
                return POLICY_REASON_WAITING;
            *next = pc_ahead_next_to_end(p, *next);
        } while (*next != PC_NONE && (pc_ahead_end(p, *next) <= then));
        r->at = then < PC_SOME_DAY ? then : PC_SOME_DAY;
        *mark = pc_txn_mark(c);
        uint32_t placed;
        if (may_fit(p, k))
            why = pc_try_place(p, job, false, &placed);
        if (why == POLICY_REASON_WAITING)
            return why;
        if (why != 0)
            pc_txn_rollback(c, *mark);
    }
    return why;
}

bool pc_reserve_for_lane(struct policy *p, uint32_t lane)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job_class *k = &c->pending->classes[c->pending->lanes[lane].classes.ids[0]];
    struct reservations *all = all_of(p);
    if (!reserve(p, all))
        return false;
    struct reservation *r = &all->of[all->count];
    *r = (struct reservation){.at = INT64_MAX, .first_claim = all->claim_count, .pool = PC_NONE};
    all->count++;
    if (k->above)
        return true;
    uint32_t next;
    uint32_t places;
    uint32_t mark = pc_txn_mark(c);
    int32_t why = find_time(p, pc_first_job(k), r, &next, &places);
    bool ok = why != POLICY_REASON_WAITING;
    if (why != 0)
        r->at = INT64_MAX;
    else
        ok = make_claims(p, all, r, places);
    pc_txn_rollback(c, mark);
    for (uint32_t i = pc_ahead_first_to_end(p); ok && why == 0 && i != next;
         i = pc_ahead_next_to_end(p, i))
        deduct(p, all, r, i);
    return ok;
}

bool pc_reserve_time(struct policy *p, policy_time at)
{
    struct reservations *all = all_of(p);
    if (!reserve(p, all))
        return false;
    all->of[all->count++] =
        (struct reservation){.at = at, .first_claim = all->claim_count, .pool = PC_NONE};
    return true;
}

policy_time pc_take_back_reservation(struct policy *p)
{
    struct reservations *all = all_of(p);
    return all->of[--all->count].at;
}

void pc_spare_reservations(struct policy *p, uint32_t job, policy_time end)
{
    struct reservations *all = all_of(p);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->of[i].at >= end && all->of[i].at < INT64_MAX)
            deduct(p, all, &all->of[i], job);
}

void pc_forget_reservations(struct policy *p)
{
    struct reservations *all = all_of(p);
    for (uint32_t i = 0; i < all->claim_count; i++) {
        struct pc_node *n = &p->cluster->nodes[all->claims[i].node];
        all->claim_of_node[all->claims[i].node] = PC_NONE;
        if ((n->parts_taken | n->parts_leaving | n->groups) == 0)
            pc_devices_free(p->cluster, n);
    }
    all->count = all->claim_count = 0;
}

/* ---- questions ---- */

uint32_t pc_reservations_with_time(const struct policy *p)
{
    const struct reservations *all = all_of(p);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        count += all->of[i].at < INT64_MAX;
    return count;
}

policy_time pc_reservation_before(const struct policy *p, policy_time end)
{
    const struct reservations *all = all_of(p);
    policy_time last = INT64_MIN;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->of[i].at < end && all->of[i].at > last)
            last = all->of[i].at;
    return last;
}

policy_time pc_first_reservation(const struct policy *p)
{
    const struct reservations *all = all_of(p);
    policy_time first = INT64_MAX;
    for (uint32_t i = 0; i < all->count; i++)
        first = all->of[i].at < first ? all->of[i].at : first;
    return first;
}
