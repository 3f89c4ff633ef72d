/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of scontrol, written by hand in the format of Slurm 23; values are read off the text.
 */
#include "sim/init/cluster.c"
#include "sim/init/cluster_accounts.c"
#include "sim/init/cluster_json.c"
#include "sim/init/cluster_kinds.c"
#include "sim/init/cluster_sinfo.c"
#include "tests/lib/harness.h"

#include <string.h>

static struct init_cluster cluster;
static struct err err;

static bool parse(const char *text)
{
    return init_cluster_parse(&cluster, "file", text, &err);
}

static void setup(void)
{
    cluster = (struct init_cluster){0};
    err = (struct err){0};
}

static void teardown(void)
{
    init_cluster_fini(&cluster);
}

#define CONFIG                                                                                     \
    "Configuration data as of 2026-01-05T10:00:00\nPriorityDecayHalfLife   = 14-00:00:00\n"        \
    "PriorityCalcPeriod      = 00:05:00\nPriorityFavorSmall      = No\n"                           \
    "PriorityMaxAge          = 7-00:00:00\nPriorityType            = priority/"

START_TEST(nodes_that_are_alike_are_counted_together)
{
    ck_assert(parse("NodeName=g1 Arch=x86_64 CoresPerSocket=32 \n   Gres=gpu:a100:8(S:0-1)\n"
                    "   OS=Linux 5.14.0 #1 SMP\n   State=IDLE ThreadsPerCore=2\n\n"
                    "NodeName=c1 Arch=x86_64\n   Gres=(null)\n   State=IDLE\n\n"
                    "NodeName=g2 Arch=x86_64\n   Gres=gpu:a100:8(S:0-1),nic:2\n"
                    "   Reason=Gres=gpu:8 lost [root@2026-01-05T10:00:00]\n"));
    ck_assert(
        parse("NodeName=v1 Gres=gpu:4 State=DOWN Reason=fan\nNodeName=g3 Gres=gpu:a100:8 \n"));
    ck_assert_uint_eq(cluster.kind_count, 2);
    ck_assert_str_eq(cluster.kinds[0].type, "a100");
    ck_assert_int_eq(cluster.kinds[0].gpus, 8);
    ck_assert_int_eq(cluster.kinds[0].nodes, 3);
    ck_assert_str_eq(cluster.kinds[1].type, "");
    ck_assert_int_eq(cluster.kinds[1].gpus, 4);
    ck_assert_int_eq(cluster.kinds[1].nodes, 1);
    ck_assert_int_eq(cluster.without_gpus, 1);
}
END_TEST

static void has_kind(size_t i, const char *type, int64_t gpus, int64_t nodes)
{
    ck_assert_uint_lt(i, cluster.kind_count);
    ck_assert_str_eq(cluster.kinds[i].type, type);
    ck_assert_int_eq(cluster.kinds[i].gpus, gpus);
    ck_assert_int_eq(cluster.kinds[i].nodes, nodes);
}

START_TEST(tables_of_sinfo)
{
    // -N lists a node once per partition.
    ck_assert(parse("NODELIST GRES\ng1 gpu:h100:8(S:0-1)\ng1 gpu:h100:8(S:0-1)\n"
                    "g2  gpu:h100:8\nc1 (null)\n"));
    has_kind(0, "h100", 8, 2);
    ck_assert_int_eq(cluster.without_gpus, 1);
    ck_assert(parse("NODES GRES\n12 gpu:h100:8\n3 gpu:4"));
    has_kind(0, "h100", 8, 14);
    has_kind(1, "", 4, 3);
    ck_assert(!parse("PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\nall up infinite 2 idle x\n"));
    harness_contains(err.msg, "file:1: header 'PARTITION");
    harness_contains(err.msg, "sinfo -N -o \"%N %G\"");
    ck_assert(!parse("NODELIST GRES\ng[1-4] gpu:8\n"));
    harness_contains(err.msg, "file:2: NODELIST 'g[1-4]', expected one node a line");
    ck_assert(!parse("NODES GRES\nmany gpu:8\n"));
    harness_contains(err.msg, "file:2: NODES 'many', expected 1 to");
}
END_TEST

START_TEST(shares_and_limits_of_accounts)
{
    ck_assert(parse("Cluster|Account|User|Partition|Share|GrpTRES|MaxTRES\n"
                    "c|root|||1||\nc|language|||32|cpu=100,gres/gpu=48|\n"
                    "c|language|ann||1|gres/gpu=4|\nc|vision|||parent||gres/gpu=2\n"));
    ck_assert_uint_eq(cluster.account_count, 3);
    ck_assert_str_eq(cluster.accounts[1].name, "language");
    ck_assert_int_eq(cluster.accounts[1].share, 32);
    ck_assert_int_eq(cluster.accounts[1].gpu_limit, 48);
    ck_assert_int_eq(cluster.accounts[2].share, 0);
    ck_assert_int_eq(cluster.accounts[2].gpu_limit, -1);
    ck_assert(!parse("Account|Share\nx|many\n"));
    harness_contains(err.msg, "file:2: Share 'many', expected a whole number");
    ck_assert(!parse("Account|GrpTRES\n\nx|gres/gpu=-4\n"));
    harness_contains(err.msg, "file:3: GrpTRES 'gres/gpu=-4'");
}
END_TEST

START_TEST(a_node_counts_once_however_many_files_name_it)
{
    ck_assert(parse("NodeName=g1 Gres=gpu:a100:4\nNodeName=g2 Gres=gpu:a100:4\n"));
    ck_assert(parse("NODELIST GRES\ng2 gpu:a100:4\ng3 gpu:a100:4\n"));
    ck_assert_uint_eq(cluster.kind_count, 1);
    has_kind(0, "a100", 4, 3);
}
END_TEST

START_TEST(nodes_of_kubernetes)
{
    ck_assert(parse("{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": ["
                    "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"a\","
                    " \"labels\": {\"nvidia.com/gpu.product\": \"NVIDIA-H100-80GB-HBM3\"}},"
                    " \"status\": {\"allocatable\": {\"nvidia.com/gpu\": \"8\", \"cpu\": \"96\"}}},"
                    "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"b\"},"
                    " \"status\": {\"allocatable\": {\"cpu\": \"4\"}}}]}"));
    ck_assert_uint_eq(cluster.kind_count, 1);
    has_kind(0, "NVIDIA-H100-80GB-HBM3", 8, 1);
    ck_assert_int_eq(cluster.without_gpus, 1);
    ck_assert(!parse("{\"kind\": "));
    harness_contains(err.msg, "file");
    ck_assert_int_eq(err.code, EXIT_INPUT);
}
END_TEST

static int64_t value_of(const char *option)
{
    for (size_t i = 0; i < cluster.factor_count; i++)
        if (strcmp(cluster.factors[i].option, option) == 0)
            return cluster.factors[i].value;
    return -1;
}

START_TEST(weights_of_the_configuration)
{
    ck_assert(parse(CONFIG
                    "multifactor\nPriorityWeightAge       = 1000\n"
                    "PriorityWeightFairShare = 4294967295\nPriorityWeightTRES      = (null)\n"));
    ck_assert_uint_eq(cluster.factor_count, 6);
    ck_assert_int_eq(value_of("priority_weight_age"), 1000);
    ck_assert_int_eq(value_of("priority_weight_fairshare"), INT64_C(4294967295));
    ck_assert_int_eq(value_of("priority_decay_half_life_s"), 14 * 86400);
    ck_assert_int_eq(value_of("priority_max_age_s"), 7 * 86400);
    ck_assert_int_eq(value_of("priority_calc_period_s"), 300);
    ck_assert_int_eq(value_of("priority_favor_small"), 0);
}
END_TEST

START_TEST(without_multifactor_weights_do_not_count)
{
    ck_assert(parse(CONFIG "basic\nPriorityWeightAge       = 1000\n"));
    ck_assert_uint_eq(cluster.factor_count, 0);
    ck_assert(parse("PriorityType = priority/multifactor\nPriorityWeightAge = 5\n"));
    ck_assert_uint_eq(cluster.factor_count, 1);
}
END_TEST

START_TEST(unreadable_input_is_refused)
{
    ck_assert(!parse("PARTITION AVAIL\n"));
    harness_contains(err.msg, "file: expected what 'scontrol show nodes'");
    ck_assert(!parse("\nNodeName=x Gres=gpu:65\n"));
    harness_contains(err.msg, "file:2: Gres 'gpu:65', expected at most 64 GPUs on one node");
    ck_assert(!parse(CONFIG "multifactor\nPriorityWeightQOS = 4294967296\n"));
    harness_contains(err.msg, "file:7: PriorityWeightQOS '4294967296', expected 0 to 4294967295");
    ck_assert_int_eq(err.code, EXIT_INPUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cluster");
    TCase *tcase = tcase_create("cluster");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, nodes_that_are_alike_are_counted_together);
    tcase_add_test(tcase, tables_of_sinfo);
    tcase_add_test(tcase, shares_and_limits_of_accounts);
    tcase_add_test(tcase, a_node_counts_once_however_many_files_name_it);
    tcase_add_test(tcase, nodes_of_kubernetes);
    tcase_add_test(tcase, weights_of_the_configuration);
    tcase_add_test(tcase, without_multifactor_weights_do_not_count);
    tcase_add_test(tcase, unreadable_input_is_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
