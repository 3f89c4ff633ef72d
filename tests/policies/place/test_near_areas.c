/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The areas tried for a gang under the placement `topology`, in order, and the counts that select
 * them. Nodes have two devices each unless noted, in racks of pods; expectations follow from
 * counting.
 */
#include "place/domain_counts.h"
#include "place/near_areas.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

enum { POD = 1, RACK = 2, MOST_NODES = 8 };

struct world {
    struct tally tally;
    struct policy *p;
    policy_queue queue;
    uint32_t nodes;
    uint64_t jobs;
};

struct node {
    uint32_t pod, rack; /* 0: without labels */
    int32_t devices, taken;
};

static policy_job submit(struct world *w, int32_t tasks, struct policy_request r,
                         policy_time eligible)
{
    struct policy_role role = core_role(tasks, r);
    struct policy_job_spec spec = core_job_spec(w->queue, ++w->jobs, &role, 1);
    spec.preemptible = true;
    spec.eligible = eligible;
    return policy_submit(w->p, 0, &spec);
}

static void open_world(struct world *w, const struct node *nodes)
{
    const uint32_t levels[] = {POD, RACK};
    *w = (struct world){0};
    w->p = core_create(&w->tally, "runai", "actions=allocate placement=topology");
    ck_assert_int_eq(policy_set_topology(w->p, 0, 1, levels, 2), POLICY_OK);
    w->queue = core_queue(w->p, NULL, 0);
    for (; nodes[w->nodes].devices > 0; w->nodes++) {
        const struct node *n = &nodes[w->nodes];
        const struct policy_label labels[] = {{POD, n->pod}, {RACK, n->rack}};
        struct policy_node_spec spec = core_node_spec(w->nodes, n->devices);
        spec.labels = labels;
        spec.label_count = n->pod > 0 ? 2 : 0;
        ck_assert_uint_eq(policy_add_node(w->p, 0, &spec).i, w->nodes);
        if (n->taken == 0)
            continue;
        policy_job job = submit(w, 1, core_devices(n->taken), 0);
        ck_assert_int_eq(policy_task_running(w->p, 0, job, 0, (policy_node){w->nodes}, 0, 0),
                         POLICY_OK);
    }
}

static void close_world(struct world *w)
{
    core_destroy(w->p, &w->tally);
}

/* The areas as sets of nodes: "2 01 234" tries node 2, then nodes 0 and 1, then 2, 3 and 4. */
static const char *areas(struct world *w, int32_t tasks, struct policy_request r, char *text,
                         size_t size)
{
    uint32_t job = submit(w, tasks, r, 1).i; /* time 1 never comes */
    uint32_t ids[16];
    for (uint32_t i = 0; i < (uint32_t)tasks; i++)
        ids[i] = i;
    const struct pc_tasks list = {ids, (uint32_t)tasks, ROWS(ids)};
    struct pc_near near = pc_near_begin(w->p, job, &list);
    size_t at = 0;
    text[0] = '\0';
    for (const struct pc_area *a; (a = pc_near_next(w->p, &near)) != NULL;) {
        at += (size_t)snprintf(text + at, size - at, "%s", at > 0 ? " " : "");
        for (uint32_t rank = pc_bits_first(a->nodes); rank != PC_NONE;
             rank = pc_bits_next(a->nodes, rank + 1))
            at += (size_t)snprintf(text + at, size - at, "%u", rank);
    }
    ck_assert(!w->p->cluster->out_of_memory);
    core_is_sound(w->p);
    return text;
}

// clang-format off
static const struct row {
    const char *what;
    struct node nodes[MOST_NODES];
    int32_t tasks;
    struct policy_request request;
    const char *expected;
} rows[] = {
    {"nodes by free devices, then the rack, then the pod",
     {{1, 1, 8, 2}, {1, 1, 8, 4}, {1, 2, 8, 0}, {2, 3, 4, 0}}, 2, {.devices = 2}, "1 3 0 2 01 012"},
    {"racks with the fewest free devices first, the lowest of equals",
     {{1, 1, 2, 0}, {1, 1, 2, 0}, {1, 2, 2, 0}, {1, 2, 2, 1}, {1, 3, 2, 1}, {1, 3, 2, 0}}, 3,
      {.devices = 1},
     "23 45 01 012345"},
    {"too small a rack is not tried", {{1, 1, 2, 1}, {1, 1, 2, 1}, {1, 2, 2, 0}, {1, 2, 2, 1}}, 3,
     {.devices = 1}, "23 0123"},
    {"nor one that has the devices, but not together", {{1, 1, 3, 0}, {1, 1, 3, 2}, {1, 2, 2, 0},
     {1, 2, 2, 0}}, 2, {.devices = 2},
     "23 0123"},
    {"a node without labels is no part of any domain", {{0, 0, 2, 0}, {1, 1, 2, 0}, {1, 1, 2, 0}},
     2, {.devices = 2}, "12"},
    {"a pod of one rack is that rack", {{1, 1, 2, 0}, {1, 1, 2, 0}, {2, 2, 2, 0}, {2, 3, 2, 0}}, 2,
     {.devices = 2}, "01 23"},
    {"shares go by sums where units are thousandths of all devices", {{1, 1, 1, 0}, {1, 1, 1, 0}},
     4, {.devices = 1, .device_milli = 500},
     "0 1 01"}, /* with quotas the trial decides */
    {"whole nodes that are entirely free", {{1, 1, 2, 1}, {1, 1, 2, 2}}, 2, {.devices = 2}, ""},
};
// clang-format on

START_TEST(areas_in_their_order)
{
    const struct row *row = &rows[_i];
    struct world w;
    char text[128];
    open_world(&w, row->nodes);
    const char *found = areas(&w, row->tasks, row->request, text, sizeof text);
    ck_assert_msg(strcmp(found, row->expected) == 0, "%s: %s, not %s", row->what, found,
                  row->expected);
    close_world(&w);
}
END_TEST

/* Free amounts of domains follow when tasks come and go, nodes go down, or another pool set is
 * created. */
START_TEST(counts_catch_up)
{
    const struct node nodes[MOST_NODES] = {{1, 1, 2, 0}, {1, 1, 2, 0}, {1, 2, 2, 0}, {1, 2, 2, 0}};
    struct world w;
    char text[128];
    open_world(&w, nodes);
    ck_assert_str_eq(areas(&w, 2, core_devices(2), text, sizeof text), "01 23 0123");
    policy_job job = submit(&w, 1, core_devices(1), 0);
    ck_assert_int_eq(policy_task_running(w.p, 0, job, 0, (policy_node){1}, 0, 0), POLICY_OK);
    ck_assert_str_eq(areas(&w, 2, core_devices(2), text, sizeof text), "23 0123");
    ck_assert_int_eq(policy_set_node_state(w.p, 0, (policy_node){3}, POLICY_NODE_DOWN), POLICY_OK);
    ck_assert_str_eq(areas(&w, 2, core_devices(2), text, sizeof text), "0123");
    ck_assert_int_eq(policy_task_ended(w.p, 0, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_str_eq(areas(&w, 2, core_devices(2), text, sizeof text), "01 0123");
    const uint32_t pool = 0;
    w.queue = core_queue(w.p, &pool, 1);
    ck_assert_str_eq(areas(&w, 2, core_devices(2), text, sizeof text), "01 0123");
    const struct pc_topology *t = pc_counted_topology(w.p);
    const int64_t *cells =
        pc_domain_cells(w.p, 1, t->level_start[1]); /* the pod: 2 + 2 + 2 devices */
    ck_assert_int_eq(cells[PC_CELL_WHOLE], 6);
    ck_assert_int_eq(cells[PC_CELL_MILLI], 6000);
    ck_assert_int_eq(cells[PC_CELL_NODES + 2], 3);
    close_world(&w);
}
END_TEST

START_TEST(without_a_topology_only_nodes)
{
    struct world w = {0};
    char text[128];
    w.p = core_create(&w.tally, "runai", "actions=allocate placement=topology");
    w.queue = core_queue(w.p, NULL, 0);
    core_node(w.p, 0, 4);
    core_node(w.p, 1, 2);
    ck_assert_str_eq(areas(&w, 2, core_devices(1), text, sizeof text), "1 0");
    ck_assert_ptr_null(pc_counted_topology(w.p));
    close_world(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("near_areas");
    TCase *tcase = tcase_create("near_areas");
    tcase_add_loop_test(tcase, areas_in_their_order, 0, ROWS(rows));
    tcase_add_test(tcase, counts_catch_up);
    tcase_add_test(tcase, without_a_topology_only_nodes);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
