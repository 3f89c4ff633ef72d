/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Throughput of jobs that name a model, in the window, by model and number of devices (an elastic
 * job changes its number). Times are those of jobs at work: without restarts, checkpoint writes,
 * waiting for a gang and hanging.
 *
 *     samples_per_s = samples / seconds of jobs at work         a mean over jobs at work, weighted
 *       by time
 *     step_s        = seconds of jobs at work / steps
 *     slowdown      = GPU-time / what the same work takes at ideal speed
 *
 * Work that is lost and repeated counts twice: this measures what devices did, not what was kept.
 */
#ifndef REPORT_MEASURE_THROUGHPUT_H
#define REPORT_MEASURE_THROUGHPUT_H

#include "report/measure/ledger.h"
#include "sim/base/json.h"

struct throughput_cell {
    int32_t gpus;
    int64_t work_ms;      /* of jobs */
    ledger_amount worked; /* thousandths of devices times milliseconds */
    ledger_amount ideal;  /* the same times speed */
    double steps, samples;
};

struct throughput_model {
    uint64_t jobs;                 /* jobs that worked in the window */
    const char *samples;           /* what the model's samples are called */
    struct throughput_cell *cells; /* by increasing number of devices */
    size_t count, capacity;
};

struct throughput {
    struct throughput_model *models; /* by names.models */
    size_t model_count;
    uint32_t *seen; /* by the core's job number: 1 + the job's generation when it was counted */
    size_t seen_count;
};

struct sim_observer throughput_observer(struct throughput *);
void throughput_fini(struct throughput *);

/*
 * Writes {"gpt3-5b": {"jobs": ..., "by_gpus": {"8": ...}}} by name; nothing if no job names a
 * model.
 */
void throughput_json(const struct throughput *, const struct sim *, struct json *, const char *key);

#endif
