/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The autoscaler of a service: how many replicas there should be. At multiples of `interval_ms` it
 * asks for
 *
 *     ceil(rate * (1 + headroom) / rate of a replica), at least `min`, at most `max`
 *
 * and what it wants is the largest of what it asked for in the last `down_after_ms` (the
 * stabilization window of the Kubernetes HorizontalPodAutoscaler): it grows at once and shrinks
 * late. The rate is
 *
 *     reactive      that of the moment
 *     predictive    the larger of that and the largest that it expects within `lead_ms`: what was
 *                   there one season ago at that time (seasonal naive), times the trend: the mean
 *                   of the last `trend_ms` to that of the same time one season ago, at least a half
 *                   and at most two. Only the past is looked at; before a season has passed it is
 *                   reactive.
 *
 * Nothing ticks: an evaluation that cannot find anything new is left out, and the next one is at
 * the first multiple of the interval at or after the next change of what it looks at. (The trend is
 * looked at when the load changes.)
 */
#ifndef SIM_SERVICES_SCALER_H
#define SIM_SERVICES_SCALER_H

#include "sim/services/load.h"

#include <stdbool.h>

struct scaler_rule {
    int64_t min, max;      /* replicas, 0 <= min <= max, max >= 1 */
    int64_t replica_milli; /* thousandths of requests a second that one can serve, > 0 */
    int64_t headroom_ppm;  /* >= 0 */
    int64_t interval_ms;   /* > 0 */
    int64_t down_after_ms; /* >= 0 */
    bool predictive;
    int64_t lead_ms, season_ms, trend_ms; /* predictive; season > lead, trend > 0 */
};

/* What it asked for until some time ago, and still wants until `gone_ms`. */
struct scaler_mark {
    int64_t wanted, gone_ms; /* INT64_MAX: it asks for it now */
};

struct scaler {
    struct scaler_rule rule;
    const struct load *load;   /* borrowed */
    struct scaler_mark *marks; /* falling in `wanted`, rising in `gone_ms` */
    size_t count, capacity;
    int64_t next_ms; /* of the next evaluation; INT64_MAX: nothing will change any more */
};

void scaler_init(struct scaler *, const struct scaler_rule *,
                 const struct load *); /* evaluates at 0 first */
void scaler_fini(struct scaler *);

/* Evaluates at next_ms, or later; replicas that it wants from now on. */
int64_t scaler_evaluate(struct scaler *, int64_t at_ms);

#endif
