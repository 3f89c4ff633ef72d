/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tenants of a device that want more memory than it has: two tenants of 10 GiB that grow to 30 GiB
 * on 40 GiB, by hand, in every mode; and random tenants with phases against a
 * millisecond-by-millisecond replay without events, lists or tables.
 */
#include "report/measure/gpu_memory.h"
#include "report/measure/ledger.h"
#include "sim/gpu_memory.h"
#include "sim/memory/demand.h"
#include "tests/sim/evict.h"

#define GIB INT64_C(1024)

/* One node with one device of 40 GiB; tenants with a limit are always at it. */
static void begin(struct small *s, enum memory_mode mode, const char *preset)
{
    small_begin(s, preset, "");
    small_pool(s, "p", 1, 1);
    s->fleet.nodes[0].device_mem_mib = 40 * GIB;
    small_queue(s, "q", 0)->gpu.quota = 8000;
    s->config.gpu_memory = (struct memory_rules){.mode = mode,
                                                 .grow_ppm = 1000000,
                                                 .least_ppm = 1000000,
                                                 .phase_ms = 600000,
                                                 .idle_after_ms = 600000,
                                                 .retry_ms = 10000,
                                                 .host_mbps = 25000,
                                                 .turn_ms = 60000};
}

static struct trace_job *tenant(struct small *s, const char *id, int64_t request_gib,
                                int64_t limit_gib)
{
    struct trace_job *job = small_job_of(s, "q", id, 0, 3600000, TRACE_UNKNOWN);
    job->gpus = 1;
    job->gpu_mem_mib = request_gib * GIB;
    job->gpu_mem_limit_mib = limit_gib * GIB;
    return job;
}

/* ---- two tenants ---- */

// clang-format off
static const struct {
    const char *what;
    enum memory_mode mode;
    int32_t priority_b; /* a has 50 */
    int64_t start_a_s, end_a_s, start_b_s, end_b_s; /* starts: the last ones */
    uint64_t collisions, waits, oom_kills, evicted;
} pairs[] = {
    /* By their limits they do not fit together: b starts after a has ended. */
    {"static", MEMORY_STATIC, 50, 0, 3600, 3600, 7200, 0, 0, 0, 0},
    /* b is killed at 0, 10, 30, 70, 150, 310, 630, 950, ... 3510 s, restarts at once each time, and
     * waits longer before it asks. */
    {"none", MEMORY_NONE, 50, 0, 3600, 3510, 7430, 16, 0, 16, 0},
    {"wait", MEMORY_WAIT, 50, 0, 3600, 0, 7200, 1, 1, 0, 0},
    {"equal priority", MEMORY_PRIORITY, 50, 0, 3600, 0, 7200, 1, 1, 0, 0},
    {"lower priority", MEMORY_PRIORITY, 40, 0, 3600, 0, 7200, 1, 1, 0, 0},
    /* a is ended, restarts, asks at 10 s and waits for b. */
    {"higher priority", MEMORY_PRIORITY, 60, 0, 7200, 0, 3600, 2, 1, 0, 1},
};
// clang-format on

START_TEST(two_tenants)
{
    struct small s;
    begin(&s, pairs[_i].mode, "runai");
    tenant(&s, "a", 10, 30)->priority = 50;
    tenant(&s, "b", 10, 30)->priority = pairs[_i].priority_b;
    small_run(&s);
    ck_assert_int_eq(small_start(&s, "a"), pairs[_i].start_a_s * 1000);
    ck_assert_int_eq(small_stop(&s, "a"), pairs[_i].end_a_s * 1000);
    ck_assert_int_eq(small_start(&s, "b"), pairs[_i].start_b_s * 1000);
    ck_assert_int_eq(small_stop(&s, "b"), pairs[_i].end_b_s * 1000);
    struct sim_memory_stats stats = sim_memory_stats(s.sim);
    ck_assert_uint_eq(stats.collisions, pairs[_i].collisions);
    ck_assert_uint_eq(stats.waits, pairs[_i].waits);
    ck_assert_uint_eq(stats.oom_kills, pairs[_i].oom_kills);
    ck_assert_uint_eq(stats.evicted_priority, pairs[_i].evicted);
    ck_assert_uint_eq(stats.stuck_kills + stats.evicted_idle, 0);
    ck_assert_double_eq_tol(stats.peak_use, 0.75, 1e-9);
    double last_s = (double)s.sim->now_ms / 1000; /* each has 30 GiB for an hour */
    ck_assert_double_eq_tol(stats.mean_use, 0.75 * 7200 / last_s, 1e-6);
    small_end(&s);
}
END_TEST

/*
 * 60 GiB wanted of 40: both run at 0.972163 of their speed (test_device.c) and take 3600 / 0.972163
 * s, the device is always full, and every round of 61.717986 s moves 40 GiB.
 */
START_TEST(two_tenants_take_turns)
{
    struct small s;
    begin(&s, MEMORY_SWAP, "runai");
    tenant(&s, "a", 10, 30);
    tenant(&s, "b", 10, 30);
    small_run(&s);
    int64_t expected = (INT64_C(3600000) * 1000000 + 972162) / 972163;
    ck_assert_int_eq(small_stop(&s, "a"), expected);
    ck_assert_int_eq(small_stop(&s, "b"), expected);
    struct sim_memory_stats stats = sim_memory_stats(s.sim);
    ck_assert_uint_eq(stats.collisions, 1);
    ck_assert_double_eq_tol(stats.mean_use, 1, 1e-9);
    ck_assert_double_eq_tol(stats.swapped_gb, (double)expected / 61717.986 * 40 * 1.073741824,
                            0.01);
    ck_assert_double_eq_tol(stats.mean_tenants, 2, 1e-9);
    small_end(&s);
}
END_TEST

/*
 * An unused session holds 20 GiB; g wants 30 and waits until the session has been idle for 10
 * minutes. The session returns, asks 10 s later and waits until g ends at 4200 s; it has done 600
 * of its 1000 s.
 */
START_TEST(an_idle_session_makes_room)
{
    struct small s;
    begin(&s, MEMORY_PRIORITY, "runai");
    struct trace_job *session = tenant(&s, "v", 20, 20);
    session->class = TRACE_BUILD;
    session->priority = 50;
    session->active_ppm = 0;
    session->duration_ms = 1000000;
    tenant(&s, "g", 10, 30);
    small_run(&s);
    ck_assert_int_eq(small_stop(&s, "g"), 4200000);
    ck_assert_int_eq(small_stop(&s, "v"), 4600000);
    ck_assert_int_eq(small_life(&s, "v")->times_started, 2);
    struct sim_memory_stats stats = sim_memory_stats(s.sim);
    ck_assert_uint_eq(stats.evicted_idle, 1);
    ck_assert_uint_eq(stats.waits, 2);
    small_end(&s);
}
END_TEST

/* Shares: a quarter of 40,900 MiB (whole hundreds) that may grow to 30 GiB; by its limit it is 752
 * thousandths. */
/* b waits for a from 0 to 3600 s, and hangs from 1000 s until detection at 2000: that is lost to
 * the fault. */
START_TEST(hanging_jobs_do_not_wait)
{
    struct small s;
    struct ledger l = {0};
    struct gpu_memory g = {0};
    begin(&s, MEMORY_WAIT, "runai");
    tenant(&s, "a", 10, 30);
    tenant(&s, "b", 10, 30);
    small_observe(&s, ledger_observer(&l));
    small_observe(&s, gpu_memory_observer(&g));
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    evict_run(&s, 1000000);
    ck_assert_msg(sim_hang(s.sim, evict_find(&s, "b"), &s.err), "%s", s.err.msg);
    evict_run(&s, 2000000);
    const struct sim_fault noticed = {.effect = SIM_FAULT_KILLS};
    ck_assert_msg(sim_interrupt(s.sim, evict_find(&s, "b"), &noticed, &s.err), "%s", s.err.msg);
    evict_finish(&s);
    ck_assert(l.hung == (ledger_amount)250 * 1000000);
    ck_assert(g.waited == (ledger_amount)250 * 2600000);
    ck_assert(g.waited == l.hold);
    ledger_fini(&l);
    small_end(&s);
}
END_TEST

START_TEST(shares_have_limits)
{
    for (int i = 0; i < 4; i++) {
        struct small s;
        begin(&s, i < 2 ? MEMORY_STATIC : MEMORY_WAIT, i % 2 == 0 ? "runai" : "fifo");
        for (int k = 0; k < 2; k++) {
            struct trace_job *job = tenant(&s, k == 0 ? "a" : "b", 0, 30);
            job->gpu_milli = 250;
        }
        small_run(&s);
        ck_assert_int_eq(small_start(&s, "b"), i < 2 ? 3600000 : 0);
        ck_assert_int_eq(small_stop(&s, "b"), 7200000);
        small_end(&s);
    }
}
END_TEST

/* A gang of two on two devices gets its request on both or on none, and no other tenant has any of
 * it meanwhile. */
START_TEST(gangs_grow_as_a_whole)
{
    struct small s;
    begin(&s, MEMORY_WAIT, "runai");
    small_pool(&s, "r", 1, 1);
    s.fleet.nodes[1].device_mem_mib = 40 * GIB;
    tenant(&s, "a", 21, 30)->duration_ms =
        1000000; /* on one of them; the gang does not fit beside it at its limit */
    struct trace_job *gang = tenant(&s, "g", 15, 25);
    gang->tasks = gang->min_tasks = gang->max_tasks = 2;
    small_run(&s);
    ck_assert_int_eq(small_start(&s, "g"), 0);
    ck_assert_int_eq(small_stop(&s, "g"), 4600000);
    struct sim_memory_stats stats = sim_memory_stats(s.sim);
    ck_assert_uint_eq(stats.waits, 1);
    small_end(&s);
}
END_TEST

static const struct {
    int64_t request_gib, limit_gib, device_gib;
    int32_t milli;
    bool counts;
    const char *message;
} refused[] = {
    {10, 41, 40, 0, false,
     "job 'a' (row 1 of its trace): gpu_mem_limit_mib is 41984, expected at most the memory of the "
     "largest device, 40960"},
    {0, 5, 40, 250, false,
     "job 'a' (row 1 of its trace): gpu_mem_limit_mib is 5120, below the request: 250 thousandths "
     "of the smallest device are 10225 MiB"},
    {10, 30, 0, 0, false, "gpu_memory: node 'p-0' does not say how much memory its GPUs have"},
    {10, 30, 40, 0, true,
     "gpu_memory: tasks share devices, and placement 'count' does not say which"},
};

START_TEST(impossible_values_are_refused)
{
    struct small s;
    begin(&s, MEMORY_WAIT, refused[_i].counts ? "fifo" : "runai");
    if (refused[_i].counts)
        small_options(&s, "placement=count");
    s.fleet.nodes[0].device_mem_mib = refused[_i].device_gib * GIB;
    tenant(&s, "a", refused[_i].request_gib, refused[_i].limit_gib)->gpu_milli = refused[_i].milli;
    ck_assert(!small_try(&s));
    harness_contains(s.err.msg, refused[_i].message);
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    small_end(&s);
}
END_TEST

/* Without `gpu_memory` limits have no effect; and a tenant that never grows is as fast as without.
 */
START_TEST(nothing_changes_without_it)
{
    static const enum memory_mode modes[] = {MEMORY_OFF, MEMORY_WAIT};
    for (int i = 0; i < 2; i++) {
        struct small s;
        begin(&s, modes[i], "runai");
        tenant(&s, "a", 10, i == 0 ? 30 : 0);
        tenant(&s, "b", 29, i == 0 ? 40 : 0);
        small_run(&s);
        ck_assert_int_eq(small_stop(&s, "a"), 3600000);
        ck_assert_int_eq(small_stop(&s, "b"), 3600000);
        ck_assert_int_eq(s.sim->now_ms, 3600000);
        small_end(&s);
    }
}
END_TEST

/* ---- a millisecond-by-millisecond replay ---- */

enum { TENANTS = 5, RUNS = 600, RETRY_MS = 700, NEVER = -1, CAPACITY = 40960 };

struct naive_tenant {
    int64_t low, limit, duration, done, held, level, due, ready, since, end;
    int priority;
    uint32_t phase;
    int tries;              /* since its last allocation */
    bool over, waits, back; /* back: was ended, and restarts in this millisecond */
};

struct naive {
    struct memory_rules rules;
    uint64_t seed;
    struct naive_tenant t[TENANTS];
    int count;
    uint64_t collisions, waits, ooms, stuck, evicted;
};

static int64_t naive_wants(const struct naive_tenant *t)
{
    return t->low + ((t->limit - t->low) * t->level + 999999) / 1000000;
}

static int64_t naive_free(const struct naive *n)
{
    int64_t free_mib = CAPACITY;
    for (int i = 0; i < n->count; i++)
        free_mib -= n->t[i].held;
    return free_mib;
}

static void naive_phase(struct naive *n, int i, uint32_t phase, int64_t now)
{
    struct naive_tenant *t = &n->t[i];
    t->phase = phase;
    t->level = phase % 2 == 0 ? 0 : memory_level_ppm(&n->rules, n->seed, (uint64_t)i, phase);
    t->due = now + memory_phase_ms(&n->rules, n->seed, (uint64_t)i, phase);
}

static void naive_end(struct naive_tenant *t)
{
    t->held = 0;
    t->waits = false;
    t->back = true;
    t->tries++;
}

static bool naive_may_go(const struct naive_tenant *t, const struct naive_tenant *asks)
{
    return t != asks && t->held > 0 && t->priority < asks->priority;
}

/* Ends tenants of lower priority until the request fits; false if that is not enough. */
static bool naive_make_room(struct naive *n, struct naive_tenant *asks)
{
    int64_t room = naive_free(n) + asks->held;
    for (int i = 0; i < n->count; i++)
        room += naive_may_go(&n->t[i], asks) ? n->t[i].held : 0;
    if (n->rules.mode != MEMORY_PRIORITY || room < naive_wants(asks))
        return false;
    while (naive_wants(asks) - asks->held > naive_free(n)) {
        struct naive_tenant *first = NULL;
        for (int i = 0; i < n->count; i++)
            if (naive_may_go(&n->t[i], asks) &&
                (first == NULL || n->t[i].priority <= first->priority))
                first = &n->t[i];
        naive_end(first);
        n->evicted++;
    }
    return true;
}

static void naive_ask(struct naive *n, struct naive_tenant *t, int64_t now)
{
    if (naive_wants(t) - t->held > naive_free(n)) {
        n->collisions += !t->waits;
        if (n->rules.mode == MEMORY_NONE) {
            n->ooms++;
            naive_end(t);
            return;
        }
        if (!naive_make_room(n, t)) {
            n->waits += !t->waits;
            t->since = t->waits ? t->since : now;
            t->waits = true;
            return;
        }
    }
    t->held = naive_wants(t);
    t->waits = false;
    t->tries = 0;
}

/* The next tenant to ask: the one that has waited longest, then the oldest; NULL if all have asked.
 */
static struct naive_tenant *naive_next(struct naive *n, const bool *asked, int64_t now)
{
    struct naive_tenant *next = NULL;
    for (int i = 0; i < n->count; i++) {
        struct naive_tenant *t = &n->t[i];
        if (asked[i] || t->over || t->back || t->ready > now || naive_wants(t) <= t->held)
            continue;
        int64_t since = t->waits ? t->since : now;
        if (next == NULL || since < (next->waits ? next->since : now))
            next = t;
    }
    return next;
}

/* If all holders wait, and one could not continue even now, ends the youngest of them. */
static bool naive_unstick(struct naive *n)
{
    int youngest = -1;
    bool waits = false;
    for (int i = 0; i < n->count; i++) {
        const struct naive_tenant *t = &n->t[i];
        waits |= t->waits;
        if (t->held > 0 && !t->waits)
            return false;
        youngest = t->held > 0 ? i : youngest;
    }
    if (!waits || youngest < 0)
        return false;
    naive_end(&n->t[youngest]);
    n->stuck++;
    return true;
}

static void naive_settle(struct naive *n, int64_t now)
{
    for (int i = 0; i < n->count; i++)
        if (!n->t[i].over && naive_wants(&n->t[i]) <= n->t[i].held) {
            n->t[i].held = naive_wants(&n->t[i]);
            n->t[i].waits = false;
        }
    uint64_t ended;
    do { /* tenants that asked before another one was ended ask again */
        ended = n->evicted;
        bool asked[TENANTS] = {false};
        for (struct naive_tenant *t = naive_next(n, asked, now); t != NULL;
             t = naive_next(n, asked, now)) {
            asked[t - n->t] = true;
            naive_ask(n, t, now);
        }
    } while (ended < n->evicted || naive_unstick(n));
    for (int i = 0; i < n->count; i++)
        if (n->t[i].back) {
            n->t[i].back = false;
            n->t[i].ready = now + RETRY_MS;
            for (int k = 1; k < n->t[i].tries && k <= 5; k++)
                n->t[i].ready += n->t[i].ready - now;
            naive_phase(n, i, n->t[i].phase + n->t[i].phase % 2, now);
        }
}

static bool naive_step(struct naive *n, int64_t now)
{
    bool goes_on = false;
    for (int i = 0; i < n->count; i++) {
        struct naive_tenant *t = &n->t[i];
        if (!t->over && t->done == t->duration) {
            t->over = true;
            t->waits = false;
            t->held = 0;
            t->end = now;
        }
        if (!t->over && t->due == now)
            naive_phase(n, i, t->phase + 1, now);
        goes_on |= !t->over;
    }
    naive_settle(n, now);
    for (int i = 0; i < n->count; i++)
        n->t[i].done += !n->t[i].over && !n->t[i].waits && n->t[i].ready <= now;
    return goes_on;
}

/* Requests that fit together, as the policy requires, and limits that do not. */
static void draw(struct naive *n, uint64_t *state, enum memory_mode mode)
{
    *n = (struct naive){.rules = {.mode = mode,
                                  .grow_ppm = (int32_t)small_below(state, 9) * 100000 + 100000,
                                  .least_ppm = (int32_t)small_below(state, 10) * 100000,
                                  .phase_ms = 200 + small_below(state, 2000),
                                  .retry_ms = RETRY_MS,
                                  .host_mbps = 1,
                                  .turn_ms = 1},
                        .seed = test_draw(state),
                        .count = 2 + (int)small_below(state, TENANTS - 1)};
    for (int i = 0; i < n->count; i++) {
        struct naive_tenant *t = &n->t[i];
        t->low = 1 + small_below(state, 40000 / n->count);
        t->limit = t->low + small_below(state, CAPACITY - t->low);
        t->limit = small_below(state, 6) == 0 ? t->low : t->limit;
        t->duration = 1000 + small_below(state, 20000);
        t->priority = 50 + (int)small_below(state, 2);
        naive_phase(n, i, 0, 0);
    }
}

static void compare(struct naive *n)
{
    struct small s;
    begin(&s, n->rules.mode, "runai");
    s.config.gpu_memory = n->rules;
    s.config.seed = n->seed;
    for (int i = 0; i < n->count; i++) {
        struct trace_job *job = tenant(&s, (const char[]){(char)('a' + i), '\0'}, 0, 0);
        job->gpu_mem_mib = n->t[i].low;
        job->gpu_mem_limit_mib = n->t[i].limit;
        job->duration_ms = n->t[i].duration;
        job->priority = n->t[i].priority;
    }
    small_run(&s);
    int64_t now = 0;
    while (naive_step(n, now))
        now++;
    for (int i = 0; i < n->count; i++)
        ck_assert_msg(s.lives[i].end_ms == n->t[i].end,
                      "seed %llu mode %d tenant %d: %lld, expected %lld\n%s",
                      (unsigned long long)n->seed, n->rules.mode, i, (long long)s.lives[i].end_ms,
                      (long long)n->t[i].end, s.log);
    struct sim_memory_stats stats = sim_memory_stats(s.sim);
    ck_assert_uint_eq(stats.waits, n->waits);
    ck_assert_uint_eq(stats.oom_kills, n->ooms);
    ck_assert_uint_eq(stats.stuck_kills, n->stuck);
    ck_assert_uint_eq(stats.evicted_priority, n->evicted);
    ck_assert_uint_eq(stats.collisions, n->collisions);
    small_end(&s);
}

START_TEST(random_tenants_against_a_naive_replay)
{
    static const enum memory_mode modes[] = {MEMORY_NONE, MEMORY_WAIT, MEMORY_PRIORITY};
    uint64_t state = 2026, stuck = 0, evicted = 0, ooms = 0, waits = 0;
    for (int run = 0; run < RUNS; run += harness_thin()) {
        struct naive n;
        draw(&n, &state, modes[run % 3]);
        compare(&n);
        stuck += n.stuck;
        evicted += n.evicted;
        ooms += n.ooms;
        waits += n.waits;
    }
    if (harness_whole())
        ck_assert_msg(stuck > 5 && evicted > 5 && ooms > 50 && waits > 50,
                      "%llu stuck, %llu ended, %llu killed", (unsigned long long)stuck,
                      (unsigned long long)evicted, (unsigned long long)ooms);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_memory");
    TCase *tcase = tcase_create("gpu_memory");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, two_tenants, 0, ROWS(pairs));
    tcase_add_test(tcase, two_tenants_take_turns);
    tcase_add_test(tcase, an_idle_session_makes_room);
    tcase_add_test(tcase, hanging_jobs_do_not_wait);
    tcase_add_test(tcase, shares_have_limits);
    tcase_add_test(tcase, gangs_grow_as_a_whole);
    tcase_add_loop_test(tcase, impossible_values_are_refused, 0, ROWS(refused));
    tcase_add_test(tcase, nothing_changes_without_it);
    tcase_add_test(tcase, random_tenants_against_a_naive_replay);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
