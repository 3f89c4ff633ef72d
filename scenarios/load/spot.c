/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spot capacity of a pool: an offer from the catalogue, or its own. */
#include "scenarios/catalog/spot.h"
#include "scenarios/load/fill.h"

#include <stdio.h>

bool fill_spot(struct build *build, const char *path, const cJSON *value, struct scen_pool *pool)
{
    struct catalog_spot *catalog;
    struct catalog_spot_offer offer;
    if (!value)
        return true;
    if (!catalog_spot(&catalog, build->err))
        return false;
    struct check check = {
        .where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, "%s", path);
    bool ok = catalog_spot_read(&check, catalog, value, &offer);
    catalog_spot_free(catalog);
    if (!ok)
        return false;
    build->scenario.spot = true;
    pool->spot = (struct scen_spot){.given = true,
                                    .notice_ms = offer.notice_ms,
                                    .away_ms = offer.away_ms,
                                    .monthly = offer.monthly,
                                    .correlated = offer.correlated,
                                    .together = offer.together,
                                    .usd_per_gpu_hour = offer.usd_per_gpu_hour};
    return true;
}
