/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies by name, options as text, and messages about those that do not exist. The source is in
 * no library. */
#include "sim/policy/choice.c"
#include "sim/policy/plugins.c"

#include "tests/lib/harness.h"

static const char *where(const void *of, const char *path, char *buffer, size_t size)
{
    (void)snprintf(buffer, size, "%s: %s", (const char *)of, path);
    return buffer;
}

static bool choose(struct policy_config *config, const char *name,
                   const struct scen_option *options, size_t count, struct err *err)
{
    const struct policy_choice choice = {.name = name,
                                         .options = options,
                                         .option_count = count,
                                         .seed = 7,
                                         .where = where,
                                         .of = "x.json"};
    return policy_choose(config, &choice, err);
}

START_TEST(options_are_set_in_their_order)
{
    const struct scen_option options[] = {
        {"blocking", "skip"}, {"scope", "queue"}, {"blocking", "strict"}};
    struct policy_config config;
    struct err err = {0};
    ck_assert_msg(choose(&config, "fifo", options, ROWS(options), &err), "%s", err.msg);
    ck_assert_int_eq(config.blocking, POLICY_STRICT);
    ck_assert_int_eq(config.scope, POLICY_SCOPE_QUEUE);
    ck_assert_uint_eq(config.seed, 7);
    ck_assert(choose(&config, "fifo", &(const struct scen_option){"seed", "9"}, 1, &err));
    ck_assert_uint_eq(config.seed, 9);
}
END_TEST

static const struct {
    const char *name;
    struct scen_option option;
    const char *part;
} refused[] = {
    {"fifi", {"seed", "1"}, "x.json: policy.name: no policy is named 'fifi', did you mean 'fifo'?"},
    {"fifo",
     {"blokcing", "skip"},
     "x.json: policy.options.blokcing: no policy option is named 'blokcing', did you mean "
     "'blocking'?"},
    {"fifo",
     {"blocking", "skipp"},
     "policy.options.blocking: 'skipp' is not valid, expected strict or skip, did you mean "
     "'skip'?"},
    {"fifo",
     {"placement", "bset-fit"},
     "policy.options.placement: no placement is named 'bset-fit', did you mean 'best-fit'?"},
    {"fifo",
     {"order", "fif"},
     "policy.options.order: no order is named 'fif', did you mean 'fifo'?"},
    {"runai",
     {"actions", "stale,allocat,limits"},
     "policy.options.actions: 'allocat' is not valid, expected some, separated by commas, of "
     "limits, allocate, consolidate, reclaim, preempt, stale, did you mean 'allocate'?"},
    {"runai",
     {"actions", "allocate,backfill"},
     "policy.options.actions: 'backfill' is not valid, expected some"},
    {"runai", {"actions", ""}, "policy.options.actions: '' is not valid, expected some"},
    {"fifo",
     {"fairness", "true"},
     "x.json: policy.options.fairness: the policy 'fifo' has no option 'fairness'"},
    {"runai",
     {"blocking", "skip"},
     "policy.options.blocking: the policy 'runai' has no option 'blocking'"},
    {"runai",
     {"workday_end_s", "90000"},
     "policy.options.workday_end_s: '90000' is not valid, expected 0 to 86400, or -1"},
    {"runai",
     {"usage_window_s", "0"},
     "policy.options.usage_window_s: '0' is not valid, expected 1 second to 100 years"},
    {"runai",
     {"idle_limit_s", "-2"},
     "policy.options.idle_limit_s: '-2' is not valid, expected seconds, up to 100 years"},
    {"runai",
     {"fairness", "yes"},
     "policy.options.fairness: 'yes' is not valid, expected true or false"},
};

START_TEST(unknown_names_and_values_are_refused)
{
    struct policy_config config;
    struct err err = {0};
    ck_assert(!choose(&config, refused[_i].name, &refused[_i].option, 1, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, refused[_i].part);
}
END_TEST

static const char *set_where(const void *of, const char *path, char *buffer, size_t size)
{
    (void)snprintf(buffer, size, "%s%s",
                   strcmp(path, "policy.name") == 0 ? (const char *)of : "x.json:3: ", path);
    return buffer;
}

static const struct {
    const char *by, *name, *message;
} renamed[] = {
    {"--set ", "runai",
     "x.json:3: policy.options: the policy 'runai' has no options 'blocking', 'scope'; --set "
     "changed the name alone, and the options stayed those of the previous policy: write --policy "
     "runai, or --set 'policy={\"name\":\"runai\",\"options\":{}}'"},
    {"--both policy: ", "las",
     "x.json:3: policy.options: blocking 'strict' cannot be combined with a preemptive order, "
     "which skips jobs that do not fit: set blocking to 'skip', or choose another order; --both "
     "changed the name alone, and the options stayed those of the previous policy: "
     "write "
     "--both 'policy={\"name\":\"las\",\"options\":{}}'"},
    {"x.json:2: ", "runai",
     "x.json:3: policy.options: the policy 'runai' has no options 'blocking', 'scope'"},
};

START_TEST(options_of_a_previous_policy_are_named)
{
    const struct scen_option options[] = {{"blocking", "strict"}, {"scope", "queue"}};
    const struct policy_choice choice = {.name = renamed[_i].name,
                                         .options = options,
                                         .option_count = ROWS(options),
                                         .where = set_where,
                                         .of = renamed[_i].by};
    struct policy_config config;
    struct err err = {0};
    ck_assert(!policy_choose(&config, &choice, &err));
    ck_assert_str_eq(err.msg, renamed[_i].message);
}
END_TEST

START_TEST(memory_is_that_of_libc)
{
    struct policy_allocator memory = policy_memory();
    char *block = memory.resize(memory.user, NULL, 0, 16);
    ck_assert_ptr_nonnull(block);
    block = memory.resize(memory.user, block, 16, 1 << 20);
    ck_assert_ptr_nonnull(block);
    ck_assert_ptr_null(memory.resize(memory.user, block, 1 << 20, 0));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_choice");
    TCase *tcase = tcase_create("choice");
    tcase_add_test(tcase, options_are_set_in_their_order);
    tcase_add_loop_test(tcase, unknown_names_and_values_are_refused, 0, ROWS(refused));
    tcase_add_loop_test(tcase, options_of_a_previous_policy_are_named, 0, ROWS(renamed));
    tcase_add_test(tcase, memory_is_that_of_libc);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
