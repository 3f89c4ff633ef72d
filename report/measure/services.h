/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of services: `services` in summary.json, and services.csv with the state at each sampling
 * time: load and capacity in requests per second and the number of serving replicas, of all
 * services together and then of each (columns NAME:load_rps, NAME:capacity_rps, NAME:replicas).
 */
#ifndef REPORT_MEASURE_SERVICES_H
#define REPORT_MEASURE_SERVICES_H

#include "sim/base/json.h"
#include "sim/base/out.h"
#include "sim/services.h"

struct services_report {
    struct services *services; /* NULL: none */
    struct out *out;           /* services.csv; NULL: no samples */
};

struct sim_observer services_report_observer(struct services_report *);

/* Opens services.csv. */
bool services_report_open(struct services_report *, const char *dir, struct err *);

/*
 * Writes {"total": {...}, "by_name": {"chat": {...}}}, after sim_finish(); nothing without
 * services.
 */
void services_report_json(const struct services_report *, struct json *, const char *key);

#endif
