/* SPDX-License-Identifier: MIT */
/* Journal and state combined; see life.h. */
#include "policies/adapters/slurm/life.h"

#include "policies/adapters/slurm/memory.h"
#include "policies/facts/read.h"
#include "policies/facts/records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUCH 4 /* multiple of the intended length */

struct error {
    char *text;
    size_t size;
};

static bool fail(struct error e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct error e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(e.text, e.size, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- matching state and journal ---- */

/* Chain values that a state of this record may name: that of its line, and the one that a restarted
 * log continues from. */
struct ends {
    char chain[CHAIN_DIGITS + 1], after[CHAIN_DIGITS + 1];
};

static bool read_ends(void *of, uint64_t number, const char *line, size_t n)
{
    struct ends *ends = of;
    struct fact_line read = {.kind = LINE_FACT};
    (void)number;
    (void)record_chain(line, n, ends->chain);
    if (record_is(line, n, "\"fact\": \"policy\"") && fact_line_read(&read, line, n)) {
        const struct fact_policy *policy = read.fact.spec;
        if (policy->records > 0 && policy->after != NULL)
            (void)snprintf(ends->after, sizeof ends->after, "%s", policy->after);
    }
    fact_line_fini(&read);
    return false; /* one match is enough */
}

static bool belongs(const struct life *life, const struct state *state, struct error e)
{
    const struct fact_log *log = &life->facts->log;
    const char *path = life->options.state;
    struct ends ends = {"", ""};
    if (!state->is_there)
        return true;
    if (state->records > log->records)
        return fail(e,
                    "%s stands for record %" PRIu64
                    " of a journal, and %s ends with record %" PRIu64
                    ": the records between them are missing; give that journal, or remove the "
                    "state to go on from what this one has",
                    path, state->records, life->log, log->records);
    if (state->records < log->base)
        return fail(e,
                    "%s stands for record %" PRIu64
                    " of a journal, and %s begins behind record %" PRIu64
                    ": the records between them are missing",
                    path, state->records, life->log, log->base);
    (void)fact_log_read(log, state->records, (struct fact_log_reader){read_ends, &ends});
    return strcmp(state->after, ends.chain) == 0 ||
           (state->records == log->base && strcmp(state->after, ends.after) == 0) ||
           fail(e,
                "%s belongs to another journal than %s: it follows a record %" PRIu64
                " with chain %s, which has %s here",
                path, life->log, state->records, state->after, ends.chain);
}

/* ---- the state ---- */

static bool write_state(const struct life *life, policy_time now, struct error e)
{
    const struct fact_log *log = &life->facts->log;
    struct state state = {.is_there = true, .records = log->records, .past = life->past};
    if (log->records == 0) /* nothing was reported yet */
        return true;
    (void)snprintf(state.after, sizeof state.after, "%s", log->chain.last);
    return state_write(&state, life->options.state, now, life->policy, e.text, e.size);
}

/* Starts the log next to the state anew: the state supersedes all its records. */
static bool renew(struct life *life, policy_time now, struct error e)
{
    char why[256];
    const struct fact_policy policy = {
        .version = FACTS_VERSION, .contract = POLICY_VERSION, .name = life->policy};
    if (life->options.journal != NULL || life->facts->log.records == life->facts->log.base)
        return true;
    return fact_log_renew(&life->facts->log, life->log, now, &policy, why, sizeof why) ||
           fail(e, "%s: %s", life->log, why);
}

static bool keep(struct life *life, policy_time now, struct error e)
{
    return write_state(life, now, e) && renew(life, now, e);
}

/* ---- the start ---- */

static bool open_log(struct life *life, struct error e)
{
    char why[256];
    if (life->log == NULL)
        return facts_open(life->facts, NULL, e.text, e.size);
    if (!facts_open(life->facts, life->log, why, sizeof why))
        return fail(e, "cannot write '%s': %s", life->log, why);
    life->facts->log.sync_ms = life->options.sync_ms;
    life->facts->log.is_grouped = true;
    return fact_log_scan(&life->facts->log, why, sizeof why) || fail(e, "%s: %s", life->log, why);
}

static bool is_plausible(const struct life *life, policy_time last, policy_time now, struct error e)
{
    return last <= now || last - now <= life->options.most_jump_ms ||
           fail(e,
                "%s ends %lld s ahead of this machine's clock, expected at most %lld s: is the "
                "clock right? (--max-jump)",
                life->log, (long long)((last - now) / 1000),
                (long long)(life->options.most_jump_ms / 1000));
}

/* Recovers the previous run's history from whatever files exist. */
static bool remember(struct life *life, policy_time now, struct error e)
{
    struct state state;
    struct recall_section section;
    char why[512];
    bool ok = state_read(&state, life->options.state, e.text, e.size) && belongs(life, &state, e);
    if (ok && !recall_find(&section, &life->facts->log))
        ok = fail(e, "%s: %s", life->log, strerror(errno));
    ok = ok && is_plausible(life, section.at, now, e);
    bool is_behind = ok && section.last > state.records;
    if (is_behind && !recall(&life->past, &life->facts->log, &section, why, sizeof why))
        ok = fail(
            e,
            "%s: %s: the policy's history cannot be recovered; end the version that wrote it with "
            "SIGTERM so that it saves its state, or remove both files to discard the history",
            life->log, why);
    if (ok && !is_behind) {
        life->past = state.past;
        state.past = (struct past){.lines = {.length = 0}};
    }
    state_fini(&state);
    return ok && (!is_behind || keep(life, now, e));
}

bool life_begin(struct life *life, const struct life_options *options, const char *policy,
                struct facts *facts, policy_time now, char *error, size_t size)
{
    struct error e = {error, size};
    const char *state = options->state;
    *life = (struct life){.options = *options, .policy = policy, .facts = facts};
    if (options->journal != NULL || state != NULL)
        life->log = options->journal != NULL ? memory_text(options->journal)
                                             : memory_format("%s.log", state);
    if (!open_log(life, e))
        return false;
    return state == NULL || remember(life, now, e);
}

void life_end(struct life *life)
{
    past_fini(&life->past);
    free(life->log);
    life->log = NULL;
}

bool life_check(const struct life_options *options, char *error, size_t size)
{
    struct state state = {.is_there = false};
    bool ok = options->state == NULL || state_read(&state, options->state, error, size);
    state_fini(&state);
    return ok;
}

/* ---- while running ---- */

bool life_clock(struct life *life, policy_time now, int64_t steady_ms, char *error, size_t size)
{
    struct error e = {error, size};
    int64_t jump = life->clock_ms > 0 ? (now - life->clock_ms) - (steady_ms - life->steady_ms) : 0;
    if (jump > life->options.most_jump_ms)
        return fail(e,
                    "the clock of this machine has jumped %lld s forward, expected at most %lld s "
                    "(--max-jump); started anew it is believed",
                    (long long)(jump / 1000), (long long)(life->options.most_jump_ms / 1000));
    life->clock_ms = now;
    life->steady_ms = steady_ms;
    return true;
}

void life_tell(struct life *life, struct tracker *tracker, const struct view *view)
{
    if (!life->is_told)
        past_tell(&life->past, tracker, view);
    life->is_told = true;
}

bool life_is_long(const struct life *life, const struct tracker *tracker)
{
    const struct fact_log *log = &life->facts->log;
    uint64_t since = life->failed_at > log->section ? life->failed_at : log->section;
    uint64_t length = log->records - since;
    return life->options.state != NULL && life->is_told && length > life->options.chapter &&
           (length > MUCH * life->options.chapter || tracker_is_quiet(tracker));
}

bool life_save(struct life *life, const struct tracker *tracker, policy_time now, char *error,
               size_t size)
{
    struct error e = {error, size};
    if (!fact_log_commit(&life->facts->log))
        return fail(e, "%s: %s", life->log, strerror(life->facts->log.error));
    if (life->options.state == NULL ||
        !life->is_told) /* what was not restored is still in the files */
        return true;
    past_of(&life->past, tracker);
    if (!keep(life, now, e)) {
        life->failed_at = life->facts->log.records;
        return false;
    }
    life->is_told = false;
    life->failed_at = 0;
    return true;
}
