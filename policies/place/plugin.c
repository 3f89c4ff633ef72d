/* SPDX-License-Identifier: MIT */
/* The placement of a plugin: of the nodes that a task fits the one with the highest score, lowest rank when equal. */
#include "core/plugins.h"
#include "place/fit_index.h"
#include "place/place.h"
#include "place/scores.h"

static int64_t score(const struct policy *p, const struct pc_node *n, const struct pc_request *r)
{
    struct policy_plugin_node node;
    struct policy_plugin_role role;
    pc_view_node(p, (uint32_t)(n - p->nodes), &node);
    pc_view_request(r, 1, &role);
    return p->plugin->of.score(p->plugin->self, &node, &role);
}

static bool choose(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                   struct pc_pick *pick)
{
    uint32_t rank = pc_highest_kept(p, s, ask, score);
    return rank != PC_NONE && pc_take_rank(p, rank, ask->request, pick);
}

const struct pc_placement pc_place_plugin = {
    .row = {"plugin", "a plugin's: the highest of its scores"},
    .choose = choose,
    .keeps_scores = true,
};

static void rate(const struct pq_ask *a, const struct pq_node *n, struct pq_rating *rating)
{
    const struct pc_plugin *x = a->p->plugin;
    const struct policy_plugin_node node = pc_plugin_node(a->p, n);
    const struct policy_plugin_role role = pc_plugin_role(a->p, a->request, 1);
    rating->score = x->of.score(x->self, &node, &role);
}

const struct pq_placement pq_place_plugin = {
    .row = {"plugin", "a plugin's: the highest of its scores"},
    .rate = rate,
    .search = pq_highest_score,
    .module = &pq_fits_module,
    .traits = PQ_KEEPS_SCORES,
};
