/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints lists on a terminal, as Markdown and on a page; see lists.h. */
#include "report/compare/lists.h"
#include "report/terminal/table.h"
#include "report/words/markdown.h"

void lists_print(const struct comparison_list *lists, size_t count, struct out *out, size_t width)
{
    for (size_t i = 0; i < count; i++) {
        const struct comparison_list *list = &lists[i];
        struct table *table = table_create(list->columns);
        table_row(table, list->head);
        for (size_t row = 0; row < list->rows; row++)
            table_row(table, (const char *const *)&list->cells[row * list->columns]);
        out_format(out, "\n%s\n", list->title);
        table_print(table, out, width);
        if (list->more != NULL)
            out_format(out, "%s\n", list->more);
        table_destroy(table);
    }
}

void lists_markdown(const struct comparison_list *lists, size_t count, struct out *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct comparison_list *list = &lists[i];
        out_format(out, "\n%s\n\n| ", list->title);
        for (size_t k = 0; k < list->columns; k++)
            markdown_cell(out, list->head[k]);
        out_text(out, "\n|");
        for (size_t k = 0; k < list->columns; k++)
            out_text(out, "---|");
        for (size_t row = 0; row < list->rows; row++) {
            out_text(out, "\n| ");
            for (size_t k = 0; k < list->columns; k++)
                markdown_cell(out, list->cells[row * list->columns + k]);
        }
        out_format(out, "\n%s%s%s", list->more ? "\n" : "", list->more ? list->more : "",
                   list->more ? "\n" : "");
    }
}

void lists_html(const struct comparison_list *lists, size_t count, const struct page *page)
{
    for (size_t i = 0; i < count; i++) {
        const struct comparison_list *list = &lists[i];
        html_open_table(page, list->title, list->id, "numbers");
        out_text(page->out, "<thead><tr>");
        for (size_t k = 0; k < list->columns; k++) {
            out_text(page->out, "<th scope=\"col\">");
            html_text(page->out, list->head[k]);
            out_text(page->out, "</th>");
        }
        out_text(page->out, "</tr></thead>\n<tbody>\n");
        for (size_t row = 0; row < list->rows; row++) {
            out_text(page->out, "<tr>");
            for (size_t k = 0; k < list->columns; k++) {
                out_text(page->out, k == 0 ? "<th scope=\"row\">" : "<td>");
                html_text(page->out, list->cells[row * list->columns + k]);
                out_text(page->out, k == 0 ? "</th>" : "</td>");
            }
            out_text(page->out, "</tr>\n");
        }
        html_close_table(page);
        if (list->more != NULL) {
            out_text(page->out, "<p class=\"fine\">");
            html_text(page->out, list->more);
            out_text(page->out, "</p>\n");
        }
    }
}
