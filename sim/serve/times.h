/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which times a client may report. Time advances for all clients, so a wrong clock of one would
 * stop the others until then: the first time lies within 8,000 years of the epoch, and each next
 * one at most --max-jump after the last. INT64_MIN means "before all times" and may come first.
 */
#ifndef SIM_SERVE_TIMES_H
#define SIM_SERVE_TIMES_H

#include "sim/serve/service.h"

/* the end of the year 9999, in ms since 1970 */
#define SERVICE_LAST_TIME INT64_C(253402300799999)

/* False with the reason in `why`. */
bool service_time_is_plausible(const struct service *, policy_time at, char *why, size_t size);

/* The same for all that a fact names: its own time, and when something was, is or lasts. */
bool service_fact_is_plausible(const struct service *, const struct fact *, char *why, size_t size);

#endif
