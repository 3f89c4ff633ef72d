/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals, windows and verdicts; and a fleet of 2,000 nodes whose lemons are found and repaired. */
#include "sim/faults/lemons.h"

#include "tests/lib/faults.h"

#include <stdlib.h>

static const struct fault_lemon_rule *const usual = &fault_lemon_rule_usual;

static void note(struct fault_history *history, enum fault_signal signal, int times, int64_t at_ms)
{
    for (int i = 0; i < times; i++)
        fault_history_note(history, signal, at_ms);
}

START_TEST(verdicts)
{
    struct fault_history history = {0};
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 0), FAULT_KEEP);
    note(&history, FAULT_SIGNAL_XID, 2, TEST_DAY_MS);
    note(&history, FAULT_SIGNAL_OUT, 2, TEST_DAY_MS);
    ck_assert_int_eq(fault_lemon_judge(usual, &history, TEST_DAY_MS), FAULT_KEEP);
    note(&history, FAULT_SIGNAL_XID, 1, 2 * TEST_DAY_MS);
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 2 * TEST_DAY_MS), FAULT_TEST);
    note(&history, FAULT_SIGNAL_OUT, 1, 3 * TEST_DAY_MS);
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 3 * TEST_DAY_MS), FAULT_QUARANTINE);
    // 28 days later the first ones no longer count.
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 29 * TEST_DAY_MS), FAULT_QUARANTINE);
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 29 * TEST_DAY_MS + 1), FAULT_KEEP);
}
END_TEST

START_TEST(jobs_speak_by_their_share)
{
    struct fault_history history = {0};
    for (int i = 0; i < 5; i++)
        fault_history_job(&history, true);
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 0), FAULT_KEEP); // five are not enough
    for (int i = 0; i < 5; i++)
        fault_history_job(&history, false);
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 0), FAULT_TEST);
    fault_history_job(&history, false);
    ck_assert_int_eq(fault_lemon_judge(usual, &history, 0), FAULT_KEEP);
    struct fault_lemon_rule deaf = {.window_ms = TEST_DAY_MS, .quarantine = 1};
    note(&history, FAULT_SIGNAL_TICKET, 100, 0);
    ck_assert_int_eq(fault_lemon_judge(&deaf, &history, 0), FAULT_KEEP);
}
END_TEST

START_TEST(old_signals_make_room)
{
    struct fault_history history = {0};
    note(&history, FAULT_SIGNAL_XID, 5, 0);
    note(&history, FAULT_SIGNAL_TICKET, FAULT_HISTORY_SLOTS - 2, 0);
    ck_assert_uint_eq(fault_history_count(&history, FAULT_SIGNAL_XID, 0), 2);
    ck_assert_uint_eq(fault_history_count(&history, FAULT_SIGNAL_TICKET, 0),
                      FAULT_HISTORY_SLOTS - 2);
    ck_assert_uint_eq(fault_history_count(&history, FAULT_SIGNAL_TICKET, 1), 0);
}
END_TEST

START_TEST(tests_find_most_lemons)
{
    double found = 0;
    for (uint32_t node = 0; node < 10000; node++) {
        found += fault_lemon_test(1, node, 0, true, FAULT_TEST_CATCHES);
        ck_assert(!fault_lemon_test(1, node, 0, false, FAULT_TEST_CATCHES));
        ck_assert_int_eq(fault_lemon_test(1, node, 3, true, 0.5),
                         fault_lemon_test(1, node, 3, true, 0.5));
    }
    ck_assert_double_eq_tol(found / 10000, 0.85, 0.015);
}
END_TEST

/* The faults of a fleet in 200 days, with a rule or without one. */
struct story {
    double faults, last_100_days, lemons, caught, healthy_out;
};

static void judge(struct fault_process *process, struct fault_history *history,
                  const struct fault *fault, unsigned *tests, struct story *story)
{
    uint32_t node = fault->component;
    note(&history[node], FAULT_SIGNAL_XID, fault->device >= 0, fault->time_ms);
    note(&history[node], FAULT_SIGNAL_OUT, fault->drain != FAULT_DRAIN_NO, fault->time_ms);
    note(&history[node], FAULT_SIGNAL_TICKET, fault->hardware, fault->time_ms);
    note(&history[node], FAULT_SIGNAL_MULTI_NODE, fault->effect == FAULT_EFFECT_KILL,
         fault->time_ms);
    if (fault_lemon_judge(usual, &history[node], fault->time_ms) != FAULT_QUARANTINE)
        return;
    bool lemon = fault_process_is_lemon(process, node);
    story->healthy_out += !lemon;
    if (fault_lemon_test(1, node, tests[node]++, lemon, FAULT_TEST_CATCHES)) {
        fault_process_cure(process, node);
        story->caught++;
    }
    history[node] = (struct fault_history){0};
}

static struct story fleet_of_rsc(bool rule)
{
    struct fault_profile profile = test_profile("a100_busy");
    fault_profile_only(&profile, fault_profile_counted(&profile));
    profile.drift_sigma = 0;
    for (int i = 0; i < FAULT_CLASSES; i++) // an ineffective repair looks like a lemon for a week
        profile.classes[i].relapse = 0;
    struct fault_pool pool = test_pool(&profile, 2000);
    struct fault_plan plan = test_plan(&pool, 200);
    struct fault_process *process = fault_process_create(&plan, 1);
    struct fault_history *history = calloc(2000, sizeof *history);
    unsigned *tests = calloc(2000, sizeof *tests);
    ck_assert(history && tests);
    struct story story = {0};
    for (uint32_t node = 0; node < 2000; node++)
        story.lemons += fault_process_is_lemon(process, node);
    struct fault fault;
    while (fault_process_next(process, plan.horizon_ms, &fault)) {
        story.faults++;
        story.last_100_days += fault.time_ms > 100 * TEST_DAY_MS;
        if (rule)
            judge(process, history, &fault, tests, &story);
    }
    fault_process_destroy(process);
    free(history);
    free(tests);
    return story;
}

START_TEST(rules_clear_a_fleet)
{
    struct story with = fleet_of_rsc(true), without = fleet_of_rsc(false);
    ck_assert_double_eq(with.lemons, without.lemons);
    ck_assert_double_eq(without.caught, 0);
    // Each lemon fails every few days: within 200 days all have been noticed, and tested until a
    // test detected them.
    ck_assert_double_eq(with.caught, with.lemons);
    // A healthy node has three faults in four weeks once in 100,000 months.
    ck_assert_double_le(with.healthy_out, 2);
    // The usual faults remain: frail classes shrink to 1 / 3.69, the others stay.
    struct fault_profile profile = test_profile("a100_busy");
    double frail = 0;
    for (int i = 0; i < FAULT_CLASSES; i++)
        frail +=
            profile.classes[i].counted && profile.classes[i].frail ? profile.classes[i].rate : 0;
    double expected = 2000 * 100 * (frail / 3.688 + 6.5 - frail) / 1000;
    ck_assert_double_eq_tol(with.last_100_days, expected, 0.1 * expected);
    ck_assert_double_gt(without.last_100_days, 1.5 * with.last_100_days);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lemons");
    TCase *tcase = tcase_create("lemons");
    tcase_add_test(tcase, verdicts);
    tcase_add_test(tcase, jobs_speak_by_their_share);
    tcase_add_test(tcase, old_signals_make_room);
    tcase_add_test(tcase, tests_find_most_lemons);
    tcase_add_test(tcase, rules_clear_a_fleet);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
