/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies against sorted arrays, and the Kaplan-Meier estimate against a published table. */
#include "report/stats/tally.h"
#include "tests/lib/harness.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

static struct tally_quantile quantile(const struct tally *tally, double q)
{
    size_t count;
    struct tally_cell *cells = tally_sorted(tally, &count);
    struct tally_quantile found = tally_quantile(tally, cells, count, q);
    free(cells);
    return found;
}

/* ---- complete observations ---- */

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Nearest rank: the smallest value with at least q n values at or below it, found by counting. */
static int64_t nearest_rank(const int64_t *sorted, int64_t n, int64_t percent)
{
    for (int64_t i = 0; i < n; i++)
        if ((i + 1) * 100 >= percent * n)
            return sorted[i];
    return sorted[n - 1];
}

static const struct {
    int64_t from, span; /* of the values */
} spans[] = {
    {0, 1},
    {0, 2},
    {-5, 10},
    {0, 1000},
    {-1000000, 2000000},
    {INT64_C(4000000000000000000), 1000000},
};

START_TEST(percentiles_are_nearest_rank)
{
    enum { MOST = 400 };
    int64_t values[MOST];
    uint64_t random = (uint64_t)_i + 1;
    for (int64_t n = 1; n < MOST; n += n < 130 ? 1 : 37) {
        struct tally tally = {0};
        tally_sum sum = 0;
        for (int64_t i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            values[i] = spans[_i].from + (int64_t)(random >> 33) % spans[_i].span;
            sum += values[i];
            tally_add(&tally, values[i], false);
        }
        qsort(values, (size_t)n, sizeof *values, by_size);
        for (int64_t percent = 1; percent < 100; percent++) {
            struct tally_quantile found = quantile(&tally, (double)percent / 100.0);
            ck_assert(found.known);
            ck_assert_msg(found.value == nearest_rank(values, n, percent), "p%d of %d",
                          (int)percent, (int)n);
        }
        ck_assert_uint_eq(tally.observed, (uint64_t)n);
        ck_assert_int_eq(tally.max, values[n - 1]);
        ck_assert(tally.sum == sum);
        tally_fini(&tally);
    }
}
END_TEST

START_TEST(merging_is_adding)
{
    struct tally parts[3] = {0};
    struct tally sum = {0};
    struct tally all = {0};
    for (int i = 0; i < 3000; i++) {
        int64_t value = (int64_t)i * i % 997 - 100;
        tally_add(&parts[i % 3], value, i % 7 == 0);
        tally_add(&all, value, i % 7 == 0);
    }
    for (int i = 0; i < 3; i++)
        tally_merge(&sum, &parts[i]);
    if (_i == 1) /* a sum is a tally like any other */
        for (int i = 0; i < 3000; i++) {
            tally_add(&sum, i, false);
            tally_add(&all, i, false);
        }
    ck_assert_uint_eq(sum.observed, all.observed);
    ck_assert_uint_eq(sum.censored, all.censored);
    ck_assert(sum.sum == all.sum);
    ck_assert_int_eq(sum.max, all.max);
    for (int percent = 1; percent < 100; percent++) {
        struct tally_quantile a = quantile(&sum, percent / 100.0);
        struct tally_quantile b = quantile(&all, percent / 100.0);
        ck_assert_int_eq(a.known, b.known);
        ck_assert_int_eq(a.value, b.value);
    }
    for (int i = 0; i < 3; i++)
        tally_fini(&parts[i]);
    tally_fini(&sum);
    tally_fini(&all);
}
END_TEST

/* ---- censored observations ---- */

/*
 * Weeks of remission of 21 patients under 6-MP (Freireich et al. 1963), in every textbook on
 * survival; negative: still in remission after that many. S: 0.857 from 6, 0.807 from 7, 0.753 from
 * 10, 0.690 from 13, 0.627 from 16, 0.538 from 22, 0.448 from 23.
 */
static const int weeks[] = {6,   6,   6,   -6, 7,  -9,  10,  -10, -11, 13, 16,
                            -17, -19, -20, 22, 23, -25, -32, -32, -34, -35};

static const struct {
    double survival; /* the quantile 1 - S is the first week with S(t) at or below this */
    int64_t week;    /* -1: the estimate does not reach it */
} remission[] = {
    {0.999, 6},  {0.858, 6},  {0.857, 7},  {0.808, 7},  {0.806, 10}, {0.754, 10},
    {0.752, 13}, {0.691, 13}, {0.690, 16}, {0.628, 16}, {0.627, 22}, {0.539, 22},
    {0.537, 23}, {0.449, 23}, {0.448, -1}, {0.05, -1},
};

START_TEST(kaplan_meier_is_the_published_one)
{
    struct tally tally = {0};
    for (int i = 0; i < ROWS(weeks); i++)
        tally_add(&tally, abs(weeks[i]), weeks[i] < 0);
    ck_assert_uint_eq(tally.observed, 9);
    ck_assert_uint_eq(tally.censored, 12);
    struct tally_quantile found = quantile(&tally, 1.0 - remission[_i].survival);
    ck_assert_int_eq(found.known, remission[_i].week >= 0);
    ck_assert_int_eq(found.value,
                     found.known ? remission[_i].week : 35); /* else: at least the longest */
    tally_fini(&tally);
}
END_TEST

/* Exact fractions: S = 6/7 after 6, 6/7 x 16/17 after 7, ... The value at which S is just reached
 * counts. */
START_TEST(reaching_the_quantile_exactly_is_enough)
{
    struct tally tally = {0};
    for (int64_t i = 1; i <= 20; i++)
        tally_add(&tally, i, false);
    tally_add(&tally, 21, true);
    for (int i = 0; i < 19; i++)
        tally_add(&tally, 30, true);
    ck_assert_int_eq(quantile(&tally, 0.5).value, 20); /* S(20) = 20/40 */
    ck_assert(quantile(&tally, 0.5).known);
    ck_assert(!quantile(&tally, 0.51).known);
    ck_assert_int_eq(quantile(&tally, 0.51).value, 30);
    tally_fini(&tally);
}
END_TEST

/* Without censored values in between, the estimate is the empirical distribution, for any number of
 * values. */
START_TEST(errors_do_not_add_up)
{
    enum { N = 200000 };
    struct tally tally = {0};
    for (int64_t i = 1; i <= N; i++)
        tally_add(&tally, i, false);
    for (int i = 0; i < N; i++)
        tally_add(&tally, N, true); /* after all of them */
    static const int percents[] = {1, 10, 25, 49, 50};
    size_t count;
    struct tally_cell *cells = tally_sorted(&tally, &count);
    for (int i = 0; i < ROWS(percents); i++) {
        struct tally_quantile found = tally_quantile(&tally, cells, count, percents[i] / 100.0);
        ck_assert(found.known);
        ck_assert_int_eq(found.value, (int64_t)2 * N / 100 * percents[i]);
    }
    free(cells);
    tally_fini(&tally);
}
END_TEST

/* Values censored at t were still at risk when others ended at t. */
START_TEST(ends_come_before_censoring_at_one_value)
{
    struct tally tally = {0};
    tally_add(&tally, 5, true);
    tally_add(&tally, 5, false);
    ck_assert(quantile(&tally, 0.5).known); /* S(5) = 1/2, not 0 */
    ck_assert_int_eq(quantile(&tally, 0.5).value, 5);
    ck_assert(!quantile(&tally, 0.6).known);
    tally_fini(&tally);
}
END_TEST

/* ---- JSON ---- */

static cJSON *json_of(const struct tally *tally)
{
    struct out *out = out_memory();
    struct json json;
    json_init(&json, out, 0);
    json_begin_object(&json, NULL);
    tally_json(tally, &json, "t");
    json_end_object(&json);
    cJSON *parsed = cJSON_Parse(out_memory_text(out, NULL));
    ck_assert_ptr_nonnull(parsed);
    out_discard(out);
    return parsed;
}

static void expect_member(const cJSON *json, const char *key, double value)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItem(json, "t"), key);
    if (isnan(value)) {
        ck_assert_msg(cJSON_IsNull(member), "%s is not null", key);
        return;
    }
    ck_assert_msg(cJSON_IsNumber(member), "no number %s", key);
    ck_assert_double_eq_tol(member->valuedouble, value, 1e-9);
}

static bool has_member(const cJSON *json, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItem(json, "t"), key) != NULL;
}

START_TEST(nothing_is_null)
{
    struct tally tally = {0};
    cJSON *json = json_of(&tally);
    static const char *const keys[] = {"mean", "p50", "p90", "p95", "p99", "max"};
    for (int i = 0; i < ROWS(keys); i++)
        expect_member(json, keys[i], (double)NAN);
    expect_member(json, "censored", 0);
    cJSON_Delete(json);
    tally_fini(&tally);
}
END_TEST

START_TEST(values_are_divided_by_a_thousand)
{
    struct tally tally = {0};
    for (int64_t i = 1; i <= 10; i++)
        tally_add(&tally, i * 1500, false);
    cJSON *json = json_of(&tally);
    expect_member(json, "mean", 8.25);
    expect_member(json, "p50", 7.5);
    expect_member(json, "p90", 13.5);
    expect_member(json, "p95", 15);
    expect_member(json, "max", 15);
    ck_assert(!has_member(json, "p95_at_least"));
    ck_assert(!has_member(json, "mean_at_least"));
    cJSON_Delete(json);
    tally_fini(&tally);
}
END_TEST

START_TEST(lower_bounds_are_marked)
{
    struct tally tally = {0};
    for (int64_t i = 1; i <= 8; i++)
        tally_add(&tally, i * 1000, false);
    tally_add(&tally, 20000, true);
    tally_add(&tally, 30000, true);
    cJSON *json = json_of(&tally);
    expect_member(json, "censored", 2);
    expect_member(json, "p50", 5);
    expect_member(json, "p90", (double)NAN);
    expect_member(json, "p90_at_least", 30);
    expect_member(json, "p95_at_least", 30);
    expect_member(json, "max", (double)NAN);
    expect_member(json, "max_at_least", 30);
    expect_member(json, "mean", (double)NAN);
    expect_member(json, "mean_at_least", 8.6); /* (36 + 50) / 10 */
    ck_assert(!has_member(json, "p50_at_least"));
    cJSON_Delete(json);
    tally_fini(&tally);
}
END_TEST

/* Sums of long times exceed int64. */
START_TEST(sums_do_not_overflow)
{
    struct tally tally = {0};
    for (int i = 0; i < 8; i++)
        tally_add(&tally, INT64_C(4000000000000000000), false);
    cJSON *json = json_of(&tally);
    const cJSON *mean = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "t"), "mean");
    ck_assert_double_eq_tol(mean->valuedouble, 4e15, 1);
    cJSON_Delete(json);
    tally_fini(&tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tally");
    TCase *tcase = tcase_create("complete");
    tcase_add_loop_test(tcase, percentiles_are_nearest_rank, 0, ROWS(spans));
    tcase_add_loop_test(tcase, merging_is_adding, 0, 2);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("censored");
    tcase_add_loop_test(tcase, kaplan_meier_is_the_published_one, 0, ROWS(remission));
    tcase_add_test(tcase, reaching_the_quantile_exactly_is_enough);
    tcase_add_test(tcase, errors_do_not_add_up);
    tcase_add_test(tcase, ends_come_before_censoring_at_one_value);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("json");
    tcase_add_test(tcase, nothing_is_null);
    tcase_add_test(tcase, values_are_divided_by_a_thousand);
    tcase_add_test(tcase, lower_bounds_are_marked);
    tcase_add_test(tcase, sums_do_not_overflow);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
