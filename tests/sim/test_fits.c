/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that could never start: which ones they are, and that every policy ignores them. */
#include "report/measure/waits.h"
#include "sim/fits.h"
#include "tests/sim/small.h"

/* ---- capacity of an empty fleet ---- */

/* Three nodes of 8 devices in racks 0, 0 and 1, 64 cores and 1,000 MiB each, and one of 4 devices
 * of type 1 in rack 1. */
static void build(struct small *s, const char *preset)
{
    small_begin(s, preset, "");
    fleet_add_level(&s->fleet, "rack");
    fleet_close_levels(&s->fleet);
    uint32_t pool = 0;
    static const char *const names[] = {"n0", "n1", "n2", "n3"};
    static uint32_t racks[4];
    for (uint32_t i = 0; i < 4; i++) {
        if (i % 3 == 0)
            pool = fleet_add_pool(&s->fleet, i == 0 ? "p" : "q");
        racks[i] = fleet_domain(&s->fleet, 0, i < 2 ? "r0" : "r1");
        fleet_add_node(&s->fleet, &(struct fleet_node){.name = names[i],
                                                       .pool = pool,
                                                       .gpu_type = i / 3,
                                                       .rank = i,
                                                       .gpus = i < 3 ? 8 : 4,
                                                       .cpu_milli = 64000,
                                                       .mem_mib = 1000,
                                                       .max_tasks = -1,
                                                       .device_mem_mib = 81920,
                                                       .domains = &racks[i]});
    }
}

static const struct {
    const char *what;
    int32_t tasks, min_tasks, devices, milli;
    int64_t cpu_milli, mem_mib, device_mem_mib;
    uint64_t types;
    int32_t rest;     /* devices of a second role of one task, 0 none */
    int32_t required; /* 1 rack, 2 node */
    uint32_t pools;   /* bits of the pools that the queue may use; 0: any */
    bool fits;
} asks[] = {
    {"a whole node", 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, true},
    {"more than a node", 1, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0, false},
    {"three nodes", 3, 3, 8, 0, 0, 0, 0, 0, 0, 0, 0, true},
    {"four of them", 4, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, false},
    {"four, elastic from three", 4, 3, 8, 0, 0, 0, 0, 0, 0, 0, 0, true},
    {"all devices", 7, 7, 4, 0, 0, 0, 0, 0, 0, 0, 0, true},
    {"one more", 29, 29, 1, 0, 0, 0, 0, 0, 0, 0, 0, false},
    {"three nodes and a remainder", 3, 3, 8, 0, 0, 0, 0, 0, 4, 0, 0, true},
    {"a remainder that is too large", 3, 3, 8, 0, 0, 0, 0, 0, 5, 0, 0, false},
    {"two nodes and it", 2, 2, 8, 0, 0, 0, 0, 0, 5, 0, 0, true},
    {"of six and six beside sixes", 3, 3, 6, 0, 0, 0, 0, 0, 6, 0, 0, false},
    {"shares of a device", 56, 56, 1, 500, 0, 0, 0, 0, 0, 0, 0, true},
    {"one more share", 57, 57, 1, 500, 0, 0, 0, 0, 0, 0, 0, false},
    {"memory of devices", 28, 28, 1, 0, 0, 0, 50000, 0, 0, 0, 0, true},
    {"twice that", 29, 29, 1, 0, 0, 0, 50000, 0, 0, 0, 0, false},
    {"more than a device has", 1, 1, 1, 0, 0, 0, 81921, 0, 0, 0, 0, false},
    {"a type", 1, 1, 4, 0, 0, 0, 0, 2, 0, 0, 0, true},
    {"too many of the type", 1, 1, 8, 0, 0, 0, 0, 2, 0, 0, 0, false},
    {"a type that is not there", 1, 1, 1, 0, 0, 0, 0, 4, 0, 0, 0, false},
    {"cores", 4, 4, 1, 0, 64000, 0, 0, 0, 0, 0, 0, true},
    {"too many", 5, 5, 1, 0, 64000, 0, 0, 0, 0, 0, 0, false},
    {"cores of no node, no device", 1, 1, 0, 0, 64001, 0, 0, 0, 0, 0, 0, false},
    {"memory of no node", 1, 1, 1, 0, 0, 1001, 0, 0, 0, 0, 0, false},
    {"two nodes of a rack", 2, 2, 8, 0, 0, 0, 0, 0, 0, 1, 0, true},
    {"three nodes of a rack", 3, 3, 8, 0, 0, 0, 0, 0, 0, 1, 0, false},
    {"two tasks on a node", 2, 2, 4, 0, 0, 0, 0, 0, 0, 2, 0, true},
    {"three tasks on a node", 3, 3, 4, 0, 0, 0, 0, 0, 0, 2, 0, false},
    {"a node of the queue's pool", 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 2, true},
    {"none of the queue's pool", 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 2, false},
    {"both pools", 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 3, true},
};

START_TEST(the_empty_fleet_holds_it_or_not)
{
    struct small s;
    build(&s, "runai");
    small_job(&s, "any", 0, 1000, 1);
    ck_assert(small_create(&s));
    struct sim_queue queue = {.pools = (uint32_t[2]){0, 1}};
    for (uint32_t pool = 0; pool < 2; pool++)
        if ((asks[_i].pools >> pool & 1) != 0)
            queue.pools[queue.pool_count++] = pool;
    struct policy_role roles[2] = {{.tasks = asks[_i].tasks, .min_tasks = asks[_i].min_tasks}};
    roles[0].request = (struct policy_request){.devices = asks[_i].devices,
                                               .device_milli = asks[_i].milli,
                                               .cpu_milli = asks[_i].cpu_milli,
                                               .mem_mib = asks[_i].mem_mib,
                                               .device_mem_mib = asks[_i].device_mem_mib,
                                               .types = asks[_i].types};
    roles[1] = roles[0];
    roles[1].tasks = roles[1].min_tasks = 1;
    roles[1].request.devices = asks[_i].rest;
    const struct sim_ask ask = {.queue = &queue,
                                .roles = roles,
                                .role_count = asks[_i].rest > 0 ? 2 : 1,
                                .required = asks[_i].required};
    ck_assert_msg(sim_could_start(s.sim, &ask) == asks[_i].fits, "%s: expected that it %s",
                  asks[_i].what, asks[_i].fits ? "fits" : "does not fit");
    small_end(&s);
}
END_TEST

/* Alone on the fleet, a job starts exactly if it could. */
START_TEST(jobs_that_could_start_do)
{
    static const char *const presets[] = {"fifo", "easy", "runai", "kube-default"};
    uint64_t random = (uint64_t)_i + 1;
    for (int round = 0; round < 20; round++) {
        struct small s;
        struct waits w = {0};
        small_begin(&s, presets[_i % ROWS(presets)], "");
        int nodes = 1 + (int)small_below(&random, 4);
        for (int i = 0; i < nodes; i++) {
            uint32_t pool = small_pool(&s, "p", 1, 1 + (int)small_below(&random, 8));
            s.fleet.nodes[i].whole_only = small_below(&random, 4) == 0;
            s.fleet.nodes[i].cpu_milli = small_below(&random, 2) == 0 ? 8000 : -1;
            s.fleet.nodes[i].max_tasks = small_below(&random, 3) == 0 ? 2 : -1;
            ck_assert_uint_eq(pool, (uint32_t)i);
        }
        struct trace_job *job = small_job(&s, "a", 0, 1000, 1 + small_below(&random, 24));
        job->cpu_milli = small_below(&random, 3) * 3000;
        small_observe(&s, waits_observer(&w));
        small_run(&s);
        waits_finish(&w, s.sim);
        ck_assert_uint_eq(w.completed + w.never_fits, 1);
        ck_assert_uint_eq(w.pending + w.running, 0);
        ck_assert_int_eq(s.sim->aside == 1, w.never_fits == 1);
        waits_fini(&w);
        small_end(&s);
    }
}
END_TEST

/* ---- under every policy ---- */

static const char *const presets[] = {"fifo",           "sjf",    "srtf",         "las",
                                      "qssf",           "easy",   "conservative", "slurm",
                                      "runai",          "static", "fgd",          "best-fit",
                                      "gpu-clustering", "random", "kube-default", "gpu-packing"};

/* The first job is larger than the fleet; the second could never get a part of the node that is
 * sold whole. */
static void world(struct small *s, const char *preset)
{
    small_begin(s, preset, strcmp(preset, "las") == 0 ? "threshold_gpu_s=100" : "");
    small_pool(s, "whole", 1, 8);
    small_pool(s, "plain", 1, 2);
    s->fleet.nodes[0].whole_only = true;
    small_queue(s, "a", 0)->gpu.quota = 100000;
    small_queue(s, "b", 0)->gpu.quota = 100000;
    small_job_of(s, "a", "large", 0, 5000, 32);
    small_job_of(s, "a", "part", 0, 5000, 4);
    small_job_of(s, "a", "small", 0, 5000, 2);
    small_job_of(s, "b", "all", 1000, 5000, 8);
    small_job_of(s, "b", "next", 1000, 5000, 2);
}

START_TEST(no_policy_has_to_handle_them)
{
    struct small s;
    struct waits w = {0};
    world(&s, presets[_i]);
    small_observe(&s, waits_observer(&w));
    small_run(&s);
    waits_finish(&w, s.sim);
    ck_assert_uint_eq(w.never_fits, 2);
    ck_assert_uint_eq(w.completed, 3);
    ck_assert_uint_eq(w.pending, 0);
    ck_assert_int_eq(small_start(&s, "small"), 0);
    ck_assert_int_eq(small_start(&s, "all"), 1000);
    ck_assert_int_eq(small_start(&s, "next"), 5000);
    ck_assert_uint_eq(s.sim->pending, 0);
    ck_assert_uint_eq(s.sim->aside, 2);
    for (size_t i = 0; i < s.sim->queue_count; i++)
        ck_assert_int_eq(s.sim->queues[i].wanted_milli, 0);
    struct policy_backlog backlog;
    sim_backlog(s.sim, 0, &backlog);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_NEVER_FITS], 2);
    ck_assert_int_eq(backlog.gpu_milli[POLICY_REASON_NEVER_FITS], 36000);
    waits_fini(&w);
    small_end(&s);
}
END_TEST

/* A job above its queue's limit would fit: it waits if the policy knows limits. */
START_TEST(limits_make_jobs_wait)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 8);
    small_queue(&s, "a", 0)->gpu.limit = 4000;
    small_job_of(&s, "a", "large", 0, 5000, 8);
    small_run(&s);
    ck_assert_uint_eq(s.sim->aside, 0);
    ck_assert_uint_eq(s.sim->pending, 1);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fits");
    TCase *tcase = tcase_create("fits");
    tcase_add_loop_test(tcase, the_empty_fleet_holds_it_or_not, 0, ROWS(asks));
    tcase_add_loop_test(tcase, jobs_that_could_start_do, 0, 40);
    tcase_add_loop_test(tcase, no_policy_has_to_handle_them, 0, ROWS(presets));
    tcase_add_test(tcase, limits_make_jobs_wait);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
