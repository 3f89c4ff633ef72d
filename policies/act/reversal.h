/* SPDX-License-Identifier: MIT */
/*
 * No reversals: devices that one job took from another by reclaim or preempt are not taken back,
 * directly or through others, unless something other than the policy's own decisions has happened.
 *
 * Reclaim compares the shares of queues, preempt the priorities in a queue. Each is sound by
 * itself, but together they can cycle. Two nodes have 4 devices each. Queue A has a quota of 4 and
 * no over-quota share, queue B has a quota of 3, and its jobs hold 3 devices of the first node. In
 * A the urgent job u runs on the other 5 devices, and o requests a whole node; in B, b requests one
 * device of the second node:
 *     reclaim evicts u for b   A has 5 devices, above its share; B would have its share of 4
 *     reclaim evicts b for o   A has none now, o fits A's quota, and B would exceed its own
 *     preempt evicts o for u   u has the higher priority; and the cycle repeats
 *
 * So each loss is remembered as a pair of jobs: b displaced u. A search for victims skips all jobs
 * that displaced its job, directly or through a chain of pairs. Here o displaced b, and b displaced
 * u; so o, which u would have to displace, keeps its devices.
 *
 * Why this ends all cycles: pairs are only added where no chain leads back, so the jobs can be
 * ordered such that each precedes those that it displaced. Write down, in that order, how many
 * tasks of each job run or are nominated. An eviction for a job increases its number and decreases
 * only later ones; a start increases one and decreases none; a move changes none, and serves a job
 * whose number increases. So the vector grows lexicographically with every decision made for a job.
 * It is bounded, and there are finitely many orders, so decisions end. (Jobs that time alone ends,
 * by limits or as stale gangs, are over or wait for an event.)
 *
 * After another event (a job arrived or ended, a node or a queue changed, a task ended that no
 * decision evicted, past usage decayed) pairs no longer form chains, because taking devices back
 * may be right now. But where jobs come and go all the time, nothing would break a cycle. So a pair
 * is kept for the option reversal_s after the loss: until then the same job does not lose to the
 * same other one again if that one has lost what it took since.
 */
#ifndef POLICY_ACT_REVERSAL_H
#define POLICY_ACT_REVERSAL_H

#include "act/victims/victims.h"

/* At the start of a decision: drops expired pairs. */
void pc_reversals_begin(struct policy *);

/* Marks the jobs that the search's job may not displace; see pc_is_reversal(). */
void pc_reversals_mark(struct pc_search *);

/* Returns true if that job is marked. If the mark expires with time, the next decision is due by
 * then. */
bool pc_is_reversal(const struct pc_search *, uint32_t other);

/* Reserves memory for as many pairs as there are victims in c->evicted. Returns false if out of
 * memory. */
bool pc_reversals_reserve(struct policy *);

/* Adds the pairs of a successful search: all jobs that lost tasks in it were displaced. */
void pc_reversals_add(const struct pc_search *);

/* Returns true if both jobs of the pair still exist. */
bool pc_pair_holds(const struct pc_cluster *, const struct pc_pair *);

/* Adds a pair; the memory must be reserved. Pairs are added in order of time. */
void pc_reversals_add_pair(struct pc_cluster *, uint32_t by, uint32_t loser, policy_time at);

/* Returns the violated invariant of the pairs, or NULL. */
const char *pc_reversals_check(const struct pc_cluster *);

#endif
