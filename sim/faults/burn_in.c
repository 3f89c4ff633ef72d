/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many tests a node needs; see burn_in.h. */
#include "sim/faults/burn_in.h"

#include "sim/base/rng.h"

uint32_t fault_burn_in_tests(const struct fault_burn_in *rule, uint64_t seed, uint64_t key)
{
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_BURN_IN, key);
    uint32_t tests = 1;
    while (tests < FAULT_BURN_INS && rng_uniform(&stream) < rule->rejects)
        tests++;
    return tests;
}
