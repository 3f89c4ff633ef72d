/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Burn-in: a node is tested for a while before it takes jobs, after a part was replaced and when it
 * is new. A node that fails the test goes back to repair, and is tested again:
 *
 *     repair  test    repair  test
 *     |------|xxxxxx| |------|xxxxxx|  in use      two tests, the first one failed
 *
 * The number of tests is geometric, with mean 1 / (1 - rejects). Draws are keyed by (seed, fault),
 * so it is the same under every policy.
 */
#ifndef SIM_FAULTS_BURN_IN_H
#define SIM_FAULTS_BURN_IN_H

#include <stdint.h>

#define FAULT_BURN_INS 100 /* tests of one node in a row, at most */

struct fault_burn_in {
    int64_t takes_ms; /* 0: no test */
    double rejects;   /* share of tests that fail */
};

uint32_t fault_burn_in_tests(const struct fault_burn_in *, uint64_t seed, uint64_t key);

#endif
