/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Properties of a listed node by the name of its GPU: watts, and the speed of jobs. Lists such as
 * openb's have GPUs, cores and memory; this table adds the rest, and other properties are unknown.
 *
 *     packages = ceil(ceil(virtual cores / 2) / cores of a package)
 *     idle     = devices x idle watts + packages x idle watts
 *     full     = devices x full watts + packages x full watts, drawn when all devices work
 */
#ifndef SCENARIOS_LOAD_LISTED_NODES_H
#define SCENARIOS_LOAD_LISTED_NODES_H

#include "sim/fleet/traits.h"

#include <stdint.h>

struct listed_gpu {
    const char *name;     /* as in lists */
    const char *known_as; /* in catalogues of models, such as "v100" */
    double idle_w, full_w;
    int package_cores; /* of its usual CPU */
    double package_idle_w, package_full_w;
    const char *source; /* of the watts */
};

/* Returns NULL if unknown. */
const struct listed_gpu *listed_gpu_find(const char *name);

/* cpu_milli -1: ignores the CPU. */
struct node_traits listed_traits(const struct listed_gpu *, int count, int64_t cpu_milli);

#endif
