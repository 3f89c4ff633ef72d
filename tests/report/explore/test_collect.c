/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer's data from hand-made runs: bars, slots, reasons, states of nodes. */
#include "report/explore/explore.h"
#include "report/record/node_state.h"
#include "tests/lib/harness.h"
#include "tests/sim/listed.h"

static void run(struct small *s, struct explore *e)
{
    explore_init(e);
    small_observe(s, explore_observer(e));
    small_run(s);
    explore_finish(e, s->sim);
}

static void end(struct small *s, struct explore *e)
{
    explore_fini(e);
    small_end(s);
}

static void ck_bar(const struct explore *e, size_t i, uint32_t job, uint32_t row, uint32_t rows,
                   int64_t from_s, int64_t to_s)
{
    ck_assert_uint_lt(i, e->rows.bar_count);
    const struct explore_bar *bar = &e->rows.bars[i];
    ck_assert_uint_eq(bar->job, job);
    ck_assert_uint_eq(bar->row, row);
    ck_assert_uint_eq(bar->rows, rows);
    ck_assert_int_eq(bar->from_ms, from_s * 1000);
    ck_assert_int_eq(bar->to_ms, to_s * 1000);
}

/* Two nodes of 4: `a` has 8 devices for 10 s, then `b` 2 and `c` 1 beside each other. */
START_TEST(neighbouring_devices_share_a_bar)
{
    struct small s;
    struct explore e;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 2, 4);
    small_job(&s, "a", 0, 10000, 8);
    small_job(&s, "b", 1000, 5000, 2);
    small_job(&s, "c", 2000, 20000, 1);
    run(&s, &e);
    ck_assert_uint_eq(e.rows.bar_count, 3);
    ck_bar(&e, 0, 0, 0, 8, 0, 10);
    ck_bar(&e, 1, 1, 0, 2, 10, 15);
    ck_bar(&e, 2, 2, 2, 1, 10, 30);
    ck_assert_int_eq(e.jobs[1].first_start_ms, 10000);
    ck_assert_int_eq(e.jobs[2].end_ms, 30000);
    ck_assert_int_eq(e.jobs[0].status, EXPLORE_COMPLETED);
    end(&s, &e);
}
END_TEST

/* Both are pending from the cycle in which they arrive; reasons are requested at once. */
START_TEST(pending_jobs_have_reasons)
{
    struct small s;
    struct explore e;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 0, 10000, 4);
    small_job(&s, "b", 1000, 5000, 4);
    small_job(&s, "c", 2000, 5000, 1);
    run(&s, &e);
    ck_assert_uint_ge(e.event_count, 2);
    ck_assert_uint_eq(e.events[0].job, 1);
    ck_assert_int_eq(e.events[0].at_ms, 1000);
    ck_assert_int_eq(e.events[0].kind, EXPLORE_REASON);
    ck_assert_int_eq(e.events[0].what, POLICY_REASON_DEVICES_BUSY);
    ck_assert_uint_eq(e.events[1].job, 2);
    ck_assert_int_eq(e.events[1].at_ms, 2000);
    ck_assert_int_eq(e.events[1].what, POLICY_REASON_BEHIND);
    end(&s, &e);
}
END_TEST

/* 4 devices for 15 s; 4 are held for 10 s, then 1 for 5 s; 4 are wanted from 2 s to 10 s. In slots
 * of a second: installed 4 in each, allocated 4 in the first ten and 1 in the others. */
START_TEST(slots_have_the_ladder)
{
    struct small s;
    struct explore e;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 0, 10000, 4);
    small_job(&s, "b", 2000, 5000, 1);
    run(&s, &e);
    ck_assert_int_eq(e.bins.width_ms, 1000);
    ck_assert_uint_eq(e.bins.count, 15);
    for (size_t i = 0; i < 15; i++) {
        const int64_t *sums = e.bins.bins[i].sums;
        ck_assert_int_eq(sums[EXPLORE_INSTALLED], 4000000);
        ck_assert_int_eq(sums[EXPLORE_ALLOCATED], i < 10 ? 4000000 : 1000000);
        ck_assert_int_eq(sums[EXPLORE_NO_DEMAND], i < 10 ? 0 : 3000000);
        ck_assert_int_eq(sums[EXPLORE_WANTED], i >= 2 && i < 10 ? 1000000 : 0);
        ck_assert_int_eq(sums[EXPLORE_PENDING_MS], i >= 2 && i < 10 ? 1000 : 0);
    }
    end(&s, &e);
}
END_TEST

/* 10,000 s do not fit into 4,096 slots of a second, but into as many of four. */
START_TEST(slots_widen)
{
    struct small s;
    struct explore e;
    int64_t allocated = 0;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 10000000, 1);
    run(&s, &e);
    ck_assert_int_eq(e.bins.width_ms, 4000);
    ck_assert_uint_eq(e.bins.count, 2500);
    for (size_t i = 0; i < e.bins.count; i++)
        allocated += e.bins.bins[i].sums[EXPLORE_ALLOCATED];
    ck_assert_int_eq(allocated, INT64_C(10000000000));
    end(&s, &e);
}
END_TEST

/* The second node breaks at 10 s, leaves at 15 s, and returns at 35 s. Its job restarts then, and
 * has 10 s left. */
START_TEST(a_broken_node_has_a_state)
{
    struct small s;
    struct explore e;
    struct listed l = {0};
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 2, 1);
    small_job(&s, "a", 0, 60000, 1);
    small_job(&s, "b", 0, 20000, 1);
    listed_add(&s, &l, 10, SIM_FAULT_KILLS, 1, 5, 20);
    run(&s, &e);
    ck_assert_uint_eq(e.fault_count, 1);
    ck_assert_int_eq(e.faults[0].at_ms, 10000);
    ck_assert_uint_eq(e.faults[0].node, 1);
    ck_assert_uint_eq(e.state_count, 1);
    ck_assert_int_eq(e.states[0].state, NODE_DOWN);
    ck_assert_int_eq(e.states[0].from_ms, 15000);
    ck_assert_int_eq(e.states[0].to_ms, 35000);
    ck_bar(&e, 0, 0, 0, 1, 0, 60);
    ck_bar(&e, 1, 1, 1, 1, 0, 15);
    ck_bar(&e, 2, 1, 1, 1, 35, 45);
    ck_assert_uint_eq(e.jobs[1].failures, 1);
    end(&s, &e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explore collect");
    TCase *tests = tcase_create("collect");
    tcase_add_test(tests, neighbouring_devices_share_a_bar);
    tcase_add_test(tests, pending_jobs_have_reasons);
    tcase_add_test(tests, slots_have_the_ladder);
    tcase_add_test(tests, slots_widen);
    tcase_add_test(tests, a_broken_node_has_a_state);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
