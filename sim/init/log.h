/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a log tells about its cluster: GPU types and how many GPUs were busy at once, the largest
 * requests, the GPU time of each queue, and which facts jobs come with.
 *
 *     struct init_log log;
 *     init_log_begin(&log);
 *     ok = trace_read_path(&trace, cli, path, &log.sink, false, &err);
 *     init_log_finish(&log);
 *     ...
 *     init_log_fini(&log);
 */
#ifndef SIM_INIT_LOG_H
#define SIM_INIT_LOG_H

#include "sim/trace/read.h"

#define INIT_TYPES 64             /* of GPUs, as in struct trace_job */
#define INIT_ANY   INIT_TYPES     /* jobs that take any type, or one of several */
#define INIT_USES  (INIT_ANY + 1) /* number of struct init_use */

/* Jobs that request one type of GPU. Sizes in thousandths of GPUs. */
struct init_use {
    uint64_t jobs;
    double gpu_ms;   /* GPU time */
    int64_t peak;    /* most at one time */
    int64_t largest; /* job */
};

/* A job takes or returns GPUs. */
struct init_change {
    int64_t at_ms, milli;
    uint32_t use;
};

struct init_log {
    struct sink sink; /* first: trace_read_path() fills the rest through it */
    uint64_t jobs, gpu_jobs;
    uint64_t started;          /* GPU jobs with a recorded start */
    uint64_t limited;          /* GPU jobs with a time limit */
    int64_t first_ms, last_ms; /* submissions */
    int64_t most_per_task;     /* whole GPUs of one task, if tasks are given */
    struct init_use uses[INIT_USES];
    double *queue_gpu_ms; /* by names.queues */
    size_t queue_capacity;
    struct init_change *changes;
    size_t change_count, change_capacity;
};

void init_log_begin(struct init_log *);
void init_log_finish(struct init_log *); /* computes the peaks */
void init_log_fini(struct init_log *);

/* Returns true if most GPU jobs have a recorded start, so that `peak` counts busy GPUs; otherwise
 * jobs count from their submission, and `peak` is the demand. */
bool init_log_has_starts(const struct init_log *);

#endif
