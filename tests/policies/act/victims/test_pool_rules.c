/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotas by pool, as decisions: which jobs start where, which give way to which, and shares pool by
 * pool. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <string.h>

#define TWO_POOLS "node n0 1 pool=0; node n1 1 pool=1;"

static const struct story_row rows[] = {
    /* ---- places of jobs ---- */
    {"a job goes where it is guaranteed to its queue", TWO_POOLS "queue a by=1:1; job p a 1x1",
     "p/0@n1"},
    {"above its quotas it goes where room is, also where its queue has no quota",
     TWO_POOLS "queue a by=1:1; job r a 1x1@n1; job p a 1x1", "p/0@n0"},
    {"what may not be preempted does not",
     TWO_POOLS "queue a by=1:1; job r a fixed 1x1@n1; job p a fixed 1x1", ""},
    {"nor above the quota of its pool",
     "node n0 2 pool=0; node n1 1 pool=1;"
     "queue a by=0:1; job r a fixed 1x1@n0; job p a fixed 1x1",
     ""},
    {"where the quota is the limit, it is so in each pool",
     "preset static; node n0 2 pool=0; node n1 1 pool=1;"
     "queue a by=0:1; job r a 1x1@n0; job p a 1x1",
     ""},
    /* ---- gangs ---- */
    {"a gang does not span pools with different quotas",
     TWO_POOLS "queue a by=0:1,1:1; job g a 2x1", ""},
    {"unless its queue says so", TWO_POOLS "queue a by=0:1,1:1 spans; job g a 2x1",
     "g/0@n0 g/1@n1"},
    {"pools that share a quota are one", TWO_POOLS "queue a by=0+1:2; job g a 2x1",
     "g/0@n0 g/1@n1"},
    {"an elastic job grows where it is",
     "node n0 1 pool=0; node n1 2 pool=1; queue a by=0:1,1:2; job e a 3x1/1@n0", ""},
    /* ---- victims ---- */
    {"to a queue within its quota of the pool, one above its own there",
     TWO_POOLS "queue a by=0:1 pools=0; queue b by=1:1; job y b 1x1@n1; job x b 1x1@n0;"
               "job p a 1x1",
     "x/0!n0 p/0~n0"},
    {"it moves to the pool of its own quota when there is room",
     TWO_POOLS "queue a by=0:1 pools=0; queue b by=1:1; job x b 1x1@n0; job p a 1x1",
     "x/0!n0 x/0~n1 p/0~n0"},
    {"although it has no more than its quotas in all",
     TWO_POOLS "queue a by=0:1 pools=0; queue b by=1:1; queue c; job x b 1x1@n0;"
               "job z c 1x1@n1; job p a 1x1",
     "x/0!n0 p/0~n0"},
    {"nobody within its quota of the pool, although it has more than all its quotas",
     "node n0 1 pool=0; node n1 2 pool=1; queue a by=1:2 pools=0; queue b by=0:1 pools=0,1;"
     "job x b 1x1@n0; job y b 2x1@n1*2; job p a 1x1",
     ""},
    {"nor to a queue within its own quota there, when the pool has fewer devices than quotas",
     "node n0 1 pool=0; node n1 2 pool=1; queue a by=0:1 pools=0; queue b by=0:1 pools=0,1;"
     "job x b 1x1@n0; job y b 2x1@n1*2; job p a 1x1",
     ""},
    {"one queue after the other, while the loser has more than its share",
     "node n0 4 pool=0; queue a by=0:1; queue e by=0:1; queue b; job w b 1x1@n0; job x b 1x1@n0;"
     "job y b 1x1@n0; job z b 1x1@n0; job p a 1x1; job r e 1x1",
     "z/0!n0 p/0~n0 y/0!n0 r/0~n0"},
    {"a job within its quota moves to another pool of its quota, where one above its own gives way",
     TWO_POOLS "node n2 1 pool=0; queue a by=0:1 pools=0; queue b by=0:1,1:1; queue c;"
               "job v b 1x1@n0; job x b 1x1@n2; job z c 1x1@n1; job p a 1x1",
     "x/0!n2 p/0~n2"},
    /* ---- queues above others ---- */
    {"a department's quota of the pool is that of its teams",
     TWO_POOLS "queue d by=0:1; queue a in=d by=0:1 pools=0; queue e; queue b in=e;"
               "job x b 1x1@n0; job y b 1x1@n1; job p a 1x1",
     "x/0!n0 p/0~n0"},
};

START_TEST(starts_and_evictions)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* Pool 0 has 8 devices, pool 1 has 4; a has a quota of 2 in pool 0, b one of 1 in pool 1, and both
 * want 9. Pool 0: 2 + 0, and 3 each of the remaining 6. Pool 1: 0 + 1, then 1 1/2 each of 3: one
 * each, and the last device for the older. */
START_TEST(over_quota_is_divided_by_pool)
{
    static const int64_t expected[2][2] = {{5, 2}, {3, 2}};
    struct story s;
    story_open(&s, "node n0 8 pool=0; node n1 4 pool=1; queue a by=0:2; queue b by=1:1;"
                   "job x a 9x1/1; job y b 9x1/1");
    char text[400];
    (void)story_decide(&s, text, sizeof text);
    for (uint32_t q = 0; q < 2; q++) {
        struct policy_queue_info info = {.size = sizeof info};
        for (uint32_t pool = 0; pool < 2; pool++) {
            struct policy_pool_share share = {.size = sizeof share};
            ck_assert_int_eq(policy_pool_share(s.p, (policy_queue){q}, pool, &share), POLICY_OK);
            ck_assert_int_eq(share.fair_share, expected[q][pool] * POLICY_WHOLE);
            ck_assert_int_eq(share.capacity, (pool == 0 ? 8 : 4) * POLICY_WHOLE);
        }
        ck_assert_int_eq(policy_queue_info(s.p, (policy_queue){q}, &info), POLICY_OK);
        ck_assert_int_eq(info.fair_share.gpu, (expected[q][0] + expected[q][1]) * POLICY_WHOLE);
    }
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool_rules");
    TCase *tcase = tcase_create("pool_rules");
    tcase_add_loop_test(tcase, starts_and_evictions, 0, ROWS(rows));
    tcase_add_test(tcase, over_quota_is_divided_by_pool);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
