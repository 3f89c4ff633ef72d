/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies with defects that no metric shows, for the tests of the gate. All of them decide like
 * fifo, except PLANT_CHANCE and PLANT_SALT. Built once per defect: cc -shared -fPIC -Ipolicies
 * -DPLANT_CRASH -o crash.so planted.c
 */
#define _POSIX_C_SOURCE 200809L
#include "plugin.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Work that takes time and is not optimized away. */
static inline int64_t busy(int rounds)
{
    volatile int64_t sum = 0;
    for (int i = 0; i < rounds; i++)
        sum = sum + i;
    return sum;
}

/* Memory that is used and leaked. */
static inline void lose(size_t bytes)
{
    char *lost = malloc(bytes);
    if (lost != NULL)
        memset(lost, 1, bytes);
    __asm__ volatile("" : : "r"(lost) : "memory");
}

static inline int64_t clock_noise(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_nsec / 64 % 7;
}

/* Depends on the whole environment, as a hash table with a random salt may. */
static inline int64_t salt(void)
{
    extern char **environ;
    uint64_t hash = 14695981039346656037u;
    for (char **variable = environ; *variable != NULL; variable++)
        for (const char *p = *variable; *p != '\0'; p++)
            hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    return (int64_t)(hash >> 32);
}

#if defined PLANT_GONE
static void *wait_for_ever(void *unused)
{
    (void)unused;
    for (;;)
        (void)pause();
}
#endif

static int64_t key(void *self, const struct policy_job_spec *job)
{
    (void)self;
    (void)job;
#if defined PLANT_CRASH
    if (job->rank > 50)
        *(volatile int *)8 = 1;
#elif defined PLANT_ABORT
    if (job->rank > 50)
        abort();
#elif defined PLANT_LOOP
    while (job->rank > 50)
        busy(1000);
#elif defined PLANT_SLEEP
    while (job->rank > 50)
        (void)pause();
#elif defined PLANT_STOP
    if (job->rank > 50)
        (void)raise(SIGSTOP);
#elif defined PLANT_GONE
    pthread_t other;
    if (job->rank > 50 && pthread_create(&other, NULL, wait_for_ever, NULL) == 0)
        pthread_exit(NULL);
#elif defined PLANT_TALK
    while (job->rank > 50)
        (void)fputs("still at it\n", stderr);
#elif defined PLANT_EXIT
    if (job->rank > 50) {
        (void)fputs("all jobs are scheduled\n", stderr);
        exit(0);
    }
#elif defined PLANT_EAT
    while (job->rank > 50)
        lose((size_t)1 << 20);
#elif defined PLANT_LEAK
    lose((size_t)130 << 10); /* 130 MiB over the thousand jobs of a replica */
#elif defined PLANT_LEAKLET
    lose(600);
#elif defined PLANT_SLOW
    busy(400000);
#elif defined PLANT_CHANCE
    return clock_noise();
#elif defined PLANT_SALT
    return (int64_t)(((uint64_t)salt() ^ job->rank * 2654435761u) % 7);
#endif
    return 0;
}

#if defined PLANT_PICKY
/* Fails to allocate if an environment variable is missing; a second run changes its value. */
static void *create(const struct policy_allocator *allocator)
{
    static char state;
    const char *wanted = getenv("PLANT_PICKY");
    (void)allocator;
    return wanted != NULL && strcmp(wanted, "yes") == 0 ? &state : NULL;
}
#define CREATE .create = create,
#else
#define CREATE
#endif

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("planted", "fifo, with something wrong"), CREATE.key = key};
