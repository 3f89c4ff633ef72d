/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of CPU and memory by queue: used against entitled, and the dominant share. */
#include "report/page/html.h"
#include "report/words/units.h"

#include <math.h>

static void print_pair(struct out *out, double entitled, double used)
{
    char text[UNIT_TEXT];
    html_number(out, unit_amount(text, entitled));
    html_number(out, unit_amount(text, used));
    html_number(out, unit_percent(text, entitled > 0 ? used / entitled : (double)NAN));
}

static void print_queue(struct out *out, const cJSON *queue)
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, *queue->string ? queue->string : "(no name)");
    out_text(out, "</th>");
    print_pair(out, json_number_at(queue, "entitled_core_h"), json_number_at(queue, "used_core_h"));
    print_pair(out, json_number_at(queue, "entitled_gib_h"), json_number_at(queue, "used_gib_h"));
    html_number(out, unit_amount(text, json_number_at(queue, "share_deficit_core_h")));
    html_number(out, unit_percent(text, json_number_at(queue, "dominant_share")));
    out_text(out, "</tr>\n");
}

void html_hosts(const struct page *page)
{
    const cJSON *queue, *all = json_at(page->run->summary, "fairness.queues");
    bool any = json_number_at(page->run->summary, "hosts.cpu.held_core_h") > 0 ||
               json_number_at(page->run->summary, "hosts.mem.held_gib_h") > 0;
    if (!any || !cJSON_IsObject(all))
        return;
    html_open_table(page, "CPU and memory by queue", "hosts-by-queue", "numbers");
    out_text(page->out,
             "<thead><tr><th></th><th class=\"span\" scope=\"colgroup\" colspan=\"3\">core-hours"
             "</th><th class=\"span\" scope=\"colgroup\" "
             "colspan=\"3\">GiB-hours</th><th></th><th></th></tr>\n"
             "<tr><th scope=\"col\">Queue</th><th scope=\"col\" class=\"n\">entitled</th><th "
             "scope=\"col\" class=\"n\">used</th><th scope=\"col\" class=\"n\">share</th><th "
             "scope=\"col\" class=\"n\">entitled</th><th scope=\"col\" class=\"n\">used</th><th "
             "scope=\"col\" class=\"n\">share</th><th scope=\"col\" class=\"n\">owed "
             "core-hours</th><th scope=\"col\" "
             "class=\"n\">dominant share"
             "</th></tr></thead>\n<tbody>\n");
    cJSON_ArrayForEach(queue, all)
    {
        if (queue->string)
            print_queue(page->out, queue);
    }
    html_close_table(page);
}
