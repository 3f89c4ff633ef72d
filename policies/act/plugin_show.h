/* SPDX-License-Identifier: MIT */
/* The arrays of nodes and jobs shown to a whole policy, in p->plugin->shown. The cost is linear in
 * nodes, jobs and tasks. */
#ifndef POLICY_ACT_PLUGIN_SHOW_H
#define POLICY_ACT_PLUGIN_SHOW_H

#include "order/ranking.h"
#include "state/plugins.h"

/* Shows all nodes, and the jobs of the lane in order. Returns false if out of memory. */
bool pc_plugin_show(struct policy *, struct pc_ranking *, struct pc_rank_lane *);

/* After a decision about a job: updates the plugin's view of the job and of the nodes it uses. */
void pc_plugin_show_again(struct policy *, uint32_t job);

#endif
