/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the name of a policy and its options as text to a configuration of the policy core. Unknown
 * names are refused with the nearest name and their location, which only the caller knows: `where`
 * turns a JSON path such as "policy.options.blocking" into "x.json:12: policy.options.blocking".
 */
#ifndef SIM_POLICY_CHOICE_H
#define SIM_POLICY_CHOICE_H

#include "policies/policy.h"
#include "scenarios/scenario.h"
#include "sim/base/err.h"

struct policy_choice {
    const char *name;
    const struct scen_option *options; /* set in this order */
    size_t option_count;
    uint64_t seed; /* unless an option sets it */
    const char *(*where)(const void *of, const char *path, char *buffer, size_t size);
    const void *of;
};

bool policy_choose(struct policy_config *, const struct policy_choice *, struct err *err);

#endif
