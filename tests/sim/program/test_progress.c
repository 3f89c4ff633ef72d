/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of the progress bar, and when there is none. The source is in no library, so it is
 * included. */
#include "sim/program/progress.c"

#include "tests/lib/harness.h"

#include <fcntl.h>

#define HOUR_MS INT64_C(3600000)

/* Wall seconds left are spent x (1 - fraction) / fraction. */
static const struct {
    uint64_t events;
    double fraction;
    int64_t simulated_ms;
    double spent_s;
    const char *expected;
} texts[] = {
    {0, -1, 0, 0, "0 events, 0s simulated"},
    {999, -1, 59499, 3, "999 events, 59s simulated"},
    {1000, -1, 60000, 3, "1.0k events, 1m00s simulated"},
    {999949, -1, HOUR_MS, 3, "999.9k events, 1h00m simulated"},
    {999950, -1, 24 * HOUR_MS, 3, "1.0M events, 1d00h simulated"},
    {1234567, 0.5, 76 * HOUR_MS, 12,
     "[##########..........]  50%  1.2M events, 3d04h simulated, 12s left"},
    {1234567, 0.25, 76 * HOUR_MS, 30,
     "[#####...............]  25%  1.2M events, 3d04h simulated, 1m30s left"},
    {10, 0, 0, 1, "[....................]   0%  10 events, 0s simulated"},
    {10, 1, 1000, 1, "[####################] 100%  10 events, 1s simulated, 0s left"},
    {10, 7, 1000, 1, "[####################] 100%  10 events, 1s simulated, 0s left"},
    {UINT64_MAX, 0.5, INT64_MAX, 1e9,
     "[##########..........]  50%  18.4E events, 106751991167d07h simulated, "
     "11574d01h left"},
};

START_TEST(text_says_how_far)
{
    char text[PROGRESS_TEXT];
    size_t n = progress_text(text, texts[_i].events, texts[_i].fraction, texts[_i].simulated_ms,
                             texts[_i].spent_s);
    ck_assert_str_eq(text, texts[_i].expected);
    ck_assert_uint_eq(n, strlen(text));
}
END_TEST

/* Redirects standard error to a file while body() runs; returns the output, freed by the caller. */
static char *captured(void (*body)(void), size_t *n)
{
    char path[256];
    harness_file(path, sizeof path, ".err", "", 0);
    (void)fflush(stderr);
    int kept = dup(STDERR_FILENO), file = open(path, O_WRONLY);
    ck_assert_int_ge(kept, 0);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(dup2(file, STDERR_FILENO), STDERR_FILENO);
    body();
    (void)fflush(stderr);
    ck_assert_int_eq(dup2(kept, STDERR_FILENO), STDERR_FILENO);
    (void)close(kept);
    (void)close(file);
    char *text = harness_read(path, n);
    harness_forget(path);
    return text;
}

static void run_without_terminal(void)
{
    struct progress progress;
    progress_begin(&progress, false);
    ck_assert(!progress.shown);
    progress_update(&progress, 1000, 0.5, 1000);
    progress_end(&progress);
}

START_TEST(nothing_without_a_terminal)
{
    size_t n;
    free(captured(run_without_terminal, &n));
    ck_assert_uint_eq(n, 0);
}
END_TEST

/* Like a terminal of 12 columns, with the time of the last update set back. */
static void run_narrow(void)
{
    struct progress progress = {
        .shown = true, .columns = 12, .began_ns = clock_ns(CLOCK_MONOTONIC)};
    progress_update(&progress, 5000, -1, 0);
    progress_update(&progress, 6000, -1, 0); // immediately: not drawn
    progress_end(&progress);
}

START_TEST(lines_are_cut_and_erased)
{
    size_t n;
    char *text = captured(run_narrow, &n);
    ck_assert_str_eq(text, "\r5.0k events,"
                           "\r            \r");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("progress");
    TCase *tcase = tcase_create("bar");
    tcase_add_loop_test(tcase, text_says_how_far, 0, ROWS(texts));
    tcase_add_test(tcase, nothing_without_a_terminal);
    tcase_add_test(tcase, lines_are_cut_and_erased);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
