/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entitlements by hand and by bisection, indexes of fairness on known distributions, and use over
 * time. */
#include "report/measure/shares.h"
#include "tests/sim/evict.h"

#include <math.h>

enum { MOST = 5 };

/* A simulation with nothing but queues of one site. */
struct bare {
    struct sim sim;
    struct sim_queue queues[MOST];
    struct sim_site site;
    uint32_t ids[MOST];
};

static void bare_init(struct bare *b, uint32_t count, int64_t milli)
{
    *b = (struct bare){0};
    b->sim.queues = b->queues;
    b->sim.queue_count = count;
    b->sim.sites = &b->site;
    b->sim.site_count = 1;
    b->site = (struct sim_site){.milli = milli,
                                .queues = b->ids,
                                .queue_count = count,
                                .altered = b->ids,
                                .altered_count = count};
    for (uint32_t i = 0; i < count; i++) {
        b->ids[i] = i;
        b->queues[i].gpu = (struct policy_share){0, POLICY_UNLIMITED, 1000};
    }
}

/* ---- dividing ---- */

/* GPUs: capacity, then for each queue quota (-1 unlimited), limit (-1 none), weight, demand and
 * expected entitlement. */
static const struct {
    const char *what;
    double capacity;
    struct {
        double quota, limit, weight, demand, entitled;
    } queues[MOST];
    uint32_t count;
} divisions[] = {
    {"enough for all", 10, {{0, -1, 1, 4, 4}, {0, -1, 1, 6, 6}}, 2},
    {"equal weights", 10, {{0, -1, 1, 9, 5}, {0, -1, 1, 8, 5}}, 2},
    {"two to one", 12, {{0, -1, 2, 20, 8}, {0, -1, 1, 20, 4}}, 2},
    {"what one does not want goes to the others by weight",
     12,
     {{0, -1, 1, 1, 1}, {0, -1, 1, 20, 5.5}, {0, -1, 1, 20, 5.5}},
     3},
    {"in several rounds",
     20,
     {{0, -1, 1, 2, 2}, {0, -1, 1, 5, 5}, {0, -1, 1, 9, 6.5}, {0, -1, 1, 9, 6.5}},
     4},
    {"quotas first", 10, {{6, -1, 1, 20, 8}, {0, -1, 1, 20, 2}}, 2},
    {"a quota is no more than the demand", 10, {{6, -1, 1, 3, 3}, {0, -1, 1, 20, 7}}, 2},
    {"quotas beyond the capacity shrink together", 10, {{10, -1, 1, 20, 5}, {10, -1, 3, 20, 5}}, 2},
    {"an unlimited quota is all of the demand", 10, {{-1, -1, 1, 7, 7}, {0, -1, 1, 20, 3}}, 2},
    {"weights count beyond the quotas only", 16, {{4, -1, 3, 30, 13}, {0, -1, 1, 30, 3}}, 2},
    {"no weight, nothing beyond the quota", 10, {{2, -1, 0, 20, 2}, {0, -1, 1, 5, 5}}, 2},
    {"also when there would be enough", 10, {{2, -1, 0, 3, 2}, {0, -1, 1, 5, 5}}, 2},
    {"a limit caps the demand", 10, {{0, 3, 1, 20, 3}, {0, -1, 1, 20, 7}}, 2},
    {"and the quota", 10, {{6, 3, 1, 20, 3}, {0, -1, 1, 20, 7}}, 2},
    {"a limit of nothing", 10, {{0, 0, 1, 20, 0}, {0, -1, 1, 4, 4}}, 2},
    {"no demand", 10, {{5, -1, 1, 0, 0}, {0, -1, 1, 0, 0}}, 2},
    {"nothing installed", 0, {{1, -1, 1, 2, 0}, {0, -1, 1, 2, 0}}, 2},
};

START_TEST(capacity_is_divided)
{
    struct bare b;
    struct shares shares = {0};
    bare_init(&b, divisions[_i].count, (int64_t)(divisions[_i].capacity * 1000));
    for (uint32_t i = 0; i < divisions[_i].count; i++) {
        double quota = divisions[_i].queues[i].quota;
        double limit = divisions[_i].queues[i].limit;
        b.queues[i].gpu = (struct policy_share){quota < 0 ? -1 : (int64_t)(quota * 1000),
                                                limit < 0 ? -1 : (int64_t)(limit * 1000),
                                                (int64_t)(divisions[_i].queues[i].weight * 1000)};
        b.queues[i].held_milli = i % 2 * 500; /* demand is running and pending */
        b.queues[i].wanted_milli = (int64_t)(divisions[_i].queues[i].demand * 1000);
        if (b.queues[i].wanted_milli > 0)
            b.queues[i].wanted_milli -= b.queues[i].held_milli;
        else
            b.queues[i].held_milli = 0;
    }
    for (uint32_t i = 0; i < divisions[_i].count; i++) {
        double got = shares_entitled(&shares, &b.sim, i) / 1000.0;
        ck_assert_msg(fabs(got - divisions[_i].queues[i].entitled) < 1e-9,
                      "%s: queue %u gets %g, expected %g", divisions[_i].what, i, got,
                      divisions[_i].queues[i].entitled);
    }
    shares_fini(&shares);
}
END_TEST

/* ---- keeping up to date ---- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double wanted(const struct sim_queue *q)
{
    double demand = (double)(q->held_milli + q->wanted_milli);
    return q->gpu.limit < 0 ? demand : least(demand, (double)q->gpu.limit);
}

/* The water level: every queue gets min(demand, guarantee + level x weight), which adds up to the
 * capacity. */
static double by_level(const struct bare *b, double level, uint32_t i)
{
    const struct sim_queue *q = &b->queues[i];
    double guarantee = q->gpu.quota < 0 ? wanted(q) : least(wanted(q), (double)q->gpu.quota);
    return least(wanted(q), guarantee + level * (double)q->gpu.weight);
}

static void expect_level(const struct bare *b, struct shares *shares)
{
    double low = 0;
    double high = 1e9;
    double guaranteed = 0;
    for (uint32_t i = 0; i < b->sim.queue_count; i++)
        guaranteed += by_level(b, 0, i);
    double scale = guaranteed > (double)b->site.milli ? (double)b->site.milli / guaranteed : 1;
    for (int step = 0; step < 200; step++) {
        double level = (low + high) / 2;
        double sum = 0;
        for (uint32_t i = 0; i < b->sim.queue_count; i++)
            sum += by_level(b, level, i);
        *(sum > (double)b->site.milli ? &high : &low) = level;
    }
    for (uint32_t i = 0; i < b->sim.queue_count; i++) {
        double expected = scale < 1 ? by_level(b, 0, i) * scale : by_level(b, low, i);
        ck_assert_double_eq_tol(shares_entitled(shares, &b->sim, i), expected, 1e-3);
    }
}

START_TEST(updates_equal_dividing_from_scratch)
{
    struct bare b;
    struct shares kept = {0};
    uint64_t random = (uint64_t)_i;
    bare_init(&b, 2 + (uint32_t)small_below(&random, MOST - 1), 1000 * small_below(&random, 40));
    for (uint32_t i = 0; i < b.sim.queue_count; i++) {
        static const int64_t weights[] = {0, 500, 1000, 3000};
        b.queues[i].gpu.weight = weights[small_below(&random, ROWS(weights))];
        b.queues[i].gpu.quota = small_below(&random, 4) == 0 ? -1 : 1000 * small_below(&random, 12);
        b.queues[i].gpu.limit = small_below(&random, 3) == 0 ? 1000 * small_below(&random, 25) : -1;
    }
    for (int step = 0; step < 200; step++) {
        int64_t changes = 1 + small_below(&random, 3);
        uint32_t altered[MOST];
        size_t altered_count = 0;
        while (changes-- > 0) {
            uint32_t id = (uint32_t)small_below(&random, (int64_t)b.sim.queue_count);
            struct sim_queue *q = &b.queues[id];
            altered[altered_count++] = id;
            q->held_milli = 250 * small_below(&random, 40);
            q->wanted_milli = small_below(&random, 3) == 0 ? 0 : 1000 * small_below(&random, 60);
            if (step % 7 == 0)
                q->gpu.quota = 1000 * small_below(&random, 12);
        }
        if (step % 11 == 0)
            b.site.milli = 1000 * small_below(&random, 40);
        struct shares anew = {0};
        double entitled[MOST];
        for (uint32_t i = 0; i < b.sim.queue_count; i++)
            entitled[i] = shares_entitled(&anew, &b.sim, i);
        const struct sim_site all = b.site;
        b.site.altered = step > 0 ? altered : b.ids; /* all of them are new at the beginning */
        b.site.altered_count = step > 0 ? altered_count : b.sim.queue_count;
        for (uint32_t i = 0; i < b.sim.queue_count; i++)
            ck_assert_double_eq_tol(shares_entitled(&kept, &b.sim, i), entitled[i], 1e-6);
        expect_level(&b, &kept);
        b.site = all;
        shares_fini(&anew);
    }
    shares_fini(&kept);
}
END_TEST

/*
 * 10 GPUs, two queues that want 20 each. With a quota of 6, x is entitled to 8 (6 and half of the
 * rest), for 100 ms; without one to 5, for 100 ms; and with 4 more GPUs to 7, for 100 ms.
 */
START_TEST(planned_changes_count_from_when_they_are_made)
{
    struct bare b;
    struct shares s = {0};
    bare_init(&b, 2, 10000);
    b.sim.window_end_ms = 1000;
    struct sim_observer o = shares_observer(&s);
    b.queues[0].wanted_milli = b.queues[1].wanted_milli = 20000;
    b.queues[0].gpu.quota = 6000;
    o.interval(o.self, &b.sim, 0, 0, 100);
    b.queues[0].gpu.quota = 0;
    o.interval(o.self, &b.sim, 0, 100, 200);
    b.site.milli = 14000;
    o.interval(o.self, &b.sim, 0, 200, 300);
    b.sim.now_ms = 300;
    shares_finish(&s, &b.sim);
    ck_assert_double_eq_tol(s.queues[0].entitled_ms, 100 * (8000 + 5000 + 7000), 1e-6);
    ck_assert_double_eq_tol(s.queues[1].entitled_ms, 100 * (2000 + 5000 + 7000), 1e-6);
    ck_assert_int_eq(s.queues[0].satisfied_ms, 200); /* without a quota nothing is missing */
    shares_fini(&s);
}
END_TEST

/* ---- indexes ---- */

static const struct {
    double used[MOST], entitled[MOST];
    uint32_t count;
    double jain, gini, min_share;
} indexes[] = {
    {{1, 1, 1, 1}, {1, 1, 1, 1}, 4, 1, 0, 1},
    {{5, 10}, {10, 20}, 2, 1, 0, 0.5},              /* equally low is fair */
    {{4, 0, 0, 0}, {1, 1, 1, 1}, 4, 0.25, 0.75, 0}, /* one has all: 1/n, (n-1)/n */
    {{1, 3}, {1, 1}, 2, 0.8, 0.25, 1},              /* 16/20; (2(1+6)/(2*4)) - 3/2 */
    {{3, 1, 2}, {1, 1, 1}, 3, 36.0 / 42.0, 2.0 * 14 / 18 - 4.0 / 3, 1},
    {{0, 0}, {1, 1}, 2, 1, 0, 0}, /* no use at all */
    {{7}, {14}, 1, 1, 0, 0.5},
    {{1, 9, 1}, {1, 0, 1}, 3, 1, 0, 1}, /* without entitlement: not counted */
    {{1}, {0}, 1, (double)NAN, (double)NAN, (double)NAN},
};

static bool same(double got, double expected)
{
    return isnan(expected) ? isnan(got) : fabs(got - expected) < 1e-12;
}

START_TEST(indexes_are_the_textbook_ones)
{
    struct bare b;
    bare_init(&b, indexes[_i].count, 1000);
    struct shares shares = {.queues = mem_alloc(MOST, sizeof *shares.queues),
                            .count = indexes[_i].count};
    for (uint32_t i = 0; i < indexes[_i].count; i++) {
        shares.queues[i].used_ms = indexes[_i].used[i];
        shares.queues[i].entitled_ms = indexes[_i].entitled[i];
    }
    struct shares_summary summary = shares_summarise(&shares, &b.sim);
    ck_assert_msg(same(summary.jain, indexes[_i].jain), "jain %g", summary.jain);
    ck_assert_msg(same(summary.gini, indexes[_i].gini), "gini %g", summary.gini);
    ck_assert_msg(same(summary.min_share, indexes[_i].min_share), "min_share %g",
                  summary.min_share);
    ck_assert(isnan(summary.quota_satisfaction));
    shares_fini(&shares);
}
END_TEST

/* ---- over time ---- */

/*
 * 4 GPUs. x holds all of them until 10; y wants 2 from 2 and has them from 10 to 12. From 2 to 10
 * each is entitled to 2. Quota of y: 1 GPU, which it has from 10.
 */
static void two_queues(struct small *s, struct shares *shares)
{
    *shares = (struct shares){0};
    small_begin(s, "fifo", "scope=queue");
    small_pool(s, "p", 1, 4);
    small_queue(s, "x", 0);
    small_queue(s, "y", 0)->gpu.quota = 1000;
    small_queue(s, "z", 0)->gpu.quota = 9000; /* never wants anything */
    small_job_of(s, "x", "a", 0, 10000, 4);
    small_job_of(s, "y", "b", 2000, 2000, 2)->status = TRACE_FAILED;
    small_observe(s, shares_observer(shares));
}

#define GPU_S 1e6 /* thousandths times milliseconds */

START_TEST(use_and_entitlement_are_integrated)
{
    struct small s;
    struct shares shares;
    two_queues(&s, &shares);
    small_run(&s);
    shares_finish(&shares, s.sim);
    ck_assert_uint_eq(shares.count, 3);
    const struct shares_queue *x = &shares.queues[0];
    const struct shares_queue *y = &shares.queues[1];
    ck_assert_double_eq_tol(x->used_ms / GPU_S, 40, 1e-9);
    ck_assert_double_eq_tol(x->entitled_ms / GPU_S, 2 * 4 + 8 * 2, 1e-9);
    ck_assert_double_eq_tol(x->deficit_ms, 0, 1e-9);
    ck_assert_double_eq_tol(y->used_ms / GPU_S, 4, 1e-9);
    ck_assert_double_eq_tol(y->entitled_ms / GPU_S, 8 * 2 + 2 * 2, 1e-9);
    ck_assert_double_eq_tol(y->deficit_ms / GPU_S, 16, 1e-9);
    ck_assert_int_eq(x->demand_time_ms, 10000);
    ck_assert_int_eq(y->demand_time_ms, 10000);
    ck_assert_int_eq(y->satisfied_ms, 2000);
    ck_assert_double_eq_tol(shares_ratio(y), 0.2, 1e-12);
    ck_assert(isnan(shares_ratio(&shares.queues[2])));
    ck_assert_uint_eq(x->jobs, 1);
    ck_assert_uint_eq(x->completed, 1);
    ck_assert_uint_eq(y->jobs, 1);
    ck_assert_uint_eq(y->completed, 0);
    struct shares_summary summary = shares_summarise(&shares, s.sim);
    ck_assert_double_eq_tol(summary.deficit_gpu_h, 16.0 / 3600, 1e-12);
    ck_assert_double_eq_tol(summary.quota_satisfaction, 0.2, 1e-12);
    ck_assert_double_eq_tol(summary.min_share, 0.2, 1e-12);
    small_end(&s);
    shares_fini(&shares);
}
END_TEST

START_TEST(only_the_window_is_integrated)
{
    struct small s;
    struct shares shares;
    two_queues(&s, &shares);
    s.config.warmup_ms = 1000;
    s.config.horizon_ms = 5000;
    small_run(&s);
    shares_finish(&shares, s.sim);
    ck_assert_double_eq_tol(shares.queues[0].used_ms / GPU_S, 16, 1e-9);
    ck_assert_double_eq_tol(shares.queues[0].entitled_ms / GPU_S, 4 + 3 * 2, 1e-9);
    ck_assert_double_eq_tol(shares.queues[1].deficit_ms / GPU_S, 6, 1e-9);
    ck_assert_int_eq(shares.queues[1].demand_time_ms, 3000);
    ck_assert_uint_eq(shares.queues[0].jobs, 0); /* submitted before the warm-up ended */
    ck_assert_uint_eq(shares.queues[1].jobs, 1);
    small_end(&s);
    shares_fini(&shares);
}
END_TEST

/* A limit that the policy does not enforce caps the entitlement, but not the measured use. */
START_TEST(use_beyond_a_limit_is_counted)
{
    struct small s;
    struct shares shares = {0};
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 4);
    small_queue(&s, "x", 0)->gpu.limit = 0;
    small_job_of(&s, "x", "a", 0, 10000, 4);
    small_observe(&s, shares_observer(&shares));
    small_run(&s);
    shares_finish(&shares, s.sim);
    ck_assert_double_eq_tol(shares.queues[0].used_ms / GPU_S, 40, 1e-9);
    ck_assert_double_eq_tol(shares.queues[0].entitled_ms, 0, 1e-9);
    small_end(&s);
    shares_fini(&shares);
}
END_TEST

/* ---- time below quota ---- */

enum { OWED_JOBS = 4 };

/*
 * 4 GPUs; x has no quota, y's is 2. The grace is 5 s, so a reclaim takes as long. Seconds of each
 * time that y was below its quota, in rising order.
 */
static const struct {
    const char *what;
    struct {
        const char *queue;
        int64_t submit_s, duration_s, gpus;
    } jobs[OWED_JOBS];
    int64_t reclaims_s[3];
    uint64_t count, censored;
} owed[] = {
    {"a grant at once is none", {{"y", 0, 10, 2}}, {0}, 0, 0},
    {"what is taken back is", {{"x", 0, 100, 4}, {"y", 10, 10, 2}}, {5}, 1, 0},
    {"twice", {{"x", 0, 100, 4}, {"y", 10, 10, 2}, {"y", 50, 10, 2}}, {5, 5}, 2, 0},
    {"more than the quota is no claim", {{"x", 0, 100, 4}, {"y", 10, 10, 3}}, {0}, 0, 0},
    {"nor what would go beyond it",
     {{"y", 0, 100, 2}, {"x", 0, 50, 2}, {"y", 10, 10, 1}},
     {0},
     0,
     0},
    {"nobody owes a queue without quota",
     {{"y", 0, 100, 2}, {"x", 0, 50, 2}, {"x", 10, 10, 1}},
     {0},
     0,
     0},
};

START_TEST(reclaims_are_timed)
{
    struct small s;
    struct shares shares = {0};
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 4);
    small_queue(&s, "x", 0);
    small_queue(&s, "y", 0)->gpu.quota = 2000;
    s.config.grace_ms = 5000;
    for (int i = 0; i < OWED_JOBS && owed[_i].jobs[i].queue != NULL; i++)
        small_job_of(&s, owed[_i].jobs[i].queue, "j", owed[_i].jobs[i].submit_s * 1000,
                     owed[_i].jobs[i].duration_s * 1000, owed[_i].jobs[i].gpus);
    small_observe(&s, shares_observer(&shares));
    small_run(&s);
    shares_finish(&shares, s.sim);
    struct tally all = shares_reclaim(&shares);
    ck_assert_msg(all.observed == owed[_i].count && all.censored == owed[_i].censored,
                  "%s: %llu times", owed[_i].what, (unsigned long long)all.observed);
    size_t count;
    struct tally_cell *cells = tally_sorted(&all, &count);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(cells[i].value, owed[_i].reclaims_s[i] * 1000);
    free(cells);
    tally_fini(&all);
    small_end(&s);
    shares_fini(&shares);
}
END_TEST

/* A queueing policy never reclaims: y is below its quota from 10 to the end of the window at 60. */
START_TEST(an_unfinished_wait_is_a_lower_bound)
{
    struct small s;
    struct shares shares = {0};
    small_begin(&s, "fifo", "scope=queue");
    small_pool(&s, "p", 1, 4);
    small_queue(&s, "x", 0);
    small_queue(&s, "y", 0)->gpu.quota = 2000;
    small_job_of(&s, "x", "a", 0, 100000, 4);
    small_job_of(&s, "y", "b", 10000, 1000, 2);
    s.config.horizon_ms = 60000;
    small_observe(&s, shares_observer(&shares));
    small_run(&s);
    shares_finish(&shares, s.sim);
    ck_assert_uint_eq(shares.queues[0].reclaim.censored, 0);
    ck_assert_uint_eq(shares.queues[1].reclaim.censored, 1);
    ck_assert_int_eq(shares.queues[1].reclaim.max, 50000);
    /* x has no quota to satisfy; y had nothing from 10 to 60. */
    ck_assert(isnan(shares_satisfaction(&shares.queues[0], &s.sim->queues[0])));
    ck_assert_double_eq(shares_satisfaction(&shares.queues[1], &s.sim->queues[1]), 0);
    ck_assert_double_eq(shares.queues[1].deficit_ms, 2000.0 * 50000);
    small_end(&s);
    shares_fini(&shares);
}
END_TEST

/* The quota policy divides a tree: the department of x and y has half, so they get a quarter each.
 */
START_TEST(the_division_is_the_policys)
{
    struct small s;
    struct shares shares = {0};
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 8);
    static const char *const names[] = {"d", "e", "x", "y", "z"};
    static const int32_t parents[] = {-1, -1, 0, 0, 1};
    for (int i = 0; i < ROWS(names); i++)
        small_queue(&s, names[i], 0)->parent = parents[i];
    for (int i = 2; i < ROWS(names); i++)
        for (int k = 0; k < 8; k++)
            small_job_of(&s, names[i], "j", 0, 100000, 1);
    small_observe(&s, shares_observer(&shares));
    ck_assert(small_create(&s));
    evict_run(&s, 50000);
    static const double entitled[] = {0, 0, 2000, 2000,
                                      4000}; /* a flat division would give 2667 each */
    for (uint32_t i = 2; i < ROWS(names); i++)
        ck_assert_double_eq_tol(shares_entitled(&shares, s.sim, i), entitled[i], 1e-9);
    small_end(&s);
    shares_fini(&shares);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shares");
    TCase *tcase = tcase_create("dividing");
    tcase_add_loop_test(tcase, capacity_is_divided, 0, ROWS(divisions));
    tcase_add_loop_test(tcase, updates_equal_dividing_from_scratch, 0, 60);
    tcase_add_test(tcase, planned_changes_count_from_when_they_are_made);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("indexes");
    tcase_add_loop_test(tcase, indexes_are_the_textbook_ones, 0, ROWS(indexes));
    tcase_add_test(tcase, use_and_entitlement_are_integrated);
    tcase_add_test(tcase, only_the_window_is_integrated);
    tcase_add_test(tcase, use_beyond_a_limit_is_counted);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("owed");
    tcase_add_loop_test(tcase, reclaims_are_timed, 0, ROWS(owed));
    tcase_add_test(tcase, an_unfinished_wait_is_a_lower_bound);
    tcase_add_test(tcase, the_division_is_the_policys);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
