/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of `kubectl get jobs,pods -A -o json`: Jobs with their times, and pods that belong to
 * none of them. A Job is a gang of as many pods as may run in parallel (parallelism); pods of Jobs
 * listed before them are skipped. The queue is the label of KAI, Kueue, Run:ai or Volcano, else the
 * namespace. Jobs start at their startTime, which Kubernetes sets at admission if they were
 * suspended; pods start when they are scheduled.
 */
#include "traces/slurm.h"
#include "traces/unfinished.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PODS 1000000

static const cJSON *at(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_at(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(at(object, key));
    return text ? text : "";
}

static bool is(const char *text, const char *other)
{
    return strcmp(text, other) == 0;
}

static int64_t moment_at(const cJSON *object, const char *key)
{
    const char *text = text_at(object, key);
    int64_t ms;
    return times_moment(text, strlen(text), &times_utc, &ms) ? ms : FORMAT_ABSENT;
}

/* "4", "500m": whole cores, rounded up; 0 if it is not an amount. */
static int64_t amount_at(const cJSON *resources, const char *name)
{
    const cJSON *value = at(at(resources, "requests"), name);
    value = value ? value : at(at(resources, "limits"), name);
    const char *text = cJSON_GetStringValue(value);
    size_t n = text ? strlen(text) : 0;
    bool milli = n > 1 && text[n - 1] == 'm';
    int64_t amount;
    if (cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble <= MOST_PODS)
        return (int64_t)value->valuedouble;
    if (n == 0 || !text_scaled(text, n - milli, 0, &amount) || amount < 0 || amount > INT32_MAX)
        return 0;
    return milli ? (amount + 999) / 1000 : amount;
}

/* Sets id, queue and user: the queue by labels of queueing systems, else the namespace. */
static void set_names(struct format_context *context, const cJSON *meta)
{
    static const char *const queues[] = {"kai.scheduler/queue", "runai/queue",
                                         "kueue.x-k8s.io/queue-name",
                                         "scheduling.volcano.sh/queue-name"};
    static const char *const users[] = {"user", "owner", "username", "created-by"};
    const cJSON *labels = at(meta, "labels");
    const char *queue = "", *user = "", *name = text_at(meta, "namespace");
    for (size_t i = 0; *queue == '\0' && i < sizeof queues / sizeof *queues; i++)
        queue = text_at(labels, queues[i]);
    for (size_t i = 0; *user == '\0' && i < sizeof users / sizeof *users; i++)
        user = text_at(labels, users[i]);
    queue = *queue != '\0' ? queue : name;
    struct trace_job *job = &context->row.job;
    char *id = mem_format("%s/%s", name, text_at(meta, "name"));
    job->id = texts_copy(context->fields.texts, id, strlen(id));
    free(id);
    if (*queue != '\0')
        job->queue = symbols_add(context->fields.names->queues, queue, strlen(queue));
    if (*user != '\0')
        job->user = symbols_add(context->fields.names->users, user, strlen(user));
}

/* Sets the request of `pods` pods with this spec. NULL, or what was expected. */
static const char *set_size(struct format_context *context, const cJSON *spec, int64_t pods)
{
    struct format_size *size = &context->row.raw.requested;
    int64_t gpus = 0, cpus = 0;
    const cJSON *container;
    cJSON_ArrayForEach(container, at(spec, "containers"))
    {
        gpus += amount_at(at(container, "resources"), "nvidia.com/gpu");
        cpus += amount_at(at(container, "resources"), "cpu");
    }
    if (gpus > INT32_MAX / MOST_PODS || cpus > INT32_MAX)
        return "fewer GPUs and cores";
    *size = (struct format_size){
        .gpus = gpus * pods, .cpus = cpus * pods, .nodes = pods, .mem_mib = FORMAT_ABSENT};
    const char *type = text_at(at(spec, "nodeSelector"), "nvidia.com/gpu.product");
    const struct csv_column column = {
        .name = "gpu_type", .offset = offsetof(struct format_row, raw.requested.gpu_types)};
    const char *expected = *type != '\0' ? field_types(context, &column, type, strlen(type)) : NULL;
    if (expected == NULL)
        format_shape(context, size);
    return expected;
}

/* The time at which a condition became true; FORMAT_ABSENT if it did not. */
static int64_t condition(const cJSON *status, const char *type)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, at(status, "conditions"))
    {
        if (is(text_at(entry, "type"), type) && is(text_at(entry, "status"), "True"))
            return moment_at(entry, "lastTransitionTime");
    }
    return FORMAT_ABSENT;
}

static const char *read_job(struct format_context *context, const cJSON *object)
{
    struct format_row *row = &context->row;
    const cJSON *spec = at(object, "spec"), *status = at(object, "status");
    const cJSON *parallel = at(spec, "parallelism"), *limit = at(spec, "activeDeadlineSeconds");
    int64_t failed_ms = condition(status, "Failed");
    row->raw.start_ms = moment_at(status, "startTime");
    row->raw.end_ms = moment_at(status, "completionTime");
    bool done = row->raw.end_ms != FORMAT_ABSENT;
    if (!done)
        row->raw.end_ms = failed_ms;
    if (cJSON_IsNumber(limit) && limit->valuedouble > 0 && limit->valuedouble <= 1e9)
        row->job.limit_ms = (int64_t)limit->valuedouble * 1000;
    const char *state = done                                 ? "COMPLETED"
                        : failed_ms != FORMAT_ABSENT         ? "FAILED"
                        : row->raw.start_ms != FORMAT_ABSENT ? "RUNNING"
                                                             : "PENDING";
    slurm_state_word(context, state, strlen(state));
    double pods = cJSON_IsNumber(parallel) ? parallel->valuedouble : 1;
    if (!(pods >= 0 && pods <= MOST_PODS))
        return "a parallelism from 0 to 1000000";
    return set_size(context, at(at(spec, "template"), "spec"), pods >= 1 ? (int64_t)pods : 1);
}

/* The end of the pod's last container; FORMAT_ABSENT while one has not ended. */
static int64_t end_of(const cJSON *status)
{
    int64_t end_ms = FORMAT_ABSENT;
    const cJSON *container;
    cJSON_ArrayForEach(container, at(status, "containerStatuses"))
    {
        int64_t ms = moment_at(at(at(container, "state"), "terminated"), "finishedAt");
        if (ms == FORMAT_ABSENT)
            return ms;
        end_ms = ms > end_ms ? ms : end_ms;
    }
    return end_ms;
}

static const char *read_pod(struct format_context *context, const cJSON *object)
{
    struct format_row *row = &context->row;
    const cJSON *status = at(object, "status");
    const char *phase = text_at(status, "phase");
    row->raw.start_ms = condition(status, "PodScheduled");
    if (row->raw.start_ms == FORMAT_ABSENT)
        row->raw.start_ms = moment_at(status, "startTime");
    row->raw.end_ms = end_of(status);
    slurm_state_word(context, phase, strlen(phase));
    return set_size(context, at(object, "spec"), 1);
}

/* Returns true if the pod belongs to a Job listed before it. */
static bool has_job(const struct format_context *context, const cJSON *meta)
{
    const cJSON *owner;
    bool found = false;
    cJSON_ArrayForEach(owner, at(meta, "ownerReferences"))
    {
        char *id = mem_format("%s/%s", text_at(meta, "namespace"), text_at(owner, "name"));
        found |= is(text_at(owner, "kind"), "Job") &&
                 symbols_find(context->own, id, strlen(id)) != SYMBOL_NONE;
        free(id);
    }
    return found;
}

static enum format_verdict finish(struct format_context *context)
{
    struct format_row *row = &context->row;
    bool over = row->raw.has_state && slurm_is_over(context);
    bool started = row->raw.start_ms != FORMAT_ABSENT, ended = row->raw.end_ms != FORMAT_ABSENT;
    if (!over && unfinished_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    if (over && !started)
        return format_drop(context, "never started, row dropped");
    if (over)
        row->raw.duration_ms = ended ? row->raw.end_ms - row->raw.start_ms : FORMAT_ABSENT;
    if (format_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    format_recorded(context);
    if (over)
        unfinished_learn(context);
    return FORMAT_KEEP;
}

static enum format_verdict read_object(struct format_context *context, const cJSON *object,
                                       struct err *err)
{
    struct format_row *row = &context->row;
    const cJSON *meta = at(object, "metadata");
    bool job = is(text_at(object, "kind"), "Job");
    if (!job && !is(text_at(object, "kind"), "Pod"))
        return format_drop(context, "neither a Job nor a pod, dropped");
    if (!job && has_job(context, meta))
        return format_drop(context, "pod of a Job, which is listed itself, dropped");
    set_names(context, meta);
    row->job.submit_ms = moment_at(meta, "creationTimestamp");
    if (row->job.submit_ms == FORMAT_ABSENT) {
        err_set(err, EXIT_INPUT,
                "metadata.creationTimestamp: expected a time such as "
                "2026-01-05T08:00:00Z");
        return FORMAT_ERROR;
    }
    if (job)
        (void)symbols_add(context->own, row->job.id, strlen(row->job.id));
    const char *expected = job ? read_job(context, object) : read_pod(context, object);
    if (expected != NULL) {
        err_set(err, EXIT_INPUT, "expected %s", expected);
        return FORMAT_ERROR;
    }
    return finish(context);
}

static bool open_own(struct format_context *context, struct err *err)
{
    (void)err;
    context->own = symbols_create();
    return true;
}

static void close_own(struct format_context *context)
{
    symbols_destroy(context->own);
}

/* Returns true for a list that contains a Job or a pod. */
static bool detect(const char *head, size_t n)
{
    char *text = mem_text_n(head, n);
    const char *items =
        *text == '{' && strstr(text, "\"apiVersion\"") ? strstr(text, "\"items\"") : NULL;
    bool found =
        items != NULL && (strstr(items, "\"kind\": \"Job\"") || strstr(items, "\"kind\":\"Job\"") ||
                          strstr(items, "\"kind\": \"Pod\"") || strstr(items, "\"kind\":\"Pod\""));
    free(text);
    return found;
}

const struct trace_format format_kubectl = {
    .object_read = read_object,
    .detect = detect,
    .open = open_own,
    .close = close_own,
};
