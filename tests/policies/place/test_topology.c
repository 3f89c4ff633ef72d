/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs with topology constraints through the public contract: where their tasks start. Racks are
 * written as nodes with devices and the number of taken ones; expectations follow from counting.
 */
#include "place/topology.h"
#include "tests/lib/harness.h"
#include "tests/lib/racks.h"

#include <string.h>

// clang-format off
#define AT(all, taken, ...) .at = {__VA_ARGS__}, .devices = (all), .used = (taken)
#define GPU(n)              {.devices = (n)}
#define REQUIRED(a)         {1, (a), 0}
#define PREFERRED(b)        {1, 0, (b)}
#define BOTH(a, b)          {1, (a), (b)}

static const struct row {
    const char *what;
    uint32_t levels;
    struct racks_node nodes[9];
    struct policy_constraint job;
    struct policy_group groups[2];
    struct policy_role roles[4];
    const char *expected;
} rows[] = {
    {"the tightest rack that holds the gang", 1,
     {{AT(2, 0, 1)}, {AT(2, 0, 1)}, {AT(2, 1, 2)}, {AT(2, 0, 2)}, {AT(2, 0, 3)}},
     REQUIRED(1), {{0}}, {{.tasks = 3, .request = GPU(1)}}, "0@2 1@3 2@3"},
    {"racks that are equally tight: the first", 1,
     {{AT(2, 0, 2)}, {AT(2, 0, 1)}, {AT(2, 0, 3)}},
     REQUIRED(1), {{0}}, {{.tasks = 2, .request = GPU(1)}}, "0@1 1@1"},
    {"no rack holds it", 1,
     {{AT(2, 0, 1)}, {AT(2, 0, 1)}, {AT(2, 1, 2)}, {AT(2, 0, 2)}, {AT(2, 0, 3)}},
     REQUIRED(1), {{0}}, {{.tasks = 5, .request = GPU(1)}}, ""},
    {"enough devices, but in pieces that are too small", 1,
     {{AT(2, 1, 1)}, {AT(2, 1, 1)}, {AT(4, 2, 1)}},
     REQUIRED(1), {{0}}, {{.tasks = 2, .request = GPU(2)}}, ""},
    {"a preferred rack that holds it", 1,
     {{AT(2, 0, 1)}, {AT(2, 0, 1)}, {AT(2, 1, 2)}, {AT(2, 0, 2)}},
     PREFERRED(1), {{0}}, {{.tasks = 3, .request = GPU(1)}}, "0@2 1@3 2@3"},
    {"beyond the preferred rack: the emptiest first", 1,
     {{AT(2, 0, 1)}, {AT(2, 1, 2)}, {AT(2, 0, 2)}, {AT(2, 0, 3)}, {AT(2, 0, 3)}},
     PREFERRED(1), {{0}}, {{.tasks = 6, .request = GPU(1)}}, "0@3 1@3 2@4 3@4 4@1 5@2"},
    {"beyond the preferred rack, within the required pod", 2,
     {{AT(3, 0, 1, 1)}, {AT(3, 0, 1, 2)}, {AT(2, 1, 2, 1)}, {AT(2, 0, 2, 2)}, {AT(2, 0, 2, 3)}},
     BOTH(1, 2), {{0}}, {{.tasks = 5, .request = GPU(1)}}, "0@4 1@4 2@3 3@3 4@2"},
    {"no level between: the required pod is not exceeded", 2,
     {{AT(3, 0, 1, 1)}, {AT(3, 0, 1, 2)}, {AT(2, 1, 2, 1)}, {AT(2, 0, 2, 2)}, {AT(2, 0, 2, 3)}},
     BOTH(1, 2), {{0}}, {{.tasks = 7, .request = GPU(1)}}, ""},
    {"a preferred level may be the required one", 1,
     {{AT(2, 0, 1)}, {AT(2, 0, 1)}, {AT(2, 0, 2)}},
     BOTH(1, 1), {{0}}, {{.tasks = 2, .request = GPU(1)}}, "0@2 1@2"},
    {"a preferred level above the required one does not matter", 2,
     {{AT(2, 0, 1, 1)}, {AT(2, 1, 1, 2)}, {AT(4, 0, 2, 1)}},
     BOTH(2, 1), {{0}}, {{.tasks = 2, .request = GPU(1)}}, "0@0 1@0"},
    {"the tightest pod comes before the tightest rack", 2,
     {{AT(1, 0, 1, 1)}, {AT(1, 0, 1, 2)}, {AT(1, 0, 1, 3)}, {AT(1, 0, 2, 4)}, {AT(1, 0, 2, 4)}},
     PREFERRED(2), {{0}}, {{.tasks = 1, .request = GPU(1)}}, "0@3"},
    {"nodes without a label are left alone", 2,
     {{AT(8, 0, 0, 1)}, {AT(8, 0, 1, 0)}, {AT(2, 0, 1, 1)}, {AT(2, 0, 2, 1)}},
     PREFERRED(2), {{0}}, {{.tasks = 4, .request = GPU(1)}}, "0@3 1@3 2@2 3@2"},
    {"though there is no other place", 2,
     {{AT(8, 0, 0, 1)}, {AT(8, 0, 1, 0)}, {AT(2, 0, 1, 1)}, {AT(2, 0, 2, 1)}},
     PREFERRED(2), {{0}}, {{.tasks = 5, .request = GPU(1)}}, ""},
    {"unless nothing is required or preferred", 2,
     {{AT(8, 0, 0, 1)}, {AT(9, 0, 1, 1)}},
     {1, 0, 0}, {{0}}, {{.tasks = 1, .request = GPU(1)}}, "0@0"},
    {"nodes that are down hold nothing", 1,
     {{AT(2, 0, 1)}, {AT(2, 0, 1), .down = true}, {AT(2, 0, 2)}, {AT(4, 0, 2)}},
     REQUIRED(1), {{0}}, {{.tasks = 4, .request = GPU(1)}}, "0@2 1@2 2@3 3@3"},
    {"devices being released count, and the gang waits for them", 1,
     {{AT(4, 2, 1), .leaving = 2}, {AT(2, 1, 2)}},
     REQUIRED(1), {{0}}, {{.tasks = 2, .request = GPU(1)}}, "0~0 1~0"},
    {"a gang waits as a whole", 1,
     {{AT(4, 1, 1), .leaving = 2}, {AT(2, 0, 2)}},
     REQUIRED(1), {{0}}, {{.tasks = 3, .request = GPU(1)}}, "0~0 1~0 2~0"},
    {"CPU decides which rack is tight", 1,
     {{AT(4, 0, 1), .cpu_milli = 9000}, {AT(4, 1, 2), .cpu_milli = 40000}},
     REQUIRED(1), {{0}}, {{.tasks = 2, .request = {.devices = 1, .cpu_milli = 4000}}}, "0@0 1@0"},
    {"CPU keeps it out", 1,
     {{AT(4, 1, 1), .cpu_milli = 7999}, {AT(4, 0, 2), .cpu_milli = 8000}},
     REQUIRED(1), {{0}}, {{.tasks = 2, .request = {.devices = 1, .cpu_milli = 4000}}}, "0@1 1@1"},
    {"all tasks are taken to be as large as the largest", 1,
     {{AT(2, 0, 1)}, {AT(1, 0, 1)}},
     REQUIRED(1), {{0}}, {{.tasks = 1, .request = GPU(2)}, {.tasks = 1, .request = GPU(1)}}, ""},
    {"tasks of two kinds only need to fit in total", 1,
     {{AT(2, 0, 1), .cpu_milli = 2000}, {AT(4, 0, 2), .cpu_milli = 8000}},
     REQUIRED(1), {{0}}, {{.tasks = 1, .request = GPU(2)}, {.tasks = 1,
        .request = {.cpu_milli = 3000}}}, "0@1 1@1"},
    {"the next rack when the sum deceives", 1,
     {{AT(1, 0, 1), .cpu_milli = 4000}, {AT(1, 0, 1), .cpu_milli = 4000}, {AT(4, 0, 2),
      .cpu_milli = 8000}},
     REQUIRED(1), {{0}}, {{.tasks = 1, .request = GPU(2)}, {.tasks = 1,
        .request = {.cpu_milli = 3000}}}, "0@2 1@2"},
    {"shares", 1,
     {{AT(1, 1, 1)}, {AT(1, 0, 1)}, {AT(2, 0, 2)}},
     REQUIRED(1), {{0}}, {{.tasks = 3, .request = {.devices = 1, .device_milli = 500}}},
      "0@2 1@2 2@2"},
    {"an elastic job grows inside its rack only", 1,
     {{AT(3, 0, 1)}, {AT(8, 0, 2)}},
     REQUIRED(1), {{0}}, {{.tasks = 5, .min_tasks = 2, .request = GPU(1)}}, "0@0 1@0 2@0"},
    {"and beyond a rack that was only preferred", 1,
     {{AT(3, 0, 1)}, {AT(8, 0, 2)}},
     PREFERRED(1), {{0}}, {{.tasks = 5, .min_tasks = 2, .request = GPU(1)}}, "0@0 1@0 2@0 3@1 4@1"},
    {"each pod set grows inside its own rack, though the other's is tighter", 1,
     {{AT(4, 0, 1), .cpu_milli = 100000}, {AT(4, 0, 2), .cpu_milli = 7000}},
     {0, 0, 0}, {{0}},
     {{.tasks = 3, .min_tasks = 2, .topology = REQUIRED(1), .request = {.devices = 1,
      .cpu_milli = 4000}},
      {.tasks = 4, .min_tasks = 3, .topology = REQUIRED(1), .request = {.devices = 1,
       .cpu_milli = 1000}}},
     "0@0 1@0 3@1 4@1 5@1 2@0 6@1"},
    {"pod sets in racks of their own, all in one pod", 2,
     {{AT(2, 2, 1, 1)}, {AT(2, 0, 1, 2)}, {AT(2, 0, 2, 3)}, {AT(2, 0, 2, 4)}},
     REQUIRED(1), {{0}}, {{.tasks = 1, .topology = REQUIRED(2), .request = GPU(2)},
                          {.tasks = 1, .topology = REQUIRED(2), .request = GPU(2)}}, "0@2 1@3"},
    {"two replicas in a rack each, both in one pod", 2,
     {{AT(2, 0, 1, 1)}, {AT(2, 0, 1, 2)}, {AT(1, 0, 1, 3)}, {AT(2, 0, 2, 1)}, {AT(2, 0, 2, 1)},
      {AT(2, 0, 2, 2)},
      {AT(2, 0, 2, 2)}},
     REQUIRED(1), {{0, REQUIRED(2)}, {0, REQUIRED(2)}},
     {{.tasks = 2, .group = 1, .request = GPU(2)}, {.tasks = 2, .group = 2, .request = GPU(2)}},
      "0@3 1@4 2@5 3@6"},
    {"a group inside a group", 3,
     {{AT(4, 0, 1, 1, 1)}, {AT(2, 0, 1, 1, 2)}, {AT(2, 0, 2, 1, 1)}, {AT(2, 0, 2, 1, 2)}, {AT(4, 0,
      2, 2, 1)}},
     REQUIRED(1), {{0, REQUIRED(2)}, {1, REQUIRED(3)}},
     {{.tasks = 2, .group = 1, .request = GPU(1)}, {.tasks = 4, .group = 2, .request = GPU(1)}},
      "2@0 3@0 4@0 5@0 0@1 1@1"},
    {"all nodes in one rack, and only the pod is required", 2,
     {{AT(2, 0, 1, 1)}, {AT(2, 1, 1, 1)}},
     REQUIRED(1), {{0}}, {{.tasks = 3, .request = GPU(1)}}, "0@1 1@0 2@0"},
    {"a topology that does not exist", 1, {{AT(4, 0, 1)}},
     {-1, 0, 0}, {{0}}, {{.tasks = 1, .request = GPU(1)}}, ""},
    {"another that does not exist", 1, {{AT(4, 0, 1)}},
     {2, 1, 0}, {{0}}, {{.tasks = 1, .request = GPU(1)}}, ""},
    {"a level that does not exist", 1, {{AT(4, 0, 1)}},
     REQUIRED(2), {{0}}, {{.tasks = 1, .request = GPU(1)}}, ""},
    {"an unknown level", 1, {{AT(4, 0, 1)}},
     PREFERRED(-1), {{0}}, {{.tasks = 1, .request = GPU(1)}}, ""},
    {"no node inside of it", 2, {{AT(4, 0, 1)}},
     PREFERRED(1), {{0}}, {{.tasks = 1, .request = GPU(1)}}, ""},
};

static const struct racks_node pooled[] = {
    {AT(4, 0, 1), .pool = 2}, {AT(1, 0, 1), .pool = 1}, {AT(2, 0, 2), .pool = 1}, {AT(1, 0, 2),
     .pool = 1},
    {.devices = 0},
};
static const struct racks_node crossing[] = {
    {AT(2, 0, 1, 1)}, {AT(1, 0, 1, 2)}, {AT(2, 1, 2, 1)}, {AT(4, 0, 2, 2)}, {.devices = 0},
};
static const struct racks_node counted[] = {
    {AT(2, 0, 1, 1)}, {AT(2, 0, 1, 2)}, {AT(4, 1, 2, 1)}, {.devices = 0},
};
static const struct racks_node nested[] = {
    {AT(4, 0, 1, 1)}, {AT(3, 0, 1, 2)}, {AT(8, 0, 2, 1)}, {AT(8, 1, 2, 2)}, {.devices = 0},
};
// clang-format on

static policy_job submit(struct racks *r, const struct row *row)
{
    struct policy_role roles[4];
    memcpy(roles, row->roles, sizeof roles);
    struct policy_job_spec spec = racks_job(r, roles, 4);
    spec.topology = row->job;
    spec.groups = row->groups;
    spec.group_count = 0;
    while (spec.group_count < 2 && row->groups[spec.group_count].topology.topology != 0)
        spec.group_count++;
    return racks_submit(r, &spec);
}

START_TEST(tasks_start_near_each_other)
{
    struct racks r;
    char text[128];
    racks_open(&r, rows[_i].levels, NULL, 0);
    racks_nodes(&r, rows[_i].nodes, 9);
    policy_job job = submit(&r, &rows[_i]);
    ck_assert_msg(strcmp(racks_decide(&r, 1, job, text, sizeof text), rows[_i].expected) == 0,
                  "%s: %s instead of %s", rows[_i].what, text, rows[_i].expected);
    racks_close(&r);
}
END_TEST

static policy_job submit_role(struct racks *r, struct policy_role role,
                              struct policy_constraint constraint)
{
    struct policy_job_spec spec = racks_job(r, &role, 1);
    spec.topology = constraint;
    return racks_submit(r, &spec);
}

/* The queue may only use pool 1: free devices in other pools do not make a rack large enough. */
START_TEST(racks_hold_what_the_queue_may_use)
{
    static const uint32_t pool = 1;
    struct racks r;
    char text[64];
    racks_open(&r, 1, &pool, 1);
    racks_nodes(&r, pooled, RACKS_NODES);
    struct policy_role role = {.tasks = 3, .request = GPU(1)};
    policy_job job = submit_role(&r, role, (struct policy_constraint)REQUIRED(1));
    ck_assert_str_eq(racks_decide(&r, 1, job, text, sizeof text), "0@3 1@2 2@2");
    racks_close(&r);
}
END_TEST

/* The job in one rack, its pod set on one rail: rack 1 has rails with 2 and 1 devices, rack 2 with
 * 1 and 4. */
START_TEST(topologies_cross)
{
    static const uint32_t rack = 1;
    static const uint32_t rail = 2;
    struct racks r;
    char text[64];
    racks_open(&r, 1, NULL, 0);
    ck_assert_int_eq(policy_set_topology(r.p, 0, 1, &rack, 1), POLICY_OK);
    ck_assert_int_eq(policy_set_topology(r.p, 0, 2, &rail, 1), POLICY_OK);
    racks_nodes(&r, crossing, RACKS_NODES);
    struct policy_role role = {.tasks = 3, .topology = {2, 1, 0}, .request = GPU(1)};
    policy_job job = submit_role(&r, role, (struct policy_constraint)REQUIRED(1));
    ck_assert_str_eq(racks_decide(&r, 1, job, text, sizeof text), "0@3 1@3 2@3");
    racks_close(&r);
}
END_TEST

/* A job grows where it runs, though the other rack comes first. */
START_TEST(running_tasks_confine_the_others)
{
    struct racks r;
    char text[64];
    racks_open(&r, 1, NULL, 0);
    racks_node(&r, 0, &(struct racks_node){AT(2, 0, 1)});
    policy_node second = racks_node(&r, 1, &(struct racks_node){AT(4, 0, 2)});
    struct policy_role role = {.tasks = 3, .min_tasks = 1, .request = GPU(1)};
    policy_job job = submit_role(&r, role, (struct policy_constraint)REQUIRED(1));
    ck_assert_int_eq(policy_task_running(r.p, 0, job, 0, second, 1, 0), POLICY_OK);
    ck_assert_str_eq(racks_decide(&r, 1, job, text, sizeof text), "1@1 2@1");
    racks_close(&r);
}
END_TEST

/* ---- areas alone ---- */

static const uint32_t five[] = {0, 1, 2, 3, 4};
static const struct policy_role five_tasks = {.tasks = 5, .request = GPU(1)};
static const struct policy_constraint none = {0, 0, 0};
static const struct pc_area everywhere = {NULL, NULL};

static const struct {
    uint32_t count, most;
    struct policy_constraint constraint;
} counts[] = {
    {5, 3, REQUIRED(2)}, {5, 4, REQUIRED(1)}, {5, 5, PREFERRED(2)},
    {2, 2, REQUIRED(2)}, {5, 0, {0, 0, 0}},   {5, 0, {-1, 1, 0}},
};

START_TEST(most_tasks_of_a_domain_are_counted)
{
    struct racks r;
    racks_open(&r, 2, NULL, 0);
    racks_nodes(&r, counted, RACKS_NODES);
    policy_job job = submit_role(&r, five_tasks, none);
    ck_assert_uint_eq(pc_most_in_domain(r.p, job.i, &counts[_i].constraint, five, counts[_i].count),
                      counts[_i].most);
    racks_close(&r);
}
END_TEST

/* The racks of a pod, first the tightest one alone, then the other, then both with scores. */
static void expect_racks(struct racks *r, policy_job job, const struct pc_area *pod,
                         const uint32_t nodes[3][2])
{
    static const struct policy_constraint inner = PREFERRED(2);
    struct pc_areas areas;
    pc_areas_begin(r->p, &areas, 1, job.i, &inner, five, 2, pod);
    for (uint32_t k = 0; k < 3; k++) {
        const struct pc_area *rack = pc_areas_next(r->p, &areas);
        ck_assert_ptr_nonnull(rack);
        ck_assert_uint_eq(pc_bits_first(rack->nodes), nodes[k][0]);
        ck_assert_uint_eq(pc_bits_next(rack->nodes, nodes[k][0] + 1),
                          k < 2 ? PC_NONE : nodes[k][1]);
        ck_assert_int_eq(rack->scores != NULL, k == 2);
        for (uint32_t i = 0; i < 2 && k == 2; i++)
            ck_assert_uint_eq(rack->scores[nodes[i][0]], 5 * (i + 1));
    }
    ck_assert_ptr_null(pc_areas_next(r->p, &areas));
}

/* Areas of one depth are unaffected while those of another are tried, and memory is allocated
 * once. */
START_TEST(depths_do_not_disturb_each_other)
{
    static const struct policy_constraint outer = REQUIRED(1);
    static const uint32_t nodes_of[2][3][2] = {{{1, PC_NONE}, {0, PC_NONE}, {0, 1}},
                                               {{3, PC_NONE}, {2, PC_NONE}, {2, 3}}};
    struct racks r;
    racks_open(&r, 2, NULL, 0);
    racks_nodes(&r, nested, RACKS_NODES);
    policy_job job = submit_role(&r, five_tasks, none);
    uint64_t calls = 0;
    for (int pass = 0; pass < 3; pass++) {
        struct pc_areas areas;
        pc_areas_begin(r.p, &areas, 0, job.i, &outer, five, 5, &everywhere);
        for (uint32_t i = 0; i < 2; i++) {
            const struct pc_area *pod = pc_areas_next(r.p, &areas);
            ck_assert_ptr_nonnull(pod);
            expect_racks(&r, job, pod, nodes_of[i]);
            ck_assert_uint_eq(pc_bits_first(pod->nodes), 2 * i);
            ck_assert_uint_eq(pc_bits_next(pod->nodes, 2 * i + 1), 2 * i + 1);
            ck_assert_uint_eq(pc_bits_next(pod->nodes, 2 * i + 2), PC_NONE);
        }
        ck_assert_ptr_null(pc_areas_next(r.p, &areas));
        ck_assert(pass == 0 || r.tally.calls == calls);
        calls = r.tally.calls;
    }
    racks_close(&r);
}
END_TEST

/* The n-th allocation fails, for all n: no area then, and the cluster knows why. */
START_TEST(without_memory_there_is_no_area)
{
    static const struct policy_constraint preferred = PREFERRED(1);
    uint64_t failures = 0;
    for (bool failed = true; failed; failures += failed) {
        struct racks r;
        struct pc_areas areas;
        racks_open(&r, 1, NULL, 0);
        racks_node(&r, 0, &(struct racks_node){AT(4, 0, 1)});
        policy_job job = submit_role(&r, five_tasks, none);
        r.tally.fail_at = r.tally.calls + failures + 1;
        pc_areas_begin(r.p, &areas, 0, job.i, &preferred, five, 2, &everywhere);
        failed = r.tally.failed;
        ck_assert_int_eq(r.p->cluster->out_of_memory, failed);
        ck_assert_int_eq(pc_areas_next(r.p, &areas) == NULL, failed);
        pc_areas_begin(r.p, &areas, 0, job.i, &preferred, five, 2, &everywhere);
        ck_assert_ptr_nonnull(pc_areas_next(r.p, &areas));
        racks_close(&r);
    }
    ck_assert_uint_eq(failures,
                      7); /* three for the domains; nodes, order, tries, scores of the depth */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("topology");
    TCase *tcase = tcase_create("topology");
    tcase_add_loop_test(tcase, tasks_start_near_each_other, 0, ROWS(rows));
    tcase_add_test(tcase, racks_hold_what_the_queue_may_use);
    tcase_add_test(tcase, topologies_cross);
    tcase_add_test(tcase, running_tasks_confine_the_others);
    tcase_add_loop_test(tcase, most_tasks_of_a_domain_are_counted, 0, ROWS(counts));
    tcase_add_test(tcase, depths_do_not_disturb_each_other);
    tcase_add_test(tcase, without_memory_there_is_no_area);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
