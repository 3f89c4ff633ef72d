/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison for a terminal: the differences between the scenarios, the verdict, one table per
 * section.
 */
#include "report/compare/comparison.h"
#include "report/measure/speeds.h"
#include "report/stats/skewed.h"
#include "report/terminal/table.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS      6
#define CHANGES      ((size_t)40)
#define OTHERS_SHOWN ((size_t)24)

static void print_sides(const struct comparison *c, struct out *out)
{
    for (int side = 0; side < SIDES; side++) {
        const struct rundir *run = &c->pairing.run[side];
        char *dir = unit_name(run->path, 60),
             *scenario = unit_name(json_text_at(run->summary, "scenario"), 40);
        char *policy = unit_name(json_text_at(run->summary, "policy"), 24);
        out_format(out, "%c  %s: %s, policy %s", side == SIDE_A ? 'A' : 'B', dir,
                   *scenario ? scenario : "unnamed scenario", *policy ? policy : "-");
        if (side == SIDE_A && c->pairing.replicas > 1)
            out_format(out, ", %zu replicas from seed %.0f", c->pairing.replicas,
                       json_number_at(run->summary, "seed"));
        out_char(out, '\n');
        free(dir);
        free(scenario);
        free(policy);
    }
    if (c->pairing.change_count > 0)
        out_text(out, "What changed\n");
    for (size_t i = 0; i < c->pairing.change_count && i < CHANGES; i++) {
        const struct pairing_change *change = &c->pairing.changes[i];
        char *path = unit_name(change->path, 60), *text = pairing_change_text(change),
             *safe = unit_name(text, 0);
        out_format(out, "   %s: %s\n", path, safe);
        free(path);
        free(text);
        free(safe);
    }
    if (c->pairing.change_count > CHANGES)
        out_format(out, "   and %zu changes more (--json has them all)\n",
                   c->pairing.change_count - CHANGES);
    char *speeds = speeds_note(c->pairing.run[SIDE_A].summary, c->pairing.run[SIDE_B].summary);
    if (speeds != NULL)
        out_format(out, "   speeds: %s\n", speeds);
    free(speeds);
    out_char(out, '\n');
}

static void print_headline(const struct comparison *c, struct out *out)
{
    char *headline = comparison_headline(c);
    char *varied = comparison_varied(c);
    out_format(out, "%s\n", headline);
    if (varied != NULL)
        out_format(out, "%s\n", varied);
    free(headline);
    free(varied);
}

/* Shows every group and primary metric; other metrics of groups appear only on the page and in
 * JSON. Of the rest, shows those with a difference (with one replica: any that are not equal). */
static bool is_shown(const struct comparison *c, const struct comparison_row *row)
{
    const struct judgement *j = &row->judgement;
    if (row->section == SECTION_COST
            ? comparison_of_fleets(c)
            : row->section != SECTION_OTHER && row->section != SECTION_GROUPS)
        return true;
    if (comparison_better(row) == METRIC_NEUTRAL || row->section == SECTION_GROUPS)
        return false;
    return c->certain || c->pairing.replicas >= STAT_LEAST ? judge_found(j)
                                                           : j->verdict == JUDGE_NONE;
}

static void print_cost_note(const struct comparison *c, struct out *out)
{
    char *note = comparison_cost_note(c);
    if (note != NULL)
        out_format(out, "%s\n", note);
    free(note);
}

static size_t print_section(const struct comparison *c, enum comparison_section section,
                            struct out *out, size_t width)
{
    char title[64];
    (void)snprintf(title, sizeof title, "%g%% interval", 100 * (1 - c->alpha));
    struct table *table = table_create(COLUMNS);
    table_row(table, (const char *const[]){comparison_title(c, section), "A", "B", "B against A",
                                           title, "B is"});
    size_t rows = 0, left = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct comparison_row *row = &c->rows[i];
        if (row->section != section || !is_shown(c, row))
            continue;
        if (section == SECTION_OTHER && rows >= OTHERS_SHOWN) {
            left++;
            continue;
        }
        char a[COMPARISON_TEXT], b[COMPARISON_TEXT], change[COMPARISON_TEXT],
            interval[COMPARISON_TEXT];
        table_row(table, (const char *const[]){row->measure->path, comparison_value(a, row, SIDE_A),
                                               comparison_value(b, row, SIDE_B),
                                               comparison_change(change, row),
                                               comparison_interval(interval, row),
                                               judge_verdict_words[row->judgement.verdict]});
        rows++;
    }
    if (rows > 0) {
        out_char(out, '\n');
        table_print(table, out, width);
        if (section == SECTION_COST)
            print_cost_note(c, out);
    }
    table_destroy(table);
    return left;
}

static void print_winners(const struct comparison *c, enum comparison_section section,
                          const char *what, struct out *out)
{
    char *winners = comparison_names(c, section, JUDGE_BETTER),
         *losers = comparison_names(c, section, JUDGE_WORSE);
    if (winners != NULL || losers != NULL)
        out_format(out, "%s that wait less in B: %s; more: %s\n", what, winners ? winners : "none",
                   losers ? losers : "none");
    free(winners);
    free(losers);
}

void comparison_table(const struct comparison *c, struct out *out, size_t width)
{
    print_sides(c, out);
    losers_print(&c->losers, out);
    print_headline(c, out);
    risks_print(&c->risks, out);
    if (c->same_outputs) {
        lists_print(c->lists, c->list_count, out, width);
        return;
    }
    size_t left = 0;
    for (int section = 0; section < SECTIONS; section++)
        left += print_section(c, (enum comparison_section)section, out, width);
    if (left > 0)
        out_format(out, "and %zu more (--json has them all)\n", left);
    if (c->pairing.replicas > 1)
        out_text(out, "\nB against A is the change of the means, with its interval; verdicts are "
                      "corrected for the number of metrics in a section, so there may be none "
                      "although the interval excludes 0.\n");
    else if (c->certain)
        out_char(out, '\n');
    print_winners(c, SECTION_SIZE, "Sizes", out);
    print_winners(c, SECTION_QUEUE, "Queues", out);
    lists_print(c->lists, c->list_count, out, width);
}
