/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole simulations against a naive replay that advances second by second and tries every pending
 * job in order, with plain arrays and no incremental state. Random fleets, queues and jobs; every
 * order, placement, scope and blocking; audits on.
 *
 * The replay is exact if it knows the placement's rule (count, first-fit, best-fit, consolidated),
 * and for any placement with gangs of single devices: those start when enough devices are free,
 * wherever they are. In other runs it only checks that no job starts early, runs twice or too long,
 * or on nonexistent devices.
 */
#include "tests/sim/small.h"

enum {
    POOLS = 3,
    NODES = 9,
    JOBS = 30,
    BLOCKS = 16,
    SEEDS = 3,
    SINGLE_DEVICES = 0,
    WHOLE_DEVICES = 1
};

struct naive_job {
    int64_t submit, eligible, duration; /* seconds */
    int queue, tasks, gpus, remainder;  /* equal tasks, then one smaller task */
    int64_t start, end;                 /* once it was started */
    bool arrived, waits, runs, never;
    int pool, node;  /* if counted; node of the first task */
    int held[NODES]; /* devices on each node */
};

struct naive {
    const char *placement;
    bool counts, strict, by_queue, shortest;
    int64_t cycle;
    int pools, node_pool[NODES], node_gpus[NODES], nodes;
    uint32_t queue_pools[POOLS]; /* as sets */
    int free[NODES], pool_free[POOLS];
    struct naive_job jobs[JOBS];
    int count;
};

/* ---- starting one job ---- */

static bool may_use(const struct naive *n, const struct naive_job *job, int pool)
{
    return n->queue_pools[job->queue] == 0 || (n->queue_pools[job->queue] >> pool & 1) != 0;
}

/* Fewer free devices are better, more for the remainder of a gang, or it does not matter: then the
 * first node wins. */
static int choose(const struct naive *n, const struct naive_job *job, int gpus, bool remainder)
{
    int best = -1;
    for (int i = 0; i < n->nodes; i++) {
        if (!may_use(n, job, n->node_pool[i]) || n->free[i] < gpus)
            continue;
        bool better = best < 0;
        if (!better && strcmp(n->placement, "consolidated") == 0 && remainder)
            better = n->free[i] > n->free[best];
        else if (!better && (strcmp(n->placement, "best-fit") == 0 ||
                             strcmp(n->placement, "consolidated") == 0))
            better = n->free[i] < n->free[best];
        best = better ? i : best;
    }
    return best;
}

static int total(const struct naive_job *job)
{
    return job->tasks * job->gpus + job->remainder;
}

static void release(struct naive *n, struct naive_job *job)
{
    for (int i = 0; i < n->nodes; i++) {
        n->free[i] += job->held[i];
        job->held[i] = 0;
    }
}

static bool place(struct naive *n, struct naive_job *job)
{
    if (n->counts) {
        for (int pool = 0; pool < n->pools; pool++)
            if (may_use(n, job, pool) && n->pool_free[pool] >= total(job)) {
                n->pool_free[pool] -= total(job);
                job->pool = pool;
                return true;
            }
        return false;
    }
    for (int task = 0; task < job->tasks + (job->remainder > 0); task++) {
        int gpus = task < job->tasks ? job->gpus : job->remainder;
        int node = choose(n, job, gpus, task == job->tasks);
        if (node < 0) {
            release(n, job);
            return false;
        }
        n->free[node] -= gpus;
        job->held[node] += gpus;
        job->node = task == 0 ? node : job->node;
    }
    return true;
}

static void give_back(struct naive *n, struct naive_job *job)
{
    if (n->counts)
        n->pool_free[job->pool] += total(job);
    else
        release(n, job);
}

/* ---- the replay ---- */

static bool before(const struct naive *n, const struct naive_job *a, const struct naive_job *b)
{
    int64_t x = n->shortest ? a->duration : a->submit;
    int64_t y = n->shortest ? b->duration : b->submit;
    return x != y ? x < y : a < b;
}

static void decide(struct naive *n, int64_t now)
{
    bool tried[JOBS] = {false};
    bool blocked[POOLS] = {false};
    for (;;) {
        struct naive_job *next = NULL;
        for (int i = 0; i < n->count; i++) {
            struct naive_job *job = &n->jobs[i];
            if (job->waits && !tried[i] && job->eligible <= now && !job->never &&
                !blocked[n->by_queue ? job->queue : 0] && (next == NULL || before(n, job, next)))
                next = job;
        }
        if (next == NULL)
            return;
        tried[next - n->jobs] = true;
        if (!place(n, next)) {
            blocked[n->by_queue ? next->queue : 0] = n->strict;
            continue;
        }
        next->waits = false;
        next->runs = true;
        next->start = now;
        next->end = now + next->duration;
    }
}

/* Ends, arrivals, the policy; repeated while jobs without duration end. */
static void second(struct naive *n, int64_t now)
{
    for (bool again = true; again;) {
        for (int i = 0; i < n->count; i++) {
            struct naive_job *job = &n->jobs[i];
            if (job->runs && job->end == now) {
                job->runs = false;
                give_back(n, job);
            }
            job->waits |= job->submit == now && !job->arrived;
            job->arrived |= job->submit == now;
        }
        if (n->cycle == 0 || now % n->cycle == 0)
            decide(n, now);
        again = false;
        for (int i = 0; i < n->count; i++)
            again |= n->jobs[i].runs && n->jobs[i].end == now;
    }
}

static void replay(struct naive *n)
{
    for (int i = 0; i < n->count; i++) {
        n->jobs[i].never = !place(n, &n->jobs[i]); /* on the empty fleet */
        if (!n->jobs[i].never)
            give_back(n, &n->jobs[i]);
    }
    int64_t last = n->jobs[0].submit;
    for (int i = 0; i < n->count; i++)
        last = (n->jobs[i].eligible > last ? n->jobs[i].eligible : last) + n->jobs[i].duration +
               n->cycle + 1;
    for (int64_t now = n->jobs[0].submit; now <= last; now++)
        second(n, now);
}

/* ---- random runs ---- */

static void make_fleet(struct naive *n, struct small *s, uint64_t *random)
{
    static const char *const names[POOLS] = {"p", "q", "r"};
    n->pools = 1 + (int)small_below(random, POOLS);
    int size = 1 + (int)small_below(random, 4);
    for (int pool = 0; pool < n->pools; pool++) {
        int nodes = 1 + (int)small_below(random, 3);
        size = n->counts ? 1 + (int)small_below(random, 4) : size;
        small_pool(s, names[pool], nodes, size);
        for (int i = 0; i < nodes; i++, n->nodes++) {
            n->node_pool[n->nodes] = pool;
            n->node_gpus[n->nodes] = n->free[n->nodes] = size;
            n->pool_free[pool] += size;
        }
    }
    /* If nodes matter, queues use either all pools or one each: then it is obvious what a gang
     * could ever get. */
    bool bound = small_below(random, 2) == 0;
    for (int queue = 0; queue < POOLS; queue++) {
        uint32_t some = (uint32_t)small_below(random, INT64_C(1) << n->pools);
        n->queue_pools[queue] = n->counts ? some : bound ? 1u << (queue % n->pools) : 0;
        small_queue(s, names[queue], n->queue_pools[queue]);
    }
}

static int largest_node(const struct naive *n, int queue)
{
    int most = 0;
    for (int i = 0; i < n->nodes; i++) {
        bool used =
            n->queue_pools[queue] == 0 || (n->queue_pools[queue] >> n->node_pool[i] & 1) != 0;
        most = used && n->node_gpus[i] > most ? n->node_gpus[i] : most;
    }
    return most;
}

static void make_jobs(struct naive *n, struct small *s, uint64_t *random, int shape)
{
    static const char *const names[POOLS] = {"p", "q", "r"};
    int64_t now = small_below(random, 40) - 20;
    for (n->count = 0; n->count < JOBS; n->count++) {
        struct naive_job *job = &n->jobs[n->count];
        *job = (struct naive_job){.submit = now,
                                  .eligible = now,
                                  .duration = small_below(random, 12),
                                  .queue = (int)small_below(random, POOLS),
                                  .tasks = 1};
        if (small_below(random, 5) == 0)
            job->eligible += 1 + small_below(random, 15);
        job->eligible += job->eligible == 0; /* 0 means "at once" to the policy core */
        struct trace_job *made = small_job_of(s, names[job->queue], "j", now * 1000,
                                              job->duration * 1000, TRACE_UNKNOWN);
        made->eligible_ms = job->eligible * 1000;
        if (shape == SINGLE_DEVICES || small_below(random, 3) == 0) {
            job->tasks = 1 + (int)small_below(random, 6);
            job->gpus = shape == SINGLE_DEVICES ? 1 : (int)small_below(random, 4);
            made->tasks = made->min_tasks = made->max_tasks = job->tasks;
            made->gpus = job->gpus;
        } else {
            int node = largest_node(n, job->queue);
            made->gpus_total = small_below(random, 11);
            bool fits = made->gpus_total <= node;
            job->tasks = fits ? 1 : (int)made->gpus_total / node;
            job->gpus = fits ? (int)made->gpus_total : node;
            job->remainder = fits ? 0 : (int)made->gpus_total % node;
        }
        now += small_below(random, 3) == 0 ? small_below(random, 8) : 0;
    }
}

/* ---- comparing ---- */

static void expect_equal(const struct naive *n, const struct small *s, bool nodes)
{
    for (int i = 0; i < n->count; i++) {
        const struct naive_job *job = &n->jobs[i];
        const struct small_life *life = &s->lives[i];
        int64_t start = life->start_ms == WORK_NEVER ? -1000 : life->start_ms;
        int64_t expected = job->never ? -1000 : job->start * 1000;
        ck_assert_msg(start == expected,
                      "job %d (submit %d, run %d, %d x %d + %d) starts at %g s, expected %g", i,
                      (int)job->submit, (int)job->duration, job->tasks, job->gpus, job->remainder,
                      (double)start / 1000.0, (double)expected / 1000.0);
        if (job->never)
            continue;
        ck_assert_int_eq(life->end_ms, job->end * 1000);
        if (n->counts)
            ck_assert_uint_eq(life->pool, (uint32_t)job->pool);
        else if (nodes)
            ck_assert_uint_eq(life->node, (uint32_t)job->node);
    }
}

/* Devices in use at the start of job i in its pools, judged by times alone. */
static void expect_room(const struct naive *n, const struct small *s, int i)
{
    int64_t capacity = 0;
    int64_t used = 0;
    for (int node = 0; node < n->nodes; node++)
        capacity += may_use(n, &n->jobs[i], n->node_pool[node]) ? n->node_gpus[node] : 0;
    for (int k = 0; k < n->count; k++) {
        bool same = n->queue_pools[n->jobs[k].queue] == n->queue_pools[n->jobs[i].queue];
        bool then = s->lives[k].start_ms != WORK_NEVER &&
                    s->lives[k].start_ms <= s->lives[i].start_ms &&
                    s->lives[k].end_ms > s->lives[i].start_ms;
        used += same && then ? total(&n->jobs[k]) : 0;
    }
    ck_assert_int_le(used, capacity);
}

static void expect_possible(const struct naive *n, const struct small *s)
{
    for (int i = 0; i < n->count; i++) {
        const struct naive_job *job = &n->jobs[i];
        const struct small_life *life = &s->lives[i];
        ck_assert_int_eq(life->times_submitted, 1);
        ck_assert_int_eq(life->times_started, !job->never);
        ck_assert_int_eq(life->times_ended, !job->never);
        if (job->never)
            continue;
        ck_assert_int_ge(life->start_ms, job->eligible * 1000);
        ck_assert_int_eq(life->end_ms, life->start_ms + job->duration * 1000);
        if (n->cycle > 0)
            ck_assert_int_eq(life->start_ms % (n->cycle * 1000), 0);
        if (!n->counts)
            expect_room(n, s, i);
    }
}

static const char *const placements[] = {
    "count",       "first-fit",   "best-fit",      "consolidated", "binpack",
    "spread",      "random",      "fgd-best-fit",  "fgd",          "fgd-exact",
    "dot-product", "gpu-packing", "gpu-clustering"};

static void one_run(uint64_t seed, const char *placement, bool strict, bool by_queue, bool shortest)
{
    static const int64_t cycles[] = {0, 0, 0, 5};
    struct small s;
    struct naive n = {
        .placement = placement, .strict = strict, .by_queue = by_queue, .shortest = shortest};
    char options[128];
    (void)snprintf(options, sizeof options, "placement=%s blocking=%s scope=%s", placement,
                   strict ? "strict" : "skip", by_queue ? "queue" : "fleet");
    uint64_t random = seed;
    small_begin(&s, shortest ? "sjf" : "fifo", options);
    s.silent = true;
    n.counts = strcmp(placement, "count") == 0;
    n.cycle = cycles[small_below(&random, ROWS(cycles))];
    s.config.cycle_ms = n.cycle * 1000;
    s.config.policy.seed = seed;
    make_fleet(&n, &s, &random);
    int shape = small_below(&random, 2) == 0 ? SINGLE_DEVICES : WHOLE_DEVICES;
    make_jobs(&n, &s, &random, shape);
    replay(&n);
    ck_assert_msg(small_try(&s), "seed %llu, %s, order %s: %s", (unsigned long long)seed, options,
                  shortest ? "sjf" : "fifo", s.err.msg);
    bool rule = strcmp(placement, "first-fit") == 0 || strcmp(placement, "best-fit") == 0 ||
                strcmp(placement, "consolidated") == 0;
    if (n.counts || rule || shape == SINGLE_DEVICES)
        expect_equal(&n, &s, rule);
    expect_possible(&n, &s);
    small_end(&s);
}

START_TEST(simulations_equal_a_naive_replay)
{
    for (int combination = 0; combination < 8 * ROWS(placements); combination++)
        for (int seed = 0; seed < SEEDS; seed++)
            one_run((uint64_t)(combination + 1000 * (_i * SEEDS + seed)),
                    placements[combination / 8], (combination & 1) != 0, (combination & 2) != 0,
                    (combination & 4) != 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replay");
    TCase *tcase = tcase_create("replay");
    tcase_add_loop_test(tcase, simulations_equal_a_naive_replay, 0, harness_repeats(BLOCKS));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
