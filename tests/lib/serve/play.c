/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session with the service as people run it: a program behind two pipes, which may be killed at
 * any call and is then started again, with the faults of the environment (tests/preload/faults.h)
 * in its first life alone. The client sends what was not answered once more.
 *
 *     play PROGRAM POLICY SEED REQUESTS HEARD ARGUMENT...      HEARD: a file for the decisions that
 *       the client heard
 *
 * Exits with 0 when its books bear all that it heard, else with 1; with 3 when the service did not
 * start again.
 */
#include "tests/lib/serve/client.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIVES = 20 };

struct service {
    pid_t process;
    int in, out; /* ours */
    char answers[1 << 16];
    size_t length;
    int lives;
};

static void begin(struct service *s, char **words)
{
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0)
        exit(2);
    if (s->lives++ > 0)
        (void)unsetenv("LD_PRELOAD");
    s->process = fork();
    if (s->process == 0) {
        (void)dup2(to[0], STDIN_FILENO);
        (void)dup2(from[1], STDOUT_FILENO);
        (void)close(to[0]);
        (void)close(to[1]);
        (void)close(from[0]);
        (void)close(from[1]);
        (void)execv(words[0], words);
        _exit(127);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    s->in = to[1];
    s->out = from[0];
    s->length = 0;
}

/* Its exit code, or -1 for one that was killed. */
static int end(struct service *s)
{
    int status = 0;
    (void)close(s->in);
    (void)close(s->out);
    while (waitpid(s->process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool send_all(struct service *s, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        ssize_t n = write(s->in, text, left);
        if (n <= 0)
            return false;
        text += n;
        left -= (size_t)n;
    }
    return true;
}

/* One answer to the client; false when the service is gone. What it said before that counts. */
static bool hear(struct service *s, struct client *c)
{
    for (;;) {
        char *end_of_line = memchr(s->answers, '\n', s->length);
        if (end_of_line != NULL) {
            size_t n = (size_t)(end_of_line - s->answers);
            client_hear(c, s->answers, n);
            s->length -= n + 1;
            memmove(s->answers, end_of_line + 1, s->length);
            return true;
        }
        ssize_t got = read(s->out, s->answers + s->length, sizeof s->answers - s->length);
        if (got <= 0)
            return false;
        s->length += (size_t)got;
    }
}

/* Not until its answers are there is anything else asked. */
static bool talk(struct service *s, struct client *c)
{
    const char *lines;
    while (c->wrong[0] == '\0' && (lines = client_ask(c)) != NULL) {
        if (!send_all(s, lines))
            return false;
        while (c->asked_count > 0)
            if (!hear(s, c))
                return false;
    }
    return true;
}

int main(int count, char **words)
{
    static struct client c;
    struct service s = {.lives = 0};
    if (count < 7)
        return 2;
    (void)signal(SIGPIPE, SIG_IGN);
    client_begin(&c, strtoull(words[3], NULL, 10), words[2], (uint32_t)strtoul(words[4], NULL, 10),
                 true);
    bool done = false;
    int code = 0;
    while (!done && s.lives < LIVES) {
        begin(&s, words + 6);
        done = talk(&s, &c);
        code = end(&s);
    }
    FILE *heard = fopen(words[5], "w");
    if (heard != NULL) {
        (void)fputs(c.heard != NULL ? c.heard : "", heard);
        (void)fclose(heard);
    }
    if (c.wrong[0] != '\0')
        (void)printf("%s\n", c.wrong);
    bool ok = c.wrong[0] == '\0' && done;
    /* Killed when all was said: it is to start once more, and to end well. */
    if (ok && code != 0) {
        begin(&s, words + 6);
        ok = end(&s) == 0;
        done = ok;
    }
    client_end(&c);
    return ok ? 0 : done ? 1 : 3;
}
