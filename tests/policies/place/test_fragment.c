/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fragments of a node by hand, one line of the definition each; sums over tasks, in parts and in
 * counts. */
#include "place/fragment.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/* Four devices of type 1 with 1000, 1000, 400 and 0 thousandths left, and 8 cores. R = 2400. */
static const struct pc_left node = {
    .cpu = 8000, .type = 1, .devices = 4, .sum = 2400, .room = {1000, 1000, 400, 0}};

static const struct {
    const char *what;
    int64_t cpu;
    int32_t devices, milli;
    uint64_t types;
    int64_t fragment;
} rows[] = {
    {"requests no device", 1000, 0, 0, 0, 2400},
    {"requests no device, CPU short", 9000, 0, 0, 0, 2400},
    {"wrong type", 1000, 1, 1000, 1, 2400},
    {"right type", 1000, 1, 1000, 2, 400},
    {"one of several types", 1000, 1, 1000, 3, 400},
    {"share that fits anywhere", 1000, 1, 400, 0, 0},
    {"share that is larger than the rest of a device", 1000, 1, 401, 0, 400},
    {"two whole ones", 1000, 2, 1000, 0, 400},
    {"three whole ones: too few", 1000, 3, 1000, 0, 2400},
    {"too few, CPU short as well", 9000, 3, 1000, 0, 2400},
    {"shares of three devices", 1000, 3, 400, 0, 0},
    {"shares of four: too few", 1000, 4, 400, 0, 2400},
    {"CPU just enough", 8000, 1, 1000, 0, 400},
    {"CPU short", 8001, 1, 1000, 0, 2400},
};

static struct policy_typical_task typical_task(int64_t count, struct policy_request request)
{
    return (struct policy_typical_task){sizeof(struct policy_typical_task), count, request};
}

START_TEST(fragments_follow_the_definition)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm", "backfilling=none blocking=skip placement=fgd");
    struct policy_request request = {.devices = rows[_i].devices,
                                     .device_milli = rows[_i].milli,
                                     .cpu_milli = rows[_i].cpu,
                                     .types = rows[_i].types};
    struct policy_typical_task task = typical_task(7, request);
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, &task, 1, 10), POLICY_OK);
    ck_assert_msg(pc_fragment(p, &node) == (double)rows[_i].fragment, "%s: %g", rows[_i].what,
                  pc_fragment(p, &node));
    ck_assert_int_eq(pc_fragment_counted(p, &node), 7 * rows[_i].fragment);
    core_destroy(p, &tally);
}
END_TEST

/* Devices of 40,000 MiB: memory counts as thousandths of them, rounded up; instances are split from
 * whole devices. */
static const int32_t instance[POLICY_MAX_PROFILES] = {2};
static const struct {
    const char *what;
    struct policy_request request;
    int32_t memory;
    bool cuts;
    int64_t fragment;
} parts[] = {
    {"memory that fits anywhere: 400 of 1000",
     {.devices = 1, .device_mem_mib = 16000},
     40000,
     false,
     0},
    {"a MiB more", {.devices = 1, .device_mem_mib = 16001}, 40000, false, 400},
    {"more than a device has", {.devices = 1, .device_mem_mib = 40001}, 40000, false, 2400},
    {"memory of three devices, of which two do",
     {.devices = 3, .device_mem_mib = 20000},
     40000,
     false,
     2400},
    {"where the memory of devices is not known",
     {.devices = 1, .device_mem_mib = 1},
     0,
     false,
     2400},
    {"instances of a node that makes them", {.mig = instance}, 40000, true, 400},
    {"and of one that does not", {.mig = instance}, 40000, false, 2400},
};

START_TEST(parts_of_devices)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fgd", "");
    struct policy_typical_task task = typical_task(7, parts[_i].request);
    struct pc_left left = node;
    left.memory = parts[_i].memory;
    left.cuts = parts[_i].cuts;
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, &task, 1, 10), POLICY_OK);
    ck_assert_msg(pc_fragment_counted(p, &left) == 7 * parts[_i].fragment, "%s", parts[_i].what);
    ck_assert(pc_fragment(p, &left) == (double)parts[_i].fragment);
    core_destroy(p, &tally);
}
END_TEST

/* 3 of 8 tasks request one whole device (fragment 400), 1 none (2400): 0.75 x 400 + 0.25 x 2400 of
 * those reported. */
START_TEST(fragments_are_weighted)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "slurm", "backfilling=none blocking=skip placement=fgd");
    struct policy_typical_task tasks[] = {typical_task(3, core_devices(1)),
                                          typical_task(1, core_devices(0))};
    ck_assert(pc_fragment(p, &node) == 0);
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, tasks, 2, 8), POLICY_OK);
    ck_assert(pc_fragment(p, &node) == 900);
    ck_assert_int_eq(pc_fragment_counted(p, &node), 3 * 400 + 2400);
    ck_assert_int_eq(policy_set_typical_tasks(p, 0, NULL, 0, 0), POLICY_OK);
    ck_assert(pc_fragment(p, &node) == 0);
    ck_assert_int_eq(pc_fragment_counted(p, &node), 0);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fragment");
    TCase *tcase = tcase_create("fragment");
    tcase_add_loop_test(tcase, fragments_follow_the_definition, 0, ROWS(rows));
    tcase_add_loop_test(tcase, parts_of_devices, 0, ROWS(parts));
    tcase_add_test(tcase, fragments_are_weighted);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
