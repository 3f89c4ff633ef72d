/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs join and leave, uplinks change, and results are read; share_settle.c computes the rates. */
#include "sim/fabric/share_internal.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

struct fabric_share *fabric_share_create(const struct fabric_tree *tree, enum fabric_rule rule)
{
    struct fabric_share *share = mem_alloc(1, sizeof *share);
    share->tree = tree;
    share->rule = rule;
    share->tiers = (uint32_t)tree->tier_count;
    share->free_links = SHARE_NONE;
    share->uplinks = mem_alloc(tree->uplink_count, sizeof *share->uplinks);
    for (uint32_t i = 0; i < tree->uplink_count; i++)
        share->uplinks[i] = (struct share_uplink){
            .capacity = tree->capacity_kbps[i], .links = SHARE_NONE, .health_ppm = FABRIC_PPM};
    fabric_finder_init(&share->finder, tree);
    return share;
}

void fabric_share_destroy(struct fabric_share *share)
{
    if (share == NULL)
        return;
    fabric_finder_fini(&share->finder);
    free(share->uplinks);
    free(share->links);
    free(share->jobs);
    free(share->free_jobs);
    free(share->flows);
    free(share->groups);
    free(share->dirty_uplinks);
    free(share->dirty_flows);
    free(share->changed);
    free(share->some_uplinks);
    free(share->some_flows);
    free(share->heap);
    free(share->wishes);
    free(share);
}

/* ---- what has to be settled ---- */

static void mark_flow(struct fabric_share *share, uint32_t flow)
{
    if (share->flows[flow].dirty)
        return;
    share->flows[flow].dirty = true;
    share->dirty_flows = mem_grow(share->dirty_flows, &share->dirty_flow_room,
                                  share->dirty_flow_count + 1, sizeof *share->dirty_flows);
    share->dirty_flows[share->dirty_flow_count++] = flow;
}

/* The others on the uplinks of a flow may be concerned, where those bind. */
static void mark_uplinks(struct fabric_share *share, uint32_t flow)
{
    for (uint32_t l = share->flows[flow].links; l != SHARE_NONE; l = share->links[l].sibling) {
        uint32_t id = share->links[l].uplink;
        struct share_uplink *uplink = &share->uplinks[id];
        if (uplink->dirty || (share->rule == FABRIC_MAX_MIN && !share_is_tight(uplink)))
            continue;
        uplink->dirty = true;
        share->dirty_uplinks =
            mem_grow(share->dirty_uplinks, &share->dirty_uplink_room, share->dirty_uplink_count + 1,
                     sizeof *share->dirty_uplinks);
        share->dirty_uplinks[share->dirty_uplink_count++] = id;
    }
}

/* ---- flows and their links ---- */

static uint32_t new_link(struct fabric_share *share)
{
    uint32_t link = share->free_links;
    if (link != SHARE_NONE) {
        share->free_links = share->links[link].sibling;
        return link;
    }
    share->links =
        mem_grow(share->links, &share->link_room, share->link_count + 1, sizeof *share->links);
    return (uint32_t)share->link_count++;
}

static void add_link(struct fabric_share *share, uint32_t flow, uint32_t to, uint32_t weight)
{
    struct share_uplink *uplink = &share->uplinks[to];
    if (uplink->capacity == FABRIC_UNLIMITED)
        return;
    uint32_t id = new_link(share);
    share->links[id] = (struct share_link){.flow = flow,
                                           .uplink = to,
                                           .weight = weight,
                                           .sibling = share->flows[flow].links,
                                           .prev = SHARE_NONE,
                                           .next = uplink->links};
    if (uplink->links != SHARE_NONE)
        share->links[uplink->links].prev = id;
    uplink->links = id;
    share->flows[flow].links = id;
}

static void remove_links(struct fabric_share *share, uint32_t flow)
{
    for (uint32_t l = share->flows[flow].links, after; l != SHARE_NONE; l = after) {
        struct share_link *link = &share->links[l];
        after = link->sibling;
        if (link->prev != SHARE_NONE)
            share->links[link->prev].next = link->next;
        else
            share->uplinks[link->uplink].links = link->next;
        if (link->next != SHARE_NONE)
            share->links[link->next].prev = link->prev;
        link->sibling = share->free_links;
        share->free_links = l;
    }
    share->flows[flow].links = SHARE_NONE;
}

static void find_want(struct fabric_share *share, uint32_t id)
{
    struct share_flow *flow = &share->flows[id];
    flow->want = flow->most;
    for (uint32_t l = flow->links; l != SHARE_NONE; l = share->links[l].sibling) {
        int64_t alone = share->uplinks[share->links[l].uplink].capacity / share->links[l].weight;
        flow->want = alone < flow->want ? alone : flow->want;
    }
}

/*
 * Adds a flow's demand to the sums of its uplinks, or subtracts it. A flow with links has a bound.
 */
static void count_flow(struct fabric_share *share, uint32_t flow, int sign)
{
    const struct share_job *job = &share->jobs[flow / share->tiers];
    for (uint32_t l = share->flows[flow].links; l != SHARE_NONE; l = share->links[l].sibling) {
        struct share_uplink *uplink = &share->uplinks[share->links[l].uplink];
        uplink->wanted += (int64_t)sign * share->links[l].weight * share->flows[flow].want;
        uplink->duty_ppm += sign * job->duty_ppm;
        uplink->flows += (uint32_t)sign;
    }
}

static void start_flow(struct fabric_share *share, uint32_t flow)
{
    find_want(share, flow);
    count_flow(share, flow, 1);
    mark_uplinks(share, flow);
    mark_flow(share, flow);
}

static void stop_flow(struct fabric_share *share, uint32_t flow)
{
    mark_uplinks(share, flow);
    count_flow(share, flow, -1);
    remove_links(share, flow);
    share->flows[flow].used = false;
}

/* ---- jobs ---- */

static uint32_t new_job(struct fabric_share *share)
{
    if (share->free_count > 0)
        return share->free_jobs[--share->free_count];
    size_t flows = (share->job_count + 1) * share->tiers;
    share->jobs =
        mem_grow(share->jobs, &share->job_room, share->job_count + 1, sizeof *share->jobs);
    share->flows = mem_grow(share->flows, &share->flow_room, flows, sizeof *share->flows);
    share->groups = mem_grow(share->groups, &share->group_room, flows, sizeof *share->groups);
    share->jobs[share->job_count] = (struct share_job){0};
    for (size_t flow = flows - share->tiers; flow < flows; flow++)
        share->flows[flow] = (struct share_flow){.links = SHARE_NONE};
    return (uint32_t)share->job_count++;
}

static void use_flow(struct fabric_share *share, uint32_t id, int64_t most)
{
    struct share_flow *flow = &share->flows[id];
    flow->used = true;
    flow->most = most;
    flow->rate = -1;
}

static uint32_t weight_of(enum fabric_traffic traffic, uint32_t inside, uint32_t nodes)
{
    if (traffic != FABRIC_RING_MIXED)
        return 1;
    return inside < nodes - inside ? inside : nodes - inside;
}

/* The bound of a job's ring, or of all rings of a group together. */
static int64_t bound(const struct fabric_use *use, uint32_t rings)
{
    if (use->most_gbps <= 0)
        return FABRIC_UNLIMITED;
    double kbps = use->most_gbps * 1e6 * rings;
    return kbps < (double)FABRIC_KBPS_MAX ? llround(kbps) : FABRIC_KBPS_MAX;
}

uint32_t fabric_share_join(struct fabric_share *share, const struct fabric_use *use)
{
    BUG_ON(use->duty_ppm < 0 || use->duty_ppm > FABRIC_PPM);
    uint32_t job = new_job(share), first = job * share->tiers, nodes;
    share->jobs[job].used = true;
    share->jobs[job].duty_ppm = use->duty_ppm;
    for (uint32_t tier = 0; tier < share->tiers; tier++)
        share->groups[first + tier] = 1;
    size_t count;
    const struct fabric_crossing *crossings =
        fabric_find_crossings(&share->finder, use->nodes, use->node_count, &count, &nodes);
    for (size_t i = 0; i < count;) {
        uint32_t tier = (uint32_t)fabric_tier_of(share->tree, crossings[i].uplink), least = nodes;
        const struct fabric_tier *of = &share->tree->tiers[tier];
        uint32_t flow = first + (use->traffic == FABRIC_HIERARCHICAL ? tier : 0);
        size_t begin = i;
        for (; i < count && crossings[i].uplink < of->first + of->groups; i++)
            least = crossings[i].inside < least ? crossings[i].inside : least;
        share->groups[first + tier] = (uint32_t)(i - begin);
        use_flow(share, flow, bound(use, use->traffic == FABRIC_HIERARCHICAL ? least : 1));
        for (size_t k = begin; k < i; k++)
            add_link(share, flow, crossings[k].uplink,
                     weight_of(use->traffic, crossings[k].inside, nodes));
    }
    for (uint32_t flow = first; flow < first + share->tiers; flow++)
        if (share->flows[flow].used)
            start_flow(share, flow);
    return job;
}

void fabric_share_leave(struct fabric_share *share, uint32_t job)
{
    BUG_ON(job >= share->job_count || !share->jobs[job].used);
    for (uint32_t flow = job * share->tiers; flow < (job + 1) * share->tiers; flow++)
        if (share->flows[flow].used)
            stop_flow(share, flow);
    share->jobs[job].used = false;
    share->free_jobs = mem_grow(share->free_jobs, &share->free_room, share->free_count + 1,
                                sizeof *share->free_jobs);
    share->free_jobs[share->free_count++] = job;
}

void fabric_share_set_duty(struct fabric_share *share, uint32_t job, int32_t duty_ppm)
{
    BUG_ON(job >= share->job_count || !share->jobs[job].used || duty_ppm < 0 ||
           duty_ppm > FABRIC_PPM);
    if (share->jobs[job].duty_ppm == duty_ppm)
        return;
    for (uint32_t flow = job * share->tiers; flow < (job + 1) * share->tiers; flow++)
        count_flow(share, flow, -1);
    share->jobs[job].duty_ppm = duty_ppm;
    for (uint32_t flow = job * share->tiers; flow < (job + 1) * share->tiers; flow++) {
        count_flow(share, flow, 1);
        if (share->rule == FABRIC_DUTY)
            mark_uplinks(share, flow);
    }
}

/* Other uplinks of its flows may become tight or slack, since their demand changes. */
void fabric_share_set_health(struct fabric_share *share, uint32_t id, int32_t ppm)
{
    struct share_uplink *uplink = &share->uplinks[id];
    BUG_ON(id >= share->tree->uplink_count || ppm < 0 || ppm > FABRIC_PPM);
    int64_t whole = share->tree->capacity_kbps[id];
    if (whole == FABRIC_UNLIMITED || uplink->health_ppm == ppm)
        return;
    for (uint32_t l = uplink->links; l != SHARE_NONE; l = share->links[l].next) {
        mark_uplinks(share, share->links[l].flow);
        count_flow(share, share->links[l].flow, -1);
    }
    uplink->health_ppm = ppm;
    uplink->capacity = whole / FABRIC_PPM * ppm + whole % FABRIC_PPM * ppm / FABRIC_PPM;
    for (uint32_t l = uplink->links; l != SHARE_NONE; l = share->links[l].next) {
        find_want(share, share->links[l].flow);
        count_flow(share, share->links[l].flow, 1);
        mark_flow(share, share->links[l].flow);
    }
    for (uint32_t l = uplink->links; l != SHARE_NONE; l = share->links[l].next)
        mark_uplinks(share, share->links[l].flow);
}

/* ---- looking ---- */

static double gbps(int64_t kbps)
{
    return kbps == FABRIC_UNLIMITED ? (double)INFINITY : (double)kbps / 1e6;
}

double fabric_share_gbps(const struct fabric_share *share, uint32_t job, int tier)
{
    uint32_t first = job * share->tiers, flow = first + (uint32_t)tier;
    if (share->groups[flow] <= 1)
        return (double)INFINITY;
    return gbps(share->flows[share->flows[flow].used ? flow : first].rate);
}

uint32_t fabric_share_groups(const struct fabric_share *share, uint32_t job, int tier)
{
    return share->groups[job * share->tiers + (uint32_t)tier];
}

static int64_t load_of(const struct fabric_share *share, const struct share_uplink *uplink)
{
    int64_t load = 0;
    for (uint32_t l = uplink->links; l != SHARE_NONE; l = share->links[l].next)
        load += share->links[l].weight * share->flows[share->links[l].flow].rate;
    return load;
}

double fabric_share_load(const struct fabric_share *share, uint32_t uplink, uint32_t *jobs)
{
    *jobs = share->uplinks[uplink].flows;
    return gbps(load_of(share, &share->uplinks[uplink]));
}

double fabric_share_use(const struct fabric_share *share, uint32_t id)
{
    double sum = 0;
    for (uint32_t l = share->uplinks[id].links; l != SHARE_NONE; l = share->links[l].next) {
        const struct share_link *link = &share->links[l];
        sum += gbps(link->weight * share->flows[link->flow].rate) *
               share->jobs[link->flow / share->tiers].duty_ppm / FABRIC_PPM;
    }
    return sum;
}

struct fabric_effort fabric_share_effort(const struct fabric_share *share)
{
    return share->effort;
}

/* ---- audit ---- */

static bool check_uplink(const struct fabric_share *share, uint32_t id, struct err *err)
{
    const struct share_uplink *uplink = &share->uplinks[id];
    int64_t wanted = 0, duty = 0;
    uint32_t flows = 0;
    for (uint32_t l = uplink->links; l != SHARE_NONE; l = share->links[l].next, flows++) {
        const struct share_flow *flow = &share->flows[share->links[l].flow];
        wanted += share->links[l].weight * flow->want;
        duty += share->jobs[share->links[l].flow / share->tiers].duty_ppm;
        if (!flow->used || flow->rate < 0 || flow->rate > flow->want)
            return err_set(err, EXIT_INVARIANT,
                           "uplink %u: a flow has the rate %lld and wants %lld", id,
                           (long long)flow->rate, (long long)flow->want);
    }
    if (flows != uplink->flows || wanted != uplink->wanted || duty != uplink->duty_ppm)
        return err_set(err, EXIT_INVARIANT, "uplink %u: its sums do not agree with its flows", id);
    if (share->rule == FABRIC_MAX_MIN && load_of(share, uplink) > uplink->capacity)
        return err_set(err, EXIT_INVARIANT, "uplink %u: %lld kB/s on a link of %lld", id,
                       (long long)load_of(share, uplink), (long long)uplink->capacity);
    return true;
}

/* Nothing of the uplink is left to divide, and no job there has a higher rate. */
static bool binds(const struct fabric_share *share, const struct share_uplink *uplink, int64_t rate)
{
    int64_t left = uplink->capacity - load_of(share, uplink), weight = 0;
    for (uint32_t l = uplink->links; l != SHARE_NONE; l = share->links[l].next) {
        const struct share_flow *flow = &share->flows[share->links[l].flow];
        if (flow->rate > rate)
            return false;
        weight += flow->rate == rate ? share->links[l].weight : 0;
    }
    return left < weight;
}

static bool check_flow(const struct fabric_share *share, uint32_t id, struct err *err)
{
    const struct share_flow *flow = &share->flows[id];
    bool bound = !flow->used || flow->rate == flow->want;
    for (uint32_t l = flow->links; l != SHARE_NONE && !bound; l = share->links[l].sibling) {
        const struct share_link *link = &share->links[l];
        bound = share->rule == FABRIC_DUTY
                    ? share_by_duty(share, link) == flow->rate
                    : binds(share, &share->uplinks[link->uplink], flow->rate);
    }
    return bound ||
           err_set(err, EXIT_INVARIANT, "job %u has %lld kB/s and nothing keeps it from more",
                   id / share->tiers, (long long)flow->rate);
}

bool fabric_share_check(const struct fabric_share *share, struct err *err)
{
    for (uint32_t id = 0; id < share->tree->uplink_count; id++)
        if (!check_uplink(share, id, err))
            return false;
    for (uint32_t id = 0; id < share->job_count * share->tiers; id++)
        if (!check_flow(share, id, err))
            return false;
    return true;
}
