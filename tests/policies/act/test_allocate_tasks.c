/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task-by-task scheduling: each task separately, in one queue, within limits; expectations by
 * counting devices. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static const struct story_row rows[] = {
    {"a gang starts in part and holds what it has",
     "preset kube-default; node n0 2; queue q; job x q 3x1/3", "x/0@n0 x/1@n0"},
    {"a partly running gang waits for one more task",
     "preset kube-default; node n0 2; queue q; job x q 3x1/3@n0*1", "x/1@n0"},
    {"two gangs of one age: all of the first, the rest for the second",
     "preset kube-default; node n0 4; queue q; job x q at=1 3x1/3; job y q at=1 3x1/3",
     "x/0@n0 x/1@n0 x/2@n0 y/0@n0"},
    {"in turns: each gets half, and neither is whole",
     "preset kube-default; opt pod_order=turns; node n0 4; queue q; job x q at=1 3x1/3; job y q "
     "at=1 3x1/3",
     "x/0@n0 y/0@n0 x/1@n0 y/1@n0"},
    {"in turns as well, the older job comes first",
     "preset kube-default; opt pod_order=turns; node n0 4; queue q; job x q at=2 3x1/3; job y q "
     "at=1 3x1/3",
     "y/0@n0 y/1@n0 y/2@n0 x/0@n0"},
    {"a task that does not fit is skipped, and the next is tried: of another job",
     "preset kube-default; node n0 2; queue q; job x q 1x3; job y q 1x2", "y/0@n0"},
    {"or of the same", "preset kube-default; node n0 2; queue q; job x q 1x3/1 1x2/1", "x/1@n0"},
    {"priority before age, whatever the queue",
     "preset kube-default; node n0 1; queue q gpu=1 prio=200; queue o; job x q prio=50 1x1; job y "
     "o prio=51 1x1",
     "y/0@n0"},
    {"quotas are ignored, also for non-preemptible jobs",
     "preset kube-default; node n0 2; queue q gpu=0; job x q fixed 2x1/2", "x/0@n0 x/1@n0"},
    {"limits do",
     "preset kube-default; node n0 4; queue q gpu=0/1; queue o; job x q 3x1/3; job y o 1x1",
     "x/0@n0 y/0@n0"},
    {"those of the queue above too",
     "preset kube-default; node n0 4; queue D gpu=0/1; queue q in=D; queue o in=D; job x q 3x1/3; "
     "job y o 1x1",
     "x/0@n0"},
    {"a bound queue uses its pools only, in the same order as the others",
     "preset kube-default; node n0 1 pool=0; node n1 2 pool=1; queue q pools=1; queue o; job x q "
     "1x1; job y o 3x1/3",
     "x/0@n1 y/0@n0 y/1@n1"},
    {"least-allocated: the node with the larger part left",
     "preset kube-default; node n0 4; node n1 8; queue q; job a q 1x2@n0; job b q 1x4@n1; job x q "
     "1x1",
     "x/0@n1"},
    {"most-allocated: with the smaller",
     "preset kube-default; opt score=most-allocated; node n0 4; node n1 8; queue q; job a q "
     "1x2@n0; job b q 1x4@n1;job x q 1x1",
     "x/0@n0"},
    {"devices being released count as taken, so the other node is better",
     "preset kube-default; node n0 4; node n1 4; queue q; job a q 1x2@n0!; job b q 1x1@n1; job x q "
     "1x1",
     "x/0@n1"},
    {"a gang spreads over the nodes, one task after the other",
     "preset kube-default; node n0 4; node n1 4; queue q; job x q 3x1/3", "x/0@n0 x/1@n1 x/2@n0"},
    {"or fills them",
     "preset kube-default; opt score=most-allocated; node n0 4; node n1 4; queue q; job x q 5x1/5",
     "x/0@n0 x/1@n0 x/2@n0 x/3@n0 x/4@n1"},
    {"no task is evicted for devices that are already being released",
     "preset kube-default; node n0 2; queue q; job a q prio=1 1x1@n0!; job b q prio=1 1x1@n0; job "
     "x q prio=9 1x1",
     "x/0~n0"},
    {"topologies and minimums of roles hold nothing together",
     "preset kube-default; node n0 1; node n1 1; queue q; job x q 1x1/1 1x1/1 1x1/1",
     "x/0@n0 x/1@n1"},
    {"labels and kinds of devices count",
     "preset kube-default; node n0 4 type=1; node n1 1 type=2; queue q; job x q 2x1+t2/2",
     "x/0@n1"},
    {"a gated task has no turn", "preset kube-default; node n0 2; queue q; job x q 3x1/3@?",
     "x/1@n0 x/2@n0"},
    {"shares go to one device", "preset kube-default; node n0 2; queue q; job x q 2x.5/2",
     "x/0@n0:0 x/1@n0:0"},
};

START_TEST(tasks_have_their_turns)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* ---- successive decisions ---- */

/* Nominations are kept, and a later decision starts the task; another place that is free now is
 * preferred. */
START_TEST(nominations_are_kept)
{
    struct story s;
    story_open(&s, "preset kube-default; node n0 2; node n1 2 drain; queue q; job v q prio=1 "
                   "1x2@n0; job x q prio=9 1x2");
    story_decides(&s, "v/0!n0 x/0~n0", "lower priority gives way");
    policy_task_releasing(s.p, s.now, story_job(&s, "v"), 0);
    story_tell(&s, "job y q prio=9 at=0 1x1; job z q prio=10 at=1 1x2");
    story_decides(&s, "z/0~n0",
                  "older ones of the same priority do not get it; higher priority does");
    story_tell(&s, "job w q prio=1 1x1");
    policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_UP);
    story_decides(&s, "z/0@n1 y/0~n0 w/0~n0",
                  "who was promised a place starts elsewhere when there is room");
    policy_task_ended(s.p, s.now, story_job(&s, "v"), 0, POLICY_EVICTED);
    story_decides(&s, "y/0@n0 w/0@n0", "and what was released goes on in order");
    story_close(&s);
}
END_TEST

START_TEST(an_older_task_of_the_same_priority_leaves_promises_alone)
{
    struct story s;
    story_open(
        &s,
        "preset kube-default; node n0 2; queue q; job v q prio=1 1x2@n0; job x q prio=9 at=5 1x2");
    story_decides(&s, "v/0!n0 x/0~n0", "promised");
    policy_task_releasing(s.p, s.now, story_job(&s, "v"), 0);
    story_tell(&s, "job y q prio=9 at=1 1x1");
    story_decides(&s, "x/0~n0", "the older one waits");
    policy_task_ended(s.p, s.now, story_job(&s, "v"), 0, POLICY_EVICTED);
    story_decides(&s, "x/0@n0", "and x starts");
    story_close(&s);
}
END_TEST

START_TEST(explanations_are_of_single_tasks)
{
    struct story s;
    struct policy_explanation why = {.size = sizeof why};
    story_open(&s, "preset kube-default; node n0 4; queue q; queue o gpu=0/1; job a q 6x1/6; job b "
                   "q prio=60 1x8; job c o "
                   "2x1/2; job d q at=0 1x3");
    (void)story_decide(&s, (char[256]){0}, 256);
    ck_assert_int_eq(policy_explain(s.p, story_job(&s, "a"), &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_DEVICES_BUSY);
    ck_assert_int_eq(why.tasks, 1);
    ck_assert_int_eq(why.wanted_milli, 1000);
    ck_assert_uint_eq(why.jobs_before, 1); /* b; d is as old, and has a larger rank */
    ck_assert_int_eq(policy_explain(s.p, story_job(&s, "b"), &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_NEVER_FITS);
    ck_assert_int_eq(policy_explain(s.p, story_job(&s, "c"), &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_DEVICES_BUSY);
    ck_assert_uint_eq(why.jobs_before, 3); /* all queues are one line */
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tasks one by one");
    TCase *tcase = tcase_create("pods");
    tcase_add_loop_test(tcase, tasks_have_their_turns, 0, ROWS(rows));
    tcase_add_test(tcase, nominations_are_kept);
    tcase_add_test(tcase, an_older_task_of_the_same_priority_leaves_promises_alone);
    tcase_add_test(tcase, explanations_are_of_single_tasks);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
