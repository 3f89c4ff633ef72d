/* SPDX-License-Identifier: MIT */
/*
 * Checks of node, queue and job specs, common to all policies. They return a status, with the error
 * set unless it is POLICY_OK.
 */
#ifndef POLICY_STATE_SPECS_H
#define POLICY_STATE_SPECS_H

#include "state/engine.h"

int pc_check_node_spec(struct policy *, const struct policy_node_spec *);
int pc_check_queue_spec(struct policy *, const struct policy_queue_spec *);
int pc_check_job_spec(struct policy *, const struct policy_job_spec *);
int pc_check_request(struct policy *, const struct policy_request *);

/* Normalizes a checked request. */
struct pc_plain_request pc_plain_request_of(const struct policy_request *);

/* Role i of a checked spec in this version, possibly stored in `room`. */
const struct policy_role *pc_role_of_spec(const struct policy_job_spec *, uint32_t i,
                                          struct policy_role *room);

/* The same for a spec being checked; NULL, with the error set: of an impossible size. */
const struct policy_role *pc_check_role_of_spec(struct policy *, const struct policy_job_spec *,
                                                uint32_t i, struct policy_role *room);

#endif
