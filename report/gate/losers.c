/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups that are worse off with the candidate, beyond the suite's metrics; see gate.h. */
#include "report/gate/losers.h"

#include "report/compare/comparison.h"
#include "report/gate/gate.h"
#include "report/words/markdown.h"
#include "report/words/units.h"

#include <stdlib.h>

static const char unknown[] = "The losers are unknown: this older baseline keeps no summaries. "
                              "Make it again with --save-baseline.";

/*
 * Returns the two-sided level of this look for one scenario; all looks and scenarios together have
 * alpha.
 */
static double alpha_of(const struct gate *g)
{
    double looks[STAT_LOOKS], levels[STAT_LOOKS];
    for (size_t k = 0; k < g->look_count; k++)
        looks[k] = g->looks[k];
    stat_spending_levels(looks, g->look_count, g->alpha / 2 / (double)g->scenario_count, levels);
    return 2 * levels[g->looked > 0 ? g->looked - 1 : 0];
}

bool gate_find_losers(struct gate *g, size_t scenario, const struct pairing_side sides[SIDES],
                      struct err *err)
{
    const struct comparison_options options = {.alpha = alpha_of(g)};
    struct gate_scenario *to = &g->scenarios[scenario];
    struct comparison c;
    if (!comparison_make(&c, sides, &options, err))
        return false;
    losers_fini(&to->losers);
    to->losers = c.losers; /* transfers ownership */
    to->knows_losers = true;
    c.losers = (struct losers){0};
    comparison_close(&c);
    return true;
}

static bool is_asked(const struct gate *g)
{
    return gate_judged(g);
}

void gate_losers_print(const struct gate *g, struct out *out)
{
    for (size_t s = 0; s < g->scenario_count && is_asked(g); s++) {
        char *name = unit_name(g->scenarios[s].name, 40);
        if (g->scenario_count > 1)
            out_format(out, "Scenario %s. ", name);
        free(name);
        if (g->scenarios[s].knows_losers)
            losers_print(&g->scenarios[s].losers, out);
        else
            out_format(out, "%s\n\n", unknown);
    }
}

void gate_losers_markdown(const struct gate *g, struct out *out)
{
    for (size_t s = 0; s < g->scenario_count && is_asked(g); s++) {
        if (g->scenario_count > 1) {
            out_text(out, "Scenario ");
            markdown_text(out, g->scenarios[s].name);
            out_text(out, ": ");
        }
        if (g->scenarios[s].knows_losers)
            losers_markdown(&g->scenarios[s].losers, out);
        else
            out_format(out, "%s\n\n", unknown);
    }
}

void gate_losers_json(const struct gate *g, struct json *j)
{
    static const char *const keys[] = {"losers", "observed_harms"};
    bool known = is_asked(g);
    for (size_t s = 0; s < g->scenario_count; s++)
        known = known && g->scenarios[s].knows_losers;
    json_bool(j, "losers_known", known);
    for (int list = 0; list < 2; list++) {
        json_begin_array(j, keys[list]);
        for (size_t s = 0; s < g->scenario_count && known; s++) {
            const struct losers *l = &g->scenarios[s].losers;
            for (size_t i = 0; i < l->count && l->too_few == (list == 1); i++)
                loser_json(&l->rows[i], g->scenarios[s].name, j);
        }
        json_end_array(j);
    }
}
