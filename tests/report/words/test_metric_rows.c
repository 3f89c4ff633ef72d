/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The definitions cover everything in a summary, without duplicates, in plain text. */
#include "report/words/metric_rows.h"
#include "tests/lib/harness.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *path, *name; /* NULL: no row */
    enum metric_better better;
} find_rows[] = {
    {"wait_s.p95", "wait_s", METRIC_LOWER},
    {"wait_s.censored", "wait_s.censored", METRIC_LOWER},
    {"by_size.8.jct_s.censored", "by_size.*.jct_s.censored", METRIC_LOWER},
    {"by_class.train.wait_s.p95", "by_class.*.wait_s", METRIC_LOWER},
    {"by_size.512+.jobs", "by_size.*.jobs", METRIC_NEUTRAL},
    {"by_size.<1.jct_s.mean", "by_size.*.jct_s", METRIC_LOWER},
    {"fairness.jain", "fairness.jain", METRIC_HIGHER},
    {"fairness.rho.max", "fairness.rho", METRIC_LOWER},
    {"fairness.queues.research.wait_s.mean", "fairness.queues.*.wait_s", METRIC_LOWER},
    {"bounded_slowdown.p95", "bounded_slowdown", METRIC_LOWER},
    {"bounded_slowdown.tau_s", "bounded_slowdown.tau_s", METRIC_NEUTRAL},
    {"gpu_hours.lost.idle_blocked", "gpu_hours.lost.idle_blocked", METRIC_LOWER},
    {"reliability.by_class.gpu.faults", "reliability.by_class.*.faults", METRIC_NEUTRAL},
    {"reliability.mttf_h_by_size.512+", "reliability.mttf_h_by_size", METRIC_HIGHER},
    {"cost.energy_kwh", "cost.energy_kwh", METRIC_LOWER},
    {"utilization.fleet_goodput", "utilization.fleet_goodput", METRIC_HIGHER},
    {"gpu_hours", NULL, METRIC_NEUTRAL},
    {"by_class.train", NULL, METRIC_NEUTRAL},
    {"utilization.fleet", NULL, METRIC_NEUTRAL},
    {"", NULL, METRIC_NEUTRAL},
};

START_TEST(paths_find_their_row)
{
    const struct metric_row *row = metric_find(find_rows[_i].path);
    if (!find_rows[_i].name) {
        ck_assert_ptr_null(row);
        return;
    }
    ck_assert_ptr_nonnull(row);
    ck_assert_str_eq(row->name, find_rows[_i].name);
    ck_assert_int_eq(row->better, find_rows[_i].better);
}
END_TEST

START_TEST(rows_are_complete_and_unique)
{
    size_t count, seen = 0;
    const char **names = metric_names(&count);
    ck_assert_uint_gt(count, 60);
    for (const struct metric_row *row; (row = metric_row_at(seen)) != NULL; seen++) {
        ck_assert_uint_lt(seen, count);
        ck_assert_ptr_eq(names[seen], row->name);
        ck_assert_msg(*row->name && *row->unit && *row->summary, "row %zu has an empty text", seen);
        ck_assert_ptr_nonnull(metric_better_name(row->better));
        for (const char *p = row->summary; *p; p++)
            ck_assert_msg(*p >= ' ' && *p <= '~', "%s: not plain ASCII", row->name);
        for (size_t k = 0; k < seen; k++)
            ck_assert_str_ne(row->name, names[k]);
    }
    ck_assert_uint_eq(seen, count);
    free(names);
}
END_TEST

/* Checks every number and null below an object; names of queues may contain dots, so they are shown
 * as Q. */
static void check_leaves(const cJSON *object, const char *path, int depth)
{
    ck_assert_int_lt(depth, 8);
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        char below[256];
        bool queue = strcmp(path, "fairness.queues.") == 0;
        (void)snprintf(below, sizeof below, "%s%s", path, queue ? "Q" : item->string);
        if (cJSON_IsObject(item)) {
            size_t n = strlen(below);
            ck_assert_uint_lt(n + 1, sizeof below);
            memcpy(below + n, ".", 2);
            check_leaves(item, below, depth + 1);
        } else if (!cJSON_IsString(item)) {
            ck_assert_msg(metric_find(below) != NULL, "no definition of %s", below);
        }
    }
}

START_TEST(everything_in_a_summary_is_defined)
{
    static const char *const facts[] = {"fauxfleet_summary", "seed", "window"};
    char *text = harness_read("tests/report/fixture/summary.json", NULL);
    cJSON *summary = cJSON_Parse(text);
    ck_assert_ptr_nonnull(summary);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(summary, facts[i]);
    // null represents a whole family that a run does not have.
    cJSON_DeleteItemFromObjectCaseSensitive(summary, "fill");
    check_leaves(summary, "", 0);
    cJSON_Delete(summary);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("metric_rows");
    TCase *tcase = tcase_create("definitions");
    tcase_add_loop_test(tcase, paths_find_their_row, 0, ROWS(find_rows));
    tcase_add_test(tcase, rows_are_complete_and_unique);
    tcase_add_test(tcase, everything_in_a_summary_is_defined);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
