/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of queues: quotas, weights and limits by arithmetic, trees, sites, and that nothing is
 * assigned twice. */
#include "report/measure/slices.h"

#include "tests/lib/harness.h"

#include <stdlib.h>

#define U POLICY_UNLIMITED

/* Queues "quota, limit, weight, parent" of one site; those with jobs have a slice. Amounts in GPUs.
 */
static const struct {
    const char *what;
    int64_t site;
    struct {
        int64_t quota, limit, weight;
        int32_t parent;
        bool busy;
        double slice;
    } queues[4];
    size_t count;
} rows[] = {
    {"no quotas: 1/N",
     12,
     {{0, U, 1, -1, true, 4}, {0, U, 1, -1, true, 4}, {0, U, 1, -1, true, 4}},
     3},
    {"N counts queues with jobs",
     12,
     {{0, U, 1, -1, true, 6}, {0, U, 1, -1, false, 0}, {0, U, 1, -1, true, 6}},
     3},
    {"unlimited quotas: 1/N", 12, {{U, U, 1, -1, true, 6}, {U, U, 3, -1, true, 6}}, 2},
    {"quotas, and the rest by weight", 16, {{4, U, 1, -1, true, 6}, {4, U, 3, -1, true, 10}}, 2},
    {"no quota and no weight: nothing", 16, {{4, U, 1, -1, true, 16}, {0, U, 0, -1, true, 0}}, 2},
    {"quotas beyond the site", 8, {{12, U, 1, -1, true, 6}, {4, U, 1, -1, true, 2}}, 2},
    {"a limit; others have the rest",
     12,
     {{0, 2, 1, -1, true, 2}, {0, U, 1, -1, true, 5}, {0, U, 1, -1, true, 5}},
     3},
    {"limits of all", 12, {{0, 2, 1, -1, true, 2}, {0, 3, 1, -1, true, 3}}, 2},
    {"a department and its teams",
     8,
     {{6, U, 0, -1, false, 0},
      {0, U, 1, 0, true, 2},
      {0, U, 2, 0, true, 4},
      {2, U, 0, -1, true, 2}},
     4},
    {"a team's quota beyond its department's part",
     8,
     {{6, U, 0, -1, false, 0}, {9, U, 1, 0, true, 6}, {2, U, 0, -1, true, 2}},
     3},
};

START_TEST(of_one_site)
{
    struct sim_queue queues[4] = {{0}};
    uint32_t leaves[4];
    bool busy[4] = {false};
    struct sim_site site = {.milli = rows[_i].site * 1000, .queues = leaves};
    struct sim sim = {
        .queues = queues, .queue_count = rows[_i].count, .sites = &site, .site_count = 1};
    for (uint32_t i = 0; i < rows[_i].count; i++) {
        int64_t quota = rows[_i].queues[i].quota, limit = rows[_i].queues[i].limit;
        queues[i].parent = rows[_i].queues[i].parent;
        queues[i].gpu =
            (struct policy_share){quota == U ? U : quota * 1000, limit == U ? U : limit * 1000,
                                  rows[_i].queues[i].weight * 1000};
        busy[i] = rows[_i].queues[i].busy;
        if (busy[i])
            leaves[site.queue_count++] = i;
    }
    int64_t *slices = slices_of(&sim, busy);
    for (size_t i = 0; i < rows[_i].count; i++)
        ck_assert_msg(slices[i] == (int64_t)(rows[_i].queues[i].slice * 1000),
                      "%s: queue %zu has %lld", rows[_i].what, i, (long long)slices[i]);
    free(slices);
}
END_TEST

/* Queues of different sites share nothing. */
START_TEST(of_two_sites)
{
    struct sim_queue queues[3] = {{.parent = -1, .gpu = {0, U, 1000}, .site = 0},
                                  {.parent = -1, .gpu = {0, U, 1000}, .site = 1},
                                  {.parent = -1, .gpu = {0, U, 1000}, .site = 1}};
    uint32_t first[] = {0}, second[] = {1, 2};
    const bool busy[] = {true, true, true};
    struct sim_site sites[] = {{.milli = 8000, .queues = first, .queue_count = 1},
                               {.milli = 3000, .queues = second, .queue_count = 2}};
    struct sim sim = {.queues = queues, .queue_count = 3, .sites = sites, .site_count = 2};
    int64_t *slices = slices_of(&sim, busy);
    ck_assert_int_eq(slices[0], 8000);
    ck_assert_int_eq(slices[1], 1500);
    ck_assert_int_eq(slices[2], 1500);
    free(slices);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slices");
    TCase *tcase = tcase_create("slices");
    tcase_add_loop_test(tcase, of_one_site, 0, ROWS(rows));
    tcase_add_test(tcase, of_two_sites);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
