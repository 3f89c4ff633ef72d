/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deciding again; see replay.h. */
#include "sim/replay/replay.h"

#include "policies/facts/write.h"
#include "sim/base/mem.h"
#include "sim/policy/plugins.h"
#include "sim/replay/takeover.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cycle that is being read: its decisions come after it, line by line. */
struct cycle {
    bool open;
    uint64_t line;
    policy_time at;
    size_t expected;
    struct fact_decision *recorded;
    size_t count, capacity;
    char **names; /* of `recorded`, which the lines owned: two for each */
};

struct replaying {
    struct replay_result *result;
    struct journal_file file;
    const char *policy; /* that is asked instead; NULL: none */
    struct policy_file policy_file;
    struct replay_core recorded, other;
    struct replay_places places;
    struct cycle cycle;
};

/* ---- cycles ---- */

static void forget_cycle(struct cycle *c)
{
    for (size_t i = 0; i < 2 * c->count; i++)
        free(c->names[i]);
    free(c->names);
    free(c->recorded);
    *c = (struct cycle){.open = false};
}

/* The line's texts go with the next line. */
static void keep(struct cycle *c, const struct fact_decision *d)
{
    if (c->count == c->capacity) {
        c->recorded = mem_grow(c->recorded, &c->capacity, c->count + 1, sizeof *c->recorded);
        c->names = mem_resize(c->names, 2 * c->capacity, sizeof *c->names);
    }
    struct fact_decision *kept = &c->recorded[c->count];
    *kept = *d;
    kept->name = c->names[2 * c->count] = mem_text(d->name);
    kept->node_name = c->names[2 * c->count + 1] = mem_text(d->node_name);
    c->count++;
}

/* The index of the first decision that is another one, or of the first that only one list has;
 * their length if none is. */
static size_t first_other(const struct cycle *c, const struct replay_core *core)
{
    size_t i = 0;
    while (i < c->count && i < core->count &&
           replay_same_decision(&c->recorded[i], &core->decisions[i]))
        i++;
    return i;
}

static uint64_t count_equal(const struct cycle *c, const struct replay_core *core)
{
    uint64_t equal = 0;
    for (size_t i = 0; i < core->count; i++) {
        size_t k =
            i < c->count && replay_same_decision(&c->recorded[i], &core->decisions[i]) ? i : 0;
        while (k < c->count && !replay_same_decision(&c->recorded[k], &core->decisions[i]))
            k++;
        equal += k < c->count;
    }
    return equal;
}

/* ---- the first difference ---- */

static char *in_words(const struct fact_decision *d)
{
    struct text line = {.length = 0};
    fact_write_decision(&line, d);
    text_put(&line, "}");
    BUG_ON(line.failed);
    char *words = mem_text_n(line.bytes, line.length);
    text_fini(&line);
    return words;
}

static const char *name_of(const struct fact_decision *d)
{
    return d->name != NULL ? d->name : "it";
}

/* The core's explanation for the job of a decision that it did not make. */
static char *why(struct replay_core *core, const struct fact_decision *about)
{
    char *words = replay_core_why(core, about->d.job);
    char *text = mem_format("%s: %s", name_of(about), words);
    free(words);
    return text;
}

static void note_difference(struct replaying *r, struct replay_core *core, size_t at)
{
    struct replay_difference *difference = &r->result->difference;
    const struct cycle *c = &r->cycle;
    const struct fact_decision *theirs = at < c->count ? &c->recorded[at] : NULL;
    const struct fact_decision *ours = at < core->count ? &core->decisions[at] : NULL;
    difference->found = true;
    difference->line = c->line;
    difference->at = c->at;
    /* Words first: an explanation may make the core forget its decisions, but not our copy of them.
     */
    difference->recorded = theirs != NULL ? in_words(theirs) : NULL;
    difference->replayed = ours != NULL ? in_words(ours) : NULL;
    if (theirs != NULL)
        difference->replayed_why = why(core, theirs);
    if (ours != NULL && r->policy != NULL)
        difference->recorded_why = why(&r->recorded, ours);
}

/* ---- the recorded policy ---- */

static int tell_other(void *self, const struct fact *fact)
{
    struct replaying *r = self;
    return replay_core_tell(&r->other, fact);
}

/* It was asked when the cycle began; a counterfactual needs it for its reasons alone. */
static bool compare(struct replaying *r, struct err *err)
{
    struct replay_core *core = r->policy != NULL ? &r->other : &r->recorded;
    struct cycle *c = &r->cycle;
    struct replay_result *result = r->result;
    if (c->count < c->expected)
        return err_set(err, EXIT_INPUT, "%s:%" PRIu64 ": %zu decisions follow, expected %zu",
                       r->file.path, c->line, c->count, c->expected);
    size_t at = first_other(c, core);
    bool equal = at == c->count && at == core->count;
    result->cycles++;
    result->equal_cycles += equal;
    result->decisions += c->count;
    result->answered += core->count;
    result->equal_decisions += count_equal(c, core);
    if (!equal && !result->difference.found)
        note_difference(r, core, at);
    if (r->policy != NULL) {
        result->refused += replay_take_over(&r->other, &r->places, c->recorded, c->count,
                                            (struct replay_teller){tell_other, r});
        if (result->refused > 0 && result->first_refused == NULL)
            result->first_refused = mem_text(r->other.map.error);
    }
    replay_places_decided(&r->places, c->recorded, c->count);
    forget_cycle(c);
    return true;
}

static bool close_cycle(struct replaying *r, struct err *err)
{
    return !r->cycle.open || compare(r, err);
}

static bool begin_cycle(struct replaying *r, const struct fact *fact, struct err *err)
{
    r->cycle = (struct cycle){
        .open = true, .line = r->file.number, .at = fact->at, .expected = fact->count};
    bool ok = replay_core_decide(&r->recorded, fact->at, err) &&
              (r->policy == NULL || replay_core_decide(&r->other, fact->at, err));
    return ok || err_prefix(err, "%s:%" PRIu64, r->file.path, r->file.number);
}

/* ---- lines ---- */

/* Everything of one section; before the first there is nothing, which may be closed too. */
static void close_section(struct replaying *r)
{
    replay_core_close(&r->recorded);
    replay_core_close(&r->other);
    policy_file_close(&r->policy_file);
    replay_places_fini(&r->places);
}

static bool make_cores(struct replaying *r, const struct fact_policy *from, struct err *err)
{
    char *where = mem_format("%s:%" PRIu64, r->file.path, r->file.number);
    close_section(r);
    free(r->result->recorded_policy);
    r->result->recorded_policy = mem_text(plugin_name_of(from->name));
    bool ok = replay_core_open(&r->recorded, from, where, err);
    free(where);
    if (!ok || r->policy == NULL)
        return ok;
    if (!replay_core_choose(&r->other, r->policy, &r->policy_file, from->seed, err))
        return false;
    return policy_placement_counts(&r->recorded.config) ==
               policy_placement_counts(&r->other.config) ||
           err_set(
               err, EXIT_INPUT,
               "--policy '%s': one of the two policies names nodes and the other only counts "
               "devices (placement 'count'), so the decisions of one cannot be passed to the other",
               r->policy);
}

/* A task that was found running needs not be reported as started. */
static bool is_known_already(const struct fact *fact, int status)
{
    return fact->kind == FACT_TASK_STARTED && status == POLICY_CONFLICT;
}

/* What the last decision of the recorded policy saw is irrelevant to another policy. */
static bool is_of_recorded(const struct fact *fact)
{
    const struct policy_history *h = fact->spec;
    return fact->kind == FACT_HISTORY &&
           (h->kind == POLICY_HISTORY_BLOCKED || h->kind == POLICY_HISTORY_DECIDED);
}

/* The other policy has no use for it. */
static bool is_not_remembered(const struct fact *fact, int status)
{
    return fact->kind == FACT_HISTORY && status == POLICY_UNSUPPORTED;
}

static bool tell(struct replaying *r, const struct fact *fact, struct err *err)
{
    struct replay_result *result = r->result;
    result->facts++;
    if (replay_core_tell(&r->recorded, fact) != POLICY_OK)
        return err_set(err, EXIT_INPUT,
                       "%s:%" PRIu64 ": the recorded policy does not take this fact: %s",
                       r->file.path, r->file.number, r->recorded.map.error);
    replay_places_fact(&r->places, fact);
    if (r->policy == NULL || is_of_recorded(fact))
        return true;
    int status = replay_core_tell(&r->other, fact);
    if (status == POLICY_OK || is_known_already(fact, status) || is_not_remembered(fact, status))
        return true;
    result->refused++;
    if (result->first_refused == NULL)
        result->first_refused =
            mem_format("%s:%" PRIu64 ": %s", r->file.path, r->file.number, r->other.map.error);
    return true;
}

static bool take(struct replaying *r, struct err *err)
{
    const struct fact_line *line = &r->file.line;
    struct cycle *c = &r->cycle;
    if (line->kind == LINE_DECISION) {
        if (!c->open || c->count == c->expected)
            return err_set(err, EXIT_INPUT,
                           "%s:%" PRIu64 ": a decision that belongs to no fact 'decide'",
                           r->file.path, r->file.number);
        keep(c, &line->decision);
        return true;
    }
    if (!close_cycle(r, err))
        return false;
    if (line->fact.kind == FACT_POLICY)
        return make_cores(r, line->fact.spec, err);
    return line->fact.kind == FACT_DECIDE ? begin_cycle(r, &line->fact, err)
                                          : tell(r, &line->fact, err);
}

/* After the first difference facts would contradict the recorded policy's decisions. */
static bool goes_on(const struct replaying *r)
{
    return r->policy != NULL || !r->result->difference.found;
}

static bool read_all(struct replaying *r, struct err *err)
{
    bool end = false;
    while (goes_on(r)) {
        if (!journal_file_next(&r->file, &end, err))
            return false;
        if (end)
            break;
        if (!take(r, err))
            return false;
    }
    r->result->torn = r->file.torn;
    if (!goes_on(r))
        return true;
    if (r->file.number == 0)
        return err_set(err, EXIT_INPUT, "%s: expected a journal, got an empty file", r->file.path);
    if (r->cycle.open && r->cycle.count < r->cycle.expected) { /* the end of it was torn off */
        r->result->cut_decisions = r->cycle.count;
        return true;
    }
    return close_cycle(r, err);
}

bool replay(struct replay_result *result, const char *path, const char *policy, struct err *err)
{
    struct replaying r = {.result = result, .policy = policy};
    *result = (struct replay_result){.facts = 0};
    bool ok = journal_file_open(&r.file, path, err) && read_all(&r, err);
    if (ok)
        result->policy = mem_text(policy == NULL                ? result->recorded_policy
                                  : policy_name_is_file(policy) ? plugin_name_of(r.policy_file.name)
                                                                : plugin_name_of(policy));
    forget_cycle(&r.cycle);
    close_section(&r);
    journal_file_close(&r.file);
    return ok;
}

void replay_result_free(struct replay_result *result)
{
    struct replay_difference *d = &result->difference;
    char *const texts[] = {
        result->recorded_policy, result->policy, result->first_refused, d->recorded, d->replayed,
        d->recorded_why,         d->replayed_why};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *result = (struct replay_result){.facts = 0};
}
