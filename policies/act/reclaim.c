/* SPDX-License-Identifier: MIT */
/*
 * Reclaim: a queue within its fair share takes back what others hold above theirs. The rules
 * compare the two queues where their chains of ancestors diverge: X above (or at) the reclaimer, Y
 * above (or at) the victim. Before each eviction one of these must hold:
 *     Y has more than is allocatable to it (the larger of quota and fair share)
 *       "maintain fair share"
 *     X stays within its quota, and Y exceeds its own
 *       "guarantee quota"
 *
 * Afterwards no ancestor of the reclaimer may be better off, relative to its fair share, than a
 * sibling that lost devices.
 */
#include "act/act.h"
#include "act/actions.h"
#include "act/attempt.h"
#include "act/victims/bounds.h"
#include "act/victims/moves.h"
#include "act/victims/pool_rules.h"
#include "act/victims/victims.h"
#include "base/int128.h"
#include "order/queue_walk.h"
#include "pending/queue_classes.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/tasks.h"

#define MILLION 1000000

/* ---- which jobs may be victims ---- */

static bool may_be_victim(const struct pc_search *s, uint32_t job)
{
    const struct pc_cluster *c = s->c;
    if (c->jobs[job].queue == c->jobs[s->job].queue)
        return false;
    return pc_is_elastic(c, job) || !pc_is_protected(s->p, job, s->job, true);
}

static bool admits_leaf(const struct pc_search *s, uint32_t leaf)
{
    return pc_minimum_run(s->p, leaf, s->job, true) <= 0;
}

/* ---- the rules ---- */

/* The balance of a trial: what each queue has left, and which resources are involved. */
struct balance {
    struct pc_search *s;
    bool involved[PC_RESOURCES];
    bool by_pool; /* devices are compared by pool: only CPU and memory count here */
    bool fair;    /* so far */
};

/* The rules above, for x_then, what X would have, and y_left, what Y has now. */
static bool is_fair(const struct pc_queue *x, const struct pc_amounts *x_then,
                    const struct pc_queue *y, const struct pc_amounts *y_left)
{
    if (!pc_within(y_left, &y->allocatable))
        return true;
    return pc_within(x_then, &x->quota) && !pc_within(y_left, &y->quota);
}

static bool may_take(const struct pc_search *s, uint32_t victim_queue)
{
    const struct pc_cluster *c = s->c;
    uint32_t x, y;
    pc_part(c, c->jobs[s->job].queue, victim_queue, &x, &y);
    struct pc_amounts then = pc_sum(&c->queues[x].before, &s->asks);
    return is_fair(&c->queues[x], &then, &c->queues[y], &c->queues[y].remaining);
}

/* ---- upper bounds on what an accepted outcome takes ---- */

/* Saturating sum. */
static int64_t add_up(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* Returns true if the rules let Y lose a first piece. */
static bool may_lose_first(const struct pc_queue *x, const struct pc_amounts *asks,
                           const struct pc_queue *y)
{
    struct pc_amounts then = pc_sum(&x->allocated, asks);
    return is_fair(x, &then, y, &y->allocated);
}

/* What X itself may have lost: an upper bound in thousandths of devices, and whether it may have
 * lost anything, including CPU and memory. */
struct own_loss {
    int64_t milli;
    bool any;
};

/*
 * Upper bound on what Y can lose, in thousandths of devices, given what X may have lost, if the
 * rules let Y lose a first piece. X must not overtake Y, so Y must keep more than X
 * then has, relative to their fair shares:
 *     (has - given) * fair of X > (X has - own + asks) * multiplier * fair of Y
 *
 * A job with whole devices loses whole devices.
 */
static int64_t bearable(const struct policy *p, const struct pc_queue *x,
                        const struct pc_amounts *asks, const struct pc_queue *y,
                        struct own_loss own)
{
    struct pc_amounts then = pc_sum(&x->allocated, asks);
    for (int r = 0; r < PC_RESOURCES && own.milli == 0; r++)
        if (asks->of[r] > 0 && (r == PC_GPU || !own.any) &&
            pc_overtakes(then.of[r], x->fair.of[r], y->allocated.of[r], y->fair.of[r],
                         p->config.quota.saturation_ppm))
            return 0;
    int64_t has = then.of[PC_GPU] - own.milli;
    int64_t fair = x->fair.of[PC_GPU];
    if (fair <= 0 || y->fair.of[PC_GPU] <= 0 || has <= fair)
        return y->allocated.of[PC_GPU];
    uint64_t rest;
    uint64_t scaled =
        pc_multiply_divide((uint64_t)has, (uint64_t)p->config.quota.saturation_ppm, MILLION, &rest);
    struct pc_int128 least = pc_int128_multiply(scaled, (uint64_t)y->fair.of[PC_GPU]);
    if (!pc_int128_less(least,
                        pc_int128_multiply((uint64_t)y->allocated.of[PC_GPU], (uint64_t)fair)))
        return 0;
    int64_t keeps = (int64_t)pc_int128_divide(least, (uint64_t)fair, &rest) + 1;
    int64_t gives = y->allocated.of[PC_GPU] - keeps;
    return y->part_givers > 0 ? gives : gives - gives % POLICY_WHOLE;
}

/* What all queues below the level of `stop` (POLICY_NO_ID: all) can lose that are siblings of the
 * leaf or of one of its ancestors. */
static struct own_loss lost_below(const struct policy *p, uint32_t leaf, uint32_t stop,
                                  const struct pc_amounts *asks)
{
    const struct pc_cluster *c = p->cluster;
    struct own_loss sum = {0, false};
    for (uint32_t x = leaf; x != stop; x = pc_above(c, x)) {
        uint32_t up = pc_above(c, x);
        const uint32_t *siblings = c->flat              ? c->walk
                                   : up == POLICY_NO_ID ? c->roots
                                                        : c->queues[up].children;
        uint32_t count = c->flat              ? c->walk_count
                         : up == POLICY_NO_ID ? c->root_count
                                              : c->queues[up].child_count;
        const struct own_loss own = sum;
        for (uint32_t i = 0; i < count; i++) {
            const struct pc_queue *y = &c->queues[siblings[i]];
            if (siblings[i] == x || y->givers == 0 || !may_lose_first(&c->queues[x], asks, y))
                continue;
            sum.milli = add_up(sum.milli, bearable(p, &c->queues[x], asks, y, own));
            sum.any = true;
        }
    }
    return sum;
}

static int64_t bearable_below(const struct policy *p, uint32_t leaf, const struct pc_amounts *asks)
{
    return lost_below(p, leaf, POLICY_NO_ID, asks).milli;
}

/*
 * Upper bound on what Y loses before the last piece: until then it must exceed one of these bounds.
 * Only a bound on devices limits the number of devices.
 */
static int64_t bearable_before_last(const struct pc_queue *x, const struct pc_amounts *asks,
                                    const struct pc_queue *y)
{
    struct pc_amounts then = pc_sum(&x->allocated, asks);
    const struct pc_amounts *bounds[] = {&y->allocatable, &y->quota};
    int64_t most = 0;
    for (int i = 0; i < (pc_within(&then, &x->quota) ? 2 : 1); i++) {
        for (int r = 0; r < PC_RESOURCES; r++)
            if (r != PC_GPU && !pc_within_one(y->allocated.of[r], bounds[i]->of[r]))
                return INT64_MAX;
        int64_t bound = bounds[i]->of[PC_GPU];
        if (bound != POLICY_UNLIMITED && y->allocated.of[PC_GPU] - bound - 1 > most)
            most = y->allocated.of[PC_GPU] - bound - 1;
    }
    return y->part_givers > 0 ? most : most - most % POLICY_WHOLE;
}

static uint32_t bearer(const struct pc_search *s, uint32_t victim_queue)
{
    uint32_t x, y;
    pc_part(s->c, s->c->jobs[s->job].queue, victim_queue, &x, &y);
    return y;
}

static struct pc_bound most_lost(const struct pc_search *s, uint32_t of)
{
    const struct pc_cluster *c = s->c;
    uint32_t leaf = c->jobs[s->job].queue;
    uint32_t x, y;
    pc_part(c, leaf, of, &x, &y);
    static const struct own_loss nothing = {0, false};
    const bool may = may_lose_first(&c->queues[x], &s->asks, &c->queues[y]);
    const struct own_loss own = lost_below(s->p, leaf, x, &s->asks);
    return (struct pc_bound){
        .milli = may ? bearable(s->p, &c->queues[x], &s->asks, &c->queues[y], own) : 0,
        .alone = may ? bearable(s->p, &c->queues[x], &s->asks, &c->queues[y], nothing) : 0,
        .before_last = bearable_before_last(&c->queues[x], &s->asks, &c->queues[y]),
    };
}

/* ---- taking pieces one after the other ---- */

static void take(struct balance *b, uint32_t queue, const struct pc_amounts *piece)
{
    struct pc_cluster *c = b->s->c;
    b->fair = b->fair && (b->by_pool || may_take(b->s, queue));
    for (uint32_t q = queue; q != POLICY_NO_ID; q = pc_above(c, q)) {
        pc_add(&c->queues[q].remaining, piece, -1);
        c->queues[q].lost = true;
    }
    for (int r = 0; r < PC_RESOURCES; r++)
        b->involved[r] = b->involved[r] || piece->of[r] > 0;
}

/* ---- the pieces of one victim ---- */

static bool is_taken(const struct pc_search *s, const struct pc_victim *v)
{
    const struct pc_task *t = pc_task(s->c, v->job, v->task);
    return !pc_is_put_back(t) && (!pc_is_moved(t) || !s->p->config.quota.consolidating_reclaim);
}

static struct pc_amounts weigh(const struct pc_cluster *c, const struct pc_victim *v)
{
    return pc_weigh_on(&c->nodes[pc_stands_on(&v->before)], pc_request_of(c, v->job, v->task));
}

/* Takes tasks of a job above its minimum one by one, then the rest as one piece. */
static void take_job(struct balance *b, uint32_t first)
{
    struct pc_cluster *c = b->s->c;
    uint32_t job = c->evicted.of[first].job;
    struct pc_job *j = &c->jobs[job];
    const struct pc_shape *shape = &c->shapes[j->shape];
    struct pc_amounts core = {{0, 0, 0}};
    bool any = false;
    for (uint32_t i = first; i < c->evicted.count; i++)
        if (c->evicted.of[i].job == job && is_taken(b->s, &c->evicted.of[i]))
            j->detail->counts[pc_role_of(shape, c->evicted.of[i].task)->set].taken++;
    for (uint32_t i = first; i < c->evicted.count; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        if (v->job != job || !is_taken(b->s, v))
            continue;
        uint32_t set = pc_role_of(shape, v->task)->set;
        struct pc_amounts weight = weigh(c, v);
        if (j->detail->counts[set].active + j->detail->counts[set].taken >
            shape->sets[set].min_tasks) {
            take(b, j->queue, &weight);
            j->detail->counts[set].taken--;
            continue;
        }
        pc_add(&core, &weight, 1);
        any = true;
    }
    if (any)
        take(b, j->queue, &core);
    for (uint32_t set = 0; set < shape->set_count; set++)
        j->detail->counts[set].taken = 0;
    j->marked = true;
}

/* ---- fairness of each level afterwards ---- */

static bool level_is_fair(const struct balance *b, uint32_t queue)
{
    const struct pc_cluster *c = b->s->c;
    const struct pc_queue *q = &c->queues[queue];
    uint32_t above = pc_above(c, queue);
    struct pc_amounts then = pc_sum(&q->remaining, &b->s->asks);
    for (uint32_t i = 0; i < c->queue_count; i++) {
        const struct pc_queue *sibling = &c->queues[i];
        if (i == queue || !sibling->lost || pc_above(c, i) != above)
            continue;
        for (int r = 0; r < PC_RESOURCES; r++)
            if (b->involved[r] && !(b->by_pool && r == PC_GPU) &&
                pc_overtakes(then.of[r], q->fair.of[r], sibling->remaining.of[r],
                             sibling->fair.of[r], b->s->p->config.quota.saturation_ppm))
                return false;
    }
    if (c->jobs[b->s->job].preemptible)
        return true;
    struct pc_amounts fixed = pc_sum(&q->before_fixed, &b->s->asks);
    return pc_within(&fixed, &q->quota);
}

static bool accepts(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    struct balance b = {.s = s, .fair = true, .by_pool = pc_rules_by_pool(c, &s->asks)};
    if (!pc_keeps_protected(s, true))
        return false;
    for (uint32_t q = 0; q < c->queue_count; q++) {
        c->queues[q].remaining = c->queues[q].before;
        c->queues[q].lost = false;
    }
    for (int r = 0; r < PC_RESOURCES; r++)
        b.involved[r] = s->asks.of[r] > 0;
    for (uint32_t i = 0; i < c->evicted.count; i++)
        if (!c->jobs[c->evicted.of[i].job].marked && is_taken(s, &c->evicted.of[i]))
            take_job(&b, i);
    for (uint32_t i = 0; i < c->evicted.count; i++)
        c->jobs[c->evicted.of[i].job].marked = false;
    for (uint32_t q = c->jobs[s->job].queue; q != POLICY_NO_ID && b.fair; q = pc_above(c, q))
        b.fair = level_is_fair(&b, q);
    return b.fair && (b.by_pool ? pc_pools_accept(s) : pc_pools_keep(s));
}

/* ---- the action ---- */

/* Returns false if the gang needs devices that nobody may lose, and that moves do not free. */
static bool may_fit(const struct pc_search *s)
{
    return bearable_below(s->p, s->c->jobs[s->job].queue, &s->asks) > 0 ||
           pc_moves_may_do(s->p, s->job, &s->asks);
}

static void reasons(const struct pc_search *s, uint8_t out[2])
{
    const struct pc_queue *q = &s->c->queues[s->c->jobs[s->job].queue];
    struct pc_amounts then = pc_sum(&q->before, &s->asks);
    out[0] = pc_within(&then, &q->quota) ? POLICY_REASON_RECLAIM_OVER_QUOTA
                                         : POLICY_REASON_RECLAIM_OVER_SHARE;
    out[1] = POLICY_REASON_MOVED;
}

static const struct pc_purpose purpose = {.reach = PC_OTHERS,
                                          .displaces = true,
                                          .may_be_victim = may_be_victim,
                                          .admits_leaf = admits_leaf,
                                          .may_fit = may_fit,
                                          .accepts = accepts,
                                          .bearer = bearer,
                                          .most_lost = most_lost,
                                          .reasons = reasons};

/* Returns true if the leaf stays within its fair share and, for non-preemptible jobs, within its
 * quota. */
static bool may_reclaim(const struct policy *p, uint32_t job, const struct pc_amounts *wanted)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_queue *q = &c->queues[c->jobs[job].queue];
    struct pc_amounts then = pc_sum(&q->allocated, wanted);
    if (pc_rules_by_pool(c, wanted) ? !pc_pools_may_reclaim(p, job, wanted)
                                    : !pc_within(&then, &q->fair))
        return false;
    struct pc_amounts fixed = pc_sum(&q->fixed, wanted);
    return c->jobs[job].preemptible || pc_within(&fixed, &q->quota);
}

bool pc_could_reclaim(const struct policy *p, uint32_t job, const struct pc_amounts *asks,
                      uint32_t queue, const struct pc_amounts *gives)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t x, y;
    if (c->jobs[job].queue == queue || !may_reclaim(p, job, asks))
        return false;
    if (pc_rules_by_pool(c, asks))
        return true; /* the trial decides what it may take */
    pc_part(c, c->jobs[job].queue, queue, &x, &y);
    struct pc_amounts x_then = pc_sum(&c->queues[x].allocated, asks);
    struct pc_amounts y_has = pc_sum(&c->queues[y].allocated, gives);
    return is_fair(&c->queues[x], &x_then, &c->queues[y], &y_has);
}

/* Returns true if any job of the leaf may succeed: by reclaiming, or with devices free after
 * release. */
static bool leaf_may_reclaim(const struct policy *p, uint32_t leaf)
{
    static const struct pc_amounts nothing = {{0, 0, 0}};
    const struct pc_cluster *c = p->cluster;
    return pc_tries_all(c) || c->queues[leaf].bare_classes > 0 || c->soon_milli > 0 ||
           bearable_below(p, leaf, &nothing) > 0;
}

static bool has_hope(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_amounts wanted = pc_next_amounts(p, job);
    if (!may_reclaim(p, job, &wanted))
        return false;
    return pc_tries_all(c) ||
           pc_has_prospect(p, job, &wanted, bearable_below(p, c->jobs[job].queue, &wanted));
}

static bool admits(struct policy *p, uint32_t class)
{
    return has_hope(p, pc_class_head(&p->cluster->classes[class]));
}

static bool reclaim(struct policy *p, uint32_t job)
{
    return has_hope(p, job) && pc_solve(p, job, &purpose);
}

static void run(struct policy *p)
{
    static const struct pc_visit visit = {
        .leaf = leaf_may_reclaim, .admits = admits, .visit = reclaim};
    pc_visit_pending(p, &visit);
}

const struct pc_action pc_action_reclaim = {
    .row = {"reclaim", "queues within their share take back what others hold above theirs"},
    .action = POLICY_RECLAIM,
    .evicts = true,
    .run = run,
};
