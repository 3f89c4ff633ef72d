/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings of a gate other than worse metrics: a side that crashed, hung or hit a limit, decisions
 * that a second run does not reproduce, time and memory. Each kind is a row with the name and
 * description that all reports use.
 */
#ifndef REPORT_GATE_FINDINGS_H
#define REPORT_GATE_FINDINGS_H

#include "report/gate/state.h"

enum gate_finding_kind {
    GATE_CRASH,        /* a signal ended the process */
    GATE_EXIT,         /* it ended without a result */
    GATE_TIME_LIMIT,   /* it used more CPU time than a replica may */
    GATE_BLOCKED,      /* it made no progress for too long */
    GATE_MEMORY_LIMIT, /* it needed more memory than a replica may use */
    GATE_BY_CHANCE, /* the same replica made other decisions, or gave other results, when run again
                     */
    GATE_SLOWER,    /* the rest are resources, in the order of enum gate_resource */
    GATE_LARGER,
    GATE_LEAK,
    GATE_FINDING_KINDS
};

struct gate_finding_row {
    const char *name;        /* "random-decisions" */
    const char *words;       /* "does not decide the same twice" */
    const char *description; /* one sentence */
    enum gate_stage stage;   /* the stage that checks it */
};
extern const struct gate_finding_row gate_finding_rows[GATE_FINDING_KINDS];

struct gate_finding {
    enum gate_finding_kind kind;
    int side;
    size_t scenario;
    size_t replica; /* from 1; 0: no particular one */
    bool warning;   /* does not fail the gate */
    char *message;  /* one or more sentences on one line */
    char *detail;   /* further lines, such as the last output of the process; NULL: none */
};

/* Adds a finding and takes ownership of its texts. */
void gate_find(struct gate *, struct gate_finding);

/*
 * Returns the first finding of a stage that is not a warning, for one side or (SIDES) either; NULL
 * if there is none.
 */
const struct gate_finding *gate_finding_of(const struct gate *, enum gate_stage, int side);

/*
 * Returns all findings with their places and details, one or more lines each; "" if there are none.
 * The caller frees it.
 */
char *gate_findings_words(const struct gate *);

/* Returns where it was found: "candidate, scenario 'quota', replica 3". The caller frees it. */
char *gate_finding_place(const struct gate *, const struct gate_finding *);

/*
 * Returns "The candidate crashed in scenario 'quota', replica 3: ./mine.so: signal 11 (...)." The
 * caller frees it.
 */
char *gate_finding_sentence(const struct gate *, const struct gate_finding *);

#endif
