/* SPDX-License-Identifier: MIT */
/*
 * A plugin as part of a policy: what it brings, its state, and the view that it is given. The
 * view's functions are set by query/plugin_view.c, so that orders, placements and actions can hand
 * it on.
 */
#ifndef POLICY_STATE_PLUGINS_H
#define POLICY_STATE_PLUGINS_H

#include "plugin.h"
#include "state/state.h"

/* The plugin's view; `open` is first, so that its functions find the policy. */
struct pc_plugin_view {
    struct policy_view open;
    struct policy *p;
    int32_t mig[POLICY_MAX_PROFILES]; /* of the role that was asked for last */
};

/* What the embedder calls a number. */
struct pc_plugin_name {
    int32_t of; /* enum policy_name_of */
    uint32_t number;
    char *text;
    uint32_t bytes; /* of the text, with its 0 */
};

/* What was said of a job and is needed nowhere else, by its id. */
struct pc_plugin_job {
    int64_t run_ms, limit_ms, estimate_ms;
    uint32_t user;
    policy_time evicted, started; /* by the plugin, last; POLICY_NEVER */
    uint64_t started_in;          /* the decision that started it last */
    uint32_t shown;               /* its place among the jobs that are shown, if it is one */
};

#define PC_PLUGIN_PART 2048 /* bytes of a plugin's state in one record of history */

/* Bytes on their way out or in: what was saved last, or is being loaded in parts. */
struct pc_plugin_bytes {
    uint8_t *of;
    uint32_t count, capacity;
    uint32_t total; /* of what is being loaded */
};

/* What a whole policy is shown, made anew in each decision: see act/plugin_show.c. */
struct pc_plugin_shown {
    struct policy_plugin_node *nodes; /* by rank */
    uint32_t node_count, node_capacity;
    uint16_t *rooms; /* POLICY_MAX_DEVICES of each node */
    uint32_t room_capacity;
    uint32_t *node_at; /* place of a node among them, by its id */
    uint32_t node_at_capacity;
    struct policy_plugin_job *jobs;
    uint32_t job_count, job_capacity;
    struct policy_plugin_role *roles; /* of all jobs, one behind the other; so are */
    uint32_t role_count, role_capacity;
    struct policy_request *requests; /* what these ask for in full, */
    uint32_t request_capacity;
    int32_t *mig; /* with POLICY_MAX_PROFILES counts each, */
    uint32_t mig_capacity;
    struct policy_plugin_seat *seats; /* and seats: room for each task */
    uint32_t seat_count, seat_capacity;
};

struct pc_plugin {
    struct policy_plugin of; /* as this version knows it */
    void *self;
    struct pc_plugin_view view;
    struct pc_plugin_name *names;
    uint32_t name_count, name_capacity;
    struct pc_plugin_job *jobs;
    uint32_t job_capacity;
    struct pc_plugin_bytes saved, told;
    char digits[2 * PC_PLUGIN_PART + 1]; /* a part of `saved` */
    /* Of the node and the request that are shown: see pc_plugin_node(). */
    uint16_t room[POLICY_MAX_DEVICES];
    struct policy_request request;
    policy_job wrong_job; /* of the decision that was refused last, else i = POLICY_NO_ID */
    uint64_t decisions;   /* that a whole policy was asked for */
    struct pc_plugin_shown shown;
};

/* The plugin as this version knows it: `given` itself, or `room` filled from it. NULL for NULL. It
 * was checked before. */
const struct policy_plugin *pc_plugin_known(const struct policy_plugin *given,
                                            struct policy_plugin *room);

/* What open() is given; `known` and the configuration have to live as long. */
struct policy_plugin_setup pc_plugin_setup(const struct policy_config *,
                                           const struct policy_plugin *known);

/* A node and a request of the quota state as a plugin is shown them, in scratch of the plugin:
 * until the next one is. */
struct policy_plugin_node pc_plugin_node(const struct policy *, const struct pc_node *);
struct policy_plugin_role pc_plugin_role(const struct policy *, const struct pc_request *,
                                         int32_t tasks);
struct policy_request pc_plugin_request(struct pc_plugin_view *, const struct pc_request *);

/* The view as of now, to be handed to the plugin. */
const struct policy_view *pc_plugin_look(const struct policy *);

/* The embedder's name for a number; NULL: none was reported. query/plugins.c */
const char *pc_plugin_name(const struct pc_plugin *, int32_t of, uint32_t number);

#endif
