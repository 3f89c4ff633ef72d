/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rolled back transaction leaves no trace: every byte of nodes, sites and pools is as before. */
#include "core/txn.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

/* All bytes that placing may touch, in one block. */
static unsigned char *picture(const struct policy *p, size_t *size)
{
    size_t room = PC_NODE_COUNTS * sizeof(uint16_t);
    size_t words = 0;
    for (uint32_t s = 0; s < p->site_count; s++)
        words += (3 + (size_t)p->sites[s].most_devices) * (p->sites[s].nodes.capacity / 64);
    *size = p->node_count * (sizeof *p->nodes + room) + p->site_count * sizeof *p->sites +
            p->pool_count * sizeof *p->pools + words * 8 + sizeof *p;
    unsigned char *bytes = calloc(1, *size);
    ck_assert_ptr_nonnull(bytes);
    unsigned char *at = bytes;
    for (uint32_t n = 0; n < p->node_count; n++) {
        memcpy(at, &p->nodes[n], sizeof *p->nodes);
        memcpy(at + sizeof *p->nodes, p->nodes[n].room, room);
        at += sizeof *p->nodes + room;
    }
    for (uint32_t s = 0; s < p->site_count; s++) {
        const struct pc_site *site = &p->sites[s];
        size_t level = site->nodes.capacity / 64 * 8;
        memcpy(at, site, sizeof *site);
        at += sizeof *site;
        memcpy(at, site->nodes.words, level);
        memcpy(at += level, site->shared.words, level);
        at += level;
        for (int32_t free = 0; free <= site->most_devices; free++, at += level)
            memcpy(at, site->by_free[free].words, level);
    }
    memcpy(at, p->pools, p->pool_count * sizeof *p->pools);
    struct policy self = *p;
    self.undo = NULL; /* the log itself may grow */
    self.undo_capacity = 0;
    self.versions = 0; /* numbers of states that were tried are not used again */
    memcpy(at + p->pool_count * sizeof *p->pools, &self, sizeof self);
    return bytes;
}

/* Two sites over partly used nodes, one of them draining, one with a broken device. */
static struct policy *scene(struct tally *tally, const char *options)
{
    static const uint32_t pools[] = {1};
    struct policy *p = core_create(tally, "slurm", options);
    policy_queue q = core_queue(p, NULL, 0);
    core_queue(p, pools, 1);
    for (uint32_t i = 0; i < 6; i++) {
        struct policy_node_spec spec = core_node_spec(i * 50, 8);
        spec.pool = i % 2;
        spec.cpu_milli = 16000;
        spec.mem_mib = 1000;
        spec.max_tasks = 5;
        policy_add_node(p, 0, &spec);
    }
    core_submit(p, 0, q, 1, 3, core_devices(3));
    core_submit(p, 0, q, 2, 2, core_share(400));
    size_t count;
    (void)policy_decide(p, 0, &count);
    ck_assert_int_eq(policy_set_node_state(p, 0, (policy_node){4}, POLICY_NODE_DRAINING), POLICY_OK);
    ck_assert_int_eq(policy_set_device_health(p, 0, (policy_node){0}, 7, false), POLICY_OK);
    (void)policy_decide(p, 0, &count);
    return p;
}

static const struct pc_request requests[] = {
    {8, 1000, 100,  10, UINT64_MAX},
    {1, 1000, 0,    0,  UINT64_MAX},
    {1, 300,  0,    1,  UINT64_MAX},
    {2, 500,  1,    0,  UINT64_MAX},
    {0, 0,    1000, 0,  UINT64_MAX},
    {1, 600,  0,    0,  UINT64_MAX},
};

START_TEST(rolling_back_restores_every_byte)
{
    struct tally tally = {0};
    const char *const placements[] = {
        "backfilling=none queue_limits=false placement=best-fit", "backfilling=none placement=spread",
        "backfilling=none queue_limits=false placement=random", "backfilling=none placement=gpu-clustering"};
    struct policy *p = scene(&tally, placements[_i]);
    size_t size;
    unsigned char *before = picture(p, &size);
    for (int round = 0; round < ROWS(requests); round++) {
        pc_txn_begin(p);
        for (int i = 0; i < 20; i++) {
            struct pc_ask ask = {.request = &requests[(i + round) % ROWS(requests)], .draw = (uint64_t)i};
            struct pc_pick pick;
            if (p->placement->choose(p, &p->sites[0], &ask, &pick))
                ck_assert(pc_txn_place(p, pick.node, ask.request, pick.devices));
        }
        ck_assert_uint_gt(p->undo_count, 5);
        pc_txn_rollback(p);
        unsigned char *after = picture(p, &size);
        ck_assert_mem_eq(after, before, size);
        free(after);
    }
    free(before);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(counting_rolls_back_too)
{
    struct tally tally = {0};
    struct policy *p = scene(&tally, "backfilling=none queue_limits=false placement=count");
    size_t size;
    unsigned char *before = picture(p, &size);
    pc_txn_begin(p);
    ck_assert(pc_txn_count(p, 0, 5000));
    ck_assert(pc_txn_count(p, 1, 300));
    ck_assert_int_eq(p->pools[1].free_milli, 24000 - 300); /* the gang is in pool 0; nothing else is taken */
    pc_txn_rollback(p);
    unsigned char *after = picture(p, &size);
    ck_assert_mem_eq(after, before, size);
    free(after);
    free(before);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(an_explanation_changes_nothing)
{
    struct tally tally = {0};
    struct policy *p = scene(&tally, "backfilling=none queue_limits=false blocking=skip");
    policy_job job = core_submit(p, 0, (policy_queue){0}, 9, 5, core_devices(8));
    core_decide(p, 0, 0);
    size_t size;
    unsigned char *before = picture(p, &size);
    ck_assert_int_ne(core_reason(p, job), POLICY_REASON_NONE);
    unsigned char *after = picture(p, &size);
    ck_assert_mem_eq(after, before, size);
    free(after);
    free(before);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(without_memory_nothing_is_placed)
{
    struct tally tally = {0};
    struct policy *p =
        core_create(&tally, "slurm", "backfilling=none queue_limits=false placement=first-fit");
    core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    tally.fail_at = tally.calls + 1;
    pc_txn_begin(p);
    ck_assert(!pc_txn_place(p, 0, &requests[1], 1));
    core_is_sound(p);
    ck_assert_int_eq(p->nodes[0].free_milli, 8000);
    ck_assert(pc_txn_place(p, 0, &requests[1], 1));
    pc_txn_rollback(p);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("txn");
    TCase *tcase = tcase_create("txn");
    tcase_add_loop_test(tcase, rolling_back_restores_every_byte, 0, 4);
    tcase_add_test(tcase, counting_rolls_back_too);
    tcase_add_test(tcase, an_explanation_changes_nothing);
    tcase_add_test(tcase, without_memory_nothing_is_placed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
