/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Kubernetes API requests of a decision, and which names are safe in a command. */
#ifndef SIM_ASK_KUBECTL_OBJECT_H
#define SIM_ASK_KUBECTL_OBJECT_H

#include "sim/ask/dry_run.h"
#include "sim/base/json.h"

#define KUBECTL_NAME 253 /* bytes of a name in Kubernetes (DNS subdomain, RFC 1123) */

/* About one pod: its Binding to a node, or its Eviction, for which the node is irrelevant. */
struct kubectl_object {
    bool evicts;
    char space[KUBECTL_NAME + 1];
    const char *pod, *uid, *node; /* uid "": not known */
};

/* Names of lower-case letters and digits, with '-' inside, joined with '.': safe for shells and
 * paths. */
bool kubectl_is_name(const char *text, size_t n);

/* The namespace of a job's id, NAMESPACE/NAME; false when it has none. */
bool kubectl_space(const char *job_id, char space[KUBECTL_NAME + 1]);

/* False for a nomination: the pod is bound by a later plan. */
bool kubectl_is_object(const struct policy_decision *);

/* False with err set (EXIT_INPUT) when its job has no namespace or a name would not be one in
 * Kubernetes. */
bool kubectl_describe(const struct dry_run *, const struct policy_decision *,
                      struct kubectl_object *, struct err *err);

/* One JSON object on one line. */
void kubectl_print_object(const struct kubectl_object *, struct json *);

#endif
