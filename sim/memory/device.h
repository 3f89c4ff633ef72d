/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the arbiter of one device does when its tenants want more memory than it has. Plain
 * arithmetic: which one has to end, which one can never continue, and what taking turns costs.
 *
 * Taking turns (swap). Tenants that together want X MiB more than the device has are at work in
 * turn, each with all that it wants in the device. In a round at least X has to leave for the host
 * and to come back, one after the other, over a link of B bytes a second, and everybody on the
 * device stands still meanwhile:
 *
 *     lost = 2 X / B        speed = turn / (turn + lost)        moved a round = 2 X
 *
 * where `turn` is the time at work in a round. Assumed: the best order of turns, so that no more
 * than X is moved; a link that no other device of the node uses at that moment; nothing moved while
 * somebody works. So it is a lower bound of the loss for well-behaved programs, an upper one for
 * such as never touch a part of their memory.
 */
#ifndef SIM_MEMORY_DEVICE_H
#define SIM_MEMORY_DEVICE_H

#include "sim/memory/rules.h"

#include <stdbool.h>
#include <stddef.h>

/* A job's part of the device. */
struct memory_tenant {
    int64_t held_mib;
    uint64_t number;  /* of the job; larger is younger */
    int32_t priority; /* larger is more urgent */
    bool idle;        /* for long enough to be ended */
    bool hopeless;    /* waits for memory whose holders all wait too */
    bool leaves;      /* is being stopped anyway: its memory is free in a while */
};

/*
 * Who is ended so that tenant `grower` gets `need_mib` more than is free: idle ones first, then
 * those of lower priority, lowest first; of equals the youngest. As few from that order as give
 * enough. Fills `victims` (room for `count`) with places in the array and returns how many; 0 when
 * all of them would not be enough.
 */
size_t memory_victims(const struct memory_tenant *, size_t count, size_t grower, int64_t need_mib,
                      size_t *victims);

/*
 * The youngest of those that hold memory, other than tenant `own`, when all of these are hopeless;
 * `count` when somebody can go on, or nobody else holds any.
 */
size_t memory_stuck(const struct memory_tenant *, size_t count, size_t own);

/* Speed of the device's tenants, in millionths of what it would be, at least 1. */
int32_t memory_swap_ppm(const struct memory_rules *, int64_t excess_mib);

/* KiB moved in so many milliseconds. */
int64_t memory_swap_kib(const struct memory_rules *, int64_t excess_mib, int64_t ms);

#endif
