/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a command several times and prints its cost:
 *
 *     measure [-t LIMIT] RUNS COMMAND [ARGUMENT]...
 *     BEST MEDIAN PEAK
 *
 * BEST and MEDIAN are seconds of process time, user and system together, which a busy machine
 * affects less than wall time; PEAK is the largest resident set in MiB (1,048,576 bytes). The
 * output of the command is discarded. With a LIMIT in whole seconds of process time, it makes fewer
 * runs if all of them would take longer, and prints "over" if the first one does. Exit status 1 if
 * a run fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RUNS 100

/* Of all children that have ended so far. */
static double spent(double *peak_mib)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    *peak_mib = (double)usage.ru_maxrss / 1024.0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Becomes the command; `limit_s` 0: no limit. */
static _Noreturn void become(char **command, rlim_t limit_s)
{
    struct rlimit limit;
    if (limit_s > 0 && getrlimit(RLIMIT_CPU, &limit) == 0) {
        limit.rlim_cur = limit_s;
        (void)setrlimit(RLIMIT_CPU, &limit);
    }
    int null = open("/dev/null", O_RDWR);
    if (null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0)
        execvp(command[0], command);
    (void)fprintf(stderr, "measure: cannot run '%s': %s\n", command[0], strerror(errno));
    _exit(127);
}

/* The exit status; -1 if it exceeded its limit. */
static int run(char **command, rlim_t limit_s)
{
    pid_t child = fork();
    if (child == 0)
        become(command, limit_s);
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return limit_s > 0 ? -1 : 126;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y); /* equal ones look the same */
}

/* The number of runs, 0 if the first exceeded the limit; -1 if one failed. */
static long measure(char **command, long runs, rlim_t limit_s, double *seconds, double *peak)
{
    double all = 0;
    for (long i = 0; i < runs; i++) {
        double before = spent(peak);
        int status = run(command, limit_s);
        if (status > 0) {
            (void)fprintf(stderr, "measure: '%s' ended with status %d\n", command[0], status);
            return -1;
        }
        seconds[i] = spent(peak) - before;
        all += seconds[i];
        if (status < 0)
            return i;
        if (limit_s > 0 && all + seconds[i] > (double)limit_s)
            return i + 1;
    }
    return runs;
}

static long number(const char *text, long most)
{
    char *end = NULL;
    long value = text == NULL ? 0 : strtol(text, &end, 10);
    return value >= 1 && value <= most && *end == '\0' ? value : 0;
}

int main(int argc, char **argv)
{
    bool limited = argc > 2 && strcmp(argv[1], "-t") == 0;
    long limit_s = limited ? number(argv[2], 1000000) : 0;
    char **rest = argv + (limited ? 3 : 1);
    long runs = number(rest[0], MOST_RUNS);
    if (runs == 0 || rest[1] == NULL || (limited && limit_s == 0)) {
        (void)fprintf(stderr, "usage: measure [-t LIMIT] RUNS COMMAND [ARGUMENT]...\n");
        return 2;
    }
    double seconds[MOST_RUNS];
    double peak = 0;
    runs = measure(rest + 1, runs, (rlim_t)limit_s, seconds, &peak);
    if (runs < 0)
        return 1;
    qsort(seconds, (size_t)runs, sizeof *seconds, by_value);
    if (runs == 0)
        (void)printf("over\n");
    else
        (void)printf("%.3f %.3f %.1f\n", seconds[0], seconds[runs / 2], peak);
    return 0;
}
