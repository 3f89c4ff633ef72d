/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files: the format of numbers, CSV quoting, and that a file is complete or absent. */
#include "sim/base/out.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect(struct out *out, const char *expected)
{
    size_t n;
    const char *text = out_memory_text(out, &n);
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(n, strlen(expected));
    out_discard(out);
}

static const struct {
    int64_t value;
    int digits;
    const char *text;
} fixed[] = {
    {0, 3, "0"},
    {1500, 3, "1.5"},
    {-1500, 3, "-1.5"},
    {-5, 3, "-0.005"},
    {1000, 3, "1"},
    {1010, 3, "1.01"},
    {7, 0, "7"},
    {1, 18, "0.000000000000000001"},
    {INT64_MAX, 3, "9223372036854775.807"},
    {INT64_MIN, 3, "-9223372036854775.808"},
};

START_TEST(fixed_point)
{
    struct out *out = out_memory();
    out_fixed(out, fixed[_i].value, fixed[_i].digits);
    expect(out, fixed[_i].text);
}
END_TEST

START_TEST(taken_values_belong_to_the_caller)
{
    struct out *out = out_memory();
    char *nothing = out_memory_take(out_memory());
    out_text(out, "seven of ");
    out_i64(out, 9);
    char *text = out_memory_take(out);
    ck_assert_str_eq(text, "seven of 9");
    ck_assert_str_eq(nothing, "");
    free(text);
    free(nothing);
}
END_TEST

START_TEST(integers)
{
    struct out *out = out_memory();
    out_i64(out, INT64_MIN);
    out_char(out, ' ');
    out_i64(out, INT64_MAX);
    out_char(out, ' ');
    out_u64(out, UINT64_MAX);
    out_char(out, ' ');
    out_i64(out, 0);
    out_char(out, ' ');
    out_seconds(out, 90250);
    expect(out, "-9223372036854775808 9223372036854775807 18446744073709551615 0 90.25");
}
END_TEST

static const struct {
    double value;
    int digits;
    const char *text;
} reals[] = {
    {0.0, 3, "0"},
    {-0.0, 3, "0"},
    {-0.0001, 3, "0"},
    {1.25, 3, "1.25"},
    {1.0, 3, "1"},
    {100.0, 0, "100"},
    {100.0, 2, "100"},
    {-2.5, 1, "-2.5"},
    {1e15, 1, "1000000000000000"},
    {2.0 / 3, 6, "0.666667"},
    {-2.0 / 3, 6, "-0.666667"},
    {0.05, 1, "0.1"},   /* a little more than half a unit */
    {0.15, 1, "0.1"},   /* a little less */
    {0.125, 2, "0.12"}, /* a tie goes to the even digit */
    {0.9999996, 6, "1"},
    {1099511627.776, 3, "1099511627.776"},
    {1e-9, 9, "0.000000001"},
    {1e-10, 10, "0.0000000001"},
    {(double)NAN, 3, ""},
    {(double)INFINITY, 3, ""},
};

START_TEST(real_numbers)
{
    struct out *out = out_memory();
    out_f64(out, reals[_i].value, reals[_i].digits);
    expect(out, reals[_i].text);
}
END_TEST

static uint64_t draw(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *random >> 11;
}

/* printf's text without trailing zeros and without the sign of -0. */
static void by_printf(char *text, size_t size, double value, int digits)
{
    int n = snprintf(text, size, "%.*f", digits, value);
    while (digits > 0 && text[n - 1] == '0')
        text[--n] = '\0';
    if (text[n - 1] == '.')
        text[n - 1] = '\0';
}

/* Numbers of all sizes, and numbers about half way between two that can be written. */
START_TEST(real_numbers_are_rounded_like_printf_does)
{
    uint64_t random = 7;
    for (int i = 0; i < 20000; i++) {
        int digits = (int)(draw(&random) % 11);
        double value = i % 2 == 0 ? ldexp((double)draw(&random), (int)(draw(&random) % 60) - 70)
                                  : ((double)(draw(&random) % 1000000) + 0.5) * pow(10, -digits);
        value = i % 3 == 0 ? -value : value;
        char expected[64];
        by_printf(expected, sizeof expected, value, digits);
        struct out *out = out_memory();
        out_f64(out, value, digits);
        expect(out, strcmp(expected, "-0") == 0 ? "0" : expected);
    }
}
END_TEST

START_TEST(the_largest_double_fits)
{
    struct out *out = out_memory();
    size_t n;
    out_f64(out, -1.7976931348623157e308, 18);
    (void)out_memory_text(out, &n);
    ck_assert_uint_eq(n, 310);
    out_discard(out);
}
END_TEST

static const struct {
    const char *text, *field;
} fields[] = {
    {"", ""},
    {"plain", "plain"},
    {"a b", "a b"},
    {"a,b", "\"a,b\""},
    {"a\"b", "\"a\"\"b\""},
    {"a\nb", "\"a\nb\""},
    {"a\rb", "\"a\rb\""},
    {" lead", "\" lead\""},
    {"trail\t", "\"trail\t\""},
};

START_TEST(csv_fields_are_quoted_when_they_must)
{
    struct out *out = out_memory();
    out_csv(out, fields[_i].text);
    expect(out, fields[_i].field);
}
END_TEST

START_TEST(formats_of_any_length)
{
    char large[2000];
    memset(large, 'y', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    struct out *out = out_memory();
    out_format(out, "%d:", 5);
    out_format(out, "%s", large);
    size_t n;
    const char *text = out_memory_text(out, &n);
    ck_assert_uint_eq(n, 2 + sizeof large - 1);
    ck_assert_str_eq(text + 2, large);
    out_discard(out);
}
END_TEST

START_TEST(a_closed_file_is_whole)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    struct out *out = out_open_in(folder.path, "a.csv", &err);
    ck_assert_ptr_nonnull(out);
    // More than any buffer, in pieces small and large.
    size_t piece = 300000;
    char *large = malloc(piece);
    ck_assert_ptr_nonnull(large);
    memset(large, 'z', piece);
    for (int i = 0; i < 100000; i++)
        out_i64(out, i % 10);
    out_bytes(out, large, piece);
    out_bytes(out, large, 0);
    out_text(out, "end\n");
    free(large);
    ck_assert(!folder_has(&folder, "a.csv"));
    ck_assert_uint_eq(folder_count(&folder, ".tmp"), 1);
    ck_assert(out_close(out, &err));
    ck_assert_uint_eq(folder_count(&folder, ""), 1);
    size_t n;
    char *text = harness_read(folder_path(&folder, "a.csv"), &n);
    ck_assert_uint_eq(n, 100000 + 300000 + 4);
    ck_assert_int_eq(strncmp(text, "01234567890", 11), 0);
    ck_assert_str_eq(text + n - 5, "zend\n");
    free(text);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_discarded_file_is_absent)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    struct out *out = out_open(folder_path(&folder, "a.csv"), &err);
    ck_assert_ptr_nonnull(out);
    out_text(out, "half of it");
    out_discard(out);
    ck_assert_uint_eq(folder_count(&folder, ""), 0);
    out_discard(NULL);
    ck_assert(out_close(NULL, &err));
    folder_remove(&folder);
}
END_TEST

/* Paths in /dev are open devices, except this folder. */
START_TEST(shared_memory_is_a_folder)
{
    char path[64];
    struct err err = {0};
    size_t n;
    (void)snprintf(path, sizeof path, "/dev/shm/test_out-%ld", (long)getpid());
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return;
    ck_assert(fputs("former", file) >= 0 && fclose(file) == 0);
    struct out *out = out_open(path, &err);
    ck_assert_ptr_nonnull(out);
    out_text(out, "half");
    out_flush(out);
    char *text = harness_read(path, &n);
    ck_assert_str_eq(text, "former");
    free(text);
    out_discard(out);
    text = harness_read(path, &n);
    ck_assert_str_eq(text, "former");
    free(text);
    (void)unlink(path);
}
END_TEST

START_TEST(a_file_that_cannot_be_made)
{
    struct err err = {0};
    ck_assert_ptr_null(out_open("/no/such/folder/file.csv", &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "/no/such/folder/file.csv: cannot write: No such file");
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
    struct err err = {0};
    if (!harness_exists("/dev/full"))
        return;
    struct out *out = out_open("/dev/full", &err);
    ck_assert_ptr_nonnull(out);
    out_text(out, "x");
    ck_assert(!out_close(out, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "/dev/full: cannot write: No space left");
}
END_TEST

START_TEST(a_callers_stream_stays_open)
{
    char path[256];
    struct err err = {0};
    harness_name(path, sizeof path, "");
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    struct out *out = out_stream(stream);
    out_text(out, "one ");
    ck_assert(out_close(out, &err));
    ck_assert_int_ge(fputs("two", stream), 0);
    ck_assert_int_eq(fclose(stream), 0);
    char *text = harness_read(path, NULL);
    ck_assert_str_eq(text, "one two");
    free(text);
    harness_forget(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("out");
    TCase *tcase = tcase_create("out");
    tcase_add_loop_test(tcase, fixed_point, 0, ROWS(fixed));
    tcase_add_test(tcase, taken_values_belong_to_the_caller);
    tcase_add_test(tcase, integers);
    tcase_add_loop_test(tcase, real_numbers, 0, ROWS(reals));
    tcase_add_test(tcase, real_numbers_are_rounded_like_printf_does);
    tcase_add_test(tcase, the_largest_double_fits);
    tcase_add_loop_test(tcase, csv_fields_are_quoted_when_they_must, 0, ROWS(fields));
    tcase_add_test(tcase, formats_of_any_length);
    tcase_add_test(tcase, a_closed_file_is_whole);
    tcase_add_test(tcase, a_discarded_file_is_absent);
    tcase_add_test(tcase, shared_memory_is_a_folder);
    tcase_add_test(tcase, a_file_that_cannot_be_made);
    tcase_add_test(tcase, a_full_disk_is_an_error);
    tcase_add_test(tcase, a_callers_stream_stays_open);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
