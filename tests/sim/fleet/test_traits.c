/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When two nodes are equally fast: figures that determine speed, not prices, watts or names. */
#include "sim/fleet/traits.h"
#include "tests/lib/harness.h"

static const struct node_traits dgx = {.links = LINKS_SWITCH,
                                       .busbw_gbps = 230,
                                       .nvlink_nodes = 1,
                                       .network = NETWORK_INFINIBAND,
                                       .nics = 8,
                                       .nic_gbit = 200,
                                       .nic_of = {0, 1, 2, 3, 4, 5, 6, 7},
                                       .gpu_mem_gb = 80};

START_TEST(figures_of_speed_count)
{
    struct node_traits other = dgx;
    ck_assert(traits_alike(&dgx, &other, 8));
    other.usd = 1e5;
    other.peak_w = 6500;
    other.nic_of[8] = 5; /* of a device that the node does not have */
    ck_assert(traits_alike(&dgx, &other, 8) && traits_same_device(&dgx, &other));
    other.nic_gbit = 400;
    ck_assert(!traits_alike(&dgx, &other, 8) && traits_same_device(&dgx, &other));
    other = dgx;
    other.gpu_mem_gb = 40; /* another variant */
    ck_assert(!traits_alike(&dgx, &other, 8) && !traits_same_device(&dgx, &other));
    other = dgx;
    other.busbw_of[4] = 100;
    ck_assert(!traits_alike(&dgx, &other, 8));
    other = dgx;
    other.nic_of[7] = 6;
    ck_assert(!traits_alike(&dgx, &other, 8) && traits_alike(&dgx, &other, 7));
}
END_TEST

START_TEST(links_are_known_or_not)
{
    ck_assert(traits_know_links(&dgx));
    ck_assert(!traits_know_links(&traits_unknown));
    struct node_traits only = traits_unknown;
    only.nics = 8; /* its rate is unknown */
    ck_assert(!traits_know_links(&only));
    only.nic_gbit = 100;
    ck_assert(traits_know_links(&only));
    only = traits_unknown;
    only.busbw_of[2] = 20;
    ck_assert(traits_know_links(&only));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("traits");
    TCase *tcase = tcase_create("traits");
    tcase_add_test(tcase, figures_of_speed_count);
    tcase_add_test(tcase, links_are_known_or_not);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
