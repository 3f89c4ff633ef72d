/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as a script of kubectl. Between the snapshot and the script the cluster may have changed:
 * another scheduler bound a pod, a node was cordoned, a limit was lowered. Each request would still
 * be accepted, and the queue would exceed its limit or the node its capacity. So the script
 * contains the state of the decision, and checks it before it binds:
 *
 *     pods     the ones of the plan are there, are the same (uid), wait (or run where they did),
 *              are not being deleted; no pod runs on a node that did not when the policy decided;
 *              what ran of a job that is started still does
 *     nodes    the ones of the plan are there, ready, not cordoned, without new taints, with no
 *              fewer GPUs
 *     queues   and pod groups have the same generation: limits and minimums are unchanged
 *
 * When something is different it says what, does nothing and exits with 1. Otherwise it posts one
 * request a decision, stops at the first that is refused, and looks again in the end: a pod that
 * somebody else started meanwhile is named, and the exit code is 1. Requests of several objects are
 * not one transaction in Kubernetes, so what is left is the time between the two looks.
 */
#ifndef SIM_ASK_KUBECTL_SCRIPT_H
#define SIM_ASK_KUBECTL_SCRIPT_H

#include "sim/ask/dry_run.h"

/* The last cycle of a dry run; false with err set as kubectl_describe(). */
bool kubectl_script(const struct dry_run *, struct out *, struct err *err);

#endif
