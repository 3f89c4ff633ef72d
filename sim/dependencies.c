/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dependencies between jobs. Every job of the trace has a link, by its index, which lists the jobs
 * that depend on it:
 *
 *     links[index]    {arrived, submitted, ended well or badly; first edge}
 *     edges           "when that job ends (or is submitted), `held` has one dependency less", in
 * order of arrival held            held jobs, with copies of their records; slots are reused heap
 * held jobs that wait for time alone, by (due, index) arrays          used slots of each limit, and
 * the jobs waiting for a slot, in the order in which they became due
 *
 * Memory grows with the number of jobs of a trace with links, by about 50 bytes each plus names.
 */
#include "sim/dependencies.h"

#include "sim/internal.h"

#include "sim/base/heap.h"
#include "sim/base/mem.h"
#include "sim/base/symbols.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum edge_kind { AFTER_WELL, AFTER_ANY, AFTER_START };
enum link_state { LINK_UNUSED, LINK_HERE, LINK_SUBMITTED, LINK_WELL, LINK_BADLY };

struct link {
    int64_t at_ms; /* of its submission or end */
    uint32_t first_edge, last_edge;
    uint32_t array; /* array that it holds a slot of, or NONE */
    uint8_t state;  /* enum link_state */
};

struct edge {
    uint64_t number; /* of the held job, since its slot may be reused by now */
    int64_t delay_ms;
    uint32_t held, next;
    uint8_t kind; /* enum edge_kind */
};

struct held {
    struct trace_job job;
    char *text; /* owns the strings */
    size_t text_capacity;
    uint64_t number;
    int64_t since_ms; /* held */
    int64_t due_ms;   /* so far */
    uint32_t waits;   /* edges still to fire */
    uint32_t array;
    uint32_t next; /* next free slot, or next job waiting for a slot of the array */
    bool used, doomed, closed, due, capped, linked;
    bool placed;  /* a slot of its array is reserved for it */
    bool counted; /* arrived in the measurement window */
    bool late;    /* closed: due after arrivals stopped, so it never arrives */
};

struct array {
    int32_t limit, taken;
    uint32_t first, last; /* held jobs */
};

struct due {
    int64_t at_ms;
    uint64_t number;
    uint32_t held;
};

struct sim_dependencies {
    struct sim_dependencies_figures figures;
    struct symbols *ids, *array_names;
    uint64_t *number_of; /* by id: the latest job of that name */
    size_t number_capacity;
    struct link *links;
    size_t link_count, link_capacity;
    struct edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t free_edge;
    struct held *held;
    size_t held_count, held_capacity;
    uint32_t free_held;
    uint64_t holding, to_come;
    struct due *heap;
    size_t heap_count, heap_capacity;
    struct array *arrays;
    size_t array_count, array_capacity;
    uint64_t *last_of_user; /* closed: index + 1 of the user's previous job, 0 none */
    int64_t *busy_until_ms; /* closed: latest recorded end of the user's jobs so far */
    size_t user_capacity, busy_capacity;
};

/* ---- due jobs ---- */

static bool before(const struct due *a, const struct due *b)
{
    return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->number < b->number;
}

HEAP(due, struct due, before)

/* ---- links and edges ---- */

static struct link *link_of(struct sim_dependencies *h, uint64_t number)
{
    if (number >= h->link_count) {
        h->links = mem_grow(h->links, &h->link_capacity, (size_t)number + 1, sizeof *h->links);
        for (; h->link_count <= number; h->link_count++)
            h->links[h->link_count] = (struct link){
                .first_edge = NONE, .last_edge = NONE, .array = NONE, .state = LINK_UNUSED};
    }
    return &h->links[number];
}

static void add_edge(struct sim_dependencies *h, uint64_t from, uint32_t to, enum edge_kind kind,
                     int64_t delay_ms)
{
    uint32_t id = h->free_edge;
    if (id != NONE) {
        h->free_edge = h->edges[id].next;
    } else {
        h->edges = mem_grow(h->edges, &h->edge_capacity, h->edge_count + 1, sizeof *h->edges);
        id = (uint32_t)h->edge_count++;
    }
    h->edges[id] = (struct edge){.number = h->held[to].number,
                                 .delay_ms = delay_ms,
                                 .held = to,
                                 .next = NONE,
                                 .kind = (uint8_t)kind};
    struct link *link = link_of(h, from);
    if (link->first_edge == NONE)
        link->first_edge = id;
    else
        h->edges[link->last_edge].next = id;
    link->last_edge = id;
    h->held[to].waits++;
}

static void make_due(struct sim_dependencies *h, uint32_t id)
{
    struct held *held = &h->held[id];
    held->due = true;
    h->heap = mem_grow(h->heap, &h->heap_capacity, h->heap_count + 1, sizeof *h->heap);
    due_put(h->heap, &h->heap_count, (struct due){held->due_ms, held->number, id});
}

/* The event of the edge happened at `at`, successfully or not. */
static void fire(struct sim_dependencies *h, const struct edge *edge, int64_t at, bool well)
{
    struct held *held = &h->held[edge->held];
    if (!held->used || held->number != edge->number || held->doomed)
        return;
    held->waits--;
    if (held->due_ms < at + edge->delay_ms)
        held->due_ms = at + edge->delay_ms;
    if (edge->kind == AFTER_WELL && !well) {
        held->doomed = true;
        held->due_ms = at;
    }
    if (held->doomed || held->waits == 0)
        make_due(h, edge->held);
}

/* Fires the edges triggered by a submission (or an end), and keeps the others. */
static void fire_all(struct sim_dependencies *h, struct link *link, int64_t at, bool ends,
                     bool well)
{
    uint32_t id = link->first_edge;
    link->first_edge = link->last_edge = NONE;
    while (id != NONE) {
        struct edge edge = h->edges[id];
        if (ends || edge.kind == AFTER_START) {
            fire(h, &edge, at, well);
            h->edges[id].next = h->free_edge;
            h->free_edge = id;
        } else {
            h->edges[id].next = NONE;
            if (link->first_edge == NONE)
                link->first_edge = id;
            else
                h->edges[link->last_edge].next = id;
            link->last_edge = id;
        }
        id = edge.next;
    }
}

/* ---- held jobs ---- */

static uint32_t hold(struct sim *sim, const struct trace_job *from, uint64_t number)
{
    struct sim_dependencies *h = sim->dependencies;
    uint32_t id = h->free_held;
    if (id != NONE) {
        h->free_held = h->held[id].next;
    } else {
        h->held = mem_grow(h->held, &h->held_capacity, h->held_count + 1, sizeof *h->held);
        id = (uint32_t)h->held_count++;
        h->held[id] = (struct held){.text = NULL};
    }
    struct held *held = &h->held[id];
    *held = (struct held){.text = held->text,
                          .text_capacity = held->text_capacity,
                          .job = *from,
                          .number = number,
                          .since_ms = from->submit_ms,
                          .due_ms = from->submit_ms,
                          .array = NONE,
                          .next = NONE,
                          .used = true,
                          .counted = sim_counts(sim, from->submit_ms)};
    trace_job_keep(&held->job, &held->text, &held->text_capacity);
    h->holding++;
    return id;
}

static void forget(struct sim_dependencies *h, uint32_t id)
{
    h->to_come -= h->held[id].closed;
    h->held[id].used = false;
    h->held[id].next = h->free_held;
    h->free_held = id;
    h->holding--;
}

/* ---- arrays ---- */

/* The array whose slot the job needs, or NONE. */
static bool array_of(struct sim_dependencies *h, const struct held *held, uint32_t *id,
                     struct err *err)
{
    const struct trace_job *job = &held->job;
    *id = NONE;
    if (job->array[0] == '\0')
        return true;
    uint32_t known = symbols_count(h->array_names);
    uint32_t found = symbols_add(h->array_names, job->array, strlen(job->array));
    if (found == known) {
        h->arrays = mem_grow(h->arrays, &h->array_capacity, h->array_count + 1, sizeof *h->arrays);
        h->arrays[h->array_count++] =
            (struct array){.limit = job->array_limit, .first = NONE, .last = NONE};
        h->figures.arrays += held->counted;
    }
    h->figures.members += held->counted;
    char place[TRACE_PLACE];
    if (h->arrays[found].limit != job->array_limit)
        return err_set(err, EXIT_INPUT,
                       "%s: array_limit is %d, but %d for jobs of array '%s' before it; expected "
                       "one limit for an array",
                       trace_job_place(job, place), job->array_limit, h->arrays[found].limit,
                       job->array);
    if (job->array_limit > 0)
        *id = found;
    return true;
}

/* Returns false if no slot is free; the job then waits for one. */
static bool take_place(struct sim_dependencies *h, uint32_t id)
{
    struct held *held = &h->held[id];
    if (held->array == NONE || held->placed)
        return true;
    struct array *array = &h->arrays[held->array];
    if (array->taken < array->limit) {
        array->taken++;
        return true;
    }
    held->due = false;
    held->capped = true;
    if (array->first == NONE)
        array->first = id;
    else
        h->held[array->last].next = id;
    array->last = id;
    return false;
}

/* The slot goes to the job that has waited longest, even if others become due at this instant. */
static void give_place(struct sim_dependencies *h, uint32_t id, int64_t now)
{
    struct array *array = &h->arrays[id];
    uint32_t next = array->first;
    if (next == NONE) {
        array->taken--;
        return;
    }
    h->held[next].placed = true;
    array->first = h->held[next].next;
    if (array->first == NONE)
        array->last = NONE;
    h->held[next].next = NONE;
    h->held[next].due_ms = now;
    make_due(h, next);
}

/* ---- arrivals ---- */

/* One entry of `after`, "ID" or "any:ID". */
static bool await(struct sim_dependencies *h, uint32_t id, const char *text, size_t n,
                  struct err *err)
{
    struct held *held = &h->held[id];
    bool any = n > 4 && memcmp(text, "any:", 4) == 0;
    const char *name = any ? text + 4 : text;
    size_t length = any ? n - 4 : n;
    char place[TRACE_PLACE];
    if (length == 0 || (strlen(held->job.id) == length && memcmp(held->job.id, name, length) == 0))
        return err_set(
            err, EXIT_INPUT,
            "%s: after is '%s', expected other jobs, separated by '|', such as 'a|any:b'",
            trace_job_place(&held->job, place), held->job.after);
    uint32_t symbol = symbols_find(h->ids, name, length);
    if (symbol == SYMBOL_NONE) {
        h->figures.unknown += held->counted;
        return true;
    }
    int64_t think_ms = held->job.think_ms > 0 ? held->job.think_ms : 0;
    uint64_t number = h->number_of[symbol];
    const struct link *link = link_of(h, number);
    if (link->state == LINK_HERE || link->state == LINK_SUBMITTED) {
        add_edge(h, number, id, any ? AFTER_ANY : AFTER_WELL, think_ms);
        return true;
    }
    held->doomed |= !any && link->state == LINK_BADLY;
    if (held->due_ms < link->at_ms + think_ms)
        held->due_ms = link->at_ms + think_ms;
    return true;
}

static bool await_all(struct sim_dependencies *h, uint32_t id, struct err *err)
{
    const char *text = h->held[id].job.after;
    while (*text != '\0') {
        size_t n = strcspn(text, "|");
        if (!await(h, id, text, n, err))
            return false;
        text += n;
        if (*text == '|' && *++text == '\0')
            return await(h, id, text, 0, err);
    }
    return true;
}

static void know(struct sim_dependencies *h, const char *id, uint64_t number, enum link_state state)
{
    uint32_t symbol = symbols_add(h->ids, id, strlen(id));
    h->number_of =
        mem_grow(h->number_of, &h->number_capacity, (size_t)symbol + 1, sizeof *h->number_of);
    h->number_of[symbol] = number;
    link_of(h, number)->state = (uint8_t)state;
}

void sim_dependencies_initial(struct sim *sim, const struct work_job *job)
{
    know(sim->dependencies, work_id(job), job->number, LINK_SUBMITTED);
}

/* Holds the job until it is due, which may be now. */
static bool arrive(struct sim *sim, const struct trace_job *job, uint32_t *out, struct err *err)
{
    struct sim_dependencies *h = sim->dependencies;
    uint64_t number = sim->submitted++;
    uint32_t id = hold(sim, job, number);
    *out = id;
    if (!array_of(h, &h->held[id], &h->held[id].array, err) || !await_all(h, id, err))
        return false;
    h->held[id].linked = job->after[0] != '\0';
    h->figures.linked += h->held[id].linked && h->held[id].counted;
    know(h, job->id, number, LINK_HERE);
    return true;
}

bool sim_dependencies_arrive(struct sim *sim, const struct trace_job *job, struct err *err)
{
    uint32_t id;
    if (job->after[0] == '\0' && job->array[0] == '\0') { /* the common case */
        uint64_t number = sim->submitted++;
        know(sim->dependencies, job->id, number, LINK_SUBMITTED);
        return sim_admit_as(sim, job, number, err) != NULL;
    }
    if (!arrive(sim, job, &id, err))
        return false;
    struct held *held = &sim->dependencies->held[id];
    if (held->doomed)
        held->due_ms = sim->now_ms;
    if (held->doomed || held->waits == 0)
        make_due(sim->dependencies, id);
    return true;
}

/* ---- closed runs ---- */

static int64_t recorded_end(const struct trace_job *job)
{
    return job->end_ms != TRACE_UNKNOWN && job->end_ms >= job->submit_ms
               ? job->end_ms
               : job->submit_ms + job->duration_ms;
}

/*
 * What a user's next job follows: the end of the previous job if all the user's jobs had ended when
 * it arrived and it arrived within the longest think time; the previous submission if some were
 * running; after a longer break, its recorded arrival.
 */
static void react(struct sim *sim, uint32_t id)
{
    struct sim_dependencies *h = sim->dependencies;
    struct held *held = &h->held[id];
    uint32_t user = held->job.user;
    size_t known = h->user_capacity;
    h->last_of_user =
        mem_grow(h->last_of_user, &h->user_capacity, (size_t)user + 1, sizeof *h->last_of_user);
    h->busy_until_ms =
        mem_grow(h->busy_until_ms, &h->busy_capacity, (size_t)user + 1, sizeof *h->busy_until_ms);
    for (; known < h->user_capacity; known++)
        h->last_of_user[known] = 0;
    uint64_t former = h->last_of_user[user];
    int64_t end = recorded_end(&held->job);
    int64_t think_ms = held->job.think_ms;
    if (former > 0 && held->waits == 0 && !held->linked) {
        const struct link *link = link_of(h, former - 1);
        int64_t gap = held->job.submit_ms - h->busy_until_ms[user];
        if (think_ms != TRACE_UNKNOWN)
            gap = think_ms;
        bool reacts = gap >= 0 && (sim->config.think_max_ms < 0 || gap <= sim->config.think_max_ms);
        if (reacts)
            add_edge(h, former - 1, id, AFTER_ANY, gap);
        else if (gap < 0)
            add_edge(h, former - 1, id, AFTER_START, held->job.submit_ms - link->at_ms);
        if (held->waits > 0) {
            h->figures.reactions++;
            held->due_ms = INT64_MIN;
        }
        end = end > h->busy_until_ms[user] ? end : h->busy_until_ms[user];
    }
    held->closed = true;
    link_of(h, held->number)->at_ms = held->job.submit_ms;
    h->last_of_user[user] = held->number + 1;
    h->busy_until_ms[user] = end;
}

bool sim_dependencies_load(struct sim *sim, const struct trace_job *job, struct err *err)
{
    uint32_t id;
    if (!arrive(sim, job, &id, err))
        return false;
    react(sim, id);
    sim->dependencies->to_come++;
    if (sim->dependencies->held[id].waits == 0)
        make_due(sim->dependencies, id);
    return true;
}

/* ---- release ---- */

/* Submits the job now instead of at its arrival; in a closed run it also arrives now. */
static struct work_job *submit(struct sim *sim, struct held *held, struct err *err)
{
    struct trace_job *job = &held->job;
    if (held->closed) {
        trace_job_shift(job, sim->now_ms - job->submit_ms);
        sim->last_submit_ms = sim->now_ms;
    }
    if (job->eligible_ms < sim->now_ms)
        job->eligible_ms = sim->now_ms;
    if (sim->last_eligible_ms < job->eligible_ms)
        sim->last_eligible_ms = job->eligible_ms;
    return sim_admit_as(sim, job, held->number, err);
}

static void count_release(struct sim *sim, const struct held *held)
{
    struct sim_dependencies_figures *f = &sim->dependencies->figures;
    bool was_held = held->linked || held->capped;
    if (!was_held || held->closed || !held->counted)
        return;
    int64_t held_ms = sim->now_ms - held->since_ms;
    f->cancelled += held->doomed;
    f->capped += held->capped;
    f->released++;
    f->held_ms += held_ms;
    f->longest_ms = held_ms > f->longest_ms ? held_ms : f->longest_ms;
}

static bool release(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_dependencies *h = sim->dependencies;
    bool doomed = h->held[id].doomed;
    if (h->held[id].closed && sim->now_ms >= sim->window_end_ms) {
        h->held[id].late = true;
        h->held[id].due = false;
        return true;
    }
    if (!doomed && !take_place(h, id))
        return true;
    sim->event_count++;
    count_release(sim, &h->held[id]);
    struct link *link = link_of(h, h->held[id].number);
    link->array = doomed ? NONE : h->held[id].array;
    link->state = LINK_SUBMITTED;
    link->at_ms = sim->now_ms;
    fire_all(h, link, sim->now_ms, false, true);
    struct held held = h->held[id]; /* ends may grow the array */
    struct work_job *job = submit(sim, &held, err);
    if (job == NULL)
        return false;
    forget(h, id);
    return !doomed || sim_end_job(sim, job, err);
}

bool sim_dependencies_release(struct sim *sim, struct err *err)
{
    struct sim_dependencies *h = sim->dependencies;
    while (h->heap_count > 0 && h->heap[0].at_ms <= sim->now_ms)
        if (!release(sim, due_take(h->heap, &h->heap_count).held, err))
            return false;
    return true;
}

void sim_dependencies_ended(struct sim *sim, const struct work_job *job)
{
    struct sim_dependencies *h = sim->dependencies;
    if (job->number >= h->link_count || h->links[job->number].state != LINK_SUBMITTED)
        return; /* submitted by a client */
    struct link *link = &h->links[job->number];
    bool well = job->status == TRACE_COMPLETED;
    link->state = well ? LINK_WELL : LINK_BADLY;
    link->at_ms = sim->now_ms;
    if (link->array != NONE)
        give_place(h, link->array, sim->now_ms);
    fire_all(h, link, sim->now_ms, true, well);
}

/* ---- the book ---- */

void sim_dependencies_open(struct sim *sim)
{
    struct sim_dependencies *h = mem_alloc(1, sizeof *h);
    h->ids = symbols_create();
    h->array_names = symbols_create();
    h->free_edge = h->free_held = NONE;
    sim->dependencies = h;
}

void sim_dependencies_close(struct sim *sim)
{
    struct sim_dependencies *h = sim->dependencies;
    if (h == NULL)
        return;
    symbols_destroy(h->ids);
    symbols_destroy(h->array_names);
    for (size_t i = 0; i < h->held_count; i++)
        free(h->held[i].text);
    free(h->held);
    free(h->number_of);
    free(h->links);
    free(h->edges);
    free(h->heap);
    free(h->arrays);
    free(h->last_of_user);
    free(h->busy_until_ms);
    free(h);
    sim->dependencies = NULL;
}

void sim_dependencies_finish(struct sim *sim)
{
    struct sim_dependencies *h = sim->dependencies;
    for (size_t i = 0; i < h->held_count; i++)
        h->figures.open += h->held[i].used && h->held[i].counted;
}

const struct sim_dependencies_figures *sim_dependencies_figures(const struct sim *sim)
{
    return sim->dependencies == NULL ? NULL : &sim->dependencies->figures;
}

uint64_t sim_dependencies_count(const struct sim *sim)
{
    return sim->dependencies == NULL ? 0 : sim->dependencies->holding;
}

uint64_t sim_dependencies_to_come(const struct sim *sim)
{
    return sim->dependencies == NULL ? 0 : sim->dependencies->to_come;
}

int64_t sim_dependencies_next(const struct sim *sim)
{
    const struct sim_dependencies *h = sim->dependencies;
    if (h == NULL || h->heap_count == 0)
        return INT64_MAX;
    return h->heap[0].at_ms > sim->now_ms ? h->heap[0].at_ms : sim->now_ms;
}

bool sim_dependencies_find(const struct sim *sim, const char *id, int64_t *since_ms,
                           const char **why)
{
    const struct sim_dependencies *h = sim->dependencies;
    for (size_t i = 0; h != NULL && i < h->held_count; i++) {
        const struct held *held = &h->held[i];
        if (!held->used || strcmp(held->job.id, id) != 0)
            continue;
        *since_ms = held->since_ms;
        *why = held->waits > 0 ? "other jobs have to end first"
               : held->capped  ? "as many jobs of its array as may run at a time do"
                               : "its user thinks";
        return true;
    }
    return false;
}

/* ---- invariants ---- */

/* The used slots of each array are those of its submitted jobs and within the limit; no job waits
 * while a slot is free. */
static bool check_arrays(const struct sim *sim, struct err *err)
{
    const struct sim_dependencies *h = sim->dependencies;
    int32_t *taken = mem_alloc(h->array_count + 1, sizeof *taken);
    bool ok = true;
    for (size_t i = 0; i < h->link_count; i++)
        if (h->links[i].state == LINK_SUBMITTED && h->links[i].array != NONE)
            taken[h->links[i].array]++;
    for (size_t i = 0; i < h->array_count && ok; i++) {
        const struct array *a = &h->arrays[i];
        bool idle = a->limit > 0 && a->first != NONE && a->taken < a->limit && h->heap_count == 0;
        if (taken[i] != a->taken || (a->limit > 0 && a->taken > a->limit) || idle)
            ok = err_set(err, EXIT_INVARIANT,
                         "array '%s': %d jobs of %d are under way, counted as %d%s",
                         symbols_name(h->array_names, (uint32_t)i), taken[i], a->limit, a->taken,
                         idle ? ", and others wait" : "");
    }
    free(taken);
    return ok;
}

/* Every held job waits for an edge, for time, or for a slot. */
bool sim_dependencies_audit(const struct sim *sim, struct err *err)
{
    const struct sim_dependencies *h = sim->dependencies;
    uint64_t holding = 0, due = 0;
    for (size_t i = 0; i < h->held_count; i++) {
        const struct held *held = &h->held[i];
        if (!held->used)
            continue;
        holding++;
        due += held->due;
        if (!held->due && held->waits == 0 && !held->capped && !held->late)
            return err_set(err, EXIT_INVARIANT, "job '%s' is held for no reason", held->job.id);
    }
    if (holding != h->holding || due != h->heap_count)
        return err_set(err, EXIT_INVARIANT,
                       "%llu jobs are held and %llu due, counted as %llu and %zu",
                       (unsigned long long)holding, (unsigned long long)due,
                       (unsigned long long)h->holding, h->heap_count);
    return check_arrays(sim, err);
}
