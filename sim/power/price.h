/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a node costs an hour, on one of two bases that are never mixed:
 *
 *     rent   the list price on demand, energy and all included; spot capacity by its own price
 *     own    capex (1 + network) annuity(interest, years) / 8,760
 *            + peak kW x hosting x 12 / 8,760                       fixed, used or not
 *            and the energy that is drawn, x PUE x tariff           on top, counted as it is
 *              simulated
 *
 *     annuity(i, n) = i / (1 - (1 + i)^-n), 1 / n without interest
 *
 * Mid values of `own`: 15 % for the network between the nodes, 10 % interest over 5 years, 180 USD
 * a kW-month, PUE 1.3, 0.09 USD/kWh; low and high change years (6, 4), hosting (120, 250) and
 * tariff (0.07, 0.11). DGX H100 then comes to 1.72 USD a GPU-hour (1.20 to 2.38) at 0.7 of its peak
 * power, without staff and idle time. Sources: CBRE (hosting without electricity, 163 US 2023, 217
 * worldwide 2025), 10-K reports (4 to 6 years), SemiAnalysis' cost of ownership (H100 1.69).
 *
 * `usd_per_hour` that a user gives goes before either; energy is added only if a tariff is given. A
 * node that has no price on the basis has none: the other basis never stands in.
 */
#ifndef SIM_POWER_PRICE_H
#define SIM_POWER_PRICE_H

#include "sim/fleet/traits.h"

#include <stdbool.h>

enum price_basis { PRICE_RENT = 0, PRICE_OWN };

/* Which price a pool is billed at, whatever the basis. */
enum price_billing { BILLED_BY_BASIS = 0, BILLED_ON_DEMAND, BILLED_RESERVED, BILLED_SPOT };

enum price_source {
    PRICE_UNKNOWN = 0,
    PRICE_GIVEN,    /* usd_per_hour of the node or the pool */
    PRICE_OF_BASIS, /* rent, or what owning comes to without energy */
};

struct price_level {
    double years, hosting_usd_kw_month, usd_per_kwh;
};

struct price_terms {
    enum price_basis basis;
    double interest, network; /* shares */
    double pue;
    struct price_level mid, low, high;
    bool tariff_given; /* usd_per_kwh is the user's */
};

/* In USD an hour for the whole node. */
struct node_price {
    enum price_source source;
    double usd, low, high; /* 0 when unknown */
    bool energy_on_top;
    bool unverified; /* the figure that it rests on */
};

/* What `own` means unless somebody says otherwise; the same with `rent`, where it is not used. */
struct price_terms price_terms_usual(enum price_basis);

struct node_price price_of(const struct node_traits *, const struct price_terms *);

/* At the price of that billing; its own usd_per_hour goes before it. */
struct node_price price_of_billing(const struct node_traits *, const struct price_terms *,
                                   enum price_billing);

/* Of spot capacity, which is rented on any basis: without a price of its own it has none when nodes
 * are owned. */
struct node_price price_of_spot(const struct node_traits *, const struct price_terms *);

/* Dollars an hour and a year with energy at 0.7 of the peak power, for tables that do not simulate;
 * 0 when unknown. */
double price_usd_per_hour(const struct node_traits *, const struct price_terms *);
double price_usd_per_year(const struct node_traits *, const struct price_terms *);

const char *price_basis_name(enum price_basis); /* "rent" */

#endif
