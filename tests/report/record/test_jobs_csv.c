/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.csv of hand-made runs, compared as text. */
#include "report/record/jobs_csv.h"
#include "tests/lib/folder.h"
#include "tests/sim/evict.h"

#define HEADER                                                                                     \
    "job_id,queue,user,class,gpus,submit_s,first_start_s,end_s,wait_s,queue_s,run_s,ideal_s,lost_" \
    "s,"                                                                                           \
    "preemptions,"                                                                                 \
    "failures,moves,placement,slowdown,state,cost_usd\n"

static void expect_rows(struct small *s, const char *rows)
{
    struct folder folder;
    struct jobs_csv csv = {0};
    folder_make(&folder);
    ck_assert(jobs_csv_open(&csv, folder.path, &s->err));
    ck_assert(!folder_has(&folder, "jobs.csv")); /* not before it is complete */
    small_observe(s, jobs_csv_observer(&csv));
    small_run(s);
    jobs_csv_finish(&csv, s->sim);
    ck_assert(out_close(csv.out, &s->err));
    char *text = folder_read(&folder, "jobs.csv");
    ck_assert_int_eq(strncmp(text, HEADER, strlen(HEADER)), 0);
    ck_assert_str_eq(text + strlen(HEADER), rows);
    free(text);
    folder_remove(&folder);
    small_end(s);
}

START_TEST(rows_come_as_jobs_end)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 2, 4);
    struct trace_job *job = small_job_of(&s, "a, b", "long", 0, 90000, 8);
    job->user = symbols_add(s.names.users, "ann", 3);
    small_job_of(&s, "q", "half", 10000, 30500, TRACE_UNKNOWN)->gpus = 1;
    s.jobs[1].gpu_milli = 500;
    s.jobs[1].status = TRACE_FAILED;
    small_job_of(&s, "q", "gang", 20000, 60000, TRACE_UNKNOWN)->status = TRACE_CANCELLED;
    s.jobs[2].gpus = 3;
    s.jobs[2].tasks = s.jobs[2].min_tasks = s.jobs[2].max_tasks = 2;
    s.jobs[2].class = TRACE_BATCH;
    s.jobs[2].eligible_ms = 30000;
    small_job_of(&s, "q", "x\"y", 20000, 0, 0);
    expect_rows(
        &s, "long,\"a, b\",ann,distributed,8,0,0,90,0,0,90,90,0,0,0,0,p-0:4;p-1:4,1,completed,\n"
            "\"x\"\"y\",q,,train,0,20,90,90,70,70,0,0,0,0,0,0,p-0:0,1.167,completed,\n"
            "half,q,,train,0.5,10,90,120.5,80,80,30.5,30.5,0,0,0,0,p-0:0.5,1.842,failed,\n"
            "gang,q,,batch,6,20,90,150,60,60,60,60,0,0,0,0,p-0:3;p-1:3,2.167,cancelled,\n");
}
END_TEST

/* Half a minute after its time was up, when its devices were free. */
START_TEST(jobs_ended_by_a_limit_had_a_place)
{
    struct small s;
    small_begin(&s, "runai", "interactive_limit_s=60");
    small_pool(&s, "p", 2, 4);
    small_queue(&s, "q", 0)->gpu.quota = 8000;
    s.config.grace_ms = 30000;
    struct trace_job *job = small_job_of(&s, "q", "a", 0, 1000000, 8);
    job->class = TRACE_BUILD;
    expect_rows(&s, "a,q,,build,8,0,0,90,0,0,60,1000,0,0,0,0,p-0:4;p-1:4,1,completed,\n");
}
END_TEST

START_TEST(unfinished_jobs_follow_in_order_of_submission)
{
    struct small s;
    small_begin(&s, "fifo", "placement=count");
    small_pool(&s, "p", 2, 4);
    small_job(&s, "never", -5000, 1000, 9);
    small_job(&s, "first", -4000, 1000, 8);
    small_job(&s, "runs", -3500, 100000, 6);
    small_job(&s, "waits", -3000, 1000, 4);
    small_job(&s, "held", -2000, 1500, 1)->eligible_ms = 100000;
    s.config.horizon_ms = 5000;
    s.config.drain = false;
    expect_rows(&s, "first,default,,distributed,8,-4,-4,-3,0,0,1,1,0,0,0,0,p:8,1,completed,\n"
                    "never,default,,distributed,9,-5,,,,,,1,0,0,0,0,,,never_fits,\n"
                    "runs,default,,distributed,6,-3.5,-3,,0.5,0.5,3,100,0,0,0,0,p:6,,running,\n"
                    "waits,default,,train,4,-3,,,,,,1,0,0,0,0,,,pending,\n"
                    "held,default,,train,1,-2,,,,,,1.5,0,0,0,0,,,pending,\n");
}
END_TEST

/*
 * a is evicted at 40 and loses 15 s, returns at 50, is evicted at 60 (30 are safe then), and waits
 * for b until the end; c is moved and returns at 50; jobs being released at the end have no place.
 */
START_TEST(rows_say_what_evictions_cost)
{
    struct small s;
    struct folder folder;
    struct jobs_csv csv = {0};
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 2);
    small_pool(&s, "q", 1, 1);
    s.config.grace_ms = 10000;
    s.config.horizon_ms = 75000;
    s.config.drain = false;
    small_job(&s, "a", 0, 100000, 2)->checkpoint_ms = 25000;
    small_job(&s, "c", 0, 30000, 1);
    folder_make(&folder);
    ck_assert(jobs_csv_open(&csv, folder.path, &s.err));
    small_observe(&s, jobs_csv_observer(&csv));
    ck_assert(small_create(&s));
    evict_run(&s, 25000);
    ck_assert(evict_try(&s, evict_find(&s, "c"), 1, POLICY_CONSOLIDATE, POLICY_REASON_MOVED));
    evict_run(&s, 40000);
    evict_now(&s, "a", INT32_MAX);
    evict_run(&s, 75000);
    evict_now(&s, "a", INT32_MAX);
    evict_finish(&s);
    jobs_csv_finish(&csv, s.sim);
    ck_assert(out_close(csv.out, &s.err));
    char *text = folder_read(&folder, "jobs.csv");
    ck_assert_str_eq(text + strlen(HEADER),
                     "c,default,,train,1,0,0,40,0,0,30,30,0,0,0,1,q-0:1,1,completed,\n"
                     "a,default,,train,2,0,0,,0,0,65,100,15,2,0,0,,,pending,\n");
    free(text);
    folder_remove(&folder);
    small_end(&s);
}
END_TEST

START_TEST(packing_studies_have_rows_too)
{
    struct small s;
    struct folder folder;
    struct jobs_csv csv = {0};
    small_begin(&s, "best-fit", "");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 7000, 5000, 3);
    folder_make(&folder);
    ck_assert(jobs_csv_open(&csv, folder.path, &s.err));
    small_observe(&s, jobs_csv_observer(&csv));
    static const int64_t order[] = {0, 0};
    ck_assert(small_create(&s) && sim_fill(s.sim, s.jobs, order, ROWS(order), &s.err) &&
              sim_finish(s.sim, &s.err));
    jobs_csv_finish(&csv, s.sim);
    ck_assert(out_close(csv.out, &s.err));
    char *text = folder_read(&folder, "jobs.csv");
    ck_assert_str_eq(text + strlen(HEADER),
                     "a,default,,train,3,0,,,,,,5,0,0,0,0,,,failed,\n"
                     "a,default,,train,3,0,0,,0,0,0,5,0,0,0,0,p-0:3,,running,\n");
    free(text);
    folder_remove(&folder);
    small_end(&s);
}
END_TEST

START_TEST(nothing_is_written_when_it_is_not_wanted)
{
    struct small s;
    struct jobs_csv csv = {0};
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 1000, 1);
    small_observe(&s, jobs_csv_observer(&csv));
    small_run(&s);
    jobs_csv_finish(&csv, s.sim);
    ck_assert_ptr_null(csv.out);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("jobs_csv");
    TCase *tcase = tcase_create("jobs_csv");
    tcase_add_test(tcase, rows_come_as_jobs_end);
    tcase_add_test(tcase, jobs_ended_by_a_limit_had_a_place);
    tcase_add_test(tcase, unfinished_jobs_follow_in_order_of_submission);
    tcase_add_test(tcase, rows_say_what_evictions_cost);
    tcase_add_test(tcase, packing_studies_have_rows_too);
    tcase_add_test(tcase, nothing_is_written_when_it_is_not_wanted);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
