/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a command several times and prints what it costs:
 *
 *     measure RUNS COMMAND [ARGUMENT]...
 *     BEST MEDIAN PEAK
 *
 * BEST and MEDIAN are seconds of process time, user and system together, which a busy machine disturbs less than the
 * time on the wall; PEAK is the largest resident set in MiB (1,048,576 bytes). What the command prints is dropped.
 * Exit status 1 when a run fails.
 */
#include <errno.h>
#include <fcntl.h>
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

static _Noreturn void become(char **command)
{
    int null = open("/dev/null", O_RDWR);
    if (null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0)
        execvp(command[0], command);
    (void)fprintf(stderr, "measure: cannot run '%s': %s\n", command[0], strerror(errno));
    _exit(127);
}

static int run(char **command)
{
    pid_t child = fork();
    if (child == 0)
        become(command);
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y); /* equal ones look the same */
}

int main(int argc, char **argv)
{
    char *end = NULL;
    long runs = argc > 2 ? strtol(argv[1], &end, 10) : 0;
    if (runs < 1 || runs > MOST_RUNS || *end != '\0') {
        (void)fprintf(stderr, "usage: measure RUNS COMMAND [ARGUMENT]...\n");
        return 2;
    }
    double seconds[MOST_RUNS];
    double peak = 0;
    for (long i = 0; i < runs; i++) {
        double before = spent(&peak);
        int status = run(argv + 2);
        if (status != 0) {
            (void)fprintf(stderr, "measure: '%s' ended with status %d\n", argv[2], status);
            return 1;
        }
        seconds[i] = spent(&peak) - before;
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, by_value);
    (void)printf("%.3f %.3f %.1f\n", seconds[0], seconds[runs / 2], peak);
    return 0;
}
