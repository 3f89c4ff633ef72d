/* SPDX-License-Identifier: MIT */
/* States; see saved.h. */
#include "policies/facts/saved.h"

#include "policies/facts/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- writing ---- */

void saved_line(struct saved_writer *w, struct text *line)
{
    chain_end_line(&w->chain, line);
    w->failed |= line->failed;
    w->put(w->self, line->bytes, line->length);
    w->lines++;
    line->length = 0;
}

void saved_fact(struct saved_writer *w, const struct fact *fact)
{
    fact_write(&w->line, fact);
    saved_line(w, &w->line);
}

void saved_begin(struct saved_writer *w, policy_time at, const struct fact_policy *policy)
{
    w->lines = 0;
    w->line = (struct text){.length = 0};
    w->failed = false;
    chain_begin(&w->chain);
    saved_fact(w, &(struct fact){.kind = FACT_POLICY, .at = at, .spec = policy});
}

void saved_end(struct saved_writer *w, policy_time at)
{
    saved_fact(w, &(struct fact){.kind = FACT_END, .at = at, .count = w->lines});
    text_fini(&w->line);
}

/* ---- reading ---- */

static bool wrong(const struct saved *s, const char *what, char *error, size_t size)
{
    (void)snprintf(error, size, "line %" PRIu64 ": %s", s->number, what);
    return false;
}

static const char *next_line(struct saved *s, size_t *n)
{
    const char *line = s->bytes + s->at;
    const char *end = s->at < s->size ? memchr(line, '\n', s->size - s->at) : NULL;
    *n = end != NULL ? (size_t)(end - line) : s->size - s->at;
    s->at += *n + (end != NULL);
    s->number++;
    return end != NULL ? line : NULL;
}

/* The policy must come first, then facts without decisions. */
static bool is_in_place(const struct saved *s)
{
    const struct fact *fact = &s->line.fact;
    return s->line.kind == LINE_FACT && fact->kind != FACT_DECIDE &&
           (fact->kind == FACT_POLICY) == (s->number == 1);
}

static bool check(struct saved *s, char *error, size_t size)
{
    struct chain chain;
    chain_begin(&chain);
    do {
        size_t n;
        const char *line = s->at < s->size ? next_line(s, &n) : NULL;
        if (line == NULL)
            return wrong(s, "the state is cut off: its last line, 'end', is missing", error, size);
        enum chain_verdict verdict = chain_check(&chain, line, n);
        bool read = fact_line_read(&s->line, line, n);
        if (verdict == CHAIN_BROKEN)
            return wrong(s,
                         "the chain is broken: this line was changed, or one before it is missing",
                         error, size);
        if (verdict == CHAIN_MISSING || !read || !is_in_place(s))
            return wrong(s, "a state has facts and no decisions: is it a journal?", error, size);
    } while (s->line.fact.kind != FACT_END);
    if (s->line.fact.count != s->number - 1)
        return wrong(s, "'lines': expected the number of the lines before this one", error, size);
    return s->at == s->size ||
           wrong(s, "expected nothing behind the last line, 'end'", error, size);
}

static bool names_record(struct saved *s, char *error, size_t size)
{
    const struct fact_policy *policy = s->line.fact.spec;
    return (policy->records > 0 && policy->after != NULL &&
            strlen(policy->after) == CHAIN_DIGITS) ||
           wrong(s, "expected 'records' and 'after', the record that the state stands for", error,
                 size);
}

bool saved_open(struct saved *s, const char *bytes, size_t n, char *error, size_t size)
{
    *s = (struct saved){.bytes = bytes, .size = n};
    if (n == 0) {
        (void)snprintf(error, size, "expected a state, got an empty file");
        return false;
    }
    bool ok = check(s, error, size);
    s->at = 0;
    s->number = 0;
    ok = ok && saved_next(s) && names_record(s, error, size);
    s->at = 0;
    s->number = 0;
    return ok;
}

bool saved_next(struct saved *s)
{
    size_t n;
    const char *line = next_line(s, &n);
    return line != NULL && fact_line_read(&s->line, line, n) && s->line.fact.kind != FACT_END;
}

void saved_close(struct saved *s)
{
    fact_line_fini(&s->line);
    *s = (struct saved){.bytes = NULL};
}
