/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best placement on an empty cluster. For synchronous jobs on equal nodes it is an even spread:
 * the domain with the least bandwidth decides, so more elsewhere gains nothing. The number of nodes
 * is found by trial: fewer is nearly always better, except where links inside a node are slower
 * than its NICs.
 */
#include "sim/base/err.h"
#include "sim/perf/step.h"

#include <math.h>

#define EXHAUSTIVE_GPUS 8 /* up to this node size all sets of devices are tried */

/* All-reduce over nodes with such a set each, as perf_bandwidth() computes it. */
static double set_gbps(const struct perf_rules *rules, const struct perf_kind *kind,
                       uint64_t devices, int nodes)
{
    struct perf_part part = perf_part(kind->traits, kind->node_gpus, __builtin_popcountll(devices));
    part.devices = devices;
    part.nodes = nodes;
    return perf_bandwidth(rules, &(struct perf_place){.parts = &part, .count = 1}, 1).gbps;
}

/* One device after the other at the NIC that has the fewest of them so far; there are enough
 * devices. */
static uint64_t over_nics(const struct perf_kind *kind, int gpus)
{
    const int *nic = kind->traits->nic_of;
    uint64_t devices = 0;
    int load[TRAITS_DEVICES] = {0};
    for (int n = 0; n < gpus; n++) {
        int best = 0;
        while (devices >> best & 1)
            best++;
        for (int i = best + 1; i < kind->node_gpus; i++) {
            if (!(devices >> i & 1) && load[nic[i]] < load[nic[best]])
                best = i;
        }
        devices |= UINT64_C(1) << best;
        load[nic[best]]++;
    }
    return devices;
}

/* The best set of devices for a job with that many on each of that many nodes; the lowest of equal
 * sets. */
static uint64_t best_devices(const struct perf_rules *rules, const struct perf_kind *kind, int gpus,
                             int nodes)
{
    if (gpus == kind->node_gpus)
        return perf_lowest(gpus);
    if (kind->node_gpus > EXHAUSTIVE_GPUS)
        return nodes > 1 ? over_nics(kind, gpus) : perf_lowest(gpus);
    uint64_t best = 0;
    double best_gbps = -1;
    for (uint64_t set = 1; set < UINT64_C(1) << kind->node_gpus; set++) {
        if (__builtin_popcountll(set) != gpus)
            continue;
        double gbps = set_gbps(rules, kind, set, nodes);
        if (gbps > best_gbps) {
            best_gbps = gbps;
            best = set;
        }
    }
    return best;
}

struct trial {
    struct perf_part parts[4];
    size_t count;
};

/* Adds `nodes` nodes with `gpus` devices each in each of `domains` domains. */
static void add(struct trial *trial, const struct perf_rules *rules, const struct perf_kind *kind,
                int gpus, int nodes, uint32_t domain, int domains, bool alone)
{
    if (gpus == 0 || nodes == 0)
        return;
    struct perf_part *part = &trial->parts[trial->count++];
    *part = perf_part(kind->traits, kind->node_gpus, gpus);
    part->devices = best_devices(rules, kind, gpus, alone ? 1 : nodes > 1 ? nodes : 2);
    part->nodes = nodes;
    part->domain = domain;
    part->domains = domains;
    part->speed = kind->speed;
    part->cores = kind->cores_per_gpu < 0 ? -1 : kind->cores_per_gpu * gpus;
}

/* Spreads devices evenly over the nodes of a domain, or of each of several. */
static void add_even(struct trial *trial, const struct perf_rules *rules,
                     const struct perf_kind *kind, int gpus, int nodes, uint32_t domain,
                     int domains)
{
    BUG_ON(nodes < 1);
    int more = gpus % nodes;
    bool alone = nodes == 1 && domains == 1;
    add(trial, rules, kind, gpus / nodes + 1, more, domain, domains, alone);
    add(trial, rules, kind, gpus / nodes, nodes - more, domain, domains, alone);
}

static int ceil_div(int a, int b)
{
    return a / b + (a % b > 0);
}

/* Evenly over as few nodes as do with `per_node` devices each, and these over as few domains. */
static struct trial even(const struct perf_rules *rules, const struct perf_kind *kind, int gpus,
                         int per_node)
{
    struct trial trial = {.count = 0};
    int nodes = ceil_div(gpus, per_node);
    if (kind->traits->nvlink_nodes <= 1) {
        add_even(&trial, rules, kind, gpus, nodes, 0, 1);
        return trial;
    }
    int domains = ceil_div(nodes, kind->traits->nvlink_nodes);
    int more = gpus % domains, share = gpus / domains;
    if (more > 0)
        add_even(&trial, rules, kind, share + 1, ceil_div(share + 1, per_node), 0, more);
    add_even(&trial, rules, kind, share, ceil_div(share, per_node), 1, domains - more);
    return trial;
}

/* Full nodes and one with what remains. */
static struct trial full(const struct perf_rules *rules, const struct perf_kind *kind, int gpus)
{
    struct trial trial = {.count = 0};
    int nodes = gpus / kind->node_gpus, rest = gpus % kind->node_gpus;
    add(&trial, rules, kind, kind->node_gpus, nodes, 0, 1, rest == 0 && nodes == 1);
    add(&trial, rules, kind, rest, 1, 0, 1, nodes == 0);
    return trial;
}

static double seconds(const struct perf_rules *rules, const struct perf_model *model,
                      const struct trial *trial)
{
    return perf_step(rules, model,
                     &(struct perf_place){.parts = trial->parts, .count = trial->count}, NULL);
}

double perf_best_step(const struct perf_rules *rules, const struct perf_model *model,
                      const struct perf_kind *kinds, size_t count, int gpus)
{
    double best = (double)INFINITY;
    BUG_ON(gpus < 1);
    for (size_t i = 0; i < count; i++) {
        const struct perf_kind *kind = &kinds[i];
        if (kind->node_gpus < 1)
            continue;
        for (int per_node = 1; per_node <= kind->node_gpus && per_node <= gpus; per_node++) {
            if (kind->nodes > 0 && ceil_div(gpus, per_node) > kind->nodes)
                continue;
            struct trial trial = even(rules, kind, gpus, per_node);
            best = fmin(best, seconds(rules, model, &trial));
        }
        if (kind->traits->nvlink_nodes <= 1 &&
            (kind->nodes == 0 || ceil_div(gpus, kind->node_gpus) <= kind->nodes)) {
            struct trial trial = full(rules, kind, gpus);
            best = fmin(best, seconds(rules, model, &trial));
        }
    }
    return best;
}
