/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placement `topology` with lanes: a gang goes into the smallest domain that holds all of it,
 * fewest free devices first. Expected places are found by hand from what is free ("." a free
 * device, "#" a taken one).
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

enum { POD = 1, RACK = 2, MOST_NODES = 6 };

struct row {
    const char *name;
    struct {
        uint32_t pod, rack; /* 0: without the labels */
        const char *left;
    } nodes[MOST_NODES];
    int32_t tasks;
    struct policy_request request;
    const char *expected; /* task@node ... */
};

static const struct row rows[] = {
    {"one node that holds all, not two with less",
     {{1, 1, ".."}, {1, 1, ".."}, {2, 2, "...."}},
     2,
     {.devices = 2},
     "0@2 1@2"},
    {"the node with the fewest free devices, the lowest of these",
     {{1, 1, "....."}, {1, 1, "....#"}, {2, 2, "....#"}},
     2,
     {.devices = 2},
     "0@1 1@1"},
    {"the rack with the fewest free devices",
     {{1, 1, "...."}, {1, 1, "...."}, {1, 2, "...."}, {1, 2, "..##"}},
     3,
     {.devices = 2},
     "0@3 1@2 2@2"},
    {"equal racks: the lowest",
     {{1, 2, "..."}, {1, 2, "..."}, {1, 1, "..."}, {1, 1, "..."}},
     2,
     {.devices = 3},
     "0@2 1@3"},
    {"devices enough in the rack, but not in twos",
     {{1, 1, "..."}, {1, 1, ".##"}, {1, 2, ".."}, {1, 2, "..."}},
     2,
     {.devices = 2},
     "0@2 1@3"},
    {"no rack, but a pod, before the fleet's best fit",
     {{1, 1, "..##"}, {2, 2, "...#"}, {2, 3, "...."}, {1, 4, "####"}},
     3,
     {.devices = 2},
     "0@1 1@2 2@2"},
    {"no domain below the fleet: best fit anywhere",
     {{1, 1, "..##"}, {2, 2, "...#"}, {3, 3, "...."}},
     3,
     {.devices = 2},
     "0@0 1@1 2@2"},
    {"a node without labels is in the fleet and a domain of its own",
     {{0, 0, "...."}, {1, 1, "..##"}, {1, 1, "..##"}},
     2,
     {.devices = 2},
     "0@0 1@0"},
    {"one task: best fit", {{1, 1, "...."}, {2, 2, "..##"}}, 1, {.devices = 2}, "0@1"},
    {"shares on one node",
     {{1, 1, "...."}, {2, 2, "5###"}, {1, 1, "55##"}},
     2,
     {.devices = 1, .device_milli = 500},
     "0@2 1@2"},
};

static policy_node add(struct policy *p, policy_queue q, uint32_t rank, uint32_t pod, uint32_t rack,
                       const char *left)
{
    const struct policy_label labels[] = {{RACK, rack}, {POD, pod}};
    struct policy_node_spec spec = core_node_spec(rank, 0);
    spec.labels = pod != 0 ? labels : NULL;
    spec.label_count = pod != 0 ? 2 : 0;
    return core_node_left(p, q, spec, left);
}

static void places(struct policy *p, const char *expected)
{
    size_t count;
    const struct policy_decision *d = policy_decide(p, 0, &count);
    char text[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u@%u", i > 0 ? " " : "",
                                 d[i].task, d[i].node.i);
    ck_assert_str_eq(text, expected);
    core_is_sound(p);
}

static struct policy *open_line(struct tally *tally, policy_queue *q)
{
    static const uint32_t levels[] = {POD, RACK};
    struct policy *p = core_create(tally, "fifo", "placement=topology");
    ck_assert_int_eq(policy_set_topology(p, 0, 1, levels, 2), POLICY_OK);
    *q = core_queue(p, NULL, 0);
    return p;
}

START_TEST(gangs_go_where_they_should)
{
    const struct row *row = &rows[_i];
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = open_line(&tally, &q);
    for (uint32_t i = 0; i < MOST_NODES && row->nodes[i].left != NULL; i++)
        add(p, q, i, row->nodes[i].pod, row->nodes[i].rack, row->nodes[i].left);
    core_submit(p, 0, q, 1, row->tasks, row->request);
    places(p, row->expected);
    core_destroy(p, &tally);
}
END_TEST

/* Racks 1 and 2 of two nodes each: with one down, rack 1 cannot hold the gang; a new node creates
 * rack 3. */
START_TEST(domains_follow_the_nodes)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = open_line(&tally, &q);
    policy_node first = add(p, q, 0, 1, 1, "..");
    add(p, q, 1, 1, 1, "..");
    add(p, q, 2, 1, 2, "...");
    add(p, q, 3, 1, 2, "...");
    core_submit(p, 0, q, 1, 2, core_devices(2));
    places(p, "0@0 1@1");
    ck_assert_int_eq(policy_remove_node(p, 0, (policy_node){2}), POLICY_OK);
    add(p, q, 7, 1, 3, "..");
    add(p, q, 8, 1, 3, "...");
    core_submit(p, 0, q, 2, 2, core_devices(2));
    places(p, "0@2 1@4");
    ck_assert_int_eq(policy_set_node_state(p, 0, first, POLICY_NODE_DOWN), POLICY_OK);
    core_is_sound(p);
    core_destroy(p, &tally);
}
END_TEST

/* Of several topologies the lowest number counts, whenever it is set; a level that no node has
 * divides nothing. */
START_TEST(the_first_topology_counts)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "placement=topology");
    static const uint32_t unknown = 9;
    static const uint32_t rack = RACK;
    ck_assert_int_eq(policy_set_topology(p, 0, 2, &unknown, 1), POLICY_OK);
    policy_queue q = core_queue(p, NULL, 0);
    add(p, q, 0, 1, 1, "..##");
    add(p, q, 1, 1, 2, "...#");
    add(p, q, 2, 1, 2, "...#");
    policy_job job = core_submit(p, 0, q, 1, 2, core_devices(2));
    places(p, "0@0 1@1");
    ck_assert_int_eq(policy_task_ended(p, 0, job, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_int_eq(policy_set_topology(p, 0, 1, &rack, 1), POLICY_OK);
    ck_assert_int_eq(policy_set_topology(p, 0, 3, &unknown, 1), POLICY_OK);
    core_submit(p, 0, q, 2, 2, core_devices(2));
    places(p, "0@1 1@2");
    core_destroy(p, &tally);
}
END_TEST

/* Whichever allocation fails: the fact or decision is refused, everything stays consistent, and
 * with memory it continues. */
START_TEST(every_allocation_may_fail)
{
    for (uint64_t n = 1;; n++) {
        struct tally tally = {0};
        policy_queue q;
        struct policy *p = open_line(&tally, &q);
        add(p, q, 0, 1, 1, "..");
        core_submit(p, 0, q, 1, 2, core_devices(2));
        tally.fail_at = tally.calls + n;
        const struct policy_label labels[] = {{RACK, 1}, {POD, 1}};
        struct policy_node_spec spec = core_node_spec(1, 2);
        spec.labels = labels;
        spec.label_count = 2;
        policy_node node = policy_add_node(p, 0, &spec);
        size_t count = 0;
        if (node.i != POLICY_NO_ID)
            (void)policy_decide(p, 0, &count);
        core_is_sound(p);
        bool failed = tally.failed;
        tally.fail_at = 0;
        if (node.i == POLICY_NO_ID)
            ck_assert_uint_ne(policy_add_node(p, 0, &spec).i, POLICY_NO_ID);
        if (count == 0)
            places(p, "0@0 1@1");
        core_destroy(p, &tally);
        if (!failed)
            break;
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("near");
    TCase *tcase = tcase_create("near");
    tcase_add_loop_test(tcase, gangs_go_where_they_should, 0, ROWS(rows));
    tcase_add_test(tcase, domains_follow_the_nodes);
    tcase_add_test(tcase, the_first_topology_counts);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
