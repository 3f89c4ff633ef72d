/* SPDX-License-Identifier: MIT */
/*
 * A plugin as part of a policy: its functions, its state, and the view passed to it. The view's
 * functions are set by query/plugin_view.c, so that orders, placements and actions can pass it on.
 */
#ifndef POLICY_STATE_PLUGINS_H
#define POLICY_STATE_PLUGINS_H

#include "plugin.h"
#include "state/state.h"

/* The plugin's view; `open` comes first, so that its functions find the policy. */
struct pc_plugin_view {
    struct policy_view open;
    struct policy *p;
    int32_t mig[POLICY_MAX_PROFILES]; /* of the last role queried */
};

/* The embedder's name for a number. */
struct pc_plugin_name {
    int32_t of; /* enum policy_name_of */
    uint32_t number;
    char *text;
    uint32_t bytes; /* size of the text with its 0 */
};

/* Submission data of a job needed only by plugins, by job id. */
struct pc_plugin_job {
    int64_t run_ms, limit_ms, estimate_ms;
    uint32_t user;
    policy_time evicted, started; /* last by the plugin; POLICY_NEVER */
    uint64_t started_in;          /* the last decision that started it */
    uint32_t shown;               /* index among the jobs shown, if any */
    int64_t attained;             /* thousandths of devices x ms attained by `since` */
    int64_t rate;                 /* thousandths of devices held since then, while it runs */
    policy_time since;
};

#define PC_PLUGIN_PART 2048 /* bytes of plugin state per history record */

/* State bytes being saved or loaded in parts. */
struct pc_plugin_bytes {
    uint8_t *of;
    uint32_t count, capacity;
    uint32_t total; /* expected size when loading */
};

/* The arrays shown to a whole policy, rebuilt in each decision: see act/plugin_show.c. */
struct pc_plugin_shown {
    struct policy_plugin_node *nodes; /* by rank */
    uint32_t node_count, node_capacity;
    uint16_t *rooms; /* POLICY_MAX_DEVICES per node */
    uint32_t room_capacity;
    uint32_t *node_at; /* index of a node in `nodes`, by its id */
    uint32_t node_at_capacity;
    struct policy_plugin_job *jobs;
    uint32_t job_count, job_capacity;
    struct policy_plugin_role *roles; /* of all jobs, concatenated; likewise */
    uint32_t role_count, role_capacity;
    struct policy_request *requests; /* their complete requests, */
    uint32_t request_capacity;
    int32_t *mig; /* with POLICY_MAX_PROFILES counts each, */
    uint32_t mig_capacity;
    struct policy_plugin_seat *seats; /* and seats: one slot per task */
    uint32_t seat_count, seat_capacity;
};

struct pc_plugin {
    struct policy_plugin of; /* converted to this version */
    void *self;
    struct pc_plugin_view view;
    struct pc_plugin_name *names;
    uint32_t name_count, name_capacity;
    struct pc_plugin_job *jobs;
    uint32_t job_capacity;
    struct pc_plugin_bytes saved, told;
    char digits[2 * PC_PLUGIN_PART + 1]; /* a part of `saved`, in hexadecimal */
    /* Of the node and request shown: see pc_plugin_node(). */
    uint16_t room[POLICY_MAX_DEVICES];
    struct policy_request request;
    policy_job wrong_job;       /* of the last refused decision, else i = POLICY_NO_ID */
    uint64_t decisions;         /* made by a whole policy */
    policy_time keys_change_at; /* as of the last refresh of keys; POLICY_NEVER: there was none */
    struct pc_plugin_shown shown;
};

/* The plugin converted to this version: `given` itself, or `room` filled from it; NULL for NULL. It
 * must have been checked. */
const struct policy_plugin *pc_plugin_known(const struct policy_plugin *given,
                                            struct policy_plugin *room);

/* Returns true if the plugin orders jobs by `rekey`; `given` may be NULL. */
static inline bool pc_plugin_rekeys(const struct policy_plugin *given)
{
    struct policy_plugin room;
    return given != NULL && pc_plugin_known(given, &room)->rekey != NULL;
}

/* The argument of open(); `known` and the configuration must outlive it. */
struct policy_plugin_setup pc_plugin_setup(const struct policy_config *,
                                           const struct policy_plugin *known);

/* A node and a request as shown to a plugin, in the plugin's scratch memory: valid until the next
 * one. */
struct policy_plugin_node pc_plugin_node(const struct policy *, const struct pc_node *);
struct policy_plugin_role pc_plugin_role(const struct policy *, const struct pc_request *,
                                         int32_t tasks);
struct policy_request pc_plugin_request(struct pc_plugin_view *, const struct pc_request *);

/* The current view, to pass to the plugin. */
const struct policy_view *pc_plugin_look(const struct policy *);

/* The embedder's name for a number; NULL: none was set. query/plugins.c */
const char *pc_plugin_name(const struct pc_plugin *, int32_t of, uint32_t number);

#endif
