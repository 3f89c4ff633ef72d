/* SPDX-License-Identifier: MIT */
/* Lanes of job classes, and their use by decisions; see pending.h. */
#include "base/id_heap.h"
#include "pending/ahead.h"
#include "pending/blocked.h"

#include <string.h>

/* ---- orders ---- */

PC_INLINE void class_moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->cluster->pending->classes[id].lane_pos = position;
}

PC_INLINE bool lane_before(const struct policy *p, uint32_t a, uint32_t b)
{
    const struct pc_pending *w = p->cluster->pending;
    return pc_class_before(p, w->lanes[a].classes.ids[0], w->lanes[b].classes.ids[0]);
}

PC_INLINE void lane_moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->cluster->pending->lanes[id].ready_pos = position;
}

static const struct pc_idheap_type classes_type = {pc_class_before, class_moved};
static const struct pc_idheap_type lanes_type = {lane_before, lane_moved};

/* ---- the life of the index ---- */

static bool add_lane(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    if (!PC_GROW(&p->memory, w->lanes, w->lane_capacity, w->lane_count + 1) ||
        !PC_GROW(&p->memory, w->ready.ids, w->ready.capacity, w->lane_count + 1))
        return false;
    w->lanes[w->lane_count++] = (struct pc_lane){.ready_pos = PC_NONE};
    return true;
}

bool pc_pending_create(struct policy *p)
{
    struct pc_pending *w = pc_alloc(&p->memory, 1, sizeof *w);
    if (w == NULL)
        return false;
    memset(w, 0, sizeof *w);
    w->class_free = PC_NONE;
    w->judged_version = p->cluster->fleet_version;
    p->cluster->pending = w;
    return (p->config.scope == POLICY_SCOPE_QUEUE || add_lane(p)) && pc_ahead_create(p);
}

void pc_pending_destroy(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    if (w == NULL)
        return;
    pc_ahead_destroy(p);
    for (uint32_t i = 0; i < w->class_count; i++)
        pc_release(&p->memory, w->classes[i].heap.of, w->classes[i].heap.capacity,
                   sizeof(struct pc_entry));
    for (uint32_t i = 0; i < w->lane_count; i++)
        pc_release(&p->memory, w->lanes[i].classes.ids, w->lanes[i].classes.capacity,
                   sizeof(uint32_t));
    for (uint32_t i = 0; i < w->set_count; i++)
        for (uint32_t need = 0; need < PC_NEEDS; need++)
            pc_release(&p->memory, w->sets[i].blocked[need].ids, w->sets[i].blocked[need].capacity,
                       sizeof(uint32_t));
    pc_release(&p->memory, w->classes, w->class_capacity, sizeof *w->classes);
    pc_release(&p->memory, w->hash, w->hash_capacity, sizeof *w->hash);
    pc_release(&p->memory, w->lanes, w->lane_capacity, sizeof *w->lanes);
    pc_release(&p->memory, w->ready.ids, w->ready.capacity, sizeof(uint32_t));
    pc_release(&p->memory, w->sets, w->set_capacity, sizeof *w->sets);
    pc_release(&p->memory, w->aside, w->aside_capacity, sizeof *w->aside);
    pc_release(&p->memory, w, 1, sizeof *w);
    p->cluster->pending = NULL;
}

bool pc_pending_reserve_queue(struct policy *p, uint32_t queue)
{
    const struct pc_pending *w = p->cluster->pending;
    bool own_lane = w != NULL && p->config.scope == POLICY_SCOPE_QUEUE;
    while (own_lane && w->lane_count <= queue)
        if (!add_lane(p))
            return false;
    return true;
}

bool pc_pending_reserve_set(struct policy *p, uint32_t set)
{
    struct pc_pending *w = p->cluster->pending;
    if (w == NULL || set < w->set_count)
        return true;
    if (!PC_GROW(&p->memory, w->sets, w->set_capacity, set + 1))
        return false;
    memset(&w->sets[w->set_count], 0, (set + 1 - w->set_count) * sizeof *w->sets);
    w->set_count = set + 1;
    return true;
}

/* ---- updating lists and totals ---- */

void pc_class_unblock(struct policy *p, uint32_t id)
{
    struct pc_job_class *k = &p->cluster->pending->classes[id];
    k->blocked = 0;
    if (k->blocked_pos != PC_NONE)
        pc_blocked_remove(p, id);
}

void pc_class_account(struct policy *p, struct pc_job_class *k)
{
    int32_t reason = k->never_fits   ? POLICY_REASON_NEVER_FITS
                     : k->over_limit ? POLICY_REASON_OVER_LIMIT
                                     : k->blocked;
    reason = k->pending == 0 ? 0 : reason;
    uint64_t jobs = reason == 0 ? 0 : k->pending;
    if (p->config.blocking == POLICY_STRICT && reason != 0 && !k->never_fits && !k->over_limit)
        jobs = 1;
    if (reason == k->counted_reason && jobs == k->counted_jobs)
        return;
    struct pc_backlog_cell *cells = p->cluster->pending->sets[k->set].backlog;
    cells[k->counted_reason].jobs -= k->counted_jobs;
    cells[k->counted_reason].gpu_milli -= (int64_t)k->counted_jobs * k->gpu_milli;
    cells[reason].jobs += jobs;
    cells[reason].gpu_milli += (int64_t)jobs * k->gpu_milli;
    k->counted_reason = reason;
    k->counted_jobs = jobs;
}

static void settle_ready(struct policy *p, uint32_t id)
{
    struct pc_pending *w = p->cluster->pending;
    struct pc_lane *lane = &w->lanes[id];
    bool ready = lane->classes.count > 0 && w->classes[lane->classes.ids[0]].blocked == 0;
    if (ready && lane->ready_pos == PC_NONE)
        pc_idheap_add(p, &w->ready, &lanes_type, id);
    else if (ready)
        pc_idheap_fix(p, &w->ready, &lanes_type, lane->ready_pos);
    else if (lane->ready_pos != PC_NONE)
        pc_idheap_remove(p, &w->ready, &lanes_type, lane->ready_pos);
}

void pc_lane_settle(struct policy *p, uint32_t id)
{
    struct pc_pending *w = p->cluster->pending;
    struct pc_job_class *k = &w->classes[id];
    struct pc_lane *lane = &w->lanes[k->lane];
    if (k->blocked != 0 && k->pending == 0)
        pc_class_unblock(p, id);
    if (k->blocked_pos != PC_NONE)
        pc_blocked_moved(p, id);
    if (k->over_limit && k->pending == 0) {
        k->over_limit = false;
        w->held_back--;
    }
    pc_class_account(p, k);
    if (w->ahead != NULL)
        pc_ahead_hide(p, id);
    bool listed = k->pending > 0 && !k->never_fits && !k->over_limit &&
                  (k->blocked == 0 || p->config.blocking == POLICY_STRICT);
    if (listed && k->lane_pos == PC_NONE)
        pc_idheap_add(p, &lane->classes, &classes_type, id);
    else if (listed)
        pc_idheap_fix(p, &lane->classes, &classes_type, k->lane_pos);
    else if (k->lane_pos != PC_NONE)
        pc_idheap_remove(p, &lane->classes, &classes_type, k->lane_pos);
    settle_ready(p, k->lane);
}

/* A partly running job has shown that it fits. */
void pc_class_judge(struct policy *p, uint32_t id)
{
    struct pc_job_class *k = &p->cluster->pending->classes[id];
    if (k->fleet_version == p->cluster->fleet_version)
        return;
    k->fleet_version = p->cluster->fleet_version;
    k->never_fits = !k->alone && !pc_could_ever_fit(p, k->shape, k->set);
    if (k->never_fits && k->blocked != 0)
        pc_class_unblock(p, id);
}

/* ---- deciding ---- */

void pc_pending_wake(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    if (w->judged_version == p->cluster->fleet_version)
        return;
    for (uint32_t id = 0; id < w->class_count; id++)
        if (w->classes[id].exists && w->classes[id].pending > 0) {
            pc_class_judge(p, id);
            pc_lane_settle(p, id);
        }
    w->judged_version = p->cluster->fleet_version;
}

uint32_t pc_pending_next(struct policy *p)
{
    const struct pc_pending *w = p->cluster->pending;
    for (;;) {
        uint32_t ready = w->ready.count > 0 ? w->lanes[w->ready.ids[0]].classes.ids[0] : PC_NONE;
        uint32_t woken = pc_blocked_first(p);
        if (woken == PC_NONE || (ready != PC_NONE && pc_class_before(p, ready, woken)))
            return ready;
        pc_class_unblock(p, woken);
        pc_lane_settle(p, woken);
    }
}

void pc_pending_block(struct policy *p, uint32_t id, int32_t reason)
{
    p->cluster->pending->classes[id].blocked = reason;
    pc_blocked_aside(p, id);
    pc_lane_settle(p, id);
}

void pc_pending_hold_back(struct policy *p, uint32_t id, bool hold)
{
    struct pc_pending *w = p->cluster->pending;
    w->held_back += hold ? 1 : UINT32_MAX;
    w->classes[id].over_limit = hold;
    pc_class_unblock(p, id);
    pc_lane_settle(p, id);
}

void pc_pending_rekey(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    pc_pending_rekey_classes(p);
    pc_blocked_rekeyed(p);
    w->ready.count = 0;
    for (uint32_t i = 0; i < w->lane_count; i++) {
        w->lanes[i].ready_pos = PC_NONE;
        pc_idheap_rebuild(p, &w->lanes[i].classes, &classes_type);
    }
    for (uint32_t i = 0; i < w->lane_count; i++)
        settle_ready(p, i);
    pc_ahead_rekey(p);
}

bool pc_pending_has_work(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_ahead *ahead = c->pending->ahead;
    return c->pending->ready.count > 0 || c->any_freed ||
           c->pending->judged_version != c->fleet_version ||
           (c->limits_eased && c->pending->held_back > 0) || (ahead != NULL && ahead->due);
}
