/* SPDX-License-Identifier: MIT */
/*
 * The answers of a scheduler extender of Kubernetes (k8s.io/kube-scheduler/extender/v1), decided by the policy core on the
 * last snapshot of the cluster that it was given. JSON in, JSON out; who carries them is server.h.
 *
 *     filter      { Pod, Nodes | NodeNames } -> { Nodes | NodeNames, FailedNodes, FailedAndUnresolvableNodes, Error }
 *                 The nodes on which the pod may start now: those that the policy chooses one after the other when the
 *                 ones before are struck out, `nodes` of them at most. The others fail with the policy's reason.
 *     prioritize  { Pod, Nodes | NodeNames } -> [{ Host, Score }]
 *                 The same order as scores: of k nodes the first has 10, the next 10 (k - 1) / k, rounded down, ...; the
 *                 last at least 1, and where the pod may not start 0.
 *     preempt     { Pod, NodeNameToVictims | NodeNameToMetaVictims } -> { NodeNameToMetaVictims }
 *                 Of each node the pods whom the policy would evict there for this pod; nodes where it would not are left out.
 *     bind        { PodName, PodNamespace, PodUID, Node } -> { Error }
 *                 A Binding object on one line more of the file `bindings`, for whoever posts them; the pod counts as running
 *                 there from now on. Without that file it is an error: leave bindVerb out of the configuration.
 *
 * Names of members count in any case. The scheduler knows what was bound since the snapshot and the extender does not, so
 * snapshots should be fresh: give a new one (extender_state()) every few seconds, or let the extender bind.
 */
#ifndef POLICIES_ADAPTERS_KUBERNETES_EXTENDER_H
#define POLICIES_ADAPTERS_KUBERNETES_EXTENDER_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct extender_options {
    const char *policy;   /* a name, a file or a library; NULL: that of the snapshot, else runai */
    const char *bindings; /* file to append to, or NULL */
    size_t nodes;         /* most that an answer names, at least 1 */
};

struct extender;

struct extender *extender_create(const struct extender_options *); /* the texts have to outlive it */
void extender_destroy(struct extender *);                          /* NULL is fine */

/* False with err set when there is no such policy, which is found out on an empty cluster. */
bool extender_check(struct extender *, struct err *);

/* A new state: a snapshot, or what kubectl prints. False with err set, and the old state stays, when it cannot be used. */
bool extender_state(struct extender *, const char *name, const char *text, size_t n, struct err *);
bool extender_state_file(struct extender *, const char *path, struct err *);

struct extender_reply {
    int status; /* of HTTP: 200; 400 what was asked cannot be read, 503 there is no snapshot or it cannot be decided on */
    char *text; /* JSON when the status is 200, else a line in words; to be freed */
};

/* verb: "filter", "prioritize", "preempt", "bind", "snapshot" (a new state). False when there is no such verb. */
bool extender_answer(struct extender *, const char *verb, const char *body, size_t n,
                     struct extender_reply *);

#endif
