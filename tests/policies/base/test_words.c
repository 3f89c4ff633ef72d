/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal numbers and words as options have them. */
#include "policies/base/words.h"
#include "tests/lib/harness.h"

static const struct {
    const char *text;
    int digits;
    bool taken;
    int64_t value;
} numbers[] = {
    {"0", 0, true, 0},
    {"17", 0, true, 17},
    {"-1", 3, true, -1},
    {"-2", 0, false, 0},
    {"1.5", 3, true, 1500},
    {"1.0000", 3, true, 1000},
    {"1.0001", 3, false, 0},
    {".5", 1, true, 5},
    {"1.", 2, true, 100},
    {".", 2, false, 0},
    {"", 0, false, 0},
    {"1e3", 0, false, 0},
    {" 1", 0, false, 0},
    {"9223372036854775807", 0, true, INT64_MAX},
    {"9223372036854775808", 0, false, 0},
    {"9223372036854775.807", 3, true, INT64_MAX},
    {"9223372036854775.808", 3, false, 0},
    {"9223372036854776", 3, false, 0},
};

START_TEST(a_number_is_read_or_refused)
{
    int64_t value = 0;
    ck_assert_int_eq(pc_parse_decimal(numbers[_i].text, numbers[_i].digits, &value),
                     numbers[_i].taken);
    if (numbers[_i].taken)
        ck_assert_int_eq(value, numbers[_i].value);
}
END_TEST

static const struct {
    const char *words, *value;
    int32_t is;
} words[] = {
    {"one|two|three", "one", 0},
    {"one|two|three", "three", 2},
    {"one|two|three", "thre", -1},
    {"one|two|three", "threee", -1},
    {"one|two|three", "", -1},
    {"one|two|three", "one|two", -1},
    {"one", "one", 0},
    {"on|one", "one", 1},
};

START_TEST(a_word_is_one_of_them)
{
    ck_assert_int_eq(pc_word_of(words[_i].words, words[_i].value), words[_i].is);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("words");
    TCase *tcase = tcase_create("words");
    tcase_add_loop_test(tcase, a_number_is_read_or_refused, 0, ROWS(numbers));
    tcase_add_loop_test(tcase, a_word_is_one_of_them, 0, ROWS(words));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
