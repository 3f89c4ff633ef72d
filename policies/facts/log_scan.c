/* SPDX-License-Identifier: MIT */
/* Reading a log: where to continue, and single records; see log.h. */
#include "policies/facts/log.h"
#include "policies/facts/read.h"
#include "policies/facts/records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The scan position: inside a unit that lacks `missing` lines, which are decisions or not. */
struct scan {
    struct fact_log *log;
    struct fact_line line;
    struct chain chain;
    uint64_t number, lines, section;
    uint32_t missing;
    bool are_decisions;
    char *error;
    size_t size;
};

static bool wrong(const struct scan *s, const char *what)
{
    (void)snprintf(s->error, s->size, "line %" PRIu64 ": %s", s->lines + 1, what);
    return false;
}

static bool begin_section(struct scan *s, const char *line, size_t n)
{
    if (!fact_line_read(&s->line, line, n) || s->line.kind != LINE_FACT ||
        s->line.fact.kind != FACT_POLICY)
        return wrong(s, "expected the fact 'policy', with which a journal begins");
    const struct fact_policy *policy = s->line.fact.spec;
    const char *after = policy->after != NULL ? policy->after : "";
    bool is_cut = s->lines == 0 && policy->records > 0;
    if ((!is_cut && policy->records != 0) || (!is_cut && strcmp(after, s->chain.last) != 0))
        return wrong(s, "this section does not follow the one before it: lines are missing");
    if (is_cut) {
        s->log->base = s->number = (uint64_t)policy->records;
        s->log->is_renewed = true;
    } else {
        s->number++;
    }
    s->section = s->number;
    s->missing = policy->facts;
    s->are_decisions = false;
    chain_begin(&s->chain);
    return true;
}

static bool begin_cycle(struct scan *s, const char *line, size_t n)
{
    if (!fact_line_read(&s->line, line, n) || s->line.kind != LINE_FACT)
        return wrong(s, s->line.error);
    s->number++;
    s->missing = s->line.fact.count;
    s->are_decisions = true;
    return true;
}

static bool is_expected(const struct scan *s, const char *line, size_t n)
{
    bool is_decision = record_is(line, n, "\"decision\"");
    return s->missing == 0 ? !is_decision : is_decision == s->are_decisions;
}

static bool take(struct scan *s, const char *line, size_t n)
{
    bool begins = record_is(line, n, "\"fact\": \"policy\"");
    if (s->lines == 0 && !begins)
        return wrong(s, "expected the fact 'policy', with which a journal begins");
    if (!is_expected(s, line, n) || (begins && s->missing > 0))
        return wrong(
            s, "expected what belongs to the decision or section before it: lines are missing");
    if (begins) {
        if (!begin_section(s, line, n))
            return false;
    } else if (s->missing == 0 && record_is(line, n, "\"fact\": \"decide\"")) {
        if (!begin_cycle(s, line, n))
            return false;
    } else {
        s->number++;
        s->missing -= s->missing > 0;
    }
    if (chain_check(&s->chain, line, n) != CHAIN_HOLDS)
        return wrong(s, "the chain is broken: this line was changed, or one before it is missing");
    return true;
}

/* Everything up to here is complete. */
static void keep(struct scan *s, off_t end)
{
    s->log->records = s->number;
    s->log->section = s->section;
    s->log->chain = s->chain;
    s->log->size = s->log->safe = end;
}

static bool scan_lines(struct scan *s, struct records *r)
{
    int got;
    while ((got = records_next(r)) > 0) {
        if (!take(s, r->line, r->length))
            return false;
        fact_log_note_start(s->log, s->lines, r->start);
        s->lines++;
        if (s->missing == 0)
            keep(s, r->start + (off_t)r->length + 1);
    }
    return got == 0 || wrong(s, strerror(errno));
}

bool fact_log_scan(struct fact_log *log, char *error, size_t size)
{
    struct scan s = {.log = log, .error = error, .size = size};
    struct records r;
    off_t end = log->size;
    if (log->file < 0)
        return true;
    chain_begin(&s.chain);
    log->start_count = 0;
    log->size = log->safe = 0;
    records_begin(&r, log->file, 0, end);
    bool ok = scan_lines(&s, &r);
    records_fini(&r);
    fact_line_fini(&s.line);
    if (!ok) {
        log->size = log->safe = end;
        return false;
    }
    if (log->size == 0)
        chain_begin(&log->chain);
    uint64_t lines = log->records - log->base + log->is_renewed;
    log->cut = s.lines - lines;
    while (log->start_count > 0 && (log->start_count - 1) * FACT_LOG_STEP >= lines)
        log->start_count--;
    return log->cut == 0 || fact_log_cut(log) || wrong(&s, strerror(errno));
}

bool fact_log_has(const struct fact_log *log, uint64_t record)
{
    return log->file >= 0 && record > log->base && record <= log->records;
}

bool fact_log_read(const struct fact_log *log, uint64_t from, struct fact_log_reader reader)
{
    struct records r;
    uint64_t line = from - log->base - 1 + log->is_renewed;
    uint64_t step = line / FACT_LOG_STEP;
    if (step >= log->start_count)
        return true;
    int got = 1;
    bool goes_on = true;
    records_begin(&r, log->file, log->starts[step], log->size);
    for (uint64_t skip = line % FACT_LOG_STEP; skip > 0 && got > 0; skip--)
        got = records_next(&r);
    while (goes_on && got > 0 && (got = records_next(&r)) > 0)
        goes_on = reader.read(reader.self, from++, r.line, r.length);
    records_fini(&r);
    return goes_on && got == 0;
}
