/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two branches of repairs; see repair.h. */
#include "sim/faults/repair.h"

#include "sim/base/err.h"

#define ATTEMPT_BITS 7

struct fault_repair fault_repair_draw(const struct fault_class *class, uint64_t seed, uint64_t key,
                                      unsigned attempt)
{
    BUG_ON(attempt >> ATTEMPT_BITS != 0);
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_REPAIR, key << ATTEMPT_BITS | attempt);
    double branch = rng_uniform(&stream), again = rng_uniform(&stream);
    struct fault_repair repair = {.hardware =
                                      branch >= class->transient_share || attempt >= FAULT_RESETS};
    repair.takes_ms =
        fault_span_draw_ms(repair.hardware ? &class->hardware : &class->transient, &stream);
    repair.relapses = !repair.hardware && again < class->relapse;
    if (repair.relapses)
        repair.relapse_ms = fault_span_draw_ms(&class->relapses, &stream);
    return repair;
}

double fault_repair_strikes(const struct fault_class *class)
{
    double again = class->transient_share * class->relapse, sum = 1, power = 1;
    for (int i = 0; i < FAULT_RESETS; i++)
        sum += power *= again;
    return sum;
}

double fault_repair_mean_s(const struct fault_class *class)
{
    return class->transient_share * fault_span_mean_s(&class->transient) +
           (1 - class->transient_share) * fault_span_mean_s(&class->hardware);
}
