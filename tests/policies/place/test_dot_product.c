/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DotProd of the FGD paper. Scores computed by hand: with c CPU and R thousandths of devices left
 * before the task, trunc(100 - 50 (c cpu / 128000^2 + R need / 8000^2)).
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
    /* 100 - 50 (0.5 + 0.25) = 62, 100 - 50 (0.25 + 0.125) = 81 */
    {{{128000, "........"}, {64000, "...."}, {0, ""}}, {.devices = 2, .cpu_milli = 64000}, 1},
    /* the least devices left, although the other is the better fit: 100 - 50 / 64 x 8 = 93.75, x 4
     * = 96.9 */
    {{{128000, "........"}, {128000, "....####"}, {0, ""}}, {.devices = 1}, 1},
    /* 98.4 and 98.8 are both 98 when cut: rank */
    {{{128000, ".."}, {128000, ".5"}, {128000, "##"}}, {.devices = 1}, 0},
    /* CPU that is not modelled counts as none */
    {{{64000, "."}, {POLICY_UNLIMITED, "."}, {64000, "."}}, {.devices = 1, .cpu_milli = 64000}, 1},
    /* no devices wanted: 100 - 50 x 0.5 = 75, 100 - 50 x 0.25 = 87.5 */
    {{{128000, ""}, {64000, "........"}, {128000, "........"}}, {.cpu_milli = 64000}, 1},
};

START_TEST(the_least_alike_wins)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "dot-product", "");
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
    Suite *suite = suite_create("dot_product");
    TCase *tcase = tcase_create("dot_product");
    tcase_add_loop_test(tcase, the_least_alike_wins, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
