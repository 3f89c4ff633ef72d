/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions that cannot be carried out: evictions against the rules. (Impossible starts are in
 * test_audit.c.) */
#include "tests/sim/evict.h"

START_TEST(gangs_stay_whole)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 3, 1);
    small_job(&s, "a", 0, 100000, 3);
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    ck_assert(
        !evict_try(&s, evict_find(&s, "a"), 1, POLICY_RECLAIM, POLICY_REASON_RECLAIM_OVER_QUOTA));
    ck_assert_int_eq(s.err.code, EXIT_INVARIANT);
    harness_contains(s.err.msg, "job 'a': 2 of a gang of 3 tasks run");
    small_end(&s);
}
END_TEST

static const struct {
    int32_t priority, action;
    uint32_t task;
    const char *message; /* NULL: valid */
} refusals[] = {
    {50, POLICY_RECLAIM, 0, NULL},
    {100, POLICY_RECLAIM, 0, "the job may not be preempted"},
    {100, POLICY_PREEMPT, 0, "the job may not be preempted"},
    {100, POLICY_STALE, 0, NULL},
    {100, POLICY_LIMITS, 0, NULL},
    {50, POLICY_RECLAIM, 1, "it does not run"},
};

START_TEST(evictions_have_rules)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 1);
    small_queue(&s, "q", 0)->gpu.quota = 1000;
    small_job_of(&s, "q", "a", 0, 100000, 1)->priority = refusals[_i].priority;
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    struct policy_decision d =
        evict_decision(evict_find(&s, "a"), refusals[_i].task, refusals[_i].action, 0);
    ck_assert_int_eq(sim_enact(s.sim, &d, 1, &s.err), refusals[_i].message == NULL);
    if (refusals[_i].message != NULL) {
        ck_assert_int_eq(s.err.code, EXIT_INVARIANT);
        harness_contains(s.err.msg, refusals[_i].message);
    }
    small_end(&s);
}
END_TEST

START_TEST(nothing_leaves_a_packing_study)
{
    struct small s;
    const int64_t order[] = {0};
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 1000, 1);
    ck_assert(small_create(&s) && sim_fill(s.sim, s.jobs, order, 1, &s.err));
    ck_assert(!evict_try(&s, evict_find(&s, "a"), 1, POLICY_RECLAIM, 0));
    harness_contains(s.err.msg, "nothing leaves");
    small_end(&s);
}
END_TEST

static const struct {
    int32_t kind;
    uint32_t task;
    bool fine;
} kinds[] = {
    {0, 0, false},
    {4, 0, false},
    {POLICY_NOMINATE, 0, true},
    {POLICY_NOMINATE, 1, false}, /* the job has one task */
};

START_TEST(kinds_are_known)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 100000, 1);
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    struct policy_decision d =
        evict_decision(evict_find(&s, "a"), kinds[_i].task, POLICY_ALLOCATE, 0);
    d.kind = kinds[_i].kind;
    ck_assert_int_eq(sim_enact(s.sim, &d, 1, &s.err), kinds[_i].fine);
    ck_assert_int_eq(s.err.code, kinds[_i].fine ? 0 : EXIT_INVARIANT);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("enact");
    TCase *tcase = tcase_create("rules");
    tcase_add_test(tcase, gangs_stay_whole);
    tcase_add_loop_test(tcase, evictions_have_rules, 0, ROWS(refusals));
    tcase_add_test(tcase, nothing_leaves_a_packing_study);
    tcase_add_loop_test(tcase, kinds_are_known, 0, ROWS(kinds));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
