/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster of a recorded world as a snapshot, at the time of the first decision; see
 * recorded_files.h. */
#ifndef SIM_REPLAY_RECORDED_CLUSTER_H
#define SIM_REPLAY_RECORDED_CLUSTER_H

#include "sim/replay/recorded.h"

bool recorded_write_cluster(const struct recorded *, const char *dir, struct err *err);

bool recorded_same_request(const struct policy_request *, const struct policy_request *);

#endif
