/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a policy's options that the simulator itself handles, and of those with lists as
 * values. */
#ifndef SCENARIOS_SCHEMA_POLICY_H
#define SCENARIOS_SCHEMA_POLICY_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_policy_option_rows[];
extern const struct schema_row schema_policy_option;  /* any other option: the policy core's */
extern const struct schema_row schema_policy_options; /* the object with all options */

#endif
