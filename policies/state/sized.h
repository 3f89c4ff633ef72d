/* SPDX-License-Identifier: MIT */
/*
 * Structs of the caller, which may be older, and so shorter, or newer, and so longer, than this
 * version knows them:
 *
 *     known here      |size|...............|....|
 *     an older one    |size|...............|              what it lacks reads as zero
 *     a newer one     |size|...............|....|0000|    taken when what is not known here is
 *                                                         zero: else it asks for something that
 *                                                         would be ignored, and is refused
 *
 * Shorter than its first version no struct can be. That is where the first member stands that came
 * later, or where the struct ended: a row of the table in sized.c, which never changes when a
 * struct grows. A member that is added never goes into padding, which older programs leave as they
 * find it.
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
    PC_NODE_INFO,
    PC_SHARE_ROW,
    PC_HISTORY,
    PC_OFFER,
    PC_SIZED
};

size_t pc_sized_least(enum pc_sized); /* bytes of its first version */

/*
 * What the caller gave, as this version knows it: given itself when it is long enough, else the
 * caller's `room`, filled from it. NULL when its size is none that can be.
 */
const void *pc_sized_in(enum pc_sized, const void *given, void *room);

/* The same for a fact: what cannot be is refused, with the policy's error set. */
const void *pc_sized_fact(struct policy *, enum pc_sized, const void *given, void *room);

/* Element i of an array whose elements are as long as the first one says. */
const void *pc_sized_at(const void *array, uint32_t i);

/* True if the caller's struct has a size that is known; the answer is written as far as it fits,
 * and zeros behind it. */
bool pc_sized_fits(enum pc_sized, const void *given);
void pc_sized_out(enum pc_sized, void *given, const void *answer);

/* presets.c. A configuration as this version knows it: what an older one lacks is as in its preset.
 * NULL: error set. */
const struct policy_config *pc_config_in(const struct policy_config *given,
                                         struct policy_config *room, struct policy_error *);

#endif
