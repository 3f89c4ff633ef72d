/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal with facts: everything that the policy core of a run was told and everything that it
 * decided, in the order in which it happened, as lines of policies/facts/. From them the same core
 * can be made again (`replay`).
 */
#ifndef REPORT_RECORD_FACTS_JOURNAL_H
#define REPORT_RECORD_FACTS_JOURNAL_H

#include "policies/facts/chain.h"
#include "scenarios/scenario.h"
#include "sim/sim.h"

/* Borrows the policy's name and options. */
struct facts_journal {
    struct out *out;
    const char *policy;
    const struct scen_option *options;
    size_t option_count;
    struct chain chain;
    struct text line;
};

/* DIR/journal.jsonl, which is there when `out` was closed. */
bool facts_journal_open(struct facts_journal *, const char *dir, const char *policy,
                        const struct scen_option *options, size_t option_count, struct err *);
void facts_journal_fini(struct facts_journal *); /* a zeroed one is fine */
struct sim_facts facts_journal_listener(struct facts_journal *);

#endif
