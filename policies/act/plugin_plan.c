/* SPDX-License-Identifier: MIT */
/* Decisions of a plugin; see plugin_plan.h. */
#include "act/plugin_plan.h"
#include "act/allocate_lanes.h"
#include "act/attempt.h"
#include "act/decisions.h"
#include "act/plugin_show.h"
#include "act/victims/victims.h"
#include "pending/queue_classes.h"
#include "state/gangs.h"
#include "state/jobs.h"
#include "state/tasks.h"

static struct pc_plugin_plan *plan_of(struct policy_plan *open)
{
    return (struct pc_plugin_plan *)open;
}

bool pc_plugin_plan_wrong(struct pc_plugin_plan *plan, uint32_t job, const char *what,
                          const char *of, int64_t value)
{
    struct policy *p = plan->p;
    pc_error_set(&p->error, POLICY_WRONG_PLUGIN, "policy '", p->config.preset, "' ");
    pc_error_text(&p->error, what);
    if (of != NULL) {
        pc_error_text(&p->error, ": ");
        pc_error_text(&p->error, of);
        pc_error_text(&p->error, " ");
        pc_error_number(&p->error, value);
    }
    p->plugin->wrong_job = pc_job_id(p->cluster, job);
    plan->stopped = true;
    return false;
}

/* ---- which job ---- */

/* Returns the job with this id; PC_NONE if there is none, with the plan stopped. */
static uint32_t meant(struct pc_plugin_plan *plan, policy_job id, const char *what)
{
    const struct pc_cluster *c = plan->p->cluster;
    if (plan->stopped)
        return PC_NONE;
    if (id.i < c->job_count && c->jobs[id.i].state == PC_LIVE && c->jobs[id.i].gen == id.gen)
        return id.i;
    pc_plugin_plan_wrong(plan, PC_NONE, what,
                         "no job that exists, and whose time has come, has the id", id.i);
    return PC_NONE;
}

static uint32_t one_that_waits(struct pc_plugin_plan *plan, policy_job id)
{
    uint32_t job = meant(plan, id, "starts a job that does not exist");
    if (job == PC_NONE || plan->p->cluster->jobs[job].pending > 0)
        return job;
    pc_plugin_plan_wrong(plan, job, "starts a job that does not wait", NULL, 0);
    return PC_NONE;
}

/* The action to which starts are attributed: the one in progress, or allocate. */
static uint32_t starts_as(const struct pc_plugin_plan *plan)
{
    const uint32_t action = plan->p->cluster->action;
    return action != 0 ? action : POLICY_ALLOCATE;
}

/* Turns the changes since the mark into decisions. Returns false if out of memory, with the changes
 * rolled back. */
static bool settle(struct pc_plugin_plan *plan, uint32_t mark, uint32_t for_job, uint32_t action,
                   uint8_t reason)
{
    struct policy *p = plan->p;
    struct pc_cluster *c = p->cluster;
    const uint8_t reasons[2] = {reason, reason};
    const uint32_t before = c->action;
    c->action = action;
    const bool done = !c->out_of_memory && pc_txn_commit(p, mark, for_job, reasons);
    c->action = before;
    if (!done)
        pc_txn_rollback(c, mark);
    plan->stopped |= c->out_of_memory;
    return done;
}

/* ---- starting ---- */

/* Starts what was placed since the mark. Returns false if out of memory, with the changes rolled
 * back. */
static bool started(struct pc_plugin_plan *plan, uint32_t job, uint32_t mark, bool ran)
{
    struct policy *p = plan->p;
    struct pc_cluster *c = p->cluster;
    if (c->pending != NULL) {
        plan->stopped |= !pc_start_placed(p, job, mark, POLICY_ALLOCATE);
        return !plan->stopped;
    }
    if (!settle(plan, mark, job, starts_as(plan), 0))
        return false;
    if (!ran && c->jobs[job].running > 0)
        c->jobs[job].detail->last_start = p->now;
    return true;
}

static void note_start(struct pc_plugin_plan *plan, uint32_t job)
{
    struct pc_plugin_job *told = &plan->p->plugin->jobs[job];
    told->started = plan->p->now;
    told->started_in = plan->p->plugin->decisions;
    if (plan->open.jobs != NULL)
        pc_plugin_show_again(plan->p, job);
}

/* With lanes: starts the job on idle devices, or records why it does not fit. */
static bool place_in_lane(struct pc_plugin_plan *plan, uint32_t job)
{
    struct policy *p = plan->p;
    const bool ready = p->cluster->jobs[job].class != PC_NONE;
    const int32_t reason = ready ? pc_try_start(p, job, POLICY_ALLOCATE) : POLICY_REASON_NOT_READY;
    plan->stopped |= reason == POLICY_REASON_WAITING;
    if (reason == 0 || plan->stopped || !ready)
        return reason == 0;
    pc_ranking_of(p)->of[job].chosen = true;
    pc_ranking_found(p, job, reason);
    return false;
}

/* With a queue order: places the job as soon as possible, so it may be nominated. */
static bool place_soonest(struct pc_plugin_plan *plan, uint32_t job)
{
    struct policy *p = plan->p;
    struct pc_cluster *c = p->cluster;
    const uint32_t mark = pc_txn_mark(c);
    const bool ran = c->jobs[job].running > 0;
    if (!pc_next_tasks(p, job, &c->placing) || !pc_attempt(p, job, &c->placing, false)) {
        plan->stopped |= c->out_of_memory;
        return false;
    }
    p->draws += c->placing.count;
    return started(plan, job, mark, ran);
}

bool pc_plugin_plan_place(struct policy_plan *open, policy_job id)
{
    struct pc_plugin_plan *plan = plan_of(open);
    const uint32_t job = one_that_waits(plan, id);
    if (job == PC_NONE ||
        !(plan->p->cluster->pending != NULL ? place_in_lane(plan, job) : place_soonest(plan, job)))
        return false;
    note_start(plan, job);
    return true;
}

/* Returns the rule that the job violates with the tasks started, or NULL. */
static const char *broken(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    if (pc_is_below_minimum(c, job))
        return "starts a gang in part";
    if (!pc_is_together(p, job))
        return "starts tasks in more than one domain of a level that they have to share";
    return NULL;
}

/* Starts one more task inside the open transaction. Returns what is wrong with it; NULL: nothing,
 * or out of memory. */
static const char *start_one(struct policy *p, uint32_t job,
                             const struct policy_plugin_start *start)
{
    struct pc_cluster *c = p->cluster;
    uint32_t task = start->task;
    const struct pc_tasks one = {&task, 1, 1};
    struct pc_place place;
    const char *why = pc_check_start(p, job, start, &place);
    if (why != NULL)
        return why;
    const struct pc_amounts more = pc_amounts_of(c, job, &one, true);
    const bool bounded = c->pending == NULL || p->config.queue_limits;
    const int32_t bound = bounded ? pc_check_limits(p, job, &more).reason : 0;
    if (bound != 0)
        return bound == POLICY_REASON_OVER_LIMIT
                   ? "starts a task that takes a queue over its limit"
                   : "starts a task that may not be preempted beyond a quota";
    c->out_of_memory |= !pc_txn_move(p, job, task, &place);
    return NULL;
}

bool pc_plugin_plan_start(struct policy_plan *open, policy_job id,
                          const struct policy_plugin_start *starts, uint32_t count)
{
    struct pc_plugin_plan *plan = plan_of(open);
    struct policy *p = plan->p;
    struct pc_cluster *c = p->cluster;
    const uint32_t job = one_that_waits(plan, id);
    if (job == PC_NONE)
        return false;
    const uint32_t mark = pc_txn_mark(c);
    const bool ran = c->jobs[job].running > 0;
    const char *why = starts == NULL || count == 0 ? "starts no task of a job" : NULL;
    uint32_t done = 0;
    while (done < count && why == NULL && !c->out_of_memory)
        if ((why = start_one(p, job, &starts[done])) == NULL)
            done++;
    const bool all = why == NULL && !c->out_of_memory;
    if (all && (why = broken(p, job)) == NULL) {
        if (!started(plan, job, mark, ran))
            return false;
        note_start(plan, job);
        return true;
    }
    pc_txn_rollback(c, mark);
    plan->stopped = true;
    if (c->out_of_memory)
        return false;
    return all || count == 0 || starts == NULL
               ? pc_plugin_plan_wrong(plan, job, why, NULL, 0)
               : pc_plugin_plan_wrong(plan, job, why, "task", starts[done].task);
}

/* ---- evicting ---- */

/* Returns true if the current decision started the job. */
static bool was_just_started(const struct policy *p, uint32_t job)
{
    const struct pc_plugin_job *told = &p->plugin->jobs[job];
    return told->started == p->now && told->started_in == p->plugin->decisions;
}

/* Returns why tasks of the job may not be evicted for `other` (or PC_NONE); NULL if they may. */
static const char *check_victim(const struct policy *p, uint32_t job, uint32_t other)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    if (j->running == 0)
        return "evicts a job that does not run";
    if (!j->preemptible)
        return "evicts a job that may not be preempted";
    if (was_just_started(p, job))
        return "evicts a job that it has just started";
    if (pc_last_start(j) == p->now &&
        p->plugin->jobs[job].evicted == p->now) /* else the plugin could evict it forever */
        return "evicts a job twice in one moment";
    if (other != PC_NONE && other != job &&
        pc_is_protected(p, job, other, c->jobs[other].queue != j->queue))
        return "evicts a job before its minimum run time is over";
    return NULL;
}

/* Evicts the listed tasks, running or nominated. */
static bool evict_tasks(struct pc_plugin_plan *plan, uint32_t job, const struct pc_tasks *tasks,
                        uint32_t other)
{
    struct policy *p = plan->p;
    struct pc_cluster *c = p->cluster;
    const uint32_t mark = pc_txn_mark(c);
    for (uint32_t i = 0; i < tasks->count && !c->out_of_memory; i++)
        (void)pc_txn_release(p, job, tasks->ids[i]);
    const uint32_t action = c->action != 0 ? c->action : POLICY_PREEMPT;
    if (!settle(plan, mark, other, action, POLICY_REASON_OUTRANKED))
        return false;
    p->plugin->jobs[job].evicted = p->now;
    return true;
}

/* With lanes, decisions are written at once. */
static bool evict_in_lane(struct pc_plugin_plan *plan, uint32_t job, const struct pc_tasks *tasks,
                          uint32_t other)
{
    struct policy *p = plan->p;
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity,
                 p->decision_count + tasks->count)) {
        p->cluster->out_of_memory = plan->stopped = true;
        return false;
    }
    for (uint32_t i = 0; i < tasks->count; i++) {
        struct pc_place place = pc_task(p->cluster, job, tasks->ids[i])->place;
        struct policy_decision *d = pc_decision_about(p, job, tasks->ids[i]);
        d->kind = POLICY_EVICT;
        d->action = POLICY_PREEMPT;
        d->reason = POLICY_REASON_OUTRANKED;
        d->for_job = pc_job_id(p->cluster, other);
        place.holding = PC_RELEASING;
        place.started = 0;
        pc_move(p->cluster, job, tasks->ids[i], &place);
    }
    pc_job_settle(p, job);
    p->plugin->jobs[job].evicted = p->now;
    if (plan->open.jobs != NULL)
        pc_plugin_show_again(p, job);
    return true;
}

/* Lists all active tasks of the job, or (surplus) one above its minimum. Returns false if there is
 * none. */
static bool list_victims(struct policy *p, uint32_t job, bool surplus)
{
    struct pc_cluster *c = p->cluster;
    bool more;
    if (surplus)
        return pc_elastic_state(c, job, false) > 0 && pc_next_victims(p, job, &c->taking, &more) &&
               more;
    const uint32_t tasks = c->shapes[c->jobs[job].shape].tasks;
    c->taking.count = 0;
    if (!PC_GROW(&p->memory, c->taking.ids, c->taking.capacity, tasks)) {
        c->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < tasks; i++)
        if (pc_is_active(&pc_task(c, job, i)->place))
            c->taking.ids[c->taking.count++] = i;
    return true;
}

static bool evict(struct policy_plan *open, policy_job id, policy_job for_job, bool surplus)
{
    struct pc_plugin_plan *plan = plan_of(open);
    uint32_t job = meant(plan, id, "evicts a job that does not exist");
    if (job == PC_NONE)
        return false;
    uint32_t other = for_job.i != POLICY_NO_ID
                         ? meant(plan, for_job, "evicts for a job that does not exist")
                         : PC_NONE;
    const char *wrong = plan->stopped ? NULL : check_victim(plan->p, job, other);
    if (plan->stopped)
        return false;
    if (wrong != NULL)
        return pc_plugin_plan_wrong(plan, job, wrong, NULL, 0);
    if (!list_victims(plan->p, job, surplus)) {
        plan->stopped |= plan->p->cluster->out_of_memory;
        return false;
    }
    if (plan->p->cluster->pending == NULL)
        return evict_tasks(plan, job, &plan->p->cluster->taking, other);
    return evict_in_lane(plan, job, &plan->p->cluster->taking, other);
}

bool pc_plugin_plan_evict(struct policy_plan *open, policy_job id, policy_job for_job)
{
    return evict(open, id, for_job, false);
}

bool pc_plugin_plan_shrink(struct policy_plan *open, policy_job id, policy_job for_job)
{
    return evict(open, id, for_job, true);
}

/* ---- the action ---- */

void pc_plugin_plan_give_up(struct policy_plan *open, const char *why)
{
    struct pc_plugin_plan *plan = plan_of(open);
    if (plan->stopped)
        return;
    pc_plugin_plan_wrong(plan, PC_NONE, "gives up", NULL, 0);
    pc_error_text(&plan->p->error, ": ");
    pc_error_text(&plan->p->error, why != NULL ? why : "it does not say why");
}

bool pc_plugin_act(struct policy *p, uint32_t action)
{
    struct pc_cluster *c = p->cluster;
    struct pc_plugin_plan plan = {
        .open = {.size = sizeof plan.open,
                 .now = p->now,
                 .wake_at = INT64_MAX,
                 .give_up = pc_plugin_plan_give_up,
                 .view = pc_plugin_look(p),
                 .place_job = pc_plugin_plan_place,
                 .start_tasks = pc_plugin_plan_start,
                 .evict_job = pc_plugin_plan_evict,
                 .shrink_job = pc_plugin_plan_shrink},
        .p = p,
    };
    c->action = action;
    p->plugin->decisions++;
    p->plugin->of.act(p->plugin->self, &plan.open);
    if (!plan.stopped && plan.open.wake_at <= p->now)
        pc_plugin_plan_wrong(&plan, PC_NONE, "asks to be woken at a time in the past", "time",
                             plan.open.wake_at);
    if (!plan.stopped && plan.open.wake_at < c->next_time)
        c->next_time = plan.open.wake_at;
    return !plan.stopped;
}
