/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole simulations of srtf and las against naive replays of the published simulators' rules. That
 * of Helios and Lucid ticks every second: a job counts down, is moved, placed and evicted as in
 * their sources, with a late last second and an overhead per preemption. That of Tiresias goes from
 * event to event and refills the cluster each time. Random clusters and jobs, audits on; starts,
 * ends, preemptions and pending times must be equal.
 */
#include "tests/sim/small.h"

enum { NODES = 3, SIZE = 4, JOBS = 40, BLOCKS = 12, SEEDS = 8, LIMITS = 2 };

struct twin_job {
    int64_t submit, duration, left; /* seconds */
    int gpus;
    bool arrived, runs, ended;
    int64_t attained; /* GPU-seconds; Tiresias: seconds */
    int level;
    int64_t start, end, queued, stopped;
    int preemptions;
    int held[NODES];
};

struct twin {
    struct twin_job jobs[JOBS];
    int count;
    int free[NODES];
    int list[JOBS], listed;  /* the queue, in order */
    int running[JOBS], runs; /* in order of their start */
    bool las, counts;
    int64_t threshold, tick, overhead_small, overhead_large;
};

/* ---- lists ---- */

static void append(int *list, int *count, int job)
{
    list[(*count)++] = job;
}

static void drop(int *list, int *count, int job)
{
    int kept = 0;
    for (int i = 0; i < *count; i++)
        if (list[i] != job)
            list[kept++] = list[i];
    *count = kept;
}

/* ---- Helios and Lucid ---- */

/* The single node with the fewest free devices that fits; for larger tasks free nodes, the
 * remainder where the most are free. */
static bool place(struct twin *t, struct twin_job *job)
{
    int whole = job->gpus > SIZE ? job->gpus / SIZE : 0;
    int rest = job->gpus > SIZE ? job->gpus % SIZE : job->gpus;
    int before[NODES];
    memcpy(before, t->free, sizeof before);
    memset(job->held, 0, sizeof job->held);
    for (int n = 0; n < NODES && whole > 0; n++)
        if (t->free[n] == SIZE) {
            job->held[n] = SIZE;
            t->free[n] = 0;
            whole--;
        }
    int best = -1;
    for (int n = 0; n < NODES && rest > 0; n++) {
        bool better = best < 0 ||
                      (job->gpus > SIZE ? t->free[n] > t->free[best] : t->free[n] < t->free[best]);
        if (t->free[n] >= rest && better)
            best = n;
    }
    if (whole == 0 && (rest == 0 || best >= 0)) {
        if (rest > 0) {
            job->held[best] += rest;
            t->free[best] -= rest;
        }
        return true;
    }
    memcpy(t->free, before, sizeof before);
    return false;
}

static void release(struct twin *t, struct twin_job *job)
{
    for (int n = 0; n < NODES; n++)
        t->free[n] += job->held[n];
    job->runs = false;
}

/* srtf: pending before running jobs, by remaining time; las: running before pending jobs, by queue
 * and submission. All stable. */
static int sorted(const struct twin *t, int *order)
{
    int count = 0;
    for (int side = 0; side < 2; side++) {
        bool waiting = (side == 0) != t->las;
        for (int i = 0; i < (waiting ? t->listed : t->runs); i++)
            append(order, &count, waiting ? t->list[i] : t->running[i]);
    }
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0; k--) {
            const struct twin_job *a = &t->jobs[order[k - 1]];
            const struct twin_job *b = &t->jobs[order[k]];
            bool low_a = a->attained > t->threshold;
            bool low_b = b->attained > t->threshold;
            bool swap = t->las ? low_a > low_b || (low_a == low_b && a->submit > b->submit)
                               : a->left > b->left;
            if (!swap)
                break;
            int moved = order[k];
            order[k] = order[k - 1];
            order[k - 1] = moved;
        }
    return count;
}

static void preempt(struct twin *t, int id, int64_t now)
{
    struct twin_job *job = &t->jobs[id];
    release(t, job);
    drop(t->running, &t->runs, id);
    append(t->list, &t->listed, id);
    job->left += job->gpus <= SIZE ? t->overhead_small : t->overhead_large;
    job->preemptions++;
    job->stopped = now;
}

static void start(struct twin *t, int id, int64_t now)
{
    struct twin_job *job = &t->jobs[id];
    if (!place(t, job))
        return;
    job->runs = true;
    drop(t->list, &t->listed, id);
    append(t->running, &t->runs, id);
    job->queued += now - (job->start < 0 ? job->submit : job->stopped);
    job->start = job->start < 0 ? now : job->start;
}

static void decide(struct twin *t, int64_t now)
{
    int order[JOBS];
    bool evicted[JOBS] = {false};
    bool chosen[JOBS] = {false};
    int quota = NODES * SIZE;
    int count = sorted(t, order);
    for (int i = 0; i < count; i++) {
        const struct twin_job *job = &t->jobs[order[i]];
        bool fits = job->gpus <= quota;
        quota -= fits ? job->gpus : 0;
        evicted[order[i]] = !fits && job->runs;
        chosen[order[i]] = fits && !job->runs;
    }
    for (int i = 0; i < count; i++)
        if (evicted[order[i]])
            preempt(t, order[i], now);
    for (int i = 0; i < count; i++)
        if (chosen[order[i]])
            start(t, order[i], now);
}

static void second(struct twin *t, int64_t now)
{
    for (int i = 0; i < t->runs;) {
        struct twin_job *job = &t->jobs[t->running[i]];
        if (job->left > 0) {
            job->left--;
            job->attained += job->gpus;
            i++;
            continue;
        }
        job->end = now;
        job->ended = true;
        release(t, job);
        drop(t->running, &t->runs, t->running[i]);
    }
    for (int i = 0; i < t->count; i++)
        if (t->jobs[i].submit == now)
            append(t->list, &t->listed, i);
    if (now % t->tick == 0)
        decide(t, now);
}

static bool all_ended(const struct twin *t)
{
    for (int i = 0; i < t->count; i++)
        if (!t->jobs[i].ended)
            return false;
    return true;
}

/* ---- Tiresias ---- */

static int64_t next_event(const struct twin *t, int64_t now, int64_t jump)
{
    int64_t next = jump;
    for (int i = 0; i < t->count; i++) {
        const struct twin_job *job = &t->jobs[i];
        int64_t at = job->runs ? now + job->left : job->arrived ? INT64_MAX : job->submit;
        next = at < next ? at : next;
    }
    return next;
}

/* Advances the time; ends, arrivals. */
static void advance(struct twin *t, int64_t from, int64_t to)
{
    for (int i = 0; i < t->count; i++) {
        struct twin_job *job = &t->jobs[i];
        if (job->runs) {
            job->left -= to - from;
            job->attained += to - from;
        }
        if (job->runs && job->left == 0) {
            job->runs = false;
            job->ended = true;
            job->end = to;
            drop(t->list, &t->listed, i);
        }
    }
    for (int i = 0; i < t->count; i++)
        if (!t->jobs[i].arrived && t->jobs[i].submit == to) {
            t->jobs[i].arrived = true;
            append(t->list, &t->listed, i);
        }
}

static const int64_t limits[LIMITS] = {30, 80};

/* Stable sort by a key; the list keeps its order between events. */
static void sort_list(struct twin *t, int64_t (*key)(const struct twin *, const struct twin_job *))
{
    for (int i = 1; i < t->listed; i++)
        for (int k = i; k > 0 && key(t, &t->jobs[t->list[k - 1]]) > key(t, &t->jobs[t->list[k]]);
             k--) {
            int moved = t->list[k];
            t->list[k] = t->list[k - 1];
            t->list[k - 1] = moved;
        }
}

static int64_t by_left(const struct twin *t, const struct twin_job *job)
{
    (void)t;
    return job->left;
}

static int64_t by_left_gpus(const struct twin *t, const struct twin_job *job)
{
    (void)t;
    return job->left * job->gpus;
}

static int64_t by_level(const struct twin *t, const struct twin_job *job)
{
    (void)t;
    return job->level;
}

static int64_t by_level_and_state(const struct twin *t, const struct twin_job *job)
{
    (void)t;
    return 2 * job->level + !job->runs;
}

/* Jobs that have attained a threshold move to the end of the next queue, in order of submission. */
static void demote(struct twin *t)
{
    for (int i = 0; i < t->count; i++) {
        struct twin_job *job = &t->jobs[i];
        if (!job->runs || job->level == LIMITS || job->attained * job->gpus < limits[job->level])
            continue;
        job->level++;
        drop(t->list, &t->listed, i);
        append(t->list, &t->listed, i);
    }
    sort_list(t, by_level);
}

static void refill(struct twin *t, int64_t now)
{
    int left = NODES * SIZE;
    for (int i = 0; i < t->listed; i++) {
        struct twin_job *job = &t->jobs[t->list[i]];
        bool fits = job->gpus <= left;
        left -= fits ? job->gpus : 0;
        job->preemptions += job->runs && !fits;
        job->start = fits && job->start < 0 ? now : job->start;
        job->runs = fits;
    }
}

static int64_t next_jump(const struct twin *t, int64_t now)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < t->count && t->las; i++) {
        const struct twin_job *job = &t->jobs[i];
        if (!job->runs || job->level == LIMITS)
            continue;
        int64_t jump = (limits[job->level] - job->attained) / job->gpus;
        jump = now + (jump > 1 ? jump : 1);
        next = jump < next ? jump : next;
    }
    return next;
}

static void events(struct twin *t, bool times_gpus)
{
    int64_t now = t->jobs[0].submit;
    for (int64_t jump = INT64_MAX, next; (next = next_event(t, now, jump)) < INT64_MAX;) {
        advance(t, now, next);
        now = next;
        if (t->las)
            demote(t);
        else
            sort_list(t, times_gpus ? by_left_gpus : by_left);
        refill(t, now);
        if (t->las)
            sort_list(t, by_level_and_state);
        jump = next_jump(t, now);
    }
}

/* ---- random runs ---- */

static void make_jobs(struct twin *t, struct small *s, uint64_t *random)
{
    static const int sizes[] = {1, 1, 1, 2, 2, 3, 4, 4, 5, 7, 8, 12};
    int64_t now = 10;
    for (t->count = 0; t->count < JOBS; t->count++) {
        struct twin_job *job = &t->jobs[t->count];
        int64_t duration = 1 + small_below(random, small_below(random, 3) == 0 ? 200 : 20);
        *job = (struct twin_job){.submit = now,
                                 .duration = duration,
                                 .left = duration,
                                 .gpus = sizes[small_below(random, ROWS(sizes))],
                                 .start = -1};
        struct trace_job *made = small_job(s, "j", now * 1000, duration * 1000, job->gpus);
        made->preemptible = 1;
        now += small_below(random, 2) == 0 ? small_below(random, 12) : 0;
    }
}

struct seen {
    int64_t queued[SMALL_JOBS], first[SMALL_JOBS];
    uint32_t preemptions[SMALL_JOBS];
};

static void note_end(void *self, const struct sim *sim, const struct work_job *job)
{
    struct seen *seen = self;
    (void)sim;
    seen->queued[job->number] = job->queue_ms;
    seen->first[job->number] = job->first_start_ms;
    seen->preemptions[job->number] = job->preemptions;
}

static void compare(const struct twin *t, const struct small *s, const struct seen *seen,
                    uint64_t seed)
{
    for (int i = 0; i < t->count; i++) {
        const struct twin_job *job = &t->jobs[i];
        ck_assert_msg(s->lives[i].end_ms == job->end * 1000,
                      "seed %llu, job %d (%d GPUs) ends at %g s, not %lld",
                      (unsigned long long)seed, i, job->gpus, (double)s->lives[i].end_ms / 1000,
                      (long long)job->end);
        ck_assert_int_eq(seen->first[i], job->start * 1000);
        ck_assert_uint_eq(seen->preemptions[i], (uint32_t)job->preemptions);
        if (!t->counts)
            ck_assert_int_eq(seen->queued[i], job->queued * 1000);
    }
}

static void one_run(uint64_t seed, const char *preset, const char *options, struct twin *t,
                    bool times_gpus)
{
    struct small s;
    struct seen seen = {0};
    uint64_t random = seed;
    small_begin(&s, preset, options);
    s.silent = true;
    small_observe(&s, (struct sim_observer){.self = &seen, .ended = note_end});
    small_pool(&s, "p", NODES, SIZE);
    s.config.cycle_ms = t->las ? t->tick * 1000 : 0; /* srtf decides at the same times either way */
    if (!t->counts)
        s.config.overheads =
            (struct work_overheads){.launch_ms = 1000,
                                    .preempt = {{SIZE, t->overhead_small * 1000},
                                                {WORK_ANY_SIZE, t->overhead_large * 1000}},
                                    .preempt_count = 2};
    make_jobs(t, &s, &random);
    for (int i = 0; i < NODES; i++)
        t->free[i] = SIZE;
    if (t->counts)
        events(t, times_gpus);
    for (int64_t now = 0; !t->counts && !all_ended(t); now++)
        second(t, now);
    ck_assert_msg(small_try(&s), "seed %llu, %s: %s", (unsigned long long)seed, options, s.err.msg);
    compare(t, &s, &seen, seed);
    small_end(&s);
}

START_TEST(srtf_as_in_helios_and_lucid)
{
    for (int seed = 0; seed < SEEDS; seed++) {
        struct twin t = {
            .tick = 1, .overhead_small = 1 + seed, .overhead_large = 3 + 2 * (int64_t)seed};
        one_run((uint64_t)(_i * SEEDS + seed), "srtf", "placement=consolidated ties=waiting", &t,
                false);
    }
}
END_TEST

START_TEST(las_as_in_lucid)
{
    for (int seed = 0; seed < SEEDS; seed++) {
        struct twin t = {.las = true,
                         .tick = seed % 2 == 0 ? 5 : 1,
                         .threshold = 25,
                         .overhead_small = seed,
                         .overhead_large = 2 * (int64_t)seed};
        one_run((uint64_t)(_i * SEEDS + seed), "las", "placement=consolidated threshold_gpu_s=25",
                &t, false);
    }
}
END_TEST

static const struct {
    const char *preset, *options;
    bool las, times_gpus;
} tiresias[] = {
    {"srtf", "placement=count ties=previous refill=true", false, false},
    {"srtf", "placement=count ties=previous refill=true order=remaining-gpu", false, true},
    {"las", "placement=count demotion=published threshold_gpu_s=30,80", true, false},
};

START_TEST(as_in_tiresias)
{
    for (int row = 0; row < ROWS(tiresias); row++)
        for (int seed = 0; seed < SEEDS; seed++) {
            struct twin t = {.counts = true, .las = tiresias[row].las};
            one_run((uint64_t)(_i * SEEDS + seed), tiresias[row].preset, tiresias[row].options, &t,
                    tiresias[row].times_gpus);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replay_preemptive");
    TCase *tcase = tcase_create("replay");
    tcase_add_loop_test(tcase, srtf_as_in_helios_and_lucid, 0, harness_repeats(BLOCKS));
    tcase_add_loop_test(tcase, las_as_in_lucid, 0, harness_repeats(BLOCKS));
    tcase_add_loop_test(tcase, as_in_tiresias, 0, harness_repeats(BLOCKS));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
