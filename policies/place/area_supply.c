/* SPDX-License-Identifier: MIT */
/*
 * Demand of tasks and supply of domains; see area_supply.h. A resource that some node does not
 * model is unlimited (INT64_MAX), so it is never the scarce one.
 */
#include "place/area_supply.h"

#include "state/nodes.h"
#include "state/tasks.h"

#include <string.h>

#define ENDLESS INT64_MAX

static int64_t plus(int64_t a, int64_t b) /* both non-negative */
{
    return a > ENDLESS - b ? ENDLESS : a + b;
}

/* ---- demand ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void raise(struct pc_request *to, const struct pc_request *r)
{
    to->devices = (int32_t)larger(to->devices, r->devices);
    to->share = (int32_t)larger(to->share, r->share);
    to->memory = larger(to->memory, r->memory);
    to->cpu = larger(to->cpu, r->cpu);
    to->mem = larger(to->mem, r->mem);
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
        to->mig[i] = r->mig[i] > to->mig[i] ? r->mig[i] : to->mig[i];
}

static bool is_like(const struct pc_request *a, const struct pc_request *b)
{
    if ((a->devices > 0) != (b->devices > 0))
        return false;
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
        if ((a->mig[i] > 0) != (b->mig[i] > 0))
            return false;
    return true;
}

/* Tasks come in runs of one role; each run is evaluated once. */
struct pc_demand pc_sum_demand(const struct pc_cluster *c, uint32_t job, const uint32_t *tasks,
                               uint32_t count)
{
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    struct pc_demand d = {.tasks = count, .alike = true};
    const struct pc_request *first = NULL;
    const struct pc_role *role = NULL;
    struct pc_amounts weight = {{0, 0, 0}};
    for (uint32_t i = 0; i < count; i++) {
        if (role == NULL || tasks[i] - role->first_task >= role->tasks) {
            role = pc_role_of(s, tasks[i]);
            const struct pc_request *r = &role->request;
            weight = pc_weigh_pending(c, r);
            raise(&d.largest, r);
            d.whole |= r->devices > 0 && !pc_wants_share(r);
            d.mig |= r->wants_mig;
            d.only = i == 0 || (d.only != NULL && memcmp(d.only, r, sizeof *r) == 0) ? r : NULL;
            first = i == 0 ? r : first;
            d.alike = d.alike && is_like(first, r);
        }
        for (int r = 0; r < PC_RESOURCES; r++)
            d.total.of[r] = plus(d.total.of[r], weight.of[r]);
    }
    return d;
}

/* ---- one node ---- */

static int32_t whole_devices(const struct pc_node *n)
{
    int32_t soon = n->mig == POLICY_MIG_FIXED ? 0 : pc_soon_whole(n);
    return soon > 0 ? soon : 0;
}

/* Number of devices, or shares of them, that the node with `whole` whole ones has for the largest
 * task. */
static int64_t device_slots(const struct pc_node *n, const struct pc_demand *d, int64_t whole)
{
    if (d->whole)
        return whole;
    if (d->largest.memory > 0 && n->memory == 0)
        return 0;
    int64_t units = larger((int64_t)d->largest.share * n->capacity / POLICY_WHOLE, 1);
    if (d->largest.memory > 0)
        units = larger(units, pc_memory_units(n, d->largest.memory));
    int64_t slots = whole * (n->capacity / units);
    for (uint64_t rest = n->shared; rest != 0; rest &= rest - 1) {
        const struct pc_device device = pc_device_of(n, pc_lowest(rest));
        int64_t room = n->capacity - device.used - device.nominated;
        slots += room / units;
    }
    return slots;
}

/* Instances of the profile that the node has, or at most could create on what is left of its
 * devices. */
static int64_t instances(const struct pc_cluster *c, const struct pc_node *n, uint32_t profile)
{
    if (n->mig == POLICY_MIG_FIXED)
        return larger(n->instances->soon[profile], 0);
    if (n->mig != POLICY_MIG_FREE || c->slices[profile] == 0)
        return 0;
    int64_t found = 0;
    for (uint64_t rest = n->usable; rest != 0; rest &= rest - 1) {
        const struct pc_device device = pc_device_of(n, pc_lowest(rest));
        if (device.used > 0 || device.nominated > 0)
            continue;
        int32_t memory = 8 - pc_popcount(device.slices | device.slices_nominated);
        int32_t compute = 7 - device.compute - device.compute_nominated;
        memory /= c->memory_slices[profile];
        compute /= c->slices[profile];
        found += larger(memory < compute ? memory : compute, 0);
    }
    return found;
}

static int64_t at_most(int64_t copies, int64_t each, int64_t free) /* each <= free, free >= 0 */
{
    int64_t product;
    if (__builtin_mul_overflow(copies, each, &product) || product > free)
        return free / each;
    return copies;
}

/* Returns true if the node may hold one of the tasks, which all request the same; shares of devices
 * need an exact check. */
static bool suits(const struct pc_cluster *c, const struct pc_node *n, const struct pc_demand *d)
{
    return d->only == NULL || (pc_node_suits(c, n, d->only) &&
                               (!pc_shares_devices(d->only) || pc_fits_soon(c, n, d->only)));
}

/* Copies of the largest task that fit, at most the number of tasks. */
static int64_t copies_on(const struct pc_cluster *c, const struct pc_node *n,
                         const struct pc_demand *d, int64_t whole)
{
    const struct pc_request *r = &d->largest;
    int64_t copies = n->tasks_soon - (n->groups != 0 ? pc_popcount(n->groups) : 0);
    copies = copies < d->tasks ? copies : d->tasks;
    if (copies <= 0 || r->cpu > n->cpu_soon || r->mem > n->mem_soon || n->cpu_soon < 0 ||
        n->mem_soon < 0)
        return 0;
    if (r->devices > 0) {
        int64_t slots = device_slots(n, d, whole);
        if (slots < copies * r->devices)
            copies = slots / r->devices;
    }
    for (uint32_t i = 0; d->mig && i < POLICY_MAX_PROFILES; i++) {
        int64_t of_profile = r->mig[i] > 0 ? instances(c, n, i) / r->mig[i] : copies;
        copies = of_profile < copies ? of_profile : copies;
    }
    if (copies <= 0 || !suits(c, n, d))
        return 0;
    return at_most(at_most(copies, r->cpu, n->cpu_soon), r->mem, n->mem_soon);
}

static int64_t modelled(int64_t total, int64_t soon)
{
    return total >= PC_PLENTY ? ENDLESS : larger(soon, 0);
}

/* Free amounts on the node. Partly used devices do not count as free; if only instances are
 * requested, neither do whole ones. */
static struct pc_amounts free_on(const struct pc_cluster *c, const struct pc_node *n,
                                 const struct pc_demand *d, int64_t whole)
{
    struct pc_amounts free;
    free.of[PC_GPU] = d->mig && d->largest.devices == 0 ? 0 : whole * POLICY_WHOLE;
    for (uint32_t i = 0; d->mig && i < POLICY_MAX_PROFILES; i++)
        if (d->largest.mig[i] > 0)
            free.of[PC_GPU] += instances(c, n, i) * c->slices[i] * POLICY_WHOLE;
    free.of[PC_CPU] = modelled(n->cpu_total, n->cpu_soon);
    free.of[PC_MEM] = modelled(n->mem_total, n->mem_soon);
    return free;
}

/* ---- domains ---- */

static void add(struct pc_domain *to, uint32_t usable, int64_t copies,
                const struct pc_amounts *free)
{
    to->usable += usable;
    to->copies += copies;
    for (int r = 0; r < PC_RESOURCES; r++)
        to->free.of[r] = plus(to->free.of[r], free->of[r]);
}

void pc_count_supply(const struct policy *p, struct pc_topology *t,
                     const struct pc_nodes_allowed *allowed, const struct pc_demand *d)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < t->domain_count; i++) {
        struct pc_domain *domain = &t->domains[i];
        domain->held = false;
        domain->usable = 0;
        domain->copies = 0;
        domain->free = (struct pc_amounts){{0, 0, 0}};
    }
    for (uint32_t i = t->level_start[t->level_count]; i < t->domain_count; i++) {
        struct pc_domain *domain = &t->domains[i];
        for (uint32_t k = domain->first_node; k < domain->first_node + domain->node_count; k++) {
            if (!pc_is_allowed(allowed, t->ranks[k]))
                continue;
            const struct pc_node *n = &c->nodes[p->node_of_rank[t->ranks[k]]];
            int64_t whole = whole_devices(n);
            struct pc_amounts free = free_on(c, n, d, whole);
            add(domain, 1, copies_on(c, n, d, whole), &free);
        }
    }
    for (uint32_t i = t->domain_count - 1; i > 0; i--)
        add(&t->domains[t->domains[i].parent], t->domains[i].usable, t->domains[i].copies,
            &t->domains[i].free);
}

/* ---- ratios ---- */

__extension__ typedef unsigned __int128 wide;

bool pc_is_tighter(const struct pc_ratio *a, const struct pc_ratio *b)
{
    return (wide)a->wanted * b->free > (wide)b->wanted * a->free;
}

struct pc_ratio pc_scarcest(const struct pc_amounts *wanted, const struct pc_amounts *free)
{
    struct pc_ratio most = {0, 1};
    for (int r = 0; r < PC_RESOURCES; r++) {
        struct pc_ratio ratio = {(uint64_t)wanted->of[r], (uint64_t)free->of[r]};
        if (wanted->of[r] > 0 && free->of[r] < ENDLESS && pc_is_tighter(&ratio, &most))
            most = ratio;
    }
    return most;
}
