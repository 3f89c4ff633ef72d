/* SPDX-License-Identifier: MIT */
/* The command line of fauxfleet-slurm. */
#ifndef ADAPTERS_SLURM_OPTIONS_H
#define ADAPTERS_SLURM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    const char *config, *policy, *journal, *state; /* NULL: not given */
    bool act, once, check, quiet;
    int64_t interval_ms, start_timeout_ms, requeue_wait_ms;
    int64_t sync_ms;      /* as in struct fact_log */
    int64_t most_jump_ms; /* of the clock */
};

/* Returns -1 to continue, else the exit code: 0 after --help and --version, 2 after an error
 * message. */
int options_parse(struct options *, int argc, char **argv);

#endif
