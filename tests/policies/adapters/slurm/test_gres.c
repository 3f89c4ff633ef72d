/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slurm's texts about generic resources and arrays, as in its manual pages and its answers. */
#include "policies/adapters/slurm/gres.h"
#include "tests/lib/harness.h"

static const struct {
    const char *text;
    int64_t gpus;
    const char *type;
    bool other, fine;
} rows[] = {
    {NULL, 0, "", false, true},
    {"", 0, "", false, true},
    {"gpu", 1, "", false, true},
    {"gpu:8", 8, "", false, true},
    {"gpu:h100", 1, "h100", false, true},
    {"gpu:h100:8", 8, "h100", false, true},
    {"gpu:h100:8(S:0-1)", 8, "h100", false, true},
    {"gpu:h100:8(S:0,1),nic:mlx5:2", 8, "h100", true, true},
    {"nic:2,gpu:4", 4, "", true, true},
    {"gpu:a100:2,gpu:h100:3", 5, "a100", false, true},
    {"gres:gpu:4", 4, "", false, true},
    {"gres/gpu:h100=16", 16, "h100", false, true},
    {"gres/gpu=3;gres/shard=2", 3, "", true, true},
    {"gpu:h100:3(IDX:0-2)", 3, "h100", false, true},
    {"gpu:0", 0, "", false, true},
    {"gpu:a100_3g.20gb:2", 2, "a100_3g.20gb", false, true},
    {"gpu:99999999999", 0, "", false, false},
    {":8", 0, "", false, false},
    {"gpu:8(S:0)x", 0, "", false, false},
    {"gpu:aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg:1", 0, "", false,
     false},
};

START_TEST(gpus_are_counted)
{
    struct gres gres;
    bool fine = gres_read(&gres, rows[_i].text);
    ck_assert_int_eq(fine, rows[_i].fine);
    if (!fine)
        return;
    ck_assert_int_eq(gres.gpus, rows[_i].gpus);
    ck_assert_str_eq(gres.type, rows[_i].type);
    ck_assert_int_eq(gres.other, rows[_i].other);
}
END_TEST

static const struct {
    const char *text;
    int64_t count;
    uint32_t first, last;
} arrays[] = {
    {"7", 1, 7, 7},           {"1-4", 4, 1, 4},     {"1-4%2", 4, 1, 4},  {"0-10:5", 3, 0, 10},
    {"1-3,7,9-10", 6, 1, 10}, {"", 0, 0, 0},        {"4-1", -1, 0, 0},   {"1-", -1, 0, 0},
    {"1,x", -1, 0, 0},        {"1-3...", -1, 0, 0}, {"1-4:0", -1, 0, 0}, {"0-4000001", -1, 0, 0},
};

START_TEST(tasks_of_arrays_are_listed)
{
    uint32_t tasks[8] = {0};
    int64_t count = gres_array_tasks(arrays[_i].text, tasks, 8);
    ck_assert_int_eq(count, arrays[_i].count);
    if (count < 1)
        return;
    ck_assert_uint_eq(tasks[0], arrays[_i].first);
    ck_assert_uint_eq(tasks[count - 1], arrays[_i].last);
    uint32_t none = 77;
    ck_assert_int_eq(gres_array_tasks(arrays[_i].text, &none, 0), count);
    ck_assert_uint_eq(none, 77);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/gres");
    TCase *tcase = tcase_create("texts");
    tcase_add_loop_test(tcase, gpus_are_counted, 0, ROWS(rows));
    tcase_add_loop_test(tcase, tasks_of_arrays_are_listed, 0, ROWS(arrays));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
