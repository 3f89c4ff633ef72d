/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device memory that several tasks share, and that each needs more of at some times than at others.
 *
 *     MiB   limit  - - - - - - - - - - -+---+- - - - -      a task asks for `request` and may grow
 *                                                           up to `limit`
 *                         +------+      |   |               phases of low demand (its request) and
 *                                                           of high demand
 *           request ------+      +------+   +---------      (a level drawn for each phase)
 *                                                           alternate
 *
 * Where tasks are placed by their requests, several may grow on one device at once and then want
 * more than it has: a collision. The mode says what happens then; with `static` tasks are placed by
 * their limits, and nothing can happen.
 */
#ifndef SIM_MEMORY_RULES_H
#define SIM_MEMORY_RULES_H

#include <stdint.h>

enum memory_mode {
    MEMORY_OFF = 0,  /* demand beyond the request is ignored */
    MEMORY_STATIC,   /* placed by limits: shares for the worst case */
    MEMORY_NONE,     /* no arbitration: a process whose growth does not fit is killed */
    MEMORY_WAIT,     /* it stalls until there is room */
    MEMORY_PRIORITY, /* idle processes, and those of lower priority, are ended to make room; else
                        it stalls */
    MEMORY_SWAP,     /* all run, and what does not fit is moved to the host and back by turns */
    MEMORY_MODES
};

/* Times in milliseconds, shares in millionths. */
struct memory_rules {
    enum memory_mode mode;
    int32_t grow_ppm; /* of its time at high demand, 0..1000000 */
    int32_t
        least_ppm; /* a level is at least this part of the way from request to limit, 0..1000000 */
    int64_t phase_ms;      /* mean length of a phase, low and high ones together; at least 1 */
    int64_t idle_after_ms; /* a session idle for this long may be ended */
    int64_t retry_ms;      /* a process ended for its memory retries this long after its next start,
                              doubled each time in vain, up to 32 times; at least 1 */
    int64_t host_mbps;     /* MB/s between a device and the host, each way by turns; at least 1 */
    int64_t turn_ms;       /* in which each tenant of a device has once been at work; at least 1 */
};

#endif
