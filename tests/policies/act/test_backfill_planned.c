/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conservative backfill with a queue order: planned times, and jobs that may start next to them.
 * Unless noted, s runs on n0 for another 940 s (of 1000 s declared, started a minute ago).
 */
#include "act/backfill_planned.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>

#define CONSERVATIVE  "opt backfill=conservative actions=allocate; "
#define FOUR_OF_EIGHT "node n0 8; queue q; job s q limit=1000 1x4@n0; "
#define BIG           "job big q limit=500 1x8; "

/* ---- one decision ---- */

static const struct story_row rows[] = {
    {"it ends when s does", CONSERVATIVE FOUR_OF_EIGHT BIG "job x q limit=940 1x4", "x/0@n0"},
    {"a second too late", CONSERVATIVE FOUR_OF_EIGHT BIG "job x q limit=941 1x4", ""},
    {"what declares no end never ends", CONSERVATIVE FOUR_OF_EIGHT BIG "job x q 1x4", ""},
    {"next to the planned job",
     CONSERVATIVE FOUR_OF_EIGHT "job big q limit=500 1x6; job x q 1x3; job y q 1x2", "y/0@n0"},
    {"each once", /* 2 are left next to big */
     CONSERVATIVE FOUR_OF_EIGHT "job big q limit=500 1x6; job x q 1x1; job y q 1x1; job z q 1x1",
     "x/0@n0 y/0@n0"},
    {"s runs longer than was declared: it may end now",
     CONSERVATIVE "node n0 8; queue q; job s q limit=1000 start=1001 1x4@n0; " BIG
                  "job x q limit=1 1x4",
     ""},

    /* ---- all earlier jobs ---- */
    {"with 'single' the third in order delays the second", /* big reserves 6 at 940, w 8 after that;
                                                              y fits next to big for good */
     "opt backfill=single actions=allocate; " FOUR_OF_EIGHT
     "job big q limit=500 1x6; job w q limit=500 1x8; job y q 1x2",
     "y/0@n0"},
    {"with 'conservative' it does not",
     CONSERVATIVE FOUR_OF_EIGHT "job big q limit=500 1x6; job w q limit=500 1x8; job y q 1x2", ""},
    {"it may until the second begins", /* at 940 + 500 */
     CONSERVATIVE FOUR_OF_EIGHT "job big q limit=500 1x6; job w q limit=500 1x8; job y q "
                                "limit=1440 1x2; job z q limit=1441 1x2",
     "y/0@n0"},
    {"jobs that are alike are planned one by one", /* 940, 1440, 1940: until then 2 are free */
     CONSERVATIVE FOUR_OF_EIGHT
     "job a q limit=500 1x6; job b q limit=500 1x6; job c q limit=500 1x6; job w q limit=500 "
     "1x8;job y q limit=2440 1x2; job z q limit=2441 1x2",
     "y/0@n0"},
    {"only that many are planned",
     "opt backfill=conservative backfill_depth=1 actions=allocate; " FOUR_OF_EIGHT
     "job big q limit=500 1x6; job w q limit=500 1x8; job y q 1x2",
     "y/0@n0"},

    /* ---- bounds of queues ---- */
    {"over a limit nothing is planned", /* q may have 6 */
     CONSERVATIVE "node n0 8; queue q gpu=0/6; queue o; job s q limit=1000 1x4@n0; job big q "
                  "limit=500 1x4; job x o 1x4",
     "x/0@n0"},
    {"room below a limit is reserved as well", /* q may have 8 of 16: big starts at 940, x and y use
                                              what q has left until then */
     CONSERVATIVE
     "node n0 8; node n1 8; queue q gpu=0/8; queue o; job s o limit=1000 1x4@n0; job t o "
     "limit=1000 1x4@n1;job big q limit=500 1x8; job x q limit=940 1x2; job y q limit=941 1x1",
     "x/0@n0"},
    {"the limit of the queue above", /* q and r may have 8 in all */
     CONSERVATIVE "node n0 8; node n1 8; queue d gpu=0/8; queue q in=d prio=200; queue r in=d; "
                  "queue o; job s o limit=1000 1x4@n0;job t o limit=1000 1x4@n1; job big q "
                  "limit=500 1x8; job x r limit=941 1x1; job y r limit=940 1x1",
     "y/0@n0"},

    /* ---- other kinds of jobs ---- */
    {"an elastic job is planned with its minimum", /* 6 at 940, not 8 */
     CONSERVATIVE FOUR_OF_EIGHT "job big q limit=500 4x2/3; job x q 1x2", "x/0@n0"},
    {"and further tasks only start beside the plan", /* e has its minimum and wants 2 more, for 940
                                                      s; then for 941 */
     CONSERVATIVE "node n0 8; queue q; job e q limit=1000 2x2/1@n0; job s q limit=1000 1x2@n0; job "
                  "big q limit=500 1x8",
     "e/1@n0"},
    {"shares",
     CONSERVATIVE "node n0 1; queue q; job s q limit=1000 1x.5@n0:0; job big q limit=500 1x.7; job "
                  "x q limit=941 1x.4; job y q 1x.3",
     "y/0@n0:0"},
    {"jobs with MIG instances are neither planned nor held back",
     CONSERVATIVE "node n0 8; node n1 2 mig=2x3g; queue q; job s q limit=1000 1x4@n0; " BIG
                  "job x q 1x3g",
     "x/0@n1"},
    {"nor are jobs without devices",
     CONSERVATIVE "node n0 8 cpu=8; queue q; job s q limit=1000 1x4@n0; " BIG "job x q 1xc1",
     "x/0@n0"},
    {"jobs that never end leave no time for others", /* so nothing is reserved for big */
     CONSERVATIVE "node n0 8; queue q; job s q 1x4@n0; " BIG "job x q 1x4", "x/0@n0"},
    {"room by sums, but in pieces: the next time at which something ends", /* two fours, and big
                                                                              needs 8 on one node */
     CONSERVATIVE
     "node n0 8; node n1 8; queue q; job s q limit=1000 1x4@n0; job t q limit=2000 1x4@n1; " BIG
     "job x q limit=940 1x4; job y q limit=941 1x4; job z q limit=941 1x4",
     "x/0@n0 y/0@n1"},
    {"plans in other pools bind no job",
     CONSERVATIVE "node n0 8; node n1 8 pool=1; queue q pools=0; queue r pools=1; job s q "
                  "limit=1000 1x4@n0; " BIG "job x r 1x4",
     "x/0@n1"},
    {"what runs in shared pools counts for all", /* r may use both: s and t end at 940 */
     CONSERVATIVE "node n0 8; node n1 8 pool=1; queue q pools=0; queue r pools=0,1; job s q "
                  "limit=1000 1x8@n0; job t r limit=1000 1x8@n1;job big r limit=500 2x8",
     ""},

    /* ---- other actions ---- */
    {"consolidation moves no job for one that the plan holds back", /* v and w could share a node,
                                                                   and x have the other */
     "opt backfill=conservative actions=allocate,consolidate; node n0 8; node n1 8; queue q; job v "
     "q limit=1000 1x4@n0;job w q limit=1000 1x4@n1; job big q limit=500 2x8; job x q 1x8",
     ""},
    {"but for others", /* by sums x has room up to 940 */
     "opt backfill=conservative actions=allocate,consolidate; node n0 8; node n1 8; queue q; job v "
     "q limit=1000 1x4@n0;job w q limit=1000 1x4@n1; job big q limit=500 2x8; job x q limit=940 "
     "1x8",
     "w/0!n1 w/0~n0 x/0~n1"},
    {"preempt takes by a better right", /* x is of higher priority than s */
     "opt backfill=conservative actions=allocate,preempt; " FOUR_OF_EIGHT
     "job big q limit=500 prio=60 1x8; job x q prio=55 1x4",
     "s/0!n0 big/0~n0"},
};

START_TEST(one_decision)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* ---- times ---- */

static int64_t planned_s(const struct story *s, const char *job)
{
    policy_time at = pc_planned_start(s->p, story_job(s, job).i);
    return at == INT64_MAX ? -1 : (at - s->now) / 1000;
}

/*
 * Of 8 devices s has 4 for 940 s. The queue that would have less of its quota with its next job
 * goes first: b with 6, then b with 2, which ends in time; then a twice with 8.
 */
START_TEST(times_follow_the_order_of_queues)
{
    struct story s;
    char text[256];
    story_open(&s, CONSERVATIVE
               "node n0 8; queue o; queue a gpu=4; queue b gpu=4; job s o limit=1000 1x4@n0;"
               "job a1 a limit=100 1x8; job a2 a limit=200 1x8; job b1 b limit=300 1x6; job b2 b "
               "limit=50 1x2");
    ck_assert_str_eq(story_decide(&s, text, sizeof text), "b2/0@n0");
    ck_assert_int_eq(planned_s(&s, "b1"), 940);
    ck_assert_int_eq(planned_s(&s, "b2"), -1);
    ck_assert_int_eq(planned_s(&s, "a1"), 1240);
    ck_assert_int_eq(planned_s(&s, "a2"), 1340);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("act/backfill_planned");
    TCase *tcase = tcase_create("plan");
    tcase_add_loop_test(tcase, one_decision, 0, ROWS(rows));
    tcase_add_test(tcase, times_follow_the_order_of_queues);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
