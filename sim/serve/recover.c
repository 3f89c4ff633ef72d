/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a service resumes; see recover.h. */
#include "sim/serve/recover.h"

#include "policies/facts/records.h"
#include "policies/facts/saved.h"
#include "policies/facts/saved_file.h"
#include "sim/base/mem.h"
#include "sim/serve/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct recovery {
    struct service *s;
    char *bytes; /* of the state; NULL: there is none */
    size_t size;
    struct saved saved;
    bool has_state; /* it is whole, and the journal has its record */
    uint64_t from;  /* the first record that the state does not stand for */
};

/* ---- the state and the journal ---- */

/* Compares the line of the record that a state belongs to. */
struct match {
    const char *after;
    uint64_t record;
    bool is_first; /* it is the first line of a log that was renewed */
    bool matches;
    char chain[CHAIN_DIGITS + 1];
};

static bool see(void *self, uint64_t number, const char *line, size_t n)
{
    struct match *m = self;
    struct fact_line first = {.tree = NULL};
    BUG_ON(number != m->record);
    m->matches = record_chain(line, n, m->chain) && strcmp(m->chain, m->after) == 0;
    if (!m->matches && m->is_first && fact_line_read(&first, line, n) &&
        first.fact.kind == FACT_POLICY) {
        const struct fact_policy *policy = first.fact.spec;
        m->matches = policy->after != NULL && strcmp(policy->after, m->after) == 0;
    }
    fact_line_fini(&first);
    return false;
}

static bool lacks(const struct recovery *r, uint64_t record, struct err *err)
{
    const struct service *s = r->s;
    const struct fact_log *log = &s->log;
    if (log->size == 0)
        return err_set(err, EXIT_INPUT,
                       "'%s' stands for the first %" PRIu64
                       " records of a journal, and '%s' has none: expected that journal "
                       "(--journal)%s",
                       s->options.state, record, s->log_path,
                       s->options.new_journal
                           ? ": the service that saved this state did not end by itself"
                           : ", or --new-journal to continue without");
    if (log->records < record)
        return err_set(err, EXIT_INPUT,
                       "'%s' has %" PRIu64 " records, and '%s' stands for the first %" PRIu64
                       ": the last %" PRIu64 " are missing",
                       s->log_path, log->records, s->options.state, record, record - log->records);
    return err_set(err, EXIT_INPUT,
                   "'%s' stands for the first %" PRIu64
                   " records, and '%s' begins behind record %" PRIu64 ": those between are missing",
                   s->options.state, record, s->log_path, log->base);
}

static bool match_state(struct recovery *r, struct err *err)
{
    const struct fact_log *log = &r->s->log;
    const struct fact_policy *policy = r->saved.line.fact.spec;
    uint64_t record = (uint64_t)policy->records;
    if (log->size == 0 || record > log->records || record < log->base)
        return lacks(r, record, err);
    struct match m = {.after = policy->after,
                      .record = record,
                      .is_first = log->is_renewed && record == log->base};
    errno = 0;
    (void)fact_log_read(log, record, (struct fact_log_reader){see, &m});
    r->from = record + 1;
    return m.matches ||
           err_set(err, EXIT_INPUT,
                   "'%s' stands for record %" PRIu64
                   " with the chain %s, and '%s' has %s there: %s",
                   r->s->options.state, record, policy->after, r->s->log_path, m.chain,
                   m.chain[0] == '\0' ? strerror(errno) : "it is the state of another journal");
}

/* A section tells all that was there when it began; a log that was emptied does not. */
static bool journal_suffices(const struct service *s)
{
    return s->log.records > 0 && !(s->log.is_renewed && s->log.section == s->log.base);
}

static void note(struct service *s, const char *what, const char *why)
{
    free(s->note);
    s->note = mem_format("%s: %s; the records of '%s' are taken instead", what, why, s->log_path);
}

/* A broken state is ignored if the journal is complete. */
static bool read_state(struct recovery *r, struct err *err)
{
    char why[256];
    struct service *s = r->s;
    const char *path = s->options.state;
    if (path == NULL)
        return true;
    if (!saved_file_read(path, &r->bytes, &r->size, why, sizeof why))
        return err_set(err, EXIT_INPUT, "%s: cannot read it: %s", path, why);
    if (r->bytes == NULL)
        return true;
    r->has_state =
        saved_open(&r->saved, r->bytes, r->size, why, sizeof why) && saved_next(&r->saved);
    if (r->has_state)
        return true;
    if (!journal_suffices(s))
        return err_set(err, EXIT_INPUT, "%s: %s", path, why);
    note(s, path, why);
    return true;
}

/* ---- whose it was ---- */

struct first {
    struct fact_line line;
    bool ok;
};

static bool read_first(void *self, uint64_t number, const char *line, size_t n)
{
    struct first *first = self;
    (void)number;
    first->ok = fact_line_read(&first->line, line, n) && first->line.fact.kind == FACT_POLICY;
    return false;
}

/* As the writer's policy, if that can still be created; else the present policy accepts what was
 * recorded. */
static bool make_core(struct service *s, const struct fact_policy *then,
                      struct service_replay *replay, struct err *err)
{
    struct err why = {0};
    struct replay_core core;
    replay->is_other = !service_is_policy(s, then);
    replay->takes_over = replay->is_other || s->options.take_over;
    replay->is_foreign = false;
    if (!replay->is_other)
        return true;
    if (replay_core_open(&core, then, s->log_path, &why)) {
        replay_core_close(&s->core);
        s->core = core;
        s->state.requeues_whole = (policy_traits(&core.config) & POLICY_TRAIT_WHOLE) != 0;
        return true;
    }
    replay_core_close(&core);
    replay->is_foreign = true;
    (void)err;
    return true;
}

/* Creates an empty core of the requested policy. */
static bool choose_again(struct service *s, struct err *err)
{
    replay_core_close(&s->core);
    policy_file_close(&s->policy_file);
    s->policy_file = (struct policy_file){.name = NULL};
    if (!replay_core_choose(&s->core, s->options.policy, &s->policy_file, s->options.seed, err))
        return false;
    s->state.requeues_whole = (policy_traits(&s->core.config) & POLICY_TRAIT_WHOLE) != 0;
    return true;
}

static void forget(struct service *s)
{
    service_state_fini(&s->state);
    replay_places_fini(&s->places);
    s->now = INT64_MIN;
    s->restored = s->replayed = s->taken_over = 0;
}

/* ---- taking it up ---- */

static bool from_state(struct recovery *r, struct service_replay *replay, struct err *err)
{
    if (!make_core(r->s, r->saved.line.fact.spec, replay, err))
        return false;
    while (saved_next(&r->saved))
        if (!service_replay_state(replay, &r->saved.line.fact, r->saved.number, err))
            return false;
    return service_replay_from(replay, r->from, err);
}

static bool from_journal(struct recovery *r, struct service_replay *replay, struct err *err)
{
    struct first first = {.ok = false};
    struct service *s = r->s;
    (void)fact_log_read(&s->log, s->log.section, (struct fact_log_reader){read_first, &first});
    bool ok = first.ok ||
              err_set(err, EXIT_INPUT, "%s: cannot read it: %s", s->log_path, strerror(errno));
    ok = ok && make_core(s, first.line.fact.spec, replay, err) &&
         service_replay_from(replay, s->log.section + 1, err);
    fact_line_fini(&first.line);
    return ok;
}

/* The state is a short cut, and the journal the truth: where they disagree it is taken from its
 * beginning. */
static bool take_up(struct recovery *r, struct service_replay *replay, struct err *err)
{
    struct err why = {0};
    struct service *s = r->s;
    if (!r->has_state)
        return from_journal(r, replay, err);
    if (from_state(r, replay, &why) && s->taken_over == 0)
        return true;
    if (!journal_suffices(s)) {
        if (why.code != 0)
            *err = why;
        return why.code == 0;
    }
    note(s, s->options.state, why.code != 0 ? why.msg : "the policy decides otherwise than it did");
    forget(s);
    service_replay_fini(replay);
    *replay = (struct service_replay){.s = s};
    return choose_again(s, err) && from_journal(r, replay, err);
}

/* ---- the next policy ---- */

struct handing {
    struct service *s;
    struct service_replay *replay;
    struct fact_line line;
    struct text *lines;
    struct err *err;
    bool failed;
    uint64_t number;
};

/* Passes on what the previous policy knew, line by line, as far as this one can use it. */
static void hand_line(void *self, struct text *line)
{
    struct handing *h = self;
    text_put(line, "}");
    text_bytes(h->lines, line->bytes, line->length);
    text_put(h->lines, "\n");
}

static bool hand_over(struct handing *h)
{
    struct service *s = h->s;
    const char *at = h->lines->bytes;
    for (size_t left = h->lines->length; left > 0 && !h->failed;) {
        const char *end = memchr(at, '\n', left);
        size_t n = (size_t)(end + 1 - at);
        BUG_ON(!fact_line_read(&h->line, at, n - 1));
        uint64_t before = s->restored;
        h->failed = !service_replay_state(h->replay, &h->line.fact, ++h->number, h->err);
        if (!h->failed && s->restored > before) {
            text_bytes(&s->section, at, n);
            s->section_facts++;
        }
        at += n;
        left -= n;
    }
    return !h->failed;
}

/* The section begins with the next record: reading the state of another policy changes nothing. */
static bool begin_anew(struct service *s, struct service_replay *replay, struct err *err)
{
    struct text lines = {.length = 0};
    struct handing h = {.s = s, .replay = replay, .lines = &lines, .err = err};
    policy_time now = s->now;
    uint64_t taken_over = s->taken_over, replayed = s->replayed;
    (void)service_state_tell(&s->state, s->core.policy, &s->core.map, now,
                             (struct state_sink){hand_line, &h});
    BUG_ON(lines.failed);
    forget(s);
    replay->is_handed = true;
    bool ok = choose_again(s, err) && hand_over(&h);
    s->now = now;
    s->taken_over = taken_over;
    s->replayed = replayed;
    s->section_at = now;
    s->begins_section = true;
    fact_line_fini(&h.line);
    text_fini(&lines);
    return ok;
}

/* The state alone, for a journal of its own. */
static bool leave_journal(struct recovery *r, struct service_replay *replay, struct err *err)
{
    struct service *s = r->s;
    const struct fact_policy *policy = r->has_state ? r->saved.line.fact.spec : NULL;
    if (policy == NULL || s->log.size > 0)
        return err_set(err, EXIT_INPUT,
                       "--new-journal: expected a state (--state), and no records in '%s' yet",
                       s->log_path != NULL ? s->log_path : "");
    if (!policy->closed)
        return lacks(r, (uint64_t)policy->records, err);
    if (!make_core(s, policy, replay, err))
        return false;
    while (saved_next(&r->saved))
        if (!service_replay_state(replay, &r->saved.line.fact, r->saved.number, err))
            return false;
    if (!begin_anew(s, replay, err))
        return false;
    service_begin_section(s);
    return true;
}

static bool begin_fresh(struct service *s)
{
    s->begins_section = true;
    s->section_at = INT64_MIN;
    service_begin_section(s);
    s->has_section = false;
    return true;
}

static bool recover(struct recovery *r, struct service_replay *replay, struct err *err)
{
    struct service *s = r->s;
    if (!read_state(r, err))
        return false;
    if (s->options.new_journal)
        return leave_journal(r, replay, err);
    if (!r->has_state && s->log.size == 0)
        return begin_fresh(s);
    if (!r->has_state && !journal_suffices(s))
        return err_set(err, EXIT_INPUT,
                       "'%s' is missing: '%s' has only what came after its %" PRIu64 " records",
                       s->options.state, s->log_path, s->log.base);
    /* The policy was changed after the state was saved, and the new section has all that was there.
     */
    if (r->has_state && !match_state(r, err))
        return false;
    if (r->has_state && s->log.section >= r->from)
        r->has_state = false;
    if (!take_up(r, replay, err))
        return false;
    return !(replay->is_other || s->taken_over > 0) || begin_anew(s, replay, err);
}

bool service_recover(struct service *s, struct err *err)
{
    struct recovery r = {.s = s};
    struct service_replay replay = {.s = s};
    s->has_places = true;
    bool ok = recover(&r, &replay, err);
    s->has_places = s->options.shadow;
    if (!s->has_places)
        replay_places_fini(&s->places);
    service_replay_fini(&replay);
    saved_close(&r.saved);
    free(r.bytes);
    return ok;
}
