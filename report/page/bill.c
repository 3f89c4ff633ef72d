/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table of the bill: what queues, classes and models held, its cost, and the cost charged to
 * nobody.
 */
#include "report/results/bill.h"
#include "report/page/html.h"
#include "report/words/units.h"

#include <math.h>
#include <stdlib.h>

#define PARTS ((size_t)50) /* rows of one kind */

static void print_money(struct out *out, double usd, double all)
{
    char text[UNIT_TEXT];
    html_number(out, unit_amount(text, usd));
    html_number(out, unit_percent(text, all > 0 ? usd / all : (double)NAN));
}

static void print_part(struct out *out, const char *kind, const struct bill_part *part, double all)
{
    char text[UNIT_TEXT];
    out_format(out, "<tr><th scope=\"row\">%s ", kind);
    html_text(out, part->name);
    out_text(out, "</th>");
    html_number(out, unit_amount(text, json_number_at(part->of, "gpu_h")));
    html_number(out, unit_amount(text, json_number_at(part->of, "cpu_core_h")));
    html_number(out, unit_amount(text, json_number_at(part->of, "mem_gib_h")));
    html_number(out, unit_amount(text, json_number_at(part->of, "storage_usd")));
    print_money(out, part->usd, all);
    out_text(out, "</tr>\n");
}

static void print_parts(const struct page *page, const char *kind, const char *path, double all)
{
    size_t count;
    struct bill_part *parts = bill_parts(page->run->summary, path, &count);
    for (size_t i = 0; i < count && i < PARTS; i++)
        print_part(page->out, kind, &parts[i], all);
    free(parts);
}

void html_bill(const struct page *page)
{
    const cJSON *summary = page->run->summary;
    double all = json_number_at(summary, "cost.usd");
    if (json_at(summary, "cost.by_queue") == NULL)
        return;
    html_open_table(page, "Showback: who used what", "bill", "numbers");
    out_text(page->out,
             "<thead><tr><th></th><th scope=\"col\" class=\"n\">GPU-hours</th><th scope=\"col\" "
             "class=\"n\">core-hours</th><th scope=\"col\" class=\"n\">GiB-hours</th><th "
             "scope=\"col\" class=\"n\">storage, USD</th><th "
             "scope=\"col\" class=\"n\">USD</th><th scope=\"col\" class=\"n\">of the "
             "bill</th></tr></thead>\n<tbody>\n");
    print_parts(page, "queue", "cost.by_queue", all);
    for (size_t i = 0; i < BILL_REST; i++) {
        double usd = json_number_at(summary, bill_rest[i].path);
        if (!(usd > 0))
            continue;
        out_format(page->out, "<tr><th scope=\"row\">%s</th><td></td><td></td><td></td><td></td>",
                   bill_rest[i].name);
        print_money(page->out, usd, all);
        out_text(page->out, "</tr>\n");
    }
    print_parts(page, "class", "cost.by_class", all);
    print_parts(page, "model", "cost.by_model", all);
    html_close_table(page);
}
