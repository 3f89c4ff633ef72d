/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options declared by plugins: which tables are refused, which values are accepted, and what the
 * plugin receives. */
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"

#include <string.h>

/* The values that its last policy was opened with. */
struct opened {
    int64_t values[POLICY_MAX_PLUGIN_OPTIONS];
};

static void *open_with(const struct policy_allocator *memory,
                       const struct policy_plugin_setup *setup)
{
    struct opened *opened = memory->resize(memory->user, NULL, 0, sizeof *opened);
    for (uint32_t i = 0; opened != NULL && i < setup->option_count; i++)
        opened->values[i] = setup->options[i];
    return opened;
}

static void close_it(void *self, const struct policy_allocator *memory)
{
    (void)memory->resize(memory->user, self, sizeof(struct opened), 0);
}

/* The key is the value of the first option, which makes it visible in the order. */
static int64_t first_value(void *self, const struct policy_job_spec *job)
{
    const struct opened *opened = self;
    return opened->values[0] * (int64_t)job->rank;
}

static const char *not_both(const struct policy_plugin_setup *setup)
{
    return setup->options[0] == 1 && setup->options[1] == 2
               ? "turn 'true' does not go with way 'third'"
               : NULL;
}

static const struct policy_plugin_option table[] = {
    {{"turn", "whether to turn"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0},
    {{"way", "which way"}, POLICY_OPTION_WORD, "first|second|third", 1, 0, 0},
    {{"depth", "how deep"}, POLICY_OPTION_NUMBER, NULL, 3, -1, INT64_MAX},
    {{"lease_s", "how long"}, POLICY_OPTION_SECONDS, NULL, 3600000, 1, 86400000},
    {{"part", "how much of the fleet"}, POLICY_OPTION_RATIO, NULL, 500000, 0, 1000000},
};
#define OPTIONS (sizeof table / sizeof *table)

static const struct policy_plugin plugin = {
    POLICY_PLUGIN_HEAD("mine", "with options"),
    .destroy = close_it,
    .key = first_value,
    .options = table,
    .option_count = OPTIONS,
    .open = open_with,
    .check = not_both,
};

static struct policy_config configure(struct tally *tally)
{
    struct policy_config config;
    struct policy_error error;
    ck_assert_msg(policy_config_plugin(&config, &plugin, tally_allocator(tally), &error) ==
                      POLICY_OK,
                  "%s", error.message);
    return config;
}

/* ---- values ---- */

static const struct {
    const char *option, *value;
    int status, at;
    int64_t is;
} values[] = {
    {"turn", "true", POLICY_OK, 0, 1},
    {"turn", "yes", POLICY_INVALID, 0, 0},
    {"way", "first", POLICY_OK, 1, 0},
    {"way", "third", POLICY_OK, 1, 2},
    {"way", "fourth", POLICY_INVALID, 1, 1},
    {"way", "sec", POLICY_INVALID, 1, 1},
    {"depth", "-1", POLICY_OK, 2, -1},
    {"depth", "77", POLICY_OK, 2, 77},
    {"depth", "7.5", POLICY_INVALID, 2, 3},
    {"lease_s", "0.25", POLICY_OK, 3, 250},
    {"lease_s", "86400", POLICY_OK, 3, 86400000},
    {"lease_s", "86400.001", POLICY_INVALID, 3, 3600000},
    {"lease_s", "0", POLICY_INVALID, 3, 3600000},
    {"part", "0.000001", POLICY_OK, 4, 1},
    {"part", "1", POLICY_OK, 4, 1000000},
    {"part", "1.1", POLICY_INVALID, 4, 500000},
    {"part", "-1", POLICY_INVALID, 4, 500000},
    {"blocking", "skip", POLICY_OK, 0, 0},  /* of its base */
    {"order", "sjf", POLICY_UNKNOWN, 0, 0}, /* provided by the plugin itself */
    {"trun", "true", POLICY_UNKNOWN, 0, 0},
};

START_TEST(a_value_is_taken_or_refused)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    struct policy_config config = configure(&tally);
    ck_assert_int_eq(policy_config_set(&config, values[_i].option, values[_i].value, &error),
                     values[_i].status);
    ck_assert_int_eq(config.plugin_options[values[_i].at], values[_i].is);
}
END_TEST

START_TEST(the_plugin_is_given_them)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    struct policy_config config = configure(&tally);
    for (size_t i = 0; i < OPTIONS; i++)
        ck_assert_int_eq(config.plugin_options[i], table[i].usual);
    policy_config_set(&config, "turn", "true", &error);
    struct policy *p = policy_create(&config, &error);
    ck_assert_ptr_nonnull(p);
    core_destroy(p, &tally);
    ck_assert_int_eq(policy_config_set(&config, "way", "third", &error), POLICY_OK);
    ck_assert_int_eq(policy_config_check(&config, &error), POLICY_INVALID);
    ck_assert_str_eq(error.message, "turn 'true' does not go with way 'third'");
    ck_assert_ptr_null(policy_create(&config, &error));
    config.plugin_options[1] = 3;
    ck_assert_int_eq(policy_config_check(&config, &error), POLICY_INVALID);
    config.plugin_options[1] = 0;
    config.plugin_options[OPTIONS] = 1;
    ck_assert_int_eq(policy_config_check(&config, &error), POLICY_INVALID);
}
END_TEST

/* An embedder with an older, shorter struct gets the defaults, and a message. */
START_TEST(an_older_configuration_has_the_usual_values)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    struct policy_config config;
    const uint32_t older = offsetof(struct policy_config, plugin_options);
    memset(&config, 0xa5, sizeof config);
    ck_assert_int_eq(
        policy_config_plugin_sized(&config, older, &plugin, tally_allocator(&tally), &error),
        POLICY_OK);
    ck_assert_uint_eq((uint64_t)config.plugin_options[0], UINT64_C(0xa5a5a5a5a5a5a5a5));
    ck_assert_int_eq(policy_config_set(&config, "turn", "true", &error), POLICY_UNSUPPORTED);
    struct policy *p = policy_create(&config, &error);
    ck_assert_msg(p != NULL, "%s", error.message);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(rows_are_those_that_the_configuration_takes)
{
    struct tally tally = {0};
    struct policy_config config = configure(&tally);
    size_t count = 0, own = 0;
    bool order = false, blocking = false;
    for (; policy_config_option_row(&config, count) != NULL; count++) {
        const char *name = policy_config_option_row(&config, count)->name;
        order |= strcmp(name, "order") == 0;
        blocking |= strcmp(name, "blocking") == 0;
        if (own < OPTIONS && strcmp(name, table[own].row.name) == 0)
            own++;
    }
    ck_assert_uint_eq(own, OPTIONS);
    ck_assert(blocking && !order);
}
END_TEST

/* ---- tables ---- */

static const struct {
    struct policy_plugin_option option;
    const char *part;
} wrong[] = {
    {{{NULL, "s"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0}, "1 to 31 characters"},
    {{{"A", "s"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0}, "1 to 31 characters"},
    {{{"a-b", "s"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0}, "1 to 31 characters"},
    {{{"01234567890123456789012345678901", "s"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0},
     "1 to 31 characters"},
    {{{"a", NULL}, POLICY_OPTION_FLAG, NULL, 0, 0, 0}, "'a' has no summary"},
    {{{"blocking", "s"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0}, "built-in"},
    {{{"twice", "s"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0}, "there twice"},
    {{{"a", "s"}, 5, NULL, 0, 0, 0}, "no known kind"},
    {{{"a", "s"}, POLICY_OPTION_WORD, NULL, 0, 0, 0}, "needs words"},
    {{{"a", "s"}, POLICY_OPTION_WORD, "a||b", 0, 0, 0}, "needs words"},
    {{{"a", "s"}, POLICY_OPTION_WORD, "a|b", 2, 0, 0}, "least <= usual <= most"},
    {{{"a", "s"}, POLICY_OPTION_NUMBER, NULL, 5, 0, 4}, "least <= usual <= most"},
    {{{"a", "s"}, POLICY_OPTION_NUMBER, NULL, 0, -2, 4}, "least <= usual <= most"},
};

START_TEST(a_wrong_table_is_refused)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    struct policy_config config;
    const struct policy_plugin_option options[] = {
        {{"twice", "s"}, POLICY_OPTION_FLAG, NULL, 0, 0, 0}, wrong[_i].option};
    struct policy_plugin bad = plugin;
    bad.options = options;
    bad.option_count = 2;
    ck_assert_int_eq(policy_config_plugin(&config, &bad, tally_allocator(&tally), &error),
                     POLICY_INVALID);
    harness_contains(error.message, wrong[_i].part);
}
END_TEST

/* Single changes to a valid plugin. */
static void without_table(struct policy_plugin *x)
{
    x->options = NULL;
}
static void too_many(struct policy_plugin *x)
{
    x->option_count = POLICY_MAX_PLUGIN_OPTIONS + 1;
}
static void without_open(struct policy_plugin *x)
{
    x->open = NULL;
}
static void *made(const struct policy_allocator *memory)
{
    return memory->user;
}
static void with_create(struct policy_plugin *x)
{
    x->create = made;
}
static size_t saved(const void *self, void *to, size_t room)
{
    return (void)self, (void)to, (void)room, 0;
}
static void only_saves(struct policy_plugin *x)
{
    x->save = saved;
}
static void acts_for(struct policy_plugin *x)
{
    x->act_for = "reclaim";
}
static void wants(struct policy_plugin *x)
{
    x->wants = 4;
}

static const struct {
    void (*change)(struct policy_plugin *);
    const char *part;
} parts[] = {
    {without_table, "no table"},
    {too_many, "more than 32"},
    {without_open, "no open()"},
    {with_create, "one state"},
    {only_saves, "only one of save and load"},
    {acts_for, "goes with act"},
    {wants, "does not know"},
};

START_TEST(parts_that_do_not_go_together_are_refused)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    struct policy_config config;
    struct policy_plugin bad = plugin;
    parts[_i].change(&bad);
    ck_assert_int_eq(policy_config_plugin(&config, &bad, tally_allocator(&tally), &error),
                     POLICY_INVALID);
    harness_contains(error.message, parts[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_config");
    TCase *tcase = tcase_create("plugin_config");
    tcase_add_loop_test(tcase, a_value_is_taken_or_refused, 0, ROWS(values));
    tcase_add_test(tcase, the_plugin_is_given_them);
    tcase_add_test(tcase, an_older_configuration_has_the_usual_values);
    tcase_add_test(tcase, rows_are_those_that_the_configuration_takes);
    tcase_add_loop_test(tcase, a_wrong_table_is_refused, 0, ROWS(wrong));
    tcase_add_loop_test(tcase, parts_that_do_not_go_together_are_refused, 0, ROWS(parts));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
