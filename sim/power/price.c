/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prices of nodes by basis; the formula is in price.h. */
#include "sim/power/price.h"

#include <math.h>
#include <stddef.h>

#define HOURS_PER_YEAR  8760.0
#define MONTHS_PER_YEAR 12.0
#define USUAL_LOAD      0.7 /* of the peak power, over a year */

struct price_terms price_terms_usual(enum price_basis basis)
{
    return (struct price_terms){
        .basis = basis,
        .interest = 0.10,
        .network = 0.15,
        .pue = basis == PRICE_OWN ? 1.3 : 1,
        .low = {6, 120, 0.07},
        .mid = {5, 180, 0.09},
        .high = {4, 250, 0.11},
    };
}

static double annuity(double interest, double years)
{
    return interest > 0 ? interest / (1 - pow(1 + interest, -years)) : 1 / years;
}

/* Of capex and hosting an hour. */
static double owned(const struct node_traits *traits, const struct price_terms *terms, double capex,
                    const struct price_level *level)
{
    return (capex * (1 + terms->network) * annuity(terms->interest, level->years) +
            traits->peak_w / 1000 * level->hosting_usd_kw_month * MONTHS_PER_YEAR) /
           HOURS_PER_YEAR;
}

static double or_else(double x, double otherwise)
{
    return x > 0 ? x : otherwise;
}

static struct node_price price_to_own(const struct node_traits *traits,
                                      const struct price_terms *terms)
{
    if (!(traits->usd > 0) || !(traits->peak_w > 0))
        return (struct node_price){0};
    return (struct node_price){
        .source = PRICE_OF_BASIS,
        .usd = owned(traits, terms, traits->usd, &terms->mid),
        .low = owned(traits, terms, or_else(traits->usd_low, traits->usd), &terms->low),
        .high = owned(traits, terms, or_else(traits->usd_high, traits->usd), &terms->high),
        .energy_on_top = true,
        .unverified = traits->usd_unverified,
    };
}

static struct node_price price_to_rent(const struct node_traits *traits)
{
    if (!(traits->rent_usd_per_hour > 0))
        return (struct node_price){0};
    return (struct node_price){
        .source = PRICE_OF_BASIS,
        .usd = traits->rent_usd_per_hour,
        .low = or_else(traits->rent_low, traits->rent_usd_per_hour),
        .high = or_else(traits->rent_high, traits->rent_usd_per_hour),
        .unverified = traits->rent_unverified,
    };
}

static struct node_price given(const struct node_traits *traits, const struct price_terms *terms)
{
    double usd = traits->usd_per_hour;
    return (struct node_price){.source = PRICE_GIVEN,
                               .usd = usd,
                               .low = usd,
                               .high = usd,
                               .energy_on_top = terms->tariff_given,
                               .unverified = traits->given_unverified};
}

struct node_price price_of(const struct node_traits *traits, const struct price_terms *terms)
{
    if (traits->usd_per_hour > 0)
        return given(traits, terms);
    return terms->basis == PRICE_OWN ? price_to_own(traits, terms) : price_to_rent(traits);
}

struct node_price price_of_spot(const struct node_traits *traits, const struct price_terms *terms)
{
    if (traits->usd_per_hour > 0)
        return given(traits, terms);
    if (terms->basis == PRICE_OWN || !(traits->spot_usd_per_hour > 0))
        return (struct node_price){0};
    double usd = traits->spot_usd_per_hour;
    return (struct node_price){.source = PRICE_OF_BASIS,
                               .usd = usd,
                               .low = usd,
                               .high = usd,
                               .unverified = traits->spot_unverified};
}

struct node_price price_of_billing(const struct node_traits *traits,
                                   const struct price_terms *terms, enum price_billing billing)
{
    if (billing == BILLED_BY_BASIS || traits->usd_per_hour > 0)
        return price_of(traits, terms);
    if (billing == BILLED_ON_DEMAND)
        return price_to_rent(traits);
    bool spot = billing == BILLED_SPOT;
    double usd = spot ? traits->spot_usd_per_hour : traits->reserved_usd_per_hour;
    if (!(usd > 0))
        return (struct node_price){0};
    return (struct node_price){.source = PRICE_OF_BASIS,
                               .usd = usd,
                               .low = usd,
                               .high = usd,
                               .unverified =
                                   spot ? traits->spot_unverified : traits->reserved_unverified};
}

double price_usd_per_hour(const struct node_traits *traits, const struct price_terms *terms)
{
    struct node_price price = price_of(traits, terms);
    if (price.source == PRICE_UNKNOWN || !price.energy_on_top)
        return price.usd;
    return price.usd + USUAL_LOAD * traits->peak_w / 1000 * terms->pue * terms->mid.usd_per_kwh;
}

double price_usd_per_year(const struct node_traits *traits, const struct price_terms *terms)
{
    return HOURS_PER_YEAR * price_usd_per_hour(traits, terms);
}

const char *price_basis_name(enum price_basis basis)
{
    return basis == PRICE_OWN ? "own" : "rent";
}
