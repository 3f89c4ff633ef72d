/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs work in child processes, several at a time: a piece that crashes, hangs or exhausts memory
 * does not harm the caller. Each child is a program with its own environment; its standard output
 * is its answer, and the end of its standard error is kept. It is killed when it exceeds a limit,
 * or when all work is stopped.
 *
 *     struct children work = {.count = 8, .most = 2, .describe = describe, .done = done, .stop =
 *     stop, .self = &run};
 *     bool ok = children_run(&work, &err);
 *
 * Children are started in the order of their numbers. Each is the leader of a process group of its
 * own, so that what it has started ends with it, and a Ctrl-C of the terminal reaches the caller
 * alone. Not from two threads at once.
 */
#ifndef SIM_BASE_CHILDREN_H
#define SIM_BASE_CHILDREN_H

#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Of one child; 0: none. */
struct child_limits {
    int64_t cpu_ms;     /* user and system time */
    int64_t blocked_ms; /* waiting, and using less than a hundredth of the time meanwhile; waiting
                           for the disk counts from a minute on */
    int64_t memory_mib; /* resident */
};

enum child_end {
    CHILD_EXITED,
    CHILD_SIGNALED,
    CHILD_OVER_TIME,
    CHILD_WAS_BLOCKED,
    CHILD_OVER_MEMORY
};

struct child_result {
    enum child_end end;
    int code;           /* exit status, or the signal */
    const char *answer; /* ends in a NUL that is not counted */
    size_t answer_n;
    const char *said; /* the end of it, ends in a NUL */
};

/* Texts are owned; children_run() frees them. */
struct child_command {
    const char *program; /* path; not owned */
    char **words;        /* argv: texts, and NULL at the end */
    char **environment;  /* likewise; NULL: the caller's own */
};

struct children {
    size_t count; /* done() may lower it: children above are ended, and their results dropped */
    int most;     /* at the same time */
    struct child_limits limits;
    void (*describe)(void *self, size_t number, struct child_command *);
    bool (*done)(void *self, size_t number, const struct child_result *,
                 struct err *); /* false: err is set */
    bool (*stop)(void *self);   /* asked often; true: end all children and return. NULL: never */
    void *self;
};

/* False with err set when a child could not be started, or done() failed. Stopping is no failure.
 */
bool children_run(struct children *, struct err *);

/*
 * For a program that was started as such a child: limits that the system keeps, beside those of the
 * parent, and an end with the parent's. Memory is limited as address space then, unless a sanitizer
 * reserves that.
 */
void children_limit_self(const struct child_limits *);

#endif
