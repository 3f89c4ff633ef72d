/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of quotas by pool: each queue's entitlement and use in each pool. */
#include "report/page/html.h"
#include "report/words/units.h"

#include <math.h>

static void print_queue(struct out *out, const char *pools, const cJSON *queue)
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, pools);
    out_text(out, "</th><td>");
    html_text(out, *queue->string ? queue->string : "(no name)");
    out_text(out, "</td>");
    html_number(out, unit_amount(text, json_number_at(queue, "quota_gpu_h")));
    html_number(out, unit_amount(text, json_number_at(queue, "entitled_gpu_h")));
    html_number(out, unit_amount(text, json_number_at(queue, "used_gpu_h")));
    html_number(out, unit_amount(text, json_number_at(queue, "over_quota_gpu_h")));
    html_number(out, unit_percent(text, json_number_at(queue, "share")));
    out_text(out, "</tr>\n");
}

void html_pools(const struct page *page)
{
    const cJSON *pool, *queue, *all = json_at(page->run->summary, "fairness.pools");
    if (!cJSON_IsObject(all))
        return;
    html_open_table(page, "Quotas by pool", "quotas-by-pool", "numbers");
    out_text(page->out,
             "<thead><tr><th scope=\"col\">Pool</th><th scope=\"col\">Queue</th><th "
             "scope=\"col\" class=\"n\">quota GPU-h</th><th scope=\"col\" class=\"n\">entitled "
             "GPU-h</th><th scope=\"col\" class=\"n\">used GPU-h</th><th scope=\"col\" "
             "class=\"n\">over quota GPU-h</th><th scope=\"col\" class=\"n\">used/entitled</th>"
             "</tr></thead>\n<tbody>\n");
    cJSON_ArrayForEach(pool, all)
    {
        cJSON_ArrayForEach(queue, json_at(pool, "queues"))
        {
            if (pool->string && queue->string)
                print_queue(page->out, pool->string, queue);
        }
    }
    html_close_table(page);
}
