/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A note for signal handlers; see asked.h. Handlers have no argument but the signal, so it is an
 * object of the thread with static storage, which this project otherwise does without.
 */
#include "sim/asked.h"

#include <stddef.h>

static _Thread_local struct {
    const struct asked *volatile now;
    volatile uint64_t number;
} asking;

void asked_begin(const struct asked *asked)
{
    asking.number++;
    asking.now = asked;
}

void asked_end(void)
{
    asking.now = NULL;
}

const struct asked *asked_now(uint64_t *number)
{
    *number = asking.number;
    return asking.now;
}
