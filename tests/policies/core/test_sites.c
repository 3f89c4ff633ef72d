/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools and the sites over them, made before and after their nodes, with whole and with counted devices. */
#include "core/sites.h"
#include "core/state.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const uint32_t pools[] = {0, 2, 5};

static void add_nodes(struct policy *p)
{
    for (uint32_t i = 0; i < 8; i++) {
        struct policy_node_spec spec = core_node_spec(i * 100, (int32_t)i);
        spec.pool = i;
        ck_assert_uint_eq(policy_add_node(p, 0, &spec).i, i);
    }
}

static const struct {
    uint32_t count;
    int64_t devices; /* of its pools: node i is pool i and has i devices */
} sites[] = {
    {0, 28}, /* all */
    {1, 0 },
    {2, 2 },
    {3, 7 },
};

/* The order of facts must not matter: the queue first, the nodes first, or half of them. */
START_TEST(a_site_sees_its_pools)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm",
                                   _i % 2 == 0 ? "backfilling=none queue_limits=false placement=first-fit"
                                               : "backfilling=none queue_limits=false placement=count");
    int row = _i / 2 % ROWS(sites);
    bool queue_first = _i / 2 / ROWS(sites) == 0;
    policy_queue q = {0};
    if (queue_first)
        q = core_queue(p, pools, sites[row].count);
    add_nodes(p);
    if (!queue_first)
        q = core_queue(p, pools, sites[row].count);
    core_is_sound(p);
    const struct pc_site *s = &p->sites[p->queues[q.i].site];
    ck_assert_int_eq(s->installed_devices, sites[row].devices);
    ck_assert_int_eq(s->milli, sites[row].devices * POLICY_WHOLE);
    for (uint32_t pool = 0; pool < p->pool_count; pool++) {
        bool bound = sites[row].count == 0;
        for (uint32_t i = 0; i < sites[row].count; i++)
            bound |= pools[i] == pool;
        ck_assert_int_eq(pc_site_has(p, p->queues[q.i].site, pool), bound);
    }
    core_destroy(p, &tally);
}
END_TEST

START_TEST(queues_with_the_same_pools_share_a_site)
{
    struct tally tally = {0};
    struct policy *p =
        core_create(&tally, "slurm", "backfilling=none queue_limits=false placement=first-fit");
    policy_queue a = core_queue(p, pools, 2);
    policy_queue b = core_queue(p, pools, 3);
    policy_queue c = core_queue(p, pools, 2);
    policy_queue d = core_queue(p, NULL, 0);
    ck_assert_uint_eq(p->queues[a.i].site, p->queues[c.i].site);
    ck_assert_uint_ne(p->queues[a.i].site, p->queues[b.i].site);
    ck_assert_uint_ne(p->queues[d.i].site, p->queues[b.i].site);
    ck_assert_uint_eq(p->site_count, 3);
    core_destroy(p, &tally);
}
END_TEST

/* A site made while tasks run sees what is left. */
START_TEST(a_late_site_sees_what_is_taken)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm",
                                   _i == 0 ? "backfilling=none queue_limits=false placement=first-fit"
                                           : "backfilling=none queue_limits=false placement=count");
    policy_queue all = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    policy_job job = core_submit(p, 0, all, 1, 1, core_devices(5));
    core_submit(p, 0, all, 2, 1, core_share(200));
    core_decide(p, 0, 2);
    policy_queue late = core_queue(p, pools, 1);
    core_is_sound(p);
    ck_assert_int_eq(p->sites[p->queues[late.i].site].milli, 2800);
    core_submit(p, 0, late, 3, 1, core_devices(3));
    core_decide(p, 0, 0);
    ck_assert_int_eq(policy_task_ended(p, 1, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    core_decide(p, 1, 1);
    core_destroy(p, &tally);
}
END_TEST

/* A pool of which nothing is left must not hide what another one has. */
START_TEST(a_pool_in_debt_hides_nothing)
{
    struct tally tally = {0};
    struct policy *p =
        core_create(&tally, "slurm", "backfilling=none queue_limits=false placement=count blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node first = core_node(p, 0, 8);
    struct policy_node_spec spec = core_node_spec(1, 4);
    spec.pool = 1;
    policy_add_node(p, 0, &spec);
    core_submit(p, 0, q, 1, 1, core_devices(8));
    policy_job job = core_submit(p, 0, q, 2, 1, core_devices(4));
    core_decide(p, 0, 2);
    core_submit(p, 0, q, 3, 1, core_devices(4));
    core_decide(p, 0, 0);
    ck_assert_int_eq(policy_set_node_state(p, 1, first, POLICY_NODE_DOWN), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(p, 1, job, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_uint_eq(core_decide(p, 1, 1)->pool, 1);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sites");
    TCase *tcase = tcase_create("sites");
    tcase_add_loop_test(tcase, a_site_sees_its_pools, 0, 4 * ROWS(sites));
    tcase_add_test(tcase, queues_with_the_same_pools_share_a_site);
    tcase_add_loop_test(tcase, a_late_site_sees_what_is_taken, 0, 2);
    tcase_add_test(tcase, a_pool_in_debt_hides_nothing);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
