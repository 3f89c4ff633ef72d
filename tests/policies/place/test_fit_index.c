/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The index of nodes that fit, against a scan of every node: on random clusters of 40 nodes with
 * tasks that come and go and nodes that go down, for queries in the whole cluster and in an area.
 */
#include "place/choose.h"
#include "place/fit_index.h"
#include "state/nodes.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <stdio.h>

enum { NODES = 40, KINDS = 6, STEPS = 400, MOST_JOBS = 300 };

struct run {
    struct tally tally;
    struct policy *p;
    policy_queue queue;
    uint64_t random, ranks;
    policy_job asking[KINDS]; /* held forever: queries use their requests */
    policy_job running[MOST_JOBS];
    uint32_t count;
    struct pc_bits nodes;
};

static int32_t below(struct run *run, int32_t n)
{
    return (int32_t)(test_draw(&run->random) % (uint64_t)n);
}

static const struct policy_request kinds[KINDS] = {
    {.devices = 1, .cpu_milli = 4000},
    {.devices = 4, .cpu_milli = 8000},
    {.devices = 1, .device_milli = 300},
    {.devices = 1, .device_mem_mib = 20000, .cpu_milli = 1000},
    {.cpu_milli = 12000},
    {.devices = 2, .types = 2},
};

static policy_job submit(struct run *run, const struct policy_request *r, policy_time eligible)
{
    struct policy_role role = core_role(1, *r);
    struct policy_job_spec spec = core_job_spec(run->queue, ++run->ranks, &role, 1);
    spec.preemptible = true;
    spec.eligible = eligible;
    return policy_submit(run->p, 0, &spec);
}

static void open_run(struct run *run, const char *placement)
{
    char options[64];
    (void)snprintf(options, sizeof options, "actions=allocate placement=%s", placement);
    run->p = core_create(&run->tally, "runai", options);
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec spec = core_node_spec(i, (int32_t[]){8, 4, 0, 8}[i % 4]);
        spec.type = i % 3;
        spec.cpu_milli = 32000;
        spec.device_mem_mib = i % 5 == 0 ? 0 : 40000;
        ck_assert_uint_eq(policy_add_node(run->p, 0, &spec).i, i);
    }
    const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    const struct policy_queue_spec queue = {
        .size = sizeof queue, .parent = {POLICY_NO_ID}, .gpu = all, .cpu = all, .mem = all};
    run->queue = policy_add_queue(run->p, 0, &queue);
    for (int i = 0; i < KINDS; i++)
        run->asking[i] = submit(run, &kinds[i], 1);
    ck_assert(pc_bits_reserve(&run->nodes, &run->p->memory, NODES));
}

static struct pc_ask ask_about(struct run *run, int kind, const struct pc_area *area)
{
    enum pc_when when = below(run, 2) == 0 ? PC_AT_ONCE : PC_SOONEST;
    return pc_ask_for(run->p, run->asking[kind].i, 0, area, when);
}

/* Starts or ends something, or takes a node in or out of service. */
static void change(struct run *run)
{
    int32_t what = below(run, 10);
    size_t count;
    if (what < 5 && run->count < MOST_JOBS) {
        run->running[run->count++] = submit(run, &kinds[below(run, KINDS)], 0);
        if (below(run, 3) != 0)
            return;
        (void)policy_decide(run->p, 0, &count);
    } else if (what < 9 && run->count > 0) {
        uint32_t i = (uint32_t)below(run, (int32_t)run->count);
        if (policy_task_ended(run->p, 0, run->running[i], POLICY_ALL_TASKS, POLICY_SUCCEEDED) ==
            POLICY_OK)
            run->running[i] = run->running[--run->count];
    } else {
        policy_node id = {(uint32_t)below(run, NODES)};
        ck_assert_int_eq(
            policy_set_node_state(run->p, 0, id, below(run, 4) == 0 ? 1 : POLICY_NODE_UP),
            POLICY_OK);
    }
}

static void draw_area(struct run *run)
{
    for (uint32_t rank = 0; rank < NODES; rank++)
        if (below(run, 3) == 0)
            pc_bits_add(&run->nodes, rank);
        else if (pc_bits_has(&run->nodes, rank))
            pc_bits_remove(&run->nodes, rank);
}

START_TEST(the_highest_score_is_that_of_a_look_at_all)
{
    static const char *const placements[] = {"least-allocated", "most-allocated", "fgd-best-fit",
                                             "gpu-packing", "gpu-clustering"};
    struct run run = {.random = (uint64_t)_i + 1};
    open_run(&run, placements[_i]);
    for (int step = 0; step < STEPS; step++) {
        change(&run);
        draw_area(&run);
        const struct pc_area areas[] = {{0}, {.nodes = &run.nodes}};
        const struct pc_area *area = &areas[below(&run, 2)];
        struct pc_ask ask = ask_about(&run, below(&run, KINDS), area);
        const struct pc_bits *all = area->nodes != NULL ? area->nodes : &ask.pools->nodes;
        ck_assert_uint_eq(pc_highest_score(&ask), pc_best_among(&ask, all));
        if (step % 50 == 0)
            core_is_sound(run.p);
    }
    pc_bits_free(&run.nodes, &run.p->memory);
    core_destroy(run.p, &run.tally);
}
END_TEST

/* The number of nodes that fit equally best, one by one. */
static uint32_t fitting(const struct pc_ask *ask, const struct pc_bits *nodes, uint32_t *ranks)
{
    uint32_t count[2] = {0, 0};
    uint32_t found[2][NODES];
    for (uint32_t rank = 0; rank < NODES; rank++) {
        const struct pc_node *n = pc_ranked(ask->p, rank);
        if (!pc_bits_has(nodes, rank) || !pc_will_do(ask, n))
            continue;
        bool now = pc_fits_now(ask->p->cluster, n, ask->request);
        found[now][count[now]++] = rank;
    }
    bool now = count[1] > 0;
    for (uint32_t i = 0; i < count[now]; i++)
        ranks[i] = found[now][i];
    return count[now];
}

START_TEST(the_kth_that_fits_is_that_of_a_look_at_all)
{
    struct run run = {.random = 7};
    open_run(&run, "random");
    for (int step = 0; step < STEPS; step++) {
        change(&run);
        draw_area(&run);
        const struct pc_area areas[] = {{0}, {.nodes = &run.nodes}};
        const struct pc_area *area = &areas[below(&run, 2)];
        struct pc_ask ask = ask_about(&run, below(&run, KINDS), area);
        if (pc_may_bind(&ask))
            continue;
        uint32_t ranks[NODES];
        uint32_t count =
            fitting(&ask, area->nodes != NULL ? area->nodes : &ask.pools->nodes, ranks);
        ck_assert_uint_eq(pc_count_fitting(&ask), count);
        for (uint32_t k = 0; k < count; k++)
            ck_assert_uint_eq(pc_nth_fitting(&ask, k), ranks[k]);
    }
    pc_bits_free(&run.nodes, &run.p->memory);
    core_destroy(run.p, &run.tally);
}
END_TEST

/* More kinds of requests than there is room for, and a fleet that grows. */
START_TEST(tables_are_reused)
{
    struct run run = {.random = 3};
    open_run(&run, "least-allocated");
    const struct pc_area everywhere = {0};
    struct pc_ask ask = pc_ask_for(run.p, run.asking[0].i, 0, &everywhere, PC_AT_ONCE);
    struct pc_request request = *ask.request;
    ask.request = &request;
    for (int64_t round = 0; round < 2; round++)
        for (request.cpu = 1; request.cpu <= 5000; request.cpu++)
            ck_assert_uint_eq(pc_highest_score(&ask), 0);
    size_t bytes = run.tally.bytes;
    for (request.cpu = 5000; request.cpu > 0; request.cpu--)
        ck_assert_uint_eq(pc_highest_score(&ask), 0);
    ck_assert_uint_eq(run.tally.bytes, bytes);
    struct policy_node_spec spec =
        core_node_spec(NODES, 16); /* more of it is left than of the others */
    spec.cpu_milli = 64000;
    ck_assert_uint_eq(policy_add_node(run.p, 0, &spec).i, NODES);
    ask.pools = &run.p->cluster->pool_sets[ask.set];
    ck_assert_uint_eq(pc_highest_score(&ask), NODES);
    pc_bits_free(&run.nodes, &run.p->memory);
    core_destroy(run.p, &run.tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit_index");
    TCase *tcase = tcase_create("fit_index");
    tcase_add_loop_test(tcase, the_highest_score_is_that_of_a_look_at_all, 0, 5);
    tcase_add_test(tcase, the_kth_that_fits_is_that_of_a_look_at_all);
    tcase_add_test(tcase, tables_are_reused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
