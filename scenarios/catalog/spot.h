/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of spot capacity, scenarios/catalog/spot.json: offers of clouds with their notice
 * and how often they reclaim nodes. A pool names one, or has an object that is based on one:
 *
 *     "spot": "aws-a100"
 *     "spot": {"based_on": "aws-a100", "usd_per_gpu_hour": 0.86}
 *
 * A catalogue owns all its texts; catalog_spot_free() releases it.
 */
#ifndef SCENARIOS_CATALOG_SPOT_H
#define SCENARIOS_CATALOG_SPOT_H

#include "scenarios/schema/check.h"

struct catalog_spot_offer {
    const char *name, *summary;
    int64_t notice_ms, away_ms;
    double monthly;          /* share reclaimed within 30 days */
    double correlated;       /* share of reclaims that take several nodes */
    int64_t together;        /* and the number of these nodes */
    double usd_per_gpu_hour; /* -1: as for the node */
    const cJSON *object;     /* NULL: given in a scenario */
};

struct catalog_spot {
    struct catalog_spot_offer *offers;
    size_t count;
    cJSON *tree;
};

bool catalog_spot(struct catalog_spot **, struct err *err);
void catalog_spot_free(struct catalog_spot *); /* NULL is allowed */

/* The same from a text in memory, for tests. */
bool catalog_spot_parse(struct catalog_spot **, const char *name, const char *text, size_t n,
                        struct err *err);

/* Returns an offer by name, or NULL. */
const struct catalog_spot_offer *catalog_spot_find(const struct catalog_spot *, const char *name);

/*
 * Reads an offer from a value of a scenario that passed the schema: a name, or an object;
 * check->path is its location. Its texts belong to the catalogue. Returns false with err set if the
 * name is unknown or figures are inconsistent.
 */
bool catalog_spot_read(struct check *, const struct catalog_spot *, const cJSON *value,
                       struct catalog_spot_offer *);

#endif
