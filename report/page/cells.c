/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells shared by several tables of the page. */
#include "report/page/html.h"
#include "report/words/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void html_open_table(const struct page *page, const char *title, const char *id, const char *css)
{
    out_format(page->out, "<section class=\"block\" id=\"%s\">\n<h2>", id);
    html_text(page->out, title);
    out_text(page->out,
             "</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    html_text(page->out, title);
    out_format(page->out, "\">\n<table class=\"%s\">\n", css);
}

void html_close_table(const struct page *page)
{
    out_text(page->out, "</tbody>\n</table>\n</div>\n</section>\n");
}

void html_open_folded(const struct page *page, const char *title, const char *id, const char *css)
{
    out_format(page->out, "<details class=\"block\" id=\"%s\">\n<summary><h2>", id);
    html_text(page->out, title);
    out_text(page->out, "</h2></summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                        "aria-label=\"");
    html_text(page->out, title);
    out_format(page->out, "\">\n<table class=\"%s\">\n", css);
}

void html_close_folded(const struct page *page)
{
    out_text(page->out, "</tbody>\n</table>\n</div>\n</details>\n");
}

void html_number(struct out *out, const char *text)
{
    out_text(out, "<td class=\"n\">");
    if (strcmp(text, "-") == 0)
        out_text(out, "<span class=\"none\">\xE2\x80\x93</span>");
    else
        html_text(out, text);
    out_text(out, "</td>");
}

void html_items(const struct page *page, const struct html_items *table)
{
    html_open_table(page, table->title, table->id, "numbers");
    out_format(page->out,
               "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\" class=\"n\">in the "
               "window</th></tr></thead>\n<tbody>\n",
               table->heading);
    for (size_t i = 0; i < table->count; i++) {
        char text[UNIT_TEXT];
        const char *shown = item_text(text, &table->items[i], page->run->summary);
        if (shown == NULL)
            continue;
        out_text(page->out, "<tr><th scope=\"row\">");
        html_text(page->out, table->items[i].name);
        out_text(page->out, "</th>");
        html_number(page->out, shown);
        out_text(page->out, "</tr>\n");
    }
    html_close_table(page);
}

void html_wait_cells(struct out *out, const cJSON *waits)
{
    static const char *const keys[] = {"mean", "p50", "p90", "p95", "p99", "max"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char at_least[32], text[UNIT_TEXT], bound[UNIT_TEXT + 8];
        (void)snprintf(at_least, sizeof at_least, "%s_at_least", keys[i]);
        double value = json_number_at(waits, keys[i]), lower = json_number_at(waits, at_least);
        if (isnan(value) && !isnan(lower)) {
            (void)snprintf(bound, sizeof bound, "\xE2\x89\xA5 %s", unit_duration(text, lower));
            html_number(out, bound);
        } else {
            html_number(out, unit_duration(text, value));
        }
    }
    char count[UNIT_TEXT];
    double censored = json_number_at(waits, "censored");
    html_number(out, censored > 0 ? unit_count(count, censored) : "-");
}
