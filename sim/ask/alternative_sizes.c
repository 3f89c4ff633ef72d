/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes to the size of a job, and the number of its tasks; see alternatives.h. */
#include "sim/ask/alternatives.h"
#include "sim/base/escape.h"

#include <inttypes.h>

static bool may_start(const struct snap_task *task)
{
    return task->state == SNAP_PENDING;
}

static bool is_share(const struct snap_request *r)
{
    return r->device_milli > 0 && r->device_milli < POLICY_WHOLE;
}

/* Number of whole devices that the task requests; 0 for shares, memory and MIG instances. */
static int32_t whole_devices(const struct snap_request *r)
{
    return r->device_mem_mib > 0 || r->mig_count > 0 || is_share(r) ? 0 : r->devices;
}

static int64_t gpu_milli(const struct snap_job *job)
{
    int64_t milli = 0;
    for (uint32_t t = 0; t < job->task_count; t++)
        milli += may_start(&job->tasks[t]) ? snap_gpu_milli(&job->tasks[t].request) : 0;
    return milli;
}

static uint32_t startable(const struct snap_job *job, uint32_t role)
{
    uint32_t n = 0;
    const struct snap_role *r = &job->roles[role];
    for (uint32_t t = r->first_task; t < r->first_task + r->tasks; t++)
        n += may_start(&job->tasks[t]);
    return n;
}

/* ---- fewer tasks ---- */

static uint32_t largest_role(const struct snap_job *job)
{
    uint32_t most = 0;
    for (uint32_t r = 1; r < job->role_count; r++)
        if (startable(job, r) > startable(job, most))
            most = r;
    return most;
}

/* Only tasks that may start are left of the role, the first `value` of them, and it needs them all.
 */
static bool with_tasks(const struct search *s, int64_t value, struct altered *a)
{
    const struct snap_job *job = s->job;
    const uint32_t role = largest_role(job);
    uint32_t n = 0, left = (uint32_t)value;
    alter(a, job, job->task_count);
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *task = &job->tasks[t];
        if (task->role == role && (!may_start(task) || left == 0))
            continue;
        left -= task->role == role;
        a->tasks[n++] = *task;
    }
    for (uint32_t r = role + 1; r < job->role_count; r++)
        a->roles[r].first_task -= job->task_count - n;
    a->roles[role].tasks = (uint32_t)value;
    a->roles[role].min_tasks = (int32_t)value;
    a->job.task_count = n;
    return true;
}

/* "with 8 GPUs: 1 task instead of 2" */
static void say_tasks(const struct snap_job *job, const struct snap_job *fewer, int64_t tasks,
                      struct out *words)
{
    const struct snap_role *role = &job->roles[largest_role(job)];
    out_text(words, "with ");
    if (gpu_milli(fewer) > 0) {
        why_gpus(words, gpu_milli(fewer));
        out_text(words, ": ");
    }
    escape_format(words, "%" PRId64 " task%s instead of %d", tasks, tasks == 1 ? "" : "s",
                  role->min_tasks);
    if (job->role_count > 1)
        escape_format(words, " in role '%s'", role->name);
}

bool alternative_fewer_tasks(struct search *s, struct out *words)
{
    if (s->job->role_count == 0)
        return false;
    const uint32_t role = largest_role(s->job);
    const uint32_t has = startable(s->job, role);
    const int64_t needs = s->job->roles[role].min_tasks;
    int64_t most = needs > has ? has : needs - 1;
    if (!search_largest(s, with_tasks, 1, most))
        return false;
    say_tasks(s->job, &s->best.job, s->value, words);
    return true;
}

/* ---- fewer devices in each task ---- */

static bool with_devices(const struct search *s, int64_t value, struct altered *a)
{
    alter(a, s->job, s->job->task_count);
    for (uint32_t t = 0; t < a->job.task_count; t++)
        if (whole_devices(&a->tasks[t].request) > value)
            a->tasks[t].request.devices = (int32_t)value;
    return true;
}

static bool with_share(const struct search *s, int64_t value, struct altered *a)
{
    alter(a, s->job, s->job->task_count);
    for (uint32_t t = 0; t < a->job.task_count; t++) {
        struct snap_request *r = &a->tasks[t].request;
        if (is_share(r) && r->device_milli > value)
            r->device_milli = (int32_t)value;
    }
    return true;
}

bool alternative_fewer_gpus(struct search *s, struct out *words)
{
    int32_t devices = 0, share = 0;
    uint32_t tasks = 0;
    for (uint32_t t = 0; t < s->job->task_count; t++) {
        const struct snap_request *r = &s->job->tasks[t].request;
        devices = whole_devices(r) > devices ? whole_devices(r) : devices;
        share = is_share(r) && r->device_milli > share ? r->device_milli : share;
        tasks += may_start(&s->job->tasks[t]);
    }
    bool found = devices > 1 ? search_largest(s, with_devices, 1, devices - 1)
                 : share > 1 ? search_largest(s, with_share, 1, share - 1)
                             : false;
    if (!found)
        return false;
    out_text(words, "with ");
    why_gpus(words, gpu_milli(&s->best.job));
    if (tasks > 1 || devices <= 1) {
        out_text(words, ": ");
        out_milli(words, devices > 1 ? s->value * POLICY_WHOLE : s->value);
        out_text(words, devices > 1 ? " in each task" : " of each GPU");
    }
    out_text(words, " instead of ");
    out_milli(words, devices > 1 ? (int64_t)devices * POLICY_WHOLE : share);
    return true;
}

/* ---- half of it ---- */

bool alternative_half(const struct dry_run *run, const struct snap_job *job, struct altered *a,
                      struct out *words)
{
    const struct search s = {.run = run, .job = job};
    if (job->role_count == 0)
        return false;
    int64_t tasks = job->roles[largest_role(job)].min_tasks;
    int32_t devices = job->task_count == 1 ? whole_devices(&job->tasks[0].request) : 0;
    if (tasks > 1 && startable(job, largest_role(job)) >= tasks) {
        (void)with_tasks(&s, tasks / 2, a);
        say_tasks(job, &a->job, tasks / 2, words);
        return true;
    }
    if (devices < 2)
        return false;
    (void)with_devices(&s, devices / 2, a);
    out_text(words, "with ");
    why_gpus(words, gpu_milli(&a->job));
    escape_format(words, " instead of %d", devices);
    return true;
}

/* ---- the same in smaller pieces ---- */

/* Divides every task into `parts` of equal size, if possible. */
static bool in_parts(const struct search *s, int64_t parts, struct altered *a)
{
    const struct snap_job *job = s->job;
    const uint32_t each = (uint32_t)parts;
    for (uint32_t t = 0; t < job->task_count; t++)
        if (!may_start(&job->tasks[t]) || whole_devices(&job->tasks[t].request) % parts != 0 ||
            whole_devices(&job->tasks[t].request) == 0)
            return false;
    alter(a, job, job->task_count * each);
    for (uint32_t t = 0; t < a->job.task_count; t++) {
        struct snap_task *task = &a->tasks[t];
        *task = job->tasks[t / each];
        task->request.devices /= (int32_t)parts;
        task->request.cpu_milli /= parts;
        task->request.mem_mib /= parts;
    }
    for (uint32_t r = 0; r < job->role_count; r++) {
        a->roles[r].first_task *= each;
        a->roles[r].tasks *= each;
        a->roles[r].min_tasks *= (int32_t)parts;
    }
    return true;
}

bool alternative_pieces(struct search *s, struct out *words)
{
    static const int64_t most_tasks = 4096;
    for (int64_t parts = 2; parts * s->job->task_count <= most_tasks; parts *= 2) {
        struct altered a;
        if (!in_parts(s, parts, &a))
            return false;
        if (!search_try(s, &a, parts, TRIAL_STARTS))
            continue;
        const struct snap_job *job = &s->best.job;
        out_text(words, "with its ");
        why_gpus(words, gpu_milli(job));
        escape_format(words, " in %u tasks", job->task_count);
        if (job->role_count == 1)
            escape_format(words, " of %d", job->tasks[0].request.devices);
        escape_format(words, " instead of %u", s->job->task_count);
        return true;
    }
    return false;
}

/* ---- less beside the devices ---- */

static bool with_percent_beside(const struct search *s, int64_t percent, struct altered *a)
{
    alter(a, s->job, s->job->task_count);
    for (uint32_t t = 0; t < a->job.task_count; t++) {
        struct snap_request *r = &a->tasks[t].request;
        r->cpu_milli = (int64_t)((double)r->cpu_milli * (double)percent / 100.0);
        r->mem_mib = (int64_t)((double)r->mem_mib * (double)percent / 100.0);
    }
    return true;
}

bool alternative_less_beside(struct search *s, struct out *words)
{
    bool asks = false;
    for (uint32_t t = 0; t < s->job->task_count; t++)
        asks |= s->job->tasks[t].request.cpu_milli > 0 || s->job->tasks[t].request.mem_mib > 0;
    if (!asks || !search_largest(s, with_percent_beside, 0, 99))
        return false;
    const struct snap_request *r = &s->best.tasks[0].request;
    escape_format(words, "with %" PRId64 " %% of its CPU and memory: ", s->value);
    out_milli(words, r->cpu_milli);
    escape_format(words, " cores and %" PRId64 " MiB in %s task", r->mem_mib,
                  s->job->task_count > 1 ? "the first" : "its");
    return true;
}
