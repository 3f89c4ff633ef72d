/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as a kubectl script. Between the snapshot and the script the cluster may have changed:
 * another scheduler bound a pod, a node was cordoned, a limit was lowered. Each request would still
 * be accepted, and the queue would exceed its limit or the node its capacity. So the script
 * contains the state that the decision was based on, and checks it before it binds:
 *
 *     pods     those of the plan exist, are the same (uid), are pending (or run where they did),
 * and are not being deleted; no pod runs on a node that it was not on when the policy decided;
 * running pods of a job that is started still run nodes    those of the plan exist, are ready, not
 * cordoned, without new taints, with no fewer GPUs queues   and pod groups have the same
 * generation: limits and minimums are unchanged
 *
 * If something is different it says what, does nothing and exits with 1. Otherwise it posts one
 * request per decision, stops at the first refused request, and checks again at the end: a pod
 * started by someone else meanwhile is named, and the exit code is 1. Requests for several objects
 * are not one transaction in Kubernetes, so the time between the two checks remains unprotected.
 */
#ifndef SIM_ASK_KUBECTL_SCRIPT_H
#define SIM_ASK_KUBECTL_SCRIPT_H

#include "sim/ask/dry_run.h"

/* The last cycle of a dry run; false with err set as kubectl_describe(). */
bool kubectl_script(const struct dry_run *, struct out *, struct err *err);

#endif
