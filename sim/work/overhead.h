/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time that jobs spend before they work, by decree: so long at their first launch, and so much more
 * for each time that a policy stopped them, by the number of GPUs that they hold. It is owed, as
 * work is: a job that is stopped again before all of it is over goes on with the rest. The
 * simulators of Helios and Lucid model preemption in this way.
 */
#ifndef SIM_WORK_OVERHEAD_H
#define SIM_WORK_OVERHEAD_H

#include <stddef.h>
#include <stdint.h>

#define WORK_OVERHEAD_ROWS 16
#define WORK_ANY_SIZE      INT64_MAX

/* Jobs of at most so many GPUs, and more than the row before. */
struct work_overhead {
    int64_t most_gpus; /* WORK_ANY_SIZE in the last row */
    int64_t ms;
};

struct work_overheads {
    int64_t launch_ms;
    struct work_overhead preempt[WORK_OVERHEAD_ROWS]; /* rising sizes */
    size_t preempt_count;                             /* 0: none is owed */
};

/* What a job of that size owes for being stopped. A part of a GPU, or none, counts as one. */
int64_t work_overhead_ms(const struct work_overheads *, int64_t gpu_milli);

#endif
