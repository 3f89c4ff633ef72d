/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects waits; definitions in waits.h. */
#include "report/measure/waits.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *const waits_size_names[WAITS_SIZES] = {"0", "<1",   "1",      "2-7",
                                                   "8", "9-63", "64-511", "512+"};

enum waits_size waits_size_of(int64_t milli)
{
    static const int64_t below[] = {1,    1000,  2000,  8000,
                                    9000, 64000, 512000}; /* upper bounds, exclusive */
    int size = 0;
    while (size < WAITS_SIZES - 1 && milli >= below[size])
        size++;
    return (enum waits_size)size;
}

int64_t waits_slowdown_milli(const struct work_job *job, int64_t tau_ms)
{
    int64_t ideal = job->duration_ms > tau_ms ? job->duration_ms : tau_ms;
    int64_t total = job->end_ms - job->submit_ms;
    if (total <= ideal)
        return 1000;
    return total < INT64_MAX / 1000 - ideal ? (total * 1000 + ideal / 2) / ideal
                                            : total / ideal * 1000;
}

static struct waits_queue *queue_of(struct waits *w, const struct sim *sim, uint32_t queue)
{
    if (queue >= w->queue_count)
        w->by_queue =
            mem_extend(w->by_queue, &w->queue_count, sim->queue_count, sizeof *w->by_queue);
    return &w->by_queue[queue];
}

static struct waits_cell *cell_of(struct waits *w, const struct work_job *job)
{
    return &w->cells[job->class][waits_size_of(job->gpu_milli)];
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct waits *w = self;
    w->submitted += job->counted;
    cell_of(w, job)->jobs += job->counted;
}

static void dropped(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct waits *w = self;
    w->failed += job->counted;
}

/* A wait is weighted by the job's ideal GPU time. */
static void weigh(struct waits *w, const struct work_job *job, int64_t wait)
{
    tally_sum weight = (tally_sum)job->gpu_milli * job->duration_ms;
    w->weight += weight;
    w->weighted += weight * wait;
}

static void started(void *self, const struct sim *sim, const struct work_job *job)
{
    struct waits *w = self;
    if (!job->counted || job->start_ms != job->first_start_ms)
        return;
    int64_t wait = job->start_ms - job->eligible_ms;
    weigh(w, job, wait);
    tally_add(&cell_of(w, job)->wait, wait, false);
    tally_add(&queue_of(w, sim, job->queue)->wait, wait, false);
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct waits *w = self;
    if (!job->counted)
        return;
    if (job->first_start_ms ==
        WORK_NEVER) { /* cancelled before it could start: its times are meaningless */
        w->cancelled++;
        return;
    }
    struct waits_cell *cell = cell_of(w, job);
    tally_add(&cell->jct, job->end_ms - job->submit_ms, false);
    struct waits_queue *queue = queue_of(w, sim, job->queue);
    tally_add(&queue->queue, job->queue_ms, false);
    tally_add(&queue->jct, job->end_ms - job->submit_ms, false);
    int64_t milli = waits_slowdown_milli(job, w->tau_ms);
    tally_add(&queue->slowdown, milli, false);
    w->slowdown_sum += (double)milli / 1000.0;
    w->slowdown_log_sum += milli > 1000 ? log((double)milli / 1000.0) : 0.0;
    w->slowdown_count++;
    uint64_t *by_status[TRACE_STATUSES] = {&w->completed, &w->failed, &w->cancelled};
    ++*(job->stopped ? &w->stopped : by_status[job->status]);
}

struct sim_observer waits_observer(struct waits *w)
{
    if (w->tau_ms == 0)
        w->tau_ms = WAITS_TAU_MS;
    return (struct sim_observer){
        .self = w, .submitted = submitted, .started = started, .ended = ended, .dropped = dropped};
}

static void left_over(struct waits *w, const struct sim *sim, const struct work_job *job)
{
    struct waits_cell *cell = cell_of(w, job);
    if (job->state == WORK_PENDING && sim_never_fits(sim, job)) {
        w->never_fits++;
        return;
    }
    struct waits_queue *queue = queue_of(w, sim, job->queue);
    tally_add(&cell->jct, sim->now_ms - job->submit_ms, true);
    tally_add(&queue->jct, sim->now_ms - job->submit_ms, true);
    if (job->state == WORK_RUNNING) {
        w->running++;
        tally_add(&queue->queue, job->queue_ms, false);
        return;
    }
    w->pending++;
    int64_t wait = sim->now_ms > job->waits_since_ms ? sim->now_ms - job->waits_since_ms : 0;
    tally_add(&queue->queue, job->queue_ms + wait, true);
    if (job->first_start_ms != WORK_NEVER) /* its first wait is over and has been counted */
        return;
    weigh(w, job, wait);
    w->weighted_open |= job->gpu_milli > 0 && job->duration_ms > 0;
    tally_add(&cell->wait, wait, true);
    tally_add(&queue->wait, wait, true);
}

void waits_finish(struct waits *w, const struct sim *sim)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->counted && (job->state == WORK_RUNNING || job->state == WORK_PENDING))
            left_over(w, sim, job);
    }
    for (int c = 0; c < TRACE_CLASSES; c++)
        for (int size = 0; size < WAITS_SIZES; size++) {
            tally_sort(&w->cells[c][size].wait);
            tally_sort(&w->cells[c][size].jct);
        }
    for (size_t i = 0; i < w->queue_count; i++) {
        tally_sort(&w->by_queue[i].wait);
        tally_sort(&w->by_queue[i].queue);
        tally_sort(&w->by_queue[i].jct);
        tally_sort(&w->by_queue[i].slowdown);
    }
}

void waits_fini(struct waits *w)
{
    for (int c = 0; c < TRACE_CLASSES; c++)
        for (int size = 0; size < WAITS_SIZES; size++) {
            struct waits_cell *cell = &w->cells[c][size];
            tally_fini(&cell->wait);
            tally_fini(&cell->jct);
        }
    for (size_t i = 0; i < w->queue_count; i++) {
        struct waits_queue *queue = &w->by_queue[i];
        tally_fini(&queue->wait);
        tally_fini(&queue->queue);
        tally_fini(&queue->jct);
        tally_fini(&queue->slowdown);
    }
    free(w->by_queue);
}
