/* SPDX-License-Identifier: MIT */
/*
 * How a program ends by SIGINT, SIGTERM and SIGHUP, whatever it is waiting for: a fifo that nobody
 * opens, a pipe that stays idle, a child, a lock, or foreign code in an endless loop.
 *
 *     at once (at first)            the first signal ends the process.
 *     in order (ending_in_order)    the first signal is noted, and work that asks ending_signal()
 *                                   ends by itself. What has not ended ENDING_GRACE_MS later,
 *                                   because it waits or never asks, is ended by a timer.
 *     keeping (ending_keep)         in order, and partial results are being written: the time
 *                                   begins when that is done.
 *
 * The second signal ends the process at once in every state. The same signal again within 50 ms is
 * not a second one: timeout(1) signals the process and then its group, and a terminal that closes
 * hangs up twice. Before the end, files that were announced as unfinished are removed and the
 * program has its last word. The exit code is 128 + the signal. SIGHUP stays ignored if it was, as
 * under nohup; SIGINT does not, since shells start background jobs with SIGINT ignored and `kill
 * -INT` has to end them.
 *
 * Handlers and not blocked signals: they reach a thread wherever it is, a fork inherits them, and
 * an exec resets them. Interrupted system calls are restarted (SA_RESTART), so code in between sees
 * no EINTR but from poll() and its like. Uses SIGALRM and ITIMER_REAL. Owns copies of the paths.
 * All functions may be called from any thread.
 */
#ifndef ADAPTERS_ENDING_H
#define ADAPTERS_ENDING_H

#include <stddef.h>

#define ENDING_GRACE_MS 800

/*
 * Installs the handlers. `last` (or NULL) is called right before the process ends by `signal`,
 * inside the handler: it may only do what is safe there. `removed`: how many unfinished files were
 * removed.
 */
void ending_begin(void (*last)(int signal, int removed));

void ending_in_order(void);
void ending_at_once(void); /* ends the process if a signal has been noted */

/* What is kept if the process ends now, for its last word; stays the caller's. NULL: nothing to
 * speak of. */
void ending_holds(const char *what);
const char *ending_held(void);

int ending_signal(void); /* the one that was noted, or 0 */

/* In pairs, nested and on several threads. */
void ending_keep(void);
void ending_kept(void);

/*
 * Announces a file that is worth nothing before it is complete (a temporary file, a socket), right
 * before it is made. Returns a number for ending_file_done(), which is called once it has its final
 * name or is gone; 0, with which that does nothing, if there is no room to note it.
 */
int ending_file(const char *path);
void ending_file_done(int number);
int ending_remove_files(void); /* in handlers, before another kind of end; how many there were */

/* A line for standard error, made without stdio or memory: for handlers. Cut where it is too long.
 */
struct ending_line {
    size_t length;
    char text[1024];
};

void ending_put(struct ending_line *, const char *text);
void ending_put_number(struct ending_line *, long long value);
void ending_put_signal(struct ending_line *,
                       int signal);      /* "SIGINT"; "signal 35" where it has no name here */
void ending_write(struct ending_line *); /* with an end of line */

#endif
