/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the first different decision; see difference.h. */
#include "sim/gate/difference.h"
#include "sim/base/escape.h"

#include "report/record/journal.h"
#include "report/words/units.h"
#include "sim/ask/why.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/world/simulate.h"

#include <stdlib.h>
#include <string.h>

#define MARK 16 /* digits of a running hash */

/* Listens to a run: the running hash after each of its decisions, words of one of them, and what
 * becomes of a job. */
struct listener {
    struct journal journal;
    char *marks; /* MARK bytes a decision */
    size_t count, capacity;
    uint64_t wanted; /* the decision to be put into words */
    struct out *all; /* where all of them are put into words, NULL: nowhere */
    bool has;        /* it was taken, */
    int64_t at_ms;   /* then, */
    char *words, *job;
    const char *followed; /* a job, NULL none; */
    bool seen, ended;     /* what happened to it */
    bool sort; /* the trace is loaded and sorted, since it turned out not to be sorted by time */
};

static void put_devices(struct out *out, uint64_t devices)
{
    out_text(out, (devices & (devices - 1)) == 0 ? ", device " : ", devices ");
    for (uint64_t rest = devices; rest != 0; rest &= rest - 1) {
        out_u64(out, (uint64_t)__builtin_ctzll(rest));
        out_text(out, (rest & (rest - 1)) != 0 ? " " : "");
    }
}

/* "start job 'j1' task 0 on node 'main-3', devices 0 1 (allocate)" */
static char *words_of(const struct sim *sim, const struct policy_decision *d,
                      const struct work_job *job)
{
    struct out *out = out_memory();
    char *name = unit_name(work_id(job), 64);
    escape_format(out, "%s job '%s'", policy_kind_name(d->kind), name);
    free(name);
    if (d->node.i == POLICY_NO_ID) {
        out_text(out, " with ");
        why_gpus(out, d->gpu_milli);
        escape_format(out, " of pool '%s'", sim->fleet->pools[d->pool].name);
    } else {
        escape_format(out, " task %u on node '%s'", d->task, sim->fleet->nodes[d->node.i].name);
        if (d->devices != 0)
            put_devices(out, d->devices);
    }
    escape_format(out, " (%s", policy_action_name(d->action));
    if (d->kind == POLICY_EVICT)
        escape_format(out, ", %s", policy_reason_name(d->reason));
    if (d->for_job.i != POLICY_NO_ID) {
        char *other = unit_name(work_id(&sim->work.jobs[d->for_job.i]), 64);
        escape_format(out, ", for job '%s'", other);
        free(other);
    }
    out_char(out, ')');
    return out_memory_take(out);
}

/* Nothing where the id would break the line. */
static void put_id(struct out *out, const char *id)
{
    if (strpbrk(id, "\t\n") == NULL)
        out_text(out, id);
}

static void on_decision(void *self, const struct sim *sim, const struct policy_decision *d,
                        const struct work_job *job)
{
    struct listener *l = self;
    struct sim_observer journal = journal_observer(&l->journal);
    char hex[DIGEST_HEX];
    journal.decided(journal.self, sim, d, job);
    if (l->all != NULL) {
        char *words = words_of(sim, d, job);
        out_format(l->all, "%lld %s\t", (long long)sim->now_ms, words);
        put_id(l->all, work_id(job));
        out_char(l->all, '\n');
        free(words);
    }
    journal_hex(&l->journal, hex);
    l->marks = mem_grow(l->marks, &l->capacity, (l->count + 1) * MARK, 1);
    memcpy(l->marks + l->count * MARK, hex, MARK);
    if (l->count++ != l->wanted)
        return;
    l->has = true;
    l->at_ms = sim->now_ms;
    l->words = words_of(sim, d, job);
    l->job = mem_text(work_id(job));
}

static bool is_followed(const struct listener *l, const struct work_job *job)
{
    return l->followed != NULL && strcmp(work_id(job), l->followed) == 0;
}

static void on_submit(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct listener *l = self;
    l->seen |= is_followed(l, job);
}

static void on_end(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct listener *l = self;
    l->ended |= is_followed(l, job);
}

static void forget(struct listener *l)
{
    free(l->marks);
    free(l->words);
    free(l->job);
    if (l->all != NULL) {
        out_discard(l->all);
        l->all = out_memory();
    }
    *l = (struct listener){
        .wanted = l->wanted, .followed = l->followed, .sort = l->sort, .all = l->all};
    journal_init(&l->journal);
}

/* The properties of the requested decision are known as soon as it is made. */
static bool keep_going(void *self, const struct sim *sim)
{
    (void)sim;
    const struct listener *l = self;
    return !l->has;
}

/*
 * Runs up to a time, or a little beyond the decision that is wanted. Only a run to the end finds
 * out that a trace is not sorted; it is loaded and sorted then, and from then on. The simulation is
 * closed on failure only.
 */
static bool listen(struct listener *l, const struct scenario *scenario, int replica,
                   int64_t until_ms, struct simulation *s, struct err *err)
{
    struct sim_observer observer = {
        .self = l, .decided = on_decision, .submitted = on_submit, .ended = on_end};
    struct simulation_options options = {.replica = replica,
                                         .sort = l->sort,
                                         .observers = &observer,
                                         .observer_count = 1,
                                         .keep_going = keep_going,
                                         .keep_going_self = l};
    do {
        forget(l);
        l->sort = options.sort;
        if (simulation_open(s, scenario, &options, err) && simulation_run(s, until_ms, err))
            return true;
    } while (simulation_again(s, &options, err));
    simulation_close(s);
    return false;
}

static bool hear_all(struct listener *l, const struct scenario *scenario, int replica,
                     struct err *err)
{
    struct simulation s;
    if (!listen(l, scenario, replica, INT64_MAX, &s, err))
        return false;
    simulation_close(&s);
    return true;
}

/* ---- what the other side made of the job ---- */

/* "waits: DEVICES_BUSY: ..." as the policy core explains it. */
static char *waits(const struct sim *sim, const struct work_job *job)
{
    struct policy_explanation explained = {
        .size = sizeof explained, .behind = {POLICY_NO_ID, 0}, .queue = {POLICY_NO_ID}};
    sim_explain(sim, job, &explained);
    if (explained.reason == POLICY_REASON_NONE)
        return mem_text("waits for devices that it was given and that are not free yet");
    struct why why = {.explained = &explained};
    if (explained.behind.i != POLICY_NO_ID)
        why.behind = work_id(&sim->work.jobs[explained.behind.i]);
    for (size_t i = 0; i < sim->queue_count; i++)
        if (explained.queue.i != POLICY_NO_ID && sim->queues[i].core.i == explained.queue.i)
            why.queue = sim->queues[i].name;
    if (explained.pool > 0)
        why.pool = sim->fleet->pools[explained.pool - 1].name;
    char *detail = why_detail(&why);
    char *words = mem_format("waits: %s: %s", policy_reason_name(explained.reason), detail);
    free(detail);
    return words;
}

static char *runs(const struct sim *sim, const struct work_job *job)
{
    struct out *out = out_memory();
    uint32_t last = WORK_NONE;
    out_text(out, "runs");
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        uint32_t node = sim->work.tasks[id].node;
        if (node != WORK_NONE && node != last)
            escape_format(out, "%s'%s'", last == WORK_NONE ? " on " : ", ",
                          sim->fleet->nodes[node].name);
        last = node;
    }
    return out_memory_take(out);
}

static bool ask_other(struct gate_decision *decision, const char *job, const struct scenario *other,
                      bool sort, int replica, struct err *err)
{
    struct listener l = {.wanted = UINT64_MAX, .followed = job, .sort = sort};
    struct simulation s;
    if (!listen(&l, other, replica, decision->at_ms, &s, err))
        return false;
    const struct work_job *found = work_find(&s.sim->work, job);
    decision->other = found == NULL                  ? mem_text(l.ended  ? "has ended"
                                                                : l.seen ? "is gone"
                                                                         : "is not submitted yet")
                      : found->state == WORK_PENDING ? waits(s.sim, found)
                                                     : runs(s.sim, found);
    simulation_close(&s);
    forget(&l);
    return true;
}

/* ---- both sides ---- */

static bool first_different(const struct listener l[SIDES], uint64_t *number)
{
    size_t least = l[SIDE_A].count < l[SIDE_B].count ? l[SIDE_A].count : l[SIDE_B].count, i = 0;
    while (i < least && memcmp(l[SIDE_A].marks + i * MARK, l[SIDE_B].marks + i * MARK, MARK) == 0)
        i++;
    *number = i;
    return i < l[SIDE_A].count || i < l[SIDE_B].count;
}

static bool describe(const struct scenario *const sides[SIDES], int replica,
                     struct listener l[SIDES], struct gate_difference *d, struct err *err)
{
    bool ok = true;
    for (int side = 0; ok && side < SIDES; side++) {
        l[side].wanted = d->number;
        ok = hear_all(&l[side], sides[side], replica, err);
    }
    for (int side = 0; ok && side < SIDES; side++) {
        struct gate_decision *decision = &d->sides[side];
        decision->at_ms = l[side].has ? l[side].at_ms : INT64_MAX;
        decision->words = l[side].has ? mem_text(l[side].words) : mem_text("decides nothing more");
        if (l[side].has && sides[side]->mode == SCEN_REPLAY)
            ok = ask_other(decision, l[side].job, sides[1 - side], l[1 - side].sort, replica, err);
    }
    d->known = ok;
    return ok;
}

bool gate_find_difference(const struct scenario *const sides[SIDES], int replica,
                          struct gate_difference *d, struct err *err)
{
    struct listener l[SIDES] = {{.wanted = UINT64_MAX}, {.wanted = UINT64_MAX}};
    bool ok = hear_all(&l[SIDE_A], sides[SIDE_A], replica, err) &&
              hear_all(&l[SIDE_B], sides[SIDE_B], replica, err);
    if (ok && first_different(l, &d->number))
        ok = describe(sides, replica, l, d, err);
    forget(&l[SIDE_A]);
    forget(&l[SIDE_B]);
    return ok;
}

/* A run that restarts because its trace turned out to be unsorted discards the first attempt. */
bool gate_record(const struct scenario *scenario, int replica, struct out *out, struct err *err)
{
    struct listener l = {.wanted = UINT64_MAX, .all = out_memory()};
    bool ok = hear_all(&l, scenario, replica, err);
    out_text(out, ok ? out_memory_text(l.all, NULL) : "");
    out_discard(l.all);
    l.all = NULL;
    forget(&l);
    return ok;
}

/* ---- against decisions that were kept ---- */

/* A line of a record. */
struct kept {
    int64_t at_ms;
    const char *words, *id; /* within the record */
    size_t word_length, id_length;
};

/* The line at *at, which moves on; false at the end, or where it is no record. */
static bool next_kept(const char **at, struct kept *line)
{
    const char *text = *at, *end = strchr(text, '\n'), *blank = strchr(text, ' '),
               *tab = strchr(text, '\t');
    if (end == NULL || blank == NULL || tab == NULL || blank > tab || tab > end ||
        !text_i64(text, (size_t)(blank - text), &line->at_ms))
        return false;
    line->words = blank + 1;
    line->word_length = (size_t)(tab - line->words);
    line->id = tab + 1;
    line->id_length = (size_t)(end - line->id);
    *at = end + 1;
    return true;
}

static bool is_of(const struct kept *line, const struct kept *other)
{
    return line->id_length == other->id_length &&
           memcmp(line->id, other->id, other->id_length) == 0;
}

/* The record's information about a decision's job: the last decision by then, or the first one. */
static char *kept_of(const char *record, const struct kept *decision)
{
    struct kept line, last = {0};
    while (next_kept(&record, &line)) {
        if (!is_of(&line, decision))
            continue;
        if (line.at_ms > decision->at_ms && last.words != NULL)
            break;
        last = line;
        if (line.at_ms > decision->at_ms)
            break;
    }
    struct out *out = out_memory();
    if (last.words == NULL) {
        out_text(out, "is never decided on");
    } else {
        out_text(out, last.at_ms > decision->at_ms ? "is first decided on at "
                                                   : "was last decided on at ");
        out_seconds(out, last.at_ms);
        out_format(out, " s: %.*s", (int)last.word_length, last.words);
    }
    return out_memory_take(out);
}

/* Finds the first line that differs; returns false if none does. */
static bool first_different_line(const char *const records[SIDES], uint64_t *number,
                                 struct kept lines[SIDES], bool has[SIDES])
{
    const char *at[SIDES] = {records[SIDE_A], records[SIDE_B]};
    for (*number = 0;; (*number)++) {
        const char *begin[SIDES] = {at[SIDE_A], at[SIDE_B]};
        for (int side = 0; side < SIDES; side++)
            has[side] = next_kept(&at[side], &lines[side]);
        size_t n = (size_t)(at[SIDE_A] - begin[SIDE_A]), m = (size_t)(at[SIDE_B] - begin[SIDE_B]);
        if (!has[SIDE_A] && !has[SIDE_B])
            return false;
        if (n != m || memcmp(begin[SIDE_A], begin[SIDE_B], n) != 0)
            return true;
    }
}

bool gate_find_difference_kept(const char *record, const struct scenario *candidate, int replica,
                               struct gate_difference *d, struct err *err)
{
    struct out *out = out_memory();
    struct kept lines[SIDES];
    bool has[SIDES];
    bool ok = gate_record(candidate, replica, out, err);
    const char *const records[SIDES] = {record, out_memory_text(out, NULL)};
    d->known = ok && first_different_line(records, &d->number, lines, has);
    for (int side = 0; side < SIDES && ok && d->known; side++) {
        struct gate_decision *decision = &d->sides[side];
        decision->at_ms = has[side] ? lines[side].at_ms : INT64_MAX;
        decision->words = has[side] ? mem_text_n(lines[side].words, lines[side].word_length)
                                    : mem_text("decides nothing more");
        if (!has[side] || lines[side].id_length == 0)
            continue;
        char *id = mem_text_n(lines[side].id, lines[side].id_length);
        if (side == SIDE_B)
            decision->other = kept_of(record, &lines[side]);
        else if (candidate->mode == SCEN_REPLAY)
            ok = ask_other(decision, id, candidate, false, replica, err);
        free(id);
    }
    out_discard(out);
    return ok;
}
