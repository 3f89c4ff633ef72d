/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combinations of options: which run under which preset, and which are refused, with the message of
 * the table. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

enum { MOST = 4 };

static const struct {
    const char *preset, *set[MOST][2];
    const char *wrong; /* part of the message; NULL: it runs */
} cases[] = {
    {"runai", {{"queue_order", "none"}}, NULL},
    {"runai", {{"queue_order", "none"}, {"actions", "allocate,reclaim"}}, "need a queue order"},
    {"runai", {{"queue_order", "none"}, {"idle_limit_s", "60"}}, "no option"},
    {"runai",
     {{"idle_limit_s", "60"}, {"queue_order", "none"}},
     "idle_limit_s needs a queue order"},
    {"runai", {{"unit", "task"}}, "unit 'task' puts the tasks of all queues"},
    {"runai", {{"queue_order", "none"}, {"unit", "task"}}, NULL},
    {"runai", {{"order", "sjf"}, {"backfill", "easy"}, {"placement", "fgd"}}, NULL},
    {"runai", {{"order", "remaining"}}, "since both choose victims"},
    {"runai", {{"backfill", "single"}, {"time_limits", "true"}}, NULL},
    {"runai",
     {{"actions", "allocate"}, {"time_limits", "true"}},
     "needs 'limits' among the actions"},
    {"runai", {{"placement", "count"}}, "placement 'count' ignores nodes"},
    {"static", {{"queue_order", "none"}, {"blocking", "strict"}, {"backfill", "easy"}}, NULL},
    {"kube-default", {{"order", "multifactor"}, {"placement", "binpack"}}, NULL},
    {"kube-default", {{"order", "attained"}}, "which evicts whole jobs"},
    {"kube-default", {{"backfill", "easy"}}, "reserves places for gangs"},
    {"kube-default", {{"time_limits", "true"}}, "time_limits, which end whole jobs"},
    {"kube-default", {{"actions", "allocate,stale"}}, "unit 'task' only supports the actions"},
    {"kube-default", {{"unit", "gang"}}, NULL},
    {"kube-default",
     {{"unit", "gang"}, {"queue_order", "fair-share"}, {"over_quota", "false"}},
     NULL},
    {"slurm", {{"queue_order", "fair-share"}}, NULL},
    {"slurm", {{"unit", "task"}}, "unit 'task' cannot be combined with backfill"},
    {"slurm", {{"unit", "task"}, {"backfill", "none"}, {"time_limits", "false"}}, NULL},
    {"easy", {{"queue_order", "fair-share"}, {"actions", "allocate,reclaim"}}, NULL},
    {"easy", {{"queue_order", "fair-share"}, {"queue_order", "none"}}, "needs blocking 'strict'"},
    {"easy",
     {{"easy_variant", "frozen"}, {"queue_order", "fair-share"}},
     "easy_variant 'frozen' cannot be combined"},
    {"easy", {{"blocking", "skip"}}, "backfill needs blocking 'strict'"},
    {"easy", {{"backfill", "single"}}, "backfill 'single' needs a queue order"},
    {"easy", {{"actions", "allocate,limits"}, {"interactive_limit_s", "60"}}, NULL},
    {"easy", {{"interactive_limit_s", "60"}}, "needs 'limits' among the actions"},
    {"easy", {{"actions", "limits"}}, "actions need 'allocate'"},
    {"easy", {{"order", "attained"}}, "cannot be combined with backfill, since it evicts"},
    {"fifo", {{"order", "remaining"}}, "blocking 'strict' cannot be combined"},
    {"fifo", {{"unit", "task"}, {"actions", "allocate"}}, NULL},
    {"srtf", {{"queue_limits", "true"}}, "cannot be combined with a preemptive order"},
    {"srtf", {{"refill", "true"}}, "refill 'true' needs placement 'count'"},
    {"srtf", {{"order", "sjf"}, {"queue_order", "fair-share"}}, NULL},
    {"conservative", {{"queue_order", "fair-share"}}, NULL},
};

/* Sets the accepted options, and returns why the combination does not run: "" if it does. */
static const char *refusal_of(int i, struct policy_config *config, struct policy_error *error)
{
    ck_assert_int_eq(policy_config_init(config, cases[i].preset, config->allocator, error),
                     POLICY_OK);
    for (int k = 0; k < MOST && cases[i].set[k][0] != NULL; k++)
        if (policy_config_set(config, cases[i].set[k][0], cases[i].set[k][1], error) != POLICY_OK)
            return error->message;
    return policy_config_check(config, error) == POLICY_OK ? "" : error->message;
}

START_TEST(a_composition_runs_or_is_refused_with_a_sentence)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    struct policy_config config = {.size = sizeof config, .allocator = tally_allocator(&tally)};
    const char *wrong = refusal_of(_i, &config, &error);
    if (cases[_i].wrong != NULL) {
        harness_contains(wrong, cases[_i].wrong);
        return;
    }
    ck_assert_str_eq(wrong, "");
    struct policy *p = policy_create(&config, &error);
    ck_assert_msg(p != NULL, "%s", error.message);
    core_destroy(p, &tally);
}
END_TEST

/* Refusals of plugins are in query/test_plugins.c. */
START_TEST(every_refusal_has_a_case)
{
    struct tally tally = {0};
    for (size_t row = 0; policy_refusal_row(row) != NULL; row++) {
        const struct policy_row *refusal = policy_refusal_row(row);
        bool said = strstr(refusal->summary, "a plugin") != NULL;
        for (int i = 0; i < ROWS(cases) && !said; i++) {
            struct policy_error error = {0};
            struct policy_config config = {.size = sizeof config,
                                           .allocator = tally_allocator(&tally)};
            said = strstr(refusal_of(i, &config, &error), refusal->summary) != NULL;
        }
        ck_assert_msg(said, "%s: %s", refusal->name, refusal->summary);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("composition");
    TCase *tcase = tcase_create("composition");
    tcase_add_loop_test(tcase, a_composition_runs_or_is_refused_with_a_sentence, 0, ROWS(cases));
    tcase_add_test(tcase, every_refusal_has_a_case);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
