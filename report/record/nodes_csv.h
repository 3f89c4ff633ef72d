/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nodes.csv: events of nodes in elastic pools, in order of time. Columns: time_s, pool, node, event
 * (ordered, there, off: returned or reclaimed), paid_nodes (of the pool, from then on).
 */
#ifndef REPORT_RECORD_NODES_CSV_H
#define REPORT_RECORD_NODES_CSV_H

#include "sim/base/out.h"
#include "sim/sim.h"

struct nodes_csv {
    struct out *out; /* NULL: not written */
    uint8_t *was;    /* by node: the state last written; NULL before the first row */
};

bool nodes_csv_open(struct nodes_csv *, const char *dir, struct err *);
struct sim_observer nodes_csv_observer(struct nodes_csv *);
void nodes_csv_fini(struct nodes_csv *);

#endif
