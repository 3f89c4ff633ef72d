/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of snapshots: values, the forest, dropped and refused queues. */
#include "scenarios/snapshot/snapshot.h"
#include "tests/scenarios/snapshots.h"

// clang-format off
static const struct {
    const char *keys;
    struct policy_share gpu, cpu, mem;
    int64_t preempt, reclaim, fixed;
    struct policy_amounts usage;
} rows[] = {
    {"", {0, -1, 1000}, {-1, -1, 1000}, {-1, -1, 1000}, -1, -1, 0, {0, 0, 0}},
    {", \"gpu\": {\"quota\": 8000, \"limit\": 16000, \"weight\": 0.25, \"fixed\": 2000}", {8000,
     16000, 250}, {-1, -1, 1000}, {-1, -1, 1000}, -1, -1, 2000, {0, 0, 0}},
    {", \"cpu\": {\"quota\": 0, \"limit\": 0, \"weight\": 0}, \"mem\": {\"quota\": 5, \"weight\": "
     "5000}", {0, -1, 1000}, {0, 0, 0}, {5, -1, 5000000}, -1, -1, 0, {0, 0, 0}},
    {", \"preempt_min_runtime_s\": 0, \"reclaim_min_runtime_s\": 90", {0, -1, 1000}, {-1, -1,
     1000}, {-1, -1, 1000}, 0, 90000, 0, {0, 0, 0}},
    {", \"preempt_min_runtime_s\": null, \"reclaim_min_runtime_s\": \"2h\"", {0, -1, 1000}, {-1,
     -1, 1000}, {-1, -1, 1000}, -1, 7200000, 0, {0, 0, 0}},
    {", \"usage\": 0.25", {0, -1, 1000}, {-1, -1, 1000}, {-1, -1, 1000}, -1, -1, 0, {250000,
     250000, 250000}},
    {", \"usage\": {\"gpu\": 1.5, \"mem\": 0.000001}", {0, -1, 1000}, {-1, -1, 1000}, {-1, -1,
     1000}, -1, -1, 0, {1500000, 0, 1}},
};
// clang-format on

static void equal_shares(const struct policy_share *got, const struct policy_share *expected)
{
    ck_assert_int_eq(got->quota, expected->quota);
    ck_assert_int_eq(got->limit, expected->limit);
    ck_assert_int_eq(got->weight, expected->weight);
}

START_TEST(queues_become_smallest_units)
{
    char text[512];
    (void)snprintf(text, sizeof text, SNAP("\"queues\": [{\"name\": \"q\"%s}]"), rows[_i].keys);
    struct snapshot *s = load_snapshot(text);
    const struct snap_queue *q = &s->queues[0];
    ck_assert_int_eq(q->priority, 100);
    equal_shares(&q->gpu, &rows[_i].gpu);
    equal_shares(&q->cpu, &rows[_i].cpu);
    equal_shares(&q->mem, &rows[_i].mem);
    ck_assert_int_eq(q->preempt_min_runtime_ms, rows[_i].preempt);
    ck_assert_int_eq(q->reclaim_min_runtime_ms, rows[_i].reclaim);
    ck_assert_int_eq(q->fixed_milli, rows[_i].fixed);
    ck_assert_int_eq(q->usage_ppm.gpu, rows[_i].usage.gpu);
    ck_assert_int_eq(q->usage_ppm.cpu, rows[_i].usage.cpu);
    ck_assert_int_eq(q->usage_ppm.mem, rows[_i].usage.mem);
    snapshot_destroy(s);
}
END_TEST

#define Q(name, parent) "{\"name\": \"" name "\", \"parent\": \"" parent "\"}"

START_TEST(parents_come_first_and_siblings_by_name)
{
    struct snapshot *s = load_snapshot(SNAP("\"queues\": [" Q("z", "b") "," Q("a", "b") "," Q(
        "c", "") "," Q("b", "") "," Q("y", "a") "]"));
    static const char *const order[] = {"b", "c", "a", "z", "y"};
    static const bool inner[] = {false, true, false, true, false};
    for (int i = 0; i < ROWS(order); i++) {
        ck_assert_str_eq(s->queues[s->queue_order[i]].name, order[i]);
        ck_assert_int_eq(s->queues[i].inner, inner[i]);
    }
    ck_assert_uint_eq(s->queues[4].depth, 2);
    ck_assert_uint_eq(s->queues[4].parent_index, 1);
    ck_assert_uint_eq(s->queues[4].rank, 3);
    ck_assert_uint_eq(s->queues[2].parent_index, SNAP_NONE);
    snapshot_destroy(s);
}
END_TEST

START_TEST(queues_without_their_parent_are_dropped_with_all_below)
{
    struct snapshot *s = load_snapshot(SNAP("\"queues\": [" Q("leaf", "mid") "," Q(
        "mid", "gone") "," Q("root", "") "," Q("kept", "root") "]"));
    ck_assert_str_eq(s->queues[0].lost, "gone");
    ck_assert_str_eq(s->queues[1].lost, "gone");
    ck_assert_ptr_null(s->queues[2].lost);
    ck_assert_ptr_null(s->queues[3].lost);
    snapshot_destroy(s);
}
END_TEST

START_TEST(deep_trees_are_fine)
{
    enum { DEPTH = 3000, ROOM = DEPTH * 48 };
    char *text = malloc(ROOM);
    ck_assert_ptr_nonnull(text);
    int used = snprintf(text, ROOM, "{\"fauxfleet_snapshot\": 1, \"queues\": [");
    for (int i = 0; i < DEPTH; i++)
        used += snprintf(text + used, (size_t)(ROOM - used),
                         "%s{\"name\": \"q%d\", \"parent\": \"q%d\"}", i ? "," : "", i, i + 1);
    (void)snprintf(text + used, (size_t)(ROOM - used), ", {\"name\": \"q%d\"}]}", DEPTH);
    struct snapshot *s = load_snapshot(text);
    ck_assert_uint_eq(s->queues[0].depth, DEPTH);
    ck_assert_uint_eq(s->queue_order[0], DEPTH);
    snapshot_destroy(s);
    free(text);
}
END_TEST

// clang-format off
static const struct {
    const char *queues, *part;
} refused[] = {
    {Q("a", "") "," Q("a", "x"), "queues[1].name: there are two queues of the name 'a'"},
    {Q("a", "a"), "queues[0].parent: the queue 'a' is its own ancestor"},
    {Q("x", "a") "," Q("a", "b") "," Q("b", "a"), "queues[1].parent: the queue 'a' is its own "
                                                  "ancestor"},
    {"{\"name\": \"a\", \"pools\": [\"\", \"h1000\"]}", "queues[0].pools[1]: unknown pool 'h1000', "
                                                        "did you mean 'h100'?"},
    {"{\"name\": \"a\", \"usage\": -1}", "queues[0].usage: expected a number from 0 to 1000000 or "
                                         "an object, got -1"},
    {"{\"name\": \"a\", \"gpu\": {\"quota\": 0.5}}", "queues[0].gpu.quota: expected an integer"},
    {"{\"name\": \"a\", \"gpu\": {\"by_pool\": {\"h10\": 1}}}", "queues[0].gpu.by_pool.h10: unknown pool or "
                                                         "GPU type 'h10', did you mean 'h100'?"},
    {"{\"name\": \"a\", \"gpu\": {\"by_pool\": {\"h100\": 1, \"|h100\": 1}}}", "queues[0].gpu.by_pool: the "
                                                         "pool 'h100' is in two quotas"},
    {"{\"name\": \"a\", \"gpu\": {\"quota\": 2, \"by_pool\": {\"h100\": 1}}}", "the quotas by pool add up "
                                                         "to 1 milli-GPUs, and gpu.quota is 2"},
    {"{\"name\": \"a\", \"request\": {}}", "queues[0].request: unknown key 'request'"},
};
// clang-format on

START_TEST(wrong_queues_are_refused)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   SNAP("\"nodes\": [{\"name\": \"n\"}, {\"name\": \"m\", \"pool\": \"h100\"}], "
                        "\"queues\": [%s]"),
                   refused[_i].queues);
    refuse_snapshot(text, refused[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_queues");
    TCase *tcase = tcase_create("queues");
    tcase_add_loop_test(tcase, queues_become_smallest_units, 0, ROWS(rows));
    tcase_add_test(tcase, parents_come_first_and_siblings_by_name);
    tcase_add_test(tcase, queues_without_their_parent_are_dropped_with_all_below);
    tcase_add_test(tcase, deep_trees_are_fine);
    tcase_add_loop_test(tcase, wrong_queues_are_refused, 0, ROWS(refused));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
