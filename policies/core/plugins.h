/* SPDX-License-Identifier: MIT */
/*
 * A plugin in a policy: its functions, its state, and what only it wants to know of jobs. The core calls it in four
 * places: the key of a job that is submitted (here), its standing in a ranked line (order/plugin.c), the score of a node
 * (place/plugin.c), and a decision of a whole policy (act/plan.c).
 */
#ifndef POLICY_CORE_PLUGINS_H
#define POLICY_CORE_PLUGINS_H

#include "state/plugins.h"

#define PC_ROLES 16 /* of a job of a line, at most */

/* What became of a job, by its id. */
struct pc_plugin_fact {
    uint64_t started_in;          /* the decision that started it last */
    policy_time started, evicted; /* by this plugin, last; or POLICY_NEVER */
    uint32_t shown;               /* its place in the view, if it is in there */
};

/* The view of a plan, made anew in each decision; see act/plan.c. */
struct pc_view {
    struct policy_plugin_node *nodes;
    uint32_t node_count, node_capacity;
    uint32_t *node_at; /* place of a node among them, by its id */
    uint32_t node_at_capacity;
    struct policy_plugin_job *jobs;
    uint32_t job_count, job_capacity;
    uint32_t ranked;                  /* so many of them wait or run, and stand in order; others leave */
    struct policy_plugin_role *roles; /* of all jobs, one behind the other; so are */
    uint32_t role_count, role_capacity;
    struct policy_plugin_seat *seats; /* the seats: room for each task */
    uint32_t seat_count, seat_capacity;
};

/* What the line engine keeps for it. */
struct pc_plugin_line {
    struct pc_plugin_fact *facts; /* with rank and decide only */
    uint32_t fact_capacity;
    uint64_t decisions;  /* that it was asked for */
    struct pc_view view; /* with decide only */
};

/* Of the configuration: the plugin's, or those of its rows. */
const struct pc_placement *pc_placement_of(const struct policy_config *);

bool pc_plugin_line_create(struct policy *); /* true without a plugin; false: no memory */
void pc_plugin_line_destroy(struct policy *);

/* A job is new, with this id; false: no memory. */
bool pc_plugin_admit(struct policy *, uint32_t job, const struct policy_job_spec *);

/* What a plugin sees of a node, of the roles of a job's group, and of a job (but for its roles and seats). */
void pc_view_node(const struct policy *, uint32_t node, struct policy_plugin_node *);
void pc_view_request(const struct pc_request *, int32_t tasks, struct policy_plugin_role *);
void pc_view_job(const struct policy *, uint32_t job, struct policy_plugin_job *);

/* Decides by the plugin; false: it did what it may not, or there was no memory (error set). */
bool pc_plugin_decide(struct policy *);

extern const struct pc_placement pc_place_plugin;

#endif
