/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings and the verdicts based on them; see findings.h. */
#include "report/gate/findings.h"

#include "report/gate/gate.h"
#include "report/gate/words.h"
#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdio.h>
#include <stdlib.h>

const struct gate_finding_row gate_finding_rows[GATE_FINDING_KINDS] = {
    [GATE_CRASH] = {"crash", "crashed", "A signal ended the process of a side.", GATE_PROCESSES},
    [GATE_EXIT] = {"exit", "ended without an answer",
                   "The process of a side ended before its replica was done.", GATE_PROCESSES},
    [GATE_TIME_LIMIT] = {"time-limit", "did not finish in time",
                         "A replica used more CPU time than --side-time allows, or one decision "
                         "more than --decision-limit.",
                         GATE_PROCESSES},
    [GATE_BLOCKED] = {"blocked", "stopped making progress",
                      "The process of a side used almost no CPU time for too long: it waits for "
                      "something, or was stopped.",
                      GATE_PROCESSES},
    [GATE_MEMORY_LIMIT] = {"memory-limit", "ran out of memory",
                           "A replica wanted more memory than --side-memory allows.",
                           GATE_PROCESSES},
    [GATE_BY_CHANCE] =
        {"random-decisions", "does not decide the same twice",
         "A replica that was run again in a fresh process gave other decisions or results.",
         GATE_REPEAT},
    [GATE_SLOWER] = {"slower", "takes longer to decide",
                     "The CPU time of a decision grew by more than the suite allows.",
                     GATE_RESOURCES},
    [GATE_LARGER] = {"memory", "needs more memory",
                     "The peak memory of a replica grew by more than the suite allows.",
                     GATE_RESOURCES},
    [GATE_LEAK] = {"leak", "leaks memory",
                   "The memory that is still held at the end of a replica grew, per decision, by "
                   "more than the suite allows.",
                   GATE_RESOURCES},
};

void gate_find(struct gate *g, struct gate_finding finding)
{
    g->findings =
        mem_grow(g->findings, &g->finding_capacity, g->finding_count + 1, sizeof *g->findings);
    g->findings[g->finding_count++] = finding;
}

const struct gate_finding *gate_finding_of(const struct gate *g, enum gate_stage stage, int side)
{
    for (size_t i = 0; i < g->finding_count; i++) {
        const struct gate_finding *f = &g->findings[i];
        if (gate_finding_rows[f->kind].stage == stage && (side == SIDES || f->side == side) &&
            !f->warning)
            return f;
    }
    return NULL;
}

char *gate_finding_place(const struct gate *g, const struct gate_finding *f)
{
    char *name = unit_name(g->scenarios[f->scenario].name, 0);
    char *place = f->replica > 0 ? mem_format("%s, scenario '%s', replica %zu",
                                              gate_side_names[f->side], name, f->replica)
                                 : mem_format("%s, scenario '%s'", gate_side_names[f->side], name);
    free(name);
    return place;
}

char *gate_finding_sentence(const struct gate *g, const struct gate_finding *f)
{
    char *name = unit_name(g->scenarios[f->scenario].name, 0);
    char replica[32] = "";
    if (f->replica > 0)
        (void)snprintf(replica, sizeof replica, ", replica %zu", f->replica);
    char *text = mem_format("The %s %s in scenario '%s'%s: %s", gate_side_names[f->side],
                            gate_finding_rows[f->kind].words, name, replica, f->message);
    free(name);
    return text;
}

/* Prints every line of a text, indented by two columns. */
static void put_lines(struct out *out, const char *text)
{
    bool begins = true;
    for (; *text != '\0'; text++) {
        out_text(out, begins ? "    " : "");
        out_char(out, *text);
        begins = *text == '\n';
    }
    out_text(out, begins ? "" : "\n");
}

char *gate_findings_words(const struct gate *g)
{
    struct out *out = out_memory();
    for (size_t i = 0; i < g->finding_count; i++) {
        const struct gate_finding *f = &g->findings[i];
        char *place = gate_finding_place(g, f);
        out_format(out, "%s %s: %s: %s\n", f->warning ? "Warning" : "Finding",
                   gate_finding_rows[f->kind].name, place, f->message);
        if (f->detail != NULL)
            put_lines(out, f->detail);
        free(place);
    }
    return out_memory_take(out);
}

/* Sets the verdict if a side fails regardless of its metrics, and then returns true. */
static bool failed(struct gate *g, enum gate_stage stage)
{
    const struct gate_finding *base = gate_finding_of(g, stage, SIDE_A);
    const struct gate_finding *candidate = gate_finding_of(g, stage, SIDE_B);
    const struct gate_finding *first = base != NULL ? base : candidate;
    if (first == NULL)
        return false;
    char *one = gate_finding_sentence(g, first);
    char *other =
        first == base && candidate != NULL ? gate_finding_sentence(g, candidate) : mem_text("");
    char *reason = base == NULL        ? mem_format("%s", one)
                   : candidate == NULL ? mem_format("There is nothing to compare with. %s", one)
                                       : mem_format("Both sides fail. %s %s", one, other);
    free(one);
    free(other);
    return gate_decide(g, stage, base != NULL ? GATE_BASE_FAILED : GATE_FAIL, reason);
}

bool gate_broken(struct gate *g)
{
    return failed(g, GATE_PROCESSES);
}

bool gate_random(struct gate *g)
{
    return failed(g, GATE_REPEAT);
}
