/* SPDX-License-Identifier: MIT */
/*
 * The file of --state: the history (past.h) as of one record of the journal, in the format of
 * facts/saved.h, so truncation is detected, and written by facts/saved_file.h.
 */
#ifndef ADAPTERS_SLURM_STATE_H
#define ADAPTERS_SLURM_STATE_H

#include "policies/adapters/slurm/past.h"

#include <stddef.h>

struct state {
    bool is_there;                /* the file exists */
    uint64_t records;             /* the last journal record included */
    char after[CHAIN_DIGITS + 1]; /* the chain value of that record */
    struct past past;
};

/* Returns false with the reason, which names the file, if it exists and cannot be read, or is not a
 * complete state. */
bool state_read(struct state *, const char *path, char *error, size_t size);
void state_fini(struct state *); /* also for a zeroed one */

/* Returns false with the reason; the old one is then unchanged. `policy` is the policy's name. */
bool state_write(const struct state *, const char *path, policy_time now, const char *policy,
                 char *error, size_t size);

#endif
