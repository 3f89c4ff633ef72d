/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Node requirements of Kubernetes pods that a snapshot, which has only lists of values, cannot
 * express: tolerated taints, and node affinity other than one term of In. Each such requirement is
 * a *rule*, named by its text. When all files are read, each rule is checked against each node, and
 * a node that satisfies it gets the label TEXT = "yes", which the tasks require. A rule that all
 * nodes satisfy is dropped.
 *
 *     node with taint gpu=a:NoSchedule                   label "taint gpu:NoSchedule" = "a"
 *     pod that wants zone NotIn [z1]                     task.node_affinity "zone NotIn z1":
 *                                                        ["yes"]
 *     pod without tolerations, in a cluster with taints  task.node_affinity "tolerates nothing":
 *                                                        ["yes"]
 *
 * The taints of a node stay in the snapshot as labels (Kubernetes allows no blanks in its own), so
 * files can be added to a snapshot. Taints that repeat the state of the node (unschedulable,
 * not-ready, unreachable) are ignored, and so is PreferNoSchedule.
 */
#ifndef SCENARIOS_IMPORT_RULES_H
#define SCENARIOS_IMPORT_RULES_H

#include "scenarios/import/internal.h"

/* Adds the taints of a node to its labels. */
void import_taints(cJSON *node, const cJSON *taints);

/* The task's pod tolerates these (NULL: none), or requires one of these node selector terms. */
void import_tolerations(struct import *, cJSON *task, const cJSON *tolerations);
void import_terms(struct import *, cJSON *task, const cJSON *terms);

/* Adds labels to nodes and requirements to tasks; call once, after all files are read. */
void import_rules_apply(struct import *);

#endif
