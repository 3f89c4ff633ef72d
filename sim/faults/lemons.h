/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding lemons: nodes that fail again and again. On a fleet of 2,000 nodes 1.2 % of them touched
 * 13 % of the jobs of a day (arXiv 2410.21680). A few counts over the last weeks reveal them; a
 * node's history holds these, and a rule sets the thresholds. Exclusion by users was a weak sign
 * there and is not used here.
 *
 *     note, note, ...  -->  struct fault_history  --judge-->  keep | test it when its job has ended
 *                                                             | quarantine
 *
 * A node that is removed is tested. The test finds 85 % of lemons (published: "over 85 % of the
 * nodes identified failed a later test") and nothing on other nodes.
 */
#ifndef SIM_FAULTS_LEMONS_H
#define SIM_FAULTS_LEMONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_signal {
    FAULT_SIGNAL_XID = 0,     /* an error of a GPU was logged */
    FAULT_SIGNAL_TICKET,      /* a repair was needed */
    FAULT_SIGNAL_OUT,         /* it was taken out of service */
    FAULT_SIGNAL_MULTI_NODE,  /* a job on several nodes failed because of it */
    FAULT_SIGNAL_SINGLE_NODE, /* a job that had only this node failed because of it */
    FAULT_SIGNALS
};

#define FAULT_HISTORY_SLOTS 32

/* The latest signals of one node, and the outcome of its single-node jobs. All zero for a node
 * without history. */
struct fault_history {
    int64_t at_ms[FAULT_HISTORY_SLOTS];
    uint8_t signal[FAULT_HISTORY_SLOTS]; /* 1 + enum fault_signal; 0: an empty slot */
    uint32_t next;                       /* the slot for the next signal: the oldest one */
    uint32_t jobs, failed; /* single-node jobs that ended, and failed ones among them */
};

struct fault_lemon_rule {
    int64_t window_ms;             /* older signals do not count */
    unsigned least[FAULT_SIGNALS]; /* number of such signals that incriminate the node; 0:
                                      ignored */
    unsigned least_jobs;           /* with this many single-node jobs or more... */
    double least_rate;             /* ...this share of failures incriminates it too; 0: ignored */
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
 * The result of testing a node, keyed by the node and the index of the test (from 0): a lemon is
 * recognised with probability `catches`, and other nodes never fail.
 */
#define FAULT_TEST_CATCHES 0.85
bool fault_lemon_test(uint64_t seed, uint32_t node, uint32_t test, bool lemon, double catches);

#endif
