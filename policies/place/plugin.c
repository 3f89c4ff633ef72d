/* SPDX-License-Identifier: MIT */
/* Placement by a plugin: the feasible node with the highest score; ties: the lowest rank. */
#include "place/fit_index.h"
#include "place/place.h"
#include "state/plugins.h"

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    const struct pc_plugin *x = a->p->plugin;
    const struct policy_plugin_node node = pc_plugin_node(a->p, n);
    const struct policy_plugin_role role = pc_plugin_role(a->p, a->request, 1);
    rating->score = x->of.score(x->self, &node, &role);
}

const struct pc_placement pc_place_plugin = {
    .row = {"plugin", "the highest score of a plugin"},
    .rate = rate,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .traits = PC_KEEPS_SCORES,
};
