/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of the traces that a scenario reads, as part of a digest of all that its results follow
 * from: the scenario's own digest leaves them out. Each file is read once, however many scenarios
 * name it. Thread-safe.
 */
#ifndef SIM_WORLD_SCENARIO_FILES_H
#define SIM_WORLD_SCENARIO_FILES_H

#include "scenarios/scenario.h"
#include "sim/base/digest.h"
#include "sim/base/err.h"

#include <pthread.h>

struct file_digest;

struct scenario_files {
    const char *who; /* "a sweep": cannot read standard input, as an error says */
    pthread_mutex_t lock;
    struct file_digest *files;
    size_t count;
};

void scenario_files_init(struct scenario_files *, const char *who);
void scenario_files_fini(struct scenario_files *);

/* Adds the digests of its traces and of the files that their formats want, decompressed. False with
 * err set. */
bool scenario_files_add(struct scenario_files *, struct digest *, const struct scenario *,
                        struct err *);

/* That of one more file, such as a policy's library. */
bool scenario_files_add_one(struct scenario_files *, struct digest *, const char *path,
                            struct err *);

#endif
