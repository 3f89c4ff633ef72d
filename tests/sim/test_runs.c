/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of jobs: they stop, wait, return and end according to arithmetic. Times in tables are in
 * seconds. */
#include "tests/sim/evict.h"

/* ---- one job of a given length that is evicted once or twice ---- */

enum { TIMES = 3 };

static const struct {
    const char *what;
    int64_t duration_s, grace_s;
    struct {
        int64_t interval, write, restart; /* of the job itself; interval -1: not given */
    } checkpoint;
    bool on_evict;
    int64_t evict_s[TIMES]; /* 0: no more */
    const char *log;
    int64_t lost_s, queue_s, run_s;
} lives[] = {
    /* what                                    length grace checkpoint       evict at */
    {"nothing is said: nothing is lost",
     100,
     30,
     {-1, 0, 0},
     true,
     {40},
     "submit a 0; start a 0; start a 70; end a 130; ",
     0,
     0,
     100},
    {"no grace: it is back at once",
     100,
     0,
     {-1, 0, 0},
     true,
     {40},
     "submit a 0; start a 0; start a 40; end a 100; ",
     0,
     0,
     100},
    {"a restart costs time, nothing else",
     100,
     30,
     {-1, 0, 7},
     true,
     {40},
     "submit a 0; start a 0; start a 70; end a 137; ",
     0,
     0,
     107},
    /* work 0-25, write -30, work -40: 35 done and saved in the grace; restart 70-80, then 25 5 25 5
       15 */
    {"a checkpoint is written in the grace",
     100,
     30,
     {25, 5, 10},
     true,
     {40},
     "submit a 0; start a 0; start a 70; end a 155; ",
     0,
     0,
     125},
    /* the same, but 10 are lost: 25 saved; restart 70-80, then 25 5 25 5 25 */
    {"it is not, where none is wanted",
     100,
     30,
     {25, 5, 10},
     false,
     {40},
     "submit a 0; start a 0; start a 70; end a 165; ",
     10,
     0,
     135},
    /* restart 43-53 */
    {"it is not, where there is no time",
     100,
     3,
     {25, 5, 10},
     true,
     {40},
     "submit a 0; start a 0; start a 43; end a 138; ",
     10,
     0,
     135},
    {"there is just time",
     100,
     5,
     {25, 5, 10},
     true,
     {40},
     "submit a 0; start a 0; start a 45; end a 130; ",
     0,
     0,
     125},
    {"without checkpoints all is lost",
     100,
     30,
     {0, 0, 0},
     false,
     {40},
     "submit a 0; start a 0; start a 70; end a 170; ",
     40,
     0,
     140},
    /* evicted during its restart: no work since; restart again 105-115 */
    {"a restart that is cut short is for nothing",
     100,
     30,
     {25, 5, 10},
     true,
     {40, 75},
     "submit a 0; start a 0; start a 70; start a 105; end a 190; ",
     0,
     0,
     130},
    /* evicted while it writes at 27: 25 are lost */
    {"so is a write",
     100,
     3,
     {25, 5, 10},
     true,
     {27},
     "submit a 0; start a 0; start a 30; end a 155; ",
     25,
     0,
     152},
    {"the last moment",
     100,
     30,
     {-1, 0, 0},
     true,
     {99},
     "submit a 0; start a 0; start a 129; end a 130; ",
     0,
     0,
     100},
    {"again and again",
     100,
     1,
     {-1, 0, 0},
     true,
     {10, 20, 30},
     "submit a 0; start a 0; start a 11; start a 21; start a 31; end a 103; ",
     0,
     0,
     100},
};

START_TEST(a_job_comes_back)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 2);
    s.config.grace_ms = lives[_i].grace_s * 1000;
    s.config.checkpoints.on_evict = lives[_i].on_evict;
    struct trace_job *job = small_job(&s, "a", 0, lives[_i].duration_s * 1000, 2);
    if (lives[_i].checkpoint.interval >= 0) {
        job->checkpoint_ms = lives[_i].checkpoint.interval * 1000;
        job->checkpoint_write_ms = lives[_i].checkpoint.write * 1000;
    }
    job->restart_ms = lives[_i].checkpoint.restart * 1000;
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    int64_t lost_ms = 0;
    struct work_job end;
    for (int i = 0; i < TIMES && lives[_i].evict_s[i] > 0; i++) {
        evict_run(&s, lives[_i].evict_s[i] * 1000);
        evict_now(&s, "a", INT32_MAX);
        ck_assert_uint_eq(s.sim->running, 0);
        ck_assert_uint_eq(s.sim->pending, 1);
        lost_ms = work_ms_of(evict_find(&s, "a"), evict_find(&s, "a")->lost_units);
    }
    size_t slot = evict_find(&s, "a")->core.i;
    evict_finish(&s);
    end = s.sim->work.jobs[slot]; /* its state when it ended */
    ck_assert_msg(strcmp(s.log, lives[_i].log) == 0, "%s:\n got %s\nnot %s", lives[_i].what, s.log,
                  lives[_i].log);
    ck_assert_int_eq(lost_ms, lives[_i].lost_s * 1000);
    ck_assert_int_eq(end.queue_ms, lives[_i].queue_s * 1000);
    ck_assert_int_eq(end.run_ms, lives[_i].run_s * 1000);
    ck_assert_uint_eq(end.moves, 0);
    small_end(&s);
}
END_TEST

/* ---- jobs that take the devices meanwhile ---- */

/* b waits for a, starts when a's devices are free, and a returns after b: its second wait is 70 to
 * 80. */
START_TEST(waits_add_up)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 2);
    s.config.grace_ms = 30000;
    small_queue(&s, "x", 0);
    small_queue(&s, "y", 0)->gpu.quota = 2000;
    small_job_of(&s, "x", "a", 0, 100000, 2);
    small_job_of(&s, "y", "b", 40000, 10000, 2);
    ck_assert(small_create(&s));
    evict_run(&s, 39000);
    size_t slot = evict_find(&s, "a")->core.i;
    evict_finish(&s); /* the policy reclaims by itself */
    ck_assert_str_eq(
        s.log, "submit a 0; start a 0; submit b 40; start b 70; end b 80; start a 80; end a 140; ");
    ck_assert_int_eq(s.sim->work.jobs[slot].queue_ms, 10000);
    ck_assert_uint_eq(s.sim->work.jobs[slot].preemptions, 1);
    small_end(&s);
}
END_TEST

/*
 * One of two tasks of a gang is moved at 40, to a node that is free by then; the other keeps its
 * devices and does nothing. 35 are done and saved at 40, the gang is complete again at 70, restarts
 * until 80, and has 65 and two writes left.
 */
START_TEST(gangs_wait_for_tasks_that_are_moved)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 3, 2);
    s.config.grace_ms = 30000;
    s.config.checkpoints.on_evict = true;
    struct trace_job *job = small_job(&s, "a", 0, 100000, 4);
    job->checkpoint_ms = 25000;
    job->checkpoint_write_ms = 5000;
    job->restart_ms = 10000;
    ck_assert(small_create(&s));
    evict_run(&s, 40000);
    struct work_job *a = evict_find(&s, "a");
    ck_assert(evict_try(&s, a, 1, POLICY_CONSOLIDATE, POLICY_REASON_MOVED));
    ck_assert_int_eq(a->state, WORK_RUNNING);
    ck_assert(a->halted);
    ck_assert_int_eq(s.sim->idle_milli, 4000);
    ck_assert_int_eq(a->progress.done, 35000);
    evict_run(&s, 69000);
    ck_assert_int_eq(a->progress.done, 35000);
    evict_run(&s, 75000);
    ck_assert(!a->halted);
    ck_assert_int_eq(a->releasing, 0);
    ck_assert_int_eq(s.sim->idle_milli, 4000); /* restarting */
    evict_run(&s, 80000);
    ck_assert_int_eq(s.sim->idle_milli, 0);
    evict_finish(&s);
    ck_assert_str_eq(s.log, "submit a 0; start a 0; end a 155; ");
    ck_assert_uint_eq(a->moves, 1);
    ck_assert_uint_eq(a->preemptions, 0);
    ck_assert_int_eq(a->lost_units, 0);
    small_end(&s);
}
END_TEST

/* ---- elastic jobs ---- */

static struct trace_job *elastic(struct small *s, const char *id, int64_t submit_s,
                                 int64_t duration_s, int32_t least, int32_t tasks, int32_t most)
{
    struct trace_job *job = small_job(s, id, submit_s * 1000, duration_s * 1000, TRACE_UNKNOWN);
    job->gpus = 1;
    job->min_tasks = least;
    job->tasks = tasks;
    job->max_tasks = most;
    return job;
}

/* 60 s with 2 tasks are 120 task-seconds: with n GPUs free from 0 on, how long? */
static const struct {
    int gpus;
    int32_t least, most;
    double end;
} sizes[] = {
    {1, 1, 3, 120}, {2, 1, 3, 60},        {3, 1, 3, 40},
    {8, 1, 3, 40},  {8, 2, 7, 120.0 / 7}, {2, 2, 2, 60},
};

START_TEST(elastic_jobs_take_all_free_devices)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, sizes[_i].gpus);
    elastic(&s, "a", 0, 60, sizes[_i].least, 2, sizes[_i].most);
    small_run(&s);
    ck_assert_double_eq_tol((double)small_stop(&s, "a") / 1000.0, sizes[_i].end, 0.0011);
    ck_assert_int_eq(small_life(&s, "a")->times_started, 1);
    small_end(&s);
}
END_TEST

/* 3 tasks until 10 (30 done), 2 until the third device is free at 40 (90 done), 3 again until 50.
 */
START_TEST(elastic_jobs_shrink_and_grow)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 3);
    s.config.grace_ms = 30000;
    elastic(&s, "a", 0, 60, 1, 2, 3)->checkpoint_ms =
        0; /* loses everything when it stops, nothing when it shrinks */
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    evict_now(&s, "a", 1);
    struct work_job *a = evict_find(&s, "a");
    ck_assert_int_eq(a->state, WORK_RUNNING);
    ck_assert_int_eq(a->running, 2);
    ck_assert_int_eq(a->releasing, 1);
    ck_assert_int_eq(s.sim->idle_milli, 1000);
    ck_assert_int_eq(s.sim->queues[0].running_milli, 2000);
    evict_run(&s, 40000);
    ck_assert_int_eq(a->running, 3);
    ck_assert_int_eq(a->lost_units, 0);
    ck_assert_uint_eq(a->preemptions, 1);
    evict_finish(&s);
    ck_assert_str_eq(s.log, "submit a 0; start a 0; end a 50; ");
    small_end(&s);
}
END_TEST

/* ---- gangs unknown to the core ---- */

static void begin_single(struct small *s, int gpus)
{
    small_begin(s, "runai", "actions=allocate");
    small_pool(s, "p", 1, gpus);
    s->config.single_tasks = true;
    s->config.horizon_ms = 100000;
    s->config.drain = false;
}

/* Two jobs with two of three tasks each: neither works, and neither can continue. */
START_TEST(parts_of_gangs_hold_each_other_up)
{
    struct small s;
    begin_single(&s, 4);
    small_queue(&s, "q", 0)->gpu.quota = 2000;
    small_queue(&s, "r", 0)->gpu.quota = 2000;
    elastic(&s, "a", 0, 10, 3, 3, 3)->queue = symbols_add(s.names.queues, "q", 1);
    elastic(&s, "b", 0, 10, 3, 3, 3)->queue = symbols_add(s.names.queues, "r", 1);
    small_run(&s);
    ck_assert_str_eq(s.log, "submit a 0; submit b 0; start a 0; start b 0; ");
    ck_assert_int_eq(evict_find(&s, "a")->running, 2);
    ck_assert_int_eq(evict_find(&s, "b")->running, 2);
    ck_assert_int_eq(s.sim->idle_milli, 4000);
    ck_assert_int_eq(evict_find(&s, "a")->progress.done, 0);
    small_end(&s);
}
END_TEST

/* b holds one device from 0 and works from 10, when a has ended; a restart only follows work. */
START_TEST(a_gang_works_once_its_last_task_has_started)
{
    struct small s;
    begin_single(&s, 2);
    s.config.grace_ms = 5000;
    elastic(&s, "a", 0, 10, 1, 1, 1);
    elastic(&s, "b", 0, 30, 2, 2, 2)->restart_ms = 7000;
    ck_assert(small_create(&s));
    evict_run(&s, 9000);
    struct work_job *b = evict_find(&s, "b");
    ck_assert_int_eq(b->running, 1);
    ck_assert(b->halted);
    ck_assert_int_eq(s.sim->idle_milli, 1000);
    evict_run(&s, 20000);
    ck_assert(!b->halted);
    ck_assert_int_eq(s.sim->idle_milli, 0);
    evict_now(&s, "b", 1); /* 10 of 30 s are done; the task is back at 25 */
    ck_assert(b->halted);
    ck_assert_int_eq(s.sim->idle_milli, 2000);
    evict_finish(&s);
    ck_assert_str_eq(s.log, "submit a 0; submit b 0; start a 0; start b 0; end a 10; end b 52; ");
    small_end(&s);
}
END_TEST

/* ---- limits ---- */

static const struct {
    enum trace_class class;
    enum trace_status recorded, status;
} limits[] = {
    {TRACE_BUILD, TRACE_COMPLETED, TRACE_COMPLETED},
    {TRACE_BUILD, TRACE_FAILED, TRACE_COMPLETED}, /* this never happened */
    {TRACE_TRAIN, TRACE_COMPLETED, TRACE_CANCELLED},
};

START_TEST(jobs_ended_by_a_limit_do_not_resume)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 2, 1);
    small_queue(&s, "q", 0)->gpu.quota = 2000;
    s.config.grace_ms = 30000;
    struct trace_job *job = small_job_of(&s, "q", "a", 0, 100000, 2);
    job->class = limits[_i].class;
    job->status = limits[_i].recorded;
    ck_assert(small_create(&s));
    evict_run(&s, 40000);
    struct work_job *a = evict_find(&s, "a");
    ck_assert_msg(evict_try(&s, a, INT32_MAX, POLICY_LIMITS, POLICY_REASON_TIME_LIMIT), "%s",
                  s.err.msg);
    ck_assert_uint_eq(s.sim->running, 1); /* until its devices are free */
    evict_finish(&s);
    ck_assert_str_eq(s.log, "submit a 0; start a 0; end a 70; ");
    ck_assert_int_eq(a->status, limits[_i].status);
    ck_assert_int_eq(a->run_ms, 40000);
    ck_assert_uint_eq(a->preemptions, 0);
    ck_assert_uint_eq(s.sim->ended, 1);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("runs");
    TCase *tcase = tcase_create("lives");
    tcase_add_loop_test(tcase, a_job_comes_back, 0, ROWS(lives));
    tcase_add_test(tcase, waits_add_up);
    tcase_add_test(tcase, gangs_wait_for_tasks_that_are_moved);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("elastic");
    tcase_add_loop_test(tcase, elastic_jobs_take_all_free_devices, 0, ROWS(sizes));
    tcase_add_test(tcase, elastic_jobs_shrink_and_grow);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("gangs in parts");
    tcase_add_test(tcase, parts_of_gangs_hold_each_other_up);
    tcase_add_test(tcase, a_gang_works_once_its_last_task_has_started);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("limits");
    tcase_add_loop_test(tcase, jobs_ended_by_a_limit_do_not_resume, 0, ROWS(limits));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
