/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MIG: profiles by name, fixed numbers of instances, and instances created on devices with enough
 * slices. */
#include "policies/policy.h"
#include "sim/fleet/fleet.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

/* A node with one device of 81,920 MiB and one of 40,960, in this order. */
static void build(struct fleet *fleet, int mig_of_80, int mig_of_40)
{
    fleet_init(fleet);
    fleet_add_pool(fleet, "p");
    struct fleet_node node = {.name = "large",
                              .gpus = 1,
                              .cpu_milli = -1,
                              .mem_mib = -1,
                              .max_tasks = -1,
                              .device_mem_mib = 81920};
    node.mig = mig_of_80;
    fleet_add_node(fleet, &node);
    node.name = "small";
    node.mig = mig_of_40;
    node.device_mem_mib = 40960;
    fleet_add_node(fleet, &node);
}

/* Tables of the vendor: profiles of 40, 80, 141 and 180 GB devices. */
static const struct {
    const char *name;
    int64_t device_mem_mib;
    int compute, memory; /* 0: there is none */
} profiles[] = {
    {"1g.5gb", 40960, 1, 1},    {"1g.10gb", 40960, 1, 2},
    {"2g.10gb", 40960, 2, 2},   {"3g.20gb", 40960, 3, 4},
    {"4g.20gb", 40960, 4, 4},   {"7g.40gb", 40960, 7, 8},
    {"1g.10gb", 81920, 1, 1},   {"1g.10gb+me", 81920, 1, 1},
    {"1g.20gb", 81920, 1, 2},   {"2g.20gb", 81920, 2, 2},
    {"3g.40gb", 81920, 3, 4},   {"4g.40gb", 81920, 4, 4},
    {"7g.80gb", 81920, 7, 8},   {"1g.18gb", 144384, 1, 1},
    {"1g.35gb", 144384, 1, 2},  {"3g.71gb", 144384, 3, 4},
    {"7g.141gb", 144384, 7, 8}, {"1g.23gb", 184320, 1, 1},
    {"1g.45gb", 184320, 1, 2},  {"3g.90gb", 184320, 3, 4},
    {"3g.40gb", 0, 3, 4}, /* unknown sizes: by the name alone */
    {"3g.20gb", 81920, 0, 0},   {"5g.40gb", 81920, 0, 0},
    {"3g.40", 81920, 0, 0},     {"3g.40gbx", 81920, 0, 0},
    {" 3g.40gb", 81920, 0, 0},  {"3g.-40gb", 81920, 0, 0},
    {"3g.0gb", 81920, 0, 0},    {"9g.40gb", 81920, 0, 0},
    {"", 81920, 0, 0},
};

START_TEST(names_say_slices)
{
    struct fleet fleet;
    struct err err = {0};
    int index = -1;
    build(&fleet, POLICY_MIG_FREE, POLICY_MIG_OFF);
    fleet.nodes[0].device_mem_mib = profiles[_i].device_mem_mib;
    bool known = fleet_profile(&fleet, profiles[_i].name, &index, &err);
    ck_assert_msg(known == (profiles[_i].compute > 0), "%s: %s", profiles[_i].name, err.msg);
    if (known) {
        ck_assert_int_eq(fleet.profiles[index].compute, profiles[_i].compute);
        ck_assert_int_eq(fleet.profiles[index].memory, profiles[_i].memory);
        int again = -1;
        ck_assert(fleet_profile(&fleet, profiles[_i].name, &again, &err));
        ck_assert_int_eq(again, index);
        ck_assert_int_eq(fleet.profile_count, 1);
    } else {
        ck_assert_int_eq(err.code, EXIT_INPUT);
        harness_contains(err.msg, "MIG profile");
    }
    fleet_fini(&fleet);
}
END_TEST

/* Only devices with MIG define the meaning of a name. */
START_TEST(other_devices_say_nothing)
{
    struct fleet fleet;
    struct err err = {0};
    int index;
    build(&fleet, POLICY_MIG_OFF, POLICY_MIG_FREE);
    ck_assert(fleet_profile(&fleet, "1g.10gb", &index, &err));
    ck_assert_int_eq(fleet.profiles[index].memory, 2);
    ck_assert(!fleet_profile(&fleet, "3g.40gb", &index, &err));
    fleet_fini(&fleet);
}
END_TEST

/* Instances, and shares of 1000, put on device 0 in sequence; the last may be refused. */
static const struct {
    const char *takes[9];
    bool fits;
    int64_t milli; /* in use at the end; 0: not checked */
} fills[] = {
    {{"1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb"}, true, 1000},
    {{"1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb"},
     false,
     0},
    {{"3g.40gb", "3g.40gb"}, true, 857},           /* the seventh slice idles */
    {{"3g.40gb", "3g.40gb", "1g.10gb"}, false, 0}, /* no memory left */
    {{"4g.40gb", "3g.40gb"}, true, 1000},
    {{"4g.40gb", "4g.40gb"}, false, 0}, /* 8 of 7 slices */
    {{"7g.80gb"}, true, 1000},
    {{"7g.80gb", "1g.10gb"}, false, 0},
    {{"1g.10gb", "whole"}, false, 0},
    {{"1g.10gb", "share"}, false, 0},
    {{"share", "1g.10gb"}, false, 0},
    {{"share", "share"}, true, 0},
};

static struct fleet_use use_of(struct fleet *fleet, const char *what)
{
    struct err err = {0};
    int index;
    if (what[0] == 'w')
        return (struct fleet_use){.devices = 1, .milli = 1000};
    if (what[0] == 's')
        return (struct fleet_use){.devices = 1, .milli = 200};
    ck_assert(fleet_profile(fleet, what, &index, &err));
    return (struct fleet_use){
        .devices = 1, .milli = fleet_instance_milli(fleet, 0, 1, index + 1), .profile = index + 1};
}

START_TEST(a_device_has_seven_slices_and_eight)
{
    struct fleet fleet;
    struct err err = {0};
    build(&fleet, POLICY_MIG_FREE, POLICY_MIG_OFF);
    for (int round = 0; round < 2; round++) {
        struct fleet_use taken[9];
        int n = 0;
        int64_t milli = 0;
        for (int i = 0; fills[_i].takes[i] != NULL; i++) {
            struct fleet_use use = use_of(&fleet, fills[_i].takes[i]);
            bool fits = fills[_i].takes[i + 1] != NULL || fills[_i].fits;
            ck_assert_int_eq(fleet_take(&fleet, 0, &use, &err), fits);
            if (!fits)
                break;
            taken[n++] = use;
            milli += use.milli;
        }
        ck_assert_int_eq(fleet.milli_used, milli);
        if (fills[_i].milli > 0)
            ck_assert_int_eq(milli, fills[_i].milli);
        while (n-- > 0)
            fleet_give(&fleet, 0, &taken[n]);
        ck_assert_int_eq(fleet.milli_used, 0);
    }
    fleet_fini(&fleet);
}
END_TEST

/* Instances are created and removed in any order: after each creation the device counts the
 * sevenths of all of its instances. */
START_TEST(sums_of_instances_are_sevenths)
{
    struct fleet fleet;
    struct err err = {0};
    build(&fleet, POLICY_MIG_FREE, POLICY_MIG_OFF);
    uint64_t random = 1;
    struct fleet_use taken[7];
    int n = 0;
    for (int step = 0; step < 2000; step++) {
        struct fleet_use use = use_of(&fleet, "1g.10gb");
        bool takes = n == 0 || (n < 7 && test_draw(&random) % 2 == 0);
        if (takes) {
            ck_assert(fleet_take(&fleet, 0, &use, &err));
            taken[n++] = use;
            ck_assert_int_eq(fleet.milli_used, (n * 2000 + 7) / 14);
        } else {
            size_t i = test_draw(&random) % (uint64_t)n;
            fleet_give(&fleet, 0, &taken[i]);
            taken[i] = taken[--n];
        }
    }
    fleet_fini(&fleet);
}
END_TEST

START_TEST(fixed_instances_are_counted)
{
    struct fleet fleet;
    struct err err = {0};
    int small;
    int large;
    build(&fleet, POLICY_MIG_FIXED, POLICY_MIG_OFF);
    ck_assert(fleet_profile(&fleet, "1g.10gb", &small, &err) &&
              fleet_profile(&fleet, "3g.40gb", &large, &err));
    fleet_parts(&fleet, 0)->instances[small] = 2;
    struct fleet_use use = {.milli = fleet_instance_milli(&fleet, 0, 0, small + 1),
                            .profile = small + 1};
    ck_assert_int_eq(use.milli, 143);
    ck_assert(fleet_take(&fleet, 0, &use, &err));
    ck_assert_int_eq(fleet_instance_milli(&fleet, 0, 0, small + 1), 143); /* 286 */
    ck_assert(fleet_take(&fleet, 0, &use, &err));
    ck_assert_int_eq(fleet_instance_milli(&fleet, 0, 0, small + 1), 143); /* 429 */
    ck_assert_int_eq(fleet.milli_used, 286);
    ck_assert(!fleet_take(&fleet, 0, &use, &err));
    harness_contains(err.msg, "all 2 instances '1g.10gb'");
    struct fleet_use other = {.milli = 429, .profile = large + 1};
    ck_assert(!fleet_take(&fleet, 0, &other, &err));
    fleet_give(&fleet, 0, &use);
    ck_assert(fleet_take(&fleet, 0, &use, &err));
    fleet_fini(&fleet);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mig");
    TCase *tcase = tcase_create("mig");
    tcase_add_loop_test(tcase, names_say_slices, 0, ROWS(profiles));
    tcase_add_test(tcase, other_devices_say_nothing);
    tcase_add_loop_test(tcase, a_device_has_seven_slices_and_eight, 0, ROWS(fills));
    tcase_add_test(tcase, sums_of_instances_are_sevenths);
    tcase_add_test(tcase, fixed_instances_are_counted);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
