/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Targets as users write them: both forms of a metric, units, and refusals with column and nearest
 * name. */
#include "report/plan/target.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *path; /* steps with '/' between */
    enum target_comparison comparison;
    double limit;
    bool is_time;
} read[] = {
    {"p95(wait){class=distributed} <= 2h", "by_class/distributed/wait_s/p95", TARGET_AT_MOST, 7200,
     true},
    {"mean(jct){queue=research}<=1d", "by_queue/research/jct_s/mean", TARGET_AT_MOST, 86400, true},
    {"utilization.allocation >= 0.7", "utilization/allocation", TARGET_AT_LEAST, 0.7, false},
    {"utilization.allocation > 70%", "utilization/allocation", TARGET_ABOVE, 0.7, false},
    {"p95(wait){size=64-511} < 30m", "by_size/64-511/wait_s/p95", TARGET_BELOW, 1800, true},
    {"by_class.build.wait_s.p95 <= 60", "by_class/build/wait_s/p95", TARGET_AT_MOST, 60, true},
    {"by_size.<1.wait_s.p95 <= 1.5m", "by_size/<1/wait_s/p95", TARGET_AT_MOST, 90, true},
    {" max ( jct ) { class = train } < 1w ", "by_class/train/jct_s/max", TARGET_BELOW, 604800,
     true},
    {"max(queue) < 1w", "queue_s/max", TARGET_BELOW, 604800, true},
    {"p99(wait_gpu_h_weighted_s) <= 3s", "wait_gpu_h_weighted_s/p99", TARGET_AT_MOST, 3, true},
    {"p95(slowdown) <= 3.5", "bounded_slowdown/p95", TARGET_AT_MOST, 3.5, false},
    {"makespan_s <= 12", "makespan_s", TARGET_AT_MOST, 12, true},
    {"p50(wait){queue=a.b c} <= 0", "by_queue/a.b c/wait_s/p50", TARGET_AT_MOST, 0, true},
    {"p95(slowdown){queue=a} < 2", "by_queue/a/bounded_slowdown/p95", TARGET_BELOW, 2, false},
    {"gpu_hours.lost.user {queue = a} < 2", "by_queue/a/gpu_hours/lost/user", TARGET_BELOW, 2,
     false},
    {"jobs.completed{queue=a} > 9", "by_queue/a/completed", TARGET_ABOVE, 9, false},
    {"utilization.goodput_ratio{queue=a} > 90%", "by_queue/a/utilization/goodput_ratio",
     TARGET_ABOVE, 0.9, false},
    {"fairness.quota_satisfaction{queue=a<b} >= 90%", "fairness/queues/a<b/quota_satisfaction",
     TARGET_AT_LEAST, 0.9, false},
    {"fairness.reclaim_p95_s{queue=a} < 1m", "fairness/queues/a/reclaim_p95_s", TARGET_BELOW, 60,
     true},
    {"by_queue.a.wait_s.p95 < 1m", "by_queue/a/wait_s/p95", TARGET_BELOW, 60, true},
    {"cost.usd < 1000000", "cost/usd", TARGET_BELOW, 1000000, false},
};

START_TEST(is_read)
{
    struct target target;
    struct err err = {0};
    char path[256] = "";
    size_t n = 0;
    ck_assert_msg(target_parse(&target, read[_i].text, &err), "%s", err.msg);
    for (size_t i = 0; i < target.step_count; i++)
        n += (size_t)snprintf(path + n, sizeof path - n, "%s%s", i > 0 ? "/" : "", target.step[i]);
    ck_assert_str_eq(path, read[_i].path);
    ck_assert_int_eq(target.comparison, read[_i].comparison);
    ck_assert_double_eq_tol(target.limit, read[_i].limit, 1e-9);
    ck_assert_int_eq(target.is_time, read[_i].is_time);
    target_fini(&target);
}
END_TEST

static const struct {
    const char *text, *says[3];
} refused[] = {
    {"", {"column 1", "expected a metric"}},
    {"p95(wait) 2h", {"column 11", "expected <=, <, >= or >"}},
    {"p95(wait) == 2h", {"column 11", "expected <=, <, >= or >"}},
    {"p95(wait) <= 2x", {"column 15", "expected a unit"}},
    {"p95(wait) <= h", {"column 14", "expected a number"}},
    {"p95(wait) <= 70%", {"column 16", "expected a time"}},
    {"utilization.allocation >= 2h", {"column 28", "a unit of time"}},
    {"p59(wait) <= 2h", {"column 1", "statistic is named 'p59'", "did you mean 'p5"}},
    {"p95(wiat) <= 2h", {"column 5", "measure is named 'wiat'", "did you mean 'wait'"}},
    {"p95(wait <= 2h", {"column 10", "expected ')'"}},
    {"p95(wait){clas=build} <= 2h", {"column 11", "filter", "did you mean 'class'"}},
    {"p95(wait){class=biuld} <= 2h", {"class is named 'biuld'", "did you mean 'build'"}},
    {"p95(wait){size=64-512} <= 2h", {"size is named '64-512'", "did you mean '64-511'"}},
    {"p95(wait){class=build <= 2h", {"expected '}'"}},
    {"p95(wait){class=} <= 2h", {"column 17", "expected a name"}},
    {"utilization.alocation >= 0.7", {"metric", "did you mean 'utilization.allocation'"}},
    {"wait_s <= 2h", {"which statistic"}},
    {"wait_s.p96 <= 2h", {"statistic is named 'p96'"}},
    {"engine.journal_sha256 <= 2", {"not a number"}},
    {"a.b.c.d.e.f.g.h <= 2", {"more parts"}},
};

START_TEST(is_refused)
{
    struct target target;
    struct err err = {0};
    ck_assert(!target_parse(&target, refused[_i].text, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    for (size_t i = 0; i < 3 && refused[_i].says[i]; i++)
        ck_assert_msg(strstr(err.msg, refused[_i].says[i]) != NULL, "'%s' lacks '%s'", err.msg,
                      refused[_i].says[i]);
}
END_TEST

static const struct {
    const char *text, *path, *says;
} metrics[] = {
    {"mean(jct){queue=vision}", "by_queue.vision.jct_s.mean", NULL},
    {"p95(wait)", "wait_s.p95", NULL},
    {"gpu_hours.productive{queue=a.b}", "by_queue.a.b.gpu_hours.productive", NULL},
    {"fairness.reclaim_p95_s{queue=a}", "fairness.queues.a.reclaim_p95_s", NULL},
    {"fairness.queues.vision.wait_s.mean", "fairness.queues.vision.wait_s.mean", NULL},
    {"sd.wait_s.mean", "sd.wait_s.mean", NULL},
    {"mean(jct){queue=vision} <= 1d", NULL, "column 25: expected nothing behind"},
    {"mean(jtc){queue=vision}", NULL, "metric 'mean(jtc){queue=vision}', col"},
};

START_TEST(metrics_become_paths)
{
    struct err err = {0};
    char *path = target_metric(metrics[_i].text, &err);
    if (metrics[_i].path != NULL)
        ck_assert_str_eq(path, metrics[_i].path);
    else
        ck_assert_msg(path == NULL && strstr(err.msg, metrics[_i].says) != NULL, "%s", err.msg);
    free(path);
}
END_TEST

START_TEST(values_are_found)
{
    cJSON *summary =
        cJSON_Parse("{\"wait_s\": {\"p50\": 3, \"p95\": null, \"p95_at_least\": 70, \"p99\": null},"
                    " \"by_queue\": {\"a.b\": {\"wait_s\": {\"mean\": 5}}}}");
    static const struct {
        const char *text;
        enum target_found found;
        double value;
    } rows[] = {
        {"p50(wait) <= 1", TARGET_KNOWN, 3},
        {"p95(wait) <= 1", TARGET_AT_LEAST_SO, 70},
        {"p99(wait) <= 1", TARGET_UNKNOWN, 0},
        {"mean(wait){queue=a.b} <= 1", TARGET_KNOWN, 5},
        {"mean(wait){queue=a.c} <= 1", TARGET_ABSENT, 0},
    };
    for (int i = 0; i < ROWS(rows); i++) {
        struct target target;
        struct err err = {0};
        double value = 0;
        ck_assert(target_parse(&target, rows[i].text, &err));
        ck_assert_int_eq(target_find(&target, summary, &value), rows[i].found);
        ck_assert_double_eq(value, rows[i].value);
        if (rows[i].found == TARGET_ABSENT) {
            ck_assert(!target_absent(&target, summary, &err));
            ck_assert_msg(strstr(err.msg, "did you mean 'a.b'") != NULL, "%s", err.msg);
        }
        target_fini(&target);
    }
    cJSON_Delete(summary);
}
END_TEST

START_TEST(comparisons_mind_their_ends)
{
    static const bool met[][3] = {
        {true, true, false}, {true, false, false}, {false, true, true}, {false, false, true}};
    for (int c = 0; c < 4; c++) {
        struct target target = {.comparison = (enum target_comparison)c, .limit = 2};
        for (int i = 0; i < 3; i++)
            ck_assert_int_eq(target_met_by(&target, i + 1), met[c][i]);
        ck_assert(!target_met_by(&target, (double)NAN));
    }
}
END_TEST

static const struct {
    const char *text, *words;
} said[] = {
    {"p95(wait) <= 2h", "p95 wait at most 2h00m"},
    {"p50(wait){class=train} < 90", "median wait of train jobs below 1m30s"},
    {"max(jct){queue=research}<=1d", "longest time to completion in queue research at most 1d00h"},
    {"mean(wait){size=64-511} < 30m", "mean wait of jobs of 64-511 GPUs below 30m00s"},
    {"utilization.allocation >= 70%", "utilization, allocation, at least 70.0%"},
    {"cost.usd_per_year < 3000000", "cost, USD per year, below 3.00 million USD"},
    {"p95(slowdown) <= 3.5", "bounded slowdown, p95, at most 3.500"},
    {"jobs.pending < 4", "jobs, pending, below 4"},
};

START_TEST(is_said_in_words)
{
    struct target target;
    struct err err = {0};
    ck_assert_msg(target_parse(&target, said[_i].text, &err), "%s", err.msg);
    char *words = target_words(&target);
    ck_assert_str_eq(words, said[_i].words);
    free(words);
    target_fini(&target);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("target");
    TCase *tcase = tcase_create("target");
    tcase_add_loop_test(tcase, is_read, 0, ROWS(read));
    tcase_add_loop_test(tcase, metrics_become_paths, 0, ROWS(metrics));
    tcase_add_loop_test(tcase, is_refused, 0, ROWS(refused));
    tcase_add_loop_test(tcase, is_said_in_words, 0, ROWS(said));
    tcase_add_test(tcase, values_are_found);
    tcase_add_test(tcase, comparisons_mind_their_ends);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
