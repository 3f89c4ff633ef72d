/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of native traces: its output reads back as the same jobs, with every column used. */
#include "traces/trace_internal.h"

#include "tests/lib/harness.h"

#include <string.h>

#define WAYS 9
#define ALL  (TRACE_LINKS | TRACE_DEADLINES | TRACE_PARTS)

static struct trace_names make_names(void)
{
    return (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
}

static void free_names(struct trace_names names)
{
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
}

static uint32_t add(struct symbols *symbols, const char *name)
{
    return symbols_add(symbols, name, strlen(name));
}

static void same_job(const struct trace_job *a, const struct trace_names *an,
                     const struct trace_job *b, const struct trace_names *bn)
{
    ck_assert_str_eq(a->id, b->id);
    ck_assert_str_eq(symbols_name(an->queues, a->queue), symbols_name(bn->queues, b->queue));
    ck_assert_str_eq(symbols_name(an->users, a->user), symbols_name(bn->users, b->user));
    ck_assert_int_eq(a->model == SYMBOL_NONE, b->model == SYMBOL_NONE);
    if (a->model != SYMBOL_NONE)
        ck_assert_str_eq(symbols_name(an->models, a->model), symbols_name(bn->models, b->model));
    ck_assert_int_eq(a->recorded_on == SYMBOL_NONE, b->recorded_on == SYMBOL_NONE);
    if (a->recorded_on != SYMBOL_NONE)
        ck_assert_str_eq(symbols_name(an->nodes, a->recorded_on),
                         symbols_name(bn->nodes, b->recorded_on));
    ck_assert_int_eq(a->class, b->class);
    ck_assert_int_eq(a->status, b->status);
    ck_assert_int_eq(a->priority, b->priority);
    ck_assert_int_eq(a->preemptible, b->preemptible);
    ck_assert_int_eq(a->submit_ms, b->submit_ms);
    ck_assert_int_eq(a->eligible_ms, b->eligible_ms);
    ck_assert_int_eq(a->duration_ms, b->duration_ms);
    ck_assert_int_eq(a->limit_ms, b->limit_ms);
    ck_assert_int_eq(a->estimate_ms, b->estimate_ms);
    ck_assert_int_eq(a->start_ms, b->start_ms);
    ck_assert_int_eq(a->think_ms, b->think_ms);
    ck_assert_str_eq(a->array, b->array);
    ck_assert_int_eq(a->array_limit, b->array_limit);
    ck_assert_str_eq(a->rungs, b->rungs);
    ck_assert_int_eq(a->eta_milli, b->eta_milli);
    ck_assert_int_eq(a->gpus_total, b->gpus_total);
    ck_assert_int_eq(a->tasks, b->tasks);
    ck_assert_int_eq(a->min_tasks, b->min_tasks);
    ck_assert_int_eq(a->max_tasks, b->max_tasks);
    ck_assert_int_eq(a->gpus, b->gpus);
    ck_assert_int_eq(a->gpu_milli, b->gpu_milli);
    ck_assert_int_eq(a->gpu_mem_mib, b->gpu_mem_mib);
    ck_assert_int_eq(a->gpu_mem_limit_mib, b->gpu_mem_limit_mib);
    ck_assert_str_eq(a->mig, b->mig);
    ck_assert_int_eq(a->cpu_milli, b->cpu_milli);
    ck_assert_int_eq(a->mem_mib, b->mem_mib);
    ck_assert_uint_eq(a->gpu_types, b->gpu_types);
    ck_assert_int_eq(a->checkpoint_ms, b->checkpoint_ms);
    ck_assert_int_eq(a->checkpoint_write_ms, b->checkpoint_write_ms);
    ck_assert_int_eq(a->restart_ms, b->restart_ms);
    ck_assert_int_eq(a->sm_util_ppm, b->sm_util_ppm);
    ck_assert_int_eq(a->active_ppm, b->active_ppm);
    ck_assert_str_eq(a->after, b->after);
    ck_assert_str_eq(a->topology_required, b->topology_required);
    ck_assert_str_eq(a->topology_preferred, b->topology_preferred);
    ck_assert_str_eq(a->roles, b->roles);
    ck_assert_int_eq(a->roles_milli, b->roles_milli);
    ck_assert_int_eq(a->roles_least_milli, b->roles_least_milli);
    ck_assert_int_eq(a->on_failure, b->on_failure);
}

/* Reads the text as a file and expects the jobs in `expected`, in this order. */
static void reads_back(struct out *out, const struct trace_job *expected, size_t count,
                       const struct trace_names *names)
{
    char path[256];
    size_t n;
    const char *text = out_memory_text(out, &n);
    harness_file(path, sizeof path, ".csv", text, n);
    struct trace_names read_names = make_names();
    // Types only keep their numbers if they become known in the same order.
    for (uint32_t i = 0; i < symbols_count(names->gpu_types); i++)
        add(read_names.gpu_types, symbols_name(names->gpu_types, i));
    struct trace *trace;
    struct trace_job job;
    struct err err = {.msg = ""};
    bool opened =
        trace_open(&trace, &(struct trace_options){.path = path, .names = read_names}, &err);
    ck_assert_msg(opened, "%s", err.msg);
    ck_assert_str_eq(trace_format_name(trace), "native");
    for (size_t i = 0; i < count; i++) {
        enum trace_result result = trace_next(trace, &job, &err);
        ck_assert_msg(result == TRACE_JOB, "job %zu: %s", i, err.msg);
        ck_assert_uint_eq(job.row, i);
        same_job(&job, &read_names, &expected[i], names);
    }
    ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_END);
    (void)trace_notes(trace, &n);
    ck_assert_uint_eq(n, 0);
    trace_close(trace);
    free_names(read_names);
    harness_forget(path);
}

/* A job per way to request GPUs, with every other member away from its default somewhere. */
static size_t make_jobs(struct trace_job *jobs, const struct trace_names *names)
{
    uint32_t queue = add(names->queues, "default"), nobody = add(names->users, "");
    add(names->gpu_types, "a100");
    add(names->gpu_types, "h100");
    for (int i = 0; i < WAYS; i++) {
        trace_job_init(&jobs[i]);
        jobs[i].queue = queue;
        jobs[i].user = nobody;
        jobs[i].submit_ms = jobs[i].eligible_ms = 1000 * i - 2500;
    }
    jobs[0].id = "plain";
    jobs[0].gpus_total = 24;
    jobs[1].id = "a, quoted \"id\"";
    jobs[1].queue = add(names->queues, "team, with comma");
    jobs[1].user = add(names->users, "eva");
    jobs[1].recorded_on = add(names->nodes, "dgx-1v");
    jobs[1].gpus = 1;
    jobs[1].gpu_milli = 250;
    jobs[1].duration_ms = 1;
    jobs[1].class = TRACE_BUILD;
    jobs[1].status = TRACE_CANCELLED;
    jobs[1].sm_util_ppm = 123456;
    jobs[1].active_ppm = 1000000;
    jobs[2].id = "gang";
    jobs[2].tasks = 4;
    jobs[2].min_tasks = 2;
    jobs[2].max_tasks = 8;
    jobs[2].gpus = 8;
    jobs[2].cpu_milli = 12500;
    jobs[2].mem_mib = 65536;
    jobs[2].gpu_types = 3;
    jobs[2].model = add(names->models, "gpt-7b");
    jobs[2].priority = 0;
    jobs[2].preemptible = 0;
    jobs[2].class = TRACE_DISTRIBUTED;
    jobs[2].status = TRACE_FAILED;
    jobs[3].id = "mig";
    jobs[3].mig = "3g.40gb";
    jobs[3].gpu_types = 2;
    jobs[3].priority = -5;
    jobs[4].id = "memory";
    jobs[4].gpus = 2;
    jobs[4].gpu_mem_mib = 20480;
    jobs[4].gpu_mem_limit_mib = 40960;
    jobs[4].preemptible = 1;
    jobs[4].think_ms = 1500;
    jobs[4].array = "sweep";
    jobs[4].array_limit = 4;
    jobs[4].rungs = "0.5|60";
    jobs[4].eta_milli = 2500;
    jobs[5].id = "times";
    jobs[5].gpus_total = 0;
    jobs[5].duration_ms = 86400123;
    jobs[5].eligible_ms = jobs[5].submit_ms + 60001;
    jobs[5].limit_ms = 90000000;
    jobs[5].estimate_ms = 80000500;
    jobs[5].start_ms = 70000;
    jobs[5].checkpoint_ms = 3600000;
    jobs[5].checkpoint_write_ms = 30000;
    jobs[5].restart_ms = 0;
    jobs[6].id = "rest";
    jobs[6].gpus_total = 1;
    jobs[6].after = "plain|gang";
    jobs[6].topology_required = "rack";
    jobs[6].topology_preferred = "nvlink";
    jobs[6].sm_util_ppm = 0;
    jobs[7].id = "cpu only";
    jobs[7].gpus = 0;
    jobs[7].tasks = jobs[7].min_tasks = jobs[7].max_tasks = 3;
    jobs[8].id = "roles";
    struct err err = {.msg = ""};
    ck_assert(trace_job_set_roles(
        &jobs[8], "[ring] required=rack; w tasks=4 min=3 gpus=2 in=ring; ps tasks=2",
        names->gpu_types, &err));
    jobs[8].on_failure = TRACE_CONTINUE;
    return WAYS;
}

START_TEST(every_column_reads_back)
{
    struct trace_names names = make_names();
    struct trace_job jobs[WAYS];
    size_t count = make_jobs(jobs, &names);
    struct out *out = out_memory();
    trace_write_header(out, ALL);
    for (size_t i = 0; i < count; i++)
        trace_write_job(out, &jobs[i], &names, ALL);
    reads_back(out, jobs, count, &names);
    out_discard(out);
    free_names(names);
}
END_TEST

START_TEST(header_and_rows_have_the_same_columns)
{
    struct trace_names names = make_names();
    struct trace_job jobs[WAYS];
    make_jobs(jobs, &names);
    struct out *out = out_memory();
    trace_write_header(out, ALL);
    trace_write_job(out, &jobs[0], &names, ALL);
    const char *text = out_memory_text(out, NULL), *row = strchr(text, '\n') + 1;
    int columns = 0, fields = 0;
    for (const char *c = text; c < row; c++)
        columns += *c == ',';
    for (const char *c = row; *c; c++)
        fields += *c == ',';
    ck_assert_int_eq(columns, fields);
    ck_assert_int_eq(strncmp(text, "job_id,submit_s,duration_s,gpus,", 32), 0);
    ck_assert_int_eq(strncmp(row, "plain,-2.5,0,24,default,,,completed,", 36), 0);
    out_discard(out);
    free_names(names);
}
END_TEST

START_TEST(generated_traces_read_back)
{
    enum { JOBS = 300 };
    static const struct trace_parameter count = {"jobs", JOBS};
    static const char *const profiles[] = {"batch", "teams"};
    struct trace_names names = make_names();
    struct trace_job jobs[JOBS];
    char ids[JOBS][24];
    struct trace *trace;
    struct err err;
    ck_assert(trace_generate(
        &trace,
        &(struct trace_generate_options){
            .profile = profiles[_i], .parameters = &count, .parameter_count = 1, .names = names},
        &err));
    struct out *out = out_memory();
    trace_write_header(out, ALL);
    for (int i = 0; i < JOBS; i++) {
        ck_assert_int_eq(trace_next(trace, &jobs[i], &err), TRACE_JOB);
        trace_write_job(out, &jobs[i], &names, ALL);
        (void)snprintf(ids[i], sizeof ids[i], "%s", jobs[i].id);
        jobs[i].id = ids[i];
    }
    reads_back(out, jobs, JOBS, &names);
    out_discard(out);
    trace_close(trace);
    free_names(names);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("write");
    TCase *tcase = tcase_create("write");
    tcase_add_test(tcase, every_column_reads_back);
    tcase_add_test(tcase, header_and_rows_have_the_same_columns);
    tcase_add_loop_test(tcase, generated_traces_read_back, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
