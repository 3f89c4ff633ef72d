/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues, fairness, preemption, fragmentation and placement. The letters are those of
 * metric_rows_internal.h. */
#include "report/words/metric_rows_internal.h"

static const struct metric_row rows[] = {
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
};

const struct metric_table metrics_queues = {rows, sizeof rows / sizeof *rows};
