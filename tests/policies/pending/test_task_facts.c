/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about tasks with the quota policy: accepted and refused ones, and that a refused fact
 * changes nothing. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>

/* n0: device 0 taken, 1 half taken, 2 and 3 idle; n1 with two MIG instances, of which one is taken;
 * n2 without devices. */
static const char world[] =
    "node n0 4 gpumem=1000; node n1 1 mig=2x3g; node n2 0; queue q gpu=9;"
    "job w q 1x1@n0:0; job h q 1x.5@n0:1; job g q 1x3g@n1;"
    "job x q 3x1/1; job y q 1x.5; job z q 2x3g/1; job m q 1xm600; job c q 1xc1;"
    "job o q 2x1/1@+";

/* ---- found running ---- */

static const struct {
    const char *job;
    uint32_t task;
    const char *node;
    uint64_t devices;
    int status;
} found[] = {
    {"x", 0, "n0", 0, POLICY_OK}, /* any idle ones */
    {"x", 0, "n0", 0x4, POLICY_OK},
    {"x", 0, "n0", 0x8, POLICY_OK},
    {"x", 2, "n0", 0x8, POLICY_OK},
    {"x", 3, "n0", 0x8, POLICY_UNKNOWN},  /* no such task */
    {"x", 0, "n0", 0x1, POLICY_CONFLICT}, /* taken */
    {"x", 0, "n0", 0x2, POLICY_CONFLICT}, /* half taken */
    {"x", 0, "n0", 0x10, POLICY_INVALID}, /* no such device */
    {"x", 0, "n0", 0xc, POLICY_INVALID},  /* two */
    {"x", 0, "n2", 0, POLICY_INVALID},    /* none there */
    {"y", 0, "n0", 0x2, POLICY_OK},
    {"y", 0, "n0", 0x8, POLICY_OK},
    {"y", 0, "n0", 0x1, POLICY_CONFLICT},
    {"y", 0, "n0", 0, POLICY_INVALID},    /* a share must name its device */
    {"m", 0, "n0", 0x2, POLICY_CONFLICT}, /* 600 of 500 */
    {"m", 0, "n0", 0x4, POLICY_OK},
    {"z", 0, "n1", 0, POLICY_OK},
    {"z", 0, "n0", 0, POLICY_INVALID},
    {"c", 0, "n2", 0, POLICY_OK},
    {"c", 0, "n0", 0x4, POLICY_INVALID},
    {"w", 0, "n0", 0x4, POLICY_CONFLICT}, /* runs already */
    {"o", 0, "n0", 0x4, POLICY_CONFLICT}, /* has succeeded */
    {"o", 1, "n0", 0x4, POLICY_OK},
};

START_TEST(found_running)
{
    struct story s;
    story_open(&s, world);
    int status = policy_task_running(s.p, s.now, story_job(&s, found[_i].job), found[_i].task,
                                     story_node(&s, found[_i].node), found[_i].devices, s.now);
    ck_assert_int_eq(status, found[_i].status);
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

START_TEST(more_than_the_instances)
{
    struct story s;
    story_open(&s, world);
    policy_node n1 = story_node(&s, "n1");
    ck_assert_int_eq(policy_task_running(s.p, s.now, story_job(&s, "z"), 0, n1, 0, s.now),
                     POLICY_OK);
    ck_assert_int_eq(policy_task_running(s.p, s.now, story_job(&s, "z"), 1, n1, 0, s.now),
                     POLICY_CONFLICT);
    ck_assert_int_eq(
        policy_task_running(s.p, s.now, story_job(&s, "z"), 1, (policy_node){9}, 0, s.now),
        POLICY_UNKNOWN);
    ck_assert_int_eq(policy_task_running(s.p, s.now, (policy_job){99, 0}, 1, n1, 0, s.now),
                     POLICY_UNKNOWN);
    story_close(&s);
}
END_TEST

/* ---- one fact about one task in each of its states ---- */

enum fact { STARTED, RELEASING, GATED, UNGATED, SUCCEEDED, FAILED, EVICTED };

/* The task is x/0 of the job described; a second task keeps the job alive. */
static const struct {
    const char *places;
    enum fact fact;
    int status;
} facts[] = {
    {"-", STARTED, POLICY_CONFLICT}, /* it was not started */
    {"n0", STARTED, POLICY_OK},        {"-", RELEASING, POLICY_CONFLICT},
    {"n0", RELEASING, POLICY_OK},      {"n0!", RELEASING, POLICY_OK}, /* it is already */
    {"+", RELEASING, POLICY_CONFLICT}, {"-", GATED, POLICY_OK},
    {"?", GATED, POLICY_OK},           {"?", UNGATED, POLICY_OK},
    {"n0", GATED, POLICY_CONFLICT},    {"n0!", GATED, POLICY_CONFLICT},
    {"+", GATED, POLICY_CONFLICT},     {"x", UNGATED, POLICY_CONFLICT},
    {"n0", SUCCEEDED, POLICY_OK},      {"n0!", SUCCEEDED, POLICY_OK},
    {"-", SUCCEEDED, POLICY_OK}, /* in a snapshot */
    {"?", FAILED, POLICY_OK},          {"+", SUCCEEDED, POLICY_CONFLICT},
    {"x", FAILED, POLICY_CONFLICT},    {"+", EVICTED, POLICY_CONFLICT},
    {"n0", EVICTED, POLICY_OK},        {"n0!", EVICTED, POLICY_OK},
    {"-", EVICTED, POLICY_CONFLICT},
};

static int tell(struct story *s, enum fact fact)
{
    policy_job x = story_job(s, "x");
    switch (fact) {
    case STARTED:
        return policy_task_started(s->p, s->now, x, 0);
    case RELEASING:
        return policy_task_releasing(s->p, s->now, x, 0);
    case GATED:
        return policy_task_gated(s->p, s->now, x, 0, true);
    case UNGATED:
        return policy_task_gated(s->p, s->now, x, 0, false);
    case SUCCEEDED:
        return policy_task_ended(s->p, s->now, x, 0, POLICY_SUCCEEDED);
    case FAILED:
        return policy_task_ended(s->p, s->now, x, 0, POLICY_FAILED);
    case EVICTED:
    default:
        return policy_task_ended(s->p, s->now, x, 0, POLICY_EVICTED);
    }
}

START_TEST(facts_in_each_state)
{
    struct story s;
    char text[128];
    (void)snprintf(text, sizeof text, "node n0 4; queue q; job x q 2x1/1@%s", facts[_i].places);
    story_open(&s, text);
    ck_assert_int_eq(tell(&s, facts[_i].fact), facts[_i].status);
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

/* ---- after an end ---- */

/* After x/0 ended with this outcome: the decisions, if the job still exists. */
static const struct {
    const char *what, *text;
    uint32_t task;
    int32_t outcome;
    const char *decided; /* NULL: the job is over */
} ends[] = {
    {"the only task", "job x q 1x1@n0", 0, POLICY_SUCCEEDED, NULL},
    {"the only task, evicted: once more", "job x q 1x1@n0", 0, POLICY_EVICTED, "x/0@n0"},
    {"one of two pending still", "job x q 2x1/1@n0", 0, POLICY_SUCCEEDED, "x/1@n0"},
    {"a failed one does not come again", "job x q 2x1/1@n0*2", 0, POLICY_FAILED, ""},
    {"an evicted one does", "job x q 2x1/1@n0*2", 0, POLICY_EVICTED, "x/0@n0"},
    {"all tasks over", "job x q 3x1/1@n0,-", POLICY_ALL_TASKS, POLICY_FAILED, NULL},
    {"all tasks evicted", "job x q 2x1@n0*2", POLICY_ALL_TASKS, POLICY_EVICTED, "x/0@n0 x/1@n0"},
    {"a gated one keeps the job", "job x q 2x1/1@n0,?", 0, POLICY_SUCCEEDED, ""},
    {"below the minimum: nothing to start", "job x q 2x1@n0*2", 0, POLICY_FAILED, ""},
};

START_TEST(state_after_an_end)
{
    struct story s;
    char text[128];
    (void)snprintf(text, sizeof text, "opt actions=allocate; node n0 4; queue q; %s",
                   ends[_i].text);
    story_open(&s, text);
    policy_job x = story_job(&s, "x");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, x, ends[_i].task, ends[_i].outcome), POLICY_OK);
    story_decides(&s, ends[_i].decided != NULL ? ends[_i].decided : "", ends[_i].what);
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(s.p, x, &why),
                     ends[_i].decided != NULL ? POLICY_OK : POLICY_UNKNOWN);
    story_close(&s);
}
END_TEST

START_TEST(refused_outcomes)
{
    struct story s;
    story_open(&s, "node n0 4; queue q; job x q 2x1/1@n0; job y q 1x1");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "x"), 0, 3), POLICY_INVALID);
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "x"), 0, -1), POLICY_INVALID);
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "x"), 2, 0), POLICY_UNKNOWN);
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "y"), POLICY_ALL_TASKS, POLICY_EVICTED),
        POLICY_CONFLICT);
    ck_assert_int_eq(policy_task_ended(s.p, s.now - 1, story_job(&s, "x"), 0, 0), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "x")), POLICY_CONFLICT); /* it runs */
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "y")), POLICY_OK);
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "y")), POLICY_UNKNOWN); /* over */
    story_close(&s);
}
END_TEST

/* Policies with lanes refuse facts that only the quota policy understands. */
START_TEST(lines_do_not_understand)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    core_node(p, 0, 1);
    policy_job job = core_submit(p, 0, core_queue(p, NULL, 0), 1, 1, core_devices(1));
    ck_assert_int_eq(policy_set_stale_since(p, 0, job, 0), POLICY_UNSUPPORTED);
    ck_assert_int_eq(policy_report_activity(p, 0, job, 0), POLICY_UNSUPPORTED);
    struct policy_amounts none = {0, 0, 0};
    ck_assert_int_eq(policy_set_usage(p, 0, (policy_queue){0}, &none), POLICY_UNSUPPORTED);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("task facts");
    TCase *tcase = tcase_create("task facts");
    tcase_add_loop_test(tcase, found_running, 0, ROWS(found));
    tcase_add_test(tcase, more_than_the_instances);
    tcase_add_loop_test(tcase, facts_in_each_state, 0, ROWS(facts));
    tcase_add_loop_test(tcase, state_after_an_end, 0, ROWS(ends));
    tcase_add_test(tcase, refused_outcomes);
    tcase_add_test(tcase, lines_do_not_understand);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
