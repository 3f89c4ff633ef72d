/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finished parts of a plan on disk, so that an interrupted search resumes:
 *
 *     DIR/replicas/KEY-3.json          the summary of replica 3
 *     DIR/replicas/KEY-bound-3.json    its lower bound
 *
 * KEY is a SHA-256 of everything that determines the result: the version of the program, the
 * scenario with its number of nodes and its demand, the bytes of its traces and of a policy that is
 * a library. So a result is valid whatever plan finds it, and files of other plans do no harm.
 * Files are whole or absent; a file that is not JSON counts as absent. Without DIR nothing is
 * stored.
 */
#ifndef SIM_PLAN_STORE_H
#define SIM_PLAN_STORE_H

#include "sim/world/scenario_files.h"

struct plan_store {
    char *dir; /* DIR/replicas; NULL: nothing is stored */
    struct scenario_files files;
};

bool plan_store_open(struct plan_store *, const char *dir,
                     struct err *err); /* dir NULL: nothing is stored */
void plan_store_close(struct plan_store *);

/* The key of a scenario; "" if nothing is stored. `more`: other inputs of the results; "" none. */
bool plan_store_key(struct plan_store *, const struct scenario *, const char *more,
                    char key[DIGEST_HEX], struct err *err);

/* `what`: "" or "bound-". NULL when it is not there; to be freed. */
char *plan_store_get(const struct plan_store *, const char *key, const char *what, int replica);
bool plan_store_put(const struct plan_store *, const char *key, const char *what, int replica,
                    const char *text, struct err *err);

#endif
