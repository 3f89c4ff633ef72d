/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colours of the printed style sheet: contrast by WCAG 2.2 (relative luminance of sRGB) in both
 * modes, and the distances of the figures' colours for every kind of colour vision: after Machado,
 * Oliveira and Fernandes (2009), severity 1.0, measured in CIE L*a*b* (D65).
 */
#include "report/figures/palette.h"
#include "report/page/html.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define APART 12.0 /* Okabe and Ito's own eight, including grey, reach 9.3 */

static double linear(unsigned part)
{
    double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* The value of a variable in the part of the sheet that begins with `mode`. */
static void color_of(const char *mode, const char *name, double rgb[3])
{
    struct out *out = out_memory();
    html_style(out);
    char wanted[32];
    unsigned red, green, blue;
    (void)snprintf(wanted, sizeof wanted, "--%s:#", name);
    const char *from = strstr(out_memory_text(out, NULL), mode),
               *at = from ? strstr(from, wanted) : NULL;
    ck_assert_msg(at != NULL, "no --%s", name);
    at += strlen(wanted);
    if (strspn(at, "0123456789abcdefABCDEF") == 3) { // "#fff"
        ck_assert_int_eq(sscanf(at, "%1x%1x%1x", &red, &green, &blue), 3);
        red *= 17;
        green *= 17;
        blue *= 17;
    } else {
        ck_assert_int_eq(sscanf(at, "%2x%2x%2x", &red, &green, &blue), 3);
    }
    rgb[0] = linear(red);
    rgb[1] = linear(green);
    rgb[2] = linear(blue);
    out_discard(out);
}

static double luminance(const double rgb[3])
{
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

static double contrast(const double a[3], const double b[3])
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static const char *const modes[] = {":root{", "prefers-color-scheme:dark"};

/* Text needs 4.5:1 (1.4.3), graphics 3:1 (1.4.11). */
static const struct {
    const char *name;
    double least;
} inks[] = {
    {"ink", 7}, {"soft", 4.5}, {"link", 4.5}, {"alarm", 4.5}, {"idle", 3}, {"c0", 3}, {"c1", 3},
    {"c2", 3},  {"c3", 3},     {"c4", 3},     {"c5", 3},      {"c6", 3},   {"c7", 3},
};

START_TEST(contrast_is_enough)
{
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        double page[3], ink[3];
        color_of(modes[m], "bg", page);
        color_of(modes[m], inks[_i].name, ink);
        double ratio = contrast(page, ink);
        ck_assert_msg(ratio >= inks[_i].least, "--%s in %s: %.2f", inks[_i].name, modes[m], ratio);
    }
}
END_TEST

START_TEST(black_on_white_is_the_most)
{
    const double black[3] = {0, 0, 0}, white[3] = {1, 1, 1};
    ck_assert_double_eq_tol(contrast(black, white), 21, 1e-9);
}
END_TEST

static const double visions[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static double bend(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : t * 24389 / 27 / 116 + 16.0 / 116;
}

static void lab_of(const double rgb[3], const double vision[3][3], double lab[3])
{
    double seen[3];
    for (size_t i = 0; i < 3; i++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++)
            sum += vision[i][k] * rgb[k];
        seen[i] = fmin(fmax(sum, 0), 1);
    }
    double x = bend((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
    double y = bend(luminance(seen)),
           z = bend((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

START_TEST(colors_differ_with_color_blindness)
{
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        double lab[PALETTE_COLORS][3];
        for (size_t c = 0; c < PALETTE_COLORS; c++) {
            char name[8];
            double rgb[3];
            (void)snprintf(name, sizeof name, "c%zu", c);
            color_of(modes[m], name, rgb);
            lab_of(rgb, visions[_i], lab[c]);
            for (size_t k = 0; k < c; k++) {
                double far = hypot(hypot(lab[c][0] - lab[k][0], lab[c][1] - lab[k][1]),
                                   lab[c][2] - lab[k][2]);
                ck_assert_msg(far >= APART, "c%zu and c%zu in %s: %.1f", k, c, modes[m], far);
            }
        }
    }
}
END_TEST

START_TEST(colours_of_files_are_those_of_the_page)
{
    size_t index;
    for (size_t c = 0; c < 2 * PALETTE_COLORS; c++) {
        unsigned red, green, blue;
        ck_assert_int_eq(sscanf(palette_file(c), "#%2x%2x%2x", &red, &green, &blue), 3);
        ck_assert(palette_find(red, green, blue, &index));
        ck_assert_uint_eq(index, c % PALETTE_COLORS);
        ck_assert_str_eq(palette_page(c), palette_page(index));
    }
    ck_assert(!palette_find(1, 2, 3, &index));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("html_style");
    TCase *tcase = tcase_create("colours");
    tcase_add_loop_test(tcase, contrast_is_enough, 0, ROWS(inks));
    tcase_add_test(tcase, black_on_white_is_the_most);
    tcase_add_loop_test(tcase, colors_differ_with_color_blindness, 0, ROWS(visions));
    tcase_add_test(tcase, colours_of_files_are_those_of_the_page);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
