/* SPDX-License-Identifier: MIT */
/*
 * The building blocks of a policy. A preset names one row of each table:
 *     job order x queue order x placement (place/place.h) x actions x options
 *
 * A row is const and has no state. State that a row needs (attained service, past usage,
 * reservations) is kept by its *module*: a table of hooks that the core calls when jobs, nodes and
 * queues change, plus an object of its own, created with the policy. state/modules.c collects the
 * modules of the chosen rows.
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
 * Every member but `name` may be NULL. `self` is the result of create(). A fact that needs memory
 * is handled in two steps: first every module reserves memory (reserve_*; false: out of memory, and
 * the fact is refused, although some modules may have grown), then the state changes and calls the
 * hooks, which cannot fail. Hooks must not change the state.
 *
 * The life of a job, as modules see it:
 *     job_added ──> (held until eligible) ──> job_waits ──> job_started ──> job_stopped ──┐
 *                                                 ^              │ job_resized*           │
 *                                                 └──────────────┴────────────────────────┘
 *
 * job_over may follow at any time, and ends what the job holds. A job that starts was waiting
 * before.
 *
 * A job *waits* while it is eligible and holds nothing: no task is running or being released. It is
 * *started* with its first task, by a decision or because the embedder found it running; from then
 * on it holds devices until job_stopped. Elastic jobs grow and shrink in between (job_resized), and
 * so does a gang whose tasks end one by one. Nominated places and tentative changes do not count.
 */
struct pc_module {
    const char *name;
    void *(*create)(struct policy *); /* returns NULL if out of memory */
    void (*destroy)(struct policy *, void *self);

    bool (*reserve_job)(struct policy *, void *self, uint32_t job, const struct policy_job_spec *);
    /* Reserves memory for `most` jobs that hold something: called before their number may
     * increase. */
    bool (*reserve_holders)(struct policy *, void *self, uint32_t most);
    void (*job_added)(struct policy *, void *self, uint32_t job, const struct policy_job_spec *);
    void (*job_waits)(struct policy *, void *self, uint32_t job);
    void (*job_started)(struct policy *, void *self, uint32_t job,
                        policy_time since); /* POLICY_NEVER: unknown */
    void (*job_resized)(struct policy *, void *self,
                        uint32_t job); /* also after tasks were gated or ungated */
    /* Its eviction was decided, or the embedder releases it: it still holds devices. At most once
     * before job_stopped. */
    void (*job_leaves)(struct policy *, void *self, uint32_t job);
    void (*job_answered)(struct policy *, void *self,
                         uint32_t job); /* the eviction was answered: a task is being released */
    /* It holds nothing any more, and waits next. `ran` is false if its start failed. */
    void (*job_stopped)(struct policy *, void *self, uint32_t job, bool ran);
    void (*job_over)(struct policy *, void *self,
                     uint32_t job); /* before its places are released */

    void (*job_reprioritized)(struct policy *, void *self, uint32_t job); /* at any time */

    bool (*reserve_queue)(struct policy *, void *self, uint32_t queue);
    void (*queues_changed)(struct policy *, void *self); /* one was added, changed or removed */
    void (*queue_over)(struct policy *, void *self, uint32_t queue); /* before its id is free */
    void (*nodes_changed)(
        struct policy *,
        void *self); /* one was added or removed, or changed state, health or capacity */

    const struct pc_history_row *const *history; /* records for policy_history(); ends with NULL */
    const char *(*check)(const struct policy *,
                         const void *self); /* returns what is wrong, or NULL */
};

/* ---- orders ---- */

/*
 * The sort key of pending jobs: smaller `major` first; then jobs below their minimum before elastic
 * jobs that want more; then smaller `minor`; then the smaller rank. Orders with a single number
 * only use `minor`, so that tasks above a minimum come after every minimum. Victims are taken in
 * reverse order.
 */
struct pc_key {
    int64_t major, minor;
};

enum pc_order_traits {
    /* depends on job progress: policy_report_progress(); see act/evict_outranked.c */
    PC_ORDER_RANKED = 1,
    PC_ORDER_LASTING = 4,    /* ranked, and running jobs keep their relative order, */
    PC_ORDER_FALLS = 8,      /* and their keys decrease by one per millisecond */
    PC_ORDER_FORESIGHT = 16, /* uses run times, policy_job_spec.run_ms */
};

/* Which job of a queue, or of the fleet, is next. */
struct pc_job_order {
    struct policy_row row;
    uint32_t traits;
    /* The key of a new job, stored in the job; constant unless there is `rekey`. */
    struct pc_key (*key)(const struct policy *, const struct policy_job_spec *);
    /* The current key: computed when the job becomes pending, and when refresh() says so. NULL:
     * keys never change. */
    struct pc_key (*rekey)(const struct policy *, uint32_t job);
    /* The key after a change of the job's priority. NULL: keys do not depend on it, or rekey()
     * covers it. */
    struct pc_key (*by_priority)(const struct policy *, uint32_t job);
    /* Called before a decision; returns true if keys of pending jobs may have changed. NULL: they
     * do not. Cannot fail. */
    bool (*refresh)(struct policy *);
    /* When keys change next by time alone; INT64_MAX never. NULL: never. */
    policy_time (*next_change)(const struct policy *);
    const struct pc_module *module;
    /* For ranked orders: a job's current rank, with tie-breaks; and when its key changes by itself
     * while it runs. */
    void (*rank)(struct policy *, uint32_t job, struct pc_rank *);
    policy_time (*next_crossing)(const struct policy *, uint32_t job);
};

/* Which queue is next. Without a queue order, jobs are compared across all queues or within each
 * queue (`scope`). */
struct pc_queue_order {
    struct policy_row row;
    /*
     * Returns a negative number if a is served first; 0: the smaller rank is. Depends only on the
     * standings and their queues, and on what does not change during a decision; victims are taken
     * first from the queue that is served last.
     */
    int (*compare)(const struct policy *, const struct pc_standing *a, const struct pc_standing *b);
    const struct pc_module *module;
};

/* ---- actions ---- */

/*
 * One step of a decision. Actions run in the order of their table. If memory runs out an action
 * sets cluster.out_of_memory and returns: the decision ends there, and another call continues. If
 * time alone will make it act later, it lowers cluster.next_time to that time while it runs.
 */
struct pc_action {
    struct policy_row
        row; /* the name appears in the option `actions`, in journals and in reports */
    /* The action number of its decisions: enum policy_action, or an unused number below
     * POLICY_MOST_ACTIONS. */
    uint32_t action;
    bool evicts; /* looks for victims: evictable tasks are tracked for it, see state/room.h */
    void (*run)(struct policy *);
    /* Returns true if something relevant happened. NULL: after any fact (cluster.version). Only
     * used with lanes. */
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
    bool hear_of_jobs; /* some have hooks for jobs, */
    bool have_holders; /* and some reserve memory for jobs that hold something */
};

/* Adds the module, unless it is NULL or already present, and creates its object. Returns false if
 * out of memory. */
bool pc_module_open(struct policy *, const struct pc_module *);
void pc_modules_close(struct policy *);

/* The object of a module of this policy; NULL: the policy does not use it. */
void *pc_module_self(const struct policy *, const struct pc_module *);

/* Each calls the hook of all modules in turn. The reserve calls stop at the first that is out of
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
const char *pc_modules_check(const struct policy *); /* the first violated invariant, or NULL */

#endif
