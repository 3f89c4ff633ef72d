/* SPDX-License-Identifier: MIT */
/* The arrays shown to a whole policy; see plugin_show.h. */
#include "act/plugin_show.h"
#include "act/evict_outranked.h"
#include "order/plugin_job.h"
#include "state/tasks.h"

#include <string.h>

/* ---- nodes ---- */

static void show_node(struct policy *p, uint32_t node)
{
    struct pc_plugin_shown *s = &p->plugin->shown;
    const uint32_t at = s->node_at[node];
    uint16_t *room = &s->rooms[(size_t)at * POLICY_MAX_DEVICES];
    s->nodes[at] = pc_plugin_node(p, &p->cluster->nodes[node]);
    memcpy(room, p->plugin->room, sizeof p->plugin->room);
    s->nodes[at].room = room;
}

static bool show_nodes(struct policy *p)
{
    struct pc_plugin_shown *s = &p->plugin->shown;
    const uint32_t count = p->cluster->node_count;
    if (count > UINT32_MAX / POLICY_MAX_DEVICES ||
        !PC_GROW(&p->memory, s->nodes, s->node_capacity, count) ||
        !PC_GROW(&p->memory, s->node_at, s->node_at_capacity, count) ||
        !PC_GROW(&p->memory, s->rooms, s->room_capacity, count * POLICY_MAX_DEVICES))
        return false;
    s->node_count = 0;
    for (uint32_t node = 0; node < count; node++)
        s->node_at[node] = PC_NONE;
    for (uint32_t rank = 0; rank < p->rank_capacity; rank++) {
        const uint32_t node = p->node_of_rank[rank];
        if (node == PC_NONE || !p->cluster->nodes[node].exists)
            continue;
        s->node_at[node] = s->node_count++;
        show_node(p, node);
    }
    return true;
}

/* ---- jobs ---- */

/* Returns true if the job is pending and may start, or holds devices. */
static bool is_shown(const struct policy *p, const struct pc_rank_entry *e)
{
    const struct pc_job *j = &p->cluster->jobs[e->job];
    if (j->state != PC_LIVE || j->gen != e->gen)
        return false;
    return pc_ranking_waits(p, e->job) ? !pc_ranking_never_fits(p, e->job)
                                       : j->running > 0 || j->releasing > 0;
}

/* Writes the job's current seats; `seats` has room for all of its tasks. */
static void show_seats(const struct policy *p, struct policy_plugin_job *out,
                       struct policy_plugin_seat *seats)
{
    const struct pc_cluster *c = p->cluster;
    out->seats = seats;
    out->seat_count = 0;
    for (int32_t i = 0; i < out->tasks; i++) {
        const struct pc_place *place = &pc_task(c, out->id.i, (uint32_t)i)->place;
        if (place->holding != PC_NOTHING)
            seats[out->seat_count++] = (struct policy_plugin_seat){{place->node}, place->devices};
    }
}

static void show_roles(struct policy *p, struct policy_plugin_job *out)
{
    struct pc_plugin_shown *s = &p->plugin->shown;
    const struct pc_shape *shape = &p->cluster->shapes[p->cluster->jobs[out->id.i].shape];
    out->roles = &s->roles[s->role_count];
    for (uint32_t i = 0; i < shape->role_count; i++) {
        const uint32_t at = s->role_count++;
        int32_t *mig = &s->mig[(size_t)at * POLICY_MAX_PROFILES];
        s->roles[at] = pc_plugin_role(p, &shape->roles[i].request, (int32_t)shape->roles[i].tasks);
        s->requests[at] = p->plugin->request;
        memcpy(mig, p->plugin->view.mig, sizeof p->plugin->view.mig);
        s->requests[at].mig = s->requests[at].mig != NULL ? mig : NULL;
        s->roles[at].all = &s->requests[at];
    }
}

static bool reserve(struct policy *p, const struct pc_rank_lane *lane)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_plugin_shown *s = &p->plugin->shown;
    uint64_t roles = 0, seats = 0;
    for (uint32_t i = 0; i < lane->count; i++)
        if (is_shown(p, &lane->entries[i])) {
            roles += c->shapes[c->jobs[lane->entries[i].job].shape].role_count;
            seats += c->shapes[c->jobs[lane->entries[i].job].shape].tasks;
        }
    return seats <= UINT32_MAX / 2 && roles <= UINT32_MAX / 2 / POLICY_MAX_PROFILES &&
           PC_GROW(&p->memory, s->jobs, s->job_capacity, lane->count) &&
           PC_GROW(&p->memory, s->roles, s->role_capacity, (uint32_t)roles) &&
           PC_GROW(&p->memory, s->requests, s->request_capacity, (uint32_t)roles) &&
           PC_GROW(&p->memory, s->mig, s->mig_capacity, (uint32_t)roles * POLICY_MAX_PROFILES) &&
           PC_GROW(&p->memory, s->seats, s->seat_capacity, (uint32_t)seats);
}

bool pc_plugin_show(struct policy *p, struct pc_ranking *r, struct pc_rank_lane *lane)
{
    struct pc_plugin_shown *s = &p->plugin->shown;
    if (!pc_outranked_reserve(p, r, lane->count))
        return false;
    const uint32_t ranked = pc_outranked_arrange(p, r, lane);
    if (!show_nodes(p) || !reserve(p, lane))
        return false;
    s->job_count = s->role_count = s->seat_count = 0;
    for (uint32_t i = 0; i < lane->count; i++) {
        const uint32_t id = lane->entries[i].job;
        if (!is_shown(p, &lane->entries[i]))
            continue;
        if (pc_ranking_waits(p, id)) {
            pc_ranking_found(p, id, 0);
            r->of[id].chosen = false;
        }
        struct policy_plugin_job *out = &s->jobs[s->job_count];
        pc_plugin_job_fill(p, id, out);
        if (p->plugin->of.rank != NULL)
            out->key = i < ranked ? r->walk[i].key : 0;
        show_roles(p, out);
        show_seats(p, out, &s->seats[s->seat_count]);
        s->seat_count += (uint32_t)out->tasks;
        p->plugin->jobs[id].shown = s->job_count++;
    }
    return true;
}

void pc_plugin_show_again(struct policy *p, uint32_t id)
{
    struct pc_plugin_shown *s = &p->plugin->shown;
    const uint32_t at = p->plugin->jobs[id].shown;
    if (at >= s->job_count || s->jobs[at].id.i != id)
        return;
    struct policy_plugin_job *out = &s->jobs[at];
    const struct policy_plugin_job before = *out;
    pc_plugin_job_fill(p, id, out);
    out->key = before.key;
    out->roles = before.roles;
    show_seats(p, out, &s->seats[before.seats - s->seats]);
    for (uint32_t i = 0; i < out->seat_count; i++)
        show_node(p, out->seats[i].node.i);
}
