/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading requests and sending answers; see io.h. */
#include "sim/serve/io.h"

#include "policies/adapters/ending/ending.h"
#include "sim/program/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define CHUNK 65536
/* of an answer, to a file that cannot be made non-blocking: poll() guarantees this much room in a
 * pipe */
#define PIECE    4096
#define LOOK_MS  100 /* how often it looks whether a signal came */
#define FLUSH_MS 500 /* for answers at the end */

struct client {
    int in, out;           /* the same for a socket */
    bool is_over, is_gone; /* end of input; no reader of the output */
    bool skips;            /* the rest of a line that was too long */
    bool blocks;           /* a write may block */
    struct text input, output;
    size_t sent;      /* of the output */
    size_t committed; /* of the output: later answers wait until their records are in the journal */
    size_t taken;     /* of the input: lines that these answers belong to */
    int polled;       /* index in the polled descriptors; -1: not read now */
    struct err *lost; /* of the standard streams: what could not be read or written; NULL for a
                         socket, which may go */
};

struct server {
    struct service *service;
    int listener;  /* -1: none */
    bool is_short; /* out of descriptors or memory: new clients wait for LOOK_MS */
    struct client clients[SERVE_CLIENTS];
    size_t count;
};

/* ---- one client ---- */

static size_t due(const struct client *c)
{
    return c->output.length - c->sent;
}

/* Standard output may be shared, so it is not made non-blocking. */
static bool has_room(const struct client *c)
{
    struct pollfd out = {.fd = c->out, .events = POLLOUT};
    return !c->blocks || poll(&out, 1, 0) > 0;
}

/* Drops what was sent before it outgrows what was not. */
static void keep_unsent(struct client *c)
{
    if (c->sent < c->output.length - c->sent)
        return;
    c->output.length -= c->sent;
    if (c->output.length > 0)
        memmove(c->output.bytes, c->output.bytes + c->sent, c->output.length);
    c->sent = 0;
}

/* A reader that closed its end knows what it missed. */
static void note_loss(const struct client *c, const char *what)
{
    if (c->lost != NULL && c->lost->code == EXIT_OK && errno != EPIPE)
        (void)err_set(c->lost, EXIT_INTERNAL, "%s: %s", what, strerror(errno));
}

static void send_some(struct client *c)
{
    while (due(c) > 0 && !c->is_gone && has_room(c)) {
        size_t piece = c->blocks && due(c) > PIECE ? PIECE : due(c);
        ssize_t n = write(c->out, c->output.bytes + c->sent, piece);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        if (n < 0 && errno != EINTR) {
            note_loss(c, "standard output: cannot write");
            c->is_gone = c->is_over = true;
        }
        c->sent += n > 0 ? (size_t)n : 0;
    }
    keep_unsent(c);
}

static void forget(struct client *c, size_t n)
{
    c->input.length -= n;
    if (c->input.length > 0)
        memmove(c->input.bytes, c->input.bytes + n, c->input.length);
}

/* The end of the next line of the input, or NULL if it is incomplete. */
static const char *end_of_line(const struct client *c, size_t at)
{
    return at < c->input.length ? memchr(c->input.bytes + at, '\n', c->input.length - at) : NULL;
}

/* All whole lines, as long as there is room for their answers. */
static void take_lines(struct server *server, struct client *c)
{
    const char *end;
    while (!server->service->is_stopped && (end = end_of_line(c, c->taken)) != NULL &&
           due(c) < SERVE_QUEUE) {
        const char *line = c->input.bytes + c->taken;
        if (!c->skips && end > line)
            service_answer(server->service, line, (size_t)(end - line), &c->output);
        c->skips = false;
        c->taken += (size_t)(end + 1 - line);
    }
}

/* Acknowledged answers may be sent; otherwise each line gets an error that says why. */
static void settle_client(struct server *server, struct client *c, bool ok)
{
    if (!ok)
        c->output.length = c->committed;
    for (size_t at = 0; !ok && at < c->taken;) {
        const char *line = c->input.bytes + at, *end = end_of_line(c, at);
        if (end > line)
            service_answer(server->service, line, (size_t)(end - line), &c->output);
        at += (size_t)(end + 1 - line);
    }
    forget(c, c->taken);
    c->taken = 0;
    if (end_of_line(c, 0) == NULL && c->input.length > SERVE_LINE) {
        if (!c->skips)
            service_refuse("the line is longer than 4 MiB", &c->output);
        c->skips = true;
        c->input.length = 0;
    }
    if (c->input.failed || c->output.failed)
        c->is_gone = c->is_over = true; /* there is no memory for it */
    send_some(c);
    c->committed = c->output.length;
}

/*
 * Lines of all clients together: one write brings their records to the journal, and one sync to the
 * disk. Afterwards no whole line is left, or its answers wait for a reader.
 */
static void answer_all(struct server *server)
{
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < server->count; i++)
            take_lines(server, &server->clients[i]);
        bool ok = service_commit(server->service);
        for (size_t i = 0; i < server->count; i++) {
            struct client *c = &server->clients[i];
            settle_client(server, c, ok);
            more |= ok && !c->is_gone && !server->service->is_stopped &&
                    end_of_line(c, 0) != NULL && due(c) < SERVE_QUEUE;
        }
    }
}

static void read_some(struct client *c)
{
    char bytes[CHUNK];
    ssize_t n = read(c->in, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return;
    if (n < 0)
        note_loss(c, "standard input: cannot read");
    c->is_over = n <= 0;
    if (n > 0)
        text_bytes(&c->input, bytes, (size_t)n);
    else if (n == 0 && c->input.length > 0)
        text_put(&c->input, "\n"); /* the last line may lack its end */
}

static void close_client(struct client *c)
{
    if (c->in > STDERR_FILENO)
        (void)close(c->in);
    text_fini(&c->input);
    text_fini(&c->output);
}

/* ---- all of them ---- */

static void drop_finished(struct server *server)
{
    size_t kept = 0;
    for (size_t i = 0; i < server->count; i++) {
        struct client *c = &server->clients[i];
        if (c->is_gone || (c->is_over && due(c) == 0))
            close_client(c);
        else
            server->clients[kept++] = *c;
    }
    server->count = kept;
}

static bool unblock(int file)
{
    int flags = fcntl(file, F_GETFL);
    return flags >= 0 && fcntl(file, F_SETFL, flags | O_NONBLOCK) == 0;
}

static void admit(struct server *server)
{
    static const char full[] = "{\"ok\": false, \"error\": \"there are too many clients\"}\n";
    int file = accept(server->listener, NULL, NULL);
    server->is_short = file < 0 && errno != EINTR && errno != ECONNABORTED;
    if (file < 0)
        return;
    if (server->count == SERVE_CLIENTS || !unblock(file)) {
        (void)!write(file, full, sizeof full - 1);
        (void)close(file);
        return;
    }
    server->clients[server->count++] = (struct client){.in = file, .out = file};
}

/*
 * The descriptors to poll now: a client whose answers pile up is not read. Each descriptor appears
 * once, and only if needed: poll() accepts no more than the process may open.
 */
static nfds_t gather(struct server *server, struct pollfd *polls)
{
    nfds_t n = 0;
    for (size_t i = 0; i < server->count; i++) {
        struct client *c = &server->clients[i];
        short reads = !c->is_over && due(c) < SERVE_QUEUE ? POLLIN : 0;
        short writes = due(c) > 0 ? POLLOUT : 0;
        bool is_one = c->in == c->out;
        c->polled = reads != 0 ? (int)n : -1;
        if (reads != 0 || (is_one && writes != 0))
            polls[n++] =
                (struct pollfd){.fd = c->in, .events = (short)(is_one ? reads | writes : reads)};
        if (!is_one && writes != 0)
            polls[n++] = (struct pollfd){.fd = c->out, .events = writes};
    }
    if (server->listener >= 0 && !server->is_short)
        polls[n++] = (struct pollfd){.fd = server->listener, .events = POLLIN};
    return n;
}

static void turn(struct server *server, int wait_ms)
{
    struct pollfd polls[2 * SERVE_CLIENTS + 1];
    size_t count = server->count;
    nfds_t n = gather(server, polls);
    bool listens = server->listener >= 0 && !server->is_short;
    server->is_short = false;
    if (poll(polls, n, wait_ms) <= 0)
        return;
    for (size_t i = 0; i < count; i++) {
        struct client *c = &server->clients[i];
        if (c->polled >= 0 && (polls[c->polled].revents & ~POLLOUT) != 0 &&
            !server->service->is_stopped)
            read_some(c);
    }
    answer_all(server);
    if (listens && polls[n - 1].revents != 0 && !server->service->is_stopped)
        admit(server);
    drop_finished(server);
}

static bool goes_on(const struct server *server, struct err *err)
{
    bool alone = server->listener < 0 && server->count == 0;
    return !server->service->is_stopped && !alone && cli_interrupted() == 0 &&
           service_is_sound(server->service, err);
}

static void finish(struct server *server)
{
    server->service->is_stopped = true;
    for (int waited = 0; waited < FLUSH_MS && server->count > 0; waited += LOOK_MS) {
        for (size_t i = 0; i < server->count; i++)
            server->clients[i].is_over = true;
        drop_finished(server);
        if (server->count > 0)
            turn(server, LOOK_MS);
    }
    for (size_t i = 0; i < server->count; i++)
        close_client(&server->clients[i]);
    server->count = 0;
}

static bool serve(struct server *server, struct err *err)
{
    cli_catch_signals();
    (void)signal(SIGPIPE, SIG_IGN); /* a client that goes is no reason to end */
    while (goes_on(server, err)) {
        turn(server, LOOK_MS);
        service_rest(server->service);
    }
    cli_keep(); /* until the program ends: answers and the state */
    finish(server);
    return err->code == 0;
}

bool serve_standard(struct service *service, struct err *err)
{
    struct server server = {.service = service, .listener = -1, .count = 1};
    struct err lost = {0};
    server.clients[0] =
        (struct client){.in = STDIN_FILENO, .out = STDOUT_FILENO, .blocks = true, .lost = &lost};
    bool ok = serve(&server, err);
    if (ok && lost.code != EXIT_OK)
        *err = lost;
    return ok && lost.code == EXIT_OK;
}

/* ---- the socket ---- */

/* A socket without a listener is a leftover. */
static bool clear_path(const struct sockaddr_un *address, struct err *err)
{
    struct stat info;
    if (lstat(address->sun_path, &info) != 0)
        return true;
    if (!S_ISSOCK(info.st_mode))
        return err_set(err, EXIT_INPUT, "'%s' is there, and no socket", address->sun_path);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    bool answers =
        file >= 0 && connect(file, (const struct sockaddr *)address, sizeof *address) == 0;
    bool is_left = file >= 0 && !answers && errno == ECONNREFUSED;
    if (!answers && !is_left)
        (void)err_set(err, EXIT_INPUT, "cannot tell which process listens on '%s': %s",
                      address->sun_path, strerror(errno));
    if (file >= 0)
        (void)close(file);
    if (answers)
        return err_set(err, EXIT_INPUT, "another service listens at '%s'", address->sun_path);
    if (!is_left)
        return false;
    return unlink(address->sun_path) == 0 ||
           err_set(err, EXIT_INPUT, "cannot remove '%s': %s", address->sun_path, strerror(errno));
}

static bool listen_at(int *listener, const char *path, struct err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return err_set(err, EXIT_INPUT, "--socket '%s': expected a path of at most %zu bytes", path,
                       sizeof address.sun_path - 1);
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (!clear_path(&address, err))
        return false;
    *listener = socket(AF_UNIX, SOCK_STREAM, 0);
    mode_t before = umask(S_IXUSR | S_IRWXG | S_IRWXO); /* private from the first moment */
    bool ok =
        *listener >= 0 && bind(*listener, (const struct sockaddr *)&address, sizeof address) == 0;
    (void)umask(before);
    return (ok && listen(*listener, SERVE_CLIENTS) == 0 && unblock(*listener)) ||
           err_set(err, EXIT_INPUT, "cannot listen at '%s': %s", path, strerror(errno));
}

bool serve_socket(struct service *service, const char *path, struct err *err)
{
    struct server server = {.service = service, .listener = -1};
    bool ok = listen_at(&server.listener, path, err);
    if (ok) {
        int noted = ending_file(path);
        ok = serve(&server, err);
        (void)unlink(path);
        ending_file_done(noted);
    }
    if (server.listener >= 0)
        (void)close(server.listener);
    return ok;
}
