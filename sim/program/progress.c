/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress bar: its text, when it is drawn, and how it is erased. */
#include "sim/program/progress.h"

#include "sim/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_CELLS   20
#define INTERVAL_NS INT64_C(100000000)

/* A line that wraps cannot be erased, so it is cut to the width of the terminal. */
static size_t terminal_columns(void)
{
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return (size_t)size.ws_col - 1;
#endif
    return 79;
}

void progress_begin(struct progress *progress, bool quiet)
{
    *progress = (struct progress){.shown = false};
    const char *term = getenv("TERM");
    if (quiet || !isatty(STDERR_FILENO) || !term || strcmp(term, "dumb") == 0)
        return;
    progress->shown = true;
    progress->columns = terminal_columns();
    progress->began_ns = clock_ns(CLOCK_MONOTONIC);
    progress->drawn_ns = progress->began_ns; // a very short run shows nothing
}

/* "950", "12.3k", "1.2M", "3.4G" */
static void event_text(char text[32], uint64_t events)
{
    static const char units[] = "kMGTPE";
    double value = (double)events;
    size_t unit = 0;
    if (events < 1000) {
        (void)snprintf(text, 32, "%d", (int)events);
        return;
    }
    for (value /= 1000; value >= 999.95; value /= 1000)
        unit++;
    (void)snprintf(text, 32, "%.1f%c", value, units[unit]);
}

/* The two largest units: "45s", "12m05s", "3h12m", "2d04h". */
static void duration_text(char text[32], double seconds)
{
    double s = fmin(fmax(seconds, 0), 1e17);
    int64_t whole = (int64_t)(s + 0.5), minutes = whole / 60, hours = minutes / 60;
    if (whole < 60)
        (void)snprintf(text, 32, "%ds", (int)whole);
    else if (minutes < 60)
        (void)snprintf(text, 32, "%dm%02ds", (int)minutes, (int)(whole % 60));
    else if (hours < 24)
        (void)snprintf(text, 32, "%dh%02dm", (int)hours, (int)(minutes % 60));
    else
        (void)snprintf(text, 32, "%lldd%02dh", (long long)(hours / 24), (int)(hours % 24));
}

/* "[########............]  41%  " */
static void bar_text(char head[64], double done)
{
    char bar[BAR_CELLS + 1];
    memset(bar, '.', BAR_CELLS);
    memset(bar, '#', (size_t)(done * BAR_CELLS));
    bar[BAR_CELLS] = '\0';
    (void)snprintf(head, 64, "[%s] %3d%%  ", bar, (int)(done * 100));
}

size_t progress_text(char text[PROGRESS_TEXT], uint64_t events, double fraction,
                     int64_t simulated_ms, double spent_s)
{
    char count[32], simulated[32], left[32], head[64] = "", tail[64] = "";
    event_text(count, events);
    duration_text(simulated, (double)simulated_ms / 1000);
    if (fraction >= 0) {
        double done = fmin(fraction, 1);
        bar_text(head, done);
        // The first moments say little about the rest.
        if (done >= 0.01) {
            duration_text(left, spent_s * (1 - done) / done);
            (void)snprintf(tail, sizeof tail, ", %s left", left);
        }
    }
    int n =
        snprintf(text, PROGRESS_TEXT, "%s%s events, %s simulated%s", head, count, simulated, tail);
    return n < 0 ? 0 : (size_t)n < PROGRESS_TEXT ? (size_t)n : PROGRESS_TEXT - 1;
}

static size_t count_text(char text[PROGRESS_TEXT], size_t done, size_t total, const char *what,
                         double spent_s)
{
    char head[64], tail[64] = "", left[32];
    double fraction = total > 0 ? (double)done / (double)total : 1.0;
    bar_text(head, fraction);
    if (done > 0) {
        duration_text(left, spent_s * (1 - fraction) / fraction);
        (void)snprintf(tail, sizeof tail, ", %s left", left);
    }
    int n = snprintf(text, PROGRESS_TEXT, "%s%zu of %zu %s%s", head, done, total, what, tail);
    return n < 0 ? 0 : (size_t)n < PROGRESS_TEXT ? (size_t)n : PROGRESS_TEXT - 1;
}

/* Replaces what stands there by n characters and blanks. */
static void draw(struct progress *progress, const char *text, size_t n)
{
    char line[2 * PROGRESS_TEXT + 2];
    size_t used = 0;
    n = n < progress->columns ? n : progress->columns;
    line[used++] = '\r';
    memcpy(line + used, text, n);
    used += n;
    for (size_t i = n; i < progress->width; i++)
        line[used++] = ' ';
    if (n == 0)
        line[used++] = '\r';
    (void)fwrite(line, 1, used, stderr);
    progress->width = n;
}

/* True when it is time to draw again. *spent_s: time since the start. */
static bool due(struct progress *progress, double *spent_s)
{
    if (!progress->shown)
        return false;
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    if (now - progress->drawn_ns < INTERVAL_NS)
        return false;
    progress->drawn_ns = now;
    *spent_s = (double)(now - progress->began_ns) / 1e9;
    return true;
}

void progress_update(struct progress *progress, uint64_t events, double fraction,
                     int64_t simulated_ms)
{
    double spent_s;
    if (!due(progress, &spent_s))
        return;
    char text[PROGRESS_TEXT];
    size_t n = progress_text(text, events, fraction, simulated_ms, spent_s);
    draw(progress, text, n);
}

void progress_count(struct progress *progress, size_t done, size_t total, const char *what)
{
    double spent_s;
    if (!due(progress, &spent_s))
        return;
    char text[PROGRESS_TEXT];
    size_t n = count_text(text, done, total, what, spent_s);
    draw(progress, text, n);
}

void progress_end(struct progress *progress)
{
    if (progress->shown && progress->width > 0)
        draw(progress, "", 0);
    progress->shown = false;
}
