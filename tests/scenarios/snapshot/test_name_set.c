/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of names: byte order, duplicates, missing names. */
#include "scenarios/snapshot/name_set.h"
#include "tests/lib/harness.h"

START_TEST(names_are_numbered_in_byte_order)
{
    static const char *const given[] = {"node2", "b",        "",    "node10", "B",
                                        "node2", "\xc3\xa9", "a-1", "a"};
    static const char *const sorted[] = {"", "B", "a", "a-1", "b", "node10", "node2", "\xc3\xa9"};
    struct name_set set = {0};
    for (int i = 0; i < ROWS(given); i++)
        name_set_add(&set, given[i]);
    name_set_seal(&set);
    ck_assert_uint_eq(set.count, ROWS(sorted));
    for (uint32_t i = 0; i < ROWS(sorted); i++) {
        ck_assert_str_eq(set.names[i], sorted[i]);
        ck_assert_uint_eq(name_set_find(&set, sorted[i]), i);
    }
    ck_assert_uint_eq(name_set_find(&set, "node1"), NAME_NONE);
    ck_assert_uint_eq(name_set_find(&set, "zzz"), NAME_NONE);
    name_set_fini(&set);
    ck_assert_uint_eq(set.count, 0);
}
END_TEST

START_TEST(an_empty_set_has_no_names)
{
    struct name_set set = {0};
    name_set_seal(&set);
    ck_assert_uint_eq(name_set_find(&set, ""), NAME_NONE);
    name_set_fini(&set);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("name_set");
    TCase *tcase = tcase_create("names");
    tcase_add_test(tcase, names_are_numbered_in_byte_order);
    tcase_add_test(tcase, an_empty_set_has_no_names);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
