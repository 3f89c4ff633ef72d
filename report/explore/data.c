/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs a run; the order is in data.h. */
#include "report/explore/data.h"

#include "report/explore/grid.h"
#include "report/record/node_state.h"
#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <stdlib.h>

int64_t explore_wait_ms(const struct explore_job *job)
{
    return job->first_start_ms == WORK_NEVER ? -1 : job->first_start_ms - job->eligible_ms;
}

/* ---- names ---- */

static void put_symbols(struct pack *p, const struct symbols *names)
{
    uint32_t count = symbols_count(names);
    pack_number(p, count);
    for (uint32_t i = 0; i < count; i++)
        pack_text(p, symbols_name(names, i));
}

static void put_names(struct pack *p, const struct sim *sim)
{
    pack_number(p, (int64_t)sim->queue_count);
    for (size_t i = 0; i < sim->queue_count; i++)
        pack_text(p, sim->queues[i].name);
    put_symbols(p, sim->config.names.users);
    pack_number(p, TRACE_CLASSES);
    for (int i = 0; i < TRACE_CLASSES; i++)
        pack_text(p, trace_class_names[i]);
    pack_number(p, POLICY_REASONS);
    for (int32_t i = 0; i < POLICY_REASONS; i++)
        pack_text(p, policy_reason_name(i));
    pack_number(p, POLICY_MOST_ACTIONS);
    for (int32_t i = 0; i < POLICY_MOST_ACTIONS; i++)
        pack_text(p, policy_action_name(i));
    pack_number(p, sim->config.faults.class_count);
    for (uint32_t i = 0; i < sim->config.faults.class_count; i++)
        pack_text(p, sim->config.faults.classes[i]);
    pack_number(p, NODE_STATES);
    for (int i = 0; i < NODE_STATES; i++)
        pack_text(p, node_state_names[i]);
}

static void put_rows(struct pack *p, const struct explore *e)
{
    const struct fleet *fleet = e->sim->fleet;
    size_t groups = e->sim->counts ? fleet->pool_count : fleet->node_count;
    pack_number(p, (int64_t)groups);
    for (size_t i = 0; i < groups; i++) {
        pack_text(p, e->sim->counts ? fleet->pools[i].name : fleet->nodes[i].name);
        pack_number(p, e->rows.first_row[i]);
    }
    pack_number(p, (int64_t)e->rows.row_count);
}

static void put_bins(struct pack *p, const struct explore_bins *bins)
{
    pack_number(p, bins->width_ms);
    pack_number(p, (int64_t)bins->count);
    for (size_t i = 0; i < bins->count; i++)
        for (int sum = 0; sum < EXPLORE_SUMS; sum++)
            pack_number(p, bins->bins[i].sums[sum]);
}

/* ---- jobs ---- */

struct by_wait {
    int64_t wait_ms;
    uint32_t job;
};

static int longest_first(const void *left, const void *right)
{
    const struct by_wait *a = left, *b = right;
    int order = order_i64(&b->wait_ms, &a->wait_ms);
    return order != 0 ? order : order_u32(&a->job, &b->job);
}

/*
 * Selects the listed jobs: place[job] is the place in the list plus 1; 0: not listed. The caller
 * frees it.
 */
static uint32_t *choose(const struct explore *e, bool all, size_t *count)
{
    uint32_t *place = mem_alloc(e->job_count + 1, sizeof *place);
    struct by_wait *list = mem_alloc(e->job_count + 1, sizeof *list);
    for (uint32_t i = 0; i < e->job_count; i++) {
        const struct explore_job *job = &e->jobs[i];
        int64_t wait = explore_wait_ms(job);
        list[i] = (struct by_wait){wait >= 0 ? wait : e->end_ms - job->eligible_ms, i};
    }
    *count = all || e->job_count < EXPLORE_KEPT ? e->job_count : EXPLORE_KEPT;
    if (!all)
        qsort(list, e->job_count, sizeof *list, longest_first);
    for (size_t i = 0; i < *count; i++)
        place[list[i].job] = 1;
    uint32_t next = 0;
    for (uint32_t i = 0; i < e->job_count; i++)
        if (place[i] != 0)
            place[i] = ++next;
    free(list);
    return place;
}

static void put_jobs(struct pack *p, const struct explore *e, const uint32_t *place, size_t count)
{
    int64_t before = e->begin_ms;
    pack_number(p, (int64_t)count);
    for (size_t i = 0; i < e->job_count; i++) {
        const struct explore_job *job = &e->jobs[i];
        if (place[i] == 0)
            continue;
        pack_text(p, job->id);
        pack_number(p, job->submit_ms - before);
        pack_number(p, job->eligible_ms - job->submit_ms);
        pack_number(p, explore_wait_ms(job));
        pack_number(p, job->end_ms == WORK_NEVER           ? -1
                       : job->first_start_ms == WORK_NEVER ? job->end_ms - job->eligible_ms
                                                           : job->end_ms - job->first_start_ms);
        pack_number(p, job->gpu_milli);
        pack_number(p, job->tasks);
        pack_number(p, job->queue);
        pack_number(p, job->user);
        pack_number(p, job->class);
        pack_number(p, job->status);
        pack_number(p, job->counted);
        pack_number(p, job->preemptions);
        pack_number(p, job->failures);
        before = job->submit_ms;
    }
}

static void put_bars(struct pack *p, const struct explore *e, const uint32_t *place)
{
    int64_t before = e->begin_ms, job = 0, row = 0, count = 0;
    for (size_t i = 0; i < e->rows.bar_count; i++)
        count += place[e->rows.bars[i].job] != 0;
    pack_number(p, count);
    for (size_t i = 0; i < e->rows.bar_count; i++) {
        const struct explore_bar *bar = &e->rows.bars[i];
        if (place[bar->job] == 0)
            continue;
        pack_number(p, bar->from_ms - before);
        pack_number(p, bar->to_ms - bar->from_ms);
        pack_number(p, (int64_t)place[bar->job] - 1 - job);
        pack_number(p, (int64_t)bar->row - row);
        pack_number(p, bar->rows);
        pack_number(p, bar->offset);
        pack_number(p, bar->milli);
        before = bar->from_ms;
        job = (int64_t)place[bar->job] - 1;
        row = bar->row;
    }
}

/* ---- events ---- */

static void put_events(struct pack *p, const struct explore *e, const uint32_t *place)
{
    int64_t before = e->begin_ms, count = 0;
    for (size_t i = 0; i < e->event_count; i++)
        count += place[e->events[i].job] != 0;
    pack_number(p, count);
    for (size_t i = 0; i < e->event_count; i++) {
        const struct explore_event *event = &e->events[i];
        if (place[event->job] == 0)
            continue;
        pack_number(p, event->at_ms - before);
        pack_number(p, (int64_t)place[event->job] - 1);
        pack_number(p, event->kind);
        pack_number(p, event->what);
        before = event->at_ms;
    }
}

static void put_nodes(struct pack *p, const struct explore *e)
{
    pack_number(p, (int64_t)e->state_count);
    for (size_t i = 0; i < e->state_count; i++) {
        pack_number(p, e->states[i].from_ms - e->begin_ms);
        pack_number(p, e->states[i].to_ms - e->states[i].from_ms);
        pack_number(p, e->states[i].node);
        pack_number(p, e->states[i].state);
    }
    int64_t before = e->begin_ms;
    pack_number(p, (int64_t)e->fault_count);
    for (size_t i = 0; i < e->fault_count; i++) {
        const struct explore_fault *fault = &e->faults[i];
        pack_number(p, fault->at_ms - before);
        pack_number(p, fault->node == WORK_NONE ? -1 : (int64_t)fault->node);
        pack_number(p, fault->class);
        before = fault->at_ms;
    }
}

/* ---- starts of jobs that are not listed ---- */

static bool is_start(const struct explore_job *job, uint32_t place)
{
    return place == 0 && job->counted && job->first_start_ms != WORK_NEVER;
}

static int by_start(const void *left, const void *right)
{
    const struct explore_job *a = *(const struct explore_job *const *)left,
                             *b = *(const struct explore_job *const *)right;
    int order = order_i64(&a->first_start_ms, &b->first_start_ms);
    return order != 0 ? order : (a > b) - (a < b);
}

static void put_starts(struct pack *p, const struct explore *e, const uint32_t *place)
{
    const struct explore_job **list = mem_alloc(e->job_count + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < e->job_count; i++)
        if (is_start(&e->jobs[i], place[i]))
            list[count++] = &e->jobs[i];
    qsort(list, count, sizeof *list, by_start);
    pack_number(p, (int64_t)count);
    int64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t at = (list[i]->first_start_ms - e->begin_ms) / 1000;
        pack_number(p, at - before);
        pack_number(p, explore_wait_ms(list[i]) / 1000);
        pack_number(p, list[i]->queue);
        pack_number(p, list[i]->class);
        before = at;
    }
    free(list);
}

void explore_data(const struct explore *e, struct pack *p)
{
    size_t count;
    bool all = e->rows.bar_count <= EXPLORE_MOST_BARS && e->job_count <= EXPLORE_MOST_JOBS;
    uint32_t *place = choose(e, all, &count);
    pack_number(p, 1);
    pack_text(p, e->title);
    pack_text(p, e->policy);
    pack_number(p, e->dated);
    pack_number(p, e->begin_ms);
    pack_number(p, e->end_ms - e->begin_ms);
    pack_number(p, e->window_start_ms - e->begin_ms);
    pack_number(p, e->window_end_ms - e->begin_ms);
    put_names(p, e->sim);
    put_rows(p, e);
    put_bins(p, &e->bins);
    put_jobs(p, e, place, count);
    put_bars(p, e, place);
    if (all)
        pack_number(p, 0);
    else
        explore_grid(e, p);
    put_events(p, e, place);
    put_nodes(p, e);
    put_starts(p, e, place);
    free(place);
}
