/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of GPUs named in node lists, and the sums of the header. */
#include "scenarios/load/listed_nodes.h"

#include "sim/power/power.h"

#include <string.h>

/*
 * Watts of GPUs and CPU packages: Lettich et al., CCGrid 2025 (arXiv 2412.17484), who took openb's
 * G2 as A10 and G3 as A100. Their source is vendors' data sheets; fans, memory and disks are left
 * out, so all sums are lower bounds. Speeds follow from the GPU types
 * (scenarios/catalog/speeds.json).
 */
#define PWR "Lettich et al., CCGrid 2025, arXiv 2412.17484"
static const struct listed_gpu gpus[] = {
    {"T4", "t4", 10, 70, 24, 20, 165, PWR ": T4, Xeon 8163"},
    {"P100", "p100", 25, 250, 16, 15, 120, PWR ": P100, Xeon E5-2682 v4"},
    {"V100M16", "v100", 30, 300, 16, 20, 185, PWR ": V100, Xeon 6326"},
    {"V100M32", "v100", 30, 300, 16, 20, 185, PWR ": V100, Xeon 6326"},
    {"A10", "a10", 30, 150, 32, 20, 270, PWR ": A10, Xeon 8369B"},
    {"G2", "a10", 30, 150, 32, 20, 270, PWR ": counted as A10, Xeon 8369B"},
    {"G3", "a100", 50, 400, 32, 20, 270, PWR ": counted as A100, Xeon 8369B"},
};

const struct listed_gpu *listed_gpu_find(const char *name)
{
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (strcmp(gpus[i].name, name) == 0)
            return &gpus[i];
    return NULL;
}

struct node_traits listed_traits(const struct listed_gpu *gpu, int count, int64_t cpu_milli)
{
    int64_t virtual_cores = cpu_milli > 0 ? (cpu_milli + 999) / 1000 : 0;
    int64_t cores = (virtual_cores + 1) / 2;
    int64_t packages = (cores + gpu->package_cores - 1) / gpu->package_cores;
    struct node_traits traits = traits_unknown;
    traits.gpu_idle_w = gpu->idle_w;
    traits.gpu_peak_w = gpu->full_w;
    traits.idle_w = count * gpu->idle_w + (double)packages * gpu->package_idle_w;
    traits.peak_w =
        (count * gpu->full_w + (double)packages * gpu->package_full_w) / POWER_PEAK_SHARE;
    return traits;
}
