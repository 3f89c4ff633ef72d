/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reduction of samples: against a plain mean over groups of rows, for lengths around every
 * doubling. */
#include "report/figures/samples.h"
#include "sim/base/out.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool want_all(void *ctx, const char *name)
{
    (void)ctx;
    return strcmp(name, "skip") != 0;
}

static void count_rows(void *ctx, double time_s, const double *value)
{
    (void)time_s;
    (void)value;
    ++*(size_t *)ctx;
}

static double value_of(size_t row)
{
    return (double)(row * 37 % 101);
}

static const struct {
    size_t rows, per_point, points;
} length_rows[] = {
    {1, 1, 1},      {599, 1, 599},  {600, 1, 600},  {601, 2, 301},  {1200, 2, 600},
    {1201, 4, 301}, {2400, 4, 600}, {2401, 8, 301}, {4032, 8, 504}, {19205, 64, 301},
};

START_TEST(points_are_means_of_equal_groups)
{
    size_t rows = length_rows[_i].rows, k = length_rows[_i].per_point, watched = 0;
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    struct out *text = out_memory();
    out_text(text, "skip,v,time_s\n");
    for (size_t r = 0; r < rows; r++)
        out_format(text, "x,%zu,%zu\n", (size_t)value_of(r), 10 * r);
    folder_put(&folder, "t.csv", out_memory_text(text, NULL));
    out_discard(text);
    struct rundir run = {.data = folder.path};
    struct samples samples;
    ck_assert_msg(samples_read(&run, "t.csv", want_all, count_rows, &watched, &samples, &err) ==
                      RUNDIR_READ,
                  "%s", err.msg);
    ck_assert_uint_eq(watched, rows);
    ck_assert_uint_eq(samples.rows_per_point, k);
    ck_assert_uint_eq(samples.points, length_rows[_i].points);
    ck_assert_uint_eq(samples.columns, 1);
    ck_assert_uint_eq(samples_column(&samples, "v"), 0);
    ck_assert(samples_column(&samples, "skip") == RUNDIR_NO_COLUMN);
    ck_assert_double_eq(samples.last_s, 10 * (double)(rows - 1));
    for (size_t p = 0; p < samples.points; p++) {
        double sum = 0, time = 0, n = 0, low = (double)INFINITY, high = -(double)INFINITY;
        for (size_t r = p * k; r < (p + 1) * k && r < rows; r++, n++) {
            sum += value_of(r);
            time += 10 * (double)r;
            low = fmin(low, value_of(r));
            high = fmax(high, value_of(r));
        }
        ck_assert_double_eq_tol(samples.value[p], sum / n, 1e-9);
        ck_assert_double_eq_tol(samples.time_s[p], time / n, 1e-6);
        ck_assert_double_eq(samples.low[p], low);
        ck_assert_double_eq(samples.high[p], high);
        ck_assert_double_eq(samples.highest_sum[p], high); // of the one column
    }
    samples_free(&samples);
    folder_remove(&folder);
}
END_TEST

static const struct {
    const char *text, *message;
} damaged_rows[] = {
    {"time_s,v\n", "t.csv: no rows"},
    {"t,v\n1,2\n", "no column 'time_s'"},
    {"time_s,v\n1,2\n0,3\n", "t.csv: row 3: time_s goes back"},
    {"time_s,v\n,2\n", "t.csv: row 2: time_s is empty"},
    {"time_s,v\n1,many\n", "t.csv: row 2: column 2: 'many'"},
};

START_TEST(damage_is_named)
{
    struct folder folder;
    struct err err = {0};
    size_t watched = 0;
    folder_make(&folder);
    folder_put(&folder, "t.csv", damaged_rows[_i].text);
    struct rundir run = {.data = folder.path};
    struct samples samples;
    ck_assert_int_eq(samples_read(&run, "t.csv", want_all, count_rows, &watched, &samples, &err),
                     RUNDIR_DAMAGED);
    harness_contains(err.msg, damaged_rows[_i].message);
    folder_remove(&folder);
}
END_TEST

START_TEST(empty_fields_do_not_count)
{
    struct folder folder;
    struct err err = {0};
    size_t watched = 0;
    folder_make(&folder);
    folder_put(&folder, "t.csv", "time_s,v,w\n0,,\n1,4,\n");
    struct rundir run = {.data = folder.path};
    struct samples samples;
    ck_assert_int_eq(samples_read(&run, "t.csv", want_all, count_rows, &watched, &samples, &err),
                     RUNDIR_READ);
    ck_assert_uint_eq(samples.points, 2);
    ck_assert(isnan(samples.value[0]) && isnan(samples.value[1]) && isnan(samples.value[3]));
    ck_assert_double_eq(samples.value[2], 4);
    char *method = samples_method(&samples, NULL);
    ck_assert_ptr_null(method);
    samples_free(&samples);
    folder_remove(&folder);
}
END_TEST

/* Two columns; the peak of row 700 is 9 + 90, in one of 2048 rows, of which 4 make a point. */
START_TEST(peaks_are_kept)
{
    struct folder folder;
    struct err err = {0};
    size_t watched = 0;
    folder_make(&folder);
    struct out *text = out_memory();
    out_text(text, "time_s,v,w\n");
    for (size_t r = 0; r < 2048; r++)
        out_format(text, "%zu,%d,%s\n", r, r == 700 ? 9 : 1, r == 700 ? "90" : r % 2 ? "2" : "");
    folder_put(&folder, "t.csv", out_memory_text(text, NULL));
    out_discard(text);
    struct rundir run = {.data = folder.path};
    struct samples samples;
    ck_assert_int_eq(samples_read(&run, "t.csv", want_all, count_rows, &watched, &samples, &err),
                     RUNDIR_READ);
    ck_assert(samples_reduced(&samples));
    ck_assert_uint_eq(samples.points, 512);
    for (size_t p = 0; p < samples.points; p++) {
        bool peak = p == 700 / 4;
        ck_assert_double_eq(samples.value[2 * p], peak ? 3 : 1);
        ck_assert_double_eq(samples.low[2 * p], 1);
        ck_assert_double_eq(samples.high[2 * p], peak ? 9 : 1);
        ck_assert_double_eq(samples.low[2 * p + 1], 2);
        ck_assert_double_eq(samples.high[2 * p + 1], peak ? 90 : 2);
        ck_assert_double_eq(samples.highest_sum[p], peak ? 99 : 3);
    }
    char *method = samples_method(&samples, "the line is the highest");
    ck_assert_str_eq(method, "Each point is the mean of 4 samples; the line is the highest.");
    free(method);
    samples_free(&samples);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figures_samples");
    TCase *tcase = tcase_create("reduction");
    tcase_add_loop_test(tcase, points_are_means_of_equal_groups, 0, ROWS(length_rows));
    tcase_add_loop_test(tcase, damage_is_named, 0, ROWS(damaged_rows));
    tcase_add_test(tcase, peaks_are_kept);
    tcase_add_test(tcase, empty_fields_do_not_count);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
