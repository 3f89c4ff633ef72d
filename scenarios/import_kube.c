/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kubernetes objects as `kubectl get nodes,pods,podgroups,queues -A -o json` prints them: one object or a List.
 *
 *   Node           allocatable GPUs (nvidia.com/gpu, amd.com/gpu), MIG instances, CPU, memory and pods; labels;
 *                  unschedulable ones are draining, ones that are not Ready are down; taints as labels (import_rules.c)
 *   Pod            a task of its group's job, else of a job of its own; requests as the scheduler adds them up
 *   PodGroup       the minimum of its job's gang, its queue and its topology (coscheduling, Volcano, KAI)
 *   Queue          of KAI (scheduling.run.ai): parent, priority and shares; of Volcano: parent, weight, deserved, capability
 *   ClusterQueue   of Kueue, with its cohort as parent: nominal quotas, limits of borrowing, weight
 *   LocalQueue     of Kueue: which ClusterQueue its name stands for in its namespace
 *   Topology       of Kueue and KAI: levels
 *   PriorityClass  of pods whose priority was not resolved
 *
 * A pod's queue is the label kai.scheduler/queue, runai/queue or kueue.x-k8s.io/queue-name, else its namespace. Its group is
 * what coscheduling, Volcano, KAI or Kueue wrote to it; the pods of a Job or JobSet that Kueue admits are one gang. A pod
 * that has ended is left out, and its gang needs one task less; one that is being stopped is releasing.
 *
 * Left out and counted: pods on nodes that are not listed, affinity between pods, spreading, preferences for nodes, resources
 * of other names, other objects. A node has at least what its pods hold (import_used.c).
 */
#include "scenarios/import_kube.h"

#include "scenarios/import_rules.h"

#include <math.h>
#include <string.h>

#define MOST_KIND 64 /* bytes of the name of a kind */

static bool is_ready(const cJSON *node)
{
    const cJSON *condition, *conditions = import_at(import_at(node, "status"), "conditions");
    cJSON_ArrayForEach(condition, conditions)
    {
        if (strcmp(import_text(condition, "type"), "Ready") == 0)
            return strcmp(import_text(condition, "status"), "True") == 0;
    }
    return true;
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
    const cJSON *there =
        import_at(status, "allocatable") ? import_at(status, "allocatable") : import_at(status, "capacity");
    struct kube_amounts amounts;
    if (*import_text(meta, "name") == '\0')
        return import_fail(import, err, "a node without metadata.name");
    if (!kube_read_amounts(import, there, &amounts, err))
        return false;
    if (amounts.of[KUBE_GPU] > KUBE_MOST_GPUS)
        return import_fail(import, err, "a node with %.0f GPUs, expected at most %d", amounts.of[KUBE_GPU],
                           KUBE_MOST_GPUS);
    cJSON *node = import_node(import, import_text(meta, "name"));
    kube_put_amounts(node, &amounts, floor);
    if (kube_put_mig(node, "mig_profiles", there, true))
        cJSON_AddStringToObject(node, "mig", "mixed");
    double pods = kube_quantity(import_at(there, "pods")),
           mib = kube_quantity(import_at(labels, "nvidia.com/gpu.memory"));
    if (pods >= 0)
        cJSON_AddNumberToObject(node, "max_tasks", fmin(floor(pods), 1e6));
    if (mib > 0)
        cJSON_AddNumberToObject(node, "gpu_mem_mib", fmin(floor(mib), 1e9));
    cJSON_AddStringToObject(node, "gpu_type", import_text(labels, "nvidia.com/gpu.product"));
    cJSON_AddStringToObject(node, "state",
                            !is_ready(from)                                  ? "down"
                            : cJSON_IsTrue(import_at(spec, "unschedulable")) ? "draining"
                                                                             : "up");
    kube_copy_texts(node, "labels", labels);
    import_taints(node, import_at(spec, "taints"));
    return true;
}

/* ---- lists ---- */

/* Of what is in a NodeList, as the API server gives it, only the list says what it is. */
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

static bool add_object(struct import *import, const cJSON *object, const char *list, struct err *err)
{
    char name[MOST_KIND];
    const char *kind = kind_of(object, list, name);
    bool known;
    if (strcmp(kind, "Node") == 0)
        return add_node(import, object, err);
    if (strcmp(kind, "Pod") == 0)
        return kube_add_pod(import, object, err);
    if (strcmp(kind, "PodGroup") == 0)
        return kube_add_group(import, object, err);
    if (!kube_add_setting(import, object, &known, err))
        return false;
    if (!known)
        import_note(import, "objects of other kinds than Node, Pod, PodGroup, queues, Topology and "
                            "PriorityClass are left out");
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
