/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods as tasks of jobs; see kube.h. */
#include "scenarios/import/kube.h"

#include "scenarios/import/rules.h"
#include "sim/base/text.h"
#include "traces/times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_PRIORITY  1e9
#define MOST_DEADLINE  1e9 /* seconds */
#define SUBGROUP_LABEL "kai.scheduler/subgroup-name"
#define COUNT(array)   (sizeof(array) / sizeof *(array))
#define MOST_GANG      1e6

const char *kube_first_of(const cJSON *object, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (*import_text(object, keys[i]) != '\0')
            return import_text(object, keys[i]);
    return "";
}

static const char *const kai_queue[] = {"kai.scheduler/queue", "runai/queue"};
static const char *const kueue_queue[] = {"kueue.x-k8s.io/queue-name",
                                          "kueue.x-k8s.io/local-queue-name"};

static const char *space_of(const cJSON *meta)
{
    const char *space = import_text(meta, "namespace");
    return *space != '\0' ? space : "default";
}

const char *kube_queue_of(struct import *import, const cJSON *meta)
{
    const cJSON *labels = import_at(meta, "labels");
    const char *queue = kube_first_of(labels, kai_queue, COUNT(kai_queue));
    if (*queue == '\0')
        queue = kube_first_of(labels, kueue_queue, COUNT(kueue_queue));
    import_queue_meant(import, queue);
    return *queue != '\0' ? queue : space_of(meta);
}

/* ---- gangs ---- */

struct gang {
    const char *name;  /* "" none */
    const char *total; /* final number of pods; "": not stated */
    bool described;    /* another object describes it */
};

static struct gang gang_of(const cJSON *meta)
{
    static const char *const labels[] = {"scheduling.x-k8s.io/pod-group",
                                         "pod-group.scheduling.sigs.k8s.io"};
    static const char *const annotations[] = {"pod-group-name", "scheduling.k8s.io/group-name"};
    static const char *const kueue[] = {"kueue.x-k8s.io/pod-group-name"};
    static const char *const owners[] = {"jobset.sigs.k8s.io/jobset-name",
                                         "batch.kubernetes.io/job-name", "job-name"};
    static const char *const admitted[] = {"kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/podset",
                                           "kueue.x-k8s.io/local-queue-name"};
    const cJSON *own = import_at(meta, "labels"), *notes = import_at(meta, "annotations");
    const char *name = kube_first_of(notes, annotations, COUNT(annotations));
    if (*name == '\0')
        name = kube_first_of(own, labels, COUNT(labels));
    if (*name != '\0')
        return (struct gang){name, "", true};
    name = kube_first_of(own, kueue, 1);
    if (*name != '\0')
        return (struct gang){name, import_text(notes, "kueue.x-k8s.io/pod-group-total-count"),
                             false};
    bool admits = *kube_first_of(own, admitted, COUNT(admitted)) != '\0' ||
                  *import_text(notes, "kueue.x-k8s.io/workload") != '\0';
    return (struct gang){admits ? kube_first_of(own, owners, COUNT(owners)) : "", "", false};
}

/* Kueue records the size of a group of plain pods; pods not created yet are missing. */
static bool put_total(struct import *import, cJSON *job, const struct gang *gang, struct err *err)
{
    int64_t total;
    if (*gang->total == '\0' || import_at(job, "roles"))
        return true;
    if (!text_i64(gang->total, strlen(gang->total), &total) || total < 1 ||
        total > (int64_t)MOST_GANG)
        return import_fail(
            import, err,
            "annotation kueue.x-k8s.io/pod-group-total-count: '%.40s', expected 1 to 1000000",
            gang->total);
    kube_add_role(cJSON_AddArrayToObject(job, "roles"), "default", (double)total, NULL);
    return true;
}

/* ---- node requirements ---- */

static bool is_said(const cJSON *terms)
{
    const cJSON *first = cJSON_GetArrayItem(terms, 0), *expression;
    bool said = cJSON_GetArraySize(terms) == 1 &&
                cJSON_GetArraySize(import_at(first, "matchFields")) == 0 &&
                cJSON_GetArraySize(import_at(first, "matchExpressions")) > 0;
    cJSON_ArrayForEach(expression, import_at(first, "matchExpressions"))
    {
        said = said && strcmp(import_text(expression, "operator"), "In") == 0;
    }
    return said;
}

/* A snapshot can express one term of "In" expressions, without repeated keys. */
static void put_term(cJSON *task, const cJSON *expressions)
{
    const cJSON *expression, *value;
    cJSON *to = cJSON_AddObjectToObject(task, "node_affinity");
    cJSON_ArrayForEach(expression, expressions)
    {
        cJSON *values = cJSON_AddArrayToObject(to, import_text(expression, "key"));
        cJSON_ArrayForEach(value, import_at(expression, "values"))
        {
            if (cJSON_IsString(value))
                cJSON_AddItemToArray(values, cJSON_CreateString(value->valuestring));
        }
    }
}

static bool repeats_key(const cJSON *expressions)
{
    const cJSON *one, *other;
    bool repeats = false;
    cJSON_ArrayForEach(one, expressions)
    {
        for (other = one->next; other; other = other->next)
            repeats = repeats || strcmp(import_text(one, "key"), import_text(other, "key")) == 0;
    }
    return repeats;
}

static void put_wishes(struct import *import, cJSON *task, const cJSON *spec)
{
    const cJSON *node = import_at(import_at(spec, "affinity"), "nodeAffinity");
    const cJSON *terms = import_at(
        import_at(node, "requiredDuringSchedulingIgnoredDuringExecution"), "nodeSelectorTerms");
    const cJSON *expressions = import_at(cJSON_GetArrayItem(terms, 0), "matchExpressions");
    if (import_at(spec, "nodeSelector"))
        kube_copy_texts(task, "node_labels", import_at(spec, "nodeSelector"));
    if (is_said(terms) && !repeats_key(expressions))
        put_term(task, expressions);
    else if (cJSON_GetArraySize(terms) > 0)
        import_terms(import, task, terms);
    import_tolerations(import, task, import_at(spec, "tolerations"));
}

/* ---- shares ---- */

/* KAI labels the pods on one device as a group; a pod on several devices has a label for each. */
static void put_device_groups(cJSON *task, const cJSON *labels)
{
    const cJSON *label;
    cJSON *groups = NULL;
    cJSON_ArrayForEach(label, import_members(labels))
    {
        if (!cJSON_IsString(label) || (strcmp(label->string, "runai-gpu-group") != 0 &&
                                       strncmp(label->string, "runai-gpu-group/", 16) != 0))
            continue;
        groups = groups ? groups : cJSON_AddArrayToObject(task, IMPORT_DEVICE_GROUPS);
        cJSON_AddItemToArray(groups, cJSON_CreateString(label->valuestring));
    }
}

/*
 * Run:ai and KAI write GPU shares to annotations; the devices that such a pod requests are that
 * share.
 */
static bool put_share(struct import *import, cJSON *task, const cJSON *meta, struct err *err)
{
    const cJSON *notes = import_at(meta, "annotations");
    const char *share = import_text(notes, "gpu-fraction"),
               *memory = import_text(notes, "gpu-memory");
    const char *devices = import_text(notes, "gpu-fraction-num-devices");
    int64_t value, wanted = 1;
    if (*share == '\0' && *memory == '\0')
        return true;
    if (*devices != '\0' &&
        (!text_i64(devices, strlen(devices), &wanted) || wanted < 1 || wanted > KUBE_MOST_GPUS))
        return import_fail(import, err,
                           "annotation gpu-fraction-num-devices: '%.40s', expected 1 to %d",
                           devices, KUBE_MOST_GPUS);
    import_number(task, "gpus", 0);
    put_device_groups(task, import_at(meta, "labels"));
    if (*share != '\0') {
        if (!text_scaled(share, strlen(share), 3, &value) || value < 1 || value > 1000)
            return import_fail(
                import, err,
                "annotation gpu-fraction: '%.40s', expected a share above 0, at most 1", share);
        if (value == 1000)
            import_number(task, "gpus", (double)wanted);
        else
            import_number(task, "gpu_milli", (double)value);
    } else if (!text_i64(memory, strlen(memory), &value) || value < 1 || value > 1000000000) {
        return import_fail(import, err, "annotation gpu-memory: '%.40s', expected MiB", memory);
    } else {
        import_number(task, "gpu_mem_mib", (double)value);
    }
    import_number(task, "devices_wanted", (double)wanted);
    return true;
}

/*
 * If shares of a device run, KAI reserves the device with a separate pod that requests all of it.
 * Here the shares hold the device, so this pod holds none and may not be evicted.
 */
static void put_reservation(cJSON *job, cJSON *task, const cJSON *meta)
{
    static const char prefix[] = "gpu-reservation-";
    if (strncmp(import_text(meta, "name"), prefix, sizeof prefix - 1) != 0 ||
        *import_text(import_at(meta, "labels"), "runai-gpu-group") == '\0')
        return;
    import_number(task, "gpus", 0);
    cJSON_DeleteItemFromObjectCaseSensitive(job, "preemptible");
    cJSON_AddFalseToObject(job, "preemptible");
}

/* ---- times and priority ---- */

/* When a pod is deleted, the API server records the end of its grace period. */
static void put_release(struct import *import, cJSON *task, const cJSON *meta, int64_t gone_ms)
{
    const cJSON *grace = import_at(meta, "deletionGracePeriodSeconds");
    if (cJSON_IsNumber(grace) && grace->valuedouble >= 0 && grace->valuedouble < 1e9)
        import_event(import, gone_ms - (int64_t)(grace->valuedouble * 1000));
    import_number(task, "release_ms", (double)gone_ms);
    import_number(task, IMPORT_DELETED, (double)gone_ms);
}

/* The job is as old as its oldest pod, and started with the last pod that did. */
static bool put_times(struct import *import, cJSON *job, cJSON *task, const cJSON *pod,
                      const char *state, struct err *err)
{
    int64_t created_ms, started_ms, gone_ms;
    if (!kube_read_moment(import, import_at(pod, "metadata"), "creationTimestamp", &created_ms,
                          err) ||
        !kube_read_moment(import, import_at(pod, "status"), "startTime", &started_ms, err) ||
        !kube_read_moment(import, import_at(pod, "metadata"), "deletionTimestamp", &gone_ms, err))
        return false;
    import_event(import, created_ms > started_ms ? created_ms : started_ms);
    kube_conditions_seen(import, import_at(import_at(pod, "status"), "conditions"));
    if (created_ms != INT64_MIN)
        import_earliest(job, "submit_ms", created_ms);
    if (strcmp(state, "running") == 0 && started_ms != INT64_MIN)
        import_latest(job, "last_start_ms", started_ms);
    if (strcmp(state, "releasing") == 0 && gone_ms != INT64_MIN)
        put_release(import, task, import_at(pod, "metadata"), gone_ms);
    return true;
}

/*
 * The admission controller resolves the class; otherwise it is looked up when all files are read.
 * KAI uses a label if the pod names no class.
 */
static void put_priority(struct import *import, cJSON *job, const cJSON *meta, const cJSON *spec)
{
    const cJSON *priority = import_at(spec, "priority");
    const char *class = import_text(spec, "priorityClassName");
    const char *labelled = import_text(import_at(meta, "labels"), "priorityClassName");
    double value = cJSON_IsNumber(priority) ? priority->valuedouble : 0;
    if (fabs(value) > MOST_PRIORITY)
        import_note(import, "a priority beyond 1e9 is cut to it");
    if (*class == '\0' && *labelled != '\0')
        import_class(job, labelled);
    else if (!cJSON_IsNumber(priority) && *class != '\0')
        import_class(job, class);
    import_number(job, "priority", fmax(-MOST_PRIORITY, fmin(MOST_PRIORITY, value)));
}

/* A gang ends with its last pod. */
static void put_deadline(cJSON *job, const cJSON *spec)
{
    const cJSON *limit = import_at(spec, "activeDeadlineSeconds"), *had = import_at(job, "limit_s");
    double s = cJSON_IsNumber(limit) ? limit->valuedouble : 0;
    if (s > 0 && s <= MOST_DEADLINE && (!cJSON_IsNumber(had) || had->valuedouble < s))
        import_number(job, "limit_s", s);
}

/* By default, its priority decides. */
static void put_preemptible(cJSON *job, const cJSON *meta)
{
    const cJSON *labels = import_at(meta, "labels");
    const char *kai = import_text(labels, "kai.scheduler/preemptibility");
    const char *volcano = import_text(labels, "volcano.sh/preemptable");
    if (*volcano == '\0')
        volcano = import_text(import_at(meta, "annotations"), "volcano.sh/preemptable");
    bool kept = *kai != '\0' ? strcmp(kai, "non-preemptible") == 0 : strcmp(volcano, "false") == 0;
    if ((*kai != '\0' || *volcano != '\0') && !import_at(job, "preemptible"))
        cJSON_AddBoolToObject(job, "preemptible", !kept);
}

/* ---- pods ---- */

static const char *state_of(const cJSON *meta, const cJSON *spec)
{
    bool placed = *import_text(spec, "nodeName") != '\0';
    if (placed)
        return *import_text(meta, "deletionTimestamp") != '\0' ? "releasing" : "running";
    return cJSON_GetArraySize(import_at(spec, "schedulingGates")) > 0 ? "gated" : "pending";
}

static bool is_over(struct import *import, const cJSON *pod, const char *job, bool grouped)
{
    const char *phase = import_text(import_at(pod, "status"), "phase");
    bool over = strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0;
    if (over)
        import_note(import, "pods that have ended are skipped");
    if (over && grouped && strcmp(phase, "Succeeded") == 0)
        import_ended(import, job,
                     import_text(import_at(import_at(pod, "metadata"), "labels"), SUBGROUP_LABEL));
    // requested by KAI so that a cluster autoscaler adds nodes
    bool scaling =
        !over && strcmp(import_text(import_at(import_at(pod, "metadata"), "labels"), "app"),
                        "scaling-pod") == 0;
    if (scaling)
        import_note(import, "scale-up pods of KAI are skipped");
    bool stopped = !over && *import_text(import_at(pod, "metadata"), "deletionTimestamp") != '\0' &&
                   *import_text(import_at(pod, "spec"), "nodeName") == '\0';
    if (stopped)
        import_note(import, "pods that were deleted before they started are skipped");
    return over || stopped || scaling;
}

void kube_job_id(const cJSON *meta, const char *name, char id[KUBE_JOB_ID])
{
    (void)snprintf(id, KUBE_JOB_ID, "%.250s/%.250s", space_of(meta), name);
}

bool kube_add_pod(struct import *import, const cJSON *pod, struct err *err)
{
    const cJSON *meta = import_at(pod, "metadata"), *spec = import_at(pod, "spec");
    const char *name = import_text(meta, "name"), *state = state_of(meta, spec);
    const struct gang gang = gang_of(meta);
    char id[KUBE_JOB_ID];
    if (*name == '\0')
        return import_fail(import, err, "a pod without metadata.name");
    kube_job_id(meta, *gang.name ? gang.name : name, id);
    if (is_over(import, pod, id, *gang.name != '\0'))
        return true;
    cJSON *job = import_job(import, id, kube_queue_of(import, meta));
    cJSON *task = import_task(job, name, state, import_text(spec, "nodeName"));
    if (*import_text(meta, "uid") != '\0')
        cJSON_AddStringToObject(task, "uid", import_text(meta, "uid"));
    // a role is a subgroup of a KAI pod group, if the group declares it
    const char *subgroup = import_text(import_at(meta, "labels"), SUBGROUP_LABEL);
    if (*subgroup != '\0')
        cJSON_AddStringToObject(task, IMPORT_SUBGROUP, subgroup);
    if (gang.described && !import_at(job, IMPORT_GROUPED))
        cJSON_AddFalseToObject(job, IMPORT_GROUPED);
    put_priority(import, job, meta, spec);
    put_preemptible(job, meta);
    put_deadline(job, spec);
    put_wishes(import, task, spec);
    if (strcmp(state, "pending") == 0 && *import_text(spec, "schedulerName") != '\0')
        import_number(import->schedulers, import_text(spec, "schedulerName"), 1);
    if (!kube_put_request(import, task, spec, err) || !put_share(import, task, meta, err))
        return false;
    put_reservation(job, task, meta);
    return put_total(import, job, &gang, err) && put_times(import, job, task, pod, state, err);
}
