/* SPDX-License-Identifier: MIT */
/*
 * Pending jobs. The core knows jobs that are held with the adapter's mark, have no open dependency,
 * and whose array is below its task limit. Jobs that Slurm could start by itself are held and
 * marked first.
 */
#include "policies/adapters/slurm/tracker_internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_pending(const struct view_job *job)
{
    return job->state < VIEW_RUNNING;
}

static bool is_over(const struct view_job *job)
{
    return job->state >= VIEW_SUCCEEDED;
}

static size_t first_of(const struct view *view, uint32_t job)
{
    size_t low = 0;
    for (size_t high = view->job_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (view->jobs[middle].key.job < job)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns true if some job or array task of that number has not ended (or not begun, for begin
 * dependencies). */
static bool is_awaited(const struct view *view, uint32_t number, bool begun)
{
    for (size_t i = first_of(view, number); i < view->job_count && view->jobs[i].key.job == number;
         i++)
        if (begun ? is_pending(&view->jobs[i]) : !is_over(&view->jobs[i]))
            return true;
    return false;
}

/*
 * Returns true if a job of the dependency has yet to end. Slurm checks how it ended when the job is
 * released, so this check may be generous as long as it terminates.
 */
static bool waits_for_others(const struct view *view, const struct view_job *job)
{
    bool begun = strncmp(job->dependency, "after:", 6) == 0;
    for (const char *at = strchr(job->dependency, ':'); at != NULL; at = strchr(at + 1, ':')) {
        unsigned long number = strtoul(at + 1, NULL, 10);
        if (number > 0 && number < UINT32_MAX && is_awaited(view, (uint32_t)number, begun))
            return true;
    }
    return false;
}

/* One order for all tasks of an array that have not been split off. */
static void take(const struct view_job *job, struct orders *orders)
{
    const struct order *last = orders->count > 0 ? &orders->list[orders->count - 1] : NULL;
    char mark[TRACK_MARK];
    if (last != NULL && last->kind == ORDER_TAKE && strcmp(last->job, job->record) == 0)
        return;
    track_mark(job, mark);
    orders_add(orders, ORDER_TAKE, job->record, mark, 0);
}

static void take_or_hold(struct tracker *t, const struct view_job *job, struct orders *orders)
{
    if (t->options.shadow)
        return;
    if (track_is_marked(job))
        orders_add(orders, ORDER_HOLD, job->id, NULL, 0);
    else if (*job->wanted_nodes != '\0')
        track_complain(t, job, "--nodelist is not supported: use --constraint");
    else
        take(job, orders);
}

/* Returns true if the request has changed since it was reported to the core. */
static bool has_changed(struct tracker *t, const struct view *view, const struct view_job *from,
                        const struct track_job *job)
{
    const char *why;
    struct request now;
    return job->limit_ms != from->limit_ms || !track_request(t, view, from, &now, &why) ||
           !request_same(&now, &job->request);
}

static bool may_be_told(const struct tracker *t, const struct view_job *job)
{
    return job->state == VIEW_HELD ||
           (t->options.shadow && (job->state == VIEW_LOOSE || job->state == VIEW_FRESH));
}

/* Number of further tasks of the array that may be reported, besides known and active ones. */
static int64_t room_in_array(const struct tracker *t, const struct view *view, size_t i)
{
    int64_t room = view->jobs[i].array_limit;
    uint32_t number = view->jobs[i].key.job;
    if (room == 0)
        return INT64_MAX;
    for (; i < view->job_count && view->jobs[i].key.job == number; i++)
        if (!is_over(&view->jobs[i]) &&
            (!is_pending(&view->jobs[i]) || track_find(t, view->jobs[i].key) != NULL))
            room--;
    return room;
}

static void look_at(struct tracker *t, const struct view *view, const struct view_job *from,
                    int64_t *room, struct orders *orders)
{
    struct track_job *job = track_find(t, from->key);
    bool told = may_be_told(t, from) && !waits_for_others(view, from);
    if (job != NULL && job->state != TRACK_WAITING)
        return;
    if (job != NULL && (!told || has_changed(t, view, from, job))) {
        track_cancel(t, job);
        job = NULL;
    }
    if (from->state == VIEW_LOOSE || from->state == VIEW_FRESH)
        take_or_hold(t, from, orders);
    if (told && job == NULL && *room > 0 && track_submit(t, view, from) != NULL)
        (*room)--;
}

void track_pending(struct tracker *t, const struct view *view, struct orders *orders)
{
    int64_t room = 0;
    for (size_t i = 0; i < view->job_count; i++) {
        if (i == 0 || view->jobs[i].key.job != view->jobs[i - 1].key.job)
            room = room_in_array(t, view, i);
        if (is_pending(&view->jobs[i]))
            look_at(t, view, &view->jobs[i], &room, orders);
    }
}
