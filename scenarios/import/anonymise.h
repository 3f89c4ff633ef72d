/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces names in a snapshot by pseudonyms: those of nodes, queues, jobs with their tasks and
 * uids, users, and all values of node labels, which name hosts and racks. Policies compare names
 * only to break ties, so pseudonyms keep the order of the names ("node-07" for the seventh), and
 * decisions stay the same. Equal snapshots get equal pseudonyms.
 *
 * Names kept: pools, device types, label keys, topologies, roles, groups, models, and the saved
 * state of a plugin.
 */
#ifndef SCENARIOS_IMPORT_ANONYMISE_H
#define SCENARIOS_IMPORT_ANONYMISE_H

#include "sim/base/out.h"

#include <cjson/cJSON.h>

/*
 * Replaces the names in the tree of a snapshot, and writes the mapping as JSON: {"nodes":
 * {"node-1": "gpu-a"}, ...}.
 */
void anonymise(cJSON *snapshot, struct out *key);

#endif
