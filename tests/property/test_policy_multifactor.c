/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multifactor priority with limits of queues and of time, in random runs against a naive twin based
 * only on the published formulas: it keeps every interval in which a job ran, sums and decays usage
 * period by period, walks the tree as Slurm's Fair Tree does, with merged lists, computes each
 * priority in floating point, and starts what fits in that order. Devices are only counted, in one
 * pool, so the starts must equal the twin's exactly.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUEUES = 10, USERS = 4, JOBS = 400, STEPS = 400, RUNS = 48, FACTORS = 5 };

enum life { UNSEEN, WAITS, RUNS_NOW, STOPS, OVER };

struct job {
    policy_job id;
    enum life life;
    uint32_t queue, user;
    int64_t milli;
    int32_t priority;
    policy_time waits_since, started, ended;
    int64_t limit; /* -1 none */
    double points;
};

struct queue {
    policy_queue id;
    int32_t parent; /* -1: none */
    bool leaf;
    int64_t shares, limit;
    int32_t priority;
};

/* A node of the tree in the twin: a queue, or a user of one. */
struct branch {
    int32_t queue, user; /* user -1: an account */
    double level;
};

struct run {
    struct tally tally;
    struct policy *p;
    uint64_t random;
    policy_time now;
    bool strict, small, limits, ends;
    int64_t weight[FACTORS]; /* age, fair share, size, partition, QOS */
    int64_t max_age, half_life, period, devices;
    struct queue queues[QUEUES];
    uint32_t queue_count;
    struct job jobs[JOBS];
    uint32_t job_count;
    double used[QUEUES][USERS]; /* of the twin, as of the current period bound */
    bool known[QUEUES][USERS];
    double place[QUEUES][USERS];
};

static int64_t below(struct run *run, int64_t n)
{
    return (int64_t)(test_draw(&run->random) % (uint64_t)n);
}

static bool chance(struct run *run, int64_t percent)
{
    return below(run, 100) < percent;
}

/* ---- the twin: use ---- */

static double overlap(const struct job *job, policy_time from, policy_time to, policy_time now)
{
    policy_time end = job->life == OVER ? job->ended : now;
    policy_time first = job->started > from ? job->started : from;
    policy_time last = end < to ? end : to;
    return last > first ? (double)(last - first) : 0;
}

/* Usage as of the bound: decays, then the period's usage is added; period by period from time 0
 * on. */
static void find_use(struct run *run, policy_time bound)
{
    double faded = run->half_life > 0 ? exp2(-(double)run->period / (double)run->half_life) : 1;
    for (uint32_t q = 0; q < run->queue_count; q++)
        for (int u = 0; u < USERS; u++)
            run->used[q][u] = 0;
    for (policy_time from = 0; from < bound; from += run->period)
        for (uint32_t q = 0; q < run->queue_count; q++)
            for (int u = 0; u < USERS; u++)
                run->used[q][u] *= faded;
    for (uint32_t i = 0; i < run->job_count; i++) {
        const struct job *job = &run->jobs[i];
        if (job->started < 0)
            continue;
        for (policy_time from = 0; from < bound; from += run->period)
            run->used[job->queue][job->user] +=
                overlap(job, from, from + run->period, run->now) * (double)job->milli *
                pow(faded, (double)((bound - from) / run->period - 1));
    }
}

static bool is_below(const struct run *run, uint32_t queue, int32_t above)
{
    int32_t q = (int32_t)queue;
    while (q >= 0 && q != above)
        q = run->queues[q].parent;
    return q == above;
}

static double use_below(const struct run *run, int32_t queue) /* -1: of all */
{
    double sum = 0;
    for (uint32_t q = 0; q < run->queue_count; q++)
        for (int u = 0; u < USERS; u++)
            sum += queue < 0 || is_below(run, q, queue) ? run->used[q][u] : 0;
    return sum;
}

/* ---- the twin: Fair Tree ---- */

static double level_of(const struct run *run, const struct branch *b)
{
    double shares = 1;
    double siblings = 0;
    double used = use_below(run, b->queue);
    double all;
    if (b->user >= 0) {
        for (int u = 0; u < USERS; u++)
            siblings += run->known[b->queue][u];
        all = used;
        used = run->used[b->queue][b->user];
    } else {
        int32_t parent = run->queues[b->queue].parent;
        shares = (double)run->queues[b->queue].shares;
        for (uint32_t q = 0; q < run->queue_count; q++)
            siblings += run->queues[q].parent == parent ? (double)run->queues[q].shares : 0;
        all = use_below(run, parent);
    }
    if (shares == 0)
        return 0;
    return used == 0 ? (double)INFINITY : shares / siblings / (used / all);
}

static bool has_users(const struct run *run, int32_t queue)
{
    bool any = false;
    for (uint32_t q = 0; q < run->queue_count; q++)
        for (int u = 0; u < USERS; u++)
            any = any || (run->known[q][u] && is_below(run, q, queue));
    return any;
}

/* Appends the children of an account, or of the root: users, and accounts with users. */
static int add_children(const struct run *run, int32_t account, struct branch *list, int count)
{
    for (uint32_t q = 0; q < run->queue_count; q++)
        if (run->queues[q].parent == account && has_users(run, (int32_t)q))
            list[count++] = (struct branch){.queue = (int32_t)q, .user = -1};
    for (int u = 0; account >= 0 && u < USERS; u++)
        if (run->known[account][u])
            list[count++] = (struct branch){.queue = account, .user = u};
    return count;
}

static int by_level(const void *left, const void *right)
{
    const struct branch *a = left, *b = right;
    if (a->level > b->level || a->level < b->level)
        return a->level > b->level ? -1 : 1;
    if ((a->user >= 0) != (b->user >= 0))
        return a->user >= 0 ? -1 : 1;
    return a->queue != b->queue ? a->queue - b->queue : a->user - b->user;
}

struct ranks {
    uint32_t next, tied; /* the next rank, and the rank of the last user that did not tie */
    uint32_t users;
};

/* As in Slurm: accounts with equal values merge their children into one list; `tied` passes down to
 * the first child. */
static void walk(struct run *run, struct branch *list, int count, bool tied_above,
                 struct ranks *ranks)
{
    for (int i = 0; i < count; i++)
        list[i].level = level_of(run, &list[i]);
    qsort(list, (size_t)count, sizeof *list, by_level);
    for (int i = 0; i < count; i++) {
        bool equal = i > 0 && !(list[i].level < list[i - 1].level);
        bool tied = i == 0 ? tied_above : equal;
        if (list[i].user >= 0) {
            if (!tied)
                ranks->tied = ranks->next;
            run->place[list[i].queue][list[i].user] = ranks->tied;
            ranks->next--;
            continue;
        }
        struct branch children[QUEUES * (USERS + 1)];
        int below_it = add_children(run, list[i].queue, children, 0);
        while (i + 1 < count && !(list[i + 1].level < list[i].level))
            below_it = add_children(run, list[++i].queue, children, below_it);
        walk(run, children, below_it, tied, ranks);
    }
}

static uint32_t rank_users(struct run *run, policy_time bound)
{
    struct branch roots[QUEUES];
    struct ranks ranks = {0};
    for (uint32_t q = 0; q < run->queue_count; q++)
        for (int u = 0; u < USERS; u++)
            ranks.users += run->known[q][u];
    ranks.next = ranks.tied = ranks.users;
    find_use(run, bound);
    walk(run, roots, add_children(run, -1, roots, 0), false, &ranks);
    return ranks.users;
}

/* ---- the twin: priorities, starts ---- */

static void find_points(struct run *run)
{
    policy_time bound = run->now - run->now % run->period;
    uint32_t users = rank_users(run, bound);
    double queue_most = 1;
    double job_most = 1;
    for (uint32_t q = 0; q < run->queue_count; q++)
        queue_most = fmax(queue_most, run->queues[q].priority);
    for (uint32_t i = 0; i < run->job_count; i++)
        job_most = fmax(job_most, run->jobs[i].priority);
    for (uint32_t i = 0; i < run->job_count; i++) {
        struct job *job = &run->jobs[i];
        double size = fmin(1, (double)job->milli / (double)(run->devices * 1000));
        const double factors[FACTORS] = {
            fmin(1, (double)(bound - job->waits_since) / (double)run->max_age),
            run->place[job->queue][job->user] / users,
            run->small ? 1 - size : size,
            fmax(0, run->queues[job->queue].priority / queue_most),
            fmax(0, job->priority / job_most),
        };
        job->points = 0;
        for (int f = 0; f < FACTORS; f++)
            job->points += (double)run->weight[f] * factors[f];
    }
}

static int64_t taken(const struct run *run, int32_t queue) /* -1: all */
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < run->job_count; i++) {
        const struct job *job = &run->jobs[i];
        if ((job->life == RUNS_NOW || job->life == STOPS) &&
            (queue < 0 || is_below(run, job->queue, queue)))
            sum += job->milli;
    }
    return sum;
}

static bool over_limit(const struct run *run, const struct job *job)
{
    for (int32_t q = run->limits ? (int32_t)job->queue : -1; q >= 0; q = run->queues[q].parent)
        if (run->queues[q].limit >= 0 && taken(run, q) + job->milli > run->queues[q].limit)
            return true;
    return false;
}

/* Returns the next job to start, by priority and then by age, or JOBS. Sets *blocked if it must
 * wait and blocks the rest. */
static uint32_t next_start(const struct run *run, const bool tried[JOBS], bool *blocked)
{
    uint32_t best = JOBS;
    for (uint32_t i = 0; i < run->job_count; i++) {
        const struct job *job = &run->jobs[i];
        bool never = job->milli > run->devices * 1000;
        if (job->life == WAITS && !tried[i] && !never &&
            (best == JOBS || job->points > run->jobs[best].points + 1e-6))
            best = i;
    }
    *blocked = best < JOBS && !over_limit(run, &run->jobs[best]) &&
               taken(run, -1) + run->jobs[best].milli > run->devices * 1000;
    return best;
}

/* ---- decisions ---- */

static uint32_t job_of(const struct run *run, policy_job id)
{
    uint32_t i = 0;
    while (i < run->job_count && (run->jobs[i].id.i != id.i || run->jobs[i].id.gen != id.gen))
        i++;
    return i;
}

/* Jobs at their time limit are ended before anything starts. */
static size_t expect_ends(struct run *run, const struct policy_decision *d, size_t count)
{
    size_t ends = 0;
    for (uint32_t i = 0; i < run->job_count; i++) {
        struct job *job = &run->jobs[i];
        if (!run->ends || job->life != RUNS_NOW || job->limit < 0 ||
            job->started + job->limit > run->now)
            continue;
        bool told = false;
        for (size_t k = 0; k < count; k++)
            told = told || (d[k].kind == POLICY_EVICT && job_of(run, d[k].job) == i);
        ck_assert_msg(told, "job %u is not ended at its limit", i);
        job->life = STOPS;
        ends++;
    }
    for (size_t k = 0; k < count; k++) {
        ck_assert_int_eq(d[k].kind, k < ends ? POLICY_EVICT : POLICY_START);
        if (k < ends) {
            ck_assert_int_eq(d[k].reason, POLICY_REASON_TIME_LIMIT);
            ck_assert_int_eq(d[k].action, POLICY_LIMITS);
            ck_assert_int_eq(policy_task_releasing(run->p, run->now, d[k].job, POLICY_ALL_TASKS),
                             POLICY_OK);
        }
    }
    return ends;
}

static void wakeup_is_known(const struct run *run)
{
    policy_time next = policy_next_wakeup(run->p);
    ck_assert_int_gt(next, run->now);
    for (uint32_t i = 0; i < run->job_count && run->ends; i++)
        if (run->jobs[i].life == RUNS_NOW && run->jobs[i].limit >= 0)
            ck_assert_int_le(next, run->jobs[i].started + run->jobs[i].limit);
}

static void decide(struct run *run)
{
    size_t count;
    const struct policy_decision *told = policy_decide(run->p, run->now, &count);
    struct policy_decision d[JOBS];
    ck_assert_uint_le(count, JOBS);
    for (size_t k = 0; k < count; k++)
        d[k] = told[k];
    size_t at = expect_ends(run, d, count);
    bool tried[JOBS] = {false};
    bool blocked = false;
    find_points(run);
    for (uint32_t i = next_start(run, tried, &blocked); i < JOBS;
         i = next_start(run, tried, &blocked)) {
        tried[i] = true;
        if (blocked && run->strict)
            break;
        if (blocked || over_limit(run, &run->jobs[i]))
            continue;
        ck_assert_msg(at < count && job_of(run, d[at].job) == i,
                      "at %lld job %u should start, not %u", (long long)run->now, i,
                      at < count ? job_of(run, d[at].job) : JOBS);
        run->jobs[i].life = RUNS_NOW;
        run->jobs[i].started = run->now;
        at++;
    }
    ck_assert_uint_eq(at, count);
    core_is_sound(run->p);
    ck_assert(!policy_has_work(run->p));
    wakeup_is_known(run);
}

/* ---- facts ---- */

static void add_queue(struct run *run, int32_t parent)
{
    struct queue *q = &run->queues[run->queue_count];
    *q = (struct queue){.parent = parent,
                        .leaf = true,
                        .shares = 500 * below(run, 4),
                        .limit = chance(run, 60) ? -1 : 1000 * below(run, 12),
                        .priority = (int32_t)below(run, 120) - 10};
    if (parent >= 0)
        run->queues[parent].leaf = false;
    struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = {parent < 0 ? POLICY_NO_ID : run->queues[parent].id.i},
        .priority = q->priority,
        .gpu = {0, q->limit, q->shares}};
    q->id = policy_add_queue(run->p, run->now, &spec);
    ck_assert_uint_ne(q->id.i, POLICY_NO_ID);
    run->queue_count++;
}

static void submit(struct run *run)
{
    uint32_t queue = (uint32_t)below(run, run->queue_count);
    if (run->job_count == JOBS || !run->queues[queue].leaf)
        return;
    struct job *job = &run->jobs[run->job_count];
    policy_time eligible = chance(run, 20) ? run->now + 1 + below(run, 2000000) : 0;
    *job = (struct job){.life = eligible > run->now ? UNSEEN : WAITS,
                        .queue = queue,
                        .user = (uint32_t)below(run, chance(run, 70) ? 2 : USERS),
                        .milli = 1000 * (1 + below(run, run->devices / 2)),
                        .priority = (int32_t)below(run, 130) - 5,
                        .waits_since = eligible > run->now ? eligible : run->now,
                        .started = -1,
                        .limit = chance(run, 30) ? -1 : 1 + below(run, 4000000)};
    struct policy_role role = core_role((int32_t)(job->milli / 1000), core_devices(1));
    struct policy_job_spec spec = core_job_spec(run->queues[queue].id, run->job_count, &role, 1);
    spec.submitted = run->now;
    spec.eligible = eligible;
    spec.priority = job->priority;
    spec.limit_ms = job->limit;
    spec.run_ms = 1000;
    spec.user = job->user;
    job->id = policy_submit(run->p, run->now, &spec);
    ck_assert_uint_ne(job->id.i, POLICY_NO_ID);
    run->known[queue][job->user] = true;
    run->job_count++;
}

/* Ends a running job, or cancels a pending one. */
static void end(struct run *run)
{
    uint32_t i = run->job_count > 0 ? (uint32_t)below(run, run->job_count) : 0;
    struct job *job = &run->jobs[i];
    if (i >= run->job_count)
        return;
    if (job->life == RUNS_NOW || job->life == STOPS) {
        ck_assert_int_eq(
            policy_task_ended(run->p, run->now, job->id, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
            POLICY_OK);
        job->life = OVER;
        job->ended = run->now;
    } else if (job->life == WAITS && chance(run, 20)) {
        ck_assert_int_eq(policy_cancel(run->p, run->now, job->id), POLICY_OK);
        job->life = OVER;
    }
}

static void time_passes(struct run *run)
{
    run->now += 100 * below(run, chance(run, 10) ? 100000 : 6000);
    for (uint32_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].life == UNSEEN && run->jobs[i].waits_since <= run->now)
            run->jobs[i].life = WAITS;
}

/* ---- runs ---- */

static void create(struct run *run)
{
    static const int64_t periods[] = {60, 300, 1000};
    static const int64_t lives[] = {0, 86400, 604800};
    static const int64_t ages[] = {600, 86400};
    run->strict = chance(run, 50);
    run->small = chance(run, 50);
    run->limits = chance(run, 70);
    run->ends = chance(run, 70);
    run->period = 1000 * periods[below(run, 3)];
    run->half_life = 1000 * lives[below(run, 3)];
    run->max_age = 1000 * ages[below(run, 2)];
    run->devices = 4 + below(run, 20);
    for (int f = 0; f < FACTORS; f++)
        run->weight[f] = chance(run, 30) ? 0 : 1000 + below(run, 10000);
    run->weight[0] =
        run->weight[0] == 0 ? 1000 : run->weight[0]; /* so that milliseconds distinguish jobs */
    char options[600];
    (void)snprintf(
        options, sizeof options,
        "blocking=%s backfilling=none placement=count queue_limits=%s time_limits=%s "
        "priority_favor_small=%s priority_weight_age=%lld priority_weight_fairshare=%lld "
        "priority_weight_job_size=%lld priority_weight_partition=%lld priority_weight_qos=%lld "
        "priority_max_age_s=%lld priority_decay_half_life_s=%lld priority_calc_period_s=%lld",
        run->strict ? "strict" : "skip", run->limits ? "true" : "false",
        run->ends ? "true" : "false", run->small ? "true" : "false", (long long)run->weight[0],
        (long long)run->weight[1], (long long)run->weight[2], (long long)run->weight[3],
        (long long)run->weight[4], (long long)run->max_age / 1000, (long long)run->half_life / 1000,
        (long long)run->period / 1000);
    run->p = core_create(&run->tally, "slurm", options);
    core_node(run->p, 0, (int32_t)run->devices);
    for (int i = 0; i < QUEUES; i++)
        add_queue(run, run->queue_count > 0 && chance(run, 60)
                           ? (int32_t)below(run, run->queue_count)
                           : -1);
}

START_TEST(starts_are_those_of_the_twin)
{
    for (int i = _i; i < RUNS / harness_thin(); i += 4) {
        struct run *run = calloc(1, sizeof *run);
        ck_assert_ptr_nonnull(run);
        run->random = (uint64_t)i * UINT64_C(0x2545f4914f6cdd1d) + 1;
        create(run);
        for (int step = 0; step < STEPS; step++) {
            switch (below(run, 4)) {
            case 0:
                submit(run);
                break;
            case 1:
                end(run);
                break;
            case 2:
                time_passes(run);
                break;
            default:
                decide(run);
                break;
            }
        }
        core_destroy(run->p, &run->tally);
        free(run);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_multifactor");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, starts_are_those_of_the_twin, 0, 4);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
