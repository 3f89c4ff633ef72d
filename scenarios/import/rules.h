/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What pods of Kubernetes want of their nodes and a snapshot, which knows lists of values only,
 * cannot say: tolerated taints, and node affinity of other forms than one term of In. Each such
 * wish is a *rule*, called by its text. When all files are read each rule is held against each
 * node, and a node that obeys it gets the label TEXT = "yes", for which the tasks ask. A rule that
 * all nodes obey leaves no trace.
 *
 *     node with taint gpu=a:NoSchedule                   label "taint gpu:NoSchedule" = "a"
 *     pod that wants zone NotIn [z1]                     task.node_affinity "zone NotIn z1":
 *                                                        ["yes"]
 *     pod without tolerations, in a cluster with taints  task.node_affinity "tolerates nothing":
 *                                                        ["yes"]
 *
 * The taints of a node stay in the snapshot as labels (Kubernetes allows no blanks in its own), so
 * a snapshot can be added to. Taints that only say what the state of the node says (unschedulable,
 * not-ready, unreachable) are not looked at, nor is PreferNoSchedule.
 */
#ifndef SCENARIOS_IMPORT_RULES_H
#define SCENARIOS_IMPORT_RULES_H

#include "scenarios/import/internal.h"

/* Puts the labels of a node's taints to it. */
void import_taints(cJSON *node, const cJSON *taints);

/* The task's pod tolerates these (NULL none), or requires one of these node selector terms. */
void import_tolerations(struct import *, cJSON *task, const cJSON *tolerations);
void import_terms(struct import *, cJSON *task, const cJSON *terms);

/* Once, when all is read: labels to nodes, wishes to tasks. */
void import_rules_apply(struct import *);

#endif
