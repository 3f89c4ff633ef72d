/* SPDX-License-Identifier: MIT */
/*
 * MIG (multi-instance GPU) geometry of one device of the A100, H100, H200 and B200 type. A device
 * has 8 memory slices in a row and 7 compute slices; an instance takes a run of memory slices that
 * begins at one of a few positions, and a number of compute slices.
 *     memory slices  0   1   2   3   4   5   6   7
 *     1g (1 slice)   x   x   x   x   x   x   x        x: where an instance may begin
 *     1g (2 slices)  x       x       x       x
 *     2g             x       x       x
 *     3g             x               x
 *     4g             x
 *     7g             x
 *
 * Names state the compute slices and the memory on that device: 3g.40gb has 3 compute slices and 4
 * memory slices of 10 GB. With 1g, 2g, 3g, 4g and 7g a device has 298 legal states, the empty one
 * included.
 */
#ifndef POLICY_STATE_MIG_H
#define POLICY_STATE_MIG_H

#include <stdbool.h>
#include <stdint.h>

#define PC_MIG_MEMORY  8
#define PC_MIG_COMPUTE 7
#define PC_MIG_NOWHERE (-1)

/* Slices taken by the instances on a device; all zero if empty. pc_mig_take() of each instance
 * rebuilds it. */
struct pc_mig {
    uint8_t slices;  /* set of memory slices */
    uint8_t compute; /* number of compute slices */
};

/* Returns true if the profile exists, given compute slices and memory slices. Others never fit. */
bool pc_mig_known(int32_t compute, int32_t memory);

/* Returns the set of memory slices where an instance could begin now. */
uint8_t pc_mig_starts(const struct pc_mig *, int32_t compute, int32_t memory);

static inline bool pc_mig_fits(const struct pc_mig *state, int32_t compute, int32_t memory)
{
    return pc_mig_starts(state, compute, memory) != 0;
}

/*
 * Returns where an instance should begin, or PC_MIG_NOWHERE: at the position that leaves the most
 * positions for the largest profile, then for the next smaller one, and so on; ties: the last
 * position. So 4g, which only begins at 0, stays possible as long as it can, and small instances
 * gather at the end: 1g at 6, 5, 4, 3, ..., 2g at 4, 2, 0 and 3g at 4, 0.
 */
int32_t pc_mig_place(const struct pc_mig *, int32_t compute, int32_t memory);

/* Adds an instance that begins at `start`, one of pc_mig_starts(), or removes it. */
void pc_mig_take(struct pc_mig *, int32_t compute, int32_t memory, int32_t start);
void pc_mig_give(struct pc_mig *, int32_t compute, int32_t memory, int32_t start);

#endif
