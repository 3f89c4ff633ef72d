/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer's page: the part that works without scripts, the data, the script. The content
 * security policy permits only this script, by its digest, and no network access.
 */
#include "report/explore/assets.h"
#include "report/explore/data.h"

#include "report/page/html.h"
#include "report/words/losses.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

/* ---- the frame ---- */

static void put_head(struct out *out, const char *title)
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char hash[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
    sha256_init(&context);
    sha256_update(&context, strlen(explore_script), (const uint8_t *)explore_script);
    sha256_digest(&context, sizeof digest, digest);
    base64_encode_raw(hash, sizeof digest, digest);
    html_open_head(out, title, "explorer", hash);
    out_text(out, explore_style);
    out_text(out, "</style>\n</head>\n<body>\n<main>\n");
}

/* ---- the part without scripts ---- */

static const struct {
    enum explore_sum sum;
    const char *key; /* key of loss_label() */
} rungs[] = {
    {EXPLORE_DOWN, "down"},
    {EXPLORE_BURN_IN, "burn_in"},
    {EXPLORE_RECLAIMED, "reclaimed"},
    {EXPLORE_DRAINED, "drained"},
    {EXPLORE_NO_DEMAND, "idle_no_demand"},
    {EXPLORE_FRAGMENTED, "idle_fragmented"},
    {EXPLORE_HELD_BACK, "idle_blocked"},
};

static void put_amount(struct out *out, const char *label, double hours, double installed)
{
    char text[UNIT_TEXT];
    out_format(out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>", label,
               unit_count(text, hours));
    out_format(out, "<td class=\"n\">%s</td></tr>\n",
               unit_percent(text, installed > 0 ? hours / installed : (double)NAN));
}

static void put_ladder(struct out *out, const struct explore *e)
{
    double hours[EXPLORE_SUMS] = {0};
    for (size_t i = 0; i < e->bins.count; i++)
        for (int sum = 0; sum < EXPLORE_SUMS; sum++)
            hours[sum] += (double)e->bins.bins[i].sums[sum] / (1000.0 * 3600000.0);
    out_text(out,
             "<table><thead><tr><th scope=\"col\">GPU time of the whole run</th><th class=\"n\" "
             "scope=\"col\">GPU-hours</th><th class=\"n\" scope=\"col\">of "
             "installed</th></tr></thead>\n<tbody>\n");
    put_amount(out, "installed", hours[EXPLORE_INSTALLED], hours[EXPLORE_INSTALLED]);
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++)
        put_amount(out, loss_label(rungs[i].key), hours[rungs[i].sum], hours[EXPLORE_INSTALLED]);
    put_amount(out, "allocated", hours[EXPLORE_ALLOCATED], hours[EXPLORE_INSTALLED]);
    out_text(out, "</tbody></table>\n");
}

static void put_queues(struct out *out, const struct explore *e)
{
    char text[UNIT_TEXT];
    const struct sim *sim = e->sim;
    double *sums = mem_alloc(2 * sim->queue_count + 1, sizeof *sums);
    for (size_t i = 0; i < e->job_count; i++) {
        const struct explore_job *job = &e->jobs[i];
        if (!job->counted || job->first_start_ms == WORK_NEVER)
            continue;
        sums[2 * (size_t)job->queue]++;
        sums[2 * (size_t)job->queue + 1] += (double)explore_wait_ms(job) / 1000;
    }
    out_text(out,
             "<table><thead><tr><th scope=\"col\">Queue</th><th class=\"n\" scope=\"col\">jobs "
             "started</th><th class=\"n\" scope=\"col\">mean "
             "wait</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < sim->queue_count; i++) {
        if (!(sums[2 * i] > 0))
            continue;
        out_text(out, "<tr><th scope=\"row\">");
        html_text(out, sim->queues[i].name);
        out_format(out, "</th><td class=\"n\">%s</td>", unit_count(text, sums[2 * i]));
        out_format(out, "<td class=\"n\">%s</td></tr>\n",
                   unit_duration(text, sums[2 * i + 1] / sums[2 * i]));
    }
    out_text(out, "</tbody></table>\n");
    free(sums);
}

static void put_static(struct out *out, const struct explore *e)
{
    out_text(out, "<section class=\"block\">\n<h2>");
    html_text(out, e->title);
    out_text(out, " under ");
    html_text(out, e->policy);
    out_text(out, "</h2>\n");
    put_ladder(out, e);
    put_queues(out, e);
    out_text(out, "</section>\n");
}

/* ---- the page ---- */

static void put_data(struct out *out, const struct explore *e)
{
    struct pack pack = {0};
    explore_data(e, &pack);
    out_text(out, "<script type=\"application/octet-stream\" class=\"run\">");
    pack_base64(&pack, out);
    out_text(out, "</script>\n");
    pack_fini(&pack);
}

bool explore_page(const char *path, const struct explore *runs, size_t count, struct err *err)
{
    struct out *out = out_open(path, err);
    if (out == NULL)
        return false;
    put_head(out, runs[0].title);
    out_text(out, "<p class=\"kind\">fauxfleet: explorer of a simulated run</p>\n<h1>");
    html_text(out, runs[0].title);
    for (size_t i = 1; i < count; i++) {
        out_text(out, strcmp(runs[0].title, runs[i].title) == 0 ? ": " : " and ");
        if (strcmp(runs[0].title, runs[i].title) == 0) {
            html_text(out, runs[0].policy);
            out_text(out, " and ");
            html_text(out, runs[i].policy);
        } else {
            html_text(out, runs[i].title);
        }
    }
    out_text(out, "</h1>\n<noscript><p class=\"note\">Scripts are off, so this page shows tables "
                  "only.</p></noscript>\n<div id=\"explorer\"></div>\n<div id=\"static\">\n");
    for (size_t i = 0; i < count; i++)
        put_static(out, &runs[i]);
    out_text(out, "</div>\n");
    for (size_t i = 0; i < count; i++)
        put_data(out, &runs[i]);
    out_text(out, "</main>\n<script>");
    out_text(out, explore_script);
    out_text(out, "</script>\n</body>\n</html>\n");
    return out_close(out, err);
}
