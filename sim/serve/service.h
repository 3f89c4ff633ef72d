/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy core as a decision service, without its ends: a line comes in, a line goes out.
 * Requests are facts, in numbers that the clients choose, and what they ask:
 *
 *     {"t_ms": 0, "fact": "node_add", "node": 1, "rank": 1, "devices": 8, "id": 7}    {"id": 7,
 *       "ok": true, "record": 2}
 *     {"do": "decide", "t_ms": 5}                {"ok": true, "record": 5, "decisions": [...],
 *                                                "next_ms": null, "records": 6}
 *     {"do": "status"}                           {"ok": true, "records": 6, "chain":
 *                                                "9f86d081884c7d65", "first": 1, "t_ms": 5, ...}
 *     {"do": "decisions", "after": 4}            {"ok": true, "decisions": [{"record": 6, ...}],
 *                                                "upto": 6, "records": 6}
 *     {"do": "explain", "job": 3}                {"ok": true, "reason": "FRAGMENTED", "detail":
 *                                                "..."}
 *     {"do": "snapshot"}                         {"ok": true, "facts": 120, "snapshot": {...}}: the
 *                                                state was saved; snapshot.h
 *     {"do": "snapshot", "file": "s.json"}       {"ok": true, "facts": 120}: the snapshot is in the
 *                                                file
 *     {"do": "stop"}                             {"ok": true}: no more requests are taken
 *     what is none of these                      {"ok": false, "error": "..."}
 *
 * "id" may be anything and comes back. A request that is refused has changed nothing. All clients
 * talk to one core; what they say is taken in the order in which it arrives.
 *
 * ---- nothing is lost, nothing is done twice ----
 *
 * The journal (--journal, or STATE.log) is the truth, and every fact, decide and decision that was
 * taken is one record of it, with numbers from 1. An answer leaves after its records are in the
 * journal: what was answered with ok survives any end of the service, and what was not is either
 * whole in the journal or not at all.
 *
 * A client that keeps the number of the last record that it knows of loses nothing and repeats
 * nothing, whichever process was killed. It numbers its requests: "record" is the number that the
 * record shall have.
 *
 *     client                                                        service
 *     {"t_ms": 5, "fact": "job_add", "job": 1, ..., "record": 4}    {"ok": true, "record": 4}
 *     {"do": "decide", "t_ms": 5, "record": 5}                      (is killed before it answers,
 *       and started again)
 *     {"do": "decide", "t_ms": 5, "record": 5}                      {"ok": true, "record": 5,
 *       "repeated": true, "decisions":
 *                                                                    [{..., "decision": "start",
 *                                                                    "job": 1, ...}], "records": 6}
 *     {"t_ms": 6, "fact": "task_started", "job": 1, "record": 7}    {"ok": true, "record": 7}
 *
 *     "record" is the next number         it is taken
 *     it was taken before, the same       {"ok": true, "record": ..., "repeated": true}: nothing is
 *                                         done, decisions are answered again
 *     that number is something else       an error: another client was faster; ask for the status,
 *                                         and number it anew
 *     it lies ahead                       an error: what the client believes to be recorded is not;
 *                                         it is to be sent first
 *
 * A client that does not know the number asks {"do": "status"}, and for the decisions behind a
 * record with {"do": "decisions"}: the first answer has as many as fit, up to the record "upto",
 * from which the client asks on while that is less than "records".
 *
 * Without "record" a fact is recognised as far as it speaks for itself: nodes, queues and jobs that
 * are there as they are added, tasks that are reported to have started twice. These are answered
 * with "repeated", too.
 *
 * Times go forward, and not by more than options.max_jump_ms at a time, so that one wrong clock
 * does not stop all others.
 *
 * In shadow mode decisions are answered and logged, and then taken back: what really happened is
 * told by facts (task_running).
 *
 * State is what is there now (state.h), and the record of the journal that it stands for
 * (policies/facts/saved.h). A restart begins with it and takes the records behind it; with no
 * state, or a broken one, all of the journal's last section (recover.h).
 */
#ifndef SIM_SERVE_SERVICE_H
#define SIM_SERVE_SERVICE_H

#include "sim/serve/running.h"

/* Goes on where the journal ends, or from the state. To be closed in any case. */
bool service_open(struct service *, const struct service_options *, struct err *);

/*
 * Appends one line to `answer`, with its line feed, which is not to leave before service_commit()
 * has returned true. Then it is void, and the request to be answered again: with what went wrong.
 */
void service_answer(struct service *, const char *line, size_t n, struct text *answer);
bool service_commit(struct service *);

/* The same for input that is not a line. */
void service_refuse(const char *why, struct text *answer);

/* False with err set when the journal could not be written, or the policy cannot decide: the
 * service should end. */
bool service_is_sound(const struct service *, struct err *);

/* Called between requests: syncs the journal if options.sync_ms has passed. */
void service_rest(struct service *);

/* Saves the state, if it was opened, and closes the journal. */
bool service_close(struct service *, struct err *);

/* ---- for answers ---- */

bool service_save(struct service *, bool closed, uint64_t *facts, struct err *);
bool service_owns_file(const struct service *, const char *path);

#endif
