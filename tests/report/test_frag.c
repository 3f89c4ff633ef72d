/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fragmentation: typical tasks of hand-made lists and of the published one (when it is here), and the fragment of
 * nodes by hand, one row of the definition each.
 */
#include "report/frag.h"
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
    jobs[3].mem_mib = 77; /* memory is no part of the kind */
    struct frag_typical typical;
    frag_typical_init(&typical, jobs, 100, 8);
    ck_assert_uint_eq(typical.count, 3); /* 95 of 100 is enough */
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
    } order[] = {
        {2000, 300,  1, 0},
        {1000, 1000, 2, 0},
        {1000, 1000, 1, 2},
        {1000, 1000, 1, 1},
        {1000, 600,  1, 0}
    };
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
    struct trace_names names = {symbols_create(), symbols_create(), symbols_create(), symbols_create()};
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
        ck_assert_double_eq_tol(typical.tasks[i].weight, strtod(strrchr(line, ',') + 1, NULL), 1e-12);
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
}
END_TEST

/* ---- nodes ---- */

/*
 * A node of four devices of type 1 with 1000, 1000, 400 and 0 thousandths left, and 8 of 16 cores. R = 2400. The
 * fragment for one task: R when it does not fit or wants none, else what is left on devices that are too small for it.
 */
static const struct {
    const char *what;
    int64_t cpu;
    int gpus, milli;
    uint64_t types;
    double fragment;
} fragments[] = {
    {"wants no GPU",                                   1000, 0, 0,    0, 2400},
    {"wants no GPU, CPU short",                        9000, 0, 0,    0, 2400},
    {"wrong type",                                     1000, 1, 1000, 1, 2400},
    {"right type",                                     1000, 1, 1000, 2, 400 },
    {"one of several types",                           1000, 1, 1000, 3, 400 },
    {"share that fits anywhere",                       1000, 1, 400,  0, 0   },
    {"share that is larger than the rest of a device", 1000, 1, 401,  0, 400 },
    {"two whole ones",                                 1000, 2, 1000, 0, 400 },
    {"three whole ones: too few",                      1000, 3, 1000, 0, 2400},
    {"shares of three devices",                        1000, 3, 400,  0, 0   },
    {"shares of four: too few",                        1000, 4, 400,  0, 2400},
    {"CPU just enough",                                8000, 1, 1000, 0, 400 },
    {"CPU short",                                      8001, 1, 1000, 0, 2400},
};

START_TEST(fragments_follow_the_definition)
{
    uint16_t used[] = {0, 0, 600, 1000};
    struct fleet_node node = {
        .gpus = 4, .gpu_type = 1, .cpu_milli = 16000, .cpu_used = 8000, .milli_used = 1600, .used = used};
    struct frag_task task = {.cpu_milli = fragments[_i].cpu,
                             .gpus = fragments[_i].gpus,
                             .milli = fragments[_i].milli,
                             .types = fragments[_i].types,
                             .weight = 1};
    struct frag_typical typical = {&task, 1, 1};
    ck_assert_msg(frag_of_node(&typical, &node) == fragments[_i].fragment, "%s: %g", fragments[_i].what,
                  frag_of_node(&typical, &node));
    node.cpu_milli = -1; /* not modelled: never short */
    if (strstr(fragments[_i].what, "CPU short") != NULL && task.gpus > 0)
        ck_assert_double_eq(frag_of_node(&typical, &node), 400);
}
END_TEST

START_TEST(fragments_are_weighted)
{
    uint16_t used[] = {0, 500};
    struct fleet_node node = {.gpus = 2, .cpu_milli = -1, .milli_used = 500, .used = used};
    struct frag_task tasks[] = {
        {.gpus = 1,     .milli = 1000,  .weight = 0.5},
        {.gpus = 0,     .weight = 0.25},
        {.gpus = 1, .milli = 300, .weight = 0.25             }
    };
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
    tcase_add_test(tcase, no_jobs_no_tasks);
    tcase_add_test(tcase, typical_tasks_are_the_published_ones);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, fragments_follow_the_definition, 0, ROWS(fragments));
    tcase_add_test(tcase, fragments_are_weighted);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
