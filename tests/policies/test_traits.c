/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traits of presets and options, as documented; and the losses without a history. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"

#include <stdio.h>
#include <string.h>

static struct tally tally;

/* "easy scope=queue" */
static struct policy_config config_of(const char *text)
{
    struct policy_config config;
    struct policy_error error;
    char word[64], *value;
    int n = (int)strcspn(text, " ");
    (void)snprintf(word, sizeof word, "%.*s", n, text);
    ck_assert_int_eq(policy_config_init(&config, word, tally_allocator(&tally), &error), POLICY_OK);
    for (text += n; *text != '\0'; text += n) {
        n = 1 + (int)strcspn(text + 1, " ");
        (void)snprintf(word, sizeof word, "%.*s", n - 1, text + 1);
        value = strchr(word, '=');
        *value++ = '\0';
        ck_assert_msg(policy_config_set(&config, word, value, &error) == POLICY_OK, "%s",
                      error.message);
    }
    return config;
}

#define T(name) POLICY_TRAIT_##name

static const uint64_t lines = T(WHOLE) | T(SORTS_OUT) | T(FORESIGHT);
static const uint64_t quotas =
    T(NOMINATES) | T(DIVIDES) | T(LIMITS) | T(GPU_LIMITS) | T(RESTLESS) | T(COUPLED) | T(TOPOLOGY);

static const struct {
    const char *config;
    bool is_line;
    uint64_t more;
} rows[] = {
    {"fifo", true, T(COUPLED)},
    {"fifo scope=queue", true, 0},
    {"fifo placement=count", true, T(COUPLED) | T(COUNTS)},
    {"fifo placement=topology", true, T(COUPLED) | T(NEAR) | T(TOPOLOGY)},
    {"sjf queue_limits=true", true, T(COUPLED) | T(LIMITS) | T(GPU_LIMITS)},
    {"qssf", true, 0},
    {"easy", true, T(COUPLED)},
    {"slurm", true, T(COUPLED) | T(LIMITS) | T(GPU_LIMITS)},
    {"srtf", true, T(COUPLED) | T(PROGRESS) | T(RESTLESS)},
    {"las scope=queue", true, T(PROGRESS) | T(RESTLESS)},
    {"random", true, T(COUPLED) | T(DRAWS)},
    {"fgd", true, T(COUPLED) | T(TYPICAL)},
    {"best-fit", true, T(COUPLED)},
    {"runai", false, T(QUOTAS)},
    {"runai full_hierarchy=false idle_limit_s=5", false, T(QUOTAS) | T(FLAT) | T(ACTIVITY)},
    {"static", false, T(QUOTAS) | T(OWNED)},
    {"kube-default", false, T(PARTS) | T(ANY_VICTIM)},
    {"kube-default victims=preemptible", false, T(PARTS)},
};

START_TEST(traits_are_those_of_the_rows)
{
    struct policy_config config = config_of(rows[_i].config);
    uint64_t traits = policy_traits(&config);
    ck_assert_uint_eq(traits, (rows[_i].is_line ? lines : quotas) | rows[_i].more);
    ck_assert_int_eq(policy_is_ranked(&config), (traits & T(PROGRESS)) != 0);
    ck_assert_int_eq(policy_placement_counts(&config), (traits & T(COUNTS)) != 0);
    ck_assert_int_eq(policy_wants_typical_tasks(&config), (traits & T(TYPICAL)) != 0);
}
END_TEST

START_TEST(traits_of_plugins_and_of_nothing)
{
    struct policy_config config;
    struct policy_error error;
    ck_assert_int_eq(
        policy_config_plugin(&config, &researcher_plugin, tally_allocator(&tally), &error),
        POLICY_OK);
    ck_assert_uint_eq(policy_traits(&config), lines | T(COUPLED) | T(PROGRESS) | T(RESTLESS));
    ck_assert_int_eq(
        policy_config_plugin(&config, &smallest_first_plugin, tally_allocator(&tally), &error),
        POLICY_OK);
    ck_assert_uint_eq(policy_traits(&config) & T(PROGRESS), 0);
    config.size = 3;
    ck_assert_uint_eq(policy_traits(&config), 0);
}
END_TEST

static const struct {
    const char *config;
    int32_t kinds[2]; /* kinds of records lost; 0: no more */
} memories[] = {
    {"fifo", {0}},
    {"srtf", {0}},
    {"las", {POLICY_HISTORY_JOB}},
    {"easy", {0}},
    {"easy easy_variant=frozen", {POLICY_HISTORY_PROMISE}},
    {"conservative", {POLICY_HISTORY_PROMISE}},
    {"conservative placement=random", {POLICY_HISTORY_PROMISE, POLICY_HISTORY_DRAWS}},
    {"slurm", {POLICY_HISTORY_USER}},
    {"random", {POLICY_HISTORY_DRAWS}},
    {"runai", {0}},
    {"runai backfill=true", {POLICY_HISTORY_PROMISE}},
    {"runai usage_window=sliding backfill=true", {POLICY_HISTORY_USAGE, POLICY_HISTORY_PROMISE}},
    {"kube-default", {0}},
};

START_TEST(what_is_lost_without_a_history)
{
    struct policy_config config = config_of(memories[_i].config);
    struct policy_error error;
    struct policy *p = policy_create(&config, &error);
    ck_assert_msg(p != NULL, "%s", error.message);
    int32_t kind;
    for (size_t i = 0; i < 2 && memories[_i].kinds[i] != 0; i++) {
        const char *lost = policy_forgets(p, i, &kind);
        ck_assert_msg(lost != NULL && *lost != '\0', "%s: %zu", memories[_i].config, i);
        ck_assert_int_eq(kind, memories[_i].kinds[i]);
    }
    size_t count = (size_t)(memories[_i].kinds[0] != 0) + (memories[_i].kinds[1] != 0);
    ck_assert_ptr_null(policy_forgets(p, count, &kind));
    ck_assert_int_eq(kind, 0);
    policy_destroy(p);
}
END_TEST

static void *make(const struct policy_allocator *allocator)
{
    return allocator->resize(allocator->user, NULL, 0, 1);
}

static void unmake(void *self, const struct policy_allocator *allocator)
{
    (void)allocator->resize(allocator->user, self, 1, 0);
}

static int64_t rank(void *self, const struct policy_plugin_job *job, policy_time now)
{
    (void)self, (void)job, (void)now;
    return 0;
}

/* State inside a plugin library cannot be reported. */
START_TEST(what_a_library_forgets)
{
    static const struct policy_plugin plugin = {POLICY_PLUGIN_HEAD("mine", "of a test"),
                                                .rank = rank, .create = make, .destroy = unmake};
    struct policy *p = plugin_create(&tally, &plugin, "");
    int32_t kind = 7;
    ck_assert_ptr_nonnull(policy_forgets(p, 0, &kind));
    ck_assert_int_eq(kind, 0);
    ck_assert_ptr_null(policy_forgets(p, 1, &kind));
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("traits");
    TCase *tcase = tcase_create("traits");
    tcase_add_loop_test(tcase, traits_are_those_of_the_rows, 0, ROWS(rows));
    tcase_add_test(tcase, traits_of_plugins_and_of_nothing);
    tcase_add_loop_test(tcase, what_is_lost_without_a_history, 0, ROWS(memories));
    tcase_add_test(tcase, what_a_library_forgets);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
