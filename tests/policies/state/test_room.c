/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The room that evictions could make, by arithmetic: free devices plus those of smaller evictable
 * tasks. */
#include "state/room.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

/* On n0 4 are free, and evictable tasks have 1 and 2; on n1 2 are free, and they have 4 and 2. */
#define TWO_NODES                                                                                  \
    "node n0 8; node n1 8; queue q gpu=16; job a q 1x1@n0; job b q 1x2@n0; job f q fixed 1x1@n0;"  \
    "job g q 1x4@n1; job h q 1x2@n1"

static void has_room(struct story *s, int32_t devices, int64_t expected)
{
    ck_assert_msg(pc_most_room(s->p, devices) == expected,
                  "for tasks of %d devices: %lld, not %lld", devices,
                  (long long)pc_most_room(s->p, devices), (long long)expected);
}

START_TEST(smaller_tasks_make_room)
{
    struct story s;
    story_open(&s, TWO_NODES);
    has_room(&s, 1, 4 + 2);
    has_room(&s, 2, (4 + 1) / 2 + 2 / 2);
    has_room(&s, 4, (4 + 1 + 2) / 4 + (2 + 2) / 4);
    has_room(&s, 8, (4 + 1 + 2) / 8 + (2 + 2 + 4) / 8);
    has_room(&s, 3, INT64_MAX); /* tasks of 4 might leave 1 over */
    story_close(&s);
}
END_TEST

START_TEST(nodes_where_something_is_gained)
{
    struct story s;
    story_open(&s, TWO_NODES);
    has_room(&s, 4, 2);
    uint32_t n1 = s.p->cluster->nodes[story_node(&s, "n1").i].rank;
    ck_assert_uint_eq(pc_next_roomy(s.p->cluster, 4, 0), n1); /* n0 has room for one as it is */
    ck_assert_uint_eq(pc_next_roomy(s.p->cluster, 4, n1 + 1), PC_NONE);
    ck_assert_uint_eq(pc_next_roomy(s.p->cluster, 1, 0), PC_NONE);
    story_close(&s);
}
END_TEST

START_TEST(changes_are_counted)
{
    struct story s;
    story_open(&s, TWO_NODES);
    has_room(&s, 8, 1);
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_DRAINING),
                     POLICY_OK);
    has_room(&s, 8, 0);
    has_room(&s, 4, 1);
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_UP),
                     POLICY_OK);
    has_room(&s, 8, 1);
    story_tell(&s, "node n2 8; job i q 1x.5@n2:0; job k q fixed 1x.5@n2:1");
    has_room(&s, 8, 1); /* 6 free and one device that i leaves */
    has_room(&s, 1, 4 + 2 + 6 + 1);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("room");
    TCase *tcase = tcase_create("room");
    tcase_add_test(tcase, smaller_tasks_make_room);
    tcase_add_test(tcase, nodes_where_something_is_gained);
    tcase_add_test(tcase, changes_are_counted);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
