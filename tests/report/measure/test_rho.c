/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finish-time fairness from completion times: by arithmetic, and for those of Gavel's simulator
 * under a policy and under its `isolated` one (1/N of the cluster each), if available. The figures
 * were computed from the files independently, like the code of Shockwave (NSDI 2023) does:
 * completion time over isolated completion time.
 */
#include "report/measure/rho.h"

#include "tests/lib/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct world {
    struct rho rho;
    struct sim_queue queues[2];
    struct sim sim;
    int64_t slices[2];
};

static void begin(struct world *w)
{
    *w = (struct world){.queues = {{.name = "a"}, {.name = "b"}}, .slices = {4000, 4000}};
    w->sim.queues = w->queues;
    w->sim.queue_count = 2;
    rho_init(&w->rho);
}

static struct work_job job_of(const char *id, uint32_t queue, int64_t milli, int64_t ideal,
                              int64_t jct)
{
    struct work_job job = {.counted = true,
                           .queue = queue,
                           .gpu_milli = milli,
                           .duration_ms = ideal,
                           .submit_ms = 100,
                           .end_ms = 100 + jct};
    ck_assert_uint_lt(strlen(id), sizeof job.short_id);
    memcpy(job.short_id, id, strlen(id) + 1);
    return job;
}

static void shared(struct world *w, const struct work_job *job)
{
    struct sim_observer o = rho_observer(&w->rho);
    o.ended(o.self, &w->sim, job);
}

static void alone(struct world *w, const struct work_job *job)
{
    struct rho_alone a = {&w->rho, w->queues[job->queue].name};
    struct sim_observer o = rho_alone_observer(&a);
    o.ended(o.self, &w->sim, job);
}

START_TEST(by_arithmetic)
{
    struct world w;
    begin(&w);
    const struct work_job jobs[] = {job_of("x", 0, 4000, 50, 100), job_of("y", 0, 8000, 50, 150),
                                    job_of("z", 1, 1000, 0, 0), job_of("u", 1, 1000, 10, 30)};
    struct work_job later = job_of("x", 0, 4000, 50, 80), other = job_of("u", 1, 1000, 10, 40),
                    early = jobs[0];
    early.counted = false; /* during the warm-up */
    early.short_id[0] = 'w';
    shared(&w, &early);
    for (size_t i = 0; i < 4; i++)
        shared(&w, &jobs[i]);
    alone(&w, &later);
    alone(&w, &other);
    alone(&w, &jobs[2]);
    ck_assert_int_eq(rho_least_milli(&w.rho, 0), 4000);
    ck_assert_int_eq(rho_least_milli(&w.rho, 1), 1000);
    rho_finish(&w.rho, &w.sim, w.slices);
    /* x 100 / 80; y alone has its 50 on half the time: 150 / 100; z has no length; u 30 / 40. */
    struct rho_figures all = rho_figures_of(&w.rho, WORK_NONE), a = rho_figures_of(&w.rho, 0);
    ck_assert_uint_eq(all.jobs, 3);
    ck_assert_double_eq_tol(all.mean, (1.25 + 1.5 + 0.75) / 3, 1e-12);
    ck_assert_double_eq(all.p95, 1.5);
    ck_assert_double_eq(all.max, 1.5);
    ck_assert_double_eq_tol(all.above, 2.0 / 3, 1e-12);
    ck_assert_uint_eq(w.rho.beyond, 1);
    ck_assert_uint_eq(a.jobs, 2);
    ck_assert_double_eq_tol(a.mean, 1.375, 1e-12);
    rho_fini(&w.rho);
}
END_TEST

START_TEST(not_asked_for)
{
    const struct rho none = {0};
    struct out *out = out_memory();
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    rho_json(&none, WORK_NONE, &j);
    json_end_object(&j);
    harness_contains(out_memory_text(out, NULL), "\"mean\": null,");
    harness_contains(out_memory_text(out, NULL), "\"share_above_1\": null");
    out_discard(out);
}
END_TEST

/* ---- published completion times ---- */

static const struct {
    const char *trace, *policy;
    uint64_t jobs;
    double mean, p95, max, above;
} published[] = {
    {"cont120-multi-s1__24-0-0", "fifo_perf", 120, 2.3194071761110826, 9.0462972300322,
     31.80554108201829, 62.0 / 120},
    {"cont120-multi-s1__24-0-0", "max_min_fairness-canonical", 120, 1.0057648464720612,
     1.0932688219325197, 1.3803199575645728, 56.0 / 120},
    {"gavel-minimize_makespan__8-16-24", "fifo_perf", 100, 1.3647773109539896, 3.33950249202831,
     6.9483048770657, 0.5},
    {"static60-1gpu-s0__4-4-4", "fifo_perf", 60, 2.6279910653926515, 8.229493580417266,
     18.771573833801543, 33.0 / 60},
};

/* Reads the jobs of a file with their completion times, in microseconds as if they were
 * milliseconds. */
static bool each_job(const char *trace, const char *policy, struct world *w,
                     void (*took)(struct world *, const struct work_job *))
{
    char name[300], path[512], line[512];
    (void)snprintf(name, sizeof name, "expected/gavel/%s__%s.jobs.csv.gz", trace, policy);
    if (!harness_shared(path, sizeof path, name))
        return false;
    gzFile file = gzopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(gzgets(file, line, sizeof line));
    while (gzgets(file, line, sizeof line) != NULL) {
        const char *at = line;
        for (int column = 0; column < 7; column++) /* no field has a comma */
            at = strchr(at, ',') + 1;
        line[strcspn(line, ",")] = '\0';
        struct work_job job = job_of(line, 0, 1000, 1, llround(strtod(at, NULL) * 1e6));
        took(w, &job);
    }
    gzclose(file);
    return true;
}

START_TEST(of_published_completion_times)
{
    struct world w;
    begin(&w);
    if (each_job(published[_i].trace, published[_i].policy, &w, shared) &&
        each_job(published[_i].trace, "isolated", &w, alone)) {
        rho_finish(&w.rho, &w.sim, w.slices);
        struct rho_figures f = rho_figures_of(&w.rho, WORK_NONE);
        ck_assert_uint_eq(f.jobs, published[_i].jobs);
        ck_assert_double_eq_tol(f.mean, published[_i].mean, 1e-9);
        ck_assert_double_eq_tol(f.p95, published[_i].p95, 1e-9);
        ck_assert_double_eq_tol(f.max, published[_i].max, 1e-9);
        ck_assert_double_eq_tol(f.above, published[_i].above, 1e-9);
        ck_assert_uint_eq(w.rho.beyond, 0);
    }
    rho_fini(&w.rho);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rho");
    TCase *tcase = tcase_create("rho");
    tcase_add_test(tcase, by_arithmetic);
    tcase_add_test(tcase, not_asked_for);
    tcase_add_loop_test(tcase, of_published_completion_times, 0, ROWS(published));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
