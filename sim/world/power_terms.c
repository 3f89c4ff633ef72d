/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools as they stand; nodes of a list by their kinds, which share their traits. */
#include "sim/world/power_terms.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static void add_pools(struct power_terms *p, const struct scenario *sc)
{
    p->nodes = mem_alloc(sc->pool_count + 1, sizeof *p->nodes);
    for (size_t i = 0; i < sc->pool_count; i++) {
        const struct scen_node *node = &sc->pools[i].node;
        const struct scen_spot *spot = &sc->pools[i].spot;
        bool priced = spot->given && spot->usd_per_gpu_hour >= 0;
        p->nodes[i] = (struct energy_node){
            .traits = node->traits,
            .gpus = node->gpus,
            .spot = spot->given,
            .billing = sc->pools[i].billing,
            .elastic = sc->pools[i].elastic.given,
            .own_usd_per_hour = priced ? spot->usd_per_gpu_hour * node->gpus : -1,
            .name = node->name[0] != '\0' ? node->name : sc->pools[i].name};
    }
    p->terms.pool_count = sc->pool_count;
}

static bool is_kind(const struct energy_node *kind, const struct scen_node *node)
{
    return kind->traits == node->traits && kind->gpus == node->gpus;
}

static void add_listed(struct power_terms *p, const struct scenario *sc)
{
    size_t capacity = 0;
    p->kind_of = mem_alloc(sc->node_count, sizeof *p->kind_of);
    for (size_t i = 0; i < sc->node_count; i++) {
        const struct scen_node *node = &sc->nodes[i].node;
        uint32_t kind = 0;
        while (kind < p->terms.pool_count && !is_kind(&p->nodes[kind], node))
            kind++;
        p->kind_of[i] = kind;
        if (kind < p->terms.pool_count)
            continue;
        p->nodes = mem_grow(p->nodes, &capacity, (size_t)kind + 1, sizeof *p->nodes);
        p->nodes[p->terms.pool_count++] = (struct energy_node){.traits = node->traits,
                                                               .gpus = node->gpus,
                                                               .own_usd_per_hour = -1,
                                                               .name = node->gpu_type};
    }
}

void power_terms_open(struct power_terms *p, const struct scenario *sc)
{
    *p = (struct power_terms){.terms = {.price = &sc->cost}};
    if (sc->mode != SCEN_REPLAY)
        return;
    if (sc->node_count > 0)
        add_listed(p, sc);
    else
        add_pools(p, sc);
    p->terms.pools = p->nodes;
    p->terms.kind_of = p->kind_of;
}

void power_terms_close(struct power_terms *p)
{
    free(p->nodes);
    free(p->kind_of);
    *p = (struct power_terms){0};
}
