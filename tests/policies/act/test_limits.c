/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on running jobs: the end of build sessions, and of jobs that hold devices without using
 * them. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>

#define HOUR INT64_C(3600000)
#define DAY  (24 * HOUR)

/* ---- sessions ---- */

static const struct {
    const char *what, *options, *job; /* the job's settings */
    int64_t ends_ms;                  /* after it started; 0: never */
} sessions[] = {
    {"off", "", "build", 0},
    {"after eight hours", "interactive_limit_s=28800", "build", 8 * HOUR},
    {"training continues", "interactive_limit_s=28800", "", 0},
    {"so does inference", "interactive_limit_s=28800", "inference", 0},
    {"what may not be preempted, too", "interactive_limit_s=60", "build fixed", 60000},
    /* It starts at 13:46:40 (1000000 s is 11 days plus that), so the limit is at 21:46:40. */
    {"up to the end of the working day", "interactive_limit_s=28800 workday_end_s=79200", "build",
     DAY * 11 + 22 * HOUR - STORY_NOW},
    {"of the next day", "interactive_limit_s=28800 workday_end_s=64800", "build",
     DAY * 12 + 18 * HOUR - STORY_NOW},
    {"which may be midnight", "interactive_limit_s=28800 workday_end_s=0", "build",
     DAY * 12 - STORY_NOW},
    {"a working day without a limit", "workday_end_s=79200", "build", 0},
};

START_TEST(sessions_end)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "opt actions=limits %s; node n0 1; queue q; job x q %s start=0 1x1@n0",
                   sessions[_i].options, sessions[_i].job);
    story_open(&s, text);
    story_decides(&s, "", "just started");
    int64_t ends = sessions[_i].ends_ms;
    ck_assert_int_eq(policy_next_wakeup(s.p), ends > 0 ? STORY_NOW + ends : INT64_MAX);
    s.now = STORY_NOW + (ends > 0 ? ends - 1 : 100 * DAY);
    story_decides(&s, "", sessions[_i].what);
    s.now++;
    story_decides(&s, ends > 0 ? "x/0!n0" : "", sessions[_i].what);
    story_close(&s);
}
END_TEST

/* The job's own limit instead of the option's: longer, shorter, none. */
static const struct {
    const char *option;
    int64_t limit_ms, ends_ms;
} own[] = {
    {"interactive_limit_s=100", 0, 100000},
    {"interactive_limit_s=100", 200000, 200000},
    {"interactive_limit_s=100", 50000, 50000},
    {"interactive_limit_s=100", -1, 0},
    {"", 70000, 70000},
    {"", -1, 0},
};

START_TEST(jobs_may_have_their_own_limit)
{
    struct story s;
    char text[128];
    (void)snprintf(text, sizeof text, "opt actions=limits %s; node n0 1; queue q", own[_i].option);
    story_open(&s, text);
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(story_queue(&s, "q"), 1, &role, 1);
    spec.workload = POLICY_BUILD;
    spec.interactive_limit_ms = own[_i].limit_ms;
    policy_job job = policy_submit(s.p, s.now, &spec);
    ck_assert_int_eq(policy_task_running(s.p, s.now, job, 0, story_node(&s, "n0"), 0, s.now),
                     POLICY_OK);
    core_decide(s.p, s.now, 0);
    ck_assert_int_eq(policy_next_wakeup(s.p),
                     own[_i].ends_ms > 0 ? s.now + own[_i].ends_ms : INT64_MAX);
    core_decide(s.p, s.now + (own[_i].ends_ms > 0 ? own[_i].ends_ms - 1 : DAY), 0);
    const struct policy_decision *d = core_decide(
        s.p, s.now + (own[_i].ends_ms > 0 ? own[_i].ends_ms : 2 * DAY), own[_i].ends_ms > 0);
    if (d != NULL)
        ck_assert_int_eq(d->reason, POLICY_REASON_TIME_LIMIT);
    story_close(&s);
}
END_TEST

/* ---- idle jobs ---- */

/*
 * Reports of utilization (percent), one per minute, starting a minute after the start; -1: none. A
 * report covers the time since the previous one.
 */
static const struct {
    const char *what, *options, *job;
    int32_t reports[4];
    int64_t ends_s; /* after the start; 0: never */
} idle[] = {
    {"off", "", "", {0, 0, 0, 0}, 0},
    {"idle from the start", "idle_limit_s=600 idle_grace_train_s=0", "", {0, -1, -1, -1}, 600},
    {"and still", "idle_limit_s=600 idle_grace_train_s=0", "", {0, 4, 1, 0}, 600},
    {"busy in between", "idle_limit_s=600 idle_grace_train_s=0", "", {0, 5, 0, -1}, 720},
    {"busy at last", "idle_limit_s=600 idle_grace_train_s=0", "", {0, 0, 0, 5}, 0},
    {"nobody reports", "idle_limit_s=600", "", {-1, -1, -1, -1}, 0},
    {"another threshold",
     "idle_limit_s=600 idle_grace_train_s=0 idle_below=0.5",
     "",
     {49, 50, 49, 49},
     720},
    {"training has an hour", "idle_limit_s=600", "", {0, 0, 0, 0}, 4200},
    {"sessions ten minutes", "idle_limit_s=600", "build", {0, 0, 0, 0}, 1200},
    {"as long as declared", "idle_limit_s=600 idle_grace_s=100", "build", {0, 0, 0, 0}, 700},
    {"the session ends first",
     "idle_limit_s=600 interactive_limit_s=900",
     "build",
     {0, 0, 0, 0},
     900},
};

START_TEST(idle_jobs_end)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "opt actions=limits %s; node n0 1; queue q; job x q %s start=0 1x1@n0",
                   idle[_i].options, idle[_i].job);
    story_open(&s, text);
    for (int i = 0; i < 4; i++) {
        s.now += 60000;
        if (idle[_i].reports[i] >= 0)
            ck_assert_int_eq(policy_report_activity(s.p, s.now, story_job(&s, "x"),
                                                    idle[_i].reports[i] * INT64_C(10000)),
                             POLICY_OK);
        story_decides(&s, "", idle[_i].what);
    }
    int64_t ends = idle[_i].ends_s * 1000;
    ck_assert_msg(policy_next_wakeup(s.p) == (ends > 0 ? STORY_NOW + ends : INT64_MAX),
                  "%s: wakes up after %lld", idle[_i].what,
                  (long long)(policy_next_wakeup(s.p) - STORY_NOW));
    s.now = STORY_NOW + (ends > 0 ? ends - 1 : DAY);
    story_decides(&s, "", idle[_i].what);
    s.now++;
    story_decides(&s, ends > 0 ? "x/0!n0" : "", idle[_i].what);
    story_close(&s);
}
END_TEST

/* A job that holds no devices continues, and no wakeup is set for it. */
static const struct {
    const char *what, *job;
    bool ends;
} holders[] = {
    {"cores alone", "1xc2@n0", false},
    {"a share", "1x.5@n0:0", true},
    {"a MIG instance", "1x1g@n1", true},
    {"a head on cores, no worker", "1xc1@n0 2x1/1@-", false},
    {"a head on cores, and a worker", "1xc1@n0 2x1/1@n0", true},
};

START_TEST(jobs_without_devices_are_not_idle)
{
    struct story s;
    char text[256];
    (void)snprintf(
        text, sizeof text,
        "opt actions=limits idle_limit_s=60 idle_grace_s=0; node n0 2; node n1 0 mig=1x1g;"
        "queue q; job x q build start=0 %s",
        holders[_i].job);
    story_open(&s, text);
    s.now += 30000;
    ck_assert_int_eq(policy_report_activity(s.p, s.now, story_job(&s, "x"), 0), POLICY_OK);
    story_decides(&s, "", holders[_i].what);
    ck_assert_int_eq(policy_next_wakeup(s.p), holders[_i].ends ? STORY_NOW + 60000 : INT64_MAX);
    s.now = STORY_NOW + DAY;
    ck_assert_int_eq(story_reason(&s), holders[_i].ends ? POLICY_REASON_IDLE : POLICY_REASON_NONE);
    story_close(&s);
}
END_TEST

START_TEST(reports_are_checked)
{
    struct story s;
    story_open(&s, "node n0 1; queue q; job x q 1x1");
    ck_assert_int_eq(policy_report_activity(s.p, s.now, story_job(&s, "x"), -1), POLICY_INVALID);
    ck_assert_int_eq(policy_report_activity(s.p, s.now, story_job(&s, "x"), 1000001),
                     POLICY_INVALID);
    ck_assert_int_eq(policy_report_activity(s.p, s.now, (policy_job){99, 0}, 0), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_report_activity(s.p, s.now, story_job(&s, "x"), 1000000), POLICY_OK);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("limits");
    TCase *tcase = tcase_create("limits");
    tcase_add_loop_test(tcase, sessions_end, 0, ROWS(sessions));
    tcase_add_loop_test(tcase, jobs_may_have_their_own_limit, 0, ROWS(own));
    tcase_add_loop_test(tcase, idle_jobs_end, 0, ROWS(idle));
    tcase_add_loop_test(tcase, jobs_without_devices_are_not_idle, 0, ROWS(holders));
    tcase_add_test(tcase, reports_are_checked);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
