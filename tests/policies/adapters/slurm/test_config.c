/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The adapter's configuration: valid files, and refused errors. */
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
          "{\"name\": \"a\", \"parent\": \"lab\", \"priority\": 7, \"gpu\": {\"quota\": 0.5, "
          "\"limit\": -1, \"weight\": 2},"
          " \"mem\": {\"quota\": 1024, \"limit\": -1}, \"reclaim_min_runtime_s\": 90}],\n"
          "\"jobs\": [{\"partition\": \"p\", \"class\": \"build\"}, {\"qos\": \"high\", "
          "\"priority\": 80},"
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
    ck_assert(c.rules[0].priority == 100 && c.rules[0].workload == POLICY_BUILD &&
              !c.rules[0].preemptible);
    ck_assert(c.rules[1].priority == 80 && c.rules[1].workload == POLICY_TRAIN &&
              c.rules[1].preemptible);
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
    {BEGIN ", \"queues\": [{\"name\": \"b\", \"gpu\": {\"by_pool\": {\"p\": 1}}}]}",
     "gpu.by_pool: the adapter has no quotas by pool: make a queue of each partition"},
    {BEGIN ", \"queues\": [{\"name\": \"b\", \"gangs_span_pools\": true}]}",
     "gangs_span_pools: the adapter has no quotas by pool"},
    {"", "f: line 1: not JSON"},
    {"{\n\n\"fauxfleet_slurm\": x}", "f: line 3: not JSON"},
    {BEGIN "} x", "f: line 1: not JSON"},
    {"[]", "expected an object"},
    {"{}", "expected \"fauxfleet_slurm\": 1"},
    {"{\"fauxfleet_slurm\": 2}", "expected \"fauxfleet_slurm\": 1"},
    {BEGIN ", \"queue\": []}", "unknown key 'queue', expected one of: "},
    {BEGIN ", \"jobs\": [], \"jobs\": []}", "'jobs' is given twice"},
    {BEGIN ", \"queue_by\": \"user\"}", "queue_by: 'user', expected partition or account"},
    {BEGIN ", \"queues\": {}}", "queues: expected a list"},
    {BEGIN ", \"queues\": [{}]}", "queues[0]: expected the \"name\" of a queue"},
    {BEGIN ", \"queues\": [{\"name\": 5}]}", "queues[0].name: expected a text"},
    {BEGIN ", \"queues\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}",
     "queues[1]: there is another queue 'a'"},
    {BEGIN ", \"queues\": [{\"name\": \"a\", \"parent\": \"b\"}]}", "no queue 'b' before this one"},
    {BEGIN ", \"queues\": [{\"name\": \"a\", \"gpu\": {\"quota\": -2}}]}",
     "queues[0].gpu.quota: expected a number from 0 to 1000000000, or -1 for unlimited, got -2"},
    {BEGIN ", \"queues\": [{\"name\": \"a\", \"gpu\": {\"quota\": \"8\"}}]}",
     "gpu.quota: expected a number"},
    {BEGIN ", \"jobs\": [{\"class\": \"batch\"}]}", "jobs[0]: class: 'batch', expected train"},
    {BEGIN ", \"jobs\": [{\"preemptible\": 1}]}", "jobs[0].preemptible: expected true or false"},
    {BEGIN ", \"policy\": {\"options\": {}}}", "policy: expected the \"name\""},
    {BEGIN ", \"policy\": {\"name\": \"las\", \"options\": {\"a\": {\"1\": 7}}}}",
     "policy: options.a: expected text, true, false, a number"},
    {BEGIN ", \"policy\": {\"name\": \"las\", \"options\": {\"a\": [1, [2]]}}}",
     "policy: options.a: expected text, true, false, a number"},
    {BEGIN ", \"policy\": {\"name\": \"las\", \"options\": {\"a\": 1e999}}}",
     "policy: options.a: expected text, true, false, a number"},
    {BEGIN ", \"policy\": {\"name\": \"las\", \"options\": {\"a\": 1, \"a\": 2}}}",
     "policy: the key 'a' is given twice"},
    {BEGIN ", \"policy\": \"runai\"}", "policy: expected an object"},
};

/* ---- replacing a configuration in use ---- */

static const char used[] = BEGIN ", \"policy\": {\"name\": \"runai\"}, \"queues\": ["
                                 "{\"name\": \"lab\"}, {\"name\": \"a\", \"parent\": \"lab\"}]}";

static const struct {
    const char *text, *error; /* NULL: accepted */
} changes[] = {
    {BEGIN ", \"queues\": [{\"name\": \"b\", \"gpu\": {\"quota\": 3}, \"suspended\": true}]}",
     NULL},
    {BEGIN ", \"policy\": {\"name\": \"las\"}}",
     "a changed policy or option takes effect at the next start"},
    {BEGIN ", \"policy\": {\"name\": \"runai\", \"options\": {\"backfill\": true}}}",
     "a changed policy or option"},
    {BEGIN ", \"queue_by\": \"account\"}", "a changed \"queue_by\""},
    {BEGIN ", \"queues\": [{\"name\": \"a\"}]}",
     "queue 'a': a changed parent takes effect at the next start"},
};

START_TEST(queues_and_rules_are_replaced)
{
    struct config c, fresh;
    char error[CONFIG_ERROR] = "";
    const char *text = changes[_i].text;
    ck_assert_msg(config_parse(&c, "f", used, strlen(used), error), "%s", error);
    ck_assert_msg(config_parse(&fresh, "f", text, strlen(text), error), "%s", error);
    ck_assert_int_eq(config_replace(&c, &fresh, error), changes[_i].error == NULL);
    ck_assert_uint_eq(c.queue_count, changes[_i].error == NULL ? 1 : 2);
    ck_assert_uint_eq(c.edition, changes[_i].error == NULL);
    if (changes[_i].error == NULL) {
        ck_assert_str_eq(c.queues[0].name, "b");
        ck_assert_int_eq(c.queues[0].gpu.quota, 3000);
        ck_assert(c.queues[0].suspended);
    } else {
        ck_assert_msg(strstr(error, changes[_i].error) != NULL, "%s", error);
    }
    config_fini(&c);
    config_fini(&fresh);
}
END_TEST

START_TEST(errors_are_named)
{
    struct config c;
    char error[CONFIG_ERROR] = "";
    ck_assert(!config_parse(&c, "f", wrong[_i].text, strlen(wrong[_i].text), error));
    ck_assert_msg(strstr(error, wrong[_i].error) != NULL, "'%s', expected '%s'", error,
                  wrong[_i].error);
    config_fini(&c);
}
END_TEST

/* Every number in the file: a key of a queue or of a rule, its largest value, the internal unit,
 * and other accepted values. */
static const struct number {
    const char *before, *key, *after;
    double most, scale;
    bool negative, unlimited, whole;
} numbers[] = {
    {"\"queues\": [{\"name\": \"a\", \"gpu\": {", "quota", "}}]", 1e9, 1000, false, true, false},
    {"\"queues\": [{\"name\": \"a\", \"gpu\": {", "limit", "}}]", 1e9, 1000, false, true, false},
    {"\"queues\": [{\"name\": \"a\", \"gpu\": {", "weight", "}}]", 1e6, 1000, false, false, false},
    {"\"queues\": [{\"name\": \"a\", \"cpu\": {", "quota", "}}]", 1e9, 1000, false, true, false},
    {"\"queues\": [{\"name\": \"a\", \"cpu\": {", "limit", "}}]", 1e9, 1000, false, true, false},
    {"\"queues\": [{\"name\": \"a\", \"cpu\": {", "weight", "}}]", 1e6, 1000, false, false, false},
    {"\"queues\": [{\"name\": \"a\", \"mem\": {", "quota", "}}]", 1e12, 1, false, true, true},
    {"\"queues\": [{\"name\": \"a\", \"mem\": {", "limit", "}}]", 1e12, 1, false, true, true},
    {"\"queues\": [{\"name\": \"a\", \"mem\": {", "weight", "}}]", 1e6, 1000, false, false, false},
    {"\"queues\": [{\"name\": \"a\", ", "priority", "}]", 1e9, 1, true, false, true},
    {"\"queues\": [{\"name\": \"a\", ", "preempt_min_runtime_s", "}]", 1e9, 1000, false, false,
     false},
    {"\"queues\": [{\"name\": \"a\", ", "reclaim_min_runtime_s", "}]", 1e9, 1000, false, false,
     false},
    {"\"jobs\": [{", "priority", "}]", 1e9, 1, true, false, true},
};

static int64_t kept(const struct config *c, size_t row)
{
    const struct config_queue *q = c->queues;
    const int64_t all[] = {q->gpu.quota,
                           q->gpu.limit,
                           q->gpu.weight,
                           q->cpu.quota,
                           q->cpu.limit,
                           q->cpu.weight,
                           q->mem.quota,
                           q->mem.limit,
                           q->mem.weight,
                           q->priority,
                           q->preempt_min_runtime_ms,
                           q->reclaim_min_runtime_ms};
    return row < sizeof all / sizeof *all ? all[row] : c->rules[0].priority;
}

static void try_number(size_t row, const char *value, bool fine, double expected)
{
    const struct number *n = &numbers[row];
    struct config c;
    char error[CONFIG_ERROR] = "", place[64], got[96];
    char *text = memory_format(BEGIN ", %s\"%s\": %s%s}", n->before, n->key, value, n->after);
    bool taken = config_parse(&c, "f", text, strlen(text), error);
    ck_assert_msg(taken == fine, "%s: %s", text, error);
    if (fine) {
        ck_assert_msg(kept(&c, row) == (int64_t)expected, "%s: %lld", text,
                      (long long)kept(&c, row));
    } else {
        (void)snprintf(place, sizeof place, "%s: expected ", n->key);
        (void)snprintf(got, sizeof got, "got %s", value);
        ck_assert_msg(strstr(error, place) != NULL && strstr(error, got) != NULL, "%s: %s", text,
                      error);
    }
    free(text);
    config_fini(&c);
}

START_TEST(every_number_has_a_range)
{
    static const struct {
        const char *text;
        bool whole;
        double value;
    } negative[] = {{"-0.5", false, 0}, {"-0.001", false, 0}, {"-1.5", false, 0}, {"-2", true, -2}};
    const struct number *n = &numbers[_i];
    char most[64], more[64];
    (void)snprintf(most, sizeof most, "%.0f", n->most);
    (void)snprintf(more, sizeof more, "%.0f", n->most + 1);
    try_number((size_t)_i, "0", true, 0);
    try_number((size_t)_i, "8", true, 8 * n->scale);
    try_number((size_t)_i, most, true, n->most * n->scale);
    try_number((size_t)_i, more, false, 0);
    try_number((size_t)_i, "0.5", !n->whole, 0.5 * n->scale);
    try_number((size_t)_i, "-1", n->negative || n->unlimited, -1);
    for (size_t k = 0; k < ROWS(negative); k++)
        try_number((size_t)_i, negative[k].text, n->negative && negative[k].whole,
                   negative[k].value);
    try_number((size_t)_i, "\"8\"", false, 0);
    try_number((size_t)_i, "true", false, 0);
}
END_TEST

static const struct {
    const char *policy, *error; /* NULL: fine */
} policies[] = {
    {"{\"name\": \"fifo\", \"options\": {\"scope\": \"queue\"}}", NULL},
    {"{\"name\": \"las\", \"options\": {\"threshold_gpu_s\": [10, 20]}}", NULL},
    {"{\"name\": \"nonsense\"}", "policy 'nonsense'"},
    {"{\"name\": \"fifo\", \"options\": {\"colour\": 1}}", "option colour"},
    {"{\"name\": \"fifo\", \"options\": {\"placement\": \"count\"}}",
     "its placement names no nodes"},
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
    tcase_add_loop_test(tcase, errors_are_named, 0, ROWS(wrong));
    tcase_add_loop_test(tcase, queues_and_rules_are_replaced, 0, ROWS(changes));
    tcase_add_loop_test(tcase, every_number_has_a_range, 0, ROWS(numbers));
    tcase_add_loop_test(tcase, policies_come_from_files_too, 0, ROWS(policies));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
