/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded outages of nodes (`outages_file`). Their nodes are checked when the fleet is built. */
#include "scenarios/load/fill.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "outages_file"

static void digest_outage(struct build *build, const struct trace_outage *row)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%" PRId64 ",%" PRId64, row->down_ms, row->up_ms);
    digest_add(&build->digest, row->node, strlen(row->node) + 1);
    digest_add(&build->digest, text, strlen(text) + 1);
}

/* Sorts by node, then by time; no two are equal. */
static int compare(const void *left, const void *right)
{
    const struct trace_outage *a = *(const struct trace_outage *const *)left;
    const struct trace_outage *b = *(const struct trace_outage *const *)right;
    int names = strcmp(a->node, b->node);
    if (names != 0)
        return names;
    if (a->down_ms != b->down_ms)
        return a->down_ms < b->down_ms ? -1 : 1;
    return a->origin.line < b->origin.line ? -1 : a->origin.line > b->origin.line;
}

/* Returns the first row about a node that is already down, or NULL. */
static const struct trace_outage *overlapping(const struct scen_outages *outages)
{
    const struct trace_outage *found = NULL;
    const struct trace_outage **sorted = mem_alloc(outages->count, sizeof *sorted);
    for (size_t i = 0; i < outages->count; i++)
        sorted[i] = &outages->rows[i];
    qsort(sorted, outages->count, sizeof *sorted, compare);
    for (size_t i = 1; i < outages->count && found == NULL; i++)
        if (strcmp(sorted[i - 1]->node, sorted[i]->node) == 0 &&
            sorted[i]->down_ms < sorted[i - 1]->up_ms)
            found = sorted[i];
    free(sorted);
    return found;
}

bool fill_outages(struct build *build)
{
    const char *name = fill_text(build->tree, KEY);
    struct scen_outages *outages = &build->scenario.outages;
    struct trace_outage *rows = NULL;
    if (!name || !build->files)
        return true;
    outages->file = build_file(build, KEY, name);
    if (!trace_read_outages(outages->file, &rows, &outages->count, build->err))
        return build_blame(build, KEY);
    build_keep(build, rows);
    outages->rows = rows;
    for (size_t i = 0; i < outages->count; i++) {
        if (rows[i].up_ms <= rows[i].down_ms)
            return build_fail_row(build, KEY, outages->file, &rows[i].origin, rows[i].origin.other,
                                  "the node '%.64s' is up again before it is down", rows[i].node);
        digest_outage(build, &rows[i]);
    }
    const struct trace_outage *twice = overlapping(outages);
    return twice == NULL ||
           build_fail_row(build, KEY, outages->file, &twice->origin, twice->origin.gpus,
                          "the node '%.64s' is down already", twice->node);
}
