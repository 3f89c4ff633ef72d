/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles of spans. The source is in no library. */
#include "sim/replay/spans.c"

#include "tests/lib/harness.h"

START_TEST(quantiles_are_nearest_ranks)
{
    struct spans spans = {.ms = NULL};
    ck_assert_int_eq(spans_quantile(&spans, 0.5), 0);
    for (int64_t i = 10; i > 0; i--)
        spans_add(&spans, i);
    ck_assert_int_eq(spans_quantile(&spans, 0.5), 5);
    ck_assert_int_eq(spans_quantile(&spans, 0.9), 9);
    ck_assert_int_eq(spans_quantile(&spans, 0.91), 10);
    ck_assert_int_eq(spans_quantile(&spans, 1), 10);
    spans_fini(&spans);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spans");
    TCase *tcase = tcase_create("spans");
    tcase_add_test(tcase, quantiles_are_nearest_ranks);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
