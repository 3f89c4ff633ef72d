/* SPDX-License-Identifier: MIT */
/* Structs of plugins that are older than this version, and the view as of now; see plugins.h. */
#include "state/plugins.h"

#include <string.h>

const struct policy_plugin *pc_plugin_known(const struct policy_plugin *given, struct policy_plugin *room)
{
    if (given == NULL || given->size >= sizeof *given)
        return given;
    memset(room, 0, sizeof *room);
    memcpy(room, given, given->size);
    room->size = sizeof *room;
    return room;
}

struct policy_plugin_setup pc_plugin_setup(const struct policy_config *config,
                                           const struct policy_plugin *known)
{
    return (struct policy_plugin_setup){.size = sizeof(struct policy_plugin_setup),
                                        .option_count = known->option_count,
                                        .options = config->plugin_options,
                                        .seed = config->seed};
}

/* The line engine shows nothing but the time. */
const struct policy_view *pc_plugin_look(const struct policy *p)
{
    struct policy_view *view = &p->plugin->view.open;
    const struct cluster *c = p->cluster;
    view->now = p->now;
    if (c == NULL)
        return view;
    view->node_ids = c->node_count;
    view->queue_ids = c->queue_count;
    view->job_ids = c->job_count;
    view->capacity = pq_public(&c->capacity);
    return view;
}
