/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults: what they cost jobs and nodes by arithmetic, one kind after the other; then random ones,
 * with all audits. */
#include "report/measure/ledger.h"
#include "report/measure/reliability.h"
#include "tests/sim/listed.h"

/* A checkpoint after every 30 s of work, written in no time; a restart takes 10 s. */
static void begin(struct small *s, struct listed *l, const char *preset, int nodes, int gpus)
{
    memset(l, 0, sizeof *l);
    small_begin(s, preset, "");
    (void)small_pool(s, "n", nodes, gpus);
    s->config.checkpoints =
        (struct work_checkpoints){.given = true, .interval_ms = 30000, .restart_ms = 10000};
}

static int64_t gpu_s(ledger_amount amount)
{
    ck_assert(amount % 1000000 == 0);
    return (int64_t)(amount / 1000000);
}

/* ---- one job, one fault ---- */

static const struct {
    const char *what;
    enum sim_fault_effect effect;
    int64_t at_s, detect_s, repair_s;
    int64_t end_s, failure, hung, down, drained; /* expected; GPU-seconds of 8 devices */
} alone[] = {
    /* 50 s done, 30 safe; back at 70; 10 s restart and 70 s of work */
    {"killed at once", SIM_FAULT_KILLS, 50, 0, 20, 150, 20 * 8, 0, 20 * 8, 0},
    {"noticed after a while", SIM_FAULT_KILLS, 50, 15, 20, 165, 20 * 8, 15 * 8, 20 * 8, 0},
    {"the node stays", SIM_FAULT_KILLS, 50, 0, 0, 130, 20 * 8, 0, 0, 0},
    {"just after a checkpoint", SIM_FAULT_KILLS, 60, 0, 20, 130, 0, 0, 20 * 8, 0},
    /* all work from the checkpoint at 30 until 80 was corrupt */
    {"corrupt", SIM_FAULT_CORRUPTS, 40, 40, 20, 180, 50 * 8, 0, 20 * 8, 0},
    {"corrupt, never noticed", SIM_FAULT_CORRUPTS, 40, 90, 20, 100, 0, 0, 0, 0},
    /* announced at 40 for 50: nothing is lost; 10 s of restart, 50 of work */
    {"maintenance", SIM_FAULT_DRAINS, 40, 10, 20, 130, 0, 0, 20 * 8, 0},
    {"after the end", SIM_FAULT_KILLS, 100, 0, 20, 100, 0, 0, 0, 0},
};

START_TEST(a_fault_costs_what_arithmetic_says)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    struct ledger ledger = {0};
    struct reliability seen = {0};
    begin(s, &l, _i % 2 == 0 ? "fifo" : "runai", 1, 8);
    const int row = _i / 2;
    small_job(s, "a", 0, 100000, 8);
    (void)listed_add(s, &l, alone[row].at_s, alone[row].effect, 0, alone[row].detect_s,
                     alone[row].repair_s);
    small_observe(s, ledger_observer(&ledger));
    small_observe(s, reliability_observer(&seen));
    small_run(s);
    const char *what = alone[row].what;
    ck_assert_msg(small_stop(s, "a") == alone[row].end_s * 1000, "%s: ends at %lld", what,
                  (long long)small_stop(s, "a"));
    ck_assert_msg(gpu_s(ledger.failure) == alone[row].failure, "%s: %lld lost", what,
                  (long long)gpu_s(ledger.failure));
    ck_assert_msg(gpu_s(ledger.hung) == alone[row].hung, "%s: %lld hung", what,
                  (long long)gpu_s(ledger.hung));
    ck_assert_msg(gpu_s(ledger.down) == alone[row].down, "%s: %lld down", what,
                  (long long)gpu_s(ledger.down));
    ck_assert_msg(gpu_s(ledger.drained) == alone[row].drained, "%s: %lld drained", what,
                  (long long)gpu_s(ledger.drained));
    ck_assert_int_eq(gpu_s(ledger_productive(&ledger)), 800);
    ledger_fini(&ledger);
    reliability_fini(&seen);
    small_end(s);
    free(s);
}
END_TEST

/* ---- other jobs and nodes ---- */

START_TEST(a_gang_stops_as_a_whole_and_others_continue)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    begin(s, &l, "fifo", 3, 4);
    small_job(s, "gang", 0, 100000, 8);  /* on n-0 and n-1 */
    small_job(s, "other", 0, 100000, 4); /* on n-2 */
    (void)listed_add(s, &l, 50, SIM_FAULT_KILLS, 1, 0, 20);
    small_run(s);
    ck_assert_int_eq(small_stop(s, "other"), 100000);
    ck_assert_int_eq(small_stop(s, "gang"), 150000);
    small_end(s);
    free(s);
}
END_TEST

/* ---- elastic jobs shrink ---- */

/* 800 device-seconds of work on two nodes of 4; at 50 s one of them, or one of its devices, fails
 * when 400 are done and 240 safe. A restart takes 10 s. */
static const struct {
    const char *what;
    bool shrink;
    int min_tasks, device;
    int64_t repair_s, end_s, starts; /* expected: end_s, starts of the job from nothing */
} smaller[] = {
    /* 560 left at 60, 4 a second */
    {"goes on with half", true, 4, SIM_ALL_DEVICES, 1000, 200, 1},
    /* 40 of them by 70, then 8 a second again */
    {"grows back", true, 4, SIM_ALL_DEVICES, 20, 135, 1},
    /* its devices are usable at once: 8 a second from 60 on */
    {"loses one task", true, 4, 0, 0, 130, 1},
    /* waits until 70, works from 80, 8 a second */
    {"below its minimum", true, 5, SIM_ALL_DEVICES, 20, 150, 2},
    {"restarts", false, 5, SIM_ALL_DEVICES, 20, 150, 2},
    /* the same times as if it shrinks: no other job takes the devices of the restart */
    {"restarts with half", false, 4, SIM_ALL_DEVICES, 1000, 200, 2},
};
static const char *const shrinking[] = {"fifo", "easy", "las", "slurm", "runai", "kube-default"};

START_TEST(elastic_jobs_continue_with_the_remaining_tasks)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    struct ledger ledger = {0};
    const size_t row = (size_t)_i % ROWS(smaller);
    begin(s, &l, shrinking[(size_t)_i / ROWS(smaller)], 2, 4);
    s->config.on_failure = smaller[row].shrink ? TRACE_SHRINK : TRACE_RESTART;
    struct trace_job *job = small_job(s, "a", 0, 100000, 8);
    job->gpus_total = TRACE_UNKNOWN;
    job->tasks = job->max_tasks = 8;
    job->gpus = 1;
    job->min_tasks = smaller[row].min_tasks;
    listed_add(s, &l, 50, SIM_FAULT_KILLS, 1, 0, smaller[row].repair_s)->device =
        smaller[row].device;
    small_observe(s, ledger_observer(&ledger));
    small_run(s);
    const char *what = smaller[row].what;
    ck_assert_msg(small_stop(s, "a") == smaller[row].end_s * 1000, "%s: ends at %lld", what,
                  (long long)small_stop(s, "a"));
    ck_assert_int_eq(small_life(s, "a")->times_started, smaller[row].starts);
    ck_assert_int_eq(gpu_s(ledger.failure), 160);
    ck_assert_int_eq(gpu_s(ledger_productive(&ledger)), 800);
    ledger_fini(&ledger);
    small_end(s);
    free(s);
}
END_TEST

/* A device breaks: its job stops, the other one on the node runs to its end, and then the node is
 * repaired. */
START_TEST(a_node_leaves_after_its_last_job)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    struct ledger ledger = {0};
    begin(s, &l, "fifo", 1, 4);
    small_job(s, "a", 0, 100000, 2);
    small_job(s, "b", 0, 100000, 2);
    struct sim_fault *f = listed_add(s, &l, 60, SIM_FAULT_KILLS, 0, 0, 20);
    f->device = 0;
    f->after_job = true;
    small_observe(s, ledger_observer(&ledger));
    small_run(s);
    ck_assert_int_eq(small_stop(s, "b"), 100000);
    ck_assert_int_eq(small_stop(s, "a"), 170000); /* back at 120, 10 s of restart, 40 of work */
    ck_assert_int_eq(gpu_s(ledger.drained), 2 * 40);
    ck_assert_int_eq(gpu_s(ledger.down), 4 * 20);
    ledger_fini(&ledger);
    small_end(s);
    free(s);
}
END_TEST

START_TEST(only_one_job_dies_of_its_own_software)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    begin(s, &l, "runai", 1, 4);
    small_job(s, "a", 0, 100000, 2);
    small_job(s, "b", 0, 100000, 2);
    listed_add(s, &l, 50, SIM_FAULT_KILLS, 0, 0, 0)->one_job = true;
    small_run(s);
    ck_assert_int_eq(small_stop(s, "a"), 130000);
    ck_assert_int_eq(small_stop(s, "b"), 100000);
    small_end(s);
    free(s);
}
END_TEST

/* Two repairs of one node overlap: it returns when both have finished. */
START_TEST(a_node_is_back_when_all_its_repairs_are_over)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    begin(s, &l, "fifo", 2, 4);
    small_job(s, "a", 0, 100000, 4);
    small_job(s, "b", 0, 300000, 4);
    (void)listed_add(s, &l, 30, SIM_FAULT_KILLS, 0, 0, 50);
    (void)listed_add(s, &l, 40, SIM_FAULT_KILLS, 0, 0, 100);
    small_run(s);
    ck_assert_int_eq(small_stop(s, "a"), 140000 + 10000 + 70000);
    small_end(s);
    free(s);
}
END_TEST

/* The job ends at 40 on the other node; the one that broke at 30 is down until 50, of a window of
 * 100. */
START_TEST(repairs_continue_after_all_jobs_have_ended)
{
    struct small s;
    struct listed l;
    struct ledger ledger = {0};
    begin(&s, &l, "fifo", 2, 8);
    small_job(&s, "a", 0, 40000, 8);
    listed_add(&s, &l, 30, SIM_FAULT_KILLS, 1, 0, 20);
    s.config.horizon_ms = 100000;
    small_observe(&s, ledger_observer(&ledger));
    small_run(&s);
    ck_assert_int_eq(gpu_s(ledger.down), 20 * 8);
    ck_assert_int_eq(s.sim->now_ms, 100000);
    ledger_fini(&ledger);
    small_end(&s);
}
END_TEST

/* No job is left after 40 s: a node breaks at 60 for 30 s and another one is reclaimed at 80, in a
 * window of 100. */
START_TEST(nodes_break_while_no_job_is_left)
{
    struct small s;
    struct listed l;
    struct ledger ledger = {0};
    begin(&s, &l, "fifo", 2, 8);
    small_job(&s, "a", 0, 40000, 8);
    listed_add(&s, &l, 60, SIM_FAULT_KILLS, 1, 0, 30);
    listed_add(&s, &l, 80, SIM_FAULT_DRAINS, 0, 5, 600)->reclaims = true;
    listed_add(&s, &l, 100, SIM_FAULT_KILLS, 1, 0, 30);
    s.config.horizon_ms = 100000;
    s.config.drain = _i == 0;
    small_observe(&s, ledger_observer(&ledger));
    small_run(&s);
    ck_assert_int_eq(gpu_s(ledger.down), 30 * 8);
    ck_assert_int_eq(gpu_s(ledger.drained), 5 * 8);
    ck_assert_int_eq(gpu_s(ledger.reclaimed), 15 * 8);
    ck_assert_int_eq(s.sim->now_ms, 100000);
    ledger_fini(&ledger);
    small_end(&s);
}
END_TEST

START_TEST(counted_devices_cannot_break)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    memset(&l, 0, sizeof l);
    small_begin(s, "fifo", "placement=count");
    (void)small_pool(s, "n", 1, 8);
    small_job(s, "a", 0, 1000, 1);
    (void)listed_add(s, &l, 1, SIM_FAULT_KILLS, 0, 0, 0);
    ck_assert(!small_try(s));
    ck_assert_ptr_nonnull(strstr(s->err.msg, "placement 'count'"));
    small_end(s);
    free(s);
}
END_TEST

/* ---- at random ---- */

static void draw_faults(struct small *s, struct listed *l, uint64_t *r, uint32_t nodes)
{
    int64_t at_s = 0;
    for (int i = 0; i < LISTED_FAULTS; i++) {
        at_s += (int64_t)(test_draw(r) % 60);
        static const enum sim_fault_effect effects[] = {SIM_FAULT_KILLS, SIM_FAULT_KILLS,
                                                        SIM_FAULT_KILLS, SIM_FAULT_CORRUPTS,
                                                        SIM_FAULT_DRAINS};
        enum sim_fault_effect effect = effects[test_draw(r) % 5];
        struct sim_fault *f =
            listed_add(s, l, at_s, effect, (uint32_t)(test_draw(r) % nodes),
                       (int64_t)(test_draw(r) % 3 * 20), (int64_t)(test_draw(r) % 100));
        f->class = (uint32_t)(test_draw(r) % 2);
        f->device = effect == SIM_FAULT_KILLS && test_draw(r) % 3 == 0 ? (int)(test_draw(r) % 4)
                                                                       : SIM_ALL_DEVICES;
        f->after_job = effect == SIM_FAULT_KILLS && test_draw(r) % 3 == 0;
        f->one_job = effect == SIM_FAULT_KILLS && test_draw(r) % 4 == 0;
        f->reclaims = effect == SIM_FAULT_DRAINS && test_draw(r) % 2 == 0;
        if (test_draw(r) % 4 == 0 && l->nodes[l->count - 1][0] + 1 < nodes &&
            f->device == SIM_ALL_DEVICES) {
            l->nodes[l->count - 1][1] = l->nodes[l->count - 1][0] + 1;
            f->node_count = 2;
        }
    }
}

/* With all audits on: every job ends, and every device-second is in the ledger once. */
START_TEST(whatever_breaks_all_jobs_end_and_the_ledger_adds_up)
{
    struct small *s = calloc(1, sizeof *s);
    struct listed l;
    for (uint64_t seed = (uint64_t)_i; seed < 200; seed += 10) {
        uint64_t r = seed;
        struct ledger ledger = {0};
        begin(s, &l, seed % 2 == 0 ? "fifo" : "runai", 4, 4);
        s->silent = true;
        s->config.checkpoints.write_ms = (int64_t)(test_draw(&r) % 3 * 1000);
        s->config.grace_ms = (int64_t)(test_draw(&r) % 2 * 5000);
        s->config.seed = seed;
        s->config.on_failure = seed % 4 >= 2 ? TRACE_SHRINK : TRACE_RESTART;
        int64_t wanted = 0;
        for (int i = 0; i < 30; i++) {
            static const int64_t sizes[] = {1, 1, 2, 4, 8, 12};
            char id[16];
            (void)snprintf(id, sizeof id, "j%d", i);
            struct trace_job *job =
                small_job(s, id, (int64_t)(test_draw(&r) % 900) * 1000,
                          (int64_t)(1 + test_draw(&r) % 200) * 1000, sizes[test_draw(&r) % 6]);
            job->submit_ms = job->eligible_ms = i > 0 && job->submit_ms < s->jobs[i - 1].submit_ms
                                                    ? s->jobs[i - 1].submit_ms
                                                    : job->submit_ms;
            wanted += job->gpus_total * job->duration_ms;
            if (s->config.on_failure == TRACE_SHRINK) {
                job->tasks = job->max_tasks = (int32_t)job->gpus_total;
                job->min_tasks = 1 + (int32_t)(test_draw(&r) % (uint64_t)job->tasks);
                job->gpus = 1;
                job->gpus_total = TRACE_UNKNOWN;
            }
        }
        draw_faults(s, &l, &r, 4);
        small_observe(s, ledger_observer(&ledger));
        ck_assert_msg(small_try(s), "seed %llu: %s", (unsigned long long)seed, s->err.msg);
        ck_assert_uint_eq(s->sim->ended, 30);
        ledger_amount beyond = ledger_productive(&ledger) - (ledger_amount)wanted * 1000;
        /* in the last millisecond an elastic job of 12 tasks may have less work left than its tasks
         * could do */
        ledger_amount most = s->config.on_failure == TRACE_SHRINK ? 30 * 11 * 1000 : 0;
        ck_assert_msg(beyond >= 0 && beyond <= most, "seed %llu: %.3f productive of %.3f",
                      (unsigned long long)seed, ledger_hours(ledger_productive(&ledger)),
                      ledger_hours((ledger_amount)wanted * 1000));
        ck_assert(ledger.installed - ledger_productive(&ledger) ==
                  ledger.down + ledger.reclaimed + ledger.drained + ledger.idle_no_demand +
                      ledger.idle_fragmented + ledger.idle_blocked + ledger.user_lost +
                      ledger.preemption + ledger.failure + ledger.hung + ledger.checkpoint +
                      ledger.restart + ledger.hold + ledger.slowdown);
        ledger_fini(&ledger);
        small_end(s);
    }
    free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("breakdown");
    TCase *tcase = tcase_create("breakdown");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, a_fault_costs_what_arithmetic_says, 0,
                        2 * (int)(sizeof alone / sizeof *alone));
    tcase_add_loop_test(tcase, elastic_jobs_continue_with_the_remaining_tasks, 0,
                        ROWS(smaller) * ROWS(shrinking));
    tcase_add_test(tcase, a_gang_stops_as_a_whole_and_others_continue);
    tcase_add_test(tcase, a_node_leaves_after_its_last_job);
    tcase_add_test(tcase, only_one_job_dies_of_its_own_software);
    tcase_add_test(tcase, a_node_is_back_when_all_its_repairs_are_over);
    tcase_add_test(tcase, repairs_continue_after_all_jobs_have_ended);
    tcase_add_loop_test(tcase, nodes_break_while_no_job_is_left, 0, 2);
    tcase_add_test(tcase, counted_devices_cannot_break);
    tcase_add_loop_test(tcase, whatever_breaks_all_jobs_end_and_the_ledger_adds_up, 0,
                        harness_repeats(10));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
