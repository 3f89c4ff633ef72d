/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two policies of which one remembers something and the other is to be told: what tests of history
 * records share. */
#ifndef TESTS_LIB_SIDE_H
#define TESTS_LIB_SIDE_H

#include "tests/lib/core.h"

#define SIDE_RECORDS 256 /* that a policy of these tests hands out at most */

/* A policy with two nodes of four devices and two queues, of which nothing is known to have
 * happened. */
struct side {
    struct tally tally;
    struct policy *p;
    policy_queue queues[2];
    policy_job jobs[8];
};

void side_begin(struct side *, const char *preset, const char *options);
void side_finish(struct side *);

/* A job of one task, which takes so many ms as declared. */
policy_job side_submit(struct side *, int i, policy_time at, int queue, int32_t devices,
                       int64_t limit);

/* The task of the job runs there since then. */
void side_runs(struct side *, policy_time at, int job, uint32_t node, uint64_t devices,
               policy_time since);

/* All records that the policy hands out; how many. */
uint32_t side_records(const struct policy *, struct policy_history list[SIDE_RECORDS]);

/* The first record of the kind, of the job unless that is POLICY_NO_ID; the test fails when there
 * is none. */
struct policy_history side_find(const struct policy *, int32_t kind, uint32_t job);
bool side_has(const struct policy *, int32_t kind);

/* Hands one record to the policy; its answer. The policy is sound afterwards. */
int side_tell(struct side *, policy_time at, struct policy_history);

/* All that one remembers goes to the other, which has the same nodes, queues and jobs under the
 * same numbers. */
void side_hand_over(const struct side *from, struct side *to, policy_time at);

/* Both hand out the same records, or decide the same. */
void sides_remember_alike(const struct side *, const struct side *);
void sides_decide_alike(struct side *, struct side *, policy_time at);

#endif
