/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The faults of a fleet: that only the seed moves a fault, against a twin that queries each
 * component separately; shapes of gaps; lemons; properties of single faults.
 */
#include "sim/faults/process.h"

#include "sim/faults/drift.h"
#include "sim/faults/repair.h"
#include "tests/lib/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 60000

struct list {
    struct fault faults[MOST];
    size_t count;
};

/* All faults of a plan, queried in steps of step_hours; freed by the caller. */
static struct list *all_of(const struct fault_plan *plan, uint64_t seed, int64_t step_hours)
{
    struct list *list = calloc(1, sizeof *list);
    ck_assert_ptr_nonnull(list);
    struct fault_process *process = fault_process_create(plan, seed);
    for (int64_t until = 0; until < plan->horizon_ms;) {
        until += step_hours * TEST_HOUR_MS;
        until = until < plan->horizon_ms ? until : plan->horizon_ms;
        while (list->count < MOST) {
            int64_t next = fault_process_peek(process);
            struct fault *fault = &list->faults[list->count];
            if (!fault_process_next(process, until, fault)) {
                ck_assert_int_gt(next, until);
                break;
            }
            ck_assert_int_eq(fault->time_ms, next);
            ck_assert_int_le(fault->time_ms, until);
            list->count++;
        }
    }
    ck_assert_uint_lt(list->count, MOST);
    fault_process_destroy(process);
    return list;
}

static void same_fault(const struct fault *a, const struct fault *b)
{
    ck_assert_uint_eq(a->key, b->key);
    ck_assert_int_eq(a->time_ms, b->time_ms);
    ck_assert_int_eq(a->id, b->id);
    ck_assert_int_eq(a->lemon, b->lemon);
    ck_assert_uint_eq(a->attempt, b->attempt);
    ck_assert_int_eq(a->repair_ms, b->repair_ms);
    ck_assert_uint_eq(a->component, b->component);
    ck_assert_uint_eq(a->nodes, b->nodes);
    ck_assert_int_eq(a->device, b->device);
    ck_assert_uint_eq(a->pick, b->pick);
    ck_assert_int_eq(a->effect, b->effect);
    ck_assert_double_eq(a->loss, b->loss);
    ck_assert_int_eq(a->detect_ms, b->detect_ms);
    ck_assert_int_eq(a->lasts_ms, b->lasts_ms);
    ck_assert_int_eq(a->hardware, b->hardware);
    ck_assert_int_eq(a->drain, b->drain);
}

/* The faults in `more` that `of` selects are those in `less`, one by one. */
static void same_where(const struct list *less, const struct list *more,
                       bool (*of)(const struct fault *))
{
    size_t at = 0;
    for (size_t i = 0; i < more->count; i++) {
        if (!of(&more->faults[i]))
            continue;
        ck_assert_uint_lt(at, less->count);
        same_fault(&less->faults[at++], &more->faults[i]);
    }
    ck_assert_uint_eq(at, less->count);
}

static bool any(const struct fault *fault)
{
    (void)fault;
    return true;
}

static bool no_flap(const struct fault *fault)
{
    return fault->id != FAULT_FLAP;
}

static bool low_node(const struct fault *fault)
{
    return fault->nodes == 0 || fault->component < 256;
}

static bool first_100_days(const struct fault *fault)
{
    return fault->time_ms <= 100 * TEST_DAY_MS;
}

struct fleet {
    struct fault_profile profile;
    struct fault_pool pool;
    struct fault_plan plan;
};

/* 256 nodes with all classes of faults, for 200 days. */
static void make_fleet(struct fleet *fleet, const char *profile)
{
    fleet->profile = test_profile(profile);
    fleet->pool = test_pool(&fleet->profile, 256);
    fleet->plan = test_plan(&fleet->pool, 200);
    fleet->plan.leaves = 32;
    fleet->plan.spines = 16;
    fleet->plan.racks = 64;
    fleet->plan.storage = true;
}

START_TEST(order_of_asking_moves_nothing)
{
    struct fleet fleet;
    make_fleet(&fleet, "a100_busy");
    struct list *once = all_of(&fleet.plan, 7, 24 * 200), *often = all_of(&fleet.plan, 7, 5);
    ck_assert_uint_gt(once->count, 500);
    same_where(once, often, any);
    struct list *other = all_of(&fleet.plan, 8, 24 * 200);
    ck_assert(other->count != once->count || other->faults[0].time_ms != once->faults[0].time_ms);
    free(once);
    free(often);
    free(other);
}
END_TEST

START_TEST(more_of_anything_moves_nothing)
{
    struct fleet fleet, less;
    make_fleet(&fleet, "a100_busy");
    struct list *all = all_of(&fleet.plan, 7, 1000);
    // One class less.
    make_fleet(&less, "a100_busy");
    less.profile.classes[FAULT_FLAP].rate = 0;
    struct list *list = all_of(&less.plan, 7, 1000);
    same_where(list, all, no_flap);
    free(list);
    // Half a year less.
    make_fleet(&less, "a100_busy");
    less.plan.horizon_ms = 100 * TEST_DAY_MS;
    list = all_of(&less.plan, 7, 1000);
    same_where(list, all, first_100_days);
    free(list);
    free(all);
    // Three quarters fewer nodes.
    make_fleet(&fleet, "a100_busy");
    fleet.pool.nodes = 1024;
    all = all_of(&fleet.plan, 7, 1000);
    make_fleet(&less, "a100_busy");
    list = all_of(&less.plan, 7, 1000);
    same_where(list, all, low_node);
    free(list);
    free(all);
}
END_TEST

START_TEST(pools_are_only_names)
{
    struct fleet one;
    make_fleet(&one, "h100");
    struct fault_pool halves[2] = {one.pool, one.pool};
    halves[0].nodes = halves[1].first_node = 128;
    halves[1].nodes = 128;
    struct fault_plan plan = one.plan;
    plan.pools = halves;
    plan.pool_count = 2;
    struct list *a = all_of(&one.plan, 3, 1000), *b = all_of(&plan, 3, 1000);
    same_where(a, b, any);
    free(a);
    free(b);
}
END_TEST

static int by_time(const void *a, const void *b)
{
    const struct fault *x = a, *y = b;
    if (x->time_ms != y->time_ms)
        return x->time_ms < y->time_ms ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* Queries each node and class separately, then sorts. */
START_TEST(each_component_by_itself)
{
    struct fleet fleet;
    make_fleet(&fleet, "a100_busy");
    fleet.profile.classes[FAULT_MAINTENANCE].rate =
        0; // sets of nodes have no faults of their own here
    fleet.pool.nodes = 64;
    fleet.plan.leaves = fleet.plan.spines = fleet.plan.racks = 0;
    fleet.plan.storage = false;
    struct list *all = all_of(&fleet.plan, 11, 1000), *twin = calloc(1, sizeof *twin);
    ck_assert_ptr_nonnull(twin);
    for (uint32_t node = 0; node < 64; node++) {
        for (int id = 0; id < FAULT_CLASSES; id++) {
            struct fault_profile profile = fleet.profile;
            fault_profile_only(&profile, 1u << id);
            struct fault_pool pool = fleet.pool;
            pool.profile = &profile;
            pool.first_node = node;
            pool.nodes = 1;
            struct fault_plan plan = fleet.plan;
            plan.pools = &pool;
            struct list *list = all_of(&plan, 11, 1000);
            memcpy(&twin->faults[twin->count], list->faults, list->count * sizeof *list->faults);
            twin->count += list->count;
            free(list);
        }
    }
    qsort(twin->faults, twin->count, sizeof *twin->faults, by_time);
    ck_assert_uint_gt(all->count, 50);
    same_where(all, twin, any);
    free(all);
    free(twin);
}
END_TEST

/* ---- gaps */

/* Maximum likelihood for the shape of a Weibull distribution: sum x^k ln x / sum x^k - 1 / k = mean
 * ln x. */
static double fitted_shape(const double *x, size_t n)
{
    double low = 0.05, high = 20;
    for (int step = 0; step < 60; step++) {
        double k = (low + high) / 2, power = 0, weighted = 0, logs = 0;
        for (size_t i = 0; i < n; i++) {
            power += pow(x[i], k);
            weighted += pow(x[i], k) * log(x[i]);
            logs += log(x[i]);
        }
        if (weighted / power - 1 / k < logs / (double)n)
            low = k;
        else
            high = k;
    }
    return low;
}

static const struct shape_row {
    enum fault_arrival arrival;
    double shape, fitted;
} shape_rows[] = {
    {FAULT_ARRIVAL_WEIBULL, 0.75, 0.75},
    {FAULT_ARRIVAL_WEIBULL, 0.5, 0.5},
    {FAULT_ARRIVAL_EXPONENTIAL, 1, 1},
};

/* Ten thousand gaps of one component reproduce the shape and the mean. */
START_TEST(shape_of_gaps)
{
    struct fault_profile profile = test_plain_profile();
    struct fault_class *host = &profile.classes[FAULT_HOST];
    host->rate = fault_rate_of_hours(2);
    host->arrival = shape_rows[_i].arrival;
    host->shape = shape_rows[_i].shape;
    struct fault_pool pool = test_pool(&profile, 1);
    struct fault_plan plan = test_plan(&pool, 900);
    struct list *list = all_of(&plan, 5, 100);
    double *gaps = calloc(list->count, sizeof *gaps), sum = 0;
    ck_assert_ptr_nonnull(gaps);
    for (size_t i = 1; i < list->count; i++)
        sum += gaps[i - 1] =
            (double)(list->faults[i].time_ms - list->faults[i - 1].time_ms) / (double)TEST_HOUR_MS;
    ck_assert_uint_gt(list->count, 10000);
    ck_assert_double_eq_tol(fitted_shape(gaps, 10000), shape_rows[_i].fitted, 0.02);
    ck_assert_double_eq_tol(sum / (double)(list->count - 1), 2, 0.15);
    free(gaps);
    free(list);
}
END_TEST

/* Even if faults are rare, as many come early as late: here one component in ten has a fault during
 * the observation. */
START_TEST(no_more_at_the_beginning)
{
    static const enum fault_arrival arrivals[] = {FAULT_ARRIVAL_EXPONENTIAL, FAULT_ARRIVAL_WEIBULL,
                                                  FAULT_ARRIVAL_PERIODIC};
    for (int i = 0; i < ROWS(arrivals); i++) {
        struct fault_profile profile = test_plain_profile();
        struct fault_class *host = &profile.classes[FAULT_HOST];
        host->rate = 2;
        host->arrival = arrivals[i];
        host->shape = 0.7;
        struct fault_pool pool = test_pool(&profile, 100000);
        struct fault_plan plan = test_plan(&pool, 50);
        struct list *list = all_of(&plan, 1, 1000);
        double fifths[5] = {0};
        for (size_t f = 0; f < list->count; f++)
            fifths[list->faults[f].time_ms / (10 * TEST_DAY_MS)]++;
        for (int f = 0; f < 5; f++) // 2,000 expected
            ck_assert_double_eq_tol(fifths[f], 2000, 4 * sqrt(2000) * 1.2);
        free(list);
    }
}
END_TEST

/* ---- lemons and drift */

START_TEST(lemons_fail_so_much_more)
{
    struct fault_profile profile = test_plain_profile();
    profile.classes[FAULT_GPU].rate = 6.5;
    profile.classes[FAULT_GPU].frail = true;
    profile.classes[FAULT_SOFTWARE].rate = 1;
    profile.lemon_share = 0.012;
    profile.lemon_factor = 225;
    ck_assert_double_eq_tol(fault_profile_frailty(&profile), 3.69, 0.005); // 0.988 + 0.012 x 225
    struct fault_pool pool = test_pool(&profile, 20000);
    struct fault_plan plan = test_plan(&pool, 60);
    struct list *list = all_of(&plan, 1, 10000);
    struct fault_process *process = fault_process_create(&plan, 1);
    double lemons = 0, of_lemons = 0, of_others = 0, software = 0;
    for (uint32_t node = 0; node < pool.nodes; node++)
        lemons += fault_process_is_lemon(process, node);
    for (size_t i = 0; i < list->count; i++) {
        const struct fault *fault = &list->faults[i];
        bool lemon = fault_process_is_lemon(process, fault->component);
        ck_assert(lemon || !fault->lemon);
        if (fault->id == FAULT_SOFTWARE)
            software++;
        else if (lemon)
            of_lemons++;
        else
            of_others++;
    }
    ck_assert_double_eq_tol(lemons, 240, 4 * sqrt(240));
    // Others 1.76 in 1,000 node-days, lemons 0.4 a day.
    double others = of_others / ((20000 - lemons) * 60) * 1000;
    ck_assert_double_eq_tol(others, 6.5 / 3.688, 4 * others / sqrt(of_others));
    ck_assert_double_eq_tol(of_lemons / (lemons * 60), 225 * 6.5 / 3.688 / 1000, 0.02);
    ck_assert_double_eq_tol(software, 1200, 4 * sqrt(1200));
    fault_process_destroy(process);
    free(list);
}
END_TEST

static const struct fault_process *cured;
static bool of_no_cured_lemon(const struct fault *fault)
{
    return !fault->lemon || fault_process_is_lemon(cured, fault->component);
}

START_TEST(cures_move_nothing)
{
    struct fleet fleet;
    make_fleet(&fleet, "a100_busy");
    fleet.pool.nodes = 1024;
    struct list *all = all_of(&fleet.plan, 2, 1000), *rest = calloc(1, sizeof *rest);
    ck_assert_ptr_nonnull(rest);
    struct fault_process *process = fault_process_create(&fleet.plan, 2);
    size_t lemons = 0;
    for (uint32_t node = 0; node < 1024; node++) {
        lemons += fault_process_is_lemon(process, node);
        if (node % 2 == 0)
            fault_process_cure(process, node);
    }
    fault_process_cure(process, FAULT_COMPONENTS - 1); // no node at all
    ck_assert_uint_gt(lemons, 4);
    while (fault_process_next(process, fleet.plan.horizon_ms, &rest->faults[rest->count]))
        rest->count++;
    cured = process;
    ck_assert_uint_lt(rest->count, all->count);
    same_where(rest, all, of_no_cured_lemon);
    fault_process_destroy(process);
    free(all);
    free(rest);
}
END_TEST

/* Each month has as many faults as its factor says. */
START_TEST(months_differ)
{
    struct fault_profile profile = test_plain_profile();
    profile.classes[FAULT_HOST].rate = 10;
    profile.drift_sigma = 0.5;
    struct fault_pool pool = test_pool(&profile, 10000);
    struct fault_plan plan = test_plan(&pool, 12 * 30);
    struct list *list = all_of(&plan, 4, 1000);
    struct fault_drift drift;
    fault_drift_init(&drift, 4, 0.5, plan.horizon_ms);
    double months[13] = {0};
    for (size_t i = 0; i < list->count; i++)
        months[list->faults[i].time_ms / FAULT_MONTH_MS]++;
    for (int i = 0; i < 12; i++) {
        double expected = 3000 * drift.factor[i];
        ck_assert_double_eq_tol(months[i], expected, 4 * sqrt(expected));
    }
    fault_drift_fini(&drift);
    free(list);
}
END_TEST

START_TEST(drift_has_its_distribution)
{
    struct fault_drift drift;
    fault_drift_init(&drift, 1, 0.5, 1200 * FAULT_MONTH_MS);
    double sum = 0, logs = 0, squares = 0;
    ck_assert_uint_ge(drift.months, 1200);
    for (size_t i = 0; i < drift.months; i++) {
        sum += drift.factor[i];
        logs += log(drift.factor[i]);
        squares += log(drift.factor[i]) * log(drift.factor[i]);
    }
    double n = (double)drift.months;
    ck_assert_double_eq_tol(sum / n, 1, 4 * 0.533 / sqrt(n));
    ck_assert_double_eq_tol(sqrt(squares / n - logs / n * logs / n), 0.5, 0.05);
    // Half a month of work at the factors of the first two months, and the inverse.
    double half = (double)FAULT_MONTH_MS / 2, first = drift.factor[0] * half;
    ck_assert_double_eq_tol(fault_drift_after(&drift, 0, first), half, 1);
    ck_assert_double_eq_tol(
        fault_drift_after(&drift, FAULT_MONTH_MS / 2, first + drift.factor[1] * half), 3 * half, 1);
    fault_drift_fini(&drift);
    fault_drift_init(&drift, 1, 0, FAULT_MONTH_MS);
    ck_assert_double_eq(fault_drift_after(&drift, 5, 7e12), 7e12 + 5);
    fault_drift_fini(&drift);
}
END_TEST

/*
 * Repairs that do not help: if half of them fail and there are no parts, of 7 faults 4 are first
 * ones, 2 second, 1 third (the third repair replaces the part). The rate counts all of them, and a
 * relapse follows its repair.
 */
START_TEST(relapses_are_part_of_the_rate)
{
    struct fault_profile profile = test_plain_profile();
    struct fault_class *gpu = &profile.classes[FAULT_GPU];
    gpu->rate = 70;
    gpu->relapse = 0.5;
    gpu->transient = (struct fault_span){.kind = FAULT_SPAN_FIXED, .a = 600};
    gpu->relapses = (struct fault_span){.kind = FAULT_SPAN_FIXED, .a = 300};
    struct fault_pool pool = test_pool(&profile, 1000);
    struct fault_plan plan = test_plan(&pool, 100);
    struct list *list = all_of(&plan, 1, 1000);
    double attempts[3] = {0};
    int64_t last[1000] = {0};
    uint64_t roots[1000] = {0};
    int devices[1000];
    for (size_t i = 0; i < list->count; i++) {
        const struct fault *fault = &list->faults[i];
        ck_assert_uint_lt(fault->attempt, 3);
        attempts[fault->attempt]++;
        const uint64_t root = fault->key & ((UINT64_C(1) << 57) - 1);
        if (fault->attempt > 0 && root == roots[fault->component]) { // no other fault in between
            ck_assert_int_eq(fault->time_ms, last[fault->component] + 900 * 1000);
            ck_assert_int_eq(fault->device, devices[fault->component]);
        }
        ck_assert_int_eq(fault->hardware, fault->attempt == 2);
        roots[fault->component] = root;
        last[fault->component] = fault->time_ms;
        devices[fault->component] = fault->device;
    }
    ck_assert_double_eq_tol((double)list->count, 7000, 4 * sqrt(7000 * 1.8));
    ck_assert_double_eq_tol(attempts[0], 4000, 4 * sqrt(4000));
    ck_assert_double_eq_tol(attempts[1] / attempts[0], 0.5, 0.04);
    ck_assert_double_eq_tol(attempts[2] / attempts[1], 0.5, 0.05);
    free(list);
}
END_TEST

/* ---- properties of single faults */

START_TEST(faults_have_their_shape)
{
    struct fleet fleet;
    make_fleet(&fleet, "h100");
    fleet.pool.first_node = 1000;
    struct list *list = all_of(&fleet.plan, 1, 1000);
    for (size_t i = 0; i < list->count; i++) {
        const struct fault *fault = &list->faults[i];
        const struct fault_class *class = &fleet.profile.classes[fault->id];
        ck_assert_ptr_eq(fault->class, class);
        bool gpu = class->scope == FAULT_SCOPE_GPU || class->scope == FAULT_SCOPE_MEMORY;
        bool nic = class->scope == FAULT_SCOPE_NIC || class->scope == FAULT_SCOPE_LINK;
        ck_assert_int_eq(fault->device >= 0, gpu || nic);
        ck_assert_int_lt(fault->device, 8);
        if (fault->nodes > 0)
            ck_assert(fault->component >= 1000 && fault->component + fault->nodes <= 1256);
        ck_assert_int_ge(fault->detect_ms, 0);
        ck_assert_int_eq(fault->lasts_ms > 0, fault->effect == FAULT_EFFECT_SLOW);
        ck_assert_int_eq(fault->loss > 0, fault->effect == FAULT_EFFECT_SLOW);
        ck_assert_int_eq(fault->rollback > 0, fault->effect == FAULT_EFFECT_CORRUPT);
        struct fault_repair repair =
            fault_repair_draw(class, 1, fault->key & ((UINT64_C(1) << 57) - 1), fault->attempt);
        ck_assert_int_eq(fault->hardware, repair.hardware);
        ck_assert_int_eq(fault->repair_ms, repair.takes_ms);
        ck_assert(fault->drain == (fault->hardware ? class->drain_hardware : class->drain));
        if (fault->id == FAULT_SPINE)
            ck_assert_double_eq_tol(fault->loss, 1. / 16, 1e-12);
        if (fault->id == FAULT_FLAP)
            ck_assert_int_le(fault->lasts_ms, 30000);
        if (fault->id == FAULT_FLAP)
            ck_assert_int_eq(fault->kills, fault->lasts_ms == 30000);
        if (fault->id == FAULT_THERMAL)
            ck_assert(fault->kills);
        if (fault->id == FAULT_MAINTENANCE)
            ck_assert_uint_eq(fault->nodes, 64);
    }
    free(list);
}
END_TEST

/* The shares of effects, devices and branches are those of the class. */
START_TEST(shares_come_out)
{
    struct fault_profile profile = test_profile("h100");
    fault_profile_only(&profile, 1u << FAULT_NVLINK | 1u << FAULT_HBM | 1u << FAULT_GPU);
    profile.lemon_share = profile.drift_sigma = 0;
    struct fault_pool pool = test_pool(&profile, 10000);
    struct fault_plan plan = test_plan(&pool, 365);
    struct list *list = all_of(&plan, 1, 10000);
    double kills = 0, links = 0, memory = 0, swapped = 0, gpus = 0, parts = 0, first = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct fault *fault = &list->faults[i];
        links += fault->id == FAULT_NVLINK;
        kills += fault->id == FAULT_NVLINK && fault->effect == FAULT_EFFECT_KILL;
        memory += fault->id == FAULT_HBM;
        swapped += fault->id == FAULT_HBM && fault->drain == FAULT_DRAIN_NOW;
        gpus += fault->id == FAULT_GPU;
        parts += fault->id == FAULT_GPU && fault->hardware;
        first += fault->id == FAULT_GPU && fault->device == 0;
    }
    ck_assert_double_eq_tol(kills / links, 0.60, 4 * sqrt(0.24 / links));
    ck_assert_double_eq_tol(swapped / memory, 0.08, 4 * sqrt(0.0736 / memory));
    ck_assert_double_eq_tol(parts / gpus, 0.27, 4 * sqrt(0.1971 / gpus));
    ck_assert_double_eq_tol(first / gpus, 0.125, 4 * sqrt(0.109 / gpus));
    free(list);
}
END_TEST

START_TEST(fabric_softens_faults)
{
    struct fault_profile profile = test_plain_profile();
    profile.classes[FAULT_LINK] = test_profile("h100").classes[FAULT_LINK];
    profile.classes[FAULT_SPINE] = test_profile("h100").classes[FAULT_SPINE];
    profile.classes[FAULT_LINK].rate = profile.classes[FAULT_SPINE].rate = 1000;
    struct fault_pool pool = test_pool(&profile, 10);
    struct fault_plan plan = test_plan(&pool, 100);
    plan.spines = 10;
    plan.dual_homed = plan.fixed_routing = true;
    struct list *list = all_of(&plan, 1, 1000);
    for (size_t i = 0; i < list->count; i++) {
        const struct fault *fault = &list->faults[i];
        ck_assert_int_eq(fault->effect, FAULT_EFFECT_SLOW);
        ck_assert_int_eq(fault->lasts_ms, fault->detect_ms + fault->repair_ms);
        if (fault->id == FAULT_LINK)
            ck_assert_double_eq(fault->loss, 0.5);
        else
            ck_assert(fault->loss >= 0.5 && fault->loss <= 0.75);
    }
    ck_assert_uint_gt(list->count, 1000);
    free(list);
}
END_TEST

/* ---- size */

/* The heap holds components that fail before the horizon, not faults. */
START_TEST(memory_is_by_component)
{
    struct fleet fleet;
    make_fleet(&fleet, "h100");
    fleet.pool.nodes = 2048;
    fleet.plan.horizon_ms = 365 * TEST_DAY_MS;
    struct fault_process *process = fault_process_create(&fleet.plan, 1);
    size_t pending = fault_process_pending(process);
    ck_assert_uint_lt(pending, 2048 * FAULT_CLASSES / 2);
    ck_assert_uint_lt(fault_process_bytes(process), 1 << 20);
    struct fault fault;
    while (fault_process_next(process, 200 * TEST_DAY_MS, &fault))
        ck_assert_uint_le(fault_process_pending(process),
                          pending + 100); // a few relapses at a time
    fault_process_destroy(process);
    fault_process_destroy(NULL);
}
END_TEST

START_TEST(an_empty_fleet_never_fails)
{
    struct fault_plan plan = {.horizon_ms = TEST_DAY_MS};
    struct fault_process *process = fault_process_create(&plan, 1);
    struct fault fault;
    ck_assert_int_eq(fault_process_peek(process), INT64_MAX);
    ck_assert(!fault_process_next(process, INT64_MAX, &fault));
    fault_process_destroy(process);
}
END_TEST

/* A domain of 18 nodes has the faults of 18, at its first node; a single device has none. */
START_TEST(domains_fail_as_one)
{
    struct fault_profile profile = test_plain_profile();
    profile.classes[FAULT_NVLINK].rate = 10;
    struct fault_pool pool = test_pool(&profile, 180);
    pool.gpus = 4;
    pool.nodes_per_domain = 18;
    struct fault_plan plan = test_plan(&pool, 1000);
    struct list *list = all_of(&plan, 1, 1000);
    for (size_t i = 0; i < list->count; i++) {
        ck_assert_uint_eq(list->faults[i].component % 18, 0);
        ck_assert_uint_eq(list->faults[i].nodes, 18);
    }
    ck_assert_double_eq_tol((double)list->count, 900,
                            4 * 30); // 180 nodes of half the usual devices, 1,000 days
    free(list);
    pool.gpus = 1;
    pool.nodes_per_domain = 1;
    list = all_of(&plan, 1, 1000);
    ck_assert_uint_eq(list->count, 0);
    free(list);
}
END_TEST

static TCase *moving(void)
{
    TCase *tcase = tcase_create("nothing moves a fault");
    tcase_add_test(tcase, order_of_asking_moves_nothing);
    tcase_add_test(tcase, more_of_anything_moves_nothing);
    tcase_add_test(tcase, pools_are_only_names);
    tcase_add_test(tcase, each_component_by_itself);
    tcase_add_test(tcase, cures_move_nothing);
    return tcase;
}

int main(void)
{
    Suite *suite = suite_create("process");
    suite_add_tcase(suite, moving());
    TCase *tcase = tcase_create("faults");
    tcase_add_loop_test(tcase, shape_of_gaps, 0, ROWS(shape_rows));
    tcase_add_test(tcase, no_more_at_the_beginning);
    tcase_add_test(tcase, lemons_fail_so_much_more);
    tcase_add_test(tcase, months_differ);
    tcase_add_test(tcase, drift_has_its_distribution);
    tcase_add_test(tcase, relapses_are_part_of_the_rate);
    tcase_add_test(tcase, faults_have_their_shape);
    tcase_add_test(tcase, shares_come_out);
    tcase_add_test(tcase, fabric_softens_faults);
    tcase_add_test(tcase, memory_is_by_component);
    tcase_add_test(tcase, an_empty_fleet_never_fails);
    tcase_add_test(tcase, domains_fail_as_one);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
