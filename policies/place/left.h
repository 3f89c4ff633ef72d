/* SPDX-License-Identifier: MIT */
/*
 * What is left on a node, and what a task takes of that, in thousandths of devices: the common
 * ground of placements that score. A device that is cut into MIG instances has nothing left for
 * anybody but other instances, and counts as nothing; an instance takes all of an untouched device,
 * and nothing of one that is cut already.
 */
#ifndef POLICY_PLACE_LEFT_H
#define POLICY_PLACE_LEFT_H

#include "state/state.h"

struct pc_left {
    int64_t cpu;
    uint32_t type;
    int32_t devices, sum; /* sum of room */
    int32_t memory;       /* of one device, MiB; 0: not known */
    bool cuts;            /* makes MIG instances of devices */
    uint64_t usable;
    uint64_t whole;                    /* devices with all of their thousandths left */
    uint16_t room[POLICY_MAX_DEVICES]; /* of each device; of one that cannot be used 0 */
};

/* So many thousandths of each of so many devices. */
struct pc_want {
    int32_t devices, milli;
    int64_t cpu;
};

/* What is left now, or also after release, less what is nominated (`now` false). */
void pc_left_on(const struct pc_node *, bool now, struct pc_left *);
struct pc_want pc_want_on(const struct pc_cluster *, const struct pc_node *,
                          const struct pc_request *);

/* The sum of thousandths alone, and CPU. */
int32_t pc_milli_left(const struct pc_node *, bool now);
int64_t pc_cpu_left(const struct pc_node *, bool now);

/* Wholly free devices, now or also after release; at least 0. */
int32_t pc_whole_left(const struct pc_node *, bool now);

/* On how many devices that are shared already the share has room, now or after release. */
int32_t pc_shared_with_room(const struct pc_node *, const struct pc_request *, bool now);

/* The usual devices, of a node that the task fits: the lowest free ones; for a share the fullest
 * with room. */
uint64_t pc_usual_devices(const struct pc_left *, const struct pc_want *);

#endif
