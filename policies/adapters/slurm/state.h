/* SPDX-License-Identifier: MIT */
/*
 * The file of --state: what is remembered (past.h) as of one record of the journal, in the form of
 * facts/saved.h, so that a file that lacks anything is none, and written by facts/saved_file.h.
 */
#ifndef ADAPTERS_SLURM_STATE_H
#define ADAPTERS_SLURM_STATE_H

#include "policies/adapters/slurm/past.h"

#include <stddef.h>

struct state {
    bool is_there;                /* there is such a file */
    uint64_t records;             /* of the journal, up to which it tells */
    char after[CHAIN_DIGITS + 1]; /* the chain's value in the last of them */
    struct past past;
};

/* False with the reason, which names the file, when it is there and cannot be read, or is no whole
 * state. */
bool state_read(struct state *, const char *path, char *error, size_t size);
void state_fini(struct state *); /* a zeroed one is fine */

/* False with the reason: the old one is still there. `policy` is the policy's name. */
bool state_write(const struct state *, const char *path, policy_time now, const char *policy,
                 char *error, size_t size);

#endif
