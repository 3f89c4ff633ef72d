/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random clusters, jobs and facts against every order, placement, scope and blocking. After each
 * decision an auditor that only knows facts and decisions (tests/lib/world.h) carries it out and
 * rejects anything impossible; where the naive twin knows the placement, decisions must equal the
 * twin's exactly. Seeds are fixed.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/packing.h"
#include "tests/lib/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 80, RUNS = 10, BLOCKS = 4 };

struct run {
    struct world world;
    struct twin_answer expected;
    struct tally tally;
    struct policy *p;
    const char *placement;
    bool shortest_first;
    bool wild;      /* gangs of any mixture, for which greedy filling is not exact: no twin */
    bool backfills; /* jobs may be backfilled; the rules for that are tested elsewhere */
    policy_time now;
    uint64_t random, submitted;
};

static uint64_t draw(struct run *run)
{
    return test_draw(&run->random);
}

static int32_t below(struct run *run, int32_t n)
{
    return (int32_t)(draw(run) % (uint64_t)n);
}

static bool chance(struct run *run, int32_t percent)
{
    return below(run, 100) < percent;
}

static policy_time tick(struct run *run)
{
    return run->now += chance(run, 50) ? below(run, 40) : 0;
}

/* ---- the cluster ---- */

/* Label keys, and the labels of a node: none, or its pod and rack; racks of two pods may have the
 * same name. */
enum { POD_LABEL = 3, RACK_LABEL = 8 };

static void label(struct run *run, struct policy_node_spec *spec)
{
    static const struct policy_label racks[][2] = {
        {{POD_LABEL, 1}, {RACK_LABEL, 5}},
        {{POD_LABEL, 1}, {RACK_LABEL, 6}},
        {{POD_LABEL, 2}, {RACK_LABEL, 4}},
        {{POD_LABEL, 2}, {RACK_LABEL, 5}},
    };
    if (strcmp(run->placement, "topology") != 0 || chance(run, 15))
        return;
    spec->labels = racks[below(run, ROWS(racks))];
    spec->label_count = 2;
}

static void add_node(struct run *run)
{
    static const int32_t sizes[] = {0, 1, 2, 4, 8, 8, 8, 16};
    uint32_t exist = 0;
    for (uint32_t i = 0; i < WORLD_NODES; i++)
        exist += run->world.nodes[i].exists;
    if (exist == WORLD_NODES)
        return;
    struct policy_node_spec spec =
        core_node_spec((uint32_t)below(run, 5000), sizes[below(run, ROWS(sizes))]);
    spec.type = (uint32_t)below(run, 3);
    spec.pool = (uint32_t)below(run, WORLD_POOLS);
    if (chance(run, 50))
        spec.cpu_milli = 1000 * below(run, 64);
    if (chance(run, 50))
        spec.mem_mib = 1000 * below(run, 64);
    if (chance(run, 20))
        spec.max_tasks = below(run, 6);
    label(run, &spec);
    bool taken = false;
    for (uint32_t i = 0; i < WORLD_NODES; i++)
        taken |= run->world.nodes[i].exists && run->world.nodes[i].spec.rank == spec.rank;
    policy_node node = policy_add_node(run->p, tick(run), &spec);
    ck_assert_int_eq(node.i == POLICY_NO_ID, taken);
    if (!taken)
        world_add_node(&run->world, node, &spec);
}

static struct world_node *any_node(struct run *run, policy_node *id)
{
    id->i = (uint32_t)below(run, WORLD_NODES);
    return &run->world.nodes[id->i];
}

static void remove_node(struct run *run)
{
    policy_node id;
    struct world_node *n = any_node(run, &id);
    int expected = !n->exists ? POLICY_UNKNOWN : n->tasks > 0 ? POLICY_CONFLICT : POLICY_OK;
    ck_assert_int_eq(policy_remove_node(run->p, tick(run), id), expected);
    if (expected == POLICY_OK)
        n->exists = false;
}

static void change_state(struct run *run)
{
    policy_node id;
    struct world_node *n = any_node(run, &id);
    int32_t state = chance(run, 60) ? POLICY_NODE_UP : below(run, 3);
    int expected = n->exists ? POLICY_OK : POLICY_UNKNOWN;
    ck_assert_int_eq(policy_set_node_state(run->p, tick(run), id, state), expected);
    if (expected == POLICY_OK)
        n->state = state;
}

static void change_health(struct run *run)
{
    policy_node id;
    struct world_node *n = any_node(run, &id);
    uint32_t device = (uint32_t)below(run, 16);
    bool usable = chance(run, 60);
    int expected = n->exists && (int32_t)device < n->spec.devices ? POLICY_OK : POLICY_UNKNOWN;
    ck_assert_int_eq(policy_set_device_health(run->p, tick(run), id, device, usable), expected);
    if (expected == POLICY_OK && usable)
        n->usable |= UINT64_C(1) << device;
    else if (expected == POLICY_OK)
        n->usable &= ~(UINT64_C(1) << device);
}

static void add_queue(struct run *run)
{
    uint32_t id = 0;
    while (id < WORLD_QUEUES && run->world.queues[id].exists)
        id++;
    if (id == WORLD_QUEUES)
        return;
    uint32_t pools[WORLD_POOLS];
    uint32_t count = 0;
    uint32_t set = chance(run, 40) ? 0 : (uint32_t)below(run, 1 << WORLD_POOLS);
    for (uint32_t pool = 0; pool < WORLD_POOLS; pool++)
        if ((set >> pool & 1) != 0)
            pools[count++] = pool;
    struct policy_queue_spec spec = {
        .size = sizeof spec, .parent = {POLICY_NO_ID}, .pools = pools, .pool_count = count};
    ck_assert_uint_eq(policy_add_queue(run->p, tick(run), &spec).i, id);
    run->world.queues[id] =
        (struct world_queue){.exists = true, .pools = set == 0 ? UINT32_MAX : set};
}

static void remove_queue(struct run *run)
{
    uint32_t id = (uint32_t)below(run, WORLD_QUEUES);
    bool used = false;
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        used |= run->world.jobs[i].state != WORLD_NONE && run->world.jobs[i].queue == id;
    int expected = !run->world.queues[id].exists ? POLICY_UNKNOWN
                   : used                        ? POLICY_CONFLICT
                                                 : POLICY_OK;
    ck_assert_int_eq(policy_remove_queue(run->p, tick(run), (policy_queue){id}), expected);
    if (expected == POLICY_OK)
        run->world.queues[id].exists = false;
}

/* ---- jobs ---- */

static struct policy_request any_request(struct run *run)
{
    static const int32_t sizes[] = {1, 1, 2, 3, 4, 8, 8, 16};
    static const uint64_t types[] = {0, 0, 0, 1, 2, 5};
    struct policy_request r = {.types = types[below(run, ROWS(types))]};
    int32_t kind = below(run, 10);
    if (kind < 6 || run->world.counts)
        r.devices = sizes[below(run, ROWS(sizes))];
    else if (kind < 9)
        r = (struct policy_request){
            .devices = 1, .device_milli = 50 * (1 + below(run, 20)), .types = r.types};
    if (run->world.counts)
        r.types = 0; /* counting ignores types */
    if (chance(run, 40))
        r.cpu_milli = 500 * below(run, 20);
    if (chance(run, 40))
        r.mem_mib = 500 * below(run, 20);
    return r;
}

/* A smaller task: it requests at most as much as the other in every respect. */
static struct policy_request remainder_of(struct run *run, const struct policy_request *r)
{
    struct policy_request smaller = *r;
    smaller.devices = 1 + below(run, r->devices - 1);
    if (chance(run, 30)) {
        smaller.devices = 1;
        smaller.device_milli = 50 * (1 + below(run, 20));
    }
    smaller.cpu_milli = r->cpu_milli > 0 ? below(run, (int32_t)r->cpu_milli) : 0;
    return smaller;
}

static uint32_t any_roles(struct run *run, struct policy_role roles[WORLD_ROLES])
{
    struct policy_request r = any_request(run);
    if (run->wild) {
        uint32_t count = 1 + (uint32_t)below(run, WORLD_ROLES);
        for (uint32_t i = 0; i < count; i++)
            roles[i] = core_role(1 + below(run, 4), any_request(run));
        return count;
    }
    if (chance(run, 10) && !run->world.counts) { /* shares of several devices, in one task */
        r.devices = 2 + below(run, 2);
        r.device_milli = 100 * (1 + below(run, 9));
        roles[0] = core_role(1, r);
        return 1;
    }
    roles[0] = core_role(chance(run, 60) ? 1 : 2 + below(run, 4), r);
    if (r.devices < 2 || world_milli(&r) < POLICY_WHOLE || chance(run, 50))
        return 1;
    roles[1] = core_role(1, remainder_of(run, &r));
    return 2;
}

static void submit(struct run *run)
{
    uint32_t queue = (uint32_t)below(run, WORLD_QUEUES);
    uint32_t live = 0;
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        live += run->world.jobs[i].state != WORLD_NONE;
    if (live == WORLD_JOBS)
        return;
    struct policy_role roles[WORLD_ROLES];
    struct policy_job_spec spec =
        core_job_spec((policy_queue){queue}, 0, roles, any_roles(run, roles));
    policy_time now = tick(run);
    spec.rank = (uint32_t)(++run->submitted * 2654435761u); /* unique, unordered */
    spec.submitted = now - below(run, 30);
    spec.run_ms = chance(run, 10) ? -1 : below(run, 10);
    spec.limit_ms = chance(run, 20) ? -1 : below(run, 200);
    spec.eligible = chance(run, 20) ? now + below(run, 100) : 0;
    policy_job job = policy_submit(run->p, now, &spec);
    ck_assert_int_eq(job.i != POLICY_NO_ID, run->world.queues[queue].exists);
    if (job.i == POLICY_NO_ID)
        return;
    int64_t key = !run->shortest_first ? spec.submitted : spec.run_ms < 0 ? INT64_MAX : spec.run_ms;
    world_add_job(&run->world, job, &spec, key, now);
}

static struct world_job *any_job(struct run *run)
{
    uint32_t first = (uint32_t)below(run, WORLD_JOBS);
    for (uint32_t i = 0; i < WORLD_JOBS; i++) {
        struct world_job *job = &run->world.jobs[(first + i) % WORLD_JOBS];
        if (job->state != WORLD_NONE)
            return job;
    }
    return NULL;
}

static void cancel(struct run *run)
{
    struct world_job *job = any_job(run);
    if (job == NULL)
        return;
    bool waits = job->state != WORLD_ACTIVE;
    ck_assert_int_eq(policy_cancel(run->p, tick(run), job->id),
                     waits ? POLICY_OK : POLICY_CONFLICT);
    if (!waits)
        return;
    job->state = WORLD_NONE;
    ck_assert_int_eq(policy_cancel(run->p, run->now, job->id), POLICY_UNKNOWN);
}

static void end(struct run *run)
{
    struct world_job *job = any_job(run);
    if (job == NULL)
        return;
    uint32_t task = chance(run, 60) || job->counted ? POLICY_ALL_TASKS
                                                    : (uint32_t)below(run, (int32_t)job->tasks);
    int32_t outcome = chance(run, 70) ? POLICY_SUCCEEDED : below(run, 3);
    bool runs = job->state == WORLD_ACTIVE && (task == POLICY_ALL_TASKS || job->task[task].holds);
    int status = policy_task_ended(run->p, tick(run), job->id, task, outcome);
    ck_assert_int_eq(status, runs ? POLICY_OK : POLICY_CONFLICT);
    if (runs && world_end(&run->world, job, task, outcome))
        ck_assert_int_eq(policy_task_ended(run->p, run->now, job->id, task, outcome),
                         POLICY_UNKNOWN);
}

static void start_report(struct run *run)
{
    struct world_job *job = any_job(run);
    if (job == NULL)
        return;
    int expected = job->state == WORLD_ACTIVE ? POLICY_OK : POLICY_CONFLICT;
    if (chance(run, 50)) {
        ck_assert_int_eq(policy_task_started(run->p, tick(run), job->id, POLICY_ALL_TASKS),
                         expected);
        return;
    }
    ck_assert_int_eq(policy_start_failed(run->p, tick(run), job->id), expected);
    if (expected == POLICY_OK)
        world_start_failed(&run->world, job);
}

/* A task started by someone else: any devices with room will do, healthy or not, on a node in any
 * state. */
static void found_running(struct run *run)
{
    struct world_job *job = any_job(run);
    policy_node id;
    struct world_node *n = any_node(run, &id);
    if (job == NULL || job->state == WORLD_ACTIVE || job->tasks != 1 || run->world.counts ||
        !n->exists)
        return;
    struct world_node lenient = *n;
    lenient.state = POLICY_NODE_UP;
    lenient.usable = n->spec.devices == 0 ? 0 : ~UINT64_C(0) >> (64 - n->spec.devices);
    struct policy_request r = *world_request(job, 0);
    r.types = 0;
    bool possible = world_fits(&lenient, &r);
    uint64_t devices = possible ? world_devices(&lenient, &r) : r.devices == 0 ? 0 : lenient.usable;
    int status = policy_task_running(run->p, tick(run), job->id, 0, id, devices, run->now);
    ck_assert_int_eq(status == POLICY_OK, possible);
    if (!possible)
        return;
    job->state = WORLD_ACTIVE;
    world_hold(&run->world, job, 0, id.i, devices, 1);
}

static void nonsense(struct run *run)
{
    size_t count;
    ck_assert_ptr_null(policy_decide(run->p, -1, &count));
    ck_assert_int_eq(policy_last_error(run->p)->status, POLICY_TIME_BACK);
    struct world_job *job = any_job(run);
    if (job == NULL)
        return;
    policy_job stale = {job->id.i, job->id.gen + 1};
    ck_assert_int_eq(policy_cancel(run->p, run->now, stale), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_task_ended(run->p, -1, job->id, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     job->state == WORLD_ACTIVE ? POLICY_TIME_BACK : POLICY_CONFLICT);
    core_is_sound(run->p);
}

/* ---- questions ---- */

static void explain(struct run *run)
{
    const struct world_job *job = any_job(run);
    struct policy_explanation why = {.size = sizeof why};
    if (job == NULL)
        return;
    ck_assert_int_eq(policy_explain(run->p, job->id, &why), POLICY_OK);
    ck_assert_int_eq(why.wanted_milli, job->gpu_milli);
    ck_assert_int_eq(why.reason == POLICY_REASON_NONE, job->state == WORLD_ACTIVE);
    ck_assert_int_eq(why.reason == POLICY_REASON_NOT_ELIGIBLE, job->state == WORLD_HELD);
    core_is_sound(run->p);
}

/* All pending jobs of the queues with the same pools must be in the backlog under some reason. */
static void backlog_is_whole(struct run *run)
{
    for (uint32_t q = 0; q < WORLD_QUEUES; q++) {
        struct policy_backlog backlog;
        if (!run->world.queues[q].exists)
            continue;
        ck_assert_int_eq(policy_backlog(run->p, (policy_queue){q}, &backlog), POLICY_OK);
        uint64_t jobs = 0;
        for (uint32_t i = 0; i < WORLD_JOBS; i++) {
            const struct world_job *job = &run->world.jobs[i];
            jobs += (job->state == WORLD_PENDING || job->state == WORLD_HELD) &&
                    run->world.queues[job->queue].pools == run->world.queues[q].pools;
        }
        for (int32_t reason = 0; reason < POLICY_REASONS; reason++)
            jobs -= backlog.jobs[reason];
        ck_assert_uint_eq(jobs, 0);
    }
}

static void wakeup_is_known(struct run *run)
{
    policy_time next = INT64_MAX;
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        if (run->world.jobs[i].state == WORLD_HELD && run->world.jobs[i].eligible < next)
            next = run->world.jobs[i].eligible;
    ck_assert_int_eq(policy_next_wakeup(run->p), next);
}

/* ---- deciding ---- */

static void as_the_twin(const struct run *run, const struct policy_decision *d, size_t count)
{
    const struct twin_answer *twin = &run->expected;
    for (size_t i = 0; i < count && i < twin->count; i++) {
        ck_assert_uint_eq(d[i].job.i, twin->starts[i].job);
        ck_assert_uint_eq(d[i].task, twin->starts[i].task);
        ck_assert_uint_eq(d[i].node.i, twin->starts[i].node);
        ck_assert_uint_eq(d[i].pool, twin->starts[i].pool);
        ck_assert_uint_eq(d[i].devices, twin->starts[i].devices);
    }
    ck_assert_uint_eq(count, twin->count);
}

/* Checks that no single-task job was left pending that had its turn and would fit. */
static void nobody_was_forgotten(const struct run *run, bool had_turn, const struct world_job *job)
{
    if (!had_turn || job->tasks != 1 || run->world.counts)
        return;
    for (uint32_t i = 0; i < WORLD_NODES; i++)
        ck_assert_msg(!world_uses(&run->world, job->queue, run->world.nodes[i].spec.pool) ||
                          !world_fits(&run->world.nodes[i], world_request(job, 0)),
                      "job %u fits node %u and was not started", job->id.i, i);
}

/* Without a twin: with strict blocking no job overtakes, and every job that had its turn and fits
 * was started. */
static void order_was_kept(const struct run *run, const struct policy_decision *d, size_t count)
{
    const struct world *w = &run->world;
    for (uint32_t lane = 0; lane < (w->by_queue ? WORLD_QUEUES : 1); lane++) {
        const struct world_job *first = NULL;
        for (uint32_t i = 0; i < WORLD_JOBS; i++) {
            const struct world_job *job = &w->jobs[i];
            if (job->state != WORLD_PENDING || (w->by_queue && job->queue != lane) ||
                !world_ever_fits(w, job))
                continue;
            nobody_was_forgotten(run, !w->strict, job);
            if (first == NULL || world_before(job, first))
                first = job;
        }
        if (first == NULL || !w->strict)
            continue;
        nobody_was_forgotten(run, true, first);
        for (size_t i = 0; i < count; i++)
            if (!w->by_queue || w->jobs[d[i].job.i].queue == lane)
                ck_assert_msg(world_before(&w->jobs[d[i].job.i], first), "job %u overtook job %u",
                              d[i].job.i, first->id.i);
    }
}

static void decide(struct run *run)
{
    policy_time now = tick(run);
    bool due = policy_next_wakeup(run->p) <= now;
    bool work = policy_has_work(run->p);
    bool twin = !run->wild && twin_knows(run->placement);
    world_release_held(&run->world, now);
    if (twin)
        twin_decide(&run->world, run->placement, &run->expected);
    size_t count;
    const struct policy_decision *d = policy_decide(run->p, now, &count);
    ck_assert_int_eq(policy_last_error(run->p)->status, POLICY_OK);
    ck_assert_msg(count == 0 || work || due, "decisions without anything new");
    if (twin)
        as_the_twin(run, d, count);
    world_apply(&run->world, d, count);
    if (!run->backfills)
        order_was_kept(run, d, count);
    core_is_sound(run->p);
    ck_assert(!policy_has_work(run->p));
    backlog_is_whole(run);
    wakeup_is_known(run);
}

/* ---- runs ---- */

static const struct {
    int32_t weight;
    void (*step)(struct run *);
} steps[] = {
    {30, submit},       {22, decide},      {16, end},          {4, start_report}, {4, cancel},
    {4, found_running}, {5, change_state}, {5, change_health}, {3, remove_queue}, {3, add_queue},
    {2, explain},       {1, nonsense},     {3, add_node},      {2, remove_node},
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
}

/* Refused if the placement does not use it. */
static void tell_workload(struct run *run)
{
    uint32_t count;
    int64_t all;
    const struct policy_typical_task *typical = packing_typical(&count, &all);
    bool wanted =
        strncmp(run->placement, "fgd", 3) == 0 && strcmp(run->placement, "fgd-best-fit") != 0;
    ck_assert_int_eq(policy_set_typical_tasks(run->p, 0, typical, count, all),
                     wanted ? POLICY_OK : POLICY_UNSUPPORTED);
}

/* Node labels are racks in pods. If the placement does not use them, nothing depends on them. */
static void tell_topology(struct run *run)
{
    static const uint32_t levels[] = {POD_LABEL, RACK_LABEL};
    int status = policy_set_topology(run->p, 0, 1, levels, 2);
    ck_assert(status == POLICY_OK ||
              (status == POLICY_UNSUPPORTED && strcmp(run->placement, "topology") != 0));
}

static void whole_run(int combination, uint64_t seed)
{
    static const char *const orders[] = {"fifo", "sjf"};
    static const char *const scopes[] = {"fleet", "queue"};
    static const char *const blockings[] = {"strict", "skip"};
    struct run *run = calloc(1, sizeof *run);
    ck_assert_ptr_nonnull(run);
    run->placement = policy_placement_row((size_t)combination / 8)->name;
    run->random = seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)combination;
    run->shortest_first = (combination & 1) != 0;
    run->wild = seed % 4 == 3;
    run->world.by_queue = (combination & 2) != 0;
    run->world.strict = (combination & 4) == 0;
    run->backfills = run->wild && run->world.strict && seed % 8 == 3;
    run->world.counts = strcmp(run->placement, "count") == 0;
    char options[128];
    (void)snprintf(options, sizeof options,
                   "order=%s placement=%s scope=%s blocking=%s backfilling=%s",
                   orders[combination & 1], run->placement, scopes[combination >> 1 & 1],
                   blockings[combination >> 2 & 1],
                   !run->backfills  ? "none"
                   : seed % 16 == 3 ? "easy"
                                    : "conservative");
    run->p = core_create(&run->tally, "fifo", options);
    tell_workload(run);
    tell_topology(run);
    for (int i = below(run, 3); i >= 0; i--)
        add_queue(run);
    for (int i = below(run, 12); i >= 0; i--)
        add_node(run);
    for (int i = 0; i < STEPS; i++)
        step(run);
    decide(run);
    core_destroy(run->p, &run->tally);
    free(run);
}

static int combinations(void)
{
    int placements = 0;
    while (policy_placement_row((size_t)placements) != NULL)
        placements++;
    return placements * 8;
}

START_TEST(decisions_are_possible_and_those_of_the_twin)
{
    int block = _i % BLOCKS;
    int thin = harness_thin() < RUNS ? harness_thin() : RUNS;
    for (int i = _i % thin; i < RUNS; i += thin)
        whole_run(_i / BLOCKS, (uint64_t)(block * RUNS + i));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_random");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, decisions_are_possible_and_those_of_the_twin, 0,
                        combinations() * BLOCKS);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
