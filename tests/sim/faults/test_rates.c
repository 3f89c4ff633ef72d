/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a node's faults stop its job: which classes count, and how they scale with the node's
 * parts. */
#include "sim/faults/rates.h"
#include "tests/lib/harness.h"

#include <math.h>

/* One class at 8 faults in 1,000 days, on nodes of 4 devices and NICs. */
static const struct {
    enum fault_scope scope;
    enum fault_effect effect, otherwise;
    double share;
    double daily; /* that stop the job */
} rows[] = {
    {FAULT_SCOPE_HOST, FAULT_EFFECT_KILL, FAULT_EFFECT_KILL, 1, 0.008},
    {FAULT_SCOPE_GPU, FAULT_EFFECT_KILL, FAULT_EFFECT_KILL, 1, 0.004}, /* half the devices */
    {FAULT_SCOPE_DOMAIN, FAULT_EFFECT_KILL, FAULT_EFFECT_SLOW, 0.6,
     0.0024}, /* its part of a domain of two nodes */
    {FAULT_SCOPE_NIC, FAULT_EFFECT_HANG, FAULT_EFFECT_KILL, 1, 0.004},
    {FAULT_SCOPE_JOB, FAULT_EFFECT_CORRUPT, FAULT_EFFECT_KILL, 0.5, 0.008},
    {FAULT_SCOPE_HOST, FAULT_EFFECT_SLOW, FAULT_EFFECT_KILL, 0.9, 0.0008},
    {FAULT_SCOPE_SET, FAULT_EFFECT_STOP, FAULT_EFFECT_STOP, 1, 0}, /* planned */
    {FAULT_SCOPE_SET, FAULT_EFFECT_KILL, FAULT_EFFECT_KILL, 1, 0.008},
    {FAULT_SCOPE_LEAF, FAULT_EFFECT_KILL, FAULT_EFFECT_KILL, 1, 0}, /* not per node */
};

START_TEST(stops_of_a_node)
{
    struct fault_profile profile = {.hbm_gb = 80, .lemon_factor = 1};
    for (int i = 0; i < FAULT_CLASSES; i++)
        profile.classes[i] = fault_class_plain((enum fault_class_id)i);
    struct fault_class *class = &profile.classes[FAULT_GPU];
    class->scope = rows[_i].scope;
    class->rate = 8;
    class->width = 5;
    class->effect = rows[_i].effect;
    class->otherwise = rows[_i].otherwise;
    class->effect_share = rows[_i].share;
    const struct fault_pool pool = {.nodes = 10,
                                    .gpus = 4,
                                    .nics = 4,
                                    .hbm_gb = 80,
                                    .nodes_per_domain = 2,
                                    .profile = &profile};
    double daily = fault_stops_daily(&profile, &pool);
    ck_assert_msg(fabs(daily - rows[_i].daily) < 1e-12, "%g a day, not %g", daily, rows[_i].daily);
    fault_profile_scale(&profile, 3);
    ck_assert(fabs(fault_stops_daily(&profile, &pool) - 3 * daily) < 1e-12);
    fault_profile_only(&profile, UINT32_C(1) << FAULT_HOST);
    ck_assert(fault_stops_daily(&profile, &pool) <= 0);
}
END_TEST

/* The same number of devices on nodes of 1, 4 and 8 has the same number of device faults; host
 * faults scale with nodes. */
START_TEST(devices_fail_alike_wherever_they_are)
{
    static const int sizes[] = {1, 4, 8};
    struct fault_profile profile = {.hbm_gb = 80, .lemon_factor = 1};
    for (int i = 0; i < FAULT_CLASSES; i++)
        profile.classes[i] = fault_class_plain((enum fault_class_id)i);
    profile.classes[FAULT_GPU].rate = profile.classes[FAULT_HBM].rate =
        profile.classes[FAULT_HOST].rate = 8;
    for (int i = 0; i < ROWS(sizes); i++) {
        const struct fault_pool pool = {.gpus = sizes[i],
                                        .nics = sizes[i],
                                        .hbm_gb = 80,
                                        .nodes_per_domain = 1,
                                        .profile = &profile};
        int nodes = 64 / sizes[i];
        ck_assert(fabs(nodes * fault_daily(&profile, FAULT_GPU, &pool) - 8 * 0.008) < 1e-12);
        ck_assert(fabs(nodes * fault_daily(&profile, FAULT_HBM, &pool) - 8 * 0.008) < 1e-12);
        ck_assert(fabs(nodes * fault_daily(&profile, FAULT_HOST, &pool) - nodes * 0.008) < 1e-12);
    }
}
END_TEST

/* A total given for nodes of one GPU is the total of such a node. */
START_TEST(totals_are_for_the_nodes_that_are_meant)
{
    struct fault_profile profile = {.hbm_gb = 80, .lemon_factor = 1};
    for (int i = 0; i < FAULT_CLASSES; i++)
        profile.classes[i] = fault_class_plain((enum fault_class_id)i);
    profile.classes[FAULT_GPU].rate = 8;
    profile.classes[FAULT_HOST].rate = 3;
    fault_profile_rescale(&profile, 6, 1);
    const struct fault_pool pool = {
        .gpus = 1, .nics = 1, .hbm_gb = 80, .nodes_per_domain = 1, .profile = &profile};
    ck_assert(fabs(fault_daily(&profile, FAULT_GPU, &pool) - 0.0015) <
              1e-12); /* 1 to 3, times 6 / 4 */
    ck_assert(fabs(fault_daily(&profile, FAULT_HOST, &pool) - 0.0045) < 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rates");
    TCase *tcase = tcase_create("rates");
    tcase_add_loop_test(tcase, stops_of_a_node, 0, ROWS(rows));
    tcase_add_test(tcase, devices_fail_alike_wherever_they_are);
    tcase_add_test(tcase, totals_are_for_the_nodes_that_are_meant);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
