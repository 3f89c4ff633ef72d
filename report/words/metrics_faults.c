/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults, device memory and dependencies. The letters are those of metric_rows_internal.h. */
#include "report/words/metric_rows_internal.h"

static const struct metric_row rows[] = {
    {"reliability.faults", "count",
     "Faults in W, of all classes, with planned maintenance and reclaims of spot capacity.",
     METRIC_NEUTRAL},
    {"reliability.node_failures", "count",
     "Nodes sent to repair, once per fault; without planned maintenance and reclaims.",
     METRIC_LOWER},
    {"reliability.job_interruptions", "count",
     "Interruptions of jobs by a fault or by the out-of-memory killer; with faults.user_failures "
     "also the jobs' own failures.",
     METRIC_LOWER},
    {"reliability.by_class.*.faults", "count", "Faults of one class (list faults; spot: reclaims).",
     METRIC_NEUTRAL},
    {"reliability.by_class.*.interruptions", "count",
     "Jobs stopped by faults of one class; `memory`: killed for lack of device memory "
     "(gpu_memory).",
     METRIC_LOWER},
    {"reliability.by_class.*.lost_gpu_h", "GPU-h",
     "Work lost to faults of one class, and time that jobs hung before the fault was detected; for "
     "`user` all work of the jobs that failed, which is in gpu_hours.lost.user.",
     METRIC_LOWER},
    {"reliability.mttf_h_by_size", "h",
     "Mean time to failure of a running job, by its size in GPUs: time at work over the number of "
     "interruptions, without the jobs' own failures; null without interruptions.",
     METRIC_HIGHER},
    {"reliability.ettr", "ratio",
     "Effective training time: productive time over wall time since the first start, including "
     "waits after interruptions; mean over jobs of at least 1 h, weighted by GPU-hours.",
     METRIC_HIGHER},
    {"reliability.lost_gpu_h", "GPU-h",
     "Work lost to faults, and time that jobs hung before the fault was detected.", METRIC_LOWER},
    {"reliability.burn_in.tests", "count",
     "Completed tests of nodes before they take jobs again, or for the first time "
     "(faults.burn_in).",
     METRIC_NEUTRAL},
    {"reliability.burn_in.rejected", "count",
     "Tests that failed: the node was repaired and tested again.", METRIC_LOWER},
    {"reliability.burn_in.rejected_share", "ratio", "Rejected over tests.", METRIC_LOWER},
    {"reliability.burn_in.gpu_h", "GPU-h",
     "Devices of nodes under test, of tests that have ended. Time in which nothing else kept the "
     "node away is gpu_hours.lost.burn_in.",
     METRIC_LOWER},
    {"reliability.spares.total", "count",
     "Spare nodes (faults.spares), kept idle until a node of their pool goes down. Idle spares are "
     "in gpu_hours.lost.drained.",
     METRIC_NEUTRAL},
    {"reliability.spares.in_use_mean", "count",
     "Mean over time of the spares in use: replacing a node under repair, about to, or under "
     "repair themselves.",
     METRIC_LOWER},
    {"reliability.spares.in_use_peak", "count", "Maximum of the spares in use.", METRIC_LOWER},
    {"reliability.spares.exhausted", "ratio",
     "Share of the time that a node was down and no spare could replace it.", METRIC_LOWER},
    {"reliability.spares.swaps", "count", "Times that a spare replaced a node, over the whole run.",
     METRIC_NEUTRAL},

    {"gpu_memory.collisions", "count",
     "Number of times a job needed more device memory than was free on its devices (only with "
     "gpu_memory, like the next metrics).",
     METRIC_LOWER},
    {"gpu_memory.waits", "count", "Times the job paused until memory was free or it needed less.",
     METRIC_LOWER},
    {"gpu_memory.wait_gpu_h", "GPU-h",
     "Held by jobs that were stalled for device memory; part of the loss `startup`.", METRIC_LOWER},
    {"gpu_memory.oom_kills", "count",
     "Jobs killed because the additional memory did not fit (mode none).", METRIC_LOWER},
    {"gpu_memory.stuck_kills", "count",
     "Jobs killed to break a deadlock of jobs that wait for each other's memory: the youngest that "
     "blocks the oldest (modes wait and priority).",
     METRIC_LOWER},
    {"gpu_memory.evicted_idle", "count",
     "Idle interactive (build) sessions ended to make room (mode priority).", METRIC_LOWER},
    {"gpu_memory.evicted_priority", "count",
     "Jobs of lower priority ended to make room (mode priority).", METRIC_LOWER},
    {"gpu_memory.swapped_gb", "GB",
     "Moved between devices and hosts, both ways: 2 X per round of turns, where X is the tenants' "
     "demand beyond the device's memory (mode swap).",
     METRIC_LOWER},
    {"gpu_memory.swap_lost_gpu_h", "GPU-h",
     "Work at ideal speed that swapping cost; part of the loss `slowdown`. Speed on a device is "
     "turn / (turn + 2 X / host_gbps).",
     METRIC_LOWER},
    {"gpu_memory.mean_use", "ratio",
     "Share of device memory in use while tasks share a device; mean over these devices and time.",
     METRIC_HIGHER},
    {"gpu_memory.peak_use", "ratio", "The same, maximum of one device.", METRIC_NEUTRAL},
    {"gpu_memory.mean_tenants", "count", "Mean number of tasks on a device while it is shared.",
     METRIC_HIGHER},
    {"gpu_memory.peak_tenants", "count", "Maximum number of tasks on one device at a time.",
     METRIC_NEUTRAL},

    {"dependencies.linked", "count",
     "Jobs that depend on others (`after`). Only if the trace has such columns, or the run is "
     "closed.",
     METRIC_NEUTRAL},
    {"dependencies.unknown", "count",
     "Names in `after` of jobs not seen so far in the trace: they count as ended.", METRIC_NEUTRAL},
    {"dependencies.cancelled", "count",
     "Jobs cancelled because a job that they needed failed or was cancelled (as Slurm's afterok).",
     METRIC_LOWER},
    {"dependencies.arrays", "count", "Job arrays.", METRIC_NEUTRAL},
    {"dependencies.array_jobs", "count", "Their jobs.", METRIC_NEUTRAL},
    {"dependencies.capped", "count",
     "Jobs held because their array was at its limit of concurrent jobs.", METRIC_NEUTRAL},
    {"dependencies.judged", "count",
     "Times that a job reached a rung of its array and was judged (early stopping). Like the next "
     "three, only if an array has rungs.",
     METRIC_NEUTRAL},
    {"dependencies.went_on", "count", "Jobs among the best 1/eta at the rung, which continued.",
     METRIC_NEUTRAL},
    {"dependencies.stopped", "count", "Jobs not among them, which were stopped.", METRIC_NEUTRAL},
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
     "From arrival until a job's dependencies were met; mean over the jobs that had to wait for "
     "them. Part of jct_s, not of wait_s.",
     METRIC_NEUTRAL},
    {"dependencies.held_s.max", "s", "The longest such time.", METRIC_NEUTRAL},
};

const struct metric_table metrics_faults = {rows, sizeof rows / sizeof *rows};
