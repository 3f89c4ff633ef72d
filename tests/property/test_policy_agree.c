/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Presets whose rules coincide must make the same decisions: gangs of whole devices in one queue,
 * oldest first, skipping jobs that do not fit. fifo with packing, and runai with only allocate; for
 * single-task jobs fifo with Kubernetes' score, and kube-default without preemption. Both get the
 * same random facts on nodes of one size, and every decision of one must equal the other's. The
 * auditor of tests/lib/world.h carries the decisions out.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/packing.h"
#include "tests/lib/world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 60, STEPS = 150, LIVE_JOBS = 40, NODES = 7, SIDES = 2 };

// clang-format off
static const struct pair {
    const char *preset[SIDES], *options[SIDES];
    int32_t most_tasks;
    bool varied; /* also shares and tasks without devices, on nodes of different sizes */
} pairs[] = {
    {{"fifo", "runai"}, {"blocking=skip placement=binpack", "actions=allocate"}, 4, false},
    {{"fifo", "static"}, {"blocking=skip placement=binpack scope=queue", "actions=allocate"}, 4,
     false},
    {{"fifo", "runai"}, {"blocking=skip placement=spread",
     "actions=allocate gpu_placement=spread"}, 4, false},
    {{"fifo", "kube-default"}, {"blocking=skip placement=least-allocated", "actions=allocate"}, 1,
     false},
    {{"fifo", "kube-default"}, {"blocking=skip placement=most-allocated",
     "actions=allocate score=most-allocated"}, 1, false},
    {{"fifo", "runai"}, {"blocking=skip placement=first-fit",
     "actions=allocate placement=first-fit"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=best-fit",
     "actions=allocate placement=best-fit"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=consolidated",
     "actions=allocate placement=consolidated"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=spread", "actions=allocate placement=spread"}, 4,
     true},
    {{"fifo", "runai"}, {"blocking=skip placement=topology",
     "actions=allocate placement=topology"}, 6, true},
    {{"fifo", "runai"}, {"blocking=skip placement=random", "actions=allocate placement=random"}, 1,
     true},
    {{"fifo", "runai"}, {"blocking=skip placement=fgd-best-fit",
     "actions=allocate placement=fgd-best-fit"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=fgd", "actions=allocate placement=fgd"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=fgd-exact",
     "actions=allocate placement=fgd-exact"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=dot-product",
     "actions=allocate placement=dot-product"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=gpu-packing",
     "actions=allocate placement=gpu-packing"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=gpu-clustering",
     "actions=allocate placement=gpu-clustering"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=least-allocated",
     "actions=allocate placement=least-allocated"}, 4, true},
    {{"fifo", "runai"}, {"blocking=skip placement=most-allocated",
     "actions=allocate placement=most-allocated"}, 4, true},
};
// clang-format on

struct job {
    policy_job id[SIDES];
    bool active;
};

struct run {
    struct world world; /* by the numbers of the first side */
    struct tally tally[SIDES];
    struct policy *p[SIDES];
    struct job jobs[LIVE_JOBS];
    uint32_t job_count;
    int32_t most_tasks;
    bool varied;
    policy_time now;
    uint64_t random, submitted;
};

static int32_t below(struct run *run, int32_t n)
{
    return (int32_t)(test_draw(&run->random) % (uint64_t)n);
}

static bool chance(struct run *run, int32_t percent)
{
    return below(run, 100) < percent;
}

/* ---- facts ---- */

static void build(struct run *run)
{
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec spec = core_node_spec(i, run->varied && i % 3 == 2 ? 4 : 8);
        spec.cpu_milli = run->varied && i % 4 == 3 ? 32000 : 64000;
        spec.type = i % 3;
        spec.mem_mib = 512000;
        const struct policy_label labels[] = {{1, i / 4},
                                              {2, i / 2}}; /* pods of racks of two nodes */
        spec.labels = labels;
        spec.label_count = run->varied && i + 1 < NODES ? ROWS(labels) : 0;
        for (int side = 0; side < SIDES; side++)
            ck_assert_uint_eq(policy_add_node(run->p[side], 0, &spec).i, i);
        world_add_node(&run->world, (policy_node){i}, &spec);
    }
    const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    struct policy_queue_spec spec = {
        .size = sizeof spec, .parent = {POLICY_NO_ID}, .gpu = all, .cpu = all, .mem = all};
    for (int side = 0; side < SIDES; side++)
        ck_assert_uint_eq(policy_add_queue(run->p[side], 0, &spec).i, 0);
    uint32_t count;
    int64_t all_tasks;
    const struct policy_typical_task *typical = packing_typical(&count, &all_tasks);
    for (int side = 0; side < SIDES; side++)
        if (run->varied) /* placements that do not need it refuse it */
            (void)policy_set_typical_tasks(run->p[side], 0, typical, count, all_tasks);
    const uint32_t levels[] = {1, 2};
    for (int side = 0; side < SIDES; side++)
        (void)policy_set_topology(run->p[side], 0, 1, levels,
                                  ROWS(levels)); /* lanes may refuse it */
    run->world.queues[0] = (struct world_queue){.exists = true, .pools = UINT32_MAX};
}

static void submit(struct run *run)
{
    static const int32_t sizes[] = {1, 1, 2, 3, 4, 4, 8};
    if (run->job_count == LIVE_JOBS)
        return;
    struct policy_request r = core_devices(sizes[below(run, ROWS(sizes))]);
    r.cpu_milli = 4000 * r.devices;
    r.mem_mib = chance(run, 20) ? 100000 : 1000;
    if (run->varied && chance(run, 30)) {
        r = core_devices(1);
        r.device_milli = (int32_t[]){150, 250, 500, 850}[below(run, 4)];
        r.cpu_milli = 1000 * below(run, 12);
    } else if (run->varied && chance(run, 15)) {
        r = (struct policy_request){.cpu_milli = 1000 * (1 + below(run, 20))};
    }
    r.types = run->varied && chance(run, 20) ? 5 : 0;
    struct policy_role role = core_role(1 + below(run, run->most_tasks), r);
    struct policy_job_spec spec = core_job_spec((policy_queue){0}, ++run->submitted, &role, 1);
    spec.submitted = run->now;
    spec.preemptible = true;
    struct job *job = &run->jobs[run->job_count++];
    *job = (struct job){.active = false};
    for (int side = 0; side < SIDES; side++) {
        job->id[side] = policy_submit(run->p[side], run->now, &spec);
        ck_assert_uint_ne(job->id[side].i, POLICY_NO_ID);
    }
    world_add_job(&run->world, job->id[0], &spec, spec.submitted, run->now);
}

static void forget(struct run *run, struct job *job)
{
    size_t after = (size_t)(run->jobs + --run->job_count - job);
    memmove(job, job + 1, after * sizeof *job);
}

/* Any running (or pending) job; NULL if there is none. */
static struct job *any(struct run *run, bool active)
{
    uint32_t first = run->job_count > 0 ? (uint32_t)below(run, (int32_t)run->job_count) : 0;
    for (uint32_t i = 0; i < run->job_count; i++)
        if (run->jobs[(first + i) % run->job_count].active == active)
            return &run->jobs[(first + i) % run->job_count];
    return NULL;
}

static void end(struct run *run)
{
    struct job *job = any(run, true);
    if (job == NULL)
        return;
    int32_t outcome = chance(run, 85) ? POLICY_SUCCEEDED : POLICY_EVICTED;
    for (int side = 0; side < SIDES; side++)
        ck_assert_int_eq(
            policy_task_ended(run->p[side], run->now, job->id[side], POLICY_ALL_TASKS, outcome),
            POLICY_OK);
    job->active = false;
    if (world_end(&run->world, &run->world.jobs[job->id[0].i], POLICY_ALL_TASKS, outcome))
        forget(run, job);
}

static void cancel(struct run *run)
{
    struct job *job = any(run, false);
    if (job == NULL)
        return;
    for (int side = 0; side < SIDES; side++)
        ck_assert_int_eq(policy_cancel(run->p[side], run->now, job->id[side]), POLICY_OK);
    run->world.jobs[job->id[0].i].state = WORLD_NONE;
    forget(run, job);
}

static void change_node(struct run *run)
{
    policy_node id = {(uint32_t)below(run, NODES)};
    struct world_node *n = &run->world.nodes[id.i];
    uint32_t device = (uint32_t)below(run, n->spec.devices);
    bool state = chance(run, 50), usable = chance(run, 70);
    if (state)
        n->state = chance(run, 70) ? POLICY_NODE_UP : POLICY_NODE_DRAINING;
    else
        n->usable =
            usable ? n->usable | UINT64_C(1) << device : n->usable & ~(UINT64_C(1) << device);
    for (int side = 0; side < SIDES; side++)
        ck_assert_int_eq(state
                             ? policy_set_node_state(run->p[side], run->now, id, n->state)
                             : policy_set_device_health(run->p[side], run->now, id, device, usable),
                         POLICY_OK);
}

/* ---- deciding ---- */

static struct job *job_of(struct run *run, int side, policy_job id)
{
    for (uint32_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].id[side].i == id.i)
            return &run->jobs[i];
    ck_abort_msg("a job that is not there");
    return NULL;
}

static void decide(struct run *run)
{
    const struct policy_decision *d[SIDES];
    size_t count[SIDES];
    for (int side = 0; side < SIDES; side++)
        d[side] = policy_decide(run->p[side], run->now, &count[side]);
    for (size_t i = 0; i < count[0] && i < count[1]; i++) {
        ck_assert_int_eq(d[0][i].kind, d[1][i].kind);
        ck_assert_ptr_eq(job_of(run, 0, d[0][i].job), job_of(run, 1, d[1][i].job));
        ck_assert_uint_eq(d[0][i].task, d[1][i].task);
        ck_assert_uint_eq(d[0][i].node.i, d[1][i].node.i);
        ck_assert_uint_eq(d[0][i].devices, d[1][i].devices);
        job_of(run, 0, d[0][i].job)->active = true;
    }
    ck_assert_uint_eq(count[0], count[1]);
    world_apply(&run->world, d[0], count[0]);
    for (uint32_t i = 0; i < run->job_count; i++)
        for (int side = 0; side < SIDES && run->jobs[i].active; side++)
            ck_assert_int_eq(policy_task_started(run->p[side], run->now, run->jobs[i].id[side],
                                                 POLICY_ALL_TASKS),
                             POLICY_OK);
}

/* ---- runs ---- */

static void step(struct run *run)
{
    run->now += chance(run, 70) ? below(run, 1000) : 0;
    int32_t what = below(run, 100);
    if (what < 40)
        submit(run);
    else if (what < 70)
        decide(run);
    else if (what < 88)
        end(run);
    else if (what < 92)
        cancel(run);
    else
        change_node(run);
}

START_TEST(both_decide_the_same)
{
    const struct pair *pair = &pairs[_i];
    for (uint64_t seed = 0; seed < RUNS; seed += (uint64_t)harness_thin()) {
        struct run *run = calloc(1, sizeof *run);
        ck_assert_ptr_nonnull(run);
        run->random = seed + 1;
        run->most_tasks = pair->most_tasks;
        run->varied = pair->varied;
        for (int side = 0; side < SIDES; side++)
            run->p[side] = core_create(&run->tally[side], pair->preset[side], pair->options[side]);
        build(run);
        for (int i = 0; i < STEPS; i++)
            step(run);
        decide(run);
        for (int side = 0; side < SIDES; side++)
            core_destroy(run->p[side], &run->tally[side]);
        free(run);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_agree");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, both_decide_the_same, 0, ROWS(pairs));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
