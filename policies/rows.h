/* SPDX-License-Identifier: MIT */
/*
 * What a policy is composed of. A preset names one row of each table:
 *
 *     job order x queue order x placement (place/place.h) x actions x options
 *
 * A row is const and holds no state. What a row has to remember (service attained, past use,
 * reservations) is kept by its *module*: a table of hooks that the state calls when jobs, nodes and
 * queues change, and an object of the module's own, made when the policy is created.
 * state/modules.c collects the modules of the chosen rows once.
 *
 * A new order or action is one file with one row, and one line in the table of its folder.
 */
#ifndef POLICY_ROWS_H
#define POLICY_ROWS_H

#include "policy.h"

#include <stdbool.h>
#include <stdint.h>

struct pc_history_row; /* state/history.h */
struct pc_rank;        /* order/ranking.h */
struct pc_standing;    /* state/state.h */

/* ---- modules ---- */

/*
 * Every member but `name` may be NULL. `self` is what create() returned. A fact that needs memory
 * is split in two: first every module makes room (reserve_*; false: no memory, and the fact is
 * refused although some modules have more room now), then the state changes and calls the hooks,
 * which cannot fail any more. No hook may change the state.
 *
 * The life of a job, as modules see it:
 *
 *     job_added ──> (held until eligible) ──> job_waits ──> job_started ──> job_stopped ──┐
 *                                                 ^              │ job_resized*           │
 *                                                 └──────────────┴────────────────────────┘
 *     job_over may follow at any time, and ends what the job holds. A job that starts waited
 *     before.
 *
 * A job *waits* while it is eligible and nothing of it is held: no task runs or is being released.
 * It is *started* when its first task is, by a decision or by an embedder who found it running;
 * from then on it holds devices until job_stopped. Elastic jobs grow and shrink in between
 * (job_resized), and so does a gang whose tasks end one by one. Places that are only nominated do
 * not count, nor does anything that is on trial.
 */
struct pc_module {
    const char *name;
    void *(*create)(struct policy *); /* NULL: no memory */
    void (*destroy)(struct policy *, void *self);

    bool (*reserve_job)(struct policy *, void *self, uint32_t job, const struct policy_job_spec *);
    /* Room for so many jobs that hold something: called before one more of them may. */
    bool (*reserve_holders)(struct policy *, void *self, uint32_t most);
    void (*job_added)(struct policy *, void *self, uint32_t job, const struct policy_job_spec *);
    void (*job_waits)(struct policy *, void *self, uint32_t job);
    void (*job_started)(struct policy *, void *self, uint32_t job,
                        policy_time since); /* POLICY_NEVER: unknown */
    void (*job_resized)(struct policy *, void *self,
                        uint32_t job); /* or tasks were gated, or are no more */
    /* Its eviction was decided, or the embedder releases it: it still holds devices. Once before
     * job_stopped. */
    void (*job_leaves)(struct policy *, void *self, uint32_t job);
    void (*job_answered)(struct policy *, void *self,
                         uint32_t job); /* its eviction was: a task is released */
    /* It holds nothing any more, and waits again next. `ran` is false when its start failed. */
    void (*job_stopped)(struct policy *, void *self, uint32_t job, bool ran);
    void (*job_over)(struct policy *, void *self,
                     uint32_t job); /* before its places are given back */

    void (*job_reprioritized)(struct policy *, void *self, uint32_t job); /* at any time */

    bool (*reserve_queue)(struct policy *, void *self, uint32_t queue);
    void (*queues_changed)(struct policy *, void *self); /* one was added, changed or removed */
    void (*queue_over)(struct policy *, void *self, uint32_t queue); /* before its id is free */
    void (*nodes_changed)(struct policy *,
                          void *self); /* came, went, or another state, health or capacity */

    const struct pc_history_row *const
        *history; /* what policy_history() hands out; ends with NULL */
    const char *(*check)(const struct policy *,
                         const void *self); /* what is wrong; NULL: nothing */
};

/* ---- orders ---- */

/*
 * Where a job stands among pending jobs: smaller `major` first; of equal ones jobs below their
 * minimum before elastic jobs that want more than it; then smaller `minor`; then the smaller rank.
 * Orders with one number use `minor` alone, so that what is wanted above a minimum stands behind
 * every minimum. As victims jobs are taken in the reverse of this order.
 */
struct pc_key {
    int64_t major, minor;
};

enum pc_order_traits {
    /* goes by how far jobs are: policy_report_progress(); see act/evict_outranked.c */
    PC_ORDER_RANKED = 1,
    PC_ORDER_LASTING = 4,    /* ranked, and jobs that run keep their order among themselves, */
    PC_ORDER_FALLS = 8,      /* and the keys of these fall by a millisecond a millisecond */
    PC_ORDER_PRIORITY = 2,   /* jobs of larger priority come first, in each queue */
    PC_ORDER_FORESIGHT = 16, /* goes by how long jobs run, policy_job_spec.run_ms */
};

/* Which job of a queue, or of the fleet, is next. */
struct pc_job_order {
    struct policy_row row;
    uint32_t traits;
    /* The key of a new job. It is stored in the job and stays unless `rekey` is there. */
    struct pc_key (*key)(const struct policy *, const struct policy_job_spec *);
    /* The key of now: found when the job begins to wait, and when refresh() says so. NULL: keys
     * never change. */
    struct pc_key (*rekey)(const struct policy *, uint32_t job);
    /* The key after the priority of the job changed. NULL: keys do not go by it, or rekey() does.
     */
    struct pc_key (*by_priority)(const struct policy *, uint32_t job);
    /* Before a decision; true: keys of pending jobs may have changed. NULL: they do not. Cannot
     * fail. */
    bool (*refresh)(struct policy *);
    /* When time alone changes keys next; INT64_MAX never. NULL: never. */
    policy_time (*next_change)(const struct policy *);
    const struct pc_module *module;
    /* Of a ranked order: where a job stands now, with ties; and when its key changes by itself
     * while it runs. */
    void (*rank)(struct policy *, uint32_t job, struct pc_rank *);
    policy_time (*next_crossing)(const struct policy *, uint32_t job);
};

/* Which queue is next. A configuration without one compares jobs of all queues, or each queue's for
 * itself (`scope`). */
struct pc_queue_order {
    struct policy_row row;
    /*
     * Below 0: a is served first; 0: the smaller rank is. It goes by what stands in the standings
     * and their queues, and by what does not change during a decision; as victims, jobs of the
     * queue that is served last are taken first.
     */
    int (*compare)(const struct policy *, const struct pc_standing *a, const struct pc_standing *b);
    const struct pc_module *module;
};

/* ---- actions ---- */

/*
 * One thing that a decision may do. Actions run in the order of their table. When memory runs out
 * an action sets cluster.out_of_memory and returns: the decision ends there, and another call goes
 * on. When time alone makes it act later, it lowers cluster.next_time to that time while it runs.
 */
struct pc_action {
    struct policy_row row; /* the name stands in the option `actions`, in journals and in reports */
    /* What its decisions carry: enum policy_action, or a number below POLICY_MOST_ACTIONS that no
     * other row has. */
    uint32_t action;
    bool evicts; /* looks for victims: what could be gained by evicting is kept for it, see
                    state/room.h */
    void (*run)(struct policy *);
    /* Something happened that concerns it. NULL: any fact does (cluster.version). Asked where jobs
     * stand in lanes. */
    bool (*due)(const struct policy *);
    const struct pc_module *module;
};

/* ---- the modules of a policy: state/modules.c ---- */

#define PC_MOST_MODULES 16

struct pc_modules {
    struct {
        const struct pc_module *of;
        void *self;
    } at[PC_MOST_MODULES];
    uint32_t count;
    bool hear_of_jobs; /* some of them have hooks for jobs, */
    bool have_holders; /* and some reserve room for those that hold something */
};

/* Adds the module unless it is NULL or there already, and creates its object; false: no memory. */
bool pc_module_open(struct policy *, const struct pc_module *);
void pc_modules_close(struct policy *);

/* The object of a module of this policy; NULL: the policy does not have it. */
void *pc_module_self(const struct policy *, const struct pc_module *);

/* Each calls the hook of all modules in turn. The reserve calls stop at the first that has no
 * memory. */
bool pc_modules_reserve_job(struct policy *, uint32_t job, const struct policy_job_spec *);
bool pc_modules_reserve_holders(struct policy *, uint32_t most);
void pc_modules_job_added(struct policy *, uint32_t job, const struct policy_job_spec *);
void pc_modules_job_waits(struct policy *, uint32_t job);
void pc_modules_job_started(struct policy *, uint32_t job, policy_time since);
void pc_modules_job_resized(struct policy *, uint32_t job);
void pc_modules_job_leaves(struct policy *, uint32_t job);
void pc_modules_job_answered(struct policy *, uint32_t job);
void pc_modules_job_stopped(struct policy *, uint32_t job, bool ran);
void pc_modules_job_over(struct policy *, uint32_t job);
void pc_modules_job_reprioritized(struct policy *, uint32_t job);
bool pc_modules_reserve_queue(struct policy *, uint32_t queue);
void pc_modules_queues_changed(struct policy *);
void pc_modules_queue_over(struct policy *, uint32_t queue);
void pc_modules_nodes_changed(struct policy *);
const char *pc_modules_check(const struct policy *); /* the first complaint, or NULL */

#endif
