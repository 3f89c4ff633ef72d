/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published tables of interference and how they are read. */
#include "sim/perf/share.h"

#include <string.h>

const char *perf_family_name(enum perf_family family)
{
    static const char *const names[PERF_FAMILIES] = {
        "none", "a3c", "cyclegan", "lm", "recsys", "resnet18", "resnet50", "transformer"};
    return names[family];
}

const char *perf_cpu_curve_name(enum perf_cpu_curve curve)
{
    static const char *const names[PERF_CPU_CURVES] = {"none", "alexnet", "resnet18", "resnet50",
                                                       "language"};
    return names[curve];
}

const char *perf_sharing_name(enum perf_sharing sharing)
{
    static const char *const names[PERF_SHARING_KINDS] = {"mps", "time-slicing"};
    return names[sharing];
}

/* ---- one device */

/*
 * The row keeps so much beside the column, in thousandths: means over batch sizes of Gavel's
 * oracle, two jobs on one V100. In the order of enum perf_family.
 */
static const short pair_keeps[PERF_FAMILIES][PERF_FAMILIES] = {
    [PERF_FAMILY_A3C] = {0, 720, 850, 810, 750, 800, 610, 810},
    [PERF_FAMILY_CYCLEGAN] = {0, 780, 610, 680, 770, 570, 430, 650},
    [PERF_FAMILY_LM] = {0, 750, 600, 600, 750, 580, 420, 630},
    [PERF_FAMILY_RECSYS] = {0, 640, 820, 810, 680, 760, 620, 800},
    [PERF_FAMILY_RESNET18] = {0, 750, 660, 700, 750, 590, 410, 660},
    [PERF_FAMILY_RESNET50] = {0, 820, 710, 750, 800, 730, 520, 770},
    [PERF_FAMILY_TRANSFORMER] = {0, 840, 750, 760, 810, 670, 450, 760},
};

double perf_pair_keeps(struct perf_tenant a, struct perf_tenant b)
{
    if (a.family != PERF_FAMILY_NONE && b.family != PERF_FAMILY_NONE)
        return pair_keeps[a.family][b.family] / 1000.0;
    double mine = 1, other = 1;
    if (a.utilization > 0 && b.utilization > 0) {
        mine = a.utilization;
        other = b.utilization;
    }
    double keeps = PERF_PAIR_WORK * mine / (mine + other);
    return keeps < 1 ? keeps : 1;
}

double perf_tenant_keeps(enum perf_sharing sharing, const struct perf_tenant *tenants, size_t count,
                         size_t of)
{
    if (count < 2)
        return 1;
    if (sharing == PERF_SHARING_TIMESLICES)
        return (1 - PERF_TIMESLICE_COST) / (double)count;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += i == of ? 0 : perf_pair_keeps(tenants[of], tenants[i]);
    return sum / (double)(count - 1) * 2 / (double)count;
}

/* Multiprocessors of a device, and of it in a slice: NVIDIA's MIG user guide, the mock devices of
 * go-nvml. */
static const struct {
    const char *gpu_type;
    double all, slice;
} mig_devices[] = {
    {"a100", 108, 14},
    {"h100", 132, 16},
    {"h200", 132, 16},
    {"b200", 148, 18},
};

double perf_mig_keeps(const char *gpu_type, int slices, double utilization)
{
    size_t device = 0;
    for (size_t i = 0; i < sizeof mig_devices / sizeof *mig_devices; i++) {
        if (strcmp(mig_devices[i].gpu_type, gpu_type) == 0)
            device = i;
    }
    double share = slices * mig_devices[device].slice / mig_devices[device].all;
    double needs = utilization > 0 ? utilization : 1;
    return share < needs ? share / needs : 1;
}

/* ---- cores */

/* Throughput with so many cores over that with the most that helped; read off a chart, so to one
 * digit. */
struct cpu_point {
    double cores, rate;
};

static const struct cpu_point cpu_curves[PERF_CPU_CURVES][7] = {
    [PERF_CPU_ALEXNET] = {{1, .2}, {2, .4}, {3, .5}, {4, .6}, {5, .7}, {6, 1.0}, {12, 1.5}},
    [PERF_CPU_RESNET18] = {{1, .2}, {2, .4}, {3, .5}, {4, .55}, {5, .6}, {6, .9}, {12, 1.0}},
    [PERF_CPU_RESNET50] = {{1, .2}, {2, .6}, {3, .9}, {4, 1.0}, {5, 1.0}, {6, 1.0}, {12, 1.0}},
    [PERF_CPU_LANGUAGE] = {{1, 1.0}, {2, 1.0}, {3, 1.0}, {4, 1.0}, {5, 1.0}, {6, 1.0}, {12, 1.0}},
};

/* Of no use with less than this: a job always gets a moment of some core. */
#define CORES_LEAST 0.01

double perf_cpu_keeps(enum perf_cpu_curve curve, double cores_per_gpu, double speed)
{
    if (curve == PERF_CPU_NONE)
        return 1;
    const struct cpu_point *points = cpu_curves[curve], *last = &points[6];
    double cores = cores_per_gpu * PERF_CPU_CURVE_SPEED / speed;
    if (cores >= last->cores)
        return 1;
    cores = cores > CORES_LEAST ? cores : CORES_LEAST;
    struct cpu_point before = {0, 0};
    while (points->cores < cores)
        before = *points++;
    double along = (cores - before.cores) / (points->cores - before.cores);
    return (before.rate + along * (points->rate - before.rate)) / last->rate;
}

/* ---- virtual network cards */

/* The L40S and H100 figures of one study (developers.redhat.com, October 2025); pod-net spans 0.15
 * to 0.45. */
const struct perf_vnic perf_vnics[] = {
    {"direct", 1, false, "the NIC itself, next to the device"},
    {"sr-iov", 1, true, "a virtual function of a NIC: as fast"},
    {"tcp-vnic", 0.33, false, "a virtual NIC without SR-IOV: a third of it"},
    {"pod-net", 0.30, false, "the pod network of Kubernetes; 0.15 to 0.45 of the NIC's rate"},
    {NULL, 0, false, NULL},
};

const struct perf_vnic *perf_vnic_find(const char *name)
{
    for (const struct perf_vnic *row = perf_vnics; row->name; row++) {
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}
