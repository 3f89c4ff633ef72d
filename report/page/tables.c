/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of waits by class, by size and by queue. */
#include "report/page/html.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_ROWS ((size_t)200)

static const char wait_heads[] =
    "<th scope=\"col\" class=\"n\">mean</th><th scope=\"col\" class=\"n\">p50</th>"
    "<th scope=\"col\" class=\"n\">p90</th><th scope=\"col\" class=\"n\">p95</th>"
    "<th scope=\"col\" class=\"n\">p99</th><th scope=\"col\" class=\"n\">max</th>"
    "<th scope=\"col\" class=\"n\">not started</th>";

/* A group without jobs has no row. */
static bool has_jobs(const cJSON *group)
{
    double jobs = json_number_at(group, "jobs");
    return cJSON_IsObject(group) &&
           (isnan(jobs) ? json_at(group, "wait_s.mean") != NULL : jobs > 0);
}

static void print_group(struct out *out, const char *name, const cJSON *group)
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, *name ? name : "(no name)");
    out_text(out, "</th>");
    html_number(out, unit_count(text, json_number_at(group, "jobs")));
    html_wait_cells(out, json_at(group, "wait_s"));
    html_number(out, unit_duration(text, json_number_at(group, "jct_s.mean")));
    html_number(out, unit_duration(text, json_number_at(group, "jct_s.p95")));
    out_text(out, "</tr>\n");
}

static void print_groups(const struct page *page, const char *title, const char *id,
                         const char *head, const cJSON *all)
{
    size_t rows = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, all)
    {
        rows += item->string && has_jobs(item);
    }
    if (rows == 0)
        return;
    html_open_table(page, title, id, "numbers");
    out_format(
        page->out,
        "<thead><tr><th></th><th></th><th class=\"span\" scope=\"colgroup\" colspan=\"%d\">Wait "
        "until first start</th><th class=\"span\" scope=\"colgroup\" colspan=\"2\">Completion "
        "time</th></tr>\n"
        "<tr><th scope=\"col\">%s</th><th scope=\"col\" class=\"n\">jobs</th>%s<th scope=\"col\" "
        "class=\"n\">mean</th><th scope=\"col\" class=\"n\">p95</th></tr></thead>\n<tbody>\n",
        HTML_WAIT_CELLS, head, wait_heads);
    cJSON_ArrayForEach(item, all)
    {
        if (item->string && has_jobs(item))
            print_group(page->out, item->string, item);
    }
    html_close_table(page);
}

void html_waits(const struct page *page)
{
    const cJSON *summary = page->run->summary;
    print_groups(page, "Waits by class", "by-class", "Class", json_at(summary, "by_class"));
    print_groups(page, "Waits by size", "by-size", "GPUs", json_at(summary, "by_size"));
}

/* -1 is an unlimited quota. */
static const char *quota(char text[UNIT_TEXT], double gpus)
{
    return gpus < 0 ? "unlimited" : unit_exact(text, gpus);
}

static void print_queue(const struct page *page, const struct rundir_queue *queue)
{
    struct out *out = page->out;
    char text[UNIT_TEXT];
    const cJSON *known = cJSON_GetObjectItemCaseSensitive(
        json_at(page->run->summary, "fairness.queues"), queue->name);
    double used = json_number_at(known, "used_gpu_h"),
           entitled = json_number_at(known, "entitled_gpu_h");
    used = isnan(used) ? queue->used_gpu_h : used;
    entitled = isnan(entitled) ? queue->entitled_gpu_h : entitled;
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, *queue->name ? queue->name : "(no name)");
    out_text(out, "</th>");
    html_number(out, unit_count(text, queue->jobs));
    html_number(out, quota(text, queue->quota_gpus));
    html_number(out, unit_exact(text, queue->weight));
    html_number(out, unit_amount(text, entitled));
    html_number(out, unit_amount(text, used));
    html_number(out, unit_percent(text, entitled > 0 ? used / entitled : (double)NAN));
    html_wait_cells(out, json_at(known, "wait_s"));
    out_text(out, "</tr>\n");
}

void html_queues(const struct page *page)
{
    size_t count;
    char *damage;
    struct rundir_queue *queues = rundir_queues(page->run, &count, &damage);
    size_t *ranks = rundir_queue_ranks(queues, count),
           shown = count < QUEUE_ROWS ? count : QUEUE_ROWS;
    if (count > 0) {
        html_open_table(page, "Queues", "by-queue", "numbers");
        out_format(
            page->out,
            "<thead><tr><th></th><th></th><th></th><th></th><th class=\"span\" scope=\"colgroup\" "
            "colspan=\"3\">GPU-hours</th><th class=\"span\" scope=\"colgroup\" colspan=\"%d\">Wait "
            "until first start</th></tr>\n<tr><th scope=\"col\">Queue</th><th scope=\"col\" "
            "class=\"n\">jobs</th><th scope=\"col\" class=\"n\">quota</th><th scope=\"col\" "
            "class=\"n\">weight</th>"
            "<th scope=\"col\" class=\"n\">entitled</th><th scope=\"col\" class=\"n\">used</th>"
            "<th scope=\"col\" class=\"n\">share</th>%s</tr></thead>\n<tbody>\n",
            HTML_WAIT_CELLS, wait_heads);
        for (size_t i = 0; i < shown; i++)
            print_queue(page, &queues[ranks[i]]);
        out_text(page->out, "</tbody>\n</table>\n</div>\n");
        if (shown < count)
            out_format(
                page->out,
                "<p class=\"fine\">The %zu queues with the largest entitlement of %zu.</p>\n",
                shown, count);
        out_text(page->out, "</section>\n");
    }
    free(ranks);
    free(damage);
    rundir_queues_free(queues, count);
}
