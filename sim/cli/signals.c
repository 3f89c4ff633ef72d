/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one mutable file-scope variable of the program is here: a signal handler is given nothing but a number, and
 * `volatile sig_atomic_t` is the only object that C lets it write.
 */
#include "sim/cli/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t received;

static void remember(int signal_number)
{
    received = signal_number;
}

void cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = remember};
    sigemptyset(&action.sa_mask);
    // Reads and waits go on; the default comes back, so that the second signal ends what does not ask.
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

int cli_interrupted(void)
{
    return received;
}
