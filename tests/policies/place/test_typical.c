/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typical tasks as facts: which policies accept them, in which form, refusals, and that a refusal
 * changes nothing. */
#include "state/engine.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#define GOOD                                                                                       \
    {                                                                                              \
        sizeof(struct policy_typical_task), 3,                                                     \
        {                                                                                          \
            .devices = 1                                                                           \
        }                                                                                          \
    }

START_TEST(they_are_stored_in_normal_form)
{
    static const int32_t instances[POLICY_MAX_PROFILES] = {0, 3};
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fgd", "");
    const struct policy_typical_task tasks[] = {
        {sizeof *tasks, 3, {.devices = 2, .cpu_milli = 5, .mem_mib = 77}},
        {sizeof *tasks, 1, {.devices = 1, .device_milli = 400, .types = 6}},
        {sizeof *tasks, 4, {.cpu_milli = 9, .device_milli = 300 /* of no device */}},
        {sizeof *tasks, 1, {.devices = 2, .device_mem_mib = 5000}},
        {sizeof *tasks, 1, {.mig = instances}},
    };
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, tasks, 5, 10), POLICY_OK);
    static const struct pc_plain_request expected[] = {
        {2, 1000, 5, 0, UINT64_MAX, 0, false}, {1, 400, 0, 0, 6, 0, false},
        {0, 0, 9, 0, UINT64_MAX, 0, false},    {2, 1000, 0, 0, UINT64_MAX, 5000, false},
        {1, 1000, 0, 0, UINT64_MAX, 0, true},
    };
    ck_assert_uint_eq(p->typical_count, 5);
    for (int i = 0; i < 5; i++) {
        const struct pc_plain_request *r = &p->typical[i].request;
        ck_assert_int_eq(r->devices, expected[i].devices);
        ck_assert_int_eq(r->milli, expected[i].milli);
        ck_assert_int_eq(r->cpu, expected[i].cpu);
        ck_assert_int_eq(r->mem, expected[i].mem);
        ck_assert_uint_eq(r->types, expected[i].types);
        ck_assert_int_eq(r->device_mem, expected[i].device_mem);
        ck_assert_int_eq(r->instances, expected[i].instances);
        ck_assert_int_eq(p->typical[i].count, tasks[i].count);
        ck_assert(p->typical[i].part == (double)tasks[i].count / 10 / (10.0 / 10));
    }
    core_destroy(p, &tally);
}
END_TEST

/* An embedder of a later version may have longer elements. */
START_TEST(longer_elements_are_stepped_over)
{
    struct later {
        struct policy_typical_task task;
        int64_t more;
    } tasks[2] = {{GOOD, 0}, {GOOD, 0}};
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fgd", "");
    tasks[1].task.count = 5;
    tasks[0].task.size = tasks[1].task.size = sizeof *tasks;
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, &tasks[0].task, 2, 8), POLICY_OK);
    ck_assert_int_eq(p->typical[1].count, 5);
    tasks[1].more = 1; /* has a meaning unknown here */
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, &tasks[0].task, 2, 8), POLICY_INVALID);
    core_destroy(p, &tally);
}
END_TEST

static const struct {
    const char *what;
    struct policy_typical_task tasks[2];
    uint32_t count;
    int64_t all;
    policy_time at;
    int status;
} refusals[] = {
    {"no size", {GOOD, {0}}, 2, 9, 5, POLICY_INVALID},
    {"too short", {{8, 1, {0}}}, 1, 9, 5, POLICY_INVALID},
    {"none of it", {{sizeof(struct policy_typical_task), 0, {0}}}, 1, 9, 5, POLICY_INVALID},
    {"too many of it",
     {{sizeof(struct policy_typical_task), 4294967297, {0}}},
     1,
     INT64_MAX,
     5,
     POLICY_INVALID},
    {"too many devices",
     {{sizeof(struct policy_typical_task), 1, {.devices = 65}}},
     1,
     9,
     5,
     POLICY_INVALID},
    {"negative CPU",
     {{sizeof(struct policy_typical_task), 1, {.cpu_milli = -1}}},
     1,
     9,
     5,
     POLICY_INVALID},
    {"more than a device",
     {{sizeof(struct policy_typical_task), 1, {.devices = 1, .device_milli = 1001}}},
     1,
     9,
     5,
     POLICY_INVALID},
    {"fewer than typical", {GOOD, GOOD}, 2, 5, 5, POLICY_INVALID},
    {"too many kinds", {GOOD}, 4097, 9, 5, POLICY_INVALID},
    {"time back", {GOOD}, 1, 9, -1, POLICY_TIME_BACK},
};

START_TEST(refusals_change_nothing)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fgd", "");
    const struct policy_typical_task good = GOOD;
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, &good, 1, 4), POLICY_OK);
    ck_assert_msg(policy_set_typical_tasks(p, refusals[_i].at, refusals[_i].tasks,
                                           refusals[_i].count,
                                           refusals[_i].all) == refusals[_i].status,
                  "%s: %s", refusals[_i].what, policy_last_error(p)->message);
    ck_assert_uint_eq(p->typical_count, 1);
    ck_assert_int_eq(p->typical[0].count, 3);
    ck_assert_int_eq(p->now, 0);
    core_destroy(p, &tally);
}
END_TEST

/* Policies without a use for them say so. */
START_TEST(only_some_policies_take_them)
{
    for (size_t i = 0; policy_preset_row(i) != NULL; i++) {
        struct tally tally = {0};
        struct policy_config config;
        const char *name = policy_preset_row(i)->name;
        struct policy *p = core_create(&tally, name, "");
        const struct policy_typical_task good = GOOD;
        ck_assert_int_eq(policy_config_init(&config, name, tally_allocator(&tally), NULL),
                         POLICY_OK);
        ck_assert_msg(policy_set_typical_tasks(p, 0, &good, 1, 3) ==
                          (policy_wants_typical_tasks(&config) ? POLICY_OK : POLICY_UNSUPPORTED),
                      "%s", name);
        core_destroy(p, &tally);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("typical");
    TCase *tcase = tcase_create("typical");
    tcase_add_test(tcase, they_are_stored_in_normal_form);
    tcase_add_test(tcase, longer_elements_are_stepped_over);
    tcase_add_loop_test(tcase, refusals_change_nothing, 0, ROWS(refusals));
    tcase_add_test(tcase, only_some_policies_take_them);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
