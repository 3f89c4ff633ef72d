/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's checks on hand-made replicas: replicas that do not pair, identical decisions,
 * starvation; verdicts of rows under Holm and over looks; and that the gate is wrong no more often
 * than it says.
 */
#include "report/gate/gate.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"
#include "tests/report/gate/made.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

/* Pairs of 0 and harm, with noise of +-1 in turn: mean harm, and a standard error of about 1 /
 * sqrt(n). */
static void add_pairs(struct gate *g, size_t s, size_t n, const double *harm)
{
    for (size_t i = 0; i < n; i++) {
        double a[5] = {0}, b[5] = {0};
        size_t k = g->scenarios[s].sides[SIDE_A].count;
        for (size_t m = 0; m < g->metric_count; m++)
            b[m] = harm[m] + (k % 2 ? 1 : -1);
        made_replica(g, s, SIDE_A, a, "a");
        made_replica(g, s, SIDE_B, b, "b");
    }
}

START_TEST(replicas_must_pair)
{
    static const double none[5] = {0};
    for (int wrong = 0; wrong < 4; wrong++) {
        struct gate g;
        made_begin(&g, 1, 1, 1);
        add_pairs(&g, 0, 3, none);
        struct gate_replica *r = &g.scenarios[0].sides[SIDE_B].replicas[2];
        r->seed += wrong == 1;
        r->trace[7] = wrong == 2 ? 'u' : r->trace[7];
        r->start_s = wrong == 3 ? 1 : 0;
        ck_assert_int_eq(gate_incompatible(&g), wrong > 0);
        if (wrong > 0) {
            ck_assert_int_eq(g.verdict, GATE_INCOMPATIBLE);
            ck_assert_int_eq(gate_exit_code(g.verdict), EXIT_BASELINE);
            ck_assert_msg(strstr(g.reason, "replica 3") != NULL, "%s", g.reason);
        }
        gate_fini(&g);
    }
}
END_TEST

START_TEST(identical_or_not)
{
    static const double value[5] = {1, 1, 1, 1, 1};
    struct gate g;
    made_begin(&g, 2, 1, 1);
    for (size_t s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++)
            for (int side = 0; side < SIDES; side++)
                made_replica(&g, s, side, value, "same");
    ck_assert(gate_identical(&g));
    ck_assert_int_eq(g.verdict, GATE_PASS);
    ck_assert_int_eq(g.stage, GATE_IDENTITY);
    g.scenarios[1].sides[SIDE_B].replicas[1].journal[0] = 'x';
    ck_assert(!gate_identical(&g));
    ck_assert_uint_eq(g.scenarios[0].same, 2);
    ck_assert_uint_eq(g.scenarios[1].same, 1);
    g.scenarios[0].sides[SIDE_A].replicas[0].journal[0] =
        '\0'; /* unknown hashes are never the same */
    g.scenarios[0].sides[SIDE_B].replicas[0].journal[0] = '\0';
    ck_assert(!gate_identical(&g));
    ck_assert_uint_eq(g.scenarios[0].same, 1);
    gate_fini(&g);
}
END_TEST

/* A bound of an hour; the longest wait is a minute unless the row says otherwise. */
static const struct {
    int side;
    double longest;
    bool at_least, starved;
} waits[] = {
    {SIDE_B, 3600, false, false}, {SIDE_B, 3601, false, true},         {SIDE_A, 3601, false, true},
    {SIDE_B, 3601, true, true},   {SIDE_B, (double)NAN, false, false},
};

START_TEST(starved_jobs)
{
    static const double none[5] = {0};
    struct gate g;
    made_begin(&g, 1, 1, 1);
    add_pairs(&g, 0, 3, none);
    g.scenarios[0].sides[waits[_i].side].replicas[1].longest =
        (struct measured){waits[_i].longest, waits[_i].at_least};
    ck_assert(!gate_starved(&g)); /* no bound */
    g.scenarios[0].starvation_ms = 3600000;
    ck_assert_int_eq(gate_starved(&g), waits[_i].starved);
    if (waits[_i].starved) {
        ck_assert_int_eq(gate_exit_code(g.verdict), EXIT_INVARIANT);
        ck_assert(strstr(g.reason, waits[_i].side == SIDE_A ? "the base" : "the candidate") !=
                  NULL);
        ck_assert_int_eq(strstr(g.reason, "at least") != NULL, waits[_i].at_least);
    }
    gate_fini(&g);
}
END_TEST

/* One look at 20 pairs with a standard error of 0.229: a margin of 2 is seven of them. */
static const struct {
    double harm;
    enum gate_row_verdict row;
    enum gate_verdict verdict;
} harms[] = {
    {0, GATE_ROW_PASS, GATE_PASS},           {1.4, GATE_ROW_PASS, GATE_PASS},
    {1.6, GATE_ROW_OPEN, GATE_INCONCLUSIVE}, /* 1.075 t(0.975; 19) = 2.250: 0.516 to either side */
    {2.4, GATE_ROW_OPEN, GATE_INCONCLUSIVE}, {2.6, GATE_ROW_FAIL, GATE_FAIL},
    {-100, GATE_ROW_PASS, GATE_PASS},
};

START_TEST(one_metric_one_look)
{
    struct gate g;
    made_begin(&g, 1, 1, 2);
    add_pairs(&g, 0, 20, &harms[_i].harm);
    ck_assert(gate_judge(&g));
    ck_assert_int_eq(g.rows[0].verdict, harms[_i].row);
    ck_assert_int_eq(g.verdict, harms[_i].verdict);
    ck_assert_double_eq_tol(g.rows[0].level, 0.025, 1e-12);
    gate_fini(&g);
}
END_TEST

/*
 * A margin of 0.4 is below twice the standard error of 0.22942, but the interval decides anyway,
 * 0.516 to either side. An open row needs 20 (0.516 / 0.3)^2 = 59.2 replicas.
 */
static const struct {
    double harm;
    enum gate_verdict verdict;
    size_t needed;
} narrow[] = {
    {-100, GATE_PASS, 0},         {-0.2, GATE_PASS, 0}, {0.1, GATE_INCONCLUSIVE, 60},
    {0.7, GATE_INCONCLUSIVE, 60}, {1, GATE_FAIL, 0},    {100, GATE_FAIL, 0},
};

START_TEST(a_narrow_margin_is_decided)
{
    struct gate g;
    made_begin(&g, 1, 1, 0.4);
    add_pairs(&g, 0, 20, &narrow[_i].harm);
    ck_assert(gate_judge(&g));
    ck_assert_int_eq(g.verdict, narrow[_i].verdict);
    ck_assert_uint_eq(g.rows[0].harm.needed, narrow[_i].needed);
    gate_fini(&g);
}
END_TEST

/*
 * Holm over three at alpha / 2 = 0.025: t of 19 degrees is 2.625 at 0.025/3, 2.433 at 0.025/2 and
 * 2.093 at 0.025. Harm above the margin of 2, in standard errors of 0.22942 times 1.075.
 */
static const struct {
    double t[3];
    enum gate_row_verdict row[3];
} families[] = {
    {{2.7, 2.5, 2.2}, {GATE_ROW_FAIL, GATE_ROW_FAIL, GATE_ROW_FAIL}},
    {{2.2, 2.7, 2.5}, {GATE_ROW_FAIL, GATE_ROW_FAIL, GATE_ROW_FAIL}},
    {{2.7, 2.3, 2.2}, {GATE_ROW_FAIL, GATE_ROW_OPEN, GATE_ROW_OPEN}},
    {{2.5, 2.5, 2.5}, {GATE_ROW_OPEN, GATE_ROW_OPEN, GATE_ROW_OPEN}},
    {{2.7, -3, -3}, {GATE_ROW_FAIL, GATE_ROW_PASS, GATE_ROW_PASS}},
    {{2.5, -3, -3}, {GATE_ROW_OPEN, GATE_ROW_PASS, GATE_ROW_PASS}},
};

START_TEST(holm_over_primaries)
{
    struct gate g;
    double harm[3];
    made_begin(&g, 1, 3, 2);
    for (int m = 0; m < 3; m++)
        harm[m] = 2 + 1.075 * families[_i].t[m] / sqrt(19);
    add_pairs(&g, 0, 20, harm);
    gate_judge(&g);
    for (int m = 0; m < 3; m++)
        ck_assert_int_eq(g.rows[m].verdict, families[_i].row[m]);
    gate_fini(&g);
}
END_TEST

/* Guards warn, are not part of the family, and do not prevent a pass. */
START_TEST(guards_warn)
{
    static const double harm[] = {0, 2.6};
    struct gate g;
    made_begin(&g, 1, 2, 2);
    g.metrics[1].guard = true;
    add_pairs(&g, 0, 20, harm);
    ck_assert(gate_judge(&g));
    ck_assert_int_eq(g.verdict, GATE_PASS);
    ck_assert_int_eq(g.rows[1].verdict, GATE_ROW_WARN);
    gate_fini(&g);
}
END_TEST

/* Undecided at 20, decided at 40; a decided scenario gets no further replicas and keeps its
 * verdict. */
START_TEST(look_by_look)
{
    static const double none[5] = {0}, near[5] = {1.55};
    struct gate g;
    made_begin(&g, 2, 1, 2);
    g.look_count = 3;
    g.looks[1] = 40;
    g.looks[2] = 80;
    add_pairs(&g, 0, 20, none);
    add_pairs(&g, 1, 20, near);
    ck_assert(!gate_judge(&g));
    ck_assert(!gate_is_open(&g, 0) && gate_is_open(&g, 1));
    add_pairs(&g, 1, 20, near);
    ck_assert(gate_judge(&g));
    ck_assert_int_eq(g.verdict, GATE_PASS);
    ck_assert_uint_eq(g.rows[0].replicas, 20);
    ck_assert_uint_eq(g.rows[1].replicas, 40);
    ck_assert_uint_eq(g.looked, 2);
    ck_assert_double_eq_tol(g.rows[0].level, 0.025 * log(1 + (exp(1) - 1) / 4), 1e-12);
    gate_fini(&g);
}
END_TEST

/* With harm equal to the margin in all of five metrics, at most alpha / 2 of the gates fail, and
 * none pass wrongly. */
START_TEST(wrong_as_often_as_it_says)
{
    enum { GATES = 4000 };
    int failed = 0, passed_one = 0;
    for (int i = 0; i < GATES; i++) {
        struct gate g;
        struct rng_stream stream;
        rng_init(&stream, 7, RNG_TEST, (uint64_t)i);
        made_begin(&g, 1, 5, 3);
        for (int k = 0; k < 20; k++) {
            double a[5] = {0}, b[5];
            for (int m = 0; m < 5; m++)
                b[m] = 3 + gsl_ran_gaussian_ziggurat(rng_gsl(&stream), 1);
            made_replica(&g, 0, SIDE_A, a, "a");
            made_replica(&g, 0, SIDE_B, b, "b");
        }
        gate_judge(&g);
        failed += g.verdict == GATE_FAIL;
        passed_one += g.rows[0].verdict == GATE_ROW_PASS;
        gate_fini(&g);
    }
    double error = sqrt(0.025 * 0.975 / GATES);
    ck_assert_double_le((double)failed / GATES, 0.025 + 3 * error);
    ck_assert_double_le((double)passed_one / GATES, 0.025 + 3 * error);
    ck_assert_double_ge((double)passed_one / GATES,
                        0.01); /* nor much less, although it is too careful without skewness */
}
END_TEST

/* Real summaries: paths with class names, lower bounds, missing numbers. */
START_TEST(replicas_from_summaries)
{
    static const char summary[] = "{\"fauxfleet_summary\": 1, \"seed\": 3, \"trace_digest\": "
                                  "\"sha256:t\", \"window\": {\"start_s\": 5},"
                                  " \"wait_s\": {\"mean\": 7, \"max\": null, \"max_at_least\": 99},"
                                  " \"engine\": {\"journal_sha256\": \"abc\"}}";
    struct gate g;
    struct err err = {0};
    made_begin(&g, 1, 2, 1);
    g.metrics[0].path = "wait_s.mean";
    g.metrics[1].path = "wait_s.p50";
    ck_assert_msg(gate_take(&g, 0, SIDE_B, 3, summary, &err), "%s", err.msg);
    const struct gate_replica *r = g.scenarios[0].sides[SIDE_B].replicas;
    ck_assert_str_eq(r->trace, "sha256:t");
    ck_assert_str_eq(r->journal, "abc");
    ck_assert_double_eq(r->values[0].value, 7);
    ck_assert(isnan(r->values[1].value));
    ck_assert(r->longest.at_least);
    ck_assert_double_eq(r->longest.value, 99);
    ck_assert_double_eq(r->start_s, 5);
    ck_assert(!gate_check_metrics(&g, &err));
    ck_assert_msg(strstr(err.msg, "wait_s.p50") != NULL, "%s", err.msg);
    ck_assert(!gate_take(&g, 0, SIDE_B, 3, "{", &err));
    gate_fini(&g);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gate");
    TCase *tcase = tcase_create("gate");
    tcase_add_test(tcase, replicas_must_pair);
    tcase_add_test(tcase, identical_or_not);
    tcase_add_loop_test(tcase, starved_jobs, 0, ROWS(waits));
    tcase_add_loop_test(tcase, one_metric_one_look, 0, ROWS(harms));
    tcase_add_loop_test(tcase, a_narrow_margin_is_decided, 0, ROWS(narrow));
    tcase_add_loop_test(tcase, holm_over_primaries, 0, ROWS(families));
    tcase_add_test(tcase, guards_warn);
    tcase_add_test(tcase, look_by_look);
    if (harness_whole())
        tcase_add_test(tcase, wrong_as_often_as_it_says);
    tcase_add_test(tcase, replicas_from_summaries);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
