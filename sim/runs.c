/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of jobs: they start when their minimum has its devices, change their speed with the number
 * of tasks, stop when all tasks are evicted, and end when their work is done. The core is told what
 * happened to each task.
 */
#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/base/wide.h"

/* ---- time ---- */

static void account_to(struct sim *sim, struct work_job *job, int64_t to)
{
    int64_t from = job->progress.since_ms;
    bool inside = from >= sim->window_start_ms && to <= sim->window_end_ms;
    struct sim_span span;
    span.milli = inside ? job->running_milli : 0;
    span.speed_ppm = job->speed_ppm;
    span.hardware_ppm = job->hardware_ppm;
    work_progress_to(&job->progress, to, &span.spent);
    SIM_TELL(sim, spent, sim, job, &span);
}

/* A span that contains a border of the window is reported in parts. */
static int64_t next_border(const struct sim *sim, int64_t from)
{
    int64_t to = sim->now_ms;
    if (from < sim->window_end_ms && sim->window_end_ms < to)
        to = sim->window_end_ms;
    if (from < sim->window_start_ms && sim->window_start_ms < to)
        to = sim->window_start_ms;
    return to;
}

void sim_account(struct sim *sim, struct work_job *job)
{
    while (job->running > 0 && job->progress.since_ms < sim->now_ms)
        account_to(sim, job, next_border(sim, job->progress.since_ms));
}

void sim_recount_idle(struct sim *sim, struct work_job *job)
{
    bool launches = work_progress_launches(&job->progress);
    bool waits = launches || (!job->hung && (job->halted || job->starved));
    int64_t idle = waits ? job->running_milli : 0,
            hung = job->hung && !waits ? job->running_milli : 0;
    for (uint32_t id = job->releasing > 0 ? job->first_task : WORK_NONE; id != WORK_NONE;
         id = sim->work.tasks[id].next)
        if (sim->work.tasks[id].release_ms != WORK_NEVER)
            idle += sim->work.tasks[id].held_milli;
    sim->idle_milli += idle - job->idle_milli;
    sim->hung_milli += hung - job->hung_milli;
    job->idle_milli = idle;
    job->hung_milli = hung;
}

/* ---- what the core is told ---- */

/* A whole job that starts for the first time is reported at once, anything else task by task. */
static bool tell_core(struct sim *sim, struct work_job *job, struct err *err)
{
    if (job->ran == 0 && job->releasing == 0) {
        for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next)
            sim->work.tasks[id].told = true;
        return sim_core_ok(sim,
                           sim_tell(sim, &(struct fact){.kind = FACT_TASK_STARTED,
                                                        .job = job->core,
                                                        .task = POLICY_ALL_TASKS}),
                           err);
    }
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        struct work_task *task = &sim->work.tasks[id];
        if (task->told)
            continue;
        task->told = true;
        struct fact fact = {.kind = task->release_ms == WORK_NEVER ? FACT_TASK_STARTED
                                                                   : FACT_TASK_RELEASING,
                            .job = job->core,
                            .task = task->number};
        if (!sim_core_ok(sim, sim_tell(sim, &fact), err))
            return false;
    }
    return true;
}

static bool is_listed(const struct sim *sim, const struct work_job *job, uint32_t number)
{
    uint32_t id = job->first_task;
    while (id != WORK_NONE && sim->work.tasks[id].number != number)
        id = sim->work.tasks[id].next;
    return id != WORK_NONE;
}

/*
 * A job ended by a limit exists until its tasks are released: none may start meanwhile, not even
 * one that was placed in the same decision.
 */
static bool gate_rest(struct sim *sim, struct work_job *job, struct err *err)
{
    int status = POLICY_OK;
    if (job->running > 0) {
        sim_take_back(sim, job);
        status = sim_tell(sim, &(struct fact){.kind = FACT_START_FAILED, .job = job->core});
    }
    bool all = sim->counts || job->releasing == job->most_tasks;
    for (uint32_t i = 0; !all && i < (uint32_t)job->most_tasks && status == POLICY_OK; i++)
        if (!is_listed(sim, job, i))
            status = sim_tell(
                sim, &(struct fact){
                         .kind = FACT_TASK_GATED, .job = job->core, .task = i, .state = true});
    return sim_core_ok(sim, status, err);
}

/* ---- starting and stopping ---- */

int64_t sim_work_rate(const struct work_job *job)
{
    if (!work_is_whole(job) || job->hung || job->starved)
        return 0;
    int64_t parts = job->elastic ? work_working_tasks(job) : 1;
    wide rate = job->unit == 1 ? parts : (wide)parts * (job->unit * job->speed_ppm / WORK_IDEAL);
    if (job->scaling_ppm != WORK_IDEAL)
        rate = rate * job->scaling_ppm / WORK_IDEAL;
    return rate < 1 ? 1 : rate < WORK_LATEST ? (int64_t)rate : WORK_LATEST;
}

void sim_set_state(struct sim *sim, struct work_job *job, enum work_state state)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    int run = state == WORK_RUNNING ? 1 : -1;
    sim_alter(sim, job->queue);
    queue->running_jobs += (uint64_t)run;
    queue->pending_jobs -= (uint64_t)run;
    sim->running += (uint64_t)run;
    sim->pending -= (uint64_t)run;
    job->state = (uint8_t)state;
}

/* Also for a gang that had stopped; a startup comes first, and a restart if it worked before. */
static void start_work(struct sim *sim, struct work_job *job)
{
    bool works = work_is_whole(job);
    work_progress_start(&job->progress, sim->now_ms, sim_work_rate(job), works && job->worked);
    job->worked |= works;
    job->launches = work_progress_launches(&job->progress);
    if (job->launches)
        event_push(&sim->events, work_progress_launched(&job->progress), EVENT_RESTARTED,
                   job->core.i);
}

static bool begin(struct sim *sim, struct work_job *job, struct err *err)
{
    sim_set_state(sim, job, WORK_RUNNING);
    job->start_ms = sim->now_ms;
    job->queue_ms += sim->now_ms > job->waits_since_ms ? sim->now_ms - job->waits_since_ms : 0;
    if (job->first_start_ms == WORK_NEVER)
        job->first_start_ms = sim->now_ms;
    start_work(sim, job);
    SIM_TELL(sim, started, sim, job);
    if (sim->memory != NULL)
        sim_memory_begin(sim, job);
    return sim_activity_begin(sim, job, err);
}

/* Returns true if an eviction loses no work: the job can write a checkpoint in the grace period, or
 * needs none. */
static bool keeps(const struct sim *sim, const struct work_job *job)
{
    return !job->loses || (!job->hung && !job->starved && sim->config.checkpoints.on_evict &&
                           job->progress.write_ms <= sim->config.grace_ms);
}

/* Jobs evicted now write a checkpoint first. */
static void write_in_grace(struct sim *sim, const struct work_job *job)
{
    int64_t release_ms = sim->now_ms + sim->config.grace_ms;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next)
        if (sim->work.tasks[id].release_ms == release_ms)
            sim->work.tasks[id].write_ms = job->progress.write_ms;
}

/* Its work stops: it cannot continue with its remaining tasks, and no longer hangs. Returns true if
 * nothing was lost. */
static bool stop_work(struct sim *sim, struct work_job *job)
{
    bool kept = job->stopping || keeps(sim, job);
    if (kept && job->loses && !job->stopping)
        write_in_grace(sim, job);
    job->lost_units += work_progress_stop(&job->progress, kept);
    job->hung = job->launches = false;
    return kept;
}

/*
 * Remaining run time at the present rate, or if pending at the recorded one. An elastic job counts
 * with its recorded number of tasks in both cases: otherwise one that starts with its minimum would
 * have more left than before, and orders by remaining time would evict it for another of its kind,
 * without end.
 */
static int64_t time_left(const struct sim *sim, const struct work_job *job)
{
    const struct work_progress *p = &job->progress;
    if (job->running > 0 && p->rate > 0) {
        int64_t rate =
            job->elastic ? p->rate / work_working_tasks(job) * job->recorded_tasks : p->rate;
        if (rate > 0)
            return work_progress_launched(p) - sim->now_ms +
                   (p->total + p->rest - p->done + rate - 1) / rate;
    }
    return work_progress_left(p, job->elastic ? job->unit * job->recorded_tasks : job->unit,
                              job->worked);
}

bool sim_tell_progress(struct sim *sim, const struct work_job *job, struct err *err)
{
    if (!sim_is(sim, POLICY_TRAIT_PROGRESS))
        return true;
    struct fact fact = {.kind = FACT_PROGRESS, .job = job->core, .value = time_left(sim, job)};
    return sim_core_ok(sim, sim_tell(sim, &fact), err);
}

/* None of its tasks runs any more. */
static void leave(struct sim *sim, struct work_job *job)
{
    job->starved = false;
    job->run_ms += sim->now_ms - job->start_ms;
    job->waits_since_ms = sim->now_ms + sim->config.grace_ms;
    if (!job->stopping)
        sim_set_state(sim, job, WORK_PENDING);
}

/*
 * Tasks were evicted: all that ran, some of an elastic job, or some of a gang that are moved. A
 * gang with moved tasks stops until they run elsewhere; an elastic job that hangs cannot give up
 * tasks without stopping.
 */
static bool cut(struct sim *sim, struct work_job *job, struct err *err)
{
    struct sim_eviction how = {.action = job->cut_action,
                               .reason = job->cut_reason,
                               .tasks = job->cut,
                               .whole = job->cut == job->ran};
    how.stopped = job->ran_whole && (how.whole || job->hung || !work_is_whole(job));
    how.kept = !how.stopped || stop_work(sim, job);
    if (how.whole)
        leave(sim, job);
    if (how.reason == POLICY_REASON_MOVED)
        job->moves++;
    else if (!job->stopping)
        job->preemptions++;
    if (how.stopped && how.reason != POLICY_REASON_MOVED && !job->stopping)
        job->progress.owed_ms += work_overhead_ms(&sim->config.overheads, job->gpu_milli);
    event_push(&sim->events, sim->now_ms + sim->config.grace_ms, EVENT_RELEASE, job->core.i);
    SIM_TELL(sim, evicted, sim, job, &how);
    return !how.whole || sim_tell_progress(sim, job, err);
}

/* A session is complete when a limit ends it; any other job is cancelled. */
static void note_limit(struct work_job *job)
{
    if (job->stopping)
        job->status = job->class == TRACE_BUILD ? TRACE_COMPLETED : TRACE_CANCELLED;
}

/* Its startup and restart are over. */
static void tell_launched(struct sim *sim, struct work_job *job)
{
    if (!job->launches || work_progress_launches(&job->progress))
        return;
    job->launches = false;
    SIM_TELL(sim, launched, sim, job);
}

bool sim_schedule(struct sim *sim, struct work_job *job, struct err *err)
{
    tell_launched(sim, job);
    int64_t due =
        sim->storage != NULL ? sim_storage_due(sim, job) : work_progress_end(&job->progress);
    if (due == job->due_ms)
        return true;
    job->due_ms = due;
    if (due == WORK_NO_END)
        return true;
    if (due >= WORK_LATEST)
        return err_set(err, EXIT_INPUT, "job '%s' would end after more than 100 million years",
                       work_id(job));
    event_push(&sim->events, due, EVENT_JOB_END, job->core.i);
    return true;
}

/* A gang known to the core is whole or absent, unless part of it is being moved to a place that it
 * has or is nominated for. */
static bool check_gang(const struct sim *sim, const struct work_job *job, struct err *err)
{
    if (sim->config.single_tasks || sim_is(sim, POLICY_TRAIT_PARTS) || job->running == 0 ||
        job->running + job->promised >= job->min_tasks || job->halted)
        return true;
    return err_set(err, EXIT_INVARIANT, "job '%s': %d of a gang of %d tasks run", work_id(job),
                   job->running, job->min_tasks);
}

/* The set of running tasks changed. */
static bool settle_change(struct sim *sim, struct work_job *job, struct err *err)
{
    bool hung = job->hung;
    if (!check_gang(sim, job, err))
        return false;
    note_limit(job);
    if (job->stopping && !gate_rest(sim, job, err))
        return false;
    if (!tell_core(sim, job, err))
        return false;
    if (job->cut > 0 && !cut(sim, job, err))
        return false;
    bool anew = job->running > 0 && job->cut == job->ran; /* also if nothing ran before */
    if (anew && !begin(sim, job, err))
        return false;
    bool stood = !job->ran_whole || hung != job->hung;
    if (!anew && stood && work_is_whole(job))
        start_work(sim, job); /* a gang that was moved or started in parts, or the rest of one
                                 that hung */
    job->halted = job->running > 0 && !work_is_whole(job);
    job->progress.rate = sim_work_rate(job);
    return true;
}

static bool settle(struct sim *sim, struct work_job *job, struct err *err)
{
    bool plain = job->ran == 0 && job->releasing == 0 && work_is_whole(job); /* the usual start */
    if (plain ? !tell_core(sim, job, err) || !begin(sim, job, err) : !settle_change(sim, job, err))
        return false;
    if (job->releasing > 0 || job->idle_milli > 0 || job->hung_milli > 0 || job->halted ||
        work_progress_launches(&job->progress))
        sim_recount_idle(sim, job);
    if (sim->speed != NULL)
        sim_speed_note(sim, job);
    if (job->elastic && job->running > 0 &&
        !sim_tell_progress(sim, job, err)) /* its speed changed */
        return false;
    return sim_schedule(sim, job, err);
}

void sim_change(struct sim *sim, struct work_job *job)
{
    if (job->changed)
        return;
    sim_touch(sim, sim->queues[job->queue].site);
    sim_account(sim, job);
    job->changed = true;
    job->ran = job->running;
    job->ran_whole = work_is_whole(job);
    job->cut = 0;
    job->promised = 0;
    if (sim->changed_count == sim->changed_capacity)
        sim->changed = mem_grow(sim->changed, &sim->changed_capacity, sim->changed_count + 1,
                                sizeof *sim->changed);
    sim->changed[sim->changed_count++] = job->core.i;
}

bool sim_settle(struct sim *sim, struct err *err)
{
    for (size_t i = 0; i < sim->changed_count; i++) {
        struct work_job *job = &sim->work.jobs[sim->changed[i]];
        job->changed = false;
        if (!settle(sim, job, err))
            return false;
    }
    sim->changed_count = 0;
    return true;
}

bool sim_restarted(struct sim *sim, struct work_job *job)
{
    if (job->state != WORK_RUNNING)
        return false;
    sim_account(sim, job);
    sim_recount_idle(sim, job);
    tell_launched(sim, job);
    return true;
}

bool sim_set_pace(struct sim *sim, struct work_job *job, int32_t ppm, int64_t scaling_ppm,
                  struct err *err)
{
    if (ppm == job->speed_ppm && scaling_ppm == job->scaling_ppm)
        return true;
    sim_account(sim, job);
    job->speed_ppm = ppm;
    job->scaling_ppm = scaling_ppm;
    job->progress.rate = sim_work_rate(job);
    return sim_schedule(sim, job, err);
}

bool sim_set_speed(struct sim *sim, struct work_job *job, int32_t ppm, int64_t scaling_ppm,
                   struct err *err)
{
    if (sim->storage != NULL && sim_storage_pace(sim, job, ppm, scaling_ppm))
        return true;
    return sim_set_pace(sim, job, ppm, scaling_ppm, err);
}

/* ---- faults ---- */

bool sim_can_write(const struct sim *sim, const struct work_job *job, int64_t notice_ms)
{
    return job->loses && sim->config.checkpoints.on_evict && job->progress.write_ms <= notice_ms;
}

bool sim_last_write(struct sim *sim, struct work_job *job, struct err *err)
{
    int64_t leaves_ms = sim->now_ms + job->progress.write_ms;
    bool works = job->state == WORK_RUNNING && !job->hung && !job->starved && !job->halted;
    if (!works || job->due_ms <= leaves_ms ||
        !sim_leaves_at(sim, job, leaves_ms)) /* or it ends before */
        return true;
    sim->event_count++;
    sim_account(sim, job);
    work_progress_write(&job->progress);
    return sim_schedule(sim, job, err);
}

bool sim_hang(struct sim *sim, struct work_job *job, struct err *err)
{
    if (job->running == 0 || job->hung)
        return true;
    sim_account(sim, job);
    job->hung = true;
    job->hung_since_ms = sim->now_ms;
    job->progress.rate = 0;
    sim_recount_idle(sim, job);
    sim_speed_note(sim, job);
    return sim_schedule(sim, job, err);
}

bool sim_starve(struct sim *sim, struct work_job *job, bool starved, struct err *err)
{
    if (job->starved == starved)
        return true;
    sim_touch(sim, sim->queues[job->queue].site);
    sim_account(sim, job);
    job->starved = starved;
    job->progress.rate = sim_work_rate(job);
    sim_recount_idle(sim, job);
    sim_speed_note(sim, job);
    return sim_schedule(sim, job, err);
}

/* Units of work lost. Corrupt work is lost back to the previous checkpoint; planned stops include
 * one. */
static int64_t lose(struct work_job *job, bool keep)
{
    int64_t done = job->progress.done;
    (void)work_progress_stop(&job->progress, keep && !job->corrupt);
    job->launches = false;
    if (job->corrupt)
        job->progress.done = job->progress.saved = job->progress.begun = job->sound;
    job->corrupt = false;
    return done - job->progress.done;
}

/* Takes from the job the work that the fault costs it. */
static void undo(struct sim *sim, struct work_job *job, const struct sim_fault *f, bool goes_on)
{
    struct sim_interruption how = {.class = f->class,
                                   .hung_ms = job->hung ? sim->now_ms - job->hung_since_ms : 0,
                                   .kept = !job->loses ||
                                           (f->effect == SIM_FAULT_DRAINS && !f->reclaims),
                                   .corrupt = job->corrupt,
                                   .goes_on = goes_on};
    how.lost_units = lose(job, how.kept);
    how.kept |= f->reclaims && how.lost_units == 0; /* a last checkpoint was written */
    job->lost_units += how.lost_units;
    job->failures++;
    SIM_TELL(sim, interrupted, sim, job, &how);
}

/* It loses tasks, and none of its work: the others go on where they are. */
static void pass_over(struct sim *sim, struct work_job *job, const struct sim_fault *f)
{
    const struct sim_interruption how = {.class = f->class,
                                         .hung_ms =
                                             job->hung ? sim->now_ms - job->hung_since_ms : 0,
                                         .kept = true,
                                         .goes_on = true};
    job->failures++;
    SIM_TELL(sim, interrupted, sim, job, &how);
}

bool sim_interrupt(struct sim *sim, struct work_job *job, const struct sim_fault *f,
                   struct err *err)
{
    bool ran = job->running > 0;
    sim_touch(sim, sim->queues[job->queue].site);
    sim_account(sim, job);
    if (ran) {
        job->run_ms += sim->now_ms - job->start_ms;
        job->waits_since_ms = sim->now_ms;
    }
    if (ran || (job->corrupt && f->effect == SIM_FAULT_CORRUPTS && !job->stopping))
        undo(sim, job, f, false);
    if (job->first_task == WORK_NONE) /* pending, so it has no devices to lose */
        return sim_tell_progress(sim, job, err);
    if (sim->storage != NULL)
        sim_storage_leave(sim, job);
    sim_drop_tasks(sim, job);
    job->hung = job->halted = job->starved = false;
    job->due_ms = WORK_NO_END;
    sim_recount_idle(sim, job);
    sim_speed_note(sim, job);
    if (job->stopping)
        return sim_finish_job(sim, job, err);
    if (ran)
        sim_set_state(sim, job, WORK_PENDING);
    return sim_tell_progress(sim, job, err) &&
           sim_core_ok(sim,
                       sim_tell(sim, &(struct fact){.kind = FACT_TASK_ENDED,
                                                    .job = job->core,
                                                    .task = POLICY_ALL_TASKS,
                                                    .state = POLICY_EVICTED}),
                       err);
}

static void count_struck(struct sim *sim, struct work_job *job, const struct sim_fault *f,
                         bool pulled, int sign)
{
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        if (task->release_ms == WORK_NEVER && sim_is_struck(f, task, pulled))
            work_count_task(job, task->number, sign);
    }
}

/* Whether tasks of it run that the fault takes, and whether the others suffice. */
struct left {
    bool fewer, whole;
};

static struct left left_of(struct sim *sim, struct work_job *job, const struct sim_fault *f,
                           bool pulled)
{
    int32_t running = job->running;
    count_struck(sim, job, f, pulled, -1);
    struct left left = {.fewer = job->running < running, .whole = work_is_whole(job)};
    count_struck(sim, job, f, pulled, 1);
    return left;
}

bool sim_may_shrink(struct sim *sim, struct work_job *job, const struct sim_fault *f, bool pulled)
{
    return job->on_failure != TRACE_RESTART && !job->stopping && !job->corrupt &&
           job->state == WORK_RUNNING && left_of(sim, job, f, pulled).whole;
}

bool sim_shrink(struct sim *sim, struct work_job *job, const struct sim_fault *f, bool pulled,
                struct err *err)
{
    bool stops = left_of(sim, job, f, pulled).fewer; /* not where it is only releasing devices */
    bool restarts = stops && job->on_failure == TRACE_SHRINK;
    sim_touch(sim, sim->queues[job->queue].site);
    sim_account(sim, job);
    if (restarts)
        undo(sim, job, f, true);
    else if (stops)
        pass_over(sim, job, f);
    if (!sim_lose_tasks(sim, job, f, pulled, err))
        return false;
    if (stops)
        job->hung = job->halted = job->starved = false;
    if (restarts)
        start_work(sim, job);
    else if (stops)
        job->progress.rate = sim_work_rate(job);
    sim_recount_idle(sim, job);
    if (sim->speed != NULL)
        sim_speed_note(sim, job);
    return sim_tell_progress(sim, job, err) && sim_schedule(sim, job, err);
}

/* ---- ending ---- */

static void end(struct sim *sim, struct work_job *job)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    sim_touch(sim, queue->site);
    sim_account(sim, job);
    job->run_ms += job->running > 0 ? sim->now_ms - job->start_ms : 0;
    if (sim->speed != NULL)
        sim_speed_leave(sim, job);
    if (sim->storage != NULL)
        sim_storage_leave(sim, job);
    sim_release_all(sim, job);
    queue->running_jobs--;
    sim->running--;
    sim->elastic -= job->elastic;
    sim->ended++;
    if (job->stopped)
        job->status = TRACE_COMPLETED;
    job->state = WORK_ENDED;
    job->end_ms = sim->now_ms;
    sim->last_end_ms = sim->now_ms;
    SIM_TELL(sim, ended, sim, job);
    if (sim->dependencies != NULL)
        sim_dependencies_ended(sim, job);
}

bool sim_finish_job(struct sim *sim, struct work_job *job, struct err *err)
{
    end(sim, job);
    struct fact fact = {.kind = FACT_TASK_ENDED,
                        .job = job->core,
                        .task = POLICY_ALL_TASKS,
                        .state = job->status == TRACE_FAILED ? POLICY_FAILED : POLICY_SUCCEEDED};
    int status = sim_tell(sim, &fact);
    work_remove(&sim->work, job);
    return sim_core_ok(sim, status, err);
}

bool sim_end_job(struct sim *sim, struct work_job *job, struct err *err)
{
    sim->event_count++;
    sim_account(sim, job);
    work_end_here(job);
    if (job->state == WORK_RUNNING)
        return sim_finish_job(sim, job, err);
    if (job->state != WORK_PENDING || job->first_task != WORK_NONE)
        return err_set(err, EXIT_INTERNAL, "job '%s' cannot be ended now", work_id(job));
    if (!sim_let_in(sim, job, err))
        return false;
    job->status = TRACE_CANCELLED;
    sim_set_state(sim, job, WORK_RUNNING); /* for the purpose of counts */
    end(sim, job);
    int status = sim_tell(sim, &(struct fact){.kind = FACT_JOB_CANCEL, .job = job->core});
    work_remove(&sim->work, job);
    return sim_core_ok(sim, status, err);
}
