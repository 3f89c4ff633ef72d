/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as Markdown, for a ticket: the answers, today's fleet and the alternatives. */
#include "report/plan/capacity.h"
#include "report/plan/capacity_cells.h"
#include "report/words/markdown.h"
#include "sim/base/mem.h"

#include <stdlib.h>

static void put_fleet(struct out *out, const char *name, const struct capacity_point *point,
                      const struct capacity_point *today)
{
    struct capacity_cells cells;
    capacity_cells(&cells, point, today);
    const char *const texts[] = {name,      cells.nodes,      cells.missed,  cells.risk,
                                 cells.usd, cells.more_nodes, cells.more_usd};
    out_text(out, "| ");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        markdown_cell(out, texts[i]);
    out_char(out, '\n');
}

static void put_options(struct out *out, const struct capacity_plan *plan)
{
    out_format(
        out,
        "\n| fleet | nodes | replicas that miss | risk (95%% interval) | USD a year%s | nodes "
        "against today | USD against today |\n|---|--:|--:|--:|--:|--:|--:|\n",
        plan->price_unverified ? " (?)" : "");
    put_fleet(out, "today", &plan->today, &plan->today);
    for (size_t i = 0; i < plan->option_count; i++) {
        const struct capacity *c = &plan->options[i];
        char *name;
        const struct capacity_point *shown = capacity_shown(c, &name);
        if (shown != NULL)
            put_fleet(out, name, shown, &plan->today);
        free(name);
    }
}

static void put_line(struct out *out, const char *text)
{
    if (text == NULL)
        return;
    out_char(out, '\n');
    markdown_text(out, text);
    out_char(out, '\n');
}

bool capacity_write_markdown(const struct capacity_plan *plan, const char *path, struct err *err)
{
    const struct capacity *best = &plan->options[plan->best];
    struct out *out = out_open(path, err);
    if (out == NULL)
        return false;
    out_text(out, "### fauxfleet plan: ");
    markdown_text(out, best->scenario);
    out_text(out, "\n\n");
    for (size_t t = 0; t < best->target_count; t++) {
        char *words = target_words(&best->targets[t]);
        out_text(out, "- target: ");
        markdown_text(out, words);
        out_char(out, '\n');
        free(words);
    }
    for (size_t i = 0; i < plan->option_count; i++) {
        char *headline = capacity_headline(&plan->options[i]);
        put_line(out, headline);
        free(headline);
    }
    put_options(out, plan);
    char *growth = capacity_growth_text(&plan->growth);
    put_line(out, growth);
    put_line(out, plan->price_note);
    free(growth);
    return out_close(out, err);
}
