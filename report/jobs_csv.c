/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of jobs.csv. */
#include "report/jobs_csv.h"
#include "report/waits.h"

#include "sim/base/digits.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

bool jobs_csv_open(struct jobs_csv *csv, const char *dir, struct err *err)
{
    csv->out = out_open_in(dir, "jobs.csv", err);
    if (csv->out == NULL)
        return false;
    out_text(csv->out,
             "job_id,queue,user,class,gpus,submit_s,first_start_s,end_s,wait_s,queue_s,run_s,ideal_s,lost_s,"
             "preemptions,failures,moves,placement,slowdown,state\n");
    return true;
}

static char *comma_after(char *to)
{
    *to = ',';
    return to + 1;
}

static char *number(char *to, int64_t milli)
{
    return comma_after(digits_milli(to, milli));
}

/* gpus,submit_s,first_start_s,end_s,wait_s,queue_s,run_s,ideal_s: seconds from milliseconds, empty where undefined. */
static void times(struct out *out, const struct sim *sim, const struct work_job *job, bool ended)
{
    char *to = out_room(out, 10 * DIGITS_MOST);
    to = number(to, job->gpu_milli);
    to = number(to, job->submit_ms);
    if (job->state == WORK_PENDING) {
        memcpy(to, ",,,,,", 5);
        to += 5;
    } else {
        int64_t wait = job->first_start_ms - job->eligible_ms;
        to = number(to, job->first_start_ms);
        to = ended ? number(to, job->end_ms) : comma_after(to);
        to = number(to, wait);
        to = number(to, wait); /* nothing is requeued yet: the first wait is all of it */
        to = number(to, (ended ? job->end_ms : sim->now_ms) - job->start_ms);
    }
    out_advance(out, number(to, job->duration_ms));
}

static void placement(struct out *out, const struct sim *sim, const struct work_job *job)
{
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        bool counted = task->node == WORK_NONE;
        if (id != job->first_task)
            out_char(out, ';');
        out_text(out, counted ? sim->fleet->pools[task->pool].name : sim->fleet->nodes[task->node].name);
        out_char(out, ':');
        out_milli(out,
                  counted ? task->counted_milli : (int64_t)task->milli * __builtin_popcountll(task->devices));
    }
}

static void row(struct out *out, const struct sim *sim, const struct work_job *job, const char *state)
{
    bool ended = job->state == WORK_ENDED;
    out_csv(out, work_id(job));
    out_char(out, ',');
    out_csv(out, sim->queues[job->queue].name);
    out_char(out, ',');
    out_csv(out, symbols_name(sim->config.names.users, job->user));
    out_char(out, ',');
    out_text(out, trace_class_names[job->class]);
    out_char(out, ',');
    times(out, sim, job, ended);
    out_text(out, "0,0,0,0,"); /* lost, preemptions, failures, moves */
    placement(out, sim, job);
    out_char(out, ',');
    if (ended)
        out_milli(out, waits_slowdown_milli(job));
    out_char(out, ',');
    out_text(out, state);
    out_char(out, '\n');
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct jobs_csv *csv = self;
    if (csv->out != NULL)
        row(csv->out, sim, job, trace_status_names[job->status]);
}

/* A packing study gives up what fits nowhere. */
static void dropped(void *self, const struct sim *sim, const struct work_job *job)
{
    struct jobs_csv *csv = self;
    if (csv->out != NULL)
        row(csv->out, sim, job, trace_status_names[TRACE_FAILED]);
}

struct sim_observer jobs_csv_observer(struct jobs_csv *csv)
{
    return (struct sim_observer){.self = csv, .ended = ended, .dropped = dropped};
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = (*(const struct work_job *const *)a)->number;
    uint64_t y = (*(const struct work_job *const *)b)->number;
    return (x > y) - (x < y); /* numbers are unique */
}

void jobs_csv_finish(struct jobs_csv *csv, const struct sim *sim)
{
    if (csv->out == NULL)
        return;
    const struct work_job **left = mem_alloc(sim->work.capacity + 1, sizeof *left);
    size_t n = 0;
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_RUNNING || sim->work.jobs[i].state == WORK_PENDING)
            left[n++] = &sim->work.jobs[i];
    qsort(left, n, sizeof *left, by_number);
    for (size_t i = 0; i < n; i++) {
        row(csv->out, sim, left[i],
            left[i]->state == WORK_RUNNING ? "running"
            : sim_never_fits(sim, left[i]) ? "never_fits"
                                           : "pending");
    }
    free(left);
}
