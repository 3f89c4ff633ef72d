/* SPDX-License-Identifier: MIT */
/*
 * The geometry of MIG (multi-instance GPU) on one device of the A100, H100, H200 and B200 kind. A
 * device has 8 memory slices in a row and 7 compute slices; an instance takes a run of memory
 * slices that begins at one of a few places, and some compute slices, whichever.
 *
 *     memory slices    0   1   2   3   4   5   6   7
 *     1g (1 slice)     x   x   x   x   x   x   x          x: where an instance may begin
 *     1g (2 slices)    x       x       x       x
 *     2g               x       x       x
 *     3g               x               x
 *     4g               x
 *     7g               x
 *
 * Names say how much they compute and how much memory that is on the device: 3g.40gb computes with
 * 3 slices and takes 4 memory slices of 10 GB. Of 1g, 2g, 3g, 4g and 7g there are 298 legal states
 * of a device, the empty one included.
 */
#ifndef POLICY_STATE_MIG_H
#define POLICY_STATE_MIG_H

#include <stdbool.h>
#include <stdint.h>

#define PC_MIG_MEMORY  8
#define PC_MIG_COMPUTE 7
#define PC_MIG_NOWHERE (-1)

/* What the instances on a device take; the empty device is all zero. pc_mig_take() of each instance
 * rebuilds it. */
struct pc_mig {
    uint8_t slices;  /* set of memory slices */
    uint8_t compute; /* number of compute slices */
};

/* True if there is such a profile: compute slices and memory slices of an instance. No other ever
 * fits. */
bool pc_mig_known(int32_t compute, int32_t memory);

/* The memory slices where an instance could begin now, as a set. */
uint8_t pc_mig_starts(const struct pc_mig *, int32_t compute, int32_t memory);

static inline bool pc_mig_fits(const struct pc_mig *state, int32_t compute, int32_t memory)
{
    return pc_mig_starts(state, compute, memory) != 0;
}

/*
 * Where an instance should begin, or PC_MIG_NOWHERE: where it leaves most places for the largest
 * profile afterwards, then for the next smaller one, and so on; of equal places the last. So 4g,
 * which begins at 0 only, stays possible for as long as it can, and small instances gather at the
 * end: 1g at 6, 5, 4, 3, ..., 2g at 4, 2, 0 and 3g at 4, 0.
 */
int32_t pc_mig_place(const struct pc_mig *, int32_t compute, int32_t memory);

/* An instance begins at `start`, which is one of pc_mig_starts(), or is gone from there. */
void pc_mig_take(struct pc_mig *, int32_t compute, int32_t memory, int32_t start);
void pc_mig_give(struct pc_mig *, int32_t compute, int32_t memory, int32_t start);

#endif
