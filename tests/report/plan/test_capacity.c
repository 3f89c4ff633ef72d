/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on numbers of nodes, the interval of the answer, the closest option; and the quantile of
 * compactions. */
#include "report/plan/capacity.h"
#include "report/plan/compaction.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 20

static struct target target_of(const char *text)
{
    struct target target;
    struct err err = {0};
    ck_assert_msg(target_parse(&target, text, &err), "%s", err.msg);
    return target;
}

/* Judges replicas with these values of p95(wait): a number, "null", or ">=" and a lower bound. */
static struct capacity_point judge(struct capacity *c, const char *const *values, size_t n)
{
    cJSON *summaries[MOST] = {0};
    for (size_t i = 0; i < n; i++) {
        char text[256];
        bool bound = values[i][0] == '>';
        (void)snprintf(text, sizeof text,
                       "{\"wait_s\": {\"p95\": %s%s%s}, \"utilization\": {\"allocation\": 0.5}, "
                       "\"jobs\": {\"never_fits\": 0}, \"preemption\": {\"evictions\": 2}, "
                       "\"cost\": {\"usd\": 10}, \"gpu_hours\": {\"installed\": 80}}",
                       bound ? "null" : values[i], bound ? ", \"p95_at_least\": " : "",
                       bound ? values[i] + 2 : "");
        summaries[i] = cJSON_Parse(text);
        ck_assert_ptr_nonnull(summaries[i]);
    }
    struct capacity_point point = {.nodes = 1, .gpus = 8};
    struct err err = {0};
    ck_assert_msg(capacity_judge(c, &point, summaries, n, &err), "%s", err.msg);
    for (size_t i = 0; i < n; i++)
        cJSON_Delete(summaries[i]);
    return point;
}

/*
 * With three replicas of 10, 20, 30: mean 20, se 5.7735, t(0.9; 2) = 1.8856. The mean is above
 * 9.113 or below 30.887, and a fresh value, which is se sqrt(4) t from it, below 41.773 or above
 * -1.773.
 */
static const struct {
    const char *target, *values[3];
    enum capacity_verdict verdict;
} rows[] = {
    {"p95(wait) <= 41.8", {"10", "20", "30"}, CAPACITY_MET},
    {"p95(wait) <= 41.7", {"10", "20", "30"}, CAPACITY_OPEN},
    {"p95(wait) <= 30.8", {"10", "20", "30"}, CAPACITY_OPEN},
    {"p95(wait) <= 9.2", {"10", "20", "30"}, CAPACITY_OPEN},
    {"p95(wait) <= 9.1", {"10", "20", "30"}, CAPACITY_MISSED},
    {"p95(wait) >= -1.8", {"10", "20", "30"}, CAPACITY_MET},
    {"p95(wait) >= 9.1", {"10", "20", "30"}, CAPACITY_OPEN},
    {"p95(wait) >= 30.8", {"10", "20", "30"}, CAPACITY_OPEN},
    {"p95(wait) >= 31", {"10", "20", "30"}, CAPACITY_MISSED},
    {"p95(wait) <= 7", {"7", "7", "7"}, CAPACITY_MET},
    {"p95(wait) < 7", {"7", "7", "7"}, CAPACITY_MISSED},
    {"p95(wait) <= 1000", {"10", "20", ">=30"}, CAPACITY_OPEN},
    {"p95(wait) <= 9.1", {"10", "20", ">=30"}, CAPACITY_MISSED},
    {"p95(wait) >= -1.8", {"10", "20", ">=30"}, CAPACITY_MET},
    {"p95(wait) >= 31", {"10", "20", ">=30"}, CAPACITY_OPEN},
    {"p95(wait) <= 1000", {"10", "20", "null"}, CAPACITY_OPEN},
};

START_TEST(verdicts)
{
    struct target target = target_of(rows[_i].target);
    struct capacity c = {.confidence = 0.9, .replicas = 3, .targets = &target, .target_count = 1};
    struct capacity_point point = judge(&c, rows[_i].values, 3);
    ck_assert_int_eq(point.value[0].verdict, rows[_i].verdict);
    ck_assert_uint_eq(point.met, rows[_i].verdict == CAPACITY_MET);
    ck_assert_double_eq_tol(point.allocation, 0.5, 1e-12);
    ck_assert_double_eq_tol(point.usd, 10, 1e-12);
    ck_assert_double_eq_tol(point.usd_per_year, 8760, 1e-9); /* 10 USD in 10 h */
    ck_assert_double_eq_tol(point.stops, 2, 1e-12);
    ck_assert(isnan(point.usd_per_gpu_h));
    target_fini(&target);
}
END_TEST

/*
 * Of 1 to 5: mean 3, s 1.5811, t(0.975; 4) = 2.7764, and half widths of samples of five are wider
 * by 1 + 1.5/5 (skewed.h): 3 +- 1.3 x 2.7764 x 0.70711. No interval for three values, lower bounds,
 * equal values, or if counting decides, which may end early.
 */
START_TEST(intervals_are_shown_where_they_hold)
{
    static const struct {
        const char *values[9];
        size_t n;
        int replicas;
        bool shown;
    } cases[] = {
        {{"1", "2", "3", "4", "5"}, 5, 5, true},
        {{"1", "2", "3"}, 3, 3, false},
        {{"1", "2", "3", "4", ">=5"}, 5, 5, false},
        {{"3", "3", "3", "3", "3"}, 5, 5, false},
        {{"1", "2", "3", "4", "5"}, 5, 20, false},
        {{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, 9, 9, false},
    };
    struct target target = target_of("p95(wait) <= 0.5");
    struct capacity c = {
        .confidence = 0.9, .replicas = cases[_i].replicas, .targets = &target, .target_count = 1};
    struct capacity_point point = judge(&c, cases[_i].values, cases[_i].n);
    const struct stat_interval *over = &point.value[0].over;
    ck_assert_int_eq(!isnan(over->low), cases[_i].shown);
    ck_assert_int_eq(!isnan(over->high), cases[_i].shown);
    if (cases[_i].shown) {
        ck_assert_double_eq_tol(over->low, 3 - 2.55222, 1e-4);
        ck_assert_double_eq_tol(over->high, 3 + 2.55222, 1e-4);
    }
    target_fini(&target);
}
END_TEST

START_TEST(undefined_everywhere_is_an_error)
{
    struct target target = target_of("p95(wait) <= 1");
    struct capacity c = {.confidence = 0.9, .replicas = 3, .targets = &target, .target_count = 1};
    struct capacity_point point = {.gpus = 8};
    struct err err = {0};
    cJSON *summary = cJSON_Parse("{\"wait_s\": {\"p95\": null}}");
    ck_assert(!capacity_judge(&c, &point, &summary, 1, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    cJSON_Delete(summary);
    /* Unless the jobs that it counts never fit there. */
    summary = cJSON_Parse("{\"wait_s\": {\"p95\": null}, \"jobs\": {\"never_fits\": 3}}");
    ck_assert(capacity_judge(&c, &point, &summary, 1, &err));
    ck_assert_int_eq(point.value[0].verdict, CAPACITY_OPEN);
    ck_assert_uint_eq(point.met, 0);
    cJSON_Delete(summary);
    target_fini(&target);
}
END_TEST

static struct capacity_point point_at(int64_t nodes, double mean, enum capacity_verdict verdict)
{
    struct capacity_point point = {.nodes = nodes,
                                   .met = verdict == CAPACITY_MET,
                                   .meets = verdict == CAPACITY_MET,
                                   .open = verdict == CAPACITY_OPEN,
                                   .risk = {.missed = verdict == CAPACITY_MET ? 0 : 3, .tried = 3}};
    point.value[0] = (struct capacity_value){
        .over = {.n = 3, .mean = mean, .low = mean, .high = mean}, .verdict = verdict};
    return point;
}

START_TEST(points_are_kept_in_order)
{
    struct target target = target_of("p95(wait) <= 10");
    struct capacity c = {.scenario = "s",
                         .policy = "p",
                         .label = "gpu",
                         .confidence = 0.9,
                         .replicas = 3,
                         .targets = &target,
                         .target_count = 1,
                         .low = 1,
                         .high = 16};
    const struct capacity_point points[] = {
        point_at(8, 5, CAPACITY_MET), point_at(4, 50, CAPACITY_MISSED),
        point_at(7, 9, CAPACITY_OPEN), point_at(5, 20, CAPACITY_MISSED),
        point_at(6, 12, CAPACITY_OPEN)};
    for (int i = 0; i < ROWS(points); i++)
        (void)capacity_add(&c, &points[i]);
    for (size_t i = 1; i < c.point_count; i++)
        ck_assert_int_gt(c.points[i].nodes, c.points[i - 1].nodes);
    ck_assert_ptr_null(capacity_find(&c, 3));
    ck_assert_int_eq(capacity_find(&c, 7)->nodes, 7);
    int64_t misses, meets;
    capacity_bracket(&c, &misses, &meets);
    ck_assert_int_eq(misses, 7);
    ck_assert_int_eq(meets, 8);
    c.found.answer = 8;
    ck_assert_int_eq(capacity_least(&c), 6);
    char *headline = capacity_headline(&c);
    ck_assert_str_eq(
        headline,
        "8 nodes of gpu meet the target with confidence 0.9: 0 of 3 replicas miss it. 6 to "
        "7 were tried and are not excluded.");
    free(headline);
    c.found = (struct search_result){.unreachable = 1};
    c.points[c.point_count - 1].met = 0;
    ck_assert_int_eq(capacity_closest(&c)->nodes, 7);
    char *why = capacity_why(&c);
    ck_assert_msg(strstr(why, "no number of nodes that was tried, up to 16, meets p95(wait) <= 10. "
                              "Closest are 7 nodes") != NULL,
                  "%s", why);
    free(why);
    capacity_fini(&c);
    target_fini(&target);
}
END_TEST

/* If part of a fleet stays unchanged: the nodes to find and those of the fleet; and one node, not 1
 * nodes. */
START_TEST(the_headline_says_which_nodes)
{
    struct target target = target_of("p95(wait) <= 10");
    struct capacity c = {.label = "old:9,new",
                         .confidence = 0.9,
                         .replicas = 3,
                         .targets = &target,
                         .target_count = 1};
    struct capacity_point point = point_at(1, 5, CAPACITY_MET);
    point.fleet_nodes = 10;
    (void)capacity_add(&c, &point);
    c.found.answer = 1;
    char *headline = capacity_headline(&c);
    ck_assert_str_eq(headline, "1 node of old:9,new (10 in the whole fleet) meets the target with "
                               "confidence 0.9: 0 of 3 replicas miss it.");
    free(headline);
    capacity_fini(&c);
    target_fini(&target);
}
END_TEST

/* Untried numbers are only named if a tried one on either side is open. */
START_TEST(not_excluded_are_tried_or_bracketed)
{
    struct target target = target_of("p95(wait) <= 10");
    struct capacity c = {
        .label = "p", .confidence = 0.9, .replicas = 3, .targets = &target, .target_count = 1};
    const struct capacity_point points[] = {point_at(24, 50, CAPACITY_MISSED),
                                            point_at(27, 12, CAPACITY_OPEN),
                                            point_at(30, 5, CAPACITY_MET)};
    for (int i = 0; i < ROWS(points); i++)
        (void)capacity_add(&c, &points[i]);
    c.found.answer = 30;
    ck_assert_int_eq(capacity_least(&c), 27); /* 25 and 26 were not tried */
    char *headline = capacity_headline(&c);
    ck_assert_msg(
        strstr(headline, "27 to 29 are bracketed by what was tried, and are not excluded") != NULL,
        "%s", headline);
    free(headline);
    capacity_fini(&c);
    target_fini(&target);
}
END_TEST

/* Of 20 replicas one may miss at 0.9; two misses settle it after two looks. Several targets must
 * hold in the same replicas. */
START_TEST(counting_decides_early)
{
    struct target targets[2] = {target_of("p95(wait) <= 10"), target_of("p95(wait) >= 5")};
    struct capacity c = {.confidence = 0.9, .replicas = 20, .targets = targets, .target_count = 1};
    const char *const both[] = {"11", "12"};
    struct capacity_point point = judge(&c, both, 2);
    ck_assert(capacity_settled(&c, &point));
    ck_assert(!point.meets && !point.open);
    ck_assert_uint_eq(point.met, 0);
    const char *const one[] = {"11", "9", "9", "9"};
    point = judge(&c, one, 4);
    ck_assert(!capacity_settled(&c, &point));
    ck_assert_uint_eq(point.risk.missed, 1);
    c.target_count = 2;
    const char *const each[] = {"11", "4", "9",
                                "9"}; /* each target is missed once, in another replica */
    point = judge(&c, each, 4);
    ck_assert_uint_eq(point.risk.missed, 2);
    ck_assert(capacity_settled(&c, &point));
    ck_assert_uint_eq(point.met, 3); /* each one separately so far, not together */
    target_fini(&targets[0]);
    target_fini(&targets[1]);
}
END_TEST

START_TEST(the_cheapest_answer_is_the_best)
{
    struct capacity options[3] = {
        {.found = {.answer = 0}}, {.found = {.answer = 5}}, {.found = {.answer = 9}}};
    struct capacity_plan plan = {.options = options, .option_count = 3};
    struct capacity_point five = point_at(5, 1, CAPACITY_MET), nine = point_at(9, 1, CAPACITY_MET);
    five.usd_per_year = 900;
    nine.usd_per_year = 500;
    (void)capacity_add(&options[1], &five);
    (void)capacity_add(&options[2], &nine);
    capacity_choose(&plan);
    ck_assert_uint_eq(plan.best, 2);
    options[2].points[0].usd_per_year = options[1].points[0].usd_per_year = (double)NAN;
    options[1].points[0].fleet_nodes = 5;
    options[2].points[0].fleet_nodes = 9;
    capacity_choose(&plan);
    ck_assert_uint_eq(plan.best, 1); /* without prices the fewest nodes */
    capacity_fini(&options[1]);
    capacity_fini(&options[2]);
}
END_TEST

/* The tenth of 11 trials; one without a number comes last. */
START_TEST(the_ninetieth_percentile_of_trials)
{
    struct compaction_trial trials[11];
    struct compaction c = {.trials = trials, .trial_count = 11};
    for (int i = 0; i < 11; i++)
        trials[i] = (struct compaction_trial){.seed = (uint64_t)i, .nodes = 30 - i};
    compaction_sort(&c);
    ck_assert_int_eq(compaction_least(&c), 20);
    ck_assert_int_eq(compaction_result(&c)->nodes, 29);
    ck_assert_int_eq(compaction_most(&c), 30);
    trials[0].nodes = trials[1].nodes = 0;
    compaction_sort(&c);
    ck_assert_int_eq(compaction_result(&c)->nodes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capacity");
    TCase *tcase = tcase_create("capacity");
    tcase_add_loop_test(tcase, verdicts, 0, ROWS(rows));
    tcase_add_loop_test(tcase, intervals_are_shown_where_they_hold, 0, 6);
    tcase_add_test(tcase, undefined_everywhere_is_an_error);
    tcase_add_test(tcase, points_are_kept_in_order);
    tcase_add_test(tcase, the_headline_says_which_nodes);
    tcase_add_test(tcase, not_excluded_are_tried_or_bracketed);
    tcase_add_test(tcase, counting_decides_early);
    tcase_add_test(tcase, the_cheapest_answer_is_the_best);
    tcase_add_test(tcase, the_ninetieth_percentile_of_trials);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
