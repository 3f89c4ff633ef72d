/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The box at the top of a page: the results in words. */
#include "report/page/html.h"

void html_open_verdict(struct out *out, const char *title)
{
    out_format(out, "<section class=\"verdict\" id=\"verdict\">\n<h2>%s</h2>\n<dl>\n", title);
}

void html_verdict_line(struct out *out, const char *topic, const char *text, bool alarm)
{
    out_format(
        out, "<div%s><dt>%s%s</dt><dd>", alarm ? " class=\"alarm\"" : "",
        alarm ? "<span role=\"img\" aria-label=\"attention\">\xE2\x9A\xA0\xEF\xB8\x8E</span> " : "",
        topic);
    html_text(out, text);
    out_text(out, "</dd></div>\n");
}

void html_close_verdict(struct out *out)
{
    out_text(out, "</dl>\n</section>\n");
}

void html_verdict_box(struct out *out, const char *title, const struct verdict *verdict)
{
    html_open_verdict(out, title);
    for (size_t i = 0; i < verdict->count; i++)
        html_verdict_line(out, verdict->line[i].topic, verdict->line[i].text,
                          verdict->line[i].alarm);
    html_close_verdict(out);
}

void html_verdict(const struct page *page)
{
    struct verdict verdict;
    verdict_make(&verdict, page->run->summary);
    if (verdict.count > 0)
        html_verdict_box(page->out, "What happened", &verdict);
    verdict_free(&verdict);
}
