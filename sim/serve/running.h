/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decision service with all that it knows (service.h). */
#ifndef SIM_SERVE_RUNNING_H
#define SIM_SERVE_RUNNING_H

#include "policies/facts/log.h"
#include "sim/replay/journal_file.h"
#include "sim/replay/takeover.h"
#include "sim/serve/state.h"

#define SERVICE_MAX_JUMP_MS (INT64_C(366) * 86400000)
/* records: a log beside a state has at least so many before it is emptied */
#define SERVICE_KEEP 10000

struct service_options {
    const char *policy;
    uint64_t seed;
    const char *journal, *state; /* files; NULL: none */
    bool shadow;
    bool new_journal; /* goes on from a state that was saved at the end, without the journal before
                       */
    bool take_over;   /* where the policy decides otherwise than it did, what was recorded stands */
    int64_t sync_ms;  /* as of struct fact_log */
    int64_t max_jump_ms;
    uint64_t keep; /* 0: SERVICE_KEEP */
};

struct service {
    struct service_options options;
    struct policy_file policy_file;
    struct replay_core core;
    struct fact_log log;
    char *log_path;             /* the journal, or the state's own log; NULL: none */
    struct service_state state; /* what is there */
    struct replay_places places;
    bool has_places; /* they are kept: in shadow mode, and while the journal is read */
    struct fact_line line;
    policy_time now;     /* the latest time that was told */
    uint64_t restored;   /* facts of the state */
    uint64_t replayed;   /* records behind it */
    uint64_t taken_over; /* decisions of then that the policy would not make now */
    uint64_t saved;      /* the record for which the file stands */
    char *note;          /* on what was passed over; NULL: nothing */
    struct text
        section; /* lines of facts with which a section has to begin before the next record */
    uint32_t section_facts; /* their number */
    policy_time section_at;
    bool begins_section; /* there is one to be begun */
    bool has_section;    /* one was begun, and no state was saved since */
    bool is_stopped;
    struct err failure; /* of the policy: it could not decide, and is not asked again */
};

/* The policy as the journal names it: options that a file set, in its order. `options` is to be
 * freed. */
struct fact_policy service_policy(const struct service *, struct fact_option **options);
bool service_is_policy(const struct service *, const struct fact_policy *);

/* Tells the core, and what is there; the latter with the journal. A status of the core, which has
 * words for it. */
int service_take(struct service *, const struct fact *);
int service_tell(struct service *, const struct fact *);
void service_decided(struct service *); /* the decisions of the core are part of what is there */

/* Begins the section that has to be begun before the next record, if there is one. */
void service_begin_section(struct service *);

#endif
