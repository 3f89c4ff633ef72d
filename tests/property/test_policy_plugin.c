/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole policy that makes random decisions, valid and invalid ones, against an independent model
 * of the cluster that knows which are possible: those are carried out exactly, and any other fails
 * the decision with the plugin's name and changes nothing. After every step all invariants hold,
 * and the plugin's view matches the model. Seeds are fixed.
 */
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"
#include "tests/lib/world.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 120, RUNS = 40, NODES = 6, QUEUES = 2, CALLS = 6, SEATS = WORLD_TASKS + 1 };

struct step {
    bool evicts;
    uint32_t job, task, node;
    uint64_t devices;
};

struct run {
    struct tally tally; /* first: the plugin finds the run through its allocator */
    struct policy *p;
    struct world w;
    bool leaving[WORLD_JOBS], preemptible[WORLD_JOBS];
    policy_time started[WORLD_JOBS], evicted[WORLD_JOBS]; /* last ones by the plugin */
    uint64_t started_in[WORLD_JOBS], decision;            /* in which decision */
    policy_time now;
    uint64_t random, submitted;
    /* of one decision */
    struct step expected[CALLS * WORLD_TASKS];
    size_t expected_count;
    bool wrong; /* it broke its contract: nothing counts after that */
    int decisions, refusals;
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

/* ---- what the plugin is shown ---- */

static void shows_nodes(const struct run *run, const struct policy_plan *plan)
{
    ck_assert_uint_eq(plan->node_count, NODES);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const struct policy_plugin_node *n = &plan->nodes[i];
        const struct world_node *mine = &run->w.nodes[n->id.i];
        ck_assert(i == 0 || n->rank > plan->nodes[i - 1].rank);
        ck_assert_ptr_eq(plan->node(plan, n->id), n);
        ck_assert_int_eq(n->state, mine->state);
        ck_assert_int_eq(n->tasks, mine->tasks);
        ck_assert_int_eq(n->cpu_free_milli, mine->cpu);
        ck_assert_int_eq(n->mem_free_mib, -1);
        ck_assert_uint_eq(n->usable, mine->usable);
        ck_assert_int_eq(n->free_milli, world_free(mine));
        ck_assert_int_eq(__builtin_popcountll(n->whole), world_whole(mine));
        ck_assert_uint_eq(n->shared, world_shared(mine));
    }
}

static void shows_job(const struct run *run, const struct policy_plugin_job *job)
{
    const struct world_job *mine = &run->w.jobs[job->id.i];
    bool leaving = run->leaving[job->id.i];
    ck_assert_uint_eq(mine->id.gen, job->id.gen);
    ck_assert_int_eq(job->state, mine->state == WORLD_PENDING ? POLICY_JOB_WAITS
                                 : leaving                    ? POLICY_JOB_LEAVES
                                                              : POLICY_JOB_RUNS);
    ck_assert_int_eq(job->gpu_milli, mine->gpu_milli);
    ck_assert_uint_eq((uint32_t)job->tasks, mine->tasks);
    ck_assert_int_eq(job->key, -mine->gpu_milli);
    ck_assert_uint_eq(job->seat_count, mine->state == WORLD_ACTIVE ? mine->tasks : 0);
    for (uint32_t task = 0; task < job->seat_count; task++) {
        ck_assert_uint_eq(job->seats[task].node.i, mine->task[task].node);
        ck_assert_uint_eq(job->seats[task].devices, mine->task[task].devices);
    }
}

static void shows_all(const struct run *run, const struct policy_plan *plan)
{
    uint32_t expected = 0;
    shows_nodes(run, plan);
    for (uint32_t i = 0; i < plan->job_count; i++)
        shows_job(run, &plan->jobs[i]);
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        expected +=
            run->w.jobs[i].state == WORLD_ACTIVE ||
            (run->w.jobs[i].state == WORLD_PENDING && world_ever_fits(&run->w, &run->w.jobs[i]));
    ck_assert_uint_eq(plan->job_count, expected);
}

/* ---- right and wrong calls ---- */

/* Checks that the call was refused exactly if it had to be; calls after an invalid one are
 * ignored. */
static void answered(struct run *run, bool taken, bool right)
{
    if (run->wrong)
        ck_assert_msg(!taken, "decided after it was refused");
    else
        ck_assert_msg(taken == right, "%s: %s",
                      taken ? "a wrong decision was taken" : "a right decision was refused",
                      policy_last_error(run->p)->message);
    run->wrong |= !right;
}

static void expect(struct run *run, struct step step)
{
    run->expected[run->expected_count++] = step;
}

/* Enters the gang at its seats in the model and in the expected decisions. */
static void seat(struct run *run, struct world_job *job, const struct policy_plugin_seat *seats)
{
    for (uint32_t task = 0; task < job->tasks; task++)
        expect(run, (struct step){false, job->id.i, task, seats[task].node.i, seats[task].devices});
    job->state = WORLD_ACTIVE;
    run->started[job->id.i] = run->now;
    run->started_in[job->id.i] = run->decision;
}

/*
 * Takes the seats in the model one by one. Returns false, with everything unchanged, if one is
 * unavailable. Unspecified devices become the default choice.
 */
static bool hold(struct run *run, struct world_job *job, struct policy_plugin_seat *seats,
                 uint32_t count)
{
    uint32_t task = 0;
    bool right = count == job->tasks;
    for (; right && task < count; task++) {
        const struct policy_request *r = world_request(job, task);
        const struct world_node *n =
            seats[task].node.i < WORLD_NODES ? &run->w.nodes[seats[task].node.i] : NULL;
        if (n != NULL && seats[task].devices == 0 && world_fits(n, r))
            seats[task].devices = world_devices(n, r);
        right = n != NULL && n->exists && world_uses(&run->w, job->queue, n->spec.pool) &&
                __builtin_popcountll(seats[task].devices) == r->devices &&
                (seats[task].devices & ~n->usable) == 0 && world_fits_on(n, r, seats[task].devices);
        if (!right)
            break;
        world_hold(&run->w, job, task, seats[task].node.i, seats[task].devices, 1);
    }
    while (!right && task-- > 0)
        world_hold(&run->w, job, task, seats[task].node.i, seats[task].devices, -1);
    return right;
}

/* Draws valid seats, as far as there are any, or almost valid ones. */
static uint32_t draw_seats(struct run *run, struct world_job *job, struct policy_plugin_seat *seats)
{
    int32_t mischief = chance(run, 50) ? 0 : 2;
    uint32_t held = 0;
    for (uint32_t task = 0; task < job->tasks; task++) {
        const struct policy_request *r = world_request(job, task);
        uint32_t node = (uint32_t)below(run, NODES);
        for (uint32_t i = 0;
             i < NODES && (!world_fits(&run->w.nodes[node], r) ||
                           !world_uses(&run->w, job->queue, run->w.nodes[node].spec.pool));
             i++)
            node = (node + 1) % NODES;
        bool fits = world_fits(&run->w.nodes[node], r);
        uint64_t devices = fits ? world_devices(&run->w.nodes[node], r) : draw(run) & 0xff;
        uint64_t said = chance(run, 20) ? 0 : devices;
        if (fits && held == task && job->state == WORLD_PENDING) {
            world_hold(&run->w, job, task, node, devices, 1);
            held++;
        }
        if (chance(run, mischief * 8))
            node = chance(run, 30) ? (uint32_t)draw(run) : (uint32_t)below(run, NODES + 1);
        if (chance(run, mischief * 8))
            said ^= UINT64_C(1) << below(run, chance(run, 80) ? 8 : 64);
        seats[task] = (struct policy_plugin_seat){{node}, said};
    }
    for (uint32_t task = 0; task < held; task++)
        world_hold(&run->w, job, task, job->task[task].node, job->task[task].devices, -1);
    return job->tasks + (chance(run, mischief * 3) ? 1 : 0) - (chance(run, mischief * 3) ? 1 : 0);
}

static void call_start(struct run *run, struct policy_plan *plan,
                       const struct policy_plugin_job *job)
{
    struct policy_plugin_seat seats[SEATS] = {0};
    struct world_job *mine = &run->w.jobs[job->id.i];
    uint32_t count = draw_seats(run, mine, seats);
    struct policy_plugin_seat asked[SEATS];
    memcpy(asked, seats, sizeof asked);
    bool right = !run->wrong && mine->state == WORLD_PENDING && hold(run, mine, seats, count);
    answered(run, plan->start(plan, job, asked, count), right);
    if (right)
        seat(run, mine, seats);
}

/* The view tells where it was placed; the model tells that this was possible. */
static void call_place(struct run *run, struct policy_plan *plan,
                       const struct policy_plugin_job *job)
{
    struct world_job *mine = &run->w.jobs[job->id.i];
    bool waits = mine->state == WORLD_PENDING;
    bool placed = plan->place(plan, job);
    if (!placed) {
        run->wrong |= !waits;
        return;
    }
    struct policy_plugin_seat seats[SEATS];
    ck_assert(waits && !run->wrong && job->seat_count == mine->tasks);
    memcpy(seats, job->seats, job->seat_count * sizeof *seats);
    ck_assert(hold(run, mine, seats, job->seat_count));
    seat(run, mine, seats);
}

static void call_evict(struct run *run, struct policy_plan *plan,
                       const struct policy_plugin_job *job)
{
    uint32_t id = job->id.i;
    const struct world_job *mine = &run->w.jobs[id];
    const struct policy_plugin_job *other =
        chance(run, 50) ? NULL : &plan->jobs[below(run, (int32_t)plan->job_count)];
    bool right = !run->wrong && mine->state == WORLD_ACTIVE && !run->leaving[id] &&
                 run->preemptible[id] &&
                 (run->started[id] != run->now ||
                  (run->started_in[id] != run->decision && run->evicted[id] != run->now));
    answered(run, plan->evict(plan, job, other), right);
    if (!right)
        return;
    run->leaving[id] = true;
    run->evicted[id] = run->now;
    for (uint32_t task = 0; task < mine->tasks; task++)
        expect(run, (struct step){true, id, task, mine->task[task].node, mine->task[task].devices});
}

/* A job that does not exist: another generation, another number, none at all. */
static void call_nonsense(struct run *run, struct policy_plan *plan,
                          const struct policy_plugin_job *job)
{
    struct policy_plugin_job copy = *job;
    copy.id.gen += chance(run, 50) ? 1 : 0;
    copy.id.i = copy.id.gen == job->id.gen ? (uint32_t)draw(run) | 1u << 20 : copy.id.i;
    const struct policy_plugin_job *meant = chance(run, 20) ? NULL : &copy;
    bool taken = chance(run, 50) ? plan->place(plan, meant) : plan->evict(plan, meant, NULL);
    answered(run, taken, false);
}

static void decide(void *self, struct policy_plan *plan)
{
    struct run *run = self;
    run->decision++;
    shows_all(run, plan);
    for (int32_t calls = below(run, CALLS); calls > 0 && plan->job_count > 0; calls--) {
        const struct policy_plugin_job *job = &plan->jobs[below(run, (int32_t)plan->job_count)];
        const struct policy_plugin_job copy = *job; /* jobs are identified by their ids */
        int32_t what = below(run, 100);
        if (what < 40)
            call_start(run, plan, chance(run, 50) ? &copy : job);
        else if (what < 65)
            call_place(run, plan, job);
        else if (what < 97)
            call_evict(run, plan, chance(run, 50) ? &copy : job);
        else
            call_nonsense(run, plan, job);
        if (!run->wrong)
            shows_all(run, plan);
    }
    if (chance(run, 2)) {
        plan->give_up(plan, "it does not like it");
        run->wrong = true;
    }
    plan->wake_at = chance(run, 90) ? INT64_MAX : plan->now - 1 + below(run, 20);
    run->wrong |= plan->wake_at <= plan->now;
}

static void *create(const struct policy_allocator *allocator)
{
    return allocator->user;
}

static int64_t largest(void *self, const struct policy_job_spec *job)
{
    int64_t milli = 0;
    (void)self;
    for (uint32_t i = 0; i < job->role_count; i++)
        milli -= (int64_t)job->roles[i].tasks * job->roles[i].request.devices *
                 world_milli(&job->roles[i].request);
    return milli;
}

static const struct policy_plugin plugin = {POLICY_PLUGIN_HEAD("dice", "draws its decisions"),
                                            .create = create, .key = largest, .decide = decide};

/* ---- facts ---- */

static policy_time tick(struct run *run)
{
    return run->now += chance(run, 60) ? below(run, 15) : 0;
}

static void submit(struct run *run)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        live += run->w.jobs[i].state != WORLD_NONE;
    if (live > 20)
        return;
    struct policy_role roles[2];
    uint32_t count = chance(run, 70) ? 1 : 2;
    for (uint32_t i = 0; i < count; i++) {
        struct policy_request r = core_devices(1 + below(run, chance(run, 90) ? 4 : 9));
        if (chance(run, 20))
            r = core_share(100 * (1 + below(run, 9)));
        r.cpu_milli = chance(run, 20) ? 1000 * below(run, 20) : 0;
        roles[i] = core_role(1 + below(run, 3), r);
    }
    struct policy_job_spec spec =
        core_job_spec((policy_queue){(uint32_t)below(run, QUEUES)},
                      (uint32_t)(++run->submitted * 2654435761u), roles, count);
    spec.submitted = tick(run);
    spec.preemptible = chance(run, 80);
    policy_job id = policy_submit(run->p, run->now, &spec);
    ck_assert_uint_ne(id.i, POLICY_NO_ID);
    world_add_job(&run->w, id, &spec, 0, run->now);
    run->leaving[id.i] = false;
    run->preemptible[id.i] = spec.preemptible;
    run->started[id.i] = run->evicted[id.i] = POLICY_NEVER;
}

static struct world_job *any_active(struct run *run, bool leaving)
{
    uint32_t first = (uint32_t)below(run, WORLD_JOBS);
    for (uint32_t i = 0; i < WORLD_JOBS; i++) {
        struct world_job *job = &run->w.jobs[(first + i) % WORLD_JOBS];
        if (job->state == WORLD_ACTIVE && run->leaving[job->id.i] == leaving)
            return job;
    }
    return NULL;
}

static void end(struct run *run)
{
    struct world_job *job = any_active(run, false);
    int32_t outcome = chance(run, 80) ? POLICY_SUCCEEDED : POLICY_EVICTED;
    if (job == NULL)
        return;
    ck_assert_int_eq(policy_task_ended(run->p, tick(run), job->id, POLICY_ALL_TASKS, outcome),
                     POLICY_OK);
    world_end(&run->w, job, POLICY_ALL_TASKS, outcome);
}

static void answer(struct run *run)
{
    struct world_job *job = any_active(run, true);
    if (job == NULL)
        return;
    if (chance(run, 30)) {
        ck_assert_int_eq(policy_task_releasing(run->p, tick(run), job->id, POLICY_ALL_TASKS),
                         POLICY_OK);
        return;
    }
    ck_assert_int_eq(
        policy_task_ended(run->p, tick(run), job->id, POLICY_ALL_TASKS, POLICY_EVICTED), POLICY_OK);
    run->leaving[job->id.i] = false;
    world_end(&run->w, job, POLICY_ALL_TASKS, POLICY_EVICTED);
}

static void change_node(struct run *run)
{
    policy_node id = {(uint32_t)below(run, NODES)};
    struct world_node *n = &run->w.nodes[id.i];
    if (chance(run, 50)) {
        n->state = chance(run, 70) ? POLICY_NODE_UP : below(run, 3);
        ck_assert_int_eq(policy_set_node_state(run->p, tick(run), id, n->state), POLICY_OK);
        return;
    }
    uint32_t device = (uint32_t)below(run, n->spec.devices);
    bool usable = chance(run, 70);
    ck_assert_int_eq(policy_set_device_health(run->p, tick(run), id, device, usable), POLICY_OK);
    n->usable = usable ? n->usable | UINT64_C(1) << device : n->usable & ~(UINT64_C(1) << device);
}

/* Checks that the decisions are the ones requested, in order, and that errors are reported. */
static void ask(struct run *run)
{
    size_t count;
    run->expected_count = 0;
    run->wrong = false;
    const struct policy_decision *d = policy_decide(run->p, tick(run), &count);
    ck_assert_uint_eq(count, run->expected_count);
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &run->expected[i];
        ck_assert_int_eq(d[i].kind, step->evicts ? POLICY_EVICT : POLICY_START);
        ck_assert_uint_eq(d[i].job.i, step->job);
        ck_assert_uint_eq(d[i].task, step->task);
        ck_assert_uint_eq(d[i].node.i, step->node);
        ck_assert_uint_eq(d[i].devices, step->devices);
    }
    const struct policy_error *error = policy_last_error(run->p);
    ck_assert_int_eq(error->status, run->wrong ? POLICY_WRONG_PLUGIN : POLICY_OK);
    ck_assert_int_eq(policy_has_work(run->p), run->wrong); /* it would be called again */
    if (run->wrong)
        harness_contains(error->message, "'dice'");
    run->decisions += (int)count;
    run->refusals += run->wrong;
}

static void whole_run(uint64_t seed, int *decisions, int *refusals)
{
    static void (*const steps[])(struct run *) = {submit, submit, submit, ask,    ask,        ask,
                                                  ask,    end,    answer, answer, change_node};
    struct run *run = calloc(1, sizeof *run);
    ck_assert_ptr_nonnull(run);
    run->random = seed * UINT64_C(0x2545f4914f6cdd1d);
    run->p = plugin_create(&run->tally, &plugin, "");
    for (uint32_t q = 0; q < QUEUES; q++) {
        uint32_t pools[] = {q, 2};
        core_queue(run->p, pools, 2);
        run->w.queues[q] = (struct world_queue){.exists = true, .pools = 1u << q | 4};
    }
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec spec = core_node_spec((i * 7 + 3) % 31, i % 3 == 0 ? 8 : 4);
        spec.pool = i % 3;
        spec.cpu_milli = 32000;
        spec.max_tasks = i == 4 ? 3 : POLICY_UNLIMITED;
        world_add_node(&run->w, policy_add_node(run->p, 0, &spec), &spec);
    }
    for (int i = 0; i < STEPS; i++) {
        steps[below(run, ROWS(steps))](run);
        core_is_sound(run->p);
    }
    *decisions += run->decisions;
    *refusals += run->refusals;
    core_destroy(run->p, &run->tally);
    free(run);
}

START_TEST(only_what_can_be_is_decided)
{
    int decisions = 0;
    int refusals = 0;
    for (int i = 0; i < RUNS; i += harness_thin() < RUNS ? harness_thin() : RUNS)
        whole_run((uint64_t)(_i * RUNS + i + 1), &decisions, &refusals);
    ck_assert_int_gt(decisions, 0);
    ck_assert_int_gt(refusals, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_plugin");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, only_what_can_be_is_decided, 0, 10);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
