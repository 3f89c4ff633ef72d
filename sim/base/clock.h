/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of the system in nanoseconds: CLOCK_MONOTONIC for waits, CPU clocks for costs. Never for
 * anything simulated. */
#ifndef SIM_BASE_CLOCK_H
#define SIM_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* 0 where there is no such clock. */
static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
