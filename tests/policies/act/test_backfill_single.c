/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reservation and backfill: jobs that may start next to a gang that waits for its places, and the
 * duration of its reservation. Unless noted, s runs on n0 for another 940 s (of 1000 s declared,
 * started a minute ago), big waits for it, and x requests free devices.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>

#define ONLY_ALLOCATE "opt backfill=true actions=allocate; "
#define FOUR_OF_EIGHT "node n0 8; queue q; job s q limit=1000 1x4@n0; job big q 1x8; "

/* ---- one decision ---- */

static const struct story_row rows[] = {
    {"without the option nothing is reserved", "opt actions=allocate; " FOUR_OF_EIGHT "job x q 1x4",
     "x/0@n0"},

    /* ---- jobs that end in time ---- */
    {"it ends when s does", ONLY_ALLOCATE FOUR_OF_EIGHT "job x q limit=940 1x4", "x/0@n0"},
    {"a second too late", ONLY_ALLOCATE FOUR_OF_EIGHT "job x q limit=941 1x4", ""},
    {"what declares no end never ends", ONLY_ALLOCATE FOUR_OF_EIGHT "job x q 1x4", ""},
    {"also behind an equivalent job that does not end in time",
     ONLY_ALLOCATE FOUR_OF_EIGHT "job w q 1x4; job x q limit=940 1x4", "x/0@n0"},
    {"two that end in time",
     ONLY_ALLOCATE FOUR_OF_EIGHT "job x q limit=900 2x1; job y q limit=940 1x2",
     "x/0@n0 x/1@n0 y/0@n0"},
    {"s runs longer than was declared: it may end now", /* so nothing ends in time */
     ONLY_ALLOCATE
     "node n0 8; queue q; job s q limit=1000 start=1001 1x4@n0; job big q 1x8; job x q limit=1 1x4",
     ""},
    {"the earliest time at which enough has ended", /* t on n1 is longer */
     ONLY_ALLOCATE "node n0 8; node n1 8; queue q; job s q limit=1000 1x4@n0; job t q limit=2000 "
                   "1x4@n1; job big q 1x8;job x q limit=941 1x4; job y q 1x4",
     "x/0@n1"},
    {"of a gang the last piece", /* t ends after 1940 s */
     ONLY_ALLOCATE "node n0 8; node n1 8; queue q; job s q limit=1000 1x4@n0; job t q limit=2000 "
                   "1x4@n1; job big q 2x8;job x q limit=1940 1x4; job y q limit=1941 1x4",
     "x/0@n0"},

    /* ---- without declared ends there is no time ---- */
    {"jobs that declare an end may use it meanwhile, others may not",
     ONLY_ALLOCATE
     "node n0 8; queue q; job s q 1x4@n0; job big q 1x8; job w q 1x4; job x q limit=100000 1x4",
     "x/0@n0"},
    {"the node with the least left to end is reserved",
     ONLY_ALLOCATE "node n0 8; node n1 8; queue q; job s q 1x6@n0; job t q 1x4@n1; job big q 1x8; "
                   "job x q 1x2; job y q 1x2",
     "x/0@n0"},

    /* ---- jobs that fit beside it ---- */
    {"another node", ONLY_ALLOCATE "node n1 4; " FOUR_OF_EIGHT "job x q 1x4", "x/0@n1"},
    {"what it does not need of its own", /* 6 of 8 */
     ONLY_ALLOCATE
     "node n0 8; queue q; job s q limit=1000 1x4@n0; job big q 1x6; job x q 1x3; job y q 1x2",
     "y/0@n0"},
    {"each once", /* 2 are left, by then */
     ONLY_ALLOCATE "node n0 8; queue q; job s q limit=1000 1x4@n0; job big q 1x6; job x q 1x1; job "
                   "y q 1x1; job z q 1x1",
     "x/0@n0 y/0@n0"},
    {"next to those that end in time", /* of 4 idle devices x takes 2 until then, y 2 for good */
     ONLY_ALLOCATE "node n0 8; queue q; job s q limit=1000 1x4@n0; job big q 1x6; job x q "
                   "limit=940 1x2; job y q 1x2",
     "x/0@n0 y/0@n0"},
    {"two shares that end are one device", /* idle are 2, with the device of s there will be 3 */
     ONLY_ALLOCATE "node n0 4; queue q; job s q limit=1000 2x.5@n0:0,n0:0; job t q 1x1@n0:1; job "
                   "big q 1x3; job x q 1x1",
     ""},
    {"a share takes what is left of a device that stays", /* t stays on half of device 1 */
     ONLY_ALLOCATE "node n0 4; queue q; job s q limit=1000 1x1@n0:0; job t q 1x.5@n0:1; job big q "
                   "1x3; job x q 1x.5",
     "x/0@n0:1"},
    {"and no device of it", /* .6 has no room next to t */
     ONLY_ALLOCATE "node n0 4; queue q; job s q limit=1000 1x1@n0:0; job t q 1x.5@n0:1; job big q "
                   "1x3; job x q 1x.6",
     ""},
    {"a share that is reserved", /* .7 and .4 are too much for the one device */
     ONLY_ALLOCATE
     "node n0 1; queue q; job s q limit=1000 1x.5@n0:0; job big q 1x.7; job x q 1x.4; job y q 1x.3",
     "y/0@n0:0"},
    {"cores", /* devices for both, cores only for big */
     ONLY_ALLOCATE "node n0 8 cpu=8; queue q; job s q limit=1000 1x4+c4@n0; job big q 1x4+c8; job "
                   "x q 1x4+c1; job y q 1x4",
     "y/0@n0"},
    {"cores of those that ask for nothing else",
     ONLY_ALLOCATE "node n0 8 cpu=8; queue q; job s q limit=1000 1x4+c4@n0; job big q 1x4+c8; job "
                   "x q 1xc1;job y q limit=900 1xc1",
     "y/0@n0"},
    {"memory",
     ONLY_ALLOCATE "node n0 8 mem=800; queue q; job s q limit=1000 1x4+r400@n0; job big q "
                   "1x4+r800; job x q 1x4+r1;job y q 1x4",
     "y/0@n0"},
    {"MIG instances",
     ONLY_ALLOCATE "node n0 2 mig=2x3g; queue q; job s q limit=1000 1x3g@n0; job big q 2x3g; job x "
                   "q 1x3g;job y q limit=940 1x3g",
     "y/0@n0"},
    {"MIG instances made freely", /* 4g and 4g are the whole device */
     ONLY_ALLOCATE "node n0 1 mig=free; queue q; job s q limit=1000 1x4g@n0:0; job big q 2x3g; job "
                   "x q 1x1g;job y q limit=940 1x1g",
     "y/0@n0"},
    {"places for tasks",
     ONLY_ALLOCATE "node n0 8 tasks=3; queue q; job s q limit=1000 1x4@n0; job big q 3x2; job x q "
                   "1x1; job y q limit=940 1x1",
     "y/0@n0"},

    /* ---- bounds of queues ---- */
    {"room below the limit is left as well", /* 4 and 8 of 12; r has its own */
     ONLY_ALLOCATE "node n0 8; node n1 4; queue q gpu=0/12; queue r prio=99; job s q limit=1000 "
                   "1x4@n0; job big q 1x8;job x q 1x4; job y r 1x2",
     "y/0@n1"},
    {"a job over the limit gets none", /* 4 and 8 of 11 */
     ONLY_ALLOCATE
     "node n0 8; queue q gpu=0/11; job s q limit=1000 1x4@n0; job big q 1x8; job x q 1x4",
     "x/0@n0"},

    /* ---- jobs with a reservation ---- */
    {"a job that could never start gets none",
     ONLY_ALLOCATE "node n0 8; queue q; job s q limit=1000 1x4@n0; job big q 1x9; job x q 1x4",
     "x/0@n0"},
    {"then the next one may get it",
     ONLY_ALLOCATE
     "node n0 8; queue q; job s q limit=1000 1x4@n0; job no q 1x9; job big q 1x8; job x q 1x4",
     ""},
    {"a job with its minimum needs none", /* e grows by 1 at most */
     ONLY_ALLOCATE "node n0 4; queue q; job s q limit=1000 1x3@n0; job e q 2x2/1@-,-; job x q 1x1",
     "x/0@n0"},
    {"one at a time", /* the next job after big may wait for ever */
     ONLY_ALLOCATE "node n0 8; node n1 8; queue q; job s q limit=1000 1x4@n0; job t q 1x4@n1; job "
                   "big q 1x8; job big2 q 1x8;job x q 1x4",
     "x/0@n1"},

    /* ---- the other actions ---- */
    {"no job is moved or evicted for one that is held back",
     "opt backfill=true; " FOUR_OF_EIGHT "job x q 1x4", ""},
};

START_TEST(jobs_that_may_start_next_to_it)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* ---- the end of a reservation ---- */

static void end(struct story *s, const char *job)
{
    ck_assert_int_eq(
        policy_task_ended(s->p, s->now, story_job(s, job), POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
}

/* The reservation goes to the first job in the order at that time, here by age. */
START_TEST(the_reservation_lasts_until_the_job_starts)
{
    struct story s;
    story_open(&s, "opt backfill=true; " FOUR_OF_EIGHT);
    story_decides(&s, "", "big waits");
    story_tell(&s, "job x q at=.5 1x4");
    story_decides(&s, "", "x is older, and has to wait");
    s.now += 940000;
    end(&s, "s");
    story_decides(&s, "big/0@n0", "big starts when s ends");
    end(&s, "big");
    story_decides(&s, "x/0@n0", "then x");
    story_close(&s);
}
END_TEST

START_TEST(it_ends_when_the_job_leaves)
{
    struct story s;
    story_open(&s, "opt backfill=true; " FOUR_OF_EIGHT "job x q 1x4");
    story_decides(&s, "", "x would delay big");
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "big")), POLICY_OK);
    story_decides(&s, "x/0@n0", "and cannot any more");
    story_close(&s);
}
END_TEST

START_TEST(it_ends_when_there_is_no_place_for_the_job)
{
    struct story s;
    story_open(&s, "opt backfill=true; node n0 8; node n1 8; queue q; job s q limit=1000 1x4@n0;"
                   "job big q 2x8; job x q 1x4");
    story_decides(&s, "", "x would delay big");
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n0"), POLICY_NODE_DRAINING),
                     POLICY_OK);
    story_decides(&s, "x/0@n1", "there is one node for big");
    story_close(&s);
}
END_TEST

/* An equivalent, older job takes its place instead, and the reservation stays. */
START_TEST(equals_go_by_age)
{
    struct story s;
    story_open(&s, "opt backfill=true; " FOUR_OF_EIGHT);
    story_decides(&s, "", "big waits");
    story_tell(&s, "job twin q at=.5 1x8; job x q 1x4");
    story_decides(&s, "", "both wait");
    end(&s, "s");
    story_decides(&s, "twin/0@n0", "the older one first");
    end(&s, "twin");
    story_decides(&s, "big/0@n0", "then big");
    story_close(&s);
}
END_TEST

/* ---- jobs that ignore it ---- */

static const struct {
    const char *what, *options, *job, *expected;
} rights[] = {
    {"within its fair share it could reclaim the place", "", "job x r 1x4", "x/0@n0"},
    {"not when that is switched off", "actions=allocate,preempt", "job x r 1x4", ""},
    {"nor when big is safe for a while once it runs", "reclaim_min_runtime_s=1", "job x r 1x4", ""},
    {"nor beyond its fair share, the half", "", "job x r 1x4; job y r 1x4", "x/0@n0"},
    {"with a higher priority it could preempt", "", "job x q prio=51 1x4", "x/0@n0"},
    {"not when that is switched off", "actions=allocate,reclaim", "job x q prio=51 1x4", ""},
    {"nor when big is safe for a while once it runs", "preempt_min_runtime_s=1",
     "job x q prio=51 1x4", ""},
};

START_TEST(jobs_that_would_lose_it_need_not_spare_it)
{
    char text[300];
    struct story s;
    (void)snprintf(text, sizeof text, "opt backfill=true %s; queue r; " FOUR_OF_EIGHT,
                   rights[_i].options);
    story_open(&s, text);
    story_decides(&s, "", "big waits");
    story_tell(&s, rights[_i].job);
    story_decides(&s, rights[_i].expected, rights[_i].what);
    story_close(&s);
}
END_TEST

/* ---- reports ---- */

START_TEST(starts_behind_it_are_backfill)
{
    struct story s;
    size_t count;
    story_open(&s, ONLY_ALLOCATE "node n0 8; queue q; job s q limit=1000 1x4@n0; job a q 1x1; job "
                                 "big q 1x7;job x q limit=900 1x2");
    const struct policy_decision *d = policy_decide(s.p, s.now, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(d[0].job.i, story_job(&s, "a").i);
    ck_assert_int_eq(d[0].action, POLICY_ALLOCATE);
    ck_assert_uint_eq(d[1].job.i, story_job(&s, "x").i);
    ck_assert_int_eq(d[1].action, POLICY_BACKFILL);
    /* in later decisions, too, the order counts */
    end(&s, "x");
    story_tell(&s, "job old q at=.5 limit=900 1x2; job y q limit=900 1x1");
    d = policy_decide(s.p, s.now, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(d[0].job.i, story_job(&s, "old").i);
    ck_assert_int_eq(d[0].action, POLICY_ALLOCATE);
    ck_assert_uint_eq(d[1].job.i, story_job(&s, "y").i);
    ck_assert_int_eq(d[1].action, POLICY_BACKFILL);
    story_close(&s);
}
END_TEST

static struct policy_explanation explain(struct story *s, const char *job)
{
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(s->p, story_job(s, job), &why), POLICY_OK);
    return why;
}

START_TEST(held_back_jobs_name_the_reserved_one)
{
    struct story s;
    story_open(&s, "opt backfill=true; " FOUR_OF_EIGHT "job x q 1x4; job far q 1x9");
    ck_assert_int_eq(explain(&s, "x").reason, POLICY_REASON_WAITING);
    story_decides(&s, "", "x would delay big");
    struct policy_explanation why = explain(&s, "x");
    ck_assert_int_eq(why.reason, POLICY_REASON_RESERVED);
    ck_assert_uint_eq(why.behind.i, story_job(&s, "big").i);
    ck_assert_int_eq(why.behind_reason, POLICY_REASON_DEVICES_BUSY);
    ck_assert_int_eq(explain(&s, "big").reason, POLICY_REASON_DEVICES_BUSY);
    ck_assert_int_eq(explain(&s, "far").reason, POLICY_REASON_NEVER_FITS);
    story_tell(&s, "job old q at=.5 1x4");
    ck_assert_int_eq(explain(&s, "old").reason, POLICY_REASON_RESERVED);
    story_decides(&s, "", "the question took nothing from big");
    story_tell(&s, "job in_time q limit=900 1x4");
    ck_assert_int_eq(explain(&s, "in_time").reason, POLICY_REASON_WAITING);
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "big")), POLICY_OK);
    ck_assert_int_eq(explain(&s, "x").reason, POLICY_REASON_WAITING);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reserve");
    TCase *tcase = tcase_create("reserve");
    tcase_add_loop_test(tcase, jobs_that_may_start_next_to_it, 0, ROWS(rows));
    tcase_add_test(tcase, the_reservation_lasts_until_the_job_starts);
    tcase_add_test(tcase, it_ends_when_the_job_leaves);
    tcase_add_test(tcase, it_ends_when_there_is_no_place_for_the_job);
    tcase_add_test(tcase, equals_go_by_age);
    tcase_add_loop_test(tcase, jobs_that_would_lose_it_need_not_spare_it, 0, ROWS(rights));
    tcase_add_test(tcase, starts_behind_it_are_backfill);
    tcase_add_test(tcase, held_back_jobs_name_the_reserved_one);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
