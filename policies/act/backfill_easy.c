/* SPDX-License-Identifier: MIT */
/* EASY backfill; see backfill_lanes.h. */
#include "act/allocate_lanes.h"
#include "act/backfill_lanes.h"
#include "act/reservation.h"
#include "pending/blocked.h"

static struct pc_ahead *ahead_of(const struct policy *p)
{
    return p->cluster->pending->ahead;
}

/* Returns true if the first job of the lane was tried and did not fit. */
static bool lane_waits(const struct policy *p, uint32_t lane)
{
    const struct pc_pending *w = p->cluster->pending;
    const struct pc_idheap *classes = &w->lanes[lane].classes;
    return classes->count > 0 && w->classes[classes->ids[0]].blocked != 0;
}

/* Frozen variant: the time is computed when the job becomes the first of its lane, and kept; no
 * places are reserved. */
static bool reserve_frozen(struct policy *p, uint32_t lane)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_frozen *frozen = &ahead_of(p)->frozen[lane];
    uint32_t first = pc_first_job(&c->pending->classes[c->pending->lanes[lane].classes.ids[0]]);
    if (frozen->job.i != first || frozen->job.gen != c->jobs[first].gen) {
        if (!pc_reserve_for_lane(p, lane))
            return false;
        frozen->job = (policy_job){first, c->jobs[first].gen};
        frozen->at = pc_take_back_reservation(p);
    }
    return pc_reserve_time(p, frozen->at);
}

/* Returns the longest run time that ends by then; INT64_MIN for INT64_MIN. */
static int64_t most_until(const struct policy *p, policy_time end)
{
    return end == INT64_MIN ? INT64_MIN : end - p->now;
}

static uint64_t needs_up_to(int32_t need)
{
    return ~UINT64_C(0) >> (PC_NEEDS - 1 - need);
}

/*
 * Selects the backfill candidates: what may start beside all reservations, and what only if it ends
 * before one begins (frozen: before all). First jobs of lanes have been tried already, and so have
 * equivalent jobs.
 */
static void open_candidates(struct policy *p, bool frozen)
{
    const struct pc_pending *w = p->cluster->pending;
    struct pc_candidates *all = &ahead_of(p)->candidates;
    bool any = pc_reservations_with_time(p) > 0;
    policy_time last =
        frozen && any ? pc_first_reservation(p) : pc_reservation_before(p, INT64_MAX);
    pc_candidates_begin(all);
    for (uint32_t set = 0; set < all->set_count; set++) {
        uint64_t now = needs_up_to(pc_blocked_met(p, set));
        pc_hold_reservations(p, INT64_MAX);
        uint64_t beside = frozen && any ? 0 : needs_up_to(pc_blocked_met(p, set));
        pc_hold_reservations(p, INT64_MIN);
        pc_candidates_open(all, set, beside, now, most_until(p, last));
    }
    for (uint32_t lane = 0; lane < w->lane_count; lane++)
        if (lane_waits(p, lane))
            pc_candidates_failed(all, w->lanes[lane].classes.ids[0], INT64_MIN);
}

/* Tries to start a job now. Returns 0, or why it cannot. */
static int32_t try(struct policy *p, uint32_t job, uint32_t class, bool beside_all)
{
    const struct pc_job_class *k = &p->cluster->pending->classes[class];
    int32_t met = pc_blocked_met(p, k->set);
    if (beside_all)
        pc_candidates_close(&ahead_of(p)->candidates, k->set, ~needs_up_to(met),
                            most_until(p, pc_reservation_before(p, INT64_MAX)));
    return k->need > met ? POLICY_REASON_FRAGMENTED : pc_try_start(p, job, POLICY_BACKFILL);
}

/* Returns true if a started job still has pending tasks above its minimum. */
static bool wants_more(const struct policy *p, uint32_t job)
{
    return p->cluster->jobs[job].class != PC_NONE;
}

/*
 * Backfills the candidates. A job whose class does not fit beside the reservations may still fit if
 * it ends before they begin. Returns true if an elastic job started that wants more tasks: these
 * are new candidates.
 */
static bool go_ahead(struct policy *p, bool frozen)
{
    struct pc_candidates *all = &ahead_of(p)->candidates;
    uint32_t with_time = pc_reservations_with_time(p);
    bool more = false;
    uint32_t class;
    open_candidates(p, frozen);
    for (uint32_t job = pc_candidates_next(all, &class);
         job != PC_NONE && !p->cluster->out_of_memory; job = pc_candidates_next(all, &class)) {
        policy_time end = pc_ahead_end(p, job);
        uint32_t held = frozen ? 0 : pc_hold_reservations(p, end);
        int32_t reason = try(p, job, class, held == with_time);
        more = more || (reason == 0 && wants_more(p, job));
        if (reason == 0)
            pc_spare_reservations(p, job, end);
        else
            pc_candidates_failed(
                all, class, held > 0 ? most_until(p, pc_reservation_before(p, end)) : INT64_MIN);
    }
    pc_hold_reservations(p, INT64_MIN);
    return more && !p->cluster->out_of_memory;
}

static void run(struct policy *p)
{
    bool frozen = p->config.easy_variant == POLICY_EASY_FROZEN;
    bool ok = true;
    for (uint32_t lane = 0; lane < p->cluster->pending->lane_count && ok; lane++)
        if (lane_waits(p, lane))
            ok = frozen ? reserve_frozen(p, lane) : pc_reserve_for_lane(p, lane);
    while (ok && go_ahead(p, frozen))
        continue;
    pc_forget_reservations(p);
    ahead_of(p)->due = p->cluster->out_of_memory;
}

static bool due(const struct policy *p)
{
    return ahead_of(p)->due;
}

const struct pc_action pc_action_backfill_easy = {
    .row = {"backfill-easy", "jobs start early if they do not delay the first pending one"},
    .action = POLICY_BACKFILL,
    .run = run,
    .due = due,
    .module = &pc_reservations_module,
};
