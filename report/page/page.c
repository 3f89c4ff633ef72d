/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the other pages: their beginning, and figures whose files are beside them. */
#include "report/page/html.h"

#include "sim/base/mem.h"

#include <stdlib.h>

void html_open_head(struct out *out, const char *name, const char *title, const char *script_hash)
{
    out_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; img-src data:");
    if (script_hash != NULL)
        out_format(out, "; script-src 'sha256-%s'", script_hash);
    out_text(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"generator\" content=\"fauxfleet\">\n<title>");
    html_text(out, name);
    out_format(out, ": %s \xE2\x80\x93 fauxfleet</title>\n<style>\n", title);
    html_style(out);
}

void html_begin(struct out *out, const char *name, const char *title, const char *kind)
{
    html_open_head(out, name, title, NULL);
    out_format(out, "</style>\n</head>\n<body>\n<main>\n<p class=\"kind\">%s</p>\n<h1>", kind);
    html_text(out, name);
    out_text(out, "</h1>\n");
}

void html_figure_beside(const struct page *page, const struct figure *figure)
{
    static const char *const suffixes[] = {"dat", "gp", "svg"};
    struct out *out = page->out;
    if (figure->absent)
        return;
    out_format(out, "<figure id=\"%s\">\n<figcaption>\n<h2>%s</h2>\n<p>", figure->id,
               figure->question);
    html_text(out, figure->answer ? figure->answer : "");
    out_text(out, "</p>\n<p class=\"fine\">");
    html_text(out, figure->method ? figure->method : "");
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char *name = mem_format("%s.%s", figure->id, suffixes[i]);
        if (figure->written && (i < 2 || figure->svg)) {
            out_text(out, i == 0 ? " Data: " : " \xC2\xB7 ");
            html_link(page, "", name, suffixes[i]);
        }
        free(name);
    }
    out_text(out, "</p>\n</figcaption>\n");
    if (figure->svg) {
        out_text(out,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figure\">\n");
        out_text(out, figure->svg);
        out_text(out, "</div>\n");
    } else {
        out_text(out, "<p class=\"note\">");
        html_text(out, figure->note ? figure->note : "");
        out_text(out, "</p>\n");
    }
    out_text(out, "</figure>\n");
}
