/* SPDX-License-Identifier: MIT */
/*
 * The search for victims, shared by reclaim, preempt and consolidate. They differ in who may be a
 * victim and in what has to hold afterwards, and in nothing else: see struct pc_purpose.
 *
 * The job's next tasks are solved one more at a time. For each step victims are taken in their
 * order, one chunk (an elastic task, or what is left of a gang) at a time. After each, for every
 * node that it stood on, everything taken so far from jobs on that node is evicted on trial, and
 * the job and all these victims are placed again in the usual order of queues and jobs. So a victim
 * that deserves its place more takes it back, one that fits elsewhere is moved, and the rest stays
 * evicted. The first outcome that the purpose accepts wins.
 */
#ifndef POLICY_ACT_VICTIMS_VICTIMS_H
#define POLICY_ACT_VICTIMS_VICTIMS_H

#include "order/queue_walk.h"

struct pc_search {
    struct policy *p;
    struct pc_cluster *c;
    const struct pc_purpose *purpose;
    uint32_t job;
    struct pc_amounts asks; /* the tasks of this step */
    bool lasts;             /* victims that were taken stay so for the next step, */
    bool begun;             /* and the line of others is as this one left it */
    uint32_t end;           /* those of c->popped that were taken until now in this step */
    bool narrowed;  /* in this step only trials on nodes that are marked so could be accepted, */
    bool told;      /* and the victims on them are known: see wanted.h */
    uint32_t ahead; /* on which so many victims were not taken yet */
    uint32_t left;  /* jobs that may still be taken in this step */
    uint32_t displacers; /* the number with which those are marked who displaced the job; 0: nobody
                            did, */
    policy_time
        displaced_until; /* and when time alone lets it take from one of them; INT64_MAX: never */
};

/*
 * What an accepted outcome can take of a queue at most, in thousandths of devices: in all, in all
 * if nothing is taken on the job's side of the queue tree, and before the last piece, which is an
 * elastic task or what is taken of a job. INT64_MAX: there is no such bound.
 */
struct pc_bound {
    int64_t milli, alone, before_last;
};

struct pc_purpose {
    enum pc_reach reach;
    bool displaces; /* victims may be lost, so that jobs that displaced this one are none: see
                       reversal.h */
    bool (*may_be_victim)(const struct pc_search *, uint32_t job);
    bool (*admits_leaf)(const struct pc_search *,
                        uint32_t leaf);  /* any other leaf's job may be; NULL: ask for each */
    bool (*accepts)(struct pc_search *); /* the trial as it stands: c->evicted */
    uint32_t (*bearer)(
        const struct pc_search *,
        uint32_t leaf); /* the queue with a bound: one above, or NULL: the leaf itself */
    struct pc_bound (*most_lost)(const struct pc_search *,
                                 uint32_t bearer); /* NULL: there is no bound */
    int32_t (*most_victims)(
        const struct policy *); /* jobs taken at most, -1 any number; NULL: any */
    void (*reasons)(const struct pc_search *, uint8_t reasons[2]); /* of tasks evicted, and moved */
};

/* True if the other job may be a victim in this search. */
bool pc_may_be_victim(const struct pc_search *, uint32_t job);

/* Adds an active task to a list of victims. False: no memory. */
bool pc_list_victim(struct pc_search *, struct pc_victims *, uint32_t job, uint32_t task);

/* Lists in c->evicted what earlier steps settled on, and nothing else. False: no memory. */
bool pc_list_recorded(struct pc_search *);

/* Evicts a listed victim, and remembers where it was. False: no memory. */
bool pc_evict_on_trial(struct pc_search *, struct pc_victim *);

/* The job and the victims in c->evicted have the places that they get: puts those back that have
 * their own again, from this mark of the transaction on. True if the outcome is accepted. */
bool pc_settle_trial(struct pc_search *, uint32_t mark);

/* Makes room for the job and places it, as decisions of this cycle. False: it could not be done,
 * nothing changed. */
bool pc_solve(struct policy *, uint32_t job, const struct pc_purpose *);

/* For purposes with victims of the own leaf only: whether all of them together would make room. */
bool pc_may_solve(struct policy *, uint32_t job, const struct pc_purpose *);

/* What became of a victim on trial. */
static inline bool pc_is_moved(const struct pc_task *t)
{
    return t->place.holding != PC_RUNS && t->place.nominated != PC_NONE;
}

static inline bool pc_is_put_back(const struct pc_task *t)
{
    return t->place.holding == PC_RUNS;
}

/* True if the rules let the job take the first piece from a queue that had so much more than it
 * has. */
bool pc_could_reclaim(const struct policy *, uint32_t job, const struct pc_amounts *asks,
                      uint32_t queue, const struct pc_amounts *gives);

/* How long jobs are safe from being victims; see quota-policy of minimum run times in protection.c.
 */
bool pc_is_protected(const struct policy *, uint32_t victim, uint32_t for_job, bool reclaim);
int64_t pc_minimum_run(const struct policy *, uint32_t leaf, uint32_t for_job,
                       bool reclaim); /* ms */
bool pc_is_elastic(const struct pc_cluster *, uint32_t job);

/* False when the trial takes a protected job below its minimum. */
bool pc_keeps_protected(const struct pc_search *, bool reclaim);

#endif
