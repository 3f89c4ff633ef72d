/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the driver's files share. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "sim/sim.h"
#include "sim/unsettled.h"

/* Calls one function of every observer that has it: SIM_TELL(sim, started, sim, job). */
#define SIM_TELL(sim, event, ...)                                                                  \
    do {                                                                                           \
        for (uint32_t i_ = 0; i_ < (sim)->heard.event.count; i_++) {                               \
            const struct sim_observer *o_ = &(sim)->config.observers[(sim)->heard.event.who[i_]];  \
            o_->event(o_->self, __VA_ARGS__);                                                      \
        }                                                                                          \
    } while (0)

/* sites.c: which pools belong together, from the queues' bindings. */
void sim_sites_build(struct sim *);
void sim_sites_free(struct sim *);

/* Closes the site's interval up to now, before its state changes; at most once an instant. */
void sim_touch(struct sim *, uint32_t site);

/* queues.c */
bool sim_queues_add_all(struct sim *, struct err *);
bool sim_queue_tell(struct sim *, uint32_t id, int32_t kind,
                    struct err *); /* FACT_QUEUE_ADD or FACT_QUEUE_SET */
bool sim_queue_for(struct sim *, uint32_t name, uint32_t *queue, struct err *);

/* admit.c: one arrival, told to the core. Returns NULL with err set when it cannot be simulated. */
struct work_job *sim_admit(struct sim *, const struct trace_job *, struct err *);
struct work_job *sim_admit_as(struct sim *, const struct trace_job *, uint64_t number,
                              struct err *);

/*
 * The steps of it that those of the initial state share (initial_jobs.c): what a task asks for
 * (profile: 1 + its index, 0 none); the core is told, once queue, rank, user and what is expected
 * of its run time are set in the spec (POLICY_NO_ID: refused); and the job that the core then
 * knows.
 */
struct sim_newcomer {
    const struct trace_job *from;
    policy_job core;
    uint64_t number;
    uint32_t queue; /* in sim.queues */
    enum trace_class class;
    bool fails; /* by its own doing, at the end of from->duration_ms */
    bool preemptible;
    bool aside;   /* it could never start (fits.h) */
    bool counted; /* measured, though it was submitted before the window began */
    int32_t priority;
    struct policy_constraint topology;
    const struct policy_role *roles; /* as the core was told */
    uint32_t role_count;
    struct work_request request; /* of the first task */
    struct work_part *parts;     /* taken over */
    uint32_t part_count;
};
struct work_request sim_request_from(const struct sim *, const struct policy_request *,
                                     int32_t profile);
policy_job sim_tell_job(struct sim *, const struct trace_job *, uint64_t number, uint32_t queue,
                        struct policy_job_spec *);
struct work_job *sim_take_in(struct sim *, const struct sim_newcomer *, struct err *);

/* initial_jobs.c: all that config.initial_state has to show when the run begins. */
bool sim_initial_begin(struct sim *, struct err *);

/*
 * dependencies.c, where sim.dependencies is not NULL: an arrival, which may have to wait for
 * others; a job of a closed run, all of which come before it begins; those that are due now; a job
 * that ended.
 */
void sim_dependencies_open(struct sim *);
void sim_dependencies_close(struct sim *);
bool sim_dependencies_arrive(struct sim *, const struct trace_job *, struct err *);
bool sim_dependencies_load(struct sim *, const struct trace_job *, struct err *);
bool sim_dependencies_release(struct sim *, struct err *);
void sim_dependencies_initial(struct sim *,
                              const struct work_job *); /* which others may wait for */
void sim_dependencies_ended(struct sim *, const struct work_job *);
void sim_dependencies_finish(struct sim *);
bool sim_dependencies_audit(const struct sim *, struct err *);

/*
 * rungs.c: a job that is new, whose progress is set (sim.rungs is not NULL, or it has some); one
 * that has done all up to a rung. When all that end or get there at one instant have, they are
 * judged (sim.rungs is not NULL).
 */
bool sim_rungs_admit(struct sim *, struct work_job *, const struct trace_job *, struct err *);
void sim_rungs_reach(struct sim *, struct work_job *);
bool sim_rungs_judge(struct sim *, struct err *);
bool sim_rungs_audit(const struct sim *, struct err *);
void sim_rungs_close(struct sim *);

/* reported.c: the decisions of the core, for the recorder. */
void sim_report_decisions(const struct sim *, const struct policy_decision *, size_t count);

/* Around everything that the core does: it may be timed. */
static inline void sim_begin_core(const struct sim *sim)
{
    if (sim->config.stopwatch.self != NULL)
        sim->config.stopwatch.begin(sim->config.stopwatch.self);
}

static inline void sim_end_core(const struct sim *sim, bool asked)
{
    if (sim->config.stopwatch.self != NULL)
        sim->config.stopwatch.end(sim->config.stopwatch.self, asked);
}

/* settling.c: before decisions are carried out, whether there is an end to them; see
 * sim/unsettled.h. */
bool sim_settles(struct sim *, const struct policy_decision *, size_t count, struct err *);

/* enact.c: the id of a job that the core knows, or NULL; of a struct sim. */
const char *sim_job_name(void *sim, policy_job);

/* enact.c: asks the core and carries its decisions out; sim_enact() takes them from anywhere. */
bool sim_decide(struct sim *, struct err *);
bool sim_enact(struct sim *, const struct policy_decision *, size_t count, struct err *);

/*
 * The task (its place, number and release_ms are set) takes its devices, and is one of the job's:
 * it runs, or is being released. False: the fleet does not have them.
 */
bool sim_take_devices(struct sim *, struct work_job *, struct work_task *, struct err *);

/* runs.c: what decisions make of jobs. Before a task of a job is changed sim_change(), after all of
 * them sim_settle(). */
void sim_change(struct sim *, struct work_job *);
bool sim_settle(struct sim *, struct err *);
void sim_account(struct sim *,
                 struct work_job *); /* its progress up to now, told to the observers */
void sim_recount_idle(struct sim *, struct work_job *);
void sim_set_state(struct sim *, struct work_job *,
                   enum work_state);            /* running, or pending again */
int64_t sim_work_rate(const struct work_job *); /* units of its work a millisecond */
bool sim_finish_job(struct sim *, struct work_job *,
                    struct err *); /* it has ended; its place is free */
/* How long it has yet to run, where the policy goes by that: it was stopped, or has become faster
 * or slower. */
bool sim_tell_progress(struct sim *, const struct work_job *, struct err *);
bool sim_restarted(
    struct sim *,
    struct work_job *); /* it has launched, unless something takes longer than was known */

/* release.c: tasks give their devices back. */
/* What sums know of a task: it takes what it holds (sign 1) or gives it back (-1); it is being
 * released from now on. */
void sim_hold(struct sim *, struct work_job *, const struct work_task *, int sign);
void sim_stop_running(struct sim *, struct work_job *, const struct work_task *);
void sim_take_back(struct sim *, struct work_job *); /* tasks that were to start now, but do not */
bool sim_release_due(struct sim *, struct work_job *, struct err *); /* those whose grace is over */
void sim_release_all(struct sim *,
                     struct work_job *); /* of a job that ends: no sum knows it any more */
void sim_account_released(struct sim *, const struct work_job *); /* at the end of the run */

void sim_drop_tasks(struct sim *, struct work_job *); /* gives all back; it is pending then */

/* fault_effects.c: faults strike, are detected and repaired. */
int64_t sim_next_fault(const struct sim *);
bool sim_strike(struct sim *, struct err *);
bool sim_detected(struct sim *, uint32_t trouble, struct err *);
bool sim_repaired(struct sim *, uint32_t trouble, struct err *);
bool sim_emptied(struct sim *, uint32_t node, struct err *);
bool sim_leaves_at(const struct sim *, const struct work_job *,
                   int64_t at_ms); /* what it stands on is reclaimed then */
void sim_freed_on(struct sim *, uint32_t node,
                  int64_t milli); /* a task of a node that takes no more gave them back */
bool sim_swapped(struct sim *, uint32_t node, struct err *); /* a spare node is ready */
bool sim_fail(struct sim *, struct work_job *,
              struct err *); /* it has done all it does before its own fault */
bool sim_fault_effects_audit(const struct sim *, struct err *);
void sim_fault_effects_free(struct sim *);

/*
 * spares.c: a node goes down, or is back: what changes in its reasons to drain. Returns true if the
 * spare node is still to step in now. Open: after the core was told of the nodes.
 */
bool sim_spares_open(struct sim *, struct err *);
void sim_spares_close(struct sim *);
int sim_spares_left(struct sim *, uint32_t node);
int sim_spares_back(struct sim *, uint32_t node);
bool sim_spares_steps_in(struct sim *, uint32_t node);
bool sim_spares_leave_room(const struct sim *, const struct work_job *,
                           struct err *); /* for its gang */
bool sim_spares_audit(const struct sim *, struct err *);

/*
 * elastic.c: nodes on demand. The run begins and ends; a decision; a node that was ordered is here;
 * spot capacity is taken back. Waits: some pool has more nodes than it keeps, so that giving them
 * back is still to come.
 */
bool sim_elastic_open(struct sim *, struct err *);
void sim_elastic_close(struct sim *);
bool sim_elastic_begin(struct sim *, struct err *);
void sim_elastic_finish(struct sim *);
bool sim_is_elastic(const struct sim *, uint32_t node);
bool sim_order_node(struct sim *, uint32_t node, struct err *);
bool sim_release_node(struct sim *, uint32_t node, struct err *);
bool sim_arrived(struct sim *, uint32_t node, struct err *);
bool sim_elastic_reclaimed(struct sim *, uint32_t node, struct err *);
bool sim_elastic_waits(const struct sim *);
bool sim_elastic_audit(const struct sim *, struct err *);

/* fault_effects.c: what a node on demand is from now on, with the core and the observers told. */
enum sim_node_presence { SIM_NODE_IS_THERE, SIM_NODE_IS_ORDERED, SIM_NODE_IS_OFF };
bool sim_switch_node(struct sim *, uint32_t node, enum sim_node_presence, struct err *);

/* runs.c: a job stands still; and loses its devices to a fault, or what it did with them. */
bool sim_hang(struct sim *, struct work_job *, struct err *);
bool sim_can_write(const struct sim *, const struct work_job *,
                   int64_t notice_ms); /* a last checkpoint, in time */
bool sim_last_write(struct sim *, struct work_job *, struct err *);
bool sim_is_struck(const struct sim_fault *, const struct work_task *, bool all_devices);

/* True if the job is one that shrinks, and a fault that stops its tasks on the nodes leaves it its
 * minimum. `pulled`: all tasks on these nodes, not only those that use the broken device. */
bool sim_may_shrink(const struct sim *, const struct work_job *, const struct sim_fault *,
                    bool pulled);

/* It loses these tasks, which are pending again, and the work since its last checkpoint, and
 * restarts with the others. */
bool sim_shrink(struct sim *, struct work_job *, const struct sim_fault *, bool pulled,
                struct err *);
bool sim_lose_tasks(struct sim *, struct work_job *, const struct sim_fault *, bool pulled,
                    struct err *);
bool sim_interrupt(struct sim *, struct work_job *, const struct sim_fault *, struct err *);

/*
 * Another speed from now on, in millionths of its ideal one, and of a linear speed-up with its
 * tasks: what it did until now was done at the one before.
 */
bool sim_set_speed(struct sim *, struct work_job *, int32_t ppm, int64_t scaling_ppm, struct err *);

/*
 * speed.c: speeds, where sim.speed is not NULL. A job that is new, with its model in names.models;
 * one whose place, or what slows it down there, may be another one; one that ends, before its tasks
 * are dropped. All are settled at once.
 */
bool sim_speed_open(struct sim *, struct err *);
void sim_speed_close(struct sim *);
/* Called before a job arrives, as the first may switch speeds on; then with the job; and with one
 * of the initial state. */
bool sim_speed_expect(struct sim *, const struct trace_job *, struct err *);
bool sim_speed_admit(struct sim *, const struct work_job *, const struct trace_job *, struct err *);
void sim_speed_initial(struct sim *,
                       const struct work_job *); /* its times are those of where it runs */
void sim_speed_note(struct sim *, const struct work_job *);
void sim_speed_leave(struct sim *, const struct work_job *);
bool sim_speed_settle(struct sim *, struct err *);
void sim_speed_narrow(struct sim *,
                      const struct sim_fault *); /* it takes bandwidth, or gives it back */
bool sim_speed_audit(const struct sim *, struct err *);

/* The same at once, where storage has its say in it. */
bool sim_set_pace(struct sim *, struct work_job *, int32_t ppm, int64_t scaling_ppm, struct err *);

/* runs.c: puts the job's end where it is now. */
bool sim_schedule(struct sim *, struct work_job *, struct err *);

/*
 * storage.c, where sim.storage is not NULL. How long a job writes a checkpoint that has everything
 * for itself; a job that is new, whose progress is set; one that ends. The speed that it has if its
 * data comes: true when storage sets it then. When it ends (and when its next step is noted), a
 * step of it, and whether one is out of date.
 */
bool sim_storage_open(struct sim *, struct err *);
void sim_storage_close(struct sim *);
int64_t sim_storage_write_ms(const struct sim *, const struct work_job *, int64_t otherwise);
bool sim_storage_admit(struct sim *, struct work_job *, const struct trace_job *, struct err *);
void sim_storage_leave(struct sim *, const struct work_job *);
bool sim_storage_pace(struct sim *, struct work_job *, int32_t ppm, int64_t scaling_ppm);
int64_t sim_storage_due(struct sim *, const struct work_job *);
bool sim_storage_step(struct sim *, struct work_job *, struct err *);
bool sim_storage_is_stale(const struct sim *, const struct event *);
bool sim_storage_settle(struct sim *, struct err *);
void sim_storage_finish(struct sim *); /* all is counted until now */
bool sim_storage_audit(const struct sim *, struct err *);

/* Stands still for want of device memory from now on, or no longer. */
bool sim_starve(struct sim *, struct work_job *, bool starved, struct err *);

/*
 * gpu_memory.c, where sim.memory is not NULL: what tasks hold of devices that they share. Changes
 * what is asked of the core for a job that has a limit; a job that is new; a task that takes or
 * gives its devices; a job that begins to run; an event of its own, and whether one is out of date.
 * All are settled at once.
 */
bool sim_memory_open(struct sim *, struct err *);
void sim_memory_close(struct sim *);
bool sim_memory_request(const struct sim *, const struct trace_job *, struct policy_request *,
                        struct err *);
void sim_memory_admit(struct sim *, const struct work_job *, const struct trace_job *);
void sim_memory_take(struct sim *, const struct work_job *, const struct work_task *);
void sim_memory_give(struct sim *, const struct work_job *, const struct work_task *);
void sim_memory_begin(struct sim *, const struct work_job *);
void sim_memory_due(struct sim *, uint32_t job);
bool sim_memory_is_stale(const struct sim *, const struct event *);
bool sim_memory_settle(struct sim *, struct err *);
bool sim_memory_audit(const struct sim *, struct err *);

/*
 * fault_effects.c: what faults leave a job of its speed, in millionths; those left out that the
 * network model accounts for. And what these leave of an uplink, or of the NICs of a node; above 0.
 */
int64_t sim_slow_ppm(const struct sim *, const struct work_job *);
int32_t sim_left_ppm(const struct sim *, bool uplink, uint32_t id);

/* A call into the core that must not fail. */
/* planned.c: what the calendar has in force when the run begins, the time of the next change, and
 * what changes now. A queue is noted as it was configured before the core hears of it. */
void sim_planned_queue(struct sim *, uint32_t id);
bool sim_planned_begin(struct sim *, struct err *);
int64_t sim_planned_next(const struct sim *);
bool sim_planned_act(struct sim *, struct err *);
void sim_planned_close(struct sim *);

bool sim_core_ok(struct sim *, int status, struct err *);

/* setup.c: what the core has to know of a MIG profile, and of the levels of the fabric, before
 * anything refers to it. */
bool sim_tell_profile(struct sim *, int profile, struct err *);
bool sim_tell_topology(struct sim *, struct err *);

/* activity.c: what jobs do with their devices, told to the core where it ends idle ones. */
bool sim_activity_begin(struct sim *, const struct work_job *, struct err *);
bool sim_activity_due(struct sim *, const struct work_job *, struct err *);
int64_t sim_activity_length(const struct sim *, const struct work_job *,
                            uint32_t phase); /* of a session, ms */

/* Every invariant that can be seen from here and inside the core. */
bool sim_audit(struct sim *, struct err *);
bool sim_audit_queues(const struct sim *,
                      struct err *); /* audit_queues.c: of these, what is about queues */

#endif
