/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GpuPacking of the FGD paper: hand-calculated scores are next to each row. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const struct core_placing rows[] = {
    /* 33 - 4 = 29 free node, 50 - 1 = 49 free device of a node in use, 100 - floor(50 / 10) = 95
     * device in use */
    {"gpu-packing", {"....", "#...", "5###"}, 1, {.devices = 1, .device_milli = 500}, "%0@2[0x01]"},
    {"gpu-packing", {"....", "#...", "3###"}, 1, {.devices = 1, .device_milli = 500}, "%0@1[0x02]"},
    {"gpu-packing",
     {"....", "..", "####"},
     1,
     {.devices = 1, .device_milli = 500},
     "%0@1[0x01]"},                                                                 /* 29, 31 */
    {"gpu-packing", {"........", "....", "####"}, 1, {.devices = 1}, "%0@1[0x01]"}, /* 25, 29 */
    /* 48 on either, whatever is left: rank */
    {"gpu-packing", {"....", "#...", "##.."}, 1, {.devices = 2}, "%0@1[0x06]"},
    /* 92: 80 hundredths are 8; 91: 90 are 9 */
    {"gpu-packing", {"9#", "8#", "4#"}, 1, {.devices = 1, .device_milli = 500}, "%0@1[0x01]"},
    /* the fullest that has room counts: 98 with 20 hundredths, 95 with 50 */
    {"gpu-packing", {"5#", "92", ".."}, 1, {.devices = 1, .device_milli = 200}, "%0@1[0x02]"},
    /* two shares: 30 + 40 hundredths 93, one free device 49 */
    {"gpu-packing", {"3.", "34", ".."}, 1, {.devices = 2, .device_milli = 300}, "%0@1[0x03]"},
    /* CPU alone: 0 everywhere */
    {"gpu-packing", {"....", "5###", ""}, 1, {.cpu_milli = 1000}, "%0@0[0x00]"},
    /* a gang, task by task */
    {"gpu-packing", {"....", "..", "#."}, 3, {.devices = 1}, "%0@2[0x02] %1@1[0x01] %2@1[0x02]"},
};

START_TEST(devices_in_use_first)
{
    core_places(&rows[_i]);
}
END_TEST

/* max(33 - G, G) rises again above 16 devices, max(50 - k, 33) stops falling at 17. */
START_TEST(large_nodes)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "gpu-packing", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 16); /* 17 */
    core_node(p, 1, 20); /* 20 */
    core_submit(p, 0, q, 1, 1, core_devices(1));
    ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, 1);
    core_node(p, 2, 40); /* 40; node 1 is in use: 50 - 18, but at least 33 */
    core_submit(p, 0, q, 2, 1, core_devices(18));
    ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, 2);
    core_destroy(p, &tally);
}
END_TEST

/* A node whose usable devices are all free is a free node. */
START_TEST(broken_devices_do_not_count)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "gpu-packing", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node large = core_node(p, 0, 8);
    core_node(p, 1, 4); /* 29 */
    for (uint32_t d = 2; d < 8; d++)
        ck_assert_int_eq(policy_set_device_health(p, 0, large, d, false),
                         POLICY_OK); /* 33 - 2 = 31 */
    core_submit(p, 0, q, 1, 1, core_devices(1));
    ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, 0);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_packing");
    TCase *tcase = tcase_create("gpu_packing");
    tcase_add_loop_test(tcase, devices_in_use_first, 0, ROWS(rows));
    tcase_add_test(tcase, large_nodes);
    tcase_add_test(tcase, broken_devices_do_not_count);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
