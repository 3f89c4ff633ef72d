/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page: its parts in order. Figures without data in this run are named in one line; figures
 * that could not be drawn are replaced by the reason.
 */
#include "report/page/html.h"

#include "report/report.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void print_head(const struct page *page)
{
    struct out *out = page->out;
    out_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; img-src data:\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"generator\" content=\"fauxfleet\">\n<title>");
    html_text(out, json_text_at(page->run->summary, "scenario"));
    out_text(out, ", ");
    html_text(out, json_text_at(page->run->summary, "policy"));
    out_text(out, " \xE2\x80\x93 fauxfleet</title>\n<style>\n");
    html_style(out);
    out_text(out, "</style>\n</head>\n<body>\n<main>\n");
}

static void print_sources(const struct page *page, const struct figure *figure)
{
    static const char *const suffixes[] = {"dat", "gp", "svg"};
    bool top = strcmp(figure->source, "summary.json") == 0;
    out_text(page->out, "<p class=\"fine\">");
    if (figure->method) {
        html_text(page->out, figure->method);
        out_char(page->out, ' ');
    }
    out_text(page->out, "Data: ");
    html_link(page, top ? "" : page->run->prefix, figure->source, figure->source);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        bool drawn = i < 2 || figure->svg;
        char *name = mem_format("%s.%s", figure->id, suffixes[i]);
        if (figure->written && drawn) {
            out_text(page->out, " \xC2\xB7 ");
            html_link(page, "figures/", name, suffixes[i]);
        }
        free(name);
    }
    out_text(page->out, "</p>\n");
}

void html_figure(const struct page *page, const struct figure *figure)
{
    struct out *out = page->out;
    if (figure->absent || (rundir_is_fill(page->run) && !figure->written))
        return;
    out_format(out, "<figure id=\"%s\">\n<figcaption>\n<h2>%s</h2>\n", figure->id,
               figure->question);
    if (figure->answer) {
        out_text(out, "<p>");
        html_text(out, figure->answer);
        out_text(out, "</p>\n");
    }
    if (!figure->note || figure->written)
        print_sources(page, figure);
    out_text(out, "</figcaption>\n");
    if (figure->svg) {
        out_text(out,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figure\">\n");
        out_text(out, figure->svg);
        out_text(out, "</div>\n");
    } else if (figure->note) {
        out_text(out, "<p class=\"note\">");
        html_text(out, figure->note);
        out_text(out, "</p>\n");
    }
    out_text(out, "</figure>\n");
}

/* Says which replica the figures show, and what is missing because the run did not write it. */
static void print_notes(const struct page *page)
{
    struct out *out = page->out;
    const char *named[FIGURES_MAX];
    size_t count = 0;
    if (page->run->replicas > 1)
        out_format(out,
                   "<p class=\"note\">Numbers are means over %d replicas (sd: standard deviation "
                   "between them); figures made from CSV files, quotas and job counts of queues "
                   "show replica 1.</p>\n",
                   page->run->replicas);
    for (size_t i = 0; i < page->figures->count; i++) {
        const struct figure *figure = &page->figures->figure[i];
        bool top = strcmp(figure->source, "summary.json") == 0;
        bool listed = !figure->absent || top || figure->optional ||
                      rundir_has(page->run, page->run->prefix, figure->source);
        for (size_t k = 0; k < count; k++)
            listed = listed || strcmp(named[k], figure->source) == 0;
        if (!listed)
            named[count++] = figure->source;
    }
    if (count == 0 || rundir_is_fill(page->run))
        return;
    out_text(out, "<p class=\"note\">This run wrote no ");
    for (size_t i = 0; i < count; i++)
        out_format(out, "%s%s", i == 0 ? "" : i + 1 == count ? " and no " : ", ", named[i]);
    out_text(out, ", so the figures made from them are not here.</p>\n");
}

static void print_page(const struct page *page)
{
    print_head(page);
    html_title(page);
    if (!rundir_is_fill(page->run))
        html_verdict(page);
    html_key_figures(page);
    print_notes(page);
    for (size_t i = 0; i < page->figures->count; i++) {
        html_figure(page, &page->figures->figure[i]);
        if (i == 0) // the ledger sums up what the first figure, the ladder, shows over time
            html_ledger(page);
    }
    if (!rundir_is_fill(page->run)) {
        html_waits(page);
        html_queues(page);
        html_pools(page);
        html_hosts(page);
        html_faults(page);
        html_speeds(page);
        html_models(page);
        html_deadlines(page);
        html_gpu_memory(page);
        html_dependencies(page);
        html_services(page);
        html_bill(page);
        html_measures(page);
    }
    html_appendix(page);
    out_text(page->out, "</main>\n</body>\n</html>\n");
}

bool report_write_html(const char *dir, const char *html_path, struct err *err)
{
    struct rundir run;
    if (!rundir_open(&run, dir, err))
        return false;
    struct figures figures = {0};
    bool ok = figures_make(&run, &figures, err);
    struct out *out = ok ? out_open(html_path, err) : NULL;
    ok = out != NULL;
    if (ok) {
        char *base = html_base(dir, html_path);
        struct page page = {.out = out, .run = &run, .figures = &figures, .base = base};
        print_page(&page);
        ok = rundir_intact(&run, err);
        if (ok)
            ok = out_close(out, err);
        else
            out_discard(out);
        free(base);
    }
    figures_free(&figures);
    rundir_close(&run);
    return ok;
}
