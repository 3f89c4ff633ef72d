/* SPDX-License-Identifier: MIT */
/*
 * Orders that change while jobs run (remaining, attained, a plugin's rank): the jobs of each lane,
 * their progress, and which need attention. act/evict_outranked.c makes the decisions.
 *
 * There is one lane for the fleet, or one per queue with scope `queue`. Between decisions this
 * module only records which jobs changed; the index (ranking_index.h) is updated when the next
 * decision looks at their lane.
 *
 * Attained service counts what a job holds: an elastic job attains more while it is larger.
 * Remaining time decreases with the clock whatever the job holds, unless policy_report_progress()
 * says otherwise.
 */
#ifndef POLICY_ORDER_RANKING_H
#define POLICY_ORDER_RANKING_H

#include "base/treap.h"
#include "state/state.h"

/* A job's position in the order of its lane: compared member by member, smaller first. */
struct pc_rank {
    int64_t key, second, third;
    uint64_t turn;
    uint32_t job;
    uint32_t place; /* rank in the last decision, if the options use it */
};

/*
 * State of an unfinished job, by its id. Most jobs are pending and have never run, so what only the
 * others need is in struct pc_rank_run. A dirty job is in no tree of pending jobs; its links then
 * form the list lane.dirty: left is the previous job, right the next one.
 */
struct pc_contender {
    struct pc_treap_links
        links;    /* in the tree of its group, see ranking_index.h; must be the first member */
    uint32_t run; /* index in ranking.runs, or PC_NONE: it has never run */
    int64_t key, second;    /* first part of its rank in the tree; entered and turn are the rest */
    int64_t remaining_ms;   /* as of `since` of its run; INT64_MAX unknown */
    policy_time entered;    /* start of its time in the queue; tie-break among equal ones: */
    uint64_t turn;          /* its rank; for an evicted job a number above all ranks */
    uint32_t lane, wait_at; /* index among the waiters there */
    uint32_t group;         /* index in lane.groups: its request while it is pending */
    uint8_t stands;         /* enum pc_stands */
    uint8_t found;          /* why it was chosen but found no place; else 0 */
    bool chosen : 1;        /* pending, with a part of the budget */
    bool reported : 1;      /* its remaining time was reported after submission */
    bool dirty : 1;         /* its position in the index must be recomputed */
};

/* Additional state of a job that runs, has run, or was restored from a history, until it is
 * over. */
struct pc_rank_run {
    struct pc_treap_links
        links;    /* in the tree of running jobs, see ranking_index.h; must be the first member */
    uint32_t job; /* in a free slot: the next free one */
    struct pc_rank
        rank; /* in the tree; if the key decreases with time, the time at which it would be 0 */
    int64_t weight,
        sum; /* thousandths of devices charged to the budget; and the sum over its subtree */
    int64_t attained; /* thousandths of devices x ms attained by `since` */
    int64_t rate;     /* thousandths of devices held since then, while it runs */
    policy_time since;
    uint64_t started;      /* number of its start; larger is later */
    int64_t held;          /* in the budget of its lane: see pc_ranking_held_in() */
    uint64_t left_in;      /* `news` of its lane at its eviction */
    uint32_t place_before; /* restored rank, counted from 1; 0: after all others */
    int32_t level;         /* thresholds passed */
    bool quiet;            /* nothing happened in its lane since it was evicted */
    bool crosses;          /* in the tree of lane.crossing */
    bool idle;             /* neither running nor leaving */
};

enum pc_stands {
    PC_STANDS_NOWHERE = 0,
    PC_STANDS_RUNNING,
    PC_STANDS_FIXED,
    PC_STANDS_LEAVING,
    PC_STANDS_PENDING
};

/* Pending jobs of a lane with equal demand. */
struct pc_rank_group {
    int64_t demand; /* thousandths of devices requested by a job's minimum */
    uint32_t root;
    uint32_t members; /* unfinished jobs in it; 0: free for another demand */
};

struct pc_rank_entry {
    uint32_t job, gen; /* stale if the job's generation differs */
};

struct pc_rank_lane {
    struct pc_rank_entry *entries; /* every unfinished job, and stale entries */
    uint32_t count, capacity, live;
    uint32_t *waiters; /* pending jobs, unordered */
    uint32_t waiting, waiter_capacity;
    uint32_t *chosen; /* jobs given a part of the budget by the last look, in order; may be stale */
    uint32_t chosen_count, chosen_capacity;
    uint32_t dirty; /* head of the list of jobs to be placed in the index, or PC_NONE */
    struct pc_rank_group *groups;
    uint32_t group_count, group_capacity;
    uint32_t running,
        crossing; /* roots of trees of runs: running jobs, and by the time at which keys change */
    int64_t held, fixed;   /* held by jobs in total, and by non-preemptible ones */
    int64_t pending_milli; /* requested by pending jobs that could ever fit */
    int64_t running_tasks; /* of running jobs: upper bound on evictions */
    uint64_t news;         /* counts events that may change which jobs should run */
    policy_time wakeup;    /* when time alone may change which jobs should run */
    bool stale;            /* new facts may change which jobs should run */
    bool owed;             /* chosen jobs may be placed now */
    bool elastic;          /* it has had an elastic job */
    bool from_history;     /* ranks were restored and are not applied yet */
    bool anew;             /* the whole index must be rebuilt */
};

/* Ordered by the time at which a key changes by itself; indexed by run. */
struct pc_crossing {
    struct pc_treap_links links;
    uint32_t job;
    policy_time at;
};

struct pc_ranking {
    struct pc_contender *of;
    struct pc_rank_run *runs;
    struct pc_crossing *crossings; /* by run */
    uint32_t capacity, run_capacity, crossing_capacity;
    uint32_t run_count, run_free; /* slots used so far, and the first free one, or PC_NONE */
    uint32_t idle_runs;           /* of jobs neither running nor leaving */
    struct pc_rank_lane *lanes;
    uint32_t lane_count, lane_capacity;
    struct pc_rank *walk, *spare; /* scratch: see pc_outranked_reserve() */
    uint32_t walk_capacity, spare_capacity;
    int64_t *left; /* scratch: remaining budget by pool set */
    uint32_t left_capacity;
    uint32_t *failed; /* by job class: the last placing round in which it found no place, and why */
    int32_t *failed_why;
    uint32_t failed_capacity, why_capacity;
    uint64_t numbers;   /* numbers given to starts and evictions */
    uint32_t placings;  /* number of placing rounds */
    policy_time wakeup; /* the earliest over all lanes */
    bool any;           /* some lane is stale or owed */
    bool all;           /* all lanes are stale: nodes have changed */
};

extern const struct pc_module pc_ranking_module;
extern const struct pc_history_row *const pc_ranking_records[]; /* its history: ranking_history.c */

/* turns of evicted jobs begin here, above all ranks */
#define PC_RANKING_EVICTED (UINT64_C(1) << 63)

/* Returns the state of a policy with such an order; else NULL. */
struct pc_ranking *pc_ranking_of(const struct policy *);

/* NULL if the job has never run. */
static inline struct pc_rank_run *pc_ranking_run(const struct pc_ranking *r, uint32_t job)
{
    return r->of[job].run == PC_NONE ? NULL : &r->runs[r->of[job].run];
}

/* Read-only variant: zeros for a job that has never run. */
const struct pc_rank_run *pc_ranking_past(const struct pc_ranking *, uint32_t job);

/* Reserves runs for that many jobs that hold or may hold something, besides those of idle jobs.
 * Returns false if out of memory. */
bool pc_ranking_reserve_runs(struct policy *, struct pc_ranking *, uint32_t most);

/* Returns the job's run, creating it if needed; it must be reserved. */
struct pc_rank_run *pc_ranking_keep_run(struct pc_ranking *, uint32_t job);

/* Records whether the job neither runs nor leaves; it must have a run. */
void pc_ranking_idle(struct pc_ranking *, struct pc_rank_run *, bool idle);

/* The job is over: frees its run. */
void pc_ranking_drop_run(struct pc_ranking *, uint32_t job);

/* Returns true if lists keep their order between decisions, so that they must be re-evaluated after
 * every event. */
static inline bool pc_ranking_looks_always(const struct policy *p)
{
    return p->config.ranked.ties == POLICY_TIES_PREVIOUS ||
           p->config.ranked.demotion == POLICY_DEMOTE_PUBLISHED;
}

bool pc_ranking_runs(const struct policy *, uint32_t job);
bool pc_ranking_waits(const struct policy *, uint32_t job);

/* Returns true if a pending job is excluded: the fleet could not hold it, or too few of its tasks
 * may start. */
bool pc_ranking_never_fits(const struct policy *, uint32_t job);

/* Thousandths of devices requested by a pending job. */
int64_t pc_ranking_demand(const struct policy *, uint32_t job);

/* Thousandths of usable devices that the job holds in the pool set. */
int64_t pc_ranking_held_in(const struct policy *, uint32_t job, uint32_t set);

/* Remaining run time as of now; INT64_MAX: unknown. Attained service as of now: thousandths of
 * devices x ms. */
int64_t pc_ranking_remaining(const struct policy *, uint32_t job);
int64_t pc_ranking_attained(const struct policy *, uint32_t job);

/* Updates a running job's remaining time and attained service to now. */
void pc_ranking_pause(struct policy *, uint32_t job);

/* Records why a chosen job found no place, also in the backlog of its pool set; 0: clears the
 * reason. */
void pc_ranking_found(struct policy *, uint32_t job, int32_t reason);

/* Marks the lane for a new look if that may change anything. */
void pc_ranking_mark(const struct policy *, struct pc_rank_lane *);

/* Sets the last parts of a rank as the option `ties` says. */
void pc_ranking_tie(const struct policy *, struct pc_rank *);

static inline bool pc_rank_before(const struct pc_rank *a, const struct pc_rank *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    if (a->second != b->second)
        return a->second < b->second;
    if (a->third != b->third)
        return a->third < b->third;
    return a->turn != b->turn ? a->turn < b->turn : a->job < b->job;
}

#endif
