/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal with facts: everything that the policy core of a run was told and decided, in order,
 * as lines of policies/facts/. `replay` recreates the core from it.
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

/* Opens DIR/journal.jsonl, which appears when `out` is closed. */
bool facts_journal_open(struct facts_journal *, const char *dir, const char *policy,
                        const struct scen_option *options, size_t option_count, struct err *);
void facts_journal_fini(struct facts_journal *); /* may be zeroed */
struct sim_facts facts_journal_listener(struct facts_journal *);

#endif
