/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing phases and levels; see demand.h. */
#include "sim/memory/demand.h"

#include "sim/base/rng.h"

#include <gsl/gsl_randist.h>

#define ALL_PPM     1000000
#define MOST_MS     1e15
#define PHASE_BITS  24                  /* job << 24 | phase keys the streams */
#define LEVEL_PHASE (UINT32_C(1) << 23) /* levels have streams of their own */

static void open_stream(struct rng_stream *stream, uint64_t seed, uint64_t job, uint32_t key)
{
    rng_init(stream, seed, RNG_GPU_MEMORY, job << PHASE_BITS | (key & ((1u << PHASE_BITS) - 1)));
}

uint32_t memory_first_phase(const struct memory_rules *rules, uint32_t phase)
{
    return phase + (rules->grow_ppm == ALL_PPM && phase % 2 == 0);
}

int64_t memory_phase_ms(const struct memory_rules *rules, uint64_t seed, uint64_t job,
                        uint32_t phase)
{
    struct rng_stream stream;
    open_stream(&stream, seed, job, phase & ~LEVEL_PHASE);
    int32_t part = phase % 2 == 0 ? ALL_PPM - rules->grow_ppm : rules->grow_ppm;
    double ms =
        gsl_ran_exponential(rng_gsl(&stream), 2.0 * (double)rules->phase_ms * part / ALL_PPM);
    return ms < MOST_MS ? (int64_t)ms + 1 : (int64_t)MOST_MS;
}

int32_t memory_level_ppm(const struct memory_rules *rules, uint64_t seed, uint64_t job,
                         uint32_t phase)
{
    struct rng_stream stream;
    open_stream(&stream, seed, job, phase | LEVEL_PHASE);
    unsigned long span = (unsigned long)(ALL_PPM - rules->least_ppm) + 1;
    return rules->least_ppm + (int32_t)gsl_rng_uniform_int(rng_gsl(&stream), span);
}

int64_t memory_level_mib(int64_t request_mib, int64_t limit_mib, int32_t level_ppm)
{
    if (limit_mib <= request_mib)
        return request_mib;
    return request_mib + ((limit_mib - request_mib) * level_ppm + ALL_PPM - 1) / ALL_PPM;
}
