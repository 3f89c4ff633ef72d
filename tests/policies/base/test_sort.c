/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers sorted by keys of every kind of order, checked pair by pair. */
#include "base/sort.h"
#include "tests/lib/harness.h"

enum { MOST = 300 };

struct keys {
    uint32_t of[MOST];
    bool seen[MOST];
};

static bool before(const void *context, uint32_t a, uint32_t b)
{
    const struct keys *k = context;
    return k->of[a] != k->of[b] ? k->of[a] < k->of[b] : a < b;
}

/* key of i = (i * factor + offset) % modulus: rising, falling, scrambled, with many equals, all
 * equal. */
static const struct {
    uint32_t count, factor, offset, modulus;
} rows[] = {
    {0, 1, 0, 1000},   {1, 1, 0, 1000},     {2, 1, 0, 1000},      {2, 999, 1, 1000},
    {300, 1, 0, 1000}, {300, 999, 0, 1000}, {300, 331, 17, 1009}, {299, 7919, 3, 13},
    {300, 0, 5, 7},    {64, 37, 0, 64},
};

START_TEST(ids_come_in_order)
{
    struct keys k = {0};
    uint32_t ids[MOST + 1];
    for (uint32_t i = 0; i < MOST; i++)
        k.of[i] = (i * rows[_i].factor + rows[_i].offset) % rows[_i].modulus;
    for (uint32_t i = 0; i < rows[_i].count; i++)
        ids[i] = i;
    ids[rows[_i].count] = 4711;
    pc_sort_ids(ids, rows[_i].count, before, &k);
    for (uint32_t i = 0; i < rows[_i].count; i++) {
        ck_assert_uint_lt(ids[i], rows[_i].count);
        ck_assert(!k.seen[ids[i]]);
        k.seen[ids[i]] = true;
        ck_assert(i == 0 || before(&k, ids[i - 1], ids[i]));
    }
    ck_assert_uint_eq(ids[rows[_i].count], 4711);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sort");
    TCase *tcase = tcase_create("sort");
    tcase_add_loop_test(tcase, ids_come_in_order, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
