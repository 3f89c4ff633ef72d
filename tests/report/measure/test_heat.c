/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heat map shows the time for which jobs held devices, for any intervals and groups of nodes.
 */
#include "report/measure/heat.h"
#include "report/measure/series.h"
#include "tests/lib/folder.h"
#include "tests/sim/listed.h"

#include <math.h>

static struct sim_observer only_heat(struct series *series)
{
    struct sim_observer observer = series_observer(series);
    observer.tick = NULL; /* no timeline */
    return observer;
}

/* Runs it with intervals of 10 s and compares the file. */
static void shows(struct small *s, const char *heatmap)
{
    struct series series = {0};
    struct folder folder;
    s->config.tick_ms = 10000;
    small_observe(s, only_heat(&series));
    small_run(s);
    folder_make(&folder);
    ck_assert(heat_write(&series, s->sim, folder.path, &s->err));
    char *text = folder_read(&folder, "heatmap.csv");
    ck_assert_str_eq(text, heatmap);
    free(text);
    folder_remove(&folder);
    series_fini(&series);
    small_end(s);
}

/* Two nodes of 2 GPUs, intervals of 10 s: a holds one GPU in 0..15, b both of the other node in
 * 5..20. */
START_TEST(cells_are_shares_of_time_and_devices)
{
    struct small s;
    small_begin(&s, "fifo", "placement=spread");
    small_pool(&s, "p", 2, 2);
    small_job(&s, "a", 0, 15000, 1);
    small_job(&s, "b", 5000, 15000, 2);
    small_job(&s, "c", 21000, 2000, 1);
    /* The last interval is as long as the run: c in 2 of its 3 seconds. */
    shows(&s, "node,0,10,20\np-0,0.5,0.25,0.333\np-1,0.5,1,0\n");
}
END_TEST

/*
 * Nodes of 1 GPU, intervals of 10 s. The second one is down from 4 to 36 and its job, which loses
 * nothing, continues after 36; that is more than half of the first interval, all of the next two
 * and more than half of the fourth.
 */
START_TEST(nodes_that_are_down_are_shown)
{
    struct small s;
    struct listed l = {0};
    small_begin(&s, "fifo", "placement=spread");
    small_pool(&s, "p", 2, 1);
    small_job(&s, "a", 0, 40000, 1);
    small_job(&s, "b", 0, 8000, 1);
    listed_add(&s, &l, 4, SIM_FAULT_KILLS, 1, 0, 32);
    shows(&s, "node,0,10,20,30\np-0,1,1,1,1\np-1,-1,-1,-1,-1\n");
}
END_TEST

/* One of 2 GPUs is busy whenever the node is up: not from 14 to 18. */
START_TEST(shares_are_of_the_time_when_nodes_are_up)
{
    struct small s;
    struct listed l = {0};
    small_begin(&s, "fifo", "placement=spread");
    small_pool(&s, "p", 1, 2);
    small_job(&s, "a", 0, 16000, 1);
    listed_add(&s, &l, 14, SIM_FAULT_KILLS, 0, 0, 4);
    shows(&s, "node,0,10\np-0,0.5,0.5\n");
}
END_TEST

START_TEST(nothing_started_nothing_shown)
{
    struct small s;
    struct series series = {0};
    struct folder folder;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "never", 0, 1000, 2);
    s.config.tick_ms = 1000;
    small_observe(&s, only_heat(&series));
    small_run(&s);
    folder_make(&folder);
    ck_assert(heat_write(&series, s.sim, folder.path, &s.err));
    ck_assert(!folder_has(&folder, "heatmap.csv"));
    folder_remove(&folder);
    series_fini(&series);
    small_end(&s);
}
END_TEST

/* Intervals only grow when the last one is full. */
START_TEST(intervals_are_no_longer_than_they_have_to_be)
{
    for (int64_t more = 0; more < 2; more++) {
        struct small s;
        struct series series = {0};
        struct folder folder;
        small_begin(&s, "fifo", "");
        small_pool(&s, "p", 1, 1);
        small_job(&s, "a", 0, SERIES_INTERVALS * 1000 + more, 1);
        s.config.tick_ms = 1000;
        small_observe(&s, only_heat(&series));
        small_run(&s);
        folder_make(&folder);
        ck_assert(heat_write(&series, s.sim, folder.path, &s.err));
        ck_assert_int_eq(series.heat.interval_ms, 1000 * (1 + more));
        folder_remove(&folder);
        series_fini(&series);
        small_end(&s);
    }
}
END_TEST

/* Nodes; sampling interval in milliseconds; mean run time in seconds: few and many of each. */
static const struct {
    int nodes;
    int64_t tick_ms, run_s;
    size_t rows, nodes_per_row;
} shapes[] = {
    {3, 1000, 20, 3, 1},     {3, 1, 20, 3, 1}, /* intervals have to double many times */
    {3, 7, 200, 3, 1},       {128, 1000, 50, 128, 1}, {129, 333, 50, 65, 2},
    {300, 1000, 50, 100, 3}, {5, 9999999, 20, 5, 1}, /* one interval */
};

START_TEST(rows_add_up_to_the_time_in_use)
{
    struct small s;
    struct series series = {0};
    struct folder folder;
    uint64_t random = (uint64_t)_i;
    small_begin(&s, "fifo", "placement=spread blocking=skip");
    s.silent = true;
    s.config.audit = false;
    small_pool(&s, "p", shapes[_i].nodes, 4);
    int64_t at = -12345;
    for (int i = 0; i < 300; i++) {
        small_job(&s, "j", at, small_below(&random, 2000 * shapes[_i].run_s),
                  small_below(&random, 5));
        at += small_below(&random, 900);
    }
    s.config.tick_ms = shapes[_i].tick_ms;
    s.config.horizon_ms = 200000;
    s.config.drain = _i % 2 == 0;
    small_observe(&s, only_heat(&series));
    small_run(&s);
    folder_make(&folder);
    ck_assert(heat_write(&series, s.sim, folder.path, &s.err));
    ck_assert_uint_eq(series.heat.rows, shapes[_i].rows);
    ck_assert_uint_eq(series.nodes_per_row, shapes[_i].nodes_per_row);
    double used[SERIES_ROWS] = {0};
    for (size_t i = 0; i < s.job_count; i++) {
        const struct small_life *life = &s.lives[i];
        int64_t end = life->end_ms == WORK_NEVER ? s.sim->now_ms : life->end_ms;
        if (life->start_ms != WORK_NEVER)
            used[life->node / shapes[_i].nodes_per_row] +=
                (double)trace_job_gpu_milli(&s.jobs[i]) * (double)(end - life->start_ms);
    }
    for (size_t row = 0; row < series.heat.rows; row++) {
        double sum = 0;
        for (size_t i = 0; i < SERIES_INTERVALS; i++) {
            double cell = series.heat.busy[row * SERIES_INTERVALS + i];
            double most =
                4000.0 * (double)shapes[_i].nodes_per_row * (double)series.heat.interval_ms;
            ck_assert(cell >= 0 && cell <= most);
            sum += cell;
        }
        ck_assert_double_eq_tol(sum, used[row], 0.5);
    }
    ck_assert_int_le((s.sim->now_ms - series.heat.start_ms - 1) / series.heat.interval_ms,
                     SERIES_INTERVALS - 1);
    folder_remove(&folder);
    series_fini(&series);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heat");
    TCase *tcase = tcase_create("heat");
    tcase_add_test(tcase, cells_are_shares_of_time_and_devices);
    tcase_add_test(tcase, nodes_that_are_down_are_shown);
    tcase_add_test(tcase, shares_are_of_the_time_when_nodes_are_up);
    tcase_add_test(tcase, nothing_started_nothing_shown);
    tcase_add_test(tcase, intervals_are_no_longer_than_they_have_to_be);
    tcase_add_loop_test(tcase, rows_add_up_to_the_time_in_use, 0, ROWS(shapes));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
