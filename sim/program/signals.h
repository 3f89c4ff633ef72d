/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C and kill; see policies/adapters/ending/ending.h. At first a signal ends the program at
 * once. A command that can stop in good order, and keep what is complete, calls cli_catch_signals()
 * first and cli_interrupted() now and then; main() then exits with 128 + the signal. Whatever does
 * not ask, because it waits or calculates, is ended within a second.
 */
#ifndef SIM_PROGRAM_SIGNALS_H
#define SIM_PROGRAM_SIGNALS_H

#include <stdbool.h>

struct sim;

void cli_begin_signals(void);   /* in main(), first */
void cli_catch_signals(void);   /* the first SIGINT, SIGTERM or SIGHUP is only noted from now on */
void cli_release_signals(void); /* it ends the program at once again, as does one that was noted */

int cli_interrupted(void);                  /* the one that was noted, or 0 */
bool cli_stop(void *);                      /* whether one was: for struct work */
bool cli_go_on(void *, const struct sim *); /* whether none was: for struct simulation_options */

/* What there is to say of results if the program is ended now: "out, without the report". Stays the
 * caller's. */
void cli_holds(const char *what);

/* Around the writing of what is to be kept, however long it takes: a first signal waits for it. On
 * any thread. */
void cli_keep(void);
void cli_kept(void);

#endif
