/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts decisions, and finds the cycle among them; see unsettled.h. */
#include "sim/unsettled.h"

#include <stdio.h>
#include <string.h>

#define MOST_SAID 12 /* steps of a cycle in the message */

/* ---- steps ---- */

static bool same_job(policy_job a, policy_job b)
{
    return a.i == b.i && (a.i == POLICY_NO_ID || a.gen == b.gen);
}

static bool same_step(const struct unsettled_step *a, const struct unsettled_step *b)
{
    return same_job(a->job, b->job) && same_job(a->other, b->other) && a->kind == b->kind &&
           a->action == b->action && a->reason == b->reason;
}

/* The step `back` steps before the last. */
static const struct unsettled_step *step_before(const struct unsettled *u, uint64_t back)
{
    return &u->steps[(u->step_count - 1 - back) % UNSETTLED_STEPS];
}

static void add_step(struct unsettled *u, const struct policy_decision *d)
{
    const struct unsettled_step step = {d->job, d->for_job, d->kind, d->action, d->reason};
    if (u->step_count > 0 && same_step(step_before(u, 0), &step))
        return;
    u->steps[u->step_count++ % UNSETTLED_STEPS] = step;
}

/* ---- counting ---- */

static uint64_t limit_of(const struct unsettled *u)
{
    return u->limit > UNSETTLED_LEAST ? u->limit : UNSETTLED_LEAST;
}

bool unsettled_decided(struct unsettled *u, int64_t at_ms, uint64_t news,
                       const struct policy_decision *d, size_t count)
{
    bool evicts = false;
    if (news != u->news) {
        u->news = news;
        u->here = u->evicting = u->step_count = 0;
        u->looked = false;
    }
    u->here = at_ms == u->at_ms ? u->here + 1 : 1;
    u->at_ms = at_ms;
    for (size_t i = 0; i < count; i++) {
        evicts |= d[i].kind == POLICY_EVICT;
        if (d[i].kind != POLICY_NOMINATE)
            add_step(u, &d[i]);
    }
    if (evicts && u->evicting++ == 0)
        u->since_ms = at_ms;
    return unsettled_here(u) || unsettled_ever(u);
}

void unsettled_limit(struct unsettled *u, uint64_t tasks)
{
    u->limit = UNSETTLED_LEAST + 2 * tasks;
}

bool unsettled_here(const struct unsettled *u)
{
    return u->here > limit_of(u);
}

bool unsettled_ever(const struct unsettled *u)
{
    return u->evicting > limit_of(u);
}

void unsettled_go_on(struct unsettled *u, int64_t kept)
{
    u->evicting = 0;
    u->kept = kept;
    u->looked = true;
}

/* ---- words ---- */

/* Number of steps after which the latest ones repeat, among those remembered; 0: they do not
 * repeat. */
static uint64_t period(const struct unsettled *u)
{
    uint64_t known = u->step_count < UNSETTLED_STEPS ? u->step_count : UNSETTLED_STEPS;
    for (uint64_t p = 1; 2 * p <= known; p++) {
        uint64_t same = 0;
        while (same < known - p && same_step(step_before(u, same), step_before(u, same + p)))
            same++;
        if (same == known - p)
            return p;
    }
    return 0;
}

/* Appends text, truncated to the buffer. */
static void say(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s", more != NULL ? more : "?");
}

static void say_step(char *text, size_t size, const struct unsettled_step *s,
                     const char *(*name)(void *self, policy_job), void *self)
{
    bool evicts = s->kind == POLICY_EVICT;
    say(text, size, policy_action_name(s->action));
    say(text, size, evicts ? " evicts '" : " starts '");
    say(text, size, name(self, s->job));
    if (s->other.i != POLICY_NO_ID) {
        say(text, size, "' for '");
        say(text, size, name(self, s->other));
    }
    say(text, size, "'");
    if (evicts && s->reason != POLICY_REASON_NONE) {
        say(text, size, " (");
        say(text, size, policy_reason_name(s->reason));
        say(text, size, ")");
    }
}

const char *unsettled_words(const struct unsettled *u, const char *(*name)(void *self, policy_job),
                            void *self, char *text, size_t size)
{
    uint64_t known = u->step_count < UNSETTLED_STEPS ? u->step_count : UNSETTLED_STEPS;
    uint64_t p = period(u);
    uint64_t steps = p > 0 ? p : known;
    uint64_t first = p > 0 ? 2 * p - 1 : steps < MOST_SAID ? steps - 1 : MOST_SAID - 1;
    text[0] = '\0';
    while (p > 0 && first >= p && step_before(u, first)->kind != POLICY_EVICT)
        first--; /* starts with an eviction, since a cycle may start anywhere */
    for (uint64_t i = 0; i < steps && i < MOST_SAID; i++) {
        say(text, size, i == 0 ? "" : "; ");
        say_step(text, size, step_before(u, first - i), name, self);
    }
    if (steps > MOST_SAID)
        say(text, size, "; ...");
    return text;
}
