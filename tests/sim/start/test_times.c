/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run times of jobs in a snapshot: given ones, and ones drawn on condition of the time they have
 * run. The source is in no library. */
#include "sim/start/times.c"

#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdio.h>

enum { HOUR = 3600000, DRAWS = 4000 };

static struct snap_job job_of(const char *id)
{
    return (struct snap_job){
        .id = id, .run_ms = -1, .limit_ms = -1, .life = {.duration_ms = -1, .estimate_ms = -1}};
}

static struct start_times *open_times(const struct scenario *sc)
{
    struct start_times *times = NULL;
    struct err err = {0};
    const struct trace_names names = {symbols_create(), symbols_create(), symbols_create(),
                                      symbols_create(), symbols_create()};
    ck_assert_msg(start_times_open(&times, sc, &names, &err), "%s", err.msg);
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
    return times;
}

static int64_t total(const struct start_times *times, const struct snap_job *job, uint64_t seed,
                     int64_t elapsed_ms)
{
    int64_t ms = -1;
    struct err err = {0};
    ck_assert_msg(start_times_total(times, job, seed, TRACE_TRAIN, 1000, elapsed_ms, &ms, &err),
                  "%s", err.msg);
    ck_assert_int_gt(ms, elapsed_ms);
    return ms;
}

static const struct said_row {
    enum scen_remaining how;
    int64_t duration_ms, run_ms, limit_ms, estimate_ms, elapsed_ms, total_ms;
} said_rows[] = {
    {SCEN_REMAINING_KNOWN, 50, 60, 70, 80, 0, 50},  {SCEN_REMAINING_KNOWN, -1, 60, 70, 80, 0, 60},
    {SCEN_REMAINING_KNOWN, -1, -1, 70, 80, 10, 70}, {SCEN_REMAINING_KNOWN, -1, -1, -1, 80, 0, 80},
    {SCEN_REMAINING_KNOWN, 50, 60, 70, 80, 50, 51}, /* about to end */
    {SCEN_REMAINING_KNOWN, 50, 60, 70, 80, 90, 91}, {SCEN_REMAINING_LIMITS, 50, 60, 70, 80, 0, 70},
    {SCEN_REMAINING_LIMITS, 50, 60, -1, 80, 0, 80}, {SCEN_REMAINING_LIMITS, 50, 60, -1, -1, 0, 60},
};

START_TEST(what_is_said)
{
    const struct said_row *row = &said_rows[_i];
    const struct scenario sc = {.start = {.remaining = row->how}};
    struct snap_job job = job_of("j");
    job.life.duration_ms = row->duration_ms;
    job.run_ms = row->run_ms;
    job.limit_ms = row->limit_ms;
    job.life.estimate_ms = row->estimate_ms;
    struct start_times *times = open_times(&sc);
    ck_assert_int_eq(total(times, &job, 1, row->elapsed_ms), row->total_ms);
    start_times_close(times);
}
END_TEST

START_TEST(run_times_are_unknown)
{
    const struct snapshot s = {.file = "s.json"};
    const struct scenario sc = {.start = {.snapshot = &s}};
    const struct snap_job job = job_of("j");
    struct start_times *times = open_times(&sc);
    struct err err = {0};
    int64_t ms;
    ck_assert(!start_times_total(times, &job, 1, TRACE_TRAIN, 1000, 0, &ms, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "s.json: job 'j' has no run time or limit");
    start_times_close(times);
}
END_TEST

/* Memoryless: the rest does not depend on the past; the mean within five standard errors; a limit
 * cuts. */
START_TEST(exponential)
{
    const struct scenario sc = {
        .start = {.remaining = SCEN_REMAINING_EXPONENTIAL, .mean_ms = 4.0 * HOUR}};
    struct start_times *times = open_times(&sc);
    struct snap_job job = job_of("some job");
    double sum = 0;
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        int64_t ms = total(times, &job, seed, 0);
        ck_assert_int_eq(total(times, &job, seed, 9 * HOUR), ms + 9 * HOUR);
        sum += (double)ms;
    }
    ck_assert_double_lt(fabs(sum / DRAWS - 4.0 * HOUR), 5 * 4.0 * HOUR / sqrt(DRAWS));
    struct snap_job other = job_of("other job");
    ck_assert_int_ne(total(times, &other, 1, 0), total(times, &job, 1, 0));
    job.limit_ms = 9 * HOUR + 1;
    ck_assert_int_eq(total(times, &job, 1, 9 * HOUR), 9 * HOUR + 1);
    start_times_close(times);
}
END_TEST

/*
 * Half of the jobs take longer than the median; of those that have run for the median, half take
 * longer than the quantile 3/4, which is exp(0.674490 sigma) times the median (tables of the normal
 * distribution).
 */
START_TEST(lognormal)
{
    const struct scenario sc = {
        .start = {.remaining = SCEN_REMAINING_LOGNORMAL, .mean_ms = 2.0 * HOUR, .sigma = 1.5}};
    struct start_times *times = open_times(&sc);
    const struct snap_job job = job_of("some job");
    const double three_quarters = 2.0 * HOUR * exp(0.674490 * 1.5);
    int longer = 0, much_longer = 0;
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        longer += total(times, &job, seed, 0) > 2 * HOUR;
        much_longer += (double)total(times, &job, seed, 2 * HOUR) > three_quarters;
    }
    const double five = 5 * sqrt(DRAWS) / 2;
    ck_assert_double_lt(fabs((double)longer - DRAWS / 2.0), five);
    ck_assert_double_lt(fabs((double)much_longer - DRAWS / 2.0), five);
    ck_assert_int_gt(total(times, &job, 1, INT64_C(1) << 48),
                     INT64_C(1) << 48); /* there is hardly any tail */
    start_times_close(times);
}
END_TEST

/* From jobs of its class and size that took longer; of its class; of all; and if none did, from the
 * mean of all. */
START_TEST(of_a_trace)
{
    struct folder folder;
    folder_make(&folder);
    folder_put(&folder, "jobs.csv",
               "job_id,submit_s,duration_s,gpus,class\n"
               "a,0,100,1,train\nb,0,200,1,train\nc,0,300,1,train\n"
               "d,0,1000,4,train\ne,0,5000,1,build\n");
    const struct scenario sc = {
        .start = {.remaining = SCEN_REMAINING_TRACE, .trace = folder_path(&folder, "jobs.csv")}};
    struct start_times *times = open_times(&sc);
    const struct snap_job job = job_of("j");
    int seen[3] = {0};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        int64_t first = total(times, &job, seed, 0), second = total(times, &job, seed, 100000);
        ck_assert(first == 100000 || first == 200000 || first == 300000);
        ck_assert(second == 200000 || second == 300000);
        seen[first / 100000 - 1]++;
        ck_assert_int_eq(total(times, &job, seed, 300000), 1000000);  /* of its class */
        ck_assert_int_eq(total(times, &job, seed, 1000000), 5000000); /* of all */
        (void)total(times, &job, seed, 5000000);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_int_gt(seen[i], 60); /* 100 expected, standard deviation 8.2 */
    start_times_close(times);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("start_times");
    TCase *tcase = tcase_create("times");
    tcase_add_loop_test(tcase, what_is_said, 0, (int)(sizeof said_rows / sizeof *said_rows));
    tcase_add_test(tcase, run_times_are_unknown);
    tcase_add_test(tcase, exponential);
    tcase_add_test(tcase, lognormal);
    tcase_add_test(tcase, of_a_trace);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
