/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues: refusals, trees, reused ids, the backlog. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stddef.h>

static const uint32_t rising[] = {1, 3};
static const uint32_t falling[] = {3, 1};
static const uint32_t twice[] = {1, 1};
static const uint32_t large[] = {4096};

static const struct {
    uint32_t size, parent, pool_count;
    const uint32_t *pools;
    struct policy_share share;
    int status;
} rows[] = {
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 2, rising, {0, 0, 0}, POLICY_OK},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 0, NULL, {-1, -1, 9}, POLICY_OK},
    {sizeof(struct policy_queue_spec), 1, 0, NULL, {0, 0, 0}, POLICY_OK},
    {offsetof(struct policy_queue_spec, suspended), POLICY_NO_ID, 0, NULL, {0, 0, 0}, POLICY_OK},
    {sizeof(struct policy_queue_spec) - 24, POLICY_NO_ID, 0, NULL, {0, 0, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), 9, 0, NULL, {0, 0, 0}, POLICY_UNKNOWN},
    {sizeof(struct policy_queue_spec), 0, 0, NULL, {0, 0, 0}, POLICY_CONFLICT}, /* has jobs */
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 2, falling, {0, 0, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 2, twice, {0, 0, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 1, large, {0, 0, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 2, NULL, {0, 0, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 5000, rising, {0, 0, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 0, NULL, {-2, 0, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 0, NULL, {0, -2, 0}, POLICY_INVALID},
    {sizeof(struct policy_queue_spec), POLICY_NO_ID, 0, NULL, {0, 0, -1}, POLICY_INVALID},
};

START_TEST(bad_queues_are_refused)
{
    for (int which = 0; which < 3; which++) {
        struct tally tally = {0};
        struct policy *p = core_create(&tally, "fifo", "scope=queue");
        policy_queue busy = core_queue(p, NULL, 0);
        core_queue(p, NULL, 0);
        core_submit(p, 0, busy, 1, 1, core_devices(1));
        struct policy_queue_spec spec = {.size = rows[_i].size,
                                         .parent = {rows[_i].parent},
                                         .pools = rows[_i].pools,
                                         .pool_count = rows[_i].pool_count};
        *(which == 0 ? &spec.gpu : which == 1 ? &spec.cpu : &spec.mem) = rows[_i].share;
        policy_queue q = policy_add_queue(p, 0, &spec);
        ck_assert_int_eq(q.i != POLICY_NO_ID, rows[_i].status == POLICY_OK);
        if (rows[_i].status != POLICY_OK)
            ck_assert_int_eq(policy_last_error(p)->status, rows[_i].status);
        core_destroy(p, &tally);
    }
}
END_TEST

START_TEST(pools_in_order_of_preference_keep_it)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "scope=queue");
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = {POLICY_NO_ID},
                                     .pools = twice,
                                     .pool_count = 2,
                                     .ordered_pools = true};
    ck_assert_uint_eq(policy_add_queue(p, 0, &spec).i, POLICY_NO_ID);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_INVALID);
    spec.pools = falling;
    policy_queue q = policy_add_queue(p, 0, &spec);
    ck_assert_uint_ne(q.i, POLICY_NO_ID);
    ck_assert_int_eq(policy_set_queue(p, 0, q, &spec), POLICY_OK);
    spec.pools = rising;
    ck_assert_int_eq(policy_set_queue(p, 0, q, &spec), POLICY_CONFLICT);
    spec.ordered_pools = false;
    ck_assert_int_eq(policy_set_queue(p, 0, q, &spec), POLICY_CONFLICT);
    spec.pools = falling;
    spec.ordered_pools = spec.strict_order = true;
    ck_assert_int_eq(policy_set_queue(p, 0, q, &spec), POLICY_CONFLICT);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(trees_are_taken_down_from_the_leaves)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "scope=queue");
    policy_queue root = core_queue(p, NULL, 0);
    struct policy_queue_spec spec = {.size = sizeof spec, .parent = root};
    policy_queue leaf = policy_add_queue(p, 0, &spec);
    ck_assert_int_eq(policy_remove_queue(p, 0, root), POLICY_CONFLICT);
    ck_assert_int_eq(policy_remove_queue(p, 0, leaf), POLICY_OK);
    ck_assert_int_eq(policy_remove_queue(p, 0, leaf), POLICY_UNKNOWN);
    core_submit(p, 0, root, 1, 1, core_devices(1)); /* a leaf again */
    ck_assert_int_eq(policy_remove_queue(p, 0, root), POLICY_CONFLICT);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(the_backlog_is_counted_by_reason)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", _i == 0 ? "blocking=strict" : "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_submit(p, 0, q, 1, 1, core_devices(6));
    core_decide(p, 0, 1);
    for (uint64_t k = 2; k < 5; k++)
        core_submit(p, 0, q, k, 1, core_devices(4));
    core_submit(p, 0, q, 5, 1, core_devices(16));
    struct policy_role role = core_role(1, core_devices(2));
    struct policy_job_spec spec = core_job_spec(q, 6, &role, 1);
    spec.eligible = 1000;
    policy_submit(p, 0, &spec);
    struct policy_backlog b;
    ck_assert_int_eq(policy_backlog(p, q, &b), POLICY_OK);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_WAITING], 3);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_NEVER_FITS], 1);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_NOT_ELIGIBLE], 1);
    core_decide(p, 0, 0);
    ck_assert_int_eq(policy_backlog(p, q, &b), POLICY_OK);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_DEVICES_BUSY], _i == 0 ? 1 : 3);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_BEHIND], _i == 0 ? 2 : 0);
    ck_assert_int_eq(b.gpu_milli[POLICY_REASON_DEVICES_BUSY], _i == 0 ? 4000 : 12000);
    ck_assert_int_eq(b.gpu_milli[POLICY_REASON_BEHIND], _i == 0 ? 8000 : 0);
    ck_assert_int_eq(b.gpu_milli[POLICY_REASON_NEVER_FITS], 16000);
    ck_assert_int_eq(b.gpu_milli[POLICY_REASON_NOT_ELIGIBLE], 2000);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_WAITING], 0);
    ck_assert_int_eq(policy_backlog(p, (policy_queue){7}, &b), POLICY_UNKNOWN);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queues");
    TCase *tcase = tcase_create("queues");
    tcase_add_test(tcase, pools_in_order_of_preference_keep_it);
    tcase_add_loop_test(tcase, bad_queues_are_refused, 0, ROWS(rows));
    tcase_add_test(tcase, trees_are_taken_down_from_the_leaves);
    tcase_add_loop_test(tcase, the_backlog_is_counted_by_reason, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
