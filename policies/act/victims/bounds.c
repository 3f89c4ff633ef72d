/* SPDX-License-Identifier: MIT */
/* Which trials are worthwhile; see bounds.h. Amounts are thousandths of devices. */
#include "act/victims/bounds.h"

#include "act/victims/barren.h"
#include "act/victims/loss_bounds.h"
#include "base/int128.h"
#include "state/devices.h"
#include "state/room.h"

/* ---- bounds on the whole search ---- */

static int64_t whole_soon(const struct pc_cluster *c)
{
    int64_t sum = 0;
    for (int32_t devices = 1; devices <= c->most_devices; devices++)
        sum += (int64_t)c->listed[devices] * devices;
    return sum * POLICY_WHOLE;
}

bool pc_has_prospect(struct policy *p, uint32_t job, const struct pc_amounts *asks, int64_t lost)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_shape *shape = &c->shapes[c->jobs[job].shape];
    int64_t wanted = asks->of[PC_GPU];
    if (shape->wants_memory) /* the share depends on the node */
        wanted = wanted > 0;
    if (wanted <= lost || wanted - lost > c->soon_milli)
        return wanted <= lost;
    wanted -= lost;
    if (shape->need == 0)
        return true;
    if (c->giving_parts == 0 && wanted > whole_soon(c))
        return false;
    if (shape->mixed)
        return true;
    int64_t room = pc_most_room(p, shape->need);
    return room > wanted / POLICY_WHOLE || room * shape->need * POLICY_WHOLE >= wanted;
}

/* ---- whole devices on single nodes ---- */

static int32_t copies(int32_t devices, int32_t wanted)
{
    return devices > 0 ? devices / wanted : 0;
}

int64_t pc_leave_room(const struct pc_cluster *c, const struct pc_victim *v, int32_t devices)
{
    const struct pc_request *r = pc_request_of_victim(c, v);
    struct pc_node *n = pc_node_of_victim(c, v);
    int32_t soon = pc_soon_whole(n) + n->trial_freed;
    n->trial_freed += pc_devices_under(r);
    if (n->state != POLICY_NODE_UP)
        return 0;
    return copies(pc_soon_whole(n) + n->trial_freed, devices) - copies(soon, devices);
}

void pc_forget_left(const struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->evicted.count; i++)
        pc_node_of_victim(c, &c->evicted.of[i])->trial_freed = 0;
}

int64_t pc_room_without(const struct pc_cluster *c, int32_t devices, int32_t below)
{
    int64_t room = pc_whole_room(c, devices);
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pc_request *r = pc_request_of_victim(c, &c->evicted.of[i]);
        if (r->devices == 0 ? r->wants_mig : pc_is_small(r, below))
            room += pc_leave_room(c, &c->evicted.of[i], devices);
    }
    pc_forget_left(c);
    return room;
}

int32_t pc_least_wanted(const struct pc_search *s, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < tasks->count && least > 0; i++) {
        const struct pc_request *r = pc_request_of(c, s->job, tasks->ids[i]);
        int32_t wanted = pc_shares_devices(r) ? 0 : r->devices;
        least = wanted < least ? wanted : least;
    }
    return tasks->count > 0 ? least : 0;
}

bool pc_frees_enough(const struct pc_search *s, const struct pc_tasks *tasks)
{
    int32_t least = pc_least_wanted(s, tasks);
    return least == 0 || pc_room_without(s->c, least, INT32_MAX) >= (int64_t)tasks->count;
}

bool pc_frees_nothing(const struct pc_search *s, uint32_t node)
{
    return s->scarce && pc_is_barren(s->c, node, s->c->jobs[s->job].queue, s->devices);
}

/* ---- room left for the job ---- */

int32_t pc_wanted_alike(const struct pc_search *s, const struct pc_tasks *tasks)
{
    const struct pc_shape *shape = &s->c->shapes[s->c->jobs[s->job].shape];
    return tasks->count > 0 && !shape->mixed ? shape->need : 0;
}

bool pc_leaves_room(const struct pc_search *s, const struct pc_tasks *tasks)
{
    int32_t devices = pc_wanted_alike(s, tasks);
    if (devices == 0 || !pc_room_is_known(s->c, devices))
        return true;
    int64_t lacking = (int64_t)tasks->count - pc_room_without(s->c, devices, devices);
    return lacking <= 0 || pc_most_lost(s, devices, (int64_t)devices * POLICY_WHOLE) >= lacking;
}

/* ---- useful part of the free devices ---- */

/* What the current tasks want, by whole devices per task ([0]: parts of devices), and what is
 * available. */
struct means {
    int64_t wanted[POLICY_MAX_DEVICES + 1];
    int64_t
        nodes[POLICY_MAX_DEVICES + 1]; /* without victims, by whole devices free after release */
    int64_t parts;                     /* free parts of devices on these nodes */
    int64_t emptied;                   /* free after release on nodes of victims */
    int32_t common;                    /* common divisor of all requested device counts */
    bool known; /* no task requests memory or instances, whose weight depends on the node */
};

/* Adds a number of equal tasks of whole devices. */
static void want_whole(struct means *m, int32_t devices, int32_t tasks)
{
    m->wanted[devices] += (int64_t)devices * tasks * POLICY_WHOLE;
    m->common = (int32_t)pc_common_divisor((uint64_t)m->common, (uint64_t)devices);
}

static void want(struct means *m, const struct pc_request *r)
{
    m->known = m->known && r->memory == 0 && !r->wants_mig;
    if (r->share == 0) {
        want_whole(m, r->devices, 1);
        return;
    }
    m->wanted[0] += (int64_t)r->devices * r->share;
    m->common = 1;
}

/* What the job's tasks and the listed victims want. */
static struct means want_all(const struct pc_search *s, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    struct means m = {.parts = c->soon_milli, .known = true};
    for (uint32_t i = 0; i < tasks->count; i++)
        want(&m, pc_request_of(c, s->job, tasks->ids[i]));
    for (uint32_t i = 0; i < c->evicted.count && m.known; i++)
        want(&m, pc_request_of_victim(c, &c->evicted.of[i]));
    return m;
}

/* Whole devices usable by tasks that request multiples of `of`. */
static int64_t in_multiples(int32_t devices, int32_t of)
{
    return devices > 0 && of > 0 ? (int64_t)(devices - devices % of) * POLICY_WHOLE : 0;
}

/* Everything free on a node of victims may be useful together with what they leave. */
static void count_emptied(struct means *m, struct pc_node *n)
{
    if (n->trial_seen || n->listed < 0)
        return;
    n->trial_seen = true;
    m->nodes[n->listed]--;
    m->parts -= n->soon_milli - (int64_t)n->listed * POLICY_WHOLE;
    m->emptied += m->wanted[0] > 0 ? n->soon_milli : in_multiples(n->listed, m->common);
}

/* Counts the nodes of the listed victims, and another one unless that is NULL, each once. */
static void count_nodes(const struct pc_cluster *c, struct means *m, struct pc_node *other)
{
    for (int32_t devices = 1; devices <= c->most_devices; devices++) {
        m->nodes[devices] = c->listed[devices];
        m->parts -= (int64_t)c->listed[devices] * devices * POLICY_WHOLE;
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        count_emptied(m, pc_node_of_victim(c, &c->evicted.of[i]));
    if (other != NULL) {
        count_emptied(m, other);
        other->trial_seen = false;
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        pc_node_of_victim(c, &c->evicted.of[i])->trial_seen = false;
}

/*
 * Fills the nodes, fewest free devices first, with the tasks that fit: limited by the node's room
 * and by what tasks of at most that size still want.
 */
static int64_t fill(const struct pc_cluster *c, const struct means *m)
{
    int64_t used = m->parts < m->wanted[0] ? m->parts : m->wanted[0];
    int64_t wanted = m->wanted[0];
    for (int32_t devices = 1; devices <= c->most_devices; devices++) {
        wanted += m->wanted[devices];
        int64_t room = m->nodes[devices] * in_multiples(devices, m->common);
        used += room < wanted - used ? room : wanted - used;
    }
    return used;
}

/* How much of the capacity free after release the job and its victims could use; all of it if that
 * is unknown. */
static int64_t useful(const struct pc_search *s, const struct pc_tasks *tasks)
{
    struct means m = want_all(s, tasks);
    if (!m.known)
        return s->c->soon_milli;
    count_nodes(s->c, &m, NULL);
    return m.emptied + fill(s->c, &m);
}

bool pc_singles_give_enough(struct pc_search *s, const struct pc_tasks *tasks, uint32_t node,
                            int64_t lost)
{
    struct pc_node *n = &s->c->nodes[node];
    if (n->giving_parts > 0 || !pc_list_recorded(s))
        return true;
    struct means m = want_all(s, tasks);
    for (int32_t devices = 1; devices <= n->devices; devices++)
        if (n->giving[devices] > 0)
            want_whole(&m, devices, n->giving[devices]);
    count_nodes(s->c, &m, n);
    return !m.known || m.emptied + fill(s->c, &m) + lost >= s->asks.of[PC_GPU];
}

bool pc_gives_enough(const struct pc_search *s, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    int64_t wanted = s->asks.of[PC_GPU];
    if (c->shapes[c->jobs[s->job].shape].wants_memory) /* the share depends on the node */
        wanted = wanted > 0;
    int64_t lost = pc_most_lost(s, 0, 1);
    if (lost >= wanted || c->soon_milli + lost < wanted)
        return lost >= wanted;
    return useful(s, tasks) + lost >= wanted;
}

bool pc_is_worth_trying(const struct pc_search *s, const struct pc_tasks *tasks)
{
    return pc_frees_enough(s, tasks) && pc_leaves_room(s, tasks) && pc_gives_enough(s, tasks);
}
