/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which nodes are ordered for pending jobs, and when empty ones are returned; by hand. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
#define USD    INT64_C(1000000)

struct fleet {
    struct tally tally;
    struct policy *p;
    policy_queue queue;
};

/* Nodes of 8 devices that are off; numbers continue from the previous ones. */
static void add_off(struct fleet *f, uint32_t pool, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        struct policy_node_spec spec = core_node_spec(i, 8);
        spec.pool = pool;
        policy_node node = policy_add_node(f->p, 0, &spec);
        ck_assert_uint_eq(node.i, i);
        ck_assert_int_eq(policy_set_node_state(f->p, 0, node, POLICY_NODE_OFF), POLICY_OK);
    }
}

static void offer(struct fleet *f, struct policy_offer o)
{
    o.size = sizeof o;
    ck_assert_int_eq(policy_set_offer(f->p, 0, &o), POLICY_OK);
}

/* A queue with a limit in thousandths of devices, and unlimited CPU and memory. */
static policy_queue add_queue(struct fleet *f, uint32_t rank, int64_t limit)
{
    const struct policy_share any = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = {POLICY_NO_ID},
                                     .rank = rank,
                                     .gpu = {POLICY_UNLIMITED, limit, 1000},
                                     .cpu = any,
                                     .mem = any,
                                     .preempt_min_runtime_ms = POLICY_INHERIT,
                                     .reclaim_min_runtime_ms = POLICY_INHERIT};
    policy_queue queue = policy_add_queue(f->p, 0, &spec);
    ck_assert_uint_ne(queue.i, POLICY_NO_ID);
    return queue;
}

static void begin(struct fleet *f, const char *preset, const char *options)
{
    *f = (struct fleet){0};
    f->p = core_create(&f->tally, preset, options);
    f->queue = add_queue(f, 0, POLICY_UNLIMITED);
}

/* Decisions about nodes, as "+3 -1": ordered and returned. */
static const char *orders(struct fleet *f, policy_time now)
{
    static char text[256];
    size_t count, length = 0;
    const struct policy_decision *d = policy_decide(f->p, now, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (d[i].kind == POLICY_ORDER || d[i].kind == POLICY_RELEASE) {
            ck_assert_int_eq(d[i].action, POLICY_PROVISION);
            ck_assert_uint_eq(d[i].job.i, POLICY_NO_ID);
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%c%u",
                                       length > 0 ? " " : "", d[i].kind == POLICY_ORDER ? '+' : '-',
                                       d[i].node.i);
        }
    core_is_sound(f->p);
    return text;
}

static void arrive(struct fleet *f, policy_time at, uint32_t node)
{
    ck_assert_int_eq(policy_set_node_state(f->p, at, (policy_node){node}, POLICY_NODE_UP),
                     POLICY_OK);
}

/* ---- ordering ---- */

static const struct {
    const char *what;
    int32_t tasks[3], devices[3]; /* jobs: tasks x devices; 0: none */
    const char *expected;
} demands[] = {
    {"nothing waits", {0}, {0}, ""},
    {"one device: one node", {1}, {1}, "+0"},
    {"a gang of three nodes", {3}, {8}, "+0 +1 +2"},
    {"a gang of more than there are: none", {5}, {8}, ""},
    {"eight of four devices fill four nodes", {8}, {4}, "+0 +1 +2 +3"},
    {"larger tasks first: 5 and 3 share a node, and so do 5 and 3", {2, 2, 0}, {3, 5, 0}, "+0 +1"},
    {"what fits no node is not waited for", {1, 1}, {9, 8}, "+0"},
    {"three jobs, four nodes: the third finds no room", {2, 2, 1}, {8, 8, 8}, "+0 +1 +2 +3"},
};

static const char *const presets[] = {"fifo", "runai", "kube-default", "srtf", "conservative"};

START_TEST(nodes_are_ordered_for_pending_jobs)
{
    for (int i = 0; i < ROWS(presets); i++) {
        struct fleet f;
        begin(&f, presets[i], "provision=reactive");
        /* with single tasks, part of a gang is a gain */
        if (strcmp(presets[i], "kube-default") == 0 && demands[_i].tasks[0] == 5) {
            core_destroy(f.p, &f.tally);
            continue;
        }
        add_off(&f, 0, 0, 4);
        offer(&f, (struct policy_offer){.most = 4, .price = USD});
        for (int job = 0; job < 3 && demands[_i].tasks[job] > 0; job++)
            core_submit(f.p, 0, f.queue, (uint64_t)job, demands[_i].tasks[job],
                        core_devices(demands[_i].devices[job]));
        const char *got = orders(&f, 0);
        ck_assert_msg(strcmp(got, demands[_i].expected) == 0, "%s, %s: '%s', expected '%s'",
                      presets[i], demands[_i].what, got, demands[_i].expected);
        ck_assert_str_eq(orders(&f, 1), ""); /* they are on their way */
        core_destroy(f.p, &f.tally);
    }
}
END_TEST

START_TEST(a_job_starts_when_its_node_arrives)
{
    struct fleet f;
    begin(&f, "fifo", "provision=reactive");
    add_off(&f, 0, 0, 2);
    offer(&f, (struct policy_offer){.most = 2, .idle_ms = 10 * MINUTE});
    policy_job job = core_submit(f.p, 0, f.queue, 0, 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 0), "+0");
    arrive(&f, 5 * MINUTE, 0);
    core_decide(f.p, 5 * MINUTE, 1);
    policy_task_started(f.p, 5 * MINUTE, job, POLICY_ALL_TASKS);
    policy_task_ended(f.p, HOUR, job, POLICY_ALL_TASKS, POLICY_SUCCEEDED);
    ck_assert_str_eq(orders(&f, HOUR), "");
    ck_assert_int_eq(policy_next_wakeup(f.p), HOUR + 10 * MINUTE);
    ck_assert(!policy_has_work(f.p));
    ck_assert_str_eq(orders(&f, HOUR + 10 * MINUTE - 1), "");
    ck_assert_str_eq(orders(&f, HOUR + 10 * MINUTE), "-0");
    ck_assert_int_eq(policy_next_wakeup(f.p), INT64_MAX);
    core_destroy(f.p, &f.tally);
}
END_TEST

/* Pools at 3, 1 and 2 USD an hour with one node each. */
START_TEST(the_cheapest_is_ordered_first_and_the_dearest_given_back)
{
    static const int64_t prices[] = {3, 1, 2};
    struct fleet f;
    begin(&f, "fifo", "provision=reactive");
    for (uint32_t i = 0; i < 3; i++) {
        add_off(&f, i, i, 1);
        offer(&f, (struct policy_offer){.pool = i, .most = 1, .price = prices[i] * USD});
    }
    policy_job job = core_submit(f.p, 0, f.queue, 0, 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 0), "+1");
    /* unavailable: the next cheapest replaces it; once available it is ordered again */
    policy_set_node_state(f.p, 1, (policy_node){1}, POLICY_NODE_DOWN);
    ck_assert_str_eq(orders(&f, 1), "+2");
    policy_cancel(f.p, 2, job);
    arrive(&f, 2, 2);
    ck_assert_str_eq(orders(&f, 2), "-2");
    policy_set_node_state(f.p, 3, (policy_node){1}, POLICY_NODE_OFF);
    core_submit(f.p, 3, f.queue, 1, 3, core_devices(8));
    ck_assert_str_eq(orders(&f, 3), "+1 +2 +0");
    core_destroy(f.p, &f.tally);
}
END_TEST

START_TEST(limits_hold)
{
    struct fleet f;
    begin(&f, "runai", "provision=reactive");
    add_off(&f, 0, 0, 4);
    offer(&f, (struct policy_offer){.most = 4});
    policy_queue limited = add_queue(&f, 1, 16000);
    for (uint64_t i = 0; i < 4; i++)
        core_submit(f.p, 0, limited, i, 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 0), "+0 +1"); /* 16 devices at most */
    core_destroy(f.p, &f.tally);
}
END_TEST

START_TEST(jobs_that_wait_long_enough_count)
{
    struct fleet f;
    begin(&f, "fifo", "provision=reactive");
    add_off(&f, 0, 0, 4);
    offer(&f, (struct policy_offer){.most = 4, .wait_ms = 30 * MINUTE});
    core_submit(f.p, 0, f.queue, 0, 1, core_devices(8));
    core_submit(f.p, 10 * MINUTE, f.queue, (uint64_t)(10 * MINUTE), 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 10 * MINUTE), "");
    ck_assert_int_eq(policy_next_wakeup(f.p), 30 * MINUTE);
    ck_assert_str_eq(orders(&f, 30 * MINUTE), "+0");
    ck_assert_int_eq(policy_next_wakeup(f.p), 40 * MINUTE);
    ck_assert_str_eq(orders(&f, 40 * MINUTE), "+1");
    core_destroy(f.p, &f.tally);
}
END_TEST

/* ---- keeping ---- */

START_TEST(offers_keep_their_least)
{
    struct fleet f;
    begin(&f, "fifo", "provision=reactive");
    add_off(&f, 0, 0, 4);
    offer(&f, (struct policy_offer){.least = 2, .most = 4});
    ck_assert_str_eq(orders(&f, 0), "+0 +1");
    arrive(&f, 0, 0);
    arrive(&f, 0, 1);
    ck_assert_str_eq(orders(&f, 0), "");
    offer(&f, (struct policy_offer){.least = 1, .most = 4});
    ck_assert_str_eq(orders(&f, 0), "-1");
    core_destroy(f.p, &f.tally);
}
END_TEST

/* Time 0 is a Thursday, 00:00, as in 1970. */
START_TEST(headroom_follows_its_hours)
{
    struct fleet f = {0};
    struct policy_config config;
    struct policy_error error;
    policy_config_init(&config, "fifo", tally_allocator(&f.tally), &error);
    ck_assert_int_eq(policy_config_set(&config, "provision", "reactive", &error), POLICY_OK);
    ck_assert_int_eq(policy_config_set(&config, "provision_headroom", "2", &error), POLICY_OK);
    ck_assert_int_eq(policy_config_set(&config, "provision_hours", "thu-fri 08-17", &error),
                     POLICY_OK);
    f.p = policy_create(&config, &error);
    f.queue = add_queue(&f, 0, POLICY_UNLIMITED);
    add_off(&f, 0, 0, 4);
    offer(&f, (struct policy_offer){.most = 4, .monday = 4 * 24 * HOUR});
    ck_assert_str_eq(orders(&f, 0), "");
    for (int hour = 1; hour < 8; hour++) {
        ck_assert_int_eq(policy_next_wakeup(f.p), hour * HOUR);
        ck_assert_str_eq(orders(&f, hour * HOUR), "");
    }
    ck_assert_str_eq(orders(&f, 8 * HOUR), "+0 +1");
    arrive(&f, 8 * HOUR, 0);
    arrive(&f, 8 * HOUR, 1);
    ck_assert_str_eq(orders(&f, 8 * HOUR), "");
    core_submit(f.p, 9 * HOUR, f.queue, 0, 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 9 * HOUR), "+2"); /* one is taken, another one is ordered */
    arrive(&f, 9 * HOUR, 2);
    ck_assert_str_eq(orders(&f, 17 * HOUR), "-2 -1");
    core_destroy(f.p, &f.tally);
}
END_TEST

START_TEST(a_budget_bounds_orders_of_a_month)
{
    struct fleet f;
    begin(&f, "fifo", "provision=reactive provision_budget_usd=25");
    add_off(&f, 0, 0, 4);
    offer(&f, (struct policy_offer){.most = 4, .price = 10 * USD});
    core_submit(f.p, 0, f.queue, 0, 1, core_devices(8));
    core_submit(f.p, 0, f.queue, 1, 1, core_devices(8));
    core_submit(f.p, 0, f.queue, 2, 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 0), "+0 +1"); /* a third would cost 30 USD in an hour */
    ck_assert_int_eq(policy_next_wakeup(f.p), 30 * 24 * HOUR);
    ck_assert_str_eq(orders(&f, 10 * HOUR), "");
    /* the next month: 20 USD an hour for two, as before */
    ck_assert_str_eq(orders(&f, 30 * 24 * HOUR), "");
    policy_set_node_state(f.p, 30 * 24 * HOUR, (policy_node){1}, POLICY_NODE_OFF);
    ck_assert_str_eq(orders(&f, 30 * 24 * HOUR), "+1");
    core_destroy(f.p, &f.tally);
}
END_TEST

START_TEST(after_an_order_nothing_is_given_back_for_a_time)
{
    struct fleet f;
    begin(&f, "fifo", "provision=reactive provision_protect_s=1800");
    add_off(&f, 0, 0, 2);
    offer(&f, (struct policy_offer){.most = 2});
    policy_job job = core_submit(f.p, 0, f.queue, 0, 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 0), "+0");
    policy_cancel(f.p, MINUTE, job);
    arrive(&f, MINUTE, 0);
    ck_assert_str_eq(orders(&f, MINUTE), "");
    ck_assert_int_eq(policy_next_wakeup(f.p), 30 * MINUTE);
    ck_assert_str_eq(orders(&f, 30 * MINUTE), "-0");
    core_destroy(f.p, &f.tally);
}
END_TEST

/* A job at 10:00 on a Thursday; a week later the node is ordered before 10:00, for it takes five
 * minutes. */
START_TEST(last_weeks_demand_is_met_ahead)
{
    const policy_time week = 168 * HOUR;
    struct fleet f;
    begin(&f, "fifo", "provision=predictive");
    add_off(&f, 0, 0, 2);
    offer(&f, (struct policy_offer){.most = 2, .delay_ms = 5 * MINUTE});
    ck_assert_str_eq(orders(&f, 9 * HOUR), "");
    policy_job job = core_submit(f.p, 10 * HOUR, f.queue, 0, 1, core_devices(8));
    ck_assert_str_eq(orders(&f, 10 * HOUR), "+0");
    arrive(&f, 10 * HOUR, 0);
    core_decide(f.p, 10 * HOUR, 1);
    policy_task_started(f.p, 10 * HOUR, job, 0);
    policy_task_ended(f.p, 11 * HOUR - 1, job, 0, POLICY_SUCCEEDED);
    ck_assert_str_eq(orders(&f, 11 * HOUR - 1), "-0");
    for (policy_time at = 11 * HOUR; at < week + 9 * HOUR; at += HOUR)
        ck_assert_str_eq(orders(&f, at), "");
    ck_assert_str_eq(orders(&f, week + 10 * HOUR - 5 * MINUTE), "+0");
    arrive(&f, week + 10 * HOUR, 0);
    ck_assert_str_eq(orders(&f, week + 10 * HOUR), ""); /* kept although unused */
    ck_assert_str_eq(orders(&f, week + 11 * HOUR), "-0");
    core_destroy(f.p, &f.tally);
}
END_TEST

/* ---- refusals, memory, history ---- */

START_TEST(impossible_values_are_refused)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    struct policy_offer o = {.size = sizeof o, .most = 1};
    ck_assert_int_eq(policy_set_offer(p, 0, &o), POLICY_UNSUPPORTED);
    core_destroy(p, &tally);
    p = core_create(&tally, "fifo", "provision=reactive");
    const struct policy_offer wrong[] = {
        {.size = sizeof o, .pool = POLICY_MAX_POOLS},
        {.size = sizeof o, .least = -1},
        {.size = sizeof o, .most = -1},
        {.size = sizeof o, .price = -1},
        {.size = sizeof o, .delay_ms = -1},
        {.size = 1},
    };
    for (int i = 0; i < ROWS(wrong); i++)
        ck_assert_int_eq(policy_set_offer(p, 0, &wrong[i]), POLICY_INVALID);
    core_destroy(p, &tally);
}
END_TEST

/* The same orders, whichever allocation fails; the next call continues. */
START_TEST(a_failed_allocation_changes_nothing)
{
    for (uint64_t fail_at = 1;; fail_at++) {
        struct fleet f;
        begin(&f, presets[_i], "provision=reactive");
        add_off(&f, 0, 0, 4);
        f.tally.calls = 0;
        f.tally.fail_at = fail_at;
        f.tally.failed = false;
        const struct policy_offer o = {.size = sizeof o, .most = 4};
        if (policy_set_offer(f.p, 0, &o) != POLICY_OK) {
            core_is_sound(f.p);
            ck_assert_int_eq(policy_set_offer(f.p, 0, &o), POLICY_OK);
        }
        uint64_t fail_rest = f.tally.failed ? 0 : f.tally.fail_at;
        f.tally.fail_at = 0;
        core_submit(f.p, 0, f.queue, 0, 2, core_devices(8));
        f.tally.fail_at = fail_rest > 0 ? f.tally.calls + 1 + (fail_at - 1) % 16 : 0;
        char all[256];
        (void)snprintf(all, sizeof all, "%s", orders(&f, 0));
        bool failed = f.tally.failed;
        f.tally.fail_at = 0;
        const char *more = orders(&f, 0);
        size_t length = strlen(all);
        (void)snprintf(all + length, sizeof all - length, "%s%s",
                       length > 0 && *more != '\0' ? " " : "", more);
        ck_assert_str_eq(all, "+0 +1");
        core_destroy(f.p, &f.tally);
        if (!failed)
            break;
    }
}
END_TEST

/* An instance with the history of another continues like it: the node is due at the same time. */
START_TEST(a_history_is_continued)
{
    struct fleet f, g;
    begin(&f, "fifo", "provision=reactive");
    add_off(&f, 0, 0, 2);
    offer(&f, (struct policy_offer){.most = 2, .idle_ms = HOUR, .price = USD});
    arrive(&f, 5 * MINUTE, 1);
    ck_assert_str_eq(orders(&f, 5 * MINUTE), "");
    begin(&g, "fifo", "provision=reactive");
    add_off(&g, 0, 0, 2);
    offer(&g, (struct policy_offer){.most = 2, .idle_ms = HOUR, .price = USD});
    arrive(&g, 20 * MINUTE, 1);
    struct policy_history h = {.size = sizeof h};
    for (uint64_t next = 0; policy_history(f.p, &next, &h);)
        ck_assert_int_eq(policy_set_history(g.p, 20 * MINUTE, &h), POLICY_OK);
    ck_assert_str_eq(orders(&g, 20 * MINUTE), "");
    ck_assert_int_eq(policy_next_wakeup(g.p), HOUR + 5 * MINUTE);
    ck_assert_str_eq(orders(&g, HOUR + 5 * MINUTE), "-1");
    core_destroy(f.p, &f.tally);
    core_destroy(g.p, &g.tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("provision");
    TCase *tcase = tcase_create("provision");
    tcase_add_loop_test(tcase, nodes_are_ordered_for_pending_jobs, 0, ROWS(demands));
    tcase_add_test(tcase, a_job_starts_when_its_node_arrives);
    tcase_add_test(tcase, the_cheapest_is_ordered_first_and_the_dearest_given_back);
    tcase_add_test(tcase, limits_hold);
    tcase_add_test(tcase, jobs_that_wait_long_enough_count);
    tcase_add_test(tcase, offers_keep_their_least);
    tcase_add_test(tcase, headroom_follows_its_hours);
    tcase_add_test(tcase, a_budget_bounds_orders_of_a_month);
    tcase_add_test(tcase, after_an_order_nothing_is_given_back_for_a_time);
    tcase_add_test(tcase, last_weeks_demand_is_met_ahead);
    tcase_add_test(tcase, impossible_values_are_refused);
    tcase_add_loop_test(tcase, a_failed_allocation_changes_nothing, 0, ROWS(presets));
    tcase_add_test(tcase, a_history_is_continued);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
