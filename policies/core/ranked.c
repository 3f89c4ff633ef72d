/* SPDX-License-Identifier: MIT */
/* What ranked lines know of their jobs; see ranked.h. */
#include "core/ranked.h"
#include "core/jobs.h"
#include "core/sites.h"
#include "order/order.h"
#include "order/ranking.h"

#include <string.h>

bool pc_ranked_create(struct policy *p)
{
    p->ranked = pc_alloc(&p->memory, 1, sizeof *p->ranked);
    if (p->ranked == NULL)
        return false;
    memset(p->ranked, 0, sizeof *p->ranked);
    p->ranked->wakeup = INT64_MAX;
    return true;
}

void pc_ranked_destroy(struct policy *p)
{
    struct pc_ranked *r = p->ranked;
    if (r == NULL)
        return;
    const struct pc_memory *memory = &p->memory;
    for (uint32_t i = 0; i < p->lane_count && i < r->lane_capacity; i++) {
        pc_release(memory, r->lanes[i].entries, r->lanes[i].capacity, sizeof *r->lanes[i].entries);
        pc_release(memory, r->lanes[i].waiters, r->lanes[i].waiter_capacity, sizeof(uint32_t));
    }
    pc_release(memory, r->lanes, r->lane_capacity, sizeof *r->lanes);
    pc_release(memory, r->of, r->capacity, sizeof *r->of);
    pc_release(memory, r->walk, r->walk_capacity, sizeof *r->walk);
    pc_release(memory, r->spare, r->spare_capacity, sizeof *r->spare);
    pc_release(memory, r->left, r->left_capacity, sizeof *r->left);
    pc_release(memory, r, 1, sizeof *r);
}

/* ---- room ---- */

bool pc_ranked_reserve_lane(struct policy *p)
{
    struct pc_ranked *r = p->ranked;
    if (r == NULL)
        return true;
    if (!PC_GROW(&p->memory, r->lanes, r->lane_capacity, p->lane_count + 1))
        return false;
    r->lanes[p->lane_count] = (struct pc_ranked_lane){.wakeup = INT64_MAX};
    return true;
}

bool pc_ranked_reserve_site(struct policy *p)
{
    return p->ranked == NULL ||
           PC_GROW(&p->memory, p->ranked->left, p->ranked->left_capacity, p->site_count + 1);
}

static struct pc_ranked_lane *lane_of(const struct policy *p, uint32_t job)
{
    return &p->ranked->lanes[p->groups[p->jobs[job].group].lane];
}

static bool is_current(const struct policy *p, const struct pc_ranked_entry *e)
{
    return p->jobs[e->job].state != PC_FREE && p->jobs[e->job].gen == e->gen;
}

/* Room for one more entry: stale ones are dropped before the list grows. */
static bool reserve_entry(struct policy *p, struct pc_ranked_lane *lane)
{
    struct pc_ranked *r = p->ranked;
    if (lane->count == lane->capacity && lane->live < lane->count / 2) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < lane->count; i++)
            if (is_current(p, &lane->entries[i]))
                lane->entries[kept++] = lane->entries[i];
        lane->count = kept;
    }
    return PC_GROW(&p->memory, lane->entries, lane->capacity, lane->count + 1) &&
           PC_GROW(&p->memory, lane->waiters, lane->waiter_capacity, lane->live + 1) &&
           PC_GROW(&p->memory, r->walk, r->walk_capacity, lane->count + 1) &&
           PC_GROW(&p->memory, r->spare, r->spare_capacity, lane->count + 1);
}

/* ---- what makes a lane stale ---- */

static void mark(const struct policy *p, struct pc_ranked_lane *lane)
{
    lane->news++;
    if (lane->waiting == 0 && !pc_ranked_looks_always(p))
        return;
    lane->stale = true;
    p->ranked->any = true;
}

static bool share_pools(const struct pc_site *a, const struct pc_site *b)
{
    if (a == b || a->pool_count == 0 || b->pool_count == 0)
        return true;
    for (uint32_t i = 0, k = 0; i < a->pool_count && k < b->pool_count;) {
        if (a->pools[i] == b->pools[k])
            return true;
        *(a->pools[i] < b->pools[k] ? &i : &k) += 1;
    }
    return false;
}

/* The job gives devices back: other lanes may use the same. */
static void mark_sharing(const struct policy *p, uint32_t job)
{
    const struct pc_group *g = &p->groups[p->jobs[job].group];
    for (uint32_t q = 0; p->config.scope == POLICY_SCOPE_QUEUE && q < p->queue_count; q++)
        if (q != g->queue && p->queues[q].exists && p->ranked->lanes[q].waiting > 0 &&
            share_pools(&p->sites[p->queues[q].site], &p->sites[g->site]))
            mark(p, &p->ranked->lanes[q]);
}

void pc_ranked_nodes_changed(struct policy *p)
{
    if (p->ranked != NULL)
        p->ranked->any = p->ranked->all = true;
}

/* ---- the life of a job ---- */

bool pc_ranked_admit(struct policy *p, uint32_t id, const struct policy_job_spec *spec)
{
    struct pc_ranked *r = p->ranked;
    if (r == NULL)
        return true;
    const struct pc_job *job = &p->jobs[id];
    struct pc_ranked_lane *lane = lane_of(p, id);
    if (!PC_GROW(&p->memory, r->of, r->capacity, id + 1) || !reserve_entry(p, lane))
        return false;
    r->of[id] = (struct pc_contender){
        .remaining_ms = spec->run_ms < 0 ? INT64_MAX : spec->run_ms,
        .since = p->now,
        .submitted = spec->submitted,
        .entered = job->eligible > spec->submitted ? job->eligible : spec->submitted,
        .turn = job->rank < PC_RANKED_EVICTED ? job->rank : PC_RANKED_EVICTED - 1,
    };
    lane->entries[lane->count++] = (struct pc_ranked_entry){id, job->gen};
    lane->live++;
    return true;
}

void pc_ranked_over(struct policy *p, uint32_t id)
{
    if (p->ranked == NULL)
        return;
    lane_of(p, id)->live--;
    if (p->jobs[id].state != PC_PENDING && p->jobs[id].state != PC_ACTIVE)
        return; /* it has taken no part */
    mark(p, lane_of(p, id));
    mark_sharing(p, id);
}

void pc_ranked_waits(struct policy *p, uint32_t id)
{
    if (p->ranked == NULL)
        return;
    struct pc_ranked_lane *lane = lane_of(p, id);
    p->ranked->of[id].wait_at = lane->waiting;
    lane->waiters[lane->waiting++] = id;
    /* Who comes back while nothing has happened since it had to leave would have to leave again. */
    const struct pc_contender *c = &p->ranked->of[id];
    if (!c->leaving || c->left_in != lane->news)
        mark(p, lane);
}

void pc_ranked_waits_no_more(struct policy *p, uint32_t id)
{
    if (p->ranked == NULL)
        return;
    pc_ranked_found(p, id, 0);
    struct pc_ranked_lane *lane = lane_of(p, id);
    struct pc_contender *c = &p->ranked->of[id];
    uint32_t last = lane->waiters[--lane->waiting];
    lane->waiters[c->wait_at] = last;
    p->ranked->of[last].wait_at = c->wait_at;
    c->chosen = false;
}

void pc_ranked_runs(struct policy *p, uint32_t id, policy_time since)
{
    if (p->ranked == NULL)
        return;
    struct pc_contender *c = &p->ranked->of[id];
    c->since = since == POLICY_NEVER || since > p->now ? p->now : since;
    c->started = ++p->ranked->numbers;
}

void pc_ranked_found_running(struct policy *p, uint32_t id, policy_time since)
{
    pc_ranked_runs(p, id, since);
    if (p->ranked != NULL)
        mark(p, lane_of(p, id));
}

void pc_ranked_pause(struct policy *p, uint32_t id)
{
    struct pc_contender *c = &p->ranked->of[id];
    int64_t ran = p->now - c->since;
    int64_t got = pc_times(p->groups[p->jobs[id].group].gpu_milli, ran);
    c->attained = c->attained < INT64_MAX - got ? c->attained + got : INT64_MAX;
    if (c->remaining_ms != INT64_MAX)
        c->remaining_ms = c->remaining_ms > ran ? c->remaining_ms - ran : 0;
    c->since = p->now;
}

void pc_ranked_stopped(struct policy *p, uint32_t id, bool ran)
{
    if (p->ranked == NULL)
        return;
    struct pc_contender *c = &p->ranked->of[id];
    if (c->leaving)
        pc_ranked_answered(p, id);
    else if (ran)
        pc_ranked_pause(p, id);
    c->since = p->now;
    c->leaving = false;
    if (ran) {
        c->entered = p->now;
        c->turn = PC_RANKED_EVICTED | ++p->ranked->numbers;
    }
    mark_sharing(p, id);
}

void pc_ranked_leave(struct policy *p, uint32_t id)
{
    pc_ranked_pause(p, id);
    p->ranked->of[id].leaving = true;
    p->ranked->of[id].left_in = lane_of(p, id)->news;
}

void pc_ranked_answered(struct policy *p, uint32_t id)
{
    if (p->ranked == NULL || !p->ranked->of[id].leaving)
        return;
    lane_of(p, id)->owed = true;
    p->ranked->any = true;
}

int policy_report_progress(struct policy *p, policy_time at, policy_job which, int64_t remaining_ms)
{
    if (pq_ranking_of(p) != NULL)
        return pq_report_progress(p, at, which, remaining_ms);
    if (p->ranked == NULL)
        return pc_refuse(p, POLICY_UNSUPPORTED, "progress of a job", remaining_ms,
                         "this policy does not order jobs by it");
    uint32_t id = pc_job_find(p, which);
    if (id == PC_NONE)
        return POLICY_UNKNOWN;
    if (remaining_ms < 0)
        return pc_refuse(p, POLICY_INVALID, "remaining time", remaining_ms, "at least 0");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_contender *c = &p->ranked->of[id];
    if (pc_ranked_is_running(p, id))
        pc_ranked_pause(p, id);
    c->reported = c->reported || c->remaining_ms != remaining_ms;
    c->remaining_ms = remaining_ms;
    if (!c->leaving)
        mark(p, lane_of(p, id));
    return POLICY_OK;
}

void pc_ranked_found(struct policy *p, uint32_t id, int32_t reason)
{
    struct pc_contender *c = &p->ranked->of[id];
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    struct pc_backlog_cell *cells = p->sites[g->site].backlog;
    if (c->found == reason)
        return;
    if (c->found != 0) {
        cells[c->found].jobs--;
        cells[c->found].gpu_milli -= g->gpu_milli;
    }
    if (reason != 0) {
        cells[reason].jobs++;
        cells[reason].gpu_milli += g->gpu_milli;
    }
    c->found = reason;
}

void pc_ranked_tie(const struct policy *p, struct pc_standing *s)
{
    const struct pc_contender *c = &p->ranked->of[s->job];
    bool runs = pc_ranked_is_running(p, s->job);
    switch (p->config.ranked.ties) {
    case POLICY_TIES_PREVIOUS:
        s->third = 0;
        s->turn = s->place;
        return;
    case POLICY_TIES_WAITING:
        s->third = runs ? INT64_MAX : c->entered;
        break;
    default:
        s->third = runs ? INT64_MIN : c->entered;
        break;
    }
    s->turn = runs ? c->started : c->turn;
}

/* ---- checking ---- */

static const char *check_lane(const struct policy *p, uint32_t id)
{
    const struct pc_ranked_lane *lane = &p->ranked->lanes[id];
    uint32_t live = 0;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const struct pc_job *job = &p->jobs[i];
        if (job->state == PC_FREE || p->groups[job->group].lane != id)
            continue;
        uint32_t listed = 0;
        for (uint32_t k = 0; k < lane->count; k++)
            listed += lane->entries[k].job == i && lane->entries[k].gen == job->gen;
        const struct pc_contender *c = &p->ranked->of[i];
        if (listed != 1)
            return "a job's place in its ranked lane";
        if ((c->leaving && job->state != PC_ACTIVE) || (c->chosen && job->state != PC_PENDING) ||
            (c->found != 0 && !c->chosen))
            return "what a ranked line knows of a job";
        live++;
        waiting += job->state == PC_PENDING;
        if (job->state == PC_PENDING && (c->wait_at >= lane->waiting || lane->waiters[c->wait_at] != i))
            return "a job's place among the waiters of a ranked lane";
    }
    if (live != lane->live || waiting != lane->waiting)
        return "a ranked lane's number of jobs";
    if ((lane->stale || lane->owed) && !p->ranked->any)
        return "a ranked lane that is forgotten";
    return lane->wakeup < p->ranked->wakeup && !p->ranked->any ? "the next wakeup of the ranked lanes" : NULL;
}

const char *pc_ranked_check(const struct policy *p)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; p->ranked != NULL && i < p->lane_count && wrong == NULL; i++)
        wrong = check_lane(p, i);
    return wrong;
}
