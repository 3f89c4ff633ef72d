/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates and spans, and what they compound to. */
#include "report/plan/growth.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stddef.h>

static const struct {
    const char *rate, *span;
    double factor; /* 0: refused */
} rows[] = {
    {NULL, NULL, 1},      {"30%", NULL, 1.3},   {"30%", "12mo", 1.3}, {"30%", "1y", 1.3},
    {"30%", "365d", 1.3}, {"21%", "6mo", 1.1},  {"100%", "2y", 4},    {"44%", "18mo", 1.728},
    {"-19%", "6mo", 0.9}, {"0%", "1y", 1},      {NULL, "12mo", 0},    {"0.3", "12mo", 0},
    {"-100%", "12mo", 0}, {"30%", "12m", 0},    {"30%", "0mo", 0},    {"30%", "mo", 0},
    {"30%", "12", 0},     {"100000%", "3y", 0},
};

START_TEST(growth_compounds)
{
    struct growth growth;
    struct err err = {0};
    bool ok = growth_parse(&growth, rows[_i].rate, rows[_i].span, &err);
    ck_assert_int_eq(ok, rows[_i].factor > 0);
    if (ok)
        ck_assert_double_eq_tol(growth.factor, rows[_i].factor, 1e-12);
    else
        ck_assert_int_eq(err.code, EXIT_INPUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("growth");
    TCase *tcase = tcase_create("growth");
    tcase_add_loop_test(tcase, growth_compounds, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
