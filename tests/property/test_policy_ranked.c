/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random clusters, jobs and facts against ranked orders: every decision must equal that of the
 * naive twin, which ranks and divides from scratch each time, and all invariants must hold after
 * every fact. Evictions are answered at once or later, with more work left than before; jobs end,
 * fail to start, are cancelled, evicted by others; nodes drain, devices break. Seeds are fixed. If
 * lanes of several queues, or pool sets in one lane, overlap, a start leaves less for others, and
 * the consequences are decided with the next fact, but by the twin at once: there decisions only
 * need to be possible. Two of the policies are plugins: an order, and a whole policy that
 * reimplements the walk.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"
#include "tests/lib/ranked_twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 150, RUNS = 12, QUEUES = 3, NODES = 6 };

#define LATE (UINT64_C(1) << 40) /* turns of evicted jobs, above all ranks */

struct run {
    struct ranked_world w;
    struct ranked_answer expected;
    struct policy_decision starts[WORLD_JOBS * WORLD_TASKS];
    policy_job evicted[WORLD_JOBS * WORLD_TASKS]; /* in the last decision, by task */
    size_t evicted_count;
    struct tally tally;
    struct policy *p;
    bool whole; /* of the plugin: all queues share all nodes, evictions are answered at once */
    bool shares_nodes; /* lanes of several queues, or pool sets, overlap */
    uint64_t random, submitted, numbers;
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
    return run->w.now += chance(run, 60) ? below(run, 15) : 0;
}

/* ---- jobs ---- */

static void submit(struct run *run)
{
    static const int32_t sizes[] = {1, 1, 2, 2, 3, 4, 8};
    uint32_t live = 0;
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        live += run->w.world.jobs[i].state != WORLD_NONE;
    if (live > 20)
        return;
    struct policy_request r = core_devices(sizes[below(run, ROWS(sizes))]);
    if (chance(run, 15) && !run->w.world.counts)
        r = core_share(100 * (1 + below(run, 9)));
    if (chance(run, 15))
        r.cpu_milli = 1000 * below(run, 20);
    struct policy_role role = core_role(chance(run, 70) ? 1 : 2 + below(run, 2), r);
    uint32_t queue = (uint32_t)below(run, QUEUES);
    policy_time now = tick(run);
    struct policy_job_spec spec =
        core_job_spec((policy_queue){queue}, (uint32_t)(++run->submitted * 2654435761u), &role, 1);
    spec.submitted = now - below(run, 4);
    /* Equal jobs take turns if pending ones go first: their remaining time must grow with each
     * eviction. */
    spec.run_ms = chance(run, 10) && !run->w.waiting_first ? -1 : below(run, 60);
    spec.eligible = chance(run, 10) ? now + below(run, 30) : 0;
    spec.preemptible = chance(run, 85);
    policy_job id = policy_submit(run->p, now, &spec);
    ck_assert_uint_ne(id.i, POLICY_NO_ID);
    world_add_job(&run->w.world, id, &spec, 0, now);
    run->w.facts[id.i] = (struct ranked_fact){
        .remaining = spec.run_ms,
        .since = now,
        .submitted = spec.submitted,
        .entered = spec.eligible > spec.submitted ? spec.eligible : spec.submitted,
        .turn = spec.rank,
        .preemptible = spec.preemptible};
}

/* Any job in that state; NULL if there is none. */
static struct world_job *any(struct run *run, enum world_state state, bool leaving)
{
    uint32_t first = (uint32_t)below(run, WORLD_JOBS);
    for (uint32_t i = 0; i < WORLD_JOBS; i++) {
        struct world_job *job = &run->w.world.jobs[(first + i) % WORLD_JOBS];
        if (job->state == state && run->w.facts[job->id.i].leaving == leaving)
            return job;
    }
    return NULL;
}

static struct ranked_fact *fact_of(struct run *run, const struct world_job *job)
{
    return &run->w.facts[job->id.i];
}

/* Updates its service and remaining time to now. */
static void pause(struct run *run, const struct world_job *job)
{
    struct ranked_fact *f = fact_of(run, job);
    int64_t ran = run->w.now - f->since;
    f->attained += job->gpu_milli * ran;
    if (f->remaining >= 0)
        f->remaining = f->remaining > ran ? f->remaining - ran : 0;
    f->since = run->w.now;
}

static void end(struct run *run)
{
    struct world_job *job = any(run, WORLD_ACTIVE, false);
    if (job == NULL)
        return;
    int32_t outcome = chance(run, 80) ? POLICY_SUCCEEDED : POLICY_EVICTED; /* by the cluster */
    ck_assert_int_eq(policy_task_ended(run->p, tick(run), job->id, POLICY_ALL_TASKS, outcome),
                     POLICY_OK);
    pause(run, job);
    if (!world_end(&run->w.world, job, POLICY_ALL_TASKS, outcome)) {
        fact_of(run, job)->entered = run->w.now;
        fact_of(run, job)->turn = LATE + ++run->numbers;
    }
}

static void gone(struct run *run, struct world_job *job, policy_time now, int32_t outcome)
{
    struct ranked_fact *f = fact_of(run, job);
    ck_assert_int_eq(policy_task_ended(run->p, now, job->id, POLICY_ALL_TASKS, outcome), POLICY_OK);
    f->leaving = false;
    f->entered = now;
    f->turn = LATE + ++run->numbers;
    ck_assert_int_eq(world_end(&run->w.world, job, POLICY_ALL_TASKS, outcome),
                     outcome != POLICY_EVICTED);
}

/* An evicted job has stopped, with more work left than before. */
static void answer(struct run *run)
{
    struct world_job *job = any(run, WORLD_ACTIVE, true);
    if (job == NULL)
        return;
    struct ranked_fact *f = fact_of(run, job);
    policy_time now = tick(run);
    if (f->remaining >= 0) {
        f->remaining += 1 + below(run, 5);
        ck_assert_int_eq(policy_report_progress(run->p, now, job->id, f->remaining), POLICY_OK);
    }
    gone(run, job, now, chance(run, 10) ? POLICY_SUCCEEDED : POLICY_EVICTED);
}

static void report(struct run *run)
{
    struct world_job *job = any(run, chance(run, 50) ? WORLD_ACTIVE : WORLD_PENDING, false);
    if (job == NULL)
        return;
    int64_t left = below(run, 60);
    ck_assert_int_eq(policy_report_progress(run->p, tick(run), job->id, left), POLICY_OK);
    if (job->state == WORLD_ACTIVE)
        pause(run, job);
    fact_of(run, job)->remaining = left;
}

static void cancel(struct run *run)
{
    struct world_job *job = any(run, WORLD_PENDING, false);
    if (job == NULL)
        return;
    ck_assert_int_eq(policy_cancel(run->p, tick(run), job->id), POLICY_OK);
    job->state = WORLD_NONE;
}

static void fail_to_start(struct run *run)
{
    struct world_job *job = any(run, WORLD_ACTIVE, false);
    if (job == NULL)
        return;
    ck_assert_int_eq(policy_start_failed(run->p, tick(run), job->id), POLICY_OK);
    world_start_failed(&run->w.world, job);
}

/* ---- nodes ---- */

static void change_state(struct run *run)
{
    policy_node id = {(uint32_t)below(run, NODES)};
    int32_t state = chance(run, 70) ? POLICY_NODE_UP : below(run, 3);
    ck_assert_int_eq(policy_set_node_state(run->p, tick(run), id, state), POLICY_OK);
    run->w.world.nodes[id.i].state = state;
}

static void change_health(struct run *run)
{
    policy_node id = {(uint32_t)below(run, NODES)};
    struct world_node *n = &run->w.world.nodes[id.i];
    uint32_t device = (uint32_t)below(run, n->spec.devices);
    bool usable = chance(run, 70);
    ck_assert_int_eq(policy_set_device_health(run->p, tick(run), id, device, usable), POLICY_OK);
    n->usable = usable ? n->usable | UINT64_C(1) << device : n->usable & ~(UINT64_C(1) << device);
}

/* ---- deciding ---- */

static void as_the_twin(const struct run *run, const struct policy_decision *d, size_t count)
{
    for (size_t i = 0; i < count && i < run->expected.count; i++) {
        const struct ranked_step *step = &run->expected.steps[i];
        ck_assert_int_eq(d[i].kind, step->evicts ? POLICY_EVICT : POLICY_START);
        ck_assert_uint_eq(d[i].job.i, step->what.job);
        ck_assert_uint_eq(d[i].task, step->what.task);
        ck_assert_uint_eq(d[i].node.i, step->what.node);
        ck_assert_uint_eq(d[i].pool, step->what.pool);
        ck_assert_uint_eq(d[i].devices, step->what.devices);
    }
    ck_assert_uint_eq(count, run->expected.count);
}

static void carry_out(struct run *run, const struct policy_decision *d, size_t count)
{
    size_t starts = 0;
    for (size_t i = 0; i < count; i++) {
        struct ranked_fact *f = &run->w.facts[d[i].job.i];
        const struct world_job *job = &run->w.world.jobs[d[i].job.i];
        bool first = d[i].task == 0 || d[i].task == POLICY_ALL_TASKS;
        if (d[i].kind == POLICY_START) {
            run->starts[starts++] = d[i];
            f->since = run->w.now;
            f->started = first ? ++run->numbers : f->started;
            continue;
        }
        ck_assert_int_eq(d[i].reason, POLICY_REASON_OUTRANKED);
        ck_assert_int_eq(job->state, WORLD_ACTIVE);
        ck_assert(f->preemptible);
        ck_assert(f->leaving == !first);
        if (first)
            pause(run, job);
        f->leaving = true;
        run->evicted[run->evicted_count++] = d[i].job;
    }
    world_apply(&run->w.world, run->starts, starts);
}

/* Answers evictions: the jobs are being stopped. */
static void tell_releasing(struct run *run)
{
    while (run->evicted_count > 0)
        ck_assert_int_eq(policy_task_releasing(run->p, run->w.now,
                                               run->evicted[--run->evicted_count],
                                               POLICY_ALL_TASKS),
                         POLICY_OK);
}

/* Every pending job must be in the backlog under some reason. */
static void backlog_is_whole(struct run *run)
{
    for (uint32_t q = 0; q < QUEUES; q++) {
        struct policy_backlog backlog;
        ck_assert_int_eq(policy_backlog(run->p, (policy_queue){q}, &backlog), POLICY_OK);
        uint64_t jobs = 0;
        for (uint32_t i = 0; i < WORLD_JOBS; i++) {
            const struct world_job *job = &run->w.world.jobs[i];
            jobs += (job->state == WORLD_PENDING || job->state == WORLD_HELD) &&
                    run->w.world.queues[job->queue].pools == run->w.world.queues[q].pools;
        }
        for (int32_t reason = 0; reason < POLICY_REASONS; reason++)
            jobs -= backlog.jobs[reason];
        ck_assert_uint_eq(jobs, 0);
    }
}

static void explain(struct run *run)
{
    const struct world_job *job = any(run, WORLD_PENDING, false);
    struct policy_explanation why = {.size = sizeof why};
    if (job == NULL)
        return;
    ck_assert_int_eq(policy_explain(run->p, job->id, &why), POLICY_OK);
    ck_assert_int_ne(why.reason, POLICY_REASON_NONE);
}

/* If the core sees no reason to decide, the twin must not decide anything either. */
static void decide_at(struct run *run, policy_time now)
{
    if (run->w.waiting_first)
        now = ++run->w.now; /* so that started jobs have less left than equal pending ones */
    bool asked = policy_has_work(run->p) || policy_next_wakeup(run->p) <= now;
    world_release_held(&run->w.world, now);
    ranked_twin_decide(&run->w, &run->expected);
    size_t count;
    const struct policy_decision *d = policy_decide(run->p, now, &count);
    ck_assert_int_eq(policy_last_error(run->p)->status, POLICY_OK);
    ck_assert_msg(count == 0 || asked, "decisions without anything new");
    if (!run->shares_nodes)
        as_the_twin(run, d, count);
    carry_out(run, d, count);
    ck_assert(!policy_has_work(run->p));
    ck_assert_msg(policy_next_wakeup(run->p) > now, "it would wake up at once");
    backlog_is_whole(run);
    if (!run->whole)
        tell_releasing(run);
}

static void decide(struct run *run)
{
    decide_at(run, tick(run));
    while (run->evicted_count > 0) {
        for (struct world_job *job = any(run, WORLD_ACTIVE, true); job != NULL;
             job = any(run, WORLD_ACTIVE, true))
            gone(run, job, run->w.now, POLICY_EVICTED);
        run->evicted_count = 0;
        decide_at(run, run->w.now);
    }
}

/* ---- runs ---- */

static const char *const placements[] = {"best-fit", "count", "consolidated"};

static int64_t remaining(void *self, const struct policy_plugin_job *job, policy_time now)
{
    (void)self, (void)now;
    return job->remaining_ms;
}
static const struct policy_plugin remaining_plugin = {POLICY_PLUGIN_HEAD("remaining", "as srtf"),
                                                      .rank = remaining};

static const struct {
    int32_t weight;
    void (*step)(struct run *);
} steps[] = {
    {30, submit}, {40, decide},       {14, end},         {24, answer},       {4, report},
    {3, cancel},  {2, fail_to_start}, {3, change_state}, {3, change_health}, {3, explain},
};

static void step(struct run *run)
{
    int32_t total = 0;
    for (int i = 0; i < ROWS(steps); i++)
        total += steps[i].weight;
    int32_t chosen = below(run, total);
    int i = 0;
    while ((chosen -= steps[i].weight) >= 0)
        i++;
    steps[i].step(run);
    core_is_sound(run->p);
}

static const struct {
    const char *preset, *options;
    enum ranked_order order;
    bool waiting_first;
    int64_t thresholds[POLICY_MAX_THRESHOLDS];
    const struct policy_plugin *plugin; /* instead of the preset, or NULL */
} lines[] = {
    {"srtf", "", RANKED_REMAINING, false, {0}, NULL},
    {"srtf", "ties=waiting", RANKED_REMAINING, true, {0}, NULL},
    {"srtf", "order=remaining-gpu", RANKED_REMAINING_GPU, false, {0}, NULL},
    {"las", "threshold_gpu_s=0.02", RANKED_ATTAINED, false, {20000}, NULL},
    {"las", "threshold_gpu_s=0.02,0.06,0.2", RANKED_ATTAINED, false, {20000, 60000, 200000}, NULL},
    {NULL, "", RANKED_REMAINING, false, {0}, &remaining_plugin},
    {NULL, "", RANKED_REMAINING_GPU, false, {0}, &researcher_plugin},
};

static struct policy *create(struct run *run, int line, int variant)
{
    const struct policy_plugin *plugin = lines[line].plugin;
    bool whole =
        plugin != NULL && plugin->decide != NULL; /* counts nothing, and considers all queues */
    char options[128];
    run->w.placement = placements[whole && variant % 3 == 1 ? 0 : variant % 3];
    run->w.world.counts = strcmp(run->w.placement, "count") == 0;
    run->w.world.by_queue = variant / 3 == 1 && !whole;
    (void)snprintf(options, sizeof options, "%s placement=%s%s", lines[line].options,
                   run->w.placement,
                   whole                   ? ""
                   : run->w.world.by_queue ? " scope=queue"
                                           : " scope=fleet");
    return plugin != NULL ? plugin_create(&run->tally, plugin, options)
                          : core_create(&run->tally, lines[line].preset, options);
}

static void build(struct run *run)
{
    uint64_t sharing = run->whole ? 0 : run->random % 4;
    for (uint32_t q = 0; q < QUEUES; q++) {
        static const uint32_t sets[4][QUEUES] = {{15, 15, 15}, {1, 2, 12}, {3, 12, 15}, {3, 6, 1}};
        uint32_t set = sets[sharing][q];
        uint32_t pools[WORLD_POOLS];
        uint32_t count = 0;
        for (uint32_t pool = 0; pool < WORLD_POOLS; pool++)
            if ((set >> pool & 1) != 0)
                pools[count++] = pool;
        core_queue(run->p, pools, count);
        run->w.world.queues[q] = (struct world_queue){.exists = true, .pools = set};
        run->shares_nodes = sharing > 1 || (run->w.world.by_queue && sharing == 0);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec spec = core_node_spec((i * 7 + 3) % 31, i % 3 == 0 ? 8 : 4);
        spec.pool = i % WORLD_POOLS;
        spec.cpu_milli = 32000;
        world_add_node(&run->w.world, policy_add_node(run->p, 0, &spec), &spec);
    }
}

static void whole_run(int line, int variant, uint64_t seed)
{
    struct run *run = calloc(1, sizeof *run);
    ck_assert_ptr_nonnull(run);
    run->random = seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)variant;
    run->w.order = lines[line].order;
    run->w.waiting_first = lines[line].waiting_first;
    memcpy(run->w.thresholds, lines[line].thresholds, sizeof run->w.thresholds);
    run->p = create(run, line, variant);
    run->whole = lines[line].plugin == &researcher_plugin;
    build(run);
    for (int i = 0; i < STEPS; i++)
        step(run);
    core_destroy(run->p, &run->tally);
    free(run);
}

START_TEST(decisions_are_those_of_the_twin)
{
    int thin = harness_thin() < RUNS ? harness_thin() : RUNS;
    for (int i = 0; i < RUNS; i += thin)
        whole_run(_i / 6, _i % 6, (uint64_t)i + 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_ranked");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, decisions_are_those_of_the_twin, 0, ROWS(lines) * 6);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
