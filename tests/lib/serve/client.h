/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client of the decision service that follows its protocol (sim/serve/service.h): a small
 * cluster, drawn from a seed, that submits jobs, reports what becomes of decisions, and keeps its
 * own books, in which nothing may be started twice and no job be lost. What it says next depends on
 * the seed and on the answers alone. Each request has its record number, so whoever is killed, the
 * client just sends what was not answered again.
 *
 *     while ((line = client_ask(&c)) != NULL)      the next requests, or again those that were not
 *                                                  answered
 *         client_hear(&c, answer to each line)
 *     client_end(&c)                                 c.wrong: what the books do not bear; ""
 *                                                    nothing
 */
#ifndef TESTS_LIB_SERVE_CLIENT_H
#define TESTS_LIB_SERVE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIENT_JOBS  512
#define CLIENT_TASKS 4
#define CLIENT_ASKED 8 /* requests that wait for their answers at most */
#define CLIENT_LINE  1024

struct client_job {
    uint32_t tasks;
    uint8_t state[CLIENT_TASKS]; /* enum client_task */
    bool is_over, was_evicted;   /* one of a gang, since it last ran */
};

/* A request, and what it says about whom. */
struct client_request {
    int kind;
    uint32_t job, task;
    bool is_evicted, has_record;
    char line[CLIENT_LINE];
};

struct client {
    uint64_t random;
    bool has_pods;   /* tasks on their own: jobs need not be gangs */
    bool takes_shot; /* asks for snapshots, so that the state is saved */
    uint32_t requests, most;
    int64_t now;
    uint64_t record; /* that the next request shall have */
    uint32_t nodes, queues, job_count;
    struct client_job jobs[CLIENT_JOBS];
    struct client_request asked[CLIENT_ASKED];
    uint32_t asked_count, begun; /* facts of the world that were told */
    uint32_t checked;            /* jobs that were asked for at the end */
    uint64_t starts, evictions, refused, repeated;
    char *heard; /* all decisions, one a line, to be compared */
    size_t heard_length, heard_room;
    char wrong[256];
    char text[CLIENT_ASKED * CLIENT_LINE];
};

/* `most` requests of a session under the preset. */
void client_begin(struct client *, uint64_t seed, const char *policy, uint32_t most,
                  bool takes_shot);

/* Lines, each with its line feed; their number is `asked_count`. NULL at the end. */
const char *client_ask(struct client *);

/* The answer to the first request that has none. */
void client_hear(struct client *, const char *answer, size_t n);

void client_end(struct client *);

#endif
