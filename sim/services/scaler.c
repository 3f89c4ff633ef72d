/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of replicas an autoscaler wants; see scaler.h. */
#include "sim/services/scaler.h"

#include "sim/base/mem.h"
#include "sim/base/week.h"

#include <stdlib.h>
#include <string.h>

#define MILLION INT64_C(1000000)

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void scaler_init(struct scaler *s, const struct scaler_rule *rule, const struct load *load)
{
    *s = (struct scaler){.rule = *rule, .load = load};
}

void scaler_fini(struct scaler *s)
{
    free(s->marks);
    *s = (struct scaler){0};
}

/* ---- the rate ---- */

/* How much more there is than a season ago, in millionths. */
static load_sum trend_ppm(const struct scaler *s, int64_t at_ms)
{
    int64_t before = at_ms - s->rule.season_ms;
    int64_t span = smaller(s->rule.trend_ms, before); /* less at the start of a trace */
    load_sum then = load_between(s->load, before - span, before);
    load_sum now = load_between(s->load, at_ms - span, at_ms);
    load_sum ppm = then > 0 ? now * MILLION / then : MILLION;
    return ppm < MILLION / 2 ? MILLION / 2 : ppm > 2 * MILLION ? 2 * MILLION : ppm;
}

/* Expected within the lead, at most. */
static int64_t forecast(const struct scaler *s, int64_t at_ms)
{
    int64_t before = at_ms - s->rule.season_ms;
    if (!s->rule.predictive || before < 0)
        return 0;
    int64_t most = load_most(s->load, before, before + s->rule.lead_ms);
    return (int64_t)(most * trend_ppm(s, at_ms) / MILLION);
}

/* ---- the signals ---- */

static int64_t headroom_ppm(const struct scaler_rule *r, int64_t at_ms)
{
    for (size_t i = 0; i < r->hour_count; i++)
        if (week_within(week_time(at_ms, 0), r->hours[i].from_ms, r->hours[i].to_ms))
            return r->hours[i].ppm;
    return r->headroom_ppm;
}

static load_sum ceiling(load_sum amount, load_sum of)
{
    return (amount + of - 1) / of;
}

static load_sum by_load(const struct scaler *s, int64_t at_ms)
{
    int64_t rate = load_at(s->load, at_ms);
    int64_t expected = forecast(s, at_ms);
    load_sum need =
        (load_sum)(rate > expected ? rate : expected) * (MILLION + headroom_ppm(&s->rule, at_ms));
    return ceiling(need, (load_sum)s->rule.replica_milli * MILLION);
}

/* Requests in service, in millionths, and the share of the replicas that they use. */
static load_sum in_service(const struct scaler *s, int64_t at_ms, const struct scaler_view *view)
{
    int64_t rate = load_at(s->load, at_ms), capacity = view->ready * s->rule.replica_milli;
    rate = view->waiting > 0 || rate > capacity ? capacity : rate;
    return (load_sum)rate * s->rule.latency_ms;
}

static int64_t utilization_micro(const struct scaler *s, int64_t at_ms,
                                 const struct scaler_view *view)
{
    int64_t rate = load_at(s->load, at_ms), capacity = view->ready * s->rule.replica_milli;
    return view->waiting > 0 || rate >= capacity ? MILLION
                                                 : (int64_t)((load_sum)rate * MILLION / capacity);
}

static int64_t memory_micro(const struct scaler *s, int64_t at_ms, const struct scaler_view *view)
{
    load_sum used = s->rule.model_micro +
                    in_service(s, at_ms, view) / view->ready * s->rule.request_micro / MILLION;
    return used < MILLION ? (int64_t)used : MILLION;
}

/* Without replicas there is nothing to measure: one is wanted if there are requests. */
static load_sum by_share(const struct scaler *s, const struct scaler_signal *signal, int64_t at_ms,
                         const struct scaler_view *view)
{
    if (view->ready == 0)
        return view->waiting > 0 || load_at(s->load, at_ms) > 0;
    int64_t share = signal->of == SCALER_MEMORY ? memory_micro(s, at_ms, view)
                                                : utilization_micro(s, at_ms, view);
    int64_t apart =
        share > signal->target_micro ? share - signal->target_micro : signal->target_micro - share;
    if (apart * 10 <= signal->target_micro)
        return view->ready;
    return ceiling((load_sum)view->ready * share, signal->target_micro);
}

static load_sum by_signal(const struct scaler *s, const struct scaler_signal *signal, int64_t at_ms,
                          const struct scaler_view *view)
{
    switch (signal->of) {
    case SCALER_QUEUE:
        return ceiling(view->waiting, signal->target_micro);
    case SCALER_CONCURRENCY:
        return ceiling(view->waiting + in_service(s, at_ms, view), signal->target_micro);
    case SCALER_UTILIZATION:
    case SCALER_MEMORY:
        return by_share(s, signal, at_ms, view);
    case SCALER_SCHEDULE:
        return week_within(week_time(at_ms, 0), signal->from_ms, signal->to_ms) ? signal->replicas
                                                                                : 0;
    case SCALER_LOAD:
        break;
    }
    return by_load(s, at_ms);
}

static int64_t ask(const struct scaler *s, int64_t at_ms, const struct scaler_view *view)
{
    const struct scaler_rule *r = &s->rule;
    load_sum most = r->signal_count == 0 ? by_load(s, at_ms) : 0;
    for (size_t i = 0; i < r->signal_count; i++) {
        load_sum own = by_signal(s, &r->signals[i], at_ms, view);
        most = own > most ? own : most;
    }
    return most < r->min ? r->min : most > r->max ? r->max : (int64_t)most;
}

/* ---- the window in which it does not shrink ---- */

/* It was asked for at every multiple of the interval before `at_ms`: the last one leaves the window
 * then. */
static int64_t gone(const struct scaler *s, int64_t at_ms)
{
    return at_ms + s->rule.down_after_ms / s->rule.interval_ms * s->rule.interval_ms;
}

static void note(struct scaler *s, int64_t wanted, int64_t at_ms)
{
    if (s->count > 0 && s->marks[s->count - 1].wanted == wanted &&
        s->marks[s->count - 1].gone_ms == INT64_MAX)
        return;
    if (s->count > 0 && s->marks[s->count - 1].gone_ms == INT64_MAX)
        s->marks[s->count - 1].gone_ms = gone(s, at_ms);
    while (s->count > 0 && s->marks[s->count - 1].wanted <= wanted)
        s->count--;
    if (s->count == s->capacity)
        s->marks = mem_grow(s->marks, &s->capacity, s->count + 1, sizeof *s->marks);
    s->marks[s->count++] = (struct scaler_mark){wanted, INT64_MAX};
}

static void forget(struct scaler *s, int64_t at_ms)
{
    size_t n = 0;
    while (n < s->count && s->marks[n].gone_ms <= at_ms)
        n++;
    memmove(s->marks, s->marks + n, (s->count - n) * sizeof *s->marks);
    s->count -= n;
}

/* ---- when something changes ---- */

static int64_t later(int64_t at_ms, int64_t by_ms)
{
    return at_ms == INT64_MAX ? at_ms : at_ms + by_ms;
}

/* The next time of the week at which a signal or the headroom changes; any, if replicas matter. */
static int64_t next_of_rule(const struct scaler_rule *r, int64_t at_ms)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < r->signal_count; i++) {
        const struct scaler_signal *signal = &r->signals[i];
        if (signal->of == SCALER_SCHEDULE)
            next = smaller(next, smaller(week_next(at_ms, 0, signal->from_ms),
                                         week_next(at_ms, 0, signal->to_ms)));
        else if (signal->of != SCALER_LOAD)
            return at_ms + 1;
    }
    for (size_t i = 0; i < r->hour_count; i++)
        next = smaller(next, smaller(week_next(at_ms, 0, r->hours[i].from_ms),
                                     week_next(at_ms, 0, r->hours[i].to_ms)));
    return next;
}

static int64_t next_change(const struct scaler *s, int64_t at_ms)
{
    const struct scaler_rule *r = &s->rule;
    int64_t next = smaller(load_next(s->load, at_ms), s->marks[0].gone_ms);
    next = smaller(next, next_of_rule(r, at_ms));
    int64_t before = at_ms - r->season_ms;
    if (!r->predictive)
        return next;
    if (before < 0)
        return smaller(next, r->season_ms);
    next = smaller(next, later(load_next(s->load, before), r->season_ms));
    return smaller(next, later(load_next(s->load, before + r->lead_ms), r->season_ms - r->lead_ms));
}

int64_t scaler_evaluate(struct scaler *s, int64_t at_ms, const struct scaler_view *view)
{
    note(s, ask(s, at_ms, view), at_ms);
    forget(s, at_ms);
    int64_t change = next_change(s, at_ms);
    int64_t interval = s->rule.interval_ms;
    s->next_ms =
        change > INT64_MAX - interval ? INT64_MAX : (change + interval - 1) / interval * interval;
    return s->marks[0].wanted;
}
