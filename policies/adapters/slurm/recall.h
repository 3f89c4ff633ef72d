/* SPDX-License-Identifier: MIT */
/*
 * Recovers the history of the previous run's core from the journal, however that run ended: the
 * facts of the last section with a decision are replayed to a separate core, which must decide as
 * recorded. A section without a decision has told its core at most what the one before knew.
 */
#ifndef ADAPTERS_SLURM_RECALL_H
#define ADAPTERS_SLURM_RECALL_H

#include "policies/adapters/slurm/past.h"

struct recall_section {
    uint64_t first, last; /* records; 0: no section has a decision */
    policy_time at;       /* of the last record overall */
};

/* Reads the whole scanned log. Returns false with errno set. */
bool recall_find(struct recall_section *, const struct fact_log *);

/* Returns false with the reason if a core of this version refuses the facts or decides
 * differently. */
bool recall(struct past *, const struct fact_log *, const struct recall_section *, char *error,
            size_t size);

#endif
