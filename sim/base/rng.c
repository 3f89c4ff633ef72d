/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counter-based random streams behind GSL's generator interface. A stream is a 64-bit key, the hash
 * of (seed, purpose, entity), and draw i is a hash of key and i: two rounds of multiply and shift,
 * the key mixed into both. With the key in one round only, two streams whose keys lie a few counter
 * steps apart would be the same sequence, shifted; the key between the rounds tells them apart. For
 * one key the hash is a bijection of the counter, so a stream has period 2^64.
 *
 * The constants of mix64() are David Stafford's "Mix13" of the MurmurHash3 finaliser, as in
 * SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 * Everything is unsigned 64-bit arithmetic, so the numbers are the same on every machine.
 */
#include "sim/base/rng.h"

#include <limits.h>

/* GSL's unsigned long carries a whole draw; the interface needs an LP64 machine. */
_Static_assert(ULONG_MAX == UINT64_MAX, "unsigned long must have 64 bits");

/* 2^64 / golden ratio, odd: the step of the counter */
#define GOLDEN  UINT64_C(0x9e3779b97f4a7c15)
#define PURPOSE UINT64_C(0xd1342543de82ef95) /* odd, unrelated to GOLDEN */
#define FINAL   UINT64_C(0xd6e8feb86659fd93) /* multiplier of the second round */

static inline uint64_t mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t draw(struct rng_state *state)
{
    state->counter++;
    uint64_t z = mix64(state->key + state->counter * GOLDEN) + state->key;
    z = (z ^ (z >> 32)) * FINAL;
    return z ^ (z >> 32);
}

static inline double to_uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* GSL's own way to seed, e.g. by gsl_rng_set(): one number instead of three. */
static void set(void *state, unsigned long seed)
{
    *(struct rng_state *)state = (struct rng_state){.key = mix64(seed + GOLDEN)};
}

static unsigned long get(void *state)
{
    return draw(state);
}

static double get_double(void *state)
{
    return to_uniform(draw(state));
}

static const gsl_rng_type counter_type = {
    .name = "fauxfleet-counter",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(struct rng_state),
    .set = set,
    .get = get,
    .get_double = get_double,
};

const gsl_rng_type *const rng_type = &counter_type;

void rng_init(struct rng_stream *stream, uint64_t seed, enum rng_purpose purpose, uint64_t entity)
{
    // Two chained hashes: no simple relation between seeds and entities gives equal keys.
    uint64_t base = mix64(seed * GOLDEN + (uint64_t)purpose * PURPOSE + GOLDEN);
    stream->state = (struct rng_state){.key = mix64(base + entity * GOLDEN)};
    stream->gsl = (gsl_rng){.type = &counter_type, .state = &stream->state};
}

uint64_t rng_entity(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t rng_u64(struct rng_stream *stream)
{
    return draw(&stream->state);
}

double rng_uniform(struct rng_stream *stream)
{
    return to_uniform(draw(&stream->state));
}
