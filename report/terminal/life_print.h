/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a job for people, in lines and tables, and as JSON. */
#ifndef REPORT_TERMINAL_LIFE_PRINT_H
#define REPORT_TERMINAL_LIFE_PRINT_H

#include "report/record/life.h"
#include "report/terminal/spark.h"

/* of a table for people; what is in the middle of longer ones is left out, and counted */
#define LIFE_ROWS 24

void life_print(const struct life *, enum spark, struct out *);

/*
 * Members of an object: "events" [{"at_s", "event", "tasks", "job" | "queue" | "where" | "class" |
 * "state", "action", "reason"}], "spans" [{"from_s", "to_s", "state", "reason"}], "waited_s" and
 * "waited_by_reason" [{"reason", "waited_s", "share"}].
 */
void life_json(const struct life *, struct json *);

#endif
