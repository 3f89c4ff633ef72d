/* SPDX-License-Identifier: MIT */
/* Backfill candidates; see candidates.h. */
#include "pending/candidates.h"

void pc_candidates_init(struct pc_candidates *c)
{
    *c = (struct pc_candidates){.waiting_root = PC_NONE};
}

void pc_candidates_free(struct pc_candidates *c, const struct pc_memory *memory)
{
    pc_order_free(&c->jobs, memory);
    pc_order_free(&c->heads, memory);
    pc_order_free(&c->waiting, memory);
    pc_release(memory, c->classes, c->class_capacity, sizeof *c->classes);
    pc_release(memory, c->sets, c->set_capacity, sizeof *c->sets);
    pc_candidates_init(c);
}

static void empty(struct pc_candidate_set *s)
{
    s->needs = 0;
    for (int32_t need = 0; need < PC_CANDIDATE_NEEDS; need++)
        s->classes[need] = PC_NONE;
}

bool pc_candidates_reserve(struct pc_candidates *c, const struct pc_memory *memory, uint32_t job,
                           uint32_t class, uint32_t set)
{
    if (!pc_order_reserve(&c->jobs, memory, job + 1) ||
        !pc_order_reserve(&c->heads, memory, class + 1) ||
        !pc_order_reserve(&c->waiting, memory, class + 1) ||
        !PC_GROW(memory, c->classes, c->class_capacity, class + 1) ||
        !PC_GROW(memory, c->sets, c->set_capacity, set + 1))
        return false;
    for (; c->class_count <= class; c->class_count++)
        c->classes[c->class_count] = (struct pc_candidate_class){.jobs = PC_NONE, .set = PC_NONE};
    for (; c->set_count <= set; c->set_count++) {
        c->sets[c->set_count].open = 0;
        empty(&c->sets[c->set_count]);
    }
    return true;
}

void pc_candidates_define(struct pc_candidates *c, uint32_t class, uint32_t set, int32_t need)
{
    c->classes[class] = (struct pc_candidate_class){.jobs = PC_NONE, .set = set, .need = need};
}

/* ---- classes by set and need ---- */

static void unlist(struct pc_candidates *c, uint32_t class)
{
    struct pc_candidate_class *k = &c->classes[class];
    struct pc_candidate_set *s = &c->sets[k->set];
    if (!k->listed)
        return;
    pc_order_remove(&c->heads, &s->classes[k->need], class);
    if (s->classes[k->need] == PC_NONE)
        s->needs &= ~(UINT64_C(1) << k->need);
    k->listed = false;
}

/* Called after a change of the class's jobs behind the first one, which stays. */
static void settle_least(struct pc_candidates *c, uint32_t class)
{
    int64_t least = pc_order_at(&c->jobs, c->classes[class].jobs)->least;
    if (pc_order_at(&c->heads, class)->value != least)
        pc_order_set(&c->heads, class, least, 0);
}

/* Called after any other change of them. */
static void settle(struct pc_candidates *c, uint32_t class)
{
    struct pc_candidate_class *k = &c->classes[class];
    struct pc_candidate_set *s = &c->sets[k->set];
    if (k->jobs == PC_NONE || k->hidden) {
        unlist(c, class);
        return;
    }
    const struct pc_order_place *first =
        &pc_order_at(&c->jobs, pc_order_first(&c->jobs, k->jobs))->place;
    int64_t least = pc_order_at(&c->jobs, k->jobs)->least;
    const struct pc_order_node *head = pc_order_at(&c->heads, class);
    if (k->listed && !pc_stands_before(first, &head->place) &&
        !pc_stands_before(&head->place, first)) {
        settle_least(c, class);
        return;
    }
    unlist(c, class);
    pc_order_add(&c->heads, &s->classes[k->need], class, *first, least, 0);
    s->needs |= UINT64_C(1) << k->need;
    k->listed = true;
}

/* Called after a job joined or left the class at this place. */
static void settle_after(struct pc_candidates *c, uint32_t class,
                         const struct pc_order_place *place)
{
    if (c->classes[class].listed && pc_stands_before(&pc_order_at(&c->heads, class)->place, place))
        settle_least(c, class);
    else
        settle(c, class);
}

void pc_candidates_add(struct pc_candidates *c, uint32_t job, uint32_t class,
                       struct pc_order_place place, int64_t limit)
{
    pc_order_add(&c->jobs, &c->classes[class].jobs, job, place, limit, 0);
    settle_after(c, class, &place);
}

void pc_candidates_remove(struct pc_candidates *c, uint32_t job, uint32_t class)
{
    const struct pc_order_place place = pc_order_at(&c->jobs, job)->place;
    pc_order_remove(&c->jobs, &c->classes[class].jobs, job);
    settle_after(c, class, &place);
}

void pc_candidates_clear(struct pc_candidates *c)
{
    for (uint32_t class = 0; class < c->class_count; class ++) {
        c->classes[class].jobs = PC_NONE;
        c->classes[class].listed = false;
    }
    for (uint32_t set = 0; set < c->set_count; set++)
        empty(&c->sets[set]);
}

void pc_candidates_refill(struct pc_candidates *c, uint32_t job, uint32_t class,
                          struct pc_order_place place, int64_t limit)
{
    pc_order_add(&c->jobs, &c->classes[class].jobs, job, place, limit, 0);
}

void pc_candidates_refilled(struct pc_candidates *c, uint32_t class)
{
    settle(c, class);
}

void pc_candidates_hide(struct pc_candidates *c, uint32_t class, bool hide)
{
    if (c->classes[class].hidden == hide)
        return;
    c->classes[class].hidden = hide;
    settle(c, class);
}

/* ---- a pass ---- */

void pc_candidates_begin(struct pc_candidates *c)
{
    for (uint32_t set = 0; set < c->set_count; set++)
        c->sets[set].open = 0;
    c->pass++;
    c->waiting_root = PC_NONE;
    c->cursor = PC_ORDER_START;
}

/* After the cursor only jobs with limits up to `most` remain candidates; the class is no longer
 * waiting. */
static void restrict_to(struct pc_candidates *c, uint32_t class, int64_t most)
{
    struct pc_candidate_class *k = &c->classes[class];
    k->pass = c->pass;
    k->most = most;
    uint32_t job = most == INT64_MIN || k->hidden
                       ? PC_NONE
                       : pc_order_find_up_to(&c->jobs, k->jobs, c->cursor, most);
    k->waits = job != PC_NONE;
    if (k->waits)
        pc_order_add(&c->waiting, &c->waiting_root, class, pc_order_at(&c->jobs, job)->place, job,
                     0);
}

static bool is_restricted(const struct pc_candidates *c, uint32_t class)
{
    return c->classes[class].pass == c->pass;
}

static void wait_all(struct pc_candidates *c, uint32_t root, int64_t most)
{
    if (most == INT64_MIN)
        return;
    for (uint32_t class = pc_order_find_up_to(&c->heads, root, PC_ORDER_START, most);
         class != PC_NONE;
         class = pc_order_find_up_to(&c->heads, root, pc_order_at(&c->heads, class)->place, most))
        if (!is_restricted(c, class))
            restrict_to(c, class, most);
}

static void wait_for_turns(struct pc_candidates *c, const struct pc_candidate_set *s,
                           uint64_t needs, int64_t most)
{
    for (uint64_t rest = needs & s->needs; rest != 0; rest &= rest - 1)
        wait_all(c, s->classes[pc_lowest(rest)], most);
}

void pc_candidates_open(struct pc_candidates *c, uint32_t set, uint64_t open, uint64_t before,
                        int64_t most)
{
    c->sets[set].open = open;
    wait_for_turns(c, &c->sets[set], before & ~open, most);
}

void pc_candidates_close(struct pc_candidates *c, uint32_t set, uint64_t needs, int64_t most)
{
    needs &= c->sets[set].open;
    c->sets[set].open &= ~needs;
    wait_for_turns(c, &c->sets[set], needs, most);
}

/* The first class with an open need whose first job is after the cursor and may be tried. */
static uint32_t first_open(const struct pc_candidates *c)
{
    uint32_t best = PC_NONE;
    for (uint32_t set = 0; set < c->set_count; set++) {
        const struct pc_candidate_set *s = &c->sets[set];
        for (uint64_t needs = s->open & s->needs; needs != 0; needs &= needs - 1) {
            uint32_t root = s->classes[pc_lowest(needs)];
            uint32_t class = pc_order_find_up_to(&c->heads, root, c->cursor, INT64_MAX);
            while (class != PC_NONE && is_restricted(c, class))
                class = pc_order_find_up_to(&c->heads, root, pc_order_at(&c->heads, class)->place,
                                            INT64_MAX);
            if (class != PC_NONE &&
                (best == PC_NONE || pc_stands_before(&pc_order_at(&c->heads, class)->place,
                                                     &pc_order_at(&c->heads, best)->place)))
                best = class;
        }
    }
    return best;
}

uint32_t pc_candidates_next(struct pc_candidates *c, uint32_t *class)
{
    uint32_t open = first_open(c);
    uint32_t waits = pc_order_first(&c->waiting, c->waiting_root);
    if (open == PC_NONE && waits == PC_NONE)
        return PC_NONE;
    if (waits == PC_NONE ||
        (open != PC_NONE && pc_stands_before(&pc_order_at(&c->heads, open)->place,
                                             &pc_order_at(&c->waiting, waits)->place))) {
        *class = open;
        c->cursor = pc_order_at(&c->heads, open)->place;
        return pc_order_first(&c->jobs, c->classes[open].jobs);
    }
    *class = waits;
    c->cursor = pc_order_at(&c->waiting, waits)->place;
    uint32_t job = (uint32_t)pc_order_at(&c->waiting, waits)->value;
    pc_order_remove(&c->waiting, &c->waiting_root, waits);
    restrict_to(c, waits,
                c->classes[waits].most); /* the next such job waits for its turn, if there is one */
    return job;
}

void pc_candidates_failed(struct pc_candidates *c, uint32_t class, int64_t most)
{
    if (is_restricted(c, class) && c->classes[class].waits)
        pc_order_remove(&c->waiting, &c->waiting_root, class);
    restrict_to(c, class, most);
}

/* ---- for tests ---- */

static const char *check_class(const struct pc_candidates *c, uint32_t class)
{
    const struct pc_candidate_class *k = &c->classes[class];
    uint32_t count;
    const char *wrong = pc_order_check(&c->jobs, k->jobs, &count);
    if (wrong != NULL)
        return wrong;
    if (k->listed != (k->jobs != PC_NONE && !k->hidden))
        return "a class of candidates for backfill";
    if (!k->listed)
        return NULL;
    const struct pc_order_place *first =
        &pc_order_at(&c->jobs, pc_order_first(&c->jobs, k->jobs))->place;
    const struct pc_order_node *head = pc_order_at(&c->heads, class);
    if (pc_stands_before(first, &head->place) || pc_stands_before(&head->place, first) ||
        head->value != pc_order_at(&c->jobs, k->jobs)->least)
        return "the first job or the least limit of a class of candidates for backfill";
    return NULL;
}

const char *pc_candidates_check(const struct pc_candidates *c)
{
    uint32_t listed = 0;
    uint32_t found = 0;
    const char *wrong = NULL;
    for (uint32_t class = 0; class < c->class_count && wrong == NULL; class ++) {
        wrong = check_class(c, class);
        listed += c->classes[class].listed;
    }
    for (uint32_t set = 0; set < c->set_count; set++)
        for (int32_t need = 0; need < PC_CANDIDATE_NEEDS && wrong == NULL; need++) {
            uint32_t root = c->sets[set].classes[need];
            uint32_t count;
            wrong = pc_order_check(&c->heads, root, &count);
            found += count;
            if ((root != PC_NONE) != (c->sets[set].needs >> need & 1))
                wrong = "the needs of candidates for backfill";
        }
    return wrong != NULL     ? wrong
           : listed == found ? NULL
                             : "the classes of candidates for backfill";
}
