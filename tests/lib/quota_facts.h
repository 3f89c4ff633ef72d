/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random facts for a run of the quota policy: nodes, queues and jobs come, change and go. Each
 * function draws one fact, reports it to the policy, checks its status and updates the world
 * (quota_world.h) accordingly; it does nothing if nothing suits.
 */
#ifndef TESTS_LIB_QUOTA_FACTS_H
#define TESTS_LIB_QUOTA_FACTS_H

#include "tests/lib/core.h"
#include "tests/lib/quota_draw.h"

struct quota_run {
    struct quota_world world;
    struct quota_draw draw;
    struct tally tally;
    struct policy *p;
    uint64_t submitted, ranks;
    bool reclaims; /* only reclaim among departments, whose arithmetic can be verified exactly */
    bool loud;     /* quota_tell() prints */

    size_t decided;    /* starting or evicting decisions of the last call */
    uint64_t outcomes; /* a hash of the outcomes of all decisions */
};

/* Prints what happens in a loud run. */
void quota_tell(const struct quota_run *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

int32_t quota_run_below(struct quota_run *, int32_t n); /* 0 to n - 1 */
bool quota_run_chance(struct quota_run *, int32_t percent);
policy_time quota_tick(struct quota_run *); /* the time of the next call, often unchanged */

/* Fails unless policy_check() finds every invariant intact. */
void quota_is_sound(struct quota_run *);

/* A job that is not over; NULL: there is none. */
struct quota_job *quota_any_job(struct quota_run *);

void fact_add_node(struct quota_run *);
void fact_remove_node(struct quota_run *);
void fact_change_state(struct quota_run *);
void fact_change_health(struct quota_run *);

void fact_add_queue(struct quota_run *);
void fact_add_departments(struct quota_run *);
void fact_remove_queue(struct quota_run *);
void fact_usage(struct quota_run *);

void fact_submit(struct quota_run *);
void fact_cancel(struct quota_run *);
void fact_end(struct quota_run *);
void fact_stop(struct quota_run *);
void fact_started(struct quota_run *);
void fact_start_failed(struct quota_run *);
void fact_releasing(struct quota_run *);
void fact_gate(struct quota_run *);
void fact_running(struct quota_run *);
void fact_activity(struct quota_run *);
void fact_stale_since(struct quota_run *);
void fact_wait(struct quota_run *);

/* Ends a job, or one task of it: evicts what holds devices, or ends it with another outcome. */
void fact_end_all(struct quota_run *, struct quota_job *, int32_t outcome);
void fact_end_one(struct quota_run *, struct quota_job *, uint32_t task, int32_t outcome);

/* Checks the status that the policy returned for a fact. */
void quota_answers(struct quota_run *, int status, int expected);

#endif
