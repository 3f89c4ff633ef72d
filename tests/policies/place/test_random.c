/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random: only nodes and devices that fit, all of them equally often, another choice for another
 * seed. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

enum { NODES = 10, DRAWS = 4000 };

/*
 * Ten nodes with room and two without; 4,000 draws of one of the ten. The chi-square statistic with
 * 9 degrees of freedom exceeds 33.7 once in 10,000 seeds; the seeds here are fixed.
 */
START_TEST(nodes_are_drawn_evenly)
{
    struct tally tally = {0};
    char options[64];
    (void)snprintf(options, sizeof options, "seed=%d", _i);
    struct policy *p = core_create(&tally, "random", options);
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < NODES + 2; i++)
        core_node_left(p, q, core_node_spec(i, 0), i % 6 == 5 ? "####" : "..5#");
    int count[NODES + 2] = {0};
    int device[4] = {0};
    for (int i = 0; i < DRAWS; i++) {
        policy_job job = core_submit(p, i, q, (uint64_t)i, 1, core_share(500));
        size_t n;
        const struct policy_decision *d = policy_decide(p, i, &n);
        ck_assert_uint_eq(n, 1);
        count[d->node.i]++;
        for (int k = 0; k < 4; k++)
            device[k] += (int)(d->devices >> k & 1);
        ck_assert_int_eq(policy_task_ended(p, i, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    }
    double chi = 0;
    for (int i = 0; i < NODES + 2; i++) {
        double off = count[i] - (double)DRAWS / NODES;
        if (i % 6 == 5)
            ck_assert_int_eq(count[i], 0);
        else
            chi += off * off / ((double)DRAWS / NODES);
    }
    ck_assert_double_lt(chi, 33.7);
    /* Three devices have room: a third each, with a standard deviation of 30. */
    ck_assert_int_eq(device[3], 0);
    for (int k = 0; k < 3; k++)
        ck_assert_int_lt(device[k] > DRAWS / 3 ? device[k] - DRAWS / 3 : DRAWS / 3 - device[k],
                         150);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(seeds_differ)
{
    char text[2][4096];
    for (int i = 0; i < 2; i++) {
        struct tally tally = {0};
        struct policy *p = core_create(&tally, "random", i == 0 ? "seed=1" : "seed=2");
        policy_queue q = core_queue(p, NULL, 0);
        for (uint32_t n = 0; n < NODES; n++)
            core_node(p, n, 8);
        for (uint64_t k = 0; k < 30; k++)
            core_submit(p, 0, q, k, 1, core_share(300));
        core_decisions(p, 0, text[i], sizeof text[i]);
        core_destroy(p, &tally);
    }
    ck_assert_str_ne(text[0], text[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, nodes_are_drawn_evenly, 0, 4);
    tcase_add_test(tcase, seeds_differ);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
