/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BestFit of the FGD paper. Scores computed by hand: with c CPU and R thousandths of devices left
 * after the task, trunc(100 - c / 2560 - R / 160).
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const struct {
    struct {
        int64_t cpu;
        const char *left;
    } nodes[3];
    struct policy_request request;
    uint32_t node;
} rows[] = {
    /* 100 - 50 - 49.375 = 0.6 -> 0, against 100 - 25 - 43.75 = 31.25 -> 31 */
    {{{128000, "........"}, {64000, "........"}, {0, ""}}, {.devices = 1, .device_milli = 100}, 1},
    {{{64000, "........"}, {64000, "......##"}, {0, ""}}, {.devices = 1}, 1},
    /* 100 - 24.6 - 12.5 = 62.9 -> 62, and 100 - 24.2 - 12.5 = 63.3 -> 63 */
    {{{64000, "..."}, {63000, "..."}, {0, ""}}, {.devices = 1, .cpu_milli = 1000}, 1},
    /* 100 - 24.61 - 12.5 = 62.89 and 100 - 24.57 - 12.5 = 62.93: cut off they are equal, and rank
     * decides */
    {{{64000, "..."}, {63900, "..."}, {0, ""}}, {.devices = 1, .cpu_milli = 1000}, 0},
    /* a node without devices has the least left, but a share does not fit it */
    {{{1000, ""}, {128000, "5"}, {128000, "."}}, {.devices = 1, .device_milli = 500}, 1},
    {{{1000, ""}, {128000, "5"}, {128000, "."}}, {.cpu_milli = 500}, 0},
};

START_TEST(the_highest_score_wins)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "best-fit", "");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 3; i++) {
        struct policy_node_spec spec = core_node_spec(i, 0);
        spec.cpu_milli = rows[_i].nodes[i].cpu;
        core_node_left(p, q, spec, rows[_i].nodes[i].left);
    }
    core_submit(p, 0, q, 1, 1, rows[_i].request);
    ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, rows[_i].node);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fgd_best_fit");
    TCase *tcase = tcase_create("fgd_best_fit");
    tcase_add_loop_test(tcase, the_highest_score_wins, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
