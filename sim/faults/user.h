/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that fail by themselves: a bug, a wrong setting, out of memory. A share of all jobs does
 * (the rate of the class), most of them soon after their start: 73 % of failures come in the first
 * ten minutes (Aegis, NSDI 2025). The work until then has a Weibull distribution of small shape; a
 * job with less work ends before it gets there.
 */
#ifndef SIM_FAULTS_USER_H
#define SIM_FAULTS_USER_H

#include "sim/faults/classes.h"

/* Work in milliseconds after which the job fails, keyed by the job's row in its trace; INT64_MAX:
 * it does not. */
int64_t fault_user_after_ms(const struct fault_class *user, uint64_t seed, uint64_t job);

#endif
