/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocked classes are listed by need, and considered in order when something they could use is
 * released. */
#include "pending/blocked.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/* The need of a job of two roles. */
static const struct {
    struct policy_role roles[2];
    int32_t need;
} needs[] = {
    {{{.tasks = 1, .request = {.devices = 4}}, {.tasks = 1, .request = {.devices = 2}}}, 2},
    {{{.tasks = 3, .request = {.devices = 8}}, {.tasks = 1, .request = {.devices = 8}}}, 8},
    {{{.tasks = 1, .request = {.devices = 4}},
      {.tasks = 1, .request = {.devices = 1, .device_milli = 500}}},
     0},
    {{{.tasks = 1, .request = {.devices = 4}}, {.tasks = 1, .request = {.cpu_milli = 100}}}, 0},
    {{{.tasks = 9, .request = {.devices = 8}}, {.tasks = 1, .request = {.devices = 1}}}, 1},
};

static int32_t need_of(const char *options, const struct policy_role *two)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", options);
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    struct policy_role roles[2] = {core_role(two[0].tasks, two[0].request),
                                   core_role(two[1].tasks, two[1].request)};
    struct policy_job_spec spec = core_job_spec(q, 1, roles, 2);
    policy_job job = policy_submit(p, 0, &spec);
    int32_t need = p->cluster->pending->classes[p->cluster->jobs[job.i].home].need;
    core_destroy(p, &tally);
    return need;
}

START_TEST(need_is_the_least_that_helps)
{
    ck_assert_int_eq(need_of("", needs[_i].roles), needs[_i].need);
}
END_TEST

/* Jobs that need 4, 2, 1 and 2 devices wait in that order; `freed` devices of a full node of 8 are
 * released. */
static const struct {
    int32_t freed;
    const char *started; /* by their number */
} turns[] = {
    {1, "2"},   {2, "1"},              /* the first that fits takes all */
    {3, "12"},  {4, "0"},   {5, "02"}, /* 4 and 1: the 2 in between finds too little */
    {7, "012"}, {8, "012"},
};

START_TEST(the_first_in_order_that_fits_goes_first)
{
    static const int32_t wants[] = {4, 2, 1, 2};
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    policy_job freed = core_submit(p, 0, q, 1, 1, core_devices(turns[_i].freed));
    if (turns[_i].freed < 8)
        core_submit(p, 0, q, 2, 1, core_devices(8 - turns[_i].freed));
    core_decide(p, 0, turns[_i].freed < 8 ? 2 : 1);
    policy_job jobs[4];
    for (uint32_t i = 0; i < 4; i++)
        jobs[i] = core_submit(p, 0, q, 3 + i, 1, core_devices(wants[i]));
    core_decide(p, 0, 0);
    policy_task_ended(p, 1, freed, 0, POLICY_SUCCEEDED);
    size_t count;
    const struct policy_decision *d = policy_decide(p, 1, &count);
    char started[8] = "";
    for (size_t i = 0; i < count && i < 7; i++)
        for (uint32_t k = 0; k < 4; k++)
            if (jobs[k].i == d[i].job.i)
                started[i] = (char)('0' + k);
    ck_assert_str_eq(started, turns[_i].started);
    ck_assert(!policy_has_work(p)); /* skipped jobs are not retried before something is released */
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("blocked");
    tcase_add_loop_test(tcase, need_is_the_least_that_helps, 0, sizeof needs / sizeof *needs);
    tcase_add_loop_test(tcase, the_first_in_order_that_fits_goes_first, 0,
                        sizeof turns / sizeof *turns);
    Suite *suite = suite_create("blocked");
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
