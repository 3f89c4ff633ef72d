/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables themselves: every row has a description, a unique name, and a valid default. */
#include "scenarios/schema/check.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/schema/schema.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

static bool nowhere(const void *of, const char *path, char where[CHECK_WHERE_MAX])
{
    (void)of;
    (void)snprintf(where, CHECK_WHERE_MAX, "default of %s", path);
    return false;
}

static void look_at_default(const struct schema_row *row)
{
    cJSON *value = cJSON_Parse(row->fallback);
    ck_assert_msg(value != NULL, "default of '%s' is not JSON: %s", row->key, row->fallback);
    struct err err = {0};
    struct check check = {.where = nowhere, .err = &err};
    bool ok = cJSON_IsNull(value) || check_value(&check, row, value);
    ck_assert_msg(ok, "'%s': %s", row->key, err.msg);
    cJSON_Delete(value);
}

/* Checks a row and returns the number of rows below it. */
static int look_at(const struct schema_row *row)
{
    int rows = 0;
    for (const struct schema_row *r = row->child; r && r->key && row->type == SCHEMA_OBJECT; r++) {
        ck_assert_msg(r->summary && *r->summary, "'%s' has no summary", r->key);
        ck_assert_msg(!(r->fallback && r->required), "'%s' is required and has a default", r->key);
        ck_assert_msg(schema_member(row, r->key) == r, "'%s' stands twice", r->key);
        ck_assert_msg(r->type != SCHEMA_CHOICE || r->choices, "'%s' has no choices", r->key);
        ck_assert_msg(r->type == SCHEMA_SEED || r->min <= r->max || r->max == 0,
                      "'%s' has no range", r->key);
        if (r->fallback)
            look_at_default(r);
        rows += 1 + look_at(r);
    }
    if (row->type == SCHEMA_LIST)
        rows += look_at(row->child) + (row->first ? look_at(row->first) : 0);
    if (row->type == SCHEMA_OBJECT && row->open)
        rows += look_at(row->open);
    return rows + (row->other ? look_at(row->other) : 0);
}

START_TEST(tables_are_sound)
{
    ck_assert_int_gt(look_at(&schema_scenario), 80);
    ck_assert_int_gt(look_at(&schema_catalog), 10);
}
END_TEST

/* The keys promised to users, each of which this version accepts or calls not available yet. */
static const char *const promised[] = {
    "fauxfleet_scenario",
    "extends",
    "name",
    "description",
    "seed",
    "replicas",
    "fleet",
    "queues",
    "queues_file",
    "workload",
    "policy",
    "policies",
    "faults",
    "checkpoint",
    "gpu_memory",
    "network",
    "cost",
    "window",
    "outputs",
};

START_TEST(promised_keys_are_known)
{
    ck_assert_ptr_nonnull(schema_member(&schema_scenario, promised[_i]));
}
END_TEST

START_TEST(rows_are_picked_by_type)
{
    cJSON *text = cJSON_CreateString("x"), *list = cJSON_CreateArray(),
          *number = cJSON_CreateNumber(1);
    const struct schema_row *queues = schema_member(&schema_scenario, "queues");
    ck_assert_int_eq(schema_pick(queues, text)->type, SCHEMA_CHOICE);
    ck_assert_int_eq(schema_pick(queues, list)->type, SCHEMA_LIST);
    ck_assert_ptr_null(schema_pick(queues, number));
    ck_assert_ptr_null(schema_member(&schema_scenario, "Queues"));
    cJSON_Delete(text);
    cJSON_Delete(list);
    cJSON_Delete(number);
}
END_TEST

START_TEST(names_are_found_whole)
{
    ck_assert(schema_lists("replay|fill", "fill"));
    ck_assert(schema_lists("replay|fill", "replay"));
    ck_assert(!schema_lists("replay|fill", "fil"));
    ck_assert(!schema_lists("replay|fill", "replay|fill"));
    ck_assert(!schema_lists("replay|fill", ""));
    ck_assert(!schema_lists(NULL, "fill"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("schema");
    TCase *tcase = tcase_create("tables");
    tcase_add_test(tcase, tables_are_sound);
    tcase_add_loop_test(tcase, promised_keys_are_known, 0, ROWS(promised));
    tcase_add_test(tcase, rows_are_picked_by_type);
    tcase_add_test(tcase, names_are_found_whole);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
