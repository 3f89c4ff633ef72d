/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults strike, are detected and repaired; see fault.h. */
#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_PPM 1000 /* minimum bandwidth, so that every transfer ends eventually */

/* A fault that has not ended. */
struct sim_trouble {
    struct sim_fault fault; /* its nodes are `nodes` */
    uint32_t *nodes;
    uint32_t *uplinks;
    int64_t since_ms; /* beginning of the repair */
    uint32_t tests;   /* begun so far */
    bool testing;     /* its nodes are */
    bool waits;       /* for the last task on its only node to end */
    bool over;        /* no longer slows any job down */
    uint64_t victim;  /* of a fault of a single job: its id; UINT64_MAX: no job was there */
    uint32_t next_free;
};

/* ---- the table of troubles ---- */

static uint32_t open_trouble(struct sim *sim, const struct sim_fault *fault, const uint32_t *nodes,
                             uint32_t count)
{
    uint32_t id = sim->free_trouble;
    if (id != WORK_NONE) {
        sim->free_trouble = sim->troubles[id].next_free;
    } else {
        id = (uint32_t)sim->trouble_count++;
        sim->troubles = mem_grow(sim->troubles, &sim->trouble_capacity, sim->trouble_count,
                                 sizeof *sim->troubles);
    }
    struct sim_trouble *t = &sim->troubles[id];
    *t = (struct sim_trouble){.fault = *fault, .nodes = mem_alloc(count, sizeof *nodes)};
    memcpy(t->nodes, nodes, count * sizeof *nodes);
    t->fault.nodes = t->nodes;
    t->fault.node_count = count;
    t->fault.uplinks = t->uplinks =
        fault->uplink_count > 0 ? mem_alloc(fault->uplink_count, sizeof *t->uplinks) : NULL;
    for (uint32_t i = 0; i < fault->uplink_count; i++)
        t->uplinks[i] = fault->uplinks[i];
    sim->slow_troubles += fault->effect == SIM_FAULT_SLOWS;
    return id;
}

static void close_trouble(struct sim *sim, uint32_t id)
{
    struct sim_trouble *t = &sim->troubles[id];
    sim->slow_troubles -= t->fault.effect == SIM_FAULT_SLOWS;
    free(t->nodes);
    free(t->uplinks);
    *t = (struct sim_trouble){.next_free = sim->free_trouble};
    sim->free_trouble = id;
}

void sim_fault_effects_free(struct sim *sim)
{
    for (size_t i = 0; i < sim->trouble_count; i++) {
        free(sim->troubles[i].nodes);
        free(sim->troubles[i].uplinks);
    }
    free(sim->troubles);
}

/* ---- nodes come and go ---- */

static struct sim_site *site_of(const struct sim *sim, const struct fleet_node *node)
{
    return &sim->sites[sim->site_of_pool[node->pool]];
}

/* Subtracts from the site what the node removes: all its devices, or its idle ones. */
static void count_out(struct sim *sim, const struct fleet_node *node, int sign)
{
    int64_t milli = (int64_t)node->gpus * FLEET_WHOLE;
    if (node->off)
        return;
    if (node->away > 0)
        site_of(sim, node)->milli_down += sign * milli;
    else if (node->draining > 0)
        site_of(sim, node)->milli_drained += sign * (milli - node->milli_used);
    if (node->reclaimed > 0)
        site_of(sim, node)->milli_reclaimed += sign * milli;
    if (fleet_is_tested(node))
        site_of(sim, node)->milli_tested += sign * milli;
}

static int32_t state_of(const struct fleet_node *node)
{
    if (node->off) /* capacity that is being reclaimed, or was, is unavailable */
        return node->away > 0 || node->draining > 0 ? POLICY_NODE_DOWN : POLICY_NODE_OFF;
    return node->away > 0       ? POLICY_NODE_DOWN
           : node->ordered      ? POLICY_NODE_ORDERED
           : node->draining > 0 ? POLICY_NODE_DRAINING
                                : POLICY_NODE_UP;
}

static bool tell_state(struct sim *sim, uint32_t id, struct err *err)
{
    struct fact fact = {
        .kind = FACT_NODE_STATE, .node = {id}, .state = state_of(&sim->fleet->nodes[id])};
    return sim_core_ok(sim, sim_tell(sim, &fact), err);
}

/* Reasons that a node gets (+1) or loses (-1). */
struct node_change {
    int away, draining, testing;
};

/* Changes the reasons for the node to be down or draining: a fault, or NULL. The policy is not told
 * whether a node that is down is repaired or tested. */
static bool change_node(struct sim *sim, const struct sim_fault *f, uint32_t id,
                        struct node_change by, struct err *err)
{
    struct fleet_node *node = &sim->fleet->nodes[id];
    sim_touch(sim, sim->site_of_pool[node->pool]);
    count_out(sim, node, -1);
    bool was_away = node->away > 0;
    node->away += by.away;
    node->testing += by.testing;
    node->reclaimed += f != NULL && f->reclaims ? by.away : 0;
    node->draining += by.draining;
    if (was_away != (node->away > 0))
        node->draining += was_away ? sim_spares_back(sim, id) : sim_spares_left(sim, id);
    count_out(sim, node, 1);
    SIM_TELL(sim, turned, sim, id);
    return (by.away == 0 && by.draining == 0) || tell_state(sim, id, err);
}

bool sim_switch_node(struct sim *sim, uint32_t id, enum sim_node_presence is, struct err *err)
{
    struct fleet_node *node = &sim->fleet->nodes[id];
    bool was_off = node->off;
    sim_touch(sim, sim->site_of_pool[node->pool]);
    count_out(sim, node, -1);
    node->draining += (is == SIM_NODE_IS_ORDERED) - node->ordered;
    node->draining += (is == SIM_NODE_LEAVES) - node->leaving;
    node->ordered = is == SIM_NODE_IS_ORDERED;
    node->leaving = is == SIM_NODE_LEAVES;
    node->off = is == SIM_NODE_IS_OFF;
    site_of(sim, node)->milli += (int64_t)(was_off - node->off) * node->gpus * FLEET_WHOLE;
    count_out(sim, node, 1);
    if (sim->now_ms != INT64_MIN) /* otherwise the run has not begun */
        SIM_TELL(sim, turned, sim, id);
    return tell_state(sim, id, err);
}

bool sim_set_aside(struct sim *sim, uint32_t node, bool away, struct err *err)
{
    return change_node(sim, NULL, node, (struct node_change){.away = away, .draining = !away}, err);
}

void sim_freed_on(struct sim *sim, uint32_t id, int64_t milli)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    if (node->away == 0 && node->draining > 0)
        site_of(sim, node)->milli_drained += milli;
    if (node->draining > 0 && node->tasks == 0)
        event_push(&sim->events, sim->now_ms, EVENT_EMPTIED, id);
}

/* ---- affected jobs ---- */

bool sim_is_struck(const struct sim_fault *f, const struct work_task *task, bool all_devices)
{
    if (task->node == WORK_NONE || f->node_count == 0 ||
        bsearch(&task->node, f->nodes, f->node_count, sizeof *f->nodes, order_u32) == NULL)
        return false;
    return all_devices || f->device == SIM_ALL_DEVICES || (task->devices >> f->device & 1) != 0;
}

static bool stands_there(const struct sim *sim, const struct work_job *job,
                         const struct sim_fault *f, bool all_devices)
{
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next)
        if (sim_is_struck(f, &sim->work.tasks[id], all_devices))
            return true;
    return false;
}

static bool is_there(const struct work_job *job)
{
    return job->state == WORK_RUNNING ||
           (job->state == WORK_PENDING && job->first_task != WORK_NONE);
}

/* Id of the oldest affected job; UINT64_MAX: none. */
static uint64_t oldest_struck(const struct sim *sim, const struct sim_fault *f)
{
    uint64_t oldest = UINT64_MAX;
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (is_there(job) && job->number < oldest && stands_there(sim, job, f, false))
            oldest = job->number;
    }
    return oldest;
}

/* The next affected job after `job` (NULL: the first); for a fault of a single job, the one
 * determined when it struck. */
static struct work_job *next_struck(struct sim *sim, const struct work_job *job,
                                    const struct sim_trouble *t, bool all_devices)
{
    for (size_t i = job == NULL ? 0 : (size_t)(job - sim->work.jobs) + 1; i < sim->work.capacity;
         i++) {
        struct work_job *other = &sim->work.jobs[i];
        if (is_there(other) && (!t->fault.one_job || other->number == t->victim) &&
            stands_there(sim, other, &t->fault, all_devices))
            return other;
    }
    return NULL;
}

/* ---- slowed jobs ---- */

static bool concerns(const struct sim *sim, const struct work_job *job, const struct sim_trouble *t)
{
    return t->fault.one_job ? job->number == t->victim : stands_there(sim, job, &t->fault, false);
}

static void end_slow(struct sim *sim, struct sim_trouble *t)
{
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_RUNNING && concerns(sim, &sim->work.jobs[i], t))
            sim_speed_note(sim, &sim->work.jobs[i]);
    t->over = true;
    sim_speed_narrow(sim, &t->fault);
}

static bool is_among(uint32_t id, const uint32_t *list, uint32_t count)
{
    return bsearch(&id, list, count, sizeof *list, order_u32) != NULL;
}

int32_t sim_left_ppm(const struct sim *sim, bool uplink, uint32_t id)
{
    int64_t left = WORK_IDEAL, lost = 0;
    for (uint32_t i = 0; i < sim->trouble_count; i++) {
        const struct sim_trouble *t = &sim->troubles[i];
        const struct sim_fault *f = &t->fault;
        if (!f->narrows || t->over || (f->uplink_count > 0) != uplink ||
            !(uplink ? is_among(id, f->uplinks, f->uplink_count)
                     : is_among(id, f->nodes, f->node_count)))
            continue;
        lost += f->adds_up ? WORK_IDEAL - f->slow_ppm : 0;
        left = f->adds_up ? left : left * f->slow_ppm / WORK_IDEAL;
    }
    left = lost < WORK_IDEAL ? left * (WORK_IDEAL - lost) / WORK_IDEAL : 0;
    return left > LEAST_PPM ? (int32_t)left : LEAST_PPM;
}

/* Faults of bandwidth are left to the network model where there is one. */
static bool slows_evenly(const struct sim *sim, const struct sim_trouble *t)
{
    return t->fault.effect == SIM_FAULT_SLOWS && !t->over &&
           !(t->fault.narrows && sim->config.network.mode != SIM_NETWORK_OFF);
}

/* The task's share of speed left by the faults of its node. */
static int64_t task_ppm(const struct sim *sim, const struct work_task *task)
{
    int64_t ppm = WORK_IDEAL;
    for (uint32_t i = 0; i < sim->trouble_count; i++) {
        const struct sim_fault *f = &sim->troubles[i].fault;
        if (slows_evenly(sim, &sim->troubles[i]) && !f->one_job && sim_is_struck(f, task, false))
            ppm = ppm * f->slow_ppm / WORK_IDEAL;
    }
    return ppm;
}

/* All tasks of a job wait for the slowest. */
int64_t sim_slow_ppm(const struct sim *sim, const struct work_job *job)
{
    int64_t ppm = WORK_IDEAL;
    if (sim->slow_troubles == 0)
        return ppm;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        int64_t here = task->release_ms == WORK_NEVER ? task_ppm(sim, task) : WORK_IDEAL;
        ppm = here < ppm ? here : ppm;
    }
    for (uint32_t i = 0; i < sim->trouble_count; i++) {
        const struct sim_trouble *t = &sim->troubles[i];
        if (slows_evenly(sim, t) && t->fault.one_job && concerns(sim, job, t))
            ppm = ppm * t->fault.slow_ppm / WORK_IDEAL;
    }
    return ppm;
}

/* ---- what is taken back was announced ---- */

/* The job begins a last checkpoint just in time to complete it. */
static void plan_last_write(struct sim *sim, const struct work_job *job, const struct sim_fault *f)
{
    if (sim_can_write(sim, job, f->detect_ms))
        event_push(&sim->events, sim->now_ms + f->detect_ms - job->progress.write_ms,
                   EVENT_LAST_WRITE, job->core.i);
}

bool sim_leaves_at(const struct sim *sim, const struct work_job *job, int64_t at_ms)
{
    for (uint32_t i = 0; i < sim->trouble_count; i++) {
        const struct sim_fault *f = &sim->troubles[i].fault;
        if (f->reclaims && f->at_ms + f->detect_ms == at_ms && stands_there(sim, job, f, true))
            return true;
    }
    return sim_planned_leaves_at(sim, job, at_ms);
}

/* ---- a fault strikes ---- */

int64_t sim_next_fault(const struct sim *sim)
{
    const struct sim_faults *f = &sim->config.faults;
    if (f->self == NULL)
        return INT64_MAX;
    int64_t next = f->next_ms(f->self);
    bool measured = sim->window_end_ms < INT64_MAX && next < sim->window_end_ms;
    if (!sim->has_next && sim->running == 0 &&
        !measured) /* it would change nothing, and the run would never end */
        return INT64_MAX;
    return next < sim->now_ms ? sim->now_ms : next; /* nothing ran then, so it is skipped */
}

/* From now on its work is corrupt. */
static void corrupt(struct sim *sim, struct work_job *job, uint32_t trouble)
{
    if (job->running == 0 || job->corrupt)
        return;
    sim_account(sim, job);
    job->corrupt = true;
    job->corrupt_by = trouble;
    job->sound = job->loses ? job->progress.saved : job->progress.done;
}

/* The effects on jobs before the fault is detected. */
static bool strike(struct sim *sim, uint32_t id, struct err *err)
{
    const struct sim_fault *f = &sim->troubles[id].fault;
    bool ok = true;
    for (struct work_job *job = next_struck(sim, NULL, &sim->troubles[id], false);
         job != NULL && ok; job = next_struck(sim, job, &sim->troubles[id], false)) {
        if (f->effect == SIM_FAULT_KILLS && f->detect_ms > 0)
            ok = sim_hang(sim, job, err);
        if (f->effect == SIM_FAULT_SLOWS)
            sim_speed_note(sim, job);
        if (f->reclaims)
            plan_last_write(sim, job, f);
        if (f->effect == SIM_FAULT_CORRUPTS)
            corrupt(sim, job, id);
    }
    for (uint32_t i = 0; i < f->node_count && ok && f->effect == SIM_FAULT_DRAINS; i++)
        ok = change_node(sim, f, f->nodes[i], (struct node_change){.draining = 1}, err);
    return ok;
}

bool sim_strike(struct sim *sim, struct err *err)
{
    struct sim_fault f;
    if (!sim->config.faults.take(sim->config.faults.self, &f))
        return true;
    if (f.at_ms < sim->now_ms) /* nothing ran at that time */
        return true;
    sim->event_count++;
    SIM_TELL(sim, broke, sim, &f);
    uint32_t id = open_trouble(sim, &f, f.nodes, f.node_count);
    sim->troubles[id].victim = f.one_job ? oldest_struck(sim, &f) : UINT64_MAX;
    event_push(&sim->events, sim->now_ms + f.detect_ms, EVENT_DETECTED, id);
    sim_speed_narrow(sim, &sim->troubles[id].fault);
    return strike(sim, id, err);
}

/* ---- it is detected ---- */

static bool interrupt_all(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_trouble t = sim->troubles[id];
    bool pulled =
        t.fault.repair_ms > 0 && !t.fault.after_job; /* then all other jobs there stop too */
    t.fault.one_job &= !pulled;
    bool partly = t.fault.effect == SIM_FAULT_KILLS && !t.fault.one_job;
    for (struct work_job *job = next_struck(sim, NULL, &t, pulled); job != NULL;
         job = next_struck(sim, job, &t, pulled))
        if ((t.fault.effect != SIM_FAULT_CORRUPTS || job->corrupt || pulled) &&
            !(partly && sim_may_shrink(sim, job, &t.fault, pulled)
                  ? sim_shrink(sim, job, &t.fault, pulled, err)
                  : sim_interrupt(sim, job, &t.fault, err)))
            return false;
    return true;
}

/* A job evicted meanwhile carried its corrupt work elsewhere, or is pending with it. */
static bool interrupt_corrupt(struct sim *sim, uint32_t trouble, struct err *err)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        struct work_job *job = &sim->work.jobs[i];
        if (job->state != WORK_FREE && job->corrupt && job->corrupt_by == trouble &&
            !sim_interrupt(sim, job, &sim->troubles[trouble].fault, err))
            return false;
    }
    return true;
}

/* The next test of its nodes begins now, or when that part of the repair is over. */
static bool await_test(struct sim *sim, uint32_t id, struct err *err)
{
    const struct sim_trouble *t = &sim->troubles[id];
    if (t->tests == t->fault.burn_ins)
        return true;
    int64_t begin_ms = t->since_ms + sim_fault_test_ms(&t->fault, t->tests);
    if (begin_ms <= sim->now_ms)
        return sim_tested(sim, id, err);
    event_push(&sim->events, begin_ms, EVENT_TESTED, id);
    return true;
}

/* The last test ends with the repair. */
bool sim_tested(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_trouble *t = &sim->troubles[id];
    bool ok = true;
    t->testing = !t->testing;
    t->tests += t->testing;
    for (uint32_t i = 0; i < t->fault.node_count && ok; i++)
        ok = change_node(sim, &t->fault, t->nodes[i],
                         (struct node_change){.testing = t->testing ? 1 : -1}, err);
    if (!t->testing)
        return ok && await_test(sim, id, err);
    if (t->tests < t->fault.burn_ins)
        event_push(&sim->events, sim->now_ms + t->fault.burn_in_ms, EVENT_TESTED, id);
    return ok;
}

/* Its nodes are away from now on. */
static bool begin_repair(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_trouble *t = &sim->troubles[id];
    t->since_ms = sim->now_ms;
    event_push(&sim->events, sim->now_ms + t->fault.repair_ms, EVENT_REPAIRED, id);
    return await_test(sim, id, err);
}

/* The nodes leave at once, or each when its last task has ended. */
static bool take_away(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_fault f = sim->troubles[id].fault;
    uint32_t *nodes = sim->troubles[id].nodes;
    bool ok = true;
    const struct node_change leaves = {.away = 1,
                                       .draining = f.effect == SIM_FAULT_DRAINS ? -1 : 0};
    for (uint32_t i = 0; i < f.node_count && ok && !f.after_job; i++)
        ok = change_node(sim, &f, nodes[i], leaves, err) &&
             (!f.reclaims || sim_elastic_reclaimed(sim, nodes[i], err));
    if (!f.after_job)
        return ok && begin_repair(sim, id, err);
    sim->troubles[id].nodes = NULL;
    close_trouble(sim, id);
    for (uint32_t i = 0; i < f.node_count && ok; i++) {
        uint32_t own = open_trouble(sim, &f, &nodes[i], 1);
        sim->troubles[own].waits = true;
        ok = change_node(sim, &f, nodes[i], (struct node_change){.draining = 1}, err);
        if (sim->fleet->nodes[nodes[i]].tasks == 0)
            event_push(&sim->events, sim->now_ms, EVENT_EMPTIED, nodes[i]);
    }
    free(nodes);
    return ok;
}

bool sim_detected(struct sim *sim, uint32_t id, struct err *err)
{
    const struct sim_fault *f = &sim->troubles[id].fault;
    if (f->effect != SIM_FAULT_SLOWS && !interrupt_all(sim, id, err))
        return false;
    if (f->effect == SIM_FAULT_CORRUPTS && !interrupt_corrupt(sim, id, err))
        return false;
    f = &sim->troubles[id].fault;
    if (f->effect != SIM_FAULT_SLOWS && f->repair_ms > 0)
        return take_away(sim, id, err);
    if (f->repair_ms > 0) {
        event_push(&sim->events, sim->now_ms + f->repair_ms, EVENT_REPAIRED, id);
        return true;
    }
    bool ok = true;
    for (uint32_t i = 0; i < f->node_count && ok && f->effect == SIM_FAULT_DRAINS; i++)
        ok = change_node(sim, f, f->nodes[i], (struct node_change){.draining = -1}, err);
    if (f->effect == SIM_FAULT_SLOWS)
        end_slow(sim, &sim->troubles[id]);
    SIM_TELL(sim, repaired, sim, f);
    close_trouble(sim, id);
    return ok;
}

bool sim_emptied(struct sim *sim, uint32_t node, struct err *err)
{
    if (sim->fleet->nodes[node].tasks > 0)
        return true;
    for (uint32_t id = 0; id < sim->trouble_count; id++) {
        struct sim_trouble *t = &sim->troubles[id];
        if (!t->waits || t->nodes[0] != node)
            continue;
        t->waits = false;
        if (!change_node(sim, &t->fault, node, (struct node_change){.away = 1, .draining = -1},
                         err) ||
            !begin_repair(sim, id, err))
            return false;
    }
    return !sim->fleet->nodes[node].leaving || sim_planned_emptied(sim, node, err);
}

bool sim_swapped(struct sim *sim, uint32_t node, struct err *err)
{
    return !sim_spares_steps_in(sim, node) ||
           change_node(sim, NULL, node, (struct node_change){.draining = -1}, err);
}

/* ---- it is over ---- */

bool sim_repaired(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_trouble *t = &sim->troubles[id];
    bool ok = true;
    for (uint32_t i = 0; i < t->fault.node_count && ok && t->fault.effect != SIM_FAULT_SLOWS; i++)
        ok = change_node(sim, &t->fault, t->nodes[i],
                         (struct node_change){.away = -1, .testing = -(int)t->testing}, err);
    if (t->fault.effect == SIM_FAULT_SLOWS)
        end_slow(sim, t);
    SIM_TELL(sim, repaired, sim, &t->fault);
    close_trouble(sim, id);
    return ok;
}

/* ---- a job's own fault ---- */

bool sim_fail(struct sim *sim, struct work_job *job, struct err *err)
{
    uint32_t node = sim->work.tasks[job->first_task].node;
    const struct sim_fault f = {.at_ms = sim->now_ms,
                                .class = sim->config.faults.user_class,
                                .effect = SIM_FAULT_KILLS,
                                .nodes = &node,
                                .node_count = node != WORK_NONE,
                                .device = SIM_ALL_DEVICES,
                                .one_job = true};
    SIM_TELL(sim, broke, sim, &f);
    sim_touch(sim, sim->queues[job->queue].site);
    sim_account(sim, job);
    const struct sim_interruption how = {
        .class = f.class, .lost_units = job->progress.done, .corrupt = job->corrupt, .own = true};
    job->failures++;
    SIM_TELL(sim, interrupted, sim, job, &how);
    SIM_TELL(sim, repaired, sim, &f);
    return sim_finish_job(sim, job, err);
}

/* ---- audit ---- */

/* True if an undetected fault of the job exists. */
static bool has_cause(const struct sim *sim, const struct work_job *job,
                      enum sim_fault_effect effect)
{
    for (uint32_t i = 0; i < sim->trouble_count; i++) {
        const struct sim_trouble *t = &sim->troubles[i];
        const struct sim_fault *f = &t->fault;
        bool concerned =
            effect == SIM_FAULT_CORRUPTS ? job->corrupt_by == i : concerns(sim, job, t);
        if (t->nodes != NULL && f->effect == effect && f->at_ms + f->detect_ms >= sim->now_ms &&
            concerned)
            return true;
    }
    return false;
}

bool sim_fault_effects_audit(const struct sim *sim, struct err *err)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state != WORK_RUNNING && job->state != WORK_PENDING)
            continue;
        if (job->hung && !has_cause(sim, job, SIM_FAULT_KILLS))
            return err_set(err, EXIT_INVARIANT,
                           "job '%s' hangs, and no fault is still to be noticed", work_id(job));
        if (job->corrupt && !has_cause(sim, job, SIM_FAULT_CORRUPTS))
            return err_set(err, EXIT_INVARIANT,
                           "job '%s' is corrupt, and no fault is still to be noticed",
                           work_id(job));
    }
    return true;
}
