/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decisions about a snapshot of a Kubernetes cluster as API objects: for each start a Binding, for
 * each eviction an Eviction, in the order of the decisions.
 *
 *     kubectl      one List; the API server creates the Bindings (`kubectl create -f`), while an
 *                  Eviction, a subresource of its pod, has to be posted there
 *     kubectl-sh   a script that posts both, after checking that the cluster still is as it was
 * when the policy decided (kubectl_script.h)
 *
 * A job of such a snapshot is called NAMESPACE/NAME, and a task is a pod of that namespace. The
 * object includes the uid of a pod if the snapshot has it: a current API server refuses the object
 * if another pod has the name by then.
 */
#ifndef SIM_ASK_KUBECTL_PLAN_H
#define SIM_ASK_KUBECTL_PLAN_H

#include "sim/ask/dry_run.h"

enum kubectl_form { KUBECTL_NONE, KUBECTL_LIST, KUBECTL_SCRIPT };

/* False with err set (EXIT_INPUT) when --emit names no form. NULL is KUBECTL_NONE. */
bool kubectl_form(const char *name, enum kubectl_form *, struct err *err);

/*
 * Prints the last cycle of a dry run. Returns false with err set (EXIT_INPUT), and prints nothing,
 * if a job has no namespace or a name is not valid in Kubernetes. Notes on stderr report what
 * objects cannot express.
 */
bool kubectl_plan(const struct dry_run *, enum kubectl_form, struct out *, struct err *err);

#endif
