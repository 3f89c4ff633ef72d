/* SPDX-License-Identifier: MIT */
/* The search for victims; see victims.h. */
#include "act/victims/victims.h"

#include "act/attempt.h"
#include "act/reversal.h"
#include "act/victims/alike.h"
#include "act/victims/bounds.h"
#include "act/victims/failures.h"
#include "act/victims/pool_chain.h"
#include "act/victims/reserves.h"
#include "act/victims/wanted.h"
#include "base/sort.h"
#include "order/queue_walk.h"
#include "state/evictable.h"
#include "state/gangs.h"
#include "state/pool_quotas.h"
#include "state/tasks.h"

enum outcome { NO_ROOM, REJECTED, SOLVED };

enum { MOST_LATE_STEPS = 3 };

/* ---- lists of victims ---- */

bool pc_list_victim(struct pc_search *s, struct pc_victims *list, uint32_t job, uint32_t task)
{
    if (!PC_GROW(&s->p->memory, list->of, list->capacity, list->count + 1)) {
        s->c->out_of_memory = true;
        return false;
    }
    list->of[list->count++] =
        (struct pc_victim){job, task, PC_NONE, PC_NONE, pc_task(s->c, job, task)->place};
    return true;
}

static struct pc_task *task_of(const struct pc_search *s, const struct pc_victim *v)
{
    return pc_task_at(s->c, v->job, v->task);
}

/* ---- one trial ---- */

bool pc_evict_on_trial(struct pc_search *s, struct pc_victim *v)
{
    v->before = task_of(s, v)->place;
    task_of(s, v)->trial = true;
    return pc_txn_release(s->p, v->job, v->task);
}

/* Evicts the listed victims; each job joins the walk once. */
static bool evict_all(struct pc_search *s, struct pc_queue_walk *line)
{
    struct pc_cluster *c = s->c;
    bool done = true;
    for (uint32_t i = 0; i < c->evicted.count && done; i++)
        done = pc_evict_on_trial(s, &c->evicted.of[i]);
    for (uint32_t i = 0; i < c->evicted.count && done; i++) {
        struct pc_job *j = &c->jobs[c->evicted.of[i].job];
        if (!j->marked)
            done = pc_walk_add(s->p, line, c->evicted.of[i].job);
        j->marked = true;
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        c->jobs[c->evicted.of[i].job].marked = false;
    return done;
}

/*
 * Moves shares that this trial nominated to one of the victim's devices to another device of the
 * node. One exists: the victim's nomination counted as many untouched devices as it had.
 */
static bool make_way(struct pc_search *s, const struct pc_victim *v, uint32_t mark)
{
    struct pc_cluster *c = s->c;
    const struct pc_node *n = &c->nodes[v->before.node];
    uint64_t own = v->before.devices & ~(n->idle | n->leaving);
    for (uint64_t other; own != 0; own &= own - 1) {
        other = (n->idle | n->leaving) & ~v->before.devices;
        if (other == 0)
            return true;
        uint64_t one = own & (~own + 1);
        uint64_t both = one | (other & (~other + 1));
        for (uint32_t i = mark, end = c->undo_count; i < end; i++) {
            struct pc_place place = pc_task(c, c->undo[i].job, c->undo[i].task)->place;
            if (place.nominated != v->before.node || (place.nominated_devices & one) == 0)
                continue;
            place.nominated_devices ^= both;
            if (!pc_txn_move(s->p, c->undo[i].job, c->undo[i].task, &place))
                return false;
        }
    }
    return true;
}

/* Puts a victim back that got its own place again: it was never evicted. Whole devices are
 * interchangeable; a share needs the same device. */
static bool put_back(struct pc_search *s, const struct pc_victim *v, uint32_t mark)
{
    struct pc_task *t = task_of(s, v);
    bool runs = v->before.holding == PC_RUNS && v->before.nominated == PC_NONE;
    if (!runs || t->place.nominated != v->before.node ||
        (t->place.nominated_devices != 0 && (t->place.nominated_devices != v->before.devices ||
                                             t->place.nominated_slice != v->before.slice)))
        return true;
    bool whole = t->place.nominated_devices == 0 && v->before.devices != 0;
    return (!whole || make_way(s, v, mark)) && pc_txn_move(s->p, v->job, v->task, &v->before);
}

static bool put_all_back(struct pc_search *s, uint32_t mark)
{
    struct pc_cluster *c = s->c;
    for (uint32_t i = 0; i < c->evicted.count; i++)
        if (!put_back(s, &c->evicted.of[i], mark))
            return false;
    return !c->out_of_memory;
}

/* Places the job and the victims again in the usual order. Returns false if the job finds no
 * place. */
static bool place_again(struct pc_search *s, struct pc_queue_walk *line,
                        const struct pc_tasks *tasks, uint32_t mark)
{
    struct pc_cluster *c = s->c;
    for (uint32_t job = pc_walk_pop(s->p, line); job != PC_NONE; job = pc_walk_pop(s->p, line)) {
        if (job == s->job) {
            if (!pc_attempt(s->p, job, tasks, true))
                return false;
            continue;
        }
        if (!pc_next_tasks(s->p, job, &c->placing))
            return false;
        (void)pc_attempt(s->p, job, &c->placing, true);
    }
    return put_all_back(s, mark);
}

/* ---- the outcome ---- */

static bool is_accepted(struct pc_search *s)
{
    return pc_leaves_sessions(s) && pc_leaves_plan(s) && s->purpose->accepts(s);
}

bool pc_settle_trial(struct pc_search *s, uint32_t mark)
{
    return put_all_back(s, mark) && is_accepted(s);
}

/* Evicts the tasks in c->evicted tentatively. Rolls back unless the outcome is accepted. */
static enum outcome try_out(struct pc_search *s, const struct pc_tasks *tasks)
{
    struct pc_cluster *c = s->c;
    struct pc_queue_walk *line = &c->trial_walk;
    uint32_t mark = pc_txn_mark(c);
    s->tried = true;
    bool placed = pc_walk_begin(s->p, line) && evict_all(s, line);
    pc_alike_evicted(s);
    placed = placed && pc_walk_add(s->p, line, s->job) && place_again(s, line, tasks, mark);
    pc_alike_placed(s);
    for (uint32_t i = 0; i < c->evicted.count; i++)
        task_of(s, &c->evicted.of[i])->trial = false;
    if (placed && is_accepted(s))
        return SOLVED;
    pc_txn_rollback(c, mark);
    return placed ? REJECTED : NO_ROOM;
}

/* ---- choosing victims ---- */

bool pc_may_be_victim(const struct pc_search *s, uint32_t job)
{
    return job != s->job && s->c->job_kept_in[job] != s->c->decision_number &&
           (s->c->fixed_milli == 0 || !pc_is_kept(s, job)) && s->purpose->may_be_victim(s, job) &&
           !pc_is_reversal(s, job);
}

static bool admits(const void *context, uint32_t job)
{
    return pc_may_be_victim(context, job);
}

/* The same for all jobs of the leaf at once, but those that keep their places in this decision. */
static bool admits_leaf(const void *context, uint32_t leaf)
{
    const struct pc_search *s = context;
    const struct pc_cluster *c = s->c;
    return leaf != c->jobs[s->job].queue && c->fixed_milli == 0 && s->displacers == 0 &&
           s->purpose->admits_leaf != NULL && s->purpose->admits_leaf(s, leaf);
}

static bool is_past(const void *context, uint32_t job)
{
    const struct pc_search *s = context;
    return s->purpose->is_past(s, job);
}

static void set_popped(struct pc_search *s, uint32_t job, uint32_t task, bool popped)
{
    struct pc_job *j = &s->c->jobs[job];
    if (j->detail->tasks[task].popped == popped)
        return;
    j->detail->tasks[task].popped = popped;
    j->detail->counts[pc_role_of(&s->c->shapes[j->shape], task)->set].popped += popped ? 1 : -1;
}

/* Removes tasks recorded by an earlier step from their job; the job rejoins the walk with the
 * rest. */
static bool skip_recorded(struct pc_search *s, struct pc_queue_walk *line, uint32_t job)
{
    const struct pc_job *j = &s->c->jobs[job];
    bool left = false;
    for (uint32_t i = 0; i < s->c->shapes[j->shape].tasks; i++) {
        if (pc_task_of(j, i)->recorded && !pc_task_of(j, i)->popped) {
            struct pc_amounts gives = pc_weigh_task(s->c, job, i);
            pc_walk_taken(s->p, line, job, &gives);
            set_popped(s, job, i, true);
        } else
            left = left || (pc_is_active(&pc_task_of(j, i)->place) && !pc_task_of(j, i)->popped);
    }
    return !left || pc_walk_add_rest(s->p, line, job);
}

/* Adds a popped task to the lists of its node and of its job. */
static bool push_popped(struct pc_search *s, uint32_t job, uint32_t task)
{
    struct pc_cluster *c = s->c;
    if (!pc_list_victim(s, &c->popped, job, task))
        return false;
    struct pc_victim *v = &c->popped.of[c->popped.count - 1];
    uint32_t *on_node = &c->nodes[pc_stands_on(&v->before)].popped;
    v->next_on_node = *on_node;
    v->next_of_job = c->jobs[job].detail->popped;
    *on_node = c->jobs[job].detail->popped = c->popped.count - 1;
    set_popped(s, job, task, true);
    return true;
}

static void forget_popped(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    for (uint32_t i = 0; i < c->popped.count; i++) {
        const struct pc_victim *v = &c->popped.of[i];
        c->nodes[pc_stands_on(&v->before)].popped = PC_NONE;
        c->jobs[v->job].detail->popped = PC_NONE;
        set_popped(s, v->job, v->task, false);
    }
    c->popped.count = 0;
}

static bool is_wanted(const void *context, uint32_t job, uint32_t node)
{
    const struct pc_search *s = context;
    (void)node;
    return s->c->marks[job].wanted_in == s->c->step_number;
}

/* Returns false for a job of one task on a node where all possible victims together make no room.
 */
static bool may_make_room(const void *context, uint32_t job, uint32_t node)
{
    const struct pc_search *s = context;
    return node == PC_NONE || !pc_frees_nothing(s, node) ||
           (s->c->recorded.count > 0 && pc_task_of(&s->c->jobs[job], 0)->recorded);
}

/*
 * Returns the next victim. A narrowed search leaves out jobs on unmarked nodes, at most as many as
 * may still be taken. Otherwise, while room is scarce, jobs that cannot make any are left out.
 */
static uint32_t next_victim(struct pc_search *s, struct pc_queue_walk *line)
{
    if (s->told)
        return pc_wanted_next(s->c);
    if (!s->narrowed && (!s->scarce || s->left != UINT32_MAX))
        return pc_walk_pop(s->p, line);
    uint32_t left_out = s->left;
    uint32_t job =
        pc_walk_pop_if(s->p, line, s->narrowed ? is_wanted : may_make_room, s, &left_out);
    if (s->narrowed) {
        s->lasts = s->lasts && left_out == 0;
        s->left -= left_out;
    } else {
        s->skipped = s->skipped || left_out > 0;
    }
    return job;
}

/* Takes the next chunk into c->popped and returns its index, or PC_NONE if there are no more
 * victims. */
static uint32_t take_chunk(struct pc_search *s, struct pc_queue_walk *line)
{
    struct pc_cluster *c = s->c;
    for (;;) {
        uint32_t job = next_victim(s, line);
        bool more;
        if (job == PC_NONE || !pc_next_victims(s->p, job, &c->taking, &more))
            return PC_NONE;
        bool recorded = false;
        for (uint32_t i = 0; i < c->taking.count; i++)
            recorded = recorded || pc_task(c, job, c->taking.ids[i])->recorded;
        s->lasts = s->lasts && !recorded && !more;
        if (recorded) {
            if (!skip_recorded(s, line, job))
                return PC_NONE;
            continue;
        }
        uint32_t first = c->popped.count;
        for (uint32_t i = 0; i < c->taking.count; i++) {
            struct pc_amounts gives = pc_weigh_task(c, job, c->taking.ids[i]);
            if (!s->told)
                pc_walk_taken(s->p, line, job, &gives);
            if (!push_popped(s, job, c->taking.ids[i]))
                return PC_NONE;
        }
        if (more && !pc_walk_add_rest(s->p, line, job))
            return PC_NONE;
        return first;
    }
}

/* Gathers the popped tasks of one job, once. */
static bool gather(struct pc_search *s, uint32_t job)
{
    struct pc_cluster *c = s->c;
    if (c->jobs[job].marked)
        return true;
    c->jobs[job].marked = true;
    for (uint32_t i = c->jobs[job].detail->popped; i != PC_NONE; i = c->popped.of[i].next_of_job) {
        if (!PC_GROW(&s->p->memory, c->gathered, c->gathered_capacity, c->gathered_count + 1)) {
            c->out_of_memory = true;
            c->jobs[job].marked = false; /* so that nothing listed leads back to the mark */
            return false;
        }
        c->gathered[c->gathered_count++] = i;
    }
    return true;
}

static bool popped_before(const void *unused, uint32_t a, uint32_t b)
{
    (void)unused;
    return a < b;
}

bool pc_list_recorded(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    c->evicted.count = 0;
    for (uint32_t i = 0; i < c->recorded.count; i++)
        if (!pc_list_victim(s, &c->evicted, c->recorded.of[i].job, c->recorded.of[i].task))
            return false;
    return true;
}

/* Lists for a trial: recorded victims, and all popped tasks of jobs on the node. */
static bool list_for_node(struct pc_search *s, uint32_t node)
{
    struct pc_cluster *c = s->c;
    bool done = pc_list_recorded(s);
    c->gathered_count = 0;
    for (uint32_t i = c->nodes[node].popped; i != PC_NONE && done; i = c->popped.of[i].next_on_node)
        if (i < s->end && !task_of(s, &c->popped.of[i])->recorded)
            done = gather(s, c->popped.of[i].job);
    pc_sort_ids(c->gathered, c->gathered_count, popped_before, NULL);
    for (uint32_t k = 0; k < c->gathered_count; k++) {
        const struct pc_victim *v = &c->popped.of[c->gathered[k]];
        c->jobs[v->job].marked = false;
        done = done && pc_list_victim(s, &c->evicted, v->job, v->task);
    }
    return done;
}

/* ---- one step: the first tasks of the job ---- */

/* Returns the node of popped victim i if no earlier victim of the chunk is on it; else PC_NONE. */
static uint32_t new_node(const struct pc_search *s, uint32_t first, uint32_t i)
{
    const struct pc_victims *popped = &s->c->popped;
    uint32_t node = pc_stands_on(&popped->of[i].before);
    for (uint32_t k = first; k < i; k++)
        if (pc_stands_on(&popped->of[k].before) == node)
            return PC_NONE;
    return node;
}

/* Returns true if the trial just listed takes nothing new but tasks of the chunk's job. Such trials
 * are all alike: a gang has one on each node that it has for itself. */
static bool is_of_job_alone(const struct pc_cluster *c, uint32_t first)
{
    uint32_t i = 0;
    while (i < c->gathered_count && c->popped.of[c->gathered[i]].job == c->popped.of[first].job)
        i++;
    return i == c->gathered_count;
}

/* Returns true if a trial on a node of the chunk, from its i-th victim on, could be accepted.
 * `but_alone`: other than with tasks of the job alone. */
static bool may_be_accepted(struct pc_search *s, uint32_t first, uint32_t i,
                            const struct pc_tasks *tasks, bool but_alone)
{
    for (; i < s->end; i++) {
        uint32_t node = new_node(s, first, i);
        if (node != PC_NONE && list_for_node(s, node) &&
            !(but_alone && is_of_job_alone(s->c, first)) && pc_is_worth_trying(s, tasks))
            return true;
    }
    return false;
}

/*
 * Tries each node of the chunk once and stops at a rejected outcome. A trial that cannot be
 * accepted is skipped only if no later one could be accepted either, or if it would find no room,
 * like one before.
 */
static enum outcome try_nodes(struct pc_search *s, uint32_t first, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    bool tried_alone = false;
    for (uint32_t i = first; i < s->end; i++) {
        uint32_t node = new_node(s, first, i);
        if (node == PC_NONE || pc_frees_nothing(s, node))
            continue;
        if (!list_for_node(s, node))
            return NO_ROOM;
        bool alone = !pc_tries_all(c) && is_of_job_alone(c, first);
        if (alone && tried_alone)
            continue;
        tried_alone = tried_alone || alone;
        if (!pc_tries_all(c) && !pc_frees_enough(s, tasks))
            continue;
        if (!pc_tries_all(c) && !(pc_leaves_room(s, tasks) && pc_gives_enough(s, tasks)) &&
            (!may_be_accepted(s, first, i + 1, tasks, tried_alone) || !list_for_node(s, node)))
            return NO_ROOM;
        enum outcome outcome = try_out(s, tasks);
        if (outcome != NO_ROOM)
            return outcome;
    }
    return NO_ROOM;
}

/* Returns true if the chunk has a task on a marked node, and deducts these from `ahead`. */
static bool is_worth_it(struct pc_search *s, uint32_t first)
{
    const struct pc_cluster *c = s->c;
    uint32_t found = 0;
    for (uint32_t i = first; i < s->end && s->narrowed; i++)
        found += c->nodes[pc_stands_on(&c->popped.of[i].before)].worth_in == c->step_number;
    s->ahead -= found;
    return !s->narrowed || found > 0;
}

uint32_t pc_jobs_left(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    int64_t left = s->purpose->most_victims != NULL ? s->purpose->most_victims(s->p) : -1;
    if (left < 0)
        return UINT32_MAX;
    left++;
    for (uint32_t i = 0; i < c->recorded.count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i && !known; k++)
            known = c->recorded.of[k].job == c->recorded.of[i].job;
        left -= !known;
    }
    return left > 0 ? (uint32_t)left : 0;
}

/* Returns true if nothing of the job was taken before the chunk that begins at `first`. */
static bool is_first_of_job(const struct pc_cluster *c, uint32_t first)
{
    uint32_t job = c->popped.of[first].job;
    for (uint32_t i = c->jobs[job].detail->popped; i != PC_NONE; i = c->popped.of[i].next_of_job)
        if (i < first)
            return false;
    for (uint32_t i = 0; i < c->recorded.count; i++)
        if (c->recorded.of[i].job == job)
            return false;
    return true;
}

/* Places the job on trial with the recorded victims evicted. Returns true if they suffice. */
static bool try_recorded(struct pc_search *s, const struct pc_tasks *tasks)
{
    return pc_list_recorded(s) && (pc_tries_all(s->c) || pc_is_worth_trying(s, tasks)) &&
           try_out(s, tasks) == SOLVED;
}

/*
 * Begins a step. Victims come in the same order in each step, whatever was recorded, because their
 * queues are compared without the job. So if whole jobs are taken, the next step starts with those
 * already taken. With a bound on victims, counting restarts.
 */
static bool begin_taking(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    s->end = 0;
    if (s->begun)
        return true;
    s->begun = true;
    s->lasts = !pc_tries_all(c) && s->purpose->most_victims == NULL;
    return pc_walk_begin_victims(
        s->p, &c->victim_walk, c->jobs[s->job].queue, s->purpose->reach,
        (struct pc_filter){.admits = admits,
                           .admits_leaf = admits_leaf,
                           .is_past = s->purpose->is_past != NULL ? is_past : NULL,
                           .context = s});
}

/* Returns the first index of this step's next chunk in c->popped, with s->end behind it. PC_NONE:
 * there are no more victims. */
static uint32_t next_chunk(struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    while (s->end < c->popped.count) { /* taken by an earlier step */
        uint32_t first = s->end;
        while (s->end < c->popped.count && c->popped.of[s->end].job == c->popped.of[first].job)
            s->end++;
        if (!task_of(s, &c->popped.of[first])->recorded)
            return first;
    }
    uint32_t first = take_chunk(s, &s->c->victim_walk);
    s->end = c->popped.count;
    return first;
}

static void stop_taking(struct pc_search *s)
{
    forget_popped(s);
    s->begun = s->skipped = false;
}

/* If the wanted victims are known without a walk, they are all that this step takes. */
static bool tell_wanted(struct pc_search *s)
{
    s->told = s->narrowed && pc_wanted_sort(s);
    if (!s->told)
        return false;
    stop_taking(s);
    s->lasts = false;
    s->end = 0;
    return true;
}

/* Returns true if no job is protected from this search only until some time. Then which jobs it
 * asks about has no effect on the next wakeup. */
static bool is_timeless(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    if (s->displacers != 0 || s->purpose->admits_leaf == NULL)
        return false;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++)
        if (c->queues[leaf].active.count > 0 && !s->purpose->admits_leaf(s, leaf))
            return false;
    return true;
}

/* Consecutive steps of gangs of this queue that were narrowed late, of those with as many tasks. */
static uint8_t *late_steps(const struct pc_search *s, const struct pc_tasks *tasks)
{
    uint32_t last = PC_LATE_STEPS - 1;
    return &s->c->queues[s->c->jobs[s->job].queue]
                .late_steps[tasks->count < last ? tasks->count : last];
}

/*
 * Number of chunks that a step takes before it is narrowed whatever that costs; UINT32_MAX: all.
 * Jobs left out by next_victim() do not count. Narrowing costs most for a single task, for which
 * many victims may do. For gangs, each of the late steps just before divides the number by 4,
 * unless that could be noticed.
 */
static uint32_t patience_of(const struct pc_search *s, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    if (s->narrowed || s->purpose->most_victims != NULL || pc_tries_all(c))
        return UINT32_MAX;
    if (tasks->count == 1)
        return c->node_count + 1;
    uint32_t late = *late_steps(s, tasks);
    return (c->node_count / 4 >> (late > 0 && s->timeless ? 2 * late : 0)) + 1;
}

/* Returns true if such steps have been narrowed late so often that this one should be at once. */
static bool is_late(const struct pc_search *s, const struct pc_tasks *tasks)
{
    return tasks->count > 1 && *late_steps(s, tasks) == MOST_LATE_STEPS &&
           s->purpose->most_victims == NULL && s->timeless;
}

/* Recorded victims are not wanted once more. */
static void begin_step(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    c->step_number++;
    for (uint32_t i = 0; i < c->recorded.count; i++)
        c->marks[c->recorded.of[i].job].wanted_in = c->step_number;
}

/*
 * Narrows a step that found nothing for long, if possible, and begins it anew: trials that failed
 * fail again. Returns false if no trial may be accepted, or if out of memory.
 */
static bool narrow_late(struct pc_search *s, const struct pc_tasks *tasks)
{
    uint8_t *late = late_steps(s, tasks);
    begin_step(s);
    bool may = pc_some_trial_may_do(s, tasks, true);
    if (tasks->count > 1 && (s->narrowed || !may) && *late < MOST_LATE_STEPS)
        ++*late;
    if (!may || !s->narrowed || tell_wanted(s))
        return may;
    stop_taking(s);
    return begin_taking(s);
}

/* Tries out the victims of a chunk, unless others like them failed. */
static bool try_chunk(struct pc_search *s, uint32_t first, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    uint32_t job = c->popped.of[first].job;
    bool whole = s->end - first == c->shapes[c->jobs[job].shape].tasks;
    struct pc_alike alike;
    s->interchangeable = s->skips_alike && whole && pc_alike_describe(s, job, &alike);
    if (s->interchangeable && pc_alike_find(&s->failed, &alike) != PC_NONE)
        return false;
    if (try_nodes(s, first, tasks) == SOLVED)
        return true;
    if (s->interchangeable)
        (void)pc_alike_add(&s->failed, &alike);
    return false;
}

static bool search(struct pc_search *s, const struct pc_tasks *tasks)
{
    struct pc_cluster *c = s->c;
    if (c->recorded.count > 0 && try_recorded(s, tasks))
        return true;
    bool patient = is_late(s, tasks);
    if (!pc_tries_all(c) && !pc_some_trial_may_do(s, tasks, patient))
        return false;
    if (s->skipped && !s->scarce) /* these may be victims now */
        stop_taking(s);
    if (!(tell_wanted(s) || begin_taking(s)))
        return false;
    s->left = pc_jobs_left(s);
    bool bounded = s->left != UINT32_MAX;
    for (uint32_t patience = patience_of(s, tasks);; patience--) {
        if (patience == 0 && !narrow_late(s, tasks))
            return false;
        if (s->narrowed && s->ahead == 0)
            return false;
        uint32_t first = next_chunk(s);
        if (first == PC_NONE || c->out_of_memory)
            return false;
        if (bounded && is_first_of_job(c, first) && s->left-- == 0)
            return false;
        if (!is_worth_it(s, first) || !try_chunk(s, first, tasks))
            continue;
        if (tasks->count > 1 && !s->narrowed)
            *late_steps(s, tasks) = 0;
        else if (patient)
            --*late_steps(s, tasks);
        return true;
    }
    return false;
}

static bool solve_part(struct pc_search *s, const struct pc_tasks *tasks)
{
    struct pc_cluster *c = s->c;
    begin_step(s);
    pc_alike_begin(s, tasks);
    s->tried = s->loses_nothing = false;
    s->asks = pc_amounts_of(c, s->job, tasks, false);
    c->partial_amounts = s->asks;
    for (uint32_t i = 0; i < c->recorded.count; i++)
        task_of(s, &c->recorded.of[i])->recorded = true;
    bool solved = search(s, tasks);
    if (!solved && !c->out_of_memory && pc_may_chain(s)) {
        stop_taking(s);
        solved = pc_solve_by_chain(s, tasks);
    }
    for (uint32_t i = 0; i < c->recorded.count; i++) {
        task_of(s, &c->recorded.of[i])->recorded = false;
        if (!s->lasts)
            set_popped(s, c->recorded.of[i].job, c->recorded.of[i].task, false);
    }
    if (!s->lasts)
        stop_taking(s);
    return solved;
}

/*
 * Records the victims of this step that did not get their places back: the next step starts with
 * them. They stay together with the tasks of their job that did: a partly moved gang must be
 * placed, or given up, as a whole again.
 */
static bool record(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    bool done = true;
    c->recorded.count = 0;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        if (!pc_same_place(&task_of(s, v)->place, &v->before))
            c->jobs[v->job].marked = true;
    }
    for (uint32_t i = 0; i < c->evicted.count && done; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        if (c->jobs[v->job].marked)
            done = pc_list_victim(s, &c->recorded, v->job, v->task);
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        c->jobs[c->evicted.of[i].job].marked = false;
    return done;
}

/* ---- all steps ---- */

static void save_amounts(struct pc_cluster *c)
{
    for (uint32_t q = 0; q < c->queue_count; q++) {
        c->queues[q].before = c->queues[q].allocated;
        c->queues[q].before_fixed = c->queues[q].fixed;
    }
    pc_groups_save(c);
}

static bool solve_steps(struct pc_search *s, const struct pc_tasks *all, uint32_t mark)
{
    struct pc_cluster *c = s->c;
    struct pc_tasks part = *all;
    for (part.count = 1; part.count <= all->count; part.count++) {
        pc_txn_rollback(c, mark);
        if (!solve_part(s, &part)) {
            pc_remember_failure(s, part.count);
            return false;
        }
        if (!record(s))
            return false;
    }
    return pc_is_whole(c, s->job);
}

/* Returns true if a gang cannot succeed, whatever its steps are; remembered like a failed step. */
static bool is_hopeless(struct pc_search *s, const struct pc_tasks *all)
{
    if (all->count < 2 || s->purpose->may_fit == NULL || pc_tries_all(s->c) || pc_may_chain(s) ||
        s->purpose->may_fit(s))
        return false;
    pc_remember_failure(s, all->count);
    return true;
}

bool pc_solve(struct policy *p, uint32_t job, const struct pc_purpose *purpose)
{
    struct pc_cluster *c = p->cluster;
    struct pc_search s = {.p = p, .c = c, .purpose = purpose, .job = job};
    uint32_t mark = pc_txn_mark(c);
    if (!pc_next_tasks(p, job, &c->solving) || c->solving.count == 0)
        return false;
    if (purpose->displaces)
        pc_reversals_mark(&s);
    s.asks = pc_amounts_of(c, job, &c->solving, false); /* for pc_may_chain() and may_fit() */
    if (pc_is_known_to_fail(&s, &c->solving) || is_hopeless(&s, &c->solving))
        return false;
    s.timeless = is_timeless(&s);
    c->recorded.count = 0;
    c->partial_job = job;
    save_amounts(c);
    bool reserved = c->reservation.in_force;
    c->reservation.in_force =
        reserved && c->reservation.job != job; /* victims need not respect it */
    bool solved = solve_steps(&s, &c->solving, mark);
    stop_taking(&s);
    c->reservation.in_force = reserved;
    c->partial_job = PC_NONE;
    uint8_t reasons[2] = {0, 0};
    if (solved) {
        purpose->reasons(&s, reasons);
        solved = pc_reversals_reserve(p) && pc_txn_commit(p, mark, job, reasons);
    }
    if (solved) {
        pc_forget_failures(c);
        pc_reversals_add(&s);
    } else {
        pc_txn_rollback(c, mark);
    }
    return solved;
}
