/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the driver's source files. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "sim/sim.h"
#include "sim/unsettled.h"

/* Calls one function on every observer that has it: SIM_TELL(sim, started, sim, job). */
#define SIM_TELL(sim, event, ...)                                                                  \
    do {                                                                                           \
        for (uint32_t i_ = 0; i_ < (sim)->heard.event.count; i_++) {                               \
            const struct sim_observer *o_ = &(sim)->config.observers[(sim)->heard.event.who[i_]];  \
            o_->event(o_->self, __VA_ARGS__);                                                      \
        }                                                                                          \
    } while (0)

/* sites.c: groups pools into sites, from the queues' bindings */
void sim_sites_build(struct sim *);
void sim_sites_free(struct sim *);

/* Lists the queue among those that changed since the site's interval began; after sim_touch(). */
void sim_alter(struct sim *, uint32_t queue);

/* Closes the site's interval at the current time, before its state changes; at most once per
 * instant. */
void sim_touch(struct sim *, uint32_t site);

/* queues.c */
bool sim_queues_add_all(struct sim *, struct err *);
bool sim_queue_tell(struct sim *, uint32_t id, int32_t kind,
                    struct err *); /* FACT_QUEUE_ADD or FACT_QUEUE_SET */
bool sim_queue_for(struct sim *, uint32_t name, uint32_t *queue, struct err *);

/* admit.c: submits an arrival to the core. Returns NULL with err set if it cannot be simulated. */
struct work_job *sim_admit(struct sim *, const struct trace_job *, struct err *);
struct work_job *sim_admit_as(struct sim *, const struct trace_job *, uint64_t number,
                              struct err *);

/*
 * The steps of sim_admit() shared with initial jobs (initial_jobs.c): what each task requests
 * (profile: 1 + its index, 0 none); the submission to the core, once queue, rank, user and
 * estimates are set in the spec (POLICY_NO_ID: refused); and the job that the core then knows.
 */
struct sim_newcomer {
    const struct trace_job *from;
    policy_job core;
    uint64_t number;
    uint32_t queue; /* in sim.queues */
    enum trace_class class;
    bool fails; /* by itself, at the end of from->duration_ms */
    bool preemptible;
    bool aside;   /* can never start (fits.h) */
    bool counted; /* measured although it was submitted before the window began */
    int32_t priority;
    struct policy_constraint topology;
    const struct policy_role *roles; /* as submitted to the core */
    uint32_t role_count;
    struct work_request request; /* of the first task */
    struct work_part *parts;     /* ownership moves to the job, as that of the groups */
    uint32_t part_count;
    struct work_group *groups;
    uint32_t group_count;
};
/* The constraint that names levels of the fabric, "" none; a preference is dropped if the policy
 * has no topologies. */
bool sim_ask_near(struct sim *, const char *required, const char *preferred,
                  struct policy_constraint *, struct err *);
struct work_request sim_request_from(const struct sim *, const struct policy_request *,
                                     int32_t profile);
policy_job sim_tell_job(struct sim *, const struct trace_job *, uint64_t number, uint32_t queue,
                        struct policy_job_spec *);
struct work_job *sim_take_in(struct sim *, const struct sim_newcomer *, struct err *);

/* initial_jobs.c: adds everything that config.initial_state supplies when the run begins */
bool sim_initial_begin(struct sim *, struct err *);

/*
 * dependencies.c, where sim.dependencies is not NULL: an arrival that may have to be held; a job of
 * a closed run, all of which are read before it begins; the jobs due now; a job that ended.
 */
void sim_dependencies_open(struct sim *);
void sim_dependencies_close(struct sim *);
bool sim_dependencies_arrive(struct sim *, const struct trace_job *, struct err *);
bool sim_dependencies_load(struct sim *, const struct trace_job *, struct err *);
bool sim_dependencies_release(struct sim *, struct err *);
void sim_dependencies_initial(struct sim *,
                              const struct work_job *); /* other jobs may depend on it */
void sim_dependencies_ended(struct sim *, const struct work_job *);
void sim_dependencies_finish(struct sim *);
bool sim_dependencies_audit(const struct sim *, struct err *);

/*
 * rungs.c: a new job whose progress is set (sim.rungs is not NULL, or the job has rungs); a job
 * that reached a rung. All jobs that end or reach a rung at one instant are judged together
 * (sim.rungs is not NULL).
 */
bool sim_rungs_admit(struct sim *, struct work_job *, const struct trace_job *, struct err *);
void sim_rungs_reach(struct sim *, struct work_job *);
bool sim_rungs_judge(struct sim *, struct err *);
bool sim_rungs_audit(const struct sim *, struct err *);
void sim_rungs_close(struct sim *);

/* reported.c: the core's decisions, for the recorder */
void sim_report_decisions(const struct sim *, const struct policy_decision *, size_t count);

/* Called around each use of the core, which may be timed. */
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

/* settling.c: before decisions are carried out, checks that they come to an end; see
 * sim/unsettled.h */
bool sim_settles(struct sim *, const struct policy_decision *, size_t count, struct err *);

/* enact.c: the id of a job known to the core, or NULL; `sim` is a struct sim */
const char *sim_job_name(void *sim, policy_job);

/* enact.c: asks the core and carries out its decisions; sim_enact() carries out decisions of any
 * origin */
bool sim_decide(struct sim *, struct err *);
bool sim_enact(struct sim *, const struct policy_decision *, size_t count, struct err *);

/*
 * The task (its node, number and release_ms are set) takes its devices and joins the job's tasks,
 * running or being released. Returns false if the fleet does not have the devices.
 */
bool sim_take_devices(struct sim *, struct work_job *, struct work_task *, struct err *);

/* runs.c: effects of decisions on jobs. Call sim_change() before a job's tasks change, and
 * sim_settle() after all of them have. */
void sim_change(struct sim *, struct work_job *);
bool sim_settle(struct sim *, struct err *);
void sim_account(struct sim *, struct work_job *); /* brings its progress up to date and reports it
                                                      to the observers */
void sim_recount_idle(struct sim *, struct work_job *);
void sim_set_state(struct sim *, struct work_job *,
                   enum work_state);            /* to running, or to pending */
int64_t sim_work_rate(const struct work_job *); /* units of work per millisecond */
bool sim_finish_job(struct sim *, struct work_job *,
                    struct err *); /* it has ended; its slot is freed */
/*
 * Reports the remaining run time if the policy uses it: the job was stopped, or its speed changed.
 */
bool sim_tell_progress(struct sim *, const struct work_job *, struct err *);
bool sim_restarted(
    struct sim *,
    struct work_job *); /* it has launched, unless something takes longer than expected */

/* release.c: tasks release their devices */
/*
 * Adds (sign 1) or removes (-1) what the task holds from all sums; the task is now being released.
 */
void sim_hold(struct sim *, struct work_job *, const struct work_task *, int sign);
void sim_stop_running(struct sim *, struct work_job *, const struct work_task *);
void sim_take_back(struct sim *, struct work_job *); /* tasks that were about to start, but will
                                                        not */
bool sim_release_due(struct sim *, struct work_job *, struct err *); /* tasks whose grace period
                                                                        has ended */
void sim_release_all(struct sim *,
                     struct work_job *); /* of a job that ends: removes it from all sums */
void sim_account_released(struct sim *, const struct work_job *); /* at the end of the run */

void sim_drop_tasks(struct sim *, struct work_job *); /* releases everything; the job is then
                                                         pending */

/* fault_effects.c: faults strike, are detected and repaired */
int64_t sim_next_fault(const struct sim *);
bool sim_strike(struct sim *, struct err *);
bool sim_detected(struct sim *, uint32_t trouble, struct err *);
bool sim_repaired(struct sim *, uint32_t trouble, struct err *);
bool sim_tested(struct sim *, uint32_t trouble, struct err *); /* a test begins or ends */
bool sim_emptied(struct sim *, uint32_t node, struct err *);
bool sim_leaves_at(const struct sim *, const struct work_job *,
                   int64_t at_ms); /* its node is reclaimed at that time */
void sim_freed_on(struct sim *, uint32_t node,
                  int64_t milli); /* a task on a draining node released them */
bool sim_swapped(struct sim *, uint32_t node, struct err *); /* a spare node is ready */
bool sim_fail(struct sim *, struct work_job *,
              struct err *); /* it has done all its work before its own fault */
bool sim_fault_effects_audit(const struct sim *, struct err *);
void sim_fault_effects_free(struct sim *);

/*
 * spares.c: a node goes down or returns, which changes its reasons to drain. Returns true if its
 * spare node is still to step in. Open: after the core knows the nodes.
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
 * elastic.c: nodes on demand. The run begins and ends; a decision; an ordered node arrives; spot
 * capacity is reclaimed. Pending: some pool has more nodes than its minimum, which are still to be
 * released.
 */
bool sim_elastic_open(struct sim *, struct err *);
void sim_elastic_close(struct sim *);
bool sim_elastic_begin(struct sim *, struct err *);
void sim_elastic_finish(struct sim *);
bool sim_is_elastic(const struct sim *, uint32_t node);
bool sim_order_node(struct sim *, uint32_t node, struct err *);
bool sim_release_node(struct sim *, uint32_t node, struct err *);
bool sim_arrived(struct sim *, uint32_t node, struct err *);
bool sim_add_node(struct sim *, uint32_t node, int64_t warmup_ms, struct err *); /* planned */
bool sim_elastic_reclaimed(struct sim *, uint32_t node, struct err *);
bool sim_elastic_waits(const struct sim *);
int64_t sim_elastic_in_vain(const struct sim *); /* after that time no order is to come for jobs
                                                    that are pending now, and none that runs */
bool sim_elastic_audit(const struct sim *, struct err *);

/* fault_effects.c: sets the presence of a node on demand, and informs the core and the observers */
enum sim_node_presence { SIM_NODE_IS_THERE, SIM_NODE_IS_ORDERED, SIM_NODE_IS_OFF, SIM_NODE_LEAVES };
bool sim_switch_node(struct sim *, uint32_t node, enum sim_node_presence, struct err *);

/* runs.c: a job hangs; a job loses its devices to a fault, or the work done on them */
bool sim_hang(struct sim *, struct work_job *, struct err *);
bool sim_can_write(const struct sim *, const struct work_job *,
                   int64_t notice_ms); /* a last checkpoint, finished in time */
bool sim_last_write(struct sim *, struct work_job *, struct err *);
bool sim_is_struck(const struct sim_fault *, const struct work_task *, bool all_devices);

/* Returns true if the job shrinks on faults and keeps its minimum when the fault stops its tasks on
 * the nodes. `pulled`: all tasks on these nodes stop, not only those on the broken device. */
bool sim_may_shrink(struct sim *, struct work_job *, const struct sim_fault *, bool pulled);

/* The job loses these tasks, which are pending again, and its work since the last checkpoint, and
 * restarts with the others. */
bool sim_shrink(struct sim *, struct work_job *, const struct sim_fault *, bool pulled,
                struct err *);
bool sim_lose_tasks(struct sim *, struct work_job *, const struct sim_fault *, bool pulled,
                    struct err *);
bool sim_interrupt(struct sim *, struct work_job *, const struct sim_fault *, struct err *);

/*
 * Sets the speed from now on, in millionths of the ideal speed and of a linear speed-up with the
 * number of tasks. Work up to now was done at the previous speed.
 */
bool sim_set_speed(struct sim *, struct work_job *, int32_t ppm, int64_t scaling_ppm, struct err *);

/*
 * speed.c: speeds, where sim.speed is not NULL. A new job, with its model in names.models; a job
 * whose placement or slowdown may have changed; a job that ends, before its tasks are dropped. All
 * are settled together.
 */
bool sim_speed_open(struct sim *, struct err *);
void sim_speed_close(struct sim *);
/* Called before a job arrives, since the first job with a model enables speeds; then with the job;
 * and with a job of the initial state. */
bool sim_speed_expect(struct sim *, const struct trace_job *, struct err *);
bool sim_speed_admit(struct sim *, const struct work_job *, const struct trace_job *, struct err *);
void sim_speed_initial(struct sim *, const struct work_job *); /* its durations are those of the
                                                                  nodes where it runs */
void sim_speed_note(struct sim *, const struct work_job *);
void sim_speed_leave(struct sim *, const struct work_job *);
bool sim_speed_settle(struct sim *, struct err *);
void sim_speed_narrow(struct sim *,
                      const struct sim_fault *); /* it takes bandwidth, or returns it */
bool sim_speed_audit(const struct sim *, struct err *);

/* Sets the speed at once, where storage limits it */
bool sim_set_pace(struct sim *, struct work_job *, int32_t ppm, int64_t scaling_ppm, struct err *);

/* runs.c: updates the event of the job's end */
bool sim_schedule(struct sim *, struct work_job *, struct err *);

/*
 * storage.c, where sim.storage is not NULL. The time of a checkpoint without contention; a new job
 * whose progress is set; a job that ends; the speed if its data arrives in time (returns true if
 * storage sets the speed); when the job ends and its next step is scheduled; a step; and whether a
 * step is outdated.
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
void sim_storage_finish(struct sim *); /* everything is accounted for up to now */
bool sim_storage_audit(const struct sim *, struct err *);

/* The job stalls for want of device memory from now on, or no longer. */
bool sim_starve(struct sim *, struct work_job *, bool starved, struct err *);

/*
 * gpu_memory.c, where sim.memory is not NULL: what tasks hold of shared devices. Adjusts the
 * request of a job with a memory limit; a new job; a task that takes or releases its devices; a job
 * that begins to run; an event, and whether it is outdated. All are settled together.
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
 * fault_effects.c: the share of its speed that faults leave a job, in millionths, without those
 * that the network model covers; and the share of an uplink or of a node's NICs that these leave.
 * Positive.
 */
int64_t sim_slow_ppm(const struct sim *, const struct work_job *);
int32_t sim_left_ppm(const struct sim *, bool uplink, uint32_t id);

/* A call into the core that must not fail. */
/* planned.c: changes in force when the run begins, the time of the next change, and the changes due
 * now. A queue's configured terms are recorded before the core learns of the queue. */
void sim_planned_queue(struct sim *, uint32_t id);
bool sim_planned_begin(struct sim *, struct err *);
int64_t sim_planned_next(const struct sim *);
bool sim_planned_act(struct sim *, struct err *);
void sim_planned_close(struct sim *);

/*
 * planned_nodes.c: nodes that come and go by the calendar. Sets all pools to the nodes in force; a
 * node that is removed has no tasks left; the time has come to take a node, or for an added node to
 * accept jobs; the job runs on a node that is taken at that time.
 */
bool sim_planned_nodes(struct sim *, struct err *);
bool sim_planned_emptied(struct sim *, uint32_t node, struct err *);
bool sim_planned_taken(struct sim *, uint32_t node, struct err *);
bool sim_planned_leaves_at(const struct sim *, const struct work_job *, int64_t at_ms);

bool sim_core_ok(struct sim *, int status, struct err *);

/* setup.c: adds a MIG profile, or the levels of the fabric, to the core before anything refers to
 * them */
bool sim_tell_profile(struct sim *, int profile, struct err *);
bool sim_tell_topology(struct sim *, struct err *);

/* activity.c: how much jobs use their devices, reported to the core if it evicts idle jobs */
bool sim_activity_begin(struct sim *, const struct work_job *, struct err *);
bool sim_activity_due(struct sim *, const struct work_job *, struct err *);
int64_t sim_activity_length(const struct sim *, const struct work_job *,
                            uint32_t phase); /* of a session, in ms */

/* Checks every invariant visible here and inside the core. */
bool sim_audit(struct sim *, struct err *);
bool sim_audit_queues(const struct sim *, struct err *); /* audit_queues.c: the part about queues */

#endif
