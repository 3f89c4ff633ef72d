/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios that begin with a snapshot: what they take from it, changes to it, and added nodes. */
#include "scenarios/load/snapshot_layer.h"
#include "scenarios/snapshot/snapshot.h"
#include "sim/base/mem.h"
#include "tests/lib/folder.h"
#include "tests/scenarios/scenarios.h"

static const char cluster[] =
    "{\"fauxfleet_snapshot\": 1, \"now_ms\": 5000, \"policy\": {\"name\": \"easy\", \"options\": "
    "{\"placement\": \"spread\"}},\n"
    "\"topologies\": [{\"name\": \"t\", \"levels\": [\"rack\"]}],\n"
    "\"nodes\": [{\"name\": \"b\", \"pool\": \"p\", \"gpus\": 8, \"labels\": {\"rack\": \"r1\"}},\n"
    "  {\"name\": \"x\", \"pool\": \"other\", \"gpus\": 2, \"labels\": {\"rack\": \"r1\"}},\n"
    "  {\"name\": \"a\", \"pool\": \"p\", \"gpus\": 4, \"labels\": {\"rack\": \"r1\"}}],\n"
    "\"queues\": [{\"name\": \"q\", \"parent\": \"top\", \"gpu\": {\"quota\": 2500, \"limit\": "
    "9000, \"weight\": 3}, "
    "\"cpu\": {\"quota\": 64000}},\n"
    "  {\"name\": \"lost\", \"parent\": \"nobody\"}, {\"name\": \"top\", \"gpu\": {\"quota\": "
    "-1}}],\n"
    "\"jobs\": [{\"id\": \"stray\", \"queue\": \"unknown\", \"tasks\": [{\"id\": \"t\", \"gpus\": "
    "1, \"state\": \"running\", \"node\": \"x\"}]}]}\n";

static struct folder folder;

static void setup(void)
{
    folder_make(&folder);
    folder_put(&folder, "c.json", cluster);
}

static void teardown(void)
{
    folder_remove(&folder);
}

/* The snapshot as a scenario, with some --set; the test fails if it is refused. */
static struct scenario *load(const char *const *sets, size_t count)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    const struct scen_overrides overrides = {.set = sets, .set_count = count};
    ck_assert_msg(scenario_load(&scenario, folder_path(&folder, "c.json"), &overrides, &err), "%s",
                  err.msg);
    return scenario;
}

static const struct scen_queue *queue_named(const struct scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->queue_count; i++)
        if (strcmp(scenario->queues[i].name, name) == 0)
            return &scenario->queues[i];
    ck_abort_msg("there is no queue %s", name);
    return NULL;
}

START_TEST(values_taken_from_the_snapshot)
{
    struct scenario *scenario = load(NULL, 0);
    ck_assert_str_eq(scenario->policy.name, "easy");
    ck_assert_uint_eq(scenario->policy.option_count, 1);
    ck_assert_str_eq(scenario->policy.options[0].value, "spread");
    /* Parents first; the queue without its parent is gone; tasks that run without a queue get one
     * without quota. */
    ck_assert_uint_eq(scenario->queue_count, 3);
    ck_assert_str_eq(scenario->queues[0].name, "top");
    const struct scen_queue *q = queue_named(scenario, "q");
    ck_assert_int_eq(q->gpu_quota_milli, 2500);
    ck_assert_int_eq(q->gpu_limit_milli, 9000);
    ck_assert_int_eq(q->gpu_weight_milli, 3000);
    ck_assert_int_eq(q->cpu_quota_milli, 64000);
    ck_assert_int_eq(q->mem_quota_mib, -1);
    ck_assert_int_eq(queue_named(scenario, SNAPSHOT_NO_QUEUE)->gpu_weight_milli, 0);
    /* Nodes pool by pool, ranked by name. */
    ck_assert_uint_eq(scenario->node_count, 3);
    static const char *const names[] = {"b", "a", "x"};
    static const int64_t ranks[] = {1, 0, 2};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_str_eq(scenario->nodes[i].name, names[i]);
        ck_assert_int_eq(scenario->nodes[i].rank, ranks[i]);
        ck_assert_str_eq(scenario->nodes[i].domains[0], "r1");
    }
    ck_assert_uint_eq(scenario->source_count, 0);
    ck_assert_int_eq(scenario->start.snapshot->now_ms, 5000);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(changes_go_before_it)
{
    const char *const sets[] = {"queues.q.gpu.quota+=1.5", "queues.q.gpu.limit-=2",
                                "queues.top.priority=7", "policy.name=fifo",
                                "start.remaining=lognormal:2h:0.5"};
    struct scenario *scenario = load(sets, 5);
    ck_assert_int_eq(queue_named(scenario, "q")->gpu_quota_milli, 4000);
    ck_assert_int_eq(queue_named(scenario, "q")->gpu_limit_milli, 7000);
    ck_assert_int_eq(queue_named(scenario, "top")->priority, 7);
    ck_assert_str_eq(scenario->policy.name, "fifo");
    ck_assert_int_eq(scenario->start.remaining, SCEN_REMAINING_LOGNORMAL);
    ck_assert_double_eq(scenario->start.mean_ms, 7200000);
    ck_assert_double_eq(scenario->start.sigma, 0.5);
    scenario_destroy(scenario);
}
END_TEST

/* The file's start, one that replaces it, and a fleet from neither. */
START_TEST(three_snapshots)
{
    folder_put(&folder, "start.json", cluster);
    folder_put(&folder, "fleet.json",
               "{\"fauxfleet_snapshot\": 1, \"nodes\": [{\"name\": \"n\", \"gpus\": 8}]}");
    char *start = mem_format("start.snapshot=%s", folder_path(&folder, "start.json"));
    char *fleet = mem_format("fleet.nodes_file=%s", folder_path(&folder, "fleet.json"));
    const char *const sets[] = {start, fleet};
    struct scenario *scenario = load(sets, 2);
    harness_contains(scenario->start.snapshot->file, "start.json");
    ck_assert_uint_eq(scenario->node_count, 1);
    ck_assert_str_eq(scenario->nodes[0].name, "n");
    ck_assert_str_eq(scenario->policy.name, "easy");
    scenario_destroy(scenario);
    free(start);
    free(fleet);
}
END_TEST

/* Copies of the pool's last node, in new racks of the size of the pool's largest rack: two. */
START_TEST(nodes_are_added)
{
    const char *const sets[] = {"fleet.add={\"p\": 3}"};
    struct scenario *scenario = load(sets, 1);
    ck_assert_uint_eq(scenario->node_count, 6);
    static const char *const racks[] = {"p-added-rack-0", "p-added-rack-0", "p-added-rack-1"};
    for (size_t i = 0; i < 3; i++) {
        const struct scen_listed_node *node = &scenario->nodes[2 + i];
        ck_assert(node->added);
        ck_assert_int_eq(node->node.gpus, 4);
        ck_assert_str_eq(node->domains[0], racks[i]);
        ck_assert_int_gt(node->rank, 2);
    }
    ck_assert_str_eq(scenario->nodes[5].name, "x");
    scenario_destroy(scenario);
}
END_TEST

static const struct refused_row {
    const char *set, *message;
} refused_rows[] = {
    {"queues.q.gpu.quota+=many", "--set queues.q.gpu.quota: expected a number behind +="},
    {"queues.q.preempt_min_runtime_s+=1",
     "+= changes a number that the scenario gives, and here it gives none"},
    {"queues.q.created_s+=1", "unknown key 'created_s', did you mean 'created_ms'?"},
    {"queues.p.gpu.quota=1", "no element 'p'"},
    {"fleet.add={\"pp\": 1}", "fleet.add.pp: unknown pool 'pp'"},
    {"start.remaining=exponential:x", "start.remaining: 'exponential:x', expected known, limits"},
    {"start.remaining=lognormal:1h:-1", "start.remaining: 'lognormal:1h:-1', expected"},
    {"start.remaining=knwon", "did you mean 'known'?"},
    {"workload.mode=fill", "does not go with a run that begins with a snapshot"},
};

START_TEST(what_is_refused)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    const char *sets[] = {refused_rows[_i].set};
    const struct scen_overrides overrides = {.set = sets, .set_count = 1};
    ck_assert(!scenario_load(&scenario, folder_path(&folder, "c.json"), &overrides, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, refused_rows[_i].message);
}
END_TEST

START_TEST(adding_to_pools_is_counting)
{
    const char *sets[] = {"fleet.add={\"p\": 1}"};
    refuse_text(WITHOUT_KEYS, &(struct scen_overrides){.set = sets, .set_count = 1},
                "fleet.add: adds nodes to the fleet of a snapshot");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_layer");
    TCase *tcase = tcase_create("layer");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, values_taken_from_the_snapshot);
    tcase_add_test(tcase, changes_go_before_it);
    tcase_add_test(tcase, three_snapshots);
    tcase_add_test(tcase, nodes_are_added);
    tcase_add_loop_test(tcase, what_is_refused, 0,
                        (int)(sizeof refused_rows / sizeof *refused_rows));
    tcase_add_test(tcase, adding_to_pools_is_counting);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
