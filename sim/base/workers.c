/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A counter under a lock, and threads that take from it; see workers.h. */
#include "sim/base/workers.h"

#include "sim/base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct crew {
    const struct work *work;
    pthread_mutex_t lock; /* of the members below */
    size_t next;
    bool over;
    size_t failed; /* lowest number that failed; count: none */
    struct err err;
};

/* False when there is nothing left to do. */
static bool take(struct crew *crew, size_t *number)
{
    const struct work *work = crew->work;
    bool stop = work->stop != NULL && work->stop(work->self);
    pthread_mutex_lock(&crew->lock);
    crew->over |= stop || crew->next == work->count;
    bool taken = !crew->over;
    if (taken)
        *number = crew->next++;
    pthread_mutex_unlock(&crew->lock);
    return taken;
}

static void fail(struct crew *crew, size_t number, const struct err *err)
{
    pthread_mutex_lock(&crew->lock);
    if (number < crew->failed) {
        crew->failed = number;
        crew->err = *err;
    }
    crew->over = true;
    pthread_mutex_unlock(&crew->lock);
}

static void *run(void *self)
{
    struct crew *crew = self;
    size_t number;
    while (take(crew, &number)) {
        struct err err = {0};
        if (!crew->work->piece(crew->work->self, number, &err))
            fail(crew, number, &err);
    }
    return NULL;
}

/*
 * Process signals go to the first thread while it works. While it only waits, they go to a thread
 * that still works and knows its current call.
 */
static void join(const pthread_t *ids, size_t count)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    sigset_t set, before;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)sigaddset(&set, signals[i]);
    (void)pthread_sigmask(SIG_BLOCK, &set, &before);
    for (size_t i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool workers_run(const struct work *work, struct err *err)
{
    struct crew crew = {.work = work, .failed = work->count};
    size_t helpers = work->threads > 1 ? (size_t)work->threads - 1 : 0;
    if (helpers >= work->count)
        helpers = work->count > 0 ? work->count - 1 : 0;
    pthread_t *ids = mem_alloc(helpers + 1, sizeof *ids);
    pthread_mutex_init(&crew.lock, NULL);
    size_t started = 0;
    while (started < helpers && pthread_create(&ids[started], NULL, run, &crew) == 0)
        started++; /* fewer threads than asked for do the same work */
    run(&crew);
    join(ids, started);
    pthread_mutex_destroy(&crew.lock);
    free(ids);
    if (crew.failed < work->count)
        *err = crew.err;
    return crew.failed == work->count;
}
