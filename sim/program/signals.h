/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C and kill; see policies/adapters/ending/ending.h. By default a signal ends the program at
 * once. A command that can stop in good order and keep complete results calls cli_catch_signals()
 * first and then polls cli_interrupted(); main() then exits with 128 + the signal. A command that
 * does not poll, because it waits or computes, is ended within a second.
 */
#ifndef SIM_PROGRAM_SIGNALS_H
#define SIM_PROGRAM_SIGNALS_H

#include <stdbool.h>

struct sim;

void cli_begin_signals(void);   /* in main(), first */
void cli_catch_signals(void);   /* the first SIGINT, SIGTERM or SIGHUP is only noted from now on */
void cli_release_signals(void); /* signals end the program at once again, a recorded one included */

int cli_interrupted(void);                  /* the recorded signal, or 0 */
bool cli_stop(void *);                      /* whether one was: for struct work */
bool cli_go_on(void *, const struct sim *); /* whether none was: for struct simulation_options */

/*
 * Results that exist if the program is ended now: "out, without the report". Owned by the caller.
 */
void cli_holds(const char *what);

/* Around writing results that must be kept, however long it takes: a first signal is deferred. On
 * any thread. */
void cli_keep(void);
void cli_kept(void);

#endif
