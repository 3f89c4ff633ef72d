/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The writer of native traces: one table of columns, written from left to right. A value that is
 * unknown or equals the reader's default is left empty, so that reading it back gives an equal job.
 */
#include "traces/trace.h"

#include <stddef.h>

struct context {
    struct out *out;
    const struct trace_job *job;
    const struct trace_names *names;
};

/* Writes the member of the job that a column points at. */
typedef void write_member(const struct context *, const void *member);

/* ---- kinds of members ------------------------------------------------------------------------ */

static void text(const struct context *c, const void *member)
{
    out_csv(c->out, *(const char *const *)member);
}

static void seconds(const struct context *c, const void *member)
{
    out_seconds(c->out, *(const int64_t *)member);
}

static void known_seconds(const struct context *c, const void *member)
{
    if (*(const int64_t *)member != TRACE_UNKNOWN)
        out_seconds(c->out, *(const int64_t *)member);
}

static void known_share(const struct context *c, const void *member)
{
    if (*(const int32_t *)member != TRACE_UNKNOWN)
        out_fixed(c->out, *(const int32_t *)member, 6);
}

static void known_i32(const struct context *c, const void *member)
{
    if (*(const int32_t *)member != TRACE_UNKNOWN)
        out_i64(c->out, *(const int32_t *)member);
}

static void known_i64(const struct context *c, const void *member)
{
    if (*(const int64_t *)member != TRACE_UNKNOWN)
        out_i64(c->out, *(const int64_t *)member);
}

static void positive_i32(const struct context *c, const void *member)
{
    if (*(const int32_t *)member > 0)
        out_i64(c->out, *(const int32_t *)member);
}

static void positive_i64(const struct context *c, const void *member)
{
    if (*(const int64_t *)member > 0)
        out_i64(c->out, *(const int64_t *)member);
}

static void positive_milli(const struct context *c, const void *member)
{
    if (*(const int64_t *)member > 0)
        out_milli(c->out, *(const int64_t *)member);
}

/* min_tasks and max_tasks, which default to tasks. */
static void other_than_tasks(const struct context *c, const void *member)
{
    if (*(const int32_t *)member != c->job->tasks && c->job->roles[0] == '\0')
        out_i64(c->out, *(const int32_t *)member);
}

static void queue(const struct context *c, const void *member)
{
    out_csv(c->out, symbols_name(c->names->queues, *(const uint32_t *)member));
}

static void user(const struct context *c, const void *member)
{
    out_csv(c->out, symbols_name(c->names->users, *(const uint32_t *)member));
}

static void model(const struct context *c, const void *member)
{
    if (*(const uint32_t *)member != SYMBOL_NONE)
        out_csv(c->out, symbols_name(c->names->models, *(const uint32_t *)member));
}

static void recorded_on(const struct context *c, const void *member)
{
    if (*(const uint32_t *)member != SYMBOL_NONE)
        out_csv(c->out, symbols_name(c->names->nodes, *(const uint32_t *)member));
}

/* ---- members with a rule of their own -------------------------------------------------------- */

static void class(const struct context *c, const void *member)
{
    (void)member;
    if (c->job->class != TRACE_CLASS_UNSET)
        out_text(c->out, trace_class_names[c->job->class]);
}

static void status(const struct context *c, const void *member)
{
    (void)member;
    if (!c->job->status_unknown)
        out_text(c->out, trace_status_names[c->job->status]);
}

static void on_failure(const struct context *c, const void *member)
{
    (void)member;
    out_text(c->out, trace_on_failure_names[c->job->on_failure]);
}

static void cause(const struct context *c, const void *member)
{
    (void)member;
    out_text(c->out, trace_cause_names[c->job->cause]);
}

static void priority(const struct context *c, const void *member)
{
    (void)member;
    if (c->job->priority != INT32_MIN)
        out_i64(c->out, c->job->priority);
}

static void tasks(const struct context *c, const void *member)
{
    (void)member;
    if (c->job->tasks != 1 && c->job->roles[0] == '\0')
        out_i64(c->out, c->job->tasks);
}

/* Empty for GPUs of the whole job, roles, and a MIG profile, which replaces the number. */
static void gpus_per_task(const struct context *c, const void *member)
{
    (void)member;
    if (c->job->gpus_total == TRACE_UNKNOWN && !c->job->mig[0] && !c->job->roles[0])
        out_i64(c->out, c->job->gpus);
}

static void eligible(const struct context *c, const void *member)
{
    (void)member;
    if (c->job->eligible_ms != c->job->submit_ms)
        out_seconds(c->out, c->job->eligible_ms);
}

static void gpu_types(const struct context *c, const void *member)
{
    (void)member;
    if (!c->job->gpu_types)
        return;
    struct out *list = out_memory();
    bool first = true;
    for (uint32_t i = 0; i < 64; i++) {
        if (!(c->job->gpu_types >> i & 1))
            continue;
        if (!first)
            out_char(list, '|');
        out_text(list, symbols_name(c->names->gpu_types, i));
        first = false;
    }
    out_csv(c->out, out_memory_text(list, NULL));
    out_discard(list);
}

/* ---- the table ------------------------------------------------------------------------------- */

struct column {
    const char *name;
    write_member *write;
    size_t offset; /* of the member */
};

#define JOB(member) offsetof(struct trace_job, member)

static const struct column columns[] = {
    {"job_id", text, JOB(id)},
    {"submit_s", seconds, JOB(submit_ms)},
    {"duration_s", seconds, JOB(duration_ms)},
    {"gpus", known_i64, JOB(gpus_total)},
    {"queue", queue, JOB(queue)},
    {"user", user, JOB(user)},
    {"class", class, JOB(class)},
    {"status", status, JOB(status)},
    {"time_limit_s", known_seconds, JOB(limit_ms)},
    {"estimate_s", known_seconds, JOB(estimate_ms)},
    {"gpus_per_task", gpus_per_task, JOB(gpus)},
    {"gpu_milli", positive_i32, JOB(gpu_milli)},
    {"gpu_mem_mib", positive_i64, JOB(gpu_mem_mib)},
    {"gpu_mem_limit_mib", positive_i64, JOB(gpu_mem_limit_mib)},
    {"mig", text, JOB(mig)},
    {"gpu_type", gpu_types, JOB(gpu_types)},
    {"cpus_per_task", positive_milli, JOB(cpu_milli)},
    {"mem_mib_per_task", positive_i64, JOB(mem_mib)},
    {"tasks", tasks, JOB(tasks)},
    {"min_tasks", other_than_tasks, JOB(min_tasks)},
    {"max_tasks", other_than_tasks, JOB(max_tasks)},
    {"priority", priority, JOB(priority)},
    {"preemptible", known_i32, JOB(preemptible)},
    {"eligible_s", eligible, JOB(eligible_ms)},
    {"after", text, JOB(after)},
    {"think_s", known_seconds, JOB(think_ms)},
    {"array", text, JOB(array)},
    {"array_limit", positive_i32, JOB(array_limit)},
    {"rungs_s", text, JOB(rungs)},
    {"eta", positive_milli, JOB(eta_milli)},
    {"model", model, JOB(model)},
    {"recorded_on", recorded_on, JOB(recorded_on)},
    {"sm_util", known_share, JOB(sm_util_ppm)},
    {"active_frac", known_share, JOB(active_ppm)},
    {"checkpoint_s", known_seconds, JOB(checkpoint_ms)},
    {"checkpoint_write_s", known_seconds, JOB(checkpoint_write_ms)},
    {"restart_s", known_seconds, JOB(restart_ms)},
    {"topology_required", text, JOB(topology_required)},
    {"topology_preferred", text, JOB(topology_preferred)},
    {"roles", text, JOB(roles)},
    {"on_failure", on_failure, JOB(on_failure)},
    {"start_s", known_seconds, JOB(start_ms)},
    {"end_s", known_seconds, JOB(end_ms)},
    {"attempts", known_i32, JOB(attempts)},
    {"cause", cause, 0},
    {"deadline_s", known_seconds, JOB(deadline_ms)},
};

/* Returns true for columns of dependencies between jobs. */
static bool is_link(const struct column *column)
{
    static const size_t links[] = {JOB(after), JOB(array), JOB(array_limit), JOB(rungs),
                                   JOB(eta_milli)};
    size_t i = 0;
    while (i < sizeof links / sizeof *links && links[i] != column->offset)
        i++;
    return i < sizeof links / sizeof *links;
}

#define COLUMNS (sizeof columns / sizeof *columns)

static bool is_left_out(const struct column *column, unsigned extras)
{
    bool parts = column->offset == JOB(roles) || column->offset == JOB(on_failure);
    return ((extras & TRACE_LINKS) == 0 && is_link(column)) ||
           ((extras & TRACE_DEADLINES) == 0 && column->offset == JOB(deadline_ms)) ||
           ((extras & TRACE_PARTS) == 0 && parts);
}

/* The first column is always written. */
void trace_write_header(struct out *out, unsigned extras)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        if (is_left_out(&columns[i], extras))
            continue;
        if (i > 0)
            out_char(out, ',');
        out_text(out, columns[i].name);
    }
    out_char(out, '\n');
}

void trace_write_job(struct out *out, const struct trace_job *job, const struct trace_names *names,
                     unsigned extras)
{
    const struct context context = {out, job, names};
    for (size_t i = 0; i < COLUMNS; i++) {
        if (is_left_out(&columns[i], extras))
            continue;
        if (i > 0)
            out_char(out, ',');
        columns[i].write(&context, (const char *)job + columns[i].offset);
    }
    out_char(out, '\n');
}
