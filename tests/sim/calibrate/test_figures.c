/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a calibration with hand-made jobs; all values by hand. The sources are in no library.
 */
#include "sim/calibrate/figures.c"
#include "sim/calibrate/hours.c"
#include "sim/calibrate/verdict.c"

#include "tests/lib/harness.h"

#include <string.h>

#define S      INT64_C(1000)
#define MINUTE (60 * S)
#define HOUR   (60 * MINUTE)
#define MOST   16

static struct calibrate c;
static struct calibrate_job jobs[MOST];

/* The log is not read from a file. */
static void setup(void)
{
    memset(jobs, 0, sizeof jobs);
    c = (struct calibrate){.log = {.jobs = jobs}};
    c.log.names.queues = symbols_create();
    symbols_add(c.log.names.queues, "a", 1);
    symbols_add(c.log.names.queues, "b", 1);
}

static void teardown(void)
{
    symbols_destroy(c.log.names.queues);
    free(c.queues);
    free(c.hours.hours);
}

static struct calibrate_job *job(uint32_t queue, int64_t eligible, int64_t recorded,
                                 int64_t simulated)
{
    struct calibrate_job *made = &jobs[c.log.job_count++];
    *made = (struct calibrate_job){.eligible_ms = eligible,
                                   .start_ms = eligible + recorded,
                                   .end_ms = eligible + recorded + HOUR,
                                   .recorded_ms = recorded,
                                   .simulated_ms = simulated,
                                   .simulated_start_ms = eligible + simulated,
                                   .gpu_milli = 1000,
                                   .queue = queue,
                                   .counted = true};
    return made;
}

START_TEST(waits_by_queue_hour_and_part)
{
    job(0, 0, 0, 10 * S);             /* starts at once in both */
    job(0, HOUR, 30 * MINUTE, 0);     /* waits in the log only */
    job(1, 25 * HOUR, 0, 2 * MINUTE); /* waits in the simulation only, next day */
    job(1, -HOUR, 10 * MINUTE, 8 * MINUTE);
    job(1, HOUR, HOUR, CALIBRATE_NEVER);
    job(1, HOUR, HOUR, 0)->counted = false;
    calibrate_figures(&c);
    ck_assert_uint_eq(c.all.jobs, 4);
    ck_assert_uint_eq(c.never, 1);
    ck_assert_double_eq(c.all.recorded.mean_s, 600); /* 0 + 1800 + 0 + 600, over 4 */
    ck_assert_double_eq(c.all.simulated.mean_s, 152.5);
    ck_assert_double_eq(c.all.recorded.p50_s, 0);
    ck_assert_double_eq(c.all.recorded.p95_s, 1800);
    ck_assert_double_eq(c.all.simulated.p50_s, 10);
    ck_assert_double_eq(c.all.simulated.max_s, 480);
    ck_assert_double_eq(c.all.difference_s, 2400 - 610);
    ck_assert_uint_eq(c.queue_count, 2);
    ck_assert_double_eq(c.queues[0].difference_s, -10 + 1800);
    ck_assert_double_eq(c.queues[1].difference_s, -120 + 120);
    ck_assert_uint_eq(c.day[0].jobs, 1);
    ck_assert_uint_eq(c.day[1].jobs, 2); /* 01:00 of both days */
    ck_assert_uint_eq(c.day[23].jobs, 1);
    ck_assert_double_eq(c.parts[PART_NEITHER].difference_s, -10);
    ck_assert_double_eq(c.parts[PART_RECORDED].difference_s, 1800);
    ck_assert_double_eq(c.parts[PART_SIMULATED].difference_s, -120);
    ck_assert_double_eq(c.parts[PART_BOTH].difference_s, 120);
}
END_TEST

START_TEST(starts_in_order)
{
    /* Recorded waits 0, 10, 20, 30 min; simulated 5, 0, 20, 25 min: only one of the first two keeps
     * the order. */
    job(0, 0, 0, 5 * MINUTE);
    job(0, 0, 10 * MINUTE, 0);
    job(0, 0, 20 * MINUTE, 20 * MINUTE);
    job(0, 0, 30 * MINUTE, 25 * MINUTE);
    calibrate_figures(&c);
    ck_assert_uint_eq(c.starts.in_order, 3);
    ck_assert_double_eq(c.starts.median_s, 300); /* of 0, 5, 5, 10 minutes */
    ck_assert_double_eq(c.starts.p90_s, 600);
}
END_TEST

START_TEST(busy_gpus_by_the_hour)
{
    c.hours = (struct calibrate_hours){.count = 3, .from_ms = HOUR};
    c.hours.hours = mem_alloc(3, sizeof *c.hours.hours);
    calibrate_hours_recorded(&c.hours, 4000, 0, HOUR + 30 * MINUTE); /* half of hour 0 */
    calibrate_hours_recorded(&c.hours, 1000, 2 * HOUR, 9 * HOUR);    /* hours 1 and 2 */
    calibrate_hours_simulated(&c.hours, 3000, 90 * MINUTE, 150 * MINUTE);
    double recorded[] = {2, 1, 1}, simulated[] = {1.5, 1.5, 0};
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq(c.hours.hours[i].recorded, recorded[i]);
        ck_assert_double_eq(c.hours.hours[i].simulated, simulated[i]);
    }
    job(0, 0, 0, 0)->gpu_milli = 2000;
    job(0, 0, HOUR, 0)->gpu_milli = 5000; /* begins when the first one ends */
    job(0, 0, 90 * MINUTE, 0)->gpu_milli = 500;
    calibrate_figures(&c);
    ck_assert_double_eq_tol(c.use.recorded, 4.0 / 3, 1e-12);
    ck_assert_double_eq_tol(c.use.simulated, 1, 1e-12);
    ck_assert_double_eq_tol(c.use.gap, 2.0 / 3, 1e-12); /* 0.5, 0.5, 1 */
    /* Deviations 2/3, -1/3, -1/3 and 1/2, 1/2, -1: r = 0.5 / sqrt(2/3 * 3/2). */
    ck_assert_double_eq_tol(c.use.correlation, 0.5, 1e-12);
    ck_assert_double_eq(c.use.peak, 5.5);
}
END_TEST

START_TEST(agreement)
{
    for (int i = 0; i < 10; i++)
        job(0, 0, 1000 * S, 1000 * S);
    calibrate_figures(&c);
    ck_assert(calibrate_agrees(&c));
    c.all.simulated.p95_s = 899;
    ck_assert(!calibrate_agrees(&c)); /* 101 s of 1,000 */
    c.all.simulated.p95_s = 901;
    ck_assert(calibrate_agrees(&c));
    c.all.recorded.mean_s = 50;
    c.all.simulated.mean_s = 0;
    ck_assert(calibrate_agrees(&c)); /* within a minute */
    c.never = 1;
    ck_assert(!calibrate_agrees(&c)); /* one of eleven */
}
END_TEST

static bool says(const struct calibrate_verdict *v, const char *text)
{
    for (size_t i = 0; i < v->count; i++)
        if (strstr(v->sentences[i], text) != NULL)
            return true;
    return false;
}

START_TEST(verdicts)
{
    struct calibrate_verdict v;
    for (int i = 0; i < 10; i++)
        job(0, i * HOUR, 2 * HOUR, 0);
    job(1, 0, 0, 0);
    c.log.without_start = 7;
    c.use.installed = 1;
    calibrate_figures(&c);
    calibrate_verdict_make(&v, &c);
    ck_assert(says(&v, "differs from the log: p95 wait 2h00m recorded, 0s simulated"));
    ck_assert(says(&v, "(100.0% of it, 10 jobs) jobs that waited in the log"));
    ck_assert(says(&v, "queue a has 100.0% of it: its jobs waited 20h00m longer"));
    ck_assert(!says(&v, "GPUs were busy")); /* an hour each, in sequence; b ends earlier */
    ck_assert(says(&v, "when they started (those that never did would make its waits longer): 7"));
    calibrate_verdict_fini(&v);
    c.use.installed = 0;
    calibrate_verdict_make(&v, &c);
    ck_assert(says(&v, "1 GPUs were busy at one time in the log, and the fleet has 0"));
    calibrate_verdict_fini(&v);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calibrate");
    TCase *tcase = tcase_create("figures");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, waits_by_queue_hour_and_part);
    tcase_add_test(tcase, starts_in_order);
    tcase_add_test(tcase, busy_gpus_by_the_hour);
    tcase_add_test(tcase, agreement);
    tcase_add_test(tcase, verdicts);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
