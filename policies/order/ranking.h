/* SPDX-License-Identifier: MIT */
/*
 * Orders that change while jobs run (remaining, attained, a plugin's rank): what is known of the
 * jobs of each lane, how far they are, and which have to be looked at. What a decision does with it
 * is in act/evict_outranked.c.
 *
 * A lane is the fleet's, or with scope `queue` one of each queue. Between decisions this module
 * only notes which jobs changed; they take their places in the index (ranking_index.h) when the
 * next decision looks at their lane.
 *
 * Service is counted by what a job holds: an elastic job attains more while it is larger. Remaining
 * time falls with the clock whatever the job holds, until policy_report_progress() says otherwise.
 */
#ifndef POLICY_ORDER_RANKING_H
#define POLICY_ORDER_RANKING_H

#include "base/treap.h"
#include "state/state.h"

/* A job's place in the order of its lane: by all of these, smaller first. */
struct pc_rank {
    int64_t key, second, third;
    uint64_t turn;
    uint32_t job;
    uint32_t place; /* in the last decision, where that counts */
};

/*
 * What is known of a job that is not over, by its id. Most jobs are pending and have never run, so
 * what only the others need is in struct pc_rank_run. A job that is dirty stands in no tree of
 * pending jobs; its links are those of lane.dirty then: left is the job before it, right the one
 * behind it.
 */
struct pc_contender {
    struct pc_treap_links
        links;            /* in the tree of its group, see ranking_index.h; first of all members */
    uint32_t run;         /* in ranking.runs, or PC_NONE: it has never run */
    int64_t key, second;  /* of its rank in the tree; entered and turn are the rest of it */
    int64_t remaining_ms; /* to run, up to `since` of its run; INT64_MAX unknown */
    policy_time entered;  /* into the queue, and among those that entered then: */
    uint64_t turn;        /* its rank, or for one that was evicted a number behind all ranks */
    uint32_t lane, wait_at; /* and its place among the waiters there */
    uint32_t group;         /* among lane.groups: what it asks for while it waits */
    uint8_t stands;         /* enum pc_stands */
    uint8_t found;          /* chosen, but found no place: why; else 0 */
    bool chosen : 1;        /* it waits, and has a part of the budget */
    bool reported : 1;      /* what it has to run is not what its submission said */
    bool dirty : 1;         /* its place in the index is to be found anew */
};

/* What is known besides of a job that runs, has run, or of which a history tells, until it is over.
 */
struct pc_rank_run {
    struct pc_treap_links
        links;    /* in the tree of running jobs, see ranking_index.h; first of all members */
    uint32_t job; /* of one that is free: the next free one */
    struct pc_rank rank; /* in the tree; its key is the time at which it would be 0, if it falls */
    int64_t weight, sum; /* thousandths of devices that count in the budget; of its whole subtree */
    int64_t attained;    /* thousandths of devices x ms that it had, up to `since` */
    int64_t rate;        /* thousandths of devices that it holds since then, while it runs */
    policy_time since;
    uint64_t started;      /* number of its start; later ones are larger */
    int64_t held;          /* in the budget of its lane: see pc_ranking_held_in() */
    uint64_t left_in;      /* `news` of its lane when it was evicted */
    uint32_t place_before; /* as the history has it, counted from 1; 0: behind all others */
    int32_t level;         /* thresholds that it has passed */
    bool quiet;            /* nothing happened in its lane since it was evicted */
    bool crosses;          /* it is in the tree of lane.crossing */
    bool idle;             /* it neither runs nor leaves */
};

enum pc_stands {
    PC_STANDS_NOWHERE = 0,
    PC_STANDS_RUNNING,
    PC_STANDS_FIXED,
    PC_STANDS_LEAVING,
    PC_STANDS_PENDING
};

/* Pending jobs of a lane that ask for as much. */
struct pc_rank_group {
    int64_t demand; /* thousandths of devices of a job's minimum */
    uint32_t root;
    uint32_t members; /* jobs of it that are not over; 0: free for another demand */
};

struct pc_rank_entry {
    uint32_t job, gen; /* stale when the job's is another */
};

struct pc_rank_lane {
    struct pc_rank_entry *entries; /* every job that is not over, and stale ones */
    uint32_t count, capacity, live;
    uint32_t *waiters; /* jobs that are pending, in no order */
    uint32_t waiting, waiter_capacity;
    uint32_t *chosen; /* those that the last look gave a part of the budget, first in order first;
                         may be stale */
    uint32_t chosen_count, chosen_capacity;
    uint32_t dirty; /* first of the jobs to be placed in the index, or PC_NONE */
    struct pc_rank_group *groups;
    uint32_t group_count, group_capacity;
    uint32_t running,
        crossing; /* roots, of runs: running jobs, and by the time at which their keys change */
    int64_t held, fixed; /* of the jobs that hold something, and of those that may not be evicted */
    int64_t pending_milli; /* asked for by pending jobs that could ever fit */
    int64_t running_tasks; /* of jobs that run: so many evictions there may be */
    uint64_t news;         /* grows with all that may change which jobs run */
    policy_time wakeup;    /* when time alone may change which jobs run */
    bool stale;            /* facts came that may change which jobs run */
    bool owed;             /* chosen jobs may be placed now */
    bool elastic;          /* some job of it was */
    bool from_history;     /* places came with the history, and it does not stand so yet */
    bool anew;             /* the whole index is to be made anew */
};

/* By the time at which its key changes by itself; with the number of its run. */
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
    uint32_t run_count, run_free; /* used so far, and the first free one of these, or PC_NONE */
    uint32_t idle_runs;           /* of jobs that neither run nor leave */
    struct pc_rank_lane *lanes;
    uint32_t lane_count, lane_capacity;
    struct pc_rank *walk, *spare; /* scratch: see pc_outranked_reserve() */
    uint32_t walk_capacity, spare_capacity;
    int64_t *left; /* scratch: of the budget, by pool set */
    uint32_t left_capacity;
    uint32_t *failed; /* by job class: the placing in which it found no place last, and why */
    int32_t *failed_why;
    uint32_t failed_capacity, why_capacity;
    uint64_t numbers;   /* handed out to starts and evictions */
    uint32_t placings;  /* times that chosen jobs were placed */
    policy_time wakeup; /* the first of all lanes' */
    bool any;           /* some lane is stale or owed */
    bool all;           /* all lanes are stale: nodes have changed */
};

extern const struct pc_module pc_ranking_module;
extern const struct pc_history_row
    *const pc_ranking_records[]; /* of its history: ranking_history.c */

/* turns of jobs that were evicted begin here, behind all ranks */
#define PC_RANKING_EVICTED (UINT64_C(1) << 63)

/* Of a policy with such an order; else NULL. */
struct pc_ranking *pc_ranking_of(const struct policy *);

/* NULL: the job has never run. */
static inline struct pc_rank_run *pc_ranking_run(const struct pc_ranking *r, uint32_t job)
{
    return r->of[job].run == PC_NONE ? NULL : &r->runs[r->of[job].run];
}

/* The same to read: zeros for a job that has never run. */
const struct pc_rank_run *pc_ranking_past(const struct pc_ranking *, uint32_t job);

/* Room for the runs of so many jobs that hold something or may, beside those of idle jobs; false:
 * no memory. */
bool pc_ranking_reserve_runs(struct policy *, struct pc_ranking *, uint32_t most);

/* The run of a job, made where it has none. There is room. */
struct pc_rank_run *pc_ranking_keep_run(struct pc_ranking *, uint32_t job);

/* Notes whether the job neither runs nor leaves; it has a run. */
void pc_ranking_idle(struct pc_ranking *, struct pc_rank_run *, bool idle);

/* The job is over. */
void pc_ranking_drop_run(struct pc_ranking *, uint32_t job);

/* Lists that keep their order from one decision to the next have to be looked at whenever something
 * happens. */
static inline bool pc_ranking_looks_always(const struct policy *p)
{
    return p->config.ranked.ties == POLICY_TIES_PREVIOUS ||
           p->config.ranked.demotion == POLICY_DEMOTE_PUBLISHED;
}

bool pc_ranking_runs(const struct policy *, uint32_t job);
bool pc_ranking_waits(const struct policy *, uint32_t job);

/* True if a pending job takes no part: the fleet could not hold it, or too few of its tasks may
 * start. */
bool pc_ranking_never_fits(const struct policy *, uint32_t job);

/* Thousandths of devices that a pending job has to find. */
int64_t pc_ranking_demand(const struct policy *, uint32_t job);

/* Thousandths of usable devices in the pool set that the job holds. */
int64_t pc_ranking_held_in(const struct policy *, uint32_t job, uint32_t set);

/* Time that it still has to run; INT64_MAX: not known. Service that it had: thousandths of devices
 * x ms. As of now. */
int64_t pc_ranking_remaining(const struct policy *, uint32_t job);
int64_t pc_ranking_attained(const struct policy *, uint32_t job);

/* What a running job did and had so far is written down. */
void pc_ranking_pause(struct policy *, uint32_t job);

/* Why a chosen job found no place, with the backlog of its pool set; 0: it is not known, or not
 * chosen. */
void pc_ranking_found(struct policy *, uint32_t job, int32_t reason);

/* The lane has to be looked at, if that may change anything. */
void pc_ranking_mark(const struct policy *, struct pc_rank_lane *);

/* Puts what the option `ties` says into the last parts of a rank. */
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
