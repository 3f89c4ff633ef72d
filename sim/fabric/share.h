/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contention: how jobs that cross the same uplinks share them. A job joins with its nodes and
 * leaves when it stops; an uplink changes when a link or switch fails. fabric_share_settle() then
 * recomputes only what may have changed, and lists each job whose share changed once.
 *
 *     fabric_share_join(share, &(struct fabric_use){.nodes = n, .node_count = 4, .most_gbps =
 * 190}); const uint32_t *changed = fabric_share_settle(share, &count);
 *     ... for each: fabric_share_gbps(share, changed[i], tier)
 *
 * Traffic. What a job sends over uplinks depends on its collectives (topology.md, 2.1):
 *
 *     FABRIC_RING          A flat ring whose ranks follow the fabric leaves each group once. The
 * whole ring runs at one rate, the lowest along it. FABRIC_RING_MIXED    A flat ring in any order:
 * every node communicates across groups, so a group with m of n nodes is left min(m, n - m) times,
 * and o:1 oversubscription divides the rate by o if all nodes of a group do so. FABRIC_HIERARCHICAL
 * Once per group, separately at each tier, with all NICs of the job in the group: S * 2(G-1)/G
 * bytes over the group's uplink, for G groups. Each tier has its own rate, that of the slowest
 * group.
 *
 * Sharing. FABRIC_MAX_MIN: rates are max-min fair, where a rate counts once for each time the ring
 * crosses the uplink; no rate can grow without reducing one that is as low or lower, and the rates
 * on an uplink never exceed its capacity together. FABRIC_DUTY: jobs communicate for part of their
 * time (duty = T_comm / T_step, topology.md section 5) and get C * max(1/jobs, 1 - sum of the other
 * duties) of every uplink: momentarily above its capacity, but not on average.
 *
 * Rates are whole kB/s and every sum is exact, so the result depends on the set of jobs alone, not
 * on the order of their arrival, and is the same on every machine.
 *
 * Cost. A job demands at most `most_gbps`, or what its narrowest uplink could give it alone. An
 * uplink that can serve the whole demand on it is slack and constrains no job, so its changes
 * affect no other job. All other uplinks tie jobs into components, and only the component of a
 * change is recomputed, in O(crossings * log uplinks).
 *
 * The tree must outlive the share and not change; job numbers are recycled after jobs leave.
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
    double most_gbps; /* bound on a ring's bandwidth: the NICs on its worst node; <= 0 unlimited */
    int32_t duty_ppm; /* share of its time in which it communicates, 0..FABRIC_PPM */
    enum fabric_traffic traffic;
};

struct fabric_share;

struct fabric_share *fabric_share_create(const struct fabric_tree *, enum fabric_rule);
void fabric_share_destroy(struct fabric_share *); /* NULL is fine */

uint32_t fabric_share_join(struct fabric_share *, const struct fabric_use *);
void fabric_share_leave(struct fabric_share *, uint32_t job);
void fabric_share_set_duty(struct fabric_share *, uint32_t job, int32_t duty_ppm);

/* Sets the working share of an uplink, 0..FABRIC_PPM; initially FABRIC_PPM. An unlimited uplink
 * stays unlimited. */
void fabric_share_set_health(struct fabric_share *, uint32_t uplink, int32_t ppm);

/*
 * Lists the jobs whose rate changed since the last call, including new jobs with a rate, in
 * ascending order, each once. Owned by the share; valid until the next call that changes it.
 */
const uint32_t *fabric_share_settle(struct fabric_share *, size_t *count);

/* ---- after fabric_share_settle() ---- */

/*
 * GB/s of a job on a tier: of its ring, or of each of its groups together with FABRIC_HIERARCHICAL.
 * INFINITY when it does not cross uplinks of the tier, or only such without limit and has no bound
 * itself.
 */
double fabric_share_gbps(const struct fabric_share *, uint32_t job, int tier);

/* Number of its groups on a tier; 1 if it does not leave its group. */
uint32_t fabric_share_groups(const struct fabric_share *, uint32_t job, int tier);

/* GB/s that its jobs send over an uplink if all do so at once, and how many they are. */
double fabric_share_load(const struct fabric_share *, uint32_t uplink, uint32_t *jobs);

/* GB/s that they send over it in the mean of time, each for its duty. */
double fabric_share_use(const struct fabric_share *, uint32_t uplink);

/* Work done since the share was created, for measurements. */
struct fabric_effort {
    uint64_t rounds, flows, crossings;
};
struct fabric_effort fabric_share_effort(const struct fabric_share *);

/*
 * Returns false with err set if sums or rates are wrong. Settled shares only; for audits and tests.
 */
bool fabric_share_check(const struct fabric_share *, struct err *err);

#endif
