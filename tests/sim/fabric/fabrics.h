/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fabrics for several tests: figures of the vendor's reference designs, listed here independently
 * of the catalogue. */
#ifndef TESTS_SIM_FABRIC_FABRICS_H
#define TESTS_SIM_FABRIC_FABRICS_H

#include "sim/fabric/plan.h"
#include "tests/lib/harness.h"

/* Rail-optimised, 1:1, three tiers. */
static inline struct fabric_spec rails_of(int64_t unit, int rails, int radix)
{
    return (struct fabric_spec){.name = "",
                                .summary = "",
                                .unit_nodes = unit,
                                .leaf_nodes = unit,
                                .rails = rails,
                                .radix = radix,
                                .max_tiers = 3,
                                .leaf_over = 1,
                                .pod_over = 1,
                                .ecmp = 1};
}

static inline struct fabric_plan planned(const struct fabric_spec *spec, int64_t nodes)
{
    struct fabric_plan plan;
    struct err err = {0};
    ck_assert_msg(fabric_check(spec, &err) && fabric_plan(&plan, spec, nodes, &err), "%s", err.msg);
    return plan;
}

#endif
