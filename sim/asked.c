/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A note for signal handlers; see asked.h. Handlers receive only the signal, so the note is a
 * thread-local object with static storage, the only one in this project.
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
