/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The split of the GPU-hours: productive hours and every loss, which add up to the installed hours.
 * Drawn in HTML, so it does not need gnuplot. Unknown losses are shown under their key.
 */
#include "report/page/html.h"
#include "report/words/losses.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>

static const char *const css[LOSS_GROUPS] = {"good", "lost", "idle", "gone"};

struct ledger {
    double installed, sum[LOSS_GROUPS], total;
    const cJSON *lost;
};

static struct ledger read_ledger(const struct rundir *run)
{
    struct ledger ledger = {.installed = json_number_at(run->summary, "gpu_hours.installed"),
                            .lost = json_at(run->summary, "gpu_hours.lost")};
    double productive = json_number_at(run->summary, "gpu_hours.productive");
    ledger.sum[LOSS_NONE] = isnan(productive) ? 0 : productive;
    for (int g = LOSS_NONE + 1; g < LOSS_GROUPS; g++)
        ledger.sum[g] = loss_sum(ledger.lost, (enum loss_group)g);
    for (int g = 0; g < LOSS_GROUPS; g++)
        ledger.total += ledger.sum[g];
    return ledger;
}

static void print_answer(struct out *out, const struct ledger *ledger)
{
    char share[UNIT_TEXT], hours[UNIT_TEXT], loss[UNIT_TEXT];
    const cJSON *largest = loss_largest(ledger->lost, LOSS_NONE);
    out_format(out, "<p>%s of %s installed GPU-hours were productive",
               unit_percent(share, ledger->sum[LOSS_NONE] / ledger->installed),
               unit_amount(hours, ledger->installed));
    if (largest) {
        out_text(out, "; the largest loss was \xE2\x80\x9C");
        html_text(out, loss_label(largest->string));
        out_format(out, "\xE2\x80\x9D with %s",
                   unit_percent(loss, largest->valuedouble / ledger->installed));
    }
    out_text(out, ".</p>\n");
    if (fabs(ledger->total - ledger->installed) > LOSS_TOLERANCE * ledger->installed)
        out_format(out, "<p class=\"fine\">Productive hours and losses add up to %s.</p>\n",
                   unit_amount(hours, ledger->total));
}

static void print_stack(struct out *out, const struct ledger *ledger)
{
    char text[UNIT_TEXT];
    out_text(out, "<div class=\"stack\" aria-hidden=\"true\">");
    for (int g = 0; g < LOSS_GROUPS; g++)
        if (ledger->sum[g] > 0)
            out_format(out, "<span class=\"%s\" style=\"width:%.2f%%\"></span>", css[g],
                       100 * ledger->sum[g] / ledger->total);
    out_text(out, "</div>\n<ul class=\"legend\">");
    for (int g = 0; g < LOSS_GROUPS; g++)
        out_format(out, "<li><i class=\"%s\"></i>%s %s</li>", css[g],
                   loss_group_label((enum loss_group)g),
                   unit_percent(text, ledger->sum[g] / ledger->installed));
    out_text(out, "</ul>\n");
}

static void print_row(struct out *out, const struct ledger *ledger, const char *kind,
                      const char *label, int group, double value, double scale)
{
    char text[UNIT_TEXT];
    out_format(out, "<tr class=\"%s\"><th scope=\"row\">", kind);
    html_text(out, label);
    out_text(out, "</th>");
    html_number(out, unit_amount(text, value));
    html_number(out, unit_percent(text, value / ledger->installed));
    out_text(out, "<td class=\"bar\">");
    if (value > 0 && scale > 0)
        out_format(out, "<span class=\"fill %s\" style=\"width:%.2f%%\"></span>", css[group],
                   100 * fmin(1, value / scale));
    out_text(out, "</td></tr>\n");
}

/* A loss that did not occur has no row. */
static void print_group(struct out *out, const struct ledger *ledger, int group, double scale)
{
    if (!(ledger->sum[group] > 0))
        return;
    print_row(out, ledger, "sum", loss_group_label((enum loss_group)group), group,
              ledger->sum[group], scale);
    const cJSON *item;
    cJSON_ArrayForEach(item, ledger->lost)
    {
        if (loss_is_amount(item) && item->valuedouble > 0 && group == (int)loss_group(item->string))
            print_row(out, ledger, "part", loss_label(item->string), group, item->valuedouble,
                      scale);
    }
}

void html_ledger(const struct page *page)
{
    struct ledger ledger = read_ledger(page->run);
    struct out *out = page->out;
    if (!(ledger.installed > 0) || !(ledger.total > 0))
        return;
    out_text(out, "<figure id=\"ledger\">\n<figcaption>\n<h2>Where did the GPU-hours go?</h2>\n");
    print_answer(out, &ledger);
    out_text(out, "<p class=\"fine\">Bars are shares of the installed GPU-hours. Data: ");
    html_link(page, "", "summary.json", "summary.json");
    out_text(out, "</p>\n</figcaption>\n<div>\n");
    print_stack(out, &ledger);
    out_text(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"GPU-hours\">\n<table>\n"
        "<thead><tr><th scope=\"col\">Use</th><th scope=\"col\" class=\"n\">GPU-hours</th>"
        "<th scope=\"col\" class=\"n\">Share</th><th class=\"bar\"></th></tr></thead>\n<tbody>\n");
    for (int g = 0; g < LOSS_GROUPS; g++)
        print_group(out, &ledger, g, ledger.installed);
    out_text(out, "</tbody>\n</table>\n</div>\n</div>\n</figure>\n");
}
