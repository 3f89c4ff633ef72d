/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reservations of EASY backfill: the shadow time, computed by hand, and what others find while
 * claims are held. Times and limits in milliseconds. Two nodes of 8 devices in all rows.
 */
#include "act/reservation.h"

#include "order/order.h"
#include "state/nodes.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

struct job {
    int32_t tasks, devices;
    int64_t limit_ms;
};

static policy_job submit(struct policy *p, policy_queue q, uint64_t rank, struct job of)
{
    const struct policy_role role = core_role(of.tasks, core_devices(of.devices));
    struct policy_job_spec spec = core_job_spec(q, rank, &role, 1);
    spec.limit_ms = of.limit_ms;
    return policy_submit(p, 0, &spec);
}

/* Jobs running from 0, at most four, and the first pending job; nothing is reserved yet. */
static struct policy *make(struct tally *tally, const struct job running[4], struct job first,
                           policy_queue *q)
{
    struct policy *p = core_create(tally, "easy", "");
    size_t count;
    *q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_node(p, 1, 8);
    for (uint64_t i = 0; i < 4 && running[i].tasks > 0; i++)
        submit(p, *q, i + 1, running[i]);
    (void)policy_decide(p, 0, &count);
    submit(p, *q, 10, first);
    core_decide(p, 0, 0);
    return p;
}

static const struct {
    const char *what;
    struct job running[4];
    struct job first;
    policy_time at;
} times[] = {
    {"the first end is enough", {{1, 8, 100}, {1, 8, 300}}, {1, 8, 50}, 100},
    {"of two on a node the later one", {{1, 4, 100}, {1, 4, 200}, {1, 8, 300}}, {1, 8, 50}, 200},
    {"both nodes: when all have ended", {{1, 8, 100}, {1, 8, 300}}, {2, 8, 50}, 300},
    {"a part of a node is free already", {{1, 6, 700}, {1, 8, 300}}, {1, 4, 50}, 300},
    {"the last one has no known end", {{1, 8, 100}, {1, 8, -1}}, {2, 8, 50}, PC_SOME_DAY},
    {"small pieces of both nodes do not add up",
     {{1, 5, 400}, {1, 5, 100}, {1, 3, 200}, {1, 3, 900}},
     {1, 8, 50},
     400},
    {"8 devices are free at 200, but only one task of 4 fits",
     {{1, 5, 400}, {1, 5, 100}, {1, 3, 200}, {1, 3, 900}},
     {2, 4, 50},
     400},
};

/*
 * In the last two rows the first two jobs take 5 devices of a node each, and the others, of 3, fill
 * them up: best fit, lowest rank when equal. So node 0 is free at max(400, 200), node 1 at max(100,
 * 900).
 */
START_TEST(shadow_times)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, times[_i].running, times[_i].first, &q);
    ck_assert(pc_reserve_for_lane(p, 0));
    ck_assert_msg(pc_first_reservation(p) == times[_i].at, "%s: %lld", times[_i].what,
                  (long long)pc_first_reservation(p));
    ck_assert_uint_eq(pc_reservations_with_time(p), 1);
    ck_assert_int_eq(pc_take_back_reservation(p), times[_i].at);
    pc_forget_reservations(p);
    core_destroy(p, &tally);
}
END_TEST

/* The node that could hold it is down, and the other one is too small for the rest of its tasks. */
START_TEST(without_nodes_there_is_no_time)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = core_create(&tally, "easy", "");
    q = core_queue(p, NULL, 0);
    policy_node big = core_node(p, 0, 8);
    core_node(p, 1, 4);
    submit(p, q, 1, (struct job){1, 8, 100});
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_set_node_state(p, 0, big, POLICY_NODE_DRAINING), POLICY_OK);
    submit(p, q, 2, (struct job){1, 8, 50});
    core_decide(p, 0, 0);
    ck_assert(pc_reserve_for_lane(p, 0));
    ck_assert_uint_eq(pc_reservations_with_time(p), 0);
    ck_assert_int_eq(pc_first_reservation(p), INT64_MAX);
    pc_forget_reservations(p);
    core_destroy(p, &tally);
}
END_TEST

static int64_t idle(const struct policy *p, uint32_t node)
{
    return pc_popcount(p->cluster->nodes[node].idle);
}

/*
 * 6 devices of node 0 are held until 100 and 4 of node 1 until 300; the first job needs 8 of one
 * node: node 0 at 100. Jobs that would run then do not see its 2 free devices; jobs that end by
 * then do.
 */
START_TEST(claims_hide_needed_devices)
{
    static const struct job running[4] = {{1, 6, 100}, {1, 4, 300}};
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, running, (struct job){1, 8, 50}, &q);
    ck_assert(pc_reserve_for_lane(p, 0));
    ck_assert_uint_eq(pc_hold_reservations(p, 100), 0); /* it begins at 100, not before */
    ck_assert_int_eq(idle(p, 0), 2);
    ck_assert_uint_eq(pc_hold_reservations(p, 101), 1);
    ck_assert_int_eq(idle(p, 0), 0);
    ck_assert_int_eq(idle(p, 1), 4);
    ck_assert_uint_eq(pc_hold_reservations(p, INT64_MIN), 0);
    ck_assert_int_eq(idle(p, 0), 2);
    pc_forget_reservations(p);
    core_destroy(p, &tally);
}
END_TEST

/* At 100 the first job takes 4 of the 8 devices of node 0, the lowest, which are given back then:
 * none of those that are free now. */
START_TEST(devices_released_in_time_are_not_reserved)
{
    static const struct job running[4] = {{1, 6, 100}, {1, 8, 300}};
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, running, (struct job){1, 4, 50}, &q);
    ck_assert(pc_reserve_for_lane(p, 0));
    ck_assert_uint_eq(pc_hold_reservations(p, INT64_MAX), 1);
    ck_assert_int_eq(idle(p, 0), 2);
    pc_hold_reservations(p, INT64_MIN);
    pc_forget_reservations(p);
    core_destroy(p, &tally);
}
END_TEST

/* Times found before, in two lanes. */
START_TEST(times_alone)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "easy_variant=frozen");
    core_node(p, 0, 8);
    ck_assert_int_eq(pc_first_reservation(p), INT64_MAX);
    ck_assert_int_eq(pc_reservation_before(p, INT64_MAX), INT64_MIN);
    ck_assert(pc_reserve_time(p, 700) && pc_reserve_time(p, 300) && pc_reserve_time(p, INT64_MAX));
    ck_assert_uint_eq(pc_reservations_with_time(p), 2);
    ck_assert_int_eq(pc_first_reservation(p), 300);
    ck_assert_int_eq(pc_reservation_before(p, 300), INT64_MIN);
    ck_assert_int_eq(pc_reservation_before(p, 301), 300);
    ck_assert_int_eq(pc_reservation_before(p, INT64_MAX), 700);
    ck_assert_int_eq(pc_take_back_reservation(p), INT64_MAX);
    ck_assert_int_eq(pc_take_back_reservation(p), 300);
    ck_assert_int_eq(pc_first_reservation(p), 700);
    pc_forget_reservations(p);
    ck_assert_int_eq(pc_first_reservation(p), INT64_MAX);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(no_memory_is_said)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "");
    core_node(p, 0, 8);
    tally.fail_at = tally.calls + 1;
    ck_assert(!pc_reserve_time(p, 5));
    ck_assert(tally.failed && p->cluster->out_of_memory);
    ck_assert_int_eq(pc_first_reservation(p), INT64_MAX);
    p->cluster->out_of_memory = false;
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reservation");
    TCase *tcase = tcase_create("reservation");
    tcase_add_loop_test(tcase, shadow_times, 0, ROWS(times));
    tcase_add_test(tcase, without_nodes_there_is_no_time);
    tcase_add_test(tcase, claims_hide_needed_devices);
    tcase_add_test(tcase, devices_released_in_time_are_not_reserved);
    tcase_add_test(tcase, times_alone);
    tcase_add_test(tcase, no_memory_is_said);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
