/* SPDX-License-Identifier: MIT */
/* HTTP around the extender; see server.h. */
#include "policies/adapters/kubernetes/server.h"

#include "sim/base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define MOST_CONNECTIONS 64
#define IDLE_SECONDS     10

struct server {
    struct extender *extender;
    struct server_options options;
    struct MHD_Daemon *daemon;
    struct stat seen; /* the snapshot file as it was last read */
};

/* The body of one request as it arrives. */
struct upload {
    char *body;
    size_t n, capacity;
    int64_t since_ms;
    bool too_large;
};

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the snapshot file ---- */

static bool has_changed(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec ||
           a->st_size != b->st_size || a->st_ino != b->st_ino;
}

/* What changes while it is read is read again. */
static bool read_first(struct server *server, struct err *err)
{
    if (!server->options.snapshot)
        return true;
    (void)stat(server->options.snapshot, &server->seen);
    return extender_state_file(server->extender, server->options.snapshot, err);
}

/* A file that cannot be used is said once, and what was known before stays. */
static void refresh(struct server *server)
{
    struct stat now;
    struct err err = {.msg = ""};
    if (!server->options.snapshot || stat(server->options.snapshot, &now) != 0 ||
        !has_changed(&now, &server->seen))
        return;
    server->seen = now;
    if (!extender_state_file(server->extender, server->options.snapshot, &err))
        (void)fprintf(stderr, "fauxfleet-extender: %s\n", err.msg);
}

/* ---- answers ---- */

static enum MHD_Result respond(struct MHD_Connection *connection, int status, const char *type,
                               const char *text)
{
    // The library copies the text and does not write to it.
    char *copy = mem_text(text);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(copy), copy, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(copy);
        return MHD_NO;
    }
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, int status, const char *text)
{
    return respond(connection, status, "text/plain; charset=utf-8", text);
}

static enum MHD_Result answer(struct server *server, struct MHD_Connection *connection, const char *path,
                              const struct upload *upload)
{
    struct extender_reply reply;
    refresh(server);
    if (*path != '/' ||
        !extender_answer(server->extender, path + 1, upload->body ? upload->body : "", upload->n, &reply))
        return send_text(connection, MHD_HTTP_NOT_FOUND,
                         "expected /filter, /prioritize, /preempt, /bind, /snapshot or /healthz\n");
    enum MHD_Result result =
        respond(connection, reply.status,
                reply.status == MHD_HTTP_OK ? "application/json" : "text/plain; charset=utf-8", reply.text);
    free(reply.text);
    return result;
}

/* ---- requests ---- */

static void append(struct server *server, struct upload *upload, const char *data, size_t n)
{
    if (upload->too_large || n > server->options.body_bytes - upload->n) {
        upload->too_large = true;
        return;
    }
    upload->body = mem_grow(upload->body, &upload->capacity, upload->n + n + 1, 1);
    memcpy(upload->body + upload->n, data, n);
    upload->n += n;
    upload->body[upload->n] = '\0';
}

/* Called with the headers, with each part of the body, and when it is whole. */
static enum MHD_Result handle(void *of, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data, size_t *n,
                              void **context)
{
    struct server *server = of;
    struct upload *upload = *context;
    (void)version;
    if (!upload) {
        upload = *context = mem_alloc(1, sizeof *upload);
        upload->since_ms = now_ms();
        return MHD_YES;
    }
    if (now_ms() - upload->since_ms > server->options.request_ms)
        return MHD_NO;
    if (*n > 0) {
        append(server, upload, data, *n);
        *n = 0;
        return MHD_YES;
    }
    bool get = strcmp(method, "GET") == 0;
    if (get && strcmp(path, "/healthz") == 0)
        return send_text(connection, MHD_HTTP_OK, "ok\n");
    if (strcmp(method, "POST") != 0)
        return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected POST, or GET /healthz\n");
    if (upload->too_large)
        return send_text(connection, MHD_HTTP_CONTENT_TOO_LARGE,
                         "the body is larger than --max-body allows\n");
    return answer(server, connection, path, upload);
}

static void completed(void *of, struct MHD_Connection *connection, void **context,
                      enum MHD_RequestTerminationCode code)
{
    struct upload *upload = *context;
    (void)of;
    (void)connection;
    (void)code;
    if (upload)
        free(upload->body);
    free(upload);
    *context = NULL;
}

/* ---- life ---- */

static bool start_daemon(struct server *server, struct err *err)
{
    const struct server_options *options = &server->options;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options->port)};
    if (inet_pton(AF_INET, options->address, &address.sin_addr) != 1)
        return err_set(err, EXIT_INPUT, "--listen: '%.60s', expected an IPv4 address", options->address);
    server->daemon =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, options->port, NULL, NULL, handle, server,
                         MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
                         (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
                         MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
    return server->daemon || err_set(err, EXIT_INPUT, "cannot listen on %s:%u: %s", options->address,
                                     (unsigned)options->port, strerror(errno));
}

struct server *server_start(struct extender *extender, const struct server_options *options, struct err *err)
{
    struct server *server = mem_alloc(1, sizeof *server);
    server->extender = extender;
    server->options = *options;
    if (read_first(server, err) && start_daemon(server, err))
        return server;
    free(server);
    return NULL;
}

uint16_t server_port(const struct server *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

void server_stop(struct server *server)
{
    if (server)
        MHD_stop_daemon(server->daemon);
    free(server);
}
