/* SPDX-License-Identifier: MIT */
/* Lanes, job classes and blocked classes against a plain scan over jobs; see query/check.h. */
#include "order/ranking.h"
#include "pending/ahead.h"
#include "pending/blocked.h"
#include "pending/queue_classes.h"
#include "query/check.h"
#include "state/gangs.h"
#include "state/queue_limits.h"

/* ---- jobs in classes ---- */

/* Returns true if the job is pending; *alone: in a class of its own. */
static bool waits(const struct pc_cluster *c, uint32_t id, bool *alone)
{
    const struct pc_job *j = &c->jobs[id];
    const struct pc_shape *s = &c->shapes[j->shape];
    bool untouched = (uint32_t)j->pending == s->tasks;
    *alone = !untouched;
    return j->state == PC_LIVE && j->pending > 0 && !j->shut &&
           (untouched || (s->elastic && pc_is_ready(c, id)));
}

static const char *check_membership(const struct pc_cluster *c, uint32_t id)
{
    const struct pc_job *j = &c->jobs[id];
    bool alone;
    bool pending = waits(c, id, &alone);
    if ((j->class != PC_NONE) != pending)
        return "whether a job is pending";
    if (pending && !alone && j->class != j->home)
        return "a pending job's class";
    const struct pc_job_class *home = &c->pending->classes[j->home];
    if (!home->exists || home->alone || home->queue != j->queue || home->shape != j->shape)
        return "the class of all jobs like it";
    if (!pending || !alone)
        return NULL;
    const struct pc_job_class *k = &c->pending->classes[j->class];
    if (!k->exists || !k->alone || k->pending != 1 || k->first.job != id || !j->may_stand_alone ||
        k->above != (pc_elastic_state(c, id, false) >= 0))
        return "a job in a class of its own";
    return NULL;
}

static bool comes_first(const struct pc_job *a, const struct pc_job *b)
{
    if (a->key.major != b->key.major)
        return a->key.major < b->key.major;
    return a->key.minor < b->key.minor || (a->key.minor == b->key.minor && a->rank < b->rank);
}

static const char *check_jobs(const struct pc_cluster *c, uint32_t id)
{
    const struct pc_job_class *k = &c->pending->classes[id];
    uint32_t jobs = 0;
    uint32_t pending = 0;
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *j = &c->jobs[i];
        jobs += j->state != PC_FREE && j->home == id;
        if (j->state != PC_LIVE || j->class != id)
            continue;
        pending++;
        if (best == PC_NONE || comes_first(j, &c->jobs[best]))
            best = i;
    }
    if ((!k->alone && k->jobs != jobs) || k->pending != pending)
        return "a class's number of jobs";
    if (best != PC_NONE && (k->first.job != best || k->first.ticket != c->jobs[best].ticket))
        return "a class's first job";
    if (k->heap.count > 2 * (uint64_t)pending + 16)
        return "a class's stale entries";
    if (!k->alone && k->heap.capacity < jobs)
        return "the room of a class";
    return jobs > 0 && (!c->queues[k->queue].exists || k->set != c->queues[k->queue].pool_set)
               ? "a class's queue"
               : NULL;
}

static const char *check_class(const struct policy *p, uint32_t id)
{
    const struct pc_pending *w = p->cluster->pending;
    const struct pc_job_class *k = &w->classes[id];
    const char *wrong = check_jobs(p->cluster, id);
    if (wrong != NULL)
        return wrong;
    bool strict = p->config.blocking == POLICY_STRICT;
    bool listed = k->pending > 0 && !k->never_fits && !k->over_limit && (k->blocked == 0 || strict);
    if (listed != (k->lane_pos != PC_NONE))
        return "whether a class stands in its lane";
    if ((k->blocked != 0) != (k->blocked_pos != PC_NONE))
        return "whether a class is listed as blocked";
    if (k->blocked != 0 && (k->pending == 0 || k->never_fits))
        return "a blocked class without jobs that could start";
    return listed && w->lanes[k->lane].classes.ids[k->lane_pos] != id ? "a lane's list of classes"
                                                                      : NULL;
}

/* Classes held back by limits: for jobs that have not begun, the request is known without listing
 * tasks. */
static const char *check_held_back(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->pending->class_count && !c->limits_eased; i++) {
        const struct pc_job_class *k = &c->pending->classes[i];
        bool fresh = k->exists && k->over_limit && !k->alone && !c->shapes[k->shape].wants_memory;
        if (fresh && pc_check_limits(p, pc_first_job(k), &c->shapes[k->shape].first).reason == 0)
            return "a class that is held back by no limit";
    }
    return NULL;
}

static const char *check_classes(const struct policy *p)
{
    const struct pc_pending *w = p->cluster->pending;
    const char *wrong = NULL;
    uint32_t live = 0;
    uint32_t unused = 0;
    uint32_t held_back = 0;
    for (uint32_t i = 0; i < w->class_count && wrong == NULL; i++) {
        live += w->classes[i].exists;
        held_back += w->classes[i].exists && w->classes[i].over_limit;
        wrong = w->classes[i].exists ? check_class(p, i) : NULL;
    }
    for (uint32_t at = w->class_free; at != PC_NONE && unused <= w->class_count;
         at = w->classes[at].next_in_hash)
        unused++;
    if (wrong == NULL && (live != w->classes_live || live + unused != w->class_count))
        wrong = "the number of classes";
    if (wrong == NULL && (held_back != w->held_back || w->aside_count != 0))
        wrong = "the number of classes that limits hold back";
    return wrong != NULL ? wrong : check_held_back(p);
}

/* ---- lanes ---- */

/* The first class of each lane by a scan, and whether the lane counts as ready. */
static const char *check_lane(const struct policy *p, uint32_t id)
{
    const struct pc_pending *w = p->cluster->pending;
    const struct pc_lane *lane = &w->lanes[id];
    uint32_t first = PC_NONE;
    uint32_t members = 0;
    for (uint32_t k = 0; k < w->class_count; k++) {
        if (!w->classes[k].exists || w->classes[k].lane != id)
            continue;
        members++;
        if (w->classes[k].lane_pos != PC_NONE && (first == PC_NONE || pc_class_before(p, k, first)))
            first = k;
    }
    if (members != lane->members || lane->classes.capacity < members)
        return "a lane's number of classes";
    if ((first == PC_NONE) != (lane->classes.count == 0) ||
        (first != PC_NONE && lane->classes.ids[0] != first))
        return "a lane's first class";
    bool ready = first != PC_NONE && w->classes[first].blocked == 0;
    return ready != (lane->ready_pos != PC_NONE) ? "a lane's readiness" : NULL;
}

/* The first of the ready lanes must be the one whose first job is next overall. */
static const char *check_ready(const struct policy *p)
{
    const struct pc_pending *w = p->cluster->pending;
    uint32_t ready = 0;
    for (uint32_t i = 0; i < w->lane_count; i++) {
        const struct pc_lane *lane = &w->lanes[i];
        if (lane->ready_pos == PC_NONE)
            continue;
        ready++;
        if (w->ready.ids[lane->ready_pos] != i)
            return "a lane's place among the ready ones";
        if (pc_class_before(p, lane->classes.ids[0], w->lanes[w->ready.ids[0]].classes.ids[0]))
            return "the first of the ready lanes";
    }
    return ready == w->ready.count ? NULL : "the number of ready lanes";
}

/* ---- pool sets ---- */

static const char *check_blocked(const struct pc_pending *w, uint32_t id, uint32_t blocked)
{
    const struct pc_waiting_set *s = &w->sets[id];
    for (int32_t need = 0; need < PC_NEEDS; need++) {
        if ((s->needs >> need & 1) != (s->blocked[need].count > 0))
            return "a pool set's needs";
        for (uint32_t i = 0; i < s->blocked[need].count; i++, blocked--) {
            const struct pc_job_class *k = &w->classes[s->blocked[need].ids[i]];
            if (k->blocked == 0 || k->blocked_pos != i || k->need != need || k->set != id)
                return "a pool set's blocked classes";
        }
    }
    return blocked == 0 ? NULL : "the number of a pool set's blocked classes";
}

/* Blocked classes are listed in their set by need, and the backlog is the sum over all classes and
 * held jobs. */
static const char *check_set(const struct policy *p, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_ranking *r = pc_ranking_of(p);
    const struct pc_pending *w = c->pending;
    const struct pc_waiting_set *s = &w->sets[id];
    struct pc_backlog_cell cells[POLICY_REASONS] = {0};
    uint64_t jobs = 0;
    int64_t milli = 0;
    uint32_t blocked = 0;
    for (uint32_t i = 0; i < w->class_count; i++) {
        const struct pc_job_class *k = &w->classes[i];
        if (!k->exists || k->set != id)
            continue;
        blocked += k->blocked != 0;
        jobs += k->pending;
        milli += k->pending * k->gpu_milli;
        cells[k->counted_reason].jobs += k->counted_jobs;
        cells[k->counted_reason].gpu_milli += (int64_t)k->counted_jobs * k->gpu_milli;
    }
    for (uint32_t i = 0; i < c->job_count; i++)
        if (c->jobs[i].state == PC_HELD && w->classes[c->jobs[i].home].set == id) {
            cells[POLICY_REASON_NOT_ELIGIBLE].jobs++;
            cells[POLICY_REASON_NOT_ELIGIBLE].gpu_milli += w->classes[c->jobs[i].home].gpu_milli;
        }
    for (uint32_t i = 0; i < c->job_count && r != NULL; i++)
        if (c->jobs[i].state == PC_LIVE && w->classes[c->jobs[i].home].set == id) {
            cells[r->of[i].found].jobs++;
            cells[r->of[i].found].gpu_milli += w->classes[c->jobs[i].home].gpu_milli;
        }
    for (int32_t reason = 1; reason < POLICY_REASONS; reason++)
        if (cells[reason].jobs != s->backlog[reason].jobs ||
            cells[reason].gpu_milli != s->backlog[reason].gpu_milli)
            return "a pool set's backlog";
    if (jobs != s->pending_jobs || milli != s->pending_milli)
        return "a pool set's pending jobs";
    return check_blocked(w, id, blocked);
}

const char *pc_check_pending(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < c->job_count && wrong == NULL; i++)
        wrong = c->jobs[i].state != PC_FREE ? check_membership(c, i) : NULL;
    if (wrong == NULL)
        wrong = check_classes(p);
    for (uint32_t i = 0; i < c->pending->lane_count && wrong == NULL; i++)
        wrong = check_lane(p, i);
    for (uint32_t i = 0; i < c->pending->set_count && wrong == NULL; i++)
        wrong = check_set(p, i);
    if (wrong == NULL)
        wrong = check_ready(p);
    return wrong != NULL ? wrong : pc_ahead_check(p);
}
