/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of KAI, Volcano and Kueue, topologies, priority classes; see kube.h. */
#include "scenarios/import/kube.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- queues ---- */

/*
 * Writes quota, limit and overQuotaWeight; -1 is unlimited. `factor` converts their unit to ours.
 */
static void put_shares(cJSON *queue, const char *key, const cJSON *from, double factor)
{
    static const char *const names[3][2] = {
        {"quota", "quota"}, {"limit", "limit"}, {"overQuotaWeight", "weight"}};
    cJSON *to = cJSON_AddObjectToObject(queue, key);
    for (size_t i = 0; i < 3; i++) {
        const cJSON *value = import_at(from, names[i][0]);
        if (!cJSON_IsNumber(value))
            continue;
        double amount = value->valuedouble;
        bool scaled = i < 2 && amount >= 0;
        cJSON_AddNumberToObject(to, names[i][1], scaled ? round(amount * factor) : amount);
    }
}

/* Writes how long its jobs run before they may be evicted; KAI uses Go durations. */
static bool put_runtime(struct import *import, cJSON *queue, const cJSON *spec, const char *key,
                        const char *own, struct err *err)
{
    const char *text = import_text(spec, key);
    double ms;
    if (*text == '\0')
        return true;
    if (!kube_duration(text, &ms) || ms < 0)
        return import_fail(import, err, "%s: '%.40s', expected a duration such as 90s or 1h30m",
                           key, text);
    cJSON_AddNumberToObject(queue, own, ms / 1000);
    return true;
}

static bool put_age(struct import *import, cJSON *queue, const cJSON *from, struct err *err)
{
    int64_t ms;
    if (!kube_read_moment(import, import_at(from, "metadata"), "creationTimestamp", &ms, err))
        return false;
    if (ms != INT64_MIN)
        cJSON_AddNumberToObject(queue, "created_ms", (double)ms);
    return true;
}

/* KAI: GPUs in devices, CPU in thousandths of a core, memory in megabytes. Missing values mean no
 * limit. */
bool kube_add_kai_queue(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *spec = import_at(from, "spec"), *resources = import_at(spec, "resources");
    cJSON *queue = import_queue(import, import_text(import_at(from, "metadata"), "name"));
    kube_put_origin(queue, from);
    cJSON_AddStringToObject(queue, "parent", import_text(spec, "parentQueue"));
    if (cJSON_IsNumber(import_at(spec, "priority")))
        cJSON_AddNumberToObject(queue, "priority", import_at(spec, "priority")->valuedouble);
    put_shares(queue, "gpu", import_at(resources, "gpu"), 1000);
    put_shares(queue, "cpu", import_at(resources, "cpu"), 1);
    put_shares(queue, "mem", import_at(resources, "memory"), 1e6 / 1048576);
    return put_runtime(import, queue, spec, "preemptMinRuntime", "preempt_min_runtime_s", err) &&
           put_runtime(import, queue, spec, "reclaimMinRuntime", "reclaim_min_runtime_s", err) &&
           put_age(import, queue, from, err);
}

static const char *const share_keys[KUBE_RESOURCES] = {"gpu", "cpu", "mem"};
static const double share_factors[KUBE_RESOURCES] = {1000, 1000, 1. / 1048576};

static void put_share(cJSON *queue, enum kube_resource kind, const char *key, double amount)
{
    import_number(import_object(queue, share_keys[kind]), key,
                  amount < 0 ? -1 : floor(amount * share_factors[kind] + 1e-6));
}

/* Volcano: the deserved amount (else the guaranteed one) is the quota, the capability the limit;
 * missing resources are unlimited. */
bool kube_add_volcano_queue(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *spec = import_at(from, "spec"), *capability = import_at(spec, "capability");
    const cJSON *quota = import_at(spec, "deserved"), *weight = import_at(spec, "weight");
    struct kube_amounts own, most;
    quota = quota ? quota : import_at(import_at(spec, "guarantee"), "resource");
    if (!kube_read_amounts(import, quota, &own, err) ||
        !kube_read_amounts(import, capability, &most, err))
        return false;
    cJSON *queue = import_queue(import, import_text(import_at(from, "metadata"), "name"));
    kube_put_origin(queue, from);
    const char *parent = import_text(spec, "parent");
    cJSON_AddStringToObject(queue, "parent", strcmp(parent, "root") == 0 ? "" : parent);
    if (cJSON_IsNumber(import_at(spec, "priority")))
        cJSON_AddNumberToObject(queue, "priority", import_at(spec, "priority")->valuedouble);
    for (enum kube_resource kind = KUBE_GPU; kind < KUBE_RESOURCES; kind++) {
        if (quota)
            put_share(queue, kind, "quota",
                      kube_lists(quota, kind) ? own.of[kind]
                      : kind == KUBE_GPU      ? 0
                                              : -1);
        if (kube_lists(capability, kind))
            put_share(queue, kind, "limit", most.of[kind]);
    }
    cJSON *gpu = import_object(queue, "gpu");
    if (cJSON_IsNumber(weight))
        cJSON_AddNumberToObject(gpu, "weight", fmin(fmax(weight->valuedouble, 0), 1e9));
    return put_age(import, queue, from, err);
}

/* Sums over flavors. `bounded` stays true while every flavor has a borrowing limit. */
struct kueue_quota {
    bool given, bounded;
    double nominal, borrowing;
};

static void note_resource(struct import *import, const char *name)
{
    char path[200];
    (void)snprintf(path, sizeof path, "spec.resourceGroups[].flavors[].resources[%.100s]", name);
    import_note_field(import, path, "not imported");
}

static bool read_kueue(struct import *import, const cJSON *spec,
                       struct kueue_quota quotas[KUBE_RESOURCES], struct err *err)
{
    const cJSON *group, *flavor, *resource;
    cJSON_ArrayForEach(group, import_at(spec, "resourceGroups"))
    {
        cJSON_ArrayForEach(flavor, import_at(group, "flavors"))
        {
            cJSON_ArrayForEach(resource, import_at(flavor, "resources"))
            {
                const cJSON *limit = import_at(resource, "borrowingLimit");
                double nominal = kube_quantity(import_at(resource, "nominalQuota"));
                double borrowing = limit ? kube_quantity(limit) : 0;
                if (!(nominal >= 0 && nominal <= 1e18 && borrowing >= 0 && borrowing <= 1e18))
                    return import_fail(import, err,
                                       "nominalQuota and borrowingLimit: expected quantities");
                enum kube_resource kind = kube_resource_of(import_text(resource, "name"));
                if (kind == KUBE_RESOURCES) {
                    note_resource(import, import_text(resource, "name"));
                    continue;
                }
                struct kueue_quota *quota = &quotas[kind];
                *quota =
                    (struct kueue_quota){true, limit && (!quota->given || quota->bounded),
                                         quota->nominal + nominal, quota->borrowing + borrowing};
            }
        }
    }
    return true;
}

/*
 * Kueue: sums nominal quotas over all flavors; beyond them a queue borrows from its cohort, and
 * without a cohort not at all.
 */
bool kube_add_cluster_queue(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *spec = import_at(from, "spec"),
                *weight = import_at(import_at(spec, "fairSharing"), "weight");
    const char *cohort = import_text(spec, "cohortName");
    struct kueue_quota quotas[KUBE_RESOURCES] = {{.given = false}};
    if (!read_kueue(import, spec, quotas, err))
        return false;
    cohort = *cohort != '\0' ? cohort : import_text(spec, "cohort");
    cJSON *queue = import_queue(import, import_text(import_at(from, "metadata"), "name"));
    kube_put_origin(queue, from);
    cJSON_AddStringToObject(queue, "parent", cohort);
    if (*cohort != '\0')
        import_queue_name(import, cohort);
    for (int kind = 0; kind < KUBE_RESOURCES; kind++) {
        const struct kueue_quota *quota = &quotas[kind];
        if (!quota->given)
            continue;
        put_share(queue, (enum kube_resource)kind, "quota", quota->nominal);
        if (*cohort == '\0' || quota->bounded)
            put_share(queue, (enum kube_resource)kind, "limit",
                      quota->nominal + (*cohort != '\0' ? quota->borrowing : 0));
    }
    double heavy = weight ? kube_quantity(weight) : 1;
    if (!(heavy >= 0 && heavy <= 1e9))
        return import_fail(import, err, "fairSharing.weight: expected a quantity");
    cJSON_AddNumberToObject(import_object(queue, "gpu"), "weight", heavy);
    return put_age(import, queue, from, err);
}

/* ---- topologies ---- */

bool kube_add_topology(struct import *import, const cJSON *from, struct err *err)
{
    (void)err;
    const cJSON *level, *levels = import_at(import_at(from, "spec"), "levels");
    cJSON *topology = cJSON_CreateObject(), *keys;
    cJSON_AddStringToObject(topology, "name", import_text(import_at(from, "metadata"), "name"));
    keys = cJSON_AddArrayToObject(topology, "levels");
    cJSON_ArrayForEach(level, levels)
    {
        cJSON_AddItemToArray(keys, cJSON_CreateString(import_text(level, "nodeLabel")));
    }
    cJSON *all = cJSON_GetObjectItemCaseSensitive(import->root, "topologies");
    cJSON_AddItemToArray(all ? all : cJSON_AddArrayToObject(import->root, "topologies"), topology);
    return true;
}

/* ---- others ---- */

/* Kueue: the ClusterQueue that its name refers to in its namespace. */
bool kube_add_local_queue(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *meta = import_at(from, "metadata");
    (void)err;
    import_alias(import, import_text(meta, "namespace"), import_text(meta, "name"),
                 import_text(import_at(from, "spec"), "clusterQueue"));
    return true;
}

bool kube_add_class(struct import *import, const cJSON *from, struct err *err)
{
    (void)err;
    import_class_value(import, import_text(import_at(from, "metadata"), "name"),
                       import_at(from, "value"), cJSON_IsTrue(import_at(from, "globalDefault")));
    return true;
}
