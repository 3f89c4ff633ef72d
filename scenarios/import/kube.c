/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kubernetes objects as `kubectl get nodes,pods,podgroups,queues -A -o json` prints them: one
 * object or a List.
 *
 *   Node           allocatable GPUs (nvidia.com/gpu, amd.com/gpu), MIG instances, CPU, memory and
 *                  pods; labels; unschedulable ones are draining, ones that are not Ready are down;
 *                  taints as labels (rules.c)
 *   Pod            a task of its group's job, else of a job of its own; requests as the scheduler
 *                  adds them up
 *   PodGroup       the minimum of its job's gang, its queue and its topology (coscheduling,
 *                  Volcano, KAI)
 *   Queue          of KAI (scheduling.run.ai): parent, priority and shares; of Volcano: parent,
 *                  weight, deserved, capability
 *   ClusterQueue   of Kueue, with its cohort as parent: nominal quotas, limits of borrowing, weight
 *   LocalQueue     of Kueue: which ClusterQueue its name stands for in its namespace
 *   Topology       of Kueue and KAI: levels
 *   PriorityClass  of pods whose priority was not resolved
 *
 * Each field has a row in kube_tables.c that says how it is treated. A pod's queue is the label
 * kai.scheduler/queue, runai/queue or kueue.x-k8s.io/queue-name, else its namespace. Its group is
 * what coscheduling, Volcano, KAI or Kueue wrote to it; the pods of a Job or JobSet that Kueue
 * admits are one gang. A pod that has ended is left out, and its gang needs one task less; one that
 * is being deleted is releasing, unless its grace period ended long ago: then it keeps what it
 * holds (finish.c).
 *
 * Left out and noted, by object and field: what the snapshot cannot express. Left out and counted:
 * pods on unlisted nodes, other objects. A node has at least what its pods hold (used.c).
 */
#include "scenarios/import/kube.h"

#include "scenarios/import/kube_fields.h"
#include "scenarios/import/rules.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_KIND IMPORT_KIND /* bytes of the name of a kind */

/* Ready or not; other conditions that Kubernetes itself sets are also taints. */
static bool read_conditions(struct import *import, const cJSON *conditions)
{
    static const char *const tainting[] = {"MemoryPressure", "DiskPressure", "PIDPressure",
                                           "NetworkUnavailable"};
    const cJSON *condition;
    bool ready = true;
    cJSON_ArrayForEach(condition, conditions)
    {
        const char *type = import_text(condition, "type");
        bool holds = strcmp(import_text(condition, "status"), "True") == 0, taints = false;
        for (size_t i = 0; i < sizeof tainting / sizeof *tainting; i++)
            taints = taints || strcmp(type, tainting[i]) == 0;
        if (strcmp(type, "Ready") == 0) {
            ready = holds;
        } else if (holds && !taints) {
            char path[200];
            (void)snprintf(path, sizeof path, "status.conditions[%.100s]", type);
            import_note_field(import, path, "not imported");
        }
    }
    kube_conditions_seen(import, conditions);
    return ready;
}

/* If all devices of a node are partitioned equally, its GPUs are instances. */
static bool counts_instances(const cJSON *labels)
{
    return strcmp(import_text(labels, "nvidia.com/mig.strategy"), "single") == 0 &&
           strstr(import_text(labels, "nvidia.com/gpu.product"), "-MIG-") != NULL;
}

void kube_copy_texts(cJSON *to, const char *key, const cJSON *texts)
{
    const cJSON *item;
    cJSON *copy = cJSON_AddObjectToObject(to, key);
    cJSON_ArrayForEach(item, texts)
    {
        if (cJSON_IsString(item))
            cJSON_AddStringToObject(copy, item->string, item->valuestring);
    }
}

static bool add_node(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *meta = import_at(from, "metadata"), *spec = import_at(from, "spec");
    const cJSON *status = import_at(from, "status"), *labels = import_at(meta, "labels");
    const cJSON *there = import_at(status, "allocatable") ? import_at(status, "allocatable")
                                                          : import_at(status, "capacity");
    struct kube_amounts amounts;
    if (*import_text(meta, "name") == '\0')
        return import_fail(import, err, "a node without metadata.name");
    if (!kube_read_amounts(import, there, &amounts, err))
        return false;
    if (amounts.of[KUBE_GPU] > KUBE_MOST_GPUS)
        return import_fail(import, err, "a node with %.0f GPUs, expected at most %d",
                           amounts.of[KUBE_GPU], KUBE_MOST_GPUS);
    bool ready = read_conditions(import, import_at(status, "conditions"));
    cJSON *node = import_node(import, import_text(meta, "name"));
    kube_put_amounts(node, &amounts, floor);
    if (kube_put_mig(node, "mig_profiles", there))
        cJSON_AddStringToObject(node, "mig", "mixed");
    else if (counts_instances(labels))
        cJSON_AddStringToObject(node, "mig", "single");
    double pods = kube_quantity(import_at(there, "pods")),
           mib = kube_quantity(import_at(labels, "nvidia.com/gpu.memory"));
    if (pods >= 0)
        cJSON_AddNumberToObject(node, "max_tasks", fmin(floor(pods), 1e6));
    if (mib > 0)
        cJSON_AddNumberToObject(node, "gpu_mem_mib", fmin(floor(mib), 1e9));
    cJSON_AddStringToObject(node, "gpu_type", import_text(labels, "nvidia.com/gpu.product"));
    cJSON_AddStringToObject(node, "state",
                            !ready                                           ? "down"
                            : cJSON_IsTrue(import_at(spec, "unschedulable")) ? "draining"
                                                                             : "up");
    kube_copy_texts(node, "labels", labels);
    import_taints(node, import_at(spec, "taints"));
    return true;
}

/* ---- lists ---- */

/* In a NodeList from the API server, only the list has a kind. */
static const char *kind_of(const cJSON *object, const char *list, char kind[MOST_KIND])
{
    static const char end[] = "List";
    size_t n = strlen(list), m = sizeof end - 1;
    if (import_at(object, "kind") || !cJSON_IsObject(object) || n <= m || n - m >= MOST_KIND ||
        strcmp(list + n - m, end) != 0)
        return import_text(object, "kind");
    memcpy(kind, list, n - m);
    kind[n - m] = '\0';
    return kind;
}

/* ---- kinds ---- */

struct kind {
    const char *name, *group; /* API group; NULL: any */
    const struct kube_field *fields;
    bool (*add)(struct import *, const cJSON *, struct err *);
};

static const struct kind kinds[] = {
    {"Node", NULL, kube_node_fields, add_node},
    {"Pod", NULL, kube_pod_fields, kube_add_pod},
    {"PodGroup", "scheduling.run.ai", kube_kai_group_fields, kube_add_group},
    {"PodGroup", "scheduling.volcano.sh", kube_volcano_group_fields, kube_add_group},
    {"PodGroup", NULL, kube_group_fields, kube_add_group},
    {"Queue", "scheduling.run.ai", kube_kai_queue_fields, kube_add_kai_queue},
    {"Queue", "scheduling.volcano.sh", kube_volcano_queue_fields, kube_add_volcano_queue},
    {"ClusterQueue", "kueue.x-k8s.io", kube_cluster_queue_fields, kube_add_cluster_queue},
    {"LocalQueue", "kueue.x-k8s.io", kube_local_queue_fields, kube_add_local_queue},
    {"Topology", "kueue.x-k8s.io", kube_topology_fields, kube_add_topology},
    {"Topology", "kai.scheduler", kube_topology_fields, kube_add_topology},
    {"PriorityClass", "scheduling.k8s.io", kube_class_fields, kube_add_class},
};

void kube_put_origin(cJSON *to, const cJSON *from)
{
    const char *kind = import_text(from, "kind"), *version = import_text(from, "apiVersion");
    const cJSON *generation = import_at(import_at(from, "metadata"), "generation");
    const char *slash = strchr(version, '/');
    char resource[2 * MOST_KIND + 2];
    if (!slash || !cJSON_IsNumber(generation) ||
        !(generation->valuedouble >= 1 && generation->valuedouble < 9e15))
        return;
    (void)snprintf(resource, sizeof resource, "%.60ss.%.*s", kind,
                   slash - version < MOST_KIND ? (int)(slash - version) : MOST_KIND, version);
    for (char *c = resource; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    import_put_text(to, "origin", resource);
    import_number(to, "generation", floor(generation->valuedouble));
}

bool kube_is_of(const cJSON *object, const char *group)
{
    size_t n = strlen(group);
    const char *version = import_text(object, "apiVersion");
    return strncmp(version, group, n) == 0 && version[n] == '/';
}

static bool add_object(struct import *import, const cJSON *object, const char *list,
                       struct err *err)
{
    char name[MOST_KIND], subject[MOST_KIND];
    const char *kind = kind_of(object, list, name);
    const cJSON *meta = import_at(object, "metadata");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *row = &kinds[i];
        if (strcmp(row->name, kind) != 0 || (row->group && !kube_is_of(object, row->group)))
            continue;
        import_subject(import, kind, import_text(meta, "namespace"), import_text(meta, "name"));
        kube_note_fields(import, object, row->fields);
        return row->add(import, object, err);
    }
    (void)snprintf(subject, sizeof subject, "objects of kind %.40s", *kind != '\0' ? kind : "none");
    import_subject(import, subject, "", "");
    import_note_field(import, "not imported",
                      "only Node, Pod, PodGroup, queues, Topology and PriorityClass are");
    return true;
}

bool import_kube(struct import *import, const cJSON *root, struct err *err)
{
    const cJSON *items = import_at(root, "items"), *item;
    import->list = "items";
    import->index = 0;
    if (!cJSON_IsArray(items))
        return add_object(import, root, "", err);
    cJSON_ArrayForEach(item, items)
    {
        if (!add_object(import, item, import_text(root, "kind"), err))
            return false;
        import->index++;
    }
    return true;
}
