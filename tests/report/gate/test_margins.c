/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics and margins as users write them; the numbers of the examples are arithmetic on one hour,
 * 80 %, 2 and 100. */
#include "report/gate/margins.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *path;
    enum metric_better better;
    double margin, floor;
    const char *what, *words;
} cases[] = {
    {"wait_s.p95", METRIC_LOWER, 0.05, 0, "p95 wait",
     "may grow by at most 5%: a job that waited 1h00m may wait 1h03m"},
    {"by_class.distributed.wait_s.p95", METRIC_LOWER, 0.25, 60, "p95 wait of distributed jobs",
     "may grow by at most 25% or 1m00s, whichever is more: a job that waited 1h00m may wait 1h15m"},
    {"by_queue.small.jct_s.mean", METRIC_LOWER, 0.01, 360, "mean completion time of queue 'small'",
     "may grow by at most 1% or 6m00s, whichever is more: a job that took 1h00m may take 1h06m"},
    {"by_queue.a.b.wait_s.mean", METRIC_LOWER, 0, 1800, "mean wait of queue 'a.b'",
     "may grow by at most 30m00s: a job that waited 1h00m may wait 1h30m"},
    {"by_queue.*.queue_s.mean", METRIC_LOWER, 0.5, 0, "mean time pending of any queue",
     "may grow by at most 50%: a job that was pending for 1h00m may be pending for 1h30m"},
    {"fairness.queues.flood.quota_satisfaction", METRIC_HIGHER, 0.05, 0,
     "quota satisfaction of queue 'flood'", "may fall by at most 5%: 80.0% may become 76.0%"},
    {"utilization.fleet_goodput", METRIC_HIGHER, 0, 0.02, "fleet goodput",
     "may fall by at most 2 points: 80.0% may become 78.0%"},
    {"bounded_slowdown.mean", METRIC_LOWER, 0.25, 0, "mean slowdown",
     "may grow by at most 25%: 2.00 may become 2.50"},
    {"gpu_hours.lost.preemption", METRIC_LOWER, 0.1, 0, "gpu_hours.lost.preemption",
     "may grow by at most 10%: 100 GPU-h may become 110 GPU-h"},
    {"wait_s.mean", METRIC_LOWER, 0, 0, "mean wait", "may grow by nothing"},
};

START_TEST(words)
{
    struct gate_metric metric = {
        .path = cases[_i].path,
        .row = metric_find(cases[_i].path),
        .rule = {cases[_i].better, cases[_i].margin, cases[_i].floor},
    };
    if (metric.row == NULL) /* a name with a dot: the row is that of the suite's entry */
        metric.row = metric_find("by_queue.*.wait_s.mean");
    char *what = gate_metric_words(&metric), *margin = gate_margin_words(&metric);
    ck_assert_str_eq(what, cases[_i].what);
    ck_assert_str_eq(margin, cases[_i].words);
    free(what);
    free(margin);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("margins");
    TCase *tcase = tcase_create("margins");
    tcase_add_loop_test(tcase, words, 0, ROWS(cases));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
