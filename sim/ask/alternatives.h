/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small changes that would start a pending job. Each is tried by running the policy core on the
 * snapshot with the changed job; no code here computes what fits.
 *
 *     fewer_tasks   its gang with fewer tasks of its largest role               largest that starts
 *     fewer_gpus    fewer GPUs, or a smaller share of one, in each task         largest that starts
 *     pieces        as many GPUs in tasks of half, a quarter, ... of the size   largest that starts
 *     less_beside   less CPU and memory in each task, in percent                largest that starts
 *     gpu_type      another type of GPU of the cluster                          first by name
 *     node          without conditions on labels of nodes
 *     topology      a higher level of the topology required, or none            lowest that starts
 *     queue         another queue (a snapshot does not record which ones the user may use): the
 *                   nearest name if its queue does not exist, then those with the same parent, then
 *                   the others, by name; the first that works
 *     priority      above that of other jobs                                    lowest that starts
 *     preemptible   as a preemptible job
 *     time_limit    a shorter one, in minutes                                   longest that starts
 *
 * "Largest" and the like are found by bisection: that one starts, and the next larger one does not.
 * Changes that start the job now come first, then those that give it a place that is being
 * released, then those that evict other jobs; within these in the order above. Each takes one cycle
 * of the policy, and there are at most ALTERNATIVES_CYCLES of them.
 */
#ifndef SIM_ASK_ALTERNATIVES_H
#define SIM_ASK_ALTERNATIVES_H

#include "sim/ask/trial.h"

#define ALTERNATIVES        11
#define ALTERNATIVES_CYCLES 128
#define ALTERNATIVES_QUEUES 16 /* of other queues that are tried */

struct alternative {
    const char *change; /* as above */
    char *words;        /* "with 8 GPUs: 1 task instead of 2"; owned */
    struct trial trial;
};

/* The job with one change; it owns the arrays that had to be changed. */
struct altered {
    struct snap_job job;
    struct snap_role *roles;
    struct snap_task *tasks;
    struct snap_group *groups;
};

struct alternatives {
    struct alternative list[ALTERNATIVES];
    size_t count;
    uint32_t cycles; /* that were asked for */
    /* the first of the list as a job of its own, for further use; valid while this lives */
    struct altered nearest;
};

/*
 * For a job that was still pending after the last cycle of the dry run, with its unchanged outcome
 * (trial_read()) and the policy's explanation. Returns false without trying anything if no change
 * to the job can help: part of it runs, it is nominated, or its begin time has not come. Call
 * alternatives_fini() in any case.
 */
bool alternatives_find(struct alternatives *, const struct dry_run *, const struct snap_job *,
                       enum trial_outcome as_it_is, const struct policy_explanation *);
void alternatives_fini(struct alternatives *);

/* The job at half its size: half its tasks, else half the GPUs of its one task; false: it is too
 * small for that. */
bool alternative_half(const struct dry_run *, const struct snap_job *, struct altered *,
                      struct out *words);

void alternatives_print(const struct alternatives *, struct out *); /* lines "  alternative  ..." */
void alternatives_json(const struct alternatives *, struct json *); /* members of an object */

/* ---- the changes, for alternatives.c ---- */

struct search {
    const struct dry_run *run;
    const struct snap_job *job;
    int32_t reason;
    uint32_t cycles;
    /* of the last try that did better than wait */
    struct altered best;
    struct trial trial;
    int64_t value;
};

/*
 * Tries the altered job, and keeps it with its outcome if that is at least `enough`; returns true
 * then. Takes ownership of the altered job in any case.
 */
bool search_try(struct search *, struct altered *, int64_t value, enum trial_outcome enough);

/* Copies the job with its own arrays, keeping the first `tasks` tasks. */
void alter(struct altered *, const struct snap_job *, uint32_t tasks);
void altered_fini(struct altered *);

/*
 * The largest of first..last with which make() alters the job so that it starts, supposing that
 * with all smaller ones it does too; when `first` does no better than evict others, that is enough
 * for all. False: not even the first.
 */
typedef bool (*search_make)(const struct search *, int64_t value,
                            struct altered *); /* false: no such job */
bool search_largest(struct search *, search_make, int64_t first, int64_t last);

/* Each looks for its change: true when it found one, search.best and search.trial, and its words.
 */
bool alternative_fewer_tasks(struct search *, struct out *words);
bool alternative_fewer_gpus(struct search *, struct out *words);
bool alternative_pieces(struct search *, struct out *words);
bool alternative_less_beside(struct search *, struct out *words);
bool alternative_gpu_type(struct search *, struct out *words);
bool alternative_node(struct search *, struct out *words);
bool alternative_topology(struct search *, struct out *words);
bool alternative_queue(struct search *, struct out *words);
bool alternative_priority(struct search *, struct out *words);
bool alternative_preemptible(struct search *, struct out *words);
bool alternative_time_limit(struct search *, struct out *words);

#endif
