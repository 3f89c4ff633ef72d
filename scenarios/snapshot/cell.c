/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of some nodes; see cell.h. */
#include "scenarios/snapshot/cell.h"

#include "scenarios/snapshot/internal.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

static bool is_level(const struct snapshot *s, const char *key)
{
    for (size_t i = 0; i < s->topology_count; i++)
        for (uint32_t k = 0; k < s->topologies[i].level_count; k++)
            if (strcmp(s->topologies[i].levels[k], key) == 0)
                return true;
    return false;
}

static const char *renamed(struct snap_reader *cell, const char *name, size_t copy)
{
    size_t size = strlen(name) + 24;
    char *text = snap_alloc(cell, size, 1);
    (void)snprintf(text, size, "%s+%zu", name, copy);
    return text;
}

static struct snap_node node_of(struct snap_reader *cell, const struct snapshot *from,
                                struct cell_node which)
{
    struct snap_node node = from->nodes[which.index];
    if (which.copy == 0)
        return node;
    const struct snap_label *labels = node.labels;
    node.name = renamed(cell, node.name, which.copy);
    node.rank += (uint32_t)(which.copy * from->node_count);
    node.labels = snap_alloc(cell, node.label_count + 1, sizeof *node.labels);
    for (size_t i = 0; i < node.label_count; i++) {
        node.labels[i] = labels[i];
        if (is_level(from, labels[i].key))
            node.labels[i].value = renamed(cell, labels[i].value, which.copy);
    }
    return node;
}

/* ---- jobs ---- */

bool snapshot_task_works(const struct snapshot *s, const struct snap_job *job,
                         const struct snap_task *task)
{
    if (job->stray != SNAP_IN_QUEUE)
        return false;
    return snap_holds(task) || (task->state == SNAP_PENDING && job->eligible_ms <= s->now_ms);
}

/* Returns the number of a role's tasks that are work. */
static int32_t working(const struct snapshot *s, const struct snap_job *job,
                       const struct snap_role *role)
{
    int32_t n = 0;
    for (uint32_t t = 0; t < role->tasks; t++)
        n += snapshot_task_works(s, job, &job->tasks[role->first_task + t]);
    return n;
}

bool snapshot_job_works(const struct snapshot *s, const struct snap_job *job)
{
    bool holds = false, whole = true;
    for (uint32_t t = 0; t < job->task_count; t++)
        holds |= snap_holds(&job->tasks[t]);
    for (uint32_t r = 0; r < job->role_count && !holds; r++)
        whole &= working(s, job, &job->roles[r]) >= job->roles[r].min_tasks;
    return holds || whole;
}

int64_t snapshot_job_milli(const struct snap_job *job)
{
    int64_t sum = 0;
    for (uint32_t t = 0; t < job->task_count; t++)
        sum += snap_over(&job->tasks[t]) ? 0 : snap_gpu_milli(&job->tasks[t].request);
    return sum;
}

static void soften(struct snap_constraint *constraint)
{
    if (constraint->at.required > 0 && constraint->at.preferred <= 0) {
        constraint->at.preferred = constraint->at.required;
        constraint->preferred = constraint->required;
    }
    constraint->at.required = 0;
    constraint->required = "";
}

/* Gives the job its own copy of the roles. */
static void copy_roles(struct snap_reader *cell, struct snap_job *job)
{
    const struct snap_role *roles = job->roles;
    job->roles = snap_alloc(cell, (size_t)job->role_count + 1, sizeof *job->roles);
    for (uint32_t i = 0; i < job->role_count; i++)
        job->roles[i] = roles[i];
}

/* A job that runs below its minimum is packed with the tasks that it has. */
static void lower_minimum(const struct snapshot *from, const struct snap_job *old,
                          struct snap_job *job)
{
    for (uint32_t i = 0; i < job->role_count; i++) {
        int32_t n = working(from, old, &old->roles[i]);
        if (job->roles[i].min_tasks > n)
            job->roles[i].min_tasks = n;
    }
}

static void soften_job(struct snap_reader *cell, struct snap_job *job)
{
    const struct snap_group *groups = job->groups;
    job->groups = snap_alloc(cell, (size_t)job->group_count + 1, sizeof *job->groups);
    soften(&job->topology);
    for (uint32_t i = 0; i < job->group_count; i++) {
        job->groups[i] = groups[i];
        soften(&job->groups[i].topology);
    }
    for (uint32_t i = 0; i < job->role_count; i++)
        soften(&job->roles[i].topology);
    for (uint32_t t = 0; t < job->task_count; t++) {
        job->tasks[t].request.term_count = 0;
        job->tasks[t].request.gpu_types = "";
    }
}

/* Copies a job; tasks that are not work become gated, or stay ended. */
static struct snap_job job_of(struct snap_reader *cell, const struct snapshot *from,
                              const struct snap_job *old, int64_t soft_milli)
{
    struct snap_job job = *old;
    const bool works = snapshot_job_works(from, old);
    job.tasks = snap_alloc(cell, (size_t)job.task_count + 1, sizeof *job.tasks);
    for (uint32_t t = 0; t < job.task_count; t++) {
        struct snap_task *task = &job.tasks[t];
        *task = old->tasks[t];
        if (snap_over(task))
            continue;
        task->state = works && snapshot_task_works(from, old, task) ? SNAP_PENDING : SNAP_GATED;
        task->node = SNAP_NONE;
        task->devices = 0;
    }
    job.last_start_ms = job.stale_since_ms = POLICY_NEVER;
    job.stale = false;
    job.eligible_ms = POLICY_NEVER;
    copy_roles(cell, &job);
    if (works)
        lower_minimum(from, old, &job);
    if (snapshot_job_milli(old) > soft_milli)
        soften_job(cell, &job);
    return job;
}

struct snapshot *snapshot_cell_create(const struct snapshot *from, const struct cell_node *nodes,
                                      size_t count, int64_t soft_milli)
{
    struct snap_reader *cell = mem_alloc(1, sizeof *cell);
    cell->s = *from;
    cell->source = ((const struct snap_reader *)(const void *)from)
                       ->source; /* for messages; owned by the snapshot */
    cell->s.node_count = count;
    cell->s.nodes = snap_alloc(cell, count + 1, sizeof *cell->s.nodes);
    for (size_t i = 0; i < count; i++)
        cell->s.nodes[i] = node_of(cell, from, nodes[i]);
    cell->s.jobs = snap_alloc(cell, from->job_count + 1, sizeof *cell->s.jobs);
    for (size_t i = 0; i < from->job_count; i++)
        cell->s.jobs[i] = job_of(cell, from, &from->jobs[i], soft_milli);
    return &cell->s;
}

void snapshot_cell_destroy(struct snapshot *s)
{
    if (s == NULL)
        return;
    struct snap_reader *cell = (struct snap_reader *)(void *)s;
    for (size_t i = 0; i < cell->block_count; i++)
        free(cell->blocks[i]);
    free(cell->blocks);
    free(cell);
}
