/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of jobs, on a fleet of nodes of 8 GPUs and 64 CPUs. */
#include "policies/adapters/slurm/request.h"
#include "tests/lib/harness.h"

#include <string.h>

static struct request_world fleet(void)
{
    return (struct request_world){
        .most_gpus = 8, .most_cpus = 64, .counts_cpus = true, .counts_memory = true};
}

/* A job without requests. */
static struct view_job plain(void)
{
    return (struct view_job){.partition = "",
                             .account = "",
                             .qos = "",
                             .comment = "",
                             .dependency = "",
                             .gpus_per_job = "",
                             .gpus_per_node = "",
                             .gpus_per_task = "",
                             .gpus_per_socket = "",
                             .cpus_per_gpu = "",
                             .mem_per_gpu = "",
                             .features = "",
                             .excluded_nodes = "",
                             .wanted_nodes = "",
                             .reservation = "",
                             .licenses = "",
                             .nodes = 1,
                             .tasks = 1,
                             .cpus = 1};
}

static const struct {
    const char *job, *node, *task;
    uint32_t nodes, tasks, tasks_per_node;
    bool exclusive;
    uint32_t gives_nodes; /* 0: refused */
    int32_t gives_gpus;
} sizes[] = {
    {"", "", "", 1, 1, 0, false, 1, 0},
    {"gres:gpu:1", "", "", 1, 1, 0, false, 1, 1},
    {"gres:gpu:8", "", "", 1, 1, 0, false, 1, 8},
    {"gres:gpu:16", "", "", 1, 1, 0, false, 2, 8},
    {"gres:gpu:32", "", "", 1, 1, 0, false, 4, 8},
    {"gres:gpu:32", "", "", 4, 4, 0, false, 4, 8},
    {"gres:gpu:12", "", "", 1, 1, 0, false, 0, 0}, // 8 + 4, or 6 + 6?
    {"gres:gpu:8", "", "", 2, 2, 0, false, 0, 0},
    {"", "gres:gpu:8", "", 4, 4, 0, false, 4, 8},
    {"", "gres:gpu:2", "", 1, 1, 0, false, 1, 2},
    {"", "gres:gpu:2", "", 3, 3, 0, false, 3, 8},   // whole: else two could be on one node
    {"", "gres:gpu:16", "", 1, 1, 0, false, 1, 16}, // never fits, which the core will say
    {"", "", "gres:gpu:1", 1, 4, 0, false, 1, 4},
    {"", "", "gres:gpu:1", 2, 8, 4, false, 2, 8},
    {"", "", "gres:gpu:1", 2, 16, 8, false, 2, 8},
    {"gres:gpu:16", "gres:gpu:8", "", 2, 2, 0, false, 2, 8},
    {"", "gres:gpu:2", "", 1, 1, 0, true, 1, 8},
    {"", "", "", 1, 1, 0, true, 1, 0},
    {"gres:shard:1", "", "", 1, 1, 0, false, 0, 0},
    {"gres:gpu:x:y:", "", "", 1, 1, 0, false, 1, 1},
    {",", "", "", 1, 1, 0, false, 0, 0},
};

START_TEST(gpus_are_divided_among_nodes)
{
    struct request_world world = fleet();
    struct view_job job = plain();
    struct request request;
    const char *why = NULL;
    job.gpus_per_job = sizes[_i].job;
    job.gpus_per_node = sizes[_i].node;
    job.gpus_per_task = sizes[_i].task;
    job.nodes = sizes[_i].nodes;
    job.tasks = sizes[_i].tasks;
    job.tasks_per_node = sizes[_i].tasks_per_node;
    job.exclusive = sizes[_i].exclusive;
    bool fine = request_of(&request, &world, &job, &why);
    ck_assert_int_eq(fine, sizes[_i].gives_nodes > 0);
    if (fine) {
        ck_assert_uint_eq(request.nodes, sizes[_i].gives_nodes);
        ck_assert_int_eq(request.gpus, sizes[_i].gives_gpus);
        ck_assert_ptr_null(why);
    } else {
        ck_assert_ptr_nonnull(why);
    }
    names_fini(&world.types);
}
END_TEST

START_TEST(cpus_and_memory_are_those_of_a_node)
{
    struct request_world world = fleet();
    struct view_job job = plain();
    struct request r;
    const char *why;
    job.gpus_per_node = "gres:gpu:8";
    job.nodes = 2;
    job.cpus = 33;
    job.mem_mib = 1000;
    job.mem_per_cpu = true;
    ck_assert(request_of(&r, &world, &job, &why));
    ck_assert_int_eq(r.cpu_milli, 17000);
    ck_assert_int_eq(r.mem_mib, 17000);
    job.mem_per_cpu = false;
    job.cpus_per_gpu = "gres:gpu:4";
    job.mem_per_gpu = "gres:gpu:512";
    ck_assert(request_of(&r, &world, &job, &why));
    ck_assert_int_eq(r.cpu_milli, 32000);
    ck_assert_int_eq(r.mem_mib, 4096);
    world.counts_cpus = world.counts_memory = false;
    ck_assert(request_of(&r, &world, &job, &why));
    ck_assert_int_eq(r.cpu_milli, 0);
    ck_assert_int_eq(r.mem_mib, 0);
    world.counts_cpus = true;
    job = plain();
    job.exclusive = true;
    ck_assert(request_of(&r, &world, &job, &why));
    ck_assert_int_eq(r.cpu_milli, 64000);
}
END_TEST

START_TEST(types_and_features_are_numbered)
{
    struct request_world world = fleet();
    struct view_job job = plain();
    struct request a, b;
    const char *why;
    ck_assert_uint_eq(names_number(&world.types, "a100"), 0);
    job.gpus_per_job = "gres:gpu:h100:2";
    job.features = "nvlink&ib";
    ck_assert(request_of(&a, &world, &job, &why));
    ck_assert_uint_eq(a.types, 1u << 1);
    ck_assert_uint_eq(a.label_count, 2);
    ck_assert_str_eq(world.labels.texts[a.labels[0]], "feature nvlink");
    ck_assert_str_eq(world.labels.texts[a.labels[1]], "feature ib");
    ck_assert(request_of(&b, &world, &job, &why));
    ck_assert(request_same(&a, &b));
    job.features = "nvlink";
    ck_assert(request_of(&b, &world, &job, &why));
    ck_assert(!request_same(&a, &b));
    names_fini(&world.types);
    names_fini(&world.labels);
}
END_TEST

START_TEST(inexpressible_values_are_refused)
{
    struct request_world world = fleet();
    struct view_job jobs[7];
    const char *const words[] = {"heterogeneous", "gpus-per-socket", "--exclude",  "reservations",
                                 "licenses",      "constraints",     "constraints"};
    for (int i = 0; i < 7; i++)
        jobs[i] = plain();
    jobs[0].heterogeneous = true;
    jobs[1].gpus_per_socket = "gres:gpu:1";
    jobs[2].excluded_nodes = "n1";
    jobs[3].reservation = "r";
    jobs[4].licenses = "matlab:1";
    jobs[5].features = "a|b";
    jobs[6].features = "[a*2&b]";
    struct request request;
    const char *why = "";
    ck_assert(!request_of(&request, &world, &jobs[_i], &why));
    ck_assert_ptr_nonnull(strstr(why, words[_i]));
}
END_TEST

START_TEST(parts_of_texts)
{
    const char *rest = "a,,bcd,e";
    char part[3];
    ck_assert_str_eq(names_next(&rest, ",", part, sizeof part), "a");
    ck_assert_str_eq(names_next(&rest, ",", part, sizeof part), "bc");
    ck_assert_str_eq(names_next(&rest, ",", part, sizeof part), "e");
    ck_assert_ptr_null(names_next(&rest, ",", part, sizeof part));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/request");
    TCase *tcase = tcase_create("requests");
    tcase_add_loop_test(tcase, gpus_are_divided_among_nodes, 0, ROWS(sizes));
    tcase_add_test(tcase, cpus_and_memory_are_those_of_a_node);
    tcase_add_test(tcase, types_and_features_are_numbered);
    tcase_add_loop_test(tcase, inexpressible_values_are_refused, 0, 7);
    tcase_add_test(tcase, parts_of_texts);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
