/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fragmentation: typical tasks of hand-made lists and of the published one (if available), and the
 * fragment of nodes by hand, a row of the definition each.
 */
#include "report/measure/frag.h"
#include "tests/lib/harness.h"
#include "traces/trace_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- typical tasks ---- */

static struct trace_job job_of(int64_t cpu, int gpus, int milli)
{
    struct trace_job job;
    trace_job_init(&job);
    job.cpu_milli = cpu;
    job.gpus = gpus;
    job.gpu_milli = milli;
    return job;
}

START_TEST(the_commonest_tasks_make_up_95_percent)
{
    struct trace_job jobs[100];
    for (int i = 0; i < 100; i++) /* 50 of a kind, 30, 15, 5 */
        jobs[i] = i < 50   ? job_of(4000, 1, 500)
                  : i < 80 ? job_of(8000, 1, 0)
                  : i < 95 ? job_of(1000, 0, 0)
                           : job_of(9000, 8, 0);
    jobs[3].mem_mib = 77; /* memory does not distinguish kinds */
    struct frag_typical typical;
    frag_typical_init(&typical, jobs, 100, 8);
    ck_assert_uint_eq(typical.count, 3); /* 95 of 100 are enough */
    ck_assert_uint_eq(typical.tasks[0].count, 50);
    ck_assert_int_eq(typical.tasks[0].milli, 500);
    ck_assert_int_eq(typical.tasks[1].milli, 1000);
    ck_assert_int_eq(typical.tasks[2].gpus, 0);
    ck_assert_int_eq(typical.tasks[2].milli, 0);
    ck_assert_double_eq_tol(typical.tasks[0].weight, 50.0 / 95, 1e-15);
    ck_assert_double_eq_tol(typical.tasks[2].weight, 15.0 / 95, 1e-15);
    frag_typical_fini(&typical);
}
END_TEST

/* Equally common: larger CPU first, then larger share, then more devices, then types. */
START_TEST(ties_go_to_the_larger_task)
{
    struct trace_job jobs[6] = {
        job_of(1000, 1, 300), job_of(2000, 1, 300), job_of(1000, 1, 600),
        job_of(1000, 2, 0),   job_of(1000, 1, 0),   job_of(1000, 1, 0),
    };
    jobs[4].gpu_types = 1;
    jobs[5].gpu_types = 2;
    struct frag_typical typical;
    frag_typical_init(&typical, jobs, 6, 8);
    static const struct {
        int64_t cpu;
        int milli, gpus;
        uint64_t types;
    } order[] = {{2000, 300, 1, 0},
                 {1000, 1000, 2, 0},
                 {1000, 1000, 1, 2},
                 {1000, 1000, 1, 1},
                 {1000, 600, 1, 0}};
    ck_assert_uint_eq(typical.count, 6); /* 5 of 6 are less than 95 % */
    for (int i = 0; i < ROWS(order); i++) {
        ck_assert_int_eq(typical.tasks[i].cpu_milli, order[i].cpu);
        ck_assert_int_eq(typical.tasks[i].milli, order[i].milli);
        ck_assert_int_eq(typical.tasks[i].gpus, order[i].gpus);
        ck_assert_uint_eq(typical.tasks[i].types, order[i].types);
    }
    frag_typical_fini(&typical);
}
END_TEST

/* Equal sets of types with different spellings are different tasks; of equally common ones, the
 * larger text comes first. */
START_TEST(types_are_compared_in_words)
{
    struct trace_job jobs[20];
    for (int i = 0; i < 20; i++) {
        jobs[i] = job_of(1000, 1, 0);
        jobs[i].gpu_types = 3;
        jobs[i].gpu_spec = i < 8 ? "A|B" : i < 16 ? "A|B|B" : "B|A";
    }
    struct frag_typical typical;
    frag_typical_init(&typical, jobs, 20, 8);
    ck_assert_uint_eq(typical.count, 3);
    ck_assert_uint_eq(typical.all, 20);
    ck_assert_uint_eq(typical.tasks[0].count, 8);
    ck_assert_uint_eq(typical.tasks[1].count, 8);
    ck_assert_uint_eq(typical.tasks[2].count, 4);
    for (int i = 0; i < 4; i++) /* equally common: by text */
        jobs[i].gpu_spec = "B|A";
    for (int i = 0; i < 4; i++)
        jobs[8 + i].gpu_types = 5;
    frag_typical_fini(&typical);
    frag_typical_init(&typical, jobs, 20, 8);
    ck_assert_uint_eq(typical.count, 4);
    ck_assert_uint_eq(typical.tasks[0].count, 8); /* B|A */
    ck_assert_uint_eq(typical.tasks[1].types, 5); /* A|B|B */
    ck_assert_uint_eq(typical.tasks[2].types, 3);
    ck_assert_uint_eq(typical.tasks[3].count, 4); /* A|B */
    frag_typical_fini(&typical);
}
END_TEST

/* 20 GPUs on nodes of 8 are two tasks of 8 and one of 4; a job of three tasks counts three times.
 */
START_TEST(tasks_are_counted_not_jobs)
{
    struct trace_job jobs[2] = {job_of(0, 0, 0), job_of(0, 1, 0)};
    jobs[0].gpus_total = 20;
    jobs[1].tasks = jobs[1].min_tasks = jobs[1].max_tasks = 3;
    struct frag_typical typical;
    frag_typical_init(&typical, jobs, 2, 8);
    ck_assert_uint_eq(typical.all, 6);
    ck_assert_uint_eq(typical.count, 3);
    ck_assert_int_eq(typical.tasks[0].gpus, 1);
    ck_assert_uint_eq(typical.tasks[0].count, 3);
    ck_assert_int_eq(typical.tasks[1].gpus, 8);
    ck_assert_uint_eq(typical.tasks[1].count, 2);
    ck_assert_int_eq(typical.tasks[2].gpus, 4);
    frag_typical_fini(&typical);
}
END_TEST

/* Half a device, and 20,000 MiB of one: two kinds. On devices of 40,000 MiB both are 500, elsewhere
 * the second does not fit. */
START_TEST(memory_of_devices_is_a_kind_of_its_own)
{
    struct trace_job jobs[3] = {job_of(0, 1, 500), job_of(0, 1, 0), job_of(0, 1, 0)};
    jobs[1].gpu_mem_mib = jobs[2].gpu_mem_mib = 20000;
    struct frag_typical typical;
    frag_typical_init(&typical, jobs, 3, 8);
    ck_assert_uint_eq(typical.count, 2);
    ck_assert_uint_eq(typical.tasks[0].count, 2);
    ck_assert_int_eq(typical.tasks[0].device_mem_mib, 20000);
    ck_assert_int_eq(typical.tasks[1].milli, 500);
    uint16_t used[] = {400, 600}; /* 600 and 400 are left: 400 is too small for half a device */
    struct fleet_node node = {
        .gpus = 2, .cpu_milli = -1, .milli_used = 1000, .device_mem_mib = 40000, .used = used};
    ck_assert_double_eq_tol(frag_of_node(&typical, &node), 400, 1e-9);
    node.device_mem_mib = 0; /* unknown memory: all of the 1000 for two of three tasks */
    ck_assert_double_eq_tol(frag_of_node(&typical, &node), (2 * 1000 + 400) / 3.0, 1e-9);
    frag_typical_fini(&typical);
}
END_TEST

/* More tasks, and more kinds of them, than the initial capacity; each kind occurs repeatedly. */
START_TEST(many_kinds_are_counted)
{
    enum { KINDS = 3000, ROUNDS = 5 };
    struct frag_counter *counter = frag_counter_create(8);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < KINDS; i++) {
            struct trace_job job = job_of(i, 1, 0);
            frag_counter_add(counter, &job);
        }
    struct trace_job common = job_of(7, 0, 0);
    for (int i = 0; i < 100; i++)
        frag_counter_add(counter, &common);
    struct frag_typical typical;
    frag_counter_finish(counter, &typical);
    ck_assert_uint_eq(typical.all, KINDS * ROUNDS + 100);
    ck_assert_uint_eq(typical.tasks[0].count, 100);
    /* (15100 x 0.95 - 100) / 5 = 2849 more */
    ck_assert_uint_eq(typical.count, 2850);
    for (size_t i = 1; i < typical.count; i++) {
        ck_assert_uint_eq(typical.tasks[i].count, ROUNDS);
        ck_assert_int_eq(typical.tasks[i].cpu_milli, KINDS - (int64_t)i);
    }
    frag_typical_fini(&typical);
}
END_TEST

START_TEST(no_jobs_no_tasks)
{
    struct frag_typical typical;
    struct fleet_node node = {.gpus = 1, .cpu_milli = -1, .used = (uint16_t[]){0}};
    frag_typical_init(&typical, NULL, 0, 8);
    ck_assert_uint_eq(typical.count, 0);
    ck_assert_double_eq(frag_of_node(&typical, &node), 0);
    frag_typical_fini(&typical);
}
END_TEST

/* The published list, and the 35 groups that an independent program found in it. */
START_TEST(typical_tasks_are_the_published_ones)
{
    char list[512], expected[512];
    if (!harness_shared(list, sizeof list, "traces/alibaba-gpu-2023/openb_pod_list_default.csv") ||
        !harness_shared(expected, sizeof expected, "expected/fgd/typical_pods_default.csv"))
        return;
    struct trace_names names = {symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
    struct trace *trace;
    struct err err = {0};
    struct trace_options options = {.path = list, .names = names, .sort = true};
    ck_assert_msg(trace_open(&trace, &options, &err), "%s", err.msg);
    enum { MOST = 10000 };
    struct trace_job *jobs = calloc(MOST, sizeof *jobs);
    size_t count = 0;
    while (count < MOST && trace_next(trace, &jobs[count], &err) == TRACE_JOB)
        count++;
    ck_assert_uint_eq(count, 8152);
    struct frag_typical typical;
    frag_typical_init(&typical, jobs, count, 8);
    ck_assert_uint_eq(typical.count, 35);
    FILE *file = fopen(expected, "rb");
    char line[256];
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    for (size_t i = 0; i < typical.count; i++) {
        long long cpu, gpus, milli, group;
        char spec[64] = "";
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
        char *from = strchr(line, ',') + 1;
        int got = sscanf(from, "%lld,%lld,%lld,%63[^,],%lld,", &cpu, &gpus, &milli, spec, &group);
        if (got < 4) /* no spec */
            ck_assert_int_eq(sscanf(from, "%lld,%lld,%lld,,%lld,", &cpu, &gpus, &milli, &group), 4);
        ck_assert_int_eq(typical.tasks[i].cpu_milli, cpu);
        ck_assert_int_eq(typical.tasks[i].gpus, gpus);
        ck_assert_int_eq(typical.tasks[i].milli, milli);
        ck_assert_uint_eq(typical.tasks[i].count, (uint64_t)group);
        ck_assert_int_eq(typical.tasks[i].types == 0, spec[0] == '\0');
        ck_assert_double_eq_tol(typical.tasks[i].weight, strtod(strrchr(line, ',') + 1, NULL),
                                1e-12);
    }
    ck_assert_ptr_null(fgets(line, sizeof line, file));
    (void)fclose(file);
    frag_typical_fini(&typical);
    free(jobs);
    trace_close(trace);
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
}
END_TEST

/* ---- nodes ---- */

/*
 * A node of four devices of type 1 with 1000, 1000, 400 and 0 thousandths left, and 8 of 16 cores.
 * R = 2400. The fragment for one task: R if it does not fit or needs no GPU, else the rest on
 * devices that are too small for it.
 */
static const struct {
    const char *what;
    int64_t cpu;
    int gpus, milli;
    uint64_t types;
    double fragment;
} fragments[] = {
    {"wants no GPU", 1000, 0, 0, 0, 2400},
    {"wants no GPU, CPU short", 9000, 0, 0, 0, 2400},
    {"wrong type", 1000, 1, 1000, 1, 2400},
    {"right type", 1000, 1, 1000, 2, 400},
    {"one of several types", 1000, 1, 1000, 3, 400},
    {"share that fits anywhere", 1000, 1, 400, 0, 0},
    {"share that is larger than the rest of a device", 1000, 1, 401, 0, 400},
    {"two whole ones", 1000, 2, 1000, 0, 400},
    {"three whole ones: too few", 1000, 3, 1000, 0, 2400},
    {"shares of three devices", 1000, 3, 400, 0, 0},
    {"shares of four: too few", 1000, 4, 400, 0, 2400},
    {"CPU just enough", 8000, 1, 1000, 0, 400},
    {"CPU short", 8001, 1, 1000, 0, 2400},
};

START_TEST(fragments_follow_the_definition)
{
    uint16_t used[] = {0, 0, 600, 1000};
    struct fleet_node node = {.gpus = 4,
                              .gpu_type = 1,
                              .cpu_milli = 16000,
                              .cpu_used = 8000,
                              .milli_used = 1600,
                              .used = used};
    struct frag_task task = {.cpu_milli = fragments[_i].cpu,
                             .gpus = fragments[_i].gpus,
                             .milli = fragments[_i].milli,
                             .types = fragments[_i].types,
                             .weight = 1};
    struct frag_typical typical = {&task, 1, 1};
    ck_assert_msg(frag_of_node(&typical, &node) == fragments[_i].fragment, "%s: %g",
                  fragments[_i].what, frag_of_node(&typical, &node));
    node.cpu_milli = -1; /* not modelled: never short */
    if (strstr(fragments[_i].what, "CPU short") != NULL && task.gpus > 0)
        ck_assert_double_eq(frag_of_node(&typical, &node), 400);
}
END_TEST

START_TEST(fragments_are_weighted)
{
    uint16_t used[] = {0, 500};
    struct fleet_node node = {.gpus = 2, .cpu_milli = -1, .milli_used = 500, .used = used};
    struct frag_task tasks[] = {{.gpus = 1, .milli = 1000, .weight = 0.5},
                                {.gpus = 0, .weight = 0.25},
                                {.gpus = 1, .milli = 300, .weight = 0.25}};
    struct frag_typical typical = {tasks, 3, 4};
    ck_assert_double_eq(frag_of_node(&typical, &node), 0.5 * 500 + 0.25 * 1500);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frag");
    TCase *tcase = tcase_create("typical tasks");
    tcase_add_test(tcase, the_commonest_tasks_make_up_95_percent);
    tcase_add_test(tcase, ties_go_to_the_larger_task);
    tcase_add_test(tcase, types_are_compared_in_words);
    tcase_add_test(tcase, tasks_are_counted_not_jobs);
    tcase_add_test(tcase, memory_of_devices_is_a_kind_of_its_own);
    tcase_add_test(tcase, many_kinds_are_counted);
    tcase_add_test(tcase, no_jobs_no_tasks);
    tcase_add_test(tcase, typical_tasks_are_the_published_ones);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, fragments_follow_the_definition, 0, ROWS(fragments));
    tcase_add_test(tcase, fragments_are_weighted);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
