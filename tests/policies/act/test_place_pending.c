/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocate: idle devices go to the first job in order, within limits and quotas at every level of
 * the queues. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static const struct story_row rows[] = {
    /* ---- no gate at the fair share ---- */
    {"idle devices go to a queue without a quota, though another has one",
     "opt actions=allocate; node n0 4; queue a gpu=4; queue b gpu=0/-/0; job x b 4x1",
     "x/0@n0 x/1@n0 x/2@n0 x/3@n0"},
    {"all of a gang or nothing", "opt actions=allocate; node n0 2; queue q; job x q 3x1", ""},
    {"an elastic job as far as there is room",
     "opt actions=allocate; node n0 2; queue q; job x q 3x1/1", "x/0@n0 x/1@n0"},
    {"one that runs grows on", "opt actions=allocate; node n0 3; queue q; job x q 4x1/2@n0*2",
     "x/2@n0"},

    /* ---- limits ---- */
    {"limit of the leaf",
     "opt actions=allocate; node n0 4; queue q gpu=0/1; job x q 2x1; job y q 1x1", "y/0@n0"},
    {"up to it an elastic job", "opt actions=allocate; node n0 4; queue q gpu=0/1; job x q 2x1/1",
     "x/0@n0"},
    {"limit of the department",
     "opt actions=allocate; node n0 4; queue D gpu=0/2; queue a in=D; queue b in=D; job x a 2x1; "
     "job y b 2x1",
     "x/0@n0 x/1@n0"},
    {"limit of the whole house, three levels up",
     "opt actions=allocate; node n0 4; queue H gpu=0/2; queue D in=H; queue E in=H; queue a in=D; "
     "queue b in=E;job x a 2x1; job y b 2x1",
     "x/0@n0 x/1@n0"},
    {"limit 0: nothing", "opt actions=allocate; node n0 4; queue q gpu=4/0; job x q 1x.1", ""},
    {"limit of CPU",
     "opt actions=allocate; node n0 4 cpu=8; queue q cpu=-/2; job x q 1x1+c3;"
     "job y q 1x1+c2",
     "y/0@n0"},
    {"limit of memory",
     "opt actions=allocate; node n0 4 mem=900; queue q mem=-/200; job x q 1x1+r201;"
     "job y q 1x1+r200",
     "y/0@n0"},
    {"a job without devices never exceeds it", /* 2 devices of a limit of 1 */
     "opt actions=allocate; node n0 4 cpu=8; queue q gpu=0/1; job r q 1x2@n0; job x q 1xc1; job y "
     "q 1x1",
     "x/0@n0"},
    {"devices being released do not count",
     "opt actions=allocate; node n0 4; queue q gpu=0/2; job r q 2x1@n0!*1,n0!; job x q 2x1",
     "x/0@n0 x/1@n0"},
    {"shares of devices", "opt actions=allocate; node n0 4; queue q gpu=0/1; job x q 3x.4/1",
     "x/0@n0:0 x/1@n0:0"},
    {"MIG instances weigh their slices", /* 3 and 3 of a limit of 5 */
     "opt actions=allocate; node n0 2 mig=2x3g; queue q gpu=0/5; job x q 1x3g; job y q 1x3g",
     "x/0@n0"},
    {"memory of devices counts where it is placed: a half on n0", /* not as pending, where it is 2
                                                                     of n1's */
     "opt actions=allocate; node n0 1 gpumem=4000; node n1 1 gpumem=1000 drain; queue q gpu=0/.5; "
     "job x q 1xm2000",
     "x/0@n0:0"},
    {"and may be over the limit there", /* 2010 of 4000 is rounded up to .51 */
     "opt actions=allocate; node n0 1 gpumem=4000; queue q gpu=0/.5; job x q 1xm2010", ""},
    {"the second of two such tasks",
     "opt actions=allocate; node n0 2 gpumem=4000; queue q gpu=0/.9; job x q 2xm2000/1",
     "x/0@n0:0"},
    {"whole devices next to such tasks count as well", /* .5 + 1 of 1.4 */
     "opt actions=allocate; node n0 2 gpumem=4000; queue q gpu=0/1.4; job x q 1xm2000 1x1", ""},
    {"and fit when there is room",
     "opt actions=allocate; node n0 2 gpumem=4000; queue q gpu=0/1.5; job x q 1xm2000 1x1",
     "x/0@n0:0 x/1@n0"},

    /* ---- non-preemptible jobs stay within the quota ---- */
    {"quota of the leaf",
     "opt actions=allocate; node n0 4; queue q gpu=1; job x q fixed 1x1; job y q fixed 1x1; job z "
     "q 1x1",
     "x/0@n0 z/0@n0"},
    {"preemptible usage leaves the quota to others",
     "opt actions=allocate; node n0 4; queue q gpu=1; job r q 3x1@n0*3; job x q fixed 1x1",
     "x/0@n0"},
    {"quota of the department",
     "opt actions=allocate; node n0 4; queue D gpu=1; queue a in=D gpu=1; queue b in=D gpu=1; job "
     "x a fixed 1x1;job y b fixed 1x1",
     "x/0@n0"},
    {"quota three levels up",
     "opt actions=allocate; node n0 4; queue H gpu=1; queue D in=H gpu=4; queue E in=H gpu=4;"
     "queue a in=D gpu=4; queue b in=E gpu=4;"
     "job x a fixed 1x1; job y b fixed 1x1",
     "x/0@n0"},
    {"without a hierarchy only the leaf's",
     "opt actions=allocate full_hierarchy=false; node n0 4; queue D gpu=1/1; queue a in=D gpu=1;"
     "queue b in=D gpu=1;"
     "job x a fixed 1x1; job y b fixed 1x1",
     "x/0@n0 y/0@n0"},
    {"a quota without a bound", "opt actions=allocate; node n0 4; queue q gpu=-; job x q fixed 4x1",
     "x/0@n0 x/1@n0 x/2@n0 x/3@n0"},
    {"quota of CPU",
     "opt actions=allocate; node n0 4 cpu=8; queue q gpu=4 cpu=1; job x q fixed 1x1+c2;"
     "job y q fixed 1x1+c1",
     "y/0@n0"},
    {"memory of devices, looked at where it is placed",
     "opt actions=allocate; node n0 1 gpumem=4000; node n1 1 gpumem=2000; queue q gpu=.5; job x q "
     "fixed 1xm2000",
     "x/0@n0:0"},

    /* ---- now, or when it is free: a gang only as a whole ---- */
    {"devices being released are nominated",
     "opt actions=allocate; node n0 1; queue q; job r q 1x1@n0!; job x q 1x1", "x/0~n0"},
    {"idle devices wait for the rest of the gang",
     "opt actions=allocate; node n0 2; queue q; job r q 1x1@n0!; job x q 2x1", "x/0~n0 x/1~n0"},
    {"and so do other roles",
     "opt actions=allocate; node n0 1; node n1 2; queue q; job r q 1x2@n1!; job x q 1x1 1x2",
     "x/0~n0 x/1~n1"},
    {"but not what runs already",
     "opt actions=allocate; node n0 1; node n1 2; queue q; job r q 1x2@n1!; job x q 1x1@n0 1x2",
     "x/1~n1"},
    {"tasks above the minimum block no other job",
     "opt actions=allocate; node n0 2; queue q; job r q 1x1@n0!; job x q 2x1/1", "x/0@n0 x/1~n0"},
    {"promised tasks count for the minimum: the next one comes alone",
     "opt actions=allocate; node n0 3; queue q; job r q 1x3@n0!; job x q 4x1/2",
     "x/0~n0 x/1~n0 x/2~n0"},
    {"the place of a share is kept while it waits",
     "opt actions=allocate; node n0 2; queue q; job r q 1x.5@n0:1!; job w q 1x1@n0:0; job x q 2x.5",
     "x/0~n0:1 x/1~n0:1"},
    {"promised devices are not promised twice",
     "opt actions=allocate; node n0 2; queue q; job r q 2x1@n0!,n0!; job x q 1x1; job y q 1x1; job "
     "z q 1x1",
     "x/0~n0 y/0~n0"},

    /* ---- roles ---- */
    {"the minimum of each role, then the rest in turn", /* ratios 1 and 1; 2 and 1; 2 and 2 */
     "opt actions=allocate; node n0 9; queue q; job x q 3x1/1 3x1/1",
     "x/0@n0 x/1@n0 x/2@n0 x/3@n0 x/4@n0 x/5@n0"},
    {"no role without its minimum", "opt actions=allocate; node n0 2; queue q; job x q 1x1 2x1",
     ""},
    {"gated tasks wait; the job is ready without them",
     "opt actions=allocate; node n0 4; queue q; job x q 3x1/2@?", "x/1@n0 x/2@n0"},
    {"and is not, if they are needed", "opt actions=allocate; node n0 4; queue q; job x q 2x1/2@?",
     ""},
    {"failed tasks do not come again: below the minimum",
     "opt actions=allocate; node n0 4; queue q; job x q 2x1@x", ""},
    {"failed tasks above the minimum are no loss",
     "opt actions=allocate; node n0 4; queue q; job x q 3x1/2@x", "x/1@n0 x/2@n0"},
};

START_TEST(pending_jobs_are_placed)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* Jobs below the department's limit, then one ends: the next is placed although no node was ever
 * full. */
START_TEST(room_below_a_limit_is_noticed)
{
    struct story s;
    story_open(&s, "opt actions=allocate; node n0 8; queue D gpu=0/2; queue a in=D; queue b in=D; "
                   "job x a 2x1; job y b 2x1");
    story_decides(&s, "x/0@n0 x/1@n0", "up to the limit");
    story_decides(&s, "", "and no more");
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "x"), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    story_decides(&s, "y/0@n0 y/1@n0", "there is room again");
    story_close(&s);
}
END_TEST

/* A task that becomes ungated and a node that returns cause another attempt. */
START_TEST(facts_trigger_another_attempt)
{
    struct story s;
    story_open(
        &s, "opt actions=allocate; node n0 1; node n1 2 down; queue q; job x q 2x1@?; job y q 1x2");
    story_decides(&s, "", "x is not ready, y has no room");
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_UP),
                     POLICY_OK);
    story_decides(&s, "y/0@n1", "n1 is up");
    ck_assert_int_eq(policy_task_gated(s.p, s.now, story_job(&s, "x"), 0, false), POLICY_OK);
    story_decides(&s, "", "x is ready, but has no room");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "y"), 0, POLICY_FAILED),
                     POLICY_OK);
    story_decides(&s, "x/0@n0 x/1@n1", "y is over");
    story_close(&s);
}
END_TEST

/*
 * The first task takes the node with the fewest free devices, which the second needs; once another
 * job has made n1 the fuller node, it goes there.
 */
START_TEST(tasks_that_are_not_alike_may_fit_with_less_free)
{
    struct story s;
    story_open(
        &s,
        "opt actions=allocate; node n0 2 type=0; node n1 3 type=1; queue q; job x q 1x1 1x2+t0");
    story_decides(&s, "", "one after the other");
    story_tell(&s, "job y q 1x2+t1");
    story_decides(&s, "y/0@n1", "y is behind x");
    ck_assert_int_eq(policy_task_started(s.p, s.now, story_job(&s, "y"), 0), POLICY_OK);
    story_tell(&s, "job z q 1x9");
    story_decides(&s, "x/0@n1 x/1@n0", "nothing was freed");
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("place pending");
    TCase *tcase = tcase_create("place pending");
    tcase_add_loop_test(tcase, pending_jobs_are_placed, 0, ROWS(rows));
    tcase_add_test(tcase, room_below_a_limit_is_noticed);
    tcase_add_test(tcase, facts_trigger_another_attempt);
    tcase_add_test(tcase, tasks_that_are_not_alike_may_fit_with_less_free);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
