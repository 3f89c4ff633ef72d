/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault library: processes and threads. A vfork() is a fork(), which it may be: a function of
 * ours could not return twice on one stack.
 */
#include "tests/preload/faults.h"

#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t fork(void)
{
    pid_t (*next)(void) = (pid_t(*)(void))faults_next("fork");
    int fault = faults_before(FAULT_FORK, ON_NOTHING);
    return fault > 0 ? -1 : (pid_t)faults_after(fault, next());
}

pid_t vfork(void)
{
    return fork();
}

/* Never freed: the process becomes another one, or starts only few. */
char **faults_environment(char *const environment[])
{
    static const char *const ours[] = {
        "LD_PRELOAD=", "FAULTS_CALLS=", "FAULTS_COUNT=",  "FAULTS_AT=",
        "FAULTS_DO=",  "FAULTS_ONLY=",  "FAULTS_STICKY=", "FAULTS_LOG="};
    const size_t most = sizeof ours / sizeof *ours;
    size_t n = 0;
    while (environment[n] != NULL)
        n++;
    char **all = calloc(n + most + 1, sizeof *all);
    if (all == NULL)
        abort();
    memcpy(all, environment, n * sizeof *all);
    for (size_t i = 0; i < most; i++) {
        bool there = false;
        for (size_t k = 0; environment[k] != NULL; k++)
            there |= strncmp(environment[k], ours[i], strlen(ours[i])) == 0;
        const char *entry = there ? NULL : faults_entry(ours[i]);
        if (entry != NULL)
            all[n++] = (char *)(size_t)entry;
    }
    return all;
}

typedef int spawn_function(pid_t *restrict, const char *restrict,
                           const posix_spawn_file_actions_t *restrict,
                           const posix_spawnattr_t *restrict, char *const[restrict],
                           char *const[restrict]);

int posix_spawn(pid_t *restrict child, const char *restrict path,
                const posix_spawn_file_actions_t *restrict actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                char *const environment[restrict])
{
    spawn_function *next = (spawn_function *)faults_next("posix_spawn");
    int fault = faults_before(FAULT_FORK, ON_PATH(path));
    if (fault > 0)
        return fault;
    return (int)faults_after(
        fault, next(child, path, actions, attributes, arguments, faults_environment(environment)));
}

int posix_spawnp(pid_t *restrict child, const char *restrict path,
                 const posix_spawn_file_actions_t *restrict actions,
                 const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                 char *const environment[restrict])
{
    spawn_function *next = (spawn_function *)faults_next("posix_spawnp");
    int fault = faults_before(FAULT_FORK, ON_PATH(path));
    if (fault > 0)
        return fault;
    return (int)faults_after(
        fault, next(child, path, actions, attributes, arguments, faults_environment(environment)));
}

int system(const char *command)
{
    int (*next)(const char *) = (int (*)(const char *))faults_next("system");
    int fault = faults_before(FAULT_FORK, ON_NOTHING);
    return fault > 0 ? -1 : (int)faults_after(fault, next(command));
}

FILE *popen(const char *command, const char *mode)
{
    FILE *(*next)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) faults_next("popen");
    int fault = faults_before(FAULT_FORK, ON_NOTHING);
    return fault > 0 ? NULL : (FILE *)faults_after(fault, (long)next(command, mode));
}

int execve(const char *path, char *const arguments[], char *const environment[])
{
    return (int)faults_call(
        FAULT_EXEC, ON_PATH(path), SYS_execve,
        ARGS((long)path, (long)arguments, (long)faults_environment(environment)));
}

int execv(const char *path, char *const arguments[])
{
    return execve(path, arguments, environ);
}

int execvpe(const char *name, char *const arguments[], char *const environment[])
{
    int (*next)(const char *, char *const[], char *const[]) =
        (int (*)(const char *, char *const[], char *const[]))faults_next("execvpe");
    int fault = faults_before(FAULT_EXEC, ON_PATH(name));
    return fault > 0
               ? -1
               : (int)faults_after(fault, next(name, arguments, faults_environment(environment)));
}

int execvp(const char *name, char *const arguments[])
{
    return execvpe(name, arguments, environ);
}

pid_t wait4(pid_t child, int *status, int options, struct rusage *usage)
{
    return (pid_t)faults_call(FAULT_WAIT, ON_NOTHING, SYS_wait4,
                              ARGS(child, (long)status, options, (long)usage));
}

pid_t waitpid(pid_t child, int *status, int options)
{
    return wait4(child, status, options, NULL);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument)
{
    int (*next)(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *),
                void *restrict) =
        (int (*)(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *),
                 void *restrict))faults_next("pthread_create");
    int fault = faults_before(FAULT_THREAD, ON_NOTHING);
    return fault > 0 ? fault : (int)faults_after(fault, next(thread, attributes, start, argument));
}
