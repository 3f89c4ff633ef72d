/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages: composed of text and numbers, cut if they do not fit. */
#include "state/engine.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct {
    int64_t value;
    const char *message;
} rows[] = {
    {0, "devices 0: 1 to 8"},
    {-1, "devices -1: 1 to 8"},
    {1234567, "devices 1234567: 1 to 8"},
    {INT64_MAX, "devices 9223372036854775807: 1 to 8"},
    {INT64_MIN, "devices -9223372036854775808: 1 to 8"},
};

START_TEST(refusals_name_value_and_expectation)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    ck_assert_int_eq(pc_refuse(p, POLICY_INVALID, "devices", rows[_i].value, "1 to 8"),
                     POLICY_INVALID);
    ck_assert_str_eq(policy_last_error(p)->message, rows[_i].message);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_INVALID);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(long_messages_are_cut)
{
    char name[1000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct policy_error error;
    pc_error_set(&error, POLICY_UNKNOWN, "no '", name, "'");
    ck_assert_uint_eq(strlen(error.message), sizeof error.message - 1);
    pc_error_set(NULL, POLICY_UNKNOWN, "", "", "");
}
END_TEST

START_TEST(time_does_not_go_back)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    ck_assert_int_eq(pc_at(p, INT64_MIN), POLICY_OK);
    ck_assert_int_eq(pc_at(p, -5), POLICY_OK);
    ck_assert_int_eq(pc_at(p, -5), POLICY_OK);
    ck_assert_int_eq(pc_at(p, -6), POLICY_TIME_BACK);
    ck_assert_int_eq(pc_no_memory(p, INT64_MIN, "node", 3), POLICY_NO_MEMORY);
    ck_assert_int_eq(pc_at(p, -6), POLICY_OK);
    core_destroy(p, &tally);
}
END_TEST

static const struct {
    const char *a, *b;
    bool equal;
} texts[] = {
    {"", "", true},         {"fifo", "fifo", true}, {"fifo", "fif", false},
    {"fif", "fifo", false}, {"a", "b", false},
};

START_TEST(texts_are_compared_whole)
{
    ck_assert_int_eq(pc_text_equal(texts[_i].a, texts[_i].b), texts[_i].equal);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("error");
    TCase *tcase = tcase_create("error");
    tcase_add_loop_test(tcase, refusals_name_value_and_expectation, 0, ROWS(rows));
    tcase_add_test(tcase, long_messages_are_cut);
    tcase_add_test(tcase, time_does_not_go_back);
    tcase_add_loop_test(tcase, texts_are_compared_whole, 0, ROWS(texts));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
