/* SPDX-License-Identifier: MIT */
/* What a trial may take from queues; see loss_bounds.h. */
#include "act/victims/loss_bounds.h"

#include "act/victims/turn_bounds.h"

struct pc_queue *pc_bearer(const struct pc_search *s, uint32_t leaf)
{
    struct pc_queue *q = &s->c->queues[leaf];
    if (q->judged_in == s->c->step_number)
        return &s->c->queues[q->bearer];
    q->judged_in = s->c->step_number;
    q->bearer = s->purpose->bearer != NULL ? s->purpose->bearer(s, leaf) : leaf;
    struct pc_queue *y = &s->c->queues[q->bearer];
    if (y->bears_in != s->c->step_number) {
        struct pc_bound most = {INT64_MAX, INT64_MAX, INT64_MAX};
        if (s->purpose->most_lost != NULL)
            most = s->purpose->most_lost(s, q->bearer);
        y->bears_in = s->c->step_number;
        y->bears = most.milli;
        y->bears_alone = most.alone;
        y->bears_before = most.before_last;
    }
    return y;
}

/* The most that a queue with this bound may lose if its largest piece is `piece`. */
static int64_t most_of(int64_t bears, const struct pc_queue *q, int64_t piece)
{
    int64_t most = q->bears_before > INT64_MAX - piece ? INT64_MAX : q->bears_before + piece;
    return bears < most ? bears : most;
}

int64_t pc_most_with(const struct pc_queue *q, int64_t piece)
{
    return most_of(q->bears, q, piece);
}

/* The depth of the deepest bearer of a listed victim. Bearers are siblings of the job's queue or of
 * one of its ancestors, so nothing is taken on the job's side from queues at least as deep. */
static uint32_t deepest_bearer(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pc_queue *q = pc_bearer(s, c->jobs[c->evicted.of[i].job].queue);
        depth = q->depth > depth ? q->depth : depth;
    }
    return depth;
}

/* The queue's bound for the listed victims. */
static int64_t bears_of(const struct pc_queue *q, uint32_t deepest)
{
    return q->depth < deepest ? q->bears : q->bears_alone;
}

void pc_list_pieces(const struct pc_search *s, int32_t least)
{
    const struct pc_cluster *c = s->c;
    uint32_t deepest = deepest_bearer(s);
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        struct pc_job *j = &c->jobs[v->job];
        struct pc_queue *q = pc_bearer(s, j->queue);
        const struct pc_request *r = pc_request_of_victim(c, v);
        int64_t gives = pc_weigh_on(pc_node_of_victim(c, v), r).of[PC_GPU];
        if (gives > bears_of(q, deepest) || pc_is_small(r, least)) /* tasks are not lost in part */
            continue;
        j->detail->gives += gives;
        q->given += gives;
        q->largest = j->detail->gives > q->largest ? j->detail->gives : q->largest;
    }
}

/* ---- whole jobs ---- */

/* Listed jobs that the queue loses (they find no place again) whole or not at all, and what each
 * gives in devices; more are rare. */
enum { MOST_PIECES = 32 };

struct pieces {
    int64_t of[MOST_PIECES];
    uint32_t count;
    uint32_t ordered; /* the first of them are taken in this order, before the others */
};

/* Adds the job of the i-th listed victim, with this many tasks listed in a row. Returns false if
 * these are not all of its tasks, if it may lose some of them, if it gives parts of devices, or if
 * there are too many jobs. */
static bool add_piece(const struct pc_search *s, uint32_t i, uint32_t tasks, struct pieces *pieces)
{
    const struct pc_cluster *c = s->c;
    const struct pc_job *j = &c->jobs[c->evicted.of[i].job];
    if (j->detail->gives == 0)
        return true;
    if (!pc_returns_whole(c, c->evicted.of[i].job) || (uint32_t)j->active != tasks ||
        j->detail->gives % POLICY_WHOLE != 0 || pieces->count == MOST_PIECES)
        return false;
    pieces->of[pieces->count++] = j->detail->gives / POLICY_WHOLE;
    if (s->timeless && (!s->superset || i < c->recorded.count))
        pieces->ordered = pieces->count;
    return true;
}

/* Lists the pieces of the queue's victims. Returns false if some of them may be lost in part. */
static bool list_whole(const struct pc_search *s, uint32_t queue, struct pieces *pieces)
{
    const struct pc_cluster *c = s->c;
    uint32_t next;
    pieces->count = pieces->ordered = 0;
    for (uint32_t i = 0; i < c->evicted.count; i = next) {
        for (next = i + 1;
             next < c->evicted.count && c->evicted.of[next].job == c->evicted.of[i].job;)
            next++;
        if (pc_bearer(s, c->jobs[c->evicted.of[i].job].queue) == &c->queues[queue] &&
            !add_piece(s, i, next - i, pieces))
            return false;
    }
    return true;
}

/* The largest sum of pieces taken before the last one that is at most `most`, which is below 64. */
static int64_t largest_sum(const struct pieces *pieces, uint32_t last, int64_t most)
{
    uint64_t sums = 1; /* bit n: some pieces have n devices together */
    uint32_t count = last < pieces->ordered ? last : pieces->count;
    for (uint32_t i = 0; i < count; i++)
        if (i != last && pieces->of[i] <= most)
            sums |= sums << pieces->of[i];
    while ((sums >> most & 1) == 0)
        most--;
    return most;
}

/*
 * The most that the queue may lose in whole jobs by its bound before the last piece: one job last,
 * and before it others that stay within that bound together. Pieces are taken as listed: those of
 * recorded victims first. INT64_MAX: unknown.
 */
static int64_t most_in_pieces(const struct pc_search *s, uint32_t queue)
{
    const int64_t before = s->c->queues[queue].bears_before / POLICY_WHOLE;
    struct pieces pieces;
    if (before >= 64 || !list_whole(s, queue, &pieces))
        return INT64_MAX;
    int64_t most = 0;
    for (uint32_t last = 0; last < pieces.count; last++) {
        int64_t sum = pieces.of[last] + largest_sum(&pieces, last, before);
        most = sum > most ? sum : most;
    }
    return most * POLICY_WHOLE;
}

/* The most that the queue may lose, given the listed victims; call before the list is cleared. */
static int64_t most_lost_of(const struct pc_search *s, uint32_t queue, int32_t least, bool alike,
                            uint32_t deepest)
{
    const struct pc_queue *q = &s->c->queues[queue];
    int64_t bears = bears_of(q, deepest);
    int64_t most = most_of(bears, q, q->largest);
    most = q->given < most ? q->given : most;
    if (most <= 0)
        return most;
    const struct pc_late late = pc_most_late(s, queue, least, alike);
    if (late.largest < q->largest && most_of(bears, q, late.largest) < most)
        most = most_of(bears, q, late.largest);
    most = late.milli < most ? late.milli : most;
    const int64_t in_pieces = most > q->largest ? most_in_pieces(s, queue) : most;
    return in_pieces < most ? in_pieces : most;
}

int64_t pc_most_lost(const struct pc_search *s, int32_t least, int64_t unit)
{
    const struct pc_cluster *c = s->c;
    int64_t lost = 0;
    if (s->loses_nothing)
        return 0;
    bool alike = pc_victims_alike(s);
    uint32_t deepest = deepest_bearer(s);
    pc_list_pieces(s, least);
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        struct pc_job *j = &c->jobs[c->evicted.of[i].job];
        struct pc_queue *q = pc_bearer(s, j->queue);
        if (q->given > 0)
            lost += most_lost_of(s, (uint32_t)(q - c->queues), least, alike, deepest) / unit;
        j->detail->gives = q->given = q->largest = 0;
    }
    return lost;
}
