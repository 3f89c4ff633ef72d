/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What presets without a queue order decided on thousands of random worlds, as checksums:
 * tests/property/data/line-decisions.txt has a line per configuration, with three sums for each
 * world: of what was decided, of when (policy_has_work(), policy_next_wakeup()), and of why
 * (policy_explain(), policy_backlog()). They were made by the engine of 6e98a6d. Facts are anything
 * an embedder may report: gangs with any roles, shares, CPU and types; queues with pools, limits
 * and parents; nodes that come and go, drain and break; starts that fail; evictions that are
 * answered late. The auditor of tests/lib/world.h carries each decision out.
 *
 *     RECORDED_STORY='easy scope=queue/7' test_policy_recorded
 *         prints all facts and answers of a world, to compare with another build
 *     RECORDED_WRITE=1 test_policy_recorded
 *         rewrites the file: only for intended changes
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/packing.h"
#include "tests/lib/plugins.h"
#include "tests/lib/world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMS "tests/property/data/line-decisions.txt"

enum { WORLDS = 40, STEPS = 140, LIVE_JOBS = 40, LIVE_NODES = 14, USERS = 4, ROUNDS = 4 };
enum { POD_LABEL = 3, RACK_LABEL = 8 };
enum part { WHAT, WHEN, WHY, PARTS };

static const char *const configurations[] = {
    "fifo",
    "fifo scope=queue",
    "fifo blocking=skip",
    "fifo scope=queue blocking=skip placement=first-fit",
    "fifo placement=first-fit queue_limits=true",
    "fifo blocking=skip placement=consolidated",
    "fifo placement=binpack scope=queue",
    "fifo blocking=skip placement=spread time_limits=true",
    "fifo placement=random seed=5",
    "fifo blocking=skip placement=least-allocated",
    "fifo placement=most-allocated",
    "fifo placement=topology blocking=skip",
    "fifo placement=topology scope=queue",
    "fifo placement=count",
    "fifo placement=count blocking=skip scope=queue queue_limits=true",
    "sjf",
    "sjf blocking=skip",
    "sjf scope=queue queue_limits=true",
    "qssf",
    "qssf blocking=skip",
    "easy",
    "easy scope=queue",
    "easy easy_variant=frozen",
    "easy easy_variant=frozen scope=queue order=sjf",
    "easy order=sjf placement=consolidated",
    "easy placement=count",
    "easy placement=topology",
    "easy queue_limits=true time_limits=true",
    "easy order=predicted-gpu-time scope=queue placement=random",
    "conservative",
    "conservative scope=queue",
    "conservative order=sjf queue_limits=true",
    "conservative placement=count",
    "conservative placement=spread time_limits=true scope=queue",
    "slurm priority_calc_period_s=1 priority_max_age_s=20 priority_decay_half_life_s=3",
    "slurm priority_calc_period_s=1 priority_max_age_s=5 priority_weight_qos=3000 "
    "priority_favor_small=true scope=queue",
    "slurm priority_calc_period_s=2 priority_weight_age=100000 priority_max_age_s=4 "
    "backfilling=none blocking=skip",
    "slurm priority_calc_period_s=1 backfilling=conservative priority_weight_job_size=20000",
    "srtf",
    "srtf scope=queue",
    "srtf order=remaining-gpu placement=consolidated",
    "srtf ties=waiting",
    "srtf ties=previous scope=queue",
    "srtf ties=waiting scope=queue placement=consolidated",
    "srtf placement=count",
    "srtf placement=count refill=true",
    "las threshold_gpu_s=2,9",
    "las threshold_gpu_s=2,9,40 ties=previous scope=queue",
    "las threshold_gpu_s=3 scope=queue placement=consolidated",
    "las threshold_gpu_s=4 demotion=published",
    "las threshold_gpu_s=1,4 placement=count demotion=published refill=true",
    "best-fit",
    "random seed=9",
    "random scope=queue blocking=strict",
    "fgd",
    "fgd blocking=strict scope=queue",
    "fgd-exact",
    "dot-product",
    "gpu-packing",
    "gpu-clustering",
    "gpu-clustering scope=queue",
    "plugin:smallest-first",
    "plugin:smallest-first scope=queue",
    "plugin:least-waste",
    "plugin:researcher",
    "plugin:researcher placement=spread",
};

struct run {
    struct world world; /* by the policy's numbers */
    policy_job jobs[LIVE_JOBS];
    policy_node nodes[LIVE_NODES]; /* in order of arrival, so that random choices do not depend on
                                      numbers */
    uint32_t job_count, node_count, queue_count;
    uint64_t number[WORLD_JOBS]; /* submission number of the job */
    uint32_t name[WORLD_NODES];
    bool leaving[WORLD_JOBS];
    bool timed_out[WORLD_JOBS];
    struct policy_decision starts[LIVE_JOBS * WORLD_TASKS];
    struct tally tally;
    struct policy *p;
    bool apart;                /* each queue has its own pool */
    bool prompt;               /* evictions are answered at once, followed by another decision */
    bool ranked, racks, inner; /* inner: the first queue has child queues but no jobs */
    bool plain; /* equal nodes open to all queues, so that many compete for the same devices */
    policy_time now;
    uint64_t random, submitted, ranks;
    uint64_t sums[PARTS];
    bool story;
};

static int32_t below(struct run *run, int32_t n)
{
    return (int32_t)(test_draw(&run->random) % (uint64_t)n);
}

static bool chance(struct run *run, int32_t percent)
{
    return below(run, 100) < percent;
}

static policy_time tick(struct run *run)
{
    return run->now += chance(run, 60) ? below(run, 900) : 0;
}

/* Adds a line to the checksum (FNV-1a) of its part. */
__attribute__((format(printf, 3, 4))) static void tell(struct run *run, enum part part,
                                                       const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (const char *c = line; *c != '\0'; c++)
        run->sums[part] = (run->sums[part] ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    if (run->story)
        (void)printf("%6" PRId64 " %s %s\n", run->now,
                     part == WHAT   ? ""
                     : part == WHEN ? "  when"
                                    : "  why",
                     line);
}

static uint64_t number_of(const struct run *run, policy_job job)
{
    return job.i == POLICY_NO_ID ? 0 : run->number[job.i];
}

/* ---- the cluster ---- */

static void label(struct run *run, struct policy_node_spec *spec)
{
    static const struct policy_label racks[][2] = {
        {{POD_LABEL, 1}, {RACK_LABEL, 5}},
        {{POD_LABEL, 1}, {RACK_LABEL, 6}},
        {{POD_LABEL, 2}, {RACK_LABEL, 4}},
    };
    if (!run->racks || chance(run, 15))
        return;
    spec->labels = racks[below(run, ROWS(racks))];
    spec->label_count = 2;
}

static void any_limits(struct run *run, struct policy_node_spec *spec)
{
    spec->type = (uint32_t)below(run, 3);
    spec->whole_only = spec->devices > 0 && !run->world.counts && chance(run, 10);
    spec->cpu_milli = chance(run, 50) ? 1000 * below(run, 64) : POLICY_UNLIMITED;
    spec->mem_mib = chance(run, 50) ? 1000 * below(run, 64) : POLICY_UNLIMITED;
    spec->max_tasks = chance(run, 20) ? below(run, 6) : POLICY_UNLIMITED;
}

static void add_node(struct run *run)
{
    static const int32_t sizes[] = {0, 1, 2, 4, 4, 8, 8, 8, 16};
    if (run->node_count == LIVE_NODES)
        return;
    /* The engine that recorded these runs saw the names as ranks. Ranks in the same order, with
     * fewer gaps, lead to the same decisions and to smaller indexes. */
    uint32_t name = (uint32_t)(++run->ranks * 2654435761u) >> 12;
    struct policy_node_spec spec = core_node_spec(name >> 10, sizes[below(run, ROWS(sizes))]);
    spec.pool = (uint32_t)below(run, WORLD_POOLS);
    if (run->plain)
        spec.devices = 8;
    else
        any_limits(run, &spec);
    label(run, &spec);
    policy_node node = policy_add_node(run->p, tick(run), &spec);
    ck_assert_uint_lt(node.i, WORLD_NODES);
    world_add_node(&run->world, node, &spec);
    run->nodes[run->node_count++] = node;
    run->name[node.i] = name;
    tell(run, WHAT, "node %u: %d devices", name, (int)spec.devices);
}

/* The cluster evicts whole jobs from the node. */
static void lose_tasks(struct run *run, policy_node node);

static void change_node(struct run *run)
{
    if (run->node_count == 0)
        return;
    uint32_t at = (uint32_t)below(run, (int32_t)run->node_count);
    policy_node id = run->nodes[at];
    struct world_node *n = &run->world.nodes[id.i];
    int32_t what = below(run, 10);
    if (what == 0 && n->tasks == 0 && !run->world.counts) {
        tell(run, WHAT, "remove node %u: %d", run->name[id.i],
             policy_remove_node(run->p, tick(run), id));
        n->exists = false;
        memmove(&run->nodes[at], &run->nodes[at + 1],
                (--run->node_count - at) * sizeof *run->nodes);
    } else if (what < 5) {
        n->state = chance(run, 60) ? POLICY_NODE_UP : below(run, 3);
        tell(run, WHAT, "node %u is %d: %d", run->name[id.i], n->state,
             policy_set_node_state(run->p, tick(run), id, n->state));
        if (n->state == POLICY_NODE_DOWN && chance(run, 80))
            lose_tasks(run, id);
    } else if (n->spec.devices > 0) {
        uint32_t device = (uint32_t)below(run, n->spec.devices);
        bool usable = chance(run, 60);
        n->usable =
            usable ? n->usable | UINT64_C(1) << device : n->usable & ~(UINT64_C(1) << device);
        tell(run, WHAT, "device %u of %u is %d: %d", device, run->name[id.i], usable,
             policy_set_device_health(run->p, tick(run), id, device, usable));
    }
}

static struct policy_share any_share(struct run *run)
{
    return (struct policy_share){.quota = 1000 * below(run, 20),
                                 .limit = chance(run, 50) ? POLICY_UNLIMITED
                                                          : 1000 * (4 + below(run, 30)),
                                 .weight = 1000 * (1 + below(run, 4))};
}

static void add_queue(struct run *run)
{
    uint32_t id = run->queue_count, pools[WORLD_POOLS], count = 0;
    if (id == WORLD_QUEUES)
        return;
    uint32_t set = run->apart                      ? 1u << id % WORLD_POOLS
                   : run->plain || chance(run, 40) ? 0
                                                   : (uint32_t)below(run, 1 << WORLD_POOLS);
    for (uint32_t pool = 0; pool < WORLD_POOLS; pool++)
        if ((set >> pool & 1) != 0)
            pools[count++] = pool;
    struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = {id > 0 && run->inner && chance(run, 60) ? 0 : POLICY_NO_ID},
        .rank = id,
        .priority = below(run, 3),
        .gpu = any_share(run),
        .cpu = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000},
        .mem = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000},
        .pools = pools,
        .pool_count = count};
    ck_assert_uint_eq(policy_add_queue(run->p, tick(run), &spec).i, id);
    run->world.queues[id] =
        (struct world_queue){.exists = true, .pools = set == 0 ? UINT32_MAX : set};
    run->queue_count++;
    tell(run, WHAT, "queue %u", id);
}

/* ---- jobs ---- */

static struct policy_request any_request(struct run *run)
{
    static const int32_t sizes[] = {1, 1, 1, 2, 2, 3, 4, 4, 8, 8, 16};
    static const uint64_t types[] = {0, 0, 0, 0, 1, 2, 5};
    struct policy_request r = {.devices = sizes[below(run, ROWS(sizes) - run->plain)]};
    if (!run->world.counts) {
        int32_t kind = below(run, 12);
        r.types = run->plain ? 0 : types[below(run, ROWS(types))];
        r.devices = kind == 0 ? 0 : kind == 1 ? 1 + below(run, 3) : kind < 5 ? 1 : r.devices;
        r.device_milli = kind > 0 && kind < 5 ? 50 * (1 + below(run, 20)) : 0;
    }
    r.cpu_milli = chance(run, 40) ? 500 * below(run, 20) : 0;
    r.mem_mib = chance(run, 30) ? 500 * below(run, 20) : 0;
    return r;
}

static void submit(struct run *run)
{
    if (run->job_count == LIVE_JOBS)
        return;
    struct policy_role roles[WORLD_ROLES];
    uint32_t role_count = chance(run, 75) ? 1 : 1 + (uint32_t)below(run, WORLD_ROLES);
    for (uint32_t i = 0; i < role_count; i++)
        roles[i] = core_role(chance(run, 60) ? 1 : 1 + below(run, 4), any_request(run));
    uint32_t first = run->inner ? 1 : 0;
    policy_queue queue = {first + (uint32_t)below(run, (int32_t)(run->queue_count - first))};
    struct policy_job_spec spec =
        core_job_spec(queue, (uint32_t)(++run->submitted * 2654435761u), roles, role_count);
    policy_time now = tick(run);
    spec.submitted = now - below(run, 30);
    spec.priority = below(run, 3) * 50;
    spec.preemptible = chance(run, 85);
    spec.run_ms = chance(run, 10) ? -1 : below(run, chance(run, 40) ? 1000 : 8000);
    spec.limit_ms = chance(run, 40) ? -1 : 1 + below(run, 9000);
    spec.estimate_ms = chance(run, 20) ? 0 : below(run, 8000);
    spec.eligible = chance(run, 15) ? now + below(run, 3000) : 0;
    spec.user = (uint32_t)below(run, USERS);
    policy_job job = policy_submit(run->p, now, &spec);
    ck_assert_msg(job.i != POLICY_NO_ID, "%s", policy_last_error(run->p)->message);
    world_add_job(&run->world, job, &spec, 0, now);
    run->jobs[run->job_count++] = job;
    run->number[job.i] = run->submitted;
    run->leaving[job.i] = run->timed_out[job.i] = false;
    tell(run, WHAT, "job %" PRIu64, run->submitted);
}

static void forget(struct run *run, policy_job job)
{
    uint32_t at = 0;
    while (run->jobs[at].i != job.i)
        at++;
    memmove(&run->jobs[at], &run->jobs[at + 1], (--run->job_count - at) * sizeof *run->jobs);
}

/* Any job in that state, leaving or not; NULL if there is none. */
static struct world_job *any(struct run *run, enum world_state state, bool leaving)
{
    uint32_t first = run->job_count > 0 ? (uint32_t)below(run, (int32_t)run->job_count) : 0;
    for (uint32_t i = 0; i < run->job_count; i++) {
        policy_job id = run->jobs[(first + i) % run->job_count];
        if (run->world.jobs[id.i].state == state && run->leaving[id.i] == leaving)
            return &run->world.jobs[id.i];
    }
    return NULL;
}

static void end_task(struct run *run, struct world_job *job, uint32_t task, int32_t outcome)
{
    policy_job id = job->id;
    tell(run, WHAT, "job %" PRIu64 ": task %d ends with %d: %d", run->number[id.i], (int)task,
         outcome, policy_task_ended(run->p, run->now, id, task, outcome));
    bool over = world_end(&run->world, job, task, outcome);
    if (job->state != WORLD_ACTIVE)
        run->leaving[id.i] = run->timed_out[id.i] = false;
    if (over)
        forget(run, id);
}

static void end(struct run *run)
{
    struct world_job *job = any(run, WORLD_ACTIVE, false);
    if (job == NULL)
        return;
    bool whole = job->counted || run->ranked || chance(run, 75);
    uint32_t task = whole ? POLICY_ALL_TASKS : (uint32_t)below(run, (int32_t)job->tasks);
    (void)tick(run);
    if (task == POLICY_ALL_TASKS || job->task[task].holds)
        end_task(run, job, task, chance(run, 80) ? POLICY_SUCCEEDED : below(run, 3));
}

static void lose_tasks(struct run *run, policy_node node)
{
    for (uint32_t i = 0; i < run->job_count;) {
        struct world_job *job = &run->world.jobs[run->jobs[i].i];
        bool hit = false;
        for (uint32_t t = 0; t < job->tasks && job->state == WORLD_ACTIVE; t++)
            hit |= job->task[t].holds && job->task[t].node == node.i;
        uint32_t before = run->job_count;
        if (hit)
            end_task(run, job, POLICY_ALL_TASKS, POLICY_EVICTED);
        i += run->job_count == before;
    }
}

/* An evicted job has stopped, with a changed remaining time. */
static void go(struct run *run, struct world_job *job)
{
    if (run->ranked && chance(run, 80)) {
        int64_t left = 1000 + below(run, 8000);
        tell(run, WHAT, "progress: %d", policy_report_progress(run->p, run->now, job->id, left));
    }
    end_task(run, job, POLICY_ALL_TASKS,
             run->timed_out[job->id.i] || chance(run, 10) ? POLICY_FAILED : POLICY_EVICTED);
}

static void answer(struct run *run)
{
    struct world_job *job = any(run, WORLD_ACTIVE, true);
    if (job == NULL)
        return;
    (void)tick(run);
    go(run, job);
}

static void report(struct run *run)
{
    struct world_job *job = any(run, WORLD_ACTIVE, false);
    if (job == NULL)
        return;
    if (run->ranked && chance(run, 50)) {
        tell(run, WHAT, "progress: %d",
             policy_report_progress(run->p, tick(run), job->id, below(run, 8000)));
    } else if (chance(run, 70)) {
        tell(run, WHAT, "started: %d",
             policy_task_started(run->p, tick(run), job->id, POLICY_ALL_TASKS));
    } else {
        tell(run, WHAT, "start of %" PRIu64 " failed: %d", run->number[job->id.i],
             policy_start_failed(run->p, tick(run), job->id));
        world_start_failed(&run->world, job);
    }
}

static void cancel(struct run *run)
{
    struct world_job *job = any(run, WORLD_PENDING, false);
    if (job == NULL)
        return;
    tell(run, WHAT, "job %" PRIu64 " is cancelled: %d", run->number[job->id.i],
         policy_cancel(run->p, tick(run), job->id));
    job->state = WORLD_NONE;
    forget(run, job->id);
}

/* Reports a job as running that someone else started where it fits. */
static void find(struct run *run)
{
    struct world_job *job = any(run, WORLD_PENDING, false);
    if (job == NULL || job->tasks != 1 || run->world.counts || run->node_count == 0)
        return;
    policy_node id = run->nodes[below(run, (int32_t)run->node_count)];
    const struct world_node *n = &run->world.nodes[id.i];
    if (!world_fits(n, world_request(job, 0)))
        return;
    uint64_t devices = world_devices(n, world_request(job, 0));
    tell(run, WHAT, "job %" PRIu64 " found on %u: %d", run->number[job->id.i], run->name[id.i],
         policy_task_running(run->p, tick(run), job->id, 0, id, devices, run->now));
    world_hold(&run->world, job, 0, id.i, devices, 1);
    job->state = WORLD_ACTIVE;
}

/* ---- deciding and asking ---- */

static void ask(struct run *run)
{
    struct world_job *job = any(run, WORLD_PENDING, false);
    struct policy_explanation why = {.size = sizeof why};
    if (job != NULL) {
        ck_assert_int_eq(policy_explain(run->p, job->id, &why), POLICY_OK);
        tell(run, WHY,
             "%" PRIu64 ": %d behind %" PRIu64 " (%d), wants %" PRId64 " of %" PRId64 ", %" PRId64
             " whole, %d of %d, %d of %d, %" PRIu64 " before",
             run->number[job->id.i], why.reason, number_of(run, why.behind), why.behind_reason,
             why.wanted_milli, why.free_milli, why.free_whole, why.tasks_fit_now, why.tasks,
             why.largest_request, why.most_free, why.jobs_before);
    }
    for (uint32_t q = 0; q < run->queue_count; q++) {
        struct policy_backlog backlog;
        ck_assert_int_eq(policy_backlog(run->p, (policy_queue){q}, &backlog), POLICY_OK);
        for (int32_t r = 0; r < POLICY_REASONS; r++)
            if (backlog.jobs[r] > 0)
                tell(run, WHY, "queue %u: %" PRIu64 " jobs, %" PRId64 " for %d", q, backlog.jobs[r],
                     backlog.gpu_milli[r], r);
    }
}

static void when(struct run *run)
{
    tell(run, WHEN, "%d %" PRId64, policy_has_work(run->p), policy_next_wakeup(run->p));
}

static void carry_out(struct run *run, const struct policy_decision *d, size_t count)
{
    size_t starts = 0;
    for (size_t i = 0; i < count; i++) {
        bool starts_it = d[i].kind == POLICY_START;
        tell(run, WHAT,
             "%s %" PRIu64 ":%d on %d[%" PRIx64 "] of %u, %" PRId64
             ", action %d, reason %d, for %" PRIu64,
             starts_it ? "start" : "evict", number_of(run, d[i].job), (int)d[i].task,
             d[i].node.i == POLICY_NO_ID ? -1 : (int)run->name[d[i].node.i], d[i].devices,
             d[i].pool, d[i].gpu_milli, d[i].action, d[i].reason, number_of(run, d[i].for_job));
        if (starts_it) {
            run->starts[starts++] = d[i];
            continue;
        }
        ck_assert_int_eq(d[i].kind, POLICY_EVICT);
        if (!run->leaving[d[i].job.i])
            ck_assert_int_eq(policy_task_releasing(run->p, run->now, d[i].job, POLICY_ALL_TASKS),
                             POLICY_OK);
        run->leaving[d[i].job.i] = true;
        run->timed_out[d[i].job.i] = d[i].reason == POLICY_REASON_TIME_LIMIT;
    }
    world_apply(&run->world, run->starts, starts);
}

static void decide_now(struct run *run)
{
    world_release_held(&run->world, run->now);
    when(run);
    size_t count;
    const struct policy_decision *d = policy_decide(run->p, run->now, &count);
    ck_assert_int_eq(policy_last_error(run->p)->status, POLICY_OK);
    struct policy_decision copy[LIVE_JOBS * WORLD_TASKS];
    ck_assert_uint_le(count, LIVE_JOBS * WORLD_TASKS);
    if (count > 0)
        memcpy(copy, d, count * sizeof *d);
    tell(run, WHAT, "%zu decisions", count);
    carry_out(run, copy, count);
    when(run);
    if (chance(run, 30))
        ask(run);
}

static void decide(struct run *run)
{
    policy_time now = tick(run), wakeup = policy_next_wakeup(run->p);
    if (wakeup < now + 2000 && wakeup > now && chance(run, 40))
        run->now = wakeup;
    decide_now(run);
    struct world_job *job = run->prompt ? any(run, WORLD_ACTIVE, true) : NULL;
    for (int round = 0; round < ROUNDS && job != NULL; round++) {
        for (; job != NULL; job = any(run, WORLD_ACTIVE, true))
            go(run, job);
        decide_now(run);
        job = any(run, WORLD_ACTIVE, true);
    }
}

/* ---- runs ---- */

static void step(struct run *run)
{
    static const struct {
        int32_t weight;
        void (*step)(struct run *);
    } steps[] = {
        {32, submit}, {30, decide}, {14, end},        {24, answer},  {6, report},
        {3, cancel},  {2, find},    {8, change_node}, {1, add_node}, {1, add_queue},
    };
    int32_t total = 0;
    for (int i = 0; i < ROWS(steps); i++)
        total += steps[i].weight;
    int32_t chosen = below(run, total);
    int i = 0;
    while ((chosen -= steps[i].weight) >= 0)
        i++;
    steps[i].step(run);
}

static struct policy *create(struct run *run, const char *configuration)
{
    static const struct policy_plugin *const plugins[] = {&smallest_first_plugin,
                                                          &least_waste_plugin, &researcher_plugin};
    char name[32];
    size_t length = strcspn(configuration, " ");
    const char *options = configuration + length;
    (void)snprintf(name, sizeof name, "%.*s", (int)length, configuration);
    for (int i = 0; i < ROWS(plugins); i++)
        if (strncmp(name, "plugin:", 7) == 0 && strcmp(name + 7, plugins[i]->name) == 0) {
            run->ranked = plugins[i]->decide != NULL;
            return plugin_create(&run->tally, plugins[i], options);
        }
    run->ranked = strcmp(name, "srtf") == 0 || strcmp(name, "las") == 0;
    return core_create(&run->tally, name, options);
}

/* The checksums of one world. */
static void play(const char *configuration, uint64_t seed, bool story, uint64_t sums[PARTS])
{
    static const uint32_t levels[] = {POD_LABEL, RACK_LABEL};
    struct run *run = calloc(1, sizeof *run);
    ck_assert_ptr_nonnull(run);
    run->random = (seed + 1) * UINT64_C(0x2545f4914f6cdd1d);
    run->story = story;
    run->world.counts = strstr(configuration, "placement=count") != NULL;
    run->racks = strstr(configuration, "placement=topology") != NULL;
    run->p = create(run, configuration);
    if (run->racks)
        ck_assert_int_eq(policy_set_topology(run->p, 0, 1, levels, 2), POLICY_OK);
    if (strncmp(configuration, "fgd", 3) == 0) {
        uint32_t count;
        int64_t all;
        const struct policy_typical_task *typical = packing_typical(&count, &all);
        ck_assert_int_eq(policy_set_typical_tasks(run->p, 0, typical, count, all), POLICY_OK);
    }
    run->inner = chance(run, 50);
    run->plain = seed % 2 == 1;
    run->prompt = seed % 4 >= 2;
    run->apart = seed % 3 == 1;
    for (int i = run->inner + below(run, 3); i >= 0; i--)
        add_queue(run);
    for (int i = 1 + below(run, run->plain ? 3 : 8); i >= 0; i--)
        add_node(run);
    for (int i = 0; i < STEPS; i++)
        step(run);
    decide(run);
    ask(run);
    memcpy(sums, run->sums, sizeof run->sums);
    core_destroy(run->p, &run->tally);
    free(run);
}

/* As in the file: eight, four and four digits. */
static void sum_up(const char *configuration, uint64_t seed, char text[20])
{
    uint64_t sums[PARTS];
    play(configuration, seed, false, sums);
    (void)snprintf(text, 20, "%08" PRIx32 "-%04x-%04x", (uint32_t)(sums[WHAT] >> 16),
                   (unsigned)(sums[WHEN] >> 16 & 0xffff), (unsigned)(sums[WHY] >> 16 & 0xffff));
}

START_TEST(write_all)
{
    FILE *file = fopen(SUMS, "w");
    ck_assert_ptr_nonnull(file);
    for (int c = 0; c < ROWS(configurations); c++) {
        (void)fprintf(file, "%s:", configurations[c]);
        for (uint64_t seed = 0; seed < WORLDS; seed++) {
            char text[20];
            sum_up(configurations[c], seed, text);
            (void)fprintf(file, " %s", text);
        }
        (void)fprintf(file, "\n");
    }
    ck_assert_int_eq(fclose(file), 0);
}
END_TEST

START_TEST(tell_story)
{
    const char *wanted = getenv("RECORDED_STORY"), *slash = strrchr(wanted, '/');
    ck_assert_ptr_nonnull(slash);
    char configuration[128];
    uint64_t sums[PARTS];
    (void)snprintf(configuration, sizeof configuration, "%.*s", (int)(slash - wanted), wanted);
    play(configuration, strtoull(slash + 1, NULL, 10), true, sums);
}
END_TEST

START_TEST(decides_as_the_line_engine_did)
{
    const char *configuration = configurations[_i];
    char *all = harness_read(SUMS, NULL), want[128];
    (void)snprintf(want, sizeof want, "%s%s:", _i > 0 ? "\n" : "", configuration);
    const char *at = strstr(all, want);
    ck_assert_msg(at != NULL, "%s has no line '%s'", SUMS, configuration);
    at += strlen(want);
    for (uint64_t seed = 0; seed < WORLDS; seed++, at += 19) {
        char text[20];
        if (seed % (uint64_t)harness_thin() != 0)
            continue;
        sum_up(configuration, seed, text);
        ck_assert_msg(strncmp(at + 1, text, 18) == 0,
                      "'%s', world %" PRIu64 ": decided-when-why %s, was %.18s", configuration,
                      seed, text, at + 1);
    }
    ck_assert_int_eq(*at, '\n');
    free(all);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_recorded");
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 120); /* ends hanging runs */
    if (getenv("RECORDED_STORY") != NULL)
        tcase_add_test(tcase, tell_story);
    else if (getenv("RECORDED_WRITE") != NULL)
        tcase_add_test(tcase, write_all);
    else
        tcase_add_loop_test(tcase, decides_as_the_line_engine_did, 0, ROWS(configurations));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
