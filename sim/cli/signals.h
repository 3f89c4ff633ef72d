/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C and kill as a question that long loops ask. A command that can stop in good order calls
 * cli_catch_signals() first and cli_interrupted() now and then; main() then exits with 128 + the signal. Commands that
 * never asked for it end at once. Threads that are started in between share the answer.
 */
#ifndef SIM_CLI_SIGNALS_H
#define SIM_CLI_SIGNALS_H

#include <stdbool.h>

struct sim;

void cli_catch_signals(void);   /* SIGINT, SIGTERM and SIGHUP wait from now on */
void cli_release_signals(void); /* they end the process again, one that waits at once */

int cli_interrupted(void);                  /* the one that waits, or 0 */
bool cli_stop(void *);                      /* whether one waits: for struct work */
bool cli_go_on(void *, const struct sim *); /* whether none does: for struct simulation_options */

#endif
