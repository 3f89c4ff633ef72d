/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kind of node, from the catalogue or inline. Missing keys mean unknown. */
#include "scenarios/schema/node.h"
#include "scenarios/catalog/node.h"
#include "scenarios/json/source.h"
#include "scenarios/schema/values.h"
#include "sim/base/text.h"

#include <string.h>

/* Returns an amount given in one of two keys: the fine one, else the coarse one times `factor`. */
static int64_t either(const cJSON *object, const char *fine, const char *coarse, double factor)
{
    return json_member(object, fine) ? fill_integer(object, fine)
                                     : fill_scaled(object, coarse, factor);
}

static double known(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuedouble : 0;
}

/* Returns the index of a word in a list of words separated by '|'; 0 if the key is absent. */
static int choice(const cJSON *object, const char *key, const char *words)
{
    const char *word = fill_text(object, key);
    int index = 0;
    for (size_t n = word ? strlen(word) : 0; word; index++) {
        size_t length = strcspn(words, "|");
        if (length == n && memcmp(words, word, n) == 0)
            break;
        words += length + 1;
    }
    return index;
}

/* A list with one element per device (check_node()); returns false if there is none. */
static bool each_device(const cJSON *object, const char *key, int of[TRAITS_DEVICES])
{
    const cJSON *list = json_member(object, key);
    size_t i = 0;
    for (const cJSON *entry = list ? list->child : NULL; entry; entry = entry->next)
        of[i++] = (int)entry->valuedouble;
    return list != NULL;
}

static void fill_busbw(const cJSON *object, double busbw_of[TRAITS_DEVICES + 1])
{
    const cJSON *over = json_member(object, "busbw_of");
    for (const cJSON *entry = over ? over->child : NULL; entry; entry = entry->next) {
        int64_t devices = 0;
        BUG_ON(!text_i64(entry->string, strlen(entry->string), &devices));
        busbw_of[devices] = entry->valuedouble;
    }
}

static bool is_unverified(const cJSON *object, const char *key)
{
    const cJSON *list = json_member(object, "unverified");
    for (const cJSON *entry = list ? list->child : NULL; entry; entry = entry->next)
        if (strcmp(entry->valuestring, key) == 0)
            return true;
    return false;
}

/* Returns an element of a list of two; 0 without a list. */
static double of_range(const cJSON *object, const char *key, int index)
{
    const cJSON *value = cJSON_GetArrayItem(json_member(object, key), index);
    return value ? value->valuedouble : 0;
}

static void fill_prices(const cJSON *object, struct node_traits *traits)
{
    traits->usd = known(object, "usd");
    traits->usd_low = of_range(object, "usd_range", 0);
    traits->usd_high = of_range(object, "usd_range", 1);
    traits->usd_unverified = is_unverified(object, "usd");
    traits->rent_usd_per_hour = known(object, "rent_usd_per_hour");
    traits->rent_low = of_range(object, "rent_range", 0);
    traits->rent_high = of_range(object, "rent_range", 1);
    traits->rent_unverified = is_unverified(object, "rent_usd_per_hour");
    traits->spot_usd_per_hour = known(object, "spot_usd_per_hour");
    traits->spot_unverified = is_unverified(object, "spot_usd_per_hour");
    traits->reserved_usd_per_hour = known(object, "reserved_usd_per_hour");
    traits->reserved_unverified = is_unverified(object, "reserved_usd_per_hour");
    traits->usd_per_hour = known(object, "usd_per_hour");
    traits->given_unverified = is_unverified(object, "usd_per_hour");
}

static struct node_traits fill_traits(const cJSON *object, int gpus)
{
    struct node_traits traits = {
        .links = (enum traits_links)choice(object, "links", SCHEMA_LINKS),
        .nvlink_gbps = known(object, "nvlink_gb_s"),
        .busbw_gbps = known(object, "busbw_gb_s"),
        .pair_gbps = known(object, "pair_gb_s"),
        .pcie_gbps = known(object, "pcie_gb_s"),
        .nvlink_nodes =
            json_member(object, "nvlink_nodes") ? (int)fill_integer(object, "nvlink_nodes") : 1,
        .nvlink_domain_gbps = known(object, "nvlink_domain_gb_s"),
        .network = (enum traits_network)choice(object, "network", SCHEMA_NETWORKS),
        .nics = (int)known(object, "nics"),
        .nic_gbit = known(object, "nic_gbit_s"),
        .nic_efficiency = known(object, "nic_efficiency"),
        .sockets = (int)known(object, "sockets"),
        .numa = (int)known(object, "numa"),
        .idle_w = known(object, "idle_w"),
        .peak_w = known(object, "peak_w"),
        .gpu_idle_w = known(object, "gpu_idle_w"),
        .gpu_peak_w = known(object, "gpu_peak_w"),
        .ssd_gbps = known(object, "ssd_gb_s"),
        .gpu_mem_gb = (double)either(object, "gpu_mem_mib", "gpu_mem_gb", 1024) / 1024,
        .bf16_tflops = known(object, "bf16_tflops"),
        .mem_tb_s = known(object, "mem_tb_s"),
        .speed = known(object, "speed"),
    };
    fill_busbw(object, traits.busbw_of);
    fill_prices(object, &traits);
    if (!each_device(object, "nic_of", traits.nic_of))
        for (int i = 0; i < gpus; i++)
            traits.nic_of[i] = i * traits.nics / gpus;
    (void)each_device(object, "numa_of", traits.numa_of);
    (void)each_device(object, "pcie_of", traits.pcie_of);
    return traits;
}

struct scen_node fill_node(const cJSON *object, const char *name, struct node_traits *traits)
{
    const char *summary = fill_text(object, "summary");
    int gpus = (int)fill_integer(object, "gpus");
    *traits = fill_traits(object, gpus);
    return (struct scen_node){
        .name = name,
        .summary = summary ? summary : "",
        .gpus = gpus,
        .gpu_type = fill_text(object, "gpu_type"),
        .gpu_mem_mib = either(object, "gpu_mem_mib", "gpu_mem_gb", 1024),
        .cpu_milli = either(object, "cpu_milli", "cpus", 1000),
        .mem_mib = either(object, "mem_mib", "mem_gb", 1024),
        .max_tasks = (int)fill_integer(object, "max_tasks"),
        .traits = traits,
    };
}
