/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conservative backfill with queue orders against a plain model: the plan of each decision is
 * computed straight from the definition, device by device over time. Gangs of single devices, so
 * that sums are exact; two queues, the first entirely before the second, each with or without a
 * limit. Run time limits are exact, too long, too short or missing.
 */
#include "act/backfill_planned.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <stdio.h>

enum { NODES = 3, DEVICES = 4, QUEUES = 2, JOBS = 60, RUNS = 150 };
#define FOR_EVER INT64_MAX

struct job {
    int64_t submit, limit, run, start, end; /* limit FOR_EVER: none; start -1: pending */
    int64_t planned;                        /* in the current decision; FOR_EVER: not planned */
    int32_t size, priority;
    int queue;
    bool there, over;
    policy_job id;
};

struct model {
    struct job jobs[JOBS];
    int32_t most[QUEUES]; /* device limit of a queue */
    int depth;
    int64_t now;
};

static bool waits(const struct job *j)
{
    return j->there && j->start < 0;
}

static bool runs(const struct job *j)
{
    return j->start >= 0 && !j->over;
}

/* ---- the plan ---- */

static int64_t behind(int64_t from, int64_t length)
{
    return length == FOR_EVER ? FOR_EVER : from + length;
}

/* A job past its limit may end at any moment. */
static int64_t expected_end(const struct model *m, const struct job *j)
{
    int64_t end = behind(j->start, j->limit);
    return end > m->now ? end : m->now + 1;
}

/* Devices in use at that time, of one queue or (-1) of all: by running jobs, and by jobs planned
 * before this one. */
static int32_t used_at(const struct model *m, int64_t at, int queue)
{
    int32_t used = 0;
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &m->jobs[i];
        if (queue >= 0 && j->queue != queue)
            continue;
        bool then = runs(j) ? at < expected_end(m, j)
                            : waits(j) && j->planned <= at && at < behind(j->planned, j->limit);
        used += then ? j->size : 0;
    }
    return used;
}

static bool has_room_at(const struct model *m, const struct job *j, int64_t at)
{
    return used_at(m, at, -1) + j->size <= NODES * DEVICES &&
           used_at(m, at, j->queue) + j->size <= m->most[j->queue];
}

/* Times at which free capacity may change: now, all ends, and all planned starts. */
static int changes(const struct model *m, int64_t times[2 * JOBS + 1])
{
    int count = 0;
    times[count++] = m->now;
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &m->jobs[i];
        if (runs(j))
            times[count++] = expected_end(m, j);
        if (waits(j) && j->planned < FOR_EVER) {
            times[count++] = j->planned;
            times[count++] = behind(j->planned, j->limit);
        }
    }
    return count;
}

static int64_t earliest(const struct model *m, const struct job *j, int64_t from)
{
    int64_t times[2 * JOBS + 1];
    int count = changes(m, times);
    int64_t best = FOR_EVER;
    for (int i = 0; i < count; i++) {
        bool ok = times[i] >= from && times[i] < best && has_room_at(m, j, times[i]);
        for (int k = 0; k < count && ok; k++)
            ok = times[k] < times[i] || times[k] >= behind(times[i], j->limit) ||
                 times[k] == FOR_EVER || has_room_at(m, j, times[k]);
        best = ok ? times[i] : best;
    }
    return best;
}

static bool comes_before(const struct job *a, const struct job *b)
{
    if (a->queue != b->queue)
        return a->queue < b->queue;
    return a->priority != b->priority ? a->priority > b->priority : a < b;
}

/* The first pending job after `last` (NULL: of all). */
static struct job *next_job(struct model *m, const struct job *last)
{
    struct job *next = NULL;
    for (int i = 0; i < JOBS; i++) {
        struct job *j = &m->jobs[i];
        if (waits(j) && (last == NULL || comes_before(last, j)) &&
            (next == NULL || comes_before(j, next)))
            next = j;
    }
    return next;
}

/* In order: each job starts now if it may, or is planned for the earliest time at which it has room
 * for its whole run time. */
static void decide(struct model *m)
{
    int tested = 0;
    for (int i = 0; i < JOBS; i++)
        m->jobs[i].planned = FOR_EVER;
    for (struct job *j = next_job(m, NULL); j != NULL; j = next_job(m, j)) {
        if (used_at(m, m->now, j->queue) + j->size > m->most[j->queue])
            continue; /* over the limit: not planned */
        if (earliest(m, j, m->now) == m->now) {
            j->start = m->now;
            j->end = m->now + j->run;
        } else if (tested++ < m->depth) {
            j->planned = earliest(m, j, m->now);
        }
    }
}

/* ---- a run ---- */

static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)(test_draw(state) % (uint64_t)n);
}

static void make(struct model *m, uint64_t *random)
{
    static const int depths[] = {1, 3, 100};
    int64_t submit = 1;
    m->depth = depths[below(random, 3)];
    for (int q = 0; q < QUEUES; q++)
        m->most[q] = below(random, 2) == 0 ? INT32_MAX : 6 + (int32_t)below(random, 6);
    for (int i = 0; i < JOBS; i++) {
        int64_t limit = (1 + below(random, 12)) * 5;
        int64_t way = below(random, 8);
        submit += below(random, 3) == 0 ? 0 : below(random, 10);
        m->jobs[i] = (struct job){
            .submit = submit, .limit = limit, .run = limit, .start = -1, .planned = FOR_EVER};
        m->jobs[i].size =
            1 + (int32_t)below(random, below(random, 3) == 0 ? NODES * DEVICES : DEVICES);
        m->jobs[i].queue = (int)below(random, QUEUES);
        m->jobs[i].priority = 50 + 10 * (int32_t)below(random, 2);
        if (way < 3)
            m->jobs[i].run = 1 + below(random, limit);
        if (way == 3)
            m->jobs[i].run = limit + below(random, 30);
        if (way == 4)
            m->jobs[i].limit = FOR_EVER;
    }
}

static int64_t next_time(const struct model *m)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &m->jobs[i];
        int64_t its = !j->there ? j->submit : runs(j) ? j->end : INT64_MAX;
        next = its < next ? its : next;
    }
    return next;
}

static void tell(struct model *m, struct policy *p, const policy_queue *queues)
{
    for (int i = 0; i < JOBS; i++) {
        struct job *j = &m->jobs[i];
        if (runs(j) && j->end == m->now) {
            j->over = true;
            ck_assert_int_eq(
                policy_task_ended(p, m->now, j->id, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
        }
        if (j->there || j->submit != m->now)
            continue;
        struct policy_role role = core_role(j->size, core_devices(1));
        struct policy_job_spec spec = core_job_spec(queues[j->queue], (uint64_t)i, &role, 1);
        spec.submitted = m->now;
        spec.limit_ms = j->limit == FOR_EVER ? -1 : j->limit;
        spec.priority = j->priority;
        spec.preemptible = true;
        j->id = policy_submit(p, m->now, &spec);
        ck_assert_uint_ne(j->id.i, POLICY_NO_ID);
        j->there = true;
    }
}

static struct policy *create(struct tally *tally, const struct model *m, policy_queue *queues)
{
    char options[80];
    (void)snprintf(options, sizeof options, "actions=allocate fairness=false backfill_depth=%d",
                   m->depth);
    struct policy *p = core_create(tally, "quota-conservative", options);
    for (uint32_t i = 0; i < NODES; i++)
        core_node(p, i, DEVICES);
    for (int q = 0; q < QUEUES; q++) {
        const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
        struct policy_queue_spec spec = {
            .size = sizeof spec, .parent = {POLICY_NO_ID}, .rank = (uint32_t)q};
        spec.priority = 100 - q;
        spec.gpu = spec.cpu = spec.mem = all;
        spec.gpu.limit = m->most[q] == INT32_MAX ? POLICY_UNLIMITED : m->most[q] * POLICY_WHOLE;
        spec.preempt_min_runtime_ms = spec.reclaim_min_runtime_ms = POLICY_INHERIT;
        queues[q] = policy_add_queue(p, 0, &spec);
    }
    return p;
}

static void compare(const struct model *m, const struct policy *p, const struct policy_decision *d,
                    size_t count, uint64_t seed)
{
    int32_t started[JOBS] = {0};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < JOBS; k++)
            started[k] += m->jobs[k].there && !m->jobs[k].over && m->jobs[k].id.i == d[i].job.i &&
                          m->jobs[k].id.gen == d[i].job.gen;
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &m->jobs[i];
        int32_t should = runs(j) && j->start == m->now ? j->size : 0;
        ck_assert_msg(started[i] == should, "seed %d, job %d at %d: %d tasks started, not %d",
                      (int)seed, i, (int)m->now, started[i], should);
        if (!waits(j))
            continue;
        policy_time planned = pc_planned_start(p, j->id.i);
        ck_assert_msg(planned == j->planned, "seed %d, job %d at %d: planned for %lld, not %lld",
                      (int)seed, i, (int)m->now, (long long)planned, (long long)j->planned);
    }
}

START_TEST(plans_as_the_model_says)
{
    int planned = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed += (uint64_t)harness_thin()) {
        uint64_t random = seed;
        struct tally tally = {0};
        struct model m;
        policy_queue queues[QUEUES];
        make(&m, &random);
        struct policy *p = create(&tally, &m, queues);
        for (m.now = next_time(&m); m.now < INT64_MAX; m.now = next_time(&m)) {
            size_t count;
            tell(&m, p, queues);
            const struct policy_decision *d = policy_decide(p, m.now, &count);
            decide(&m);
            compare(&m, p, d, count, seed);
            core_is_sound(p);
            for (int i = 0; i < JOBS; i++)
                planned += waits(&m.jobs[i]) && m.jobs[i].planned < FOR_EVER;
        }
        core_destroy(p, &tally);
    }
    ck_assert_int_gt(planned, 100);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("property/planned_random");
    TCase *tcase = tcase_create("plans");
    tcase_add_test(tcase, plans_as_the_model_says);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
