/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C and kill as a question that long loops ask. A command that can stop in good order calls
 * cli_catch_signals() first and cli_interrupted() now and then; main() then exits with 128 + the signal. A second
 * signal ends the process at once, and so does the first one in commands that never asked for it.
 */
#ifndef SIM_CLI_SIGNALS_H
#define SIM_CLI_SIGNALS_H

void cli_catch_signals(void); /* SIGINT and SIGTERM */
int cli_interrupted(void);    /* the signal that arrived, or 0 */

#endif
