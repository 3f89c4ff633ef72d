/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See glimpse.h. */
#include "traces/glimpse.h"

#include "sim/base/mem.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

struct taking {
    struct glimpse *glimpse;
    size_t fields; /* of the unfinished row, stored behind the last whole one */
};

static void on_field(void *text, size_t n, void *data)
{
    struct taking *taking = data;
    struct glimpse *g = taking->glimpse;
    if (g->rows > GLIMPSE_ROWS || taking->fields == GLIMPSE_COLUMNS)
        return;
    size_t at = g->rows * g->columns + taking->fields++;
    g->fields = mem_grow(g->fields, &g->capacity, at + 1, sizeof *g->fields);
    g->fields[at] = mem_text_n(text, n);
}

static void on_row(int end, void *data)
{
    struct taking *taking = data;
    struct glimpse *g = taking->glimpse;
    (void)end;
    if (g->rows == 0)
        g->columns = taking->fields;
    if (taking->fields > 0 && taking->fields == g->columns) {
        g->rows++;
    } else {
        for (size_t i = 0; i < taking->fields; i++)
            free(g->fields[g->rows * g->columns + i]);
    }
    taking->fields = 0;
}

bool glimpse_take(struct glimpse *glimpse, const char *head, size_t n, char delimiter)
{
    struct csv_parser parser;
    struct taking taking = {.glimpse = glimpse};
    *glimpse = (struct glimpse){.fields = NULL};
    if (csv_init(&parser, CSV_APPEND_NULL) != 0)
        return false;
    csv_set_delim(&parser, (unsigned char)delimiter);
    if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) {
        head += 3;
        n -= 3;
    }
    (void)csv_parse(&parser, head, n, on_field, on_row, &taking);
    if (glimpse->rows <= 1)
        (void)csv_fini(&parser, on_field, on_row, &taking);
    csv_free(&parser);
    for (size_t i = 0; i < taking.fields; i++)
        free(glimpse->fields[glimpse->rows * glimpse->columns + i]);
    return glimpse->rows > 0 && glimpse->columns > 1;
}

const char *glimpse_field(const struct glimpse *glimpse, size_t row, size_t column)
{
    return glimpse->fields[row * glimpse->columns + column];
}

void glimpse_fini(struct glimpse *glimpse)
{
    for (size_t i = 0; i < glimpse->rows * glimpse->columns; i++)
        free(glimpse->fields[i]);
    free(glimpse->fields);
}
