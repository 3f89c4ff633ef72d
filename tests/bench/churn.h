/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A full fleet in which jobs end and others arrive, seen by the policy core alone, through its
 * public contract: what a decision costs with so many nodes and so many jobs pending, without a
 * simulator around it.
 *
 * The fleet has equal nodes of 8 devices; 16 teams in 4 departments own a sixteenth of it each.
 * Jobs are those of bench_draw_job(), of a random team, one in ten with a higher priority; a job
 * runs for 1 s to 2 h and declares a limit of 1.1 to 4 times that. It ends when it has run for its
 * time since its first task started (the tasks of a policy without gangs may be fewer then),
 * evictions are carried out at once and lose no work.
 *
 * One step: the clock goes on to the next end of a job, that job ends, as many arrive as are
 * missing to the `pending` ones, and the policy decides until it has nothing more to say. So it
 * always decides with as many pending.
 */
#ifndef TESTS_BENCH_CHURN_H
#define TESTS_BENCH_CHURN_H

#include <stddef.h>
#include <stdint.h>

struct churn;

/* The empty fleet. `policy` is the name of a preset. What goes wrong here and below ends the
 * program, with a message. */
struct churn *churn_create(const char *policy, uint32_t nodes, uint32_t pending);
void churn_destroy(struct churn *);

/* Submits jobs until nothing more starts and `pending` wait. */
void churn_fill(struct churn *);

void churn_step(struct churn *);

/* Starts, nominations and evictions of tasks so far. */
uint64_t churn_decisions(const struct churn *);

/* The most memory that the policy has had, in bytes. */
size_t churn_peak_bytes(const struct churn *);

#endif
