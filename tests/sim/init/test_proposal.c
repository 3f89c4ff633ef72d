/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proposals for hand-made logs: sizes by hand, and quotas that add up. */
#include "sim/init/described.c"
#include "sim/init/log.c"
#include "sim/init/proposal.c"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in sim/trace/read.c, which would pull in the command line. */
struct trace_names trace_names_create(void)
{
    return (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
}

void trace_names_destroy(struct trace_names *names)
{
    symbols_destroy(names->queues);
    symbols_destroy(names->users);
    symbols_destroy(names->gpu_types);
    symbols_destroy(names->models);
    symbols_destroy(names->nodes);
}

static struct init_log log_;
static struct init_proposal proposal;
static struct err err;

static void setup(void)
{
    init_log_begin(&log_);
    proposal = (struct init_proposal){0};
    ck_assert(log_.sink.begin(&log_.sink, &err));
}

static void teardown(void)
{
    init_proposal_fini(&proposal);
    init_log_fini(&log_);
}

/* Adds a job of whole GPUs that starts at submission, if `started` has the log say so. Returns its
 * queue. */
static uint32_t job(int64_t at_h, int64_t hours, int64_t gpus, const char *type, const char *queue,
                    bool started)
{
    uint32_t id = symbols_add(log_.sink.names.queues, queue, strlen(queue));
    uint64_t types = 0;
    if (*type != '\0')
        types = UINT64_C(1) << symbols_add(log_.sink.names.gpu_types, type, strlen(type));
    struct trace_job made = {.queue = id,
                             .submit_ms = at_h * 3600000,
                             .eligible_ms = at_h * 3600000,
                             .start_ms = started ? at_h * 3600000 : TRACE_UNKNOWN,
                             .end_ms = TRACE_UNKNOWN,
                             .duration_ms = hours * 3600000,
                             .limit_ms = TRACE_UNKNOWN,
                             .gpus_total = gpus,
                             .tasks = 1,
                             .gpu_types = types};
    log_.sink.job(&log_.sink, &made);
    return id;
}

static bool propose(struct init_known known)
{
    init_log_finish(&log_);
    return init_propose(&proposal, &log_, &known, &err);
}

/* 16 until 2 h, when 8 start as 16 end: never more than 16. */
START_TEST(what_is_returned_can_be_taken_again)
{
    job(0, 2, 16, "h100", "x", true);
    job(2, 2, 8, "h100", "x", true);
    ck_assert(propose((struct init_known){0}));
    ck_assert_uint_eq(proposal.pool_count, 1);
    ck_assert_str_eq(proposal.pools[0].node, "dgx-h100");
    ck_assert_int_eq(proposal.pools[0].nodes, 2);
    ck_assert_int_eq(proposal.warmup_h, 0);
}
END_TEST

/* A trace that is not sorted is read twice. */
START_TEST(reading_again_forgets_the_first_time)
{
    job(0, 2, 800, "h100", "x", true);
    ck_assert(log_.sink.begin(&log_.sink, &err));
    job(0, 2, 8, "h100", "x", true);
    ck_assert(propose((struct init_known){0}));
    ck_assert_uint_eq(log_.jobs, 1);
    ck_assert_int_eq(proposal.pools[0].nodes, 1);
    ck_assert_int_eq(proposal.queues[0].quota, 8);
}
END_TEST

/* 100 h with 40 GPUs at 50 h: 4,000 GPU-hours, of which 100 h x 50 are 80 %: 50 GPUs, seven nodes.
 */
START_TEST(without_starts_gpu_time_fills_the_pool)
{
    job(0, 100, 20, "", "x", false);
    job(50, 40, 40, "", "x", false);
    job(100, 20, 20, "", "x", false);
    ck_assert(propose((struct init_known){0}));
    ck_assert_int_eq(proposal.pools[0].nodes, 7);
    ck_assert_ptr_null(proposal.pools[0].node);
    ck_assert_int_eq(proposal.warmup_h, 10);
}
END_TEST

START_TEST(what_is_known_has_to_go_with_the_log)
{
    job(0, 1, 8, "h100", "x", true);
    job(0, 1, 8, "a100", "x", true);
    ck_assert(!propose((struct init_known){.node = "dgx-a100"}));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    ck_assert(!propose((struct init_known){.nodes = 2}));
    harness_contains(err.msg, "2 GPU types");
}
END_TEST

START_TEST(a_log_without_gpus_is_refused)
{
    ck_assert(!propose((struct init_known){0}));
    harness_contains(err.msg, "no jobs with GPUs");
}
END_TEST

/* Quotas add up to the GPUs and are off their exact share by less than one. */
START_TEST(quotas_add_up)
{
    uint64_t state = 1000 + (uint64_t)_i;
    int queues = 1 + (int)(test_draw(&state) % 40);
    double total = 0, share[40] = {0};
    for (int i = 0; i < 200; i++) {
        char name[16];
        int64_t gpus = 1 + (int64_t)(test_draw(&state) % 64);
        int64_t hours = (int64_t)(test_draw(&state) % 9);
        snprintf(name, sizeof name, "q%d", (int)(test_draw(&state) % (uint64_t)queues));
        share[job(i, hours, gpus, "h100", name, true)] += (double)(gpus * hours);
        total += (double)(gpus * hours);
    }
    ck_assert(propose((struct init_known){0}));
    int64_t gpus = proposal.pools[0].nodes * proposal.pools[0].gpus, sum = 0;
    for (size_t i = 0; i < proposal.queue_count; i++) {
        double exact = share[i] / total * (double)gpus;
        ck_assert_double_lt((double)proposal.queues[i].quota - exact, 1);
        ck_assert_double_gt((double)proposal.queues[i].quota - exact, -1);
        sum += proposal.queues[i].quota;
    }
    ck_assert_int_eq(sum, gpus);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("proposal");
    TCase *tcase = tcase_create("proposal");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_is_returned_can_be_taken_again);
    tcase_add_test(tcase, reading_again_forgets_the_first_time);
    tcase_add_test(tcase, without_starts_gpu_time_fills_the_pool);
    tcase_add_test(tcase, what_is_known_has_to_go_with_the_log);
    tcase_add_test(tcase, a_log_without_gpus_is_refused);
    tcase_add_loop_test(tcase, quotas_add_up, 0, 50);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
