/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a workload is made of, for the policy core; see typical.h. */
#include "sim/world/typical.h"

#include "report/measure/frag.h"
#include "scenarios/snapshot/names.h"
#include "sim/base/mem.h"
#include "sim/world/workload.h"

#include <stdlib.h>

static bool count_all(struct simulation *s, struct frag_counter *counter, struct err *err)
{
    struct trace *trace;
    if (!workload_reopen(s, &trace, err))
        return false;
    struct trace_job job;
    enum trace_result got;
    while ((got = trace_next(trace, &job, err)) == TRACE_JOB)
        frag_counter_add(counter, &job);
    trace_close(trace);
    return got == TRACE_END;
}

static struct policy_typical_task task_of(const struct frag_task *from)
{
    return (struct policy_typical_task){
        .size = sizeof(struct policy_typical_task),
        .count = (int64_t)from->count,
        .request = {.devices = from->gpus,
                    .device_milli = from->device_mem_mib > 0 ? 0 : from->milli,
                    .device_mem_mib = from->device_mem_mib,
                    .cpu_milli = from->cpu_milli,
                    .types = from->types},
    };
}

/* As the core takes them; *all is how many tasks were counted. The counter is gone then. */
static struct policy_typical_task *tasks_of(struct frag_counter *counter, uint32_t *count,
                                            int64_t *all)
{
    struct frag_typical found;
    frag_counter_finish(counter, &found);
    struct policy_typical_task *tasks = mem_alloc(found.count + 1, sizeof *tasks);
    for (size_t i = 0; i < found.count; i++)
        tasks[i] = task_of(&found.tasks[i]);
    *count = found.count < POLICY_MAX_TYPICAL ? (uint32_t)found.count : POLICY_MAX_TYPICAL;
    *all = (int64_t)found.all;
    frag_typical_fini(&found);
    return tasks;
}

bool typical_find(struct simulation *s, struct sim_config *config, struct err *err)
{
    if (!policy_wants_typical_tasks(&config->policy))
        return true;
    struct frag_counter *counter = frag_counter_create(fleet_most_gpus(&s->fleet));
    bool ok = true;
    if (s->fill_jobs == NULL)
        ok = count_all(s, counter, err);
    for (size_t i = 0; i < s->fill_job_count; i++)
        frag_counter_add(counter, &s->fill_jobs[i]);
    config->typical = s->typical = tasks_of(counter, &config->typical_count, &config->typical_of);
    return ok;
}

/* ---- snapshots ---- */

static void count_job(struct frag_counter *counter, const struct snap_names *names,
                      const struct snap_job *job)
{
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_request *r = &job->tasks[t].request;
        struct frag_task task = {.cpu_milli = r->cpu_milli,
                                 .gpus = r->devices,
                                 .milli = r->device_milli > 0 ? r->device_milli : POLICY_WHOLE,
                                 .device_mem_mib = r->device_mem_mib,
                                 .types = snap_types(names, r->gpu_types),
                                 .count = 1};
        task.milli = task.gpus > 0 ? task.milli : 0;
        if (!snap_over(&job->tasks[t]))
            frag_counter_add_task(counter, &task, r->gpu_types);
    }
}

bool typical_tell(struct policy *policy, const struct policy_config *config,
                  const struct snapshot *s, struct err *err)
{
    struct snap_names names;
    if (!policy_wants_typical_tasks(config))
        return true;
    bool ok = snap_names_init(&names, s, false, err);
    struct frag_counter *counter = frag_counter_create(0);
    for (size_t i = 0; i < s->job_count && ok; i++)
        count_job(counter, &names, &s->jobs[i]);
    uint32_t count;
    int64_t all;
    struct policy_typical_task *tasks = tasks_of(counter, &count, &all);
    if (ok && policy_set_typical_tasks(policy, s->now_ms, tasks, count, all) != POLICY_OK)
        ok = err_set(err, EXIT_INPUT, "%s: %s", s->file, policy_last_error(policy)->message);
    free(tasks);
    snap_names_fini(&names);
    return ok;
}
