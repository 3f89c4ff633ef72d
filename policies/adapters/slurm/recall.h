/* SPDX-License-Identifier: MIT */
/*
 * What the core of the last life remembered when that ended, however it did, from the journal: the
 * facts of the last section that came to a decision are told to a core of its own, which decides as
 * was recorded. A section that came to none has told its core at most what the one before it knew.
 */
#ifndef ADAPTERS_SLURM_RECALL_H
#define ADAPTERS_SLURM_RECALL_H

#include "policies/adapters/slurm/past.h"

struct recall_section {
    uint64_t first, last; /* records; 0: no section has come to a decision */
    policy_time at;       /* of the last record of all, also where none has */
};

/* Reads the whole log, which was scanned. False with errno set. */
bool recall_find(struct recall_section *, const struct fact_log *);

/* False with the reason: a core of this version does not take or decide what is recorded. */
bool recall(struct past *, const struct fact_log *, const struct recall_section *, char *error,
            size_t size);

#endif
