/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a policy on a snapshot: its decisions, and why the other jobs stay pending.
 *
 *     dry_run_open()        the snapshot, its policy (or --policy), --actions; gives the policy all
 *                           facts
 *     dry_run_decide()      one cycle; the decisions are in run.decisions
 *     dry_run_pending()     why a job is pending, after a cycle
 *     dry_run_apply()       carries the decisions out, for another cycle
 *     dry_run_branch()      another policy of the same kind on the snapshot's current state
 *     dry_run_close()
 */
#ifndef SIM_ASK_DRY_RUN_H
#define SIM_ASK_DRY_RUN_H

#include "scenarios/schema/policy_file.h"
#include "scenarios/snapshot/facts.h"
#include "sim/ask/why.h"
#include "sim/program/command.h"
#include "sim/unsettled.h"

/* A queue as of the decision; policies without fair share have no shares. */
struct dry_run_queue {
    bool known;
    struct policy_queue_info info;
};

struct dry_run_node {
    bool known;
    struct policy_node_info info;
};

struct dry_run {
    struct snapshot *s;
    bool borrowed; /* the snapshot is that of the run that this one is a branch of */
    struct policy_file policy_file; /* of --policy FILE */
    struct policy_config config;
    const char *policy_name;
    struct policy *policy;
    struct snap_facts facts;
    /* of the last cycle */
    struct policy_decision *orders; /* about nodes, not about jobs */
    size_t order_count;
    struct policy_decision *decisions;
    size_t decision_count;
    struct dry_run_queue *queues; /* by index in the snapshot */
    struct dry_run_node *nodes;
    struct unsettled unsettled; /* cycles that start or evict something */
};

/* The file is the first operand. False with err set; to be closed in any case. */
bool dry_run_open(struct dry_run *, const struct cli *, struct err *);

/* The same for a loaded snapshot, whose ownership it takes, with the snapshot's policy. */
bool dry_run_open_with(struct dry_run *, struct snapshot *, const struct cli *, struct err *);

/* A dry run of its own on the snapshot of another one, which has to outlive it. */
bool dry_run_branch(struct dry_run *, const struct dry_run *of, struct err *);
void dry_run_close(struct dry_run *);

bool dry_run_decide(struct dry_run *, struct err *);

/* Carries the decisions out. Also returns false if the cycles so far do not settle
 * (sim/unsettled.h). */
bool dry_run_apply(struct dry_run *, struct err *);

/* Why a job waits. A job that is never tried has no explanation of the core, and a text in its
 * place. */
struct pending {
    const char *reason;
    char *text;   /* the problem with its queue, or NULL */
    char *wishes; /* why.wishes */
    struct why why;
    struct policy_explanation explained;
};

/* Returns false if no task of the job is pending; otherwise release with pending_fini(). */
bool dry_run_pending(const struct dry_run *, const struct snap_job *, struct pending *);
void pending_fini(struct pending *);
char *pending_detail(const struct pending *); /* on one line; to be freed */

/* One decision as a JSON object on one line, in a list. */
void dry_run_print_orders(const struct dry_run *, struct json *); /* of nodes */
void dry_run_print(const struct dry_run *, const struct policy_decision *, struct json *);

#endif
