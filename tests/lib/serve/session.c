/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions with kills; see session.h. */
#include "tests/lib/serve/session.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool wrong(struct session *s, const char *what, const char *more)
{
    if (s->wrong[0] == '\0')
        (void)snprintf(s->wrong, sizeof s->wrong, "seed %llu, %s, request %u, life %llu: %s %s",
                       (unsigned long long)s->seed, s->policy, s->client.requests,
                       (unsigned long long)(s->kills + s->closes), what, more);
    return false;
}

static uint32_t below(struct session *s, uint32_t n)
{
    return s->chance.below(s->chance.self, n);
}

static bool happens(struct session *s, uint32_t one_in)
{
    return s->chance.below != NULL && below(s, one_in) == 0;
}

/* ---- lives ---- */

static bool begin_life(struct session *s, bool may_pass_over)
{
    struct err err = {0};
    s->is_open = true;
    if (!service_open(&s->service, &s->options, &err))
        return wrong(s, "it does not start again:", err.msg);
    s->replayed += s->service.replayed;
    s->passed_over += s->service.note != NULL;
    return s->service.note == NULL || may_pass_over ||
           wrong(s, "a whole state is passed over:", s->service.note);
}

static void end_life(struct session *s, struct err *err)
{
    (void)service_close(&s->service, err);
    s->is_open = false;
}

/* As by SIGKILL: what is held is gone, but for so many bytes that were on their way. */
static void kill_service(struct session *s, size_t bytes)
{
    struct err err = {.code = EXIT_INTERNAL};
    struct text *held = &s->service.log.held;
    if (bytes > held->length)
        bytes = held->length;
    if (bytes > 0 && s->service.log.file >= 0)
        (void)!write(s->service.log.file, held->bytes, bytes);
    held->length = 0;
    s->service.log.sync_ms = FACT_LOG_NEVER;
    end_life(s, &err);
    s->kills++;
}

/* True when the state was harmed. */
static bool harm_state(struct session *s)
{
    struct stat info;
    const char *path = s->options.state;
    if (s->options.journal == NULL || path == NULL || !happens(s, 4) || stat(path, &info) != 0)
        return false;
    if (below(s, 2) == 0)
        return unlink(path) == 0;
    return truncate(path, (off_t)below(s, (uint32_t)info.st_size)) == 0;
}

static bool live_again(struct session *s)
{
    return begin_life(s, harm_state(s));
}

/* ---- requests ---- */

static void hear(struct session *s, const struct text *answers)
{
    const char *at = answers->bytes;
    for (size_t left = answers->length; left > 0;) {
        const char *end = memchr(at, '\n', left);
        size_t n = end != NULL ? (size_t)(end - at) : left;
        client_hear(&s->client, at, n);
        left -= n + (end != NULL);
        at += n + 1;
    }
    if (s->client.wrong[0] != '\0')
        (void)wrong(s, "the client says:", s->client.wrong);
}

static void answer_lines(struct session *s, const char *lines, struct text *answers)
{
    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1)
        service_answer(&s->service, lines, (size_t)(end - lines), answers);
}

static bool serve(struct session *s, const char *lines, struct text *answers)
{
    answers->length = 0;
    answer_lines(s, lines, answers);
    if (happens(s, 3 * s->chance.one_in)) {
        kill_service(s, below(s, 2) * below(s, 4000));
        return live_again(s);
    }
    if (!service_commit(&s->service))
        return wrong(s, "the journal cannot be written:", strerror(s->service.log.error));
    if (happens(s, 3 * s->chance.one_in)) {
        kill_service(s, 0);
        return live_again(s);
    }
    hear(s, answers);
    if (happens(s, 3 * s->chance.one_in)) {
        struct err err = {0};
        bool is_killed = below(s, 2) == 0;
        if (is_killed)
            kill_service(s, 0);
        else
            end_life(s, &err);
        s->closes += !is_killed;
        return err.code == 0 ? live_again(s) : wrong(s, "it does not end well:", err.msg);
    }
    return s->wrong[0] == '\0';
}

bool session_play(struct session *s)
{
    struct err err = {0};
    struct text answers = {.length = 0};
    const char *lines;
    client_begin(&s->client, s->seed, s->policy, s->requests, s->options.state != NULL);
    bool ok = begin_life(s, false);
    while (ok && (lines = client_ask(&s->client)) != NULL)
        ok = serve(s, lines, &answers);
    text_fini(&answers);
    if (s->is_open && !ok)
        kill_service(s, 0);
    else if (s->is_open)
        end_life(s, &err);
    return ok && (err.code == 0 || wrong(s, "it does not end well:", err.msg));
}

void session_end(struct session *s)
{
    client_end(&s->client);
}
