/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The division of a cluster among its queues before a decision: what counts as capacity and as
 * request, and how shares reach every level. test_fair_share*.c test the division itself.
 */
#include "order/queue_walk.h"
#include "state/state.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>
#include <string.h>

/* Shares as words QUEUE=DEVICES in the order of the queues; quota 0 and weight 1 unless noted. */
static const struct story_row rows[] = {
    /* ---- requests ---- */
    {"running and pending tasks", "node n0 9; queue q; job r q 2x1@n0*2; job x q 3x1; job y q 1x.5",
     "q=5.5"},
    {"pending tasks of jobs that are not ready, and of those that never fit",
     "node n0 9; queue q; job x q 3x1/2@x,x; job y q 1x64", "q=9"},
    {"one pending task of a job that is not ready", "node n0 9; queue q; job x q 3x1/2@x,x", "q=1"},
    {"not gated, released, succeeded or failed ones",
     "node n0 9; queue q; job x q 5x1/1@?,n0!,+,x,n0", "q=1"},
    {"all pending tasks of an elastic job, not only the next", "node n0 9; queue q; job x q 5x1/1",
     "q=5"},
    {"memory of devices: pending as a share of the smallest",
     "node n0 4 gpumem=4000; node n1 4 gpumem=1000; queue q; job x q 2xm500", "q=1"},
    {"memory of devices: running as a share of its own, rounded up", /* 501 of 4000 is .13 */
     "node n0 4 gpumem=4000; node n1 4 gpumem=1000; queue q; job x q 1xm501@n0:0", "q=.13"},
    {"MIG instances by their slices",
     "node n0 7 mig=2x3g; queue q gpu=7; job x q 1x3g@n0; job y q 1x2g", "q=5"},
    {"several shares of one task", "node n0 9; queue q; job x q 1x3*.5", "q=1.5"},
    /* ---- capacity ---- */
    {"nodes that are up", "node n0 4; node n1 4 down; queue q; job x q 9x1", "q=4"},
    {"not those that take nothing new", "node n0 4; node n1 4 drain; queue q; job x q 9x1", "q=4"},
    {"quotas are given even so", "node n0 4; node n1 4 down; queue q gpu=7; job x q 9x1", "q=7"},
    {"a quota without a bound is all there is",
     "node n0 4; queue q gpu=-/-/0; queue r gpu=1; job x q 9x1;job y r 1x1", "q=4 r=1"},
    /* ---- over quota ---- */
    {"by weight", "node n0 9; queue a; queue b gpu=0/-/2; job x a 9x1; job y b 9x1", "a=3 b=6"},
    {"by priority", "node n0 9; queue a prio=1; queue b prio=2; job x a 9x1; job y b 7x1",
     "a=2 b=7"},
    {"the older has the last device",
     "node n0 3; queue a created=2; queue b created=1; job x a 9x1;"
     "job y b 9x1",
     "a=1 b=2"},
    {"at equal age the one added first",
     "node n0 3; queue a created=1; queue b created=1; job x a 9x1;"
     "job y b 9x1",
     "a=2 b=1"},
    {"limits", "node n0 9; queue a gpu=0/2; queue b; job x a 9x1; job y b 9x1", "a=2 b=7"},
    {"past use: a had half, so 1/2 and 1/2 + 1/2",
     "node n0 9; queue a used=.5; queue b; job x a 9x1;"
     "job y b 9x1",
     "a=3 b=6"},
    {"past use without k",
     "opt usage_k=0; node n0 8; queue a used=.5; queue b; job x a 9x1;"
     "job y b 9x1",
     "a=4 b=4"},
    /* 1/2 + 2 (1/2 - 1/4) and 1/2 + 2 (1/2) */
    {"past use with k = 2",
     "opt usage_k=2; node n0 5; queue a used=.25; queue b; job x a 9x1;"
     "job y b 9x1",
     "a=2 b=3"},
    /* ---- levels ---- */
    {"children divide what their parent has",
     "node n0 9; queue D gpu=4/-/0; queue E gpu=5/-/0; queue a in=D; queue b in=D; queue c in=E; "
     "job x a 9x1;job y b 9x1; job z c 9x1",
     "D=4 E=5 a=2 b=2 c=5"},
    {"the parent asks for what they ask for",
     "node n0 9; queue D; queue E; queue a in=D; queue b in=D; queue c in=E; job x a 1x1; job y b "
     "2x1; job z c 9x1",
     "D=3 E=6 a=1 b=2 c=6"},
    {"quotas of children are not cut",
     "node n0 9; queue D gpu=1/-/0; queue a in=D gpu=4; queue b in=D gpu=1; job x a 9x1; job y b "
     "9x1",
     "D=1 a=4 b=1"},
    {"three levels: priority in the middle",
     "node n0 8; queue R; queue D in=R prio=2; queue E in=R prio=1; queue a in=D; queue b in=D; "
     "queue c in=E;job x a 3x1; job y b 3x1; job z c 9x1",
     "R=8 D=6 E=2 a=3 b=3 c=2"},
    {"past use of a department",
     "node n0 9; queue D used=.5; queue E; queue a in=D; queue b in=E; job x a 9x1; job y b 9x1",
     "D=3 E=6 a=3 b=6"},
    {"leaves side by side: departments have none",
     "opt full_hierarchy=false; node n0 9; queue D gpu=1/-/0; queue E; queue a in=D; queue b in=D; "
     "queue c in=E;job x a 9x1; job y b 9x1; job z c 9x1",
     "D=0 E=0 a=3 b=3 c=3"},
};

START_TEST(devices_are_divided)
{
    struct story s;
    char found[256];
    size_t used = 0;
    story_open(&s, rows[_i].text);
    ck_assert(pc_divide_shares(s.p));
    for (uint32_t i = 0; i < s.queues.count; i++) {
        int64_t milli = s.p->cluster->queues[s.queues.id[i]].fair.of[PC_GPU];
        used += (size_t)snprintf(found + used, sizeof found - used, "%s%s=", i > 0 ? " " : "",
                                 s.queues.of[i]);
        if (milli >= 1000 || milli == 0)
            used += (size_t)snprintf(found + used, sizeof found - used, "%d", (int)(milli / 1000));
        if (milli % 1000 != 0)
            used += (size_t)snprintf(found + used, sizeof found - used, ".%.*d",
                                     milli % 100 == 0 ? 1 : 2,
                                     (int)(milli % 1000 / (milli % 100 == 0 ? 100 : 10)));
    }
    ck_assert_msg(strcmp(found, rows[_i].expected) == 0, "%s: '%s', expected '%s'", rows[_i].what,
                  found, rows[_i].expected);
    story_close(&s);
}
END_TEST

/* ---- allocatable: quota or share, whichever is more, within the limit --------------------------
 */

static const struct {
    const char *queue; /* of which 3 devices are wanted, and 3 are its share at most */
    int64_t may;
} allocatable[] = {
    {"gpu=0", 3000},
    {"gpu=2", 3000},
    {"gpu=5", 5000},
    {"gpu=5/4", 4000},
    {"gpu=0/2", 2000},
    {"gpu=0/-/0", 0},
    {"gpu=-/-", POLICY_UNLIMITED},
    {"gpu=-/2", 2000},
    {"gpu=-/0", 0},
};

START_TEST(quota_or_share_within_the_limit)
{
    struct story s;
    char text[128];
    (void)snprintf(text, sizeof text, "node n0 9; queue q %s; job x q 3x1", allocatable[_i].queue);
    story_open(&s, text);
    ck_assert(pc_divide_shares(s.p));
    ck_assert_int_eq(s.p->cluster->queues[0].allocatable.of[PC_GPU], allocatable[_i].may);
    story_close(&s);
}
END_TEST

/* ---- CPU and memory -------------------------------------------------------------------------- */

START_TEST(each_resource_is_divided_by_itself)
{
    struct story s;
    story_open(
        &s, "node n0 4 cpu=10 mem=1001; queue a cpu=2/-/1 mem=0/-/1; queue b cpu=0/-/1 mem=0/-/1;"
            "job x a 1x1+c20+r9999; job y b 1x3+c20+r9999");
    ck_assert(pc_divide_shares(s.p));
    const struct pc_queue *a = &s.p->cluster->queues[story_queue(&s, "a").i];
    const struct pc_queue *b = &s.p->cluster->queues[story_queue(&s, "b").i];
    ck_assert_int_eq(a->fair.of[PC_GPU], 1000);
    ck_assert_int_eq(b->fair.of[PC_GPU], 3000);
    ck_assert_int_eq(a->fair.of[PC_CPU], 6000);
    ck_assert_int_eq(b->fair.of[PC_CPU], 4000);
    ck_assert_int_eq(a->fair.of[PC_MEM], 501); /* the last MiB is the older's */
    ck_assert_int_eq(b->fair.of[PC_MEM], 500);
    story_close(&s);
}
END_TEST

/* If one node's amount is unknown, every queue may have what it requests, within limits. */
START_TEST(what_is_not_known_is_not_divided)
{
    struct story s;
    story_open(&s,
               "node n0 4 cpu=10; node n1 4; queue a cpu=1/-/0; queue b cpu=0/3/0; job x a 1xc99");
    ck_assert(pc_divide_shares(s.p));
    ck_assert_int_gt(s.p->cluster->queues[0].fair.of[PC_CPU], INT64_C(1) << 60);
    ck_assert_int_eq(s.p->cluster->queues[0].allocatable.of[PC_CPU], POLICY_UNLIMITED);
    ck_assert_int_eq(s.p->cluster->queues[1].allocatable.of[PC_CPU], 3000);
    story_close(&s);
}
END_TEST

/* Shares are those at the beginning of a decision: its own effects do not change them. */
START_TEST(shares_stay_during_a_decision)
{
    struct story s;
    story_open(&s,
               "opt actions=allocate; node n0 4; queue a; queue b; job x a 4x1/1; job y b 4x1/1");
    story_decides(&s, "x/0@n0 x/1@n0 y/0@n0 y/1@n0", "two each");
    ck_assert_int_eq(story_fair_share(&s, "a"), 2000);
    ck_assert_int_eq(story_fair_share(&s, "b"), 2000);
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "y"), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    ck_assert_int_eq(story_fair_share(&s, "a"), 2000); /* until the next one */
    story_decides(&s, "x/2@n0 x/3@n0", "all for x");
    ck_assert_int_eq(story_fair_share(&s, "a"), 4000);
    ck_assert_int_eq(story_fair_share(&s, "b"), 0);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shares");
    TCase *tcase = tcase_create("shares");
    tcase_add_loop_test(tcase, devices_are_divided, 0, ROWS(rows));
    tcase_add_loop_test(tcase, quota_or_share_within_the_limit, 0, ROWS(allocatable));
    tcase_add_test(tcase, each_resource_is_divided_by_itself);
    tcase_add_test(tcase, what_is_not_known_is_not_divided);
    tcase_add_test(tcase, shares_stay_during_a_decision);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
