/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The autoscaler of a service: how many replicas there should be. At multiples of `interval_ms` it
 * asks for the largest number that one of its signals asks for, at least `min`, at most `max`:
 *
 *     load          ceil(rate * (1 + headroom) / rate of a replica); the headroom may differ by
 * hour of the week queue         ceil(waiting requests / target), as KEDA does by the length of a
 * queue concurrency   ceil(requests waiting or in service / target), as Knative does; in service
 * are rate * latency (Little) utilization   ceil(ready * utilization / target), as the
 * HorizontalPodAutoscaler of Kubernetes does, which leaves the number alone within 10 % of the
 * target memory        the same by the share of GPU memory that the model and the requests in
 * service take schedule      a number between two times of the week
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
 * looked at when the load changes. What depends on the replicas changes at any time, so a scaler
 * with such a signal evaluates at every multiple.)
 */
#ifndef SIM_SERVICES_SCALER_H
#define SIM_SERVICES_SCALER_H

#include "sim/services/load.h"

#include <stdbool.h>

enum scaler_of {
    SCALER_LOAD,
    SCALER_QUEUE,
    SCALER_CONCURRENCY,
    SCALER_UTILIZATION,
    SCALER_MEMORY,
    SCALER_SCHEDULE,
};

struct scaler_signal {
    enum scaler_of of;
    int64_t target_micro;   /* requests or shares, in millionths, > 0; not of load and schedule */
    int64_t from_ms, to_ms; /* schedule: times of the week (sim/base/week.h) */
    int64_t replicas;       /* schedule */
};

struct scaler_headroom {
    int64_t from_ms, to_ms; /* times of the week */
    int64_t ppm;
};

struct scaler_rule {
    int64_t min, max;      /* replicas, 0 <= min <= max, max >= 1 */
    int64_t replica_milli; /* thousandths of requests a second that one can serve, > 0 */
    int64_t headroom_ppm;  /* >= 0; where no hours say otherwise */
    int64_t interval_ms;   /* > 0 */
    int64_t down_after_ms; /* >= 0 */
    bool predictive;
    int64_t lead_ms, season_ms, trend_ms; /* predictive; season > lead, trend > 0 */
    const struct scaler_signal *signals;  /* borrowed; none: the load alone */
    size_t signal_count;
    const struct scaler_headroom *hours; /* borrowed; the first that holds counts */
    size_t hour_count;
    int64_t latency_ms;                 /* that a request is in service */
    int64_t model_micro, request_micro; /* GPU memory of model and request, of that of a replica */
};

/* The service at the time of an evaluation. */
struct scaler_view {
    load_sum waiting; /* requests, in millionths */
    int64_t ready;    /* replicas that serve */
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
int64_t scaler_evaluate(struct scaler *, int64_t at_ms, const struct scaler_view *);

#endif
