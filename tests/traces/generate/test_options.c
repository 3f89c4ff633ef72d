/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generator's options: every refusal says what is wrong and what would be right. */
#include "traces/trace.h"

#include "tests/lib/harness.h"

#include <math.h>

static struct trace_names make_names(void)
{
    return (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
}

static void free_names(struct trace_names names)
{
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
}

static const struct {
    const char *profile;
    struct trace_parameter parameters[3];
    const char *message; /* NULL: accepted */
} rows[] = {
    {"batch", {{0}}, NULL},
    {"teams", {{0}}, NULL},
    {"batch", {{"gpus", 64}, {"jobs", 10}}, NULL},
    {"batch", {{"load", 99}, {"load", 0.5}}, "load is 99, expected a number from 0.001 to 10"},
    {"taems", {{0}}, "no profile 'taems'"},
    {"taems", {{0}}, "'teams'?"},
    {"batch", {{"medain_s", 5}}, "no parameter 'medain_s'"},
    {"batch", {{"medain_s", 5}}, "'median_s'?"},
    {"batch", {{"build_share", 1}}, "profile 'batch' has no parameter 'build_share'"},
    {"batch", {{"load", (double)NAN}}, "load is"},
    {"batch", {{"load", (double)INFINITY}}, "load is inf"},
    {"batch", {{"load", -1}}, "load is -1"},
    {"batch", {{"gpus", 0}}, "gpus is 0, expected a whole number from 1"},
    {"batch", {{"jobs", 1.5}}, "jobs is 1.5, expected a whole number"},
    {"batch", {{"sigma", -0.1}}, "sigma is -0.1"},
    {"batch",
     {{"limit_low", 5}, {"limit_high", 4}},
     "limit_low is 5, expected at most limit_high 4"},
    {"batch", {{"single_share", 0}, {"max_gpus", 1}}, "leaves no job size"},
    {"teams", {{"gpus", 8}}, "set distributed_share to 0"},
    {"teams", {{"gpus", 8}, {"distributed_share", 0}}, NULL},
    {"teams", {{"max_gpus", 15}}, "set distributed_share to 0"},
    {"teams", {{"distributed_share", 0}, {"train_share", 0}}, NULL},
    {"teams", {{"distributed_share", 0}, {"train_share", 0}, {"build_share", 0}}, "are all 0"},
};

START_TEST(parameters_are_checked)
{
    size_t count = 0;
    while (count < 3 && rows[_i].parameters[count].name)
        count++;
    struct trace_names names = make_names();
    struct trace *trace = NULL;
    struct err err = {.msg = "untouched"};
    bool made = trace_generate(&trace,
                               &(struct trace_generate_options){.profile = rows[_i].profile,
                                                                .parameters = rows[_i].parameters,
                                                                .parameter_count = count,
                                                                .names = names},
                               &err);
    ck_assert_int_eq(made, rows[_i].message == NULL);
    if (made) {
        ck_assert_str_eq(err.msg, "untouched");
        trace_close(trace);
    } else {
        ck_assert_int_eq(err.code, EXIT_INPUT);
        harness_contains(err.msg, rows[_i].message);
    }
    free_names(names);
}
END_TEST

static const struct {
    struct trace_team teams[2];
    size_t count;
    const char *message;
} team_rows[] = {
    {{{"a", 1, 1}, {"b", 0, 5}}, 2, NULL},
    {{{"a", 1, 0}}, 1, "users is 0, expected 1 to"},
    {{{"a", 1, -3}}, 1, "users is -3"},
    {{{"a", -1, 3}}, 1, "team 'a': weight is -1"},
    {{{"a", (double)NAN, 3}}, 1, "weight is"},
    {{{"a", 0, 3}, {"b", 0, 3}}, 2, "weights of all teams are 0"},
    {{{"a", 1, 3}, {"a", 2, 3}}, 2, "same queue 'a'"},
    {{{"", 1, 3}}, 1, "team 0 has no queue name"},
    {{{NULL, 1, 3}}, 1, "team 0 has no queue name"},
};

START_TEST(teams_are_checked)
{
    struct trace_names names = make_names();
    struct trace *trace = NULL;
    struct err err;
    bool made = trace_generate(&trace,
                               &(struct trace_generate_options){.profile = "teams",
                                                                .teams = team_rows[_i].teams,
                                                                .team_count = team_rows[_i].count,
                                                                .names = names},
                               &err);
    ck_assert_int_eq(made, team_rows[_i].message == NULL);
    if (made)
        trace_close(trace);
    else
        harness_contains(err.msg, team_rows[_i].message);
    free_names(names);
}
END_TEST

START_TEST(profiles_are_listed)
{
    size_t count;
    const struct trace_profile_row *profiles = trace_profiles(&count);
    ck_assert_uint_eq(count, 10);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_gt(strlen(profiles[i].summary), 10);
        for (size_t p = 0; profiles[i].parameter_names[p]; p++) {
            if (p % (size_t)harness_thin() != 0)
                continue;
            ck_assert_uint_gt(strlen(profiles[i].parameter_summaries[p]), 4);
            // Defaults are values that the generator accepts.
            struct trace_names names = make_names();
            struct trace_parameter set[] = {
                {"horizon_s", 3600},
                {profiles[i].parameter_names[p], profiles[i].parameter_defaults[p]},
            };
            struct trace *trace;
            struct err err;
            bool made = trace_generate(&trace,
                                       &(struct trace_generate_options){.profile = profiles[i].name,
                                                                        .parameters = set,
                                                                        .parameter_count = 2,
                                                                        .names = names},
                                       &err);
            ck_assert_msg(made, "%s: %s", set[1].name, made ? "" : err.msg);
            trace_close(trace);
            free_names(names);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("generate_options");
    TCase *tcase = tcase_create("generate_options");
    tcase_add_loop_test(tcase, parameters_are_checked, 0, ROWS(rows));
    tcase_add_loop_test(tcase, teams_are_checked, 0, ROWS(team_rows));
    tcase_add_test(tcase, profiles_are_listed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
