/* SPDX-License-Identifier: MIT */
/*
 * GpuPacking of the packing study "Beware of Fragmentation" (FGD, USENIX ATC 2023), as published:
 * devices in use first, then free devices of nodes in use, then free nodes. With G the devices of
 * the node, k the free ones that the task would take and u what is left, in tenths of a device,
 * on the devices in use that it would take, fullest first:
 *     only devices in use               max(100 - u, 50)
 *     k free devices                    max(50 - k, 33)
 *     all devices of the node are free  max(33 - G, G)
 *
 * A task without devices scores 0 everywhere, so the lowest rank wins. A share goes to the fullest
 * device with room. Unusable devices do not count. Device memory is treated as a share. A MIG
 * instance takes one free device, or, on a device already split, one in use with nothing left: 100;
 * likewise on a node with fixed instances.
 */
#include "place/fit_index.h"
#include "place/left.h"
#include "state/nodes.h"

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int64_t score_of(const struct pc_left *left, const struct pc_want *want)
{
    int32_t devices = pc_popcount(left->usable);
    if (left->whole == left->usable)
        return larger(33 - devices, devices);
    uint64_t taken = pc_usual_devices(left, want); /* the fullest with room */
    int32_t free = pc_popcount(taken & left->whole);
    if (free > 0)
        return larger(50 - free, 33);
    int32_t hundredths = 0;
    for (; taken != 0; taken &= taken - 1)
        hundredths += left->room[pc_lowest(taken)] / 10;
    return larger(100 - hundredths / 10, 50);
}

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    struct pc_left left;
    const struct pc_want want = pc_want_on(a->p->cluster, n, a->request);
    if (a->request->devices == 0 && !a->request->wants_mig)
        return;
    pc_left_on(n, a->now_only, &left);
    rating->score = score_of(&left, &want);
}

const struct pc_placement pc_place_gpu_packing = {
    .row =
        {"gpu-packing",
         "GpuPacking of the FGD paper: devices in use first, then nodes in use, then free nodes"},
    .rate = rate,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .traits = PC_KEEPS_SCORES,
};
