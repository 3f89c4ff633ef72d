/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy core as a decision service, without its ends: a line comes in, a line goes out. Requests are facts, in numbers that
 * the clients choose, and what they ask:
 *
 *     {"t_ms": 0, "fact": "node_add", "node": 1, "rank": 1, "devices": 8, "id": 7}    {"id": 7, "ok": true}
 *     {"do": "decide", "t_ms": 5}                                      {"ok": true, "decisions": [...], "next_ms": null}
 *     {"do": "explain", "job": 3}                                      {"ok": true, "reason": "FRAGMENTED", "detail": "..."}
 *     {"do": "snapshot"}                                {"ok": true, "facts": 120, "snapshot": {...}}: the state was saved; service_snapshot.h
 *     {"do": "snapshot", "file": "s.json"}              {"ok": true, "facts": 120}: the snapshot is in the file
 *     {"do": "stop"}                                                   {"ok": true}: no more requests are taken
 *     what is none of these                                            {"ok": false, "error": "..."}
 *
 * "id" may be anything and comes back. A request that is refused has changed nothing. All clients talk to one core; what they
 * say is taken in the order in which it arrives.
 *
 * In shadow mode decisions are answered and logged, and then taken back: what really happened is told by facts (task_running).
 *
 * State is what is there now (service_state.h), as a file of facts that is whole or absent.
 */
#ifndef SIM_CLI_SERVICE_H
#define SIM_CLI_SERVICE_H

#include "policies/adapters/facts/log.h"
#include "sim/cli/journal_file.h"
#include "sim/cli/replay_takeover.h"
#include "sim/cli/service_state.h"

struct service_options {
    const char *policy;
    uint64_t seed;
    const char *journal, *state; /* files; NULL: none */
    bool shadow;
    int64_t sync_ms; /* as of struct fact_log */
};

struct service {
    struct service_options options;
    struct policy_file policy_file;
    struct replay_core core;
    struct fact_log log;
    struct service_state state; /* kept with --state alone */
    struct replay_places places;
    struct fact_line line;
    policy_time now;     /* the latest time that was told */
    uint64_t restored;   /* facts */
    bool is_same_policy; /* the state that was restored was that of a service with this policy */
    bool has_news;       /* something was told or decided since it was opened */
    bool is_stopped;
    struct err failure; /* of the policy: it could not decide, and is not asked again */
};

/* Restores the state, if there is one. To be closed in any case. */
bool service_open(struct service *, const struct service_options *, struct err *);

/* Appends one line to `answer`, with its line feed. */
void service_answer(struct service *, const char *line, size_t n, struct text *answer);

/* The same for what is no line at all. */
void service_refuse(const char *why, struct text *answer);

/* False with err set when the journal could not be written, or the policy cannot decide: the service should end. */
bool service_is_sound(const struct service *, struct err *);

/* Now and then, between requests: brings the journal to the disk, if options.sync_ms says that it is time. */
void service_rest(struct service *);

/* Saves the state, if it was opened, and closes the journal. */
bool service_close(struct service *, struct err *);

#endif
