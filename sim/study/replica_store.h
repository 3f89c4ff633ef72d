/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finished replicas of a plan or a gate on disk, so that an interrupted command resumes:
 *
 *     DIR/replicas/KEY-3.json          the summary of replica 3
 *     DIR/replicas/KEY-bound-3.json    its lower bound
 *
 * KEY is a SHA-256 of everything that determines the result: the version of the program, the
 * scenario with its number of nodes and its demand, the bytes of its traces and of a policy that is
 * a library. So a result is valid whatever command finds it, and other files do no harm.
 * Files are whole or absent; a file that is not JSON counts as absent. Without DIR nothing is
 * stored.
 */
#ifndef SIM_STUDY_REPLICA_STORE_H
#define SIM_STUDY_REPLICA_STORE_H

#include "sim/world/scenario_files.h"

struct replica_store {
    char *dir; /* DIR/replicas; NULL: nothing is stored */
    struct scenario_files files;
};

/* dir NULL: nothing is stored. `who`: "a plan", as errors say. */
bool replica_store_open(struct replica_store *, const char *dir, const char *who, struct err *err);
void replica_store_close(struct replica_store *); /* a zeroed one is fine */

/* The key of a scenario; "" if nothing is stored. `more`: other inputs of the results; "" none. */
bool replica_store_key(struct replica_store *, const struct scenario *, const char *more,
                       char key[DIGEST_HEX], struct err *err);

/* `what`: "", "bound-" or another word with a hyphen. NULL when it is not there; to be freed. */
char *replica_store_get(const struct replica_store *, const char *key, const char *what,
                        int replica);
bool replica_store_put(const struct replica_store *, const char *key, const char *what, int replica,
                       const char *text, struct err *err);

#endif
