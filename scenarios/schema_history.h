/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of what the policy remembered, in a snapshot (snapshot_history.h). */
#ifndef SCENARIOS_SCHEMA_HISTORY_H
#define SCENARIOS_SCHEMA_HISTORY_H

#include "scenarios/schema.h"

extern const struct schema_row schema_history; /* an element of the list */

#endif
