/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Autoscalers against a naive twin that evaluates at every interval and keeps all that it asked
 * for: evaluations that are left out change nothing.
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

/* The trend as of the last change of what is looked at. */
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

/* Reactive rules, and predictive ones whose season and lead are multiples of the load's steps: all
 * its changes are seen. */
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
            wanted = scaler_evaluate(&scaler, at);
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
    ck_assert_int_eq(scaler_evaluate(&scaler, 0), 4);
    ck_assert_int_eq(scaler.next_ms, INT64_MAX);
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
    tcase_add_test(tcase, a_flat_load_is_looked_at_once);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
