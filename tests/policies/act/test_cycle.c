/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One decision as a whole: the order of its actions, their outcomes, and what the next decision
 * knows about them. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>

/* ---- which action serves p ---- */

static const struct {
    const char *what, *actions, *text;
    int32_t action; /* of the decision about p; 0: none */
} served[] = {
    {"allocate before all", "", "node n0 2; queue q; job v q prio=1 1x1@n0; job p q 1x1",
     POLICY_ALLOCATE},
    {"consolidate before reclaim",
     "", /* v may be moved, or taken from b, which is above its share */
     "node n0 1 label=1:1; node n1 1; queue a gpu=1; queue b gpu=0/-/0; job v b 1x1@n0;"
     "job p a 1x1+k1:1",
     POLICY_CONSOLIDATE},
    {"reclaim before preempt", "", /* from b, or from w of lower priority */
     "node n0 2; queue a gpu=2; queue b gpu=0/-/0; job w a prio=1 1x1@n0; job v b 1x1@n0;"
     "job p a 1x1",
     POLICY_RECLAIM},
    {"then preempt", "",
     "node n0 2; queue a gpu=1; queue b gpu=1; job w a prio=1 1x1@n0; job v b 1x1@n0; job p a 1x1",
     POLICY_PREEMPT},
    {"only enabled actions", "actions=preempt,stale",
     "node n0 2; queue a gpu=2; queue b gpu=0/-/0; job w a prio=1 1x1@n0; job v b 1x1@n0;"
     "job p a 1x1",
     POLICY_PREEMPT},
    {"in their order, not that of the option", "actions=preempt,reclaim",
     "node n0 2; queue a gpu=2; queue b gpu=0/-/0; job w a prio=1 1x1@n0; job v b 1x1@n0;"
     "job p a 1x1",
     POLICY_RECLAIM},
    {"none", "actions=stale", "node n0 2; queue a; job p a 1x1", 0},
};

START_TEST(actions_have_their_order)
{
    struct story s;
    char text[512];
    (void)snprintf(text, sizeof text, "opt %s; %s", served[_i].actions, served[_i].text);
    story_open(&s, text);
    size_t count;
    int32_t action = 0;
    const struct policy_decision *d = policy_decide(s.p, s.now, &count);
    for (size_t i = 0; i < count; i++) {
        if (d[i].job.i == story_job(&s, "p").i)
            action = d[i].action;
        else /* making room and placing p happen in the same action */
            ck_assert(d[i].kind != POLICY_EVICT || d[i].for_job.i == story_job(&s, "p").i);
    }
    ck_assert_msg(action == served[_i].action, "%s: %s", served[_i].what,
                  policy_action_name(action));
    story_close(&s);
}
END_TEST

/* ---- decided and undone in one decision ---- */

static const struct story_row rows[] = {
    /* v takes the idle device, before p preempts it and w */
    {"started and evicted again: never started",
     "node n0 2; queue q gpu=2; job w q prio=40 1x1@n0; job p q prio=60 1x2; job v q prio=50 1x1",
     "w/0!n0 p/0~n0"},
    {"one action's promise is the other's victim", /* v is promised the device of r, and loses it to
                                                      p */
     "node n0 2; queue q gpu=2; job r q fixed 1x1@n0!; job w q prio=40 1x1@n0; job p q prio=60 1x2;"
     "job v q prio=50 1x1",
     "w/0!n0 p/0~n0"},
    {"nothing to do", "node n0 2; queue q; job x q 1x3", ""},
    {"no nodes", "queue q; job x q 1x1", ""},
    {"no jobs", "node n0 1; queue q", ""},
    {"no queues", "node n0 1", ""},
};

START_TEST(only_the_remaining_time_is_reported)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* ---- from one decision to the next ---- */

START_TEST(a_victim_goes_and_its_place_is_taken)
{
    struct story s;
    story_open(&s, "node n0 1; queue a gpu=1; queue b gpu=0/-/0; job v b 1x1@n0; job p a 1x1");
    story_decides(&s, "v/0!n0 p/0~n0", "p reclaims");
    s.now += 1000;
    ck_assert_int_eq(policy_task_releasing(s.p, s.now, story_job(&s, "v"), 0), POLICY_OK);
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(s.p, story_job(&s, "p"), &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_RELEASING);
    s.now += 1000;
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "v"), 0, POLICY_EVICTED),
                     POLICY_OK);
    story_decides(&s, "p/0@n0", "the place is free");
    s.now += 1000;
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "p"), 0, POLICY_SUCCEEDED),
                     POLICY_OK);
    story_decides(&s, "v/0@n0", "v goes on");
    story_decides(&s, "", "a fixed point");
    ck_assert(!policy_has_work(s.p));
    story_close(&s);
}
END_TEST

/* No job must be evicted for y: it is nominated to idle devices, so no task end would trigger the
 * next cycle. */
START_TEST(a_promise_of_idle_devices_leads_to_another_cycle)
{
    struct story s;
    story_open(&s, "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1; job x a 1x1@n0; "
                   "job y b 1x1");
    story_decides(&s, "y/0~n0", "x is put back");
    ck_assert(policy_has_work(s.p));
    story_decides(&s, "y/0~n0", "without allocate it is promised again");
    ck_assert(!policy_has_work(s.p));
    story_close(&s);

    story_open(&s, "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1; job x a "
                   "2x1@n0*2; job y b 1x1");
    story_decides(&s, "x/0!n0 x/1!n0 y/0~n0", "what is being released will end");
    story_close(&s);
    story_open(&s, "opt actions=allocate; node n0 2; queue a; job x a 1x1@n0!; job y a 2x1");
    story_decides(&s, "y/0~n0 y/1~n0", "half of it is idle");
    ck_assert(!policy_has_work(s.p));
    story_close(&s);
}
END_TEST

/* One of two nominated tasks is gone before its place is free; h, which is more urgent, has arrived
 * by then. */
static const struct {
    const char *what, *text, *nominated;
    int gone; /* task 0 of p: 0 fails, 1 is gated; 2: its node goes down */
    const char *expected;
} rests[] = {
    {"a task fails", "node n0 2; queue q; job r1 q 1x1@n0!; job r2 q 1x1@n0!; job p q 2x1/1",
     "p/0~n0 p/1~n0", 0, "p/1@n0 h/0~n0"},
    {"a task may not start any more",
     "node n0 2; queue q; job r1 q 1x1@n0!; job r2 q 1x1@n0!; job p q 2x1/1", "p/0~n0 p/1~n0", 1,
     "p/1@n0 h/0~n0"},
    {"a node goes down",
     "node n1 1; node n0 1; queue q; job r1 q 1x1@n0!; job r2 q 1x1@n1!; job p q 2x1/1",
     "p/0~n1 p/1~n0", 2, "p/1@n0"},
    {"a gang starts as a whole or not at all",
     "node n0 2; queue q; job r1 q 1x1@n0!; job r2 q 1x1@n0!; job p q 2x1", "p/0~n0 p/1~n0", 1,
     "h/0@n0"},
};

START_TEST(the_rest_of_a_nomination_is_kept)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text, "opt actions=allocate; %s", rests[_i].text);
    story_open(&s, text);
    story_decides(&s, rests[_i].nominated, rests[_i].what);
    if (rests[_i].gone == 0)
        ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "p"), 0, POLICY_FAILED),
                         POLICY_OK);
    else if (rests[_i].gone == 1)
        ck_assert_int_eq(policy_task_gated(s.p, s.now, story_job(&s, "p"), 0, true), POLICY_OK);
    else
        ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_DOWN),
                         POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "r1"), 0, POLICY_SUCCEEDED),
                     POLICY_OK);
    story_tell(&s, "job h q prio=99 1x1");
    story_decides(&s, rests[_i].expected, rests[_i].what);
    story_close(&s);
}
END_TEST

/* Both tasks of v are moved for p, and stop one after the other. */
START_TEST(tasks_that_are_moved_end_at_different_times)
{
    struct story s;
    story_open(&s, "opt actions=allocate,consolidate; node n0 4; node n1 4; queue q gpu=8; job w q "
                   "fixed 1x2@n1;job v q 2x1@n0*2; job p q 1x4");
    story_decides(&s, "v/0!n0 v/1!n0 v/0~n1 v/1~n1 p/0~n0", "v is moved");
    policy_job v = story_job(&s, "v");
    ck_assert_int_eq(policy_task_releasing(s.p, s.now, v, 0), POLICY_OK);
    ck_assert_int_eq(policy_task_releasing(s.p, s.now, v, 1), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, s.now, v, 0, POLICY_EVICTED), POLICY_OK);
    story_tell(&s, "job h q prio=99 2x1/1");
    story_decides(&s, "v/0~n1 v/1~n1 p/0~n0", "no place is given away");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, v, 1, POLICY_EVICTED), POLICY_OK);
    story_decides(&s, "v/0@n1 v/1@n1 p/0@n0", "they are taken");
    story_close(&s);
}
END_TEST

START_TEST(a_failed_start_is_tried_again)
{
    struct story s;
    story_open(&s, "node n0 2; queue q; job x q 2x1");
    story_decides(&s, "x/0@n0 x/1@n0", "started");
    ck_assert_int_eq(policy_start_failed(s.p, s.now, story_job(&s, "x")), POLICY_OK);
    ck_assert(policy_has_work(s.p));
    char text[256];
    ck_assert_str_eq(story_decide(&s, text, sizeof text), "x/0@n0 x/1@n0");
    story_close(&s);
}
END_TEST

START_TEST(jobs_wait_until_they_are_eligible)
{
    struct story s;
    story_open(&s, "node n0 1; queue q");
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(story_queue(&s, "q"), 1, &role, 1);
    spec.preemptible = true;
    spec.eligible = s.now + 5000;
    policy_job job = policy_submit(s.p, s.now, &spec);
    ck_assert_uint_ne(job.i, POLICY_NO_ID);
    core_decide(s.p, s.now, 0);
    ck_assert_int_eq(core_reason(s.p, job), POLICY_REASON_NOT_ELIGIBLE);
    ck_assert_int_eq(policy_next_wakeup(s.p), s.now + 5000);
    core_decide(s.p, s.now + 4999, 0);
    const struct policy_decision *d = core_decide(s.p, s.now + 5000, 1);
    ck_assert_int_eq(d->kind, POLICY_START);
    ck_assert_int_eq(policy_next_wakeup(s.p), INT64_MAX);
    story_close(&s);
}
END_TEST

/* x ran from 1,000,000 s to 1,000,100 s, in one bucket of 100 s; the core wants to be called again
 * at 1,000,200 s. */
static const struct {
    const char *what, *options, *job;
    int64_t wakeup_s; /* INT64_MAX: never */
} fading[] = {
    {"usage is reported", "usage_window=given", "job y q 1x3", INT64_MAX},
    {"nobody waits", "usage_window=sliding usage_window_s=6400", "", INT64_MAX},
    {"pending jobs may not yet", "usage_window=sliding usage_window_s=6400", "job y q 1x1@?",
     INT64_MAX},
    {"pending jobs may profit", "usage_window=sliding usage_window_s=6400", "job y q 1x3", 1000300},
    {"in another window", "usage_window=tumbling usage_window_s=6400000", "job y q 1x3", 1100200},
};

START_TEST(decaying_use_matters_to_pending_jobs)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text, "opt %s; node n0 2; queue q", fading[_i].options);
    story_open(&s, text);
    story_tell(&s, "job x q 1x1");
    story_decides(&s, "x/0@n0", "x runs");
    s.now += 100000;
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "x"), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    s.now += 100000;
    story_tell(&s, fading[_i].job);
    story_decides(&s, "", "nothing fits");
    ck_assert_msg(policy_next_wakeup(s.p) ==
                      (fading[_i].wakeup_s == INT64_MAX ? INT64_MAX : fading[_i].wakeup_s * 1000),
                  "%s: %lld", fading[_i].what, (long long)policy_next_wakeup(s.p));
    story_close(&s);
}
END_TEST

/* If called whenever it asks to be, it stops asking once the window has passed the last change. */
START_TEST(use_that_has_settled_is_left_alone)
{
    struct story s;
    story_open(&s, "opt usage_window=sliding usage_window_s=6400; node n0 2; queue q; job w q "
                   "1x1@n0; job y q 1x3");
    story_decides(&s, "", "nothing fits");
    int times = 0;
    while (policy_next_wakeup(s.p) != INT64_MAX && times < 100) {
        ck_assert_int_eq(policy_next_wakeup(s.p), s.now + 100000);
        s.now += 100000;
        story_decides(&s, "", "nothing fits");
        times++;
    }
    ck_assert_int_eq(times, 64);
    story_close(&s);
}
END_TEST

START_TEST(time_does_not_go_back)
{
    struct story s;
    story_open(&s, "node n0 1; queue q; job x q 1x1");
    size_t count = 7;
    ck_assert_ptr_null(policy_decide(s.p, s.now - 1, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(policy_last_error(s.p)->status, POLICY_TIME_BACK);
    story_decides(&s, "x/0@n0", "at the right time");
    story_close(&s);
}
END_TEST

/* ---- the fields of a decision ---- */

START_TEST(decisions_name_the_devices_taken)
{
    struct story s;
    story_open(&s, "opt actions=allocate; node n0 4 pool=7 gpumem=1000; queue q; job x q 1x2 1x.3 "
                   "1xm250 1xc1");
    const struct policy_decision *d = core_decide(s.p, s.now, 4);
    static const int64_t milli[] = {2000, 300, 250, 0};
    static const uint64_t devices[] = {3, 4, 4, 0};
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_int_eq(d[i].kind, POLICY_START);
        ck_assert_int_eq(d[i].action, POLICY_ALLOCATE);
        ck_assert_int_eq(d[i].reason, 0);
        ck_assert_uint_eq(d[i].task, i);
        ck_assert_uint_eq(d[i].pool, 7);
        ck_assert_uint_eq(d[i].for_job.i, POLICY_NO_ID);
        ck_assert_int_eq(d[i].gpu_milli, milli[i]);
        ck_assert_uint_eq(d[i].devices, devices[i]);
    }
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cycle");
    TCase *tcase = tcase_create("cycle");
    tcase_add_loop_test(tcase, actions_have_their_order, 0, ROWS(served));
    tcase_add_loop_test(tcase, only_the_remaining_time_is_reported, 0, ROWS(rows));
    tcase_add_test(tcase, a_victim_goes_and_its_place_is_taken);
    tcase_add_test(tcase, a_promise_of_idle_devices_leads_to_another_cycle);
    tcase_add_loop_test(tcase, the_rest_of_a_nomination_is_kept, 0, ROWS(rests));
    tcase_add_test(tcase, tasks_that_are_moved_end_at_different_times);
    tcase_add_test(tcase, a_failed_start_is_tried_again);
    tcase_add_test(tcase, jobs_wait_until_they_are_eligible);
    tcase_add_loop_test(tcase, decaying_use_matters_to_pending_jobs, 0, ROWS(fading));
    tcase_add_test(tcase, use_that_has_settled_is_left_alone);
    tcase_add_test(tcase, time_does_not_go_back);
    tcase_add_test(tcase, decisions_name_the_devices_taken);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
