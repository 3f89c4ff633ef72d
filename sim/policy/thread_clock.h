/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A signal to the calling thread at regular intervals of its CPU time, in milliseconds. Linux. */
#ifndef SIM_POLICY_THREAD_CLOCK_H
#define SIM_POLICY_THREAD_CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define THREAD_CLOCK_SIGNAL SIGVTALRM

typedef timer_t thread_clock;

bool thread_clock_start(thread_clock *, int64_t every_ms); /* false: the system has none left */
void thread_clock_stop(thread_clock);

/* For the handler: the number of ticks missed since the last one. */
int thread_clock_missed(const siginfo_t *);

#endif
