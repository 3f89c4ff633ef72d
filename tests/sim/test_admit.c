/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests: parts of devices, topology, elastic sizes; and which are refused. Times in seconds. */
#include "tests/sim/evict.h"

/* Two racks of two nodes of 2 devices with 80,000 MiB each, and a pool alone in its rack. */
static void build_with(struct small *s, const char *preset, const char *options, int mig)
{
    small_begin(s, preset, options);
    fleet_add_level(&s->fleet, "rack");
    fleet_close_levels(&s->fleet);
    uint32_t pool = fleet_add_pool(&s->fleet, "p");
    for (int i = 0; i < 4; i++) {
        char name[] = "n0";
        name[1] = (char)('0' + i);
        uint32_t domains[] = {fleet_domain(&s->fleet, 0, i < 2 ? "r0" : "r1")};
        fleet_add_node(&s->fleet, &(struct fleet_node){.name = name,
                                                       .pool = pool,
                                                       .rank = (uint32_t)i,
                                                       .gpus = 2,
                                                       .cpu_milli = -1,
                                                       .mem_mib = -1,
                                                       .max_tasks = -1,
                                                       .device_mem_mib = 80000,
                                                       .mig = mig,
                                                       .domains = domains});
    }
}

static void build(struct small *s, const char *preset, int mig)
{
    build_with(s, preset, "", mig);
}

static struct trace_job *job_of(struct small *s, const char *id, int64_t duration_s, int32_t tasks,
                                int32_t gpus)
{
    struct trace_job *job = small_job(s, id, 0, duration_s * 1000, TRACE_UNKNOWN);
    job->tasks = job->min_tasks = job->max_tasks = tasks;
    job->gpus = gpus;
    return job;
}

/* ---- parts of devices ---- */

START_TEST(memory_is_shared)
{
    struct small s;
    build(&s, "runai", POLICY_MIG_OFF);
    for (int i = 0; i < 17;
         i++) /* four fit on each of 8 devices; all but the last half of them at once */
        job_of(&s, "a", 10, 2, 1)->gpu_mem_mib = 20000;
    ck_assert(small_create(&s));
    evict_run(&s, 0);
    ck_assert_int_eq(s.fleet.milli_used, 8000);
    ck_assert_uint_eq(s.sim->running, 16);
    ck_assert_int_eq(evict_find(&s, "a")->gpu_milli, 500);
    ck_assert_int_eq(s.sim->queues[0].wanted_milli, 500);
    evict_finish(&s);
    ck_assert_int_eq(s.sim->now_ms, 20000);
    small_end(&s);
}
END_TEST

/* Three quarters and a quarter of a device's memory, and a share of a quarter: two fit, three do
 * not. */
START_TEST(memory_and_shares_mix)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 1);
    s.fleet.nodes[0].device_mem_mib = 80000;
    job_of(&s, "a", 10, 1, 1)->gpu_mem_mib = 60000;
    job_of(&s, "b", 10, 1, 1)->gpu_milli = 250;
    job_of(&s, "c", 10, 1, 1)->gpu_mem_mib = 100;
    small_run(&s);
    ck_assert_int_eq(small_start(&s, "a"), 0);
    ck_assert_int_eq(small_start(&s, "b"), 0);
    ck_assert_int_eq(small_start(&s, "c"), 10000);
    small_end(&s);
}
END_TEST

START_TEST(instances_are_made_where_they_fit)
{
    struct small s;
    build(&s, "runai", POLICY_MIG_FREE);
    static const char *const kinds[] = {"3g.40gb", "4g.40gb", "1g.10gb"};
    for (int i = 0; i < 8; i++) /* a device each */
        job_of(&s, "a", 10, 1, 0)->mig = kinds[1];
    for (int i = 0; i < 8; i++) /* beside them */
        job_of(&s, "b", 10, 1, 0)->mig = kinds[0];
    job_of(&s, "c", 10, 1, 0)->mig = kinds[2]; /* all memory is taken */
    job_of(&s, "d", 10, 1, 1);                 /* and every device */
    small_run(&s);
    ck_assert_int_eq(small_start(&s, "a"), 0);
    ck_assert_int_eq(small_start(&s, "b"), 0);
    ck_assert_int_eq(small_start(&s, "c"), 10000);
    ck_assert_int_eq(small_start(&s, "d"), 10000);
    ck_assert_int_eq(s.sim->fleet->profile_count, 3);
    small_end(&s);
}
END_TEST

START_TEST(only_fixed_instances_exist)
{
    struct small s;
    struct err err = {0};
    int profile;
    build(&s, "runai", POLICY_MIG_FIXED);
    ck_assert(fleet_profile(&s.fleet, "1g.10gb", &profile, &err));
    for (uint32_t i = 0; i < 4; i++)
        fleet_parts(&s.fleet, i)->instances[profile] = 1;
    for (int i = 0; i < 5; i++)
        job_of(&s, "a", 10, 1, 0)->mig = "1g.10gb";
    ck_assert(small_create(&s));
    evict_run(&s, 0);
    ck_assert_uint_eq(s.sim->running, 4);
    ck_assert_int_eq(s.fleet.milli_used, 4 * 143);
    evict_finish(&s);
    ck_assert_int_eq(s.sim->now_ms, 20000);
    small_end(&s);
}
END_TEST

/* ---- topology ---- */

/* 2 tasks of a whole node each, while a job of one device runs on the second node: only rack 1 has
 * room for both. */
static const struct {
    const char *required, *preferred;
    int32_t tasks;
    bool starts;
} places[] = {
    {"rack", "", 2, true},  {"", "rack", 2, true},
    {"rack", "", 3, false}, /* larger than any rack */
    {"node", "", 2, false}, {"node", "", 1, true},
    {"", "", 3, true},
};

START_TEST(tasks_stand_near_each_other)
{
    struct small s;
    build(&s, "runai", POLICY_MIG_OFF);
    job_of(&s, "one", 100, 1, 1);
    struct trace_job *job = job_of(&s, "a", 10, places[_i].tasks, 2);
    job->topology_required = places[_i].required;
    job->topology_preferred = places[_i].preferred;
    ck_assert(small_create(&s));
    evict_run(&s, 5000);
    const struct work_job *a = evict_find(&s, "a");
    ck_assert_int_eq(a->state == WORK_RUNNING, places[_i].starts);
    uint32_t rack = UINT32_MAX;
    for (uint32_t id = a->first_task; id != WORK_NONE && places[_i].required[0] == 'r';
         id = s.sim->work.tasks[id].next) {
        uint32_t here = fleet_domain_of(&s.fleet, 0, s.sim->work.tasks[id].node);
        ck_assert(rack == UINT32_MAX || rack == here);
        rack = here;
    }
    small_end(&s);
}
END_TEST

START_TEST(a_level_that_is_not_there_is_an_error)
{
    struct small s;
    build(&s, "runai", POLICY_MIG_OFF);
    job_of(&s, "a", 10, 1, 1);
    job_of(&s, "b", 10, 1, 1)->topology_required = "rak";
    ck_assert(!small_try(&s));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    harness_contains(
        s.err.msg,
        "job 'b' (row 2 of its trace): topology_required: this fleet has no level 'rak'");
    harness_contains(s.err.msg, "did you mean 'rack'?");
    small_end(&s);
}
END_TEST

/* For NVLink, a level that no pool defines is the node itself; otherwise it is unknown. */
START_TEST(nvlink_ends_at_the_node)
{
    struct small s;
    build(&s, "runai", POLICY_MIG_OFF);
    job_of(&s, "a", 10, 2, 1)->topology_required = "nvlink";
    small_run(&s);
    ck_assert_int_eq(small_start(&s, "a"), 0);
    small_end(&s);
}
END_TEST

START_TEST(whole_nodes_are_not_shared)
{
    struct small s;
    build(&s, "runai", POLICY_MIG_OFF);
    for (int i = 0; i < 3; i++)
        s.fleet.nodes[i].whole_only = true;
    job_of(&s, "a", 10, 3, 1);
    job_of(&s, "b", 10, 3, 2);
    ck_assert(small_create(&s));
    evict_run(&s, 0);
    ck_assert_int_eq(evict_find(&s, "b")->state, WORK_RUNNING);
    ck_assert_int_eq(evict_find(&s, "a")->state,
                     WORK_PENDING); /* 2 devices are left for it, of 3 */
    small_end(&s);
}
END_TEST

/* ---- requests refused where devices are only counted ---- */

static const struct {
    const char *what, *mig, *required, *preferred;
    int64_t memory;
    const char *message; /* NULL: fine */
} counted[] = {
    {"nothing special", "", "", "", 0, NULL},     {"a preference", "", "", "rack", 0, NULL},
    {"memory", "", "", "", 100, "device memory"}, {"MIG", "3g.40gb", "", "", 0, "MIG"},
    {"a level", "", "rack", "", 0, "topology"},
};

START_TEST(refusals_are_in_the_words_of_the_core)
{
    struct small s;
    build_with(&s, "fifo", "placement=count",
               counted[_i].mig[0] != '\0' ? POLICY_MIG_FREE : POLICY_MIG_OFF);
    struct trace_job *job = job_of(&s, "j7", 10, 2, counted[_i].mig[0] == '\0');
    job->row = 41;
    job->mig = counted[_i].mig;
    job->topology_required = counted[_i].required;
    job->topology_preferred = counted[_i].preferred;
    job->gpu_mem_mib = counted[_i].memory;
    bool ok = small_try(&s);
    ck_assert_msg(ok == (counted[_i].message == NULL), "%s: %s", counted[_i].what, s.err.msg);
    if (!ok) {
        ck_assert_int_eq(s.err.code, EXIT_INPUT);
        harness_contains(s.err.msg, "job 'j7' (row 42 of its trace): policy 'fifo' cannot meet");
        harness_contains(s.err.msg, counted[_i].message);
    }
    small_end(&s);
}
END_TEST

START_TEST(unknown_profiles_are_the_jobs_fault)
{
    struct small s;
    build(&s, "runai", POLICY_MIG_FREE);
    job_of(&s, "a", 10, 1, 0)->mig = "3g.20gb";
    ck_assert(!small_try(&s));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    harness_contains(s.err.msg,
                     "job 'a' (row 1 of its trace): there is not a MIG profile '3g.20gb'");
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("admit");
    TCase *tcase = tcase_create("requests");
    tcase_add_test(tcase, memory_is_shared);
    tcase_add_test(tcase, memory_and_shares_mix);
    tcase_add_test(tcase, instances_are_made_where_they_fit);
    tcase_add_test(tcase, only_fixed_instances_exist);
    tcase_add_loop_test(tcase, tasks_stand_near_each_other, 0, ROWS(places));
    tcase_add_test(tcase, a_level_that_is_not_there_is_an_error);
    tcase_add_test(tcase, nvlink_ends_at_the_node);
    tcase_add_test(tcase, whole_nodes_are_not_shared);
    tcase_add_loop_test(tcase, refusals_are_in_the_words_of_the_core, 0, ROWS(counted));
    tcase_add_test(tcase, unknown_profiles_are_the_jobs_fault);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
