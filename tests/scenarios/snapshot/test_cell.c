/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of some nodes of a snapshot: what is copied, what is pending, and whose constraints become
 * soft. */
#include "scenarios/snapshot/cell.h"
#include "tests/lib/harness.h"

#include <string.h>

static const char text[] =
    "{\"fauxfleet_snapshot\": 1, \"now_ms\": 1000,"
    " \"topologies\": [{\"name\": \"f\", \"levels\": [\"rack\"]}],"
    " \"nodes\": [{\"name\": \"a\", \"gpus\": 8, \"labels\": {\"rack\": \"r0\", \"zone\": \"z\"}},"
    "  {\"name\": \"b\", \"gpus\": 8, \"labels\": {\"rack\": \"r1\", \"zone\": \"z\"}}],"
    " \"queues\": [{\"name\": \"q\"}],"
    " \"jobs\": [{\"id\": \"small\", \"queue\": \"q\", \"submit_ms\": 0, \"last_start_ms\": 0,"
    "   \"topology\": {\"topology\": \"f\", \"required\": \"rack\"},"
    "   \"tasks\": [{\"id\": \"s0\", \"state\": \"running\", \"node\": \"a\", \"gpus\": 4, "
    "\"node_labels\": {\"zone\": \"z\"}},"
    "    {\"id\": \"s1\", \"state\": \"succeeded\", \"gpus\": 1}, {\"id\": \"s2\", \"state\": "
    "\"gated\", \"gpus\": 1}]},"
    "  {\"id\": \"large\", \"queue\": \"q\", \"submit_ms\": 0, \"topology\": {\"topology\": \"f\", "
    "\"required\": \"rack\"},"
    "   \"tasks\": [{\"id\": \"l0\", \"gpus\": 9, \"node_labels\": {\"zone\": \"z\"}}]},"
    "  {\"id\": \"later\", \"queue\": \"q\", \"submit_ms\": 0, \"eligible_ms\": 5000, \"tasks\": "
    "[{\"id\": \"t0\", \"gpus\": 1}]},"
    "  {\"id\": \"stray\", \"queue\": \"none\", \"submit_ms\": 0, \"last_start_ms\": 0,"
    "   \"tasks\": [{\"id\": \"x0\", \"state\": \"running\", \"node\": \"b\", \"gpus\": 1}]}]}";

static const char *label_of(const struct snap_node *node, const char *key)
{
    for (size_t i = 0; i < node->label_count; i++)
        if (strcmp(node->labels[i].key, key) == 0)
            return node->labels[i].value;
    return NULL;
}

static struct snapshot *parsed(void)
{
    struct snapshot *s;
    struct err err = {0};
    ck_assert_msg(snapshot_parse(&s, "cell.json", text, strlen(text), &err), "%s", err.msg);
    return s;
}

START_TEST(copies_are_nodes_of_their_own)
{
    const struct cell_node nodes[] = {{0, 1}, {1, 0}, {2, 1}};
    struct snapshot *s = parsed(), *cell = snapshot_cell_create(s, nodes, 3, 8000);
    ck_assert_uint_eq(cell->node_count, 3);
    ck_assert_str_eq(cell->nodes[0].name, "b");
    ck_assert_str_eq(cell->nodes[1].name, "a+1");
    ck_assert_str_eq(cell->nodes[2].name, "b+2");
    ck_assert_str_eq(label_of(&cell->nodes[0], "rack"), "r1");
    ck_assert_str_eq(label_of(&cell->nodes[1], "rack"), "r0+1");
    ck_assert_str_eq(label_of(&cell->nodes[2], "zone"), "z");
    ck_assert_uint_lt(cell->nodes[0].rank, cell->nodes[1].rank);
    ck_assert_uint_lt(cell->nodes[1].rank, cell->nodes[2].rank);
    ck_assert_str_eq(label_of(&s->nodes[0], "rack"), "r0");
    snapshot_cell_destroy(cell);
    snapshot_destroy(s);
}
END_TEST

START_TEST(all_work_waits)
{
    static const enum snap_task_state states[4][3] = {
        {SNAP_PENDING, SNAP_SUCCEEDED, SNAP_GATED}, {SNAP_PENDING}, {SNAP_GATED}, {SNAP_GATED}};
    struct snapshot *s = parsed(),
                    *cell = snapshot_cell_create(s, &(struct cell_node){0, 0}, 1, 8000);
    for (size_t i = 0; i < cell->job_count; i++)
        for (uint32_t t = 0; t < cell->jobs[i].task_count; t++) {
            const struct snap_task *task = &cell->jobs[i].tasks[t];
            ck_assert_int_eq(task->state, states[i][t]);
            ck_assert_int_eq(snapshot_task_works(s, &s->jobs[i], &s->jobs[i].tasks[t]),
                             task->state == SNAP_PENDING);
            ck_assert_uint_eq(snap_over(task) ? 0 : task->devices, 0);
        }
    ck_assert_int_eq(cell->jobs[0].last_start_ms, POLICY_NEVER);
    ck_assert_int_eq(s->jobs[0].tasks[0].state, SNAP_RUNNING);
    snapshot_cell_destroy(cell);
    snapshot_destroy(s);
}
END_TEST

/* Gangs of two: one has half of its tasks and waits for the rest, one runs with half, one is
 * complete. */
START_TEST(gangs_that_are_not_whole_are_no_work)
{
    static const char gangs[] =
        "{\"fauxfleet_snapshot\": 1, \"now_ms\": 0, \"nodes\": [{\"name\": \"n\", \"gpus\": 8}], "
        "\"queues\": [{\"name\": \"q\"}],"
        " \"jobs\": [{\"id\": \"0\", \"queue\": \"q\", \"roles\": [{\"name\": \"w\", "
        "\"min_tasks\": 2}], \"tasks\": ["
        "{\"id\": \"a\", \"role\": \"w\", \"state\": \"pending\", \"gpus\": 1}, {\"id\": \"b\", "
        "\"role\": \"w\", \"state\": \"gated\", \"gpus\": 1}]},"
        " {\"id\": \"1\", \"queue\": \"q\", \"roles\": [{\"name\": \"w\", \"min_tasks\": 2}], "
        "\"tasks\": [{\"id\": \"a\", \"role\": \"w\", \"state\": \"running\", \"node\": \"n\", "
        "\"gpus\": 1}, {\"id\": \"b\", \"role\": \"w\", \"state\": \"gated\", \"gpus\": 1}]},"
        " {\"id\": \"2\", \"queue\": \"q\", \"roles\": [{\"name\": \"w\", \"min_tasks\": 2}], "
        "\"tasks\": [{\"id\": \"a\", \"role\": \"w\", \"state\": \"pending\", \"gpus\": 1}, "
        "{\"id\": \"b\", \"role\": \"w\", \"state\": \"pending\", \"gpus\": 1}]}]}";
    static const struct {
        bool works;
        enum snap_task_state first;
        int32_t least;
    } rows[] = {
        {false, SNAP_GATED, 2},
        {true, SNAP_PENDING, 1},
        {true, SNAP_PENDING, 2},
    };
    struct err err = {0};
    struct snapshot *s;
    ck_assert_msg(snapshot_parse(&s, "gangs.json", gangs, strlen(gangs), &err), "%s", err.msg);
    struct snapshot *cell = snapshot_cell_create(s, &(struct cell_node){0, 0}, 1, 8000);
    for (size_t i = 0; i < ROWS(rows); i++) {
        ck_assert_int_eq(snapshot_job_works(s, &s->jobs[i]), rows[i].works);
        ck_assert_int_eq(cell->jobs[i].tasks[0].state, rows[i].first);
        ck_assert_int_eq(cell->jobs[i].roles[0].min_tasks, rows[i].least);
        ck_assert_int_eq(s->jobs[i].roles[0].min_tasks, 2);
    }
    snapshot_cell_destroy(cell);
    snapshot_destroy(s);
}
END_TEST

START_TEST(large_jobs_prefer_the_level_they_required)
{
    struct snapshot *s = parsed(),
                    *cell = snapshot_cell_create(s, &(struct cell_node){0, 0}, 1, 8000);
    ck_assert_int_eq(snapshot_job_milli(&s->jobs[0]), 5000);
    ck_assert_int_eq(snapshot_job_milli(&s->jobs[1]), 9000);
    const struct policy_constraint *small = &cell->jobs[0].topology.at,
                                   *large = &cell->jobs[1].topology.at;
    ck_assert_int_eq(small->required, 1);
    ck_assert_int_eq(large->required, 0);
    ck_assert_int_eq(large->preferred, 1);
    ck_assert_uint_eq(cell->jobs[0].tasks[0].request.term_count, 1);
    ck_assert_uint_eq(cell->jobs[1].tasks[0].request.term_count, 0);
    ck_assert_int_eq(s->jobs[1].topology.at.required, 1);
    snapshot_cell_destroy(cell);
    snapshot_destroy(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_cell");
    TCase *tcase = tcase_create("cell");
    tcase_add_test(tcase, copies_are_nodes_of_their_own);
    tcase_add_test(tcase, all_work_waits);
    tcase_add_test(tcase, gangs_that_are_not_whole_are_no_work);
    tcase_add_test(tcase, large_jobs_prefer_the_level_they_required);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
