/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run in the Trace Event format, for Perfetto (ui.perfetto.dev) and chrome://tracing: JSON with
 * one event per line, written during the run. Times are those of the trace, in microseconds.
 *
 *     process          thread              events
 *     "cluster"        events              evictions, faults of jobs and of no node in particular
 *                      (counters)          jobs pending and running, GPUs allocated
 *     one a node       GPU 0, GPU 1, ...   the tasks that hold the device, from start to release
 *                      no GPU              tasks without a device of their own
 *                      state               when the node takes no tasks, and its faults
 *     one a pool       allocations         tasks, where the policy only counts devices
 *
 * Bars of one thread never overlap, since viewers would nest them: tasks that share a device use
 * separate threads ("GPU 0, share 2"), the lowest free one first. The bar of an evicted task
 * includes the grace period in which it still holds its devices. Bars still open when the run ends
 * are drawn up to its end.
 *
 * Format: "Trace Event Format", the document of the Catapult project (phases M, X, i and C).
 */
#ifndef REPORT_RECORD_TRACE_EVENTS_H
#define REPORT_RECORD_TRACE_EVENTS_H

#include "sim/base/out.h"
#include "sim/sim.h"

/*
 * The parts of a job that hold devices now, oldest first: indexes into the list of all parts, from
 * 1; 0: none.
 */
struct trace_events_job {
    uint32_t first, last;
};

struct trace_events_part;
struct trace_events_track;

struct trace_events {
    struct out *out; /* NULL: not written */
    bool begun;
    int64_t began_ms;
    struct trace_events_job *jobs; /* by the core's job number */
    size_t job_count;
    struct trace_events_part *parts;
    size_t part_count, part_capacity;
    uint32_t free_part;
    struct trace_events_track *tracks; /* for each node its devices and one more, then the pools */
    size_t track_count;
    uint32_t *first_track; /* by node, then by pool */
    uint8_t *state;        /* by node */
    int64_t *state_since_ms;
    int64_t changed_ms;        /* time of the last change */
    uint64_t pending, running; /* as last written */
    int64_t milli_used;
};

/* The file appears when it is closed. Returns false with err set if it cannot be created. */
bool trace_events_open(struct trace_events *, const char *path, struct err *);
struct sim_observer trace_events_observer(struct trace_events *);

/* Ends open events and the file's JSON; call after the run. */
void trace_events_finish(struct trace_events *, const struct sim *);
void trace_events_fini(struct trace_events *);

#endif
