/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The embedded spot.json, and offers of the same form in scenarios. */
#include "scenarios/catalog/spot.h"

#include "scenarios/catalog/file.h"
#include "scenarios/schema/spot.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

#define USUAL "generic" /* default base of offers */

const struct catalog_spot_offer *catalog_spot_find(const struct catalog_spot *catalog,
                                                   const char *name)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->offers[i].name, name) == 0)
            return &catalog->offers[i];
    return NULL;
}

static bool find(struct check *check, const struct catalog_spot *catalog, const char *name,
                 struct catalog_spot_offer *offer)
{
    const struct catalog_spot_offer *found = catalog_spot_find(catalog, name);
    if (found) {
        *offer = *found;
        return true;
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name, catalog->count ? &catalog->offers[0].name : NULL,
                 catalog->count, sizeof *catalog->offers);
    return check_fail(check, "unknown offer of spot capacity '%.64s'%s (list spot shows all)", name,
                      hint);
}

/* ---- one offer */

static void take_number(const cJSON *object, const char *key, double *to)
{
    const cJSON *value = json_member(object, key);
    if (value)
        *to = value->valuedouble;
}

static void take_ms(const cJSON *object, const char *key, int64_t *to)
{
    const cJSON *value = json_member(object, key);
    if (value)
        *to = check_duration_ms(value);
}

/* The object's figures replace existing ones. */
static void take_figures(const cJSON *object, struct catalog_spot_offer *offer)
{
    double together = (double)offer->together;
    take_ms(object, "notice", &offer->notice_ms);
    take_ms(object, "away", &offer->away_ms);
    take_number(object, "monthly_interruption", &offer->monthly);
    take_number(object, "correlated", &offer->correlated);
    take_number(object, "correlated_nodes", &together);
    take_number(object, "usd_per_gpu_hour", &offer->usd_per_gpu_hour);
    offer->together = (int64_t)together;
}

static bool read_object(struct check *check, const struct catalog_spot *catalog,
                        const cJSON *object, struct catalog_spot_offer *offer)
{
    const cJSON *base = json_member(object, "based_on");
    size_t n = strlen(check->path);
    json_path_add(check->path, "based_on");
    if (!find(check, catalog, base ? base->valuestring : USUAL, offer))
        return false;
    check->path[n] = '\0';
    take_figures(object, offer);
    if (offer->away_ms > 0)
        return true;
    json_path_add(check->path, "away");
    return check_fail(check, "expected more than 0: the nodes leave");
}

bool catalog_spot_read(struct check *check, const struct catalog_spot *catalog, const cJSON *value,
                       struct catalog_spot_offer *offer)
{
    bool ok = cJSON_IsObject(value) ? read_object(check, catalog, value, offer)
                                    : find(check, catalog, value->valuestring, offer);
    offer->object = NULL;
    return ok;
}

/* ---- the catalogue */

static bool read_offer(struct check *check, struct catalog_spot *catalog, const cJSON *object)
{
    const cJSON *summary = json_member(object, "summary");
    struct catalog_spot_offer offer = {.usd_per_gpu_hour = -1, .together = 1};
    if (strcmp(object->string, USUAL) == 0)
        take_figures(object, &offer);
    else if (!read_object(check, catalog, object, &offer))
        return false;
    offer.name = object->string;
    offer.summary = summary ? summary->valuestring : "";
    offer.object = object;
    catalog->offers[catalog->count++] = offer;
    return true;
}

static bool read_all(void *made, struct check *check, cJSON *tree)
{
    struct catalog_spot *catalog = made;
    const cJSON *all = json_member(tree, "spot");
    catalog->tree = tree;
    catalog->offers = mem_alloc((size_t)cJSON_GetArraySize(all) + 1, sizeof *catalog->offers);
    for (const cJSON *object = all->child; object; object = object->next) {
        check->path[0] = '\0';
        json_path_add(check->path, "spot");
        json_path_add(check->path, object->string);
        if (!read_offer(check, catalog, object))
            return false;
    }
    return true;
}

static void release(void *catalog)
{
    catalog_spot_free(catalog);
}

static const struct catalog_kind kind = {"spot.json", &schema_spot_catalog,
                                         sizeof(struct catalog_spot), read_all, release};

bool catalog_spot_parse(struct catalog_spot **catalog, const char *name, const char *text, size_t n,
                        struct err *err)
{
    *catalog = catalog_file_parse(&kind, name, text, n, err);
    return *catalog != NULL;
}

bool catalog_spot(struct catalog_spot **catalog, struct err *err)
{
    *catalog = catalog_file_open(&kind, err);
    return *catalog != NULL;
}

void catalog_spot_free(struct catalog_spot *catalog)
{
    if (!catalog)
        return;
    free(catalog->offers);
    cJSON_Delete(catalog->tree);
    free(catalog);
}
