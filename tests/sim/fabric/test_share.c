/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares of uplinks: cases by hand, then random trees and jobs against a textbook max-min over
 * everything and against a share built from scratch, with no link above its capacity.
 */
#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "sim/fabric/share.h"
#include "tests/sim/fabric/fabrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAF 1
#define POD  2

/* 16 nodes of 100 GB/s, four below a leaf at 1:1 (400 GB/s), eight in a pod at 4:1 (200 GB/s). */
static struct fabric_tree paper_tree(void)
{
    double nics[16];
    uint32_t leaf[16], pod[16];
    for (uint32_t i = 0; i < 16; i++) {
        nics[i] = 100;
        leaf[i] = i / 4;
        pod[i] = i / 8;
    }
    struct fabric_tree tree;
    struct err err = {0};
    fabric_tree_init(&tree, 16, nics);
    ck_assert(fabric_tree_add_tier(&tree, "leaf", leaf, 4, 1, &err));
    ck_assert(fabric_tree_add_tier(&tree, "pod", pod, 2, 4, &err));
    return tree;
}

static uint32_t uplink_of(const struct fabric_tree *tree, int tier, uint32_t node)
{
    return tree->tiers[tier].first + fabric_group_of(tree, tier, node);
}

static uint32_t join(struct fabric_share *share, enum fabric_traffic traffic, const uint32_t *nodes,
                     size_t count)
{
    return fabric_share_join(
        share, &(struct fabric_use){.nodes = nodes, .node_count = count, .traffic = traffic});
}
#define NODES(...)                                                                                 \
    (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)

/* Settles; exactly these jobs must be notified of a new rate. */
static void told(struct fabric_share *share, const uint32_t *jobs, size_t count)
{
    size_t changed;
    struct err err = {0};
    const uint32_t *list = fabric_share_settle(share, &changed);
    ck_assert_uint_eq(changed, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(list[i], jobs[i]);
    ck_assert_msg(fabric_share_check(share, &err), "%s", err.msg);
}
#define NOBODY NULL, 0

/* ---- rings ---- */

/* A ring leaves each group once, so alone it gets its NICs' rate whatever the oversubscription;
 * with a third and fourth ring across the pods, 200 GB/s are too little. */
START_TEST(rings_share_the_links_they_cross)
{
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    uint32_t a = join(share, FABRIC_RING, NODES(0, 8));
    told(share, NODES(a));
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 100);
    uint32_t b = join(share, FABRIC_RING, NODES(1, 9));
    told(share, NODES(b));
    uint32_t inside = join(share, FABRIC_RING, NODES(4, 5));
    told(share, NODES(inside));
    uint32_t c = join(share, FABRIC_RING, NODES(2, 10));
    told(share, NODES(a, b, c));
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 66.666666);
    ck_assert_double_eq(fabric_share_gbps(share, a, LEAF), 66.666666); // one ring, one rate
    ck_assert_double_eq(fabric_share_gbps(share, inside, 0), 100);
    ck_assert(isinf(fabric_share_gbps(share, inside, LEAF)));
    uint32_t jobs;
    ck_assert_double_le(fabric_share_load(share, uplink_of(&tree, POD, 0), &jobs), 200);
    ck_assert_uint_eq(jobs, 3);
    fabric_share_leave(share, b);
    told(share, NODES(a, c));
    ck_assert_double_eq(fabric_share_gbps(share, c, POD), 100);
    ck_assert_uint_eq(fabric_share_groups(share, c, POD), 2);
    ck_assert_uint_eq(fabric_share_groups(share, inside, LEAF), 1);
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* A job that wants less leaves the rest to others: 200 = 20 + 90 + 90. */
START_TEST(unwanted_bandwidth_goes_to_others)
{
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    uint32_t nodes[2] = {0, 8};
    uint32_t small = fabric_share_join(
        share, &(struct fabric_use){.nodes = nodes, .node_count = 2, .most_gbps = 20});
    uint32_t a = join(share, FABRIC_RING, NODES(1, 9)), b = join(share, FABRIC_RING, NODES(2, 10));
    told(share, NODES(small, a, b));
    ck_assert_double_eq(fabric_share_gbps(share, small, POD), 20);
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 90);
    ck_assert_double_eq(fabric_share_gbps(share, b, POD), 90);
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* Mixed ranks: all nodes communicate across. A job on the whole fabric gets NIC / 4; two jobs on
 * half a pod each get 200 / 4 = 50. */
START_TEST(mixed_rings_feel_oversubscription)
{
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    uint32_t all =
        join(share, FABRIC_RING_MIXED, NODES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    told(share, NODES(all));
    ck_assert_double_eq(fabric_share_gbps(share, all, POD), 25);
    fabric_share_leave(share, all);
    told(share, NOBODY);
    uint32_t half = join(share, FABRIC_RING_MIXED, NODES(0, 1, 2, 3, 8, 9, 10, 11));
    told(share, NODES(half));
    ck_assert_double_eq(fabric_share_gbps(share, half, POD), 50);
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* Hierarchical: each tier separately, with the NICs of all its nodes in a group. */
START_TEST(hierarchies_have_a_rate_a_tier)
{
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    const uint32_t nodes[] = {0, 1, 4, 5, 8, 9, 12, 13};
    struct fabric_use use = {
        .nodes = nodes, .node_count = 8, .most_gbps = 90, .traffic = FABRIC_HIERARCHICAL};
    uint32_t a = fabric_share_join(share, &use);
    told(share, NODES(a));
    ck_assert_double_eq(fabric_share_gbps(share, a, 0), 90);
    ck_assert_double_eq(fabric_share_gbps(share, a, LEAF), 180); // two nodes below each leaf
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 200);  // four in each pod, 360, on 200
    ck_assert_uint_eq(fabric_share_groups(share, a, 0), 8);
    ck_assert_uint_eq(fabric_share_groups(share, a, LEAF), 4);
    ck_assert_uint_eq(fabric_share_groups(share, a, POD), 2);
    const uint32_t others[] = {2, 3, 6, 7, 10, 11, 14, 15};
    use.nodes = others;
    uint32_t b = fabric_share_join(share, &use);
    told(share, NODES(a, b));
    ck_assert_double_eq(fabric_share_gbps(share, a, LEAF), 180);
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 100);
    ck_assert_double_eq(fabric_share_gbps(share, b, POD), 100);
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* One job has a neighbour on each of two uplinks: the classic chain, 1/2 of the narrow one, the
 * rest of the wide. */
START_TEST(chains_are_max_min_fair)
{
    static const double nics[6] = {0, 0, 0, 0, 0, 0};
    static const uint32_t group[6] = {0, 0, 1, 1, 2, 2};
    struct fabric_tree tree;
    struct err err = {0};
    fabric_tree_init(&tree, 6, nics);
    ck_assert(fabric_tree_add_tier(&tree, "leaf", group, 3, 1, &err));
    tree.capacity_kbps[6] = 10 * 1000000;
    tree.capacity_kbps[7] = 30 * 1000000;
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    uint32_t both = join(share, FABRIC_RING, NODES(0, 2)),
             narrow = join(share, FABRIC_RING, NODES(1, 4)),
             wide = join(share, FABRIC_RING, NODES(3, 5)),
             unbound = join(share, FABRIC_RING, NODES(4, 5));
    told(share, NODES(both, narrow, wide, unbound));
    ck_assert_double_eq(fabric_share_gbps(share, both, LEAF), 5);
    ck_assert_double_eq(fabric_share_gbps(share, narrow, LEAF), 5);
    ck_assert_double_eq(fabric_share_gbps(share, wide, LEAF), 25);
    ck_assert(isinf(fabric_share_gbps(share, unbound, 0))); // NICs of unknown speed
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* ---- changes ---- */

START_TEST(failures_reduce_shares_of_crossing_jobs)
{
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    uint32_t a = join(share, FABRIC_RING, NODES(0, 8)), b = join(share, FABRIC_RING, NODES(1, 9));
    uint32_t inside = join(share, FABRIC_RING, NODES(2, 3));
    told(share, NODES(a, b, inside));
    fabric_share_set_health(share, uplink_of(&tree, POD, 8), 750000); // 150 of 200 GB/s
    told(share, NODES(a, b));
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 75);
    fabric_share_set_health(share, uplink_of(&tree, 0, 1),
                            500000); // a NIC port of node 1: 50 of 100
    told(share, NODES(a, b));
    ck_assert_double_eq(fabric_share_gbps(share, b, POD), 50);
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 100);
    fabric_share_set_health(share, uplink_of(&tree, POD, 0), 0);
    told(share, NODES(a, b));
    ck_assert_double_eq(fabric_share_gbps(share, a, POD), 0);
    fabric_share_set_health(share, uplink_of(&tree, POD, 0), FABRIC_PPM);
    fabric_share_set_health(share, uplink_of(&tree, POD, 8), FABRIC_PPM);
    fabric_share_set_health(share, uplink_of(&tree, 0, 1), FABRIC_PPM);
    told(share, NODES(a, b));
    ck_assert_double_eq(fabric_share_gbps(share, b, POD), 100);
    told(share, NOBODY);
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* Several changes at one instant are settled once, and jobs whose rates do not change are not
 * notified. */
START_TEST(changes_of_one_instant_are_settled_at_once)
{
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    uint32_t a = join(share, FABRIC_RING, NODES(0, 8)), b = join(share, FABRIC_RING, NODES(1, 9)),
             c = join(share, FABRIC_RING, NODES(2, 10));
    told(share, NODES(a, b, c));
    fabric_share_leave(share, b);
    b = join(share, FABRIC_RING, NODES(3, 11));
    told(share, NODES(b));
    uint32_t gone = join(share, FABRIC_RING, NODES(4, 12));
    fabric_share_leave(share, gone);
    told(share, NOBODY);
    uint32_t alone = join(share, FABRIC_RING, NODES(5));
    told(share, NOBODY); // crosses nothing
    ck_assert(isinf(fabric_share_gbps(share, alone, 0)));
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* In a fabric without bottlenecks a change affects only its job; on a full uplink it affects all
 * jobs that cross it. */
START_TEST(only_what_may_have_changed_is_solved)
{
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_MAX_MIN);
    size_t count;
    for (uint32_t i = 0; i < 4; i++) // within the pods, across the leaves
        join(share, FABRIC_RING, NODES(i, i + 4));
    fabric_share_settle(share, &count);
    struct fabric_effort before = fabric_share_effort(share);
    uint32_t other = join(share, FABRIC_RING, NODES(8, 12));
    fabric_share_settle(share, &count);
    ck_assert_uint_eq(fabric_share_effort(share).flows, before.flows + 1);
    fabric_share_leave(share, other);
    fabric_share_settle(share, &count);
    ck_assert_uint_eq(fabric_share_effort(share).flows, before.flows + 1);
    ck_assert_uint_eq(fabric_share_effort(share).rounds, before.rounds + 1);
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* ---- duty ---- */

/* C * max(1/n, 1 - sum of the others' duties), C = 200 GB/s at the pods, NICs 100 each. */
static const struct duty_row {
    int32_t duty_ppm[3];
    double gbps[3];
} duty_rows[] = {
    {{100000, 100000, 100000}, {100, 100, 100}}, // 160 of the uplink, the NIC is less
    {{1000000, 1000000, 1000000}, {66.666666, 66.666666, 66.666666}},
    {{900000, 300000, 400000}, {66.666666, 66.666666, 66.666666}},
    {{0, 600000, 0}, {80, 100, 80}},
};

START_TEST(duties_leave_room)
{
    const struct duty_row *row = &duty_rows[_i];
    struct fabric_tree tree = paper_tree();
    struct fabric_share *share = fabric_share_create(&tree, FABRIC_DUTY);
    struct err err = {0};
    size_t count;
    for (uint32_t i = 0; i < 3; i++)
        join(share, FABRIC_RING, NODES(i, i + 8));
    for (uint32_t i = 0; i < 3; i++)
        fabric_share_set_duty(share, i, row->duty_ppm[i]);
    fabric_share_settle(share, &count);
    ck_assert_uint_eq(count, 3);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_double_eq(fabric_share_gbps(share, i, POD), row->gbps[i]);
    ck_assert_msg(fabric_share_check(share, &err), "%s", err.msg);
    fabric_share_leave(share, 1);
    fabric_share_settle(share, &count);
    ck_assert_double_eq(fabric_share_gbps(share, 0, POD), 100); // 1/2 of 200 at least
    fabric_share_destroy(share);
    fabric_tree_fini(&tree);
}
END_TEST

/* ---- random worlds ---- */

#define MOST_NODES 40
#define MOST_JOBS  24

struct random_job {
    bool here, joined; /* joined: since the last settlement */
    uint32_t id, nodes[MOST_NODES];
    struct fabric_use use;
};

struct world {
    struct rng_stream rng;
    struct fabric_tree tree;
    struct fabric_share *share;
    struct random_job jobs[MOST_JOBS];
    int32_t *health;
};

static uint32_t draw(struct world *w, uint32_t below)
{
    return (uint32_t)(rng_u64(&w->rng) % below);
}

static void make_world(struct world *w, uint64_t seed, enum fabric_rule rule)
{
    static const double overs[] = {1, 1, 1.5, 2, 4, 7};
    *w = (struct world){0};
    rng_init(&w->rng, seed, RNG_TEST, 7);
    uint32_t nodes = 2 + draw(w, MOST_NODES - 1), groups = nodes, of[MOST_NODES];
    double nics[MOST_NODES];
    struct err err = {0};
    for (uint32_t i = 0; i < nodes; i++) {
        nics[i] = draw(w, 10) == 0 ? 0 : 25 * (1 + draw(w, 8));
        of[i] = i;
    }
    fabric_tree_init(&w->tree, nodes, nics);
    for (uint32_t tier = draw(w, 4); tier > 0; tier--) {
        uint32_t around[MOST_NODES], next = 1 + draw(w, groups);
        for (uint32_t i = 0; i < groups; i++)
            around[i] = draw(w, next);
        for (uint32_t i = 0; i < nodes; i++)
            of[i] = around[of[i]];
        ck_assert(fabric_tree_add_tier(&w->tree, "t", of, next, overs[draw(w, ROWS(overs))], &err));
        groups = next;
    }
    w->share = fabric_share_create(&w->tree, rule);
    w->health = mem_alloc(w->tree.uplink_count, sizeof *w->health);
    for (uint32_t i = 0; i < w->tree.uplink_count; i++)
        w->health[i] = FABRIC_PPM;
}

static void drop_world(struct world *w)
{
    fabric_share_destroy(w->share);
    fabric_tree_fini(&w->tree);
    free(w->health);
}

static void draw_job(struct world *w, struct random_job *job)
{
    size_t count = 1 + draw(w, w->tree.node_count < 8 ? w->tree.node_count : 8);
    for (size_t i = 0; i < count; i++)
        job->nodes[i] = draw(w, w->tree.node_count);
    job->here = job->joined = true;
    job->use = (struct fabric_use){.nodes = job->nodes,
                                   .node_count = count,
                                   .most_gbps = draw(w, 3) == 0 ? 0 : 5 * (1 + draw(w, 60)),
                                   .duty_ppm = (int32_t)draw(w, FABRIC_PPM + 1),
                                   .traffic = (enum fabric_traffic)draw(w, 3)};
    job->id = fabric_share_join(w->share, &job->use);
}

/* A job arrives or leaves, or an uplink changes. */
static void step(struct world *w)
{
    struct random_job *job = &w->jobs[draw(w, MOST_JOBS)];
    if (draw(w, 8) == 0) {
        uint32_t uplink = draw(w, w->tree.uplink_count);
        w->health[uplink] = draw(w, 3) == 0 ? FABRIC_PPM : (int32_t)draw(w, FABRIC_PPM + 1);
        fabric_share_set_health(w->share, uplink, w->health[uplink]);
    } else if (job->here && draw(w, 4) == 0) {
        job->use.duty_ppm = (int32_t)draw(w, FABRIC_PPM + 1);
        fabric_share_set_duty(w->share, job->id, job->use.duty_ppm);
    } else if (job->here) {
        fabric_share_leave(w->share, job->id);
        job->here = false;
    } else {
        draw_job(w, job);
    }
}

/*
 * The textbook: all rings rise together, and one small set stops at a time, over all uplinks and in
 * real numbers. A ring is a job or, with FABRIC_HIERARCHICAL, a job and a tier.
 */
#define MOST_RINGS ((size_t)MOST_JOBS * 4)
struct ring {
    const struct random_job *job;
    int tier; /* tier of a hierarchical job, else -1 */
    double most, rate;
    double *weight; /* of each uplink */
    bool stopped;
};

static double inside_of(const struct world *w, const struct random_job *job, uint32_t uplink,
                        double *nodes)
{
    int tier = fabric_tier_of(&w->tree, uplink);
    double inside = 0;
    bool in[MOST_NODES] = {false};
    for (size_t i = 0; i < job->use.node_count; i++)
        in[job->nodes[i]] = true;
    *nodes = 0;
    for (uint32_t node = 0; node < w->tree.node_count; node++) {
        *nodes += in[node];
        inside +=
            in[node] && fabric_group_of(&w->tree, tier, node) == uplink - w->tree.tiers[tier].first;
    }
    return inside;
}

static bool add_ring(const struct world *w, struct ring *ring, const struct random_job *job,
                     int tier)
{
    bool crosses = false;
    double least = (double)INFINITY;
    *ring = (struct ring){
        .job = job, .tier = tier, .weight = mem_alloc(w->tree.uplink_count, sizeof(double))};
    for (uint32_t uplink = 0; uplink < w->tree.uplink_count; uplink++) {
        double nodes, inside = inside_of(w, job, uplink, &nodes);
        if ((tier >= 0 && fabric_tier_of(&w->tree, uplink) != tier) || inside == 0 ||
            inside == nodes)
            continue;
        crosses = true;
        least = fmin(least, inside);
        ring->weight[uplink] =
            job->use.traffic == FABRIC_RING_MIXED ? fmin(inside, nodes - inside) : 1;
    }
    ring->most =
        job->use.most_gbps <= 0 ? (double)INFINITY : job->use.most_gbps * (tier >= 0 ? least : 1);
    if (!crosses)
        free(ring->weight);
    return crosses;
}

static double capacity(const struct world *w, uint32_t uplink)
{
    double whole = fabric_gbps(&w->tree, uplink);
    return isinf(whole) ? whole : whole * w->health[uplink] / FABRIC_PPM;
}

/* The level to which all rings that have not stopped can rise together on an uplink. */
static double level_of(const struct world *w, const struct ring *rings, size_t count,
                       uint32_t uplink)
{
    double left = capacity(w, uplink), weight = 0;
    if (isinf(left))
        return left;
    for (size_t i = 0; i < count; i++) {
        left -= rings[i].stopped && rings[i].weight[uplink] > 0
                    ? rings[i].weight[uplink] * rings[i].rate
                    : 0;
        weight += rings[i].stopped ? 0 : rings[i].weight[uplink];
    }
    return weight > 0 ? fmax(left, 0) / weight : (double)INFINITY;
}

static void fill_rings(const struct world *w, struct ring *rings, size_t count)
{
    for (size_t round = 0; round < count; round++) {
        double lowest = (double)INFINITY;
        uint32_t at = 0;
        struct ring *modest = NULL;
        for (uint32_t uplink = 0; uplink < w->tree.uplink_count; uplink++) {
            double level = level_of(w, rings, count, uplink);
            if (level < lowest) {
                lowest = level;
                at = uplink;
            }
        }
        for (size_t i = 0; i < count; i++)
            if (!rings[i].stopped && (modest == NULL || rings[i].most < modest->most))
                modest = &rings[i];
        if (modest == NULL)
            return;
        if (modest->most <= lowest) {
            modest->rate = modest->most;
            modest->stopped = true;
            continue;
        }
        for (size_t i = 0; i < count; i++)
            if (!rings[i].stopped && rings[i].weight[at] > 0) {
                rings[i].rate = lowest;
                rings[i].stopped = true;
            }
    }
}

/* The only differences are roundings down to whole kB/s: a few units per job. */
static void agrees_with_textbook(const struct world *w)
{
    static struct ring rings[MOST_RINGS];
    size_t count = 0;
    for (size_t i = 0; i < MOST_JOBS; i++) {
        const struct random_job *job = &w->jobs[i];
        bool tiers = job->use.traffic == FABRIC_HIERARCHICAL;
        for (int tier = tiers ? 0 : -1; job->here && tier < (tiers ? w->tree.tier_count : 0);
             tier++)
            count += add_ring(w, &rings[count], job, tier);
    }
    fill_rings(w, rings, count);
    for (size_t i = 0; i < count; i++) {
        for (int tier = 0; tier < w->tree.tier_count; tier++) {
            double got = fabric_share_gbps(w->share, rings[i].job->id, tier),
                   expected = rings[i].rate;
            if ((rings[i].tier >= 0 && tier != rings[i].tier) ||
                fabric_share_groups(w->share, rings[i].job->id, tier) == 1)
                continue;
            ck_assert_msg(isinf(expected) ? isinf(got) : fabs(got - expected) < 100e-6,
                          "job %u, tier %d: %.6f GB/s, expected %.6f", rings[i].job->id, tier, got,
                          expected);
        }
        free(rings[i].weight);
    }
}

/* Adds all jobs anew, the last first: rates must be identical to the bit. */
static void agrees_with_new_share(const struct world *w, enum fabric_rule rule)
{
    struct fabric_share *anew = fabric_share_create(&w->tree, rule);
    uint32_t ids[MOST_JOBS];
    size_t count;
    for (size_t i = MOST_JOBS; i-- > 0;)
        if (w->jobs[i].here)
            ids[i] = fabric_share_join(anew, &w->jobs[i].use);
    for (uint32_t i = 0; i < w->tree.uplink_count; i++)
        fabric_share_set_health(anew, i, w->health[i]);
    fabric_share_settle(anew, &count);
    for (size_t i = 0; i < MOST_JOBS; i++)
        for (int tier = 0; w->jobs[i].here && tier < w->tree.tier_count; tier++) {
            double got = fabric_share_gbps(w->share, w->jobs[i].id, tier),
                   expected = fabric_share_gbps(anew, ids[i], tier);
            ck_assert_msg(memcmp(&got, &expected, sizeof got) == 0, "%.17g and %.17g", got,
                          expected);
        }
    fabric_share_destroy(anew);
}

static void within_capacity(const struct world *w)
{
    for (uint32_t uplink = 0; uplink < w->tree.uplink_count; uplink++) {
        uint32_t jobs;
        ck_assert_double_le(fabric_share_load(w->share, uplink, &jobs), capacity(w, uplink) + 1e-9);
    }
}

/* A job is notified exactly if one of its rates changes. */
static void tells_all(struct world *w, double last[MOST_JOBS][FABRIC_TIERS])
{
    size_t count;
    const uint32_t *changed = fabric_share_settle(w->share, &count);
    for (size_t i = 0; i < MOST_JOBS; i++) {
        struct random_job *job = &w->jobs[i];
        bool other = false;
        size_t times = 0;
        for (int tier = 0; job->here && tier < w->tree.tier_count; tier++) {
            double now = fabric_share_gbps(w->share, job->id, tier);
            other |= memcmp(&now, &last[i][tier], sizeof now) != 0;
            last[i][tier] = now;
        }
        for (size_t k = 0; job->here && k < count; k++)
            times += changed[k] == job->id;
        ck_assert_uint_le(times, 1);
        if (!job->joined)
            ck_assert_uint_eq(times, other);
        job->joined = false;
    }
    for (size_t k = 1; k < count; k++)
        ck_assert_uint_lt(changed[k - 1], changed[k]);
}

START_TEST(random_worlds_are_fair)
{
    static const enum fabric_rule rules[] = {FABRIC_MAX_MIN, FABRIC_MAX_MIN, FABRIC_MAX_MIN,
                                             FABRIC_DUTY};
    enum fabric_rule rule = rules[_i % 4];
    static double last[MOST_JOBS][FABRIC_TIERS];
    struct world w;
    struct err err = {0};
    make_world(&w, (uint64_t)_i, rule);
    for (int round = 0; round < 120; round += harness_thin()) {
        for (uint32_t steps = 1 + draw(&w, 3); steps > 0; steps--)
            step(&w);
        tells_all(&w, last);
        ck_assert_msg(fabric_share_check(w.share, &err), "%s", err.msg);
        agrees_with_new_share(&w, rule);
        if (rule == FABRIC_MAX_MIN) {
            within_capacity(&w);
            agrees_with_textbook(&w);
        }
    }
    drop_world(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fabric_share");
    TCase *tcase = tcase_create("share");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, rings_share_the_links_they_cross);
    tcase_add_test(tcase, unwanted_bandwidth_goes_to_others);
    tcase_add_test(tcase, mixed_rings_feel_oversubscription);
    tcase_add_test(tcase, hierarchies_have_a_rate_a_tier);
    tcase_add_test(tcase, chains_are_max_min_fair);
    tcase_add_test(tcase, failures_reduce_shares_of_crossing_jobs);
    tcase_add_test(tcase, changes_of_one_instant_are_settled_at_once);
    tcase_add_test(tcase, only_what_may_have_changed_is_solved);
    tcase_add_loop_test(tcase, duties_leave_room, 0, ROWS(duty_rows));
    tcase_add_loop_test(tcase, random_worlds_are_fair, 0, 40);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
