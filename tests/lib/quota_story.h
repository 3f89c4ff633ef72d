/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clusters under the quota policy described in text, so that a test of a rule is a row: the state,
 * and the expected decisions.
 *
 *     story_expects("node n0 2; queue a gpu=1; queue b gpu=1; job x a 2x1/1@n0*2; job y b 1x1",
 *                   "x/1!n0 y/0~n0");
 *
 * Lines end with ';'. The words of a line, and the defaults:
 *
 *     preset    NAME
 *               the policy, first of all; runai
 *     opt       NAME=VALUE ...
 *               its options, next
 *     node      NAME DEVICES [cpu=C] [mem=M] [tasks=N] [gpumem=M] [mig=single|free|2x3g+1x1g]
 *               [type=T] [pool=P] [label=K:V] ... [down|drain] [whole]
 *               cpu, mem: not modelled
 *     queue     NAME [in=PARENT] [gpu=QUOTA[/LIMIT[/WEIGHT]]] [cpu=...] [mem=...] [prio=P]
 *               [created=T] [pools=P,P] [by=P[+P]:QUOTA,...] [spans]
 *               [preempt_min=S] [reclaim_min=S] [used=PART]
 *               gpu=0/-/1 cpu=-/-/1 mem=-/-/1 prio=100
 *     job       NAME QUEUE [prio=P] [fixed] [at=T] [start=S|never] [stale=S] [limit=S]
 *               [run=S] [build|inference] SET ...
 *               prio=50, preemptible, started a minute ago
 *
 * '-' is unlimited. Devices and cores may have decimals. The queues and jobs listed first are the
 * oldest, unless created= and at= (seconds) say otherwise; start= and stale= are seconds ago. by=
 * are quotas by pool, which add up to the queue's. used= is a share of the cluster's devices. A
 * queue with keeps=DEVICES keeps that many for its build sessions.
 *
 * A set is TASKSxREQUEST[/MINIMUM][@PLACE,...]; with '&' in front it joins the pod set before it. A
 * request consists of parts joined by '+', such as 1+c4+r1000:
 *
 *     2      whole devices       .5     a share           m500     memory of a device
 *     3*.5   three shares        c1.5   cores             3*m500   memory of three devices
 *     3g     a MIG instance      r100   memory            k1:2     a node with this label
 *     t3     this device type is allowed, too
 *
 * Profiles are 1g, 2g, 3g, 4g (4 of 8 memory slices) and 7g. The places are those of the set's
 * tasks in order: n0 on that node, n0:3 on its device 3 (shares; n0:12 on two), with '!' behind it
 * being released; '-' pending, '?' gated, '+' succeeded, 'x' failed; with *3 behind it three of
 * these. The other tasks are pending.
 *
 * Decisions are words, too: x/0@n0 starts the first task of x on n0, x/0~n0 nominates it, x/1!n0
 * evicts the second. For part of a device ":DEVICES" follows. Expectations may have them in any
 * order.
 */
#ifndef TESTS_LIB_QUOTA_STORY_H
#define TESTS_LIB_QUOTA_STORY_H

#include "tests/lib/core.h"

#define STORY_NOW  INT64_C(1000000000) /* the time when a story begins */
#define STORY_MOST 48                  /* nodes, queues and jobs per story */

struct story_names {
    char of[STORY_MOST][12];
    uint32_t id[STORY_MOST]; /* the policy's ids */
    uint32_t count;
};

struct story {
    struct tally tally;
    struct policy *p;
    policy_time now;
    struct story_names nodes, queues, jobs;
    policy_job job_ids[STORY_MOST];
    const char *line; /* the current line, for messages */
};

/* Plays the story; fails the test, showing the line, if it is not valid or the policy refuses it.
 */
void story_open(struct story *, const char *text);
void story_tell(struct story *, const char *lines); /* plays more lines, now */
void story_close(struct story *);

policy_node story_node(const struct story *, const char *name);
policy_queue story_queue(const struct story *, const char *name);
policy_job story_job(const struct story *, const char *name);

/* Decides now; returns the decisions as words, in their order. */
const char *story_decide(struct story *, char *text, size_t size);

/* Decides now and compares, in any order; on failure shows the expectation, the decisions and
 * `what`. */
void story_decides(struct story *, const char *expected, const char *what);

/* Plays a story with one decision, once with and once without shortcuts; `what` names the rule. */
void story_expects(const char *text, const char *expected, const char *what);

/* The same, in this order. */
void story_expects_in_order(const char *text, const char *expected, const char *what);

/* A row of a table for loop tests. */
struct story_row {
    const char *what, *text, *expected;
};

/* The queue's fair share of devices, in thousandths, in the last decision. */
int64_t story_fair_share(const struct story *, const char *queue);

/* Decides now and returns the reason of the first eviction; POLICY_REASON_NONE if there is none. */
int32_t story_reason(struct story *);

#endif
