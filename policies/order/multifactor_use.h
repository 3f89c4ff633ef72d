/* SPDX-License-Identifier: MIT */
/*
 * What the order `multifactor` remembers: Slurm's priority/multifactor plugin.
 *
 *     priority = priority_weight_age       x  time waited / priority_max_age_s, at most 1
 *              + priority_weight_fairshare x  place in the fair tree / users (order/fair_tree.h)
 *              + priority_weight_job_size  x  devices wanted / devices of the fleet;
 *                                             priority_favor_small: 1 - that
 *              + priority_weight_partition x  priority of the queue / highest of all queues
 *              + priority_weight_qos       x  priority of the job / highest of all jobs so far
 *
 * Largest first, then first submitted. Queues are accounts with their weight as shares, and the
 * partitions too; the users that jobs name are below the leaves, with one share each; jobs that
 * name none belong to one user. Negative priorities count as 0. Waiting counts from the submission
 * or begin time on, also for jobs that had to start anew. An elastic job wants the devices of its
 * minimum, as Slurm sizes a job by its least number of nodes.
 *
 * Use is devices x time, of what is held. It fades by half in priority_decay_half_life_s.
 * Priorities are calculated at whole multiples of priority_calc_period_s: first earlier use fades,
 * then what was used since is added, then users are ranked. A job that comes in between takes the
 * ranks of the last time; a new user, queue or node, or a higher priority than any before, makes a
 * calculation due at once, with the use of the last time.
 *
 * Pending jobs grow older together, so their order changes only with ranks, and when one has
 * reached the most age that counts. While nothing of that happened a calculation leaves all keys as
 * they are: they count the age up to `base`. The use of an association is written down when its
 * jobs start, end or change their size, and found by arithmetic in between, so time that passes
 * costs nothing.
 */
#ifndef POLICY_ORDER_MULTIFACTOR_USE_H
#define POLICY_ORDER_MULTIFACTOR_USE_H

#include "order/fair_tree.h"
#include "state/state.h"

/* A user of a queue. */
struct pc_association {
    uint32_t queue, user; /* queue PC_NONE: free, for the next one */
    uint32_t jobs;        /* not over */
    uint32_t waiting;     /* of these */
    int64_t running;      /* thousandths of devices that its jobs hold */
    uint64_t
        used; /* thousandths of devices x 0.1 s, as calculated at `bound`: a million for 29 years */
    uint64_t since_bound; /* thousandths of devices x ms from there up to `until` */
    policy_time bound, until;
    uint32_t place;
};

/* What is known of a job, by its id. */
struct pc_claimant {
    uint32_t association;
    policy_time waits_since; /* an eviction does not begin it anew */
    int64_t held;            /* thousandths of devices, counted in its association */
};

struct pc_multifactor {
    struct pc_association *of;
    uint32_t count, capacity;
    uint32_t *sorted; /* those that are not free, by queue and user */
    uint32_t sorted_count, sorted_capacity;
    struct pc_claimant *jobs;
    uint32_t job_capacity;
    struct pc_fair_row *rows; /* scratch: queues, then associations */
    uint32_t row_capacity;
    uint32_t *users; /* scratch */
    uint32_t user_capacity;
    uint32_t users_ranked;
    uint64_t faded;   /* what is left of use after one period, in 2^-63 */
    policy_time at;   /* the last calculation was as of then; POLICY_NEVER: none was */
    policy_time base; /* and keys are as of then */
    policy_time cap;  /* no pending job reaches the most age before */
    uint32_t waiting, running, users_waiting;
    int32_t top_queue, top_job; /* highest priorities, at least 1 */
    uint32_t fleet_version;     /* of `installed` */
    int64_t installed;          /* thousandths of devices */
    bool stale;                 /* a calculation is due at once */
    bool is_reported; /* the last calculation came with the history: whether it holds is seen
                         without another one */
};

extern const struct pc_module pc_multifactor_module;
extern const struct pc_history_row
    *const pc_multifactor_records[]; /* of its history: multifactor_history.c */

/* Of a policy with the order multifactor; else NULL. */
struct pc_multifactor *pc_multifactor_of(const struct policy *);

/* The key of a pending job: its priority in PC_PRIORITY_UNIT below zero. */
struct pc_key pc_multifactor_rekey(const struct policy *, uint32_t job);

/* Calculates priorities if it is time to; whether keys of pending jobs have changed. */
bool pc_multifactor_refresh(struct policy *);

/* When priorities have to be calculated next; INT64_MAX: that would not change the order. */
policy_time pc_multifactor_next_change(const struct policy *);

/* The association of the user of a queue, a new one if need be; PC_NONE: no memory. */
uint32_t pc_multifactor_find(struct policy *, uint32_t queue, uint32_t user);

/* The last multiple of the period that is not behind the time; INT64_MIN if that is earlier. */
policy_time pc_multifactor_bound(const struct policy *, policy_time at);

/* Devices of all nodes, whatever their state. */
int64_t pc_multifactor_installed(const struct policy *);

/* When the first of the pending jobs reaches the most age is found anew. */
void pc_multifactor_find_cap(struct policy *);

#endif
