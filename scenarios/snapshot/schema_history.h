/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of the policy's history in a snapshot (history.h). */
#ifndef SCENARIOS_SNAPSHOT_SCHEMA_HISTORY_H
#define SCENARIOS_SNAPSHOT_SCHEMA_HISTORY_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_history; /* an element of the list */

#endif
