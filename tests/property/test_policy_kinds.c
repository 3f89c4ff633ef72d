/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs of every kind under every preset, on random clusters: gangs with any roles, elastic jobs,
 * shares, device memory, MIG instances, labels, required and preferred racks, tasks without
 * devices, gated tasks; nodes that go down and devices that break; queues that change, and
 * suspended queues and jobs, which start nothing meanwhile. After each fact and decision
 * policy_check() compares all sums and indexes with plain scans. In the end everything is healthy,
 * nothing arrives, and running jobs end: then every job must run that could run on a cluster of its
 * own. The same with random combinations of options, which may also be refused with a message.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 24, STEPS = 110, JOBS = 24, TASKS = 12, NODES = 8, QUEUES = 3, LAST_ROUNDS = 300 };
enum { COMPOSITIONS = 400, COMPOSED_STEPS = 70, PARTS = 4, LAST_UNIT = 1 };
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
    bool gated[TASKS], suspended;
};

struct run {
    const char *preset;
    char options[256]; /* "name=value "... */
    struct tally tally;
    struct policy *p;
    struct policy_node_spec nodes[NODES];
    struct policy_label labels[NODES][3];
    struct job jobs[JOBS];
    struct policy_queue_spec queues[QUEUES];
    policy_time now;
    uint64_t random, submitted;
};

static const int32_t instance[2][POLICY_MAX_PROFILES] = {{1}, {0, 1}};
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
    ck_assert_msg(status == POLICY_OK, "%s %s: %s", run->preset, run->options,
                  policy_last_error(run->p)->message);
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

/* The initial and final settings. */
static struct policy_queue_spec plain_queue(uint32_t i)
{
    static const uint32_t pools[] = {0, 1};
    const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    return (struct policy_queue_spec){.size = sizeof(struct policy_queue_spec),
                                      .parent = {POLICY_NO_ID},
                                      .rank = i,
                                      .gpu = all,
                                      .cpu = all,
                                      .mem = all,
                                      .pools = pools,
                                      .pool_count = i == 2 ? 1 : 0};
}

static void build(struct policy *p, const struct run *run)
{
    static const uint32_t levels[] = {POD, RACK};
    ck_assert_int_eq(policy_set_topology(p, 0, 1, levels, 2), POLICY_OK);
    for (uint32_t i = 0; i < 2; i++)
        ck_assert_int_eq(policy_set_mig_profile(p, 0, i, 1 + 2 * (int32_t)i, 1 + 3 * (int32_t)i),
                         POLICY_OK);
    for (uint32_t i = 0; i < NODES; i++)
        ck_assert_uint_ne(policy_add_node(p, 0, &run->nodes[i]).i, POLICY_NO_ID);
    for (uint32_t i = 0; i < QUEUES; i++) {
        const struct policy_queue_spec spec = plain_queue(i);
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
    job->spec = core_job_spec((policy_queue){(uint32_t)below(run, QUEUES)}, ++run->submitted,
                              job->roles, count);
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

/* The time limits of slurm are never reached. */
static void submit(struct run *run)
{
    struct job *job = any(run, false);
    if (job == NULL)
        return;
    draw_job(run, job);
    job->id = policy_submit(run->p, run->now, &job->spec);
    ck_assert_msg(job->id.i != POLICY_NO_ID, "%s %s: %s", run->preset, run->options,
                  policy_last_error(run->p)->message);
    for (uint32_t t = 0; t < job->tasks; t++)
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
        told(run, policy_set_device_health(run->p, run->now, (policy_node){node},
                                           (uint32_t)below(run, 4), chance(run, 60)));
        return;
    }
    int32_t state = chance(run, 60) ? POLICY_NODE_UP : below(run, 3);
    told(run, policy_set_node_state(run->p, run->now, (policy_node){node}, state));
    if (state == POLICY_NODE_DOWN)
        lose(run, node);
}

/* ---- planned changes ---- */

static void set_queue(struct run *run, uint32_t i, const struct policy_queue_spec *spec)
{
    run->queues[i] = *spec;
    told(run, policy_set_queue(run->p, run->now, (policy_queue){i}, spec));
}

static void change_queue(struct run *run)
{
    uint32_t i = (uint32_t)below(run, QUEUES);
    struct policy_queue_spec spec = plain_queue(i);
    spec.priority = below(run, 3);
    spec.suspended = chance(run, 30);
    spec.gpu.quota = chance(run, 50) ? POLICY_UNLIMITED : 1000 * below(run, 9);
    spec.gpu.limit = chance(run, 60) ? POLICY_UNLIMITED : 1000 * below(run, 17);
    spec.cpu.limit = chance(run, 80) ? POLICY_UNLIMITED : 4000 * below(run, 9);
    spec.gpu.weight = 500 * below(run, 5);
    set_queue(run, i, &spec);
}

static void suspend(struct run *run, struct job *job, bool suspended)
{
    job->suspended = suspended;
    told(run, policy_suspend_job(run->p, run->now, job->id, suspended));
}

static void change(struct run *run)
{
    struct job *job = any(run, true);
    int32_t what = job == NULL ? 0 : below(run, 3);
    if (what == 0)
        change_queue(run);
    else if (what == 1)
        suspend(run, job, chance(run, 60));
    else
        told(run, policy_set_priority(run->p, run->now, job->id, 25 * below(run, 5)));
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
            ck_assert_msg(!job->suspended && !run->queues[job->spec.queue.i].suspended,
                          "%s %s starts a suspended job", run->preset, run->options);
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
    if (what < 28)
        submit(run);
    else if (what < 54)
        decide(run);
    else if (what < 70)
        end(run, any(run, true));
    else if (what < 81)
        gone(run, any(run, true));
    else if (what < 85)
        ungate(run, any(run, true));
    else if (what < 89)
        change_node(run);
    else if (what < 96)
        change(run);
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

/* Returns true if the policy starts something of the job when it has the cluster to itself. */
static bool runs_alone(const struct run *run, const struct job *job)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, run->preset, run->options);
    build(p, run);
    struct policy_job_spec spec = job->spec;
    spec.submitted = 0;
    size_t n;
    ck_assert_uint_ne(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    (void)policy_decide(p, 0, &n);
    core_destroy(p, &tally);
    return n > 0;
}

/* Returns true if some job has a reserved time in conservative backfill that it cannot use: the
 * tasks of such a gang block one another. */
static bool blocks_plan(struct run *run, const struct job *but)
{
    for (uint32_t i = 0; i < JOBS; i++) {
        struct policy_explanation why = {.size = sizeof why};
        const struct job *job = &run->jobs[i];
        if (!job->exists || job == but || runs_alone(run, job))
            continue;
        told(run, policy_explain(run->p, job->id, &why));
        if (why.reason != POLICY_REASON_NEVER_FITS)
            return true;
    }
    return false;
}

/* Excuses jobs behind one that could never start, if it blocks others. */
static bool is_excused(struct run *run, const struct job *job)
{
    struct policy_explanation why = {.size = sizeof why};
    if (!runs_alone(run, job))
        return true;
    told(run, policy_explain(run->p, job->id, &why));
    if (why.behind.i == POLICY_NO_ID)
        return strstr(run->options, "backfill=conservative") != NULL && blocks_plan(run, job);
    bool held_back = why.reason == POLICY_REASON_BEHIND || why.reason == POLICY_REASON_OUTRANKED ||
                     why.reason == POLICY_REASON_RESERVED;
    return held_back && !runs_alone(run, job_of(run, why.behind));
}

static void finish(struct run *run)
{
    heal(run);
    for (uint32_t i = 0; i < QUEUES; i++) {
        const struct policy_queue_spec spec = plain_queue(i);
        set_queue(run, i, &spec);
    }
    for (uint32_t i = 0; i < JOBS; i++)
        if (run->jobs[i].exists)
            suspend(run, &run->jobs[i], false);
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
                      "%s %s: job %" PRIu64 " waits for ever", run->preset, run->options,
                      run->jobs[i].spec.rank);
}

static void play(struct run *run, int steps)
{
    run->p = core_create(&run->tally, run->preset, run->options);
    draw_nodes(run);
    build(run->p, run);
    for (int i = 0; i < steps; i++)
        step(run);
    finish(run);
    core_destroy(run->p, &run->tally);
}

START_TEST(every_job_runs_under_every_preset)
{
    for (uint64_t seed = 0; seed < RUNS; seed += (uint64_t)harness_thin()) {
        struct run *run = calloc(1, sizeof *run);
        ck_assert_ptr_nonnull(run);
        run->preset = policy_preset_row((size_t)_i)->name;
        run->random = seed * 7919 + 1;
        play(run, STEPS);
        free(run);
    }
}
END_TEST

/* ---- compositions ---- */

static const struct {
    const char *name, *values[8];
    int32_t percent; /* how often it is set */
} rows[] = {
    {"unit", {"gang", "task"}, 30},
    {"queue_order", {"none", "fair-share"}, 50},
    {"scope", {"fleet", "queue"}, 30},
    {"blocking", {"strict", "skip"}, 50},
    {"backfill", {"none", "easy", "conservative", "single"}, 50},
    {"easy_variant", {"textbook", "frozen"}, 15},
    {"actions",
     {"allocate", "allocate,reclaim", "allocate,preempt", "allocate,limits",
      "allocate,consolidate,reclaim,preempt,stale,limits"},
     40},
    {"queue_limits", {"true", "false"}, 20},
    {"time_limits", {"true", "false"}, 20},
    {"device_placement", {"pack", "spread"}, 20},
    {"full_hierarchy", {"true", "false"}, 10},
    {"pod_order", {"job", "turns"}, 20},
};

/* Sets an option accepted by this configuration, and records it. */
static void set_option(struct run *run, struct policy_config *config, const char *name,
                       const char *value)
{
    struct policy_error error;
    size_t used = strlen(run->options);
    if (policy_config_set(config, name, value, &error) != POLICY_OK)
        return;
    int n = snprintf(run->options + used, sizeof run->options - used, "%s=%s ", name, value);
    ck_assert_uint_lt(used + (size_t)n, sizeof run->options);
}

static const char *any_row(struct run *run, const struct policy_row *(*row)(size_t))
{
    int32_t count = 0;
    while (row((size_t)count) != NULL)
        count++;
    return row((size_t)below(run, count))->name;
}

/* Counted devices have no kinds; random choices may or may not leave room for the rest of a
 * gang. */
static bool is_for_all(const char *name)
{
    return strcmp(name, "count") != 0 && strcmp(name, "random") != 0;
}

static void compose(struct run *run, struct policy_config *config)
{
    const char *placement = any_row(run, policy_placement_row);
    for (int i = 0; i < ROWS(rows); i++) {
        int32_t values = 0;
        while (values < ROWS(rows[i].values) && rows[i].values[values] != NULL)
            values++;
        const char *value = rows[i].values[below(run, values)];
        if (chance(run, rows[i].percent))
            set_option(run, config, rows[i].name, value);
        if (i == LAST_UNIT && chance(run, 50))
            set_option(run, config, "order", any_row(run, policy_order_row));
    }
    if (is_for_all(placement))
        set_option(run, config, "placement", placement);
}

/* One configuration in a few runs; the others are refused with an explanation. */
START_TEST(a_composition_is_refused_or_runs)
{
    int refused = 0, played = 0;
    for (int i = 0; i < COMPOSITIONS / harness_thin(); i++) {
        struct run *run = calloc(1, sizeof *run);
        ck_assert_ptr_nonnull(run);
        run->random = (uint64_t)(i * PARTS + _i) * 104729 + 11;
        do
            run->preset = any_row(run, policy_preset_row);
        while (!is_for_all(run->preset));
        struct policy_config config = {.size = sizeof config};
        struct policy_error error = {0};
        ck_assert_int_eq(
            policy_config_init(&config, run->preset, tally_allocator(&run->tally), &error),
            POLICY_OK);
        compose(run, &config);
        if (policy_config_check(&config, &error) == POLICY_OK) {
            play(run, COMPOSED_STEPS);
            played++;
        } else {
            ck_assert_ptr_nonnull(strchr(error.message, ' '));
            ck_assert_ptr_null(policy_create(&config, &error));
            refused++;
        }
        free(run);
    }
    ck_assert_int_gt(played, 0);
    ck_assert_int_gt(refused, 0);
}
END_TEST

int main(void)
{
    int presets = 0;
    while (policy_preset_row((size_t)presets) != NULL)
        presets++;
    Suite *suite = suite_create("policy_kinds");
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 120); /* ends hanging runs */
    tcase_add_loop_test(tcase, every_job_runs_under_every_preset, 0, presets);
    tcase_add_loop_test(tcase, a_composition_is_refused_or_runs, 0, PARTS);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
