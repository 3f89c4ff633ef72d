/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the programs of the benchmark: the clock, the memory of a policy, and jobs like those
 * of a busy cluster. Everything but the clock is the same on every machine.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "policies/policy.h"

/* CPU time of this process so far, user and system, in seconds. A call costs about 0.3 us. */
double bench_seconds(void);

/* Wall time in seconds since some moment. */
double bench_wall_seconds(void);

/* A number below `below`, from the upper bits of a linear congruential generator (Knuth's MMIX). */
uint64_t bench_draw(uint64_t *state, uint64_t below);

/* Bytes that a policy has requested, now and at most. */
struct bench_memory {
    size_t bytes, peak;
};

/* The allocator of a policy; counts in *memory, which must outlive the policy. Returns NULL if
 * there is no memory. */
struct policy_allocator bench_allocator(struct bench_memory *memory);

/* A job with this many tasks and devices per task, on nodes of `node_devices`. */
struct bench_job {
    int32_t tasks, devices;
};

/* Usually one to eight devices on one node (2.5 on average), sometimes a gang of one to eight whole
 * nodes. */
struct bench_job bench_draw_job(uint64_t *state, int32_t node_devices);

#endif
