/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on numbers of nodes, the interval of the answer, what comes closest; and the quantile of compactions. */
#include "report/plan/capacity.h"
#include "report/plan/compaction.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

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
    cJSON *summaries[MOST];
    for (size_t i = 0; i < n; i++) {
        char text[256];
        bool bound = values[i][0] == '>';
        (void)snprintf(text, sizeof text,
                       "{\"wait_s\": {\"p95\": %s%s%s}, \"utilization\": {\"allocation\": 0.5}, \"jobs\": "
                       "{\"never_fits\": 0}, \"preemption\": {\"evictions\": 2}, \"cost\": {\"usd\": 10}}",
                       bound ? "null" : values[i], bound ? ", \"p95_at_least\": " : "",
                       bound ? values[i] + 2 : "");
        summaries[i] = cJSON_Parse(text);
        ck_assert_ptr_nonnull(summaries[i]);
    }
    struct capacity_point point = {.nodes = 1};
    struct err err = {0};
    ck_assert_msg(capacity_judge(c, &point, summaries, n, &err), "%s", err.msg);
    for (size_t i = 0; i < n; i++)
        cJSON_Delete(summaries[i]);
    return point;
}

/* With three replicas of 10, 20, 30: mean 20, se 5.7735, t(0.9; 2) = 1.8856: 9.113 .. 30.887. */
static const struct {
    const char *target, *values[3];
    enum capacity_verdict verdict;
} rows[] = {
    {"p95(wait) <= 31",   {"10", "20", "30"},   CAPACITY_MET   },
    {"p95(wait) <= 30.8", {"10", "20", "30"},   CAPACITY_OPEN  },
    {"p95(wait) <= 9.2",  {"10", "20", "30"},   CAPACITY_OPEN  },
    {"p95(wait) <= 9.1",  {"10", "20", "30"},   CAPACITY_MISSED},
    {"p95(wait) >= 9.1",  {"10", "20", "30"},   CAPACITY_MET   },
    {"p95(wait) >= 30.8", {"10", "20", "30"},   CAPACITY_OPEN  },
    {"p95(wait) >= 31",   {"10", "20", "30"},   CAPACITY_MISSED},
    {"p95(wait) <= 7",    {"7", "7", "7"},      CAPACITY_MET   },
    {"p95(wait) < 7",     {"7", "7", "7"},      CAPACITY_MISSED},
    {"p95(wait) <= 1000", {"10", "20", ">=30"}, CAPACITY_OPEN  },
    {"p95(wait) <= 9.1",  {"10", "20", ">=30"}, CAPACITY_MISSED},
    {"p95(wait) >= 9.1",  {"10", "20", ">=30"}, CAPACITY_MET   },
    {"p95(wait) >= 31",   {"10", "20", ">=30"}, CAPACITY_OPEN  },
    {"p95(wait) <= 1000", {"10", "20", "null"}, CAPACITY_OPEN  },
};

START_TEST(verdicts)
{
    struct target target = target_of(rows[_i].target);
    struct capacity c = {.confidence = 0.9, .targets = &target, .target_count = 1};
    struct capacity_point point = judge(&c, rows[_i].values, 3);
    ck_assert_int_eq(point.value[0].verdict, rows[_i].verdict);
    ck_assert_uint_eq(point.met, rows[_i].verdict == CAPACITY_MET);
    ck_assert_double_eq_tol(point.allocation, 0.5, 1e-12);
    ck_assert_double_eq_tol(point.usd, 10, 1e-12);
    ck_assert_double_eq_tol(point.stops, 2, 1e-12);
    ck_assert(isnan(point.usd_per_gpu_h));
    target_fini(&target);
}
END_TEST

START_TEST(undefined_everywhere_is_an_error)
{
    struct target target = target_of("p95(wait) <= 1");
    struct capacity c = {.confidence = 0.9, .targets = &target, .target_count = 1};
    struct capacity_point point;
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
    struct capacity_point point = {.nodes = nodes, .met = verdict == CAPACITY_MET};
    point.value[0] = (struct capacity_value){
        .over = {.n = 3, .mean = mean, .low = mean, .high = mean},
          .verdict = verdict
    };
    return point;
}

START_TEST(points_are_kept_in_order)
{
    struct target target = target_of("p95(wait) <= 10");
    struct capacity c = {.scenario = "s",
                         .policy = "p",
                         .pool = "gpu",
                         .confidence = 0.9,
                         .replicas = 3,
                         .targets = &target,
                         .target_count = 1,
                         .low = 1,
                         .high = 16};
    const struct capacity_point points[] = {point_at(8, 5, CAPACITY_MET), point_at(4, 50, CAPACITY_MISSED),
                                            point_at(7, 9, CAPACITY_OPEN), point_at(5, 20, CAPACITY_MISSED),
                                            point_at(6, 12, CAPACITY_OPEN)};
    for (int i = 0; i < ROWS(points); i++)
        (void)capacity_add(&c, &points[i]);
    for (size_t i = 1; i < c.point_count; i++)
        ck_assert_int_gt(c.points[i].nodes, c.points[i - 1].nodes);
    ck_assert_ptr_null(capacity_find(&c, 3));
    ck_assert_int_eq(capacity_find(&c, 7)->nodes, 7);
    c.found.answer = 8;
    ck_assert_int_eq(capacity_least(&c), 6);
    char *headline = capacity_headline(&c);
    ck_assert_str_eq(headline,
                     "8 nodes in pool 'gpu' (6 to 7 are not excluded) meet the target with confidence 0.9.");
    free(headline);
    c.found = (struct search_result){.unreachable = 1};
    c.points[c.point_count - 1].met = 0;
    ck_assert_int_eq(capacity_closest(&c)->nodes, 7);
    char *why = capacity_why(&c);
    ck_assert_msg(strstr(why, "up to 16 nodes no number meets p95(wait) <= 10. Closest are 7 nodes") != NULL,
                  "%s", why);
    free(why);
    capacity_fini(&c);
    target_fini(&target);
}
END_TEST

/* Of 11 trials the tenth; one without a number comes last. */
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
    tcase_add_test(tcase, undefined_everywhere_is_an_error);
    tcase_add_test(tcase, points_are_kept_in_order);
    tcase_add_test(tcase, the_ninetieth_percentile_of_trials);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
