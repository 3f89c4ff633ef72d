/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets, options and the tables of built-in rows. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct {
    const char *name, *order, *placement;
    int32_t scope, blocking, backfill;
} presets[] = {
    {"fifo", "fifo", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_NO_BACKFILL},
    {"sjf", "sjf", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_NO_BACKFILL},
    {"best-fit", "fifo", "fgd-best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"random", "fifo", "random", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"fgd", "fifo", "fgd", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"fgd-exact", "fifo", "fgd-exact", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"dot-product", "fifo", "dot-product", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"gpu-packing", "fifo", "gpu-packing", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"gpu-clustering", "fifo", "gpu-clustering", POLICY_SCOPE_FLEET, POLICY_SKIP,
     POLICY_NO_BACKFILL},
    {"easy", "fifo", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_EASY},
    {"conservative", "fifo", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_CONSERVATIVE},
    {"srtf", "remaining", "best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"las", "attained", "best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"quota-conservative", "priority", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP,
     POLICY_CONSERVATIVE},
    {"static", "priority", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"slurm", "multifactor", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_EASY},
    {"quota-sjf", "sjf", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"quota-fgd", "priority", "fgd", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL},
    {"kube-default", "priority", "least-allocated", POLICY_SCOPE_FLEET, POLICY_SKIP,
     POLICY_NO_BACKFILL},
    {"qssf", "predicted-gpu-time", "best-fit", POLICY_SCOPE_QUEUE, POLICY_STRICT,
     POLICY_NO_BACKFILL},
};

START_TEST(presets_are_what_they_say)
{
    struct tally tally = {0};
    struct policy_config config = {.size = sizeof config};
    ck_assert_int_eq(policy_config_init(&config, presets[_i].name, tally_allocator(&tally), NULL),
                     POLICY_OK);
    ck_assert_str_eq(config.preset, presets[_i].name);
    ck_assert_str_eq(policy_order_row((size_t)config.order)->name, presets[_i].order);
    ck_assert_str_eq(policy_placement_row((size_t)config.placement)->name, presets[_i].placement);
    ck_assert_int_eq(config.scope, presets[_i].scope);
    ck_assert_int_eq(config.blocking, presets[_i].blocking);
    ck_assert_int_eq(config.backfill, presets[_i].backfill);
    ck_assert_uint_eq(config.seed, 0);
}
END_TEST

static const struct {
    const char *option, *value;
    int status;
} sets[] = {
    {"scope", "queue", POLICY_OK},
    {"scope", "fleet", POLICY_OK},
    {"scope", "Queue", POLICY_INVALID},
    {"blocking", "skip", POLICY_OK},
    {"blocking", "strict", POLICY_OK},
    {"blocking", "", POLICY_INVALID},
    {"placement", "count", POLICY_OK},
    {"placement", "best", POLICY_INVALID},
    {"order", "sjf", POLICY_OK},
    {"order", "none", POLICY_INVALID},
    {"backfilling", "easy", POLICY_OK},
    {"backfilling", "single", POLICY_OK},
    {"backfilling", "yes", POLICY_INVALID},
    {"easy_variant", "frozen", POLICY_OK},
    {"seed", "0", POLICY_OK},
    {"seed", "18446744073709551615", POLICY_OK},
    {"seed", "18446744073709551616", POLICY_INVALID},
    {"seed", "99999999999999999999", POLICY_INVALID},
    {"seed", "-1", POLICY_INVALID},
    {"seed", "1 ", POLICY_INVALID},
    {"seed", "", POLICY_INVALID},
    {"scop", "queue", POLICY_UNKNOWN},
    {"", "queue", POLICY_UNKNOWN},
};

START_TEST(options_are_checked)
{
    struct tally tally = {0};
    struct policy_config config = {.size = sizeof config};
    ck_assert_int_eq(policy_config_init(&config, "fifo", tally_allocator(&tally), NULL), POLICY_OK);
    struct policy_config before = config;
    struct policy_error error = {0};
    ck_assert_int_eq(policy_config_set(&config, sets[_i].option, sets[_i].value, &error),
                     sets[_i].status);
    ck_assert_int_eq(error.status, sets[_i].status);
    if (sets[_i].status != POLICY_OK)
        ck_assert_mem_eq(&config, &before, sizeof config);
}
END_TEST

START_TEST(an_unknown_preset_is_named)
{
    struct tally tally = {0};
    struct policy_config config = {.size = sizeof config};
    struct policy_error error;
    ck_assert_int_eq(policy_config_init(&config, "fif", tally_allocator(&tally), &error),
                     POLICY_UNKNOWN);
    harness_contains(error.message, "'fif'");
}
END_TEST

static const struct policy_row *(*const tables[])(size_t) = {policy_preset_row, policy_order_row,
                                                             policy_placement_row,
                                                             policy_option_row, policy_action_row};

START_TEST(tables_end_and_explain_themselves)
{
    size_t count = 0;
    for (const struct policy_row *row; (row = tables[_i](count)) != NULL; count++) {
        ck_assert_uint_gt(strlen(row->name), 0);
        ck_assert_uint_gt(strlen(row->summary), 10);
        for (size_t j = 0; j < count; j++)
            ck_assert_str_ne(row->name, tables[_i](j)->name);
    }
    ck_assert_uint_ge(count, 2);
    ck_assert_ptr_null(tables[_i](count + 1000));
}
END_TEST

/* Every preset of the table can be created, and only `count` counts. */
START_TEST(every_row_works)
{
    for (size_t i = 0; policy_preset_row(i) != NULL; i++) {
        struct tally tally = {0};
        core_destroy(core_create(&tally, policy_preset_row(i)->name, ""), &tally);
    }
    for (size_t i = 0; policy_placement_row(i) != NULL; i++) {
        struct tally tally = {0};
        struct policy_config config = {.size = sizeof config};
        const char *name = policy_placement_row(i)->name;
        ck_assert_int_eq(policy_config_init(&config, "fifo", tally_allocator(&tally), NULL),
                         POLICY_OK);
        ck_assert_int_eq(policy_config_set(&config, "placement", name, NULL), POLICY_OK);
        ck_assert_int_eq(policy_placement_counts(&config), strcmp(name, "count") == 0);
        ck_assert_int_eq(policy_wants_typical_tasks(&config),
                         strcmp(name, "fgd") == 0 || strcmp(name, "fgd-exact") == 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("presets");
    TCase *tcase = tcase_create("presets");
    tcase_add_loop_test(tcase, presets_are_what_they_say, 0, ROWS(presets));
    tcase_add_loop_test(tcase, options_are_checked, 0, ROWS(sets));
    tcase_add_test(tcase, an_unknown_preset_is_named);
    tcase_add_loop_test(tcase, tables_end_and_explain_themselves, 0, ROWS(tables));
    tcase_add_test(tcase, every_row_works);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
