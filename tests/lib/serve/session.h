/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session of a client (client.h) with a decision service in this process, which is killed and
 * started again at moments that are drawn: before its records are written, when a part of them is,
 * after that and before the answer, and after the answer. Between lives its state may be removed or
 * cut, as far as the journal suffices. Killed or not, the session has to come to the same end.
 */
#ifndef TESTS_LIB_SERVE_SESSION_H
#define TESTS_LIB_SERVE_SESSION_H

#include "sim/serve/service.h"
#include "tests/lib/serve/client.h"

/* Where the next moment to be killed is drawn from. */
struct session_chance {
    uint32_t (*below)(void *, uint32_t n); /* 0 to n - 1; NULL: it is never killed */
    void *self;
    uint32_t one_in; /* requests, on average */
};

struct session {
    struct service_options options;
    struct session_chance chance;
    uint64_t seed;
    const char *policy; /* the name of the preset */
    uint32_t requests;
    bool is_open;
    struct service service;
    struct client client;
    uint64_t kills, closes, passed_over, replayed;
    char wrong[1280]; /* "": all is well */
};

/* The whole session; the service is closed. True when `wrong` is empty. session_end() frees what
 * the client heard. */
bool session_play(struct session *);
void session_end(struct session *);

#endif
