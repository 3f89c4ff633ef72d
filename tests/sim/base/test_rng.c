/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The random streams: pinned values, a second computation of the hash, and chi-square tests on
 * fixed seeds. The statistical tests are deterministic: a p-value below 1e-4 or above 1 - 1e-4
 * would mean that a change made the hash worse, not bad luck.
 */
#include "sim/base/rng.h"

#include "tests/lib/harness.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define CELLS 256
#define DRAWS 65536

/* Computed once with unbounded integers, independently of this program. */
static const struct {
    uint64_t seed;
    enum rng_purpose purpose;
    uint64_t entity;
    uint64_t draws[3];
} known_rows[] = {
    {0,
     RNG_ARRIVAL,
     0,
     {UINT64_C(0xd2244e8a4bf6a9a6), UINT64_C(0x4c9a1640b041ab0f), UINT64_C(0x4d734e2ce7c03e46)}},
    {0,
     RNG_SHAPE,
     0,
     {UINT64_C(0x6218d0d093ce34dd), UINT64_C(0xd2c652a27bf0a0f5), UINT64_C(0x61ab1446f23f5b2d)}},
    {1,
     RNG_ARRIVAL,
     0,
     {UINT64_C(0xece886e43f08e9bc), UINT64_C(0x074d6e2bd80eed8a), UINT64_C(0x5df8e7bc685efa21)}},
    {1,
     RNG_ARRIVAL,
     1,
     {UINT64_C(0x9f5e0dc97dd572c2), UINT64_C(0xe6c2a3270aa34ec3), UINT64_C(0x71320729f1f07bb2)}},
    {42,
     RNG_DURATION,
     123456789,
     {UINT64_C(0xecba69ee8dad836c), UINT64_C(0x21d41c18116fde42), UINT64_C(0xfb6972faeadeecaf)}},
    {UINT64_MAX,
     RNG_OUTCOME,
     UINT64_MAX,
     {UINT64_C(0x9e06eedf836f9d2f), UINT64_C(0xb62a9ba24e494e2f), UINT64_C(0x312801015c02ce06)}},
};

START_TEST(known_answers)
{
    struct rng_stream stream;
    rng_init(&stream, known_rows[_i].seed, known_rows[_i].purpose, known_rows[_i].entity);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(rng_u64(&stream), known_rows[_i].draws[i]);
}
END_TEST

/* The hash again, by its definition: shift right and xor, multiply, repeatedly. */
static uint64_t rounds(uint64_t z, const uint64_t (*steps)[2], int count, int last_shift)
{
    for (int i = 0; i < count; i++)
        z = (z ^ (z >> steps[i][0])) * steps[i][1];
    return z ^ (z >> last_shift);
}

static uint64_t expected_draw(uint64_t seed, uint64_t purpose, uint64_t entity, uint64_t i)
{
    static const uint64_t mix13[2][2] = {{30, 0xbf58476d1ce4e5b9}, {27, 0x94d049bb133111eb}};
    static const uint64_t second[1][2] = {{32, 0xd6e8feb86659fd93}};
    const uint64_t golden = 0x9e3779b97f4a7c15;
    uint64_t base = rounds((seed + 1) * golden + purpose * 0xd1342543de82ef95, mix13, 2, 31);
    uint64_t key = rounds(base + entity * golden, mix13, 2, 31);
    return rounds(rounds(key + (i + 1) * golden, mix13, 2, 31) + key, second, 1, 32);
}

START_TEST(equals_second_computation)
{
    struct rng_stream stream;
    for (uint64_t n = 0; n < 500; n++) {
        uint64_t seed = n * n * 77, entity = n << (n % 50);
        rng_init(&stream, seed, RNG_JITTER, entity);
        for (uint64_t i = 0; i < 8; i++)
            ck_assert_uint_eq(rng_u64(&stream), expected_draw(seed, RNG_JITTER, entity, i));
    }
}
END_TEST

START_TEST(gsl_sees_the_same_stream)
{
    struct rng_stream a, b;
    rng_init(&a, 5, RNG_TEST, 6);
    rng_init(&b, 5, RNG_TEST, 6);
    ck_assert_uint_eq(gsl_rng_get(rng_gsl(&a)), rng_u64(&b));
    ck_assert_double_eq(gsl_rng_uniform(rng_gsl(&a)), rng_uniform(&b));
    ck_assert_uint_eq(gsl_rng_max(rng_gsl(&a)), UINT64_MAX);
    ck_assert_uint_eq(gsl_rng_min(rng_gsl(&a)), 0);

    // The type also works if GSL allocates it and seeds it with one number; seed 0 is valid.
    gsl_rng *own = gsl_rng_alloc(rng_type);
    gsl_rng_set(own, 7);
    ck_assert_uint_eq(gsl_rng_get(own), UINT64_C(0x227a78912e0296b4));
    gsl_rng_set(own, 0);
    uint64_t zero = gsl_rng_get(own);
    gsl_rng_set(own, 1);
    ck_assert_uint_ne(gsl_rng_get(own), zero);
    gsl_rng_free(own);
}
END_TEST

START_TEST(uniforms_are_below_one)
{
    struct rng_stream stream;
    rng_init(&stream, 0, RNG_TEST, 0);
    double sum = 0, low = 1, high = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = rng_uniform(&stream);
        ck_assert_double_ge(u, 0.0);
        ck_assert_double_lt(u, 1.0);
        sum += u;
        low = u < low ? u : low;
        high = u > high ? u : high;
    }
    // Standard error of the mean: sqrt(1/12/65536) = 0.00113; four of them.
    ck_assert_double_eq_tol(sum / DRAWS, 0.5, 0.0045);
    ck_assert_double_lt(low, 0.001);
    ck_assert_double_gt(high, 0.999);
}
END_TEST

/* ---- chi-square: every stream of bytes fills 256 cells evenly ---------------------------------
 */

typedef unsigned byte_source(int i);

static uint64_t first_draw(uint64_t seed, enum rng_purpose purpose, uint64_t entity)
{
    struct rng_stream stream;
    rng_init(&stream, seed, purpose, entity);
    return rng_u64(&stream);
}

static unsigned by_entity_high(int i)
{
    return (unsigned)(first_draw(1, RNG_TEST, (uint64_t)i) >> 56);
}

static unsigned by_entity_low(int i)
{
    return (unsigned)(first_draw(1, RNG_TEST, (uint64_t)i) & 255);
}

static unsigned by_seed_high(int i)
{
    return (unsigned)(first_draw((uint64_t)i, RNG_TEST, 0) >> 56);
}

static unsigned by_purpose_low(int i)
{
    return (unsigned)(first_draw(0, (enum rng_purpose)i, 3) & 255);
}

static unsigned by_counter_high(int i)
{
    return (unsigned)(expected_draw(9, RNG_TEST, 9, (uint64_t)i) >> 56);
}

static unsigned by_counter_low(int i)
{
    return (unsigned)(expected_draw(9, RNG_TEST, 9, (uint64_t)i) & 255);
}

/* Pairs: four bits of one draw and four bits of its neighbour fill 16 x 16 cells evenly if the two
 * are independent. */
static unsigned neighbours(uint64_t a, uint64_t b)
{
    return (unsigned)(a >> 60 << 4 | b >> 60);
}

static unsigned pair_of_entities(int i)
{
    uint64_t e = (uint64_t)i;
    return neighbours(first_draw(2, RNG_TEST, e), first_draw(2, RNG_TEST, e + 1));
}

static unsigned pair_of_seeds(int i)
{
    uint64_t s = (uint64_t)i;
    return neighbours(first_draw(s, RNG_TEST, 7), first_draw(s + 1, RNG_TEST, 7));
}

static unsigned pair_of_purposes(int i)
{
    uint64_t e = (uint64_t)i;
    return neighbours(first_draw(3, RNG_ARRIVAL, e), first_draw(3, RNG_SHAPE, e));
}

static unsigned pair_of_seed_and_entity(int i)
{
    uint64_t n = (uint64_t)i;
    return neighbours(first_draw(n, RNG_TEST, n + 1), first_draw(n + 1, RNG_TEST, n));
}

static unsigned pair_of_counters(int i)
{
    uint64_t c = 2 * (uint64_t)i;
    return neighbours(expected_draw(4, RNG_TEST, 4, c), expected_draw(4, RNG_TEST, 4, c + 1));
}

static byte_source *const sources[] = {
    by_entity_high,   by_entity_low,           by_seed_high,     by_purpose_low,
    by_counter_high,  by_counter_low,          pair_of_entities, pair_of_seeds,
    pair_of_purposes, pair_of_seed_and_entity, pair_of_counters,
};

START_TEST(cells_fill_evenly)
{
    uint32_t counts[CELLS] = {0};
    for (int i = 0; i < DRAWS; i++)
        counts[sources[_i](i)]++;
    double mean = (double)DRAWS / CELLS, chi2 = 0;
    for (int i = 0; i < CELLS; i++)
        chi2 += (counts[i] - mean) * (counts[i] - mean) / mean;
    double p = gsl_cdf_chisq_Q(chi2, CELLS - 1);
    ck_assert_msg(p > 1e-4 && p < 1 - 1e-4, "source %d: chi-square %.1f, p %.6f", _i, chi2, p);
}
END_TEST

/* Flipping any one bit of seed or entity flips each bit of the first draw about half the time. */
START_TEST(one_bit_changes_half)
{
    const int trials = 400;
    for (int bit = 0; bit < 128; bit++) {
        int flipped = 0;
        for (int t = 0; t < trials; t++) {
            uint64_t seed = (uint64_t)t * 3, entity = (uint64_t)t * 5;
            uint64_t one = UINT64_C(1) << (bit % 64);
            uint64_t other = bit < 64 ? first_draw(seed ^ one, RNG_TEST, entity)
                                      : first_draw(seed, RNG_TEST, entity ^ one);
            flipped += __builtin_popcountll(first_draw(seed, RNG_TEST, entity) ^ other);
        }
        // Mean 32 bits, standard error 4 / sqrt(400) = 0.2.
        ck_assert_double_eq_tol((double)flipped / trials, 32.0, 1.0);
    }
}
END_TEST

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

START_TEST(streams_differ)
{
    enum { SIDE = 40 };
    uint64_t *draws = calloc(SIDE * SIDE * SIDE, sizeof *draws);
    ck_assert_ptr_nonnull(draws);
    size_t n = 0;
    for (uint64_t s = 0; s < SIDE; s++)
        for (int p = 0; p < SIDE; p++)
            for (uint64_t e = 0; e < SIDE; e++)
                draws[n++] = first_draw(s, (enum rng_purpose)p, e);
    qsort(draws, n, sizeof *draws, compare_u64);
    for (size_t i = 1; i < n; i++)
        ck_assert_uint_ne(draws[i - 1], draws[i]);
    free(draws);
}
END_TEST

START_TEST(distributions_have_their_means)
{
    double exponential = 0, lognormal = 0, logs = 0;
    struct rng_stream stream;
    for (uint64_t i = 0; i < DRAWS; i++) {
        rng_init(&stream, 11, RNG_TEST, i);
        exponential += gsl_ran_exponential(rng_gsl(&stream), 300);
        double x = gsl_ran_lognormal(rng_gsl(&stream), 2, 0.5);
        lognormal += x;
        logs += log(x);
    }
    // Means: 300; exp(2 + 0.125) = 8.3729; 2. Tolerances: four standard errors of 65,536 draws.
    ck_assert_double_eq_tol(exponential / DRAWS, 300, 4 * 300 / 256.0);
    ck_assert_double_eq_tol(lognormal / DRAWS, 8.3729, 4 * 8.3729 * 0.5329 / 256.0);
    ck_assert_double_eq_tol(logs / DRAWS, 2, 4 * 0.5 / 256.0);
}
END_TEST

/* Test vectors published by the authors of FNV: 64 bits, FNV-1a. */
START_TEST(names_are_hashed_as_published)
{
    ck_assert_uint_eq(rng_entity(""), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(rng_entity("a"), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(rng_entity("foobar"), UINT64_C(0x85944171f73967e8));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rng");
    TCase *tcase = tcase_create("rng");
    tcase_add_loop_test(tcase, known_answers, 0, ROWS(known_rows));
    tcase_add_test(tcase, equals_second_computation);
    tcase_add_test(tcase, gsl_sees_the_same_stream);
    tcase_add_test(tcase, uniforms_are_below_one);
    tcase_add_loop_test(tcase, cells_fill_evenly, 0, ROWS(sources));
    tcase_add_test(tcase, one_bit_changes_half);
    tcase_add_test(tcase, streams_differ);
    tcase_add_test(tcase, distributions_have_their_means);
    tcase_add_test(tcase, names_are_hashed_as_published);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
