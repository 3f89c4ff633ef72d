/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage of a scenario, and what checkpoints move to it. */
#include "scenarios/catalog/storage.h"
#include "scenarios/load/fill.h"

#include <math.h>
#include <stdio.h>

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

/* Sizes are there only together with a storage that they go to. */
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
    return ok && fill_sizes(build, rules);
}
