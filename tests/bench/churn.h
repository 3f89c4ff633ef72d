/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A full fleet in which jobs end and others arrive, seen through the public contract of the policy
 * core alone: the cost of a decision for a number of nodes and of pending jobs, without a simulator
 * around it.
 *
 * The fleet has equal nodes of 8 devices; 16 teams in 4 departments own a sixteenth of it each.
 * Jobs are those of bench_draw_job(), of a random team, one in ten with a higher priority; a job
 * runs for 1 s to 2 h and declares a limit of 1.1 to 4 times that. It ends when it has run for its
 * time since its first task started (a policy without gangs may have started fewer tasks then).
 * Evictions are carried out at once and lose no work.
 *
 * One step: the clock advances to the next end of a job, that job ends, as many arrive as are
 * missing to `pending`, and the policy decides until it has nothing left to do. So it always
 * decides with the same number pending.
 */
#ifndef TESTS_BENCH_CHURN_H
#define TESTS_BENCH_CHURN_H

#include <stddef.h>
#include <stdint.h>

struct churn;

/* Creates the empty fleet. `policy` is the name of a preset. Errors here and below end the program
 * with a message. */
struct churn *churn_create(const char *policy, uint32_t nodes, uint32_t pending);
void churn_destroy(struct churn *);

/* Submits jobs until no more start and `pending` are pending. */
void churn_fill(struct churn *);

void churn_step(struct churn *);

/* Starts, nominations and evictions of tasks so far. */
uint64_t churn_decisions(const struct churn *);

/* The peak memory of the policy, in bytes. */
size_t churn_peak_bytes(const struct churn *);

#endif
