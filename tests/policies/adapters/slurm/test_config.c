/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The adapter's configuration: what is read, and how what is wrong is refused. */
#include "policies/adapters/slurm/config.h"
#include "policies/adapters/slurm/memory.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define BEGIN "{\"fauxfleet_slurm\": 1"

static const char whole[] =
    BEGIN ", \"policy\": {\"name\": \"runai\", \"options\": {\"gpu_placement\": \"spread\", "
          "\"consolidation_victims\": 4,"
          " \"fairness\": false, \"backfill\": null}}, \"queue_by\": \"account\",\n"
          "\"queues\": [{\"name\": \"lab\", \"gpu\": {\"quota\": 64}},\n"
          "{\"name\": \"a\", \"parent\": \"lab\", \"priority\": 7, \"gpu\": {\"quota\": 0.5, \"limit\": -1, "
          "\"weight\": 2},"
          " \"mem\": {\"quota\": 1024, \"limit\": -1}, \"reclaim_min_runtime_s\": 90}],\n"
          "\"jobs\": [{\"partition\": \"p\", \"class\": \"build\"}, {\"qos\": \"high\", \"priority\": 80},"
          " {\"class\": \"inference\", \"preemptible\": true}]}\n";

START_TEST(a_whole_file_is_read)
{
    struct config c;
    struct policy_config core;
    char error[CONFIG_ERROR] = "";
    ck_assert_msg(config_parse(&c, "f", whole, strlen(whole), error), "%s", error);
    ck_assert_str_eq(c.policy, "runai");
    ck_assert(c.by_account);
    ck_assert_uint_eq(c.queue_count, 2);
    ck_assert_int_eq(c.queues[0].gpu.quota, 64000);
    ck_assert_int_eq(c.queues[0].gpu.limit, POLICY_UNLIMITED);
    ck_assert_int_eq(c.queues[0].cpu.quota, POLICY_UNLIMITED);
    ck_assert_str_eq(c.queues[1].parent, "lab");
    ck_assert_int_eq(c.queues[1].priority, 7);
    ck_assert_int_eq(c.queues[1].gpu.quota, 500);
    ck_assert_int_eq(c.queues[1].gpu.limit, POLICY_UNLIMITED);
    ck_assert_int_eq(c.queues[1].gpu.weight, 2000);
    ck_assert_int_eq(c.queues[1].mem.quota, 1024);
    ck_assert_int_eq(c.queues[1].mem.limit, POLICY_UNLIMITED);
    ck_assert_int_eq(c.queues[1].reclaim_min_runtime_ms, 90000);
    ck_assert_int_eq(c.queues[1].preempt_min_runtime_ms, POLICY_INHERIT);
    ck_assert_uint_eq(c.rule_count, 3);
    ck_assert_str_eq(c.rules[0].partition, "p");
    ck_assert(c.rules[0].priority == 100 && c.rules[0].workload == POLICY_BUILD && !c.rules[0].preemptible);
    ck_assert(c.rules[1].priority == 80 && c.rules[1].workload == POLICY_TRAIN && c.rules[1].preemptible);
    ck_assert(c.rules[2].priority == 125 && c.rules[2].workload == POLICY_INFERENCE &&
              c.rules[2].preemptible);
    ck_assert_msg(config_core(&c, &core, error), "%s", error);
    ck_assert_int_eq(core.quota.gpu_placement, POLICY_SPREAD);
    ck_assert_int_eq(core.quota.consolidation_victims, 4);
    ck_assert(!core.quota.fairness);
    ck_assert_uint_eq(c.option_count, 3);
    ck_assert_str_eq(c.options[1], "consolidation_victims");
    ck_assert_str_eq(c.values[1], "4");
    ck_assert_str_eq(c.values[2], "false");
    config_fini(&c);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    {"",                                                                      "f: line 1: not JSON"                            },
    {"{\n\n\"fauxfleet_slurm\": x}",                                          "f: line 3: not JSON"                            },
    {BEGIN "} x",                                                             "f: line 1: not JSON"                            },
    {"[]",                                                                    "expected an object"                             },
    {"{}",                                                                    "expected \"fauxfleet_slurm\": 1"                },
    {"{\"fauxfleet_slurm\": 2}",                                              "expected \"fauxfleet_slurm\": 1"                },
    {BEGIN ", \"queue\": []}",                                                "unknown key 'queue', expected one of: "         },
    {BEGIN ", \"jobs\": [], \"jobs\": []}",                                   "'jobs' is given twice"                          },
    {BEGIN ", \"queue_by\": \"user\"}",                                       "queue_by: 'user', expected partition or account"},
    {BEGIN ", \"queues\": {}}",                                               "queues: expected a list"                        },
    {BEGIN ", \"queues\": [{}]}",                                             "queues[0]: expected the \"name\" of a queue"    },
    {BEGIN ", \"queues\": [{\"name\": 5}]}",                                  "queues[0].name: expected a text"                },
    {BEGIN ", \"queues\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}",           "queues[1]: there is another queue 'a'"          },
    {BEGIN ", \"queues\": [{\"name\": \"a\", \"parent\": \"b\"}]}",           "no queue 'b' before this one"                   },
    {BEGIN ", \"queues\": [{\"name\": \"a\", \"gpu\": {\"quota\": -2}}]}",
     "queues[0].gpu.quota: expected a number from -1 to 1e+09"                                                                 },
    {BEGIN ", \"queues\": [{\"name\": \"a\", \"gpu\": {\"quota\": \"8\"}}]}", "gpu.quota: expected a number"                   },
    {BEGIN ", \"jobs\": [{\"class\": \"batch\"}]}",                           "jobs[0]: class: 'batch', expected train"        },
    {BEGIN ", \"jobs\": [{\"preemptible\": 1}]}",                             "jobs[0].preemptible: expected true or false"    },
    {BEGIN ", \"policy\": {\"options\": {}}}",                                "policy: expected the \"name\""                  },
    {BEGIN ", \"policy\": \"runai\"}",                                        "policy: expected an object"                     },
};

START_TEST(what_is_wrong_is_named)
{
    struct config c;
    char error[CONFIG_ERROR] = "";
    ck_assert(!config_parse(&c, "f", wrong[_i].text, strlen(wrong[_i].text), error));
    ck_assert_msg(strstr(error, wrong[_i].error) != NULL, "'%s', expected '%s'", error, wrong[_i].error);
    config_fini(&c);
}
END_TEST

static const struct {
    const char *policy, *error; /* NULL: fine */
} policies[] = {
    {"{\"name\": \"fifo\", \"options\": {\"scope\": \"queue\"}}",         NULL                          },
    {"{\"name\": \"las\", \"options\": {\"threshold_gpu_s\": [10, 20]}}", NULL                          },
    {"{\"name\": \"nonsense\"}",                                          "policy 'nonsense'"           },
    {"{\"name\": \"fifo\", \"options\": {\"colour\": 1}}",                "option colour"               },
    {"{\"name\": \"fifo\", \"options\": {\"placement\": \"count\"}}",     "its placement names no nodes"},
};

START_TEST(policies_come_from_files_too)
{
    struct config c;
    struct policy_config core;
    char error[CONFIG_ERROR] = "";
    struct folder folder;
    folder_make(&folder);
    folder_put(&folder, "p.json", policies[_i].policy);
    ck_assert(config_read(&c, NULL, error));
    ck_assert_msg(config_policy(&c, folder_path(&folder, "p.json"), error), "%s", error);
    bool fine = config_core(&c, &core, error);
    ck_assert_msg(fine == (policies[_i].error == NULL), "%s", error);
    if (!fine)
        ck_assert_msg(strstr(error, policies[_i].error) != NULL, "%s", error);
    ck_assert(!config_policy(&c, folder_path(&folder, "none.json"), error));
    ck_assert(!config_policy(&c, "/dev/null.json", error));
    config_fini(&c);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/config");
    TCase *tcase = tcase_create("files");
    tcase_add_test(tcase, a_whole_file_is_read);
    tcase_add_loop_test(tcase, what_is_wrong_is_named, 0, ROWS(wrong));
    tcase_add_loop_test(tcase, policies_come_from_files_too, 0, ROWS(policies));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
