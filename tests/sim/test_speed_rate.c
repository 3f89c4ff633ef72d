/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An elastic job's rate with more or fewer tasks, by arithmetic. Without communication a step takes
 * W / n + t0 = 80 / n + 10 s: 30 s on four devices, 20 on eight, 15 on sixteen.
 */
#include "report/measure/throughput.h"
#include "tests/sim/speed_world.h"

static struct trace_job *elastic(struct world *w, const char *id, int64_t at_s, int64_t run_s,
                                 int least, int tasks, int most)
{
    struct trace_job *job = speed_gang(w, id, at_s, run_s, tasks, 1);
    job->min_tasks = least;
    job->max_tasks = most;
    job->class = TRACE_TRAIN;
    return job;
}

static struct world *strong(enum sim_network_mode mode, int nodes)
{
    struct world *w = speed_begin("runai", "", mode, nodes);
    w->model.work_s = 80;
    w->model.fixed_s = 10;
    w->model.batch = 600;
    return w;
}

/* A hundred seconds with the recorded number of tasks, on one node of eight devices (on two for
 * sixteen). */
static const struct {
    const char *what;
    enum sim_network_mode mode;
    bool weak;
    int nodes, least, recorded, most;
    int64_t end_ms;
} rows[] = {
    {"as recorded", SIM_NETWORK_PLACEMENT, false, 1, 1, 8, 8, 100000},
    {"twice as many, 20 for 30 s", SIM_NETWORK_PLACEMENT, false, 1, 1, 4, 8, 66667},
    {"the same with contention", SIM_NETWORK_CONTENTION, false, 1, 1, 4, 8, 66667},
    {"half as many, 20 for 15 s", SIM_NETWORK_PLACEMENT, false, 1, 1, 16, 16, 133334},
    {"on two nodes, 15 for 20 s", SIM_NETWORK_PLACEMENT, false, 2, 1, 8, 16, 75000},
    {"each with its own batch", SIM_NETWORK_PLACEMENT, true, 1, 1, 4, 8, 50000},
    {"half of them with their own", SIM_NETWORK_PLACEMENT, true, 1, 1, 16, 16, 200000},
    {"without a network it is linear", SIM_NETWORK_OFF, false, 1, 1, 4, 8, 50000},
    {"and so it is with half as many", SIM_NETWORK_OFF, false, 1, 1, 16, 16, 200000},
};

START_TEST(tasks_do_what_the_model_makes_of_them)
{
    struct world *w = strong(rows[_i].mode, rows[_i].nodes);
    w->model.weak = rows[_i].weak;
    elastic(w, "a", 0, 100, rows[_i].least, rows[_i].recorded, rows[_i].most);
    small_run(&w->s);
    ck_assert_msg(small_stop(&w->s, "a") == rows[_i].end_ms, "%s: it ends at %lld", rows[_i].what,
                  (long long)small_stop(&w->s, "a"));
    ck_assert(w->ledger.slowdown == 0);
    ck_assert(w->ledger.installed - ledger_productive(&w->ledger) == speed_losses(&w->ledger));
    speed_end(w);
}
END_TEST

/*
 * It has eight devices, at 1.5 times its recorded rate, until a gang of four with a larger claim
 * arrives at 20 s: 30 s of 100 are done then, and with four it runs at 1 for as long as the gang
 * runs, 30 s. The remaining 40 run at 1.5 again: 26.667 s.
 */
START_TEST(shrinking_and_growing_changes_the_rate)
{
    struct world *w = strong(SIM_NETWORK_PLACEMENT, 1);
    (void)small_queue(&w->s, "default", 0);
    (void)small_queue(&w->s, "other", 0);
    w->s.queues[0].gpu.quota = w->s.queues[1].gpu.quota = 4000;
    elastic(w, "a", 0, 100, 1, 4, 8)->preemptible = 1;
    struct trace_job *other = speed_gang(w, "b", 20, 30, 1, 4);
    other->queue = 1;
    other->class = TRACE_TRAIN;
    small_run(&w->s);
    ck_assert_int_eq(small_start(&w->s, "b"), 20000);
    ck_assert_int_eq(small_stop(&w->s, "b"), 50000);
    ck_assert_int_eq(small_stop(&w->s, "a"), 76667);
    speed_end(w);
}
END_TEST

/*
 * Sixteen recorded tasks, S = 35: 15 + 2 x 15/16 x 35 / 15 = 19.375 s on two nodes of eight (their
 * tree carries 15/8 x 8 = 15 GB/s). On one node of eight: 20 + 2 x 7/8 x 35/100 = 20.6125 s, 0.94
 * of its rate with half the devices.
 */
START_TEST(communication_makes_small_jobs_efficient)
{
    struct world *w = strong(SIM_NETWORK_PLACEMENT, 1);
    w->model.gradient_gb = 35;
    elastic(w, "a", 0, 100, 1, 16, 16);
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "a"),
                     106388); /* 100 x 20.6125 / 19.375 = 106.3871, in whole ppm */
    speed_end(w);
}
END_TEST

/* With shares, tasks count: twice as many, each on its own device, do twice the work. */
START_TEST(shares_are_linear)
{
    struct world *w = speed_begin("runai", "gpu_placement=spread device_placement=spread",
                                  SIM_NETWORK_PLACEMENT, 1);
    w->model.work_s = 80;
    w->model.fixed_s = 10;
    elastic(w, "a", 0, 100, 1, 4, 8)->gpu_milli = 500;
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "a"), 50000);
    speed_end(w);
}
END_TEST

/* ---- throughput ---- */

static const struct throughput_cell *cell(const struct throughput *t, uint32_t model, int32_t gpus)
{
    for (size_t i = 0; i < t->models[model].count; i++)
        if (t->models[model].cells[i].gpus == gpus)
            return &t->models[model].cells[i];
    return NULL;
}

/*
 * 600 samples per step. Alone on eight devices: 30 a second. On two nodes of four with S = 20: 20 +
 * 7/4 x 20 / 7 = 25 s, 24 a second, where 20 + 7/4 x 20/100 = 20.35 s would be best.
 */
START_TEST(throughput_is_work_done)
{
    struct world *w = speed_begin("fifo", "placement=spread", SIM_NETWORK_PLACEMENT, 4);
    struct throughput t = {0};
    uint32_t name = symbols_add(w->s.names.models, "known", 5);
    w->model = perf_model_empty();
    w->model.work_s = 80;
    w->model.fixed_s = 10;
    w->model.batch = 600;
    w->model.samples = "rows";
    w->model.gradient_gb = 20;
    for (uint32_t i = 0; i < 2; i++)
        w->tree.ratio[w->tree.tiers[1].first + i] = 1;
    speed_gang(w, "whole", 0, 100, 1, 8)->model = name;
    speed_gang(w, "spread", 0, 100, 2, 4)->model = name;
    speed_gang(w, "nameless", 0, 50, 1, 1)->class = TRACE_TRAIN;
    small_observe(&w->s, throughput_observer(&t));
    small_run(&w->s);
    ck_assert_uint_eq(t.models[name].jobs, 2);
    ck_assert_str_eq(t.models[name].samples, "rows");
    ck_assert_uint_eq(t.models[name].count, 1);
    const struct throughput_cell *eight = cell(&t, name, 8);
    double spread_s = 100 * 25 / 20.35;
    ck_assert_int_eq(eight->work_ms, small_stop(&w->s, "whole") + small_stop(&w->s, "spread"));
    ck_assert_double_eq_tol((double)small_stop(&w->s, "spread") / 1000, spread_s, 0.002);
    ck_assert_double_eq_tol(eight->samples, 600 * (100 / 20.35 + spread_s / 25), 0.05);
    ck_assert_double_eq_tol(eight->steps, 2 * 100 / 20.35, 1e-3);
    ck_assert(eight->worked - eight->ideal <= w->ledger.slowdown);
    throughput_fini(&t);
    speed_end(w);
}
END_TEST

/* An elastic job is counted by its devices at each time: 8 for 20 s, 4 for 30, 8 for the rest. */
START_TEST(throughput_goes_by_the_devices_of_the_time)
{
    struct world *w = strong(SIM_NETWORK_PLACEMENT, 1);
    struct throughput t = {0};
    uint32_t name = symbols_add(w->s.names.models, "known", 5);
    (void)small_queue(&w->s, "default", 0);
    (void)small_queue(&w->s, "other", 0);
    w->s.queues[0].gpu.quota = w->s.queues[1].gpu.quota = 4000;
    struct trace_job *job = elastic(w, "a", 0, 100, 1, 4, 8);
    job->preemptible = 1;
    job->model = name;
    struct trace_job *other = speed_gang(w, "b", 20, 30, 1, 4);
    other->queue = 1;
    other->class = TRACE_TRAIN;
    small_observe(&w->s, throughput_observer(&t));
    small_run(&w->s);
    ck_assert_uint_eq(t.models[name].count, 2);
    ck_assert_int_eq(cell(&t, name, 4)->work_ms, 30000);
    ck_assert_int_eq(cell(&t, name, 8)->work_ms, 46667);
    ck_assert_double_eq_tol(cell(&t, name, 4)->samples, 30 * 20, 1e-6); /* 600 in 30 s */
    ck_assert_double_eq_tol(cell(&t, name, 8)->samples, 46.667 * 30, 1e-6);
    throughput_fini(&t);
    speed_end(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("speed_rate");
    TCase *tcase = tcase_create("elastic");
    tcase_add_loop_test(tcase, tasks_do_what_the_model_makes_of_them, 0, ROWS(rows));
    tcase_add_test(tcase, shrinking_and_growing_changes_the_rate);
    tcase_add_test(tcase, communication_makes_small_jobs_efficient);
    tcase_add_test(tcase, shares_are_linear);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("throughput");
    tcase_add_test(tcase, throughput_is_work_done);
    tcase_add_test(tcase, throughput_goes_by_the_devices_of_the_time);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
