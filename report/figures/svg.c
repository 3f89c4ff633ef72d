/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adapts gnuplot's SVG for a page. gnuplot sets "black" on every group, uses the same ids in every
 * picture and writes each rectangle separately; on a page, lines must follow the text colour (dark
 * and light), ids must be unique and size matters. The code relies only on gnuplot printing one
 * element or group per line; unknown lines are copied.
 */
#include "report/figures/figures.h"
#include "report/figures/palette.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attributes that the page already sets, or that are SVG's defaults. */
static const struct {
    const char *from, *to;
} attributes[] = {
    {" color=\"black\"", ""},
    {" color=\"white\"", ""},
    {" color=\"gray\"", ""},
    {" font-family=\"sans-serif\"", ""},
    {" font-size=\"13.00\"", ""},
    {" stroke-width=\"1.00\"", ""},
    {" stroke-linecap=\"butt\"", ""},
    {" stroke-linejoin=\"miter\"", ""},
    {"\"black\"", "\"currentColor\""},
    {"'black'", "'currentColor'"},
    {"\"rgb(0,0,0)\"", "\"currentColor\""},
    {"'rgb(  0,   0,   0)'", "'currentColor'"},
};

/*
 * gnuplot writes a colour as "rgb(  0, 114, 178)": colours of the palette become variables. Returns
 * the length consumed.
 */
static size_t copy_color(struct out *out, const char *p, const char *end)
{
    static const char head[] = "rgb(";
    unsigned part[3];
    size_t n = sizeof head - 1, index;
    if ((size_t)(end - p) < n || memcmp(p, head, n) != 0)
        return 0;
    for (size_t i = 0; i < 3; i++) {
        while (p + n < end && p[n] == ' ')
            n++;
        part[i] = 0;
        for (; p + n < end && p[n] >= '0' && p[n] <= '9' && part[i] < 256; n++)
            part[i] = part[i] * 10 + (unsigned)(p[n] - '0');
        if (p + n >= end || p[n++] != (i < 2 ? ',' : ')'))
            return 0;
    }
    if (!palette_find(part[0], part[1], part[2], &index))
        return 0;
    out_text(out, palette_page(index));
    return n;
}

struct line {
    const char *text;
    size_t n;
};

static bool starts(const struct line *line, const char *prefix)
{
    size_t n = strlen(prefix);
    return line->n >= n && memcmp(line->text, prefix, n) == 0;
}

static bool is(const struct line *line, const char *text)
{
    return line->n == strlen(text) && starts(line, text);
}

/* Reads the next line without surrounding blanks; returns false at the end. */
static bool next_line(const char **at, struct line *line)
{
    const char *p = *at;
    if (*p == '\0')
        return false;
    size_t n = strcspn(p, "\n");
    *at = p + n + (p[n] == '\n');
    while (n > 0 && (*p == ' ' || *p == '\t')) {
        p++;
        n--;
    }
    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == '\r'))
        n--;
    *line = (struct line){.text = p, .n = n};
    return true;
}

/* Copies markup without the redundant attributes. */
static void copy_attributes(struct out *out, const char *p, const char *end)
{
    while (p < end) {
        size_t taken = copy_color(out, p, end), i = 0,
               rows = sizeof attributes / sizeof *attributes;
        p += taken;
        for (; taken == 0 && i < rows; i++) {
            size_t n = strlen(attributes[i].from);
            if ((size_t)(end - p) >= n && memcmp(p, attributes[i].from, n) == 0) {
                out_text(out, attributes[i].to);
                p += n;
                break;
            }
        }
        if (i == rows && taken == 0)
            out_char(out, *p++);
    }
}

static void copy_markup(struct out *out, const struct line *line)
{
    copy_attributes(out, line->text, line->text + line->n);
    out_char(out, '\n');
}

/*
 * Filled circles (pointtype 7) are the only points on pages. gnuplot refers to a definition,
 *     <use xlink:href='#gpPt6' transform='translate(464.65,52.62) scale(2.92)' color='C'/>
 * which is replaced by the circle itself. Returns false for any other line.
 */
static bool add_point(struct out *out, const struct line *line)
{
    char x[16], y[16], radius[16], text[160];
    int color = 0;
    if (line->n >= sizeof text)
        return false;
    memcpy(text, line->text, line->n);
    text[line->n] = '\0';
    if (sscanf(text,
               "<use xlink:href='#gpPt6' transform='translate(%15[-0-9.],%15[-0-9.]) "
               "scale(%15[0-9.])' %n",
               x, y, radius, &color) != 3 ||
        color == 0 || strncmp(text + color, "color=", 6) != 0)
        return false;
    out_format(out, "<circle cx='%s' cy='%s' r='%s' stroke='none' fill=", x, y, radius);
    copy_attributes(out, line->text + color + 6, line->text + line->n);
    out_char(out, '\n');
    return true;
}

/*
 * <polygon fill = 'C' fill-opacity='0.50'  points = 'x,y x,y '/>: the part before the points is the
 * style; consecutive rectangles of one style become one path. `style` is NULL while no path is
 * open.
 */
struct polygons {
    struct out *out;
    const char *style;
    size_t style_n;
};

static void close_path(struct polygons *polygons)
{
    if (polygons->style)
        out_text(polygons->out, "'/>\n");
    polygons->style = NULL;
}

static bool add_polygon(struct polygons *polygons, const struct line *line)
{
    static const char head[] = "<polygon", points[] = "points = '", tail[] = "'/>";
    if (!starts(line, head) || line->n < sizeof head + sizeof tail ||
        memcmp(line->text + line->n - (sizeof tail - 1), tail, sizeof tail - 1) != 0)
        return false;
    const char *at = strstr(line->text, points), *end = line->text + line->n - (sizeof tail - 1);
    if (!at || at >= end)
        return false;
    const char *style = line->text + sizeof head - 1;
    size_t n = (size_t)(at - style);
    if (!polygons->style || n != polygons->style_n || memcmp(style, polygons->style, n) != 0) {
        close_path(polygons);
        out_text(polygons->out, "<path");
        copy_attributes(polygons->out, style, style + n);
        out_text(polygons->out, "d='");
        polygons->style = style;
        polygons->style_n = n;
    }
    at += sizeof points - 1;
    while (end > at && end[-1] == ' ')
        end--;
    out_char(polygons->out, 'M');
    out_bytes(polygons->out, at, (size_t)(end - at));
    out_char(polygons->out, 'z');
    return true;
}

static void open_svg(struct out *out, const struct line *view_box, const char *label)
{
    out_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" ");
    out_bytes(out, view_box->text, view_box->n);
    out_text(out, " role=\"img\" font-size=\"13\" aria-label=\"");
    escape_markup(out, label);
    out_text(out, "\">\n");
}

/* Reads up to the drawing: keeps the view box, drops prolog, title, description and definitions. */
static bool copy_head(struct out *out, const char **at, const char *label)
{
    static const char end[] = "</defs>";
    const char *definitions = strstr(*at, end), *p = *at;
    struct line line, view_box = {0};
    while (definitions && next_line(&p, &line) && line.text < definitions)
        if (starts(&line, "viewBox="))
            view_box = line;
    if (!view_box.n || memchr(view_box.text, '>', view_box.n))
        return false;
    *at = definitions + sizeof end - 1;
    open_svg(out, &view_box, label);
    out_text(out, "<g>\n"); // the group that contained the definitions
    return true;
}

static bool contains(const struct line *line, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= line->n; i++)
        if (line->text[i] == *what && memcmp(line->text + i, what, n) == 0)
            return true;
    return false;
}

/* Definitions are dropped, so nothing may refer to them. Texts may contain anything. */
static bool refers(const struct line *line)
{
    return !starts(line, "<text>") && !starts(line, "<g id=") &&
           (contains(line, "url(#") || contains(line, "href="));
}

/*
 * Copies one line of the drawing. A group with an id is followed by a title, which a browser would
 * show as a tooltip.
 */
static void copy_line(struct out *out, const struct line *line)
{
    if (starts(line, "<g id="))
        out_text(out, "<g>\n");
    else if (starts(line, "<text>")) {
        out_bytes(out, line->text, line->n);
        out_char(out, '\n');
    } else if (line->n > 0)
        copy_markup(out, line);
}

char *figure_inline_svg(const char *svg, const char *label)
{
    struct out *out = out_memory();
    const char *at = svg;
    struct line line, group = {0};
    bool ok = copy_head(out, &at, label);
    struct polygons polygons = {.out = out};
    while (ok && next_line(&at, &line)) {
        if (add_polygon(&polygons, &line))
            continue;
        close_path(&polygons);
        if (group.n && is(&line, "</g>")) { // an empty group
            group.n = 0;
            continue;
        }
        if (group.n)
            copy_markup(out, &group);
        if (add_point(out, &line)) {
            group.n = 0;
            continue;
        }
        ok = !refers(&line);
        bool opens = starts(&line, "<g fill=") && !memchr(line.text + 1, '<', line.n - 1);
        group = opens ? line : (struct line){0};
        if (!opens)
            copy_line(out, &line);
    }
    size_t n = 0;
    const char *text = out_memory_text(out, &n);
    ok = ok && n > 7 && strcmp(text + n - 7, "</svg>\n") == 0;
    char *copy = ok ? mem_text_n(text, n) : NULL;
    out_discard(out);
    return copy;
}
