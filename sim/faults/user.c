/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a job fails by itself. */
#include "sim/faults/user.h"

int64_t fault_user_after_ms(const struct fault_class *user, uint64_t seed, uint64_t job)
{
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_USER_FAULT, job);
    if (rng_uniform(&stream) >= user->rate)
        return INT64_MAX;
    return fault_span_draw_ms(&user->lasts, &stream);
}
