/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The box at the top of the page: what happened, in words. */
#include "report/html.h"
#include "report/verdict.h"

void html_verdict(const struct page *page)
{
    struct out *out = page->out;
    struct verdict verdict;
    verdict_make(&verdict, page->run->summary);
    if (verdict.count > 0) {
        out_text(out, "<section class=\"verdict\" id=\"verdict\">\n<h2>What happened</h2>\n<dl>\n");
        for (size_t i = 0; i < verdict.count; i++) {
            const struct verdict_line *line = &verdict.line[i];
            out_format(out, "<div%s><dt>%s%s</dt><dd>", line->alarm ? " class=\"alarm\"" : "",
                       line->alarm ? "<span aria-label=\"attention:\">\xE2\x9A\xA0\xEF\xB8\x8E</span> " : "",
                       line->topic);
            html_text(out, line->text);
            out_text(out, "</dd></div>\n");
        }
        out_text(out, "</dl>\n</section>\n");
    }
    verdict_free(&verdict);
}
