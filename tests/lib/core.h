/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers for tests of the policy core: an allocator that counts, checks and fails on purpose, and
 * short ways to make nodes, queues and jobs. A helper whose expectation fails fails the test.
 */
#ifndef TESTS_LIB_CORE_H
#define TESTS_LIB_CORE_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts allocations. A block's true size is stored before it, to detect a wrong old_size. */
struct tally {
    size_t bytes;     /* allocated now */
    uint64_t calls;   /* calls that asked for memory */
    uint64_t fail_at; /* the call (1, 2, ...) that fails; 0: none */
    bool failed;      /* that call was made */
};
struct policy_allocator tally_allocator(struct tally *);

/* Creates a policy of the preset with options such as "scope=queue blocking=skip"; its memory is
 * counted in the tally. */
struct policy *core_create(struct tally *, const char *preset, const char *options);

/* Calls policy_check() and destroys the policy; fails if memory is left in the tally. */
void core_destroy(struct policy *, struct tally *);

/* Fails with the message of policy_check() unless every invariant holds. */
void core_is_sound(const struct policy *);

/* A node of pool 0 and type 0 with unlimited CPU, memory and tasks; change what matters, then add
 * it. */
struct policy_node_spec core_node_spec(uint32_t rank, int32_t devices);
policy_node core_node(struct policy *, uint32_t rank, int32_t devices);

/*
 * Adds a node with a device for each character of `left`, which says how much of it the running
 * tasks of the queue leave: '.' all, '#' nothing, '1' to '9' tenths. "..5#" has two free devices,
 * one that is half taken and one without room.
 */
policy_node core_node_left(struct policy *, policy_queue, struct policy_node_spec,
                           const char *left);

/* Adds a root queue bound to these pools in rising order (count 0: any). */
policy_queue core_queue(struct policy *, const uint32_t *pools, uint32_t count);

/* A request for whole devices on one node or for a share; the specs of a role and of a job. */
struct policy_request core_devices(int32_t devices);
struct policy_request core_share(int32_t milli);
struct policy_role core_role(int32_t tasks, struct policy_request);
struct policy_job_spec core_job_spec(policy_queue, uint64_t rank, const struct policy_role *roles,
                                     uint32_t role_count);

/* Submits a job of equal tasks; `rank` is also the submit time that orders it. */
policy_job core_submit(struct policy *, policy_time at, policy_queue, uint64_t rank, int32_t tasks,
                       struct policy_request);

/* Decides at `now`; fails unless there are `count` decisions. */
const struct policy_decision *core_decide(struct policy *, policy_time now, size_t count);

/* Decides and writes the decisions as text, such as "3:0@1[0x0f] 4:0@0[0x01]"
 * (job:task@node[devices]); "" if there are none. */
const char *core_decisions(struct policy *, policy_time now, char *text, size_t size);

/* The reason why the job is pending. */
int32_t core_reason(struct policy *, policy_job);

/* Nodes as for core_node_left(), by rank; a job of equal tasks; the expected places
 * ("task@node[devices]"). */
struct core_placing {
    const char *placement, *nodes[4];
    int32_t tasks;
    struct policy_request request;
    const char *expected; /* "%" is the job */
};
void core_places(const struct core_placing *);

#endif
