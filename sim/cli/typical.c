/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a workload is made of, for the policy core; see typical.h. */
#include "sim/cli/typical.h"

#include "report/frag.h"
#include "sim/base/mem.h"
#include "sim/cli/workload.h"

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
                    .device_milli = from->milli,
                    .cpu_milli = from->cpu_milli,
                    .types = from->types},
    };
}

bool typical_find(struct simulation *s, struct sim_config *config, struct err *err)
{
    if (!policy_wants_typical_tasks(&config->policy))
        return true;
    struct frag_typical found;
    struct frag_counter *counter = frag_counter_create(fleet_most_gpus(&s->fleet));
    bool ok = true;
    if (s->fill_jobs == NULL)
        ok = count_all(s, counter, err);
    for (size_t i = 0; i < s->fill_job_count; i++)
        frag_counter_add(counter, &s->fill_jobs[i]);
    frag_counter_finish(counter, &found);
    s->typical = mem_alloc(found.count + 1, sizeof *s->typical);
    for (size_t i = 0; i < found.count; i++)
        s->typical[i] = task_of(&found.tasks[i]);
    config->typical = s->typical;
    config->typical_count = found.count < POLICY_MAX_TYPICAL ? (uint32_t)found.count : POLICY_MAX_TYPICAL;
    config->typical_of = (int64_t)found.all;
    frag_typical_fini(&found);
    return ok;
}
