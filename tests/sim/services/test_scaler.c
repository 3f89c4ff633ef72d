/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Autoscalers against a naive twin that evaluates at every interval and keeps all its
 * recommendations: skipped evaluations change nothing.
 */
#include "sim/services/scaler.h"
#include "tests/lib/harness.h"

#include <stdlib.h>

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state >> 33;
}

/* ---- the twin ---- */

static double mean(const struct load *load, int64_t from, int64_t to)
{
    return to > from ? (double)load_between(load, from, to) / (double)(to - from) : 0;
}

/* The trend at the last change of the observed value. */
static int64_t twin_rate(const struct scaler_rule *r, const struct load *load, int64_t at,
                         int64_t trend_at)
{
    int64_t rate = load_at(load, at), before = at - r->season_ms;
    if (!r->predictive || before < 0)
        return rate;
    int64_t most = 0;
    for (int64_t t = before; t <= before + r->lead_ms; t++)
        most = load_at(load, t) > most ? load_at(load, t) : most;
    int64_t span = r->trend_ms < trend_at - r->season_ms ? r->trend_ms : trend_at - r->season_ms;
    double then = mean(load, trend_at - r->season_ms - span, trend_at - r->season_ms);
    double trend = then > 0 ? mean(load, trend_at - span, trend_at) / then : 1;
    trend = trend < 0.5 ? 0.5 : trend > 2 ? 2 : trend;
    int64_t expected = (int64_t)((double)most * trend + 1e-9);
    return expected > rate ? expected : rate;
}

static int64_t twin_ask(const struct scaler_rule *r, int64_t rate)
{
    int64_t n = 0;
    while (n * r->replica_milli * 1000000 < rate * (1000000 + r->headroom_ppm))
        n++;
    return n < r->min ? r->min : n > r->max ? r->max : n;
}

/* Reactive rules, and predictive ones whose season and lead are multiples of the load's steps: no
 * change is missed. */
START_TEST(nothing_is_missed)
{
    uint64_t random = (uint64_t)_i + 1;
    enum { STEPS = 40, STEP = 60, UNTIL = STEPS * STEP };
    struct load_row rows[STEPS];
    for (int i = 0; i < STEPS; i++)
        rows[i] = (struct load_row){i * STEP, 1000 * (int64_t)(draw(&random) % 50)};
    struct load load;
    load_given(&load, rows, STEPS);
    const struct scaler_rule rule = {.min = (int64_t)(draw(&random) % 3),
                                     .max = 3 + (int64_t)(draw(&random) % 20),
                                     .replica_milli = 1000 + (int64_t)(draw(&random) % 8000),
                                     .headroom_ppm = (int64_t)(draw(&random) % 3) * 150000,
                                     .interval_ms = 1 + (int64_t)(draw(&random) % 25),
                                     .down_after_ms = (int64_t)(draw(&random) % 200),
                                     .predictive = _i % 2 == 1,
                                     .lead_ms = STEP,
                                     .season_ms = 5 * STEP,
                                     .trend_ms = 3 * STEP};
    struct scaler scaler;
    int64_t asked[UNTIL + 1], times[UNTIL + 1], evaluations = 0, wanted = -1, trend_at = 0;
    size_t n = 0;
    scaler_init(&scaler, &rule, &load);
    for (int64_t at = 0; at < UNTIL; at += rule.interval_ms) {
        if (at >= scaler.next_ms) {
            wanted = scaler_evaluate(&scaler, at, &(struct scaler_view){0, 0});
            ck_assert_int_gt(scaler.next_ms, at);
            trend_at = at;
            evaluations++;
        }
        asked[n] = twin_ask(&rule, twin_rate(&rule, &load, at, trend_at));
        times[n++] = at;
        int64_t most = 0;
        for (size_t k = n; k > 0 && times[k - 1] >= at - rule.down_after_ms; k--)
            most = asked[k - 1] > most ? asked[k - 1] : most;
        ck_assert_msg(wanted == most, "%d, at %lld: %lld, expected %lld", _i, (long long)at,
                      (long long)wanted, (long long)most);
    }
    ck_assert_int_le(evaluations, 4 * STEPS);
    scaler_fini(&scaler);
    load_fini(&load);
}
END_TEST

START_TEST(a_flat_load_is_looked_at_once)
{
    const struct load_row row = {0, 10000};
    struct load load;
    load_given(&load, &row, 1);
    const struct scaler_rule rule = {
        .min = 1, .max = 9, .replica_milli = 3000, .headroom_ppm = 200000, .interval_ms = 15000};
    struct scaler scaler;
    scaler_init(&scaler, &rule, &load);
    ck_assert_int_eq(scaler.next_ms, 0);
    ck_assert_int_eq(scaler_evaluate(&scaler, 0, &(struct scaler_view){0, 0}), 4);
    ck_assert_int_eq(scaler.next_ms, INT64_MAX);
    scaler_fini(&scaler);
    load_fini(&load);
}
END_TEST

/* A replica serves 10 requests a second, each for 2 s; a request takes a tenth of the memory left
 * by a model that uses half of it. */
#define HOUR_MS INT64_C(3600000)
static const struct signal_row {
    struct scaler_signal signal;
    int64_t rate, waiting, ready, at_ms, wanted;
} signal_rows[] = {
    {{.of = SCALER_LOAD}, 25000, 0, 0, 0, 3},
    {{.of = SCALER_QUEUE, .target_micro = 100000000}, 25000, 0, 1, 0, 0},
    {{.of = SCALER_QUEUE, .target_micro = 100000000}, 0, 101, 1, 0, 2},
    {{.of = SCALER_CONCURRENCY, .target_micro = 20000000}, 25000, 0, 3, 0, 3},  /* 50 in service */
    {{.of = SCALER_CONCURRENCY, .target_micro = 20000000}, 25000, 10, 2, 0, 3}, /* 40, and 10 */
    {{.of = SCALER_UTILIZATION, .target_micro = 500000}, 25000, 0, 4, 0, 5}, /* 4 x 0.625 / 0.5 */
    {{.of = SCALER_UTILIZATION, .target_micro = 600000}, 25000, 0, 4, 0, 4}, /* within 10 % */
    {{.of = SCALER_UTILIZATION, .target_micro = 800000}, 25000, 1, 2, 0, 3}, /* 2 x 1 / 0.8 */
    {{.of = SCALER_UTILIZATION, .target_micro = 800000}, 1, 0, 0, 0, 1},
    {{.of = SCALER_UTILIZATION, .target_micro = 800000}, 0, 0, 0, 0, 0},
    {{.of = SCALER_MEMORY, .target_micro = 700000}, 4000, 0, 1, 0, 2}, /* 0.5 + 8 x 0.05 */
    {{.of = SCALER_SCHEDULE, .from_ms = 9 * HOUR_MS, .to_ms = 17 * HOUR_MS, .replicas = 7},
     0,
     0,
     0,
     10 * HOUR_MS,
     7},
    {{.of = SCALER_SCHEDULE, .from_ms = 9 * HOUR_MS, .to_ms = 17 * HOUR_MS, .replicas = 7},
     0,
     0,
     0,
     17 * HOUR_MS,
     0},
};

START_TEST(each_signal_by_hand)
{
    const struct signal_row *row = &signal_rows[_i];
    struct load load;
    load_given(&load, &(struct load_row){0, row->rate}, 1);
    struct scaler_rule rule = {.max = 100,
                               .replica_milli = 10000,
                               .interval_ms = 15000,
                               .signals = &row->signal,
                               .signal_count = 1,
                               .latency_ms = 2000,
                               .model_micro = 500000,
                               .request_micro = 50000};
    struct scaler scaler;
    scaler_init(&scaler, &rule, &load);
    struct scaler_view view = {(load_sum)row->waiting * 1000000, row->ready};
    ck_assert_int_eq(scaler_evaluate(&scaler, row->at_ms, &view), row->wanted);
    scaler_fini(&scaler);
    load_fini(&load);
}
END_TEST

START_TEST(the_largest_signal_counts_and_hours_have_headrooms)
{
    struct scaler_signal both[] = {
        {.of = SCALER_LOAD},
        {.of = SCALER_SCHEDULE, .from_ms = HOUR_MS, .to_ms = 2 * HOUR_MS, .replicas = 2}};
    struct scaler_headroom hours[] = {{3 * HOUR_MS, 4 * HOUR_MS, 2000000}};
    struct load load;
    load_given(&load, &(struct load_row){0, 10000}, 1);
    struct scaler_rule rule = {.max = 100,
                               .replica_milli = 10000,
                               .interval_ms = 1000,
                               .signals = both,
                               .signal_count = 2,
                               .hours = hours,
                               .hour_count = 1};
    struct scaler scaler;
    scaler_init(&scaler, &rule, &load);
    int64_t at = 0;
    static const int64_t times[] = {0, HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS, 4 * HOUR_MS};
    static const int64_t wanted[] = {1, 2, 1, 3, 1};
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(at, times[i]);
        ck_assert_int_eq(scaler_evaluate(&scaler, at, &(struct scaler_view){0, 1}), wanted[i]);
        at = scaler.next_ms;
    }
    ck_assert_int_eq(at, 7 * 24 * HOUR_MS + HOUR_MS);
    scaler_fini(&scaler);
    load_fini(&load);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scaler");
    TCase *tcase = tcase_create("scaler");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, nothing_is_missed, 0, 400);
    tcase_add_loop_test(tcase, each_signal_by_hand, 0, ROWS(signal_rows));
    tcase_add_test(tcase, the_largest_signal_counts_and_hours_have_headrooms);
    tcase_add_test(tcase, a_flat_load_is_looked_at_once);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
