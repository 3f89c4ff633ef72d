/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage of a scenario, and the traffic of checkpoints to it. */
#include "scenarios/catalog/storage.h"
#include "scenarios/load/fill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HIGH_GB_PER_GPU_S 0.975 /* Criteo: training on a DGX-1 needs 7.8 GB/s for 8 V100 */

static int64_t bytes_of(double gb)
{
    return (int64_t)llround(gb * 1e9);
}

static double given(const cJSON *tree, const char *key)
{
    return json_member(tree, key) ? fill_number(tree, key) : 0;
}

static double data_of(const cJSON *tree)
{
    const cJSON *data = json_member(tree, "data_gb_per_gpu_s");
    if (cJSON_IsString(data))
        return data->valuestring[0] == 'h' ? HIGH_GB_PER_GPU_S : 0;
    return data ? data->valuedouble : 0;
}

/* Sizes require a storage. */
static bool fill_sizes(struct build *build, struct sim_storage_rules *rules)
{
    const cJSON *tree = json_member(build->tree, "checkpoint");
    static const char *const keys[] = {"gb", "gb_per_gpu", "parameters"};
    char path[64];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        (void)snprintf(path, sizeof path, "checkpoint.%s", keys[i]);
        if (json_member(tree, keys[i]) && !rules->on)
            return build_fail(
                build, path, "how long that is written follows from `storage`, which is not given");
    }
    double of_parameters = given(tree, "parameters") / 1e9 * given(tree, "bytes_per_parameter");
    rules->checkpoint_bytes =
        bytes_of(given(tree, "gb") + (of_parameters < 1e6 ? of_parameters : 1e6));
    rules->checkpoint_gpu_bytes = bytes_of(given(tree, "gb_per_gpu"));
    return (rules->checkpoint_bytes == 0 && rules->checkpoint_gpu_bytes == 0) || rules->write > 0 ||
           rules->node_write > 0 ||
           build_fail(build, "storage",
                      "checkpoints are written to it, so it needs write_gbps or node_write_gbps");
}

/* Reads the shares of reads that tiers serve; the last tier serves the rest. */
static bool fill_hits(struct build *build, const cJSON *list, struct store_prices *prices)
{
    double rest = 1;
    char path[64];
    for (size_t i = 0; i < prices->count; i++) {
        const cJSON *tree = cJSON_GetArrayItem(list, (int)i);
        bool last = i + 1 == prices->count, given_hit = json_member(tree, "hit") != NULL;
        (void)snprintf(path, sizeof path, "storage.tiers[%zu].name", i);
        for (size_t k = 0; k < i; k++)
            if (strcmp(prices->tiers[k].name, prices->tiers[i].name) == 0)
                return build_fail(build, path, "there are two tiers of the name '%.64s'",
                                  prices->tiers[i].name);
        (void)snprintf(path, sizeof path, "storage.tiers[%zu].hit", i);
        if (last == given_hit)
            return build_fail(build, path,
                              last ? "the last tier serves what the others do not"
                                   : "a share of reads is missing: every tier but "
                                     "the last has one");
        prices->tiers[i].hit = last ? fmax(0, rest) : fill_number(tree, "hit");
        rest -= prices->tiers[i].hit;
        if (rest < -1e-9)
            return build_fail(build, path, "the tiers serve more than all reads");
    }
    return true;
}

/*
 * Tiers work in parallel: the one with the highest load relative to its bandwidth limits all reads.
 */
static void bound_by_tier(struct sim_storage_rules *rules, double gbps, double hit)
{
    int64_t read = gbps > 0 && hit > 0 ? bytes_of(fmin(gbps / hit, 1e6)) : 0;
    if (read > 0 && (rules->read == 0 || read < rules->read))
        rules->read = read;
}

static bool fill_prices(struct build *build, const cJSON *tree, struct sim_storage_rules *rules)
{
    struct store_prices *prices = &build->scenario.store_prices;
    const cJSON *list = json_member(tree, "tiers");
    if (json_member(tree, "tb")) {
        prices->count = 1;
        prices->tiers[0] = (struct store_tier){.name = "all",
                                               .tb = fill_number(tree, "tb"),
                                               .usd_per_tb_month = given(tree, "usd_per_tb_month"),
                                               .hit = 1};
    }
    for (const cJSON *entry = list ? list->child : NULL; entry; entry = entry->next)
        prices->tiers[prices->count++] =
            (struct store_tier){.name = fill_text(entry, "name"),
                                .tb = fill_number(entry, "tb"),
                                .usd_per_tb_month = given(entry, "usd_per_tb_month"),
                                .usd_per_tb_read = given(entry, "usd_per_tb_read"),
                                .usd_per_tb_written = given(entry, "usd_per_tb_written")};
    if (list && !fill_hits(build, list, prices))
        return false;
    for (size_t i = 0; list && i < prices->count; i++)
        bound_by_tier(rules, given(cJSON_GetArrayItem(list, (int)i), "read_gbps"),
                      prices->tiers[i].hit);
    return true;
}

bool fill_storage(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "storage");
    struct sim_storage_rules *rules = &build->scenario.storage;
    struct catalog_storage *catalog = NULL;
    struct store store;
    struct check check = {.where = layers_where,
                          .of = &build->layers,
                          .whole = true,
                          .path = "storage",
                          .err = build->err};
    bool ok = !tree || catalog_storage_choose(&check, tree, &catalog, &store);
    if (tree && ok)
        *rules = (struct sim_storage_rules){.on = true,
                                            .read = bytes_of(store.read_gbps),
                                            .write = bytes_of(store.write_gbps),
                                            .node_read = bytes_of(store.node_read_gbps),
                                            .node_write = bytes_of(store.node_write_gbps),
                                            .cache = bytes_of(given(tree, "cache_gbps")),
                                            .cache_ppm = llround(given(tree, "cache_hit") * 1e6),
                                            .data = bytes_of(data_of(tree))};
    catalog_storage_free(catalog);
    ok = ok && (!cJSON_IsObject(tree) || fill_prices(build, tree, rules));
    return ok && fill_sizes(build, rules);
}
