/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs with initial jobs: their ends, releases and starts, computed by hand. Audited throughout. */
#include "sim/initial_state.h"
#include "tests/sim/small.h"

enum { NOW = 100000 }; /* all times below are seconds; it begins at 100 */

struct given {
    struct sim_initial_job jobs[4];
    struct trace_job about[4];
    struct policy_role roles[4];
    struct sim_initial_task tasks[4][4];
    size_t count, at;
};

static bool next(void *self, struct sim *sim, struct sim_initial_job *job, bool *more,
                 struct err *err)
{
    (void)sim, (void)err;
    struct given *given = self;
    *more = given->at < given->count;
    if (*more)
        *job = given->jobs[given->at++];
    return true;
}

/* Adds a job with one device per task, of which at least `least` must run; submitted at 0. */
static struct sim_initial_job *add(struct given *given, const char *id, int32_t tasks,
                                   int32_t least, int64_t duration_ms)
{
    size_t i = given->count++;
    trace_job_init(&given->about[i]);
    given->about[i].id = id;
    given->about[i].row = i;
    given->about[i].duration_ms = duration_ms;
    given->about[i].tasks = given->about[i].max_tasks = tasks;
    given->about[i].min_tasks = least;
    given->about[i].gpus = 1;
    given->roles[i] = (struct policy_role){.size = sizeof given->roles[i],
                                           .tasks = tasks,
                                           .min_tasks = least,
                                           .request = {.devices = 1}};
    given->jobs[i] = (struct sim_initial_job){
        .about = &given->about[i],
        .spec = {.size = sizeof given->jobs[i].spec,
                 .preemptible = true,
                 .priority = 50,
                 .limit_ms = -1,
                 .roles = &given->roles[i],
                 .role_count = 1},
        .tasks = given->tasks[i],
        .first_start_ms = WORK_NEVER,
        .last_start_ms = WORK_NEVER,
        .since_ms = POLICY_NEVER,
        .saved_ms = -1,
    };
    return &given->jobs[i];
}

static void put(struct given *given, struct sim_initial_job *job, enum sim_initial_task_state state,
                int device, int64_t release_ms)
{
    struct sim_initial_task *task = &given->tasks[job - given->jobs][job->task_count];
    *task = (struct sim_initial_task){.number = (uint32_t)job->task_count++,
                                      .state = (uint8_t)state,
                                      .devices = UINT64_C(1) << device,
                                      .release_ms = release_ms};
}

static void runs_since(struct sim_initial_job *job, int64_t since_ms, int64_t done_ms)
{
    job->first_start_ms = job->last_start_ms = job->since_ms = since_ms;
    job->done_ms = done_ms;
}

static void begin(struct small *s, struct given *given, const char *preset)
{
    memset(given, 0, sizeof *given);
    small_begin(s, preset, "");
    small_pool(s, "p", 1, 4);
    s->config.initial_state =
        (struct sim_initial_state){.self = given, .now_ms = NOW, .next = next};
}

/* `a` has done 40 of 60 s; `b` wants its devices; jobs of the trace before the beginning are left
 * out. */
START_TEST(running_jobs_continue)
{
    struct small s;
    struct given given;
    begin(&s, &given, "runai");
    struct sim_initial_job *a = add(&given, "a", 3, 3, 60000);
    for (int i = 0; i < 3; i++)
        put(&given, a, SIM_INITIAL_RUNS, i, WORK_NEVER);
    runs_since(a, 60000, 40000);
    add(&given, "b", 2, 2, 5000);
    small_job(&s, "early", 99000, 1000, 1);
    small_job(&s, "late", 101000, 1000, 1);
    small_run(&s);
    ck_assert_str_eq(s.log, "submit a 100; submit b 100; submit late 101; start late 101; end late "
                            "102; end a 120; start b 120; end b 125; ");
    small_end(&s);
}
END_TEST

/* With first come, first served, `late` must wait behind `b`. */
START_TEST(lines_keep_their_order)
{
    struct small s;
    struct given given;
    begin(&s, &given, "fifo");
    small_options(&s, "blocking=strict");
    struct sim_initial_job *a = add(&given, "a", 3, 3, 60000);
    for (int i = 0; i < 3; i++)
        put(&given, a, SIM_INITIAL_RUNS, i, WORK_NEVER);
    runs_since(a, 60000, 40000);
    add(&given, "b", 2, 2, 5000);
    small_job(&s, "late", 101000, 1000, 1);
    small_run(&s);
    ck_assert_int_eq(s.lives[2].start_ms, 120000);
    small_end(&s);
}
END_TEST

/* Devices being released are free at the end of their grace: the known one, or a full one. */
START_TEST(grace_continues)
{
    struct small s;
    struct given given;
    begin(&s, &given, "runai");
    s.config.grace_ms = 30000;
    struct sim_initial_job *a = add(&given, "a", 2, 2, 10000);
    put(&given, a, SIM_INITIAL_RELEASING, 0, _i == 0 ? NOW + 7000 : WORK_NEVER);
    put(&given, a, SIM_INITIAL_RELEASING, 1, _i == 0 ? NOW + 7000 : WORK_NEVER);
    a->first_start_ms = a->last_start_ms = 90000;
    struct sim_initial_job *b = add(&given, "b", 2, 2, 50000);
    put(&given, b, SIM_INITIAL_RUNS, 2, WORK_NEVER);
    put(&given, b, SIM_INITIAL_RUNS, 3, WORK_NEVER);
    runs_since(b, NOW, 0);
    small_run(&s);
    ck_assert_str_eq(s.log,
                     _i == 0 ? "submit a 100; submit b 100; start a 107; end a 117; end b 150; "
                             : "submit a 100; submit b 100; start a 130; end a 140; end b 150; ");
    small_end(&s);
}
END_TEST

/* One of two tasks runs: it holds its device, and no work is done until the other one runs. */
START_TEST(gangs_in_parts_stand_still)
{
    struct small s;
    struct given given;
    begin(&s, &given, "runai");
    struct sim_initial_job *gang = add(&given, "gang", 2, 2, 10000);
    put(&given, gang, SIM_INITIAL_RUNS, 0, WORK_NEVER);
    runs_since(gang, 99000, 0);
    struct sim_initial_job *other = add(&given, "other", 3, 3, 60000);
    for (int i = 1; i < 4; i++)
        put(&given, other, SIM_INITIAL_RUNS, i, WORK_NEVER);
    runs_since(other, 95000, 45000);
    small_run(&s);
    ck_assert_str_eq(s.log, "submit gang 100; submit other 100; end other 115; end gang 125; ");
    small_end(&s);
}
END_TEST

/* Two of four tasks of an elastic job: half as fast, until the others are free at 110; then the
 * rest at full speed. */
START_TEST(elastic_jobs_go_as_fast_as_they_may)
{
    struct small s;
    struct given given;
    begin(&s, &given, "runai");
    struct sim_initial_job *job = add(&given, "job", 4, 1, 40000);
    put(&given, job, SIM_INITIAL_RUNS, 0, WORK_NEVER);
    put(&given, job, SIM_INITIAL_RUNS, 1, WORK_NEVER);
    runs_since(job, 90000, 5000);
    struct sim_initial_job *other = add(&given, "other", 2, 2, 20000);
    put(&given, other, SIM_INITIAL_RUNS, 2, WORK_NEVER);
    put(&given, other, SIM_INITIAL_RUNS, 3, WORK_NEVER);
    runs_since(other, 90000, 10000);
    small_run(&s);
    /* 35 s of four tasks are left; 10 s of two do 5 of them, then 30 remain. */
    ck_assert_str_eq(s.log, "submit job 100; submit other 100; end other 110; end job 140; ");
    small_end(&s);
}
END_TEST

/* In the middle of a write of 20 s, with 5 left: then 10 s of work, to the end. */
START_TEST(phases_continue)
{
    struct small s;
    struct given given;
    begin(&s, &given, "fifo");
    s.config.checkpoints = (struct work_checkpoints){
        .given = true, .interval_ms = 30000, .write_ms = 20000, .restart_ms = 1000};
    struct sim_initial_job *job = add(&given, "job", 1, 1, 40000);
    put(&given, job, SIM_INITIAL_RUNS, 0, WORK_NEVER);
    runs_since(job, 55000, 30000);
    const struct work_progress progress = {.total = 40000,
                                           .done = 30000,
                                           .begun = 30000,
                                           .phase = PHASE_WRITE,
                                           .left_ms = 5000,
                                           .writing_ms = 5000,
                                           .launches = 1};
    job->progress = &progress;
    small_run(&s);
    ck_assert_str_eq(s.log, "submit job 100; end job 115; ");
    small_end(&s);
}
END_TEST

/* A queue may exceed its limit in the initial state: nothing is added to it. */
START_TEST(more_than_a_limit_may_be_there)
{
    struct small s;
    struct given given;
    begin(&s, &given, "runai");
    struct sim_queue *queue = small_queue(&s, "q", 0);
    queue->gpu = (struct policy_share){1000, 1000, 1000};
    struct sim_initial_job *a = add(&given, "a", 3, 3, 10000);
    given.about[0].queue = symbols_add(s.names.queues, "q", 1);
    for (int i = 0; i < 3; i++)
        put(&given, a, SIM_INITIAL_RUNS, i, WORK_NEVER);
    runs_since(a, 99000, 1000);
    add(&given, "b", 1, 1, 1000);
    given.about[1].queue = given.about[0].queue;
    small_run(&s);
    ck_assert_int_eq(s.lives[1].start_ms, 109000);
    small_end(&s);
}
END_TEST

/* Two tasks on one device, or more tasks than a job has, are errors of the input. */
START_TEST(impossible_values_are_refused)
{
    struct small s;
    struct given given;
    begin(&s, &given, "runai");
    for (int i = 0; i < 2; i++) {
        struct sim_initial_job *job = add(&given, i == 0 ? "a" : "b", 1, 1, 1000);
        put(&given, job, SIM_INITIAL_RUNS, 0, WORK_NEVER);
        runs_since(job, 99000, 0);
    }
    ck_assert(!small_try(&s));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    harness_contains(s.err.msg, "'b'");
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("found");
    TCase *tcase = tcase_create("found");
    tcase_add_test(tcase, running_jobs_continue);
    tcase_add_test(tcase, lines_keep_their_order);
    tcase_add_loop_test(tcase, grace_continues, 0, 2);
    tcase_add_test(tcase, gangs_in_parts_stand_still);
    tcase_add_test(tcase, elastic_jobs_go_as_fast_as_they_may);
    tcase_add_test(tcase, phases_continue);
    tcase_add_test(tcase, more_than_a_limit_may_be_there);
    tcase_add_test(tcase, impossible_values_are_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
