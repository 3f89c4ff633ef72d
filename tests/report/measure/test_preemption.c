/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting evictions of hand-made runs. */
#include "report/measure/preemption.h"
#include "tests/sim/evict.h"

static void begin(struct small *s, struct preemption *p)
{
    *p = (struct preemption){0};
    small_begin(s, "runai", "");
    small_pool(s, "p", 4, 2);
    small_observe(s, preemption_observer(p));
    s->config.grace_ms = 1000;
}

START_TEST(a_gang_counts_once)
{
    struct small s;
    struct preemption p;
    begin(&s, &p);
    small_job(&s, "gang", 0, 100000, 6); /* three tasks */
    small_job(&s, "one", 0, 100000, 1);
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    evict_now(&s, "gang", INT32_MAX);
    evict_run(&s, 20000);
    evict_now(&s, "gang", INT32_MAX);
    evict_now(&s, "one", INT32_MAX);
    ck_assert(evict_try(&s, evict_find(&s, "one"), 0, POLICY_RECLAIM, 0)); /* none */
    evict_finish(&s);
    ck_assert_uint_eq(p.evictions, 3);
    ck_assert_uint_eq(p.tasks, 7);
    ck_assert_uint_eq(p.jobs, 2);
    ck_assert_uint_eq(p.by_action[POLICY_RECLAIM], 3);
    preemption_fini(&p);
    small_end(&s);
}
END_TEST

START_TEST(moves_and_limits_count_by_their_reason)
{
    struct small s;
    struct preemption p;
    begin(&s, &p);
    small_job(&s, "a", 0, 100000, 1);
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    ck_assert(evict_try(&s, evict_find(&s, "a"), 1, POLICY_CONSOLIDATE, POLICY_REASON_MOVED));
    evict_run(&s, 20000);
    ck_assert(evict_try(&s, evict_find(&s, "a"), 1, POLICY_LIMITS, POLICY_REASON_IDLE));
    evict_finish(&s);
    ck_assert_uint_eq(p.evictions, 2);
    ck_assert_uint_eq(p.jobs, 1);
    ck_assert_uint_eq(p.moves, 1);
    ck_assert_uint_eq(p.by_action[POLICY_CONSOLIDATE], 1);
    ck_assert_uint_eq(p.by_action[POLICY_LIMITS], 1);
    preemption_fini(&p);
    small_end(&s);
}
END_TEST

START_TEST(only_the_window_counts)
{
    struct small s;
    struct preemption p;
    begin(&s, &p);
    s.config.warmup_ms = 15000;
    s.config.horizon_ms = 30000;
    small_job(&s, "a", 0, 100000, 1);
    ck_assert(small_create(&s));
    for (int64_t at = 10000; at <= 40000; at += 10000) {
        evict_run(&s, at);
        evict_now(&s, "a", 1);
    }
    evict_finish(&s);
    ck_assert_uint_eq(p.evictions, 1); /* at 20, not at 10, 30 and 40 */
    ck_assert_uint_eq(p.tasks, 1);
    preemption_fini(&p);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("preemption");
    TCase *tcase = tcase_create("preemption");
    tcase_add_test(tcase, a_gang_counts_once);
    tcase_add_test(tcase, moves_and_limits_count_by_their_reason);
    tcase_add_test(tcase, only_the_window_counts);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
