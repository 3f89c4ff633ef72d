/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of one shape and queue share a class; empty classes are removed when there are many, or with
 * their queue. */
#include "pending/pending.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static uint32_t class_of(const struct policy *p, policy_job job)
{
    return p->cluster->jobs[job.i].home;
}

static const struct {
    struct policy_request a, b;
    int32_t tasks_a, tasks_b;
    bool same;
} shapes[] = {
    {{.devices = 2}, {.devices = 2}, 1, 1, true},
    {{.devices = 2}, {.devices = 2, .device_milli = 1000}, 1, 1, true},
    {{.devices = 2}, {.devices = 2, .types = UINT64_MAX}, 1, 1, true},
    {{.devices = 0}, {.devices = 0, .device_milli = 300}, 1, 1, true},
    {{.devices = 2}, {.devices = 2}, 1, 2, false},
    {{.devices = 2}, {.devices = 3}, 1, 1, false},
    {{.devices = 1}, {.devices = 1, .device_milli = 999}, 1, 1, false},
    {{.devices = 1}, {.devices = 1, .types = 1}, 1, 1, false},
    {{.devices = 1, .cpu_milli = 1}, {.devices = 1}, 1, 1, false},
    {{.devices = 1, .mem_mib = 1}, {.devices = 1, .cpu_milli = 1}, 1, 1, false},
};

START_TEST(a_shape_is_what_is_asked_for)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_job a = core_submit(p, 0, q, 1, shapes[_i].tasks_a, shapes[_i].a);
    policy_job b = core_submit(p, 0, q, 2, shapes[_i].tasks_b, shapes[_i].b);
    ck_assert_int_eq(class_of(p, a) == class_of(p, b), shapes[_i].same);
    policy_queue other = core_queue(p, NULL, 0);
    policy_job c = core_submit(p, 0, other, 3, shapes[_i].tasks_a, shapes[_i].a);
    ck_assert_uint_ne(class_of(p, a), class_of(p, c));
    core_destroy(p, &tally);
}
END_TEST

/* Many different shapes, each gone before the next few arrive: the table stays small. */
START_TEST(empty_classes_are_swept)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 1);
    policy_job kept = core_submit(p, 0, q, 0, 1, core_devices(1));
    for (uint32_t k = 1; k < 6000; k++) {
        struct policy_request r = {.devices = 1, .cpu_milli = k};
        policy_job job = core_submit(p, 0, q, k, 1, r);
        ck_assert_int_eq(policy_cancel(p, 0, job), POLICY_OK);
    }
    ck_assert_uint_le(p->cluster->pending->class_count, 2048);
    ck_assert_uint_le(p->cluster->pending->hash_capacity, 2048);
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_task_ended(p, 0, kept, 0, POLICY_SUCCEEDED), POLICY_OK);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(many_shapes_at_once_are_all_found)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    enum { SHAPES = 5000 };
    for (uint32_t k = 0; k < 2 * SHAPES; k++) {
        struct policy_request r = {.devices = 1, .cpu_milli = k % SHAPES};
        policy_job job = core_submit(p, 0, q, k, 1, r);
        ck_assert_uint_eq(p->cluster->pending->classes[class_of(p, job)].jobs, 1 + k / SHAPES);
    }
    ck_assert_uint_eq(p->cluster->pending->classes_live, SHAPES);
    policy_destroy(p);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

/* A queue's id may be reused with other pools: its classes must not. */
START_TEST(classes_go_with_their_queue)
{
    static const uint32_t pools[] = {0, 1};
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", _i == 0 ? "scope=fleet" : "scope=queue");
    struct policy_node_spec spec = core_node_spec(0, 8);
    policy_add_node(p, 0, &spec);
    spec.rank = spec.pool = 1;
    policy_node second = policy_add_node(p, 0, &spec);
    policy_queue q = core_queue(p, &pools[0], 1);
    policy_job job = core_submit(p, 0, q, 1, 1, core_devices(2));
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_remove_queue(p, 0, q), POLICY_CONFLICT);
    ck_assert_int_eq(policy_task_ended(p, 0, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_int_eq(policy_remove_queue(p, 0, q), POLICY_OK);
    ck_assert_uint_eq(p->cluster->pending->classes_live, 0);
    policy_queue again = core_queue(p, &pools[1], 1);
    ck_assert_uint_eq(again.i, q.i);
    core_submit(p, 0, again, 2, 1, core_devices(2));
    ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, second.i);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("classes");
    TCase *tcase = tcase_create("classes");
    tcase_add_loop_test(tcase, a_shape_is_what_is_asked_for, 0, ROWS(shapes));
    tcase_add_test(tcase, empty_classes_are_swept);
    tcase_add_test(tcase, many_shapes_at_once_are_all_found);
    tcase_add_loop_test(tcase, classes_go_with_their_queue, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
