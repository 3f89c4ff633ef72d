/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs of a log as a scenario reads them, with their recorded starts. */
#ifndef SIM_CALIBRATE_LOG_H
#define SIM_CALIBRATE_LOG_H

#include "scenarios/scenario.h"
#include "sim/base/err.h"
#include "sim/base/symbols.h"
#include "sim/trace/read.h"

#define CALIBRATE_NEVER (-1) /* it did not start */

struct calibrate_job {
    int64_t eligible_ms;        /* on the trace's clock */
    int64_t start_ms, end_ms;   /* recorded */
    int64_t recorded_ms;        /* wait: eligible to recorded start */
    int64_t simulated_ms;       /* wait: eligible to the devices; CALIBRATE_NEVER */
    int64_t simulated_start_ms; /* on the trace's clock */
    int64_t gpu_milli;
    uint32_t queue; /* in names.queues */
    uint8_t class;  /* enum trace_class, as the simulation finds it */
    bool counted;   /* submitted in the measurement window */
};

struct calibrate_log {
    struct trace_names names;
    struct symbols *ids;
    struct calibrate_job *jobs; /* by ids: those with a recorded start */
    size_t job_count, capacity;
    uint64_t read;          /* jobs of the log */
    uint64_t without_start; /* left out: the log has no start for them */
    uint64_t early;         /* left out: recorded as started before they were eligible */
    uint64_t repeated;      /* left out: a job of that id was read before */
};

/* False with err set, EXIT_INPUT when no job has a recorded start. */
bool calibrate_log_read(struct calibrate_log *, const struct scenario *, struct err *err);
void calibrate_log_fini(struct calibrate_log *);

#endif
