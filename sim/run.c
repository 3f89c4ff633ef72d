/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event loop. */
#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/dependencies.h"

#include <stdlib.h>
#include <string.h>

#define ASK_EVERY 65536 /* events between two polls whether to continue */
/* a decision counts as this many events there: it may take tens of milliseconds */
#define CYCLE_EVENTS 4096
#define SOME_EVENTS  1024 /* queued events: too few to scan for outdated ones */

/* ---- what is next ---- */

/*
 * Reads the rest of the trace without admitting jobs: its digest must be that of the whole trace.
 */
static bool read_rest(struct sim *sim, struct err *err)
{
    struct trace_job job;
    enum trace_result got;
    while ((got = trace_next(sim->trace, &job, err)) == TRACE_JOB)
        continue;
    sim->unsorted = got == TRACE_UNSORTED;
    return got == TRACE_END;
}

/* The run begins with the first submission, or with the initial state. */
static bool begin_at(struct sim *sim, int64_t first_ms, struct err *err)
{
    sim->first_submit_ms = first_ms;
    if (sim->config.faults.begin != NULL)
        sim->config.faults.begin(sim->config.faults.self, first_ms);
    if (sim->config.clients.self != NULL)
        sim->config.clients.begin(sim->config.clients.self, first_ms);
    sim->last_submit_ms = first_ms;
    sim->window_start_ms = first_ms + sim->config.warmup_ms;
    if (sim->config.horizon_ms >= 0)
        sim->window_end_ms = first_ms + sim->config.horizon_ms;
    sim->next_tick_ms = sim->config.tick_ms > 0 ? first_ms : INT64_MAX;
    for (size_t i = 0; i < sim->site_count; i++)
        sim->sites[i].since_ms = first_ms;
    return sim_elastic_begin(sim, err);
}

/*
 * The next arrival; if the run began with an initial state, jobs that were part of it are skipped.
 */
static enum trace_result next_job(struct sim *sim, struct err *err)
{
    const struct sim_initial_state *found = &sim->config.initial_state;
    enum trace_result got = trace_next(sim->trace, &sim->next, err);
    while (got == TRACE_JOB && found->next != NULL && !found->from_now &&
           sim->next.submit_ms <= found->now_ms)
        got = trace_next(sim->trace, &sim->next, err);
    if (got != TRACE_JOB || found->next == NULL || !found->from_now)
        return got;
    if (sim->shift_ms == 0)
        sim->shift_ms = found->now_ms + 1 - sim->next.submit_ms;
    trace_job_shift(&sim->next, sim->shift_ms);
    return got;
}

static bool look_ahead(struct sim *sim, struct err *err)
{
    enum trace_result got = next_job(sim, err);
    sim->has_next = got == TRACE_JOB;
    sim->unsorted = got == TRACE_UNSORTED;
    if (got < 0)
        return false;
    if (!sim->has_next)
        return true;
    if (sim->first_submit_ms == INT64_MIN &&
        !begin_at(sim, sim->config.begins ? sim->config.begin_ms : sim->next.submit_ms, err))
        return false;
    if (sim->next.submit_ms < sim->window_end_ms)
        return true;
    sim->has_next = false; /* arrivals stop at the end of the window */
    return read_rest(sim, err);
}

/* The first time at or after `at` at which the policy may decide, for a policy that nominates once
 * per cycle. */
static int64_t decision_time(const struct sim *sim, int64_t at)
{
    int64_t cycle = sim->config.cycle_ms;
    if (cycle <= 0)
        return at;
    at += sim_is(sim, POLICY_TRAIT_NOMINATES) &&
          at == sim->decided_ms; /* evicted tasks may release their devices at once */
    int64_t rest = at % cycle;
    return rest == 0 ? at : at - rest + (rest > 0 ? cycle : 0);
}

/* Without pending jobs most policies have nothing to decide, whatever was released, unless running
 * jobs may grow. */
static bool has_work(const struct sim *sim)
{
    bool some = sim->pending > 0 || sim->elastic > 0 || sim_is(sim, POLICY_TRAIT_RESTLESS);
    return some && policy_has_work(sim->policy);
}

/* Nothing runs, arrives or is deferred: the passing of time alone, in which past use fades, lets no
 * job start. */
static bool lies_still(const struct sim *sim)
{
    return sim->running == 0 && sim->events.count == 0 && !sim->has_next &&
           sim->last_eligible_ms <= sim->decided_ms && sim_dependencies_next(sim) == INT64_MAX;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Releases of nodes still due matter as long as the window lasts. */
static int64_t next_release(const struct sim *sim)
{
    if (!sim_elastic_waits(sim) || sim->window_end_ms == INT64_MAX)
        return INT64_MAX;
    int64_t wakeup = policy_next_wakeup(sim->policy);
    if (policy_has_work(sim->policy) || wakeup <= sim->now_ms)
        wakeup = sim->now_ms;
    int64_t next = wakeup == INT64_MAX ? INT64_MAX : decision_time(sim, wakeup);
    return next <= sim->window_end_ms ? next : INT64_MAX;
}

/* Pending jobs may become a reason to order: when they have waited long enough, or when the next
 * month of a budget begins. */
static int64_t next_order(const struct sim *sim)
{
    int64_t wakeup = policy_next_wakeup(sim->policy);
    if (sim->pending == 0 || wakeup <= sim->now_ms || wakeup > sim_elastic_in_vain(sim))
        return INT64_MAX;
    return decision_time(sim, wakeup);
}

static int64_t next_decision(const struct sim *sim)
{
    int64_t wakeup = policy_next_wakeup(sim->policy);
    if (lies_still(sim) && sim->elastic_book != NULL)
        return sim->pending > 0 && has_work(sim) ? decision_time(sim, sim->now_ms)
                                                 : smaller(next_release(sim), next_order(sim));
    if (has_work(sim))
        return decision_time(sim, sim->now_ms);
    if (lies_still(sim))
        return INT64_MAX;
    if (sim->config.ask_always && (sim->has_next || sim->events.count > 0) && wakeup > sim->now_ms)
        wakeup = sim->now_ms + 1;
    return wakeup == INT64_MAX ? INT64_MAX
                               : decision_time(sim, wakeup > sim->now_ms ? wakeup : sim->now_ms);
}

/* No job waits for repairs any more, but down time is measured as long as the window lasts. */
static int64_t next_repair(const struct sim *sim)
{
    int64_t next = event_next_time(&sim->events);
    return sim->window_end_ms < INT64_MAX && next <= sim->window_end_ms ? next : INT64_MAX;
}

/* Next time at which a client acts. */
static int64_t next_client(const struct sim *sim)
{
    const struct sim_clients *clients = &sim->config.clients;
    return clients->self == NULL ? INT64_MAX : clients->next_ms(clients->self);
}

/* Next time at which anything outside the trace and the fleet acts, or a planned change is due. */
static int64_t next_act(const struct sim *sim)
{
    return smaller(smaller(next_client(sim), sim_dependencies_next(sim)), sim_planned_next(sim));
}

static int64_t next_time(const struct sim *sim)
{
    int64_t act = next_act(sim);
    int64_t next = smaller(event_next_time(&sim->events), act);
    if (sim->has_next)
        next = smaller(next, sim->next.submit_ms);
    if (sim->config.faults.self == NULL)
        return smaller(next, next_decision(sim));
    if (!sim->has_next && sim->running == 0 && sim->pending == 0)
        return smaller(smaller(smaller(next_repair(sim), next_release(sim)), act),
                       sim_next_fault(sim));
    return smaller(smaller(next, next_decision(sim)), sim_next_fault(sim));
}

/* Time after which nothing is simulated. */
static int64_t stop_time(const struct sim *sim)
{
    if (sim->window_end_ms == INT64_MAX)
        return INT64_MAX;
    if (!sim->config.drain)
        return sim->window_end_ms;
    return sim->config.drain_cap_ms >= 0 ? sim->window_end_ms + sim->config.drain_cap_ms
                                         : INT64_MAX;
}

/* ---- one instant ---- */

/* An outdated event, whose job changed its speed or stopped meanwhile, is ignored. */
static bool apply(struct sim *sim, const struct event *event, struct err *err)
{
    struct work_job *job = event->kind < EVENT_DETECTED ? &sim->work.jobs[event->subject] : NULL;
    switch (event->kind) {
    case EVENT_JOB_END:
        if (job->state != WORK_RUNNING || job->due_ms != sim->now_ms)
            return true;
        sim->event_count++;
        if (job->progress.rest > 0) {
            sim_rungs_reach(sim, job);
            return true;
        }
        return job->fails ? sim_fail(sim, job, err) : sim_finish_job(sim, job, err);
    case EVENT_RELEASE:
        sim->event_count++;
        return sim_release_due(sim, job, err);
    case EVENT_RESTARTED:
        sim->event_count += sim_restarted(sim, job);
        return true;
    case EVENT_ACTIVITY:
        return sim_activity_due(sim, job, err);
    case EVENT_STEP:
        return sim_storage_step(sim, job, err);
    case EVENT_LAST_WRITE:
        return sim_last_write(sim, job, err);
    case EVENT_DETECTED:
        return sim_detected(sim, event->subject, err);
    case EVENT_REPAIRED:
        return sim_repaired(sim, event->subject, err);
    case EVENT_EMPTIED:
        return sim_emptied(sim, event->subject, err);
    case EVENT_SWAPPED:
        return sim_swapped(sim, event->subject, err);
    case EVENT_TESTED:
        return sim_tested(sim, event->subject, err);
    case EVENT_ARRIVED:
        return sim_arrived(sim, event->subject, err);
    case EVENT_MEMORY:
        sim_memory_due(sim, event->subject);
        return true;
    }
    return true;
}

/*
 * The record of a job that ends was last used when the job started: in a large cluster it has left
 * the caches since. Prefetches that of the next job to end while this event is applied.
 */
static void fetch_next(const struct sim *sim)
{
    if (sim->events.count == 0)
        return;
    struct event next = event_top(&sim->events);
    if (next.kind >= EVENT_DETECTED)
        return;
    const struct work_job *job = &sim->work.jobs[next.subject];
    mem_prefetch(job, sizeof *job);
    SIM_TELL(sim, expected, sim, job);
    if (job->first_task >= sim->work.task_count)
        return;
    const struct work_task *task = &sim->work.tasks[job->first_task];
    __builtin_prefetch(task, 1);
    if (task->node != WORK_NONE)
        __builtin_prefetch(&sim->fleet->nodes[task->node].used, 1);
}

static bool apply_events(struct sim *sim, struct err *err)
{
    while (event_next_time(&sim->events) == sim->now_ms) {
        struct event event = event_pop(&sim->events);
        fetch_next(sim);
        if (event.kind != EVENT_JOB_END && sim->rungs != NULL && !sim_rungs_judge(sim, err))
            return false;
        if (!apply(sim, &event, err))
            return false;
    }
    return sim->rungs == NULL || sim_rungs_judge(sim, err);
}

/* Faults at times when nothing ran are skipped. A fault detected at once is an event of this
 * instant. */
static bool apply_faults(struct sim *sim, struct err *err)
{
    if (sim_next_fault(sim) > sim->now_ms)
        return true;
    while (sim_next_fault(sim) <= sim->now_ms)
        if (!sim_strike(sim, err))
            return false;
    return apply_events(sim, err);
}

static bool apply_arrivals(struct sim *sim, struct err *err)
{
    while (sim->has_next && sim->next.submit_ms == sim->now_ms) {
        sim->event_count++;
        if (!sim->config.closed)
            sim->last_submit_ms = sim->now_ms;
        if (sim->last_eligible_ms < sim->next.eligible_ms)
            sim->last_eligible_ms = sim->next.eligible_ms;
        bool ok = sim->dependencies != NULL ? sim_dependencies_arrive(sim, &sim->next, err)
                                            : sim_admit(sim, &sim->next, err) != NULL;
        if (!ok || !look_ahead(sim, err))
            return false;
    }
    return sim->dependencies == NULL || sim_dependencies_release(sim, err);
}

/* Users who react may submit earlier than in the trace, so all their jobs are read at the start. */
static bool load_all(struct sim *sim, struct err *err)
{
    while (sim->has_next)
        if (!sim_dependencies_load(sim, &sim->next, err) || !look_ahead(sim, err))
            return false;
    return true;
}

static bool apply_clients(struct sim *sim, struct err *err)
{
    return next_client(sim) > sim->now_ms ||
           sim->config.clients.act(sim->config.clients.self, sim, err);
}

/* Touches the sites whose backlog a decision may change: all with pending jobs. */
static void touch_waiting(struct sim *sim)
{
    for (uint32_t site = 0; site < sim->site_count; site++)
        for (size_t i = 0; i < sim->sites[site].queue_count; i++)
            if (sim->queues[sim->sites[site].queues[i]].pending_jobs > 0) {
                sim_touch(sim, site);
                break;
            }
}

/* An end event of a job that will not end then, because its speed changed or it was ended, or a
 * phase event of a job that is gone. */
static bool is_stale(const void *self, const struct event *event)
{
    const struct sim *sim = self;
    if (event->kind == EVENT_MEMORY)
        return sim_memory_is_stale(sim, event);
    if (event->kind == EVENT_STEP)
        return sim_storage_is_stale(sim, event);
    if (event->kind != EVENT_JOB_END)
        return false;
    const struct work_job *job = &sim->work.jobs[event->subject];
    return job->state != WORK_RUNNING || job->due_ms != event->time_ms;
}

/*
 * Outdated events would prolong the run until the latest of them; and where speeds change all the
 * time, most events would be outdated, so the queue is scanned whenever it has doubled.
 */
static void drop_stale(struct sim *sim)
{
    if (sim->events.count > sim->many_events) {
        event_drop(&sim->events, is_stale, sim);
        sim->many_events = 2 * sim->events.count + SOME_EVENTS;
    }
    while (sim->events.count > 0) {
        struct event top = event_top(&sim->events);
        if (!is_stale(sim, &top))
            return;
        (void)event_pop(&sim->events);
    }
}

/* Closes a window that ends with the last submission, which is known now. */
static void close_window(struct sim *sim)
{
    if (sim->config.horizon_ms != SIM_TO_LAST_SUBMISSION || sim->window_end_ms != INT64_MAX ||
        sim->has_next || sim->window_falls_back || sim_dependencies_to_come(sim) > 0)
        return;
    sim->window_falls_back = sim->last_submit_ms <= sim->window_start_ms;
    BUG_ON(!sim->window_falls_back && sim->last_submit_ms != sim->now_ms);
    if (!sim->window_falls_back)
        sim->window_end_ms = sim->last_submit_ms;
}

/* The end of an instant. */
static bool close_instant(struct sim *sim, struct err *err)
{
    close_window(sim);
    if (sim->memory != NULL && !sim_memory_settle(sim, err))
        return false;
    if (sim->speed != NULL && !sim_speed_settle(sim, err))
        return false;
    if (sim->storage != NULL && !sim_storage_settle(sim, err))
        return false;
    if (sim->speed != NULL || sim->memory != NULL || sim->storage != NULL ||
        sim->config.clients.self != NULL)
        drop_stale(sim);
    return !sim->config.audit || sim_audit(sim, err);
}

static bool instant(struct sim *sim, struct err *err)
{
    if (!apply_events(sim, err) || !sim_planned_act(sim, err) || !apply_events(sim, err) ||
        !apply_faults(sim, err) || !apply_arrivals(sim, err) || !apply_clients(sim, err))
        return false;
    bool due =
        decision_time(sim, sim->now_ms) == sim->now_ms &&
        (has_work(sim) || sim->config.ask_always || policy_next_wakeup(sim->policy) <= sim->now_ms);
    if (!due) {
        if (sim->heard.cycled.count > 0 && !policy_has_work(sim->policy))
            SIM_TELL(sim, cycled, sim, false);
        return close_instant(sim, err);
    }
    /*
     * Otherwise decisions follow facts of this instant, and change only the sites of these facts.
     */
    bool elsewhere = sim->site_count > 1 && sim_is(sim, POLICY_TRAIT_COUPLED);
    if (elsewhere || sim->config.cycle_ms > 0 || policy_next_wakeup(sim->policy) <= sim->now_ms)
        touch_waiting(sim);
    sim->decided_ms = sim->now_ms;
    return sim_decide(sim, err) && close_instant(sim, err);
}

/* ---- the loop ---- */

/* Work done so far, in events. A decision may scan the whole fleet, so it counts as many. */
static uint64_t effort(const struct sim *sim)
{
    return sim->event_count + CYCLE_EVENTS * sim->cycle_count;
}

/* Polls whether to continue. Returns false to stop in good order. */
static bool asked_to_go_on(struct sim *sim)
{
    sim->stopped =
        sim->config.keep_going != NULL && !sim->config.keep_going(sim->config.keep_going_self, sim);
    return !sim->stopped;
}

/*
 * Samples the state at all sampling times before `until`, or until stopped. Sampling every second
 * for years would fill any disk.
 */
static bool tick_until(struct sim *sim, int64_t until, struct err *err)
{
    for (; sim->next_tick_ms < until && !sim->stopped; sim->next_tick_ms += sim->config.tick_ms) {
        if (++sim->tick_count > SIM_MOST_TICKS)
            return err_set(err, EXIT_INPUT,
                           "outputs.timeline_s: more than %d samples of every %lld s, and %lld "
                           "days after the first submission "
                           "there are still jobs; choose a longer interval, or an end: "
                           "window.horizon, window.drain \"7d\"",
                           SIM_MOST_TICKS, (long long)(sim->config.tick_ms / 1000),
                           (long long)((sim->now_ms - sim->first_submit_ms) / 86400000));
        SIM_TELL(sim, tick, sim, sim->next_tick_ms);
        if (sim->tick_count % ASK_EVERY == 0)
            (void)asked_to_go_on(sim);
    }
    return true;
}

static bool start_trace(struct sim *sim, struct err *err)
{
    if (sim->first_submit_ms != INT64_MIN)
        return true;
    const struct sim_initial_state *found = &sim->config.initial_state;
    if (found->next != NULL && !begin_at(sim, found->now_ms, err))
        return false;
    if (!look_ahead(sim, err))
        return false;
    if (sim->first_submit_ms == INT64_MIN)
        return err_set(err, EXIT_INPUT, "the trace has no jobs");
    sim->now_ms = sim->first_submit_ms;
    if (trace_linked(sim->trace) || sim->config.closed)
        sim_dependencies_open(sim);
    if (!sim_planned_begin(sim, err))
        return false;
    if (!sim_initial_begin(sim, err))
        return false;
    /* Initial jobs run at their computed speeds from the start, even if no event happens then. */
    if (sim->speed != NULL && !sim_speed_settle(sim, err))
        return false;
    return !sim->config.closed || load_all(sim, err);
}

/*
 * How far time advances without events: as requested while events are still to come, else to the
 * end of the window, which is measured whole, and no further.
 */
static int64_t quiet_until(const struct sim *sim, int64_t stop)
{
    if (next_time(sim) != INT64_MAX)
        return stop;
    return sim->window_end_ms == INT64_MAX ? sim->now_ms : smaller(sim->window_end_ms, stop);
}

bool sim_run(struct sim *sim, int64_t until_ms, struct err *err)
{
    if (!start_trace(sim, err))
        return false;
    uint64_t ask = effort(sim) + ASK_EVERY;
    for (int64_t next = next_time(sim);
         next != INT64_MAX && next <= smaller(until_ms, stop_time(sim)); next = next_time(sim)) {
        if (!tick_until(sim, next, err))
            return false;
        if (sim->stopped)
            return true;
        sim->now_ms = next;
        if (!instant(sim, err))
            return err->code == EXIT_INPUT ? false
                                           : err_prefix(err, "at %lld ms", (long long)sim->now_ms);
        if (effort(sim) >= ask) {
            ask = effort(sim) + ASK_EVERY;
            if (!asked_to_go_on(sim))
                return true;
        }
    }
    int64_t quiet = quiet_until(sim, smaller(until_ms, stop_time(sim)));
    if (sim->now_ms < quiet) {
        if (!tick_until(sim, quiet, err))
            return false;
        sim->now_ms = sim->stopped ? sim->now_ms : quiet;
    }
    return true;
}

/* Nothing is measured either if the user interrupted the run, but that is expected. */
static bool check_warmup(const struct sim *sim, struct err *err)
{
    if (sim->config.warmup_ms == 0 || sim->stopped || sim->window_end_ms > sim->window_start_ms)
        return true;
    return err_set(err, EXIT_INPUT,
                   "window.warmup: expected less than the run lasts (%.15g s), got %.15g s",
                   (double)(sim->window_end_ms - sim->first_submit_ms) / 1000,
                   (double)sim->config.warmup_ms / 1000);
}

bool sim_finish(struct sim *sim, struct err *err)
{
    if (sim->now_ms != INT64_MIN && sim->next_tick_ms != INT64_MAX)
        if (!tick_until(sim, sim->now_ms + 1, err))
            return false;
    for (uint32_t site = 0; site < sim->site_count; site++)
        sim_touch(sim, site);
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_RUNNING || sim->work.jobs[i].state == WORK_PENDING) {
            sim_account(sim, &sim->work.jobs[i]);
            sim_account_released(sim, &sim->work.jobs[i]);
        }
    if (sim->storage != NULL)
        sim_storage_finish(sim);
    if (sim->window_end_ms == INT64_MAX)
        sim->window_end_ms = sim->now_ms;
    sim_elastic_finish(sim);
    if (!check_warmup(sim, err))
        return false;
    if (sim->dependencies != NULL)
        sim_dependencies_finish(sim);
    if (sim->submitted !=
        sim->ended + sim->running + sim->pending + sim->aside + sim_dependencies_count(sim))
        return err_set(err, EXIT_INVARIANT,
                       "jobs were lost: %llu submitted, %llu ended, %llu running, %llu pending, "
                       "%llu set aside, %llu held",
                       (unsigned long long)sim->submitted, (unsigned long long)sim->ended,
                       (unsigned long long)sim->running, (unsigned long long)sim->pending,
                       (unsigned long long)sim->aside,
                       (unsigned long long)sim_dependencies_count(sim));
    return sim_audit(sim, err);
}
