/* SPDX-License-Identifier: MIT */
/*
 * One decision: drop the last nominations, divide the cluster among the queues, run the actions in
 * order, and write the net effect on every touched task.
 */
#include "act/act.h"
#include "act/actions.h"
#include "act/allocate_lanes.h"
#include "act/attempt.h"
#include "act/backfills.h"
#include "act/evict_outranked.h"
#include "act/limits.h"
#include "act/plugin_plan.h"
#include "act/provision.h"
#include "act/reversal.h"
#include "act/spare_reservation.h"
#include "order/queue_walk.h"
#include "pending/limits.h"
#include "pending/queue_classes.h"
#include "place/pool_tiers.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/pool_quotas.h"
#include "state/queues.h"
#include "state/tasks.h"

/* Task-by-task scheduling: a task that does not fit evicts others at once if allowed. */
static const struct pc_action *const pod_actions[] = {&pc_action_allocate_tasks};

/* ---- before ---- */

void pc_drop_nominations(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    bool dropped = false;
    if (c->noted_count > 0)
        c->kept.count = 0;
    for (uint32_t i = 0; i < c->noted_count; i++) {
        const struct pc_ref *ref = &c->noted[i];
        if (c->jobs[ref->job].gen != ref->gen || c->jobs[ref->job].state != PC_LIVE)
            continue;
        struct pc_place place = pc_task(c, ref->job, ref->task)->place;
        pc_task_at(c, ref->job, ref->task)->noted = false;
        c->jobs[ref->job].detail->users--;
        if (place.nominated == PC_NONE)
            continue;
        if (PC_GROW(&p->memory, c->kept.of, c->kept.capacity,
                    c->kept.count + 1)) /* else it is dropped */
            c->kept.of[c->kept.count++] = (struct pc_nomination){ref->job,
                                                                 ref->gen,
                                                                 ref->task,
                                                                 place.nominated,
                                                                 place.nominated_devices,
                                                                 place.nominated_slice};
        place = pc_not_nominated(pc_task(c, ref->job, ref->task));
        pc_move(c, ref->job, ref->task, &place);
        dropped = true;
    }
    for (uint32_t i = 0; dropped && i < c->noted_count; i++)
        if (c->jobs[c->noted[i].job].gen == c->noted[i].gen &&
            c->jobs[c->noted[i].job].state == PC_LIVE)
            pc_job_settle(p, c->noted[i].job);
    if (c->noted_count > 0)
        c->kept.told = c->kept.count;
    c->noted_count = 0;
    c->freed += dropped;
}

/* ---- after ---- */

static void write_one(struct policy *p, const struct pc_ref *ref, int32_t kind)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_task *t = pc_task(c, ref->job, ref->task);
    const struct pc_place *place = kind == POLICY_EVICT ? &t->before : &t->place;
    bool nominated = kind == POLICY_NOMINATE;
    uint32_t node = nominated ? place->nominated : place->node;
    const struct pc_request *r = pc_request_of(c, ref->job, ref->task);
    p->decisions[p->decision_count++] = (struct policy_decision){
        .kind = kind,
        .action = t->action,
        .reason = kind == POLICY_EVICT ? t->reason : 0,
        .task = ref->task,
        .job = {ref->job, ref->gen},
        .for_job = kind == POLICY_EVICT ? pc_job_id(c, t->for_job) : (policy_job){POLICY_NO_ID, 0},
        .node = {node},
        .pool = c->nodes[node].pool,
        .devices = nominated ? place->nominated_devices : place->devices,
        .gpu_milli = pc_weigh_on(&c->nodes[node], r).of[PC_GPU],
    };
}

/* Clears a task that was started and evicted in the same decision: it never started. */
static void forget(struct policy *p, const struct pc_ref *ref)
{
    struct pc_cluster *c = p->cluster;
    struct pc_place place = pc_task(c, ref->job, ref->task)->place;
    place.holding = PC_NOTHING;
    place.node = PC_NONE;
    place.devices = 0;
    place.started = 0;
    place.slice = 0;
    pc_move(c, ref->job, ref->task, &place);
}

static void write_task(struct policy *p, const struct pc_ref *ref)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_task *t = pc_task(c, ref->job, ref->task);
    bool ran = t->before.holding != PC_NOTHING;
    if (!ran && t->place.holding == PC_RELEASING) {
        forget(p, ref);
        pc_job_settle(p, ref->job);
        c->changed = true; /* its devices are free at once */
    }
    if (t->before.holding == PC_RUNS && t->place.holding == PC_RELEASING) {
        write_one(p, ref, POLICY_EVICT);
        c->changed = true;
    }
    if (!ran && t->place.holding == PC_RUNS) {
        write_one(p, ref, POLICY_START);
        c->changed = true;
    } else if (t->place.nominated != PC_NONE) {
        write_one(p, ref, POLICY_NOMINATE);
    }
}

/*
 * If a later action moved part of a gang before it ever ran, the gang must start as a whole: its
 * started tasks become nominations, too.
 */
static void wait_for_moved(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->noted_count; i++) {
        const struct pc_ref *ref = &c->noted[i];
        const struct pc_task *t = pc_task(c, ref->job, ref->task);
        if (t->before.holding != PC_NOTHING || t->place.holding != PC_RUNS ||
            !pc_has_to_wait(c, ref->job))
            continue;
        struct pc_place nomination = pc_only_nominated(c, ref->job, ref->task);
        pc_move(c, ref->job, ref->task, &nomination);
        pc_job_settle(p, ref->job);
        if (c->jobs[ref->job].running == 0)
            c->jobs[ref->job].detail->last_start = POLICY_NEVER;
        c->changed = true;
    }
}

/* Returns true if the nominated devices are idle now; if more is nominated than idle, some task
 * will end. */
static bool is_free_now(struct pc_cluster *c, uint32_t job, uint32_t task)
{
    const struct pc_place nomination = pc_task(c, job, task)->place;
    const struct pc_place nowhere = pc_nowhere();
    const struct pc_node *n = &c->nodes[nomination.nominated];
    if (n->nominated_whole > pc_popcount(n->idle))
        return false;
    pc_move(c, job, task, &nowhere);
    bool free = pc_fits_now(c, n, pc_request_of(c, job, task));
    pc_move(c, job, task, &nomination);
    return free;
}

/*
 * Returns true if all nominated places of the job are idle: the search put all victims back and
 * found room that was already free. Then no task end will trigger the next cycle, in which the job
 * starts. Called for the first task only.
 */
static bool may_start_next(struct pc_cluster *c, const struct pc_ref *ref)
{
    const struct pc_job *j = &c->jobs[ref->job];
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &pc_task_of(j, task)->place;
        if (place->nominated == PC_NONE)
            continue;
        if (task < ref->task || place->holding != PC_NOTHING || !is_free_now(c, ref->job, task))
            return false;
    }
    return pc_task_of(j, ref->task)->place.nominated != PC_NONE;
}

static void look_for_idle_promises(struct pc_cluster *c)
{
    c->trying = true; /* evaluates only, releases nothing */
    for (uint32_t i = 0; i < c->noted_count && !c->changed; i++)
        c->changed = may_start_next(c, &c->noted[i]);
    c->trying = false;
}

static bool was_told(const struct pc_cluster *c, const struct policy_decision *d)
{
    for (uint32_t i = 0; i < c->kept.told; i++) {
        const struct pc_nomination *kept = &c->kept.of[i];
        if (kept->job == d->job.i && kept->gen == d->job.gen && kept->task == d->task &&
            kept->node == d->node.i)
            return true;
    }
    return false;
}

/* Returns true if the decisions only repeat the nominations of the previous cycle: another cycle
 * would repeat them again. */
static bool repeats_promises(const struct policy *p)
{
    for (uint32_t i = 0; i < p->decision_count; i++)
        if (p->decisions[i].kind != POLICY_NOMINATE || !was_told(p->cluster, &p->decisions[i]))
            return false;
    return true;
}

/* Writes the decisions; their memory was reserved on commit. */
static void write_decisions(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    c->changed = false;
    wait_for_moved(p);
    for (uint32_t i = 0; i < c->noted_count; i++)
        write_task(p, &c->noted[i]);
    look_for_idle_promises(c);
    c->changed = c->changed && !repeats_promises(p);
    c->kept.told = 0;
}

/* ---- the cycle ---- */

/* Returns true if a plugin's action replaces this one; 0: if it runs after all of them. */
static bool is_plugins_turn(const struct policy *p, uint32_t action)
{
    const struct pc_plugin *x = p->plugin;
    if (x == NULL || x->of.act == NULL || (x->of.act_for == NULL) != (action == 0))
        return false;
    return action == 0 || pc_text_equal(policy_action_name((int32_t)action), x->of.act_for);
}

static bool run_action(struct policy *p, const struct pc_action *row)
{
    struct pc_cluster *c = p->cluster;
    c->action = row->action;
    c->action_number++;
    if (is_plugins_turn(p, row->action))
        return pc_plugin_act(p, row->action);
    row->run(p);
    return true;
}

static void run(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    bool pods = p->config.pods.on;
    const struct pc_action *const *row = pods ? pod_actions : pc_actions;
    size_t rows = pods ? sizeof pod_actions / sizeof *pod_actions : pc_action_count;
    c->trying = true;
    c->next_time = INT64_MAX;
    c->decision_number++;
    bool goes_on = true;
    for (; rows-- > 0 && !c->out_of_memory && goes_on; row++)
        if ((p->config.quota.actions >> (*row)->action & 1) != 0)
            goes_on = run_action(p, *row);
    if (goes_on && !c->out_of_memory && is_plugins_turn(p, 0)) {
        c->action_number++;
        (void)pc_plugin_act(p, 0);
    }
    pc_suspend_reservation(c);
    c->trying = false;
    if (pc_usage_fades(p) && p->now + c->window.step_ms < c->next_time)
        c->next_time = p->now + c->window.step_ms;
}

/* Returns true if the job order was due to change by now. */
static bool is_order_due(const struct policy *p, policy_time now)
{
    return p->order->next_change != NULL && p->order->next_change(p) <= now;
}

/* Updates the job order. A changed order, or reaching the announced time, requires a new
 * decision. */
static void refresh_order(struct policy *p, bool due)
{
    bool looks = due || p->cluster->pending != NULL || policy_has_work(p);
    bool changed = looks && p->order->refresh != NULL && p->order->refresh(p);
    if (changed)
        pc_rekey_pending(p);
    p->cluster->version += changed || due;
}

static bool is_ranked(const struct policy *p)
{
    return p->cluster->pending != NULL && (p->order->traits & PC_ORDER_RANKED) != 0;
}

/* Without a queue order: job after job, in lanes. */
static void decide_lanes(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    c->trying = true;
    c->out_of_memory = !pc_tiers_refresh(p, false);
    c->next_time = INT64_MAX;
    if (c->pending->judged_version != c->fleet_version)
        pc_pending_wake(p);
    if (c->limits_eased)
        pc_limits_refresh(p);
    pc_enforce_limits(p);
    bool done = true;
    if (!c->out_of_memory && p->plugin != NULL && p->plugin->of.decide != NULL)
        done = pc_plugin_decide(p);
    else if (!c->out_of_memory)
        (is_ranked(p) ? pc_evict_outranked : pc_allocate_lanes)(p);
    const struct pc_action *backfill = pc_backfill_of(p);
    if (backfill != NULL && !c->out_of_memory && backfill->due(p))
        backfill->run(p);
    pc_pending_close(p, done && !c->out_of_memory);
    c->trying = false;
    if (c->out_of_memory)
        pc_refuse(p, POLICY_NO_MEMORY, "decisions", p->decision_count, "no memory for all of them");
}

/* With a queue order, or task by task. */
static void decide_queues(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (!policy_has_work(p))
        return;
    pc_drop_nominations(p);
    uint64_t seen = c->version;
    pc_reversals_begin(p);
    pc_usage_refresh(p);
    c->out_of_memory =
        !pc_groups_refresh(p) || !pc_divide_shares(p) || !pc_tiers_refresh(p, !p->config.pods.on);
    if (!c->out_of_memory)
        run(p);
    write_decisions(p);
    for (uint32_t i = 0; c->changed && i < p->decision_count; i++)
        pc_usage_queues(p, c->jobs[p->decisions[i].job.i].queue);
    c->version += c->changed; /* the next cycle sees a different state */
    c->decided_version = seen;
    if (c->out_of_memory) {
        c->version++; /* so that another call continues */
        pc_refuse(p, POLICY_NO_MEMORY, "decisions", c->noted_count, "no memory for all of them");
    }
}

const struct policy_decision *policy_decide(struct policy *p, policy_time now, size_t *count)
{
    struct pc_provisioner *provisioner = pc_provisioner_of(p);
    *count = 0;
    p->decision_count = 0;
    p->error.status = POLICY_OK; /* reset: afterwards it shows if memory ran out */
    p->error.message[0] = '\0';
    bool order_due = is_order_due(p, now);
    if (pc_at(p, now) != POLICY_OK)
        return NULL;
    if (p->cluster->held.count > 0)
        pc_release_held(p, now);
    refresh_order(p, order_due);
    (p->cluster->pending != NULL ? decide_lanes : decide_queues)(p);
    if (provisioner != NULL && p->error.status == POLICY_OK)
        pc_provision(p, provisioner);
    *count = p->decision_count;
    return p->decision_count > 0 ? p->decisions : NULL;
}

policy_time policy_next_wakeup(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    policy_time next = c->next_time;
    if (p->order->next_change != NULL && p->order->next_change(p) < next)
        next = p->order->next_change(p);
    if (pc_next_deadline(p) < next)
        next = pc_next_deadline(p);
    if (is_ranked(p) && pc_ranking_of(p)->wakeup < next)
        next = pc_ranking_of(p)->wakeup;
    if (p->config.provision.how != POLICY_PROVISION_NONE && pc_provisioner_of(p)->next < next)
        next = pc_provisioner_of(p)->next;
    if (c->held.count > 0 && c->times[c->held.ids[0]].eligible < next)
        next = c->times[c->held.ids[0]].eligible;
    return next;
}

bool policy_has_work(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    if (pc_provision_has_work(p))
        return true;
    if (is_ranked(p))
        return pc_outranked_has_work(p);
    if (c->pending != NULL)
        return pc_pending_has_work(p);
    return c->version != c->decided_version || c->next_time <= p->now ||
           pc_next_deadline(p) <= p->now;
}
