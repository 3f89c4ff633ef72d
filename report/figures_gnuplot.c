/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot as a child process: no shell, no start-up files, locale C, no terminal; it runs in the folder of the
 * script, so scripts name nothing but their own data. One process a figure: a second figure in the same process comes
 * out with other bytes.
 */
#include "report/figures.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <fcntl.h>
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
#define NOT_STARTED 127

extern char **environ;

/* Only calls that are safe between fork and exec. */
static _Noreturn void become_gnuplot(pid_t parent, const char *dir, const char *script, int output,
                                     char **environment)
{
    char name[] = "gnuplot", defaults[] = "-d";
    union {
        const char *read;
        char *write; // exec takes what it promises not to change as char *
    } file = {.read = script};
    char *arguments[] = {name, defaults, file.write, NULL};
    struct rlimit limit = {.rlim_cur = CPU_SECONDS, .rlim_max = CPU_SECONDS};
    int null = open("/dev/null", O_RDWR);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* whatever ends its parent ends it */
    if (getppid() == parent && null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDERR_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0 && chdir(dir) == 0) {
        (void)setrlimit(RLIMIT_CPU, &limit);
        environ = environment;
        (void)execvp(name, arguments);
    }
    _exit(NOT_STARTED);
}

/* All that the child prints; NULL when it is too much. The child then ends by SIGPIPE once the pipe is closed. */
static char *read_all(int input)
{
    char *text = NULL;
    size_t capacity = 0, used = 0;
    for (;;) {
        text = mem_grow(text, &capacity, used + 65536, 1);
        ssize_t n = read(input, text + used, capacity - used - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || used > SVG_LIMIT)
            break;
        used += (size_t)n;
    }
    text[used] = '\0';
    if (used <= SVG_LIMIT && strlen(text) == used)
        return text;
    free(text);
    return NULL;
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

static char *verdict(int status, const char *script, const char *text)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
        return mem_text("gnuplot is not installed, or not in PATH");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return mem_format("gnuplot failed; run 'gnuplot %s' in figures/ to see why", script);
    if (!text || !strstr(text, "<svg") || !strstr(text, "</svg>"))
        return mem_format("gnuplot made no SVG; run 'gnuplot %s' in figures/ to see why", script);
    return NULL;
}

char *figure_run_gnuplot(const char *dir, const char *script, char **why)
{
    const char *path = getenv("PATH");
    char *search = mem_format("PATH=%s", path ? path : "/usr/local/bin:/usr/bin:/bin");
    char locale[] = "LC_ALL=C", home[] = "HOME=/";
    char *environment[] = {search, locale, home, NULL};
    int ends[2];
    char *text = NULL;
    *why = NULL;
    if (pipe(ends) != 0) {
        *why = mem_format("cannot start gnuplot: %s", strerror(errno));
        free(search);
        return NULL;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        become_gnuplot(parent, dir, script, ends[1], environment);
    int error = errno;
    (void)close(ends[1]);
    if (child > 0) {
        text = read_all(ends[0]);
        (void)close(ends[0]);
        *why = verdict(wait_for(child), script, text);
    } else {
        (void)close(ends[0]);
        *why = mem_format("cannot start gnuplot: %s", strerror(error));
    }
    free(search);
    if (*why) {
        free(text);
        text = NULL;
    }
    return text;
}
