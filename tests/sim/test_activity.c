/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that leave their devices idle end if the policy has a limit; all others keep running. Times
 * in seconds. */
#include "tests/sim/evict.h"

#include <math.h>

static struct trace_job *session(struct small *s, const char *id, int64_t submit_s,
                                 int64_t duration_s, int32_t active_ppm)
{
    struct trace_job *job = small_job_of(s, "q", id, submit_s * 1000, duration_s * 1000, 1);
    job->class = TRACE_BUILD;
    job->active_ppm = active_ppm;
    return job;
}

static void begin(struct small *s, const char *options)
{
    small_begin(s, "runai", options);
    small_pool(s, "p", 1, 4);
    small_queue(s, "q", 0)->gpu.quota = 4000;
    s->config.grace_ms = 30000;
    s->config.seed = 7;
}

static const struct {
    const char *what, *options;
    enum trace_class class;
    int32_t active_ppm, sm_util_ppm;
    int64_t end_s;
} rows[] = {
    {"never used", "idle_limit_s=600 idle_grace_s=0", TRACE_BUILD, 0, -1, 630},
    {"not at first", "idle_limit_s=600 idle_grace_s=300", TRACE_BUILD, 0, -1, 930},
    {"no limit", "", TRACE_BUILD, 0, -1, 9000},
    {"always used", "idle_limit_s=600 idle_grace_s=0", TRACE_BUILD, 1000000, -1, 9000},
    {"nothing is known", "idle_limit_s=600 idle_grace_s=0", TRACE_BUILD, -1, -1, 9000},
    {"used so little as if not", "idle_limit_s=600 idle_grace_s=0 idle_below=0.1", TRACE_BUILD,
     1000000, 50000, 630},
    {"used little", "idle_limit_s=600 idle_grace_s=0 idle_below=0.1", TRACE_BUILD, 1000000, 150000,
     9000},
    {"training has a grace of its own",
     "idle_limit_s=600 idle_grace_s=9000 idle_grace_train_s=1000", TRACE_TRAIN, 0, -1, 1630},
    {"an hour, unless said", "idle_limit_s=600", TRACE_TRAIN, 0, -1, 4230},
    {"training that uses little, evenly", "idle_limit_s=600 idle_grace_train_s=0", TRACE_TRAIN,
     100000, 400000, 630}, /* 4 % */
    {"and a little more", "idle_limit_s=600 idle_grace_train_s=0", TRACE_TRAIN, 130000, 400000,
     9000}, /* partial activity */
    {"a part of its time is enough", "idle_limit_s=600 idle_grace_train_s=0", TRACE_TRAIN, 60000,
     -1, 9000},
    {"inference is like training", "idle_limit_s=600 idle_grace_train_s=0", TRACE_INFERENCE, -1,
     49999, 630},
    {"training of which nothing is known", "idle_limit_s=600 idle_grace_train_s=0", TRACE_TRAIN, -1,
     -1, 9000},
};

START_TEST(idle_jobs_end)
{
    struct small s;
    begin(&s, rows[_i].options);
    struct trace_job *job = session(&s, "a", 0, 9000, rows[_i].active_ppm);
    job->class = rows[_i].class;
    job->sm_util_ppm = rows[_i].sm_util_ppm;
    small_run(&s);
    ck_assert_msg(small_stop(&s, "a") == rows[_i].end_s * 1000, "%s: %lld ms", rows[_i].what,
                  (long long)small_stop(&s, "a"));
    ck_assert_int_eq(small_life(&s, "a")->times_started, 1);
    small_end(&s);
}
END_TEST

/* A session's activity depends on itself alone: not on other jobs, nor on its start. */
START_TEST(sessions_are_the_same_everywhere)
{
    int64_t lasted[3];
    for (int i = 0; i < 3; i++) {
        struct small s;
        begin(&s, "idle_limit_s=1200 idle_grace_s=0");
        session(&s, "a", i == 2 ? 5000 : 0, 900000, 400000);
        if (i > 0)
            session(&s, "b", i == 2 ? 5000 : 10, 900000, 300000);
        small_run(&s);
        lasted[i] = small_stop(&s, "a") - small_start(&s, "a");
        small_end(&s);
    }
    ck_assert_int_gt(lasted[0], 1200000);
    ck_assert_int_lt(lasted[0], 900000000);
    ck_assert_int_eq(lasted[0], lasted[1]);
    ck_assert_int_eq(lasted[0], lasted[2]);
}
END_TEST

/*
 * A session that is active for a share f of each hour on average ends in its first idle phase
 * longer than the limit L. A phase is longer with probability p = exp(-L / (1 - f) h), so the
 * number of rounds before it is geometric, and the session lasts 1/p active phases, the shorter
 * idle ones, L and the grace.
 */
START_TEST(phases_have_the_right_length)
{
    enum { SESSIONS = 400 };
    const double f = 0.4;
    const double limit = 1800;
    struct small s;
    begin(&s, "idle_limit_s=1800 idle_grace_s=0");
    s.silent = true;
    s.config.audit = false;
    s.fleet.nodes[0].max_tasks = -1;
    small_pool(&s, "large", SESSIONS / 64 + 1, 64);
    s.queues[0].gpu.quota = 1000000;
    for (int i = 0; i < SESSIONS; i++)
        session(&s, "a", 0, 4000000, (int32_t)(f * 1e6));
    small_run(&s);
    double sum = 0;
    for (int i = 0; i < SESSIONS; i++)
        sum += (double)s.lives[i].end_ms / 1000.0;
    double idle = 3600 * (1 - f);
    double p = exp(-limit / idle);
    double shorter = idle - limit * p / (1 - p); /* mean of an exponential below the limit */
    double expected = 3600 * f / p + (1 / p - 1) * shorter + limit + 30;
    ck_assert_double_eq_tol(sum / SESSIONS, expected, 0.1 * expected);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("activity");
    TCase *tcase = tcase_create("activity");
    tcase_add_loop_test(tcase, idle_jobs_end, 0, ROWS(rows));
    tcase_add_test(tcase, sessions_are_the_same_everywhere);
    tcase_add_test(tcase, phases_have_the_right_length);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
