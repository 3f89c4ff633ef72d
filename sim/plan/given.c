/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fleets have. */
#include "sim/plan/given.h"

int64_t plan_spares(const struct scenario *sc, size_t pool)
{
    return sc->faults.spares != NULL ? sc->faults.spares[pool] : 0;
}

int64_t plan_nodes_of(const struct scenario *sc)
{
    int64_t nodes = (int64_t)sc->node_count;
    for (size_t i = 0; i < sc->pool_count; i++)
        nodes += sc->pools[i].count;
    return nodes;
}

int64_t plan_gpus_of(const struct scenario *sc)
{
    int64_t gpus = 0;
    for (size_t i = 0; i < sc->pool_count; i++)
        gpus += sc->pools[i].count * sc->pools[i].node.gpus;
    for (size_t i = 0; i < sc->node_count; i++)
        gpus += sc->nodes[i].node.gpus;
    return gpus;
}
