/* SPDX-License-Identifier: MIT */
/* The plan of conservative backfill; see plan.h. */
#include "pending/plan.h"

void pc_plan_init(struct pc_plan *p)
{
    *p = (struct pc_plan){.jobs.timed = true, .look = PC_NONE};
}

void pc_plan_free(struct pc_plan *p, const struct pc_memory *memory)
{
    for (uint32_t set = 0; set < p->set_count; set++) {
        pc_skyline_free(&p->sets[set].free, memory);
        pc_release(memory, p->sets[set].rises, p->sets[set].rise_capacity,
                   sizeof *p->sets[set].rises);
        pc_release(memory, p->sets[set].needs, p->sets[set].need_capacity,
                   sizeof *p->sets[set].needs);
    }
    pc_order_free(&p->jobs, memory);
    pc_release(memory, p->of, p->capacity, sizeof *p->of);
    pc_release(memory, p->due, p->due_capacity, sizeof *p->due);
    pc_release(memory, p->sets, p->set_capacity, sizeof *p->sets);
    pc_release(memory, p->gaps, p->gap_capacity, sizeof *p->gaps);
    pc_plan_init(p);
}

/* ---- room ---- */

/* The index of the need in the set, or where it would be inserted. */
static uint32_t place_of_need(const struct pc_plan_set *s, int64_t need)
{
    uint32_t low = 0;
    for (uint32_t high = s->need_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (s->needs[middle].need < need)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool reserve_need(struct pc_plan_set *s, const struct pc_memory *memory, int64_t need)
{
    uint32_t at = place_of_need(s, need);
    if (at < s->need_count && s->needs[at].need == need)
        return true;
    if (!PC_GROW(memory, s->needs, s->need_capacity, s->need_count + 1))
        return false;
    for (uint32_t i = s->need_count++; i > at; i--)
        s->needs[i] = s->needs[i - 1];
    s->needs[at] = (struct pc_plan_need){need, PC_NONE};
    return true;
}

bool pc_plan_reserve(struct pc_plan *p, const struct pc_memory *memory, uint32_t job, uint32_t set,
                     int64_t need)
{
    uint32_t jobs = job + 1 > p->count ? job + 1 : p->count;
    if (!pc_order_reserve(&p->jobs, memory, jobs) || !PC_GROW(memory, p->of, p->capacity, jobs) ||
        !PC_GROW(memory, p->due, p->due_capacity, jobs) ||
        !PC_GROW(memory, p->gaps, p->gap_capacity, jobs / 8 + 64) ||
        !PC_GROW(memory, p->sets, p->set_capacity, set + 1))
        return false;
    for (; p->count < jobs; p->count++)
        p->of[p->count] = (struct pc_planned){.reserved_at = INT64_MAX, .due_pos = PC_NONE};
    for (; p->set_count <= set; p->set_count++) {
        p->sets[p->set_count] = (struct pc_plan_set){0};
        pc_skyline_init(&p->sets[p->set_count].free, INT64_MIN, 0);
    }
    for (uint32_t i = 0; i < p->set_count;
         i++) /* a job appears in a skyline once, with a start and an end */
        if (!pc_skyline_reserve(&p->sets[i].free, memory,
                                p->count + 1 - p->sets[i].free.count / 2) ||
            !PC_GROW(memory, p->sets[i].rises, p->sets[i].rise_capacity, jobs / 2 + 256))
            return false;
    return reserve_need(&p->sets[set], memory, need);
}

/* ---- jobs by reserved start ---- */

static bool due_before(const struct pc_plan *p, uint32_t a, uint32_t b)
{
    const struct pc_planned *x = &p->of[a];
    const struct pc_planned *y = &p->of[b];
    return x->reserved_at < y->reserved_at || (x->reserved_at == y->reserved_at && x < y);
}

static void put_due(struct pc_plan *p, uint32_t at, uint32_t job)
{
    p->due[at] = job;
    p->of[job].due_pos = at;
}

static void sift_due(struct pc_plan *p, uint32_t at, uint32_t job)
{
    for (; at > 0 && due_before(p, job, p->due[(at - 1) / 2]); at = (at - 1) / 2)
        put_due(p, at, p->due[(at - 1) / 2]);
    for (uint32_t child = 2 * at + 1; child < p->due_count; child = 2 * at + 1) {
        child += child + 1 < p->due_count && due_before(p, p->due[child + 1], p->due[child]);
        if (!due_before(p, p->due[child], job))
            break;
        put_due(p, at, p->due[child]);
        at = child;
    }
    put_due(p, at, job);
}

static void due_remove(struct pc_plan *p, uint32_t job)
{
    uint32_t at = p->of[job].due_pos;
    if (at == PC_NONE)
        return;
    p->of[job].due_pos = PC_NONE;
    uint32_t last = p->due[--p->due_count];
    if (last != job)
        sift_due(p, at, last);
}

static void due_add(struct pc_plan *p, uint32_t job)
{
    if (p->of[job].reserved_at < INT64_MAX)
        sift_due(p, p->due_count++, job);
}

/* ---- gaps ---- */

static int64_t limit_of(const struct pc_plan *p, uint32_t job)
{
    return pc_order_at(&p->jobs, job)->value;
}

static int64_t end_from(const struct pc_plan *p, uint32_t job, int64_t start)
{
    int64_t end;
    return __builtin_add_overflow(start, limit_of(p, job), &end) ? INT64_MAX : end;
}

/* Replaces the gap at `at`, or appends one at the end, and restores the heap. */
static void sift_gap(struct pc_plan *p, uint32_t at, struct pc_plan_gap gap)
{
    for (; at > 0 && pc_stands_before(&gap.place, &p->gaps[(at - 1) / 2].place); at = (at - 1) / 2)
        p->gaps[at] = p->gaps[(at - 1) / 2];
    for (uint32_t child = 2 * at + 1; child < p->gap_count; child = 2 * at + 1) {
        child += child + 1 < p->gap_count &&
                 pc_stands_before(&p->gaps[child + 1].place, &p->gaps[child].place);
        if (!pc_stands_before(&p->gaps[child].place, &gap.place))
            break;
        p->gaps[at] = p->gaps[child];
        at = child;
    }
    p->gaps[at] = gap;
}

/*
 * Finds the first job that may use this time: it fits in, or it begins now before the gap ends,
 * because its own reservation follows. Records the gap if there is such a job.
 */
static void note_gap(struct pc_plan *p, uint32_t set, const struct pc_plan_need *n, int64_t from,
                     int64_t to)
{
    int64_t most = to == INT64_MAX ? INT64_MAX : to - from;
    uint32_t job =
        pc_order_find(&p->jobs, n->jobs, p->cursor, (struct pc_order_bounds){most, from, to});
    if (job == PC_NONE)
        return;
    if (p->gap_count == p->gap_capacity) {
        p->look_at_all = true; /* which costs about as much */
        return;
    }
    sift_gap(p, p->gap_count++,
             (struct pc_plan_gap){pc_order_at(&p->jobs, job)->place, n->need, from, to, set, job});
}

/* Records all gaps for that need that begin in the range. */
static void note_gaps(struct pc_plan *p, uint32_t set, const struct pc_plan_need *n, int64_t from,
                      int64_t to)
{
    const struct pc_skyline *s = &p->sets[set].free;
    if (n->jobs == PC_NONE || from >= to)
        return;
    struct pc_skyline_cursor c = pc_skyline_cursor_at(s, from);
    if (c.amount < n->need)
        from = pc_skyline_to_enough(s, &c, n->need);
    while (from < to && from < pc_order_timed_at(&p->jobs, n->jobs)->latest && !p->look_at_all) {
        int64_t end = pc_skyline_to_below(s, &c, n->need);
        note_gap(p, set, n, from, end);
        from = end == INT64_MAX ? INT64_MAX : pc_skyline_to_enough(s, &c, n->need);
    }
}

/* Handles a range in which more is free than before. */
static void use_rise(struct pc_plan *p, uint32_t set, struct pc_plan_range rise)
{
    const struct pc_skyline *s = &p->sets[set].free;
    int64_t from = rise.from > p->now ? rise.from : p->now;
    int64_t amount = from < rise.to ? pc_skyline_at(s, from) : 0;
    for (uint32_t i = 0; i < p->sets[set].need_count && from < rise.to; i++) {
        const struct pc_plan_need *n = &p->sets[set].needs[i];
        if (n->jobs == PC_NONE)
            continue;
        bool enough = amount >= n->need; /* then the gap may begin before the range */
        note_gaps(p, set, n, enough ? pc_skyline_enough_since(s, from, n->need) : from, rise.to);
    }
}

/* Records a rise: jobs later in the order see it in this pass, others in the next. */
static void note_rise(struct pc_plan *p, uint32_t set, int64_t from, int64_t to)
{
    struct pc_plan_set *s = &p->sets[set];
    const struct pc_plan_range rise = {from, to};
    if (to <= from)
        return;
    if (p->passing)
        use_rise(p, set, rise);
    if (s->rise_count == s->rise_capacity)
        p->look_again = true;
    else
        s->rises[s->rise_count++] = rise;
}

/* Records what the job's old reservation had and its new start `at` does not use. */
static void note_left(struct pc_plan *p, uint32_t job, int64_t before, int64_t at)
{
    int64_t end = end_from(p, job, before);
    int64_t its = at == INT64_MAX ? INT64_MAX : end_from(p, job, at);
    if (before == INT64_MAX || before == at)
        return;
    if (at < before)
        note_rise(p, p->of[job].set, before > its ? before : its, end);
    else
        note_rise(p, p->of[job].set, before, end < at ? end : at);
}

/* ---- free capacity ---- */

void pc_plan_change(struct pc_plan *p, uint32_t set, int64_t now, int64_t to, int64_t amount)
{
    struct pc_plan_set *s = &p->sets[set];
    p->paused = false;
    if (now > s->free.begin)
        pc_skyline_advance(&s->free, now);
    pc_skyline_add(&s->free, now, to, amount);
    if (amount > 0)
        note_rise(p, set, now, to);
}

/* Subtracts the job's reservation from the free capacity (-1), or adds it back. */
static void stand(struct pc_plan *p, uint32_t job, int sign)
{
    const struct pc_planned *j = &p->of[job];
    if (j->reserved_at < INT64_MAX)
        pc_skyline_add(&p->sets[j->set].free, j->reserved_at, end_from(p, job, j->reserved_at),
                       sign * j->need);
}

void pc_plan_reset(struct pc_plan *p, uint32_t set, int64_t now, int64_t free)
{
    pc_skyline_restart(&p->sets[set].free, now, free);
    for (uint32_t job = 0; job < p->count; job++)
        if (p->of[job].there && p->of[job].set == set && !p->of[job].lifted)
            stand(p, job, -1);
    p->sets[set].rise_count = 0;
    p->look_at_all = true;
    p->paused = false;
}

/* ---- jobs ---- */

static uint32_t *tree_of(struct pc_plan *p, uint32_t job)
{
    struct pc_plan_set *s = &p->sets[p->of[job].set];
    return p->of[job].looked_for ? &p->look : &s->needs[place_of_need(s, p->of[job].need)].jobs;
}

/* Adds the job to the tree of its need, or to those to be looked at. */
static void join(struct pc_plan *p, uint32_t job, bool look)
{
    const struct pc_order_node node = *pc_order_at(&p->jobs, job);
    p->of[job].looked_for = look;
    pc_order_add(&p->jobs, tree_of(p, job), job, node.place, node.value, p->of[job].reserved_at);
}

void pc_plan_add(struct pc_plan *p, uint32_t job, uint32_t set, struct pc_order_place place,
                 int64_t need, int64_t limit, int64_t reserved_at)
{
    p->of[job] = (struct pc_planned){
        .reserved_at = reserved_at, .need = need, .set = set, .due_pos = PC_NONE, .there = true};
    p->paused = false;
    pc_order_at(&p->jobs, job)->place = place;
    pc_order_at(&p->jobs, job)->value = limit;
    join(p, job, true);
    stand(p, job, -1);
    due_add(p, job);
}

void pc_plan_remove(struct pc_plan *p, uint32_t job)
{
    struct pc_planned *j = &p->of[job];
    if (!j->there)
        return;
    p->paused = false;
    bool starts = j->lifted; /* it now occupies the time until its former start, too */
    if (!j->lifted)
        stand(p, job, 1);
    pc_order_remove(&p->jobs, tree_of(p, job), job);
    due_remove(p, job);
    j->there = j->lifted = false;
    note_left(p, job, j->reserved_at, starts ? p->now : INT64_MAX);
}

/* ---- a pass ---- */

/* The job's reserved start has come: it is extended to now, and the job is looked at. */
static void come_due(struct pc_plan *p, uint32_t job)
{
    due_remove(p, job);
    stand(p, job, 1);
    p->of[job].reserved_at = p->now;
    stand(p, job, -1);
    if (p->of[job].looked_for)
        return;
    pc_order_remove(&p->jobs, tree_of(p, job), job);
    join(p, job, true);
}

/* Rises since the last pass began may be gaps for jobs. */
static void use_rises(struct pc_plan *p, uint32_t set)
{
    struct pc_plan_set *s = &p->sets[set];
    for (uint32_t i = 0; i < s->rise_count && !p->look_at_all; i++)
        use_rise(p, set, s->rises[i]);
    s->rise_count = 0;
}

/* After an interrupted pass: jobs whose start had come but that were not looked at are due
 * again. */
static void restore_due(struct pc_plan *p)
{
    for (uint32_t job = 0; job < p->count; job++)
        if (p->of[job].there && p->of[job].due_pos == PC_NONE)
            due_add(p, job);
}

void pc_plan_begin(struct pc_plan *p, int64_t now)
{
    if (p->paused && p->now == now) {
        p->paused = false;
        p->cursor = p->before;
        return;
    }
    p->paused = false;
    if (p->passing)
        restore_due(p);
    p->look_at_all |=
        p->passing || p->look_again; /* the last pass was interrupted, or rises were lost */
    p->look_again = false;
    p->passing = true;
    p->now = now;
    p->cursor = PC_ORDER_START;
    p->gap_count = 0;
    for (uint32_t set = 0; set < p->set_count; set++)
        pc_skyline_advance(&p->sets[set].free, now);
    while (p->due_count > 0 && p->of[p->due[0]].reserved_at <= now)
        come_due(p, p->due[0]);
    for (uint32_t set = 0; set < p->set_count; set++)
        use_rises(p, set);
}

static bool is_first(const struct pc_plan *p, uint32_t job, uint32_t best)
{
    return job != PC_NONE &&
           (best == PC_NONE || pc_stands_before(&pc_order_at(&p->jobs, job)->place,
                                                &pc_order_at(&p->jobs, best)->place));
}

/* Returns true if the skyline is overcommitted while the job is to run. */
static bool is_crowded(const struct pc_plan *p, uint32_t job, int64_t first)
{
    const struct pc_planned *j = &p->of[job];
    if (j->reserved_at == INT64_MAX || end_from(p, job, j->reserved_at) <= first)
        return false;
    return pc_skyline_fit(&p->sets[j->set].free, j->reserved_at, j->reserved_at + 1, 0,
                          limit_of(p, job)) != j->reserved_at;
}

/* The first job of the need after the cursor that is overcommitted; or just the first, if all are
 * looked at. */
static uint32_t first_of_need(const struct pc_plan *p, const struct pc_plan_need *n, bool all,
                              int64_t first)
{
    uint32_t job = pc_order_find(&p->jobs, n->jobs, p->cursor, PC_ORDER_ANY);
    while (job != PC_NONE && !all && !is_crowded(p, job, first))
        job = pc_order_next(&p->jobs, job);
    return job;
}

/* The first job of the set to look at because of overcommitment, or because all are. */
static uint32_t first_of_set(const struct pc_plan *p, const struct pc_plan_set *s)
{
    uint32_t best = PC_NONE;
    if (!p->look_at_all && pc_skyline_least(&s->free) >= 0)
        return PC_NONE;
    int64_t first =
        pc_skyline_at(&s->free, p->now) < 0 ? p->now : pc_skyline_next_below(&s->free, p->now, 0);
    for (uint32_t i = 0; i < s->need_count; i++) {
        uint32_t job = first_of_need(p, &s->needs[i], p->look_at_all, first);
        best = is_first(p, job, best) ? job : best;
    }
    return best;
}

/* Returns true if the gap still exists for the job found for it. */
static bool is_true(const struct pc_plan *p, const struct pc_plan_gap *g)
{
    const struct pc_planned *j = &p->of[g->job];
    const struct pc_skyline *s = &p->sets[g->set].free;
    if (!pc_stands_before(&p->cursor, &g->place) || !j->there || j->looked_for ||
        j->reserved_at <= g->from)
        return false;
    if (pc_skyline_at(s, g->from) < g->need)
        return false;
    int64_t end = pc_skyline_next_below(s, g->from, g->need);
    return end == INT64_MAX || end - g->from >= limit_of(p, g->job) || j->reserved_at <= end;
}

/* The first job after the cursor with a gap. */
static uint32_t first_with_gap(struct pc_plan *p)
{
    while (p->gap_count > 0 && !is_true(p, &p->gaps[0])) {
        struct pc_plan_gap gone = p->gaps[0];
        const struct pc_plan_set *s = &p->sets[gone.set];
        if (--p->gap_count > 0)
            sift_gap(p, 0, p->gaps[p->gap_count]);
        note_gaps(p, gone.set, &s->needs[place_of_need(s, gone.need)], gone.from, gone.to);
    }
    return p->gap_count > 0 ? p->gaps[0].job : PC_NONE;
}

/* The begin of the earliest gap noted for the job whose gaps are at the top of the heap. */
static int64_t earliest_gap(const struct pc_plan *p, uint32_t job)
{
    int64_t earliest = INT64_MAX;
    for (uint32_t at = 1;
         at > 0;) { /* counted from 1: the children of `at` are 2 at and 2 at + 1 */
        if (at <= p->gap_count && p->gaps[at - 1].job == job) {
            earliest = p->gaps[at - 1].from < earliest ? p->gaps[at - 1].from : earliest;
            at *= 2;
            continue;
        }
        while ((at & 1) != 0)
            at /= 2; /* a right child, or the root at last: 0 */
        at += at > 0;
    }
    return earliest;
}

uint32_t pc_plan_next(struct pc_plan *p)
{
    uint32_t best = pc_order_find(&p->jobs, p->look, p->cursor, PC_ORDER_ANY);
    uint32_t found = first_with_gap(p);
    bool by_gap = is_first(p, found, best) && !p->look_at_all;
    best = is_first(p, found, best) ? found : best;
    for (uint32_t set = 0; set < p->set_count; set++) {
        found = first_of_set(p, &p->sets[set]);
        by_gap = by_gap && !is_first(p, found, best);
        best = is_first(p, found, best) ? found : best;
    }
    p->earliest = by_gap ? earliest_gap(p, best) : p->now;
    if (best == PC_NONE)
        p->passing = p->look_at_all = false;
    p->before = p->cursor;
    if (best != PC_NONE)
        p->cursor = pc_order_at(&p->jobs, best)->place;
    return best;
}

void pc_plan_lift(struct pc_plan *p, uint32_t job)
{
    stand(p, job, 1);
    p->of[job].lifted = true;
}

int64_t pc_plan_earliest(const struct pc_plan *p, uint32_t job, bool later)
{
    const struct pc_planned *j = &p->of[job];
    const struct pc_skyline *s = &p->sets[j->set].free;
    int64_t from = later ? pc_skyline_next(s, p->now) : p->earliest;
    return from == INT64_MAX ? from : pc_skyline_fit(s, from, INT64_MAX, j->need, limit_of(p, job));
}

void pc_plan_reserve_time(struct pc_plan *p, uint32_t job, int64_t at, bool look)
{
    struct pc_planned *j = &p->of[job];
    int64_t before = j->reserved_at;
    due_remove(p, job);
    pc_order_remove(&p->jobs, tree_of(p, job), job);
    j->reserved_at = at;
    j->lifted = false;
    join(p, job, look);
    stand(p, job, -1);
    due_add(p, job);
    note_left(p, job, before, at);
}

void pc_plan_pause(struct pc_plan *p, uint32_t job)
{
    pc_plan_reserve_time(p, job, p->of[job].reserved_at, true);
    p->paused = true;
}

/* ---- for tests ---- */

static const char *check_job(const struct pc_plan *p, uint32_t job)
{
    const struct pc_planned *j = &p->of[job];
    bool due = j->due_pos != PC_NONE;
    if (j->lifted || (due && j->reserved_at == INT64_MAX) ||
        (!due && j->reserved_at < INT64_MAX && !p->passing) ||
        (j->due_pos != PC_NONE && p->due[j->due_pos] != job))
        return "what a job is reserved_at";
    return pc_order_timed_at(&p->jobs, job)->time == j->reserved_at
               ? NULL
               : "when a job is reserved_at to start";
}

const char *pc_plan_check(const struct pc_plan *p)
{
    uint32_t jobs = 0;
    uint32_t found;
    const char *wrong = pc_order_check(&p->jobs, p->look, &found);
    for (uint32_t job = 0; job < p->count && wrong == NULL; job++) {
        jobs += p->of[job].there;
        wrong = p->of[job].there ? check_job(p, job) : NULL;
    }
    for (uint32_t set = 0; set < p->set_count; set++)
        for (uint32_t i = 0; i < p->sets[set].need_count && wrong == NULL; i++) {
            uint32_t count;
            wrong = pc_order_check(&p->jobs, p->sets[set].needs[i].jobs, &count);
            found += count;
        }
    return wrong != NULL ? wrong : found == jobs ? NULL : "the jobs of the plan";
}
