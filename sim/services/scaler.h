/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The autoscaler of a service: the number of replicas. At multiples of `interval_ms` it computes
 * the largest number that any of its signals requests, at least `min`, at most `max`:
 *
 *     load          ceil(rate * (1 + headroom) / rate of a replica); hours of the week may have a
 *                   headroom of their own
 *     queue         ceil(waiting requests / target), as KEDA does by queue length
 *     concurrency   ceil(requests waiting or in service / target), as Knative does; in service are
 *                   rate * latency (Little)
 *     utilization   ceil(ready * utilization / target), as the HorizontalPodAutoscaler of
 *                   Kubernetes does, which keeps the number within 10 % of the target
 *     memory        the same by the share of GPU memory taken by the model and requests in service
 *     schedule      a number between two times of the week
 *
 * The result is the largest number computed in the last `down_after_ms` (the stabilization window
 * of the Kubernetes HorizontalPodAutoscaler): it scales up at once and down late. The rate is
 *
 *     reactive      the current one
 *     predictive    the larger of that and the largest forecast within `lead_ms`: the rate one
 *                   season earlier (seasonal naive) times the trend, which is the mean of the last
 *                   `trend_ms` over that of the same time one season earlier, limited to a half
 *                   and two. Only the past is used; before a season has passed it is reactive.
 *
 * There are no ticks: an evaluation that cannot have a new result is skipped, and the next one is
 * at the first multiple of the interval at or after the next change of its inputs. (The trend is
 * recomputed when the load changes. Signals that depend on the replicas may change at any time, so
 * a scaler with such a signal evaluates at every multiple.)
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
    int64_t headroom_ppm;  /* >= 0; unless an entry of `hours` applies */
    int64_t interval_ms;   /* > 0 */
    int64_t down_after_ms; /* >= 0 */
    bool predictive;
    int64_t lead_ms, season_ms, trend_ms; /* predictive; season > lead, trend > 0 */
    const struct scaler_signal *signals;  /* borrowed; none: the load alone */
    size_t signal_count;
    const struct scaler_headroom *hours; /* borrowed; the first that applies counts */
    size_t hour_count;
    int64_t latency_ms;                 /* that a request is in service */
    int64_t model_micro, request_micro; /* GPU memory of model and request, of that of a replica */
};

/* The service at the time of an evaluation. */
struct scaler_view {
    load_sum waiting; /* requests, in millionths */
    int64_t ready;    /* replicas that serve */
};

/* A number computed earlier, in effect until `gone_ms`. */
struct scaler_mark {
    int64_t wanted, gone_ms; /* INT64_MAX: the current one */
};

struct scaler {
    struct scaler_rule rule;
    const struct load *load;   /* borrowed */
    struct scaler_mark *marks; /* falling in `wanted`, rising in `gone_ms` */
    size_t count, capacity;
    int64_t next_ms; /* time of the next evaluation; INT64_MAX: never again */
};

void scaler_init(struct scaler *, const struct scaler_rule *,
                 const struct load *); /* evaluates at 0 first */
void scaler_fini(struct scaler *);

/* Evaluates at next_ms or later; returns the number of replicas from now on. */
int64_t scaler_evaluate(struct scaler *, int64_t at_ms, const struct scaler_view *);

#endif
