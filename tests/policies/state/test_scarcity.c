/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches of preempt that cannot succeed are remembered from decision to decision, until a victim
 * could leave more room. In all rows p wants two devices of a node, and v and w could give one on
 * each, beside the jobs f and g that stay.
 */
#include "state/scarcity.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define STORY                                                                                      \
    "preset quota-edf; opt actions=preempt; node n0 2; node n1 2; queue q gpu=4;"                  \
    "job f q fixed 1x1@n0; job g q fixed 1x1@n1; job o q prio=90 1x8; job p q prio=60 1x2;"        \
    "job v q prio=40 1x1@n0; job w q prio=40 1x1@n1; job later q prio=60 1x2"

static uint32_t remembered(const struct story *s)
{
    return s->p->cluster->queues[0].scarcity_count;
}

START_TEST(it_lasts_until_more_becomes_free)
{
    struct story s;
    story_open(&s, STORY);
    story_decides(&s, "", "one device on each node");
    ck_assert_uint_eq(remembered(&s), 1);
    s.now += 1000;
    story_decides(&s, "", "still");
    ck_assert_uint_eq(remembered(&s), 1);
    ck_assert_int_eq(
        policy_task_ended(s.p, s.now, story_job(&s, "g"), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    story_decides(&s, "w/0!n1 p/0~n1", "the second device of n1 is free");
    story_close(&s);
}
END_TEST

/* p is before v and w, and `later` behind them, so that it has no victims. */
static const struct row {
    const char *job;
    int32_t devices;
    int64_t tasks;
    bool known;
} rows[] = {
    {"p", 2, 1, true},     {"p", 3, 1, true},  {"p", 1, 1, false},
    {"later", 2, 1, true}, {"o", 2, 1, false}, /* of higher priority */
    {"f", 2, 1, false},                        /* earlier */
};

START_TEST(it_holds_for_jobs_with_no_more_victims)
{
    struct story s;
    story_open(&s, STORY);
    story_decides(&s, "", "one device on each node");
    ck_assert_int_eq(pc_scarcity_is_known(s.p->cluster, story_job(&s, rows[_i].job).i,
                                          rows[_i].devices, rows[_i].tasks),
                     rows[_i].known);
    story_close(&s);
}
END_TEST

START_TEST(victims_that_are_no_concern_change_nothing)
{
    struct story s;
    story_open(&s, STORY);
    story_decides(&s, "", "one device on each node");
    pc_scarcity_note(s.p->cluster, story_job(&s, "f").i);     /* before p */
    pc_scarcity_note(s.p->cluster, story_job(&s, "later").i); /* of the same priority */
    ck_assert_uint_eq(remembered(&s), 1);
    pc_scarcity_note(s.p->cluster, story_job(&s, "v").i);
    ck_assert_uint_eq(remembered(&s), 0);
    story_close(&s);
}
END_TEST

START_TEST(the_oldest_makes_room)
{
    struct story s;
    story_open(&s, STORY);
    const uint32_t job = story_job(&s, "p").i;
    for (int32_t i = 0; i < PC_SCARCITIES + 3; i++)
        pc_scarcity_remember(s.p->cluster, job, PC_SCARCITIES + 3 - i, 0);
    ck_assert_uint_eq(remembered(&s), PC_SCARCITIES);
    ck_assert_int_eq(s.p->cluster->queues[0].scarcities[0].devices, PC_SCARCITIES);
    ck_assert_int_eq(s.p->cluster->queues[0].scarcities[PC_SCARCITIES - 1].devices, 1);
    s.p->cluster->queues[0].scarcity_count = 0;
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scarcity");
    TCase *tcase = tcase_create("scarcity");
    tcase_add_test(tcase, it_lasts_until_more_becomes_free);
    tcase_add_loop_test(tcase, it_holds_for_jobs_with_no_more_victims, 0, ROWS(rows));
    tcase_add_test(tcase, victims_that_are_no_concern_change_nothing);
    tcase_add_test(tcase, the_oldest_makes_room);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
