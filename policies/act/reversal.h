/* SPDX-License-Identifier: MIT */
/*
 * No reversals: devices that one job took from another by reclaim or preempt are not taken
 * back, directly or through others, unless something other than the policy's own decisions has
 * happened.
 *
 * Reclaim compares the shares of queues, preempt the priorities in a queue. Each is sound by
 * itself, but together they can cycle. Two nodes have 4 devices each. Queue A has a quota of 4
 * and no part in more, queue B one of 3, of which 3 run on the first node. In A the urgent job u
 * runs on the other 5 devices, and o wants a whole node; in B, b wants one device of the second
 * node:
 *
 *     reclaim evicts u for b    A has 5 devices, above its share; B would have its share of 4
 *     reclaim evicts b for o    A has none now, o fits into its quota, and B would exceed its own
 *     preempt evicts o for u    u is more urgent, whatever the shares are; and again from the top
 *
 * So each loss is remembered as a pair of jobs: b displaced u. A search for victims skips all
 * jobs that displaced its job, directly or through a chain of pairs. Here o
 * displaced b, and b displaced u; so o, which u would have to displace, keeps its devices.
 *
 * Why that ends all circles: pairs are only added where no chain leads back, so there is an order
 * of the jobs in which each goes before those that it displaced. Write down, in that order, how
 * many tasks of each job run or are nominated. An eviction for a job makes its number larger and
 * lowers only numbers behind it; a start makes one larger and none smaller; a move changes none,
 * and serves a job whose number becomes larger. So the row grows in lexical order with all that is
 * decided for a job. It is bounded, and there are finitely many orders; so decisions end. (What
 * time alone ends, by limits or as stale gangs, is over or waits for something to happen.)
 *
 * When something else has happened (a job came or ended, a node or a queue changed, a task ended
 * that no decision evicted, past use faded as time went on) pairs no longer form chains, because to
 * take it back may be right now. But where jobs come and go all the time nothing would break a
 * circle. So a pair is kept for the option reversal_s from the loss on: until then the same job
 * does not lose to the same other one again, if that has lost what it took since.
 */
#ifndef POLICY_ACT_REVERSAL_H
#define POLICY_ACT_REVERSAL_H

#include "act/victims/victims.h"

/* At the beginning of a decision: drops the pairs that do not hold any more. */
void pc_reversals_begin(struct policy *);

/* Marks the jobs that the one that the search is for may not displace; see pc_is_reversal(). */
void pc_reversals_mark(struct pc_search *);

/* Returns whether that job is marked. If the mark expires with time, the next decision is due by
 * then. */
bool pc_is_reversal(const struct pc_search *, uint32_t other);

/* Makes room for as many pairs as there are victims in c->evicted. False: no memory. */
bool pc_reversals_reserve(struct policy *);

/* Adds the pairs of the search, which has succeeded: all jobs that lost tasks in it were displaced.
 */
void pc_reversals_add(const struct pc_search *);

/* Returns whether both jobs of the pair still exist. */
bool pc_pair_holds(const struct pc_cluster *, const struct pc_pair *);

/* Adds a pair; there is room for it. Pairs are added by time. */
void pc_reversals_add_pair(struct pc_cluster *, uint32_t by, uint32_t loser, policy_time at);

/* Returns what is wrong with the pairs; NULL if nothing is. */
const char *pc_reversals_check(const struct pc_cluster *);

#endif
