/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels for names. */
#include "report/words/labels.h"
#include "report/words/metric_rows.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *path, *label;
} metrics[] = {
    {"wait_s.p95", "Wait, p95"},
    {"jct_s.mean", "Time to completion, mean"},
    {"bounded_slowdown.p50", "Bounded slowdown, median"},
    {"by_class.train.jct_s.mean", "Train: time to completion, mean"},
    {"by_size.64-511.wait_s.max", "Jobs of 64-511 GPUs: wait, max"},
    {"cost.by_queue.vision.usd", "Queue vision: cost, USD"},
    {"cost.usd_per_productive_gpu_h", "Cost, USD per productive GPU-h"},
    {"utilization.fleet_goodput", "Utilization, fleet goodput"},
    {"wait_gpu_h_weighted_s.mean", "Wait, weighted by GPU-hours, mean"},
    {"by_queue.a_s.wait_s", "Queue a_s: wait"},
    {"by_queue", "By queue"},
    {"", ""},
};

START_TEST(labels_of_metrics)
{
    char *label = label_metric(metrics[_i].path);
    ck_assert_str_eq(label, metrics[_i].label);
    free(label);
}
END_TEST

START_TEST(no_metric_keeps_its_underscores)
{
    const struct metric_row *row;
    for (size_t i = 0; (row = metric_row_at(i)) != NULL; i++) {
        char *label = label_metric(row->name);
        ck_assert_msg(strchr(label, '_') == NULL && *label != '\0', "%s: '%s'", row->name, label);
        free(label);
    }
}
END_TEST

static const struct {
    const char *path, *label;
} keys[] = {
    {"fleet.pools.main.count", "the nodes of pool main"},
    {"queues.vision.gpu.quota", "the GPU quota of queue vision"},
    {"policy.name", "the policy"},
    {"policy.options.blocking", "the policy option blocking"},
    {"fleet.pools.main.count.more", "fleet.pools.main.count.more"},
    {"fleet.pools", "fleet.pools"},
    {"outputs.jobs", "outputs.jobs"},
};

START_TEST(labels_of_keys)
{
    char *label = label_key(keys[_i].path);
    ck_assert_str_eq(label, keys[_i].label);
    free(label);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("labels");
    TCase *tcase = tcase_create("labels");
    tcase_add_loop_test(tcase, labels_of_metrics, 0, sizeof metrics / sizeof *metrics);
    tcase_add_test(tcase, no_metric_keeps_its_underscores);
    tcase_add_loop_test(tcase, labels_of_keys, 0, sizeof keys / sizeof *keys);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
