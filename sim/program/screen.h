/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where standard output goes: its width, and whether and how charts (report/terminal/spark.h) are
 * drawn.
 *
 * On a terminal tables have its width and charts follow them. Elsewhere nothing depends on the
 * environment: tables have a fixed width and there are no charts, unless --charts requests them.
 */
#ifndef SIM_PROGRAM_SCREEN_H
#define SIM_PROGRAM_SCREEN_H

#include "report/terminal/spark.h"
#include "sim/program/command.h"

struct screen {
    enum spark spark;
    size_t columns;
};

/*
 * `otherwise` is the width where there is no terminal. False with err set (EXIT_INPUT) when
 * --charts is not one of auto, never, ascii and unicode.
 */
bool screen_of(struct screen *, const struct cli *, size_t otherwise, struct err *);

#endif
