/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every kind of request under every placement: whole devices, shares, device memory, MIG instances,
 * CPU only, with labels, types and required racks, on nodes of all kinds, in presets with and
 * without quotas. Nothing may be allocated twice (quota_overfull() counts independently), gangs are
 * complete and inside their required rack, and after a decision no task is pending that would fit
 * somewhere: an index that missed a node would leave it idle.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/packing.h"
#include "tests/lib/quota_world.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 25, STEPS = 60, NODES = 10, MOST_JOBS = 20, RACK = 1, KIND = 2 };

static const struct preset {
    const char *name, *options;
} presets[] = {
    {"runai", "actions=allocate"},
    {"fifo", "blocking=skip"},
};

static const char *const placements[] = {
    "first-fit",       "best-fit",       "consolidated", "binpack",
    "spread",          "random",         "fgd-best-fit", "fgd",
    "fgd-exact",       "dot-product",    "gpu-packing",  "gpu-clustering",
    "least-allocated", "most-allocated", "topology",
};

struct run {
    struct quota_world world;
    struct tally tally;
    struct policy *p;
    uint64_t random, ranks;
};

static int32_t below(struct run *run, int32_t n)
{
    return (int32_t)(test_draw(&run->random) % (uint64_t)n);
}

/* ---- the cluster ---- */

static const int32_t profiles[][2] = {{1, 1}, {2, 2}, {3, 4}, {7, 8}};

static void tell_basis(struct run *run)
{
    const uint32_t level = RACK;
    uint32_t count;
    int64_t all;
    const struct policy_typical_task *typical = packing_typical(&count, &all);
    (void)policy_set_typical_tasks(run->p, 0, typical, count,
                                   all);                /* most placements do not need it */
    (void)policy_set_topology(run->p, 0, 1, &level, 1); /* lanes refuse it */
    for (uint32_t i = 0; i < ROWS(profiles); i++) {
        (void)policy_set_mig_profile(run->p, 0, i, profiles[i][0], profiles[i][1]);
        run->world.slices[i] = profiles[i][0];
        run->world.memory_slices[i] = profiles[i][1];
    }
}

/* Devices of 40 or 80 GB, so that memory in steps of 400 MiB is a whole number of thousandths as
 * well. */
static void add_nodes(struct run *run)
{
    static const int32_t instances[POLICY_MAX_PROFILES] = {3, 1, 1};
    for (uint32_t i = 0; i < NODES; i++) {
        struct quota_node *n = &run->world.nodes[i];
        n->exists = true;
        n->spec = core_node_spec(i * 3, (int32_t[]){8, 4, 2, 0, 1}[below(run, 5)]);
        n->spec.type = (uint32_t)below(run, 3);
        n->spec.mig = below(run, 3) > 0 ? POLICY_MIG_OFF : POLICY_MIG_SINGLE + below(run, 3);
        n->spec.mig_instances = n->spec.mig == POLICY_MIG_FIXED ? instances : NULL;
        n->spec.device_mem_mib = (int64_t[]){0, 40000, 80000}[below(run, 3)];
        n->spec.cpu_milli = below(run, 3) > 0 ? 1000 * (4 + below(run, 40)) : -1;
        n->spec.labels = n->labels;
        n->labels[n->spec.label_count++] = (struct policy_label){RACK, i / 3};
        n->labels[n->spec.label_count++] = (struct policy_label){KIND, (uint32_t)below(run, 2)};
        n->usable = n->spec.devices == 0 ? 0 : ~UINT64_C(0) >> (64 - n->spec.devices);
        ck_assert_uint_eq(policy_add_node(run->p, 0, &n->spec).i, i);
    }
}

static policy_queue add_queue(struct run *run)
{
    const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    struct quota_queue *q = &run->world.queues[0];
    q->exists = true;
    q->spec = (struct policy_queue_spec){
        .size = sizeof q->spec, .parent = {POLICY_NO_ID}, .gpu = all, .cpu = all, .mem = all};
    ck_assert_uint_eq(policy_add_queue(run->p, 0, &q->spec).i, 0);
    return (policy_queue){0};
}

/* ---- jobs ---- */

/* The auditor keeps what requests point to. */
// clang-format off
static const int32_t one_instance[][POLICY_MAX_PROFILES] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}};
// clang-format on
static const uint32_t values[] = {0, 1};
static const struct policy_term terms[] = {{KIND, 1, &values[0]}, {KIND, 1, &values[1]}};

static struct policy_request draw_request(struct run *run)
{
    struct policy_request r = {.cpu_milli = below(run, 2) * 1000 * below(run, 9)};
    switch (below(run, 5)) {
    case 0:
        r.devices = (int32_t[]){1, 1, 2, 4, 8}[below(run, 5)];
        break;
    case 1:
        r.devices = 1;
        r.device_milli = (int32_t[]){100, 250, 500, 700}[below(run, 4)];
        break;
    case 2:
        r.devices = 1;
        r.device_mem_mib = 400 * (1 + below(run, 100));
        break;
    case 3:
        r.mig = one_instance[below(run, ROWS(one_instance))];
        break;
    default:
        r.cpu_milli = 1000 * (1 + below(run, 12));
    }
    r.types = below(run, 4) == 0 ? 5 : 0;
    if (below(run, 5) == 0) {
        r.terms = &terms[below(run, ROWS(terms))];
        r.term_count = 1;
    }
    return r;
}

static void submit(struct run *run)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < QUOTA_JOBS; i++)
        live += run->world.jobs[i].life != QUOTA_NONE;
    if (live >= MOST_JOBS)
        return;
    struct policy_role role =
        core_role(below(run, 3) > 0 ? 1 : 1 + below(run, 4), draw_request(run));
    struct policy_job_spec spec = core_job_spec((policy_queue){0}, ++run->ranks, &role, 1);
    spec.preemptible = true;
    if (role.tasks > 1 && below(run, 2) == 0)
        spec.topology = (struct policy_constraint){1, below(run, 2), 1};
    policy_job id = policy_submit(run->p, run->world.now, &spec);
    if (id.i != POLICY_NO_ID) {
        quota_add_job(&run->world, id, &spec);
        run->world.jobs[id.i].life = QUOTA_LIVE;
    }
}

static void end_some(struct run *run)
{
    struct quota_job *job = &run->world.jobs[below(run, QUOTA_JOBS)];
    if (job->life != QUOTA_LIVE)
        return;
    if (job->task[0].state == QUOTA_RUNS)
        ck_assert_int_eq(
            policy_task_ended(run->p, run->world.now, job->id, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
            POLICY_OK);
    else if (below(run, 3) > 0)
        return;
    else
        ck_assert_int_eq(policy_cancel(run->p, run->world.now, job->id), POLICY_OK);
    job->life = QUOTA_NONE;
    for (uint32_t k = 0; k < job->tasks; k++)
        job->task[k].state = QUOTA_SUCCEEDED;
}

/* ---- what has to hold ---- */

static uint64_t untouched(const struct quota_world *w, uint32_t node)
{
    uint64_t free = w->nodes[node].usable;
    for (uint32_t i = 0; i < QUOTA_JOBS; i++)
        for (uint32_t k = 0; w->jobs[i].life == QUOTA_LIVE && k < w->jobs[i].tasks; k++)
            if (w->jobs[i].task[k].state == QUOTA_RUNS && w->jobs[i].task[k].node == node)
                free &= ~w->jobs[i].task[k].devices;
    return free;
}

/* Returns true if the node has room for the task on these devices. */
static bool has_room(struct quota_world *w, struct quota_task *t, uint32_t node, uint64_t devices)
{
    const struct quota_task before = *t;
    t->state = QUOTA_RUNS;
    t->node = node;
    t->devices = devices;
    bool room = quota_overfull(w, node, false) == NULL;
    *t = before;
    return room;
}

static bool fits_on(struct quota_world *w, struct quota_job *job, uint32_t node)
{
    const struct policy_request *r = &quota_role_of(job, 0)->request;
    uint64_t free = untouched(w, node);
    uint64_t chosen = 0;
    if (!quota_suits(w, job, r, node))
        return false;
    if (r->mig != NULL && w->nodes[node].spec.mig ==
                              POLICY_MIG_FREE) /* next to others it depends on their positions */
        return free != 0 && has_room(w, &job->task[0], node, free & (~free + 1));
    if (r->mig == NULL && quota_is_share(r)) {
        for (uint64_t rest = w->nodes[node].usable; rest != 0; rest &= rest - 1)
            if (has_room(w, &job->task[0], node, rest & (~rest + 1)))
                return true;
        return false;
    }
    for (int32_t i = 0; i < r->devices && free != 0; i++, free &= free - 1)
        chosen |= free & (~free + 1);
    return __builtin_popcountll(chosen) == r->devices && has_room(w, &job->task[0], node, chosen);
}

static void nobody_waits_who_has_room(struct run *run)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        struct quota_job *job = &run->world.jobs[i];
        for (uint32_t n = 0; job->life == QUOTA_LIVE && job->tasks == 1 && n < NODES; n++)
            QUOTA_CHECK(&run->world,
                        job->task[0].state == QUOTA_RUNS || !fits_on(&run->world, job, n),
                        "job %u waits, but fits on node %u", i, n);
    }
}

static void gangs_are_whole(struct run *run)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &run->world.jobs[i];
        for (uint32_t k = 1; job->life == QUOTA_LIVE && k < job->tasks; k++) {
            QUOTA_CHECK(&run->world, job->task[k].state == job->task[0].state,
                        "job %u runs in part", i);
            if (job->task[k].state == QUOTA_RUNS && job->spec.topology.required > 0)
                QUOTA_CHECK(&run->world, job->task[k].node / 3 == job->task[0].node / 3,
                            "job %u leaves its rack", i);
        }
    }
}

static void decide(struct run *run)
{
    size_t count;
    const struct policy_decision *d = policy_decide(run->p, run->world.now, &count);
    for (size_t i = 0; i < count; i++) {
        struct quota_job *job = &run->world.jobs[d[i].job.i];
        struct quota_task *t = &job->task[d[i].task];
        QUOTA_CHECK(&run->world,
                    d[i].kind == POLICY_START && job->life == QUOTA_LIVE &&
                        t->state == QUOTA_PENDING,
                    "decision of kind %d about job %u", d[i].kind, d[i].job.i);
        QUOTA_CHECK(
            &run->world,
            quota_suits(&run->world, job, &quota_role_of(job, d[i].task)->request, d[i].node.i),
            "job %u may not use node %u", d[i].job.i, d[i].node.i);
        t->state = QUOTA_RUNS;
        t->node = d[i].node.i;
        t->devices = d[i].devices;
    }
    for (uint32_t n = 0; n < NODES; n++) {
        const char *twice = quota_overfull(&run->world, n, false);
        QUOTA_CHECK(&run->world, twice == NULL, "%s of node %u is taken twice", twice, n);
    }
    gangs_are_whole(run);
    nobody_waits_who_has_room(run);
    core_is_sound(run->p);
}

START_TEST(whatever_fits_starts)
{
    const struct preset *preset = &presets[_i / ROWS(placements)];
    char options[80];
    (void)snprintf(options, sizeof options, "%s placement=%s", preset->options,
                   placements[_i % ROWS(placements)]);
    for (uint64_t seed = 0; seed < RUNS; seed += (uint64_t)harness_thin()) {
        struct run *run = calloc(1, sizeof *run);
        ck_assert_ptr_nonnull(run);
        run->random = seed * 1000 + (uint64_t)_i + 1;
        run->world.name = (struct quota_run_name){.seed = seed, .doing = options};
        run->p = core_create(&run->tally, preset->name, options);
        run->world.options.node_predicates = true;
        tell_basis(run);
        add_nodes(run);
        add_queue(run);
        for (int i = 0; i < STEPS; i++) {
            run->world.name.step++;
            run->world.now++;
            (below(run, 2) == 0 ? end_some : submit)(run);
            if (below(run, 3) > 0)
                decide(run);
        }
        core_destroy(run->p, &run->tally);
        free(run);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("placement_kinds");
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, whatever_fits_starts, 0, ROWS(presets) * ROWS(placements));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
