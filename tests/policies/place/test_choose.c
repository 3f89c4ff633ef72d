/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which node a task of the quota policy goes to, key by key: a shared device with room, fits now,
 * no devices (for tasks without), packed or spread, rank. Topology scores precede all of these and
 * are tested separately.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static const struct story_row rows[] = {
    /* ---- whole devices ---- */
    {"packed: the fewest free",
     "opt actions=allocate; node n0 4; node n1 2; node n2 3; queue q;"
     "job x q 1x1",
     "x/0@n1"},
    {"enough of them",
     "opt actions=allocate; node n0 4; node n1 2; node n2 3; queue q; job x q 1x3", "x/0@n2"},
    {"of equals the first", "opt actions=allocate; node n0 2; node n1 2; queue q; job x q 1x1",
     "x/0@n0"},
    {"tasks of a gang one after the other, each the best then",
     "opt actions=allocate; node n0 3; node n1 2; queue q; job x q 4x1",
     "x/0@n1 x/1@n1 x/2@n0 x/3@n0"},
    {"fits now before fuller but only soon",
     "opt actions=allocate; node n0 1; node n1 4; queue q; job r q 1x1@n0!; job x q 1x1", "x/0@n1"},
    {"only soon: the fewest of all",
     "opt actions=allocate; node n0 3; node n1 2; queue q; job r q 1x3@n0!; job s q 1x2@n1!;"
     "job x q 1x2",
     "x/0~n1"},
    {"devices being released count as free", /* 2 against 1 + 2 */
     "opt actions=allocate; node n0 2; node n1 3; queue q; job r q 2x1@n1!,n1!; job x q 1x1",
     "x/0@n0"},
    {"nominated ones do not", /* y is promised the two that leave n1: 1 is left of 3 */
     "opt actions=allocate; node n0 2; node n1 3; queue q; job r q 1x2@n1!; job w q fixed 1x1@n0;"
     "job y q prio=60 1x3; job x q 1x1",
     "y/0~n1 x/0@n0"},
    {"a device that is shared is not free",
     "opt actions=allocate; node n0 2; node n1 3; queue q; job a q 1x.1@n1:1; job b q 1x.1@n1:2;"
     "job x q 1x1",
     "x/0@n1"},
    {"spread: the largest part free", /* 4 of 8, 2 of 3 */
     "opt actions=allocate gpu_placement=spread; node n0 8; node n1 3; queue q; job r q 1x4@n0; "
     "job s q 1x1@n1;job x q 1x1",
     "x/0@n1"},
    {"spread: of equal parts the first",
     "opt actions=allocate gpu_placement=spread; node n0 2; node n1 8;queue q; job x q 1x1",
     "x/0@n0"},
    {"spread: fits now comes first",
     "opt actions=allocate gpu_placement=spread; node n0 2; node n1 4; queue q; job r q 1x2@n0!; "
     "job s q 1x3@n1;job x q 1x1",
     "x/0@n1"},
    {"spread: one after the other",
     "opt actions=allocate gpu_placement=spread; node n0 2; node n1 2; queue q;"
     "job x q 4x1",
     "x/0@n0 x/1@n1 x/2@n0 x/3@n1"},
    {"the option for CPUs has no say",
     "opt actions=allocate cpu_placement=spread; node n0 4 cpu=1; node n1 2 cpu=9; queue q;"
     "job x q 1x1+c1",
     "x/0@n1"},

    /* ---- tasks without devices ---- */
    {"a node without devices",
     "opt actions=allocate; node n0 4 cpu=2; node n1 0 cpu=8; queue q; job x q 1xc1", "x/0@n1"},
    {"but fits now comes first",
     "opt actions=allocate; node n0 4 cpu=2; node n1 0 cpu=8; queue q; job r q 1xc8@n1!; job x q "
     "1xc1",
     "x/0@n0"},
    {"packed: the least CPU free",
     "opt actions=allocate; node n0 4 cpu=8; node n1 4 cpu=4; node n2 4 cpu=6; queue q; job x q "
     "1xc1",
     "x/0@n1"},
    {"devices have no say",
     "opt actions=allocate; node n0 2 cpu=8; node n1 4 cpu=4; queue q; job x q 1xc1", "x/0@n1"},
    {"spread: the largest part of the CPUs free", /* 3 of 4, 6 of 10 */
     "opt actions=allocate cpu_placement=spread; node n0 4 cpu=10; node n1 4 cpu=4; queue q; job r "
     "q 1xc4@n0;job s q 1xc1@n1; job x q 1xc1",
     "x/0@n1"},
    {"the option for devices has no say",
     "opt actions=allocate gpu_placement=spread; node n0 4 cpu=8; node n1 4 cpu=4; queue q;"
     "job x q 1xc1",
     "x/0@n1"},
    {"drawn to a shared device, where shares are packed",
     "opt actions=allocate; node n0 1 cpu=8; node n1 0 cpu=8; queue q; job r q 1x.5@n0:0; job x q "
     "1xc1",
     "x/0@n0"},
    {"even to one that is full",
     "opt actions=allocate; node n0 1 cpu=8; node n1 0 cpu=8; queue q; job r q 2x.5@n0:0,n0:0;"
     "job x q 1xc1",
     "x/0@n0"},
    {"not to one that is all being released",
     "opt actions=allocate; node n0 1 cpu=8; node n1 0 cpu=8; queue q; job r q 1x.5@n0:0!; job x q "
     "1xc1",
     "x/0@n1"},
    {"not where devices are spread",
     "opt actions=allocate gpu_placement=spread; node n0 1 cpu=8; node n1 0 cpu=8; queue q; job r "
     "q 1x.5@n0:0;job x q 1xc1",
     "x/0@n1"},
    {"not to a node whose devices are taken whole",
     "opt actions=allocate; node n0 1 cpu=8; node n1 0 cpu=8; queue q; job r q 1x1@n0; job x q "
     "1xc1",
     "x/0@n1"},

    /* ---- shares of devices ---- */
    {"a shared device with room before a fuller node",
     "opt actions=allocate; node n0 1; node n1 4; queue q; job r q 1x.5@n1:2; job x q 1x.5",
     "x/0@n1:2"},
    {"if it has enough",
     "opt actions=allocate; node n0 1; node n1 4; queue q; job r q 1x.6@n1:2; job x q 1x.5",
     "x/0@n0:0"},
    {"even when the room is still being released", /* 1000 against 100 */
     "opt actions=allocate; node n0 1; node n1 1; queue q; job r q 2x.5@n1:0,n1:0!; job x q 1x.5",
     "x/0~n1:0"},
    {"not to one that is all being released",
     "opt actions=allocate; node n0 1; node n1 1; queue q; job r q 1x.5@n0:0!; job x q 1x.5",
     "x/0@n1:0"},
    {"where devices are spread it does not draw",
     "opt actions=allocate gpu_placement=spread; node n0 2; node n1 2; queue q; job r q 1x.5@n0:0;"
     "job x q 1x.5",
     "x/0@n1:0"},
    {"of two with room the fuller node",
     "opt actions=allocate; node n0 3; node n1 2; queue q; job r q 1x.5@n0:0; job s q 1x.5@n1:0;"
     "job x q 1x.5",
     "x/0@n1:0"},
    {"memory of a device likewise",
     "opt actions=allocate; node n0 1 gpumem=1000; node n1 4 gpumem=1000; queue q; job r q "
     "1xm500@n1:2;"
     "job x q 1xm500",
     "x/0@n1:2"},
    {"of several shares one that finds room is enough",
     "opt actions=allocate; node n0 2; node n1 4; queue q; job r q 1x.5@n1:3; job x q 1x2*.5",
     "x/0@n1:03"},

    /* ---- MIG instances ---- */
    {"MIG: a node with a free instance",
     "opt actions=allocate; node n0 4; node n1 1 mig=1x3g; node n2 1 mig=1x3g; queue q gpu=9; job "
     "r q 1x3g@n1;job x q 1x3g",
     "x/0@n2"},
    {"MIG: fits now first",
     "opt actions=allocate; node n1 1 mig=1x3g; node n2 2 mig=1x3g; queue q gpu=9; job r q "
     "1x3g@n1!;"
     "job x q 1x3g",
     "x/0@n2"},
};

START_TEST(the_node_is_chosen)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("choose");
    TCase *tcase = tcase_create("choose");
    tcase_add_loop_test(tcase, the_node_is_chosen, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
