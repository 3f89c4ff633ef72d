/* SPDX-License-Identifier: MIT */
/*
 * One pod, some nodes, and a policy that is asked where the pod may go:
 *
 *     question_open()    the state with the pod in it, waiting, and bound to go to these nodes only
 *     question_ask()     one dry decision: on which node it starts, or whom the policy evicts for it, or why neither
 *     question_strike()  not on that node; ask again
 *     question_only()    on that one alone; ask again
 *     question_close()
 *
 * Striking out each answer yields the nodes in the order in which the policy prefers them. Each answer is what `fauxfleet
 * decide` would decide with all other jobs at hand: who comes before the pod in the policy's order gets its devices first,
 * quotas and limits hold, and a gang starts as a whole or not at all.
 */
#ifndef POLICIES_ADAPTERS_KUBERNETES_QUESTION_H
#define POLICIES_ADAPTERS_KUBERNETES_QUESTION_H

#include "scenarios/import.h"
#include "sim/cli/dry_run.h"

#include <cjson/cJSON.h>

struct question {
    struct dry_run base, now; /* with the facts; that of the last decision */
    const struct snap_job *job;
    uint32_t task;          /* its number in the job */
    struct snap_term *term; /* which nodes it may go to */
    const char **all;       /* these, as they were at first */
    size_t all_count;
};

enum question_kind { QUESTION_WAITS, QUESTION_STARTS, QUESTION_NOMINATED };

struct question_answer {
    enum question_kind kind;
    const char *node;   /* unless it waits */
    const char *reason; /* code of the reason for which it does not start now */
    char *detail;       /* in words, to be freed; NULL when it starts */
};

/*
 * `state` is a snapshot as JSON. False with err set when the pod or the snapshot cannot be read, or the policy not be made.
 * To be closed in any case.
 */
bool question_open(struct question *, const char *state, size_t n, const cJSON *pod, const char *const *nodes,
                   size_t count, const struct cli *policy, struct err *);
bool question_ask(struct question *, struct question_answer *, struct err *);
void question_strike(struct question *, const char *node);
void question_only(struct question *, const char *node);
bool question_knows(const struct question *, const char *node); /* the snapshot has such a node */
void question_close(struct question *);                         /* a zeroed one is fine */

#endif
