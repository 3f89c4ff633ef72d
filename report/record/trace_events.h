/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run in the Trace Event format, for Perfetto (ui.perfetto.dev) and chrome://tracing: JSON with
 * one event a line, written while the run goes on. Times are those of the trace, in microseconds.
 *
 *     process          thread              events
 *     "cluster"        events              evictions, faults of jobs and of no node in particular
 *                      (counters)          jobs pending and running, GPUs allocated
 *     one a node       GPU 0, GPU 1, ...   the tasks that hold the device, from start to release
 *                      no GPU              tasks without a device of their own
 *                      state               when the node takes no tasks, and its faults
 *     one a pool       allocations         tasks, where the policy only counts devices
 *
 * Bars of one thread never overlap, since viewers nest those that do: tasks that share a device
 * have threads of their own ("GPU 0, share 2"), the lowest free one first. The bar of an evicted
 * task includes the grace in which it still holds its devices. What has not ended with the run is
 * drawn up to its end.
 *
 * Format: "Trace Event Format", the document of the Catapult project (phases M, X, i and C).
 */
#ifndef REPORT_RECORD_TRACE_EVENTS_H
#define REPORT_RECORD_TRACE_EVENTS_H

#include "sim/base/out.h"
#include "sim/sim.h"

/* Parts of a job that hold devices now, oldest first: places in the list of all parts, from 1 on;
 * 0 none. */
struct trace_events_job {
    uint32_t first, last;
};

struct trace_events_part;
struct trace_events_track;

struct trace_events {
    struct out *out; /* NULL: not wanted */
    bool begun;
    int64_t began_ms;
    struct trace_events_job *jobs; /* by the core's number of the job */
    size_t job_count;
    struct trace_events_part *parts;
    size_t part_count, part_capacity;
    uint32_t free_part;
    struct trace_events_track *tracks; /* of each node its devices and one more, then the pools */
    size_t track_count;
    uint32_t *first_track; /* of each node, then of the pools */
    uint8_t *state;        /* of each node, */
    int64_t *state_since_ms;
    int64_t changed_ms;        /* when anything last changed */
    uint64_t pending, running; /* as last written */
    int64_t milli_used;
};

/* The file appears when it is closed. False with err set when it cannot be made. */
bool trace_events_open(struct trace_events *, const char *path, struct err *);
struct sim_observer trace_events_observer(struct trace_events *);

/* After the run: ends what is still open, and the file's JSON. */
void trace_events_finish(struct trace_events *, const struct sim *);
void trace_events_fini(struct trace_events *);

#endif
