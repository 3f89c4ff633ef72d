/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot's SVG prepared for a page: kept, removed and refused parts. */
#include "report/figures/figures.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 800 320\"\n "                                  \
    "xmlns=\"http://www.w3.org/2000/svg\"\n>\n\n"                                                  \
    "<title>t</title>\n<g id=\"gnuplot_canvas\">\n\n<defs>\n\t<circle id='gpDot'/>\n</defs>\n"
#define TAIL "</g>\n</svg>\n"
#define OPEN                                                                                       \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 320\" role=\"img\" "              \
    "font-size=\"13\" "                                                                            \
    "aria-label=\"a &lt;b&gt; &amp; &quot;c&quot;\">\n<g>\n"

static const struct {
    const char *svg;
    const char *body; /* between OPEN and TAIL; NULL: refused */
} rows[] = {
    {HEAD TAIL, ""},
    // The page determines the ink; attributes that the page sets once are removed.
    {HEAD "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\" "
          "stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n\t<path stroke='black'  d='M1,2 "
          "L3,4  '/></g>\n" TAIL,
     "<g fill=\"none\" stroke=\"currentColor\">\n<path stroke='currentColor'  d='M1,2 L3,4  "
     "'/></g>\n"},
    // Empty groups are removed.
    {HEAD
     "<g fill=\"none\" color=\"white\" stroke=\"currentColor\" stroke-width=\"1.00\">\n</g>\n" TAIL,
     ""},
    // Ids and hints are removed; texts stay, whatever they contain.
    {HEAD "\t<g id=\"x_plot_1\" ><title>color=\"black\"</title>\n\t\t<text>&lt;b> color=\"black\" "
          "url(#x)</text>\n\t</g>\n" TAIL,
     "<g>\n<text>&lt;b> color=\"black\" url(#x)</text>\n</g>\n"},
    // Rectangles of one style become one path; another style begins another path.
    {HEAD "\t\t<polygon fill = 'red'  points = '0,0 1,0 1,1 '/>\n\t\t<polygon fill = 'red'  points "
          "= '2,0 3,0 3,1 '/>\n"
          "\t\t<polygon fill = 'blue' points = '5,5 6,6 7,7 '/>\n" TAIL,
     "<path fill = 'red'  d='M0,0 1,0 1,1zM2,0 3,0 3,1z'/>\n<path fill = 'blue' d='M5,5 6,6 "
     "7,7z'/>\n"},
    // Colours of the palette become those of the page; others, and longer names that begin like
    // one, stay.
    {HEAD "<path stroke='rgb(  0, 114, 178)'  d='M1,2'/>\n<path stroke='rgb(1, 2, 3)' fill='rgb(  "
          "0, 114'/>\n"
          "<polygon fill = 'rgb(213,  94,   0)' points = '0,0 1,0 '/>\n" TAIL,
     "<path stroke='var(--c0)'  d='M1,2'/>\n<path stroke='rgb(1, 2, 3)' fill='rgb(  0, 114'/>\n"
     "<path fill = 'var(--c5)' d='M0,0 1,0z'/>\n"},
    // Filled circles stay single elements; the group around them stays open.
    {HEAD "<g fill=\"none\">\n<use xlink:href='#gpPt6' transform='translate(464.65,52.62) "
          "scale(2.92)' color='rgb(136, 136, 136)'/>\n</g>\n" TAIL,
     "<g fill=\"none\">\n<circle cx='464.65' cy='52.62' r='2.92' stroke='none' "
     "fill='var(--c7)'/>\n</g>\n"},
    {HEAD "<use xlink:href='#gpPt6' transform='translate(1,2) scale(3)' fill='url(#x)'/>\n" TAIL,
     NULL},
    // References to definitions, which are removed, are refused, and so are files that are not SVG
    // or incomplete.
    {HEAD "<use xlink:href='#gpPt0'/>\n" TAIL, NULL},
    {HEAD "<rect fill='url(#gpPat1)'/>\n" TAIL, NULL},
    {HEAD "</g>\n", NULL},
    {"plot failed\n", NULL},
    {"", NULL},
};

START_TEST(pictures_fit_into_the_page)
{
    char *inlined = figure_inline_svg(rows[_i].svg, "a <b> & \"c\"");
    if (!rows[_i].body) {
        ck_assert_ptr_null(inlined);
        return;
    }
    char *expected = malloc(sizeof OPEN + strlen(rows[_i].body) + sizeof TAIL);
    ck_assert_ptr_nonnull(expected);
    expected[0] = '\0';
    memcpy(expected, OPEN, sizeof OPEN);
    memcpy(expected + strlen(expected), rows[_i].body, strlen(rows[_i].body) + 1);
    memcpy(expected + strlen(expected), TAIL, sizeof TAIL);
    ck_assert_ptr_nonnull(inlined);
    ck_assert_str_eq(inlined, expected);
    free(expected);
    free(inlined);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figures_svg");
    TCase *tcase = tcase_create("inline");
    tcase_add_loop_test(tcase, pictures_fit_into_the_page, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
