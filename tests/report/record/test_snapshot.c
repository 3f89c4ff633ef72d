/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snapshot.json of hand-made states: every kind of entry, as JSON. */
#include "report/record/snapshot.h"
#include "tests/sim/evict.h"

#include <cjson/cJSON.h>

struct taken {
    struct small s;
    struct out *out; /* the text of the snapshot */
    cJSON *tree;
};

static void take(struct taken *t, int64_t at_ms)
{
    static const struct snapshot_option options[] = {{"fairness", "true"}};
    const struct snapshot_about about = {"runai", options, 1};
    ck_assert_msg(small_create(&t->s), "%s", t->s.err.msg);
    evict_run(&t->s, at_ms);
    t->out = out_memory();
    ck_assert_msg(snapshot_print(t->s.sim, &about, t->out, &t->s.err), "%s", t->s.err.msg);
    const char *text = out_memory_text(t->out, NULL);
    t->tree = cJSON_Parse(text);
    ck_assert_msg(t->tree != NULL, "no JSON: %s", text);
}

static void release(struct taken *t)
{
    cJSON_Delete(t->tree);
    out_discard(t->out);
    small_end(&t->s);
}

/* Element i of a list as text without blanks. */
static void expect(const struct taken *t, const char *list, int i, const char *json)
{
    char *text = cJSON_PrintUnformatted(cJSON_GetArrayItem(cJSON_GetObjectItem(t->tree, list), i));
    ck_assert_str_eq(text, json);
    free(text);
}

START_TEST(all_is_there)
{
    struct taken t;
    small_begin(&t.s, "runai", "");
    fleet_add_level(&t.s.fleet, "rack");
    fleet_close_levels(&t.s.fleet);
    uint32_t pool = fleet_add_pool(&t.s.fleet, "p");
    uint32_t domains[] = {fleet_domain(&t.s.fleet, 0, "r7")};
    fleet_add_node(&t.s.fleet, &(struct fleet_node){.name = "n0",
                                                    .pool = pool,
                                                    .gpus = 4,
                                                    .cpu_milli = 64000,
                                                    .mem_mib = -1,
                                                    .max_tasks = 110,
                                                    .device_mem_mib = 80000,
                                                    .domains = domains});
    struct sim_queue *dept = small_queue(&t.s, "dept", 0);
    dept->gpu = (struct policy_share){4000, 8000, 2500};
    struct sim_queue *team = small_queue(&t.s, "team", 1);
    team->parent = 0;
    team->gpu.quota = team->fixed_milli = 1000;
    team->priority = 7;
    team->preempt_min_runtime_ms = POLICY_INHERIT;
    team->reclaim_min_runtime_ms = 90500;
    struct trace_job *gang = small_job_of(&t.s, "team", "gang", -2000, 60000, TRACE_UNKNOWN);
    gang->gpus = 1;
    gang->min_tasks = gang->tasks = 2;
    gang->max_tasks = 3;
    gang->cpu_milli = 500;
    gang->topology_required = "rack";
    struct trace_job *share = small_job_of(&t.s, "team", "share", 1000, 5000, TRACE_UNKNOWN);
    share->gpus = 1;
    share->gpu_milli = 250;
    share->class = TRACE_BUILD;
    share->preemptible = 1;
    share->eligible_ms = 1500; /* it has passed, and the age counts from it */
    struct trace_job *memory = small_job_of(&t.s, "team", "memory", 1000, 5000, TRACE_UNKNOWN);
    memory->gpus = 1;
    memory->gpu_mem_mib = 70000;
    memory->eligible_ms = 90000;
    memory->gpu_types = 1;
    take(&t, 2000);
    ck_assert_int_eq((int)cJSON_GetObjectItem(t.tree, "now_ms")->valuedouble, 2000);
    char *policy = cJSON_PrintUnformatted(cJSON_GetObjectItem(t.tree, "policy"));
    ck_assert_str_eq(policy, "{\"name\":\"runai\",\"options\":{\"fairness\":\"true\"}}");
    free(policy);
    expect(&t, "topologies", 0, "{\"name\":\"fabric\",\"levels\":[\"rack\",\"node\"]}");
    expect(&t, "nodes", 0,
           "{\"name\":\"n0\",\"gpus\":4,\"gpu_type\":\"any\",\"gpu_mem_mib\":80000,\"cpu_milli\":"
           "64000,\"mem_mib\":-1,\"max_tasks\":110,\"mig\":\"off\",\"state\":\"up\",\"rank\":0,"
           "\"pool\":\"p\",\"whole_only\":false,\"labels\":{\"rack\":\"r7\",\"node\":\"n0\"}}");
    expect(&t, "queues", 0,
           "{\"name\":\"dept\",\"parent\":\"\",\"priority\":100,\"created_ms\":0,\"rank\":0,"
           "\"gpu\":{\"quota\":4000,\"limit\":8000,\"weight\":2.5},\"cpu\":{\"quota\":-1,\"limit\":"
           "-1,\"weight\":1},\"mem\":{\"quota\":-1,\"limit\":-1,\"weight\":1},\"preempt_min_"
           "runtime_s\":0,\"reclaim_min_runtime_s\":0}");
    expect(&t, "queues", 1,
           "{\"name\":\"team\",\"parent\":\"dept\",\"priority\":7,\"created_ms\":0,\"rank\":1,"
           "\"gpu\":{\"quota\":1000,\"limit\":-1,\"weight\":1,\"fixed\":1000},\"cpu\":{\"quota\":-"
           "1,\"limit\":-1,\"weight\":1},\"mem\":{\"quota\":-1,\"limit\":-1,\"weight\":1},"
           "\"reclaim_min_runtime_s\":90.5,\"pools\":[\"p\"]}");
    expect(&t, "jobs", 0,
           "{\"id\":\"gang\",\"queue\":\"team\",\"priority\":50,\"preemptible\":true,\"submit_ms\":"
           "-2000,\"last_start_ms\":-2000,\"rank\":0,\"run_s\":60,\"workload\":\"train\","
           /* three tasks did 3 x 4 s of work, of 2 x 60 s */
           "\"class\":\"train\",\"row\":0,\"recorded_tasks\":2,\"duration_s\":60,\"done_s\":6,"
           "\"first_start_ms\":-2000,\"progress\":{\"total\":120000,\"done\":12000,\"launches\":1},"
           "\"topology\":{\"topology\":\"fabric\",\"required\":\"rack\",\"preferred\":\"\"},"
           "\"roles\":[{\"name\":\"workers\",\"min_tasks\":2}],\"tasks\":[{\"id\":\"gang-0\","
           "\"role\":\"workers\",\"state\":\"running\",\"node\":\"n0\",\"devices\":[0],\"gpus\":1,"
           "\"cpu_milli\":500,\"mem_mib\":0},{\"id\":\"gang-1\",\"role\":\"workers\",\"state\":"
           "\"running\",\"node\":\"n0\",\"devices\":[1],\"gpus\":1,\"cpu_milli\":500,\"mem_mib\":0}"
           ",{\"id\":\"gang-2\",\"role\":\"workers\",\"state\":\"running\",\"node\":\"n0\","
           "\"devices\":[2],\"gpus\":1,\"cpu_milli\":500,\"mem_mib\":0}]}");
    expect(&t, "jobs", 1,
           "{\"id\":\"share\",\"queue\":\"team\",\"priority\":100,\"preemptible\":true,\"submit_"
           "ms\":1000,\"eligible_ms\":1500,\"last_start_ms\":1500,\"rank\":1,\"run_s\":5,"
           "\"workload\":\"build\",\"class\":\"build\",\"row\":1,\"duration_s\":5,\"done_s\":0.5,"
           "\"first_start_ms\":1500,\"progress\":{\"total\":5000,\"done\":500,\"launches\":1},"
           "\"roles\":[{\"name\":\"workers\",\"min_tasks\":1}],\"tasks\":[{\"id\":\"share-0\","
           "\"role\":\"workers\",\"state\":\"running\",\"node\":\"n0\",\"devices\":[3],\"gpu_"
           "milli\":250,\"devices_wanted\":1,\"cpu_milli\":0,\"mem_mib\":0}]}");
    expect(&t, "jobs", 2,
           "{\"id\":\"memory\",\"queue\":\"team\",\"priority\":50,\"preemptible\":true,\"submit_"
           "ms\":1000,\"eligible_ms\":90000,\"last_start_ms\":null,\"rank\":2,\"run_s\":5,"
           "\"workload\":\"train\",\"class\":\"train\",\"row\":2,\"duration_s\":5,\"roles\":[{"
           "\"name\":\"workers\",\"min_tasks\":1}],\"tasks\":[{\"id\":\"memory-0\",\"role\":"
           "\"workers\",\"state\":\"pending\",\"gpu_mem_mib\":70000,\"devices_wanted\":1,\"cpu_"
           "milli\":0,\"mem_mib\":0,\"gpu_types\":\"any\"}]}");
    release(&t);
}
END_TEST

/* Twelve tasks have two digits; the last of a split total wants the rest; evicted ones are
 * releasing. */
START_TEST(tasks_keep_their_order_and_state)
{
    struct taken t;
    small_begin(&t.s, "runai", "");
    small_pool(&t.s, "p", 12, 2);
    t.s.config.grace_ms = 5000;
    small_job(&t.s, "j", 0, 60000, 23);
    ck_assert(small_create(&t.s));
    evict_run(&t.s, 1000);
    evict_now(&t.s, "j", INT32_MAX);
    const struct snapshot_about about = {.policy = "runai"};
    t.out = out_memory();
    ck_assert(snapshot_print(t.s.sim, &about, t.out, &t.s.err));
    const char *text = out_memory_text(t.out, NULL);
    harness_contains(text, "\"id\": \"j-00\", \"role\": \"workers\", \"state\": \"releasing\"");
    harness_contains(text, "\"id\": \"j-10\", \"role\": \"workers\", \"state\": \"releasing\"");
    harness_contains(text, "\"gpus\": 1, \"cpu_milli\": 0, \"mem_mib\": 0}]}],\n \"history\": [");
    t.tree = NULL;
    release(&t);
}
END_TEST

START_TEST(counted_devices_have_no_place)
{
    struct small s;
    const struct snapshot_about about = {.policy = "fifo"};
    small_begin(&s, "fifo", "placement=count");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 1000, 1);
    small_run(&s);
    struct out *out = out_memory();
    size_t n;
    ck_assert(!snapshot_print(s.sim, &about, out, &s.err));
    (void)out_memory_text(out, &n);
    ck_assert_uint_eq(n, 0);
    out_discard(out);
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    harness_contains(s.err.msg, "only counts");
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot");
    TCase *tcase = tcase_create("snapshot");
    tcase_add_test(tcase, all_is_there);
    tcase_add_test(tcase, tasks_keep_their_order_and_state);
    tcase_add_test(tcase, counted_devices_have_no_place);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
