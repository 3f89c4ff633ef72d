/* SPDX-License-Identifier: MIT */
/*
 * Ranked lines: lines whose order changes while jobs run, so that who runs may have to make way. What is kept here beside
 * the jobs of a lane is how far each is; what is done with it is in act/ranked.c.
 *
 *     lane:   R1  W4  R2  W3 | W1  R3        budget: the devices of the lane
 *             ------------- fit |  do not     R runs, W waits
 *
 * A decision walks all jobs of a lane in their order with a budget of its devices: who fits what is left takes it, who
 * does not is passed over. Of these the running ones (R3) are evicted; the waiting ones that fit (W4, W3) are *chosen*,
 * and are then placed one after the other as in any line. Those that find no place go on waiting and hold back nobody;
 * nothing that runs is moved. Only devices are budgeted, not nodes, CPU or memory.
 *
 * Where somebody is evicted, nobody starts before that is answered, so that the chosen see what it frees.
 */
#ifndef POLICY_CORE_RANKED_H
#define POLICY_CORE_RANKED_H

#include "core/state.h"
#include "order/order.h"

/* What is known of a job that is not over, by its id. */
struct pc_contender {
    int64_t remaining_ms; /* to run, up to `since`; INT64_MAX unknown */
    int64_t attained;     /* thousandths of devices x ms that it had, up to `since` */
    policy_time since;    /* it runs since (PC_ACTIVE and not leaving), or was told of then */
    policy_time submitted;
    policy_time entered; /* into the queue, and among those that entered then: */
    uint64_t turn;       /* its rank, or for one that was evicted a number behind all ranks */
    uint64_t started;    /* number of its start; later ones are larger */
    int32_t level;       /* thresholds that it has passed */
    int32_t found;       /* chosen, but found no place: why; else 0 */
    uint64_t left_in;    /* `news` of its lane when it was evicted */
    uint32_t wait_at;    /* its place among the waiters of its lane */
    bool leaving;        /* evicted by us, and not gone yet */
    bool chosen;         /* waits, and has a part of the budget */
    bool reported;       /* what it has to run is not what its submission said */
    uint32_t told_place; /* where it stood, counted from 1, as was told of the past; 0: behind all others */
};

/* A job's place in the order of its lane: by all of these, smaller first. */
struct pc_standing {
    int64_t key, second, third;
    uint64_t turn;
    uint32_t job;
    uint32_t place; /* in the last decision */
};

struct pc_ranked_entry {
    uint32_t job, gen; /* stale when the job's is another */
};

struct pc_ranked_lane {
    struct pc_ranked_entry
        *entries; /* every job that is not over, as in the last decision, new ones behind; and stale ones */
    uint32_t count, capacity, live;
    uint32_t *waiters; /* jobs that are pending, in no order */
    uint32_t waiting, waiter_capacity;
    uint64_t news;      /* grows with all that may change who runs */
    policy_time wakeup; /* when time alone may change who runs */
    bool stale;         /* facts came that may change who runs */
    bool owed;          /* who is chosen may be placed now */
    bool is_told;       /* places of its jobs were told, and it does not stand so yet */
};

struct pc_ranked {
    struct pc_contender *of;
    uint32_t capacity;
    struct pc_ranked_lane *lanes;
    uint32_t lane_capacity;
    struct pc_standing *walk, *spare; /* room for the longest lane */
    uint32_t walk_capacity, spare_capacity;
    int64_t *left; /* of the budget, by site */
    uint32_t left_capacity;
    uint64_t numbers;   /* handed out to starts and evictions */
    uint64_t placings;  /* times that chosen jobs were placed */
    policy_time wakeup; /* the first of all lanes' */
    bool any;           /* some lane is stale or owed */
    bool all;           /* all lanes are stale: nodes have changed */
};

bool pc_ranked_create(struct policy *); /* false: no memory */
void pc_ranked_destroy(struct policy *);

/* ---- what the rest of the core tells; each does nothing in lines that are not ranked ---- */

/* Room for one more lane, or site; false: no memory. */
bool pc_ranked_reserve_lane(struct policy *);
bool pc_ranked_reserve_site(struct policy *);

/* A job is new; false: no memory. */
bool pc_ranked_admit(struct policy *, uint32_t job, const struct policy_job_spec *);
void pc_ranked_over(struct policy *, uint32_t job); /* before its id is freed */

void pc_ranked_waits(struct policy *, uint32_t job);                            /* it is pending now */
void pc_ranked_waits_no_more(struct policy *, uint32_t job);                    /* it is not */
void pc_ranked_runs(struct policy *, uint32_t job, policy_time since);          /* we started it, */
void pc_ranked_found_running(struct policy *, uint32_t job, policy_time since); /* or somebody else did */
void pc_ranked_stopped(struct policy *, uint32_t job,
                       bool ran);                       /* it is pending again; false: it never ran */
void pc_ranked_leave(struct policy *, uint32_t job);    /* we evict it */
void pc_ranked_answered(struct policy *, uint32_t job); /* its eviction, at least in part */
void pc_ranked_nodes_changed(struct policy *);

/* ---- deciding: act/ranked.c ---- */

/* Puts the lane's jobs in order: those that take part first; how many these are. Stale entries are dropped. */
uint32_t pc_ranked_arrange(struct policy *, struct pc_ranked_lane *);

/* Before that, when places of jobs were told: they stand by these. */
void pc_ranked_put_as_told(struct policy *, struct pc_ranked_lane *);

/* Decides to evict a running job; there has to be room for a decision of each of its tasks. */
void pc_ranked_evict(struct policy *, uint32_t job, uint32_t for_job);

/* What a running job did and had so far is written down. */
void pc_ranked_pause(struct policy *, uint32_t job);

/* ---- questions ---- */

#define PC_RANKED_EVICTED                                                                                    \
    (UINT64_C(1) << 63) /* turns of jobs that were evicted begin here, behind all ranks */

/* Lists that keep their order from one decision to the next have to be looked at whenever something happens. */
static inline bool pc_ranked_looks_always(const struct policy *p)
{
    return p->config.ranked.ties == POLICY_TIES_PREVIOUS ||
           p->config.ranked.demotion == POLICY_DEMOTE_PUBLISHED;
}

static inline bool pc_ranked_is_running(const struct policy *p, uint32_t job)
{
    return p->jobs[job].state == PC_ACTIVE && !p->ranked->of[job].leaving;
}

/* Time that it still has to run; INT64_MAX: not known. */
static inline int64_t pc_ranked_remaining(const struct policy *p, uint32_t job)
{
    const struct pc_contender *c = &p->ranked->of[job];
    int64_t ran = pc_ranked_is_running(p, job) ? p->now - c->since : 0;
    if (c->remaining_ms == INT64_MAX)
        return INT64_MAX;
    return c->remaining_ms > ran ? c->remaining_ms - ran : 0;
}

/* Service that it had up to now: thousandths of devices x ms. */
static inline int64_t pc_ranked_attained(const struct policy *p, uint32_t job)
{
    const struct pc_contender *c = &p->ranked->of[job];
    int64_t ran = pc_ranked_is_running(p, job) ? p->now - c->since : 0;
    int64_t got = pc_times(p->groups[p->jobs[job].group].gpu_milli, ran);
    return c->attained < INT64_MAX - got ? c->attained + got : INT64_MAX;
}

/* The lists and the waiting of every lane against a scan; NULL: they are right. */
const char *pc_ranked_check(const struct policy *);

/* Why a chosen job found no place, with the backlog of its site; 0: it is not known, or not chosen. */
void pc_ranked_found(struct policy *, uint32_t job, int32_t reason);

/* Puts what the option `ties` says into the last parts of a standing. */
void pc_ranked_tie(const struct policy *, struct pc_standing *);

#endif
