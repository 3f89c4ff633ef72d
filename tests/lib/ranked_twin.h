/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive twin of ranked queueing: in each decision it ranks all jobs of every lane anew, by
 * facts in plain fields, and divides the devices by the verbal rule. It remembers nothing between
 * decisions.
 */
#ifndef TESTS_LIB_RANKED_TWIN_H
#define TESTS_LIB_RANKED_TWIN_H

#include "tests/lib/twin.h"

enum ranked_order { RANKED_REMAINING, RANKED_REMAINING_GPU, RANKED_ATTAINED };

struct ranked_fact {
    int64_t remaining; /* ms; -1 unknown */
    int64_t attained;  /* thousandths of devices x ms */
    policy_time since; /* time of the values above; it has been running since, if it runs */
    policy_time submitted, entered;
    uint64_t turn, started; /* in the queue; since its last start */
    bool leaving, preemptible;
};

struct ranked_world {
    struct world world; /* jobs and nodes */
    struct ranked_fact facts[WORLD_JOBS];
    enum ranked_order order;
    bool waiting_first;
    int64_t thresholds[POLICY_MAX_THRESHOLDS]; /* 0: no more */
    policy_time now;
    const char *placement;
};

/* Decisions in the core's order: evictions and starts, lane by lane. */
struct ranked_step {
    bool evicts;
    struct twin_start what;
};

struct ranked_answer {
    size_t count;
    struct ranked_step steps[WORLD_JOBS * WORLD_TASKS];
};

/* Decides; held jobs whose time has come must be released before. */
void ranked_twin_decide(const struct ranked_world *, struct ranked_answer *);

#endif
