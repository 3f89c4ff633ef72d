/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions of all metrics. W is the measurement window after warm-up; I, V, A, R and P are the
 * installed, available, allocated, running and productive GPU-hours in it.
 */
#include "report/words/metric_rows.h"

#include <stdbool.h>
#include <string.h>

static const struct metric_row rows[] = {
    {"jobs.submitted", "count", "Jobs submitted in W.", METRIC_NEUTRAL},
    {"jobs.completed", "count", "Jobs that ran to their end.", METRIC_HIGHER},
    {"jobs.stopped", "count",
     "Jobs stopped early at a rung of their array; their work counts as completed. Only with "
     "arrays that have rungs.",
     METRIC_NEUTRAL},
    {"jobs.failed", "count", "Jobs that failed by themselves, as recorded in the trace.",
     METRIC_NEUTRAL},
    {"jobs.cancelled", "count", "Jobs cancelled by their user, as recorded in the trace.",
     METRIC_NEUTRAL},
    {"jobs.running", "count", "Jobs still running when the simulation stopped.", METRIC_NEUTRAL},
    {"jobs.pending", "count", "Jobs still pending when the simulation stopped.", METRIC_LOWER},
    {"jobs.never_fits", "count",
     "Jobs that no policy can start because they do not fit the empty fleet: too large for it, "
     "for the pools of their queue or for a domain of the topology level that they require, or "
     "they need a GPU type, CPU or memory that no node has. They are set aside and do not count in "
     "waits; a job that is larger than its queue's limit or quota waits.",
     METRIC_LOWER},
    {"makespan_s", "s",
     "From the first submission to the last end. Meaningful for closed batches only.",
     METRIC_LOWER},

    {"utilization.availability", "ratio",
     "V / I: share of the installed GPU-hours that were healthy and not drained.", METRIC_HIGHER},
    {"utilization.allocation", "ratio", "A / V: share of the available GPU-hours that jobs held.",
     METRIC_HIGHER},
    {"utilization.occupancy", "ratio",
     "R / A: share of the allocated GPU-hours in which jobs ran, without launch, restore and "
     "waiting for a gang.",
     METRIC_HIGHER},
    {"utilization.goodput_ratio", "ratio",
     "P / R: share of the running GPU-hours that counted, without lost work, checkpoints, failed "
     "jobs and slowdown.",
     METRIC_HIGHER},
    {"utilization.fleet_goodput", "ratio",
     "P / I: productive share of everything installed; the product of the four ratios above.",
     METRIC_HIGHER},
    {"utilization.sm", "ratio",
     "Sum of GPU x utilization x active share over A; only where the workload carries utilization.",
     METRIC_HIGHER},

    {"gpu_hours.installed", "GPU-h", "I: all GPUs of the fleet over W.", METRIC_NEUTRAL},
    {"gpu_hours.available", "GPU-h", "V: those healthy and not drained.", METRIC_HIGHER},
    {"gpu_hours.allocated", "GPU-h",
     "A: those held by jobs. A MIG instance counts its compute slices as sevenths of a GPU.",
     METRIC_HIGHER},
    {"gpu_hours.running", "GPU-h", "R: A without launch, restore and waiting for a gang.",
     METRIC_HIGHER},
    {"gpu_hours.productive", "GPU-h",
     "P: R without lost work, checkpoint writes, work of jobs that failed in the end, and slowdown "
     "against the best placement on the nodes that jobs had.",
     METRIC_HIGHER},
    {"gpu_hours.work", "GPU-h",
     "The work done in P, in GPU-hours of the hardware that jobs were recorded on "
     "(workload.recorded_on): equal to P if all jobs ran on it, more on faster devices. The same "
     "work on any fleet.",
     METRIC_HIGHER},
    {"gpu_hours.lost.failure", "GPU-h",
     "Work since the last checkpoint that a hardware failure, or the end of a process for its "
     "device memory, undid, and time for which jobs hung before a failure was noticed. All losses "
     "together are exactly I - P.",
     METRIC_LOWER},
    {"gpu_hours.lost.preemption", "GPU-h",
     "Work since the last checkpoint that a preemption undid.", METRIC_LOWER},
    {"gpu_hours.lost.checkpoint", "GPU-h", "Time in which jobs stood still to write checkpoints.",
     METRIC_LOWER},
    {"gpu_hours.lost.restart", "GPU-h", "Restore and warm-up after an interruption.", METRIC_LOWER},
    {"gpu_hours.lost.startup", "GPU-h",
     "Held by tasks that did not run: startup (image, model, engine), waiting until the gang is "
     "whole again or for device memory, the grace of evicted tasks.",
     METRIC_LOWER},
    {"gpu_hours.lost.user", "GPU-h",
     "Work of jobs that failed in the end through no fault of the fleet.", METRIC_LOWER},
    {"gpu_hours.lost.slowdown", "GPU-h",
     "Running slower than on the best placement on the kind of node that the job had: because of "
     "where jobs ran, what they shared, late data, swapping, or a fault (`network`, `storage`, "
     "`gpu_memory`, `faults`).",
     METRIC_LOWER},
    {"gpu_hours.lost.idle_fragmented", "GPU-h",
     "Idle, fragmented: enough GPUs were free for a pending job, but in the wrong pieces.",
     METRIC_LOWER},
    {"gpu_hours.lost.idle_blocked", "GPU-h",
     "Idle, held back: jobs were pending for another reason: they want more than is free, or the "
     "policy holds them back (order, quota, limit).",
     METRIC_LOWER},
    {"gpu_hours.lost.idle_no_demand", "GPU-h", "Idle, no demand: no pending job wanted these GPUs.",
     METRIC_NEUTRAL},
    {"gpu_hours.lost.drained", "GPU-h", "Taken out of service on purpose.", METRIC_LOWER},
    {"gpu_hours.lost.down", "GPU-h", "Down for repair.", METRIC_LOWER},
    {"gpu_hours.lost.reclaimed", "GPU-h",
     "Spot capacity that its owner reclaimed; only where a pool is spot capacity.", METRIC_LOWER},

    {"deadlines.jobs", "count",
     "Jobs submitted in W that have a deadline (column deadline_s), without those that never fit "
     "or were cancelled before they could start.",
     METRIC_NEUTRAL},
    {"deadlines.met", "count", "Jobs that ended in time, with any result.", METRIC_HIGHER},
    {"deadlines.missed", "count",
     "Jobs that ended late, or had not ended when the simulation stopped after the deadline.",
     METRIC_LOWER},
    {"deadlines.met_share", "ratio",
     "Met over met and missed. The orders edf and edf-preemptive use deadlines.", METRIC_HIGHER},
    {"deadlines.lateness_s", "s",
     "How long after their deadline these jobs ended, 0 for those that met it. Mean and "
     "percentiles; those that had not ended contribute a lower bound.",
     METRIC_LOWER},

    {"changes.applied", "count",
     "Changes of queues that took effect as planned (key events); only where some are planned.",
     METRIC_NEUTRAL},
    {"changes.quota_cuts", "count", "Changes that cut a GPU quota.", METRIC_NEUTRAL},
    {"changes.over_cut_quota_gpu_h", "GPU-h",
     "Held by running jobs above a GPU quota that was cut, from the cut on until the queue is "
     "within "
     "its quota again.",
     METRIC_LOWER},
    {"changes.back_within_quota_s", "s",
     "Time from a cut until the queue's running jobs are within its quota again. Mean and "
     "percentiles; queues that are still above it contribute a lower bound.",
     METRIC_LOWER},

    {"drain.length_s", "s",
     "Time simulated after W, until the jobs submitted in W had ended. No other figure of time or "
     "cost includes it.",
     METRIC_NEUTRAL},
    {"drain.jobs", "count",
     "Of the jobs submitted in W: ended in the drain. They count in waits and completion times "
     "like any other job.",
     METRIC_NEUTRAL},
    {"drain.available_gpu_h", "GPU-h", "GPUs in service over the drain.", METRIC_NEUTRAL},
    {"drain.allocated_gpu_h", "GPU-h", "Those held by jobs.", METRIC_NEUTRAL},
    {"drain.allocation", "ratio", "Share of the available GPU-hours of the drain that jobs held.",
     METRIC_NEUTRAL},

    {"storage.models_gb", "GB",
     "Models that were loaded in W from storage that jobs share (`storage`).", METRIC_NEUTRAL},
    {"storage.restored_gb", "GB", "Checkpoints that were read from it at restarts.",
     METRIC_NEUTRAL},
    {"storage.written_gb", "GB",
     "Checkpoints written to it, unfinished ones too; without those in the grace period of an "
     "eviction.",
     METRIC_NEUTRAL},
    {"storage.data_gb", "GB", "Data that training read, from it or from caches.", METRIC_NEUTRAL},
    {"storage.cached_gb", "GB", "The part read from the caches of the nodes.", METRIC_NEUTRAL},
    {"storage.read_use", "ratio", "Mean use of the read bandwidth; null where it is unlimited.",
     METRIC_NEUTRAL},
    {"storage.write_use", "ratio", "The same for the write bandwidth.", METRIC_NEUTRAL},
    {"storage.input_lost_gpu_h", "GPU-h",
     "Of gpu_hours.lost.slowdown: because data arrived more slowly than jobs could process it.",
     METRIC_LOWER},
    {"startup.gpu_h", "GPU-h",
     "Of gpu_hours.lost.startup: time in which jobs started up. Only where the scenario has "
     "`startup`.",
     METRIC_LOWER},
    {"startup.hold_gpu_h", "GPU-h",
     "The rest: waiting for a gang or for device memory, and the grace of evicted tasks.",
     METRIC_LOWER},

    {"wait_s", "s",
     "From eligible (submitted, begin time reached, dependencies met) to first start. Percentiles "
     "are nearest-rank; with jobs still pending (counted in 'censored') they are Kaplan-Meier "
     "estimates, and a quantile that is not reached is null with its lower bound in "
     "'..._at_least'.",
     METRIC_LOWER},
    {"wait_s.censored", "count",
     "Jobs that had not started when the simulation stopped: their waits are lower bounds. Those "
     "that never fit are not among them.",
     METRIC_LOWER},
    {"wait_gpu_h_weighted_s", "s",
     "Mean of wait_s with every job weighted by its ideal GPU-hours; null with a lower bound while "
     "jobs are still pending.",
     METRIC_LOWER},
    {"queue_s", "s", "All time spent pending, after preemptions and failures too.", METRIC_LOWER},
    {"queue_s.censored", "count", "Jobs that were pending when the simulation stopped.",
     METRIC_LOWER},
    {"jct_s", "s", "Job completion time: from submission to end.", METRIC_LOWER},
    {"jct_s.censored", "count", "Jobs that had not ended when the simulation stopped.",
     METRIC_LOWER},
    {"bounded_slowdown", "ratio",
     "max(1, completion time / max(ideal run time, tau)); tau_s is tau. Mean, geometric mean "
     "(gmean) and percentiles.",
     METRIC_LOWER},
    {"bounded_slowdown.tau_s", "s",
     "tau: run times below it count as tau, so that short jobs do not dominate.", METRIC_NEUTRAL},
    {"by_class.*.jobs", "count", "Jobs of one class.", METRIC_NEUTRAL},
    {"by_class.*.wait_s", "s", "wait_s of one class of jobs.", METRIC_LOWER},
    {"by_class.*.wait_s.censored", "count", "wait_s.censored of the jobs of one class.",
     METRIC_LOWER},
    {"by_class.*.jct_s", "s", "jct_s of one class of jobs.", METRIC_LOWER},
    {"by_class.*.jct_s.censored", "count", "jct_s.censored of the jobs of one class.",
     METRIC_LOWER},
    {"by_size.*.jobs", "count", "Jobs of one size in GPUs: 0, <1, 1, 2-7, 8, 9-63, 64-511, 512+.",
     METRIC_NEUTRAL},
    {"by_size.*.wait_s", "s", "wait_s of the jobs of one size.", METRIC_LOWER},
    {"by_size.*.wait_s.censored", "count", "wait_s.censored of the jobs of one size.",
     METRIC_LOWER},
    {"by_size.*.jct_s", "s", "jct_s of the jobs of one size.", METRIC_LOWER},
    {"by_size.*.jct_s.censored", "count", "jct_s.censored of the jobs of one size.", METRIC_LOWER},

    {"by_queue.*.jobs", "count",
     "Jobs of one queue. METRIC{queue=NAME} stands for by_queue.NAME.METRIC, or for "
     "fairness.queues.NAME if METRIC is one of fairness.",
     METRIC_NEUTRAL},
    {"by_queue.*.completed", "count", "jobs.completed of one queue.", METRIC_HIGHER},
    {"by_queue.*.wait_s", "s", "wait_s of the jobs of one queue.", METRIC_LOWER},
    {"by_queue.*.wait_s.censored", "count", "wait_s.censored of the jobs of one queue.",
     METRIC_LOWER},
    {"by_queue.*.queue_s", "s", "queue_s of the jobs of one queue.", METRIC_LOWER},
    {"by_queue.*.queue_s.censored", "count", "queue_s.censored of the jobs of one queue.",
     METRIC_LOWER},
    {"by_queue.*.jct_s", "s", "jct_s of the jobs of one queue.", METRIC_LOWER},
    {"by_queue.*.jct_s.censored", "count", "jct_s.censored of the jobs of one queue.",
     METRIC_LOWER},
    {"by_queue.*.bounded_slowdown", "ratio", "bounded_slowdown of the jobs of one queue.",
     METRIC_LOWER},
    {"by_queue.*.bounded_slowdown.censored", "count",
     "Always 0: only jobs that have ended have a slowdown.", METRIC_NEUTRAL},
    {"by_queue.*.utilization.occupancy", "ratio",
     "utilization.occupancy of the GPU-hours held by the jobs of one queue.", METRIC_HIGHER},
    {"by_queue.*.utilization.goodput_ratio", "ratio",
     "utilization.goodput_ratio of the running GPU-hours of one queue.", METRIC_HIGHER},
    {"by_queue.*.gpu_hours.allocated", "GPU-h",
     "Held by the jobs of one queue; all queues together are gpu_hours.allocated.", METRIC_HIGHER},
    {"by_queue.*.gpu_hours.running", "GPU-h", "gpu_hours.running of one queue.", METRIC_HIGHER},
    {"by_queue.*.gpu_hours.productive", "GPU-h", "gpu_hours.productive of one queue.",
     METRIC_HIGHER},
    {"by_queue.*.gpu_hours.work", "GPU-h", "gpu_hours.work of one queue.", METRIC_HIGHER},
    {"by_queue.*.gpu_hours.lost", "GPU-h",
     "gpu_hours.lost of the jobs of one queue: failure, preemption, checkpoint, restart, startup, "
     "user, slowdown. Idle time belongs to no queue.",
     METRIC_LOWER},
    {"by_queue.*.preemption.evictions", "count", "preemption.evictions of the jobs of one queue.",
     METRIC_LOWER},
    {"by_queue.*.preemption.tasks", "count", "preemption.tasks of the jobs of one queue.",
     METRIC_LOWER},
    {"by_queue.*.preemption.jobs", "count", "preemption.jobs of one queue.", METRIC_LOWER},
    {"by_queue.*.preemption.moves", "count", "preemption.moves of the jobs of one queue.",
     METRIC_LOWER},
    {"by_queue.*.preemption.lost_gpu_h", "GPU-h", "preemption.lost_gpu_h of the jobs of one queue.",
     METRIC_LOWER},

    {"fairness.jain", "ratio",
     "Jain's index (sum x)^2 / (n sum x^2) of x = used / entitled over the queues with demand; 1 "
     "is even, 1/n is one queue alone.",
     METRIC_HIGHER},
    {"fairness.gini", "ratio", "Gini coefficient of the same x; 0 is even.", METRIC_LOWER},
    {"fairness.jain_dominant", "ratio",
     "Jain's index of the queues' dominant_share, over the queues with demand.", METRIC_HIGHER},
    {"fairness.min_share", "ratio",
     "The smallest x: how the worst-served queue fared. Jain and Gini are blind to scale, this is "
     "not.",
     METRIC_HIGHER},
    {"fairness.share_deficit_gpu_h", "GPU-h",
     "Sum over queues of the integral of max(0, entitlement - use): GPU-hours that queues were "
     "owed.",
     METRIC_LOWER},
    {"fairness.quota_satisfaction", "ratio",
     "Share of the time with demand in which a queue had at least min(quota, demand).",
     METRIC_HIGHER},
    {"fairness.reclaim_p95_s", "s",
     "Time until a request within the quota of its queue is granted, 95th percentile.",
     METRIC_LOWER},
    {"fairness.reclaim_p50_s", "s", "The same, median.", METRIC_LOWER},
    {"fairness.rho", "ratio",
     "Finish-time fairness (Themis): completion time over completion time when the queue is alone "
     "on its own slice of the fleet: its quota, and by weight its part of what quotas leave, if "
     "every queue with jobs wanted all it can get (1/N without quotas). Mean, nearest-rank p95 and "
     "max over the jobs that ended; a job that its slice cannot hold would take its ideal run time "
     "x GPUs / slice. With `--rho` or metrics.rho only: each queue is simulated once more, alone, "
     "with the same seeds.",
     METRIC_LOWER},
    {"fairness.rho.share_above_1", "ratio",
     "Share of these jobs that ended later than they would have alone: they lost time by sharing.",
     METRIC_LOWER},
    {"fairness.rho.jobs", "count",
     "Jobs with a rho: those that ended, of queues that have a slice.", METRIC_NEUTRAL},
    {"fairness.rho.beyond_slice", "count", "Jobs too large for their slice.", METRIC_NEUTRAL},
    {"fairness.quotas_exceed", "text",
     "Quotas that exceed capacity: those of the top-level queues together exceed the fleet (what: "
     "fleet), those below a queue exceed its own (parent), a queue's exceeds its pools (pools), or "
     "those by pool together exceed a pool (by_pool). Only if there are any.",
     METRIC_NEUTRAL},
    {"fairness.pools.*.gpus", "count",
     "Devices of a group of pools that share quotas (`queues[].gpu.by_pool`); of elastic pools at "
     "most.",
     METRIC_NEUTRAL},
    {"fairness.pools.*.quota_gpu_h", "GPU-h",
     "Integral of the quotas in the pools. A queue without quotas by pool counts its quota first "
     "where its jobs run.",
     METRIC_NEUTRAL},
    {"fairness.pools.*.entitled_gpu_h", "GPU-h",
     "Integral of the entitlements in the pools: the policy's division of them, if it makes one, "
     "else max-min by weight, quotas guaranteed; pending work counts wherever it may run.",
     METRIC_NEUTRAL},
    {"fairness.pools.*.used_gpu_h", "GPU-h", "Integral of what runs in the pools.", METRIC_NEUTRAL},
    {"fairness.pools.*.over_quota_gpu_h", "GPU-h",
     "The part of it above the quotas that its queues have there.", METRIC_NEUTRAL},
    {"fairness.pools.*.share", "ratio", "Used / entitled.", METRIC_HIGHER},
    {"fairness.pools.*.queues.*.quota_gpu_h", "GPU-h", "The same of one queue.", METRIC_NEUTRAL},
    {"fairness.pools.*.queues.*.entitled_gpu_h", "GPU-h", "The same of one queue.", METRIC_NEUTRAL},
    {"fairness.pools.*.queues.*.used_gpu_h", "GPU-h", "The same of one queue.", METRIC_NEUTRAL},
    {"fairness.pools.*.queues.*.over_quota_gpu_h", "GPU-h", "The same of one queue.",
     METRIC_NEUTRAL},
    {"fairness.pools.*.queues.*.share", "ratio", "The same of one queue.", METRIC_HIGHER},
    {"fairness.queues.*.entitled_gpu_h", "GPU-h",
     "Integral of a queue's entitlement: its weighted max-min share of the fleet, capped by its "
     "demand, quotas guaranteed.",
     METRIC_NEUTRAL},
    {"fairness.queues.*.used_gpu_h", "GPU-h", "Integral of the queue's use.", METRIC_NEUTRAL},
    {"fairness.queues.*.share", "ratio", "x: used / entitled.", METRIC_HIGHER},
    {"fairness.queues.*.entitled_core_h", "core-h",
     "Integral of a queue's entitlement to cores, as entitled_gpu_h; its demand where cores have "
     "no quota.",
     METRIC_NEUTRAL},
    {"fairness.queues.*.used_core_h", "core-h",
     "Integral of the cores of its tasks that run, as requested.", METRIC_NEUTRAL},
    {"fairness.queues.*.entitled_gib_h", "GiB-h", "The same of memory.", METRIC_NEUTRAL},
    {"fairness.queues.*.used_gib_h", "GiB-h", "The same of memory.", METRIC_NEUTRAL},
    {"fairness.queues.*.dominant_share", "ratio",
     "Mean over W of the largest of its shares of GPUs, cores and memory in use over installed "
     "(dominant resource fairness).",
     METRIC_NEUTRAL},
    {"fairness.queues.*.share_deficit_gpu_h", "GPU-h", "fairness.share_deficit_gpu_h of one queue.",
     METRIC_LOWER},
    {"fairness.queues.*.quota_satisfaction", "ratio",
     "fairness.quota_satisfaction of one queue; null without a quota.", METRIC_HIGHER},
    {"fairness.queues.*.reclaim_p50_s", "s", "fairness.reclaim_p50_s of the jobs of one queue.",
     METRIC_LOWER},
    {"fairness.queues.*.reclaim_p95_s", "s", "fairness.reclaim_p95_s of the jobs of one queue.",
     METRIC_LOWER},
    {"fairness.queues.*.rho", "ratio", "fairness.rho of the jobs of one queue.", METRIC_LOWER},
    {"fairness.queues.*.rho.share_above_1", "ratio", "fairness.rho.share_above_1 of one queue.",
     METRIC_LOWER},
    {"fairness.queues.*.rho.jobs", "count", "fairness.rho.jobs of one queue.", METRIC_NEUTRAL},
    {"fairness.queues.*.rho.slice_gpus", "GPUs", "The slice of one queue.", METRIC_NEUTRAL},
    {"fairness.queues.*.jobs", "count", "Jobs of one queue.", METRIC_NEUTRAL},
    {"fairness.queues.*.wait_s", "s", "wait_s of the jobs of one queue.", METRIC_LOWER},
    {"fairness.queues.*.wait_s.censored", "count", "wait_s.censored of the jobs of one queue.",
     METRIC_LOWER},
    {"fairness.queues.*.jct_s", "s", "jct_s of the jobs of one queue.", METRIC_LOWER},
    {"fairness.queues.*.jct_s.censored", "count", "jct_s.censored of the jobs of one queue.",
     METRIC_LOWER},

    {"preemption.evictions", "count",
     "Times that the policy evicted tasks of a job. A gang counts once, whether it stops or "
     "shrinks.",
     METRIC_LOWER},
    {"preemption.tasks", "count", "Tasks that these evictions stopped.", METRIC_LOWER},
    {"preemption.jobs", "count", "Jobs that were evicted at least once.", METRIC_LOWER},
    {"preemption.moves", "count", "Evictions that move a job to another place.", METRIC_LOWER},
    {"preemption.lost_gpu_h", "GPU-h", "Work lost and restart time caused by evictions.",
     METRIC_LOWER},
    {"preemption.by_cause", "count",
     "Evictions by action: reclaim, preempt, consolidate, stale, limits.", METRIC_NEUTRAL},

    {"fragmentation.mean_ratio", "ratio",
     "Packing studies: mean over the arrivals of the share of free GPUs that the mix of tasks "
     "cannot use where they are. Null in a replay.",
     METRIC_LOWER},
    {"fragmentation.mean_amount", "GPUs", "The same, number of such GPUs.", METRIC_LOWER},
    {"fragmentation.largest_gang_p5", "GPUs",
     "Largest gang that could be placed (whole nodes of one pool, or one task on one node): at "
     "least this 95% of the time.",
     METRIC_HIGHER},
    {"fragmentation.largest_gang_p50", "GPUs", "The same, half of the time.", METRIC_HIGHER},

    {"placement.mean_slowdown", "ratio",
     "GPU-hours of jobs at work over what the same work would have taken on the best placement on "
     "the same nodes: 1 if all jobs were placed that way.",
     METRIC_LOWER},

    {"speeds", "text",
     "Assumptions about hardware, where jobs of a model ran on other devices than they were "
     "recorded on (workload.recorded_on). Each with node, gpu_type, model and recorded_on; mark is "
     "its confidence, source its origin (list speeds). Absent where all jobs ran on the hardware "
     "they were recorded on.",
     METRIC_NEUTRAL},
    {"speeds.*.speed", "ratio",
     "Speed of a device relative to the recorded one, without communication; low and high are its "
     "range.",
     METRIC_NEUTRAL},
    {"models.*.jobs", "count", "Jobs that name a model and worked in W. Only with `network`.",
     METRIC_NEUTRAL},
    {"models.*.samples", "text", "Unit of the samples of a model.", METRIC_NEUTRAL},
    {"models.*.gpu_h", "GPU-h",
     "GPU time at work of a model's jobs in W: without restarts, checkpoint writes and waiting.",
     METRIC_NEUTRAL},
    {"models.*.samples_per_s", "1/s",
     "Samples (tokens, images) that a job of the model processed in a second at work, given its "
     "model and placement; mean over time.",
     METRIC_HIGHER},
    {"models.*.mean_step_s", "s", "Time of a training step at work: job-seconds over steps.",
     METRIC_LOWER},
    {"models.*.mean_slowdown", "ratio", "placement.mean_slowdown of the jobs of one model.",
     METRIC_LOWER},
    {"models.*.by_gpus.*.gpu_h", "GPU-h",
     "The same for jobs while they worked on this number of GPUs.", METRIC_NEUTRAL},
    {"models.*.by_gpus.*.samples_per_s", "1/s",
     "Samples per second of jobs on this number of GPUs.", METRIC_HIGHER},
    {"models.*.by_gpus.*.mean_step_s", "s", "Step time of jobs on this number of GPUs.",
     METRIC_LOWER},
    {"models.*.by_gpus.*.mean_slowdown", "ratio", "Mean slowdown of jobs on this number of GPUs.",
     METRIC_LOWER},

    {"services.by_name.*.requests_offered", "count",
     "Integral over W of the load of one service. Only where the scenario has `services`; their "
     "replicas are not among the jobs counted elsewhere.",
     METRIC_NEUTRAL},
    {"services.by_name.*.requests_served", "count",
     "Requests that its ready replicas served in W, including those that were waiting.",
     METRIC_HIGHER},
    {"services.by_name.*.requests_over_capacity", "count",
     "Offered but not served in W: rejected, or still waiting at its end.", METRIC_LOWER},
    {"services.by_name.*.served_share", "ratio", "Served over offered.", METRIC_HIGHER},
    {"services.by_name.*.replica_hours", "h",
     "Hours of replicas with devices in W, cold starts included.", METRIC_LOWER},
    {"services.by_name.*.ready_hours", "h", "Hours of replicas that were ready to serve.",
     METRIC_NEUTRAL},
    {"services.by_name.*.gpu_hours", "GPU-h", "Replica-hours times the GPUs of a replica.",
     METRIC_LOWER},
    {"services.by_name.*.cold_starts", "count",
     "Times in W that a replica got devices and began to start up, after interruptions too.",
     METRIC_LOWER},
    {"services.by_name.*.replicas_peak", "count", "Most replicas with devices at one time in W.",
     METRIC_NEUTRAL},
    {"services.by_name.*.ready_s", "s",
     "From the autoscaler's decision until the replica serves for the first time (in W): mean, "
     "p95.",
     METRIC_LOWER},
    {"services.by_name.*.requests_rejected", "count",
     "Requests in W that found the queue full (services[].requests.queue).", METRIC_LOWER},
    {"services.by_name.*.requests_waiting", "count", "Requests that wait at the end of W.",
     METRIC_LOWER},
    {"services.by_name.*.queue_wait_mean_s", "s",
     "Mean time that a served request waited for a replica: integral of the waiting requests over "
     "W by the number served (Little's law).",
     METRIC_LOWER},
    {"services.by_name.*.slo.objective", "ratio", "Share of requests that must end in time.",
     METRIC_NEUTRAL},
    {"services.by_name.*.slo.in_time_share", "ratio",
     "Share of the requests of W that ended within slo.within of their arrival. Rejected ones did "
     "not; those that came less than this time before the end are left out.",
     METRIC_HIGHER},
    {"services.by_name.*.slo.late_requests", "count", "Those that did not.", METRIC_LOWER},
    {"services.by_name.*.slo.error_budget_requests", "count",
     "Requests that may be late: (1 - objective) times the requests that are judged.",
     METRIC_NEUTRAL},
    {"services.by_name.*.slo.error_budget_left", "ratio",
     "Share of the error budget that late requests left: 1 - burn rate, below 0 if they were more.",
     METRIC_HIGHER},
    {"services.by_name.*.slo.burn_rate", "ratio",
     "Share of late requests by the share that may be late: 1 uses the error budget up, no more.",
     METRIC_LOWER},
    {"services.by_name.*.slo.worst_hour_burn_rate", "ratio",
     "The largest burn rate of the requests that arrived within one hour.", METRIC_LOWER},
    {"services.total.requests_offered", "count", "The same for all services together.",
     METRIC_NEUTRAL},
    {"services.total.requests_served", "count", "The same.", METRIC_HIGHER},
    {"services.total.requests_over_capacity", "count", "The same.", METRIC_LOWER},
    {"services.total.served_share", "ratio", "The same.", METRIC_HIGHER},
    {"services.total.replica_hours", "h", "The same.", METRIC_LOWER},
    {"services.total.ready_hours", "h", "The same.", METRIC_NEUTRAL},
    {"services.total.gpu_hours", "GPU-h", "The same.", METRIC_LOWER},
    {"services.total.cold_starts", "count", "The same.", METRIC_LOWER},
    {"services.total.ready_s", "s", "The same.", METRIC_LOWER},
    {"services.total.requests_rejected", "count", "The same.", METRIC_LOWER},
    {"services.total.requests_waiting", "count", "The same.", METRIC_LOWER},
    {"services.total.queue_wait_mean_s", "s", "The same.", METRIC_LOWER},

    {"reliability.faults", "count",
     "Faults in W, of all classes, with planned maintenance and reclaims of spot capacity.",
     METRIC_NEUTRAL},
    {"reliability.node_failures", "count",
     "Nodes that went into repair, once for each fault; without planned maintenance and reclaims.",
     METRIC_LOWER},
    {"reliability.job_interruptions", "count",
     "Interruptions of jobs by a fault or by the out-of-memory killer; with faults.user_failures "
     "also failures of their own.",
     METRIC_LOWER},
    {"reliability.by_class.*.faults", "count", "Faults of one class (list faults; spot: reclaims).",
     METRIC_NEUTRAL},
    {"reliability.by_class.*.interruptions", "count",
     "Jobs stopped by faults of one class; `memory`: killed for lack of device memory "
     "(gpu_memory).",
     METRIC_LOWER},
    {"reliability.by_class.*.lost_gpu_h", "GPU-h",
     "Work lost to faults of one class, and time for which jobs hung before the fault was noticed; "
     "for `user` all work of the jobs that failed, which is in gpu_hours.lost.user.",
     METRIC_LOWER},
    {"reliability.mttf_h_by_size", "h",
     "Mean time to failure of a running job, by its size in GPUs: time at work over the number of "
     "interruptions, without failures of the jobs' own; null without interruptions.",
     METRIC_HIGHER},
    {"reliability.ettr", "ratio",
     "Effective training time: productive time over wall time from first start, waiting after "
     "interruptions included; mean over jobs of at least 1 h, weighted by GPU-hours.",
     METRIC_HIGHER},
    {"reliability.lost_gpu_h", "GPU-h",
     "Work lost to faults, and time for which jobs hung before the fault was noticed.",
     METRIC_LOWER},
    {"reliability.burn_in.tests", "count",
     "Tests of nodes that ended before they took jobs again, or for the first time "
     "(faults.burn_in).",
     METRIC_NEUTRAL},
    {"reliability.burn_in.rejected", "count",
     "Tests that failed: the node was repaired and tested again.", METRIC_LOWER},
    {"reliability.burn_in.gpu_h", "GPU-h",
     "Of gpu_hours.lost.down: devices of nodes under test, whose tests have ended.", METRIC_LOWER},
    {"reliability.spares.total", "count",
     "Spare nodes (faults.spares): kept apart until a node of their pool goes down. Idle ones are "
     "in gpu_hours.lost.drained.",
     METRIC_NEUTRAL},
    {"reliability.spares.in_use_mean", "count",
     "Mean over time of the spares in use: standing in for a node under repair, about to, or under "
     "repair themselves.",
     METRIC_LOWER},
    {"reliability.spares.in_use_peak", "count", "Maximum of the spares in use.", METRIC_LOWER},
    {"reliability.spares.exhausted", "ratio",
     "Share of time during which a node was down and no spare could replace it.", METRIC_LOWER},
    {"reliability.spares.swaps", "count", "Times that a spare replaced a node, over the whole run.",
     METRIC_NEUTRAL},

    {"gpu_memory.collisions", "count",
     "Number of times a job needed more device memory than was free on its devices (only with "
     "gpu_memory, like the next metrics).",
     METRIC_LOWER},
    {"gpu_memory.waits", "count", "Times the job paused until memory was free or it needed less.",
     METRIC_LOWER},
    {"gpu_memory.wait_gpu_h", "GPU-h",
     "Held by jobs that stood still for device memory; part of the loss `startup`.", METRIC_LOWER},
    {"gpu_memory.oom_kills", "count",
     "Jobs killed because the additional memory did not fit (mode none).", METRIC_LOWER},
    {"gpu_memory.stuck_kills", "count",
     "Jobs killed to break a deadlock of jobs that wait for each other's memory: the youngest in "
     "the way of the oldest (modes wait and priority).",
     METRIC_LOWER},
    {"gpu_memory.evicted_idle", "count",
     "Idle interactive (build) sessions ended to make room (mode priority).", METRIC_LOWER},
    {"gpu_memory.evicted_priority", "count",
     "Jobs of lower priority ended to make room (mode priority).", METRIC_LOWER},
    {"gpu_memory.swapped_gb", "GB",
     "Moved between devices and hosts, both ways: 2 X in each round of turns, where X is the "
     "tenants' demand beyond the device's memory (mode swap).",
     METRIC_LOWER},
    {"gpu_memory.swap_lost_gpu_h", "GPU-h",
     "Work at ideal speed that swapping cost; part of the loss `slowdown`. Speed on a device is "
     "turn / (turn + 2 X / host_gbps).",
     METRIC_LOWER},
    {"gpu_memory.mean_use", "ratio",
     "Share of device memory in use while tasks share a device, mean over these devices and time.",
     METRIC_HIGHER},
    {"gpu_memory.peak_use", "ratio", "The same, maximum of one device.", METRIC_NEUTRAL},
    {"gpu_memory.mean_tenants", "count", "Tasks on a device while tasks share it, mean.",
     METRIC_HIGHER},
    {"gpu_memory.peak_tenants", "count", "Most tasks on one device at a time.", METRIC_NEUTRAL},

    {"dependencies.linked", "count",
     "Jobs that depend on others (`after`). Only if the trace has such columns, or the run is "
     "closed.",
     METRIC_NEUTRAL},
    {"dependencies.unknown", "count",
     "Names in `after` of jobs not seen so far in the trace: they count as ended.", METRIC_NEUTRAL},
    {"dependencies.cancelled", "count",
     "Jobs cancelled because a job that they needed failed or was cancelled (as Slurm's "
     "afterok).",
     METRIC_LOWER},
    {"dependencies.arrays", "count", "Job arrays.", METRIC_NEUTRAL},
    {"dependencies.array_jobs", "count", "Their jobs.", METRIC_NEUTRAL},
    {"dependencies.capped", "count",
     "Jobs held because their array was at its limit of concurrent jobs.", METRIC_NEUTRAL},
    {"dependencies.judged", "count",
     "Times that a job reached a rung of its array and was judged (early stopping); these four "
     "only where an array has rungs.",
     METRIC_NEUTRAL},
    {"dependencies.went_on", "count",
     "Jobs among the best 1/eta that had reached the rung: they went on.", METRIC_NEUTRAL},
    {"dependencies.stopped", "count", "Jobs not among them: they were stopped.", METRIC_NEUTRAL},
    {"dependencies.spared_gpu_h", "GPU-h",
     "Remaining work of the stopped jobs, at ideal speed. Not part of any other figure.",
     METRIC_NEUTRAL},
    {"dependencies.reactions", "count",
     "Closed runs: jobs that a user submitted in reaction to the end (or along with the "
     "submission) of another of their jobs.",
     METRIC_NEUTRAL},
    {"dependencies.still_held", "count",
     "Jobs that had not been submitted when the simulation stopped; not part of jobs.submitted.",
     METRIC_LOWER},
    {"dependencies.held_s.mean", "s",
     "From arrival until the dependencies of a job were met, mean over the jobs that had to wait "
     "for them. Part of jct_s, not of wait_s.",
     METRIC_NEUTRAL},
    {"dependencies.held_s.max", "s", "The longest one.", METRIC_NEUTRAL},

    {"hosts.cpu.installed_core_h", "core-h",
     "Cores of all nodes over W; null where a node does not state them.", METRIC_NEUTRAL},
    {"hosts.cpu.held_core_h", "core-h", "Cores that tasks held, as requested.", METRIC_NEUTRAL},
    {"hosts.cpu.use", "ratio", "Held over installed.", METRIC_HIGHER},
    {"hosts.mem.installed_gib_h", "GiB-h",
     "Memory of all nodes over W; null where a node does not state it.", METRIC_NEUTRAL},
    {"hosts.mem.held_gib_h", "GiB-h", "Memory that tasks held, as requested.", METRIC_NEUTRAL},
    {"hosts.mem.use", "ratio", "Held over installed.", METRIC_HIGHER},
    {"hosts.cpu_nodes", "count", "Nodes without GPUs.", METRIC_NEUTRAL},
    {"hosts.on_cpu_nodes.installed_core_h", "core-h",
     "Cores of nodes without GPUs over W. Waits of jobs without GPUs are in by_size.0.",
     METRIC_NEUTRAL},
    {"hosts.on_cpu_nodes.held_core_h", "core-h", "Those that tasks held.", METRIC_NEUTRAL},
    {"hosts.on_cpu_nodes.use", "ratio", "Held over installed.", METRIC_HIGHER},

    {"elastic.usd", "USD", "Bill of all elastic pools, over the whole run: paid_node_h x price.",
     METRIC_LOWER},
    {"elastic.node_h", "h",
     "Nodes of all elastic pools from their orders to their releases, summed over time.",
     METRIC_LOWER},
    {"elastic.paid_node_h", "h", "The same, each order at least min_billing long.", METRIC_LOWER},
    {"elastic.orders", "count", "Nodes of all elastic pools that were ordered.", METRIC_NEUTRAL},
    {"elastic.releases", "count", "Nodes of all elastic pools that were given back.",
     METRIC_NEUTRAL},
    {"elastic.reclaims", "count", "Nodes of all elastic pools that their owner took back (spot).",
     METRIC_LOWER},
    {"elastic.nodes_peak", "count",
     "Most nodes of all elastic pools that were paid for at one time (sum of the pools).",
     METRIC_NEUTRAL},
    {"elastic.pools.*.usd", "USD", "Bill of one pool, over the whole run: paid_node_h x price.",
     METRIC_LOWER},
    {"elastic.pools.*.node_h", "h",
     "Nodes of one pool from their orders to their releases, summed over time.", METRIC_LOWER},
    {"elastic.pools.*.paid_node_h", "h", "The same, each order at least min_billing long.",
     METRIC_LOWER},
    {"elastic.pools.*.orders", "count", "Nodes of one pool that were ordered.", METRIC_NEUTRAL},
    {"elastic.pools.*.releases", "count", "Nodes of one pool that were given back.",
     METRIC_NEUTRAL},
    {"elastic.pools.*.reclaims", "count", "Nodes of one pool that their owner took back (spot).",
     METRIC_LOWER},
    {"elastic.pools.*.nodes_peak", "count",
     "Most nodes of one pool that were paid for at one time.", METRIC_NEUTRAL},
    {"cost.usd", "USD",
     "Price of all nodes over W on the basis of cost.basis (rent on demand; or capex, hosting: "
     "list keys), spot capacity by its own price while it is there, usd_per_hour of a node or pool "
     "before both; + energy x tariff where the price does not include it; null where a node with "
     "GPUs has no price on the basis (cost.unpriced). Unverified prices: cost.unverified.",
     METRIC_LOWER},
    {"cost.usd_per_productive_gpu_h", "USD", "The same for each productive GPU-hour.",
     METRIC_LOWER},
    {"cost.usd_per_work_gpu_h", "USD",
     "cost.usd for each GPU-hour of gpu_hours.work: what the same work costs on any hardware.",
     METRIC_LOWER},
    {"cost.usd_per_year", "USD", "cost.usd over the hours of W, times 8,760.", METRIC_LOWER},
    {"cost.energy_kwh", "kWh",
     "Integral over W of the power of all nodes that are not down, idle + u x (0.80 x nameplate - "
     "idle) with u the utilization of their GPUs, x cost.pue; null where a node with GPUs has no "
     "peak_w.",
     METRIC_LOWER},
    {"cost.idle_usd", "USD",
     "Price of GPUs while no job held them, including those down and drained; without energy.",
     METRIC_LOWER},
    {"cost.nodes_usd", "USD", "Of cost.usd: the price of nodes over W.", METRIC_LOWER},
    {"cost.energy_usd", "USD", "Of cost.usd: energy paid for on top of prices.", METRIC_LOWER},
    {"cost.storage_usd", "USD", "Of cost.usd: storage. It belongs to no queue.", METRIC_LOWER},
    {"cost.storage.kept_usd", "USD",
     "Of cost.storage_usd: TB x price x months of 730 h. Only where storage has a price.",
     METRIC_LOWER},
    {"cost.storage.moved_usd", "USD", "The rest: fees for TB read from tiers and written to them.",
     METRIC_LOWER},
    {"cost.storage.tiers.*.tb", "TB", "Kept in one tier.", METRIC_NEUTRAL},
    {"cost.storage.tiers.*.read_tb", "TB",
     "Read from it, by its hit rate; from a colder tier it moves to the first.", METRIC_NEUTRAL},
    {"cost.storage.tiers.*.written_tb", "TB",
     "Written to it: checkpoints to the first, to a colder one what makes room for what was read "
     "from it.",
     METRIC_NEUTRAL},
    {"cost.storage.tiers.*.kept_usd", "USD", "cost.storage.kept_usd of one tier.", METRIC_LOWER},
    {"cost.storage.tiers.*.moved_usd", "USD", "cost.storage.moved_usd of one tier.", METRIC_LOWER},
    {"cost.idle_cpu_usd", "USD", "Price of nodes without GPUs while no job held their cores.",
     METRIC_LOWER},
    {"cost.idle_energy_usd", "USD", "Energy that nodes drew idle for nobody.", METRIC_LOWER},
    {"cost.by_queue.*.usd", "USD",
     "What the jobs of one queue cost: nodes_usd + energy_usd. All of them, cost.idle_usd, "
     "cost.idle_cpu_usd, cost.idle_energy_usd and cost.storage_usd add up to cost.usd.",
     METRIC_NEUTRAL},
    {"cost.by_queue.*.nodes_usd", "USD",
     "The price of nodes by the GPU time that they held, of nodes without GPUs by core time.",
     METRIC_NEUTRAL},
    {"cost.by_queue.*.energy_usd", "USD",
     "What they drew above idle, and their part of what nodes draw idle, where it is paid for on "
     "top of prices.",
     METRIC_NEUTRAL},
    {"cost.by_queue.*.gpu_h", "GPU-h", "GPU time held.", METRIC_NEUTRAL},
    {"cost.by_queue.*.cpu_core_h", "core-h", "Core time held, as requested.", METRIC_NEUTRAL},
    {"cost.by_queue.*.mem_gib_h", "GiB-h", "Memory held, as requested.", METRIC_NEUTRAL},
    {"cost.by_class.*.usd", "USD",
     "What the jobs of one class cost: nodes_usd + energy_usd. All of them, cost.idle_usd, "
     "cost.idle_cpu_usd, cost.idle_energy_usd and cost.storage_usd add up to cost.usd.",
     METRIC_NEUTRAL},
    {"cost.by_class.*.nodes_usd", "USD",
     "The price of nodes by the GPU time that they held, of nodes without GPUs by core time.",
     METRIC_NEUTRAL},
    {"cost.by_class.*.energy_usd", "USD",
     "What they drew above idle, and their part of what nodes draw idle, where it is paid for on "
     "top of prices.",
     METRIC_NEUTRAL},
    {"cost.by_class.*.gpu_h", "GPU-h", "GPU time held.", METRIC_NEUTRAL},
    {"cost.by_class.*.cpu_core_h", "core-h", "Core time held, as requested.", METRIC_NEUTRAL},
    {"cost.by_class.*.mem_gib_h", "GiB-h", "Memory held, as requested.", METRIC_NEUTRAL},
    {"cost.by_model.*.usd", "USD",
     "What the jobs of one model; `none` for jobs that name none cost: nodes_usd + energy_usd. All "
     "of them, cost.idle_usd, cost.idle_cpu_usd, cost.idle_energy_usd and cost.storage_usd add up "
     "to cost.usd.",
     METRIC_NEUTRAL},
    {"cost.by_model.*.nodes_usd", "USD",
     "The price of nodes by the GPU time that they held, of nodes without GPUs by core time.",
     METRIC_NEUTRAL},
    {"cost.by_model.*.energy_usd", "USD",
     "What they drew above idle, and their part of what nodes draw idle, where it is paid for on "
     "top of prices.",
     METRIC_NEUTRAL},
    {"cost.by_model.*.gpu_h", "GPU-h", "GPU time held.", METRIC_NEUTRAL},
    {"cost.by_model.*.cpu_core_h", "core-h", "Core time held, as requested.", METRIC_NEUTRAL},
    {"cost.by_model.*.mem_gib_h", "GiB-h", "Memory held, as requested.", METRIC_NEUTRAL},

    {"fill.curve", "%",
     "Packing studies: GPUs requested so far as a share of the capacity (arrived_pct), against "
     "allocated (alloc_pct), fragmented share of the free GPUs (frag_ratio_pct) and fragmented "
     "GPUs as a share of the capacity (frag_amount_pct).",
     METRIC_NEUTRAL},
    {"fill.curve.*.alloc_pct", "%", "At one point of the curve: allocated GPUs.", METRIC_HIGHER},
    {"fill.curve.*.frag_ratio_pct", "%", "The same: fragmented share of the free GPUs.",
     METRIC_LOWER},
    {"fill.curve.*.frag_amount_pct", "%", "The same: fragmented GPUs as a share of the capacity.",
     METRIC_LOWER},
    {"fill.arrived_gpus", "GPUs", "Packing studies: GPUs requested by all tasks that arrived.",
     METRIC_NEUTRAL},
    {"fill.allocated_gpus", "GPUs", "Packing studies: GPUs in use at the end.", METRIC_HIGHER},
    {"fill.fragment_gpus", "GPUs",
     "Packing studies: free GPUs at the end that the mix of tasks cannot use where they are.",
     METRIC_LOWER},
    {"fill.failed_tasks", "count",
     "Packing studies: tasks that could not be placed and were dropped.", METRIC_LOWER},

    {"engine.events", "count", "Events that the simulator handled.", METRIC_NEUTRAL},
    {"engine.decisions", "count", "Decisions of the policy.", METRIC_NEUTRAL},
    {"engine.cycles", "count", "Scheduling cycles.", METRIC_NEUTRAL},
    {"engine.journal_sha256", "digest",
     "Running SHA-256 over a fixed-width record of every decision: equal in two runs if and only "
     "if they took the same decisions.",
     METRIC_NEUTRAL},

    {"plan.bound_nodes", "count",
     "Only in plan.json: the work that must be served, in nodes: GPU-hours offered in the window, "
     "over its length and the GPUs of a node, on the pools that may run them; run times count from "
     "the submission. Of a trace only the time between the first and the last submission counts, "
     "of a generated load all of it. With fewer nodes the backlog grows; it does not bound what a "
     "percentile ignores.",
     METRIC_NEUTRAL},
    {"plan.risk", "ratio",
     "In plan.json alone: share of the replicas that miss a target, with the exact 95 % interval "
     "of Clopper and Pearson (risk_basis). A number of nodes is enough when at most floor((1 - "
     "c)(n + 1)) - 1 of n replicas miss, c being the confidence.",
     METRIC_LOWER},
    {"compare.change", "ratio",
     "Only in compare and whatif: change of the mean over the pairs, mean(B) / mean(A) - 1, with "
     "the interval of the logarithm of that ratio: values of the jackknife (leave out one pair at "
     "a time), Student's t with Johnson's correction for skewness on the side of the tail. At "
     "least 5 pairs. The verdict is taken from this interval with Holm's correction over a "
     "section.",
     METRIC_NEUTRAL},
    {"compare.difference", "as the metric",
     "Also: mean(B) - mean(A), with the same interval of the pairs' differences. Metrics that may "
     "be negative are judged by it.",
     METRIC_NEUTRAL},
    {"gate.harm", "ratio",
     "In gate alone: compare.change, positive when the candidate is worse. An interval above the "
     "margin fails, one below it passes, any other is inconclusive; alpha is spent over the looks, "
     "and Holm's correction goes over the primary metrics.",
     METRIC_LOWER},
    {"plan.usd_per_year", "USD",
     "Only in plan.json: cost of the fleet in the window, over its hours, times 8,760.",
     METRIC_LOWER},
};

const struct metric_row *metric_rows(size_t *count)
{
    *count = sizeof rows / sizeof *rows;
    return rows;
}

/*
 * Returns how well a name matches the start of a path: 2 for each equal part, 1 for each `*`; -1 if
 * it does not match.
 */
static int match(const char *name, const char *path)
{
    int score = 0;
    while (*name) {
        size_t n = strcspn(name, "."), p = strcspn(path, ".");
        bool any = n == 1 && *name == '*' && p > 0;
        if (!any && (n != p || memcmp(name, path, n) != 0))
            return -1;
        score += any ? 1 : 2;
        name += n + (name[n] == '.');
        path += p + (path[p] == '.');
    }
    return score;
}

const struct metric_row *metric_find(const char *path)
{
    const struct metric_row *best = NULL;
    int best_score = -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int score = match(rows[i].name, path);
        if (score > best_score) {
            best = &rows[i];
            best_score = score;
        }
    }
    return best;
}

bool metric_covers(const char *name, const char *path)
{
    return match(name, path) > 0;
}

const char *metric_better_name(enum metric_better better)
{
    static const char *const names[] = {
        [METRIC_NEUTRAL] = "", [METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher"};
    return names[better];
}
