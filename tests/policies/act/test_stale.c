/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stale gangs: a gang below its minimum is evicted after a grace period. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static const struct story_row rows[] = {
    /* ---- stale gangs ---- */
    {"one of two runs, the other has failed",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 2x1@n0,x", "x/0!n0"},
    {"the other is pending",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 2x1@n0,-", "x/0!n0"},
    {"the other is gated",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 2x1@n0,?", "x/0!n0"},
    {"all running tasks are evicted",
     "opt actions=stale staleness_grace_s=0; node n0 4; queue q; job x q 4x1@n0*3,x",
     "x/0!n0 x/1!n0 x/2!n0"},
    {"also what may not be preempted, whatever its priority",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q fixed prio=200 2x1@n0,x",
     "x/0!n0"},
    {"exactly at the minimum is not",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 3x1/2@n0*2,x", ""},
    {"tasks being released count as running",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 2x1@n0,n0!", ""},
    {"but alone it cannot be evicted again",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 2x1@n0!,x", ""},
    {"nothing of it runs",
     "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 2x1@x", ""},
    {"a succeeded task exempts the job",
     "opt actions=stale staleness_grace_s=0; node n0 3; queue q; job x q 3x1@n0,+,x", ""},
    {"in whatever role",
     "opt actions=stale staleness_grace_s=0; node n0 3; queue q; job x q 2x1@n0,x 1x1@+", ""},
    {"one role below its minimum takes the others with it",
     "opt actions=stale staleness_grace_s=0; node n0 4; queue q;"
     "job x q 2x1@n0*2 2x1@n0,x",
     "x/0!n0 x/1!n0 x/2!n0"},
    {"tasks of one role do not replace those of another",
     "opt actions=stale staleness_grace_s=0; node n0 4; queue q; job x q 3x1/1@n0*3 1x1@x",
     "x/0!n0 x/1!n0 x/2!n0"},

    /* ---- the beginning of the period ---- */
    {"the grace period is a minute",
     "opt actions=stale; node n0 2; queue q; job x q stale=59.999 2x1@n0,x", ""},
    {"it is over", "opt actions=stale; node n0 2; queue q; job x q stale=60 2x1@n0,x", "x/0!n0"},
    {"as long as the option says",
     "opt actions=stale staleness_grace_s=100; node n0 2; queue q;"
     "job x q stale=99 2x1@n0,x",
     ""},
    {"and then not longer",
     "opt actions=stale staleness_grace_s=100; node n0 2; queue q;"
     "job x q stale=100 2x1@n0,x",
     "x/0!n0"},
    {"for ever",
     "opt actions=stale staleness_grace_s=-1; node n0 2; queue q; job x q stale=999999 2x1@n0,x",
     ""},
    {"only now, if no time is given",
     "opt actions=stale staleness_grace_s=1; node n0 2; queue q;"
     "job x q 2x1@n0,x",
     ""},
    {"not at all when the action is off",
     "opt actions=allocate staleness_grace_s=0; node n0 1; queue q;"
     "job x q stale=99 2x1@n0,-",
     ""},
    {"the actions before it may help the gang", /* it recovers in the same decision */
     "opt staleness_grace_s=0; node n0 2; queue q; job x q stale=99 2x1@n0,-", "x/1@n0"},
};

START_TEST(stale_gangs)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* ---- facts, now, about tasks and the node n0 ---- */

static void runs(struct story *s, const char *job, uint32_t task)
{
    ck_assert_int_eq(
        policy_task_running(s->p, s->now, story_job(s, job), task, story_node(s, "n0"), 0, s->now),
        POLICY_OK);
}

static void ends(struct story *s, const char *job, uint32_t task, int32_t how)
{
    ck_assert_int_eq(policy_task_ended(s->p, s->now, story_job(s, job), task, how), POLICY_OK);
}

static void drains(struct story *s)
{
    ck_assert_int_eq(policy_set_node_state(s->p, s->now, story_node(s, "n0"), POLICY_NODE_DRAINING),
                     POLICY_OK);
}

START_TEST(the_time_is_waited_for)
{
    struct story s;
    story_open(&s, "opt actions=stale; node n0 3; queue q; job x q 2x1@n0*2; job y q 1x1@n0");
    story_decides(&s, "", "whole");
    ck_assert_int_eq(policy_next_wakeup(s.p), INT64_MAX);
    s.now += 5000;
    ends(&s, "x", 1, POLICY_FAILED);
    story_decides(&s, "", "stale since now");
    ck_assert_int_eq(policy_next_wakeup(s.p), s.now + 60000);
    s.now += 59999;
    story_decides(&s, "", "not yet");
    s.now += 1;
    story_decides(&s, "x/0!n0", "now");
    story_close(&s);
}
END_TEST

/* Every recovery begins a new period. */
START_TEST(recovery_clears_the_time)
{
    struct story s;
    story_open(&s, "opt actions=stale; node n0 2; queue q; job x q stale=50 2x1@n0,-");
    story_decides(&s, "", "ten seconds are left");
    ck_assert_int_eq(policy_next_wakeup(s.p), s.now + 10000);
    s.now += 5000;
    runs(&s, "x", 1);
    story_decides(&s, "", "whole again");
    ck_assert_int_eq(policy_next_wakeup(s.p), INT64_MAX);
    s.now += 100000;
    ends(&s, "x", 0, POLICY_EVICTED);
    story_decides(&s, "", "stale again, from now on");
    ck_assert_int_eq(policy_next_wakeup(s.p), s.now + 60000);
    story_close(&s);
}
END_TEST

/* The second task of x, stale for 30 seconds, is promised the place that w leaves. */
static void open_promised(struct story *s)
{
    story_open(s, "opt actions=allocate,stale; node n0 2; queue q; job w q fixed 1x1@n0!; job x q "
                  "stale=30 2x1@n0,-");
    story_decides(s, "x/1~n0", "promised");
}

/* A nomination of the missing task spares the gang, but is not a recovery. */
START_TEST(promises_are_no_recovery)
{
    struct story s;
    open_promised(&s);
    s.now += 40000;
    drains(&s);
    story_decides(&s, "x/0!n0", "the promise is gone, and 70 seconds are over");
    story_close(&s);
}
END_TEST

START_TEST(a_kept_promise_is_a_recovery)
{
    struct story s;
    open_promised(&s);
    s.now += 10000;
    ends(&s, "w", 0, POLICY_EVICTED);
    runs(&s, "x", 1);
    s.now += 100000;
    drains(&s);
    ends(&s, "x", 0, POLICY_EVICTED);
    story_decides(&s, "", "stale again, from now on");
    ck_assert_int_eq(policy_next_wakeup(s.p), s.now + 60000);
    story_close(&s);
}
END_TEST

START_TEST(the_reason_is_reported)
{
    struct story s;
    story_open(&s, "opt actions=stale staleness_grace_s=0; node n0 2; queue q; job x q 2x1@n0,x");
    size_t count;
    const struct policy_decision *d = policy_decide(s.p, s.now, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(d->reason, POLICY_REASON_STALE_GANG);
    ck_assert_int_eq(d->action, POLICY_STALE);
    ck_assert_uint_eq(d->for_job.i, POLICY_NO_ID);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stale");
    TCase *tcase = tcase_create("stale");
    tcase_add_loop_test(tcase, stale_gangs, 0, ROWS(rows));
    tcase_add_test(tcase, the_time_is_waited_for);
    tcase_add_test(tcase, recovery_clears_the_time);
    tcase_add_test(tcase, promises_are_no_recovery);
    tcase_add_test(tcase, a_kept_promise_is_a_recovery);
    tcase_add_test(tcase, the_reason_is_reported);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
