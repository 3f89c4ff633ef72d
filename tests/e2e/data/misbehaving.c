/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plugin that behaves until its MISBEHAVE_AT-th decision (default: the first) and then does what
 * MISBEHAVE says; with MISBEHAVE_IN=key or load, it does so there. Until then it starts jobs in
 * their order. For tests/e2e/signals.sh.
 */
#include "plugin.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile long sink;

static long deeper(long n)
{
    volatile char room[4096];
    room[n % 4096] = (char)n;
    return n < 0 ? 0 : deeper(n + 1) + room[0];
}

/* Writes the process id to the file $MISBEHAVE_HERE. */
static void announce(void)
{
    const char *path = getenv("MISBEHAVE_HERE");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    (void)fprintf(file, "%ld\n", (long)getpid());
    (void)fclose(file);
}

static void misbehave(const char *how)
{
    int ends[2];
    char byte;
    announce();
    if (strcmp(how, "loop") == 0)
        for (;;)
            sink++;
    if (strcmp(how, "sleep") == 0)
        for (;;)
            (void)sleep(1000);
    if (strcmp(how, "read") == 0 && pipe(ends) == 0)
        (void)!read(ends[0], &byte, 1);
    if (strcmp(how, "slow") == 0) /* half a millisecond */
        for (long i = 0; i < 400000; i++)
            sink += i;
    if (strcmp(how, "segv") == 0)
        *(volatile int *)(sink + 8) = 1;
    if (strcmp(how, "overflow") == 0)
        sink = deeper(1);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "fpe") == 0)
        (void)raise(SIGFPE);
    if (strcmp(how, "bus") == 0)
        (void)raise(SIGBUS);
    if (strcmp(how, "ill") == 0)
        __builtin_trap();
    if (strcmp(how, "exit") == 0)
        exit(0);
}

static void at(const char *place)
{
    const char *where = getenv("MISBEHAVE_IN"), *how = getenv("MISBEHAVE");
    if (how != NULL && strcmp(where != NULL ? where : "decide", place) == 0)
        misbehave(how);
}

static __attribute__((constructor)) void load(void)
{
    at("load");
}

static void *create(const struct policy_allocator *allocator)
{
    int *decisions = allocator->resize(allocator->user, NULL, 0, sizeof *decisions);
    if (decisions != NULL)
        *decisions = 0;
    return decisions;
}

static void destroy(void *self, const struct policy_allocator *allocator)
{
    (void)allocator->resize(allocator->user, self, sizeof(int), 0);
}

static int64_t key(void *self, const struct policy_job_spec *spec)
{
    (void)self;
    at("key");
    return spec->submitted;
}

static int64_t rank(void *self, const struct policy_plugin_job *job, policy_time now)
{
    (void)self, (void)now;
    at("rank");
    return job->submitted;
}

static void decide(void *self, struct policy_plan *plan)
{
    const char *from = getenv("MISBEHAVE_AT");
    if (++*(int *)self >= (from != NULL ? atoi(from) : 1))
        at("decide");
    for (uint32_t i = 0; i < plan->job_count; i++)
        if (plan->jobs[i].state == POLICY_JOB_WAITS)
            (void)plan->place(plan, &plan->jobs[i]);
}

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("misbehaving", "does what it should not"),
    .create = create,
    .destroy = destroy,
#ifdef RANKED
    .rank = rank,
#else
    .key = key,
#endif
    .decide = decide,
};
