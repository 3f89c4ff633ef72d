/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an autoscaler wants; see scaler.h. */
#include "sim/services/scaler.h"

#include "sim/base/mem.h"

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
    int64_t span = smaller(s->rule.trend_ms, before); /* of a trace that is not as long less */
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

static int64_t ask(const struct scaler *s, int64_t at_ms)
{
    int64_t rate = load_at(s->load, at_ms);
    int64_t expected = forecast(s, at_ms);
    load_sum need =
        (load_sum)(rate > expected ? rate : expected) * (MILLION + s->rule.headroom_ppm);
    load_sum one = (load_sum)s->rule.replica_milli * MILLION;
    load_sum replicas = (need + one - 1) / one;
    return replicas < s->rule.min   ? s->rule.min
           : replicas > s->rule.max ? s->rule.max
                                    : (int64_t)replicas;
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

static int64_t next_change(const struct scaler *s, int64_t at_ms)
{
    const struct scaler_rule *r = &s->rule;
    int64_t next = smaller(load_next(s->load, at_ms), s->marks[0].gone_ms);
    int64_t before = at_ms - r->season_ms;
    if (!r->predictive)
        return next;
    if (before < 0)
        return smaller(next, r->season_ms);
    next = smaller(next, later(load_next(s->load, before), r->season_ms));
    return smaller(next, later(load_next(s->load, before + r->lead_ms), r->season_ms - r->lead_ms));
}

int64_t scaler_evaluate(struct scaler *s, int64_t at_ms)
{
    note(s, ask(s, at_ms), at_ms);
    forget(s, at_ms);
    int64_t change = next_change(s, at_ms);
    int64_t interval = s->rule.interval_ms;
    s->next_ms =
        change > INT64_MAX - interval ? INT64_MAX : (change + interval - 1) / interval * interval;
    return s->marks[0].wanted;
}
