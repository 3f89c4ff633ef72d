/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs, GPU time and waits. The letters are those of metric_rows_internal.h. */
#include "report/words/metric_rows_internal.h"

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
     "Jobs that no policy can start because they do not fit the empty fleet: too large for it, for "
     "the pools of their queue or for a domain of the topology level that they require, or they "
     "need a GPU type, CPU or memory that no node has. They are set aside and do not count in "
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
     "P: R without lost work, checkpoint writes, work of jobs that finally failed, and slowdown "
     "against the best placement on the same nodes.",
     METRIC_HIGHER},
    {"gpu_hours.work", "GPU-h",
     "The work done in P, in GPU-hours of the hardware that jobs were recorded on "
     "(workload.recorded_on): equal to P if all jobs ran on it, more on faster devices. The same "
     "work on any fleet.",
     METRIC_HIGHER},
    {"gpu_hours.lost.failure", "GPU-h",
     "Work since the last checkpoint that was lost to a hardware failure or a kill for lack of "
     "device memory, and time that jobs hung before a failure was detected. All losses add up to "
     "exactly I - P.",
     METRIC_LOWER},
    {"gpu_hours.lost.preemption", "GPU-h",
     "Work since the last checkpoint that was lost to evictions.", METRIC_LOWER},
    {"gpu_hours.lost.checkpoint", "GPU-h", "Time that jobs paused to write checkpoints.",
     METRIC_LOWER},
    {"gpu_hours.lost.restart", "GPU-h", "Restore and warm-up after an interruption.", METRIC_LOWER},
    {"gpu_hours.lost.startup", "GPU-h",
     "Held by tasks that did not run: startup (image, model, engine), waiting for the rest of the "
     "gang or for device memory, the grace period of evicted tasks.",
     METRIC_LOWER},
    {"gpu_hours.lost.user", "GPU-h",
     "Work of jobs that finally failed through no fault of the fleet.", METRIC_LOWER},
    {"gpu_hours.lost.slowdown", "GPU-h",
     "Running slower than on the best placement on the same kind of node: because of placement, "
     "contention, late data, swapping, or a fault (`network`, `storage`, `gpu_memory`, `faults`).",
     METRIC_LOWER},
    {"gpu_hours.lost.idle_fragmented", "GPU-h",
     "Idle, fragmented: enough GPUs were free for a pending job, but in the wrong pieces.",
     METRIC_LOWER},
    {"gpu_hours.lost.idle_blocked", "GPU-h",
     "Idle, held back: jobs were pending for another reason: they need more than is free, or the "
     "policy holds them back (order, quota, limit).",
     METRIC_LOWER},
    {"gpu_hours.lost.idle_no_demand", "GPU-h", "Idle, no demand: no pending job wanted these GPUs.",
     METRIC_NEUTRAL},
    {"gpu_hours.lost.drained", "GPU-h", "Taken out of service on purpose.", METRIC_LOWER},
    {"gpu_hours.lost.down", "GPU-h", "Down for repair.", METRIC_LOWER},
    {"gpu_hours.lost.burn_in", "GPU-h",
     "Under test after a repair, or new (faults.burn_in); only where nodes are tested.",
     METRIC_LOWER},
    {"gpu_hours.lost.reclaimed", "GPU-h",
     "Spot capacity that the provider reclaimed; only if a pool is spot capacity.", METRIC_LOWER},

    {"deadlines.jobs", "count",
     "Jobs submitted in W that have a deadline (column deadline_s), without those that never fit "
     "or were cancelled before they could start.",
     METRIC_NEUTRAL},
    {"deadlines.met", "count", "Jobs that ended by their deadline, with any result.",
     METRIC_HIGHER},
    {"deadlines.missed", "count",
     "Jobs that ended late, or had not ended when the simulation stopped after the deadline.",
     METRIC_LOWER},
    {"deadlines.met_share", "ratio",
     "Met over met and missed. The orders edf and edf-preemptive use deadlines.", METRIC_HIGHER},
    {"deadlines.lateness_s", "s",
     "Time from the deadline to the end of these jobs, 0 if they met it. Mean and percentiles; "
     "jobs that had not ended contribute a lower bound.",
     METRIC_LOWER},

    {"changes.applied", "count",
     "Changes of queues that took effect as planned (key events); only where some are planned.",
     METRIC_NEUTRAL},
    {"changes.quota_cuts", "count", "Changes that cut a GPU quota.", METRIC_NEUTRAL},
    {"changes.over_cut_quota_gpu_h", "GPU-h",
     "Held by running jobs above a GPU quota that was cut, from the cut until the queue is within "
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
     "Jobs submitted in W that ended in the drain. They count in waits and completion times like "
     "any other job.",
     METRIC_NEUTRAL},
    {"drain.available_gpu_h", "GPU-h", "GPUs in service over the drain.", METRIC_NEUTRAL},
    {"drain.allocated_gpu_h", "GPU-h", "Those held by jobs.", METRIC_NEUTRAL},
    {"drain.allocation", "ratio", "Share of the available GPU-hours of the drain that jobs held.",
     METRIC_NEUTRAL},

    {"storage.models_gb", "GB", "Models loaded in W from shared storage (`storage`).",
     METRIC_NEUTRAL},
    {"storage.restored_gb", "GB", "Checkpoints read from it at restarts.", METRIC_NEUTRAL},
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
     "Part of gpu_hours.lost.slowdown: data arrived more slowly than jobs could process it.",
     METRIC_LOWER},
    {"startup.gpu_h", "GPU-h",
     "Part of gpu_hours.lost.startup: time that jobs spent starting up. Only if the scenario has "
     "`startup`.",
     METRIC_LOWER},
    {"startup.hold_gpu_h", "GPU-h",
     "The rest: waiting for a gang or for device memory, and the grace period of evicted tasks.",
     METRIC_LOWER},

    {"wait_s", "s",
     "From eligible (submitted, begin time reached, dependencies met) to first start. Percentiles "
     "are nearest-rank; with jobs still pending (counted in 'censored') they are Kaplan-Meier "
     "estimates, and a quantile that is not reached is null with its lower bound in "
     "'..._at_least'.",
     METRIC_LOWER},
    {"wait_s.censored", "count",
     "Jobs that had not started when the simulation stopped: their waits are lower bounds. Jobs "
     "that never fit are not counted.",
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
};

const struct metric_table metrics_jobs = {rows, sizeof rows / sizeof *rows};
