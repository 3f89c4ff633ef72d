/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See quota_facts.h. */
#include "tests/lib/quota_facts.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>

void quota_tell(const struct quota_run *run, const char *format, ...)
{
    if (!run->loud)
        return;
    va_list list;
    va_start(list, format);
    (void)vprintf(format, list);
    va_end(list);
    (void)fflush(stdout);
}

int32_t quota_run_below(struct quota_run *run, int32_t n)
{
    return quota_below(&run->draw, n);
}

bool quota_run_chance(struct quota_run *run, int32_t percent)
{
    return quota_chance(&run->draw, percent);
}

policy_time quota_tick(struct quota_run *run)
{
    return run->world.now += quota_run_chance(run, 50) ? 1000 * quota_run_below(run, 15) : 0;
}

void quota_is_sound(struct quota_run *run)
{
    struct policy_error error = {0};
    QUOTA_CHECK(&run->world, policy_check(run->p, &error) == POLICY_OK, "%s", error.message);
}

/* Also notes gangs, as after every fact. */
void quota_answers(struct quota_run *run, int status, int expected)
{
    QUOTA_CHECK(&run->world, status == expected, "%s: %d, not %d: %s", run->world.name.doing,
                status, expected, status == POLICY_OK ? "" : policy_last_error(run->p)->message);
    quota_note_gangs(&run->world);
}

/* ---- the cluster ---- */

void fact_add_node(struct quota_run *run)
{
    struct quota_node n;
    uint32_t exist = 0;
    for (uint32_t i = 0; i < QUOTA_NODES; i++)
        exist += run->world.nodes[i].exists;
    if (exist >= 12)
        return;
    quota_draw_node(&run->draw, &n, (uint32_t)(++run->ranks * 7 % 1009));
    policy_node id = policy_add_node(run->p, quota_tick(run), &n.spec);
    quota_answers(run, id.i == POLICY_NO_ID ? policy_last_error(run->p)->status : POLICY_OK,
                  POLICY_OK);
    run->world.nodes[id.i] = n;
    run->world.nodes[id.i].spec.labels = NULL;
    quota_tell(run, "  node %u: %d devices, mig %d, cpu %lld\n", id.i, n.spec.devices, n.spec.mig,
               (long long)n.spec.cpu_milli);
}

static uint32_t any_node(struct quota_run *run)
{
    uint32_t first = (uint32_t)quota_run_below(run, QUOTA_NODES);
    for (uint32_t i = 0; i < QUOTA_NODES; i++)
        if (run->world.nodes[(first + i) % QUOTA_NODES].exists)
            return (first + i) % QUOTA_NODES;
    return QUOTA_NODES;
}

void fact_remove_node(struct quota_run *run)
{
    uint32_t node = any_node(run);
    bool held = false;
    if (node == QUOTA_NODES)
        return;
    for (uint32_t i = 0; i < QUOTA_JOBS; i++)
        for (uint32_t k = 0; run->world.jobs[i].life == QUOTA_LIVE && k < run->world.jobs[i].tasks;
             k++)
            held = held || (quota_holds(&run->world.jobs[i].task[k]) &&
                            run->world.jobs[i].task[k].node == node);
    quota_tell(run, "  remove node %u\n", node);
    if (!held)
        quota_forget_promises(&run->world);
    quota_answers(run, policy_remove_node(run->p, quota_tick(run), (policy_node){node}),
                  held ? POLICY_CONFLICT : POLICY_OK);
    run->world.nodes[node].exists = held;
}

void fact_change_state(struct quota_run *run)
{
    uint32_t node = any_node(run);
    int32_t state = quota_run_chance(run, 60) ? POLICY_NODE_UP : quota_run_below(run, 3);
    if (node == QUOTA_NODES)
        return;
    quota_tell(run, "  node %u: state %d\n", node, state);
    quota_answers(run, policy_set_node_state(run->p, quota_tick(run), (policy_node){node}, state),
                  POLICY_OK);
    run->world.nodes[node].state = state;
}

void fact_change_health(struct quota_run *run)
{
    uint32_t node = any_node(run);
    bool usable = quota_run_chance(run, 60);
    if (node == QUOTA_NODES || run->world.nodes[node].spec.devices == 0)
        return;
    uint32_t device = (uint32_t)quota_run_below(run, run->world.nodes[node].spec.devices);
    quota_tell(run, "  node %u: device %u is%s usable\n", node, device, usable ? "" : " not");
    quota_answers(
        run, policy_set_device_health(run->p, quota_tick(run), (policy_node){node}, device, usable),
        POLICY_OK);
    uint64_t bit = UINT64_C(1) << device;
    run->world.nodes[node].usable =
        usable ? run->world.nodes[node].usable | bit : run->world.nodes[node].usable & ~bit;
}

/* ---- queues ---- */

static uint32_t levels_above(const struct quota_world *w, uint32_t queue)
{
    uint32_t levels = 0;
    for (uint32_t q = queue; q != POLICY_NO_ID; q = w->queues[q].spec.parent.i)
        levels++;
    return levels;
}

static bool has_jobs(const struct quota_world *w, uint32_t queue)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++)
        if (w->jobs[i].life != QUOTA_NONE && w->jobs[i].spec.queue.i == queue)
            return true;
    return false;
}

static uint32_t add_queue_below(struct quota_run *run, uint32_t parent)
{
    uint32_t pools[QUOTA_POOLS];
    struct quota_queue q;
    quota_draw_queue(&run->draw, &q, parent, (uint32_t)++run->ranks, pools);
    policy_queue id = policy_add_queue(run->p, quota_tick(run), &q.spec);
    quota_answers(run, id.i == POLICY_NO_ID ? policy_last_error(run->p)->status : POLICY_OK,
                  POLICY_OK);
    run->world.queues[id.i] = q;
    run->world.queues[id.i].spec.pools = NULL;
    quota_tell(run, "  queue %u below %d: quota %lld limit %lld weight %lld priority %d pools %u\n",
               id.i, (int)parent, (long long)q.spec.gpu.quota, (long long)q.spec.gpu.limit,
               (long long)q.spec.gpu.weight, q.spec.priority, q.pools);
    return id.i;
}

void fact_add_queue(struct quota_run *run)
{
    uint32_t exist = 0;
    uint32_t parent = (uint32_t)quota_run_below(run, QUOTA_QUEUES);
    for (uint32_t i = 0; i < QUOTA_QUEUES; i++)
        exist += run->world.queues[i].exists;
    if (exist >= 14)
        return;
    if (quota_run_chance(run, 30) || !run->world.queues[parent].exists ||
        levels_above(&run->world, parent) > 3 || has_jobs(&run->world, parent))
        parent = POLICY_NO_ID;
    (void)add_queue_below(run, parent);
}

/* Adds departments with a few projects each. */
void fact_add_departments(struct quota_run *run)
{
    for (int i = 1 + quota_run_below(run, 2); i >= 0; i--) {
        uint32_t department = add_queue_below(run, POLICY_NO_ID);
        for (int k = 1 + quota_run_below(run, 2); k >= 0; k--)
            (void)add_queue_below(run, department);
    }
}

void fact_remove_queue(struct quota_run *run)
{
    uint32_t queue = (uint32_t)quota_run_below(run, QUOTA_QUEUES);
    const struct quota_world *w = &run->world;
    int expected = !w->queues[queue].exists                         ? POLICY_UNKNOWN
                   : has_jobs(w, queue) || !quota_is_leaf(w, queue) ? POLICY_CONFLICT
                                                                    : POLICY_OK;
    quota_tell(run, "  remove queue %u\n", queue);
    quota_answers(run, policy_remove_queue(run->p, quota_tick(run), (policy_queue){queue}),
                  expected);
    if (expected == POLICY_OK)
        run->world.queues[queue].exists = false;
}

void fact_usage(struct quota_run *run)
{
    uint32_t queue = (uint32_t)quota_run_below(run, QUOTA_QUEUES);
    struct policy_amounts ppm = {10000 * quota_run_below(run, 100),
                                 10000 * quota_run_below(run, 100), 0};
    quota_answers(run, policy_set_usage(run->p, quota_tick(run), (policy_queue){queue}, &ppm),
                  run->world.queues[queue].exists ? POLICY_OK : POLICY_UNKNOWN);
}

/* ---- jobs ---- */

void fact_submit(struct quota_run *run)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < QUOTA_JOBS; i++)
        live += run->world.jobs[i].life != QUOTA_NONE;
    uint32_t queue = (uint32_t)quota_run_below(run, QUOTA_QUEUES);
    for (uint32_t i = 0; i < QUOTA_QUEUES && !run->world.queues[queue].exists; i++)
        queue = (queue + 1) % QUOTA_QUEUES;
    if (live == QUOTA_JOBS)
        return;
    struct quota_job job;
    policy_time now = quota_tick(run);
    quota_draw_job(&run->draw, &job, (policy_queue){queue}, now,
                   (uint32_t)(++run->submitted * 2654435761u));
    policy_job id = policy_submit(run->p, now, &job.spec);
    int expected = !run->world.queues[queue].exists     ? POLICY_UNKNOWN
                   : !quota_is_leaf(&run->world, queue) ? POLICY_CONFLICT
                                                        : POLICY_OK;
    quota_answers(run, id.i == POLICY_NO_ID ? policy_last_error(run->p)->status : POLICY_OK,
                  expected);
    if (id.i == POLICY_NO_ID)
        return;
    quota_add_job(&run->world, id, &job.spec);
    quota_tell(run, "  job %u in queue %u: priority %d%s%s\n", id.i, queue, job.spec.priority,
               job.spec.preemptible ? " preemptible" : "", job.spec.eligible > now ? " later" : "");
    for (uint32_t i = 0; i < job.spec.role_count; i++) {
        const struct policy_role *role = &job.roles[i];
        quota_tell(
            run,
            "    %d tasks%s, at least %d: %d devices share %d memory %lld mig %d cpu %lld mem "
            "%lld\n",
            role->tasks, role->joined ? " joined" : "", role->min_tasks, role->request.devices,
            role->request.device_milli, (long long)role->request.device_mem_mib,
            role->request.mig != NULL, (long long)role->request.cpu_milli,
            (long long)role->request.mem_mib);
    }
}

struct quota_job *quota_any_job(struct quota_run *run)
{
    uint32_t first = (uint32_t)quota_run_below(run, QUOTA_JOBS);
    for (uint32_t i = 0; i < QUOTA_JOBS; i++)
        if (run->world.jobs[(first + i) % QUOTA_JOBS].life != QUOTA_NONE)
            return &run->world.jobs[(first + i) % QUOTA_JOBS];
    return NULL;
}

static bool holds_any(const struct quota_job *job)
{
    for (uint32_t i = 0; i < job->tasks; i++)
        if (quota_holds(&job->task[i]))
            return true;
    return false;
}

void fact_cancel(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job == NULL)
        return;
    bool holds = job->life == QUOTA_LIVE && holds_any(job);
    quota_tell(run, "  cancel job %u\n", job->id.i);
    if (!holds)
        job->life = QUOTA_NONE;
    quota_answers(run, policy_cancel(run->p, quota_tick(run), job->id),
                  holds ? POLICY_CONFLICT : POLICY_OK);
    if (!holds)
        quota_answers(run, policy_cancel(run->p, run->world.now, job->id), POLICY_UNKNOWN);
}

/* Evicts everything that the job holds, or ends the job. */
void fact_end_all(struct quota_run *run, struct quota_job *job, int32_t outcome)
{
    bool evicted = outcome == POLICY_EVICTED;
    int expected =
        job->life == QUOTA_HELD || (evicted && !holds_any(job)) ? POLICY_CONFLICT : POLICY_OK;
    quota_tell(run, "  job %u ends: %d\n", job->id.i, outcome);
    policy_time now = quota_tick(run);
    for (uint32_t i = 0; expected == POLICY_OK && i < job->tasks; i++)
        if (evicted ? quota_holds(&job->task[i]) : job->task[i].state < QUOTA_SUCCEEDED)
            quota_end_task(&run->world, job, i, outcome);
    quota_answers(run, policy_task_ended(run->p, now, job->id, POLICY_ALL_TASKS, outcome),
                  expected);
}

void fact_end_one(struct quota_run *run, struct quota_job *job, uint32_t task, int32_t outcome)
{
    bool over = job->task[task].state >= QUOTA_SUCCEEDED;
    bool refused = job->life == QUOTA_HELD || over ||
                   (outcome == POLICY_EVICTED && !quota_holds(&job->task[task]));
    quota_tell(run, "  job %u task %u ends: %d\n", job->id.i, task, outcome);
    policy_time now = quota_tick(run);
    if (!refused)
        quota_end_task(&run->world, job, task, outcome);
    quota_answers(run, policy_task_ended(run->p, now, job->id, task, outcome),
                  refused ? POLICY_CONFLICT : POLICY_OK);
}

void fact_end(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job == NULL)
        return;
    int32_t outcome = quota_run_chance(run, 70) ? POLICY_SUCCEEDED : quota_run_below(run, 3);
    if (quota_run_chance(run, 60))
        fact_end_all(run, job, outcome);
    else
        fact_end_one(run, job, (uint32_t)quota_run_below(run, (int32_t)job->tasks), outcome);
}

/* Ends a task that was told to stop. */
void fact_stop(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    for (uint32_t i = 0; job != NULL && job->life == QUOTA_LIVE && i < job->tasks; i++)
        if (job->task[i].state == QUOTA_LEAVES) {
            fact_end_one(run, job, i,
                         quota_run_chance(run, 95) ? POLICY_EVICTED : POLICY_SUCCEEDED);
            return;
        }
}

void fact_started(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job == NULL)
        return;
    uint32_t task = quota_run_chance(run, 70) ? POLICY_ALL_TASKS
                                              : (uint32_t)quota_run_below(run, (int32_t)job->tasks);
    uint32_t running = 0;
    for (uint32_t i = 0; job->life == QUOTA_LIVE && i < job->tasks; i++)
        running += (task == POLICY_ALL_TASKS || task == i) && quota_runs(&job->task[i]);
    for (uint32_t i = 0; running > 0 && i < job->tasks; i++)
        if (task == POLICY_ALL_TASKS || task == i)
            job->task[i].fresh = false;
    quota_answers(run, policy_task_started(run->p, quota_tick(run), job->id, task),
                  running > 0 ? POLICY_OK : POLICY_CONFLICT);
}

void fact_start_failed(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job == NULL)
        return;
    bool held = job->life == QUOTA_HELD;
    quota_tell(run, "  start of job %u failed\n", job->id.i);
    policy_time now = quota_tick(run);
    if (!held)
        quota_start_failed(job);
    quota_answers(run, policy_start_failed(run->p, now, job->id),
                  held ? POLICY_CONFLICT : POLICY_OK);
}

void fact_releasing(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job == NULL)
        return;
    uint32_t task = (uint32_t)quota_run_below(run, (int32_t)job->tasks);
    bool holds = job->life == QUOTA_LIVE && quota_holds(&job->task[task]);
    quota_tell(run, "  job %u task %u is being released\n", job->id.i, task);
    policy_time now = quota_tick(run);
    if (holds && job->task[task].state == QUOTA_RUNS) {
        job->task[task].state = QUOTA_LEAVES;
        job->task[task].fresh = false;
    }
    quota_answers(run, policy_task_releasing(run->p, now, job->id, task),
                  holds ? POLICY_OK : POLICY_CONFLICT);
}

void fact_gate(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job == NULL)
        return;
    uint32_t task = (uint32_t)quota_run_below(run, (int32_t)job->tasks);
    bool gated = quota_run_chance(run, 50);
    bool waits = job->life == QUOTA_LIVE && job->task[task].state <= QUOTA_GATED;
    quota_tell(run, "  job %u task %u is%s gated\n", job->id.i, task, gated ? "" : " not");
    policy_time now = quota_tick(run);
    if (waits)
        job->task[task].state = gated ? QUOTA_GATED : QUOTA_PENDING;
    if (waits)
        quota_forget_promises(&run->world);
    quota_answers(run, policy_task_gated(run->p, now, job->id, task, gated),
                  waits ? POLICY_OK : POLICY_CONFLICT);
}

/* Finds devices of the node with room for the task, lowest first, and puts it there; false if there
 * are none. */
static bool find_room(struct quota_run *run, struct quota_job *job, uint32_t task, uint32_t node)
{
    const struct policy_request *r = &quota_role_of(job, task)->request;
    const struct quota_node *n = &run->world.nodes[node];
    struct quota_task *t = &job->task[task];
    int32_t wanted = r->mig != NULL ? n->spec.mig == POLICY_MIG_FREE : r->devices;
    if (!quota_suits(&run->world, job, r, node))
        return false;
    *t = (struct quota_task){.state = QUOTA_RUNS, .node = node};
    for (int32_t d = 0; d < n->spec.devices && wanted > 0; d++) {
        uint64_t bit = UINT64_C(1) << d;
        t->devices |= bit;
        bool room = quota_overfull(&run->world, node, false) == NULL;
        t->devices = room ? t->devices : t->devices & ~bit;
        wanted -= room;
    }
    if (wanted == 0 && quota_overfull(&run->world, node, false) == NULL)
        return true;
    *t = (struct quota_task){.state = QUOTA_PENDING};
    return false;
}

/* Reports a task started by someone else, anywhere suitable; not if MIG instances are positioned
 * without room. */
void fact_running(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    uint32_t node = any_node(run);
    if (job == NULL || job->life != QUOTA_LIVE || node == QUOTA_NODES)
        return;
    policy_time now = quota_tick(run);
    for (uint32_t i = 0; i < job->tasks; i++) {
        if (job->task[i].state != QUOTA_PENDING || !find_room(run, job, i, node))
            continue;
        bool mig = quota_role_of(job, i)->request.mig != NULL;
        int status = policy_task_running(run->p, now, job->id, i, (policy_node){node},
                                         job->task[i].devices, now);
        quota_tell(run, "  job %u task %u was found on node %u [%llx]: %d\n", job->id.i, i, node,
                   (unsigned long long)job->task[i].devices, status);
        if (mig && status == POLICY_CONFLICT) {
            job->task[i] = (struct quota_task){.state = QUOTA_PENDING};
            break;
        }
        job->last_start = now;
        job->elsewhere = true;
        quota_answers(run, status, POLICY_OK);
        quota_is_sound(run);
    }
}

void fact_activity(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job != NULL)
        quota_answers(run,
                      policy_report_activity(
                          run->p, quota_tick(run), job->id,
                          quota_run_chance(run, 60) ? 0 : 10000 * quota_run_below(run, 100)),
                      POLICY_OK);
}

void fact_stale_since(struct quota_run *run)
{
    struct quota_job *job = quota_any_job(run);
    if (job == NULL)
        return;
    policy_time now = quota_tick(run);
    policy_time since = now - 1000 * quota_run_below(run, 100);
    quota_answers(run, policy_set_stale_since(run->p, now, job->id, since), POLICY_OK);
    if (job->below_since != POLICY_NEVER && since < job->below_since)
        job->below_since = since;
    job->told_stale = since;
}

void fact_wait(struct quota_run *run)
{
    run->world.now += 1000 * quota_run_below(run, 120);
}
