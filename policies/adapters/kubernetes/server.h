/* SPDX-License-Identifier: MIT */
/*
 * The extender behind HTTP (libmicrohttpd): POST /filter, /prioritize, /preempt, /bind, /snapshot; GET /healthz.
 *
 * One thread answers one request after the other. Bodies beyond `body_bytes` are refused with 413; a connection on which nothing
 * arrives for 10 seconds, or whose request is not whole after `request_ms`, is closed, and there are 64 at most. Nothing
 * is encrypted and nobody is asked who they are: it listens on the loopback address unless told otherwise.
 */
#ifndef POLICIES_ADAPTERS_KUBERNETES_SERVER_H
#define POLICIES_ADAPTERS_KUBERNETES_SERVER_H

#include "policies/adapters/kubernetes/extender.h"

#include <stdint.h>

struct server_options {
    const char *address;  /* IPv4, "127.0.0.1" */
    uint16_t port;        /* 0: any that is free */
    size_t body_bytes;    /* most of one request */
    int64_t request_ms;   /* for the whole of a request to arrive */
    const char *snapshot; /* read at the start, and before an answer when it has changed; or NULL */
};

struct server;

/* The extender is the caller's, and the server's alone until server_stop(). NULL with err set. */
struct server *server_start(struct extender *, const struct server_options *, struct err *);
uint16_t server_port(const struct server *);
void server_stop(struct server *); /* requests that are being answered are answered; NULL is fine */

#endif
