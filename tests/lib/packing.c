/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The packing study by its definitions; see packing.h. */
#include "tests/lib/packing.h"

#include <math.h>

static bool shares(const struct policy_request *r)
{
    return r->devices > 0 && world_milli(r) < POLICY_WHOLE;
}

static int64_t need(const struct policy_request *r)
{
    return r->devices > 0 ? (int64_t)r->devices * world_milli(r) : 0;
}

/* ---- sums ---- */

int64_t packing_best_fit(const struct world *w, const struct world_node *n,
                         const struct policy_request *r)
{
    (void)w;
    double cpu = (double)(n->cpu - r->cpu_milli) / 128000.0;
    double gpu = (double)(world_free(n) - need(r)) / 8000.0;
    return (int64_t)((1.0 - (0.5 * cpu + 0.5 * gpu)) * 100.0);
}

int64_t packing_dot_product(const struct world *w, const struct world_node *n,
                            const struct policy_request *r)
{
    (void)w;
    double left = n->spec.cpu_milli < 0 ? 0 : (double)n->cpu;
    double d = left / 128000.0 * ((double)r->cpu_milli / 128000.0) +
               (double)world_free(n) / 8000.0 * ((double)need(r) / 8000.0);
    return (int64_t)(100.0 * (1.0 - d / 2.0));
}

/* ---- devices in use, tasks of a kind ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Takes devices in order of increasing room, as many as are wanted of those that fit. */
int64_t packing_gpu_packing(const struct world *w, const struct world_node *n,
                            const struct policy_request *r)
{
    (void)w;
    int64_t usable = 0;
    int64_t taken = 0;
    int64_t whole = 0;
    int64_t left = 0;
    if (r->devices == 0)
        return 0;
    for (int32_t d = 0; d < n->spec.devices; d++)
        usable += (int64_t)(n->usable >> d & 1);
    if (world_whole(n) == usable)
        return larger(33 - usable, usable);
    for (int32_t room = world_milli(r); room <= POLICY_WHOLE; room++)
        for (int32_t d = 0; d < n->spec.devices; d++) {
            if ((n->usable >> d & 1) == 0 || n->room[d] != room || taken == r->devices)
                continue;
            taken++;
            whole += room == POLICY_WHOLE;
            left += room / 10;
        }
    return whole > 0 ? larger(50 - whole, 33) : larger(100 - left / 10, 50);
}

/* Looks up everything that runs on the node in the jobs. */
int64_t packing_gpu_clustering(const struct world *w, const struct world_node *n,
                               const struct policy_request *r)
{
    int64_t base = 25 * (8000 - world_free(n)) / 8000;
    bool same = false;
    bool others = false;
    if (r->devices == 0)
        return 0;
    for (uint32_t j = 0; j < WORLD_JOBS; j++)
        for (uint32_t t = 0; t < w->jobs[j].tasks && w->jobs[j].state != WORLD_NONE; t++) {
            const struct world_task *task = &w->jobs[j].task[t];
            const struct policy_request *of = world_request(&w->jobs[j], t);
            if (!task->holds || &w->nodes[task->node] != n || of->devices == 0)
                continue;
            bool alike = shares(of) ? shares(r) : !shares(r) && of->devices == r->devices;
            same = same || alike;
            others = others || !alike;
        }
    if (same)
        return (others ? 50 : 75) + base;
    return (others ? 0 : 25) + base;
}

/* ---- fragments ---- */

static const struct policy_typical_task typical[] = {
    {sizeof(struct policy_typical_task),
     70,
     {.devices = 1, .device_milli = 500, .cpu_milli = 4000}},
    {sizeof(struct policy_typical_task), 51, {.devices = 1, .cpu_milli = 8000}},
    {sizeof(struct policy_typical_task), 33, {.cpu_milli = 2000}},
    {sizeof(struct policy_typical_task), 20, {.devices = 8, .cpu_milli = 32000, .types = 3}},
    {sizeof(struct policy_typical_task), 11, {.devices = 2, .device_milli = 1000, .types = 4}},
    {sizeof(struct policy_typical_task), 9, {.devices = 1, .device_milli = 850, .cpu_milli = 1000}},
    {sizeof(struct policy_typical_task),
     7,
     {.devices = 1, .device_milli = 150, .cpu_milli = 16000}},
};
enum { TYPICAL = sizeof typical / sizeof *typical, ALL = 211 };

const struct policy_typical_task *packing_typical(uint32_t *count, int64_t *all)
{
    *count = TYPICAL;
    *all = ALL;
    return typical;
}

enum { Q1, Q2, Q4, XL, XR, NO_ACCESS, CLASSES };

static int64_t fragment(const struct world_node *n, const struct policy_request *m, int *class)
{
    int64_t all = world_free(n);
    bool cpu = n->cpu >= m->cpu_milli;
    int64_t small = 0;
    int32_t fitting = 0;
    for (int32_t d = 0; d < n->spec.devices; d++) {
        bool usable = (n->usable >> d & 1) != 0;
        if (usable && n->room[d] >= world_milli(m))
            fitting++;
        else if (usable)
            small += n->room[d];
    }
    bool devices = fitting >= m->devices;
    if (m->devices == 0)
        *class = cpu ? XL : XR;
    else if (m->types != 0 && (m->types >> n->spec.type & 1) == 0)
        *class = NO_ACCESS;
    else if (!devices)
        *class = cpu ? Q2 : Q1;
    else
        *class = cpu ? Q2 : Q4;
    return *class == Q2 && devices ? small : all;
}

static double fraction(const struct world_node *n)
{
    double of_class[CLASSES] = {0};
    double covered = 0;
    double sum = 0;
    for (int i = 0; i < TYPICAL; i++)
        covered += (double)typical[i].count;
    for (int i = 0; i < TYPICAL; i++) {
        int class;
        double f = (double)fragment(n, &typical[i].request, &class);
        of_class[class] += (double)typical[i].count / ALL / (covered / ALL) * f;
    }
    for (int c = 0; c < CLASSES; c++)
        sum += of_class[c];
    return sum;
}

static int64_t counted(const struct world_node *n)
{
    int64_t sum = 0;
    int class;
    for (int i = 0; i < TYPICAL; i++)
        sum += typical[i].count * fragment(n, &typical[i].request, &class);
    return sum;
}

static int64_t gradient(const struct world_node *n, const struct policy_request *r,
                        uint64_t devices, bool exact)
{
    struct world_node then = *n;
    then.cpu -= r->cpu_milli;
    for (int32_t d = 0; d < n->spec.devices; d++)
        if ((devices >> d & 1) != 0)
            then.room[d] -= world_milli(r);
    if (exact)
        return counted(n) - counted(&then);
    return (int64_t)(1.0 / (1.0 + exp(-((fraction(n) - fraction(&then)) / 1000.0))) * 100.0);
}

static uint64_t steepest(const struct world_node *n, const struct policy_request *r, bool exact)
{
    uint64_t best = 0;
    if (!shares(r) || r->devices > 1)
        return world_devices(n, r);
    for (int32_t d = 0; d < n->spec.devices; d++) {
        uint64_t device = UINT64_C(1) << d;
        if ((n->usable & device) != 0 && n->room[d] >= world_milli(r) &&
            (best == 0 || gradient(n, r, device, exact) > gradient(n, r, best, exact)))
            best = device;
    }
    return best;
}

uint64_t packing_fgd_devices(const struct world *w, const struct world_node *n,
                             const struct policy_request *r)
{
    (void)w;
    return steepest(n, r, false);
}

uint64_t packing_fgd_exact_devices(const struct world *w, const struct world_node *n,
                                   const struct policy_request *r)
{
    (void)w;
    return steepest(n, r, true);
}

int64_t packing_fgd(const struct world *w, const struct world_node *n,
                    const struct policy_request *r)
{
    (void)w;
    return gradient(n, r, steepest(n, r, false), false);
}

int64_t packing_fgd_exact(const struct world *w, const struct world_node *n,
                          const struct policy_request *r)
{
    (void)w;
    return gradient(n, r, steepest(n, r, true), true);
}
