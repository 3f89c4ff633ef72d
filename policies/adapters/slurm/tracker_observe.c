/* SPDX-License-Identifier: MIT */
/* From one view to the next: first ended jobs, then running ones, then pending ones; see
 * tracker.h. */
#include "policies/adapters/slurm/tracker_internal.h"

#include <stdlib.h>

/* ---- ends ---- */

static void end(struct tracker *t, struct track_job *job, int32_t outcome)
{
    track_check(t, job, "task_ended", facts_ended(t->at.facts, t->now, job->core, outcome));
    track_forget(t, job);
}

/* Slurm no longer knows it, or knows that it is over. */
static void over(struct tracker *t, struct track_job *job, const struct view_job *from)
{
    bool succeeded = from != NULL && from->state == VIEW_SUCCEEDED;
    bool ran = from != NULL && from->place_count > 0;
    switch (job->state) {
    case TRACK_WAITING:
        track_cancel(t, job);
        return;
    case TRACK_STARTING:
        if (!ran || !job->released) {
            track_give_back(t, job);
            track_cancel(t, job);
            return;
        }
        track_check(t, job, "task_started", facts_started(t->at.facts, t->now, job->core));
        break;
    case TRACK_RUNNING:
    case TRACK_STOPPING:
        break;
    }
    end(t, job, succeeded ? POLICY_SUCCEEDED : POLICY_FAILED);
}

/* It was running and is now pending: the policy, the administrator or a failed node stopped it. */
static void waits_again(struct tracker *t, struct track_job *job, const struct view_job *from)
{
    if (job->state == TRACK_RUNNING)
        track_say(t, "job %s was requeued", job->id);
    track_check(t, job, "task_ended", facts_ended(t->at.facts, t->now, job->core, POLICY_EVICTED));
    if ((policy_traits(t->at.core) & POLICY_TRAIT_PROGRESS) != 0 && job->limit_ms >= 0)
        track_check(t, job, "progress",
                    facts_progress(t->at.facts, t->now, job->core, job->limit_ms));
    track_free_places(t, job);
    job->state = TRACK_WAITING;
    job->released = job->cancel = false;
    job->restarts = from->restarts;
    job->stopped_ms = job->since_ms = t->now;
}

/* It was decided to start, and is still pending. */
static void not_yet(struct tracker *t, struct track_job *job, const struct view_job *from,
                    struct orders *orders)
{
    bool ours = from->state == VIEW_LOOSE && job->released;
    if (from->state == VIEW_HELD && !job->released)
        return; /* its release time has not come */
    if (ours && t->now - job->since_ms < t->options.start_timeout_ms)
        return;
    if (ours) {
        orders_add(orders, ORDER_HOLD, job->id, NULL,
                   0); /* the next view shows if it started after all */
        job->since_ms = t->now;
        return;
    }
    track_start_failed(t, job);
}

static void look_at_stopped(struct tracker *t, struct track_job *job, const struct view_job *from,
                            struct orders *orders)
{
    if (from->state >= VIEW_SUCCEEDED)
        over(t, job, from);
    else if (from->state < VIEW_RUNNING && job->state == TRACK_STARTING)
        not_yet(t, job, from, orders);
    else if (from->state < VIEW_RUNNING && job->state != TRACK_WAITING)
        waits_again(t, job, from);
}

/* ---- running jobs ---- */

static bool is_where_decided(const struct tracker *t, const struct track_job *job,
                             const struct view_job *from)
{
    bool same = from->place_count == job->request.nodes;
    for (uint32_t i = 0; same && i < from->place_count; i++)
        same = from->places[i].node != UINT32_MAX &&
               track_has_node(job, t->from_view[from->places[i].node]);
    return same;
}

/* Ensures that a requeue leaves the job held, so that Slurm does not restart it by itself. */
static void keep(struct tracker *t, const struct view_job *from, struct orders *orders)
{
    char mark[TRACK_MARK] = "";
    if (t->options.shadow || from->held || from->state != VIEW_RUNNING)
        return;
    if (!track_is_marked(from))
        track_mark(from, mark);
    orders_add(orders, ORDER_KEEP, from->id, mark, 0);
}

static void adopt(struct tracker *t, const struct view *view, const struct view_job *from)
{
    if (track_adopt(t, view, from) != NULL && t->views > 1)
        track_say(t, "job %s was started by somebody else", from->id);
}

/* The core's state differs: it must forget the job first. */
static void start_over(struct tracker *t, struct track_job *job, const struct view *view,
                       const struct view_job *from)
{
    if (job->state == TRACK_STARTING)
        track_give_back(t, job);
    else if (job->state != TRACK_WAITING)
        track_check(t, job, "task_ended",
                    facts_ended(t->at.facts, t->now, job->core, POLICY_EVICTED));
    track_cancel(t, job);
    adopt(t, view, from);
}

static void started(struct tracker *t, struct track_job *job, const struct view_job *from)
{
    struct track_note *note = track_find_note(t, job->key);
    if (note != NULL)
        note->failures = 0;
    track_check(t, job, "task_started", facts_started(t->at.facts, t->now, job->core));
    job->state = TRACK_RUNNING;
    job->since_ms = t->now;
    job->restarts = from->restarts;
}

static void stop_again(struct tracker *t, struct track_job *job, const struct view_job *from,
                       struct orders *orders)
{
    if (from->state != VIEW_RUNNING || t->now - job->since_ms < t->options.repeat_ms)
        return;
    orders_add(orders, job->cancel ? ORDER_CANCEL : ORDER_REQUEUE, job->id, NULL, 0);
    job->since_ms = t->now;
}

/* Handles jobs that run as the core knows or decided; others are skipped here. */
static bool runs_as_known(struct tracker *t, const struct view_job *from, struct orders *orders)
{
    struct track_job *job = track_find(t, from->key);
    bool leaves = from->state == VIEW_LEAVING;
    if (job == NULL || job->state == TRACK_WAITING)
        return false;
    if (job->state == TRACK_STARTING) {
        if (!job->released || !(leaves || is_where_decided(t, job, from)))
            return false;
        started(t, job, from);
    } else if (job->restarts != from->restarts && !leaves) {
        return false;
    } else if (job->state == TRACK_STOPPING) {
        stop_again(t, job, from, orders);
    }
    keep(t, from, orders);
    return true;
}

/* Expected jobs first: they may use the devices that the core reserved for them. Then jobs started
 * by others. */
static void look_at_running(struct tracker *t, const struct view *view, struct orders *orders)
{
    bool *known = memory_get(view->job_count, sizeof *known);
    for (size_t i = 0; i < view->job_count; i++) {
        bool runs = view->jobs[i].state == VIEW_RUNNING || view->jobs[i].state == VIEW_LEAVING;
        known[i] = !runs || runs_as_known(t, &view->jobs[i], orders);
    }
    for (size_t i = 0; i < view->job_count; i++) {
        struct track_job *job = known[i] ? NULL : track_find(t, view->jobs[i].key);
        if (known[i])
            continue;
        if (job != NULL)
            start_over(t, job, view, &view->jobs[i]);
        else
            adopt(t, view, &view->jobs[i]);
        keep(t, &view->jobs[i], orders);
    }
    free(known);
}

/* ---- one view ---- */

static void mark_seen(struct tracker *t, const struct view *view)
{
    for (size_t i = 0; i < view->job_count; i++) {
        struct track_job *job = track_find(t, view->jobs[i].key);
        struct track_note *note = track_find_note(t, view->jobs[i].key);
        if (job != NULL)
            job->seen = t->views;
        if (note != NULL)
            note->seen = t->views;
    }
}

static void drop_vanished(struct tracker *t)
{
    struct track_job *job, *next;
    struct track_note *note, *next_note;
    for (job = t->jobs; job != NULL; job = next) {
        next = job->hh.next;
        if (job->seen != t->views)
            over(t, job, NULL);
    }
    for (note = t->notes; note != NULL; note = next_note) {
        next_note = note->hh.next;
        if (note->seen == t->views)
            continue;
        HASH_DEL(t->notes, note);
        free(note);
    }
}

bool tracker_observe(struct tracker *t, const struct view *view, policy_time now,
                     struct orders *orders, char error[CONFIG_ERROR])
{
    t->now = now > t->now ? now : t->now;
    t->views++;
    if (!track_nodes(t, view, error) || !track_configured_queues(t, view, error))
        return false;
    mark_seen(t, view);
    drop_vanished(t);
    for (size_t i = 0; i < view->job_count; i++) {
        struct track_job *job = track_find(t, view->jobs[i].key);
        if (job != NULL)
            look_at_stopped(t, job, &view->jobs[i], orders);
    }
    look_at_running(t, view, orders);
    track_pending(t, view, orders);
    return true;
}
