/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No handler, and so no variable for one to write: the signals are blocked, and whether one is pending is the
 * question. They stay pending until the process ends or lets them through.
 */
#include "sim/cli/signals.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t all(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGHUP);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    return set;
}

void cli_catch_signals(void)
{
    sigset_t set = all();
    // An ignored signal is never pending: a shell starts background jobs with SIGINT ignored. (nohup means SIGHUP.)
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int cli_interrupted(void)
{
    sigset_t pending;
    if (sigpending(&pending) != 0)
        return 0;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigismember(&pending, signals[i]) == 1)
            return signals[i];
    return 0;
}

bool cli_stop(void *self)
{
    (void)self;
    return cli_interrupted() != 0;
}

bool cli_go_on(void *self, const struct sim *sim)
{
    (void)self;
    (void)sim;
    return cli_interrupted() == 0;
}

void cli_release_signals(void)
{
    sigset_t set = all();
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
