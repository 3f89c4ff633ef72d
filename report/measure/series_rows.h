/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State of a series (series.h): files of rows that wait for their headers, and the heat map
 * (heat.h).
 */
#ifndef REPORT_MEASURE_SERIES_ROWS_H
#define REPORT_MEASURE_SERIES_ROWS_H

#include "report/measure/energy.h"
#include "report/measure/heat_fabric.h"
#include "report/measure/heat_map.h"
#include "report/measure/shares.h"
#include "sim/sim.h"

#include <stdio.h>

#define SERIES_ROWS 128

struct series {
    struct shares *shares;
    struct energy *energy;
    FILE *timeline, *reasons; /* rows without header, written as they are sampled */
    struct out *timeline_rows, *reasons_rows;
    int64_t failing_milli; /* held by jobs that will fail, whose work is not productive */
    /* The heat map. A row is a node or a group of neighbouring nodes. */
    struct heat_map heat; /* thousandths of devices; opened by the first task or fault */
    size_t nodes_per_row;
    bool *down; /* by node */
    struct heat_fabric fabric;
};

#endif
