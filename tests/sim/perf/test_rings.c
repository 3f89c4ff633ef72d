/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings of DGX-1V: the published counts, a naive twin, and meshes with known answers. */
#include "sim/perf/rings.h"

#include "tests/lib/harness.h"

#include <string.h>

static int bits(int set)
{
    return __builtin_popcount((unsigned)set);
}

/* Links per device: six; 24 in all; the same in both directions. */
START_TEST(links_are_those_of_the_machine)
{
    int sum = 0;
    for (int a = 0; a < RINGS_DEVICES; a++) {
        int own = 0;
        for (int b = 0; b < RINGS_DEVICES; b++) {
            own += rings_dgx1v_links[a][b];
            ck_assert_int_eq(rings_dgx1v_links[a][b], rings_dgx1v_links[b][a]);
        }
        ck_assert_int_eq(own, 6);
        ck_assert_int_eq(rings_dgx1v_links[a][a], 0);
        sum += own;
    }
    ck_assert_int_eq(sum / 2, 24);
}
END_TEST

/* Validation row N1: subsets by number of devices and of rings. */
static const struct {
    int gpus, rings, subsets;
} count_rows[] = {
    {2, 2, 8},  {2, 1, 8},  {2, 0, 12}, {3, 2, 8}, {3, 0, 48}, {4, 4, 2}, {4, 2, 6},
    {4, 0, 62}, {5, 2, 24}, {5, 0, 32}, {6, 4, 4}, {6, 2, 24}, {7, 4, 8}, {8, 6, 1},
};

START_TEST(subsets_have_the_published_rings)
{
    uint8_t rings[RINGS_SETS];
    rings_count(rings_dgx1v_links, rings);
    int subsets = 0;
    for (int set = 0; set < RINGS_SETS; set++)
        subsets += bits(set) == count_rows[_i].gpus && rings[set] == count_rows[_i].rings;
    ck_assert_int_eq(subsets, count_rows[_i].subsets);
}
END_TEST

static const struct {
    int set, rings;
} example_rows[] = {
    {0x09, 2}, {0x21, 0}, {0x07, 2}, {0x13, 0}, {0x0f, 4}, {0x17, 0},
    {0x37, 2}, {0x77, 4}, {0x1f, 0}, {0x01, 0}, {0, 0},
};

START_TEST(examples_are_as_published)
{
    uint8_t rings[RINGS_SETS];
    rings_count(rings_dgx1v_links, rings);
    ck_assert_int_eq(rings[example_rows[_i].set], example_rows[_i].rings);
}
END_TEST

/* A full mesh: n(n-1) directed links form n-1 rings (Tillson: for 4 and 6 devices, n-2). */
START_TEST(full_meshes_decompose)
{
    uint8_t links[RINGS_DEVICES][RINGS_DEVICES], rings[RINGS_SETS];
    memset(links, 0, sizeof links);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            links[a][b] = a != b;
    rings_count((const uint8_t(*)[RINGS_DEVICES])links, rings);
    ck_assert_int_eq(rings[0x03], 1);
    ck_assert_int_eq(rings[0x07], 2);
    ck_assert_int_eq(rings[0x0f], 2);
    ck_assert_int_eq(rings[0x1f], 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rings");
    TCase *tcase = tcase_create("dgx1v");
    tcase_add_test(tcase, links_are_those_of_the_machine);
    tcase_add_loop_test(tcase, subsets_have_the_published_rings, 0, ROWS(count_rows));
    tcase_add_loop_test(tcase, examples_are_as_published, 0, ROWS(example_rows));
    tcase_add_test(tcase, full_meshes_decompose);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
