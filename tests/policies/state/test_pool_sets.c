/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pool sets: which nodes they list where, and their sums, by arithmetic; tests/property/ compares
 * them with a scan. */
#include "state/pool_sets.h"
#include "state/state.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

/* Pool 0 has n0 of 4 devices, pool 1 has n1 of 8 and n2 of 2 of type 3. */
#define THREE_NODES                                                                                \
    "node n0 4; node n1 8 pool=1; node n2 2 pool=1 type=3; queue every; queue one pools=1; queue " \
    "also "                                                                                        \
    "pools=1; "

static void open_world(struct story *s, bool nominates, const char *more)
{
    story_open(s, "preset runai");
    s->p->cluster->traits.by_free = true;
    s->p->cluster->traits.nominates = nominates;
    story_tell(s, THREE_NODES);
    story_tell(s, more);
}

static struct pc_pool_set *set_of(const struct story *s, const char *queue)
{
    return &s->p->cluster->pool_sets[s->p->cluster->queues[story_queue(s, queue).i].pool_set];
}

static uint32_t rank_of(const struct story *s, const char *node)
{
    return s->p->cluster->nodes[story_node(s, node).i].rank;
}

START_TEST(queues_of_the_same_pools_share_a_set)
{
    struct story s;
    open_world(&s, false, "");
    ck_assert_uint_eq(s.p->cluster->pool_set_count, 2);
    ck_assert_ptr_eq(set_of(&s, "one"), set_of(&s, "also"));
    ck_assert(pc_bits_has(&set_of(&s, "every")->nodes, rank_of(&s, "n0")));
    ck_assert(!pc_bits_has(&set_of(&s, "one")->nodes, rank_of(&s, "n0")));
    ck_assert(pc_bits_has(&set_of(&s, "one")->nodes, rank_of(&s, "n2")));
    story_close(&s);
}
END_TEST

START_TEST(sums_are_of_idle_devices)
{
    struct story s;
    open_world(&s, false, "job a every 1x3@n1; job b every 1x.25@n2:0; job c every 1x1@n0!");
    const struct pc_pool_set *one = set_of(&s, "one");
    const struct pc_pool_set *every = set_of(&s, "every");
    ck_assert_int_eq(one->whole, 5 + 1);
    ck_assert_int_eq(every->whole, 3 + 5 + 1); /* devices being released are not idle */
    ck_assert_int_eq(one->milli, 5000 + 1750);
    ck_assert_int_eq(every->milli, 3000 + 5000 + 1750);
    ck_assert_int_eq(one->milli_of_type[3], 1750);
    ck_assert_int_eq(one->installed_devices, 10);
    ck_assert_int_eq(every->installed_devices, 14);
    ck_assert(pc_bits_has(&one->by_free[5], rank_of(&s, "n1")));
    ck_assert(pc_bits_has(&one->by_free[1], rank_of(&s, "n2")));
    ck_assert(pc_bits_has(&one->shared, rank_of(&s, "n2")));
    ck_assert(!pc_bits_has(&one->shared, rank_of(&s, "n1")));
    ck_assert_int_eq(one->most_devices, 8);
    ck_assert_int_eq(one->fewest_devices, 2);
    story_close(&s);
}
END_TEST

/* 3, 5 and 1 devices are free on the nodes of `every`, the last two on those of `one`. */
START_TEST(tasks_that_free_devices_suffice_for)
{
    static const struct {
        int32_t devices;
        int64_t in_one, in_every;
    } rows[] = {{1, 6, 9}, {2, 2, 3}, {3, 1, 2}, {5, 1, 1}, {6, 0, 0}};
    struct story s;
    open_world(&s, false, "job a every 1x3@n1; job b every 1x1@n2:0; job c every 1x1@n0!");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(pc_most_tasks(set_of(&s, "one"), rows[i].devices), rows[i].in_one);
        ck_assert_int_eq(pc_most_tasks(set_of(&s, "every"), rows[i].devices), rows[i].in_every);
    }
    story_close(&s);
}
END_TEST

START_TEST(with_nominations_free_is_after_release)
{
    struct story s;
    open_world(&s, true, "job a every 1x3@n1!");
    ck_assert(pc_bits_has(&set_of(&s, "one")->by_free[8], rank_of(&s, "n1")));
    ck_assert_int_eq(set_of(&s, "one")->whole, 8 + 2);
    ck_assert_int_eq(set_of(&s, "one")->milli, 5000 + 2000); /* sums count what is idle now */
    story_close(&s);
}
END_TEST

START_TEST(unusable_devices)
{
    struct story s;
    open_world(&s, false, "job a every 1x3@n1; job b every 1x1@n0");
    const struct pc_pool_set *every = set_of(&s, "every");
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_DRAINING),
                     POLICY_OK);
    ck_assert_int_eq(every->unusable_milli, 5000);
    ck_assert_int_eq(every->whole, 3 + 2);
    ck_assert(!pc_bits_has(&every->up, rank_of(&s, "n1")));
    ck_assert(pc_bits_has(&every->nodes, rank_of(&s, "n1")));
    ck_assert_int_eq(policy_set_device_health(s.p, s.now, story_node(&s, "n0"), 3, false),
                     POLICY_OK);
    ck_assert_int_eq(every->unusable_milli, 5000 + 1000);
    ck_assert_int_eq(every->milli, 2000 + 2000);
    ck_assert_int_eq(policy_remove_node(s.p, s.now, story_node(&s, "n2")), POLICY_OK);
    ck_assert_int_eq(every->whole, 2);
    ck_assert_int_eq(every->installed_devices, 12);
    story_close(&s);
}
END_TEST

START_TEST(freed_pool_sets)
{
    struct story s;
    open_world(&s, false, "job a every 1x3@n1; job b every 2x.5@n2:0");
    pc_pool_sets_close(s.p->cluster);
    ck_assert(!set_of(&s, "every")->freed && !s.p->cluster->any_freed);
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "b"), 0, POLICY_SUCCEEDED),
                     POLICY_OK);
    ck_assert(set_of(&s, "one")->freed && set_of(&s, "every")->freed);
    ck_assert_int_eq(set_of(&s, "one")->freed_whole, 2);
    ck_assert_int_eq(set_of(&s, "one")->freed_room, 1000);
    pc_pool_sets_close(s.p->cluster);
    ck_assert(!set_of(&s, "one")->freed);
    ck_assert_int_eq(set_of(&s, "one")->freed_whole, 0);
    story_close(&s);
}
END_TEST

START_TEST(counted_devices_have_no_node)
{
    struct story s;
    open_world(&s, false, "");
    struct pc_cluster *c = s.p->cluster;
    ck_assert_int_eq(c->pools[1].nodes, 2);
    ck_assert_int_eq(c->pools[1].installed_milli, 10000);
    ck_assert_int_eq(c->pools[1].free_milli, 10000);
    pc_pool_sets_close(c);
    pc_pool_count(c, 1, 2500);
    ck_assert_int_eq(c->pools[1].free_milli, 7500);
    ck_assert_int_eq(set_of(&s, "one")->milli, 7500);
    ck_assert_int_eq(set_of(&s, "every")->milli, 4000 + 7500);
    ck_assert(!c->any_freed);
    story_tell(&s, "queue later pools=0,1"); /* a new set includes what is already counted */
    ck_assert_int_eq(set_of(&s, "later")->milli, 4000 + 7500);
    ck_assert_int_eq(pc_pool_most_free(c, 0), 7500);
    ck_assert_int_eq(pc_pool_most_installed(c, 0), 10000);
    pc_pool_count(c, 1, -2500);
    ck_assert(!c->any_freed);
    pc_pool_freed(c, 1);
    ck_assert(c->any_freed && set_of(&s, "one")->freed);
    ck_assert_int_eq(set_of(&s, "later")->milli, 4000 + 10000);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool_sets");
    TCase *tcase = tcase_create("pool_sets");
    tcase_add_test(tcase, queues_of_the_same_pools_share_a_set);
    tcase_add_test(tcase, sums_are_of_idle_devices);
    tcase_add_test(tcase, tasks_that_free_devices_suffice_for);
    tcase_add_test(tcase, with_nominations_free_is_after_release);
    tcase_add_test(tcase, unusable_devices);
    tcase_add_test(tcase, freed_pool_sets);
    tcase_add_test(tcase, counted_devices_have_no_node);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
