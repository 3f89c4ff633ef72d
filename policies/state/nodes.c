/* SPDX-License-Identifier: MIT */
/* What is free on nodes; see nodes.h. */
#include "state/nodes.h"

#include "base/bits.h"
#include "state/kinds.h"
#include "state/mig.h"
#include "state/pool_sets.h"
#include "state/room.h"

/* ---- lists of nodes ---- */

static int32_t list_of(const struct pc_node *n)
{
    if (!n->exists || n->state != POLICY_NODE_UP)
        return -1;
    int32_t soon = pc_soon_whole(n);
    return soon > 0 ? soon : 0;
}

/* Thousandths of devices free after release: whole devices, and parts of shared ones. */
static int64_t soon_uncut_milli(const struct pc_node *n)
{
    int64_t sum = (int64_t)pc_soon_whole(n) * POLICY_WHOLE;
    for (uint64_t rest = n->shared; rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        sum += (int64_t)(n->capacity - d.used - d.nominated) * POLICY_WHOLE / n->capacity;
    }
    return sum;
}

/* The same including MIG instances. */
static int64_t soon_milli(const struct pc_cluster *c, const struct pc_node *n, int64_t uncut)
{
    int64_t sum = uncut;
    for (uint32_t i = 0; n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        sum += (int64_t)n->instances->soon[i] * c->slices[i] * POLICY_WHOLE;
    if (n->mig == POLICY_MIG_FREE) /* each device may be split into seven */
        sum += (int64_t)n->devices * 7 * POLICY_WHOLE;
    return sum;
}

static void set_soon(struct pc_cluster *c, struct pc_node *n, int64_t milli, int64_t uncut)
{
    const struct pc_pool *pool = &c->pools[n->pool];
    for (uint32_t i = 0; i < pool->set_count && uncut != n->soon_uncut_milli; i++)
        c->pool_sets[pool->sets[i]].soon_milli += uncut - n->soon_uncut_milli;
    c->soon_milli += milli - n->soon_milli;
    n->soon_milli = milli;
    n->soon_uncut_milli = uncut;
}

static void list_soon(struct pc_cluster *c, struct pc_node *n)
{
    int32_t now = list_of(n);
    int64_t uncut = now >= 0 ? soon_uncut_milli(n) : 0;
    set_soon(c, n, now >= 0 ? soon_milli(c, n, uncut) : 0, uncut);
    if (now != n->listed) {
        if (n->listed >= 0) {
            pc_bits_remove(&c->by_soon[n->listed], n->rank);
            c->listed[n->listed]--;
        }
        if (now >= 0) {
            pc_bits_add(&c->by_soon[now], n->rank);
            c->listed[now]++;
        }
        n->listed = now;
    }
    if (now >= 0 && n->shared != 0)
        pc_bits_add(&c->with_shared, n->rank);
    else if (pc_bits_has(&c->with_shared, n->rank))
        pc_bits_remove(&c->with_shared, n->rank);
}

PC_INLINE void note(struct pc_cluster *c, struct pc_node *n)
{
    pc_changes_note(&c->changes, n->rank);
    if (c->traits.evicts) {
        c->leavings[n - c->nodes].known = false;
        pc_bits_add(&c->changed_nodes, n->rank);
    }
    if (c->traits.lists_soon)
        list_soon(c, n);
}

static void list(struct pc_cluster *c, struct pc_node *n)
{
    note(c, n);
    pc_pool_sets_settle(c, n);
}

void pc_node_unlist(struct pc_cluster *c, uint32_t node)
{
    struct pc_node *n = &c->nodes[node];
    if (n->listed >= 0) {
        pc_bits_remove(&c->by_soon[n->listed], n->rank);
        c->listed[n->listed]--;
    }
    pc_room_forget(c, n);
    pc_changes_note(&c->changes, n->rank);
    set_soon(c, n, 0, 0);
    if (pc_bits_has(&c->with_shared, n->rank))
        pc_bits_remove(&c->with_shared, n->rank);
    n->listed = -1;
}

/* ---- devices ---- */

bool pc_devices_make(struct policy *p, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    struct pc_node *n = &c->nodes[node];
    if (n->device != NULL || n->devices == 0)
        return true;
    size_t size = (size_t)n->devices * sizeof *n->device;
    n->device = pc_block_take(&c->blocks, &p->memory, size, &n->size_class);
    if (n->device != NULL)
        __builtin_memset(n->device, 0, size);
    return n->device != NULL;
}

void pc_devices_free(struct pc_cluster *c, struct pc_node *n)
{
    if (n->device != NULL)
        pc_block_give(&c->blocks, n->device, n->size_class);
    n->device = NULL;
}

/* Recomputes the node's device sets from what is held, whole and in parts. */
static void summarise(struct pc_node *n)
{
    uint64_t taken = n->held | n->parts_taken;
    uint64_t leaving = n->released | n->parts_leaving;
    n->idle = n->usable & ~(taken | leaving);
    n->leaving = n->usable & leaving & ~taken;
    n->shared = n->usable & n->parts_open & ~n->held;
}

/* Updates the sets after a change of what is held of a device in parts. */
static void settle_parts(struct pc_node *n, uint32_t d)
{
    const struct pc_device *dev = &n->device[d];
    uint64_t bit = UINT64_C(1) << d;
    bool taken = dev->used > 0 || dev->nominated > 0;
    bool cut = dev->slices != 0 || dev->slices_nominated != 0;
    bool grouped = dev->sharers > 0 || dev->nominated_sharers > 0;
    bool leaving = dev->releasing > 0 || dev->slices_leaving != 0;
    bool open = taken && !cut && dev->used + dev->nominated < n->capacity;
    n->parts_taken = taken || cut ? n->parts_taken | bit : n->parts_taken & ~bit;
    n->parts_leaving = leaving ? n->parts_leaving | bit : n->parts_leaving & ~bit;
    n->parts_open = open ? n->parts_open | bit : n->parts_open & ~bit;
    n->groups = grouped ? n->groups | bit : n->groups & ~bit;
}

void pc_node_settle(struct pc_cluster *c, uint32_t node)
{
    summarise(&c->nodes[node]);
    list(c, &c->nodes[node]);
}

/* ---- resources of tasks ---- */

static void change_slices(const struct pc_cluster *c, const struct pc_request *r, uint8_t start,
                          uint8_t *slices, uint8_t *compute, int sign)
{
    for (uint32_t profile = 0; profile < POLICY_MAX_PROFILES; profile++) {
        if (r->mig[profile] == 0)
            continue;
        uint8_t mask = (uint8_t)(((1u << c->memory_slices[profile]) - 1) << start);
        *slices = (uint8_t)(sign > 0 ? *slices | mask : *slices & ~mask);
        *compute = (uint8_t)(*compute + sign * c->slices[profile]);
    }
}

/* Instances of fixed counts are only counted. */
static void change_instances(struct pc_node *n, const struct pc_request *r, int idle, int soon)
{
    for (uint32_t profile = 0; profile < POLICY_MAX_PROFILES; profile++) {
        n->instances->idle[profile] -= idle * r->mig[profile];
        n->instances->soon[profile] -= soon * r->mig[profile];
    }
}

/* Adds the devices held by a task, `sign` times. */
static void change_held(struct pc_cluster *c, struct pc_node *n, const struct pc_request *r,
                        const struct pc_place *place, int sign)
{
    bool runs = pc_keeps(c, place);
    if (!pc_shares_devices(r)) { /* whole devices switch between sets */
        *(runs ? &n->held : &n->released) ^= place->devices;
        summarise(n);
        return;
    }
    if (r->wants_mig && n->mig == POLICY_MIG_FIXED)
        change_instances(n, r, sign, runs ? sign : 0);
    for (uint64_t rest = place->devices; rest != 0; rest &= rest - 1) {
        struct pc_device *d = &n->device[pc_lowest(rest)];
        if (r->wants_mig)
            change_slices(c, r, place->slice, runs ? &d->slices : &d->slices_leaving,
                          runs ? &d->compute : &d->compute_leaving, sign);
        else
            *(runs ? &d->used : &d->releasing) += sign * pc_units(n, r);
        d->sharers = (uint16_t)(d->sharers + (pc_wants_share(r) ? sign : 0));
        settle_parts(n, pc_lowest(rest));
    }
    summarise(n);
}

static void change_nominated(struct pc_cluster *c, struct pc_node *n, const struct pc_request *r,
                             const struct pc_place *place, int sign)
{
    if (!pc_shares_devices(r)) {
        n->nominated_whole += sign * r->devices;
        return;
    }
    if (r->wants_mig && n->mig == POLICY_MIG_FIXED)
        change_instances(n, r, 0, sign);
    for (uint64_t rest = place->nominated_devices; rest != 0; rest &= rest - 1) {
        struct pc_device *d = &n->device[pc_lowest(rest)];
        if (r->wants_mig)
            change_slices(c, r, place->nominated_slice, &d->slices_nominated, &d->compute_nominated,
                          sign);
        else
            d->nominated += sign * pc_units(n, r);
        d->nominated_sharers = (uint16_t)(d->nominated_sharers + (pc_wants_share(r) ? sign : 0));
        settle_parts(n, pc_lowest(rest));
    }
    summarise(n);
}

void pc_node_change(struct pc_cluster *c, const struct pc_request *r, const struct pc_place *place,
                    int sign)
{
    pc_kinds_change(c, r, place, sign);
    if (place->node != PC_NONE) {
        struct pc_node *n = &c->nodes[place->node];
        n->cpu_idle -= sign * r->cpu;
        n->mem_idle -= sign * r->mem;
        n->tasks_idle -= sign;
        if (pc_keeps(c, place)) {
            n->cpu_soon -= sign * r->cpu;
            n->mem_soon -= sign * r->mem;
            n->tasks_soon -= sign;
        }
        if (n->plain && place->holding == PC_RUNS && !pc_shares_devices(r)) {
            n->held ^= place->devices;
            n->idle ^= place->devices;
            note(c, n);
            pc_pool_sets_shift(c, n, -sign * r->devices);
        } else {
            change_held(c, n, r, place, sign);
            list(c, n);
        }
    }
    if (place->nominated != PC_NONE) {
        struct pc_node *n = &c->nodes[place->nominated];
        n->cpu_soon -= sign * r->cpu;
        n->mem_soon -= sign * r->mem;
        n->tasks_soon -= sign;
        change_nominated(c, n, r, place, sign);
        list(c, n);
    }
}

/* ---- what fits ---- */

bool pc_is_one_instance(const struct pc_request *r)
{
    int32_t instances = 0;
    for (uint32_t profile = 0; profile < POLICY_MAX_PROFILES; profile++)
        instances += r->mig[profile];
    return instances == 1;
}

bool pc_node_suits(const struct pc_cluster *c, const struct pc_node *n, const struct pc_request *r)
{
    if (r->selector != PC_NONE && !pc_bits_has(&c->selectors[r->selector].nodes, n->rank))
        return false;
    if (n->whole_only && (r->devices == 0 || r->devices != n->devices || pc_shares_devices(r)))
        return false;
    if (r->wants_mig)
        return n->mig == POLICY_MIG_FIXED ||
               (n->mig == POLICY_MIG_FREE && (r->types >> n->type & 1) != 0 &&
                pc_is_one_instance(r));
    if (r->devices == 0)
        return true;
    if ((r->types >> n->type & 1) == 0 || n->mig == POLICY_MIG_FIXED)
        return false;
    if (r->memory > 0 && (r->memory > n->memory))
        return false;
    return !pc_wants_share(r) || n->mig != POLICY_MIG_SINGLE;
}

/* Room for a share on the device after release, and at once. */
static int32_t room_soon(const struct pc_node *n, uint32_t d)
{
    const struct pc_device dev = pc_device_of(n, d);
    return n->capacity - dev.used - dev.nominated;
}

static int32_t room_now(const struct pc_node *n, uint32_t d)
{
    const struct pc_device dev = pc_device_of(n, d);
    if (dev.slices_leaving != 0)
        return -1;
    int32_t idle = n->capacity - dev.used - dev.releasing;
    int32_t soon = n->capacity - dev.used - dev.nominated;
    return idle < soon ? idle : soon;
}

static int32_t shared_with_room(const struct pc_node *n, int32_t units, bool now)
{
    int32_t found = 0;
    for (uint64_t rest = n->shared; rest != 0; rest &= rest - 1)
        found += (now ? room_now(n, pc_lowest(rest)) : room_soon(n, pc_lowest(rest))) >= units;
    return found;
}

bool pc_fits_shared(const struct pc_node *n, const struct pc_request *r)
{
    return shared_with_room(n, pc_units(n, r), false) > 0;
}

/* Slices taken on the device, including nominated ones, and those being released if `now`. */
static struct pc_mig mig_state(struct pc_device d, bool now)
{
    return (struct pc_mig){
        .slices = (uint8_t)(d.slices | d.slices_nominated | (now ? d.slices_leaving : 0)),
        .compute = (uint8_t)(d.compute + d.compute_nominated + (now ? d.compute_leaving : 0)),
    };
}

/* Devices (as bits) on which an instance of the request's one profile can be created. */
static uint64_t mig_devices(const struct pc_cluster *c, const struct pc_node *n,
                            const struct pc_request *r, bool now, uint64_t among)
{
    uint64_t found = 0;
    for (uint64_t rest = among; rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        if (d.used > 0 || d.nominated > 0 || (now && d.releasing > 0))
            continue;
        const struct pc_mig state = mig_state(d, now);
        for (uint32_t profile = 0; profile < POLICY_MAX_PROFILES; profile++)
            if (r->mig[profile] > 0 &&
                pc_mig_fits(&state, c->slices[profile], c->memory_slices[profile]))
                found |= rest & (~rest + 1);
    }
    return found;
}

/* Devices that may be, or already are, split: excludes all untouched devices if as many are
 * nominated whole. */
static uint64_t open_devices(const struct pc_node *n)
{
    return pc_soon_whole(n) > 0 ? n->usable : n->usable & ~(n->idle | n->leaving);
}

static bool mig_fits(const struct pc_cluster *c, const struct pc_node *n,
                     const struct pc_request *r, bool now)
{
    if (n->mig == POLICY_MIG_FREE)
        return mig_devices(c, n, r, now, open_devices(n)) != 0;
    for (uint32_t profile = 0; profile < POLICY_MAX_PROFILES; profile++)
        if (r->mig[profile] > (now ? n->instances->idle[profile] : n->instances->soon[profile]))
            return false;
    return true;
}

static bool devices_fit(const struct pc_cluster *c, const struct pc_node *n,
                        const struct pc_request *r, bool now)
{
    if (r->wants_mig)
        return mig_fits(c, n, r, now);
    if (n->plain && now && !pc_wants_share(r))
        return n->free_listed >= r->devices;
    int32_t idle = now ? pc_popcount(n->idle) : 0;
    int32_t whole = now && !c->traits.nominates ? idle : pc_soon_whole(n);
    whole = now && idle < whole ? idle : whole;
    if (!pc_wants_share(r))
        return whole >= r->devices;
    return (whole > 0 ? whole : 0) + shared_with_room(n, pc_units(n, r), now) >= r->devices;
}

/* Task slots needed: a share that opens a device needs one more, for the reservation of that
 * device. */
static int32_t task_places(const struct pc_cluster *c, const struct pc_node *n,
                           const struct pc_request *r, bool now)
{
    if (!c->traits.shared_takes_place)
        return 1;
    int32_t opened = pc_wants_share(r) ? r->devices - shared_with_room(n, pc_units(n, r), now) : 0;
    return 1 + (opened > 0 ? opened : 0) + pc_popcount(n->groups);
}

bool pc_fits_soon(const struct pc_cluster *c, const struct pc_node *n, const struct pc_request *r)
{
    if (r->cpu > n->cpu_soon || r->mem > n->mem_soon || n->tasks_soon < task_places(c, n, r, false))
        return false;
    return (r->devices == 0 && !r->wants_mig) || devices_fit(c, n, r, false);
}

bool pc_fits_now(const struct pc_cluster *c, const struct pc_node *n, const struct pc_request *r)
{
    if (r->cpu > n->cpu_idle || r->mem > n->mem_idle || n->tasks_idle < task_places(c, n, r, true))
        return false;
    if (r->devices > 0 || r->wants_mig)
        if (!devices_fit(c, n, r, true))
            return false;
    return !c->traits.nominates || pc_fits_soon(c, n, r); /* nothing is nominated to others */
}

/* ---- which devices ---- */

uint64_t pc_lowest_devices(uint64_t among, int32_t count)
{
    uint64_t rest = among;
    for (; count > 0 && rest != 0; count--)
        rest &= rest - 1;
    return among ^ rest;
}

/* Returns the fullest (or emptiest) shared device with room, not among the chosen; PC_NONE if there
 * is none. */
static uint32_t best_shared(const struct pc_node *n, int32_t units, uint64_t chosen, bool spread,
                            bool now)
{
    uint32_t best = PC_NONE;
    int32_t best_use = 0;
    for (uint64_t rest = n->shared & ~chosen; rest != 0; rest &= rest - 1) {
        uint32_t d = pc_lowest(rest);
        const struct pc_device dev = pc_device_of(n, d);
        int32_t use = dev.used + dev.releasing + dev.nominated;
        int32_t room = now ? room_now(n, d) : room_soon(n, d);
        if (room >= units && (best == PC_NONE || (spread ? use < best_use : use > best_use))) {
            best = d;
            best_use = use;
        }
    }
    return best;
}

/* How many devices the task may open, each of which takes a task slot. */
static int32_t places_to_open(const struct pc_cluster *c, const struct pc_node *n, bool now)
{
    if (!c->traits.shared_takes_place)
        return INT32_MAX;
    int32_t places = now && n->tasks_idle < n->tasks_soon ? n->tasks_idle : n->tasks_soon;
    return places - 1 - pc_popcount(n->groups);
}

static uint64_t choose_shares(const struct pc_cluster *c, const struct pc_node *n,
                              const struct pc_request *r, bool spread, bool *now)
{
    uint64_t chosen = 0;
    int32_t units = pc_units(n, r);
    int32_t whole = pc_soon_whole(n);
    int32_t places = places_to_open(c, n, *now);
    bool at_once = *now && !c->traits.nominates; /* nothing waits for devices being released */
    for (int32_t i = 0; i < r->devices; i++) {
        uint64_t fresh = n->idle & ~chosen;
        if (fresh == 0 && !at_once)
            fresh = n->leaving & ~chosen;
        bool opens = spread && fresh != 0 && whole > 0 && places > 0;
        uint32_t device = opens ? PC_NONE : best_shared(n, units, chosen, spread, at_once);
        if (device == PC_NONE) {
            device = pc_lowest(fresh);
            whole--;
            places--;
            *now = *now && (n->idle >> device & 1) != 0;
        } else {
            *now = *now && room_now(n, device) >= units;
        }
        chosen |= UINT64_C(1) << device;
    }
    return chosen;
}

bool pc_shares_fit_on(const struct pc_cluster *c, const struct pc_node *n,
                      const struct pc_request *r, uint64_t devices, bool *now)
{
    int32_t units = pc_units(n, r);
    int32_t opened = 0;
    *now = true;
    for (uint64_t rest = devices; rest != 0; rest &= rest - 1) {
        uint32_t d = pc_lowest(rest);
        bool open = (n->shared >> d & 1) != 0;
        if (!open && ((n->idle | n->leaving) >> d & 1) == 0)
            return false;
        if (open && room_soon(n, d) < units)
            return false;
        opened += !open;
        *now = *now && (open ? room_now(n, d) >= units : (n->idle >> d & 1) != 0);
    }
    return devices != 0 && (opened == 0 || opened <= pc_soon_whole(n)) &&
           opened <= places_to_open(c, n, *now);
}

bool pc_instance_fits_at(const struct pc_cluster *c, const struct pc_node *n,
                         const struct pc_request *r, uint64_t device, uint8_t slice, bool *now)
{
    bool fits[2] = {false, false};
    for (int at_once = 0; at_once < 2; at_once++) {
        if (mig_devices(c, n, r, at_once != 0, open_devices(n) & device) == 0)
            continue;
        const struct pc_mig state = mig_state(pc_device_of(n, pc_lowest(device)), at_once != 0);
        for (uint32_t profile = 0; profile < POLICY_MAX_PROFILES; profile++)
            if (r->mig[profile] > 0)
                fits[at_once] =
                    (pc_mig_starts(&state, c->slices[profile], c->memory_slices[profile]) >> slice &
                     1) != 0;
    }
    *now = fits[1];
    return fits[0];
}

/* Prefers the fullest device that is already split to an untouched one. */
static uint64_t choose_instance(const struct pc_cluster *c, const struct pc_node *n,
                                const struct pc_request *r, bool now, uint8_t *slice)
{
    uint64_t open = mig_devices(c, n, r, now, open_devices(n));
    uint32_t best = pc_lowest(open);
    for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        const struct pc_device b = pc_device_of(n, best);
        if (pc_popcount(d.slices | d.slices_nominated) > pc_popcount(b.slices | b.slices_nominated))
            best = pc_lowest(rest);
    }
    const struct pc_mig state = mig_state(pc_device_of(n, best), now);
    for (uint32_t profile = 0; profile < POLICY_MAX_PROFILES; profile++)
        if (r->mig[profile] > 0)
            *slice = (uint8_t)pc_mig_place(&state, c->slices[profile], c->memory_slices[profile]);
    return UINT64_C(1) << best;
}

uint64_t pc_choose_devices(const struct pc_cluster *c, const struct pc_node *n,
                           const struct pc_request *r, bool spread, bool promise_only, bool *now,
                           uint8_t *slice)
{
    *now = !promise_only && pc_fits_now(c, n, r);
    *slice = 0;
    if (r->wants_mig)
        return n->mig == POLICY_MIG_FREE ? choose_instance(c, n, r, *now, slice) : 0;
    if (pc_wants_share(r))
        return choose_shares(c, n, r, spread, now);
    return *now ? pc_lowest_devices(n->idle, r->devices) : 0;
}

/* ---- weights ---- */

static struct pc_amounts weigh(const struct pc_request *r, int64_t gpu)
{
    return (struct pc_amounts){{gpu, r->cpu, r->mem}};
}

struct pc_amounts pc_weigh_memory_on(const struct pc_node *n, const struct pc_request *r)
{
    if (n->in_memory) /* rounded up to a hundredth of the device */
        return weigh(r, (100 * r->memory + n->capacity - 1) / n->capacity * 10 * r->devices);
    return weigh(r, (int64_t)pc_units(n, r) * r->devices);
}

struct pc_amounts pc_weigh_memory(const struct pc_cluster *c, const struct pc_request *r)
{
    if (c->smallest_memory == 0)
        return weigh(r, 0);
    if (c->traits.thousandths)
        return weigh(r, (r->memory * POLICY_WHOLE + c->smallest_memory - 1) / c->smallest_memory *
                            r->devices);
    return weigh(r, r->memory * r->devices * POLICY_WHOLE / c->smallest_memory);
}
