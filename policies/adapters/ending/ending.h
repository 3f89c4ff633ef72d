/* SPDX-License-Identifier: MIT */
/*
 * How a program ends on SIGINT, SIGTERM and SIGHUP, whatever it is blocked on: a fifo without a
 * writer, an idle pipe, a child, a lock, or foreign code in an endless loop.
 *     at once (initial state)     the first signal ends the process.
 *     in order (ending_in_order)  the first signal is recorded, and work that polls
 *                                 ending_signal() ends by itself. Whatever has not ended after
 *                                 ENDING_GRACE_MS, because it blocks or never polls, is ended by
 *                                 a timer.
 *     keeping (ending_keep)       in order, while partial results are being written: the grace
 *                                 period starts when that is done.
 *
 * The second signal ends the process at once in every state. The same signal again within 50 ms is
 * not a second one: timeout(1) signals the process and then its group, and a closing terminal hangs
 * up twice. Before the end, announced unfinished files are removed and the program has its last
 * word. The exit code is 128 + the signal. SIGHUP stays ignored if it was, as under nohup; SIGINT
 * does not, since shells start background jobs with SIGINT ignored and `kill -INT` must end them.
 *
 * Handlers rather than blocked signals: they reach a thread wherever it is, survive a fork, and are
 * reset by exec. Interrupted system calls are restarted (SA_RESTART), so only poll() and similar
 * calls return EINTR. Uses SIGALRM and ITIMER_REAL. Owns copies of the paths. All functions may be
 * called from any thread.
 */
#ifndef ADAPTERS_ENDING_H
#define ADAPTERS_ENDING_H

#include <stddef.h>

#define ENDING_GRACE_MS 800

/*
 * Installs the handlers. `last` (or NULL) is called in the handler right before the process ends by
 * `signal`: it must be async-signal-safe. `removed`: number of unfinished files removed.
 */
void ending_begin(void (*last)(int signal, int removed));

void ending_in_order(void);
void ending_at_once(void); /* ends the process if a signal was recorded */

/* What is kept if the process ends now, for the last word; stays the caller's. NULL: nothing worth
 * mentioning. */
void ending_holds(const char *what);
const char *ending_held(void);

int ending_signal(void); /* the recorded signal, or 0 */

/* Calls are paired; pairs may nest and overlap across threads. */
void ending_keep(void);
void ending_kept(void);

/*
 * Announces a file that is worthless until complete (a temporary file, a socket), right before it
 * is created. Returns a number for ending_file_done(), to be called once the file has its final
 * name or is gone; 0, which that ignores, if it could not be recorded.
 */
int ending_file(const char *path);
void ending_file_done(int number);
int ending_remove_files(
    void); /* for handlers, before another kind of end; returns how many there were */

/* A line for standard error, built without stdio or allocation: for handlers. Truncated if too
 * long. */
struct ending_line {
    size_t length;
    char text[1024];
};

void ending_put(struct ending_line *, const char *text);
void ending_put_number(struct ending_line *, long long value);
void ending_put_signal(struct ending_line *,
                       int signal);      /* "SIGINT"; "signal 35" if it has no known name */
void ending_write(struct ending_line *); /* appends the newline */

#endif
