/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A progress bar on standard error:
 *
 *     [########............]  41%  1.2M events, 3d04h simulated, 12s left
 *
 * It is shown only on a terminal other than TERM=dumb, never with `quiet`. It uses no colours or
 * escape sequences, only carriage returns and blanks, so NO_COLOR has no effect. It reads the wall
 * clock, which influences no other output.
 */
#ifndef SIM_PROGRAM_PROGRESS_H
#define SIM_PROGRAM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRESS_TEXT 128

struct progress {
    bool shown;
    int64_t began_ns, drawn_ns;
    size_t columns; /* of the terminal that may be used */
    size_t width;   /* of what stands there now */
};

void progress_begin(struct progress *, bool quiet);

/*
 * `fraction` of the simulated time, 0..1, below 0 when unknown; `simulated_ms` since the start of
 * the simulation. Cheap enough for every thousand events: draws at most ten times a second.
 */
void progress_update(struct progress *, uint64_t events, double fraction, int64_t simulated_ms);

/* The same for work that is counted: "[####....] 41%  412 of 1,000 points, 12s left". Not from two
 * threads at once. */
void progress_count(struct progress *, size_t done, size_t total, const char *what);

/* Erases the bar. Messages may be printed then. */
void progress_end(struct progress *);

/* The line itself, for a wall time spent: returns its length. */
size_t progress_text(char text[PROGRESS_TEXT], uint64_t events, double fraction,
                     int64_t simulated_ms, double spent_s);

#endif
