/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches for victims that go straight to the wanted ones (policies/act/victims/wanted.h) and skip
 * trials that would fail (bounds.h), against searches that take every victim of the walk in turn
 * and try everything: four leaf queues on a full fleet, siblings or below departments, gangs and
 * small jobs, and one queue far above its share. Both get the same facts and must decide the same,
 * byte for byte.
 */
#include "state/engine.h"
#include "state/state.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

enum { DEVICES = 8, QUEUES = 4, STEPS = 300, MOST = 4096, MOST_DECISIONS = 2048 };

/* Sizes of jobs: `devices` of each task are drawn from these, jobs that want whole nodes have 1, 2
 * .. most_tasks tasks. */
struct mix {
    uint32_t nodes;
    int32_t devices[8];
    uint32_t most_tasks;
    bool cpus; /* some tasks request CPU as well, or nothing else, and some nodes have less of it */
};

/* Mostly small jobs, and gangs on whole nodes, which must find victims on several. */
static const struct mix small_jobs = {14, {1, 1, 1, 2, 2, 4, 8, 8}, 4, false};

/* Mostly such gangs: searches meet many that are alike (act/victims/alike.h). */
static const struct mix gangs = {40, {1, 2, 4, 8, 8, 8, 8, 8}, 8, false};
static const struct mix gangs_and_cpus = {40, {0, 1, 2, 8, 8, 8, 8, 8}, 8, true};

struct member {
    int32_t tasks, running;
};

struct world {
    const struct mix *mix;
    struct tally tally[2];
    struct policy *fast, *naive;
    policy_queue queues[QUEUES];
    struct member members[MOST];
    policy_job ids[MOST];
    struct policy_decision decided[MOST_DECISIONS];
    struct policy_decision leaving[MOST_DECISIONS]; /* evictions that last until the next step */
    uint32_t count, leaving_count;
    uint64_t random;
    policy_time now;
    uint32_t told; /* decisions in which a search knew its victims directly */
};

static uint32_t draw(struct world *w, uint32_t below)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(w->random >> 33) % below;
}

/* The queue tree: flat, two departments, or three levels. */
enum { FLAT, DEPARTMENTS, UNEVEN, TREES };

/* A queue with a share of that many of the four leaf queues. */
static policy_queue add_queue(const struct world *w, struct policy *p, policy_queue parent,
                              uint32_t rank, int64_t leaves)
{
    const struct policy_share open = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    int64_t quota = (int64_t)w->mix->nodes * DEVICES * POLICY_WHOLE / QUEUES * leaves;
    const struct policy_queue_spec spec = {.size = sizeof spec,
                                           .parent = parent,
                                           .priority = 100,
                                           .rank = rank,
                                           .gpu = {quota, POLICY_UNLIMITED, quota},
                                           .cpu = open,
                                           .mem = open,
                                           .preempt_min_runtime_ms = POLICY_INHERIT,
                                           .reclaim_min_runtime_ms = POLICY_INHERIT};
    policy_queue q = policy_add_queue(p, 0, &spec);
    ck_assert_uint_ne(q.i, POLICY_NO_ID);
    return q;
}

static void add_queues(struct world *w, struct policy *p, int tree)
{
    const policy_queue root = {POLICY_NO_ID};
    policy_queue above[QUEUES] = {root, root, root, root};
    if (tree == DEPARTMENTS) {
        above[0] = above[1] = add_queue(w, p, root, QUEUES, 2);
        above[2] = above[3] = add_queue(w, p, root, QUEUES + 1, 2);
    } else if (tree == UNEVEN) {
        above[0] = add_queue(w, p, root, QUEUES, 3);
        above[1] = above[2] = add_queue(w, p, above[0], QUEUES + 1, 2);
    }
    for (uint32_t q = 0; q < QUEUES; q++)
        w->queues[q] = add_queue(w, p, above[q], q, 1);
}

static void add_fleet(struct policy *p, const struct mix *mix)
{
    for (uint32_t i = 0; i < mix->nodes; i++) {
        const struct policy_node_spec spec = {.size = sizeof spec,
                                              .devices = DEVICES,
                                              .rank = i,
                                              .max_tasks = 110,
                                              .cpu_milli = mix->cpus && i % 8 == 7 ? 64000 : 112000,
                                              .mem_mib = 2097152,
                                              .device_mem_mib = 81920};
        ck_assert_uint_ne(policy_add_node(p, 0, &spec).i, POLICY_NO_ID);
    }
}

static struct policy *create(struct world *w, bool spread, int tree, bool exhaustive)
{
    struct policy *p =
        core_create(&w->tally[exhaustive], "runai", spread ? "gpu_placement=spread" : "");
    p->cluster->exhaustive = exhaustive;
    add_fleet(p, w->mix);
    add_queues(w, p, tree);
    return p;
}

static void submit(struct world *w, uint32_t queue)
{
    int32_t wants = w->mix->devices[draw(w, 8)];
    int32_t tasks = 1;
    while (wants == DEVICES && tasks < (int32_t)w->mix->most_tasks && draw(w, 3) > 0)
        tasks *= 2;
    int64_t cpu = wants == 0 || (w->mix->cpus && draw(w, 4) == 0) ? 6000 * (1 + draw(w, 12)) : 0;
    const struct policy_role role = {.size = sizeof role,
                                     .tasks = tasks,
                                     .min_tasks = tasks,
                                     .request = {.devices = wants, .cpu_milli = cpu}};
    const struct policy_job_spec spec = {.size = sizeof spec,
                                         .queue = w->queues[queue],
                                         .priority = draw(w, 10) == 0 ? 75 : 50,
                                         .preemptible = true,
                                         .rank = w->count,
                                         .submitted = w->now,
                                         .roles = &role,
                                         .role_count = 1};
    policy_job id = policy_submit(w->fast, w->now, &spec);
    policy_job same = policy_submit(w->naive, w->now, &spec);
    ck_assert(id.i == same.i && id.gen == same.gen && id.i < MOST);
    w->members[id.i] = (struct member){.tasks = tasks};
    w->ids[id.i] = id;
    w->count++;
}

static void tell_ended(struct world *w, policy_job job, uint32_t task, int how)
{
    ck_assert_int_eq(policy_task_ended(w->fast, w->now, job, task, how), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(w->naive, w->now, job, task, how), POLICY_OK);
}

static void enact(struct world *w, const struct policy_decision *d)
{
    struct member *m = &w->members[d->job.i];
    int32_t tasks = d->task == POLICY_ALL_TASKS ? m->tasks : 1;
    if (d->kind == POLICY_EVICT && draw(w, 2) == 0) {
        ck_assert_uint_lt(w->leaving_count, MOST_DECISIONS);
        w->leaving[w->leaving_count++] = *d;
    } else if (d->kind == POLICY_EVICT) {
        tell_ended(w, d->job, d->task, POLICY_EVICTED);
        m->running -= tasks;
    } else if (d->kind == POLICY_START) {
        ck_assert_int_eq(policy_task_started(w->fast, w->now, d->job, d->task), POLICY_OK);
        ck_assert_int_eq(policy_task_started(w->naive, w->now, d->job, d->task), POLICY_OK);
        m->running += tasks;
    }
}

static void decide(struct world *w)
{
    size_t count, same;
    w->fast->cluster->wanted.sorted = 0;
    /* A search that tries less may see fewer times at which more will be allowed: decide always. */
    w->fast->cluster->version++;
    w->naive->cluster->version++;
    const struct policy_decision *fast = policy_decide(w->fast, w->now, &count);
    const struct policy_decision *naive = policy_decide(w->naive, w->now, &same);
    ck_assert_uint_eq(count, same);
    ck_assert_uint_lt(count, MOST_DECISIONS);
    ck_assert(count == 0 || memcmp(fast, naive, count * sizeof *fast) == 0);
    w->told += w->fast->cluster->wanted.sorted > 0;
    if (count > 0)
        memcpy(w->decided, fast, count * sizeof *fast);
    for (size_t i = 0; i < count; i++)
        enact(w, &w->decided[i]);
}

static void answer(struct world *w)
{
    for (uint32_t i = 0; i < w->leaving_count; i++) {
        const struct policy_decision *d = &w->leaving[i];
        tell_ended(w, d->job, d->task, POLICY_EVICTED);
        w->members[d->job.i].running -=
            d->task == POLICY_ALL_TASKS ? w->members[d->job.i].tasks : 1;
    }
    w->leaving_count = 0;
}

static bool is_leaving(const struct world *w, uint32_t job)
{
    for (uint32_t i = 0; i < w->leaving_count; i++)
        if (w->leaving[i].job.i == job)
            return true;
    return false;
}

static void end_one(struct world *w)
{
    for (uint32_t tries = 0; tries < 64; tries++) {
        uint32_t job = draw(w, w->count);
        struct member *m = &w->members[job];
        if (m->running == 0 || m->running < m->tasks || is_leaving(w, job))
            continue;
        tell_ended(w, w->ids[job], POLICY_ALL_TASKS, POLICY_SUCCEEDED);
        m->running = m->tasks = 0;
        return;
    }
}

static void compare(int world, const struct mix *mix)
{
    static struct world w;
    if (world % harness_thin() != 0)
        return;
    memset(&w, 0, sizeof w);
    w.mix = mix;
    w.random = 1 + (uint64_t)world;
    /* Small victims take the place of a gang, which then finds none. */
    bool spread = world % (mix == &small_jobs ? 2 : 8) == 1;
    int tree = world % TREES;
    w.fast = create(&w, spread, tree, false);
    w.naive = create(&w, spread, tree, true);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t greedy = step / 60 % QUEUES; /* it fills the fleet before the others arrive */
        w.now += 1000;
        for (uint32_t i = draw(&w, 4); i > 0; i--)
            submit(&w, draw(&w, 3) > 0 ? greedy : draw(&w, QUEUES));
        if (draw(&w, 2) == 0 && w.count > 0)
            end_one(&w);
        if (draw(&w, 2) == 0)
            answer(&w);
        decide(&w);
        struct policy_error error = {0};
        ck_assert_msg(policy_check(w.fast, &error) == POLICY_OK, "%s", error.message);
    }
    ck_assert(world > 0 || w.told > 0); /* ensures that the shortcut was used at all */
    core_destroy(w.fast, &w.tally[false]);
    core_destroy(w.naive, &w.tally[true]);
}

START_TEST(wanted_victims_equal_those_of_the_walk)
{
    compare(_i, &small_jobs);
}
END_TEST

START_TEST(so_do_those_of_gangs_that_are_alike)
{
    compare(_i, _i % 4 < 2 ? &gangs : &gangs_and_cpus);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wanted victims");
    TCase *tcase = tcase_create("wanted");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, wanted_victims_equal_those_of_the_walk, 0, 192);
    tcase_add_loop_test(tcase, so_do_those_of_gangs_that_are_alike, 0, 96);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
