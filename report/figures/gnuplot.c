/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot as a child process: no shell, no start-up files, locale C, no terminal; it runs in the
 * folder of the script, so scripts name only their own data.
 *
 * gnuplot does not check its reads and writes: on a full disk or a bad sector it draws an
 * incomplete picture and exits with 0. So two processes draw each picture, which is accepted only
 * if their bytes are equal.
 *
 * Most of the time of a process goes into its start, so one draws all figures of a report. If
 * anything about that is unusual, each figure gets a process of its own, which says what is wrong.
 */
#include "report/figures/figures.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SVG_LIMIT   ((size_t)16 << 20)
#define CPU_SECONDS 60
#define TWICE       2
#define PROLOG      "<?xml"

/* The first byte on stderr of a child that could not become gnuplot; errno follows. */
#define NOT_STARTED '\1'

extern char **environ;

/*
 * Commands after which gnuplot draws the next picture as a new process would. Its SVG terminal
 * begins a picture with the last colour of the one before; only a new page within a picture brings
 * the initial colour back, so here is one that nobody sees.
 */
static const char *const afresh[] = {"set terminal svg", "set output '/dev/null'",
                                     "set multiplot",    "unset multiplot",
                                     "set output",       "reset session"};
#define AFRESH (sizeof afresh / sizeof *afresh)

enum { PICTURE, COMPLAINTS, STREAMS };

/* A running gnuplot: its stdout and stderr are read until both have ended. */
struct drawing {
    pid_t child;
    int error, status; /* errno of a failure on our side; status from waitpid() */
    struct stream {
        int fd; /* -1: ended */
        char *text;
        size_t used, capacity;
    } streams[STREAMS];
};

/* --- the child --- */

/* Only calls that are safe between fork and exec. */
static _Noreturn void become_gnuplot(pid_t parent, const char *dir, char **arguments,
                                     const int output[STREAMS], char **environment)
{
    struct rlimit limit = {.rlim_cur = CPU_SECONDS, .rlim_max = CPU_SECONDS};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* dies with its parent */
    int null = open("/dev/null", O_RDWR);
    if (getppid() == parent && null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
        dup2(output[PICTURE], STDOUT_FILENO) >= 0 && dup2(output[COMPLAINTS], STDERR_FILENO) >= 0 &&
        chdir(dir) == 0) {
        (void)setrlimit(RLIMIT_CPU, &limit);
        environ = environment;
        (void)execvp(arguments[0], arguments);
    }
    const char why[] = {NOT_STARTED, (char)errno};
    (void)!write(output[COMPLAINTS], why, sizeof why);
    _exit(EXIT_INTERNAL);
}

static void close_pipe(const int ends[2])
{
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static void start(struct drawing *d, const char *dir, char **arguments, char **environment)
{
    int picture[2], complaints[2];
    *d = (struct drawing){.child = -1, .streams = {{.fd = -1}, {.fd = -1}}};
    if (!open_pipe(picture)) {
        d->error = errno;
        return;
    }
    if (!open_pipe(complaints)) {
        d->error = errno;
        close_pipe(picture);
        return;
    }
    const int output[STREAMS] = {picture[1], complaints[1]};
    pid_t parent = getpid();
    d->child = fork();
    if (d->child == 0)
        become_gnuplot(parent, dir, arguments, output, environment);
    d->error = d->child < 0 ? errno : 0;
    (void)close(picture[1]);
    (void)close(complaints[1]);
    d->streams[PICTURE].fd = picture[0];
    d->streams[COMPLAINTS].fd = complaints[0];
}

/* --- its output --- */

static void end_stream(struct stream *stream)
{
    (void)close(stream->fd);
    stream->fd = -1;
}

/* A child that prints without end is killed by SIGPIPE. */
static void read_stream(struct drawing *d, struct stream *stream)
{
    stream->text = mem_grow(stream->text, &stream->capacity, stream->used + 65536, 1);
    ssize_t n = read(stream->fd, stream->text + stream->used, stream->capacity - stream->used - 1);
    if (n < 0 && errno == EINTR)
        return;
    if (n < 0)
        d->error = errno;
    if (n > 0)
        stream->used += (size_t)n;
    stream->text[stream->used] = '\0';
    if (n <= 0 || stream->used > SVG_LIMIT)
        end_stream(stream);
}

static void read_all(struct drawing drawings[TWICE])
{
    for (;;) {
        struct pollfd wanted[TWICE * STREAMS];
        bool any = false;
        for (size_t i = 0; i < TWICE * STREAMS; i++) {
            wanted[i] = (struct pollfd){.fd = drawings[i / STREAMS].streams[i % STREAMS].fd,
                                        .events = POLLIN};
            any |= wanted[i].fd >= 0;
        }
        if (!any)
            return;
        int ready = poll(wanted, TWICE * STREAMS, -1);
        for (size_t i = 0; ready > 0 && i < TWICE * STREAMS; i++)
            if (wanted[i].revents != 0)
                read_stream(&drawings[i / STREAMS], &drawings[i / STREAMS].streams[i % STREAMS]);
        for (size_t i = 0; ready < 0 && errno != EINTR && i < TWICE * STREAMS; i++)
            if (wanted[i].fd >= 0) {
                drawings[i / STREAMS].error = errno;
                end_stream(&drawings[i / STREAMS].streams[i % STREAMS]);
            }
    }
}

static void wait_for(struct drawing *d)
{
    while (d->child > 0 && waitpid(d->child, &d->status, 0) < 0)
        if (errno != EINTR) {
            d->error = errno;
            return;
        }
}

/* --- checking the picture --- */

/*
 * Returns its first complaint about the data, which it otherwise ignores; after a failure, its
 * first line of any kind.
 */
static char *complaint(const struct drawing *d, bool failed)
{
    const char *text = d->streams[COMPLAINTS].text;
    while (text != NULL && *text != '\0') {
        size_t n = strcspn(text, "\n");
        char *line = mem_text_n(text, n);
        if (failed ? strspn(line, " \t^") < n : strstr(line, ".dat") != NULL)
            return line;
        free(line);
        text += n + (text[n] == '\n');
    }
    return NULL;
}

static char *fault_of(const struct drawing *d, const char *script, bool *missing)
{
    const struct stream *said = &d->streams[COMPLAINTS], *drawn = &d->streams[PICTURE];
    bool unborn = said->used == 2 && said->text[0] == NOT_STARTED;
    int error = unborn ? said->text[1] : d->error;
    *missing = unborn && error == ENOENT;
    if (*missing)
        return mem_text("gnuplot is not installed, or not in PATH");
    if (error != 0)
        return mem_format("cannot %s gnuplot: %s", unborn || d->child < 0 ? "start" : "read from",
                          strerror(error));
    bool failed = !WIFEXITED(d->status) || WEXITSTATUS(d->status) != 0;
    char *line = complaint(d, failed), *why = NULL;
    bool whole = drawn->text != NULL && drawn->used <= SVG_LIMIT &&
                 strlen(drawn->text) == drawn->used && strstr(drawn->text, "<svg") != NULL &&
                 strstr(drawn->text, "</svg>") != NULL;
    if (failed || line != NULL || !whole)
        why = mem_format("gnuplot %s%s%s; run 'gnuplot %s' in figures/ to see why",
                         failed || line != NULL ? "failed" : "made no SVG",
                         line != NULL ? ": " : "", line != NULL ? line : "", script);
    free(line);
    return why;
}

static char *fault_of_both(const struct drawing drawings[TWICE], const char *script, bool *missing)
{
    for (size_t i = 0; i < TWICE; i++) {
        char *why = fault_of(&drawings[i], script, missing);
        if (why != NULL)
            return why;
    }
    if (strcmp(drawings[0].streams[PICTURE].text, drawings[1].streams[PICTURE].text) != 0)
        return mem_text(
            "gnuplot drew it twice with different results: a part was not read or not written");
    return NULL;
}

/* --- one picture, or all --- */

/* Two processes with the same arguments, to their ends. */
static void draw_twice(struct drawing drawings[TWICE], const char *dir, char **arguments)
{
    const char *path = getenv("PATH");
    char *search = mem_format("PATH=%s", path ? path : "/usr/local/bin:/usr/bin:/bin");
    char locale[] = "LC_ALL=C", home[] = "HOME=/";
    char *environment[] = {search, locale, home, NULL};
    for (size_t i = 0; i < TWICE; i++)
        start(&drawings[i], dir, arguments, environment);
    read_all(drawings);
    for (size_t i = 0; i < TWICE; i++)
        wait_for(&drawings[i]);
    free(search);
}

static void forget(struct drawing drawings[TWICE])
{
    for (size_t i = 0; i < TWICE * STREAMS; i++)
        free(drawings[i / STREAMS].streams[i % STREAMS].text);
}

/* "gnuplot -d" and the scripts, with `afresh` between them. */
static char **arguments_of(const char *const scripts[], size_t count)
{
    char **arguments = mem_alloc(3 + count * (2 * AFRESH + 1), sizeof *arguments);
    size_t n = 0;
    arguments[n++] = mem_text("gnuplot");
    arguments[n++] = mem_text("-d");
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; i > 0 && c < AFRESH; c++) {
            arguments[n++] = mem_text("-e");
            arguments[n++] = mem_text(afresh[c]);
        }
        arguments[n++] = mem_text(scripts[i]);
    }
    return arguments;
}

static void free_arguments(char **arguments)
{
    for (size_t i = 0; arguments[i] != NULL; i++)
        free(arguments[i]);
    free(arguments);
}

char *figure_run_gnuplot(const char *dir, const char *script, char **why, bool *missing)
{
    struct drawing drawings[TWICE];
    char **arguments = arguments_of(&script, 1), *text = NULL;
    draw_twice(drawings, dir, arguments);
    *why = fault_of_both(drawings, script, missing);
    if (*why == NULL) {
        text = drawings[0].streams[PICTURE].text;
        drawings[0].streams[PICTURE].text = NULL;
    }
    forget(drawings);
    free_arguments(arguments);
    return text;
}

/* Takes printed pictures apart. False, and nothing is taken, unless there are so many. */
static bool take_apart(const char *text, char *pictures[], size_t count)
{
    size_t n = 0;
    for (const char *at = text; at != NULL && n < count; n++) {
        const char *next = strstr(at + strlen(PROLOG), PROLOG);
        pictures[n] = mem_text_n(at, next != NULL ? (size_t)(next - at) : strlen(at));
        bool whole = strncmp(at, PROLOG, strlen(PROLOG)) == 0 &&
                     strstr(pictures[n], "<svg") != NULL && strstr(pictures[n], "</svg>") != NULL;
        at = whole ? next : NULL;
        if (whole && (next == NULL) == (n + 1 == count))
            continue;
        for (size_t i = 0; i <= n; i++)
            free(pictures[i]);
        return false;
    }
    return n == count;
}

bool figures_run_gnuplot(const char *dir, const char *const scripts[], size_t count,
                         char *pictures[])
{
    struct drawing drawings[TWICE];
    char **arguments = arguments_of(scripts, count);
    bool missing;
    draw_twice(drawings, dir, arguments);
    char *why = fault_of_both(drawings, scripts[0], &missing);
    bool ok = why == NULL && take_apart(drawings[0].streams[PICTURE].text, pictures, count);
    free(why);
    forget(drawings);
    free_arguments(arguments);
    return ok;
}
