/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perturbed traces: load by users to within a job, without changing jobs; users drawn with
 * replacement, with all their jobs; blocks that keep hours and weekdays; names of copies and
 * references to them; equal seeds.
 */
#include "traces/vary/perturb.h"

#include "tests/lib/harness.h"
#include "traces/trace_internal.h"
#include "traces/vary/whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_MS INT64_C(3600000)
#define DAY_MS  (24 * HOUR_MS)

enum { USERS = 40, WEEKS = 5 };

struct world {
    struct trace_names names;
    struct whole source;
    struct trace *trace;
    struct trace_job job;
    struct err err;
};

/* User u submits a job of 1 + u % 3 GPUs at u % 24 o'clock of every day; it runs an hour and u
 * minutes. */
static void begin(struct world *w)
{
    *w = (struct world){.names = {symbols_create(), symbols_create(), symbols_create(),
                                  symbols_create(), symbols_create()}};
    for (int day = 0; day < 7 * WEEKS; day++)
        for (int hour = 0; hour < 24; hour++)
            for (int u = hour; u < USERS; u += 24) {
                struct trace_job job;
                char user[16], id[32], after[64];
                snprintf(user, sizeof user, "u%d", u);
                snprintf(id, sizeof id, "j%d-%d", u, day);
                snprintf(after, sizeof after, "any:j%d-%d|x", u, day - 1);
                trace_job_init(&job);
                job.id = id;
                job.after = day > 0 ? after : "";
                job.user = symbols_add(w->names.users, user, strlen(user));
                job.queue = symbols_add(w->names.queues, "q", 1);
                job.gpus_total = 1 + u % 3;
                job.submit_ms = job.eligible_ms = day * DAY_MS + hour * HOUR_MS + u;
                job.duration_ms = HOUR_MS + u * INT64_C(60000);
                whole_add(&w->source, &job);
            }
}

static void perturb(struct world *w, struct trace_perturbation wanted)
{
    struct trace *in = whole_trace(&w->source, "test");
    wanted.names = w->names;
    w->trace = trace_perturb(&in, 1, &wanted);
}

static bool next(struct world *w)
{
    enum trace_result got = trace_next(w->trace, &w->job, &w->err);
    ck_assert_msg(got >= 0, "%s", got < 0 ? w->err.msg : "");
    return got == TRACE_JOB;
}

static void end(struct world *w)
{
    trace_close(w->trace);
    whole_free(&w->source);
    symbols_destroy(w->names.queues);
    symbols_destroy(w->names.users);
    symbols_destroy(w->names.gpu_types);
    symbols_destroy(w->names.models);
    symbols_destroy(w->names.nodes);
}

static double gpu_s(const struct trace_job *job)
{
    return (double)job->gpus_total * (double)job->duration_ms / 1000;
}

static int atoi_of(const char *digits)
{
    return (int)strtol(digits, NULL, 10);
}

/* The number in the user's name: the original user. */
static int number_of(const struct world *w)
{
    return atoi_of(symbols_name(w->names.users, w->job.user) + 1);
}

static const double loads[] = {0.3, 0.5, 1.2, 3};

/* Jobs keep the user's size, run time and hour; times do not fall, ids are unique by user. */
START_TEST(test_load)
{
    struct world w;
    begin(&w);
    double source = 0, made = 0, most = 0;
    for (size_t i = 0; i < w.source.count; i++) {
        source += gpu_s(&w.source.jobs[i]);
        most = gpu_s(&w.source.jobs[i]) > most ? gpu_s(&w.source.jobs[i]) : most;
    }
    perturb(&w, (struct trace_perturbation){.load = loads[_i], .seed = 5});
    int64_t last_ms = 0;
    struct symbols *ids = symbols_create();
    uint32_t count = 0;
    for (; next(&w); count++) {
        int u = number_of(&w);
        ck_assert_int_ge(w.job.submit_ms, last_ms);
        last_ms = w.job.submit_ms;
        ck_assert_int_eq(w.job.gpus_total, 1 + u % 3);
        ck_assert_int_eq(w.job.duration_ms, HOUR_MS + u * INT64_C(60000));
        ck_assert_int_eq(w.job.submit_ms % DAY_MS, u % 24 * HOUR_MS + u);
        ck_assert_int_eq(w.job.eligible_ms, w.job.submit_ms);
        symbols_add(ids, w.job.id, strlen(w.job.id));
        made += gpu_s(&w.job);
    }
    ck_assert_uint_eq(symbols_count(ids), count);
    ck_assert_double_eq_tol(made, loads[_i] * source, most);
    symbols_destroy(ids);
    end(&w);
}
END_TEST

/* As many users, each with all 35 jobs, one a day; copies of a user have other names, and refer to
 * their own jobs. */
START_TEST(test_resample)
{
    struct world w;
    begin(&w);
    perturb(&w, (struct trace_perturbation){.load = 1, .resample = true, .seed = 2});
    enum { MOST = 3 * USERS };
    int jobs[MOST] = {0}, users = 0, copies = 0;
    while (next(&w)) {
        ck_assert_uint_lt(w.job.user, MOST);
        jobs[w.job.user]++;
        const char *mark = strchr(w.job.id, '#');
        const char *name = symbols_name(w.names.users, w.job.user);
        ck_assert((mark != NULL) == (strchr(name, '#') != NULL));
        if (mark != NULL) {
            ck_assert_str_eq(mark, strchr(name, '#'));
            ck_assert(w.job.after[0] == '\0' ||
                      strncmp(strchr(w.job.after, '#'), mark, strlen(mark)) == 0);
        }
    }
    for (int u = 0; u < MOST; u++) {
        ck_assert(jobs[u] == 0 || jobs[u] == 7 * WEEKS);
        users += jobs[u] > 0;
        copies += u >= USERS && jobs[u] > 0;
    }
    ck_assert_int_eq(users, USERS);
    ck_assert_int_gt(copies, 5); /* a third of them should be copies: 1 / e */
    ck_assert_int_lt(copies, 25);
    end(&w);
}
END_TEST

/* Every day has all jobs of a day, at their hours. */
START_TEST(test_blocks)
{
    struct world w;
    begin(&w);
    perturb(&w, (struct trace_perturbation){.load = 1, .block_ms = DAY_MS, .seed = 2});
    int days[7 * WEEKS] = {0}, moved = 0;
    while (next(&w)) {
        ck_assert_int_lt(w.job.submit_ms, 7 * WEEKS * DAY_MS);
        days[w.job.submit_ms / DAY_MS]++;
        int u = number_of(&w), day = atoi_of(strchr(w.job.id, '-') + 1);
        ck_assert_int_eq(w.job.submit_ms % DAY_MS, u % 24 * HOUR_MS + u);
        bool same = day == w.job.submit_ms / DAY_MS;
        ck_assert((strchr(w.job.id, '~') == NULL) == same);
        moved += !same;
    }
    for (int d = 0; d < 7 * WEEKS; d++)
        ck_assert_int_eq(days[d], USERS);
    ck_assert_int_gt(moved, 20 * USERS);
    end(&w);
}
END_TEST

/* Two traces: each day is the same day of one of them. */
START_TEST(test_splice)
{
    struct world a, b;
    begin(&a);
    begin(&b);
    for (size_t i = 0; i < b.source.count; i++)
        b.source.jobs[i].gpus_total = 77;
    struct trace *in[] = {whole_trace(&a.source, "test"), whole_trace(&b.source, "test")};
    struct trace_perturbation wanted = {.load = 1, .block_ms = DAY_MS, .seed = 2, .names = a.names};
    a.trace = trace_perturb(in, 2, &wanted);
    int days[7 * WEEKS] = {0}, of_b = 0;
    while (next(&a)) {
        int64_t day = a.job.submit_ms / DAY_MS;
        ck_assert_int_eq(atoi_of(strchr(a.job.id, '-') + 1), day);
        days[day] += a.job.gpus_total == 77 ? 1000 : 1;
    }
    for (int d = 0; d < 7 * WEEKS; d++) {
        ck_assert(days[d] == USERS || days[d] == 1000 * USERS);
        of_b += days[d] == 1000 * USERS;
    }
    ck_assert_int_gt(of_b, 7);
    ck_assert_int_lt(of_b, 28);
    end(&a);
    end(&b);
}
END_TEST

START_TEST(test_equal_seeds)
{
    struct world a, b;
    begin(&a);
    begin(&b);
    struct trace_perturbation wanted = {
        .load = 1.7, .resample = true, .block_ms = DAY_MS, .seed = 3};
    perturb(&a, wanted);
    perturb(&b, wanted);
    while (next(&a)) {
        ck_assert(next(&b));
        ck_assert_str_eq(a.job.id, b.job.id);
        ck_assert_int_eq(a.job.submit_ms, b.job.submit_ms);
    }
    ck_assert(!next(&b));
    end(&a);
    end(&b);
}
END_TEST

START_TEST(jobs_without_users_cannot_be_resampled)
{
    struct world w;
    begin(&w);
    for (size_t i = 0; i < w.source.count; i++)
        w.source.jobs[i].user = 0;
    perturb(&w, (struct trace_perturbation){.load = 1, .resample = true, .seed = 3});
    ck_assert_int_eq(trace_next(w.trace, &w.job, &w.err), TRACE_ERROR);
    harness_contains(w.err.msg, "names fewer than 2 users, expected at least 2");
    end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perturb");
    TCase *tcase = tcase_create("perturb");
    tcase_add_loop_test(tcase, test_load, 0, (int)(sizeof loads / sizeof *loads));
    tcase_add_test(tcase, test_resample);
    tcase_add_test(tcase, test_blocks);
    tcase_add_test(tcase, test_splice);
    tcase_add_test(tcase, test_equal_seeds);
    tcase_add_test(tcase, jobs_without_users_cannot_be_resampled);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
