/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that may use several pools avoid those on which other queues depend. Pools A and B are 0 and
 * 1; without a preference the node of the smallest rank is taken, n0 of pool A.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define TWO_POOLS "node n0 2 pool=0; node n1 2 pool=1;"

static const struct story_row rows[] = {
    {"no queue is bound to pools", TWO_POOLS "queue a gpu=2; queue b gpu=2; job x b 1x2", "x/0@n0"},
    {"a depends on A, b has a choice",
     TWO_POOLS "queue a gpu=2 pools=0; queue b gpu=2 pools=0,1; job x b fixed 1x2", "x/0@n1"},
    {"the same for a queue that may use every pool",
     TWO_POOLS "queue a gpu=2 pools=0; queue b gpu=2; job x b 1x2", "x/0@n1"},
    {"a queue without a quota does not count",
     TWO_POOLS "queue a gpu=0 pools=0; queue b gpu=2 pools=0,1; job x b 1x2", "x/0@n0"},
    {"one queue depends on each: no preference",
     TWO_POOLS "queue a gpu=2 pools=0; queue c gpu=2 pools=1; queue b gpu=2; job x b 1x2",
     "x/0@n0"},
    {"a preference, not a bound",
     TWO_POOLS "queue a gpu=2 pools=0; queue b gpu=2 pools=0,1; job w a 1x2@n0;"
               "job y b fixed 1x2@n1; job z b 1x1",
     ""},
    {"where it fits now comes before where it fits after release",
     TWO_POOLS "queue a gpu=2 pools=0; queue b gpu=2; job y b 1x2@n1!; job x b 1x2", "x/0@n0"},
    {"1 and 1/2 on A, 1/2 and 1/2 on B, 1/2 on C: c goes to C, b to B",
     "node n0 2 pool=0; node n1 2 pool=1; node n2 2 pool=2;"
     "queue a gpu=2 pools=0; queue b gpu=2 pools=0,1; queue c gpu=2 pools=1,2;"
     "job x b 1x2; job y c 1x2",
     "x/0@n1 y/0@n2"},
};

START_TEST(which_pool)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool_tiers");
    TCase *tcase = tcase_create("pool_tiers");
    tcase_add_loop_test(tcase, which_pool, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
