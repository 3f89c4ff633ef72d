/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports facts to the core and to the recorder. */
#include "sim/internal.h"

int sim_tell(struct sim *sim, struct fact *fact)
{
    fact->at = sim->now_ms;
    sim_begin_core(sim);
    int status = fact_tell(sim->policy, fact);
    sim_end_core(sim, false);
    if (status == POLICY_OK && sim->config.facts.told != NULL)
        sim->config.facts.told(sim->config.facts.self, fact);
    return status;
}

void sim_report_decisions(const struct sim *sim, const struct policy_decision *decisions,
                          size_t count)
{
    if (sim->config.facts.told != NULL)
        sim->config.facts.decided(sim->config.facts.self, sim, decisions, count);
}
