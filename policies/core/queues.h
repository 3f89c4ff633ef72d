/* SPDX-License-Identifier: MIT */
/* A queue's spec, as all policies check it: a status, with the error set unless it is POLICY_OK. */
#ifndef POLICY_CORE_QUEUES_H
#define POLICY_CORE_QUEUES_H

#include "core/state.h"

int pc_check_queue_spec(struct policy *, const struct policy_queue_spec *);

#endif
