/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded starts next to simulated ones; see recorded_starts.h. */
#include "sim/replay/recorded_starts.h"

#include "sim/base/in_order.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

void recorded_starts_init(struct recorded_starts *s, const struct recorded *recorded)
{
    *s = (struct recorded_starts){.recorded = recorded,
                                  .simulated_ms =
                                      mem_alloc(recorded->job_count + 1, sizeof(int64_t)),
                                  .launched = mem_alloc(recorded->job_count + 1, sizeof(bool)),
                                  .all = mem_alloc(recorded->job_count + 1, sizeof *s->all)};
}

void recorded_starts_fini(struct recorded_starts *s)
{
    free(s->simulated_ms);
    free(s->launched);
    free(s->all);
    *s = (struct recorded_starts){.recorded = NULL};
}

/* ---- watching ---- */

static void begin(void *self)
{
    struct recorded_starts *s = self;
    for (size_t i = 0; i < s->recorded->job_count; i++) {
        s->simulated_ms[i] = RECORDED_NEVER;
        s->launched[i] = false;
    }
}

static void note(struct recorded_starts *s, const struct work_job *job, int64_t at, bool launches)
{
    const char *id = work_id(job);
    uint32_t number = symbols_find(s->recorded->job_names, id, strlen(id));
    if (number == SYMBOL_NONE || (s->simulated_ms[number] != RECORDED_NEVER && s->launched[number]))
        return;
    s->simulated_ms[number] = at;
    s->launched[number] = launches;
}

/* It has its devices; unless a launch is reported later, it works. */
static void started(void *self, const struct sim *sim, const struct work_job *job)
{
    note(self, job, sim->now_ms, !job->launches);
}

static void launched(void *self, const struct sim *sim, const struct work_job *job)
{
    note(self, job, sim->now_ms, true);
}

static void finish(void *self, const struct simulation *simulation)
{
    (void)self;
    (void)simulation;
}

struct run_watch recorded_starts_watch(struct recorded_starts *s)
{
    return (struct run_watch){.self = s,
                              .begin = begin,
                              .observer = {.self = s, .started = started, .launched = launched},
                              .finish = finish};
}

/* ---- order ---- */

static int compare_recorded(const void *left, const void *right)
{
    const struct recorded_start *a = left, *b = right;
    if (a->job->first_started_ms != b->job->first_started_ms)
        return a->job->first_started_ms < b->job->first_started_ms ? -1 : 1;
    if (a->simulated_ms != b->simulated_ms)
        return a->simulated_ms < b->simulated_ms ? -1 : 1;
    return a->job < b->job ? -1 : a->job > b->job;
}

/* The most jobs that start in the order of the recorded starts, others left out at will. */
static uint64_t count_in_order(const struct recorded_starts *s)
{
    struct recorded_start *sorted = mem_alloc(s->count + 1, sizeof *sorted);
    int64_t *simulated = mem_alloc(s->count + 1, sizeof *simulated);
    memcpy(sorted, s->all, s->count * sizeof *sorted);
    qsort(sorted, s->count, sizeof *sorted, compare_recorded);
    for (size_t i = 0; i < s->count; i++)
        simulated[i] = sorted[i].simulated_ms;
    uint64_t length = in_order_length(simulated, s->count);
    free(sorted);
    free(simulated);
    return length;
}

/* ---- figures ---- */

void recorded_starts_compare(struct recorded_starts *s)
{
    struct spans absolute = {.ms = NULL}, all = {.ms = NULL};
    for (size_t i = 0; i < s->recorded->job_count; i++) {
        const struct recorded_job *job = &s->recorded->jobs[i];
        if (job->runs == 0 || job->was_found)
            continue;
        if (s->simulated_ms[i] == RECORDED_NEVER) {
            s->only_recorded++;
            continue;
        }
        int64_t difference = job->first_started_ms - s->simulated_ms[i];
        s->all[s->count++] = (struct recorded_start){job, s->simulated_ms[i], difference};
        spans_add(&all, difference);
        spans_add(&absolute, difference < 0 ? -difference : difference);
    }
    s->in_order = count_in_order(s);
    s->median_ms = spans_quantile(&absolute, 0.5);
    s->p90_ms = spans_quantile(&absolute, 0.9);
    s->max_ms = spans_quantile(&absolute, 1);
    s->median_signed_ms = spans_quantile(&all, 0.5);
    spans_fini(&absolute);
    spans_fini(&all);
}

bool recorded_starts_write(const struct recorded_starts *s, const char *dir, struct err *err)
{
    struct out *out = out_open_in(dir, "starts.csv", err);
    if (out == NULL)
        return false;
    out_text(out, "job_id,submit_s,told_s,decided_s,start_s,simulated_start_s,difference_s\n");
    for (size_t i = 0; i < s->recorded->job_count; i++) {
        const struct recorded_job *job = &s->recorded->jobs[i];
        int64_t simulated = s->simulated_ms[i];
        if (job->runs == 0 || job->was_found)
            continue;
        const int64_t times[] = {job->spec.submitted, job->told_ms, job->first_decided_ms,
                                 job->first_started_ms};
        out_csv(out, job->name);
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            out_char(out, ',');
            out_seconds(out, times[k]);
        }
        out_char(out, ',');
        if (simulated != RECORDED_NEVER)
            out_seconds(out, simulated);
        out_char(out, ',');
        if (simulated != RECORDED_NEVER)
            out_seconds(out, job->first_started_ms - simulated);
        out_char(out, '\n');
    }
    return out_close(out, err);
}
