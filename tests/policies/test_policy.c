/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lifecycle of a policy: bad configurations, two instances, equal facts give equal decisions,
 * the clock. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static struct policy_config valid(struct tally *tally)
{
    struct policy_config config = {.size = sizeof config};
    ck_assert_int_eq(policy_config_init(&config, "fifo", tally_allocator(tally), NULL), POLICY_OK);
    return config;
}

static void short_size(struct policy_config *c)
{
    c->size = 8;
}

static void no_allocator(struct policy_config *c)
{
    c->allocator.resize = NULL;
}

static void bad_order(struct policy_config *c)
{
    c->order = 1000;
}

static void bad_placement(struct policy_config *c)
{
    c->placement = -1;
}

static void bad_scope(struct policy_config *c)
{
    c->scope = 2;
}

static void bad_blocking(struct policy_config *c)
{
    c->blocking = -1;
}

static void (*const breaks[])(struct policy_config *) = {short_size,    no_allocator, bad_order,
                                                         bad_placement, bad_scope,    bad_blocking};

START_TEST(bad_configurations_are_refused)
{
    struct tally tally = {0};
    struct policy_config config = valid(&tally);
    breaks[_i](&config);
    struct policy_error error = {0};
    ck_assert_ptr_null(policy_create(&config, &error));
    ck_assert_int_eq(error.status, POLICY_INVALID);
    ck_assert_uint_gt(strlen(error.message), 0);
    ck_assert_ptr_null(policy_create(&config, NULL));
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(an_empty_policy_has_nothing_to_say)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    core_decide(p, -1000, 0);
    ck_assert_int_eq(policy_next_wakeup(p), INT64_MAX);
    ck_assert(!policy_has_work(p));
    core_destroy(p, &tally);
    policy_destroy(NULL);
}
END_TEST

START_TEST(time_back_is_refused_everywhere)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node n = core_node(p, 0, 8);
    policy_job running = core_submit(p, 0, q, 1, 1, core_devices(1));
    core_decide(p, 100, 1);
    policy_job job = core_submit(p, 100, q, 2, 1, core_devices(1));
    struct policy_node_spec node = core_node_spec(1, 8);
    struct policy_queue_spec queue = {.size = sizeof queue, .parent = {POLICY_NO_ID}};
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(q, 3, &role, 1);
    size_t count = 7;
    ck_assert_uint_eq(policy_add_node(p, 99, &node).i, POLICY_NO_ID);
    ck_assert_uint_eq(policy_add_queue(p, 99, &queue).i, POLICY_NO_ID);
    ck_assert_uint_eq(policy_submit(p, 99, &spec).i, POLICY_NO_ID);
    ck_assert_int_eq(policy_set_node_state(p, 99, n, POLICY_NODE_DOWN), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_set_device_health(p, 99, n, 0, false), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_cancel(p, 99, job), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_task_running(p, 99, job, 0, n, 0x80, 0), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_task_started(p, 99, running, 0), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_start_failed(p, 99, running), POLICY_TIME_BACK);
    ck_assert_int_eq(policy_task_ended(p, 99, running, 0, POLICY_SUCCEEDED), POLICY_TIME_BACK);
    ck_assert_ptr_null(policy_decide(p, 99, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_TIME_BACK);
    core_decide(p, 100, 1); /* all as before */
    core_destroy(p, &tally);
}
END_TEST

/* Two instances with the same facts, one of them with extra allocations in between, answer
 * alike. */
START_TEST(equal_facts_give_equal_decisions)
{
    struct tally tallies[2] = {{0}, {0}};
    struct policy *p[2];
    for (int i = 0; i < 2; i++)
        p[i] = core_create(&tallies[i], "random", _i == 0 ? "seed=0" : "seed=18446744073709551615");
    for (int i = 0; i < 2; i++) {
        core_queue(p[i], NULL, 0);
        for (uint32_t n = 0; n < 30; n++)
            core_node(p[i], n, 8);
    }
    for (uint64_t k = 0; k < 200; k++)
        for (int i = 0; i < 2; i++)
            core_submit(p[i], (policy_time)k, (policy_queue){0}, k, 1,
                        core_share(100 + 10 * (int32_t)(k % 60)));
    size_t counts[2];
    const struct policy_decision *d[2];
    for (int i = 0; i < 2; i++)
        d[i] = policy_decide(p[i], 1000, &counts[i]);
    ck_assert_uint_eq(counts[0], counts[1]);
    ck_assert_uint_gt(counts[0], 100);
    for (size_t i = 0; i < counts[0]; i++) {
        ck_assert_uint_eq(d[0][i].job.i, d[1][i].job.i);
        ck_assert_uint_eq(d[0][i].node.i, d[1][i].node.i);
        ck_assert_uint_eq(d[0][i].devices, d[1][i].devices);
    }
    for (int i = 0; i < 2; i++)
        core_destroy(p[i], &tallies[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy");
    TCase *tcase = tcase_create("policy");
    tcase_add_loop_test(tcase, bad_configurations_are_refused, 0, ROWS(breaks));
    tcase_add_test(tcase, an_empty_policy_has_nothing_to_say);
    tcase_add_test(tcase, time_back_is_refused_everywhere);
    tcase_add_loop_test(tcase, equal_facts_give_equal_decisions, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
