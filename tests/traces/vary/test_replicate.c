/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replicas of a trace: users with all jobs at their hours of the week, as many as `growth` says;
 * variances over many replicas against the formula of a prediction, 2 s^2 / n, for users and for
 * weeks; copies of a user never at the same instant; the same draws for the same seed; unnamed
 * users; short traces.
 */
#include "traces/vary/replicate.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "tests/traces/people.h"

#include <gsl/gsl_randist.h>
#include <math.h>

enum { USERS = 30, WEEKS = 5, DRAWS = 1500 };

static void replicate(struct people *p, double growth, uint64_t seed)
{
    struct trace *in = whole_trace(&p->source, "test");
    trace_close(p->trace);
    p->trace = trace_replicate(
        in, &(struct trace_replication){.growth = growth, .seed = seed, .names = p->names});
}

static void add(struct people *p, int user, int64_t submit_ms)
{
    char name[16];
    snprintf(name, sizeof name, "u%d", user);
    people_add(p, name, submit_ms, 1 + user, HOUR_MS, "");
}

/* User u submits every day of five weeks at the same hour: no week is busier than another. */
static void make_regular(struct people *p)
{
    people_open(p);
    for (int day = 0; day < 7 * WEEKS; day++)
        for (int u = 0; u < USERS; u++)
            add(p, u, day * DAY_MS + u * INT64_C(2000000));
}

static const double growths[] = {0.5, 1, 1.3};

/* All jobs of every user drawn, under new names, at their time of day; growth x 30 users. */
START_TEST(users_are_whole)
{
    struct people p;
    make_regular(&p);
    replicate(&p, growths[_i], 5);
    size_t jobs = 0, users = 0;
    size_t *of_user = mem_alloc(10 * USERS, sizeof *of_user);
    struct symbols *ids = symbols_create();
    for (; people_next(&p); jobs++) {
        const char *name = symbols_name(p.names.users, p.job.user), *mark = strchr(name, '#');
        int u = (int)p.job.gpus_total - 1;
        ck_assert_int_eq(p.job.submit_ms % DAY_MS, u * INT64_C(2000000));
        ck_assert_int_le(p.job.submit_ms, p.source.jobs[p.source.count - 1].submit_ms);
        ck_assert_int_eq((int)strtol(name + 1, NULL, 10), u);
        ck_assert(mark == NULL ? strchr(p.job.id, '#') == NULL
                               : strcmp(mark, strchr(p.job.id, '#')) == 0);
        symbols_add(ids, p.job.id, strlen(p.job.id));
        ck_assert_uint_lt(p.job.user, 10 * USERS);
        users += of_user[p.job.user]++ == 0;
    }
    ck_assert_uint_eq(users, (size_t)(growths[_i] * USERS + 0.5));
    ck_assert_uint_eq(jobs, users * 7 * WEEKS);
    ck_assert_uint_eq(symbols_count(ids), jobs);
    for (size_t u = 0; u < 10 * USERS; u++)
        ck_assert(of_user[u] == 0 || of_user[u] == 7 * WEEKS);
    symbols_destroy(ids);
    free(of_user);
    people_close(&p);
}
END_TEST

/*
 * User u uses 35 (1 + u) GPU-hours: a mean of 15.5 and an s^2 of u of 30 x 31 / 12 = 77.5. The mean
 * of a replica's 30 users has the overall mean and the variance 2 s^2 / 30 = 5.167; the error of
 * 1,500 draws is 3.7 % and more for tails.
 */
START_TEST(users_vary_as_a_prediction)
{
    struct people p;
    make_regular(&p);
    double sum = 0, squares = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        replicate(&p, 1, seed);
        double mean = 0;
        while (people_next(&p))
            mean += (double)p.job.gpus_total / (7 * WEEKS * USERS);
        sum += mean;
        squares += (mean - 15.5) * (mean - 15.5);
    }
    ck_assert_double_eq_tol(sum / DRAWS, 15.5, 4 * sqrt(2 * 77.5 / 30 / DRAWS));
    ck_assert_double_eq_tol(squares / DRAWS, 2 * 77.5 / 30, 0.12 * 2 * 77.5 / 30);
    people_close(&p);
}
END_TEST

/*
 * All users submit 10 + 2 w times in week w of 0..4, spread over the week: levels 10, 12, ..., 18
 * over 14 with s^2 = 10 / 14^2. The mean level of a replica's weeks has the variance 2 s^2 / 5 =
 * 0.0204; users add nothing, since all are alike.
 */
START_TEST(weeks_vary_as_a_prediction)
{
    struct people p;
    people_open(&p);
    for (int w = 0; w < WEEKS; w++)
        for (int i = 0; i < 10 + 2 * w; i++)
            for (int u = 0; u < USERS; u++)
                people_add(&p, (char[]){'u', (char)('0' + u / 10), (char)('0' + u % 10), '\0'},
                           w * WEEK_MS + i * WEEK_MS / 20 + u * INT64_C(100000), 1, HOUR_MS, "");
    people_add(&p, "u00", WEEKS * WEEK_MS - 1, 1, HOUR_MS, "");
    double sum = 0, squares = 0;
    int draws = DRAWS / 4;
    for (uint64_t seed = 0; seed < (uint64_t)draws; seed++) {
        replicate(&p, 1, seed);
        double level = 0;
        while (people_next(&p))
            level += 1.0 / (14 * WEEKS * USERS);
        sum += level;
        squares += (level - 1) * (level - 1);
    }
    double variance = 2 * (10.0 / 14 / 14) / 5;
    ck_assert_double_eq_tol(sum / draws, 1, 4 * sqrt(variance / draws));
    ck_assert_double_eq_tol(squares / draws, variance, 0.2 * variance);
    people_close(&p);
}
END_TEST

/* Users with independent Poisson processes: no week is busy for all, and no burst is doubled or
 * left out. */
START_TEST(chance_is_no_busy_week)
{
    struct people p;
    struct rng_stream random;
    people_open(&p);
    rng_init(&random, 3, RNG_TEST, 0);
    for (int64_t at_ms = 0; at_ms < WEEKS * WEEK_MS;
         at_ms += (int64_t)gsl_ran_exponential(rng_gsl(&random), 3e6) + 1)
        add(&p, (int)(rng_uniform(&random) * USERS), at_ms);
    double share = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t jobs = 0, layered = 0;
        replicate(&p, 1, seed);
        for (; people_next(&p); jobs++) {
            const char *mark = strchr(p.job.id, '#'),
                       *user = strchr(symbols_name(p.names.users, p.job.user), '#');
            layered += mark != NULL && (user == NULL || strcmp(mark, user) != 0);
        }
        share += (double)layered / (double)jobs / 20;
    }
    ck_assert_double_lt(share, 0.04);
    people_close(&p);
}
END_TEST

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/*
 * User u submits once, 1 + u hours after the beginning of a week. Copies with the same turn would
 * submit at the same instant: with turns drawn independently in a month, one pair in four. The
 * weeks have room for this many copies; further ones have jitter, within half an hour.
 */
static const int spans_in_weeks[] = {10, 5, 2};

START_TEST(copies_never_submit_at_the_same_instant)
{
    int weeks = spans_in_weeks[_i];
    struct people p;
    people_open(&p);
    add(&p, USERS, 0);
    for (int w = 0; w < weeks; w++) /* the same number in each week, so that none is busy */
        for (int u = w; u < USERS; u += weeks)
            add(&p, u, w * WEEK_MS + (1 + u) * HOUR_MS);
    add(&p, USERS, weeks * WEEK_MS - 1);
    size_t most = 0, jittered = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        int64_t times[USERS][USERS + 1];
        size_t count[USERS] = {0};
        for (replicate(&p, 1, seed); people_next(&p);) {
            int u = (int)p.job.gpus_total - 1;
            if (u < USERS)
                times[u][count[u]++] = p.job.submit_ms;
        }
        for (int u = 0; u < USERS; u++) {
            size_t exact = 0;
            qsort(times[u], count[u], sizeof times[u][0], by_value);
            for (size_t k = 0; k < count[u]; k++) {
                int64_t off_ms =
                    (times[u][k] - (1 + u) * HOUR_MS + WEEK_MS / 2) % WEEK_MS - WEEK_MS / 2;
                ck_assert(k == 0 || times[u][k] != times[u][k - 1]);
                ck_assert_int_le(llabs(off_ms), HOUR_MS / 2);
                exact += off_ms == 0;
            }
            jittered += count[u] - exact;
            ck_assert_uint_eq(exact, count[u] < (size_t)weeks ? count[u] : (size_t)weeks);
            most = count[u] > most ? count[u] : most;
        }
    }
    ck_assert_uint_gt(most, 5);
    ck_assert(weeks > 5 || jittered > 0);
    people_close(&p);
}
END_TEST

START_TEST(draws_belong_to_the_seed)
{
    struct people a, b;
    int same = 0, count = 0;
    make_regular(&a);
    make_regular(&b);
    replicate(&a, 1, 8);
    replicate(&b, 1, 8);
    while (people_next(&a)) {
        ck_assert(people_next(&b));
        ck_assert_str_eq(a.job.id, b.job.id);
        ck_assert_int_eq(a.job.submit_ms, b.job.submit_ms);
    }
    ck_assert(!people_next(&b));
    replicate(&a, 1, 8);
    replicate(&b, 1, 9);
    for (; people_next(&a); count++)
        same += people_next(&b) && strcmp(a.job.id, b.job.id) == 0;
    ck_assert_int_lt(same, count / 2);
    people_close(&a);
    people_close(&b);
}
END_TEST

/* Days, weeks; users, and bursts if fewer than ten are named. */
static const struct variety_row {
    int users;
    int64_t span_ms;
    struct trace_variety variety;
} varieties[] = {
    {10, 26 * DAY_MS, {10, false, 3, WEEK_MS}},
    {10, 14 * DAY_MS - HOUR_MS, {10, false, 2, WEEK_MS}},
    {10, 5 * DAY_MS, {10, false, 5, DAY_MS}},
    {9, 28 * DAY_MS, {673, true, 4, WEEK_MS}},
};

START_TEST(variety_of_a_trace)
{
    const struct variety_row *row = &varieties[_i];
    struct people p;
    struct trace_variety variety;
    people_open(&p);
    for (int64_t at_ms = 0, k = 0; at_ms <= row->span_ms; at_ms += HOUR_MS, k++)
        add(&p, (int)(k % row->users), at_ms);
    struct trace *in = whole_trace(&p.source, "test");
    struct trace_replication wanted = {.growth = 1, .names = p.names};
    ck_assert_int_eq(trace_variety(in, &wanted, &variety, &p.err), TRACE_END);
    ck_assert_uint_eq(variety.users, row->variety.users);
    ck_assert_int_eq(variety.bursts, row->variety.bursts);
    ck_assert_uint_eq(variety.blocks, row->variety.blocks);
    ck_assert_int_eq(variety.block_ms, row->variety.block_ms);
    people_close(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replicate");
    TCase *tcase = tcase_create("replicate");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, users_are_whole, 0, ROWS(growths));
    if (harness_whole()) {
        tcase_add_test(tcase, users_vary_as_a_prediction);
        tcase_add_test(tcase, weeks_vary_as_a_prediction);
    }
    tcase_add_test(tcase, chance_is_no_busy_week);
    tcase_add_loop_test(tcase, copies_never_submit_at_the_same_instant, 0, ROWS(spans_in_weeks));
    tcase_add_test(tcase, draws_belong_to_the_seed);
    tcase_add_loop_test(tcase, variety_of_a_trace, 0, ROWS(varieties));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
