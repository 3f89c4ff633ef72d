/* SPDX-License-Identifier: MIT */
/*
 * The search for victims, shared by reclaim, preempt and consolidate. They differ only in which
 * jobs may be victims and in what must hold afterwards: see struct pc_purpose.
 *
 * The job's next tasks are solved incrementally, one more at a time. In each step victims are taken
 * in their order, one chunk (an elastic task, or what is left of a gang) at a time. After each
 * chunk, for every node it was on, everything taken so far from jobs on that node is evicted
 * tentatively, and the job and all these victims are placed again in the usual order of queues and
 * jobs. So a victim with a stronger claim takes its place back, one that fits elsewhere is moved,
 * and the rest stays evicted. The first outcome that the purpose accepts wins.
 */
#ifndef POLICY_ACT_VICTIMS_VICTIMS_H
#define POLICY_ACT_VICTIMS_VICTIMS_H

#include "order/queue_walk.h"

/* A job that has whole nodes for itself, as a victim: see alike.h. */
struct pc_alike {
    uint32_t leaf, shape;
    uint32_t before; /* recorded jobs of the leaf that have their turn before it */
};

enum { PC_ALIKES = 16, PC_VACANT = 16 };

/* The latest of a number of jobs. */
struct pc_alikes {
    struct pc_alike of[PC_ALIKES];
    uint32_t count; /* including those that were dropped */
};

struct pc_search {
    struct policy *p;
    struct pc_cluster *c;
    const struct pc_purpose *purpose;
    uint32_t job;
    struct pc_amounts asks; /* by the tasks of this step */
    bool lasts;             /* victims already taken carry over to the next step, */
    bool begun;             /* which continues the walk where this one left it */
    uint32_t end;           /* end of this step's victims in c->popped */
    bool narrowed;          /* only trials on marked nodes could be accepted in this step, */
    bool told;              /* and their victims are known: see wanted.h */
    int32_t devices;    /* whole devices of one node that each task of this step requests, or 0 */
    bool scarce;        /* the recorded victims make too little room for these tasks */
    bool skipped;       /* jobs that make no such room were left out of the walk */
    bool loses_nothing; /* no queue with victims may lose anything in this step */
    bool tried;         /* this step has tried some victims out */
    bool superset;  /* c->evicted lists all victims that a trial may have, and it may have fewer */
    uint32_t ahead; /* victims on marked nodes not taken yet */
    uint32_t left;  /* jobs that may still be taken in this step */
    /* Jobs that are alike as victims of this step: see alike.h. */
    bool compares;                   /* some may be, */
    bool skips_alike;                /* and trials with them are skipped if one of them failed: */
    struct pc_alikes failed;         /* these did */
    const struct pc_node *node_like; /* they have nodes like this one, */
    const struct pc_node *vacant[PC_VACANT]; /* and so are these: vacant without a trial */
    uint32_t vacant_count;
    bool interchangeable; /* the current trial would be the same on other such nodes */
    bool timeless;        /* which jobs it asks about has no effect on the next wakeup */
    uint32_t displacers;  /* mark of the jobs that displaced this one; 0: none, */
    policy_time
        displaced_until; /* when time alone allows displacing one of them; INT64_MAX: never */
};

/*
 * Upper bounds on what an accepted outcome takes from a queue, in thousandths of devices: in total;
 * in total if nothing is taken on the job's side of the queue tree; and before the last piece (an
 * elastic task, or what is taken of a job). INT64_MAX: no bound.
 */
struct pc_bound {
    int64_t milli, alone, before_last;
};

struct pc_purpose {
    enum pc_reach reach;
    bool displaces; /* victims may be lost, so jobs that displaced this one are excluded: see
                       reversal.h */
    bool (*may_be_victim)(const struct pc_search *, uint32_t job);
    bool (*admits_leaf)(
        const struct pc_search *,
        uint32_t leaf); /* returns true if any job of another leaf may be; NULL: ask for each */
    bool (*is_past)(const struct pc_search *,
                    uint32_t job); /* returns true if neither this evictable job nor a later one of
                                      its leaf may be; NULL: never */
    bool (*may_fit)(
        const struct pc_search *);       /* returns false if no steps can place a gang whose
                                            tasks request s->asks together; NULL: they might */
    bool (*accepts)(struct pc_search *); /* judges the current trial: c->evicted */
    uint32_t (*bearer)(
        const struct pc_search *,
        uint32_t leaf); /* the queue with a bound, at or above the leaf; NULL: the leaf itself */
    struct pc_bound (*most_lost)(const struct pc_search *, uint32_t bearer); /* NULL: no bound */
    int32_t (*most_victims)(
        const struct policy *); /* most jobs taken, -1 unlimited; NULL: unlimited */
    void (*reasons)(const struct pc_search *,
                    uint8_t reasons[2]); /* of evicted and of moved tasks */
};

/* Returns true if the other job may be a victim in this search. */
bool pc_may_be_victim(const struct pc_search *, uint32_t job);

/* Adds an active task to a list of victims. Returns false if out of memory. */
bool pc_list_victim(struct pc_search *, struct pc_victims *, uint32_t job, uint32_t task);

/* Lists in c->evicted exactly the victims recorded by earlier steps. Returns false if out of
 * memory. */
bool pc_list_recorded(struct pc_search *);

/* How many jobs without recorded victims may still be taken: in all, one more than the purpose's
 * bound. UINT32_MAX: any number. */
uint32_t pc_jobs_left(const struct pc_search *);

/* Evicts a listed victim and remembers its place. Returns false if out of memory. */
bool pc_evict_on_trial(struct pc_search *, struct pc_victim *);

/* Finishes a trial in which the job and the victims in c->evicted have been placed: puts back those
 * that got their own places, from this mark of the transaction on. Returns true if the outcome is
 * accepted. */
bool pc_settle_trial(struct pc_search *, uint32_t mark);

/* Makes room for the job and places it, as decisions of this cycle. Returns false with nothing
 * changed if impossible. */
bool pc_solve(struct policy *, uint32_t job, const struct pc_purpose *);

/* For purposes with victims in the job's own leaf: returns true if all of them together would make
 * room. */
bool pc_may_solve(struct policy *, uint32_t job, const struct pc_purpose *);

/* Outcome for a victim in a trial. */
static inline bool pc_is_moved(const struct pc_task *t)
{
    return t->place.holding != PC_RUNS && t->place.nominated != PC_NONE;
}

static inline bool pc_is_put_back(const struct pc_task *t)
{
    return t->place.holding == PC_RUNS;
}

/* Returns true if the rules let the job take the first piece from a queue that had `gives` more
 * than it has. */
bool pc_could_reclaim(const struct policy *, uint32_t job, const struct pc_amounts *asks,
                      uint32_t queue, const struct pc_amounts *gives);

/* How long jobs are protected from being victims; see protection.c. */
bool pc_is_protected(const struct policy *, uint32_t victim, uint32_t for_job, bool reclaim);
int64_t pc_minimum_run(const struct policy *, uint32_t leaf, uint32_t for_job,
                       bool reclaim); /* ms */
bool pc_is_elastic(const struct pc_cluster *, uint32_t job);

/* Returns false if the trial takes a protected job below its minimum. */
bool pc_keeps_protected(const struct pc_search *, bool reclaim);

#endif
