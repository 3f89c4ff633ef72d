/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kubernetes objects as `kubectl get nodes,pods,podgroups,queues -A -o json` prints them: one object or a List.
 *
 *   Node      allocatable GPUs (nvidia.com/gpu, amd.com/gpu), MIG instances, CPU, memory and pods; labels; unschedulable
 *             ones are draining, ones that are not Ready are down
 *   Pod       a task of its pod group's job, else of a job of its own; requests as the scheduler adds them up
 *   PodGroup  the minimum of its job's gang and its queue
 *   Queue     of scheduling.run.ai (KAI): parent, priority and shares
 *
 * A pod's queue is the label kai.scheduler/queue, runai/queue or kueue.x-k8s.io/queue-name, else its namespace. Its group is
 * what coscheduling, Volcano or KAI wrote to it. Pods that have ended are left out. Taints, and affinities other than one
 * term of "In", are left out and counted.
 */
#include "scenarios/import_internal.h"
#include "sim/base/text.h"
#include "traces/times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_GPUS     64
#define MOST_PRIORITY 1e9
#define MIG_PREFIX    "nvidia.com/mig-"

/* ---- quantities ---- */

/* "500m", "2", "16Gi", "1e3" as a number of cores or bytes; nan when it is none. */
static double quantity(const cJSON *value)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {
        {"m",  1e-3             },
        {"k",  1e3              },
        {"M",  1e6              },
        {"G",  1e9              },
        {"T",  1e12             },
        {"P",  1e15             },
        {"Ki", 1024.            },
        {"Mi", 1048576.         },
        {"Gi", 1073741824.      },
        {"Ti", 1099511627776.   },
        {"Pi", 1125899906842624.},
    };
    if (cJSON_IsNumber(value))
        return value->valuedouble;
    const char *text = cJSON_GetStringValue(value);
    double number = (double)NAN;
    if (!text)
        return number;
    size_t n = strlen(text), digits = n;
    while (digits > 0 && strchr("mkKMGTPi", text[digits - 1]))
        digits--;
    if (!text_f64(text, digits, &number))
        return (double)NAN;
    for (size_t i = 0; digits < n && i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].suffix, text + digits) == 0)
            return number * units[i].factor;
    return digits == n ? number : (double)NAN;
}

enum resource { GPU, CPU, MEM, RESOURCES };

struct amounts {
    double of[RESOURCES]; /* GPUs, cores, bytes */
};

static enum resource resource_of(const char *name)
{
    static const char *const names[] = {"nvidia.com/gpu", "amd.com/gpu", "cpu", "memory"};
    static const enum resource kinds[] = {GPU, GPU, CPU, MEM};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return kinds[i];
    return RESOURCES;
}

static bool read_amounts(struct import *import, const cJSON *object, struct amounts *amounts, struct err *err)
{
    const cJSON *item;
    *amounts = (struct amounts){0};
    cJSON_ArrayForEach(item, object)
    {
        enum resource kind = resource_of(item->string);
        double value = kind == RESOURCES ? 0 : quantity(item);
        if (!(value >= 0 && value <= 1e18))
            return import_fail(import, err, "%s: expected a quantity such as 4, 500m or 16Gi", item->string);
        if (kind != RESOURCES)
            amounts->of[kind] += value;
    }
    return true;
}

/* Cores and memory in the snapshot's units, rounded down for what there is and up for what is asked. */
static void put_amounts(cJSON *to, const struct amounts *amounts, double (*rounding)(double))
{
    import_number(to, "gpus", amounts->of[GPU]);
    import_number(to, "cpu_milli", rounding(amounts->of[CPU] * 1000));
    import_number(to, "mem_mib", rounding(amounts->of[MEM] / 1048576));
}

/* MIG instances in a list of resources, into member `key`; true when there are any. */
static bool put_mig(cJSON *to, const char *key, const cJSON *resources)
{
    const cJSON *item;
    cJSON *profiles = cJSON_CreateObject();
    cJSON_ArrayForEach(item, resources)
    {
        double count = quantity(item);
        if (strncmp(item->string, MIG_PREFIX, strlen(MIG_PREFIX)) == 0 && count > 0)
            cJSON_AddNumberToObject(profiles, item->string + strlen(MIG_PREFIX), count);
    }
    bool any = profiles->child != NULL;
    if (any)
        cJSON_AddItemToObject(to, key, profiles);
    else
        cJSON_Delete(profiles);
    return any;
}

/* ---- nodes ---- */

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

static void copy_texts(cJSON *to, const char *key, const cJSON *texts)
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
    struct amounts amounts;
    if (*import_text(meta, "name") == '\0')
        return import_fail(import, err, "a node without metadata.name");
    if (!read_amounts(import, there, &amounts, err))
        return false;
    if (amounts.of[GPU] > MOST_GPUS)
        return import_fail(import, err, "a node with %.0f GPUs, expected at most %d", amounts.of[GPU],
                           MOST_GPUS);
    cJSON *node = import_node(import, import_text(meta, "name"));
    put_amounts(node, &amounts, floor);
    if (put_mig(node, "mig_profiles", there))
        cJSON_AddStringToObject(node, "mig", "mixed");
    double pods = quantity(import_at(there, "pods")),
           mib = quantity(import_at(labels, "nvidia.com/gpu.memory"));
    if (pods >= 0)
        cJSON_AddNumberToObject(node, "max_tasks", fmin(pods, 1e6));
    if (mib > 0)
        cJSON_AddNumberToObject(node, "gpu_mem_mib", fmin(floor(mib), 1e9));
    cJSON_AddStringToObject(node, "gpu_type", import_text(labels, "nvidia.com/gpu.product"));
    cJSON_AddStringToObject(node, "state",
                            !is_ready(from)                                  ? "down"
                            : cJSON_IsTrue(import_at(spec, "unschedulable")) ? "draining"
                                                                             : "up");
    copy_texts(node, "labels", labels);
    if (cJSON_GetArraySize(import_at(spec, "taints")) > 0)
        import_note(import, "taints of a node are left out");
    return true;
}

/* ---- pods ---- */

/* The request of a resource that is not given is its limit, as the API server fills it in. */
static bool container_amounts(struct import *import, const cJSON *container, struct amounts *amounts,
                              struct err *err)
{
    const cJSON *resources = import_at(container, "resources");
    struct amounts limits;
    if (!read_amounts(import, import_at(resources, "requests"), amounts, err) ||
        !read_amounts(import, import_at(resources, "limits"), &limits, err))
        return false;
    for (int i = 0; i < RESOURCES; i++)
        if (amounts->of[i] <= 0)
            amounts->of[i] = limits.of[i];
    return true;
}

/* The sum over containers, or what an init container needs before them if that is more; and the overhead. */
static bool pod_amounts(struct import *import, const cJSON *spec, struct amounts *sum, struct err *err)
{
    const cJSON *container;
    struct amounts one, overhead;
    *sum = (struct amounts){0};
    cJSON_ArrayForEach(container, import_at(spec, "containers"))
    {
        if (!container_amounts(import, container, &one, err))
            return false;
        for (int i = 0; i < RESOURCES; i++)
            sum->of[i] += one.of[i];
    }
    cJSON_ArrayForEach(container, import_at(spec, "initContainers"))
    {
        bool stays = strcmp(import_text(container, "restartPolicy"), "Always") == 0;
        if (!container_amounts(import, container, &one, err))
            return false;
        for (int i = 0; i < RESOURCES; i++)
            sum->of[i] = stays ? sum->of[i] + one.of[i] : fmax(sum->of[i], one.of[i]);
    }
    if (!read_amounts(import, import_at(spec, "overhead"), &overhead, err))
        return false;
    for (int i = 0; i < RESOURCES; i++)
        sum->of[i] += overhead.of[i];
    return true;
}

/* The first of some labels or annotations that is set. */
static const char *first_of(const cJSON *object, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (*import_text(object, keys[i]) != '\0')
            return import_text(object, keys[i]);
    return "";
}

static const char *queue_of(const cJSON *meta)
{
    static const char *const keys[] = {"kai.scheduler/queue", "runai/queue", "kueue.x-k8s.io/queue-name"};
    const char *queue = first_of(import_at(meta, "labels"), keys, sizeof keys / sizeof *keys);
    const char *space = import_text(meta, "namespace");
    return *queue != '\0' ? queue : *space != '\0' ? space : "default";
}

static const char *group_of(const cJSON *meta)
{
    static const char *const labels[] = {"scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io"};
    static const char *const annotations[] = {"pod-group-name", "scheduling.k8s.io/group-name"};
    const char *group = first_of(import_at(meta, "annotations"), annotations, 2);
    return *group != '\0' ? group : first_of(import_at(meta, "labels"), labels, 2);
}

static const char *state_of(const cJSON *meta, const cJSON *spec)
{
    bool placed = *import_text(spec, "nodeName") != '\0';
    if (placed)
        return *import_text(meta, "deletionTimestamp") != '\0' ? "releasing" : "running";
    return cJSON_GetArraySize(import_at(spec, "schedulingGates")) > 0 ? "gated" : "pending";
}

/* One term of "In" expressions is what a snapshot can say of required node affinity. */
static void put_affinity(struct import *import, cJSON *task, const cJSON *spec)
{
    const cJSON *affinity = import_at(spec, "affinity"), *node = import_at(affinity, "nodeAffinity");
    const cJSON *terms =
        import_at(import_at(node, "requiredDuringSchedulingIgnoredDuringExecution"), "nodeSelectorTerms");
    const cJSON *wanted = import_at(cJSON_GetArrayItem(terms, 0), "matchExpressions"), *expression, *value;
    bool said = cJSON_GetArraySize(terms) == 1 && !import_at(cJSON_GetArrayItem(terms, 0), "matchFields");
    cJSON_ArrayForEach(expression, wanted)
    {
        said = said && strcmp(import_text(expression, "operator"), "In") == 0;
    }
    if (cJSON_GetArraySize(terms) > 0 && !said)
        import_note(import, "node affinity of other forms than one term of In is left out");
    if (import_at(affinity, "podAffinity") || import_at(affinity, "podAntiAffinity"))
        import_note(import, "affinity between pods is left out");
    if (!said || !wanted)
        return;
    cJSON *to = cJSON_AddObjectToObject(task, "node_affinity");
    cJSON_ArrayForEach(expression, wanted)
    {
        cJSON *values = cJSON_AddArrayToObject(to, import_text(expression, "key"));
        cJSON_ArrayForEach(value, import_at(expression, "values"))
        {
            if (cJSON_IsString(value))
                cJSON_AddItemToArray(values, cJSON_CreateString(value->valuestring));
        }
    }
}

/* Run:ai and KAI write shares of a GPU to annotations. */
static bool put_share(struct import *import, cJSON *task, const cJSON *meta, struct err *err)
{
    const char *share = import_text(import_at(meta, "annotations"), "gpu-fraction");
    const char *memory = import_text(import_at(meta, "annotations"), "gpu-memory");
    int64_t value;
    if (*share != '\0') {
        if (!text_scaled(share, strlen(share), 3, &value) || value < 1 || value > 1000)
            return import_fail(
                import, err, "annotation gpu-fraction: '%.40s', expected a share above 0, at most 1", share);
        import_number(task, value == 1000 ? "gpus" : "gpu_milli", value == 1000 ? 1 : (double)value);
    } else if (*memory != '\0') {
        if (!text_i64(memory, strlen(memory), &value) || value < 1 || value > 1000000000)
            return import_fail(import, err, "annotation gpu-memory: '%.40s', expected MiB", memory);
        import_number(task, "gpu_mem_mib", (double)value);
    }
    return true;
}

static bool moment(struct import *import, const cJSON *object, const char *key, int64_t *ms, struct err *err)
{
    const char *text = import_text(object, key);
    *ms = INT64_MIN;
    if (*text == '\0')
        return true;
    if (!times_clock(text, strlen(text), &times_utc, ms))
        return import_fail(import, err, "%s: '%.40s', expected a time such as 2026-01-31T12:00:00Z", key,
                           text);
    import_event(import, *ms);
    return true;
}

/* The job is as old as its oldest pod and began to run with the last one that did. */
static bool put_times(struct import *import, cJSON *job, const cJSON *pod, const char *state, struct err *err)
{
    int64_t created_ms, started_ms;
    if (!moment(import, import_at(pod, "metadata"), "creationTimestamp", &created_ms, err) ||
        !moment(import, import_at(pod, "status"), "startTime", &started_ms, err))
        return false;
    const cJSON *submit = import_at(job, "submit_ms"), *start = import_at(job, "last_start_ms");
    if (created_ms != INT64_MIN && (!submit || (double)created_ms < submit->valuedouble))
        import_number(job, "submit_ms", (double)created_ms);
    bool runs = strcmp(state, "running") == 0;
    if (runs && started_ms != INT64_MIN && (!start || (double)started_ms > start->valuedouble))
        import_number(job, "last_start_ms", (double)started_ms);
    return true;
}

static void put_priority(struct import *import, cJSON *job, const cJSON *spec)
{
    const cJSON *priority = import_at(spec, "priority");
    double value = cJSON_IsNumber(priority) ? priority->valuedouble : 0;
    if (fabs(value) > MOST_PRIORITY)
        import_note(import, "a priority beyond 1e9 is cut to it");
    import_number(job, "priority", fmax(-MOST_PRIORITY, fmin(MOST_PRIORITY, value)));
}

static bool add_pod(struct import *import, const cJSON *pod, struct err *err)
{
    const cJSON *meta = import_at(pod, "metadata"), *spec = import_at(pod, "spec");
    const char *phase = import_text(import_at(pod, "status"), "phase"), *name = import_text(meta, "name");
    const char *group = group_of(meta), *state = state_of(meta, spec);
    struct amounts amounts;
    char id[520];
    if (*name == '\0')
        return import_fail(import, err, "a pod without metadata.name");
    if (strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0) {
        import_note(import, "pods that have ended are left out");
        return true;
    }
    if (!pod_amounts(import, spec, &amounts, err))
        return false;
    if (amounts.of[GPU] > MOST_GPUS)
        return import_fail(import, err, "a pod with %.0f GPUs, expected at most %d", amounts.of[GPU],
                           MOST_GPUS);
    (void)snprintf(id, sizeof id, "%.250s/%.250s", import_text(meta, "namespace"), *group ? group : name);
    cJSON *job = import_job(import, id, queue_of(meta)), *task;
    put_priority(import, job, spec);
    task = import_task(job, name, state, import_text(spec, "nodeName"));
    put_amounts(task, &amounts, ceil);
    const cJSON *container;
    cJSON_ArrayForEach(container, import_at(spec, "containers"))
    {
        if (!import_at(task, "mig"))
            (void)put_mig(task, "mig", import_at(import_at(container, "resources"), "limits"));
    }
    if (import_at(spec, "nodeSelector"))
        copy_texts(task, "node_labels", import_at(spec, "nodeSelector"));
    put_affinity(import, task, spec);
    return put_share(import, task, meta, err) && put_times(import, job, pod, state, err);
}

/* ---- pod groups and queues ---- */

static bool add_group(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *meta = import_at(from, "metadata"), *spec = import_at(from, "spec");
    const cJSON *least = import_at(spec, "minMember");
    char id[520];
    (void)snprintf(id, sizeof id, "%.250s/%.250s", import_text(meta, "namespace"), import_text(meta, "name"));
    cJSON *job = import_job(import, id, queue_of(meta));
    if (*import_text(spec, "queue") != '\0')
        import_queue_of(import, job, import_text(spec, "queue"));
    if (!cJSON_IsNumber(least))
        return true;
    if (!(least->valuedouble >= 1 && least->valuedouble <= 1e6))
        return import_fail(import, err, "minMember: expected 1 to 1000000");
    cJSON *roles = cJSON_AddArrayToObject(job, "roles"), *role = cJSON_CreateObject();
    cJSON_AddStringToObject(role, "name", "default");
    cJSON_AddNumberToObject(role, "min_tasks", floor(least->valuedouble));
    cJSON_AddItemToArray(roles, role);
    return true;
}

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

/* GPUs in devices, CPU in thousandths of a core, memory in megabytes. */
static void add_queue(struct import *import, const cJSON *from)
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

/* ---- lists ---- */

static bool add_object(struct import *import, const cJSON *object, struct err *err)
{
    const char *kind = import_text(object, "kind");
    if (strcmp(kind, "Node") == 0)
        return add_node(import, object, err);
    if (strcmp(kind, "Pod") == 0)
        return add_pod(import, object, err);
    if (strcmp(kind, "PodGroup") == 0)
        return add_group(import, object, err);
    if (strcmp(kind, "Queue") == 0 &&
        strncmp(import_text(object, "apiVersion"), "scheduling.run.ai/", 18) == 0)
        add_queue(import, object);
    else
        import_note(import,
                    "objects of other kinds than Node, Pod, PodGroup and Run:ai's Queue are left out");
    return true;
}

bool import_kube(struct import *import, const cJSON *root, struct err *err)
{
    const cJSON *items = import_at(root, "items"), *item;
    import->list = "items";
    import->index = 0;
    if (!cJSON_IsArray(items))
        return add_object(import, root, err);
    cJSON_ArrayForEach(item, items)
    {
        if (!add_object(import, item, err))
            return false;
        import->index++;
    }
    return true;
}
