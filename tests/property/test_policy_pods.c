/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random small clusters, jobs and facts under kube-default: each decision must equal that of the
 * naive twin (tests/lib/pods_twin.h), task by task, and all invariants must hold after every fact.
 * Seeds are fixed. At the end nothing arrives any more, evicted tasks end at once, and decisions
 * must stop.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/pods_twin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 1200, BLOCKS = 12, STEPS = 40, CALM = 60 };

struct run {
    struct pods_world w;
    policy_job ids[PODS_JOBS];
    struct tally tally;
    struct policy *p;
    uint64_t random, seed, ranks;
    size_t decided; /* starts and evictions of the last decision */
};

static int32_t below(struct run *run, int32_t n)
{
    return (int32_t)(test_draw(&run->random) % (uint64_t)n);
}

static bool chance(struct run *run, int32_t percent)
{
    return below(run, 100) < percent;
}

static int64_t tick(struct run *run)
{
    return run->w.now += chance(run, 60) ? 1000 * below(run, 5) : 0;
}

/* ---- what there is ---- */

static void add_nodes(struct run *run)
{
    bool plain = chance(run, 40);
    for (int n = 0; n < PODS_NODES; n++) {
        struct pods_node *node = &run->w.nodes[n];
        *node =
            (struct pods_node){.has = {{1 + below(run, 8), plain ? -1 : 1000 * (4 + below(run, 12)),
                                        chance(run, 50) ? -1 : 100 * (2 + below(run, 10)),
                                        chance(run, 80) ? -1 : 1 + below(run, 4)}},
                               .pool = (uint32_t)below(run, 2),
                               .up = true};
        struct policy_node_spec spec = core_node_spec((uint32_t)n, (int32_t)node->has.of[0]);
        spec.pool = node->pool;
        spec.cpu_milli = node->has.of[1];
        spec.mem_mib = node->has.of[2];
        spec.max_tasks = (int32_t)node->has.of[3];
        ck_assert_uint_eq(policy_add_node(run->p, 0, &spec).i, (uint32_t)n);
    }
}

/* Two root queues, one of them with three children. */
static void add_queues(struct run *run)
{
    static const uint32_t pools[2] = {0, 1};
    for (int q = 0; q < PODS_QUEUES; q++) {
        struct pods_queue *queue = &run->w.queues[q];
        *queue = (struct pods_queue){.parent = q < 2 ? -1 : 1,
                                     .limit = chance(run, 70) ? -1 : 1000 * below(run, 20),
                                     .pools = q == 1 || chance(run, 70) ? 0 : 1u << below(run, 2)};
        struct policy_queue_spec spec = {
            .size = sizeof spec,
            .parent = {queue->parent < 0 ? POLICY_NO_ID : (uint32_t)queue->parent},
            .rank = (uint32_t)q,
            .priority = below(run, 3),
            .gpu = {1000 * below(run, 10), queue->limit, 1000},
            .cpu = {0, -1, 1000},
            .mem = {0, -1, 1000},
            .pools = queue->pools == 0 ? NULL : &pools[queue->pools - 1],
            .pool_count = queue->pools != 0,
            .preempt_min_runtime_ms = 1000000, /* no effect: there is no protection */
            .reclaim_min_runtime_ms = POLICY_INHERIT,
        };
        ck_assert_uint_eq(policy_add_queue(run->p, 0, &spec).i, (uint32_t)q);
    }
}

/* ---- jobs ---- */

static struct policy_role draw_role(struct run *run)
{
    static const int32_t devices[] = {0, 1, 1, 1, 2, 2, 3, 4, 8};
    int32_t tasks = 1 + below(run, PODS_TASKS / PODS_ROLES);
    return (struct policy_role){
        .size = sizeof(struct policy_role),
        .tasks = tasks,
        .min_tasks = tasks,
        .topology = {chance(run, 10) ? -1 : 0, 1, 0}, /* unknown, which does not matter */
        .request = {.devices = devices[below(run, ROWS(devices))],
                    .cpu_milli = chance(run, 50) ? 0 : 500 * below(run, 12),
                    .mem_mib = chance(run, 60) ? 0 : 50 * below(run, 12)},
    };
}

static void submit(struct run *run)
{
    static const int32_t priorities[] = {-7, 0, 50, 50, 100, 125};
    struct policy_role roles[PODS_ROLES];
    int live = 0;
    for (int j = 0; j < PODS_JOBS; j++)
        live += run->w.jobs[j].lives;
    if (live == PODS_JOBS)
        return;
    struct pods_job job = {.lives = true,
                           .preemptible = chance(run, 70),
                           .queue = (int[]){0, 2, 3, 4}[below(run, 4)],
                           .priority = priorities[below(run, ROWS(priorities))],
                           .submitted = tick(run) - (chance(run, 50) ? 0 : 1000 * below(run, 3)),
                           .started = POLICY_NEVER,
                           .rank = ++run->ranks * 7 % 1009};
    uint32_t count = 1 + (uint32_t)below(run, PODS_ROLES);
    for (uint32_t r = 0; r < count; r++) {
        roles[r] = draw_role(run);
        for (int t = 0; t < roles[r].tasks; t++)
            job.task[job.tasks++] =
                (struct pods_task){.node = PODS_NOWHERE,
                                   .promised = PODS_NOWHERE,
                                   .wants = {{roles[r].request.devices, roles[r].request.cpu_milli,
                                              roles[r].request.mem_mib, 1}}};
    }
    struct policy_job_spec spec =
        core_job_spec((policy_queue){(uint32_t)job.queue}, job.rank, roles, count);
    spec.priority = job.priority;
    spec.preemptible = job.preemptible;
    spec.submitted = job.submitted;
    policy_job id = policy_submit(run->p, run->w.now, &spec);
    ck_assert_uint_lt(id.i, PODS_JOBS);
    ck_assert(!run->w.jobs[id.i].lives);
    run->w.jobs[id.i] = job;
    run->ids[id.i] = id;
}

static int any_job(struct run *run)
{
    int first = below(run, PODS_JOBS);
    for (int j = 0; j < PODS_JOBS; j++)
        if (run->w.jobs[(first + j) % PODS_JOBS].lives)
            return (first + j) % PODS_JOBS;
    return -1;
}

static bool is_over(const struct pods_job *job)
{
    for (int t = 0; t < job->tasks; t++)
        if (job->task[t].state != PODS_OVER)
            return false;
    return true;
}

/* The task has ended: it is pending again, or over. */
static void end_task(struct run *run, int j, int t, int32_t outcome)
{
    struct pods_job *job = &run->w.jobs[j];
    ck_assert_int_eq(policy_task_ended(run->p, tick(run), run->ids[j], (uint32_t)t, outcome),
                     POLICY_OK);
    job->task[t].state = outcome == POLICY_EVICTED ? PODS_PENDING : PODS_OVER;
    job->task[t].node = job->task[t].promised = PODS_NOWHERE;
    job->lives = !is_over(job);
}

/* Ends evicted tasks, most of the time. */
static void release(struct run *run, int32_t percent)
{
    for (int j = 0; j < PODS_JOBS; j++)
        for (int t = 0; run->w.jobs[j].lives && t < run->w.jobs[j].tasks; t++)
            if (run->w.jobs[j].task[t].state == PODS_LEAVES && chance(run, percent))
                end_task(run, j, t, POLICY_EVICTED);
}

static void release_some(struct run *run)
{
    release(run, 60);
}

static void end_some(struct run *run)
{
    int j = any_job(run);
    for (int t = 0; j >= 0 && run->w.jobs[j].lives && t < run->w.jobs[j].tasks; t++)
        if (run->w.jobs[j].task[t].state == PODS_RUNS && chance(run, 50))
            end_task(run, j, t, chance(run, 90) ? POLICY_SUCCEEDED : POLICY_EVICTED);
}

static void end_job(struct run *run)
{
    int j = any_job(run);
    if (j < 0)
        return;
    ck_assert_int_eq(
        policy_task_ended(run->p, tick(run), run->ids[j], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
        POLICY_OK);
    run->w.jobs[j].lives = false;
}

static void turn_node(struct run *run)
{
    int n = below(run, PODS_NODES);
    run->w.nodes[n].up = chance(run, 70);
    ck_assert_int_eq(
        policy_set_node_state(run->p, tick(run), (policy_node){(uint32_t)n},
                              run->w.nodes[n].up ? POLICY_NODE_UP : POLICY_NODE_DRAINING),
        POLICY_OK);
}

/* ---- decisions ---- */

static void is_as_expected(const struct run *run, const struct policy_decision *d)
{
    const struct pods_answer *a = &run->w.answer[d->job.i][d->task];
    int for_job = d->for_job.i == POLICY_NO_ID ? PODS_NOWHERE : (int)d->for_job.i;
    ck_assert_msg(a->kind == d->kind && a->action == d->action && a->node == (int)d->node.i &&
                      a->for_job == for_job,
                  "seed %" PRIu64 " at %" PRId64
                  ": job %u task %u: %s (%s) node %u for %d, expected kind %d (%d) node %d for %d",
                  run->seed, run->w.now, d->job.i, d->task, policy_kind_name(d->kind),
                  policy_action_name(d->action), d->node.i, for_job, a->kind, a->action, a->node,
                  a->for_job);
    ck_assert_int_eq(d->reason, d->kind == POLICY_EVICT ? POLICY_REASON_PREEMPTED : 0);
}

static void decide(struct run *run)
{
    size_t count, expected = 0;
    int64_t now = tick(run);
    bool work = policy_has_work(run->p);
    const struct policy_decision *d = policy_decide(run->p, now, &count);
    run->decided = 0;
    ck_assert_msg(work || count == 0, "seed %" PRIu64 ": decisions without anything new",
                  run->seed);
    if (!work)
        return;
    pods_decide(&run->w);
    for (size_t i = 0; i < count; i++) {
        is_as_expected(run, &d[i]);
        run->decided += d[i].kind != POLICY_NOMINATE;
    }
    for (int j = 0; j < PODS_JOBS; j++)
        for (int t = 0; t < PODS_TASKS; t++)
            expected += run->w.answer[j][t].kind != 0;
    ck_assert_msg(count == expected, "seed %" PRIu64 " at %" PRId64 ": %zu decisions, expected %zu",
                  run->seed, now, count, expected);
}

static void is_sound(const struct run *run)
{
    struct policy_error error = {0};
    ck_assert_msg(policy_check(run->p, &error) == POLICY_OK, "seed %" PRIu64 ": %s", run->seed,
                  error.message);
}

/* ---- runs ---- */

static void one_run(uint64_t seed)
{
    static void (*const steps[])(struct run *) = {
        submit, submit,   submit,       decide,   decide,       decide,  decide,
        decide, end_some, release_some, end_some, release_some, end_job, turn_node};
    static const char *const options[] = {"score=most-allocated", "pod_order=turns",
                                          "victims=preemptible", "actions=allocate"};
    struct run *run = calloc(1, sizeof *run);
    char text[128] = "";
    ck_assert_ptr_nonnull(run);
    run->seed = run->random = seed;
    for (int i = 0; i < ROWS(options); i++)
        if (chance(run, i < 3 ? 40 : 8))
            (void)snprintf(text + strlen(text), sizeof text - strlen(text), " %s", options[i]);
    run->w.options =
        (struct policy_pod_options){1, strstr(text, "score") != NULL, strstr(text, "turns") != NULL,
                                    strstr(text, "victims") != NULL};
    run->w.preempts = strstr(text, "actions") == NULL;
    run->p = core_create(&run->tally, "kube-default", text);
    add_nodes(run);
    add_queues(run);
    for (int i = 0; i < STEPS; i++) {
        steps[below(run, ROWS(steps))](run);
        is_sound(run);
    }
    int calm = 0;
    do {
        release(run, 100);
        decide(run);
        ck_assert_msg(++calm < CALM, "seed %" PRIu64 ": decisions do not stop", seed);
    } while (run->decided > 0 || policy_has_work(run->p));
    core_destroy(run->p, &run->tally);
    free(run);
}

START_TEST(decides_as_the_twin)
{
    for (uint64_t seed = (uint64_t)_i; seed < (uint64_t)(RUNS / harness_thin()); seed += BLOCKS)
        one_run(seed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kube-default and its twin");
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, decides_as_the_twin, 0, BLOCKS);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
