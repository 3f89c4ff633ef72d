/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of a mix with parameter servers; see mix.h. */
#include "traces/generate/mix.h"

#include "sim/base/symbols.h"
#include "traces/pod_sets.h"

#include <inttypes.h>
#include <stdio.h>

#define WORKERS_OF_A_SERVER 4
#define SERVER_CORES        8

void mix_roles(struct trace_job *job, char text[MIX_ROLES])
{
    int64_t workers = job->gpus_total;
    struct err never; /* no more workers than max_gpus allows, and no types */
    (void)snprintf(text, MIX_ROLES,
                   "worker tasks=%" PRId64 " min=%" PRId64 " gpus=1; server tasks=%" PRId64
                   " cpus=%d",
                   workers, (workers * 3 + 3) / 4,
                   (workers + WORKERS_OF_A_SERVER - 1) / WORKERS_OF_A_SERVER, SERVER_CORES);
    job->gpus_total = TRACE_UNKNOWN;
    job->on_failure = TRACE_CONTINUE;
    (void)trace_job_set_roles(job, text, NULL, &never);
}
