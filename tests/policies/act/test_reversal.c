/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reclaim, another reclaim and preempt, each right by its own rule, take the same devices from each
 * other: u exceeds the share of its queue and loses to b; b loses to o, which is within the quota
 * of that queue; and u has a higher priority than o. Without act/reversal.h each of the three would
 * be evicted forever.
 */
#include "act/reversal.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <string.h>

#define WORLD                                                                                      \
    "node n0 4; node n1 4 label=1:1; queue A gpu=4/-/0; queue B gpu=3; job r B fixed 3x1@n0*3;"
#define CIRCLE    WORLD "job u A prio=75 5x1@n0,n1*4; job o A 1x4; job b B 1x1+k1:1"
#define U_RETURNS "o/0!n1 u/0~n0 u/1~n1 u/2~n1 u/3~n1 u/4~n1"
#define U_GOES    "u/0!n0 u/1!n1 u/2!n1 u/3!n1 u/4!n1 o/0~n1"

/* Evicted tasks end before the next decision, a second later. */
static void evicted_end(struct story *s, const char *job, uint32_t tasks)
{
    for (uint32_t i = 0; i < tasks; i++)
        ck_assert_int_eq(policy_task_ended(s->p, s->now, story_job(s, job), i, POLICY_EVICTED),
                         POLICY_OK);
    s->now += 1000;
}

/* Until o has started in the place of u. */
static void go_round_once(struct story *s, const char *options)
{
    char text[512];
    (void)snprintf(text, sizeof text, "%s" CIRCLE, options);
    story_open(s, text);
    story_decides(s, U_GOES, "for b, and o takes it from b");
    evicted_end(s, "u", 5);
    story_decides(s, "o/0@n1", "o has its node");
    core_is_sound(s->p);
}

/* An unrelated event: a job arrives that fits nowhere. */
static void something_happens(struct story *s, const char *name)
{
    char text[64];
    (void)snprintf(text, sizeof text, "job %s A prio=1 1x4+k1:9", name);
    s->now += 1000;
    story_tell(s, text);
}

START_TEST(a_circle_of_three_rules_is_broken)
{
    struct story s;
    static const char *const options[] = {"", "opt reversal_s=0;", "opt reversal_s=600;"};
    go_round_once(&s, options[_i]);
    for (int i = 0; i < 5; i++, s.now += 1000)
        story_decides(&s, "", "u does not take it back");
    ck_assert(!policy_has_work(s.p));
    ck_assert_int_eq(policy_next_wakeup(s.p), INT64_MAX);
    s.now += INT64_C(86400000);
    story_decides(&s, "", "not by time alone either");
    story_close(&s);
}
END_TEST

/* After some time and other jobs u may take it back. But during that period u is not evicted for b
 * again. */
static void until_it_repeats(struct story *s, const char *options)
{
    go_round_once(s, options);
    something_happens(s, "x");
    story_decides(s, U_RETURNS, "something has happened");
    evicted_end(s, "o", 1);
    story_decides(s, "u/0@n0 u/1@n1 u/2@n1 u/3@n1 u/4@n1", "u has it again");
    something_happens(s, "y");
}

START_TEST(repeated_evictions_wait)
{
    struct story s;
    until_it_repeats(&s, "opt reversal_s=600;");
    policy_time first = STORY_NOW;
    story_decides(&s, "", "b has lost what it took from u since");
    ck_assert_int_eq(policy_next_wakeup(s.p), first + 600000);
    s.now = first + 599999;
    story_decides(&s, "", "not yet");
    s.now = first + 600000;
    story_decides(&s, U_GOES, "600 s after the first time");
    story_close(&s);
}
END_TEST

START_TEST(without_a_time_each_event_allows_one_round)
{
    struct story s;
    until_it_repeats(&s, "opt reversal_s=0;");
    story_decides(&s, U_GOES, "once more");
    evicted_end(&s, "u", 5);
    story_decides(&s, "o/0@n1", "o has its node");
    story_decides(&s, "", "and nothing else has happened");
    story_close(&s);
}
END_TEST

START_TEST(what_is_reported_of_decisions_is_no_event)
{
    struct story s;
    go_round_once(&s, "opt reversal_s=0;");
    ck_assert_int_eq(policy_task_started(s.p, s.now, story_job(&s, "o"), POLICY_ALL_TASKS),
                     POLICY_OK);
    story_decides(&s, "", "o runs, as was decided");
    something_happens(&s, "x");
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "x")), POLICY_OK);
    story_decides(&s, U_RETURNS, "a job came and went");
    story_close(&s);
}
END_TEST

/* Another instance with the same cluster continues in the same way if its history is restored. */
START_TEST(it_is_remembered_over_a_restart)
{
    bool told = _i == 0;
    struct story s, other;
    struct policy_history h = {.size = sizeof h};
    uint32_t pairs = 0;
    go_round_once(&s, "opt reversal_s=0;");
    story_open(&other,
               "opt reversal_s=0;" WORLD "job u A prio=75 5x1; job o A 1x4@n1; job b B 1x1+k1:1");
    other.now = s.now;
    for (uint64_t next = 0; policy_history(s.p, &next, &h);) {
        pairs += h.kind == POLICY_HISTORY_DISPLACED;
        if (told && h.kind == POLICY_HISTORY_DISPLACED)
            ck_assert_int_eq(policy_set_history(other.p, other.now, &h), POLICY_OK);
    }
    ck_assert_uint_eq(pairs, 2); /* u lost to b, and b to o */
    core_is_sound(other.p);
    story_decides(&other, told ? "" : U_RETURNS, told ? "told" : "not told");
    if (told) {
        something_happens(&other, "x");
        story_decides(&other, U_RETURNS, "an event is one there, too");
    }
    story_close(&other);
    story_close(&s);
}
END_TEST

/* Records that contradict each other are refused. */
START_TEST(only_sound_records_are_taken)
{
    struct story s;
    story_open(&s, CIRCLE);
    struct policy_history h = {.size = sizeof h,
                               .kind = POLICY_HISTORY_DISPLACED,
                               .job = story_job(&s, "u"),
                               .at = STORY_NOW - 5000};
    h.other = story_job(&s, "u");
    ck_assert_int_eq(policy_set_history(s.p, s.now, &h), POLICY_INVALID);
    h.other = (policy_job){99, 0};
    ck_assert_int_eq(policy_set_history(s.p, s.now, &h), POLICY_UNKNOWN);
    h.other = story_job(&s, "b");
    ck_assert_int_eq(policy_set_history(s.p, s.now, &h), POLICY_OK);
    h.at -= 1000;
    ck_assert_int_eq(policy_set_history(s.p, s.now, &h), POLICY_INVALID);
    h.at += 2000;
    h.due = true;
    ck_assert_int_eq(policy_set_history(s.p, s.now, &h), POLICY_INVALID);
    h.due = false;
    h.at = s.now + 1;
    ck_assert_int_eq(policy_set_history(s.p, s.now, &h), POLICY_INVALID);
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reversal");
    TCase *tcase = tcase_create("reversal");
    tcase_add_loop_test(tcase, a_circle_of_three_rules_is_broken, 0, 3);
    tcase_add_test(tcase, repeated_evictions_wait);
    tcase_add_test(tcase, without_a_time_each_event_allows_one_round);
    tcase_add_test(tcase, what_is_reported_of_decisions_is_no_event);
    tcase_add_loop_test(tcase, it_is_remembered_over_a_restart, 0, 2);
    tcase_add_test(tcase, only_sound_records_are_taken);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
