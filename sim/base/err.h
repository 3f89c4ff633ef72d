/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors as values. A function that can fail returns false (or -1) and fills the caller's `struct
 * err` with one message that a user can act on: file, line, value, what was expected, the nearest
 * valid name. The struct stays untouched on success, so calls chain with early returns:
 *
 *     if (!trace_open(&source, &options, err))
 *         return false;
 *
 * Nothing below sim/cli prints or exits; the command layer prints `msg` and exits with `code`.
 */
#ifndef SIM_BASE_ERR_H
#define SIM_BASE_ERR_H

#include <stdbool.h>

/* Exit codes of the program; an error carries the one it leads to. */
enum {
    EXIT_OK = 0,
    EXIT_DIFFER = 1,    /* gate failed, or outputs differ */
    EXIT_INPUT = 2,     /* usage, configuration or input error */
    EXIT_UNDECIDED = 3, /* inconclusive, incomplete, no answer */
    EXIT_INVARIANT = 4, /* an invariant of the simulation was violated */
    EXIT_BASELINE = 5,  /* baseline missing or incompatible */
    EXIT_INTERNAL = 70,
};

struct err {
    int code;
    char msg[1024];
};

/* Fills *err and returns false, so that callers write `return err_set(...)`. A message that does
 * not fit is cut. */
bool err_set(struct err *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before the message of an error that is already set; returns false. */
bool err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A mistake of ours, not of the user: prints the condition and ends the process with 70's abort.
 * Always compiled in.
 */
#define BUG_ON(cond) ((cond) ? bug_report(#cond, __FILE__, __LINE__) : (void)0)
_Noreturn void bug_report(const char *what, const char *file, int line);

#endif
