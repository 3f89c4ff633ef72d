/* SPDX-License-Identifier: MIT */
/*
 * Structs of the caller, which may be older (shorter) or newer (longer) than this version's:
 *     known here    |size|...............|....|
 *     an older one  |size|...............|          missing members read as zero
 *     a newer one   |size|...............|....|0000| accepted if unknown members are zero:
 *                                                    otherwise it asks for something that would
 *                                                    be ignored, and is refused
 *
 * No struct is shorter than its first version: the table in sized.c has that size, the offset of
 * the first member added later or the original end, and never changes when a struct grows. New
 * members never use padding, which older programs leave uninitialized.
 */
#ifndef POLICY_STATE_SIZED_H
#define POLICY_STATE_SIZED_H

#include "policy.h"

struct policy;

enum pc_sized {
    PC_CONFIG,
    PC_NODE_SPEC,
    PC_QUEUE_SPEC,
    PC_JOB_SPEC,
    PC_ROLE,
    PC_TYPICAL_TASK,
    PC_EXPLANATION,
    PC_QUEUE_INFO,
    PC_POOL_SHARE,
    PC_NODE_INFO,
    PC_SHARE_ROW,
    PC_HISTORY,
    PC_OFFER,
    PC_SIZED
};

size_t pc_sized_least(enum pc_sized); /* size of its first version */

/*
 * Returns the caller's struct in this version: `given` itself if it is long enough, else `room`,
 * filled from it. NULL if its size is impossible.
 */
const void *pc_sized_in(enum pc_sized, const void *given, void *room);

/* The same for a fact: impossible sizes set the policy's error. */
const void *pc_sized_fact(struct policy *, enum pc_sized, const void *given, void *room);

/* Element i of an array whose element size is that of the first element. */
const void *pc_sized_at(const void *array, uint32_t i);

/* pc_sized_fits() returns true if the caller's struct has a valid size; pc_sized_out() writes the
 * answer as far as it fits, and zeros beyond it. */
bool pc_sized_fits(enum pc_sized, const void *given);
void pc_sized_out(enum pc_sized, void *given, const void *answer);

/* presets.c. Converts a configuration to this version: members that an older one lacks are those of
 * its preset. NULL with the error set on failure. */
const struct policy_config *pc_config_in(const struct policy_config *given,
                                         struct policy_config *room, struct policy_error *);

#endif
