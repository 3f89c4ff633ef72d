/* SPDX-License-Identifier: MIT */
/* Nodes and jobs as a whole policy is shown them, in the arrays of p->plugin->shown. Costs n of
 * nodes, jobs and tasks. */
#ifndef POLICY_ACT_PLUGIN_SHOW_H
#define POLICY_ACT_PLUGIN_SHOW_H

#include "order/ranking.h"
#include "state/plugins.h"

/* All nodes, and the jobs of the lane in their order; false: no memory. */
bool pc_plugin_show(struct policy *, struct pc_ranking *, struct pc_rank_lane *);

/* After a decision about a job: updates the plugin's view of the job and of the nodes it uses. */
void pc_plugin_show_again(struct policy *, uint32_t job);

#endif
