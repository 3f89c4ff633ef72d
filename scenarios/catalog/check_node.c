/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function per part of the node; each names the wrong key and what it must agree with. */
#include "scenarios/catalog/check_node.h"

#include "scenarios/schema/node.h"
#include "sim/base/text.h"
#include "sim/power/power.h"

#include <string.h>

static double figure(const cJSON *node, const char *key)
{
    const cJSON *value = json_member(node, key);
    return value ? value->valuedouble : 0;
}

static bool is(const cJSON *node, const char *key, const char *word)
{
    const cJSON *value = json_member(node, key);
    return value && strcmp(value->valuestring, word) == 0;
}

/* check_fail() for a member of the node. */
#define fail_at(check, key, ...) (json_path_add((check)->path, key), check_fail(check, __VA_ARGS__))

static bool check_links(struct check *check, const cJSON *node)
{
    double gpus = figure(node, "gpus");
    if (is(node, "links", "cube-mesh") && gpus != 8)
        return fail_at(check, "links", "a cube mesh links 8 devices, 'gpus' is %.0f", gpus);
    if (is(node, "links", "pairs") && (int)gpus % 2 != 0)
        return fail_at(check, "links", "pairs take an even number of devices, 'gpus' is %.0f",
                       gpus);
    const cJSON *over = json_member(node, "busbw_of");
    for (const cJSON *entry = over ? over->child : NULL; entry; entry = entry->next) {
        int64_t devices;
        if (text_i64(entry->string, strlen(entry->string), &devices) && devices >= 2 &&
            devices <= (int64_t)gpus)
            continue;
        json_path_add(check->path, "busbw_of");
        return fail_at(check, entry->string, "expected a number of devices from 2 to %.0f ('gpus')",
                       gpus);
    }
    return true;
}

static bool check_network(struct check *check, const cJSON *node)
{
    bool none = !json_member(node, "network") || is(node, "network", "none");
    double nics = figure(node, "nics"), gbit = figure(node, "nic_gbit_s");
    if (none && (nics > 0 || gbit > 0))
        return fail_at(check, "network", "there are NICs, expected one of infiniband|roce|tcp");
    if (!none && nics <= 0)
        return fail_at(check, "nics", "a node with a network has at least one");
    if (!none && gbit <= 0)
        return fail_at(check, "nic_gbit_s", "expected more than 0: the node has a network");
    return true;
}

/* A list with one element per device, each below the number of units it refers to. */
static bool check_affinity(struct check *check, const cJSON *node, const char *key, const char *of)
{
    const cJSON *list = json_member(node, key);
    int gpus = (int)figure(node, "gpus"), size = cJSON_GetArraySize(list);
    if (!list)
        return true;
    if (size != gpus)
        return fail_at(check, key, "expected an element for each of %d devices ('gpus'), got %d",
                       gpus, size);
    size_t index = 0;
    for (const cJSON *entry = list->child; entry; entry = entry->next, index++) {
        if (!of || entry->valuedouble < figure(node, of))
            continue;
        json_path_add(check->path, key);
        json_path_add_index(check->path, index);
        return check_fail(check, "%.0f is not below '%s', which is %.0f", entry->valuedouble, of,
                          figure(node, of));
    }
    return true;
}

static bool check_sockets(struct check *check, const cJSON *node)
{
    int sockets = (int)figure(node, "sockets"), numa = (int)figure(node, "numa");
    if (sockets > 0 && numa % sockets != 0)
        return fail_at(check, "numa", "%d NUMA domains do not divide among %d sockets", numa,
                       sockets);
    return true;
}

static bool check_watts(struct check *check, const cJSON *node)
{
    double gpus = figure(node, "gpus"), idle = figure(node, "idle_w"),
           peak = figure(node, "peak_w");
    double gpu_idle = gpus * figure(node, "gpu_idle_w"),
           gpu_peak = gpus * figure(node, "gpu_peak_w");
    if (peak > 0 && idle > POWER_PEAK_SHARE * peak)
        return fail_at(check, "idle_w",
                       "%g W are more than the node draws at full load, %g of 'peak_w' (%g W)",
                       idle, POWER_PEAK_SHARE, peak);
    if (peak > 0 && gpu_peak > peak)
        return fail_at(check, "gpu_peak_w", "%.0f devices draw %g W, more than 'peak_w' (%g W)",
                       gpus, gpu_peak, peak);
    if (idle > 0 && gpu_idle > idle)
        return fail_at(check, "gpu_idle_w", "%.0f devices draw %g W, more than 'idle_w' (%g W)",
                       gpus, gpu_idle, idle);
    return true;
}

/* A range of low and high around the price itself. */
static bool check_range(struct check *check, const cJSON *node, const char *range, const char *of)
{
    const cJSON *list = json_member(node, range);
    double usd = figure(node, of);
    if (!list || (list->child->valuedouble <= usd && usd <= list->child->next->valuedouble))
        return true;
    return fail_at(check, range, "expected low and high around '%s', which is %g", of, usd);
}

/* Checks that `key`, named in the value at the path, is a key of the node. */
static bool check_named(struct check *check, const cJSON *node, const char *key)
{
    if (json_member(node, key) && schema_member(&schema_node, key))
        return true;
    char hint[128];
    const char *keys[64];
    size_t count = 0;
    for (const cJSON *member = node->child; member && count < sizeof keys / sizeof *keys;
         member = member->next)
        keys[count++] = member->string;
    text_suggest(hint, sizeof hint, key, keys, count, sizeof *keys);
    return check_fail(check, "the node has no figure '%.64s'%s", key, hint);
}

static bool check_sources(struct check *check, const cJSON *node)
{
    const cJSON *sources = json_member(node, "sources"),
                *unverified = json_member(node, "unverified");
    size_t length = strlen(check->path), index = 0;
    for (const cJSON *entry = sources ? sources->child : NULL; entry; entry = entry->next) {
        json_path_add(check->path, "sources");
        json_path_add(check->path, entry->string);
        if (!check_named(check, node, entry->string))
            return false;
        check->path[length] = '\0';
    }
    for (const cJSON *entry = unverified ? unverified->child : NULL; entry;
         entry = entry->next, index++) {
        json_path_add(check->path, "unverified");
        json_path_add_index(check->path, index);
        if (!check_named(check, node, entry->valuestring))
            return false;
        check->path[length] = '\0';
    }
    return true;
}

bool check_node(struct check *check, const cJSON *node)
{
    return check_links(check, node) && check_network(check, node) &&
           check_affinity(check, node, "nic_of", "nics") &&
           check_affinity(check, node, "numa_of", "numa") &&
           check_affinity(check, node, "pcie_of", NULL) && check_sockets(check, node) &&
           check_watts(check, node) && check_range(check, node, "usd_range", "usd") &&
           check_range(check, node, "rent_range", "rent_usd_per_hour") &&
           check_sources(check, node);
}
