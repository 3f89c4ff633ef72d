/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that wait; see backlog.h. */
#include "sim/services/backlog.h"

#include "sim/base/mem.h"

#include <stdlib.h>

void backlog_init(struct backlog *b, const struct backlog_rule *rule)
{
    *b = (struct backlog){.rule = *rule, .hour = -1};
}

void backlog_fini(struct backlog *b)
{
    free(b->pieces);
    *b = (struct backlog){0};
}

/* ---- which arrivals are in time ---- */

static struct backlog_piece *piece_at(const struct backlog *b, size_t i)
{
    return &b->pieces[(b->first + i) % b->room];
}

static void make_room(struct backlog *b)
{
    if (b->count < b->room)
        return;
    size_t room = b->room > 0 ? 2 * b->room : 16;
    struct backlog_piece *pieces = mem_alloc(room, sizeof *pieces);
    for (size_t i = 0; i < b->count; i++)
        pieces[i] = *piece_at(b, i);
    free(b->pieces);
    b->pieces = pieces;
    b->room = room;
    b->first = 0;
}

/* Arrivals that are to be judged, hour by hour. */
static void remember(struct backlog *b, int64_t from, int64_t to, int64_t rate, int64_t rejected,
                     bool counts)
{
    load_sum before = b->arrived;
    while (from < to) {
        int64_t end = (from / BACKLOG_HOUR_MS + 1) * BACKLOG_HOUR_MS;
        end = end < to ? end : to;
        make_room(b);
        *piece_at(b, b->count++) =
            (struct backlog_piece){from, end, rate, rejected, before, counts};
        before += (load_sum)rate * (end - from);
        from = end;
    }
}

static double share(load_sum part, load_sum all)
{
    return all > 0 ? (double)part / (double)all : 0;
}

static void count_late(struct backlog *b, int64_t at, load_sum judged, load_sum late)
{
    if (at / BACKLOG_HOUR_MS != b->hour) {
        b->sums.worst_hour_late = backlog_worst_hour(b);
        b->hour = at / BACKLOG_HOUR_MS;
        b->hour_judged = b->hour_late = 0;
    }
    b->hour_judged += judged;
    b->hour_late += late;
    b->sums.judged += judged;
    b->sums.late += late;
}

double backlog_worst_hour(const struct backlog *b)
{
    double hour = share(b->hour_late, b->hour_judged);
    return hour > b->sums.worst_hour_late ? hour : b->sums.worst_hour_late;
}

/* How much of an amount lies where a line from y0 to y1 is below zero. */
static load_sum below_zero(load_sum amount, load_sum y0, load_sum y1)
{
    if (y0 >= 0 && y1 >= 0)
        return 0;
    if (y0 < 0 && y1 < 0)
        return amount;
    load_sum negative = y0 < 0 ? -y0 : -y1, positive = y0 < 0 ? y1 : y0;
    return (load_sum)((double)amount * ((double)negative / (double)(negative + positive)));
}

/* From `from` to `to`, `rate` is served: judges the arrivals of as long before as is allowed. */
static void judge(struct backlog *b, int64_t from, int64_t to, int64_t rate)
{
    int64_t lag = b->rule.within_ms;
    while (b->count > 0) {
        struct backlog_piece *p = piece_at(b, 0);
        int64_t x = p->from_ms, y = p->to_ms < to - lag ? p->to_ms : to - lag;
        if (y <= x)
            return;
        load_sum y0 = b->served + (load_sum)rate * (x + lag - from) - p->before;
        load_sum y1 = y0 + (load_sum)(rate - p->rate) * (y - x);
        load_sum amount = (load_sum)p->rate * (y - x);
        load_sum rejected = (load_sum)p->rejected_rate * (y - x);
        if (p->counts)
            count_late(b, x, amount + rejected, below_zero(amount, y0, y1) + rejected);
        p->before += amount;
        p->from_ms = y;
        if (y < p->to_ms)
            return;
        b->first = (b->first + 1) % b->room;
        b->count--;
    }
}

/* ---- the queue ---- */

/* All rates are constant: `taken` of `rate` joins the queue, `served` leaves it. */
static void flow(struct backlog *b, int64_t from, int64_t to, int64_t rate, int64_t taken,
                 int64_t served, bool counts)
{
    load_sum ms = to - from, before = b->waiting;
    if (ms <= 0)
        return;
    if (b->rule.within_ms >= 0) {
        remember(b, from, to, taken, rate - taken, counts);
        judge(b, from, to, served);
    }
    b->arrived += taken * ms;
    b->served += served * ms;
    b->waiting += (taken - served) * ms;
    if (!counts)
        return;
    b->sums.served += served * ms;
    b->sums.rejected += (rate - taken) * ms;
    b->sums.waited += (before + b->waiting) * ms / 2;
}

/* The queue grows until it is full, if it has a limit; then as many requests join as leave. */
static void grow(struct backlog *b, int64_t from, int64_t to, int64_t rate, int64_t capacity,
                 bool counts)
{
    int64_t full = to;
    if (b->rule.limit >= 0) {
        load_sum ms = (b->rule.limit - b->waiting) / (rate - capacity);
        full = ms < to - from ? from + (int64_t)ms : to;
    }
    flow(b, from, full, rate, rate, capacity, counts);
    if (full == to)
        return;
    int64_t rest = (int64_t)(b->rule.limit - b->waiting); /* fewer than arrive in a millisecond */
    flow(b, full, full + 1, rate, capacity + rest, capacity, counts);
    flow(b, full + 1, to, rate, capacity, capacity, counts);
}

/* The queue drains; then all that comes is served at once. */
static void drain(struct backlog *b, int64_t from, int64_t to, int64_t rate, int64_t capacity,
                  bool counts)
{
    load_sum ms = b->waiting / (capacity - rate);
    int64_t empty = ms < to - from ? from + (int64_t)ms : to;
    flow(b, from, empty, rate, rate, capacity, counts);
    if (empty == to)
        return;
    flow(b, empty, empty + 1, rate, rate, rate + (int64_t)b->waiting, counts);
    flow(b, empty + 1, to, rate, rate, rate, counts);
}

void backlog_advance(struct backlog *b, int64_t from_ms, int64_t to_ms, int64_t rate,
                     int64_t capacity, bool counts)
{
    if (rate > capacity)
        grow(b, from_ms, to_ms, rate, capacity, counts);
    else if (rate < capacity)
        drain(b, from_ms, to_ms, rate, capacity, counts);
    else
        flow(b, from_ms, to_ms, rate, rate, rate, counts);
}
