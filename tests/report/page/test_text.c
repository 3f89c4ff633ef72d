/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and links of the page. */
#include "report/page/html.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *html;
} text_rows[] = {
    {"plain", "plain"},
    {"<b>&\"x\"</b>", "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;"},
    {"it's", "it&#39;s"},
    {"caf\xC3\xA9", "caf\xC3\xA9"},
    {"\x01\xFF\n", "\\u0001\\xff\\n"},
    {"&amp;", "&amp;amp;"},
};

START_TEST(texts_are_escaped)
{
    struct out *out = out_memory();
    html_text(out, text_rows[_i].text);
    ck_assert_str_eq(out_memory_text(out, NULL), text_rows[_i].html);
    out_discard(out);
}
END_TEST

static const struct {
    const char *base, *prefix, *name, *label, *html;
} link_rows[] = {
    {"", "", "jobs.csv", "jobs.csv", "<a href=\"jobs.csv\">jobs.csv</a>"},
    {"../run 1/", "rep-1/", "a\"b.csv", "<x>",
     "<a href=\"../run%201/rep-1/a%22b.csv\">&lt;x&gt;</a>"},
    {"", "", "a#b?c%d:e", "x", "<a href=\"a%23b%3Fc%25d%3Ae\">x</a>"},
};

START_TEST(links_are_encoded)
{
    struct page page = {.out = out_memory(), .base = link_rows[_i].base};
    html_link(&page, link_rows[_i].prefix, link_rows[_i].name, link_rows[_i].label);
    ck_assert_str_eq(out_memory_text(page.out, NULL), link_rows[_i].html);
    out_discard(page.out);
}
END_TEST

static const struct {
    const char *dir, *page, *base;
} base_rows[] = {
    {"/a/b", "/a/b/report.html", ""},
    {"/a/b/", "/a/b//report.html", ""},
    {"/a/b", "/a/r.html", "b/"},
    {"/a/b", "/r.html", "a/b/"},
    {"/a/b", "/a/b/c/d/r.html", "../../"},
    {"/a/b", "/a/bc/r.html", "../b/"},
    {"/a/bc", "/a/b/r.html", "../bc/"},
    {"/x/y", "/a/b/r.html", "../../x/y/"},
    {"/a/./b/../c", "/a/r.html", "c/"},
    {"/", "/a/r.html", "../"},
    {"run", "report.html", "run/"},
    {"run", "run/report.html", ""},
    {".", "report.html", ""},
    {"./run/", "./out/x/report.html", "../../run/"},
};

START_TEST(the_way_to_the_run_is_relative)
{
    char *base = html_base(base_rows[_i].dir, base_rows[_i].page);
    ck_assert_str_eq(base, base_rows[_i].base);
    free(base);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("html_text");
    TCase *tcase = tcase_create("pieces");
    tcase_add_loop_test(tcase, texts_are_escaped, 0, ROWS(text_rows));
    tcase_add_loop_test(tcase, links_are_encoded, 0, ROWS(link_rows));
    tcase_add_loop_test(tcase, the_way_to_the_run_is_relative, 0, ROWS(base_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
