/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stages, rows and resources of a gate as checks. */
#include "report/gate/checks.h"

#include "report/gate/findings.h"
#include "report/gate/gate.h"
#include "report/gate/resources.h"
#include "report/gate/words.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static struct gate_check *add(struct gate_checks *checks, const char *scope, const char *name,
                              enum gate_outcome outcome, char *message)
{
    checks->rows =
        mem_grow(checks->rows, &checks->capacity, checks->count + 1, sizeof *checks->rows);
    struct gate_check *check = &checks->rows[checks->count++];
    *check =
        (struct gate_check){.scope = scope, .name = name, .outcome = outcome, .message = message};
    return check;
}

/* Adds the stages up to the one that gave the verdict. */
static void add_stages(const struct gate *g, struct gate_checks *checks)
{
    for (int stage = 0; stage < GATE_STATISTICS && stage <= (int)g->stage; stage++) {
        bool here = stage == (int)g->stage;
        bool candidate = g->verdict == GATE_DIFFERENT || g->verdict == GATE_FAIL;
        enum gate_outcome outcome = !here || g->verdict == GATE_PASS ? GATE_CHECK_OK
                                    : candidate                      ? GATE_CHECK_FAILED
                                                                     : GATE_CHECK_ERROR;
        char *message = here && (stage == GATE_PROCESSES || stage == GATE_REPEAT)
                            ? gate_findings_words(g)
                        : here && g->verdict != GATE_DIFFERENT ? mem_text(g->reason)
                        : stage == GATE_IDENTITY               ? gate_difference_words(g)
                                                               : mem_text("");
        add(checks, "gate", gate_stage_names[stage], outcome, message);
    }
}

static void add_rows(const struct gate *g, struct gate_checks *checks)
{
    static const enum gate_outcome outcomes[GATE_ROW_VERDICTS] = {GATE_CHECK_SKIPPED, GATE_CHECK_OK,
                                                                  GATE_CHECK_FAILED, GATE_CHECK_OK};
    for (size_t i = 0; i < g->row_count; i++) {
        const struct gate_row *row = &g->rows[i];
        char *words = gate_row_words(g, row);
        struct gate_check *check =
            add(checks, g->scenarios[row->scenario].name, row->metric->path, outcomes[row->verdict],
                mem_format("%s: %s", gate_row_name(g, row), words));
        check->warning = row->verdict == GATE_ROW_WARN;
        check->line = row->metric->line;
        free(words);
    }
}

/* Values vary between runs, so only failed checks show theirs. */
static void add_resources(const struct gate *g, struct gate_checks *checks)
{
    for (size_t i = 0; g->costs != NULL && i < g->scenario_count * GATE_RESOURCE_COUNT; i++) {
        const struct gate_row *row = &g->costs[i];
        bool failed = row->verdict == GATE_ROW_FAIL, warned = row->verdict == GATE_ROW_WARN;
        if (row->metric->row == NULL)
            continue;
        struct gate_check *check =
            add(checks, g->scenarios[row->scenario].name, row->metric->path,
                failed ? GATE_CHECK_FAILED : GATE_CHECK_OK,
                failed || warned ? gate_resource_words(g, row)
                                 : mem_text("no growth beyond what the suite tolerates was found"));
        check->warning = warned;
    }
}

void gate_checks_list(const struct gate *g, struct gate_checks *checks)
{
    *checks = (struct gate_checks){0};
    add_stages(g, checks);
    if (gate_judged(g))
        add_rows(g, checks);
    add_resources(g, checks);
}

void gate_checks_free(struct gate_checks *checks)
{
    for (size_t i = 0; i < checks->count; i++)
        free(checks->rows[i].message);
    free(checks->rows);
    *checks = (struct gate_checks){0};
}

size_t gate_checks_with(const struct gate_checks *checks, enum gate_outcome outcome)
{
    size_t n = 0;
    for (size_t i = 0; i < checks->count; i++)
        n += checks->rows[i].outcome == outcome;
    return n;
}
