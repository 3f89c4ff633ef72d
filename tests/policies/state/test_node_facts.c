/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about nodes, topologies and MIG profiles: what is refused, and the effects of state
 * changes. */
#include "state/state.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One member of a good spec is changed. */
static const int32_t less_than_none[POLICY_MAX_PROFILES] = {-1};

#define AT(member)                                                                                 \
    offsetof(struct policy_node_spec, member), sizeof(((struct policy_node_spec *)0)->member)
static const struct {
    size_t at, size;
    int64_t value;
    int status;
} specs[] = {
    {AT(devices), 64, POLICY_OK},
    {AT(devices), 65, POLICY_INVALID},
    {AT(devices), -1, POLICY_INVALID},
    {AT(type), 63, POLICY_OK},
    {AT(type), 64, POLICY_INVALID},
    {AT(pool), 4096, POLICY_INVALID},
    {AT(rank), 0, POLICY_CONFLICT}, /* n0's */
    {AT(rank), INT64_C(1) << 22, POLICY_INVALID},
    {AT(max_tasks), 0, POLICY_OK},
    {AT(max_tasks), -2, POLICY_INVALID},
    {AT(cpu_milli), -2, POLICY_INVALID},
    {AT(mem_mib), -2, POLICY_INVALID},
    {AT(cpu_milli), INT64_C(1) << 40, POLICY_OK},
    {AT(cpu_milli), (INT64_C(1) << 40) + 1, POLICY_INVALID},
    {AT(mem_mib), (INT64_C(1) << 40) + 1, POLICY_INVALID},
    {AT(device_mem_mib), 99, POLICY_OK}, /* too little to count: unknown */
    {AT(device_mem_mib), -1, POLICY_INVALID},
    {AT(device_mem_mib), INT64_C(1) << 31, POLICY_INVALID},
    {AT(mig), 4, POLICY_INVALID},
    {AT(mig), -1, POLICY_INVALID},
    {AT(mig), POLICY_MIG_FIXED, POLICY_OK}, /* without instances */
    {AT(label_count), 1, POLICY_INVALID},   /* without labels */
    {AT(size), 8, POLICY_INVALID},
};

START_TEST(nodes_are_checked)
{
    struct story s;
    story_open(&s, "node n0 1; queue q");
    struct policy_node_spec spec = core_node_spec(7, 4);
    memcpy((char *)&spec + specs[_i].at, &specs[_i].value,
           specs[_i].size); /* little end first, as everywhere here */
    policy_node node = policy_add_node(s.p, s.now, &spec);
    ck_assert_int_eq(node.i == POLICY_NO_ID, specs[_i].status != POLICY_OK);
    if (specs[_i].status != POLICY_OK)
        ck_assert_int_eq(policy_last_error(s.p)->status, specs[_i].status);
    story_close(&s);
}
END_TEST

START_TEST(instances_are_checked)
{
    struct story s;
    story_open(&s, "node n0 1; queue q");
    struct policy_node_spec spec = core_node_spec(7, 4);
    spec.mig = POLICY_MIG_FIXED;
    spec.mig_instances = less_than_none;
    ck_assert_uint_eq(policy_add_node(s.p, s.now, &spec).i, POLICY_NO_ID);
    ck_assert_int_eq(policy_last_error(s.p)->status, POLICY_INVALID);
    story_close(&s);
}
END_TEST

/* ---- profiles and topologies ---- */

START_TEST(profiles_are_checked)
{
    struct story s;
    story_open(&s, "node n0 1; queue q"); /* sets profiles 0 to 4 */
    ck_assert_int_eq(policy_set_mig_profile(s.p, s.now, POLICY_MAX_PROFILES, 1, 1), POLICY_INVALID);
    ck_assert_int_eq(policy_set_mig_profile(s.p, s.now, 5, 0, 1), POLICY_INVALID);
    ck_assert_int_eq(policy_set_mig_profile(s.p, s.now, 5, 8, 8), POLICY_INVALID);
    ck_assert_int_eq(policy_set_mig_profile(s.p, s.now, 0, 1, 1), POLICY_OK); /* set again */
    ck_assert_int_eq(policy_set_mig_profile(s.p, s.now, 0, 2, 2),
                     POLICY_CONFLICT); /* as another one */
    ck_assert_int_eq(policy_set_mig_profile(s.p, s.now, 5, 1, 2), POLICY_OK);
    story_close(&s);
}
END_TEST

START_TEST(topologies_are_checked)
{
    struct story s;
    story_open(&s, "node n0 1 label=1:1; queue q");
    static const uint32_t levels[POLICY_MAX_LEVELS + 1] = {1, 2};
    ck_assert_int_eq(policy_set_topology(s.p, s.now, 0, levels, 1), POLICY_INVALID);
    ck_assert_int_eq(policy_set_topology(s.p, s.now, POLICY_MAX_TOPOLOGIES + 1, levels, 1),
                     POLICY_INVALID);
    ck_assert_int_eq(policy_set_topology(s.p, s.now, 1, levels, 0), POLICY_INVALID);
    ck_assert_int_eq(policy_set_topology(s.p, s.now, 1, NULL, 1), POLICY_INVALID);
    ck_assert_int_eq(policy_set_topology(s.p, s.now, 1, levels, POLICY_MAX_LEVELS + 1),
                     POLICY_INVALID);
    ck_assert_int_eq(policy_set_topology(s.p, s.now, 1, levels, 2), POLICY_OK);
    ck_assert_int_eq(policy_set_topology(s.p, s.now, 1, levels, 1), POLICY_OK); /* replaced */
    story_close(&s);
}
END_TEST

/* ---- states ---- */

/* A node that takes nothing new is no capacity, and its devices are not counted as free. */
START_TEST(states_count_in_the_capacity)
{
    struct story s;
    story_open(&s, "node n0 4 cpu=8 mem=100; node n1 2 cpu=4; queue q; job r q 1x1@n0");
    const struct pc_cluster *c = s.p->cluster;
    policy_node n0 = story_node(&s, "n0");
    ck_assert_int_eq(c->capacity.of[PC_GPU], 6000);
    ck_assert_int_eq(c->capacity.of[PC_CPU], 12000);
    ck_assert_int_eq(c->unmodelled[PC_MEM], 1);
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, n0, 5), POLICY_INVALID);
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, (policy_node){9}, POLICY_NODE_DOWN),
                     POLICY_UNKNOWN);
    for (int32_t state = POLICY_NODE_DOWN; state >= POLICY_NODE_DRAINING; state--) {
        ck_assert_int_eq(policy_set_node_state(s.p, s.now, n0, state), POLICY_OK);
        ck_assert_int_eq(c->capacity.of[PC_GPU], 2000);
        ck_assert_int_eq(c->capacity.of[PC_CPU], 4000);
        core_is_sound(s.p);
    }
    ck_assert_int_eq(policy_remove_node(s.p, s.now, n0), POLICY_CONFLICT); /* r runs there */
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "r"), 0, POLICY_FAILED),
                     POLICY_OK);
    ck_assert_int_eq(policy_remove_node(s.p, s.now, n0), POLICY_OK);
    ck_assert_int_eq(policy_remove_node(s.p, s.now, n0), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_set_node_state(s.p, s.now, story_node(&s, "n1"), POLICY_NODE_UP),
                     POLICY_OK);
    ck_assert_int_eq(c->capacity.of[PC_GPU], 2000);
    story_close(&s);
}
END_TEST

/* In the weights of requests: 3g weighs three, and a freely partitioned device has seven. */
START_TEST(instances_count_in_the_capacity)
{
    struct story s;
    story_open(
        &s, "node n0 2 mig=free; node n1 0 mig=2x3g+1x1g; node n2 1 mig=single; queue a; queue b;"
            "job x a 3x3g/1; job y b 3x3g/1");
    const struct pc_cluster *c = s.p->cluster;
    ck_assert_int_eq(c->capacity.of[PC_GPU], 14000 + 7000 + 1000);
    char text[256];
    (void)story_decide(&s, text, sizeof text);
    ck_assert_int_eq(story_fair_share(&s, "a"), 9000); /* as much as they ask for, 18 of the 22 */
    ck_assert_int_eq(story_fair_share(&s, "b"), 9000);
    ck_assert_int_eq(policy_set_device_health(s.p, s.now, story_node(&s, "n0"), 1, false),
                     POLICY_OK);
    ck_assert_int_eq(c->capacity.of[PC_GPU], 7000 + 7000 + 1000);
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

/* The rank of a removed node may be reused, also with labels and in queues' pools. */
START_TEST(nodes_come_again)
{
    struct story s;
    story_open(
        &s, "opt actions=allocate; node n0 1 label=1:1 pool=3; queue q pools=3; job x q 1x1+k1:2");
    story_decides(&s, "", "other labels");
    ck_assert_int_eq(policy_remove_node(s.p, s.now, story_node(&s, "n0")), POLICY_OK);
    story_decides(&s, "", "no nodes");
    struct policy_node_spec spec = core_node_spec(0, 1);
    spec.labels = &(struct policy_label){1, 2};
    spec.label_count = 1;
    spec.pool = 3;
    policy_node again = policy_add_node(s.p, s.now, &spec);
    ck_assert_uint_ne(again.i, POLICY_NO_ID);
    const struct policy_decision *d = core_decide(s.p, s.now, 1);
    ck_assert_uint_eq(d->node.i, again.i);
    story_close(&s);
}
END_TEST

START_TEST(smallest_memory_is_that_of_present_devices)
{
    struct story s;
    story_open(
        &s,
        "node n0 1 gpumem=4000; node n1 1 gpumem=1050; node n2 1; node n3 0 gpumem=10; queue q");
    const struct pc_cluster *c = s.p->cluster;
    ck_assert_int_eq(c->smallest_memory, 1000);
    ck_assert_int_eq(policy_remove_node(s.p, s.now, story_node(&s, "n1")), POLICY_OK);
    ck_assert_int_eq(c->smallest_memory, 4000);
    ck_assert_int_eq(policy_remove_node(s.p, s.now, story_node(&s, "n0")), POLICY_OK);
    ck_assert_int_eq(c->smallest_memory, 0);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("node facts");
    TCase *tcase = tcase_create("node facts");
    tcase_add_loop_test(tcase, nodes_are_checked, 0, ROWS(specs));
    tcase_add_test(tcase, instances_are_checked);
    tcase_add_test(tcase, profiles_are_checked);
    tcase_add_test(tcase, topologies_are_checked);
    tcase_add_test(tcase, states_count_in_the_capacity);
    tcase_add_test(tcase, instances_count_in_the_capacity);
    tcase_add_test(tcase, nodes_come_again);
    tcase_add_test(tcase, smallest_memory_is_that_of_present_devices);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
