/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors as values: what a message contains, where it is cut, and that success does not change it.
 */
#include "sim/base/err.h"
#include "tests/lib/harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

START_TEST(set_fills_code_and_message)
{
    struct err err = {0};
    ck_assert(!err_set(&err, EXIT_INPUT, "%s:%d: bad", "jobs.csv", 7));
    ck_assert_int_eq(err.code, 2);
    ck_assert_str_eq(err.msg, "jobs.csv:7: bad");
}
END_TEST

START_TEST(a_message_may_quote_itself)
{
    struct err err = {0};
    err_set(&err, EXIT_INPUT, "inner");
    err_set(&err, EXIT_INVARIANT, "outer (%s)", err.msg);
    ck_assert_int_eq(err.code, 4);
    ck_assert_str_eq(err.msg, "outer (inner)");
}
END_TEST

START_TEST(prefix_keeps_the_code)
{
    struct err err = {0};
    err_set(&err, EXIT_BASELINE, "missing");
    ck_assert(!err_prefix(&err, "line %d", 3));
    ck_assert_int_eq(err.code, 5);
    ck_assert_str_eq(err.msg, "line 3: missing");
}
END_TEST

START_TEST(long_messages_are_cut)
{
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct err err = {0};
    err_set(&err, EXIT_INPUT, "%s", text);
    ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
    err_prefix(&err, "p");
    ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
    ck_assert_int_eq(strncmp(err.msg, "p: xxx", 6), 0);
    err_prefix(&err, "%s", text);
    ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
}
END_TEST

START_TEST(a_false_condition_is_no_bug)
{
    int one = 1;
    BUG_ON(one == 2);
    ck_assert_int_eq(one, 1);
}
END_TEST

START_TEST(a_bug_aborts)
{
    int one = 1;
    BUG_ON(one == 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("err");
    TCase *tcase = tcase_create("err");
    tcase_add_test(tcase, set_fills_code_and_message);
    tcase_add_test(tcase, a_message_may_quote_itself);
    tcase_add_test(tcase, prefix_keeps_the_code);
    tcase_add_test(tcase, long_messages_are_cut);
    tcase_add_test(tcase, a_false_condition_is_no_bug);
    // Without a process of its own, the abort would end the other tests, too.
    const char *fork = getenv("CK_FORK");
    if (!fork || strcmp(fork, "no") != 0)
        tcase_add_test_raise_signal(tcase, a_bug_aborts, SIGABRT);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
