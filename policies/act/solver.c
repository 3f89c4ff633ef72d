/* SPDX-License-Identifier: MIT */
/* The search for victims; see solver.h. */
#include "act/solver.h"

#include "act/attempt.h"
#include "cluster/chunk.h"
#include "cluster/classes.h"
#include "cluster/tasks.h"
#include "order/line.h"

enum outcome { NO_ROOM, REJECTED, SOLVED };

/* ---- lists of victims ---- */

static bool push(struct pq_search *s, struct pq_victims *list, uint32_t job, uint32_t task, uint32_t chunk)
{
    if (!PC_GROW(&s->p->memory, list->of, list->capacity, list->count + 1)) {
        s->c->out_of_memory = true;
        return false;
    }
    list->of[list->count++] = (struct pq_victim){job, task, chunk, s->c->jobs[job].tasks[task].place};
    return true;
}

static struct pq_task *task_of(const struct pq_search *s, const struct pq_victim *v)
{
    return &s->c->jobs[v->job].tasks[v->task];
}

/* ---- one trial ---- */

static uint32_t node_of(const struct pq_place *place)
{
    return place->promised != PC_NONE ? place->promised : place->node;
}

static bool evict(struct pq_search *s, struct pq_victim *v)
{
    struct pq_place place = task_of(s, v)->place;
    v->before = place;
    place.holding = place.holding == PQ_RUNS ? PQ_RELEASING : place.holding;
    place.promised = PC_NONE;
    place.promised_devices = 0;
    place.promised_slice = 0;
    task_of(s, v)->trial = true;
    return pq_txn_move(s->p, v->job, v->task, &place);
}

/* Evicts what is listed; each job joins the line once. */
static bool evict_all(struct pq_search *s, struct pq_line *line)
{
    struct cluster *c = s->c;
    bool done = true;
    for (uint32_t i = 0; i < c->evicted.count && done; i++)
        done = evict(s, &c->evicted.of[i]);
    for (uint32_t i = 0; i < c->evicted.count && done; i++) {
        struct pq_job *j = &c->jobs[c->evicted.of[i].job];
        if (!j->marked)
            done = pq_line_add(s->p, line, c->evicted.of[i].job);
        j->marked = true;
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        c->jobs[c->evicted.of[i].job].marked = false;
    return done;
}

/* A victim that got its own place again was never evicted. Whole devices are alike; of a share it has to be the device. */
static bool put_back(struct pq_search *s, const struct pq_victim *v)
{
    struct pq_task *t = task_of(s, v);
    bool runs = v->before.holding == PQ_RUNS && v->before.promised == PC_NONE;
    if (!runs || t->place.promised != v->before.node ||
        (t->place.promised_devices != 0 &&
         (t->place.promised_devices != v->before.devices || t->place.promised_slice != v->before.slice)))
        return true;
    return pq_txn_move(s->p, v->job, v->task, &v->before);
}

/* Places the job and the victims again, in the usual order; the job has to find a place. */
static bool place_again(struct pq_search *s, struct pq_line *line, const struct pq_tasks *tasks)
{
    struct cluster *c = s->c;
    for (uint32_t job = pq_line_pop(s->p, line); job != PC_NONE; job = pq_line_pop(s->p, line)) {
        if (job == s->job) {
            if (!pq_attempt(s->p, job, tasks, true))
                return false;
            continue;
        }
        if (!pq_next_tasks(s->p, job, &c->placing))
            return false;
        (void)pq_attempt(s->p, job, &c->placing, true);
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        if (!put_back(s, &c->evicted.of[i]))
            return false;
    return !c->out_of_memory;
}

/* Evicts the tasks in c->evicted on trial. What is not accepted is rolled back. */
static enum outcome try_out(struct pq_search *s, const struct pq_tasks *tasks)
{
    struct cluster *c = s->c;
    struct pq_line *line = &c->trial_line;
    uint32_t mark = pq_txn_mark(c);
    bool placed = pq_line_begin(s->p, line, false) && evict_all(s, line) && pq_line_add(s->p, line, s->job) &&
                  place_again(s, line, tasks);
    for (uint32_t i = 0; i < c->evicted.count; i++)
        task_of(s, &c->evicted.of[i])->trial = false;
    if (placed && s->purpose->accepts(s))
        return SOLVED;
    pq_txn_rollback(c, mark);
    return placed ? REJECTED : NO_ROOM;
}

/* ---- who gives ---- */

static bool fill_line(struct pq_search *s, struct pq_line *line)
{
    struct cluster *c = s->c;
    uint32_t own = c->jobs[s->job].queue;
    if (!pq_line_begin(s->p, line, true))
        return false;
    for (uint32_t q = 0; q < c->queue_count; q++) {
        if (s->purpose->own_queue && q != own)
            continue;
        for (uint32_t i = 0; i < c->queues[q].active_count; i++) {
            uint32_t job = c->queues[q].active[i];
            if (job != s->job && s->purpose->may_be_victim(s, job) && !pq_line_add(s->p, line, job))
                return false;
        }
    }
    return true;
}

static void set_popped(struct pq_search *s, uint32_t job, uint32_t task, bool popped)
{
    struct pq_job *j = &s->c->jobs[job];
    if (j->tasks[task].popped == popped)
        return;
    j->tasks[task].popped = popped;
    j->counts[pq_role_of(&s->c->shapes[j->shape], task)->set].popped += popped ? 1 : -1;
}

/* Tasks that an earlier step settled on are taken out of their job; it comes again with the rest of it. */
static bool skip_recorded(struct pq_search *s, struct pq_line *line, uint32_t job)
{
    const struct pq_job *j = &s->c->jobs[job];
    bool left = false;
    for (uint32_t i = 0; i < s->c->shapes[j->shape].tasks; i++) {
        if (j->tasks[i].recorded && !j->tasks[i].popped) {
            struct pq_amounts gives = pq_weigh_task(s->c, job, i);
            pq_line_taken(s->p, line, job, &gives);
            set_popped(s, job, i, true);
        } else
            left = left || (pq_is_active(&j->tasks[i].place) && !j->tasks[i].popped);
    }
    return !left || pq_line_add(s->p, line, job);
}

/* The next chunk joins c->popped: its index there, or PC_NONE when nobody has more to give. */
static uint32_t take_chunk(struct pq_search *s, struct pq_line *line)
{
    struct cluster *c = s->c;
    for (;;) {
        uint32_t job = pq_line_pop(s->p, line);
        bool more;
        if (job == PC_NONE || !pq_next_victims(s->p, job, &c->taking, &more))
            return PC_NONE;
        bool recorded = false;
        for (uint32_t i = 0; i < c->taking.count; i++)
            recorded = recorded || c->jobs[job].tasks[c->taking.ids[i]].recorded;
        if (recorded) {
            if (!skip_recorded(s, line, job))
                return PC_NONE;
            continue;
        }
        uint32_t first = c->popped.count;
        for (uint32_t i = 0; i < c->taking.count; i++) {
            struct pq_amounts gives = pq_weigh_task(c, job, c->taking.ids[i]);
            pq_line_taken(s->p, line, job, &gives);
            if (!push(s, &c->popped, job, c->taking.ids[i], first))
                return PC_NONE;
            set_popped(s, job, c->taking.ids[i], true);
        }
        if (more && !pq_line_add(s->p, line, job))
            return PC_NONE;
        return first;
    }
}

/* Lists for a trial: what earlier steps settled on, and all that was popped of jobs that stand on the node. */
static bool list_for_node(struct pq_search *s, uint32_t node)
{
    struct cluster *c = s->c;
    c->evicted.count = 0;
    for (uint32_t i = 0; i < c->recorded.count; i++)
        if (!push(s, &c->evicted, c->recorded.of[i].job, c->recorded.of[i].task, 0))
            return false;
    for (uint32_t i = 0; i < c->popped.count && node != PC_NONE; i++)
        if (node_of(&c->popped.of[i].before) == node)
            c->jobs[c->popped.of[i].job].marked = true;
    bool done = true;
    for (uint32_t i = 0; i < c->popped.count && node != PC_NONE && done; i++)
        if (c->jobs[c->popped.of[i].job].marked)
            done = push(s, &c->evicted, c->popped.of[i].job, c->popped.of[i].task, c->popped.of[i].chunk);
    for (uint32_t i = 0; i < c->popped.count; i++)
        c->jobs[c->popped.of[i].job].marked = false;
    return done;
}

/* ---- one step: a first part of the job's tasks ---- */

/* Tries the nodes of the chunk, each once. */
static enum outcome try_nodes(struct pq_search *s, uint32_t first, const struct pq_tasks *tasks)
{
    const struct pq_victims *popped = &s->c->popped;
    for (uint32_t i = first; i < popped->count; i++) {
        uint32_t node = node_of(&popped->of[i].before);
        bool seen = false;
        for (uint32_t k = first; k < i && !seen; k++)
            seen = node_of(&popped->of[k].before) == node;
        if (seen)
            continue;
        if (!list_for_node(s, node))
            return NO_ROOM;
        enum outcome outcome = try_out(s, tasks);
        if (outcome != NO_ROOM) /* a rejected outcome ends this scenario */
            return outcome;
    }
    return NO_ROOM;
}

static bool search(struct pq_search *s, const struct pq_tasks *tasks)
{
    struct cluster *c = s->c;
    int32_t most = s->purpose->most_victims != NULL ? s->purpose->most_victims(s->p) : -1;
    if (c->recorded.count > 0 && list_for_node(s, PC_NONE) && try_out(s, tasks) == SOLVED)
        return true;
    if (!fill_line(s, &c->victim_line))
        return false;
    for (int32_t taken = 0; most < 0 || taken <= most; taken++) {
        uint32_t first = take_chunk(s, &c->victim_line);
        if (first == PC_NONE || c->out_of_memory)
            return false;
        if (try_nodes(s, first, tasks) == SOLVED)
            return true;
    }
    return false;
}

static bool solve_part(struct pq_search *s, const struct pq_tasks *tasks)
{
    struct cluster *c = s->c;
    c->popped.count = 0;
    s->asks = pq_amounts_of(c, s->job, tasks, false);
    c->partial_amounts = s->asks;
    for (uint32_t i = 0; i < c->recorded.count; i++)
        task_of(s, &c->recorded.of[i])->recorded = true;
    bool solved = search(s, tasks);
    for (uint32_t i = 0; i < c->recorded.count; i++) {
        task_of(s, &c->recorded.of[i])->recorded = false;
        set_popped(s, c->recorded.of[i].job, c->recorded.of[i].task, false);
    }
    for (uint32_t i = 0; i < c->popped.count; i++)
        set_popped(s, c->popped.of[i].job, c->popped.of[i].task, false);
    return solved;
}

/* The victims of this step that did not get their place back are where the next one begins. */
static bool record(struct pq_search *s)
{
    struct cluster *c = s->c;
    c->recorded.count = 0;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pq_victim *v = &c->evicted.of[i];
        if (!pq_same_place(&task_of(s, v)->place, &v->before) &&
            !push(s, &c->recorded, v->job, v->task, v->chunk))
            return false;
    }
    return true;
}

/* ---- all steps ---- */

static void save_amounts(struct cluster *c)
{
    for (uint32_t q = 0; q < c->queue_count; q++) {
        c->queues[q].before = c->queues[q].allocated;
        c->queues[q].before_fixed = c->queues[q].fixed;
    }
}

static bool gang_is_whole(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (j->counts[i].active + j->counts[i].releasing < s->sets[i].min_tasks)
            return false;
    return true;
}

static bool solve_steps(struct pq_search *s, const struct pq_tasks *all, uint32_t mark)
{
    struct cluster *c = s->c;
    struct pq_tasks part = *all;
    for (part.count = 1; part.count <= all->count; part.count++) {
        pq_txn_rollback(c, mark);
        if (!solve_part(s, &part) || !record(s))
            return false;
    }
    return gang_is_whole(c, s->job);
}

bool pq_solve(struct policy *p, uint32_t job, const struct pq_purpose *purpose)
{
    struct cluster *c = p->cluster;
    struct pq_search s = {.p = p, .c = c, .purpose = purpose, .job = job};
    uint32_t mark = pq_txn_mark(c);
    if (!pq_next_tasks(p, job, &c->solving) || c->solving.count == 0)
        return false;
    c->recorded.count = 0;
    c->partial_job = job;
    save_amounts(c);
    bool solved = solve_steps(&s, &c->solving, mark);
    c->partial_job = PC_NONE;
    uint8_t reasons[2] = {0, 0};
    if (solved) {
        purpose->reasons(&s, reasons);
        solved = pq_txn_commit(p, mark, job, reasons);
    }
    if (!solved)
        pq_txn_rollback(c, mark);
    return solved;
}
