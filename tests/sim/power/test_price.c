/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prices of nodes by basis, against sums by hand and the figures of the survey. */
#include "scenarios/scenario.h"
#include "sim/power/price.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <string.h>

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

/*
 * DGX H100: 300,000 x 1.15 over five years at 10 % are 345,000 x 0.263797 = 91,010 a year; 10.2 kW
 * x 180 x 12 = 22,032 a year; both over 8,760 h: 12.904 an hour. Energy 0.7 x 10.2 kW x 1.3 x 0.09
 * = 0.835: 13.74, or 1.72 a GPU.
 */
START_TEST(owning_is_capex_hosting_and_energy)
{
    const struct node_traits h100 = {
        .usd = 300000, .usd_low = 240000, .usd_high = 350000, .peak_w = 10200};
    const struct price_terms terms = price_terms_usual(PRICE_OWN);
    struct node_price price = price_of(&h100, &terms);
    ck_assert_int_eq(price.source, PRICE_OF_BASIS);
    ck_assert(price.energy_on_top);
    ck_assert_double_eq_tol(price.usd, (345000 * 0.2637975 + 22032) / 8760, 1e-4);
    ck_assert_double_eq_tol(price_usd_per_hour(&h100, &terms), 13.74, 0.005);
    ck_assert_double_eq_tol(price_usd_per_year(&h100, &terms),
                            8760 * price_usd_per_hour(&h100, &terms), 1e-6);
    /* Low: 276,000 x 0.229607 (6 years) + 10.2 x 1,440; high: 402,500 x 0.315471 (4 years) + 10.2 x
     * 3,000. */
    ck_assert_double_eq_tol(price.low, (276000 * 0.2296074 + 14688) / 8760, 1e-4);
    ck_assert_double_eq_tol(price.high, (402500 * 0.3154708 + 30600) / 8760, 1e-4);
}
END_TEST

START_TEST(without_interest_it_is_a_straight_line)
{
    const struct node_traits bought = {.usd = 70080, .peak_w = 1000};
    struct price_terms terms = price_terms_usual(PRICE_OWN);
    terms.interest = terms.network = 0;
    terms.mid = (struct price_level){.years = 2};
    ck_assert_double_eq_tol(price_of(&bought, &terms).usd, 4, 1e-12);
}
END_TEST

/* Middle values of the survey: USD per GPU-hour with energy; on-demand rents per node-hour. */
static const struct {
    const char *node;
    double own, tolerance, rent;
} survey_rows[] = {
    {"dgx-1v", 0.23, 0.03, 6.32},
    {"dgx-a100", 0.74, 0.01, 16},
    {"dgx-h100", 1.72, 0.01, 28},
    {"dgx-h200", 1.80, 0.01, 34},
    {"dgx-b200", 2.45, 0.01, 51},
    {"dgx-b300", 2.72, 0.01, 60},
    {"gb200-nvl72", 2.13, 0.02, 42},
    {"gb300-nvl72", 2.42, 0.01, 44},
    {"mi300x-8x", 1.17, 0.01, 17},
    {"mi355x-8x", 2.06, 0.01, 27},
    {"pcie-8x-rtx-pro-6000", 0.73, 0.01, 17},
    {"pcie-8x-l40s", 0.60, 0.05, 15.2},
};

START_TEST(the_catalogue_has_the_survey_s_prices)
{
    struct scen_node *nodes = NULL;
    size_t count = 0, found = 0;
    struct err err = {0};
    const struct price_terms own = price_terms_usual(PRICE_OWN),
                             rent = price_terms_usual(PRICE_RENT);
    ck_assert_msg(catalog_nodes(&nodes, &count, &err), "%s", err.msg);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(nodes[i].name, survey_rows[_i].node) != 0)
            continue;
        found++;
        double each = price_usd_per_hour(nodes[i].traits, &own) / nodes[i].gpus;
        ck_assert_double_eq_tol(each, survey_rows[_i].own,
                                survey_rows[_i].tolerance * survey_rows[_i].own + 0.005);
        struct node_price price = price_of(nodes[i].traits, &rent);
        ck_assert_double_eq_tol(price.usd, survey_rows[_i].rent, 0.02 * survey_rows[_i].rent);
        ck_assert_double_le(price.low, price.usd);
        ck_assert_double_ge(price.high, price.usd);
        ck_assert(!price.energy_on_top && price.unverified);
    }
    ck_assert_uint_eq(found, 1);
    catalog_free(nodes, count);
}
END_TEST

/* A newer generation costs more on either basis: once B200 was cheaper than A100, because one was
 * rented and the other owned. */
START_TEST(generations_rise_in_price_on_either_basis)
{
    static const char *const rising[] = {"dgx-1v",   "dgx-a100-40", "dgx-a100", "dgx-h100",
                                         "dgx-h200", "dgx-b200",    "dgx-b300"};
    const struct price_terms terms = price_terms_usual(_i == 0 ? PRICE_RENT : PRICE_OWN);
    struct scen_node *nodes = NULL;
    size_t count = 0;
    struct err err = {0};
    double last = 0;
    ck_assert_msg(catalog_nodes(&nodes, &count, &err), "%s", err.msg);
    for (int r = 0; r < ROWS(rising); r++) {
        double usd = 0;
        for (size_t i = 0; i < count; i++)
            if (strcmp(nodes[i].name, rising[r]) == 0)
                usd = price_usd_per_hour(nodes[i].traits, &terms);
        ck_assert_msg(usd > last, "%s: %g after %g", rising[r], usd, last);
        last = usd;
    }
    catalog_free(nodes, count);
}
END_TEST

START_TEST(the_other_basis_never_replaces_it)
{
    const struct price_terms own = price_terms_usual(PRICE_OWN),
                             rent = price_terms_usual(PRICE_RENT);
    const struct node_traits bought = {.usd = 1000, .peak_w = 500},
                             rented = {.rent_usd_per_hour = 3, .peak_w = 500};
    const struct node_traits unpowered = {.usd = 1000};
    ck_assert_int_eq(price_of(&bought, &rent).source, PRICE_UNKNOWN);
    ck_assert_int_eq(price_of(&rented, &own).source, PRICE_UNKNOWN);
    ck_assert_int_eq(price_of(&unpowered, &own).source,
                     PRICE_UNKNOWN); /* hosting and energy are not free */
    ck_assert(price_usd_per_hour(&rented, &own) == 0);
    ck_assert_double_eq(price_usd_per_hour(&rented, &rent), 3);
}
END_TEST

START_TEST(a_users_value_overrides_both)
{
    struct price_terms terms = price_terms_usual(_i == 0 ? PRICE_RENT : PRICE_OWN);
    const struct node_traits node = {
        .usd = 1000, .rent_usd_per_hour = 3, .usd_per_hour = 7, .peak_w = 1000};
    struct node_price price = price_of(&node, &terms);
    ck_assert_int_eq(price.source, PRICE_GIVEN);
    ck_assert_double_eq(price.usd, 7);
    ck_assert(!price.energy_on_top); /* unless there is a tariff */
    terms.tariff_given = true;
    ck_assert(price_of(&node, &terms).energy_on_top);
    ck_assert_double_eq(price_of_spot(&node, &terms).usd, 7);
}
END_TEST

START_TEST(spot_capacity_is_rented)
{
    const struct price_terms own = price_terms_usual(PRICE_OWN),
                             rent = price_terms_usual(PRICE_RENT);
    const struct node_traits node = {
        .usd = 1000, .rent_usd_per_hour = 3, .spot_usd_per_hour = 1.5, .peak_w = 10};
    const struct node_traits unknown = {.usd = 1000, .rent_usd_per_hour = 3, .peak_w = 10};
    ck_assert_double_eq(price_of_spot(&node, &rent).usd, 1.5);
    ck_assert_int_eq(price_of_spot(&node, &own).source, PRICE_UNKNOWN);
    ck_assert_int_eq(price_of_spot(&unknown, &rent).source, PRICE_UNKNOWN);
}
END_TEST

/* A billing sets the price on any basis; a price given by the user has precedence, and without such
 * a price there is none. */
START_TEST(a_billing_names_the_price)
{
    static const struct node_traits node = {.usd = 1000,
                                            .rent_usd_per_hour = 3,
                                            .reserved_usd_per_hour = 2,
                                            .reserved_unverified = true,
                                            .spot_usd_per_hour = 1.5,
                                            .peak_w = 10};
    static const struct node_traits given = {.usd_per_hour = 7, .reserved_usd_per_hour = 2};
    static const struct node_traits bare = {.rent_usd_per_hour = 3};
    const struct price_terms terms = price_terms_usual(_i == 0 ? PRICE_RENT : PRICE_OWN);
    ck_assert_double_eq(price_of_billing(&node, &terms, BILLED_ON_DEMAND).usd, 3);
    ck_assert_double_eq(price_of_billing(&node, &terms, BILLED_RESERVED).usd, 2);
    ck_assert(price_of_billing(&node, &terms, BILLED_RESERVED).unverified);
    ck_assert_double_eq(price_of_billing(&node, &terms, BILLED_SPOT).usd, 1.5);
    ck_assert(!price_of_billing(&node, &terms, BILLED_SPOT).energy_on_top);
    ck_assert_double_eq(price_of_billing(&node, &terms, BILLED_BY_BASIS).usd,
                        price_of(&node, &terms).usd);
    ck_assert_double_eq(price_of_billing(&given, &terms, BILLED_RESERVED).usd, 7);
    ck_assert_int_eq(price_of_billing(&bare, &terms, BILLED_RESERVED).source, PRICE_UNKNOWN);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("price");
    TCase *tcase = tcase_create("price");
    tcase_add_test(tcase, owning_is_capex_hosting_and_energy);
    tcase_add_test(tcase, without_interest_it_is_a_straight_line);
    tcase_add_loop_test(tcase, the_catalogue_has_the_survey_s_prices, 0, ROWS(survey_rows));
    tcase_add_loop_test(tcase, generations_rise_in_price_on_either_basis, 0, 2);
    tcase_add_test(tcase, the_other_basis_never_replaces_it);
    tcase_add_loop_test(tcase, a_users_value_overrides_both, 0, 2);
    tcase_add_test(tcase, spot_capacity_is_rented);
    tcase_add_loop_test(tcase, a_billing_names_the_price, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
