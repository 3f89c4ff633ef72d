/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C and kill as a question that long loops ask. A command that can stop in good order calls
 * cli_catch_signals() first and cli_interrupted() now and then; main() then exits with 128 + the signal. Commands that
 * never asked for it end at once. Threads that are started in between share the answer.
 */
#ifndef SIM_CLI_SIGNALS_H
#define SIM_CLI_SIGNALS_H

void cli_catch_signals(void);   /* SIGINT and SIGTERM wait from now on */
int cli_interrupted(void);      /* the one that waits, or 0 */
void cli_release_signals(void); /* they end the process again, one that waits at once */

#endif
