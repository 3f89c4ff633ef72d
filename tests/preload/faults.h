/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that makes the n-th call of some kinds fail, in a program and in all its
 * children:
 *
 *     FAULTS_CALLS=open,write FAULTS_COUNT=/tmp/n FAULTS_AT=17 FAULTS_DO=ENOSPC
 *     LD_PRELOAD=.../faults.so fauxfleet run ...
 *
 *   FAULTS_CALLS   comma list of families (faults.c has their names), or "all"; nothing is counted
 *                  without it
 *   FAULTS_COUNT   a file of eight bytes, made if missing: how many such calls the whole
 *                  process tree has made. Without FAULTS_AT, the number to sweep; without the file
 *                  each process counts for itself. This and the log need full paths, for children
 *                  change folders
 *   FAULTS_AT      the call that is hit, from 1
 *   FAULTS_DO      an errno name: the call fails with it. A failed close closes all the same.
 *                  kill, kill-after: SIGKILL before or after the call. short: half of the
 *                  bytes, then SIGKILL. partial: half of the bytes, as the call reports.
 *                  Signal names (SIGTERM): raised before the call. none: nothing, but the call is
 *                  logged; with FAULTS_STICKY all calls in order
 *   FAULTS_ONLY    a glob: only calls on such paths count, and none without a path, like fork.
 *                  Descriptors have their path in /proc
 *   FAULTS_STICKY  1: all calls from the n-th on are hit
 *   FAULTS_LOG     a file to which each hit adds a line: process, family and path
 *
 * A program that starts another one with a new environment does not get rid of the library: missing
 * variables of the above are added.
 *
 * stdio streams, including the three standard ones, are replaced by cookie streams on the calls of
 * this library, so that fopen() is an open and flushing the buffer of fprintf() is a write. The C
 * library's own calls are not seen: locale files, the dynamic loader, the files of posix_spawn().
 * Nor are freopen() and dprintf().
 */
#ifndef TESTS_PRELOAD_FAULTS_H
#define TESTS_PRELOAD_FAULTS_H

#include <stdbool.h>

enum fault_family {
    FAULT_ACCEPT,
    FAULT_CHDIR,
    FAULT_CLOSE,
    FAULT_DUP,
    FAULT_EXEC,
    FAULT_FORK,
    FAULT_FSYNC,
    FAULT_LINK,
    FAULT_LOCK,
    FAULT_MKDIR,
    FAULT_MMAP,
    FAULT_OPEN,
    FAULT_OPENDIR,
    FAULT_PIPE,
    FAULT_READ,
    FAULT_READDIR,
    FAULT_RECV,
    FAULT_RENAME,
    FAULT_SEEK,
    FAULT_SEND,
    FAULT_SOCKET,
    FAULT_STAT,
    FAULT_THREAD,
    FAULT_TRUNCATE,
    FAULT_UNLINK,
    FAULT_WAIT,
    FAULT_WRITE,
    FAULT_FAMILIES,
};

/* The subject of a call: up to two paths, NULL if none, and a descriptor, -1 if none. */
struct fault_subject {
    const char *path, *other;
    int fd;
};

/* The verdict on a call: an errno (above 0), or one of these. */
enum { FAULT_NONE = 0, FAULT_KILL_AFTER = -1, FAULT_SHORT = -2, FAULT_PARTIAL = -3 };

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN bool faults_wanted(void);
HIDDEN int faults_before(enum fault_family, struct fault_subject);
/* The result of a call that was made, unless the process ends here. */
HIDDEN long faults_after(int fault, long result);
/* Makes the system call unless it is to fail; returns -1 with errno then. */
HIDDEN long faults_call(enum fault_family, struct fault_subject, long number,
                        const long arguments[6]);
/* The next function of that name: libc's. */
typedef void fault_function(void);
HIDDEN fault_function *faults_next(const char *name);

/* The environment for a program to be started, with the variables that this library needs. */
HIDDEN char **faults_environment(char *const environment[]);
/* The entry of this program's initial environment that starts with "NAME=", NULL if none. */
HIDDEN const char *faults_entry(const char *start);

#define ON_PATH(p) ((struct fault_subject){.path = (p), .fd = -1})
#define ON_FD(d)   ((struct fault_subject){.fd = (d)})
#define ON_NOTHING ((struct fault_subject){.fd = -1})
#define ARGS(...)  ((const long[6]){__VA_ARGS__})

#endif
