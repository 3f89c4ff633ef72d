/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where standard output goes: how wide it is, and whether charts (report/terminal/spark.h) are
 * drawn on it and with what.
 *
 * On a terminal tables are as wide as it is and charts stand below them. Elsewhere nothing depends
 * on the environment: tables have their fixed width and there are no charts, unless --charts asks
 * for them.
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
