/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combined demand of tasks, how often the largest of them fits, and ratios compared exactly. */
#include "place/area_supply.h"
#include "state/domains.h"
#include "tests/lib/harness.h"
#include "tests/lib/racks.h"

#include <string.h>

#define MANY 9 /* tasks of each row, unless it says otherwise */

/* One node, and the copies of the largest task that it holds. */
static const struct {
    const char *what;
    struct racks_node node;
    int32_t shared_milli; /* taken of the node's last device by a task that shares it */
    struct policy_role roles[3];
    int64_t copies;
    bool alike;
    int64_t free_gpu;
} rows[] = {
    // clang-format off
    {"whole devices", {.devices = 8}, 0,
     {{.tasks = MANY, .request = {.devices = 1}}}, 8, true, 8000},
    {"pairs", {.devices = 8, .used = 3}, 0,
     {{.tasks = MANY, .request = {.devices = 2}}}, 2, true, 5000},
    {"devices being released count", {.devices = 8, .used = 3, .leaving = 2}, 0,
     {{.tasks = MANY, .request = {.devices = 1}}}, 5, true, 5000},
    {"never more than there are tasks", {.devices = 8}, 0,
     {{.tasks = 3, .request = {.devices = 1}}}, 3, true, 8000},
    {"CPU is the bound", {.devices = 8, .cpu_milli = 7000}, 0,
     {{.tasks = MANY, .request = {.devices = 1, .cpu_milli = 2000}}}, 3, true, 8000},
    {"CPU that fits exactly", {.devices = 8, .cpu_milli = 8000}, 0,
     {{.tasks = MANY, .request = {.devices = 1, .cpu_milli = 2000}}}, 4, true, 8000},
    {"CPU for none", {.devices = 8, .cpu_milli = 1999}, 0,
     {{.tasks = MANY, .request = {.devices = 1, .cpu_milli = 2000}}}, 0, true, 8000},
    {"no devices wanted", {.devices = 2, .used = 2, .cpu_milli = 7000}, 0,
     {{.tasks = MANY, .request = {.cpu_milli = 2000}}}, 3, true, 0},
    {"large amounts", {.devices = 8, .cpu_milli = INT64_C(1) << 40}, 0,
     {{.tasks = 4, .request = {.devices = 1, .cpu_milli = INT64_C(1) << 39}}}, 2, true, 8000},
    {"shares of whole devices", {.devices = 2}, 0,
     {{.tasks = MANY, .request = {.devices = 1, .device_milli = 300}}}, 6, true, 2000},
    {"the rest of a shared device counts, though not as free", {.devices = 2}, 300,
     {{.tasks = MANY, .request = {.devices = 1, .device_milli = 350}}}, 4, true, 1000},
    {"a shared device is no whole one", {.devices = 2}, 100,
     {{.tasks = MANY, .request = {.devices = 1}}}, 1, true, 1000},
    {"the largest of unequal tasks", {.devices = 7}, 0,
     {{.tasks = 4, .request = {.devices = 1}}, {.tasks = 1, .request = {.devices = 3}}}, 2, true,
      7000},
    {"element by element", {.devices = 8, .cpu_milli = 9000}, 0,
     {{.tasks = 4, .request = {.devices = 1, .cpu_milli = 4000}}, {.tasks = 1,
      .request = {.devices = 3}}}, 2, true, 8000},
    {"a whole device next to shares", {.devices = 4}, 0,
     {{.tasks = 4, .request = {.devices = 1, .device_milli = 500}}, {.tasks = 2,
      .request = {.devices = 1}}}, 4, true, 4000},
    {"some use devices and some do not", {.devices = 4, .cpu_milli = 5000}, 0,
     {{.tasks = 2, .request = {.devices = 1}}, {.tasks = 2, .request = {.cpu_milli = 1000}}}, 4,
      false, 4000},
    // clang-format on
};

static policy_job submit(struct racks *r, const struct policy_role *roles, uint32_t *tasks)
{
    struct policy_role copy[3];
    memcpy(copy, roles, sizeof copy);
    struct policy_job_spec spec = racks_job(r, copy, 3);
    *tasks = 0;
    for (uint32_t i = 0; i < spec.role_count; i++)
        *tasks += (uint32_t)copy[i].tasks;
    return racks_submit(r, &spec);
}

static void share_last(struct racks *r, policy_node node, int32_t devices, int32_t milli)
{
    policy_job job = core_submit(r->p, 0, r->queue, 777, 1, core_share(milli));
    ck_assert_int_eq(policy_task_running(r->p, 0, job, 0, node, UINT64_C(1) << (devices - 1), 0),
                     POLICY_OK);
}

START_TEST(a_node_holds_copies)
{
    struct racks r;
    racks_open(&r, 1, NULL, 0);
    struct racks_node node = rows[_i].node;
    node.at[0] = 1;
    policy_node id = racks_node(&r, 0, &node);
    if (rows[_i].shared_milli > 0)
        share_last(&r, id, node.devices, rows[_i].shared_milli);
    uint32_t count;
    policy_job job = submit(&r, rows[_i].roles, &count);
    uint32_t tasks[16];
    ck_assert_uint_le(count, 16);
    for (uint32_t i = 0; i < count; i++)
        tasks[i] = i;
    struct pc_cluster *c = r.p->cluster;
    struct pc_demand d = pc_sum_demand(c, job.i, tasks, count);
    struct pc_topology *t = pc_domains_current(r.p, 0);
    pc_count_supply(r.p, t, &(struct pc_nodes_allowed){&c->up, &c->pool_sets[0].nodes, NULL}, &d);
    ck_assert_msg(d.alike == rows[_i].alike, "%s", rows[_i].what);
    for (uint32_t i = 0; i < t->domain_count; i++) { /* the node's own domain and the root */
        ck_assert_msg(t->domains[i].copies == rows[_i].copies, "%s: %ld", rows[_i].what,
                      (long)t->domains[i].copies);
        ck_assert_int_eq(t->domains[i].free.of[PC_GPU], rows[_i].free_gpu);
        ck_assert_uint_eq(t->domains[i].usable, 1);
    }
    racks_close(&r);
}
END_TEST

START_TEST(demand_adds_up)
{
    static const struct policy_role roles[3] = {
        {.tasks = 2, .request = {.devices = 2, .cpu_milli = 500, .mem_mib = 7}},
        {.tasks = 3, .request = {.devices = 1, .device_milli = 250, .cpu_milli = 4000}},
    };
    struct racks r;
    uint32_t count;
    racks_open(&r, 1, NULL, 0);
    policy_job job = submit(&r, roles, &count);
    static const uint32_t tasks[] = {0, 1, 2, 3}; /* the last one is not placed now */
    struct pc_demand d = pc_sum_demand(r.p->cluster, job.i, tasks, 4);
    ck_assert_int_eq(d.total.of[PC_GPU], 2 * 2000 + 2 * 250);
    ck_assert_int_eq(d.total.of[PC_CPU], 2 * 500 + 2 * 4000);
    ck_assert_int_eq(d.total.of[PC_MEM], 14);
    ck_assert(d.whole && d.alike && d.only == NULL && d.tasks == 4);
    ck_assert_int_eq(d.largest.devices, 2);
    ck_assert_int_eq(d.largest.cpu, 4000);
    ck_assert_int_eq(d.largest.mem, 7);
    d = pc_sum_demand(r.p->cluster, job.i, tasks, 2);
    ck_assert_ptr_nonnull(d.only);
    racks_close(&r);
}
END_TEST

/* MIG instances with fixed counts, and instances that could be created. */
START_TEST(instances_are_counted)
{
    static const struct {
        int32_t mode, fixed, wanted;
        int64_t copies, free_gpu;
    } mig[] = {
        {POLICY_MIG_FIXED, 5, 1, 5, 15000},
        {POLICY_MIG_FIXED, 5, 2, 2, 15000},
        {POLICY_MIG_FREE, 0, 1, 4, 12000},
        {POLICY_MIG_OFF, 0, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof mig / sizeof *mig; i++) {
        struct racks r;
        racks_open(&r, 1, NULL, 0);
        ck_assert_int_eq(policy_set_mig_profile(r.p, 0, 2, 3, 4),
                         POLICY_OK); // 3g: 3 to compute, 4 of memory
        int32_t fixed[POLICY_MAX_PROFILES] = {0, 0, mig[i].fixed};
        int32_t wanted[POLICY_MAX_PROFILES] = {0, 0, mig[i].wanted};
        struct policy_node_spec spec = core_node_spec(0, 2);
        spec.mig = mig[i].mode;
        spec.mig_instances = fixed;
        spec.labels = &(struct policy_label){1, 1};
        spec.label_count = 1;
        ck_assert_uint_eq(policy_add_node(r.p, 0, &spec).i, 0);
        uint32_t count;
        policy_job job = submit(
            &r, (struct policy_role[3]){{.tasks = MANY, .request = {.mig = wanted}}}, &count);
        static const uint32_t tasks[MANY] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        struct pc_cluster *c = r.p->cluster;
        struct pc_demand d = pc_sum_demand(c, job.i, tasks, count);
        struct pc_topology *t = pc_domains_current(r.p, 0);
        pc_count_supply(r.p, t, &(struct pc_nodes_allowed){&c->up, &c->pool_sets[0].nodes, NULL},
                        &d);
        ck_assert_int_eq(t->domains[0].copies, mig[i].copies);
        ck_assert_int_eq(t->domains[0].free.of[PC_GPU], mig[i].free_gpu);
        racks_close(&r);
    }
}
END_TEST

/* wanted, free: the scarcest resource as a ratio; INT64_MAX is not modelled. */
static const struct {
    struct pc_amounts wanted, free;
    struct pc_ratio ratio;
} ratios[] = {
    {{{0, 0, 0}}, {{0, 0, 0}}, {0, 1}},
    {{{1, 2, 3}}, {{4, 4, 4}}, {3, 4}},
    {{{1, 0, 0}}, {{0, 0, 0}}, {1, 0}},
    {{{1, 9, 0}}, {{2, INT64_MAX, 0}}, {1, 2}},
    {{{3, 4, 0}}, {{0, 0, 1}}, {3, 0}},
    {{{INT64_MAX - 1, INT64_MAX, 0}},
     {{INT64_MAX - 2, INT64_MAX - 1, 1}},
     {INT64_MAX - 1, INT64_MAX - 2}},
};

START_TEST(the_scarcest_resource_counts)
{
    struct pc_ratio ratio = pc_scarcest(&ratios[_i].wanted, &ratios[_i].free);
    ck_assert_uint_eq(ratio.wanted, ratios[_i].ratio.wanted);
    ck_assert_uint_eq(ratio.free, ratios[_i].ratio.free);
}
END_TEST

START_TEST(ratios_compare_exactly)
{
    /* from the emptiest to the tightest */
    static const struct pc_ratio rising[] = {
        {0, 1}, {1, INT64_MAX},
        {1, 3}, {INT64_MAX / 3 + 1, INT64_MAX},
        {1, 2}, {INT64_MAX - 1, INT64_MAX},
        {1, 1}, {INT64_MAX, INT64_MAX - 1},
        {2, 1}, {1, 0},
    };
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
        for (size_t k = 0; k < sizeof rising / sizeof *rising; k++)
            ck_assert_msg(pc_is_tighter(&rising[i], &rising[k]) == (i > k), "%zu and %zu", i, k);
    ck_assert(!pc_is_tighter(&(struct pc_ratio){2, 4}, &(struct pc_ratio){1, 2}));
    ck_assert(!pc_is_tighter(&(struct pc_ratio){5, 0}, &(struct pc_ratio){1, 0}));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stock");
    TCase *tcase = tcase_create("stock");
    tcase_add_loop_test(tcase, a_node_holds_copies, 0, ROWS(rows));
    tcase_add_test(tcase, demand_adds_up);
    tcase_add_test(tcase, instances_are_counted);
    tcase_add_loop_test(tcase, the_scarcest_resource_counts, 0, ROWS(ratios));
    tcase_add_test(tcase, ratios_compare_exactly);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
