/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source of faults that returns a list made by a test. */
#ifndef TESTS_SIM_LISTED_H
#define TESTS_SIM_LISTED_H

#include "sim/fault.h"
#include "tests/sim/small.h"

enum { LISTED_FAULTS = 64 };

struct listed {
    struct sim_fault faults[LISTED_FAULTS];
    uint32_t nodes[LISTED_FAULTS][4];
    size_t count, next;
};

static inline int64_t listed_next_ms(void *self)
{
    const struct listed *l = self;
    return l->next < l->count ? l->faults[l->next].at_ms : INT64_MAX;
}

static inline bool listed_take(void *self, struct sim_fault *f)
{
    struct listed *l = self;
    if (l->next == l->count)
        return false;
    *f = l->faults[l->next];
    f->nodes = l->nodes[l->next++];
    return true;
}

/* Adds a fault of one whole node at at_s seconds, of the first class; the list starts as zeros.
 * Classes: one, two. */
static inline struct sim_fault *listed_add(struct small *s, struct listed *l, int64_t at_s,
                                           enum sim_fault_effect effect, uint32_t node,
                                           int64_t detect_s, int64_t repair_s)
{
    static const char *const classes[] = {"one", "two"};
    struct sim_fault *f = &l->faults[l->count];
    *f = (struct sim_fault){.at_ms = at_s * 1000,
                            .effect = effect,
                            .node_count = 1,
                            .device = SIM_ALL_DEVICES,
                            .detect_ms = detect_s * 1000,
                            .repair_ms = repair_s * 1000};
    l->nodes[l->count++][0] = node;
    s->config.faults = (struct sim_faults){.self = l,
                                           .next_ms = listed_next_ms,
                                           .take = listed_take,
                                           .classes = classes,
                                           .class_count = 2};
    return f;
}

#endif
