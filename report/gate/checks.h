/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate as checks, for reports in the form of tests; see report_tests.c and report_sarif.c. */
#ifndef REPORT_GATE_CHECKS_H
#define REPORT_GATE_CHECKS_H

#include "report/gate/state.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A gate as a list of checks: one for each stage that was reached, and one for each row if
 * statistics were.
 */
enum gate_outcome { GATE_CHECK_OK, GATE_CHECK_FAILED, GATE_CHECK_ERROR, GATE_CHECK_SKIPPED };
struct gate_check {
    const char *scope; /* "gate", or the name of a scenario */
    const char *name;  /* "identity", "wait_s.p95" */
    enum gate_outcome outcome;
    bool warning;  /* a guard: OK, but needs attention */
    size_t line;   /* in the suite's file; 0: none */
    char *message; /* the finding */
};
struct gate_checks {
    struct gate_check *rows;
    size_t count, capacity;
};
void gate_checks_list(const struct gate *, struct gate_checks *);
void gate_checks_free(struct gate_checks *);
size_t gate_checks_with(const struct gate_checks *, enum gate_outcome);

#endif
