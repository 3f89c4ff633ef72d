/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pod groups, queues of KAI, Volcano and Kueue, topologies, priority classes; see import_kube.h. */
#include "scenarios/import_kube.h"

#include <math.h>
#include <string.h>

/* ---- pod groups ---- */

void kube_add_role(cJSON *roles, const char *name, double least, const cJSON *constraint)
{
    cJSON *role = cJSON_CreateObject();
    cJSON_AddStringToObject(role, "name", name);
    cJSON_AddNumberToObject(role, "min_tasks", floor(least));
    kube_put_constraint(role, constraint);
    cJSON_AddItemToArray(roles, role);
}

void kube_put_constraint(cJSON *to, const cJSON *from)
{
    static const char *const keys[3][2] = {
        {"topology",               "topology" },
        {"requiredTopologyLevel",  "required" },
        {"preferredTopologyLevel", "preferred"}
    };
    if (*import_text(from, "topology") == '\0')
        return;
    cJSON *constraint = cJSON_AddObjectToObject(to, "topology");
    for (size_t i = 0; i < 3; i++)
        cJSON_AddStringToObject(constraint, keys[i][1], import_text(from, keys[i][0]));
}

static bool read_least(struct import *import, const cJSON *spec, double *least, struct err *err)
{
    const cJSON *value = import_at(spec, "minMember");
    *least = 0;
    if (!cJSON_IsNumber(value))
        return true;
    *least = value->valuedouble;
    return (*least >= 1 && *least <= 1e6) || import_fail(import, err, "minMember: expected 1 to 1000000");
}

/* Subgroups of KAI without others inside them are roles. */
static bool add_roles(struct import *import, cJSON *job, const cJSON *spec, struct err *err)
{
    const cJSON *subgroup;
    double least;
    if (!read_least(import, spec, &least, err))
        return false;
    cJSON *roles = cJSON_CreateArray();
    cJSON_ArrayForEach(subgroup, import_at(spec, "subGroups"))
    {
        double part;
        if (!read_least(import, subgroup, &part, err)) {
            cJSON_Delete(roles);
            return false;
        }
        if (*import_text(subgroup, "parent") != '\0')
            import_note(import, "subgroups inside subgroups count as subgroups of the group");
        if (*import_text(subgroup, "name") != '\0' && part > 0)
            kube_add_role(roles, import_text(subgroup, "name"), part,
                          import_at(subgroup, "topologyConstraint"));
    }
    if (!roles->child && least > 0)
        kube_add_role(roles, "default", least, NULL);
    cJSON_DeleteItemFromObjectCaseSensitive(job, "roles");
    if (roles->child)
        cJSON_AddItemToObject(job, "roles", roles);
    else
        cJSON_Delete(roles);
    return true;
}

bool kube_add_group(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *meta = import_at(from, "metadata"), *spec = import_at(from, "spec");
    char id[KUBE_JOB_ID];
    kube_job_id(meta, import_text(meta, "name"), id);
    cJSON *job = import_job(import, id, kube_queue_of(meta));
    if (*import_text(spec, "queue") != '\0')
        import_queue_of(job, import_text(spec, "queue"));
    if (!import_at(job, "topology"))
        kube_put_constraint(job, import_at(spec, "topologyConstraint"));
    return add_roles(import, job, spec, err);
}

/* ---- queues ---- */

/* quota, limit and overQuotaWeight; -1 is unlimited. `factor` brings their unit into ours. */
static void put_shares(cJSON *queue, const char *key, const cJSON *from, double factor)
{
    static const char *const names[3][2] = {
        {"quota",           "quota" },
        {"limit",           "limit" },
        {"overQuotaWeight", "weight"}
    };
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

/* KAI: GPUs in devices, CPU in thousandths of a core, memory in megabytes. */
static void add_kai_queue(struct import *import, const cJSON *from)
{
    const cJSON *spec = import_at(from, "spec"), *resources = import_at(spec, "resources");
    cJSON *queue = import_queue(import, import_text(import_at(from, "metadata"), "name"));
    cJSON_AddStringToObject(queue, "parent", import_text(spec, "parentQueue"));
    if (cJSON_IsNumber(import_at(spec, "priority")))
        cJSON_AddNumberToObject(queue, "priority", import_at(spec, "priority")->valuedouble);
    put_shares(queue, "gpu", import_at(resources, "gpu"), 1000);
    put_shares(queue, "cpu", import_at(resources, "cpu"), 1);
    put_shares(queue, "mem", import_at(resources, "memory"), 1e6 / 1048576);
}

static const char *const share_keys[KUBE_RESOURCES] = {"gpu", "cpu", "mem"};
static const double share_factors[KUBE_RESOURCES] = {1000, 1000, 1. / 1048576};

static void put_share(cJSON *queue, enum kube_resource kind, const char *key, double amount)
{
    import_number(import_object(queue, share_keys[kind]), key,
                  amount < 0 ? -1 : floor(amount * share_factors[kind] + 1e-6));
}

static bool lists(const cJSON *resources, enum kube_resource kind)
{
    const cJSON *item;
    bool found = false;
    cJSON_ArrayForEach(item, import_members(resources))
    {
        found = found || kube_resource_of(item->string) == kind;
    }
    return found;
}

/* Volcano: what is deserved (else guaranteed) is the quota, the capability the limit; what is not listed is unlimited. */
static bool add_volcano_queue(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *spec = import_at(from, "spec"), *capability = import_at(spec, "capability");
    const cJSON *quota = import_at(spec, "deserved"), *weight = import_at(spec, "weight");
    struct kube_amounts own, most;
    quota = quota ? quota : import_at(import_at(spec, "guarantee"), "resource");
    if (!kube_read_amounts(import, quota, &own, err) || !kube_read_amounts(import, capability, &most, err))
        return false;
    cJSON *queue = import_queue(import, import_text(import_at(from, "metadata"), "name"));
    const char *parent = import_text(spec, "parent");
    cJSON_AddStringToObject(queue, "parent", strcmp(parent, "root") == 0 ? "" : parent);
    if (cJSON_IsNumber(import_at(spec, "priority")))
        cJSON_AddNumberToObject(queue, "priority", import_at(spec, "priority")->valuedouble);
    for (enum kube_resource kind = KUBE_GPU; kind < KUBE_RESOURCES; kind++) {
        if (quota)
            put_share(queue, kind, "quota", lists(quota, kind) ? own.of[kind] : kind == KUBE_GPU ? 0 : -1);
        if (lists(capability, kind))
            put_share(queue, kind, "limit", most.of[kind]);
    }
    cJSON *gpu = import_object(queue, "gpu");
    if (cJSON_IsNumber(weight))
        cJSON_AddNumberToObject(gpu, "weight", fmin(fmax(weight->valuedouble, 0), 1e9));
    return true;
}

/* Sums over flavors. `bounded` stays true while every one says how much may be borrowed. */
struct kueue_quota {
    bool given, bounded;
    double nominal, borrowing;
};

static bool read_kueue(struct import *import, const cJSON *spec, struct kueue_quota quotas[KUBE_RESOURCES],
                       struct err *err)
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
                    return import_fail(import, err, "nominalQuota and borrowingLimit: expected quantities");
                enum kube_resource kind = kube_resource_of(import_text(resource, "name"));
                if (kind == KUBE_RESOURCES)
                    continue;
                struct kueue_quota *quota = &quotas[kind];
                *quota = (struct kueue_quota){true, limit && (!quota->given || quota->bounded),
                                              quota->nominal + nominal, quota->borrowing + borrowing};
            }
        }
    }
    return true;
}

/* Kueue: nominal quotas of all flavors together; beyond them a queue borrows from its cohort, and without one not at all. */
static bool add_cluster_queue(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *spec = import_at(from, "spec"),
                *weight = import_at(import_at(spec, "fairSharing"), "weight");
    const char *cohort = import_text(spec, "cohortName");
    struct kueue_quota quotas[KUBE_RESOURCES] = {{.given = false}};
    if (!read_kueue(import, spec, quotas, err))
        return false;
    cohort = *cohort != '\0' ? cohort : import_text(spec, "cohort");
    cJSON *queue = import_queue(import, import_text(import_at(from, "metadata"), "name"));
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
    return true;
}

/* ---- topologies ---- */

static void add_topology(struct import *import, const cJSON *from)
{
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
}

/* ---- which ---- */

static bool is_of(const cJSON *object, const char *kind, const char *group)
{
    size_t n = strlen(group);
    return strcmp(import_text(object, "kind"), kind) == 0 &&
           strncmp(import_text(object, "apiVersion"), group, n) == 0 &&
           import_text(object, "apiVersion")[n] == '/';
}

bool kube_add_setting(struct import *import, const cJSON *object, bool *known, struct err *err)
{
    const cJSON *meta = import_at(object, "metadata");
    *known = true;
    if (is_of(object, "Queue", "scheduling.run.ai"))
        add_kai_queue(import, object);
    else if (is_of(object, "Queue", "scheduling.volcano.sh"))
        return add_volcano_queue(import, object, err);
    else if (is_of(object, "ClusterQueue", "kueue.x-k8s.io"))
        return add_cluster_queue(import, object, err);
    else if (is_of(object, "LocalQueue", "kueue.x-k8s.io"))
        import_alias(import, import_text(meta, "namespace"), import_text(meta, "name"),
                     import_text(import_at(object, "spec"), "clusterQueue"));
    else if (is_of(object, "Topology", "kueue.x-k8s.io") || is_of(object, "Topology", "kai.scheduler"))
        add_topology(import, object);
    else if (is_of(object, "PriorityClass", "scheduling.k8s.io"))
        import_class_value(import, import_text(meta, "name"), import_at(object, "value"));
    else
        *known = false;
    return true;
}
