/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is worth a word about a simulation that has ended. */
#include "sim/program/command.h"
#include "sim/trace/read.h"
#include "sim/world/simulate.h"

#include <string.h>

/* An order by predictions is another one where there are none. */
static void note_predictions(const struct sim *sim)
{
    const struct policy_config *policy = &sim->config.policy;
    const struct policy_row *order = policy_order_row((size_t)policy->order);
    bool predicts =
        policy->plugin == NULL && order != NULL && strcmp(order->name, "predicted-gpu-time") == 0;
    if (predicts && sim->unestimated > 0)
        cli_note("policy '%s' orders by estimate_s: %llu jobs have none and come last, in order of "
                 "submission",
                 policy->preset, (unsigned long long)sim->unestimated);
}

/* That is what a snapshot without further jobs asks for. */
static void note_window(const struct sim *sim)
{
    if (sim->window_falls_back && sim->config.initial_state.next == NULL)
        cli_note("window.horizon: no job is submitted after the window begins, so it ends with the "
                 "last job");
}

void simulation_notes(const struct simulation *s)
{
    size_t count;
    note_predictions(s->sim);
    note_window(s->sim);
    const struct trace_note *notes = trace_notes(s->trace, &count);
    for (size_t i = 0; i < count; i++)
        trace_note_print(&notes[i], "trace");
}
