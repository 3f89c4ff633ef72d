/* SPDX-License-Identifier: MIT */
/* What a trial may take from queues; see losses.h. */
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
        struct pc_bound most = {INT64_MAX, INT64_MAX};
        if (s->purpose->most_lost != NULL)
            most = s->purpose->most_lost(s, q->bearer);
        y->bears_in = s->c->step_number;
        y->bears = most.milli;
        y->bears_before = most.before_last;
    }
    return y;
}

int64_t pc_most_with(const struct pc_queue *q, int64_t piece)
{
    int64_t most = q->bears_before > INT64_MAX - piece ? INT64_MAX : q->bears_before + piece;
    return q->bears < most ? q->bears : most;
}

void pc_list_pieces(const struct pc_search *s, int32_t least)
{
    const struct pc_cluster *c = s->c;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        struct pc_job *j = &c->jobs[v->job];
        struct pc_queue *q = pc_bearer(s, j->queue);
        const struct pc_request *r = pc_request_of_victim(c, v);
        int64_t gives = pc_weigh_on(pc_node_of_victim(c, v), r).of[PC_GPU];
        if (gives > q->bears || pc_is_small(r, least)) /* no task is lost in part */
            continue;
        j->detail->gives += gives;
        q->given += gives;
        q->largest = j->detail->gives > q->largest ? j->detail->gives : q->largest;
    }
}

/* What of it the queue may lose, given what is listed; asked before any of that is forgotten. */
static int64_t most_lost_of(const struct pc_search *s, uint32_t queue, int32_t least, bool alike)
{
    const struct pc_queue *q = &s->c->queues[queue];
    int64_t most = pc_most_with(q, q->largest);
    most = q->given < most ? q->given : most;
    if (most <= 0)
        return most;
    const struct pc_late late = pc_most_late(s, queue, least, alike);
    if (late.largest < q->largest && pc_most_with(q, late.largest) < most)
        most = pc_most_with(q, late.largest);
    return late.milli < most ? late.milli : most;
}

int64_t pc_most_lost(const struct pc_search *s, int32_t least, int64_t unit)
{
    const struct pc_cluster *c = s->c;
    int64_t lost = 0;
    bool alike = pc_victims_alike(s);
    pc_list_pieces(s, least);
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        struct pc_job *j = &c->jobs[c->evicted.of[i].job];
        struct pc_queue *q = pc_bearer(s, j->queue);
        if (q->given > 0)
            lost += most_lost_of(s, (uint32_t)(q - c->queues), least, alike) / unit;
        j->detail->gives = q->given = q->largest = 0;
    }
    return lost;
}
