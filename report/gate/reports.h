/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's reports. Equal gates give equal bytes: no time, no host name, no path that was not
 * given. Each kind is a row here, printed by `list reports`; in every kind, each failure is
 * followed by the command that reproduces it.
 */
#ifndef REPORT_GATE_REPORTS_H
#define REPORT_GATE_REPORTS_H

#include "report/gate/gate.h"
#include "sim/base/out.h"

struct gate_report {
    const char *name; /* "junit" */
    const char *summary;
    void (*write)(const struct gate *, struct out *);
};

const struct gate_report *gate_reports(size_t *count);

void gate_report_json(const struct gate *, struct out *);
void gate_report_html(const struct gate *, struct out *);
void gate_report_markdown(const struct gate *, struct out *);
void gate_report_junit(const struct gate *, struct out *);
void gate_report_github(const struct gate *, struct out *);
void gate_report_sarif(const struct gate *, struct out *);
void gate_report_tap(const struct gate *, struct out *);
void gate_report_csv(const struct gate *, struct out *);

/* For a terminal. */
void gate_table(const struct gate *, struct out *, size_t width);

#endif
