/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of MIG profiles: slices from NVIDIA's tables of supported profiles (A100, H100, B200). */
#include "scenarios/snapshot/mig_names.h"
#include "tests/lib/harness.h"

static const struct {
    const char *name;
    int compute, memory;
} rows[] = {
    {"1g.5gb", 1, 1},     {"1g.10gb", 1, 1}, /* with no smaller one beside it */
    {"1g.10gb+me", 1, 1}, {"2g.10gb", 2, 2}, {"3g.20gb", 3, 4},  {"3g.40gb", 3, 4},
    {"4g.40gb", 4, 4},    {"7g.80gb", 7, 8}, {"7g.180gb", 7, 8},
};

START_TEST(profiles_have_slices)
{
    struct name_set alone = {0};
    name_set_add(&alone, rows[_i].name);
    name_set_seal(&alone);
    struct mig_profile profile = mig_of(&alone, rows[_i].name);
    ck_assert_int_eq(profile.compute_slices, rows[_i].compute);
    ck_assert_int_eq(profile.memory_slices, rows[_i].memory);
    name_set_fini(&alone);
}
END_TEST

static const struct {
    const char *smallest, *name;
    int memory;
} doubles[] = {
    {"1g.5gb", "1g.10gb", 2},  {"1g.10gb", "1g.20gb", 2}, {"1g.23gb", "1g.45gb", 2},
    {"1g.5gb", "1g.5gb", 1},   {"1g.5gb", "1g.6gb", 1},   {"1g.10gb+me", "1g.10gb", 1},
    {"1g.10gb", "2g.20gb", 2},
};

START_TEST(a_single_slice_may_have_double_memory)
{
    struct name_set set = {0};
    name_set_add(&set, doubles[_i].smallest);
    name_set_add(&set, doubles[_i].name);
    name_set_seal(&set);
    ck_assert_int_eq(mig_of(&set, doubles[_i].name).memory_slices, doubles[_i].memory);
    name_set_fini(&set);
}
END_TEST

static const char *const wrong[] = {"",         "g",       "1g",      "1g.",     "1g.5",
                                    "5g.10gb",  "1g.0gb",  "0g.10gb", "1g.5gbs", "1g.5gb+x",
                                    "11g.10gb", "1 g.5gb", "1g.5GB",  "-1g.5gb", "1000g.5gb"};

START_TEST(other_names_are_refused)
{
    struct mig_profile profile;
    ck_assert_msg(!mig_parse(wrong[_i], &profile), "'%s' was accepted", wrong[_i]);
}
END_TEST

/* One device, and a set of instances. */
static const struct {
    const char *first;
    int64_t first_count;
    const char *second;
    int64_t second_count;
    int64_t devices;
    const char *lacks; /* NULL: they fit */
} sets[] = {
    {"7g.80gb", 1, "x", 9, 1, NULL},
    {"7g.80gb", 5, "x", 0, 1, "7 compute slices"},
    {"7g.80gb", 5, "x", 0, 5, NULL},
    {"1g.10gb", 7, "x", 0, 1, NULL},
    {"1g.10gb", 8, "x", 0, 1, "7 compute slices"},
    {"4g.40gb", 1, "3g.40gb", 1, 1, NULL},
    {"3g.40gb", 2, "1g.10gb", 1, 1, "8 memory slices"},
    {"4g.40gb", 3, "1g.10gb", 2, 2, "room for one instance of 4g or 7g"},
    {"1g.10gb", 1, "x", 0, 0, "7 compute slices"},
};

START_TEST(instances_need_room)
{
    struct mig_total total = {0, 0, 0};
    mig_total_add(&total, sets[_i].first, sets[_i].first_count);
    mig_total_add(&total, sets[_i].second, sets[_i].second_count);
    const char *lacks = mig_total_lacks(&total, sets[_i].devices);
    ck_assert_str_eq(lacks ? lacks : "", sets[_i].lacks ? sets[_i].lacks : "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mig_names");
    TCase *tcase = tcase_create("profiles");
    tcase_add_loop_test(tcase, profiles_have_slices, 0, ROWS(rows));
    tcase_add_loop_test(tcase, a_single_slice_may_have_double_memory, 0, ROWS(doubles));
    tcase_add_loop_test(tcase, other_names_are_refused, 0, ROWS(wrong));
    tcase_add_loop_test(tcase, instances_need_room, 0, ROWS(sets));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
