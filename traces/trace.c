/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of jobs as its users see it: dispatch to the implementation, notes, and facts of one
 * job. */
#include "traces/pod_sets.h"
#include "traces/trace_internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

const char *const trace_class_names[TRACE_CLASSES] = {"build", "train", "distributed", "inference",
                                                      "batch"};
const char *const trace_on_failure_names[TRACE_ON_FAILURES] = {"", "restart", "shrink", "continue"};
const char *const trace_status_names[TRACE_STATUSES] = {"completed", "failed", "cancelled"};
const char *const trace_cause_names[TRACE_CAUSES] = {"", "timeout", "node_fail", "out_of_memory",
                                                     "preempted"};

void trace_job_init(struct trace_job *job)
{
    *job = (struct trace_job){
        .id = "",
        .model = SYMBOL_NONE,
        .recorded_on = SYMBOL_NONE,
        .class = TRACE_CLASS_UNSET,
        .status = TRACE_COMPLETED,
        .priority = INT32_MIN,
        .preemptible = TRACE_UNKNOWN,
        .limit_ms = TRACE_UNKNOWN,
        .estimate_ms = TRACE_UNKNOWN,
        .deadline_ms = TRACE_UNKNOWN,
        .start_ms = TRACE_UNKNOWN,
        .end_ms = TRACE_UNKNOWN,
        .attempts = TRACE_UNKNOWN,
        .gpus_total = TRACE_UNKNOWN,
        .tasks = 1,
        .min_tasks = 1,
        .max_tasks = 1,
        .mig = "",
        .gpu_spec = "",
        .checkpoint_ms = TRACE_UNKNOWN,
        .checkpoint_write_ms = TRACE_UNKNOWN,
        .restart_ms = TRACE_UNKNOWN,
        .sm_util_ppm = TRACE_UNKNOWN,
        .active_ppm = TRACE_UNKNOWN,
        .after = "",
        .think_ms = TRACE_UNKNOWN,
        .array = "",
        .rungs = "",
        .eta_milli = TRACE_UNKNOWN,
        .topology_required = "",
        .topology_preferred = "",
        .roles = "",
    };
}

const char *trace_job_place(const struct trace_job *job, char text[TRACE_PLACE])
{
    if (job->file != NULL)
        (void)snprintf(text, TRACE_PLACE, "%.300s:%llu: job '%.150s'", job->file,
                       (unsigned long long)job->line, job->id);
    else
        (void)snprintf(text, TRACE_PLACE, "job '%.150s' (row %llu of its trace)", job->id,
                       (unsigned long long)job->row + 1);
    return text;
}

/*
 * A MIG instance counts as its slices of seven ("3g.40gb": 428). Memory on a device counts as the
 * whole device, since the device is not known here.
 */
int64_t trace_job_gpu_milli(const struct trace_job *job)
{
    if (job->gpus_total >= 0)
        return job->gpus_total * 1000;
    if (job->roles[0] != '\0')
        return job->roles_milli;
    int64_t each = (int64_t)job->gpus * (job->gpu_milli > 0 ? job->gpu_milli : 1000);
    if (job->mig[0] >= '1' && job->mig[0] <= '7')
        each = (job->mig[0] - '0') * 1000 / 7;
    return each * job->tasks;
}

int64_t trace_job_least_milli(const struct trace_job *job)
{
    if (job->roles[0] != '\0')
        return job->roles_least_milli;
    int64_t milli = trace_job_gpu_milli(job);
    bool elastic = job->gpus_total < 0 && job->min_tasks < job->tasks;
    return elastic ? milli / job->tasks * job->min_tasks : milli;
}

/* Adds the names of GPU types to the table; at most 64 different ones. */
static bool number_types(const char *types, struct symbols *known, struct err *err)
{
    while (*types != '\0') {
        size_t n = strcspn(types, "|");
        if (n == 0)
            return err_set(err, EXIT_INPUT, "gpu_type: expected names separated by '|'");
        if (symbols_find(known, types, n) == SYMBOL_NONE && symbols_count(known) >= 64)
            return err_set(err, EXIT_INPUT, "gpu_type: more than 64 different types of GPU");
        (void)symbols_add(known, types, n);
        types += n + (types[n] != '\0');
    }
    return true;
}

bool trace_job_set_roles(struct trace_job *job, const char *text, struct symbols *gpu_types,
                         struct err *err)
{
    struct trace_roles roles;
    if (!trace_roles_read(text, &roles, err))
        return false;
    for (int32_t i = 0; i < roles.role_count; i++)
        if (!number_types(roles.roles[i].gpu_types, gpu_types, err))
            return false;
    struct trace_role_sums sums = trace_roles_sum(&roles);
    job->roles = text;
    if (roles.role_count == 0)
        return true;
    job->tasks = job->max_tasks = sums.tasks;
    job->min_tasks = sums.min_tasks;
    job->gpus = 0;
    job->roles_milli = sums.milli;
    job->roles_least_milli = sums.min_milli;
    return true;
}

void trace_note_add(struct trace_note_list *list, const char *what, uint64_t line)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->notes[i].what == what || strcmp(list->notes[i].what, what) == 0) {
            list->notes[i].rows++;
            return;
        }
    }
    list->notes = mem_grow(list->notes, &list->capacity, list->count + 1, sizeof *list->notes);
    list->notes[list->count++] = (struct trace_note){.what = what, .rows = 1, .first_line = line};
}

void trace_note_list_fini(struct trace_note_list *list)
{
    free(list->notes);
    *list = (struct trace_note_list){0};
}

enum trace_result trace_next(struct trace *trace, struct trace_job *job, struct err *err)
{
    if (!trace->ended) {
        trace->result = trace->methods->next(trace, job, err);
        trace->ended = trace->result != TRACE_JOB;
        if (trace->result < 0)
            trace->failure = *err;
    } else if (trace->result < 0) {
        *err = trace->failure;
    }
    return trace->result;
}

void trace_close(struct trace *trace)
{
    if (!trace)
        return;
    trace->methods->close(trace);
    trace_note_list_fini(&trace->notes);
    free(trace);
}

void trace_digest(const struct trace *trace, char hex[DIGEST_HEX])
{
    if (trace->methods->digest) {
        trace->methods->digest(trace, hex);
        return;
    }
    memset(hex, '0', DIGEST_HEX - 1);
    hex[DIGEST_HEX - 1] = '\0';
}

const char *trace_format_name(const struct trace *trace)
{
    return trace->format;
}

unsigned trace_extras(const struct trace *trace)
{
    return (trace->linked ? TRACE_LINKS : 0U) | (trace->dated ? TRACE_DEADLINES : 0U) |
           (trace->mixed ? TRACE_PARTS : 0U);
}

bool trace_dated(const struct trace *trace)
{
    return trace->dated;
}

void trace_job_shift(struct trace_job *job, int64_t ms)
{
    if (ms == 0)
        return;
    job->submit_ms += ms;
    job->eligible_ms += ms;
    if (job->deadline_ms != TRACE_UNKNOWN)
        job->deadline_ms += ms;
    job->start_ms = job->end_ms = TRACE_UNKNOWN;
}

bool trace_linked(const struct trace *trace)
{
    return trace->linked;
}

/* Must list every string of a job. */
void trace_job_keep(struct trace_job *job, char **text, size_t *capacity)
{
    const char **strings[] = {&job->id,
                              &job->mig,
                              &job->topology_required,
                              &job->topology_preferred,
                              &job->after,
                              &job->array,
                              &job->rungs,
                              &job->gpu_spec,
                              &job->roles};
    enum { STRINGS = sizeof strings / sizeof *strings };
    size_t sizes[STRINGS], total = 0;
    for (size_t i = 0; i < STRINGS; i++)
        total += sizes[i] = strlen(*strings[i]) + 1;
    *text = mem_grow(*text, capacity, total, 1);
    char *to = *text;
    for (size_t i = 0; i < STRINGS; i++) {
        memcpy(to, *strings[i], sizes[i]);
        *strings[i] = to;
        to += sizes[i];
    }
}

const struct trace_note *trace_notes(const struct trace *trace, size_t *count)
{
    if (trace->methods->notes)
        return trace->methods->notes(trace, count);
    *count = trace->notes.count;
    return trace->notes.notes;
}
