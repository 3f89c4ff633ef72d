/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Taking up records; see replay.h. */
#include "sim/serve/replay.h"

#include "policies/facts/write.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void service_replay_fini(struct service_replay *r)
{
    fact_line_fini(&r->line);
    free(r->recorded);
    free(r->owed);
    r->recorded = NULL;
    r->owed = NULL;
}

/* ---- the state ---- */

bool service_replay_state(const struct service_replay *r, const struct fact *fact, uint64_t number,
                          struct err *err)
{
    struct service *s = r->s;
    const struct policy_history *h = fact->spec;
    bool is_past = fact->kind == FACT_HISTORY;
    bool is_another = r->is_other && (r->is_foreign || r->is_handed);
    if (is_past && is_another && policy_history_is_of_then(h->kind))
        return true;
    int status = service_take(s, fact);
    s->restored += status == POLICY_OK;
    return status == POLICY_OK || (is_past && status == POLICY_UNSUPPORTED) ||
           err_set(err, EXIT_INPUT, "%s:%" PRIu64 ": the policy does not take this fact: %s",
                   s->options.state, number, s->core.map.error);
}

/* ---- the journal ---- */

static bool wrong(const struct service_replay *r, const char *what, const char *more)
{
    const struct fact_log *log = &r->s->log;
    return err_set(r->err, EXIT_INPUT, "%s:%" PRIu64 ": %s%s", r->s->log_path,
                   r->next - log->base + log->is_renewed, what, more);
}

static void owe(struct service_replay *r, const struct fact *fact)
{
    if (r->owed_count == r->owed_room)
        r->owed = mem_grow(r->owed, &r->owed_room, r->owed_count + 1, sizeof *r->owed);
    r->owed[r->owed_count++] = *fact;
}

/* Facts without their target: a start that fails, a task that ends or runs. */
static int note_owed(void *self, const struct fact *fact)
{
    owe(self, fact);
    return POLICY_OK;
}

static bool is_same_fact(const struct fact *a, const struct fact *b)
{
    return a->kind == b->kind && a->at == b->at && a->job.i == b->job.i &&
           a->job.gen == b->job.gen && a->task == b->task && a->node.i == b->node.i &&
           a->devices == b->devices && a->value == b->value;
}

static int tell_core(void *self, const struct fact *fact)
{
    struct service *s = self;
    return replay_core_tell(&s->core, fact);
}

static bool is_as_recorded(const struct service_replay *r)
{
    bool same = r->count == r->s->core.count;
    for (size_t i = 0; i < r->count && same; i++)
        same = replay_same_decision(&r->recorded[i], &r->s->core.decisions[i]);
    return same;
}

static char *in_words(const struct fact_decision *list, size_t count, size_t i)
{
    struct text line = {.length = 0};
    struct fact_decision d = i < count ? list[i] : (struct fact_decision){.at = 0};
    if (i >= count)
        return mem_text("nothing");
    d.name = d.node_name = NULL;
    fact_write_decision(&line, &d);
    text_put(&line, "}");
    BUG_ON(line.failed);
    char *words = mem_text_n(line.bytes, line.length);
    text_fini(&line);
    return words;
}

static bool differs(const struct service_replay *r)
{
    const struct replay_core *core = &r->s->core;
    size_t i = 0;
    while (i < r->count && i < core->count &&
           replay_same_decision(&r->recorded[i], &core->decisions[i]))
        i++;
    char *then = in_words(r->recorded, r->count, i),
         *now = in_words(core->decisions, core->count, i);
    char *words = mem_format("recorded was %s, but the policy now decides %s (--take-over "
                             "continues from what was recorded)",
                             then, now);
    (void)wrong(r, words, "");
    free(then);
    free(now);
    free(words);
    return false;
}

static bool end_cycle(struct service_replay *r)
{
    struct service *s = r->s;
    bool same = is_as_recorded(r);
    if (!same && !r->takes_over)
        return differs(r);
    r->owed_at = r->owed_count = 0;
    if (s->options.shadow)
        (void)replay_take_over(&s->core, &s->places, NULL, 0, (struct replay_teller){note_owed, r});
    if (!same)
        (void)replay_take_over(&s->core, &s->places, r->recorded, r->count,
                               (struct replay_teller){tell_core, s});
    s->taken_over += !same;
    for (size_t i = 0; i < r->count; i++)
        service_state_decision(&s->state, &r->recorded[i]);
    replay_places_decided(&s->places, r->recorded, r->count);
    r->expected = 0;
    return true;
}

static bool take_decision(struct service_replay *r)
{
    if (r->count == r->capacity)
        r->recorded = mem_grow(r->recorded, &r->capacity, r->count + 1, sizeof *r->recorded);
    r->recorded[r->count] = r->line.decision;
    r->recorded[r->count].name = r->recorded[r->count].node_name = NULL; /* they go with the line */
    r->count++;
    return r->count < r->expected || end_cycle(r);
}

static bool decide(struct service_replay *r, const struct fact *fact)
{
    struct err why = {0};
    struct service *s = r->s;
    r->count = 0;
    r->expected = fact->count;
    s->core.count = 0;
    if (!replay_core_decide(&s->core, fact->at, &why) && !r->takes_over)
        return wrong(r, "", why.msg);
    s->now = fact->at > s->now ? fact->at : s->now;
    return r->expected > 0 || end_cycle(r);
}

/* Facts win: a core that once decided differently may refuse some, and is replaced by one that is
 * given the present state. */
static bool take_fact(struct service_replay *r, const struct fact *fact)
{
    struct service *s = r->s;
    bool owed = r->owed_at < r->owed_count && is_same_fact(fact, &r->owed[r->owed_at]);
    r->owed_at = owed ? r->owed_at + 1 : r->owed_count;
    if (service_take(s, fact) == POLICY_OK)
        return true;
    if (!r->takes_over)
        return wrong(r, "the policy does not take this fact: ", s->core.map.error);
    s->taken_over++;
    s->now = fact->at > s->now ? fact->at : s->now;
    service_state_fact(&s->state, fact);
    replay_places_fact(&s->places, fact);
    return true;
}

static bool take_record(void *self, uint64_t number, const char *line, size_t n)
{
    struct service_replay *r = self;
    BUG_ON(number != r->next);
    if (!fact_line_read(&r->line, line, n))
        return wrong(r, r->line.error, "");
    bool ok = r->line.kind == LINE_DECISION ? take_decision(r)
              : r->line.kind != LINE_FACT   ? wrong(r, "a request does not belong in a journal", "")
              : r->line.fact.kind == FACT_DECIDE ? decide(r, &r->line.fact)
                                                 : take_fact(r, &r->line.fact);
    r->next++;
    r->s->replayed++;
    return ok;
}

/* The writer died before it took back its decisions. */
static bool pay(struct service_replay *r)
{
    struct service *s = r->s;
    for (; r->owed_at < r->owed_count; r->owed_at++)
        (void)(r->is_other ? service_take : service_tell)(s, &r->owed[r->owed_at]);
    return true;
}

bool service_replay_from(struct service_replay *r, uint64_t from, struct err *err)
{
    struct service *s = r->s;
    r->next = from;
    r->err = err;
    errno = 0;
    if (from <= s->log.records &&
        !fact_log_read(&s->log, from, (struct fact_log_reader){take_record, r}))
        return err->code != 0 ? false
                              : err_set(err, EXIT_INPUT, "%s: cannot read it: %s", s->log_path,
                                        strerror(errno));
    return pay(r);
}
