/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for victims, common to all purposes. Most rows preempt, because there priority alone
 * decides which job is placed first: p has the higher one, so it is placed before its victims.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define KEEPS_TWO                                                                                  \
    "opt actions=preempt; node n0 3 label=1:1; node n1 2; queue q gpu=5 keeps=2;"                  \
    "job s1 q build 1x1+k1:1@n0; job s2 q build 1x1+k1:1@n0; job s3 q build 1x1+k1:1@n0; "

static const struct story_row rows[] = {
    /* ---- victims ---- */
    {"no victims: nothing is tried, though there is room",
     "opt actions=preempt; node n0 2; queue q gpu=2; job p q prio=60 1x1", ""},
    {"there was room all the time: the victim is put back and not mentioned",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v q 1x1@n0; job p q prio=60 1x1",
     "p/0~n0"},
    {"one elastic task before a whole gang",
     "opt actions=preempt; node n0 4; queue q gpu=4; job g q 1x1@n0; job e q at=0 3x1/1@n0*3; job "
     "p q prio=60 1x1",
     "e/2!n0 p/0~n0"},
    {"elastic tasks one by one, then the rest together",
     "opt actions=preempt; node n0 4; queue q gpu=4; job e q 4x1/2@n0*4; job p q prio=60 1x3",
     "e/0!n0 e/1!n0 e/2!n0 e/3!n0 p/0~n0"},
    {"no more elastic tasks than needed",
     "opt actions=preempt; node n0 4; queue q gpu=4; job e q 4x1/2@n0*4; job p q prio=60 1x2",
     "e/2!n0 e/3!n0 p/0~n0"},
    {"a gang is evicted with its tasks on other nodes",
     "opt actions=preempt; node n0 1; node n1 1; queue q gpu=2; job g q 2x1@n0,n1; job p q prio=60 "
     "1x1",
     "g/0!n0 g/1!n1 p/0~n0"},
    {"only victims on the current node", /* v4 and v2 make room on n1; v3, popped in
                                                       between, stays */
     "opt actions=preempt; node n0 2; node n1 2; queue q gpu=4;"
     "job v1 q 1x1@n0; job v2 q 1x1@n1; job v3 q 1x1@n0; job v4 q 1x1@n1; job p q prio=60 1x2",
     "v2/0!n1 v4/0!n1 p/0~n1"},
    /* e/3 on n0 is lost although n1 is enough; its place is then that of the first of the three */
    {"all popped tasks of a job on the node, wherever they are",
     "opt actions=preempt; node n0 1; node n1 3; queue q gpu=4; job e q 4x1/1@n1*3,n0; job p q "
     "prio=60 1x2",
     "e/1!n1 e/1~n0 e/2!n1 e/3!n0 p/0~n1"},
    {"lowest priority first",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v1 q prio=10 1x1@n0; job v2 q prio=20 "
     "1x1@n0;"
     "job p q prio=60 1x1",
     "v1/0!n0 p/0~n0"},
    {"then the newest",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v1 q 1x1@n0; job v2 q 1x1@n0; job p q "
     "prio=60 1x1",
     "v2/0!n0 p/0~n0"},
    {"tasks already being released belong to no queue",
     "opt actions=preempt; node n0 2; queue q gpu=2; job r q 1x1@n0!; job v q 1x1@n0; job p q "
     "prio=60 1x1",
     "p/0~n0"},

    /* ---- their fate ---- */
    {"a victim that fits elsewhere is moved, the older one",
     "opt actions=preempt; node n0 2; node n1 1; queue q gpu=3; job v1 q 1x1@n0; job v2 q 1x1@n0;"
     "job p q prio=60 1x2",
     "v1/0!n0 v1/0~n1 v2/0!n0 p/0~n0"},
    {"of an elastic victim only the minimum is placed again",
     "opt actions=preempt; node n0 3 label=1:1; node n1 3; queue q gpu=6;"
     "job e q 3x1/2@n0*3; job p q prio=60 1x3+k1:1",
     "e/0!n0 e/0~n1 e/1!n0 e/1~n1 e/2!n0 p/0~n0"},
    {"of one above its minimum a single task",
     "opt actions=preempt; node n0 3 label=1:1; node n1 3; queue q gpu=6;"
     "job e q 3x1/1@n0*3; job p q prio=60 1x2+k1:1",
     "e/1!n0 e/1~n1 e/2!n0 p/0~n0"},
    {"a gang is moved as a whole or not at all",
     "opt actions=preempt; node n0 2; node n1 1; queue q gpu=3; job g q 2x1@n0*2; job p q prio=60 "
     "1x2",
     "g/0!n0 g/1!n0 p/0~n0"},
    {"limits hold for victims that are placed again", /* 3 of 3 with p: no place for v within the
                                                         limit */
     "opt actions=preempt; node n0 2 label=1:1; node n1 2; queue q gpu=2/2; job v q 1x1@n0; job w "
     "q 1x1@n0;job p q prio=60 1x1+k1:1",
     "w/0!n0 p/0~n0"},
    {"limits hold for the job: what is taken makes room for it",
     "opt actions=preempt; node n0 4; queue q gpu=2/2; job v q 1x2@n0; job p q prio=60 1x1",
     "v/0!n0 p/0~n0"},

    /* ---- jobs of several tasks ---- */
    {"one task after the other, each with what the steps before settled on",
     "opt actions=preempt; node n0 1; node n1 1; queue q gpu=2; job v1 q 1x1@n0; job v2 q 1x1@n1;"
     "job p q prio=60 2x1",
     "v1/0!n0 v2/0!n1 p/0~n0 p/1~n1"},
    {"settled victims come first: no other if they do",
     "opt actions=preempt; node n0 3; queue q gpu=3; job v1 q 1x1@n0; job v2 q 1x2@n0; job p q "
     "prio=60 2x1",
     "v2/0!n0 p/0~n0 p/1~n0"},
    {"recorded victims come first: then no others are needed, though v1's node would be fuller",
     "opt actions=preempt; node n0 2; node n1 1; queue q gpu=3; job v1 q 1x1@n1; job v2 q 1x2@n0;"
     "job p q prio=60 2x1",
     "v2/0!n0 p/0~n0 p/1~n0"},
    {"a task without a solution: nothing at all",
     "opt actions=preempt; node n0 1; node n1 1; queue q gpu=2; job v1 q 1x1@n0; job v2 q 1x1@n1;"
     "job p q prio=60 3x1",
     ""},
    {"a gang is enough: the minimum",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v1 q 1x1@n0; job v2 q prio=70 1x1@n0;"
     "job p q prio=60 3x1/1",
     "v1/0!n0 p/0~n0"},
    {"the next task of an elastic job",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v1 q 1x1@n0; job p q prio=60 2x1/1@n0",
     "v1/0!n0 p/1~n0"},
    {"roles: the minimum of each",
     "opt actions=preempt; node n0 2; node n1 1; queue q gpu=3; job v1 q 1x2@n0; job v2 q 1x1@n1;"
     "job p q prio=60 1x1 1x2",
     "v1/0!n0 v2/0!n1 p/0~n1 p/1~n0"},

    /* ---- a rejected outcome continues with more victims ---- */
    /*
     * 5 devices: a (requests 1), b (3), c (weight 2, requests 2): shares 1, 2 and 2. c is the first
     * victim, because b would be left with nothing, but x may not be taken: c is within its share.
     * The gang of b may, since b exceeds its share.
     */
    {"rejected: the next victim is tried, on its own node",
     "opt actions=reclaim; node n0 1; node n1 3; node n2 1; queue a; queue b; queue c gpu=0/-/2;"
     "job x2 c 1x1@n2; job x c 1x1@n0; job g b 3x1@n1*3; job p a 1x1",
     "g/0!n1 g/1!n1 g/2!n1 p/0~n1"},
    {"CPU and memory are made room for as well",
     "opt actions=preempt; node n0 4 cpu=4 mem=1000; queue q gpu=4; job v1 q 1xc2+r100@n0; job v2 "
     "q 1xc1+r600@n0;job p q prio=60 1x1+c1+r500",
     "v2/0!n0 p/0~n0"},
    {"shares of one device: those on other devices are put back",
     "opt actions=preempt; node n0 2; queue q gpu=2; job v1 q 1x.5@n0:0; job v2 q 1x.5@n0:1; job "
     "v3 q 1x.5@n0:1;job p q prio=60 1x1",
     "v2/0!n0:1 v2/0~n0:0 v3/0!n0:1 p/0~n0"},

    /* ---- devices kept for sessions: 2 of 3; they can only be on n0 (label), for others n1 is free
     * ---- */
    {"one session may go", KEEPS_TWO "job p q prio=60 1x1+k1:1", "s3/0!n0 p/0~n0"},
    {"not two", KEEPS_TWO "job p q prio=60 1x2+k1:1", ""},
    {"another session may have two", KEEPS_TWO "job p q prio=60 build 1x2+k1:1",
     "s2/0!n0 s3/0!n0 p/0~n0"},
    {"a larger one that holds part of it is evicted as a whole",
     "opt actions=preempt; node n0 3 label=1:1; node n1 2; queue q gpu=5 keeps=2; job s q build "
     "1x3+k1:1@n0;job p q prio=60 1x1+k1:1",
     "s/0!n0 p/0~n0"},
    {"nor the reserve of the department", /* by a job of another department */
     "opt actions=reclaim; node n0 3 label=1:1; node n1 2; queue D gpu=2 keeps=2; queue a in=D; "
     "queue b gpu=3;job s1 a build 1x1+k1:1@n0; job s2 a build 1x1+k1:1@n0; job s3 a build "
     "1x1+k1:1@n0; job p b 1x2+k1:1",
     ""},
};

START_TEST(victims_are_found)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("solver");
    TCase *tcase = tcase_create("solver");
    tcase_add_loop_test(tcase, victims_are_found, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
