/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs of every kind under every preset, on random clusters: gangs of any roles, elastic ones, shares, device memory, MIG
 * instances, labels, required and preferred racks, tasks without devices, gated tasks; nodes that go down and devices that
 * break. After each fact and decision policy_check() compares all sums and indexes with plain scans. In the end all is
 * healthy, nothing arrives, and what runs ends: then every job runs that could on a cluster of its own.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 24, STEPS = 110, JOBS = 24, TASKS = 12, NODES = 8, QUEUES = 3, LAST_ROUNDS = 300 };
enum { POD = 3, RACK = 8, COLOUR = 9 };

enum task_state { WAITS, RUNS_ON, LEAVES };

struct job {
    policy_job id;
    bool exists, ran;
    struct policy_job_spec spec;
    struct policy_role roles[2];
    uint32_t tasks;
    enum task_state task[TASKS];
    uint32_t node[TASKS];
    bool gated[TASKS];
};

struct run {
    const char *preset;
    struct tally tally;
    struct policy *p;
    struct policy_node_spec nodes[NODES];
    struct policy_label labels[NODES][3];
    struct job jobs[JOBS];
    policy_time now;
    uint64_t random, submitted;
};

static const int32_t instance[2][POLICY_MAX_PROFILES] = {
    {1 },
    { 0, 1}
};
static const uint32_t red = 5;
static const struct policy_term is_red = {COLOUR, 1, &red};

static int32_t below(struct run *run, int32_t n)
{
    return (int32_t)(test_draw(&run->random) % (uint64_t)n);
}

static bool chance(struct run *run, int32_t percent)
{
    return below(run, 100) < percent;
}

static void told(const struct run *run, int status)
{
    ck_assert_msg(status == POLICY_OK, "%s: %s", run->preset, policy_last_error(run->p)->message);
}

/* ---- the cluster: the same for a job that is alone ---- */

static void draw_nodes(struct run *run)
{
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec *n = &run->nodes[i];
        *n = core_node_spec(i, i == NODES - 1 ? 2 : 4);
        n->pool = n->type = i % 2;
        n->cpu_milli = 32000;
        n->mem_mib = 256000;
        n->device_mem_mib = chance(run, 80) ? 40000 : 0;
        n->mig = i == NODES - 1 ? POLICY_MIG_FREE : POLICY_MIG_OFF;
        n->whole_only = n->mig == POLICY_MIG_OFF && chance(run, 10);
        struct policy_label *l = run->labels[i];
        l[0] = (struct policy_label){POD, i / 4};
        l[1] = (struct policy_label){RACK, i / 2};
        l[2] = (struct policy_label){COLOUR, red + (uint32_t)below(run, 2)};
        n->labels = l;
        n->label_count = 3;
    }
}

static void build(struct policy *p, const struct run *run)
{
    static const uint32_t levels[] = {POD, RACK};
    static const uint32_t pools[] = {0, 1};
    int status = policy_set_topology(p, 0, 1, levels, 2);
    ck_assert(status == POLICY_OK || status == POLICY_UNSUPPORTED);
    for (uint32_t i = 0; i < 2; i++) {
        status = policy_set_mig_profile(p, 0, i, 1 + 2 * (int32_t)i, 1 + 3 * (int32_t)i);
        ck_assert(status == POLICY_OK || status == POLICY_UNSUPPORTED);
    }
    for (uint32_t i = 0; i < NODES; i++)
        if (run->nodes[i].mig == POLICY_MIG_OFF || status == POLICY_OK)
            ck_assert_uint_ne(policy_add_node(p, 0, &run->nodes[i]).i, POLICY_NO_ID);
    const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    for (uint32_t i = 0; i < QUEUES; i++) {
        struct policy_queue_spec spec = {.size = sizeof spec,
                                         .parent = {POLICY_NO_ID},
                                         .rank = i,
                                         .gpu = all,
                                         .cpu = all,
                                         .mem = all,
                                         .pools = pools,
                                         .pool_count = i == 2 ? 1 : 0};
        ck_assert_uint_eq(policy_add_queue(p, 0, &spec).i, i);
    }
}

/* ---- jobs ---- */

static struct policy_request any_request(struct run *run)
{
    struct policy_request r = {.cpu_milli = 1000 * below(run, 5), .mem_mib = 1000 * below(run, 9)};
    int32_t kind = below(run, 12);
    if (kind == 0)
        r.cpu_milli += 1000;
    else if (kind == 1)
        r.mig = instance[below(run, 2)];
    else if (kind == 2)
        r.devices = 1 + below(run, 2), r.device_mem_mib = 4000 * (1 + below(run, 10));
    else if (kind == 3)
        r.devices = 1, r.device_milli = 100 * (1 + below(run, 9));
    else
        r.devices = 1 + below(run, 4);
    if (chance(run, 15))
        r.terms = &is_red, r.term_count = 1;
    if (r.devices > 0 && chance(run, 15))
        r.types = 1 + (uint64_t)below(run, 2);
    return r;
}

static void draw_job(struct run *run, struct job *job)
{
    uint32_t count = 1 + (uint32_t)chance(run, 20);
    *job = (struct job){.exists = true};
    for (uint32_t i = 0; i < count; i++) {
        job->roles[i] = core_role(1 + below(run, 4), any_request(run));
        if (chance(run, 25))
            job->roles[i].min_tasks = 1 + below(run, job->roles[i].tasks);
        job->tasks += (uint32_t)job->roles[i].tasks;
    }
    job->spec =
        core_job_spec((policy_queue){(uint32_t)below(run, QUEUES)}, ++run->submitted, job->roles, count);
    job->spec.submitted = run->now;
    job->spec.priority = 25 * below(run, 4);
    job->spec.preemptible = true;
    job->spec.run_ms = 1000 * (1 + below(run, 60));
    job->spec.limit_ms = chance(run, 50) ? 2000000000 : -1;
    job->spec.estimate_ms = 1000 * below(run, 60);
    job->spec.user = 1 + (uint32_t)below(run, 3);
    if (chance(run, 20))
        job->spec.topology = (struct policy_constraint){1, below(run, 3), 1 + below(run, 2)};
    if (job->spec.topology.required > job->spec.topology.preferred)
        job->spec.topology.preferred = 0;
}

static struct job *any(struct run *run, bool exists)
{
    uint32_t first = (uint32_t)below(run, JOBS);
    for (uint32_t i = 0; i < JOBS; i++)
        if (run->jobs[(first + i) % JOBS].exists == exists)
            return &run->jobs[(first + i) % JOBS];
    return NULL;
}

/* The time limits of slurm are never reached. A preset that refuses the job has never seen it. */
static void submit(struct run *run)
{
    struct job *job = any(run, false);
    if (job == NULL)
        return;
    draw_job(run, job);
    job->id = policy_submit(run->p, run->now, &job->spec);
    job->exists = job->id.i != POLICY_NO_ID;
    ck_assert_msg(job->exists || policy_last_error(run->p)->status == POLICY_UNSUPPORTED, "%s",
                  policy_last_error(run->p)->message);
    for (uint32_t t = 0; job->exists && t < job->tasks; t++)
        if (chance(run, 5))
            job->gated[t] = policy_task_gated(run->p, run->now, job->id, t, true) == POLICY_OK;
}

static void ungate(struct run *run, struct job *job)
{
    for (uint32_t t = 0; job != NULL && t < job->tasks; t++)
        if (job->gated[t]) {
            told(run, policy_task_gated(run->p, run->now, job->id, t, false));
            job->gated[t] = false;
        }
}

static uint32_t count(const struct job *job, enum task_state state)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < job->tasks; t++)
        n += job->task[t] == state;
    return n;
}

static void end(struct run *run, struct job *job)
{
    if (job == NULL || count(job, RUNS_ON) == 0 || count(job, LEAVES) > 0)
        return;
    told(run, policy_task_ended(run->p, run->now, job->id, POLICY_ALL_TASKS, POLICY_SUCCEEDED));
    job->exists = false;
}

static void gone(struct run *run, struct job *job)
{
    for (uint32_t t = 0; job != NULL && t < job->tasks; t++)
        if (job->task[t] == LEAVES) {
            told(run, policy_task_ended(run->p, run->now, job->id, t, POLICY_EVICTED));
            job->task[t] = WAITS;
        }
}

/* ---- nodes ---- */

static void lose(struct run *run, uint32_t node)
{
    for (uint32_t i = 0; i < JOBS; i++) {
        struct job *job = &run->jobs[i];
        bool hit = false;
        for (uint32_t t = 0; job->exists && t < job->tasks; t++)
            hit |= job->task[t] != WAITS && job->node[t] == node;
        if (!hit)
            continue;
        told(run, policy_task_ended(run->p, run->now, job->id, POLICY_ALL_TASKS, POLICY_EVICTED));
        memset(job->task, 0, sizeof job->task);
    }
}

static void change_node(struct run *run)
{
    uint32_t node = (uint32_t)below(run, NODES - 1);
    if (chance(run, 40)) {
        told(run, policy_set_device_health(run->p, run->now, (policy_node){node}, (uint32_t)below(run, 4),
                                           chance(run, 60)));
        return;
    }
    int32_t state = chance(run, 60) ? POLICY_NODE_UP : below(run, 3);
    told(run, policy_set_node_state(run->p, run->now, (policy_node){node}, state));
    if (state == POLICY_NODE_DOWN)
        lose(run, node);
}

/* ---- deciding ---- */

static struct job *job_of(struct run *run, policy_job id)
{
    for (uint32_t i = 0; i < JOBS; i++)
        if (run->jobs[i].exists && run->jobs[i].id.i == id.i)
            return &run->jobs[i];
    ck_abort_msg("%s decides on a job that is not there", run->preset);
    return NULL;
}

static void decide(struct run *run)
{
    size_t n;
    const struct policy_decision *d = policy_decide(run->p, run->now, &n);
    ck_assert_int_eq(policy_last_error(run->p)->status, POLICY_OK);
    struct policy_decision *all = calloc(n + 1, sizeof *all);
    ck_assert_ptr_nonnull(all);
    if (n > 0)
        memcpy(all, d, n * sizeof *d);
    for (size_t i = 0; i < n; i++) {
        struct job *job = job_of(run, all[i].job);
        ck_assert_uint_lt(all[i].task, job->tasks);
        if (all[i].kind == POLICY_START) {
            ck_assert_msg(job->task[all[i].task] == WAITS && !job->gated[all[i].task],
                          "%s starts a task that runs, or is gated", run->preset);
            told(run, policy_task_started(run->p, run->now, job->id, all[i].task));
            job->task[all[i].task] = RUNS_ON;
            job->node[all[i].task] = all[i].node.i;
            job->ran = true;
        } else if (all[i].kind == POLICY_EVICT) {
            ck_assert_int_eq(job->task[all[i].task], RUNS_ON);
            told(run, policy_task_releasing(run->p, run->now, job->id, all[i].task));
            job->task[all[i].task] = LEAVES;
        }
    }
    free(all);
}

static void ask(struct run *run)
{
    const struct job *job = any(run, true);
    struct policy_explanation why = {.size = sizeof why};
    if (job == NULL)
        return;
    told(run, policy_explain(run->p, job->id, &why));
}

/* ---- runs ---- */

static void step(struct run *run)
{
    run->now += chance(run, 60) ? below(run, 20000) : 0;
    int32_t what = below(run, 100);
    if (what < 30)
        submit(run);
    else if (what < 58)
        decide(run);
    else if (what < 76)
        end(run, any(run, true));
    else if (what < 88)
        gone(run, any(run, true));
    else if (what < 92)
        ungate(run, any(run, true));
    else if (what < 96)
        change_node(run);
    else
        ask(run);
    core_is_sound(run->p);
}

static void heal(struct run *run)
{
    for (uint32_t i = 0; i < NODES - 1; i++) {
        told(run, policy_set_node_state(run->p, run->now, (policy_node){i}, POLICY_NODE_UP));
        for (uint32_t d = 0; d < 4; d++)
            told(run, policy_set_device_health(run->p, run->now, (policy_node){i}, d, true));
    }
}

/* Whether the policy starts something of the job where it has the cluster to itself. */
static bool runs_alone(const struct run *run, const struct job *job)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, run->preset, "");
    build(p, run);
    struct policy_job_spec spec = job->spec;
    spec.submitted = 0;
    size_t n;
    ck_assert_uint_ne(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    (void)policy_decide(p, 0, &n);
    core_destroy(p, &tally);
    return n > 0;
}

/* Where it holds back others, nobody but who could never start. */
static bool is_excused(struct run *run, const struct job *job)
{
    struct policy_explanation why = {.size = sizeof why};
    if (!runs_alone(run, job))
        return true;
    told(run, policy_explain(run->p, job->id, &why));
    bool held_back = why.reason == POLICY_REASON_BEHIND || why.reason == POLICY_REASON_OUTRANKED;
    return held_back && !runs_alone(run, job_of(run, why.behind));
}

static void finish(struct run *run)
{
    heal(run);
    for (int round = 0; round < LAST_ROUNDS; round++) {
        run->now += 1000;
        for (uint32_t i = 0; i < JOBS; i++)
            if (run->jobs[i].exists) {
                ungate(run, &run->jobs[i]);
                gone(run, &run->jobs[i]);
                end(run, &run->jobs[i]);
            }
        decide(run);
    }
    for (uint32_t i = 0; i < JOBS; i++)
        ck_assert_msg(!run->jobs[i].exists || is_excused(run, &run->jobs[i]),
                      "%s: job %" PRIu64 " waits for ever", run->preset, run->jobs[i].spec.rank);
}

START_TEST(every_job_runs_under_every_preset)
{
    for (uint64_t seed = 0; seed < RUNS; seed += (uint64_t)harness_thin()) {
        struct run *run = calloc(1, sizeof *run);
        ck_assert_ptr_nonnull(run);
        run->preset = policy_preset_row((size_t)_i)->name;
        run->random = seed * 7919 + 1;
        run->p = core_create(&run->tally, run->preset, "");
        draw_nodes(run);
        build(run->p, run);
        for (int i = 0; i < STEPS; i++)
            step(run);
        finish(run);
        core_destroy(run->p, &run->tally);
        free(run);
    }
}
END_TEST

int main(void)
{
    int presets = 0;
    while (policy_preset_row((size_t)presets) != NULL)
        presets++;
    Suite *suite = suite_create("policy_kinds");
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 120); /* ends what hangs */
    tcase_add_loop_test(tcase, every_job_runs_under_every_preset, 0, presets);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
