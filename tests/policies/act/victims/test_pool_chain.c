/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chains of jobs that move from pool to pool. Pools A, B, C are 0, 1, 2; no queue has more than its
 * quota unless a row says so.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define THREE_POOLS "node n0 1 pool=0; node n1 1 pool=1; node n2 1 pool=2;"

static const struct story_row rows[] = {
    {"two jobs move so that a third fits: c from B to C, b from A to B",
     THREE_POOLS "queue a gpu=1 pools=0; queue b gpu=1 pools=0,1; queue c gpu=1 pools=1,2;"
                 "job x b 1x1@n0; job y c 1x1@n1; job p a 1x1",
     "x/0!n0 x/0~n1 y/0!n1 y/0~n2 p/0~n0"},
    {"the end of the chain is what a queue has above its quota",
     THREE_POOLS "queue a gpu=1 pools=0; queue b gpu=1 pools=0,1; queue c gpu=1 pools=1,2;"
                 "job z c 1x1@n2; job y c 1x1@n1; job x b 1x1@n0; job p a 1x1",
     "x/0!n0 x/0~n1 y/0!n1 p/0~n0"},
    {"no job within its quota is lost: there is no room for all",
     THREE_POOLS "queue a gpu=1 pools=0; queue b gpu=1 pools=0,1; queue c gpu=2 pools=1,2;"
                 "job z c 1x1@n2; job y c 1x1@n1; job x b 1x1@n0; job p a 1x1",
     ""},
    {"what may not be preempted does not move",
     THREE_POOLS "queue a gpu=1 pools=0; queue b gpu=1 pools=0,1; queue c gpu=1 pools=1,2;"
                 "job x b 1x1@n0; job y c fixed 1x1@n1; job p a 1x1",
     ""},
    {"jobs of several devices: each moves whole, to where the next one makes room",
     "node n0 4 pool=0; node n1 4 pool=1; node n2 4 pool=2;"
     "queue a gpu=4 pools=0; queue b gpu=4 pools=0,1; queue c gpu=4 pools=1,2;"
     "job x b 1x4@n0; job y c 1x4@n1; job p a 1x4",
     "x/0!n0 x/0~n1 y/0!n1 y/0~n2 p/0~n0"},
    {"two jobs are in the way of a gang: each goes to the node with the fewest free devices",
     "node n0 2 pool=0; node n1 1 pool=1; node n2 2 pool=2;"
     "queue a gpu=2 pools=0; queue b gpu=2 pools=0,1,2;"
     "job x b 1x1@n0; job y b 1x1@n0; job p a 2x1",
     "x/0!n0 x/0~n1 y/0!n0 y/0~n2 p/0~n0 p/1~n0"},
    {"a gang of two, for which jobs on three nodes move",
     "opt actions=reclaim; node p1 4 pool=0; node p2 4 pool=0; node q1 2 pool=1; node r1 1 pool=2; "
     "node f1 2 pool=3;"
     "node f2 2 pool=3; queue a gpu=8 pools=0; queue b gpu=4 pools=0,3; queue e gpu=2 pools=0,1;"
     "queue c gpu=1 pools=1,2; job x b 1x2@p1; job y b 1x2@p1; job z e 1x2@p2; job w c 1x1@q1;"
     "job p a 2x4",
     "x/0!p1 x/0~f2 y/0!p1 y/0~f1 z/0!p2 z/0~q1 w/0!q1 w/0~r1 p/0~p1 p/1~p2"},
};

START_TEST(moved_jobs)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool_chain");
    TCase *tcase = tcase_create("pool_chain");
    tcase_add_loop_test(tcase, moved_jobs, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
