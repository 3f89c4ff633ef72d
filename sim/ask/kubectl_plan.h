/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decisions about a snapshot of a Kubernetes cluster as what the API server takes: for each start a
 * Binding, for each eviction an Eviction, in the order of the decisions.
 *
 *     kubectl      one List; the API server makes Bindings of it (`kubectl create -f`), while an
 *                  Eviction, which exists as a part of its pod only, has to be posted there
 *     kubectl-sh   a script that posts both, after it has seen that the cluster is still the one
 *                  that was decided on (kubectl_script.h)
 *
 * A job of such a snapshot is called NAMESPACE/NAME, a task is a pod of that namespace. A pod whose
 * uid the snapshot knows is meant by it as well: an API server of today refuses the object when
 * another pod has got that name since.
 */
#ifndef SIM_ASK_KUBECTL_PLAN_H
#define SIM_ASK_KUBECTL_PLAN_H

#include "sim/ask/dry_run.h"

enum kubectl_form { KUBECTL_NONE, KUBECTL_LIST, KUBECTL_SCRIPT };

/* False with err set (EXIT_INPUT) when --emit names no form. NULL is KUBECTL_NONE. */
bool kubectl_form(const char *name, enum kubectl_form *, struct err *err);

/*
 * Prints the last cycle of a dry run. False with err set (EXIT_INPUT), and nothing printed, when a
 * job has no namespace or a name would not be one in Kubernetes. What objects cannot say is said by
 * notes on stderr.
 */
bool kubectl_plan(const struct dry_run *, enum kubectl_form, struct out *, struct err *err);

#endif
