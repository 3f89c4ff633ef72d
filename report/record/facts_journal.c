/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the facts and decisions of a run; see facts_journal.h. */
#include "report/record/facts_journal.h"

#include "policies/facts/write.h"
#include "sim/base/mem.h"

#include <stdlib.h>

bool facts_journal_open(struct facts_journal *j, const char *dir, const char *policy,
                        const struct scen_option *options, size_t option_count, struct err *err)
{
    *j = (struct facts_journal){.policy = policy, .options = options, .option_count = option_count};
    j->out = out_open_in(dir, "journal.jsonl", err);
    return j->out != NULL;
}

void facts_journal_fini(struct facts_journal *j)
{
    out_discard(j->out);
    text_fini(&j->line);
    j->out = NULL;
}

static void end_line(struct facts_journal *j)
{
    chain_end_line(&j->chain, &j->line);
    BUG_ON(j->line.failed); /* out of memory for one line */
    out_bytes(j->out, j->line.bytes, j->line.length);
    j->line.length = 0;
}

static void told(void *self, const struct fact *fact)
{
    struct facts_journal *j = self;
    fact_write(&j->line, fact);
    end_line(j);
}

static void begun(void *self, const struct sim *sim)
{
    struct facts_journal *j = self;
    struct fact_option *options = mem_alloc(j->option_count + 1, sizeof *options);
    for (size_t i = 0; i < j->option_count; i++)
        options[i] = (struct fact_option){j->options[i].name, j->options[i].value};
    const struct fact_policy policy = {.version = FACTS_VERSION,
                                       .contract = POLICY_VERSION,
                                       .name = j->policy,
                                       .seed = sim->config.policy.seed,
                                       .options = options,
                                       .option_count = (uint32_t)j->option_count};
    chain_begin(&j->chain);
    told(j, &(struct fact){.kind = FACT_POLICY, .at = sim->now_ms, .spec = &policy});
    free(options);
}

static void decided(void *self, const struct sim *sim, const struct policy_decision *decisions,
                    size_t count)
{
    struct facts_journal *j = self;
    told(j, &(struct fact){.kind = FACT_DECIDE, .at = sim->now_ms, .count = (uint32_t)count});
    for (size_t i = 0; i < count; i++) {
        const struct policy_decision *d = &decisions[i];
        const struct fact_decision line = {
            .at = sim->now_ms,
            .d = *d,
            .name = d->job.i != POLICY_NO_ID ? work_id(&sim->work.jobs[d->job.i]) : NULL,
            .node_name = d->node.i != POLICY_NO_ID ? sim->fleet->nodes[d->node.i].name : NULL};
        fact_write_decision(&j->line, &line);
        end_line(j);
    }
}

struct sim_facts facts_journal_listener(struct facts_journal *j)
{
    return (struct sim_facts){.self = j, .begun = begun, .told = told, .decided = decided};
}
