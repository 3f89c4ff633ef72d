/* SPDX-License-Identifier: MIT */
/*
 * State of the order `multifactor`: Slurm's priority/multifactor plugin.
 *     priority = priority_weight_age       x  pending time / priority_max_age_s, at most 1
 *              + priority_weight_fairshare x  place in the fair tree / users (order/fair_tree.h)
 *              + priority_weight_job_size  x  requested devices / devices of the fleet;
 *                                             priority_favor_small: 1 - that
 *              + priority_weight_partition x  priority of the queue / highest of all queues
 *              + priority_weight_qos       x  priority of the job / highest of all jobs so far
 *
 * Highest first, then first submitted. Queues are accounts, with their weight as shares, and also
 * the partitions; users named by jobs are below the leaves, with one share each; jobs without a
 * user belong to one common user. Negative priorities count as 0. Pending time counts from the
 * submission or begin time on, also for jobs that restart. An elastic job counts the devices of its
 * minimum, as Slurm sizes a job by its minimum number of nodes.
 *
 * Usage is held devices x time. It halves every priority_decay_half_life_s. Priorities are
 * calculated at multiples of priority_calc_period_s: first earlier usage decays, then new usage is
 * added, then users are ranked. A job submitted in between uses the ranks of the last calculation;
 * a new user, queue or node, or a new highest priority, triggers an immediate calculation with the
 * usage of the last one.
 *
 * Pending jobs age together, so their order changes only with ranks, and when one reaches the
 * maximum age. Otherwise a calculation leaves all keys unchanged: they count the age up to `base`.
 * The usage of an association is updated when its jobs start, end or resize, and computed in
 * between, so passing time costs nothing.
 */
#ifndef POLICY_ORDER_MULTIFACTOR_USE_H
#define POLICY_ORDER_MULTIFACTOR_USE_H

#include "order/fair_tree.h"
#include "state/state.h"

/* A user of a queue. */
struct pc_association {
    uint32_t queue, user; /* queue PC_NONE: a free slot */
    uint32_t jobs;        /* unfinished */
    uint32_t waiting;     /* of these */
    int64_t running;      /* thousandths of devices held by its jobs */
    uint64_t used; /* thousandths of devices x 0.1 s, as calculated at `bound`: enough for a million
                      devices for 29 years */
    uint64_t since_bound; /* thousandths of devices x ms from `bound` to `until` */
    policy_time bound, until;
    uint32_t place;
};

/* State of a job, by its id. */
struct pc_claimant {
    uint32_t association;
    policy_time waits_since; /* not reset by evictions */
    int64_t held;            /* thousandths of devices, charged to its association */
};

struct pc_multifactor {
    struct pc_association *of;
    uint32_t count, capacity;
    uint32_t *sorted; /* slots in use, by queue and user */
    uint32_t sorted_count, sorted_capacity;
    struct pc_claimant *jobs;
    uint32_t job_capacity;
    struct pc_fair_row *rows; /* scratch: queues, then associations */
    uint32_t row_capacity;
    uint32_t *users; /* scratch */
    uint32_t user_capacity;
    uint32_t users_ranked;
    uint64_t faded;   /* fraction of usage left after one period, in 2^-63 */
    policy_time at;   /* time of the last calculation; POLICY_NEVER: none */
    policy_time base; /* reference time of keys */
    policy_time cap;  /* no pending job reaches the maximum age before */
    uint32_t waiting, running, users_waiting;
    int32_t top_queue, top_job; /* highest priorities, at least 1 */
    uint32_t fleet_version;     /* of `installed` */
    int64_t installed;          /* thousandths of devices */
    bool stale;                 /* a calculation is due at once */
    bool is_reported; /* the last calculation was restored; whether it is still valid is checked
                         without a new one */
};

extern const struct pc_module pc_multifactor_module;
extern const struct pc_history_row
    *const pc_multifactor_records[]; /* its history: multifactor_history.c */

/* Returns the state of a policy with the order multifactor; else NULL. */
struct pc_multifactor *pc_multifactor_of(const struct policy *);

/* The key of a pending job: its negated priority in PC_PRIORITY_UNIT. */
struct pc_key pc_multifactor_rekey(const struct policy *, uint32_t job);

/* Calculates priorities if due. Returns true if keys of pending jobs have changed. */
bool pc_multifactor_refresh(struct policy *);

/* When priorities must be calculated next; INT64_MAX: it would not change the order. */
policy_time pc_multifactor_next_change(const struct policy *);

/* Returns the association of the queue's user, creating it if needed; PC_NONE: out of memory. */
uint32_t pc_multifactor_find(struct policy *, uint32_t queue, uint32_t user);

/* The last multiple of the period at or before the time; INT64_MIN if it underflows. */
policy_time pc_multifactor_bound(const struct policy *, policy_time at);

/* Devices of all nodes, in any state. */
int64_t pc_multifactor_installed(const struct policy *);

/* Recomputes when the first pending job reaches the maximum age. */
void pc_multifactor_find_cap(struct policy *);

#endif
