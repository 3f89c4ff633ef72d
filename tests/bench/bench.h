/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs of the benchmark share: the clock, the memory of a policy, and jobs as they
 * come to a busy cluster. Everything but the clock is the same on every machine.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "policies/policy.h"

/* CPU time of this process so far, user and system, in seconds. Asking costs some 0.3 us. */
double bench_seconds(void);

/* On the wall, from some moment on. */
double bench_wall_seconds(void);

/* Below `below`, from a linear congruential generator (Knuth's MMIX), by its upper bits. */
uint64_t bench_draw(uint64_t *state, uint64_t below);

/* Bytes that a policy has, as it asked for them, and the most it ever had. */
struct bench_memory {
    size_t bytes, peak;
};

/* The allocator of a policy; counts in *memory, which has to outlive the policy. Memory that is not
 * there is NULL. */
struct policy_allocator bench_allocator(struct bench_memory *memory);

/* A job of so many tasks with so many devices each, on nodes of `node_devices`. */
struct bench_job {
    int32_t tasks, devices;
};

/* One to eight devices on one node mostly (2.5 in the mean), now and then a gang of one to eight
 * whole nodes. */
struct bench_job bench_draw_job(uint64_t *state, int32_t node_devices);

#endif
