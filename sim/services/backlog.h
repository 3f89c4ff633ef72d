/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests of a service that wait for a replica: a first-in first-out queue with fluid flow.
 * Rates are constant between calls, in thousandths of a request per second; amounts are rates times
 * milliseconds, so sums are exact.
 *
 *     requests |          ____ arrived
 *              |      ___/  /
 *              |   __/     / served: at the capacity of the ready replicas
 *              |  /  <--->/  a request waits this long
 *              |_/_______/___________ time
 *
 * Arrivals beyond `limit` queued requests are rejected at once. A request is in time if it is
 * served within `within_ms` of its arrival; with A arrived and S served until a time, this holds
 * for an arrival at u if S(u + within) >= A(u). Requests that arrive too late to be judged at the
 * end are not counted.
 */
#ifndef SIM_SERVICES_BACKLOG_H
#define SIM_SERVICES_BACKLOG_H

#include "sim/services/load.h"

#include <stdbool.h>
#include <stddef.h>

#define BACKLOG_HOUR_MS INT64_C(3600000)

struct backlog_rule {
    load_sum limit;    /* requests that may wait, in millionths; -1 any number */
    int64_t within_ms; /* >= 0; -1: no judgement */
};

/* In millionths of requests, of times that count. */
struct backlog_sums {
    load_sum served, rejected;
    load_sum waited;        /* times milliseconds: the integral of what waits */
    load_sum judged, late;  /* arrivals, and late ones among them, including rejected ones */
    double worst_hour_late; /* largest share of late ones among the arrivals of an hour */
};

/* Arrivals at constant rates that are not judged yet. */
struct backlog_piece {
    int64_t from_ms, to_ms;
    int64_t rate, rejected_rate;
    load_sum before; /* arrived until from_ms, without rejected ones */
    bool counts;
};

struct backlog {
    struct backlog_rule rule;
    struct backlog_sums sums;
    load_sum waiting;             /* now */
    load_sum arrived, served;     /* since the beginning */
    struct backlog_piece *pieces; /* a ring: from `first`, `count` of them */
    size_t first, count, room;
    int64_t hour;                    /* hour of the arrivals being judged */
    load_sum hour_judged, hour_late; /* of this hour so far */
};

void backlog_init(struct backlog *, const struct backlog_rule *);
void backlog_fini(struct backlog *);

/*
 * From `from_ms` (where the last call ended) to `to_ms` requests arrive at `rate`, and `capacity`
 * can be served. Times outside the window change the queue, but not the sums; a request counts by
 * its time of arrival.
 */
void backlog_advance(struct backlog *, int64_t from_ms, int64_t to_ms, int64_t rate,
                     int64_t capacity, bool counts);

/* The share of late ones in the worst hour, that of the last arrivals included; 0..1. */
double backlog_worst_hour(const struct backlog *);

#endif
