/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.csv and reasons.csv of hand-made runs, compared as text. */
#include "report/measure/series.h"
#include "tests/lib/folder.h"
#include "tests/sim/listed.h"

struct recorded {
    struct small s;
    struct shares shares;
    struct energy energy; /* without data */
    struct series series;
    struct folder folder;
};

static void begin(struct recorded *r, const char *options, int64_t tick_ms)
{
    r->shares = (struct shares){0};
    r->energy = (struct energy){0};
    small_begin(&r->s, "fifo", options);
    ck_assert(series_init(&r->series, &r->shares, &r->energy, "/tmp", &r->s.err));
    small_observe(&r->s, shares_observer(&r->shares));
    small_observe(&r->s, series_observer(&r->series));
    r->s.config.tick_ms = tick_ms;
    folder_make(&r->folder);
}

static void finish(struct recorded *r)
{
    small_run(&r->s);
    ck_assert_msg(series_write(&r->series, r->s.sim, r->folder.path, &r->s.err), "%s",
                  r->s.err.msg);
}

static void end(struct recorded *r)
{
    series_fini(&r->series);
    shares_fini(&r->shares);
    small_end(&r->s);
    folder_remove(&r->folder);
}

static void expect_file(struct recorded *r, const char *name, const char *expected)
{
    char *text = folder_read(&r->folder, name);
    ck_assert_str_eq(text, expected);
    free(text);
}

#define REASONS                                                                                    \
    "time_s,NOT_ELIGIBLE,WAITING,BEHIND,NEVER_FITS,DEVICES_BUSY,FRAGMENTED,CPU_OR_MEMORY,NODES_"   \
    "DOWN,OVER_"                                                                                   \
    "LIMIT,"                                                                                       \
    "OVER_QUOTA,TOPOLOGY_FRAGMENTED,TOPOLOGY_UNKNOWN,NOT_READY,NODE_MISMATCH,RELEASING,FIXED_"     \
    "QUOTA,RESERVED"

/*
 * 4 GPUs; x's job holds 3 of them in 0..10, y's wants 2 from 5 on and runs in 10..15. From 5 to 10
 * 5 GPUs are wanted: x is entitled to 2, y to 2.
 */
START_TEST(rows_show_the_state_of_all_queues)
{
    struct recorded r;
    begin(&r, "scope=queue", 5000);
    small_pool(&r.s, "p", 1, 4);
    small_queue(&r.s, "x", 0);
    small_queue(&r.s, "y", 0);
    small_job_of(&r.s, "x", "a", 0, 10000, 3);
    small_job_of(&r.s, "y", "b", 5000, 5000, 2);
    finish(&r);
    expect_file(&r, "timeline.csv",
                "time_s,installed,available,allocated,running,productive,pending_jobs,pending_gpus,"
                "frag,power_w,x:allocated,x:entitled,x:pending_jobs,x:pending_gpus,y:allocated,y:"
                "entitled,y:pending_jobs,y:pending_gpus\n"
                "0,4,4,3,3,3,0,0,,,3,3,0,0,0,0,0,0\n"
                "5,4,4,3,3,3,1,2,,,3,2,0,0,0,2,1,2\n"
                "10,4,4,2,2,2,0,0,,,0,0,0,0,2,2,0,0\n"
                "15,4,4,0,0,0,0,0,,,0,0,0,0,0,0,0,0\n");
    expect_file(&r, "reasons.csv",
                REASONS "\n"
                        "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                        "5,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0\n"
                        "10,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                        "15,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
    end(&r);
}
END_TEST

/* Rows written before a queue was known are filled with zeros; names are quoted if necessary. */
START_TEST(queues_may_appear_late)
{
    struct recorded r;
    begin(&r, "placement=count", 1000);
    small_pool(&r.s, "p", 1, 4);
    small_job_of(&r.s, "x", "a", -2000, 1000, 1);
    small_job_of(&r.s, "a, b", "b", 0, 500, 4);
    finish(&r);
    expect_file(&r, "timeline.csv",
                "time_s,installed,available,allocated,running,productive,pending_jobs,pending_gpus,"
                "frag,power_w,x:allocated,x:entitled,x:pending_jobs,x:pending_gpus,\"a, "
                "b:allocated\",\"a, b:entitled\",\"a, b:pending_jobs\",\"a, b:pending_gpus\"\n"
                "-2,4,4,1,1,1,0,0,,,1,1,0,0,0,0,0,0\n"
                "-1,4,4,0,0,0,0,0,,,0,0,0,0,0,0,0,0\n"
                "0,4,4,4,4,4,0,0,,,0,0,0,0,4,4,0,0\n");
    ck_assert(!folder_has(&r.folder, "heatmap.csv")); /* devices are only counted */
    end(&r);
}
END_TEST

/* One job for each reason: held, behind, never, busy. */
START_TEST(reasons_add_up_to_what_is_pending)
{
    struct recorded r;
    begin(&r, "blocking=strict", 2000);
    small_pool(&r.s, "p", 1, 4);
    small_job(&r.s, "a", 0, 10000, 3);
    small_job(&r.s, "busy", 1000, 1000, 4);
    small_job(&r.s, "behind", 1000, 1000, 1);
    small_job(&r.s, "never", 1000, 1000, 5);
    small_job(&r.s, "held", 1000, 1000, 1)->eligible_ms = 3000;
    r.s.config.horizon_ms = 4000;
    r.s.config.drain = false;
    finish(&r);
    expect_file(&r, "reasons.csv",
                REASONS "\n"
                        "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"
                        "2,1,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0\n"
                        "4,0,0,2,1,1,0,0,0,0,0,0,0,0,0,0,0,0\n");
    end(&r);
}
END_TEST

/* More rows than any buffer: none is broken. */
START_TEST(long_files_are_whole)
{
    struct recorded r;
    begin(&r, "", 1000);
    small_pool(&r.s, "p", 1, 4);
    small_job_of(&r.s, "x", "a", 0, 20000000, 1);
    small_job_of(&r.s, "y", "b", 10000000, 1000, 1);
    finish(&r);
    char *text = folder_read(&r.folder, "timeline.csv");
    int64_t row = -1;
    for (char *line = text; *line != '\0'; row++) {
        char *stop = strchr(line, '\n');
        ck_assert_ptr_nonnull(stop);
        *stop = '\0';
        int commas = 0;
        for (const char *c = line; *c != '\0'; c++)
            commas += *c == ',';
        ck_assert_int_eq(commas, 17);
        if (row >= 0)
            ck_assert_int_eq(strtoll(line, NULL, 10), row);
        line = stop + 1;
    }
    ck_assert_int_eq(row, 20001);
    free(text);
    end(&r);
}
END_TEST

/*
 * Two nodes of 4; one is announced at 5 to leave at 10 for 10 seconds: its two idle devices are
 * drained at once, the others when its job ends at 8; then it is down.
 */
START_TEST(devices_out_of_service_are_not_available)
{
    struct recorded r;
    struct listed l = {0};
    begin(&r, "placement=spread", 5000);
    small_pool(&r.s, "p", 2, 4);
    small_job(&r.s, "a", 0, 30000, 4);
    small_job(&r.s, "b", 0, 8000, 2);
    listed_add(&r.s, &l, 5, SIM_FAULT_DRAINS, 1, 5, 10);
    finish(&r);
    char *text = folder_read(&r.folder, "timeline.csv");
    static const char *const rows[] = {"\n0,8,8,6,",  "\n5,8,6,6,",  "\n10,8,4,4,",
                                       "\n15,8,4,4,", "\n20,8,8,4,", "\n25,8,8,4,"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        harness_contains(text, rows[i]);
    free(text);
    end(&r);
}
END_TEST

START_TEST(without_a_folder_nothing_is_written)
{
    struct recorded r;
    begin(&r, "", 1000);
    small_pool(&r.s, "p", 1, 4);
    small_job(&r.s, "a", 0, 2000, 1);
    small_run(&r.s);
    ck_assert(!series_write(&r.series, r.s.sim, "/nonexistent/folder", &r.s.err));
    harness_contains(r.s.err.msg, "/nonexistent/folder/timeline.csv");
    end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("series");
    TCase *tcase = tcase_create("series");
    tcase_add_test(tcase, rows_show_the_state_of_all_queues);
    tcase_add_test(tcase, queues_may_appear_late);
    tcase_add_test(tcase, reasons_add_up_to_what_is_pending);
    tcase_add_test(tcase, long_files_are_whole);
    tcase_add_test(tcase, devices_out_of_service_are_not_available);
    tcase_add_test(tcase, without_a_folder_nothing_is_written);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
