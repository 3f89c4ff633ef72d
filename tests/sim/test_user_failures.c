/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that fail by their own fault: when, and what it costs them and others, by arithmetic and
 * against the draws themselves. */
#include "report/measure/ledger.h"
#include "report/measure/reliability.h"
#include "sim/faults/user.h"
#include "sim/sources/faults.h"
#include "tests/lib/faults.h"
#include "tests/sim/listed.h"

#define NO_FAILURE INT64_MAX

struct world {
    struct small s;
    struct listed l;
    struct ledger ledger;
    struct reliability seen;
    int failed; /* jobs that ended so */
};

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    ((struct world *)self)->failed += job->status == TRACE_FAILED;
}

/* Job 1 fails after 40 s of work. */
static int64_t second_fails(void *self, uint64_t job)
{
    (void)self;
    return job == 1 ? 40000 : NO_FAILURE;
}

static struct world *begin(void)
{
    struct world *w = calloc(1, sizeof *w);
    ck_assert_ptr_nonnull(w);
    small_begin(&w->s, "fifo", "");
    (void)small_pool(&w->s, "n", 2, 8);
    w->s.config.checkpoints =
        (struct work_checkpoints){.given = true, .interval_ms = 30000, .restart_ms = 10000};
    small_observe(&w->s, ledger_observer(&w->ledger));
    small_observe(&w->s, reliability_observer(&w->seen));
    small_observe(&w->s, (struct sim_observer){.self = w, .ended = ended});
    return w;
}

static void end(struct world *w)
{
    ledger_fini(&w->ledger);
    reliability_fini(&w->seen);
    small_end(&w->s);
    free(w);
}

static int64_t gpu_s(ledger_amount amount)
{
    ck_assert(amount % 1000000 == 0);
    return (int64_t)(amount / 1000000);
}

static const struct {
    const char *what;
    enum trace_status status;
    int64_t struck_s; /* a fault of its node, without repair; 0: none */
    bool session;
    int64_t end_s, user, failure, restart; /* expected; GPU-seconds of 8 devices */
    uint64_t own;
} rows[] = {
    {"fails", TRACE_COMPLETED, 0, false, 40, 40 * 8, 0, 0, 1},
    /* of 35 s 30 were safe, 5 are the fault's; a restart, and the rest of its 40 */
    {"fails where it would without fault", TRACE_COMPLETED, 35, false, 55, 40 * 8, 5 * 8, 10 * 8,
     1},
    {"was to fail as recorded", TRACE_FAILED, 0, false, 90, 90 * 8, 0, 0, 0},
    {"was to be cancelled", TRACE_CANCELLED, 0, false, 90, 0, 0, 0, 0},
    {"people do not fail", TRACE_COMPLETED, 0, true, 90, 0, 0, 0, 0},
};

START_TEST(a_failure_costs_what_arithmetic_says)
{
    struct world *w = begin();
    const char *what = rows[_i].what;
    small_job(&w->s, "a", 0, 90000, 8);
    struct trace_job *b = small_job(&w->s, "b", 0, 90000, 8);
    b->status = rows[_i].status;
    b->class = rows[_i].session ? TRACE_BUILD : b->class;
    struct sim_fault *f = listed_add(&w->s, &w->l, rows[_i].struck_s, SIM_FAULT_KILLS, 1, 0, 0);
    w->l.count = rows[_i].struck_s > 0;
    f->class = 0;
    w->s.config.faults.user_after_ms = second_fails;
    w->s.config.faults.user_class = 1;
    small_run(&w->s);
    reliability_close(&w->seen, w->s.sim);
    ck_assert_int_eq(small_stop(&w->s, "a"), 90000);
    ck_assert_msg(small_stop(&w->s, "b") == rows[_i].end_s * 1000, "%s: ends at %lld", what,
                  (long long)small_stop(&w->s, "b"));
    ck_assert_msg(gpu_s(w->ledger.user_lost) == rows[_i].user, "%s: %lld lost", what,
                  (long long)gpu_s(w->ledger.user_lost));
    ck_assert_msg(gpu_s(w->ledger.failure) == rows[_i].failure, "%s: %lld failure", what,
                  (long long)gpu_s(w->ledger.failure));
    ck_assert_int_eq(gpu_s(w->ledger.restart), rows[_i].restart);
    ck_assert_uint_eq(w->seen.classes[1].faults, rows[_i].own);
    ck_assert_uint_eq(w->seen.classes[1].interruptions, rows[_i].own);
    ck_assert_int_eq(gpu_s(w->seen.classes[1].lost), rows[_i].own > 0 ? 40 * 8 : 0);
    ck_assert_uint_eq(w->seen.interruptions, rows[_i].own + (rows[_i].struck_s > 0));
    ck_assert_uint_eq(w->seen.stops[waits_size_of(8000)], rows[_i].struck_s > 0);
    ck_assert_uint_eq(w->seen.node_failures, 0);
    end(w);
}
END_TEST

/* As many as the class draws for this seed, one by one. */
START_TEST(the_profile_decides_which_jobs_fail)
{
    struct world *w = begin();
    w->s.silent = true;
    const struct fault_profile profile = test_profile("h100");
    struct fault_profile only = profile;
    fault_profile_only(&only, UINT32_C(1) << FAULT_USER);
    int expected = 0;
    for (uint64_t i = 0; i < SMALL_JOBS; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "j%llu", (unsigned long long)i);
        small_job(&w->s, id, 0, TEST_HOUR_MS, 1);
        expected += fault_user_after_ms(&profile.classes[FAULT_USER], 5, i) < TEST_HOUR_MS;
    }
    const struct fault_pool pool = test_pool(&only, 2);
    struct fault_source *source =
        fault_source_create(&(struct fault_source_options){.fleet = &w->s.fleet,
                                                           .profile = &only,
                                                           .pools = &pool,
                                                           .horizon_ms = -1,
                                                           .user_failures = true},
                            5);
    w->s.config.faults = fault_source_faults(source);
    small_run(&w->s);
    ck_assert_int_gt(expected, SMALL_JOBS / 10);
    ck_assert_int_eq(w->failed, expected);
    ck_assert_uint_eq(w->seen.classes[FAULT_USER].faults, (uint64_t)expected);
    ck_assert_uint_eq(w->seen.faults, (uint64_t)expected);
    end(w);
    fault_source_destroy(source);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("user_failures");
    TCase *tcase = tcase_create("user_failures");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, a_failure_costs_what_arithmetic_says, 0, ROWS(rows));
    tcase_add_test(tcase, the_profile_decides_which_jobs_fail);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
