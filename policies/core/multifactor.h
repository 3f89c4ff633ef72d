/* SPDX-License-Identifier: MIT */
/*
 * Multifactor priority, as Slurm's plugin priority/multifactor has it (order `multifactor`):
 *
 *     priority = priority_weight_age       x  time waited / priority_max_age_s, at most 1
 *              + priority_weight_fairshare x  place in the fair tree / users (order/fair_tree.h)
 *              + priority_weight_job_size  x  devices wanted / devices of the fleet; priority_favor_small: 1 - that
 *              + priority_weight_partition x  priority of the queue / highest of all queues
 *              + priority_weight_qos       x  priority of the job / highest of all jobs so far
 *
 * Largest first, then who was submitted first. Queues are accounts with their weight as shares, and the partitions too; the
 * users that jobs name are below the leaves, with one share each; jobs that name none are one user. Negative priorities
 * count as 0. Time is waited from the submission or begin time on, also by who had to start anew.
 *
 * Use is devices x time, of what runs, from start to end. It fades by half in priority_decay_half_life_s. Priorities are
 * calculated at whole multiples of priority_calc_period_s: first what was used before fades, then what was used since
 * is added, then users are ranked. A job that comes in between takes the ranks of the last time; a new user, queue or
 * node, or a higher priority than any before, makes a calculation due at once, with the use of the last time.
 *
 * Jobs that wait grow older together, so that their order changes only with ranks, and when one has reached the most age
 * that counts. While nothing of that happened a calculation leaves all keys as they are: they count the age up to
 * `base`. The use of an association is written down when something starts or ends, and found by arithmetic in between,
 * so time that passes costs nothing.
 */
#ifndef POLICY_CORE_MULTIFACTOR_H
#define POLICY_CORE_MULTIFACTOR_H

#include "core/state.h"
#include "order/fair_tree.h"

/* A user of a queue. */
struct pc_association {
    uint32_t queue, user; /* queue PC_NONE: free, for the next one */
    uint32_t jobs;        /* not over */
    uint32_t waiting;     /* of these */
    int64_t running;      /* thousandths of devices that its jobs have */
    uint64_t used; /* thousandths of devices x 0.1 s, as calculated at `bound`: a million for 29 years */
    uint64_t since_bound; /* thousandths of devices x ms from there up to `until` */
    policy_time bound, until;
    uint32_t place;
};

struct pc_multifactor {
    struct pc_association *of;
    uint32_t count, capacity;
    uint32_t *sorted; /* those that are not free, by queue and user */
    uint32_t sorted_count, sorted_capacity;
    struct pc_fair_row *rows; /* scratch: queues, then associations */
    uint32_t row_capacity;
    uint32_t *users; /* scratch */
    uint32_t user_capacity;
    uint32_t users_ranked;
    uint64_t faded;   /* what is left of use after one period, in 2^-63 */
    policy_time at;   /* the last calculation was as of then; POLICY_NEVER: none was */
    policy_time base; /* and keys are as of then */
    policy_time cap;  /* no job that waits reaches the most age before */
    uint32_t waiting, running, users_waiting;
    int32_t top_queue, top_job; /* highest priorities, at least 1 */
    uint32_t fleet_version;     /* of `installed` */
    int64_t installed;          /* thousandths of devices */
    bool stale;                 /* a calculation is due at once */
    bool
        is_told; /* what was calculated last was told: whether it is still so is to be seen, without a calculation */
};

bool pc_multifactor_create(struct policy *); /* false: no memory */
void pc_multifactor_destroy(struct policy *);

/* ---- what the rest of the core tells; each does nothing with other orders ---- */

bool pc_multifactor_reserve_queue(struct policy *);          /* room for one more; false: no memory */
void pc_multifactor_queues_changed(struct policy *);         /* one was added or removed */
void pc_multifactor_forget(struct policy *, uint32_t queue); /* it is removed */

/* A job is new: finds its association; false: no memory. */
bool pc_multifactor_admit(struct policy *, uint32_t job, const struct policy_job_spec *);
void pc_multifactor_over(struct policy *, uint32_t job);

/* It waits from now on (its key is found), or does so no more. */
void pc_multifactor_waits(struct policy *, uint32_t job);
void pc_multifactor_waits_no_more(struct policy *, uint32_t job);

/* It has its devices from now on, or has them no more. */
void pc_multifactor_runs(struct policy *, uint32_t job);
void pc_multifactor_stopped(struct policy *, uint32_t job);

/* ---- deciding ---- */

/* Calculates priorities if it is time to, and puts jobs that wait in their order. */
void pc_multifactor_refresh(struct policy *);

/* When priorities have to be calculated next; INT64_MAX: that would not change the order. */
policy_time pc_multifactor_wakeup(const struct policy *);

/* The key of a job that waits: its priority in PC_PRIORITY_UNIT below zero. */
int64_t pc_multifactor_key(const struct policy *, uint32_t job);

/* The association of the user of a queue, a new one if need be; PC_NONE: no memory. */
uint32_t pc_multifactor_find(struct policy *, uint32_t queue, uint32_t user);

/* The last multiple of the period that is not behind the time. */
policy_time pc_multifactor_bound(const struct policy *, policy_time at);

/* Finds keys again, and when the first of the jobs that wait reaches the most age. */
void pc_multifactor_rekey(struct policy *);

/* What is wrong, or NULL. */
const char *pc_multifactor_check(const struct policy *);

#endif
