/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a job as text and tables, and as JSON. */
#ifndef REPORT_TERMINAL_LIFE_PRINT_H
#define REPORT_TERMINAL_LIFE_PRINT_H

#include "report/record/life.h"
#include "report/terminal/spark.h"

/* rows of a printed table; the middle of a longer one is omitted, with a count */
#define LIFE_ROWS 24

void life_print(const struct life *, enum spark, struct out *);

/*
 * Members of an object: "events" [{"at_s", "event", "tasks", "job" | "queue" | "where" | "class" |
 * "state", "action", "reason"}], "spans" [{"from_s", "to_s", "state", "reason"}], "waited_s" and
 * "waited_by_reason" [{"reason", "waited_s", "share"}].
 */
void life_json(const struct life *, struct json *);

#endif
