/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A POSIX timer whose signal goes to one thread, a Linux extension; see thread_clock.h. */
#include "sim/policy/thread_clock.h"

#include <sys/syscall.h>
#include <unistd.h>

bool thread_clock_start(thread_clock *clock, int64_t every_ms)
{
    const struct timespec every = {(time_t)(every_ms / 1000), (long)(every_ms % 1000) * 1000000};
    const struct itimerspec time = {.it_interval = every, .it_value = every};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = THREAD_CLOCK_SIGNAL};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    return timer_create(CLOCK_THREAD_CPUTIME_ID, &event, clock) == 0 &&
           timer_settime(*clock, 0, &time, NULL) == 0;
}

void thread_clock_stop(thread_clock clock)
{
    (void)timer_delete(clock);
}

int thread_clock_missed(const siginfo_t *info)
{
    return info->si_overrun;
}
