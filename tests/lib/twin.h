/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive twin of the policy core: tries every waiting job in order, each time anew, with plain
 * scans over the nodes of a world. Says what one policy_decide() has to answer.
 */
#ifndef TESTS_LIB_TWIN_H
#define TESTS_LIB_TWIN_H

#include "tests/lib/world.h"

struct twin_start {
    uint32_t job, task, node, pool;
    uint64_t devices;
};

struct twin_answer {
    size_t count;
    struct twin_start starts[WORLD_JOBS * WORLD_TASKS];
};

/* Whether there is a twin of the placement of that name. */
bool twin_knows(const char *placement);

/* The world is left as it was; held jobs whose time has come have to be released in it before. */
void twin_decide(const struct world *, const char *placement, struct twin_answer *);

/* Whether the job could start now, alone. */
bool twin_could_start(const struct world *, const char *placement, uint32_t job);

#endif
