/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of queues in a suite: an entry with the queue "*" becomes one metric for each queue of
 * any scenario, and a metric of a queue is judged only in scenarios that have that queue. Only
 * queues that a scenario names are known; with "from-trace" an entry names its queue itself, and is
 * judged in all scenarios.
 */
#ifndef SIM_GATE_QUEUES_H
#define SIM_GATE_QUEUES_H

#include "report/gate/gate.h"
#include "scenarios/scenario.h"

struct gate_queue {
    char *name;
    size_t scenario;
};

struct gate_queues {
    struct gate_queue *rows;
    size_t count, capacity;
};

/* The queues of a scenario that can have jobs: those without children. */
void gate_queues_take(struct gate_queues *, size_t scenario, const struct scenario *);

/* Before gate_begin(). Returns false with err set (EXIT_INPUT) if an entry asks for each queue and
 * no scenario names one. */
bool gate_queues_expand(const struct gate_queues *, struct gate *, struct err *err);

void gate_queues_free(struct gate_queues *);

#endif
