/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arbiter of a device whose tenants want more memory than it has. Plain arithmetic: which
 * tenant has to end, which one can never continue, and the cost of taking turns.
 *
 * Taking turns (swap). Tenants that together want X MiB more than the device has work in turns,
 * each with all its memory on the device. In a round at least X has to move to the host and back,
 * one transfer after the other, over a link of B bytes per second, and all tenants of the device
 * stand still meanwhile:
 *
 *     lost = 2 X / B        speed = turn / (turn + lost)        moved per round = 2 X
 *
 * where `turn` is the working time of a round. Assumptions: the best order of turns, so that no
 * more than X moves; a link that no other device of the node uses at that moment; no transfers
 * while a tenant works. So it is a lower bound of the loss for programs that touch all their
 * memory, and an upper bound for those that never touch a part of it.
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
 * The tenants to end so that tenant `grower` gets `need_mib` more than is free: idle ones first,
 * then those of lower priority, lowest first; of equals the youngest. As few in that order as
 * suffice. Fills `victims` (capacity `count`) with indices and returns their number; 0 if ending
 * all of them would not suffice.
 */
size_t memory_victims(const struct memory_tenant *, size_t count, size_t grower, int64_t need_mib,
                      size_t *victims);

/*
 * The youngest tenant that holds memory, other than `own`, if all of these are hopeless; `count` if
 * one of them can continue, or no other tenant holds any.
 */
size_t memory_stuck(const struct memory_tenant *, size_t count, size_t own);

/* Speed of the device's tenants, in millionths of their speed without swapping, at least 1. */
int32_t memory_swap_ppm(const struct memory_rules *, int64_t excess_mib);

/* KiB moved in that many milliseconds. */
int64_t memory_swap_kib(const struct memory_rules *, int64_t excess_mib, int64_t ms);

#endif
