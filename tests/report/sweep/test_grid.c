/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hand-written sweep: two policies (each with its cycle interval), two loads given in falling
 * order, two seeds; one point has no result. The interval is Student's by table: t(0.975; 1) =
 * 12.7062.
 */
#include "report/sweep/grid.h"
#include "report/sweep/heat.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS ((size_t)8)
#define IDS    64

static void id_of(size_t point, char id[IDS + 1])
{
    (void)snprintf(id, IDS + 1, "%064zx", point + 1);
}

/* Policy (with its cycle), then load, then seed, which varies fastest. */
static void put_plan(struct folder *folder)
{
    static const char *const policies[] = {"\"policy\": \"fifo\"",
                                           "\"policy\": \"sjf\", \"policy.cycle_s\": 30"};
    static const char *const loads[] = {"0.9", "0.7"};
    struct out *out = out_memory();
    out_text(out, "{\"fauxfleet_sweep_results\": 1, \"name\": \"by hand\", \"keys\": [\"policy\", "
                  "\"policy.cycle_s\", \"workload.load_scale\", \"seed\"], \"metrics\": "
                  "[\"wait_s.p95\", \"engine.journal_sha256\", \"jobs.completed\"], \"points\": [");
    for (size_t p = 0; p < POINTS; p++) {
        char id[IDS + 1];
        id_of(p, id);
        out_format(
            out,
            "%s{\"id\": \"%s\", \"changes\": {%s, \"workload.load_scale\": %s, \"seed\": %zu}}",
            p > 0 ? ", " : "", id, policies[p / 4], loads[p / 2 % 2], p % 2 + 1);
    }
    out_text(out, "]}");
    folder_put(folder, "plan.json", out_memory_text(out, NULL));
    out_discard(out);
}

static void put_point(struct folder *folder, size_t point, const char *summary)
{
    char id[IDS + 1], name[128], text[512];
    id_of(point, id);
    (void)snprintf(name, sizeof name, "points/%s.json", id);
    (void)snprintf(text, sizeof text, "{\"fauxfleet_point\": 1, \"id\": \"%s\", \"summary\": %s}",
                   id, summary);
    folder_put(folder, name, text);
}

/* Waits: fifo at 0.9: 100 and 104; at 0.7: 10 and at least 20; sjf at 0.9: 50 (seed 1 only);
 * at 0.7: two replicas of 7 and 9 in seed 1, 8 in seed 2. */
static void put_sweep(struct folder *folder)
{
    static const char *const summaries[POINTS] = {
        "{\"wait_s\": {\"p95\": 100}, \"jobs\": {\"completed\": 5}}",
        "{\"wait_s\": {\"p95\": 104}, \"jobs\": {\"completed\": 5}}",
        "{\"wait_s\": {\"p95\": 10}, \"jobs\": {\"completed\": 5}}",
        "{\"wait_s\": {\"p95\": null, \"p95_at_least\": 20}, \"jobs\": {\"completed\": 5}}",
        "{\"wait_s\": {\"p95\": 50}, \"jobs\": {\"completed\": 5}}",
        NULL,
        "{\"wait_s\": {\"p95\": 8}, \"replicas\": [{\"wait_s\": {\"p95\": 7}}, {\"wait_s\": "
        "{\"p95\": 9}}]}",
        "{\"wait_s\": {\"p95\": 8}, \"jobs\": {\"completed\": 5}}",
    };
    folder_make(folder);
    folder_sub(folder, "points");
    put_plan(folder);
    for (size_t p = 0; p < POINTS; p++)
        if (summaries[p] != NULL)
            put_point(folder, p, summaries[p]);
}

START_TEST(points_are_sorted_by_the_varied_keys)
{
    struct folder folder;
    struct grid grid;
    struct err err = {0};
    put_sweep(&folder);
    ck_assert_msg(grid_open(&grid, folder.path, &err), "%s", err.msg);
    ck_assert_uint_eq(grid.points, POINTS);
    ck_assert_uint_eq(grid.missing, 1);
    /* The cycle follows from the policy, seeds are samples, loads rise. */
    ck_assert_uint_eq(grid.axis_count, 2);
    ck_assert_str_eq(grid.axes[0].key, "policy");
    ck_assert_str_eq(grid.axes[1].key, "workload.load_scale");
    ck_assert_str_eq(grid.axes[1].texts[0], "0.7");
    ck_assert(grid.axes[1].numeric && !grid.axes[0].numeric);
    ck_assert_uint_eq(grid.place_count, 4);
    /* A digest is not a number. */
    ck_assert_uint_eq(grid.metric_count, 2);
    ck_assert_str_eq(grid_metric(&grid, 1), "jobs.completed");
    grid_close(&grid);
    folder_remove(&folder);
}
END_TEST

static const struct {
    size_t at[2];
    size_t n, bounds;
    double mean, low, high;
} places[] = {
    {{0, 1}, 2, 0, 102, 102 - 12.7062 * 2, 102 + 12.7062 * 2}, /* sd sqrt(8), se 2 */
    {{0, 0}, 2, 1, 15, 0, 15 + 12.7062 * 5},                   /* a wait is not negative */
    {{1, 1}, 1, 0, 50, (double)NAN, (double)NAN},
    {{1, 0}, 3, 0, 8, 8 - 4.30265 / 1.7320508, 8 + 4.30265 / 1.7320508}, /* sd 1; t of 2 */
};

START_TEST(samples_have_students_interval)
{
    struct folder folder;
    struct grid grid;
    struct err err = {0};
    put_sweep(&folder);
    ck_assert_msg(grid_open(&grid, folder.path, &err), "%s", err.msg);
    size_t place = grid_find(&grid, places[_i].at);
    ck_assert_uint_ne(place, GRID_NONE);
    const struct grid_sample *sample = &grid.places[place].of[grid.metrics[0]];
    ck_assert_uint_eq(sample->n, places[_i].n);
    ck_assert_uint_eq(sample->bounds, places[_i].bounds);
    ck_assert_double_eq_tol(sample->over.mean, places[_i].mean, 1e-12);
    if (isnan(places[_i].low))
        ck_assert(isnan(sample->over.low));
    else
        ck_assert_double_eq_tol(sample->over.low, places[_i].low, 1e-3);
    if (!isnan(places[_i].high))
        ck_assert_double_eq_tol(sample->over.high, places[_i].high, 1e-3);
    grid_close(&grid);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_map_has_a_cell_for_each_place)
{
    struct folder folder;
    struct grid grid;
    struct err err = {0};
    size_t lowest, highest;
    put_sweep(&folder);
    ck_assert_msg(grid_open(&grid, folder.path, &err), "%s", err.msg);
    grid_extremes(&grid, 0, &lowest, &highest);
    char *text = grid_place_text(&grid, &grid.places[lowest]);
    ck_assert_str_eq(text, "policy sjf, scale of the load 0.7");
    free(text);
    struct out *out = out_memory();
    sweep_heat(&grid, 0, out);
    const char *html = out_memory_text(out, NULL);
    /* 8 to 102 s: 50 s is (50 - 8) / (102 - 8) of half the colour. */
    harness_contains(html, "<td class=\"n best\" style=\"--h:0%\" title=\"mean of 3, 95% interval "
                           "5.5s to 10s\">8s</td><td class=\"n\" style=\"--h:22%\">50s</td>");
    harness_contains(html, ">\xE2\x89\xA5 15s</td>");
    harness_contains(html, "--h:50%");
    ck_assert_ptr_null(strstr(html, "logarithmic"));
    out_discard(out);
    grid_close(&grid);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_damaged_result_is_an_error)
{
    struct folder folder;
    struct grid grid;
    struct err err = {0};
    put_sweep(&folder);
    put_point(&folder, 2, "7");
    ck_assert(!grid_open(&grid, folder.path, &err));
    harness_contains(err.msg, "not the result of point");
    grid_close(&grid);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep_grid");
    TCase *tcase = tcase_create("grid");
    tcase_add_test(tcase, points_are_sorted_by_the_varied_keys);
    tcase_add_loop_test(tcase, samples_have_students_interval, 0, ROWS(places));
    tcase_add_test(tcase, a_map_has_a_cell_for_each_place);
    tcase_add_test(tcase, a_damaged_result_is_an_error);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
