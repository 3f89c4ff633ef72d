/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When planned changes begin and end: dates by the calendar, weeks of 604,800 s. */
#include "sim/planned_changes.h"
#include "tests/lib/harness.h"

#define H INT64_C(3600000)

/* 2026-11-23, a Monday, 00:00 UTC (date -d 2026-11-23Z +%s). */
#define MONDAY INT64_C(1795392000000)

static const struct sim_change office = {.queue = "q",
                                         .at = {SIM_WEEKLY, 0x1f, 9 * H},
                                         .until = {SIM_WEEKLY, 0x1f, 18 * H},
                                         .ends = true,
                                         .sets = 1u << SIM_TERM_GPU_QUOTA,
                                         .value[SIM_TERM_GPU_QUOTA] = 8000};

static const struct {
    int64_t begin, now, from, to, next; /* of the run; the rest is expected */
} weeks[] = {
    /* Monday 09:00 to 18:00, during the change; and in the evening, when the next day's is next */
    {MONDAY, MONDAY + 9 * H, MONDAY + 9 * H, MONDAY + 18 * H, MONDAY + 18 * H},
    {MONDAY, MONDAY + 18 * H, MONDAY + 9 * H, MONDAY + 18 * H, MONDAY + 33 * H},
    /* at Monday 08:59:59.999 the last one was on Friday */
    {MONDAY, MONDAY + 9 * H - 1, MONDAY - 63 * H, MONDAY - 54 * H, MONDAY + 9 * H},
    /* over a weekend: from Friday 18:00, the one on Monday 09:00 is next */
    {MONDAY, MONDAY + 114 * H, MONDAY + 105 * H, MONDAY + 114 * H, MONDAY + 177 * H},
    /* a clock that does not count from 1970 begins on a Monday, also before its zero */
    {0, 9 * H, 9 * H, 18 * H, 18 * H},
    {0, -1, -63 * H, -54 * H, 9 * H},
};

START_TEST(weekly_changes_follow_the_days)
{
    const struct sim_span_of_change span = sim_change_span(&office, weeks[_i].begin, weeks[_i].now);
    ck_assert_int_eq(span.begin_ms, weeks[_i].from);
    ck_assert_int_eq(span.end_ms, weeks[_i].to);
    ck_assert_int_eq(sim_change_next(&office, weeks[_i].begin, weeks[_i].now), weeks[_i].next);
}
END_TEST

START_TEST(a_week_is_a_week)
{
    for (int64_t now = MONDAY - 3 * H; now < MONDAY + 200 * H; now += H / 2) {
        const struct sim_span_of_change a = sim_change_span(&office, MONDAY, now);
        const struct sim_span_of_change b = sim_change_span(&office, MONDAY, now + 604800000);
        ck_assert_int_eq(b.begin_ms - a.begin_ms, 604800000);
        ck_assert_int_eq(b.end_ms - a.end_ms, 604800000);
        ck_assert_int_eq(sim_change_next(&office, MONDAY, now + 604800000) -
                             sim_change_next(&office, MONDAY, now),
                         604800000);
    }
}
END_TEST

START_TEST(once_is_once)
{
    const struct sim_change c = {.queue = "q",
                                 .at = {SIM_AFTER_BEGIN, 0, 2 * H},
                                 .until = {SIM_AFTER_BEGIN, 0, 3 * H},
                                 .ends = true};
    ck_assert_int_eq(sim_change_span(&c, 7, 7 + 2 * H - 1).begin_ms, INT64_MIN);
    ck_assert_int_eq(sim_change_next(&c, 7, 7), 7 + 2 * H);
    ck_assert_int_eq(sim_change_span(&c, 7, 7 + 2 * H).begin_ms, 7 + 2 * H);
    ck_assert_int_eq(sim_change_next(&c, 7, 7 + 2 * H), 7 + 3 * H);
    ck_assert_int_eq(sim_change_next(&c, 7, 7 + 3 * H), INT64_MAX);
    const struct sim_change date = {.queue = "q", .at = {SIM_ON_DATE, 0, MONDAY}};
    ck_assert_int_eq(sim_change_next(&date, MONDAY - H, MONDAY - H), MONDAY);
    ck_assert_int_eq(sim_change_span(&date, MONDAY - H, MONDAY).end_ms, INT64_MAX);
}
END_TEST

/* Of the changes in force the one that began last counts; of two that began together, the last in
 * the list. */
START_TEST(the_last_change_counts)
{
    const uint32_t quota = 1u << SIM_TERM_GPU_QUOTA, suspended = 1u << SIM_TERM_SUSPENDED;
    const struct sim_change list[] = {
        {.queue = "q", .at = {0, 0, 5}, .sets = quota, .value = {[SIM_TERM_GPU_QUOTA] = 5}},
        {.queue = "q",
         .at = {SIM_AFTER_BEGIN, 0, 2},
         .until = {SIM_AFTER_BEGIN, 0, 4},
         .ends = true,
         .sets = quota | suspended,
         .value = {[SIM_TERM_GPU_QUOTA] = 2, [SIM_TERM_SUSPENDED] = 1}},
        {.queue = "q", .at = {0, 0, 7}, .sets = quota, .value = {[SIM_TERM_GPU_QUOTA] = 7}},
        {.queue = "q", .at = {0, 0, 7}, .sets = quota, .value = {[SIM_TERM_GPU_QUOTA] = 9}},
        {.queue = "r", .at = {0, 0, 0}, .sets = quota, .value = {[SIM_TERM_GPU_QUOTA] = 77}},
        {.pool = "q", .at = {0, 0, 0}, .sets = quota, .value = {[SIM_TERM_GPU_QUOTA] = 88}},
    };
    static const int64_t expected[10] = {1, 1, 2, 2, 1, 5, 5, 9, 9, 9};
    for (int64_t now = 0; now < 10; now++) {
        int64_t terms[SIM_TERMS] = {[SIM_TERM_GPU_QUOTA] = 1};
        sim_changes_apply(list, sizeof list / sizeof *list, "q", 0, now, terms);
        ck_assert_int_eq(terms[SIM_TERM_GPU_QUOTA], expected[now]);
        ck_assert_int_eq(terms[SIM_TERM_SUSPENDED], now == 2 || now == 3);
    }
}
END_TEST

/* Nodes of a pool: 3 as configured, 8 in [2, 6), 5 in [4, 6), then 0 from 8 on. */
START_TEST(nodes_follow_the_calendar)
{
    const struct sim_change list[] = {
        {.pool = "p", .at = {0, 0, 2}, .until = {0, 0, 6}, .ends = true, .nodes = 8},
        {.pool = "p", .at = {0, 0, 4}, .until = {0, 0, 6}, .ends = true, .nodes = 5},
        {.pool = "p", .at = {0, 0, 8}, .nodes = 0},
        {.pool = "other", .at = {0, 0, 0}, .nodes = 77},
        {.queue = "p", .at = {0, 0, 0}},
    };
    static const uint32_t expected[10] = {3, 3, 8, 8, 5, 5, 3, 3, 0, 0};
    static const int turns[10] = {-1, -1, 0, -1, 1, -1, 1, -1, 2, -1};
    for (int64_t now = 0; now < 10; now++) {
        const struct sim_change *turn;
        ck_assert_uint_eq(
            sim_changes_nodes(list, sizeof list / sizeof *list, "p", 3, 0, now, &turn),
            expected[now]);
        ck_assert_ptr_eq(turn, turns[now] < 0 ? NULL : &list[turns[now]]);
    }
    ck_assert(sim_changes_queues(list, 5) && !sim_changes_queues(list, 4));
}
END_TEST

/* The same of each quota by pool alone. */
START_TEST(quotas_by_pool_change_one_by_one)
{
    static const struct sim_pool_term both[] = {{0, 2}, {3, 5}}, third[] = {{3, 9}};
    const struct sim_change list[] = {
        {.queue = "q", .at = {SIM_AFTER_BEGIN, 0, 1}, .pools = both, .pool_count = 2},
        {.queue = "q",
         .at = {SIM_AFTER_BEGIN, 0, 2},
         .until = {SIM_AFTER_BEGIN, 0, 3},
         .ends = true,
         .pools = third,
         .pool_count = 1},
        {.queue = "r", .at = {SIM_AFTER_BEGIN, 0, 0}, .pools = third, .pool_count = 1},
    };
    static const int64_t first[] = {8, 2, 2, 2}, last[] = {8, 5, 9, 5};
    for (int64_t now = 0; now < 4; now++) {
        ck_assert_int_eq(sim_changes_pool(list, 3, "q", 0, now, 0, 8), first[now]);
        ck_assert_int_eq(sim_changes_pool(list, 3, "q", 0, now, 3, 8), last[now]);
        ck_assert_int_eq(sim_changes_pool(list, 3, "q", 0, now, 1, 8), 8);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("calendar");
    tcase_add_loop_test(tcase, weekly_changes_follow_the_days, 0, ROWS(weeks));
    tcase_add_test(tcase, a_week_is_a_week);
    tcase_add_test(tcase, once_is_once);
    tcase_add_test(tcase, the_last_change_counts);
    tcase_add_test(tcase, nodes_follow_the_calendar);
    tcase_add_test(tcase, quotas_by_pool_change_one_by_one);
    Suite *suite = suite_create("planned_changes");
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
