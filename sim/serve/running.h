/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running decision service (service.h). */
#ifndef SIM_SERVE_RUNNING_H
#define SIM_SERVE_RUNNING_H

#include "policies/facts/log.h"
#include "sim/replay/journal_file.h"
#include "sim/replay/takeover.h"
#include "sim/serve/state.h"

#define SERVICE_MAX_JUMP_MS (INT64_C(366) * 86400000)
/* records: minimum size of a log beside a state before it is emptied */
#define SERVICE_KEEP 10000

struct service_options {
    const char *policy;
    uint64_t seed;
    const char *journal, *state; /* files; NULL: none */
    bool shadow;
    bool new_journal; /* continues from a state saved at the end, without its journal */
    bool take_over;   /* where the policy decides differently now, the recorded decisions stand */
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
    struct service_state state; /* the present state */
    struct replay_places places;
    bool has_places; /* they are kept: in shadow mode, and while the journal is read */
    struct fact_line line;
    policy_time now;     /* the latest reported time */
    uint64_t restored;   /* facts of the state */
    uint64_t replayed;   /* records after it */
    uint64_t taken_over; /* decisions of then that the policy would not make now */
    uint64_t saved;      /* the record for which the file stands */
    char *note;          /* about skipped parts; NULL: none */
    struct text
        section; /* lines of facts with which a section has to begin before the next record */
    uint32_t section_facts; /* their number */
    policy_time section_at;
    bool begins_section; /* there is one to be begun */
    bool has_section;    /* one was begun, and no state was saved since */
    bool is_stopped;
    struct err failure; /* of the policy: it could not decide, and is not asked again */
};

/* The policy as the journal records it: options from a file, in its order. `options` is to be
 * freed. */
struct fact_policy service_policy(const struct service *, struct fact_option **options);
bool service_is_policy(const struct service *, const struct fact_policy *);

/* Passes the fact to the core and to the state; the latter with the journal. Returns the core's
 * status. */
int service_take(struct service *, const struct fact *);
int service_tell(struct service *, const struct fact *);
void service_decided(struct service *); /* the core's decisions become part of the state */

/* Begins the section that has to be begun before the next record, if there is one. */
void service_begin_section(struct service *);

#endif
