/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kept scores: found once for each state of a node and kind of request, anew when the node changes, when the fleet
 * grows, and for kinds that had to give way to others. That they are the right ones is shown by
 * tests/property/test_policy_random.c.
 */
#include "core/nodes.h"
#include "place/scores.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static uint64_t found; /* scores that were asked for; a score function has no context of its own */

/* The free thousandths, so that the emptiest node is the best. */
static int64_t score(const struct policy *p, const struct pc_node *n, const struct pc_request *r)
{
    (void)p, (void)r;
    found++;
    return n->free_milli;
}

static const struct pc_request one = {1, 1000, 0, 0, UINT64_MAX};

/* The rank that is chosen, and how many scores had to be found for that. */
static void expect(struct policy *p, const struct pc_request *r, uint32_t rank, uint64_t scores)
{
    struct pc_ask ask = {.request = r};
    found = 0;
    ck_assert_uint_eq(pc_highest_kept(p, &p->sites[0], &ask, score), rank);
    ck_assert_uint_eq(found, scores);
    ck_assert_uint_eq(pc_highest(p, &p->sites[0], &ask, score), rank);
}

START_TEST(only_what_changed_is_found_anew)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm", "backfilling=none blocking=skip placement=gpu-packing");
    core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 5; i++)
        core_node(p, i, i == 3 ? 8 : 4);
    expect(p, &one, 3, 5);
    expect(p, &one, 3, 0);
    pc_take(p, 3, &one, 0xff); /* more devices than it asks for: only that something changed matters */
    pc_give(p, 3, &one, 0xff);
    expect(p, &one, 3, 1);
    ck_assert_int_eq(policy_set_device_health(p, 0, (policy_node){3}, 0, false), POLICY_OK);
    expect(p, &one, 3, 1);
    ck_assert_int_eq(policy_set_node_state(p, 0, (policy_node){3}, POLICY_NODE_DRAINING), POLICY_OK);
    expect(p, &one, 0, 0);
    ck_assert_int_eq(policy_set_node_state(p, 0, (policy_node){3}, POLICY_NODE_UP), POLICY_OK);
    expect(p, &one, 3, 0); /* the score of a node does not depend on its state */
    struct pc_request other = one;
    other.cpu = 1;
    expect(p, &other, 3, 5);
    other.mem = 5; /* decides whether a task fits, not how well */
    other.types = 1;
    expect(p, &other, 3, 0);
    ck_assert_int_eq(policy_remove_node(p, 0, (policy_node){3}), POLICY_OK);
    core_node(p, 3, 2); /* the same number and rank, another node */
    expect(p, &one, 0, 1);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_larger_fleet_begins_anew)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm", "backfilling=none blocking=skip placement=gpu-packing");
    core_queue(p, NULL, 0);
    core_node(p, 0, 4);
    expect(p, &one, 0, 1);
    for (uint32_t i = 1; i < 100; i++)
        core_node(p, i, 4);
    core_node(p, 100, 8);
    expect(p, &one, 100, 101);
    expect(p, &one, 100, 0);
    core_destroy(p, &tally);
}
END_TEST

/* 4,096 nodes: there is room for 256 kinds of requests. */
START_TEST(rows_are_given_to_others)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm", "backfilling=none blocking=skip placement=gpu-packing");
    core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 4096; i++)
        core_node(p, i, 1);
    struct pc_request r = one;
    for (int64_t round = 0; round < 2; round++)
        for (r.cpu = 0; r.cpu < 300; r.cpu++)
            expect(p, &r, 0, 4096); /* by the second round each had to give way */
    size_t bytes = tally.bytes;
    for (; r.cpu < 1000; r.cpu++)
        expect(p, &r, 0, 4096);
    for (r.cpu = 1000 - 256; r.cpu < 1000; r.cpu++) /* the last ones are there */
        expect(p, &r, 0, 0);
    ck_assert_uint_eq(tally.bytes, bytes);
    core_destroy(p, &tally);
}
END_TEST

/* Any place will do: the lowest that fits, and no score is asked for. */
START_TEST(any_place_needs_no_score)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm", "backfilling=none blocking=skip placement=gpu-packing");
    policy_queue q = core_queue(p, NULL, 0);
    core_node_left(p, q, core_node_spec(0, 0), "##");
    core_node(p, 1, 1);
    core_node(p, 2, 8);
    struct pc_ask ask = {.request = &one, .any = true};
    found = 0;
    ck_assert_uint_eq(pc_highest_kept(p, &p->sites[0], &ask, score), 1);
    ck_assert_uint_eq(pc_highest(p, &p->sites[0], &ask, score), 1);
    ck_assert_uint_eq(found, 0);
    struct pc_request nine = {9, 1000, 0, 0, UINT64_MAX};
    ask.request = &nine;
    ck_assert_uint_eq(pc_highest_kept(p, &p->sites[0], &ask, score), PC_NONE);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(without_memory_scores_are_found_all_the_same)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm", "backfilling=none blocking=skip placement=gpu-packing");
    core_queue(p, NULL, 0);
    core_node(p, 0, 2);
    core_node(p, 1, 4);
    for (uint64_t failing = 1; failing <= 2; failing++) { /* the table of rows, then the row */
        tally.fail_at = tally.calls + failing;
        expect(p, &one, 1, 2);
    }
    expect(p, &one, 1, 2);
    expect(p, &one, 1, 0);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scores");
    TCase *tcase = tcase_create("scores");
    tcase_add_test(tcase, only_what_changed_is_found_anew);
    tcase_add_test(tcase, a_larger_fleet_begins_anew);
    tcase_add_test(tcase, rows_are_given_to_others);
    tcase_add_test(tcase, any_place_needs_no_score);
    tcase_add_test(tcase, without_memory_scores_are_found_all_the_same);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
