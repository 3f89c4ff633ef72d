/* SPDX-License-Identifier: MIT */
/*
 * What is left on a node, and what a task takes of it, in thousandths of devices: shared by the
 * placements that score. A device split into MIG instances is only useful for other instances and
 * counts as nothing; an instance takes all of an untouched device, and nothing of one already
 * split.
 */
#ifndef POLICY_PLACE_LEFT_H
#define POLICY_PLACE_LEFT_H

#include "state/state.h"

struct pc_left {
    int64_t cpu;
    uint32_t type;
    int32_t devices, sum; /* sum of room */
    int32_t memory;       /* of one device, MiB; 0: unknown */
    bool cuts;            /* creates MIG instances on devices */
    uint64_t usable;
    uint64_t whole;                    /* devices with all thousandths left */
    uint16_t room[POLICY_MAX_DEVICES]; /* of each device; 0 if it is unusable */
};

/* That many thousandths of each of that many devices. */
struct pc_want {
    int32_t devices, milli;
    int64_t cpu;
};

/* What is left now, or (`now` false) after release, minus nominations. */
void pc_left_on(const struct pc_node *, bool now, struct pc_left *);
struct pc_want pc_want_on(const struct pc_cluster *, const struct pc_node *,
                          const struct pc_request *);

/* Only the sum of thousandths, and the CPU. */
int32_t pc_milli_left(const struct pc_node *, bool now);
int64_t pc_cpu_left(const struct pc_node *, bool now);

/* Wholly free devices, now or after release; at least 0. */
int32_t pc_whole_left(const struct pc_node *, bool now);

/* Number of already shared devices with room for the share, now or after release. */
int32_t pc_shared_with_room(const struct pc_node *, const struct pc_request *, bool now);

/* The default choice of devices on a node that the task fits: the lowest free ones; for a share the
 * fullest with room. */
uint64_t pc_usual_devices(const struct pc_left *, const struct pc_want *);

#endif
