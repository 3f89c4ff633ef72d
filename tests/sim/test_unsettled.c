/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting decisions without progress, and the description of their cycle. */
#include "sim/unsettled.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(void *self, policy_job job)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    (void)self;
    return job.i < ROWS(names) ? names[job.i] : NULL;
}

static struct policy_decision evict(uint32_t job, uint32_t other, int32_t action, uint32_t task)
{
    return (struct policy_decision){.kind = POLICY_EVICT,
                                    .action = action,
                                    .reason = POLICY_REASON_PREEMPTED,
                                    .task = task,
                                    .job = {job, 0},
                                    .for_job = {other, 0}};
}

static struct policy_decision start(uint32_t job)
{
    return (struct policy_decision){.kind = POLICY_START,
                                    .action = POLICY_ALLOCATE,
                                    .job = {job, 0},
                                    .for_job = {POLICY_NO_ID, 0}};
}

START_TEST(a_limit_counts_at_one_instant_and_with_evictions)
{
    struct unsettled *u = calloc(1, sizeof *u);
    const struct policy_decision out = evict(0, 1, POLICY_PREEMPT, 0);
    for (int i = 0; i < UNSETTLED_LEAST; i++)
        ck_assert(!unsettled_decided(u, 5, 1, NULL, 0));
    ck_assert(!unsettled_decided(u, 6, 1, NULL, 0)); /* time has passed */
    for (int i = 0; i < UNSETTLED_LEAST - 1; i++)
        ck_assert(!unsettled_decided(u, 6, 1, NULL, 0));
    ck_assert(unsettled_decided(u, 6, 1, NULL, 0));
    ck_assert(unsettled_here(u));
    unsettled_limit(u, 7);
    ck_assert(!unsettled_here(u));
    for (int i = 0; i < 14; i++)
        (void)unsettled_decided(u, 6, 1, NULL, 0);
    ck_assert_int_eq(unsettled_here(u), 1); /* 1000 and two for each of 7 tasks, and one more */
    ck_assert(!unsettled_decided(u, 6, 2, NULL, 0)); /* something happened */

    for (int i = 0; i < UNSETTLED_LEAST + 14; i++)
        ck_assert(!unsettled_decided(u, 100 + i, 2, &out, 1));
    ck_assert_int_eq(u->since_ms, 100);
    ck_assert(unsettled_decided(u, 5000, 2, &out, 1));
    ck_assert(unsettled_ever(u) && !unsettled_here(u));
    unsettled_go_on(u, 77);
    ck_assert(!unsettled_ever(u) && u->looked && u->kept == 77);
    ck_assert(!unsettled_decided(u, 5001, 3, &out, 1));
    ck_assert(!u->looked);
    free(u);
}
END_TEST

START_TEST(a_cycle_is_reported_once_from_an_eviction_on)
{
    struct unsettled *u = calloc(1, sizeof *u);
    char text[256];
    for (int i = 0; i < 40; i++) {
        const struct policy_decision one[] = {start(2), evict(1, 0, POLICY_RECLAIM, 0),
                                              evict(1, 0, POLICY_RECLAIM, 1)};
        const struct policy_decision two[] = {evict(0, 2, POLICY_PREEMPT, 0)};
        (void)unsettled_decided(u, i, 1, one, ROWS(one));
        (void)unsettled_decided(u, i, 1, two, ROWS(two));
    }
    ck_assert_str_eq(unsettled_words(u, name_of, NULL, text, sizeof text),
                     "reclaim evicts 'b' for 'a' (PREEMPTED); preempt evicts 'a' for 'c' "
                     "(PREEMPTED); allocate starts 'c'");
    char little[20];
    ck_assert_str_eq(unsettled_words(u, name_of, NULL, little, sizeof little),
                     "reclaim evicts 'b' ");
    free(u);
}
END_TEST

START_TEST(without_a_cycle_the_last_steps_are_reported)
{
    struct unsettled *u = calloc(1, sizeof *u);
    char text[256];
    ck_assert_str_eq(unsettled_words(u, name_of, NULL, text, sizeof text), "");
    const struct policy_decision some[] = {start(0), start(1),
                                           evict(0, POLICY_NO_ID, POLICY_LIMITS, 0), start(9)};
    (void)unsettled_decided(u, 1, 1, some, ROWS(some));
    ck_assert_str_eq(unsettled_words(u, name_of, NULL, text, sizeof text),
                     "allocate starts 'a'; allocate starts 'b'; limits evicts 'a' (PREEMPTED); "
                     "allocate starts '?'");
    for (uint32_t i = 0; i < 1000; i++) { /* longer than the memory */
        const struct policy_decision d = evict(i % 2 == 0 ? 0 : 1 + i, 3, POLICY_PREEMPT, 0);
        (void)unsettled_decided(u, 2, 1, &d, 1);
    }
    (void)unsettled_words(u, name_of, NULL, text, sizeof text);
    ck_assert_int_eq(
        strncmp(text, "preempt evicts 'a' for 'd' (PREEMPTED); preempt evicts '?' for 'd'", 60), 0);
    free(u);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sim/unsettled");
    TCase *tcase = tcase_create("unsettled");
    tcase_add_test(tcase, a_limit_counts_at_one_instant_and_with_evictions);
    tcase_add_test(tcase, a_cycle_is_reported_once_from_an_eviction_on);
    tcase_add_test(tcase, without_a_cycle_the_last_steps_are_reported);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
