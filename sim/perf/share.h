/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interference: what is left to a job of its speed when others work on the same device, when it has
 * few cores, and behind a virtual network card. All figures are published measurements or carry the
 * word "assumed"; results are shares above 0, up to 1, for `keeps` and `nic_share` of a part
 * (place.h).
 */
#ifndef SIM_PERF_SHARE_H
#define SIM_PERF_SHARE_H

#include "sim/perf/model.h"

/* ---- one device, several jobs */

/* How a device is shared. */
enum perf_sharing {
    PERF_SHARING_MPS = 0,    /* side by side, in each other's way */
    PERF_SHARING_TIMESLICES, /* one after the other */
    PERF_SHARING_KINDS
};

/* A job on a shared device. */
struct perf_tenant {
    enum perf_family family; /* PERF_FAMILY_NONE: not known */
    double utilization;      /* of the device when it is alone, 0..1; 0: not known, as any other */
};

/* Two jobs on one V100 get 1.37 times the work of one done (mean of 633 pairs of Gavel's oracle;
 * p10 1.11, p90 1.63). */
#define PERF_PAIR_WORK 1.37

/* What switching between contexts costs; assumed, in the middle of the 2 to 10 % that are reported.
 */
#define PERF_TIMESLICE_COST 0.06

/* What `a` keeps beside `b`: from the matrix where both families are known, else 1.37 u_a / (u_a +
 * u_b), at most 1. */
double perf_pair_keeps(struct perf_tenant a, struct perf_tenant b);

/*
 * What tenants[of] keeps among `count` tenants of a device. MPS: the mean of its pairs, and with
 * more than two tenants (assumed) 2 / count of that, so that together they do as much as pairs do.
 * Time slices: 1 / count, less switching.
 */
double perf_tenant_keeps(enum perf_sharing, const struct perf_tenant *tenants, size_t count,
                         size_t of);

/*
 * What a job keeps on a MIG instance with so many of the seven compute slices: its share of the
 * device's multiprocessors, or all that it needs. Instances do not disturb each other. Even seven
 * slices are less than a device without MIG (98 of 108 on A100). Types of devices that are not
 * known count as A100.
 */
double perf_mig_keeps(const char *gpu_type, int slices, double utilization);

/* ---- cores */

/*
 * Share of its full speed that a model of this kind reaches with so many cores to a device, from
 * measurements on V100 (Synergy); linear between them and from 0 to the first. A device that is
 * `speed` times an A100 uses up its input faster than a V100 (half of an A100, assumed), and wants
 * as many more cores.
 */
#define PERF_CPU_CURVE_SPEED 0.5
double perf_cpu_keeps(enum perf_cpu_curve, double cores_per_gpu, double speed);

/* ---- virtual network cards */

struct perf_vnic {
    const char *name;
    double share; /* of the NIC's rate: nic_share */
    bool
        own; /* each task has functions of some NICs, which need not be those next to its devices */
    const char *summary;
};
extern const struct perf_vnic perf_vnics[];               /* ends with a row without name */
const struct perf_vnic *perf_vnic_find(const char *name); /* NULL when there is none */

/* ---- what of this is in the way */

/*
 * What is in the way of jobs beside where they are. None of it is in the best step, so it counts as
 * slowdown.
 *
 * numa: no part of the node's cores is kept for the devices next to it, as without a topology
 * manager. A task's threads then wander over all cores, so those of a task that does not have the
 * devices of all NUMA domains with devices are remote in part, which costs what its model says
 * (`numa`). With virtual functions that a device plugin gives out (`own`) NICs may be on the other
 * socket in the same way; else NCCL takes the nearest. Both are assumed to strike whenever they
 * can.
 *
 * cpu: as many cores as the model wants are best, so a job that has fewer is slower. A task that
 * asks for no cores has of the node's as large a part as of its devices.
 */
struct perf_interference {
    enum perf_sharing sharing;
    bool numa, cpu;
};

/* ---- names, as in catalogues */

const char *perf_family_name(enum perf_family);       /* "resnet50"; "none" */
const char *perf_cpu_curve_name(enum perf_cpu_curve); /* "alexnet"; "none" */
const char *perf_sharing_name(enum perf_sharing);     /* "mps", "time-slicing" */

#endif
