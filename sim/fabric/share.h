/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contention: how jobs that cross the same uplinks share them. A job joins with its nodes, leaves
 * when it stops; an uplink changes when a link or switch fails. fabric_share_settle() then works
 * out anew what may have changed, and only that, and names the jobs whose share is another one,
 * each once.
 *
 *     fabric_share_join(share, &(struct fabric_use){.nodes = n, .node_count = 4, .most_gbps =
 *     190});
 *     const uint32_t *changed = fabric_share_settle(share, &count);
 *     ... for each: fabric_share_gbps(share, changed[i], tier)
 *
 * Traffic. What a job sends over the uplinks depends on its collectives (topology.md, 2.1):
 *   FABRIC_RING          a flat ring whose ranks follow the fabric leaves each group once: the
 *                        whole ring goes at one rate, the lowest along it.
 *   FABRIC_RING_MIXED    a flat ring in any order: every node talks across, so a group with m of n
 *                        nodes is left min(m, n - m) times, and o:1 oversubscription divides the
 *                        rate by o when all of a group do so.
 *   FABRIC_HIERARCHICAL  once per group at each tier for itself, with all NICs of the job in the
 *                        group: S * 2(G-1)/G bytes over the group's uplink, G groups. Each tier has
 *                        its own rate, that of the slowest group.
 *
 * Sharing. FABRIC_MAX_MIN: rates are max-min fair, a rate counted once for each time the ring
 * crosses the uplink; no rate can grow without making one fall that is as low or lower, and the
 * rates on an uplink never add up to more than its capacity. FABRIC_DUTY: jobs talk only a part of
 * their time (duty = T_comm / T_step, topology.md section 5) and get of every uplink C *
 * max(1/jobs, 1 - sum of the others' duties): above its capacity for a moment, not on average.
 *
 * Rates are whole kB/s and every sum is exact, so the result depends only on the set of jobs, never
 * on the order in which they came, and equal worlds have equal rates on every machine.
 *
 * Work. A job at most wants `most_gbps`, or what its narrowest uplink could give it alone. An
 * uplink that could serve all it has so is slack and binds nobody; what changes on it concerns
 * nobody else. Others tie jobs into components, and the component of what changed is solved anew,
 * in O(crossings * log uplinks).
 *
 * The tree must outlive the share and not change; jobs are numbers, recycled after they leave.
 */
#ifndef SIM_FABRIC_SHARE_H
#define SIM_FABRIC_SHARE_H

#include "sim/fabric/tree.h"

#define FABRIC_PPM 1000000

enum fabric_traffic { FABRIC_RING, FABRIC_RING_MIXED, FABRIC_HIERARCHICAL };
enum fabric_rule { FABRIC_MAX_MIN, FABRIC_DUTY };

struct fabric_use {
    const uint32_t *nodes; /* of its tasks; one may be named several times */
    size_t node_count;
    double most_gbps; /* what a ring of it can use at most, its NICs on its worst node; <= 0 no
                         bound */
    int32_t duty_ppm; /* share of its time in which it communicates, 0..FABRIC_PPM */
    enum fabric_traffic traffic;
};

struct fabric_share;

struct fabric_share *fabric_share_create(const struct fabric_tree *, enum fabric_rule);
void fabric_share_destroy(struct fabric_share *); /* NULL is fine */

uint32_t fabric_share_join(struct fabric_share *, const struct fabric_use *);
void fabric_share_leave(struct fabric_share *, uint32_t job);
void fabric_share_set_duty(struct fabric_share *, uint32_t job, int32_t duty_ppm);

/* So much of an uplink works, 0..FABRIC_PPM; FABRIC_PPM at first. One without limit stays without.
 */
void fabric_share_set_health(struct fabric_share *, uint32_t uplink, int32_t ppm);

/*
 * The jobs whose rate is another one than at the last call, also those that joined and have one, in
 * rising order, each once. Belongs to the share, until the next call of any function that changes
 * it.
 */
const uint32_t *fabric_share_settle(struct fabric_share *, size_t *count);

/* ---- after fabric_share_settle() ---- */

/*
 * GB/s of a job on a tier: of its ring, or of each of its groups together with FABRIC_HIERARCHICAL.
 * INFINITY when it does not cross uplinks of the tier, or only such without limit and has no bound
 * itself.
 */
double fabric_share_gbps(const struct fabric_share *, uint32_t job, int tier);

/* Its groups on a tier; 1 when it does not leave the one that it is in. */
uint32_t fabric_share_groups(const struct fabric_share *, uint32_t job, int tier);

/* GB/s that its jobs send over an uplink if all do so at once, and how many they are. */
double fabric_share_load(const struct fabric_share *, uint32_t uplink, uint32_t *jobs);

/* GB/s that they send over it in the mean of time, each for its duty. */
double fabric_share_use(const struct fabric_share *, uint32_t uplink);

/* What was worked out since the share was made, for measurements. */
struct fabric_effort {
    uint64_t rounds, flows, crossings;
};
struct fabric_effort fabric_share_effort(const struct fabric_share *);

/* False with a message when sums or rates are not what they should be. Settled shares only; for
 * audits and tests. */
bool fabric_share_check(const struct fabric_share *, struct err *err);

#endif
