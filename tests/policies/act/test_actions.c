/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of actions: names, numbers, and lookups. */
#include "act/actions.h"
#include "policy.h"
#include "tests/lib/harness.h"

#include <string.h>

/* Limits first end jobs that would only be in the way; free devices are allocated before any are
 * taken; the cheapest eviction comes first. */
static const struct {
    const char *name;
    int32_t number;
    bool evicts;
} expected[] = {
    {"limits", POLICY_LIMITS, false},          {"allocate", POLICY_ALLOCATE, false},
    {"consolidate", POLICY_CONSOLIDATE, true}, {"reclaim", POLICY_RECLAIM, true},
    {"preempt", POLICY_PREEMPT, true},         {"stale", POLICY_STALE, false},
};

START_TEST(actions_run_in_this_order)
{
    ck_assert_uint_ge(pc_action_count, ROWS(expected));
    for (int i = 0; i < ROWS(expected); i++) {
        ck_assert_str_eq(pc_actions[i]->row.name, expected[i].name);
        ck_assert_int_eq((int32_t)pc_actions[i]->action, expected[i].number);
        ck_assert_int_eq(pc_actions[i]->evicts, expected[i].evicts);
    }
}
END_TEST

START_TEST(rows_are_found_by_their_numbers)
{
    for (uint32_t i = 0; i < pc_action_count; i++) {
        const struct pc_action *row = pc_actions[i];
        ck_assert_ptr_eq(pc_action_numbered((int32_t)row->action), row); /* so numbers are unique */
        ck_assert_uint_lt(row->action, POLICY_MOST_ACTIONS);
        ck_assert(row->run != NULL);
        ck_assert_uint_gt(strlen(row->row.summary), 10);
        ck_assert_str_eq(policy_action_name((int32_t)row->action), row->row.name);
    }
    ck_assert_ptr_null(pc_action_numbered(0));
    ck_assert_ptr_null(pc_action_numbered(-1));
    ck_assert_ptr_null(pc_action_numbered(POLICY_BACKFILL)); /* one of several rows */
    ck_assert_str_eq(policy_action_name(POLICY_BACKFILL), "backfill");
    ck_assert_str_eq(policy_action_name(POLICY_MOST_ACTIONS - 1), "");
}
END_TEST

static const char *summary_of(const char *option)
{
    const struct policy_row *row;
    for (size_t i = 0; (row = policy_option_row(i)) != NULL; i++)
        if (strcmp(row->name, option) == 0)
            return row->summary;
    return "";
}

/* Its help lists every row in the order in which a decision runs them. */
START_TEST(the_option_lists_the_rows)
{
    const char *at = summary_of("actions");
    for (uint32_t i = 0; i < pc_action_count; i++) {
        const char *name = pc_actions[i]->row.name;
        ck_assert_int_eq(strncmp(at, name, strlen(name)), 0);
        at += strlen(name);
        ck_assert_int_eq(*at++, i + 1 < pc_action_count ? ',' : ':');
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("actions");
    TCase *tcase = tcase_create("actions");
    tcase_add_test(tcase, actions_run_in_this_order);
    tcase_add_test(tcase, rows_are_found_by_their_numbers);
    tcase_add_test(tcase, the_option_lists_the_rows);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
