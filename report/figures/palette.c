/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of figures. */
#include "report/figures/palette.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *file, *light, *dark, *page;
} colors[PALETTE_COLORS] = {
    {"#0072B2", "#375D96", "#2086D5", "var(--c0)"}, {"#E69F00", "#CA8001", "#E4B21B", "var(--c1)"},
    {"#009E73", "#228457", "#46BC90", "var(--c2)"}, {"#CC79A7", "#B2669F", "#BB6EAF", "var(--c3)"},
    {"#56B4E9", "#0E9CCE", "#8FCBFF", "var(--c4)"}, {"#D55E00", "#C24F16", "#F2722E", "var(--c5)"},
    {"#F0E442", "#998F3C", "#EBDD0E", "var(--c6)"}, {"#888888", "#6D6D6D", "#838383", "var(--c7)"},
};

const char *palette_file(size_t index)
{
    return colors[index % PALETTE_COLORS].file;
}

size_t palette_class(const char *name, size_t index)
{
    static const struct {
        const char *name;
        size_t index;
    } rows[] = {{"build", 1}, {"train", 0}, {"distributed", 2}, {"inference", 3}, {"batch", 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].index;
    return index % PALETTE_COLORS;
}

const char *palette_page(size_t index)
{
    return colors[index % PALETTE_COLORS].page;
}

bool palette_find(unsigned red, unsigned green, unsigned blue, size_t *index)
{
    char name[3 * 8 + 2];
    (void)snprintf(name, sizeof name, "#%02X%02X%02X", red, green, blue);
    for (size_t i = 0; i < PALETTE_COLORS; i++) {
        if (strcmp(colors[i].file, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

void palette_variables(struct out *out, bool dark)
{
    for (size_t i = 0; i < PALETTE_COLORS; i++)
        out_format(out, "--c%zu:%s;", i, dark ? colors[i].dark : colors[i].light);
}
