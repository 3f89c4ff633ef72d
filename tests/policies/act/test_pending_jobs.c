/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop over pending jobs shared by all actions: its order, its depth within a queue, and
 * equivalent jobs. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

/* Ten that do not fit, in order: too large (equivalent ones), then one that fits. */
#define BLOCKED(opt)                                                                               \
    "opt actions=allocate " opt                                                                    \
    "; node n0 2; queue q gpu=2; job x1 q 1x3; job x2 q 1x3; job y q 1x4; job z q 1x1"

#define ALIKE(opt)                                                                                 \
    "opt actions=consolidate " opt                                                                 \
    "; node n0 3 label=1:1; node n1 3; queue q gpu=9; job r q 1x3@n1!;"                            \
    "job v q at=5 1x1+k1:1@n0; job x1 q at=1 1x3; job x2 q at=9 1x3"

static const struct story_row rows[] = {
    /* ---- order ---- */
    {"one queue after the other, by what each has",
     "opt actions=allocate; node n0 4; queue a; queue b; job a1 a 1x1; job a2 a 1x1; job b1 b 1x1; "
     "job b2 b 1x1",
     "a1/0@n0 b1/0@n0 a2/0@n0 b2/0@n0"},
    {"in the queue by priority, then age",
     "opt actions=allocate; node n0 3; queue q; job y q prio=50 at=2 1x1; job z q prio=40 at=0 1x1;"
     "job x q prio=50 at=1 1x1",
     "x/0@n0 y/0@n0 z/0@n0"},
    {"elastic tasks in turn with the other queue",
     "opt actions=allocate; node n0 5; queue a; queue b; job x a 4x1/1; job y b 4x1/1",
     "x/0@n0 y/0@n0 x/1@n0 y/1@n0 x/2@n0"},
    {"and in the own queue behind jobs without their minimum",
     "opt actions=allocate; node n0 4; queue q; job e q 4x1/1; job g q 2x1",
     "e/0@n0 g/0@n0 g/1@n0 e/1@n0"},
    {"a failing job blocks no other",
     "opt actions=allocate; node n0 2; queue q; job x q prio=99 1x3; job y q 1x1; job z q 1x1",
     "y/0@n0 z/0@n0"},
    {"an owner before others, whatever its age",
     "opt actions=allocate; node n0 1; queue b created=0; queue a gpu=1 created=9; job y b at=0 "
     "1x1;"
     "job x a at=9 1x1",
     "x/0@n0"},
    {"jobs that are not ready are not looked at",
     "opt actions=allocate; node n0 2; queue q; job x q 2x1@?; job y q 1x1", "y/0@n0"},

    /* ---- after a success ---- */
    /* x takes the last device of n2; y, as a victim on trial, goes to n0, where it fits at once;
     * then y has its own turn */
    {"a job has one turn, even if as a victim it waits for more tasks",
     "opt actions=consolidate; node n0 2; node n1 2; node n2 3; node n3 4; queue a gpu=3; queue b "
     "gpu=0/-/0;job r a 1x2@n2 1x1@n3!; job x a 1x1; job y b 3x2/1@n1",
     "y/0!n1 y/0~n0 x/0~n2 y/1~n3"},
    /*
     * p takes v's place. Two devices of it are left, for y or z. D has lost v and is starved like C
     * then, and older; before that, with 3 of a quota of 2, it would have come after C.
     */
    {"queues are compared by what victims left them",
     "opt actions=reclaim; node n0 3; queue a gpu=1/-/0; queue D gpu=2/-/0; queue C gpu=2/-/0; "
     "queue d1 in=D;queue d2 in=D gpu=2; job v d1 3x1@n0*3; job p a 1x1; job z C 1x2; job y d2 1x2",
     "v/0!n0 v/1!n0 v/2!n0 p/0~n0 y/0~n0"},

    /* ---- equivalent jobs ---- */
    /*
     * x1 is older than v and placed first, on n0, so v would be lost: it has no other place. x2 is
     * younger, v is put back, and x2 goes to n1.
     */
    {"one that fails speaks for all", ALIKE(""), ""},
    {"unless each is to have its turn", ALIKE("signatures=false"), "x2/0~n1"},

    /* ---- depth ---- */
    {"all are looked at", BLOCKED(""), "z/0@n0"},
    {"all are considered, by an explicit option", BLOCKED("queue_depth=-1"), "z/0@n0"},
    {"four: the last just is", BLOCKED("queue_depth=4"), "z/0@n0"},
    {"three: it is not; jobs that are alike count each", BLOCKED("queue_depth=3"), ""},
    {"none", "opt actions=allocate queue_depth=0; node n0 2; queue q; job x q 1x1", ""},
    {"one in each queue",
     "opt actions=allocate queue_depth=1; node n0 9; queue a; queue b; job a1 a 1x1; job a2 a 1x1; "
     "job b1 b 1x1;job b2 b 1x1",
     "a1/0@n0 b1/0@n0"},
    {"an elastic job is one, however many of its tasks",
     "opt actions=allocate queue_depth=1; node n0 9; queue q; job e q 3x1/1; job x q 1x1",
     "e/0@n0 e/1@n0 e/2@n0"},
    {"in order: the first by priority",
     "opt actions=allocate queue_depth=1; node n0 9; queue q; job x q 1x1; job y q prio=60 1x1",
     "y/0@n0"},
    {"a job between two equivalent ones comes between them", /* x1, y, x2: y is the second */
     "opt actions=allocate queue_depth=2; node n0 2; queue q; job x1 q at=1 1x3; job x2 q at=3 1x3;"
     "job y q at=2 1x1",
     "y/0@n0"},
    {"jobs that are not ready do not count",
     "opt actions=allocate queue_depth=1; node n0 2; queue q; job x q 2x1@?; job y q 1x1",
     "y/0@n0"},
    {"in other actions too: x may not reclaim, but it is the one that is looked at",
     "opt actions=reclaim queue_depth=1; node n0 2; queue a gpu=1; queue b gpu=1; job v b "
     "2x1/1@n0*2;"
     "job x a 2x1; job y a 1x1",
     ""},
    {"consolidation looks only at jobs that may be preempted",
     "opt actions=consolidate queue_depth=1; node n0 2; node n1 2; queue q gpu=4; job v1 q 1x1@n0; "
     "job v2 q 1x1@n1;job x q fixed 1x1; job p q 1x2",
     "v2/0!n1 v2/0~n0 p/0~n1"},
};

START_TEST(jobs_are_looked_at_in_order)
{
    story_expects_in_order(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* With a depth, blocked jobs keep their place among the jobs considered, also in later decisions.
 */
START_TEST(blocked_jobs_stay_in_front)
{
    struct story s;
    story_open(&s, "opt actions=allocate queue_depth=1; node n0 2; queue q; queue r; job x q 1x3; "
                   "job y q 1x1");
    story_decides(&s, "", "x is in front");
    story_tell(&s, "job z r 1x1");
    story_decides(&s, "z/0@n0", "and still is");
    story_tell(&s, "node n1 3");
    story_decides(&s, "x/0@n1", "until it is placed");
    story_decides(&s, "y/0@n0", "y's turn is in the next decision");
    story_close(&s);
}
END_TEST

/* A class of equivalent jobs: they are placed as long as there is room, then all wait for a
 * release. */
START_TEST(equal_jobs_go_one_after_the_other)
{
    struct story s;
    story_open(&s, "opt actions=allocate; node n0 2; queue q; job x1 q 1x1; job x2 q 1x1; job x3 q "
                   "1x1; job x4 q 1x1");
    story_decides(&s, "x1/0@n0 x2/0@n0", "the two oldest");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "x1"), 0, POLICY_SUCCEEDED),
                     POLICY_OK);
    story_decides(&s, "x3/0@n0", "the next");
    story_decides(&s, "", "and nobody");
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pending jobs");
    TCase *tcase = tcase_create("pending jobs");
    tcase_add_loop_test(tcase, jobs_are_looked_at_in_order, 0, ROWS(rows));
    tcase_add_test(tcase, blocked_jobs_stay_in_front);
    tcase_add_test(tcase, equal_jobs_go_one_after_the_other);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
