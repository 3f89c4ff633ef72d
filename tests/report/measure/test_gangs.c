/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest placeable gang of hand-made runs: quantiles of its size over time, computed by hand.
 */
#include "report/measure/gangs.h"
#include "tests/sim/evict.h"
#include "tests/sim/listed.h"

static void begin(struct small *s, struct gangs *g, const char *options)
{
    *g = (struct gangs){0};
    small_begin(s, "fifo", options);
    small_observe(s, gangs_observer(g));
}

static void end(struct small *s, struct gangs *g)
{
    gangs_fini(g);
    small_end(s);
}

/* Two nodes of four. 0 to 10 s: three taken on one node; 10 to 20 s: two on the other, too; 20 to
 * 40 s: only these. */
static void run_pieces(struct small *s, struct gangs *g)
{
    begin(s, g, "placement=spread");
    small_pool(s, "p", 2, 4);
    small_job(s, "a", 0, 20000, 3);
    small_job(s, "b", 10000, 30000, 2);
    small_run(s);
    gangs_finish(g, s->sim);
}

START_TEST(sizes_over_time)
{
    static const struct {
        int64_t ppm, size;
    } rows[] = {
        {0, 2},      {50000, 2}, /* for a quarter of the time nothing larger than 2 could start */
        {249999, 2}, {250000, 4}, {500000, 4}, {1000000, 8}};
    struct small s;
    struct gangs g;
    run_pieces(&s, &g);
    ck_assert_int_eq(g.time_ms[2], 10000);
    ck_assert_int_eq(g.time_ms[4], 30000);
    ck_assert_int_eq(g.time_ms[8], 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(gangs_quantile(&g, rows[i].ppm) == rows[i].size,
                      "row %zu: %lld, expected %lld", i, (long long)gangs_quantile(&g, rows[i].ppm),
                      (long long)rows[i].size);
    end(&s, &g);
}
END_TEST

START_TEST(whole_nodes_count_in_one_pool_only)
{
    struct small s;
    struct gangs g;
    begin(&s, &g, "placement=first-fit");
    small_pool(&s, "p", 3, 4);
    small_pool(&s, "q", 2, 8);
    small_job(&s, "a", 0, 10000, 1);
    small_job(&s, "b", 0, 20000, 1)->submit_ms = 0;
    small_run(&s);
    gangs_finish(&g, s.sim);
    ck_assert_int_eq(
        g.time_ms[16],
        20000); /* two nodes of q; of p two of three, and 2 or 3 devices of the first */
    end(&s, &g);
}
END_TEST

/* Two nodes of 4, a job on one of them until 20; the other one is down from 5 to 15. */
START_TEST(nodes_that_are_down_offer_nothing)
{
    struct small s;
    struct gangs g;
    struct listed l = {0};
    begin(&s, &g, "placement=first-fit");
    small_pool(&s, "p", 2, 4);
    small_job(&s, "a", 0, 20000, 1);
    listed_add(&s, &l, 5, SIM_FAULT_KILLS, 1, 0, 10);
    small_run(&s);
    gangs_finish(&g, s.sim);
    ck_assert_int_eq(g.time_ms[4], 10000);
    ck_assert_int_eq(g.time_ms[3], 10000);
    end(&s, &g);
}
END_TEST

START_TEST(a_device_in_part_is_not_free)
{
    struct small s;
    struct gangs g;
    begin(&s, &g, "");
    small_pool(&s, "p", 1, 2);
    struct trace_job *half = small_job(&s, "half", 0, 10000, TRACE_UNKNOWN);
    half->gpus = 1;
    half->gpu_milli = 500;
    small_job(&s, "one", 10000, 10000, 1);
    small_job(&s, "two", 10000, 5000, 1);
    small_run(&s);
    gangs_finish(&g, s.sim);
    ck_assert_int_eq(g.time_ms[1], 15000);
    ck_assert_int_eq(g.time_ms[0], 5000);
    end(&s, &g);
}
END_TEST

START_TEST(nodes_sold_as_wholes_offer_all_or_nothing)
{
    struct small s;
    struct gangs g;
    begin(&s, &g, "");
    small_pool(&s, "p", 1, 4);
    s.fleet.nodes[0].whole_only = true;
    small_pool(&s, "q", 1, 2);
    small_queue(&s, "q", 2);
    small_queue(&s, "p", 1);
    small_job_of(&s, "p", "all", 0, 10000, 4);
    small_job_of(&s, "q", "one", 0, 20000, 1);
    small_run(&s);
    gangs_finish(&g, s.sim);
    ck_assert_int_eq(g.time_ms[1], 10000);
    ck_assert_int_eq(g.time_ms[4], 10000);
    end(&s, &g);
}
END_TEST

START_TEST(evicted_tasks_hold_their_devices)
{
    struct small s;
    struct gangs g = {0};
    small_begin(&s, "runai", "");
    small_observe(&s, gangs_observer(&g));
    small_pool(&s, "p", 1, 4);
    s.config.grace_ms = 4000;
    s.config.horizon_ms = 20000;
    small_job(&s, "a", 0, 100000, 3);
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    evict_now(&s, "a", 1);
    evict_finish(&s);
    gangs_finish(&g, s.sim);
    ck_assert_int_eq(g.time_ms[4], 0); /* it restarts as soon as its devices are free */
    ck_assert_int_eq(g.time_ms[1], 20000);
    end(&s, &g);
}
END_TEST

START_TEST(only_the_window_counts)
{
    struct small s;
    struct gangs g;
    begin(&s, &g, "");
    s.config.warmup_ms = 5000;
    s.config.horizon_ms = 15000;
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 0, 100000, 1);
    small_job(&s, "b", 10000, 100000, 1);
    small_run(&s);
    gangs_finish(&g, s.sim);
    ck_assert_int_eq(g.time_ms[3], 5000);
    ck_assert_int_eq(g.time_ms[2], 5000);
    end(&s, &g);
}
END_TEST

START_TEST(undefined_without_nodes_or_time)
{
    struct small s;
    struct gangs g;
    begin(&s, &g, "placement=count");
    small_pool(&s, "p", 2, 4);
    small_job(&s, "a", 0, 20000, 3);
    small_run(&s);
    gangs_finish(&g, s.sim);
    ck_assert_int_eq(gangs_quantile(&g, 50000), -1);
    end(&s, &g);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gangs");
    TCase *tc = tcase_create("gangs");
    tcase_add_test(tc, sizes_over_time);
    tcase_add_test(tc, whole_nodes_count_in_one_pool_only);
    tcase_add_test(tc, nodes_that_are_down_offer_nothing);
    tcase_add_test(tc, a_device_in_part_is_not_free);
    tcase_add_test(tc, nodes_sold_as_wholes_offer_all_or_nothing);
    tcase_add_test(tc, evicted_tasks_hold_their_devices);
    tcase_add_test(tc, only_the_window_counts);
    tcase_add_test(tc, undefined_without_nodes_or_time);
    suite_add_tcase(suite, tc);
    return harness_run(suite);
}
