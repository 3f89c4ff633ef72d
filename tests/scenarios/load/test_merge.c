/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes by path, like those of --set: what they reach, create, replace and refuse. */
#include "tests/scenarios/scenarios.h"

static const char two_queues[] = WITH(
    "\"queues\": [{\"name\": \"a\", \"gpu\": {\"quota\": 1, \"weight\": 3}}, {\"name\": \"b\"}],\n"
    "\"policy\": {\"name\": \"fifo\", \"options\": {\"blocking\": \"skip\"}}");

static const struct set_row {
    const char *set, *resolved; // in the resolved text afterwards; pieces of JSON on one line
} set_rows[] = {
    {"seed=5", "\"seed\": 5"},
    {"name=\"day\"", "\"name\": \"day\""},
    {"name=my day = long", "\"name\": \"my day = long\""},
    {"description=", "\"description\": \"\""},
    {"queues.0.gpu.quota=4", "\"quota\": 4"},
    {"queues[1].gpu.quota=0.25", "\"quota\": 0.25"},
    {"queues[1].gpu.quota=0.1", "\"quota\": 0.1"},
    {"queues.1={\"priority\": 7}", "\"priority\": 7"},
    {"queues=[{\"name\": \"z\"}]", "\"name\": \"z\""},
    {"queues=from-trace", "\"queues\": \"from-trace\""},
    {"policy.options.placement=count", "\"placement\": \"count\""},
    {"policy.options={\"placement\": \"count\"}", "\"blocking\": \"skip\""}, // objects merge
    {"policy.options=null", "\"options\": {}"},
    {"policies.sjf.blocking=skip", "\"sjf\": {"},
    {"window.drain=14d", "\"drain\": \"14d\""},
    {"window={\"drain\": false}", "\"drain\": false"},
    {"workload.generate.load=0.5", "\"load\": 0.5"},
    {"workload.generate.profile=teams", "\"profile\": \"teams\""},
    {"workload=[{\"generate\": {\"profile\": \"teams\"}}]", "\"profile\": \"teams\""},
    {"queues.a.gpu.quota+=2", "\"quota\": 3"},
    {"fleet.pools.0.node.gpus=4", "\"gpus\": 4"},
    {"fleet.pools.0.node=dgx-a100", "\"node\": \"dgx-a100\""},
    {"fleet.pools.0.node.cpus=16", "\"cpus\": 16"},
    {"workload.trace=Makefile", "\"trace\": \"Makefile\""},
};

START_TEST(changes_reach_their_values)
{
    const char *sets[] = {set_rows[_i].set};
    struct scenario *scenario =
        load_text(two_queues, &(struct scen_overrides){.set = sets, .set_count = 1});
    harness_contains(scenario->resolved, set_rows[_i].resolved);
    scenario_destroy(scenario);
}
END_TEST

static const struct refused_row {
    const char *set, *message; // the whole message
} refused_rows[] = {
    {"fleet.noodes_file=x",
     "--set fleet.noodes_file: unknown key 'noodes_file', did you mean 'nodes_file'?"},
    {"queues.0.gpu.qouta=1",
     "--set queues.0.gpu.qouta: unknown key 'qouta', did you mean 'quota'?"},
    {"queues.2.name=x", "--set queues.2.name: no element '2': the list has 2, numbered from 0"},
    {"queues.c.name=x",
     "--set queues.c.name: no element 'c': the list has 2, numbered from 0, and none of that name"},
    {"queues.c.gpu.quota+=1", "--set queues.c.gpu.quota: no element 'c': the list has 2, numbered "
                              "from 0, and none of that name"},
    {"queues.a.gpu.qouta+=1",
     "--set queues.a.gpu.qouta: unknown key 'qouta', did you mean 'quota'?"},
    {"queues.b.gpu.quota+=1",
     "--set queues.b.gpu.quota: += changes a number that the scenario gives, and here it gives "
     "none (defaults do not count): use = instead"},
    {"queues.0.gpu.quota=-3",
     "--set queues.0.gpu.quota: expected a number from 0 to 1000000000 or -1, got -3"},
    {"queues.0.gpu.quota=abc",
     "--set queues.0.gpu.quota: expected a number from 0 to 1000000000 or -1, got \"abc\""},
    {"queues.0={\"gpu\": {\"quota\": true}}",
     "--set queues.0: queues[0].gpu.quota: expected a number from 0 to 1000000000 or -1, got true"},
    {"queues.0=null", "--set queues.0: expected an object, got null"},
    {"name.first=x", "--set name.first: 'name' is not given here: nothing can stand below it"},
    {"replicas.x=1", "--set replicas.x: 'replicas' is not given here: nothing can stand below it"},
    {"policy.name.x=1", "--set policy.name.x: 'name' is \"fifo\" here: nothing can stand below it"},
    {"checkpoint.interval=often",
     "--set checkpoint.interval: expected a duration: seconds, or text such as \"90s\", \"15m\", "
     "\"2h\", \"14d\", or one of young|daly, got \"often\""},
    {"faults.scale=-1", "--set faults.scale: expected a number from 0 to 1000000, got -1"},
    {"network=place", "--set network: expected one of off|placement|contention, got \"place\""},
    {"extends=x.json", "--set extends: only a scenario file can extend another"},
    {"seed", "--set seed: expected KEY=VALUE, such as fleet.nodes_file=nodes.csv"},
    {"=1", "--set =1: expected KEY=VALUE, such as fleet.nodes_file=nodes.csv"},
    {"...=1", "--set ...: expected a key such as fleet.nodes_file"},
    {"policy={\"name\": 1, \"name\": 2}", "--set policy:1: the key 'name' is given twice"},
    {"policy={\"name\": \"x\"", "--set policy: expected an object, got \"{\"name\": \"x\"\""},
    {"workload.generate.lod=1", "--set workload.generate.lod: unknown parameter 'lod' of the "
                                "profile 'batch', did you mean 'load'?"},
    {"fleet.pools.0.node=dgx-h10", "--set fleet.pools.0.node: unknown kind of node 'dgx-h10', did "
                                   "you mean 'dgx-h100'? (list nodes shows all)"},
    {"workload.trace=no/such.csv",
     "--set workload.trace: cannot open 'no/such.csv': No such file or directory"},
    {"workload.generate=null", "t.json:3: workload: no trace: give --trace FILE or workload.trace"},
    {"fleet.pools=null",
     "t.json:2: fleet: no nodes: give fleet.pools, fleet.pools_file or fleet.nodes_file"},
};

START_TEST(changes_are_refused_by_name)
{
    const char *sets[] = {refused_rows[_i].set};
    struct scen_overrides overrides = {.set = sets, .set_count = 1};
    struct scenario *scenario = NULL;
    struct err err = {0};
    ck_assert(!scenario_parse(&scenario, "t.json", two_queues, strlen(two_queues), &overrides, true,
                              &err));
    ck_assert_str_eq(err.msg, refused_rows[_i].message);
    ck_assert_int_eq(err.code, EXIT_INPUT);
}
END_TEST

START_TEST(the_last_change_wins)
{
    static const char *const sets[] = {"seed=2", "policy.options.x=1", "seed=3",
                                       "policy.options.x=two"};
    struct scenario *scenario =
        load_text(two_queues, &(struct scen_overrides){.set = sets, .set_count = 4});
    char where[400];
    ck_assert_uint_eq(scenario->seed, 3);
    ck_assert_str_eq(scenario->policy.options[1].value, "two");
    ck_assert_str_eq(scenario_where(scenario, "policy.options.x", where, sizeof where),
                     "--set policy.options.x");
    ck_assert_str_eq(scenario_where(scenario, "policy.options.blocking", where, sizeof where),
                     "t.json:5: policy.options.blocking");
    scenario_destroy(scenario);
}
END_TEST

START_TEST(changed_elements_keep_the_rest)
{
    static const char *const sets[] = {"queues.0.gpu.quota=4"};
    struct scenario *scenario =
        load_text(two_queues, &(struct scen_overrides){.set = sets, .set_count = 1});
    ck_assert_str_eq(scenario->queues[0].name, "a");
    ck_assert_int_eq(scenario->queues[0].gpu_quota_milli, 4000);
    ck_assert_int_eq(scenario->queues[0].gpu_weight_milli, 3000);
    ck_assert_str_eq(scenario->queues[1].name, "b");
    scenario_destroy(scenario);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("merge");
    TCase *tcase = tcase_create("changes");
    tcase_add_loop_test(tcase, changes_reach_their_values, 0, ROWS(set_rows));
    tcase_add_loop_test(tcase, changes_are_refused_by_name, 0, ROWS(refused_rows));
    tcase_add_test(tcase, the_last_change_wins);
    tcase_add_test(tcase, changed_elements_keep_the_rest);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
