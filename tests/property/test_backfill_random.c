/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Backfill on counted devices against plain models: everything is recomputed for each decision,
 * straight from the definitions. Limits may be exact, too long, too short or missing. Where nodes
 * are chosen the models do not cover them, but the guarantee still holds: as long as no job exceeds
 * its declared limit, no job starts later than the time predicted when it became the first in line.
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <stdio.h>

enum { NODES = 5, DEVICES = 8, JOBS = 60, RUNS = 100, TASKS = NODES * DEVICES / 4 };
#define FOR_EVER (INT64_MAX / 2)

enum kind { EASY, FROZEN, CONSERVATIVE };

struct job {
    int64_t submit, limit, run, start, end, promised; /* limit FOR_EVER: none; start -1: pending */
    int32_t size, tasks;
    bool there, over;
    policy_job id;
    policy_node node[TASKS]; /* of each task, if nodes are chosen */
    uint64_t devices[TASKS];
};

struct model {
    enum kind kind;
    struct job jobs[JOBS];
    int32_t capacity;
    int64_t now;
    int frozen; /* job whose time was computed, -1 none */
    int64_t frozen_at;
};

static bool waits(const struct job *j)
{
    return j->there && j->start < 0;
}

static bool runs(const struct job *j)
{
    return j->start >= 0 && !j->over;
}

static int64_t declared_end(const struct model *m, const struct job *j)
{
    int64_t end = j->start + j->limit;
    return end > m->now ? end : m->now;
}

static int32_t free_now(const struct model *m)
{
    int32_t free = m->capacity;
    for (int i = 0; i < JOBS; i++)
        free -= runs(&m->jobs[i]) ? m->jobs[i].size : 0;
    return free;
}

static void start(struct model *m, struct job *j)
{
    j->start = m->now;
    j->end = m->now + j->run;
}

/* Returns the first job that cannot start after all jobs before it have started; -1: none. */
static int serve_in_order(struct model *m)
{
    for (int i = 0; i < JOBS; i++) {
        if (!waits(&m->jobs[i]))
            continue;
        if (m->jobs[i].size > free_now(m))
            return i;
        start(m, &m->jobs[i]);
    }
    return -1;
}

/* ---- EASY: Mu'alem and Feitelson, IEEE TPDS 2001, section 2 ---- */

/* The shadow time: when enough will be free, and what is left over then. */
static int64_t shadow(const struct model *m, const struct job *first, int32_t *extra)
{
    int64_t best = FOR_EVER;
    for (int i = 0; i < JOBS; i++) {
        if (!runs(&m->jobs[i]) || declared_end(m, &m->jobs[i]) >= best)
            continue;
        int64_t at = declared_end(m, &m->jobs[i]);
        int32_t free = free_now(m);
        for (int k = 0; k < JOBS; k++)
            free += runs(&m->jobs[k]) && declared_end(m, &m->jobs[k]) <= at ? m->jobs[k].size : 0;
        if (free < first->size)
            continue;
        best = at;
        *extra = free - first->size;
    }
    return best;
}

static void easy(struct model *m)
{
    int first = serve_in_order(m);
    if (first < 0)
        return;
    int32_t extra = m->capacity - m->jobs[first].size; /* if all have ended some day */
    int64_t at = shadow(m, &m->jobs[first], &extra);
    if (m->kind == FROZEN && m->frozen != first) {
        m->frozen = first;
        m->frozen_at = at;
    }
    for (int i = first + 1; i < JOBS; i++) {
        struct job *j = &m->jobs[i];
        if (!waits(j) || j->size > free_now(m))
            continue;
        bool ends_before = m->now + j->limit <= (m->kind == FROZEN ? m->frozen_at : at);
        bool beside = m->kind == EASY && j->size <= extra;
        if (!ends_before && !beside)
            continue;
        start(m, j);
        extra -= ends_before ? 0 : j->size;
    }
}

/* ---- conservative: a time for everybody, which is never put off ---- */

static int32_t free_at(const struct model *m, int64_t at, const struct job *but)
{
    int32_t free = m->capacity;
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &m->jobs[i];
        int64_t from = j->promised > m->now ? j->promised : m->now;
        bool will_run =
            waits(j) && j != but && j->promised < FOR_EVER && from <= at && at < from + j->limit;
        free -= will_run || (runs(j) && at < declared_end(m, j)) ? j->size : 0;
    }
    return free;
}

/* Times at which free capacity may change, plus now; at most 2 x JOBS + 1. */
static int changes(const struct model *m, int64_t times[2 * JOBS + 1])
{
    int count = 1;
    times[0] = m->now;
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &m->jobs[i];
        int64_t from = j->promised > m->now ? j->promised : m->now;
        if (runs(j))
            times[count++] = declared_end(m, j);
        else if (waits(j) && j->promised < FOR_EVER) {
            times[count++] = from;
            times[count++] = from + j->limit;
        }
    }
    return count;
}

static int64_t earliest(const struct model *m, const struct job *j, int64_t after)
{
    int64_t times[2 * JOBS + 1];
    int count = changes(m, times);
    int64_t best = FOR_EVER;
    for (int i = 0; i < count; i++) {
        bool ok = times[i] > after && times[i] < best && free_at(m, times[i], j) >= j->size;
        ok &= times[i] == m->now || free_at(m, times[i], j) != free_at(m, times[i] - 1, j);
        for (int k = 0; k < count && ok; k++)
            ok = times[k] < times[i] || times[k] >= times[i] + j->limit ||
                 free_at(m, times[k], j) >= j->size;
        best = ok ? times[i] : best;
    }
    return best;
}

static void conservative(struct model *m)
{
    for (int i = 0; i < JOBS; i++) {
        struct job *j = &m->jobs[i];
        if (!waits(j))
            continue;
        int64_t at = earliest(m, j, m->now - 1);
        if (at == m->now && j->size <= free_now(m))
            start(m, j);
        else
            j->promised = at > m->now ? at : earliest(m, j, m->now);
    }
}

/* ---- a run ---- */

static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)(test_draw(state) % (uint64_t)n);
}

/* `honest`: every job declares a limit and none exceeds it. */
static void make_jobs(struct model *m, uint64_t *random, bool honest)
{
    int64_t submit = 1;
    for (int i = 0; i < JOBS; i++) {
        struct job *j = &m->jobs[i];
        submit += below(random, 3) == 0 ? 0 : below(random, 12);
        int64_t limit = 1 + below(random, 60);
        int64_t way = honest ? below(random, 2) : below(random, 5);
        *j = (struct job){
            .submit = submit, .limit = limit, .run = limit, .start = -1, .promised = FOR_EVER};
        j->size = (int32_t)(below(random, 3) == 0 ? 1 + below(random, m->capacity)
                                                  : 1 + below(random, 8));
        if (way == 1)
            j->run = 1 + below(random, limit);
        if (way == 2)
            j->run = limit + below(random, 40);
        if (way == 3)
            j->limit = FOR_EVER;
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

static struct policy_job_spec spec_of(const struct job *j, policy_queue q, uint64_t rank,
                                      const struct policy_role *role)
{
    struct policy_job_spec spec = core_job_spec(q, rank, role, 1);
    spec.submitted = j->submit;
    spec.run_ms = -1;
    spec.limit_ms = j->limit == FOR_EVER ? -1 : j->limit;
    return spec;
}

/* Reports ends and arrivals at this time. */
static void tell(struct model *m, struct policy *p, policy_queue q, bool counts)
{
    for (int i = 0; i < JOBS; i++)
        if (runs(&m->jobs[i]) && m->jobs[i].end == m->now) {
            m->jobs[i].over = true;
            ck_assert_int_eq(
                policy_task_ended(p, m->now, m->jobs[i].id, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                POLICY_OK);
        }
    for (int i = 0; i < JOBS; i++) {
        struct job *j = &m->jobs[i];
        if (j->there || j->submit != m->now)
            continue;
        /* on nodes: pieces of up to four devices */
        int32_t each = counts ? j->size : j->size < 4 ? j->size : 4;
        struct policy_role role = core_role(j->size / each, core_devices(each));
        j->size = role.tasks * each;
        j->tasks = role.tasks;
        struct policy_job_spec spec = spec_of(j, q, (uint64_t)i, &role);
        j->id = policy_submit(p, m->now, &spec);
        ck_assert_uint_ne(j->id.i, POLICY_NO_ID);
        j->there = true;
    }
}

static struct policy *create(struct tally *tally, enum kind kind, const char *placement)
{
    static const char *const presets[] = {"easy", "easy", "conservative"};
    char options[80];
    snprintf(options, sizeof options, "placement=%s%s", placement,
             kind == FROZEN ? " easy_variant=frozen" : "");
    struct policy *p = core_create(tally, presets[kind], options);
    for (uint32_t i = 0; i < NODES; i++)
        core_node(p, i, DEVICES);
    return p;
}

static int job_of(const struct model *m, policy_job id)
{
    for (int i = 0; i < JOBS; i++)
        if (waits(&m->jobs[i]) && m->jobs[i].id.i == id.i && m->jobs[i].id.gen == id.gen)
            return i;
    ck_abort_msg("a job was started that does not wait");
}

static void as_the_model(enum kind kind, uint64_t seed)
{
    uint64_t random = seed;
    struct tally tally = {0};
    struct model m = {.kind = kind, .capacity = NODES * DEVICES, .frozen = -1};
    struct policy *p = create(&tally, kind, "count");
    policy_queue q = core_queue(p, NULL, 0);
    make_jobs(&m, &random, false);
    for (m.now = next_time(&m); m.now < INT64_MAX; m.now = next_time(&m)) {
        tell(&m, p, q, true);
        bool waited[JOBS];
        for (int i = 0; i < JOBS; i++)
            waited[i] = waits(&m.jobs[i]);
        size_t count;
        const struct policy_decision *d = policy_decide(p, m.now, &count);
        bool started[JOBS] = {false};
        for (size_t i = 0; i < count; i++)
            started[job_of(&m, d[i].job)] = true;
        if (kind == CONSERVATIVE)
            conservative(&m);
        else
            easy(&m);
        for (int i = 0; i < JOBS; i++)
            ck_assert_msg(started[i] == (waited[i] && !waits(&m.jobs[i])),
                          "seed %d: job %d at %d: started %d", (int)seed, i, (int)m.now,
                          started[i]);
        core_is_sound(p);
    }
    core_destroy(p, &tally);
}

START_TEST(counted_devices_as_the_models_say)
{
    for (uint64_t seed = 1; seed <= RUNS; seed += (uint64_t)harness_thin())
        as_the_model((enum kind)_i, seed);
}
END_TEST

/* ---- promises where nodes are chosen ---- */

/* A second, separate policy with the same jobs at the same places. */
static struct policy *copy_running(const struct model *m, struct tally *tally,
                                   const char *placement, policy_queue *q, policy_job ids[JOBS])
{
    char options[80];
    snprintf(options, sizeof options, "placement=%s", placement);
    struct policy *p = core_create(tally, "fifo", options);
    for (uint32_t i = 0; i < NODES; i++)
        core_node(p, i, DEVICES);
    *q = core_queue(p, NULL, 0);
    for (int i = 0; i < JOBS; i++) {
        const struct job *j = &m->jobs[i];
        if (!runs(j))
            continue;
        struct policy_role role = core_role(j->tasks, core_devices(j->size / j->tasks));
        struct policy_job_spec spec = spec_of(j, *q, (uint64_t)i, &role);
        ids[i] = policy_submit(p, m->now, &spec);
        for (int32_t t = 0; t < j->tasks; t++)
            ck_assert_int_eq(policy_task_running(p, m->now, ids[i], (uint32_t)t, j->node[t],
                                                 j->devices[t], m->now),
                             POLICY_OK);
    }
    return p;
}

/* When the first in line would start if no other job came: running jobs end as declared, one after
 * another. */
static int64_t told(const struct model *m, const struct job *first, const char *placement)
{
    struct tally tally = {0};
    policy_queue q;
    policy_job ids[JOBS];
    struct policy *p = copy_running(m, &tally, placement, &q, ids);
    struct policy_role role = core_role(first->tasks, core_devices(first->size / first->tasks));
    struct policy_job_spec spec = spec_of(first, q, JOBS, &role);
    policy_submit(p, m->now, &spec);
    bool ended[JOBS] = {false};
    int64_t at = m->now;
    for (size_t count = 0; count == 0;) {
        int next = -1;
        policy_decide(p, at, &count);
        for (int i = 0; i < JOBS && count == 0; i++)
            if (runs(&m->jobs[i]) && !ended[i] &&
                (next < 0 || declared_end(m, &m->jobs[i]) < declared_end(m, &m->jobs[next])))
                next = i;
        if (count > 0)
            break;
        ck_assert_int_ge(next, 0);
        ended[next] = true;
        at = declared_end(m, &m->jobs[next]);
        ck_assert_int_eq(policy_task_ended(p, at, ids[next], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                         POLICY_OK);
    }
    core_destroy(p, &tally);
    return at;
}

static void carry_out(struct model *m, const struct policy_decision *d, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int of = -1;
        for (int k = 0; k < JOBS; k++)
            if (m->jobs[k].there && !m->jobs[k].over && m->jobs[k].id.i == d[i].job.i &&
                m->jobs[k].id.gen == d[i].job.gen)
                of = k;
        ck_assert_int_ge(of, 0);
        struct job *j = &m->jobs[of];
        if (j->start < 0)
            start(m, j);
        ck_assert_int_eq(j->start, m->now);
        j->node[d[i].task] = d[i].node;
        j->devices[d[i].task] = d[i].devices;
    }
}

/* Records the predicted time of a new first job. Returns true if some job was backfilled ahead of
 * it. */
static bool note_first(struct model *m, const char *placement)
{
    int first = 0;
    while (first < JOBS && !waits(&m->jobs[first]))
        first++;
    if (first == JOBS)
        return false;
    if (m->jobs[first].promised == FOR_EVER)
        m->jobs[first].promised = told(m, &m->jobs[first], placement);
    for (int i = first + 1; i < JOBS; i++)
        if (m->jobs[i].start == m->now)
            return true;
    return false;
}

START_TEST(the_first_in_line_is_never_delayed)
{
    static const char *const placements[] = {"best-fit", "first-fit"};
    int ahead = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed += (uint64_t)harness_thin()) {
        const char *placement = placements[seed % 2];
        struct tally tally = {0};
        struct model m = {.kind = EASY, .capacity = NODES * DEVICES};
        struct policy *p = create(&tally, EASY, placement);
        policy_queue q = core_queue(p, NULL, 0);
        uint64_t random = seed;
        make_jobs(&m, &random, true);
        for (m.now = next_time(&m); m.now < INT64_MAX; m.now = next_time(&m)) {
            tell(&m, p, q, false);
            size_t count;
            const struct policy_decision *d = policy_decide(p, m.now, &count);
            carry_out(&m, d, count);
            ahead += note_first(&m, placement);
            core_is_sound(p);
        }
        for (int i = 0; i < JOBS; i++)
            ck_assert_msg(m.jobs[i].over && m.jobs[i].start <= m.jobs[i].promised,
                          "seed %d: job %d started at %d, was told %d", (int)seed, i,
                          (int)m.jobs[i].start, (int)m.jobs[i].promised);
        core_destroy(p, &tally);
    }
    ck_assert_int_gt(ahead, 0); /* otherwise nothing was tested */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backfill_random");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, counted_devices_as_the_models_say, EASY, CONSERVATIVE + 1);
    tcase_add_test(tcase, the_first_in_line_is_never_delayed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
