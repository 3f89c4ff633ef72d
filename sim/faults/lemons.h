/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding lemons: nodes that fail again and again. On a fleet of 2,000 nodes 1.2 % of them touched
 * 13 % of the jobs of a day (arXiv 2410.21680). What gives them away are a few counts over the last
 * weeks; a node's history holds them, and a rule says how many are too many. What users exclude by
 * hand was a weak sign there and is none here.
 *
 *     note, note, ...  -->  struct fault_history  --judge-->  keep | test it when its job has ended
 *                                                             | quarantine
 *
 * A node that is taken out is tested. The test finds 85 % of lemons (published: "over 85 % of the
 * nodes identified failed a later test") and nothing wrong with others.
 */
#ifndef SIM_FAULTS_LEMONS_H
#define SIM_FAULTS_LEMONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_signal {
    FAULT_SIGNAL_XID = 0,     /* an error of a GPU was logged */
    FAULT_SIGNAL_TICKET,      /* somebody had to repair something */
    FAULT_SIGNAL_OUT,         /* it was taken out of service */
    FAULT_SIGNAL_MULTI_NODE,  /* a job on several nodes failed because of it */
    FAULT_SIGNAL_SINGLE_NODE, /* a job that had only this node failed because of it */
    FAULT_SIGNALS
};

#define FAULT_HISTORY_SLOTS 32

/* The last signals of one node, and how its single-node jobs went. All zero is a node of which
 * nothing is known. */
struct fault_history {
    int64_t at_ms[FAULT_HISTORY_SLOTS];
    uint8_t signal[FAULT_HISTORY_SLOTS]; /* 1 + enum fault_signal; 0: an empty slot */
    uint32_t next;                       /* the slot for the next signal: the oldest one */
    uint32_t jobs, failed; /* single-node jobs that ended, and those of them that failed */
};

struct fault_lemon_rule {
    int64_t window_ms;             /* older signals do not count */
    unsigned least[FAULT_SIGNALS]; /* so many of a kind speak against the node; 0: this kind is not
                                      looked at */
    unsigned least_jobs;           /* of so many single-node jobs or more... */
    double least_rate;   /* ...this share failed: that speaks against it too; 0: not looked at */
    unsigned quarantine; /* kinds that have to speak for quarantine; any fewer, but one: a test */
};

enum fault_verdict { FAULT_KEEP = 0, FAULT_TEST, FAULT_QUARANTINE };

/* 28 days; three of a kind; half of at least six jobs; two kinds for quarantine. Our choice: no
 * thresholds are published. */
extern const struct fault_lemon_rule fault_lemon_rule_usual;

void fault_history_note(struct fault_history *, enum fault_signal, int64_t now_ms);
void fault_history_job(struct fault_history *, bool failed); /* a single-node job ended */

/* How many signals of the kind there were from `since_ms` on. */
unsigned fault_history_count(const struct fault_history *, enum fault_signal, int64_t since_ms);

enum fault_verdict fault_lemon_judge(const struct fault_lemon_rule *, const struct fault_history *,
                                     int64_t now_ms);

/*
 * What a test of a node finds, keyed by node and number of the test (from 0): a lemon is recognised
 * with probability `catches`, and a node that is none never fails it.
 */
#define FAULT_TEST_CATCHES 0.85
bool fault_lemon_test(uint64_t seed, uint32_t node, uint32_t test, bool lemon, double catches);

#endif
