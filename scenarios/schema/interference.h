/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of `interference`: how jobs that share devices, cores and virtual NICs slow each other
 * down (sim/perf/share.h).
 */
#ifndef SCENARIOS_SCHEMA_INTERFERENCE_H
#define SCENARIOS_SCHEMA_INTERFERENCE_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_interference_rows[];

/* Names in the order of enum perf_sharing, and of perf_vnics. */
#define SCHEMA_SHARINGS "mps|time-slicing"
#define SCHEMA_VNICS    "direct|sr-iov|tcp-vnic|pod-net"

#endif
