/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of reasons, actions and kinds: complete, unique, none for invalid numbers. */
#include "policies/policy.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct {
    const char *(*name)(int32_t);
    int32_t first, last;
    int32_t sample;
    const char *sample_name;
} tables[] = {
    {policy_reason_name, 0, POLICY_REASONS - 1, POLICY_REASON_FRAGMENTED, "FRAGMENTED"},
    {policy_reason_summary, 0, POLICY_REASONS - 1, POLICY_REASON_NONE, "not pending"},
    {policy_action_name, 1, POLICY_LIMITS, POLICY_ALLOCATE, "allocate"},
    {policy_kind_name, 1, POLICY_RELEASE, POLICY_NOMINATE, "nominate"},
};

START_TEST(every_number_has_its_name)
{
    const char *(*name)(int32_t) = tables[_i].name;
    for (int32_t i = tables[_i].first; i <= tables[_i].last; i++) {
        ck_assert_uint_gt(strlen(name(i)), 0);
        for (int32_t j = tables[_i].first; j < i; j++)
            ck_assert_str_ne(name(i), name(j));
    }
    ck_assert_str_eq(name(tables[_i].first - 1), "");
    ck_assert_str_eq(name(tables[_i].last + 1), "");
    ck_assert_str_eq(name(INT32_MIN), "");
    ck_assert_str_eq(name(INT32_MAX), "");
    ck_assert_str_eq(name(tables[_i].sample), tables[_i].sample_name);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *tcase = tcase_create("names");
    tcase_add_loop_test(tcase, every_number_has_its_name, 0, ROWS(tables));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
