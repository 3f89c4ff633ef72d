/* SPDX-License-Identifier: MIT */
/* Tables of which nodes fit which requests, with trees; see fit_index.h. */
#include "place/fit_index.h"

#include "place/choose.h"
#include "rows.h"
#include "state/nodes.h"

#include <string.h>

#define MOST_ENTRIES (UINT32_C(1) << 20) /* over all tables: 16 MiB */
#define MOST_TABLES  4096
#define BUCKETS      256
#define MOST_DUE     16 /* changes that a table may lag behind to be checked */

/* An inner slot of the tree: the rank of the best node below it, or the number of nodes that
 * fit. */
union inner {
    uint32_t best;
    struct {
        uint32_t now, soon;
    } count;
};

struct table {
    struct pc_request request;
    uint32_t set; /* pool set */
    bool now_only;
    uint64_t hash;
    uint32_t next;  /* in its hash bucket */
    uint64_t seen;  /* node changes seen */
    uint8_t *fits;  /* by rank */
    int64_t *score; /* by rank; for placements that keep scores, else NULL */
    union inner
        *tree; /* slot 1 is the root, the children of i are 2i and 2i + 1; ranks come last */
};

struct fits {
    struct policy *policy;
    struct table *tables;
    uint32_t count, capacity;
    uint32_t bucket[BUCKETS]; /* the first table in each, or PC_NONE */
    uint32_t ranks;           /* capacity of each table, a power of two */
    uint32_t in_turn;         /* the table to evict next */
};

/* ---- tables ---- */

static bool keeps_scores(const struct policy *p)
{
    return (p->cluster->placement->traits & PC_KEEPS_SCORES) != 0;
}

static void *create(struct policy *p)
{
    struct fits *f = pc_alloc(&p->memory, 1, sizeof *f);
    if (f == NULL)
        return NULL;
    memset(f, 0, sizeof *f);
    memset(f->bucket, 0xff, sizeof f->bucket);
    f->policy = p;
    return f;
}

static void free_arrays(const struct policy *p, const struct fits *f, struct table *t)
{
    pc_release(&p->memory, t->fits, f->ranks, sizeof *t->fits);
    pc_release(&p->memory, t->score, f->ranks, sizeof *t->score);
    pc_release(&p->memory, t->tree, f->ranks, sizeof *t->tree);
}

static void forget(struct policy *p, struct fits *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        free_arrays(p, f, &f->tables[i]);
    f->count = f->in_turn = 0;
    memset(f->bucket, 0xff, sizeof f->bucket);
}

static void destroy(struct policy *p, void *self)
{
    struct fits *f = self;
    forget(p, f);
    pc_release(&p->memory, f->tables, f->capacity, sizeof *f->tables);
    pc_release(&p->memory, f, 1, sizeof *f);
}

static struct fits *fits_of(const struct policy *p)
{
    return pc_module_self(p, &pc_fits_module);
}

void pc_fits_forget(struct policy *p)
{
    struct fits *f = fits_of(p);
    if (f != NULL)
        forget(p, f);
}

static uint64_t hash_of(const struct pc_ask *a)
{
    uint64_t words[(sizeof *a->request + 7) / 8] = {0};
    uint64_t hash = (uint64_t)a->set * 2 + a->now_only;
    memcpy(words, a->request, sizeof *a->request);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static void unlink_table(struct fits *f, uint32_t id)
{
    uint32_t *link = &f->bucket[f->tables[id].hash % BUCKETS];
    while (*link != id)
        link = &f->tables[*link].next;
    *link = f->tables[id].next;
}

/* Allocates the arrays of a new table. */
static bool provide(struct policy *p, struct fits *f, struct table *t)
{
    memset(t, 0, sizeof *t);
    t->fits = pc_alloc(&p->memory, f->ranks, sizeof *t->fits);
    t->tree = pc_alloc(&p->memory, f->ranks, sizeof *t->tree);
    t->score = keeps_scores(p) ? pc_alloc(&p->memory, f->ranks, sizeof *t->score) : NULL;
    if (t->fits != NULL && t->tree != NULL && (t->score != NULL || !keeps_scores(p)))
        return true;
    free_arrays(p, f, t);
    return false;
}

/* Returns a table for another request, unlinked, with undefined contents; PC_NONE if out of
 * memory. */
static uint32_t new_table(struct policy *p, struct fits *f)
{
    bool full = f->count >= MOST_TABLES || (uint64_t)(f->count + 1) * f->ranks > MOST_ENTRIES;
    if (full && f->count > 0) {
        uint32_t id = f->in_turn < f->count ? f->in_turn : 0;
        f->in_turn = id + 1;
        unlink_table(f, id);
        return id;
    }
    if (!PC_GROW(&p->memory, f->tables, f->capacity, f->count + 1) ||
        !provide(p, f, &f->tables[f->count]))
        return PC_NONE;
    return f->count++;
}

/* ---- one node ---- */

static uint8_t find_fit(const struct pc_ask *a, uint32_t rank)
{
    const struct pc_cluster *c = a->p->cluster;
    uint32_t id = rank < a->p->rank_capacity ? a->p->node_of_rank[rank] : PC_NONE;
    if (id == PC_NONE || !pc_bits_has(&a->pools->nodes, rank))
        return PC_FITS_NOT;
    const struct pc_node *n = &c->nodes[id];
    if (n->state != POLICY_NODE_UP || !pc_node_suits(c, n, a->request))
        return PC_FITS_NOT;
    if (pc_fits_now(c, n, a->request))
        return PC_FITS_NOW;
    return !a->now_only && pc_fits_soon(c, n, a->request) ? PC_FITS_SOON : PC_FITS_NOT;
}

static int64_t find_score(const struct pc_ask *a, uint32_t rank)
{
    struct pc_rating rating = {.of = 1};
    a->p->cluster->placement->rate(a, pc_ranked(a->p, rank), &rating);
    return rating.score;
}

static void rate_node(const struct pc_ask *a, struct table *t, uint32_t rank)
{
    t->fits[rank] = find_fit(a, rank);
    if (t->score != NULL && t->fits[rank] != PC_FITS_NOT)
        t->score[rank] = find_score(a, rank);
}

/* Returns true if the node of rank a is at least as good as that of rank b > a: ties go to the
 * lower rank. */
static bool stays_first(const struct table *t, uint32_t a, uint32_t b)
{
    if (t->fits[a] != t->fits[b])
        return t->fits[a] > t->fits[b];
    return t->fits[a] == PC_FITS_NOT || t->score[a] >= t->score[b];
}

/* ---- the tree ---- */

static union inner sum_up(const struct table *t, uint32_t ranks, uint32_t place)
{
    uint32_t child = 2 * place;
    bool leaves = child >= ranks;
    if (t->score != NULL) {
        uint32_t a = leaves ? child - ranks : t->tree[child].best;
        uint32_t b = leaves ? child + 1 - ranks : t->tree[child + 1].best;
        return (union inner){.best = stays_first(t, a, b) ? a : b};
    }
    union inner sum = {.count = {0, 0}};
    for (uint32_t i = child; i < child + 2; i++) {
        sum.count.now += leaves ? t->fits[i - ranks] == PC_FITS_NOW : t->tree[i].count.now;
        sum.count.soon += leaves ? t->fits[i - ranks] == PC_FITS_SOON : t->tree[i].count.soon;
    }
    return sum;
}

static void make_anew(const struct pc_ask *a, struct table *t)
{
    uint32_t ranks = fits_of(a->p)->ranks;
    for (uint32_t rank = 0; rank < ranks; rank++)
        rate_node(a, t, rank);
    for (uint32_t place = ranks - 1; place > 0; place--)
        t->tree[place] = sum_up(t, ranks, place);
}

static void catch_up(const struct pc_ask *a, struct table *t)
{
    struct pc_changes *changes = &a->p->cluster->changes;
    uint32_t ranks = fits_of(a->p)->ranks;
    if (changes->total == t->seen)
        return;
    pc_changes_begin(changes);
    for (uint64_t i = t->seen; i < changes->total; i++) {
        uint32_t rank = changes->ring[i & (changes->capacity - 1)];
        uint8_t before = t->fits[rank];
        if (!pc_changes_first_look(changes, rank))
            continue;
        rate_node(a, t, rank);
        if (before == PC_FITS_NOT && t->fits[rank] == PC_FITS_NOT)
            continue; /* the usual case in a full fleet */
        for (uint32_t place = (rank + ranks) / 2; place > 0; place /= 2)
            t->tree[place] = sum_up(t, ranks, place);
    }
}

/* ---- the table of a query ---- */

/* Grows all tables to the number of ranks, at least two. */
static void fit_fleet(struct policy *p, struct fits *f)
{
    if (f->ranks >= p->rank_capacity && f->ranks >= 2)
        return;
    forget(p, f);
    f->ranks = 2;
    while (f->ranks < p->rank_capacity)
        f->ranks *= 2;
}

/* Returns the up-to-date table for the query, or NULL if out of memory. */
static struct table *table_for(const struct pc_ask *a)
{
    struct policy *p = a->p;
    struct fits *f = fits_of(p);
    fit_fleet(p, f);
    uint64_t hash = hash_of(a);
    uint32_t id = f->bucket[hash % BUCKETS];
    while (id != PC_NONE && (f->tables[id].hash != hash || f->tables[id].set != a->set ||
                             f->tables[id].now_only != a->now_only ||
                             memcmp(&f->tables[id].request, a->request, sizeof *a->request) != 0))
        id = f->tables[id].next;
    bool fresh = id == PC_NONE;
    if (fresh) {
        id = new_table(p, f);
        if (id == PC_NONE)
            return NULL;
        struct table *t = &f->tables[id];
        t->request = *a->request;
        t->set = a->set;
        t->now_only = a->now_only;
        t->hash = hash;
        t->next = f->bucket[hash % BUCKETS];
        f->bucket[hash % BUCKETS] = id;
    }
    struct table *t = &f->tables[id];
    if (fresh || !pc_changes_reach(&p->cluster->changes, t->seen))
        make_anew(a, t);
    else
        catch_up(a, t);
    t->seen = p->cluster->changes.total;
    return t;
}

/* ---- scores ---- */

/* The best of the area's nodes, by the table, that respects all reserves. */
static uint32_t best_of_area(const struct pc_ask *a, const struct table *t)
{
    const struct pc_bits *nodes = a->area->nodes != NULL ? a->area->nodes : &a->pools->nodes;
    uint32_t best = PC_NONE;
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE;
         rank = pc_bits_next(nodes, rank + 1))
        if (t->fits[rank] != PC_FITS_NOT && (best == PC_NONE || !stays_first(t, best, rank)) &&
            pc_spares(a, pc_ranked(a->p, rank)))
            best = rank;
    return best;
}

uint32_t pc_highest_score(const struct pc_ask *a)
{
    const struct table *t = table_for(a);
    if (t == NULL)
        return PC_NOT_COVERED;
    uint32_t best = t->tree[1].best;
    if (t->fits[best] == PC_FITS_NOT)
        return PC_NONE;
    if (a->area->nodes == NULL && pc_spares(a, pc_ranked(a->p, best)))
        return best;
    return best_of_area(a, t);
}

/* ---- counts ---- */

/* The best fit of any node of the area, and the number of nodes with it. */
static uint32_t count_in_area(const struct pc_ask *a, const struct table *t, uint8_t *fits)
{
    uint32_t count[3] = {0, 0, 0};
    for (uint32_t rank = pc_bits_first(a->area->nodes); rank != PC_NONE;
         rank = pc_bits_next(a->area->nodes, rank + 1))
        count[t->fits[rank]]++;
    *fits = count[PC_FITS_NOW] > 0 ? PC_FITS_NOW : PC_FITS_SOON;
    return count[*fits];
}

uint32_t pc_count_fitting(const struct pc_ask *a)
{
    const struct table *t = table_for(a);
    uint8_t fits;
    if (t == NULL)
        return PC_NOT_COVERED;
    if (a->area->nodes != NULL)
        return count_in_area(a, t, &fits);
    return t->tree[1].count.now > 0 ? t->tree[1].count.now : t->tree[1].count.soon;
}

static uint32_t nth_in_area(const struct pc_ask *a, const struct table *t, uint32_t k)
{
    uint8_t fits;
    (void)count_in_area(a, t, &fits);
    uint32_t rank = pc_bits_first(a->area->nodes);
    while (t->fits[rank] != fits || k-- > 0)
        rank = pc_bits_next(a->area->nodes, rank + 1);
    return rank;
}

uint32_t pc_nth_fitting(const struct pc_ask *a, uint32_t k)
{
    const struct table *t = table_for(a);
    uint32_t ranks = fits_of(a->p)->ranks;
    if (t == NULL)
        return PC_NOT_COVERED;
    if (a->area->nodes != NULL)
        return nth_in_area(a, t, k);
    uint8_t fits = t->tree[1].count.now > 0 ? PC_FITS_NOW : PC_FITS_SOON;
    uint32_t place = 1;
    while (place < ranks) {
        place *= 2;
        uint32_t before = place >= ranks        ? t->fits[place - ranks] == fits
                          : fits == PC_FITS_NOW ? t->tree[place].count.now
                                                : t->tree[place].count.soon;
        if (k >= before) {
            k -= before;
            place++;
        }
    }
    return place - ranks;
}

/* ---- check ---- */

/* Returns true if the node changed since the table was last queried. */
static bool is_due(const struct pc_changes *changes, const struct table *t, uint32_t rank)
{
    for (uint64_t i = t->seen; i < changes->total; i++)
        if (changes->ring[i & (changes->capacity - 1)] == rank)
            return true;
    return false;
}

static const char *check_table(const struct pc_ask *a, const struct table *t, uint32_t ranks)
{
    const struct pc_changes *changes = &a->p->cluster->changes;
    if (!pc_changes_reach(changes, t->seen) || changes->total - t->seen > MOST_DUE)
        return NULL;
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (!is_due(changes, t, rank) && (t->fits[rank] != find_fit(a, rank) ||
                                          (t->score != NULL && t->fits[rank] != PC_FITS_NOT &&
                                           t->score[rank] != find_score(a, rank))))
            return "an index of which nodes fit";
    for (uint32_t place = ranks - 1; place > 0; place--) {
        union inner sum = sum_up(t, ranks, place);
        if (memcmp(&sum, &t->tree[place], t->score != NULL ? sizeof sum.best : sizeof sum) != 0)
            return "the tree above an index of which nodes fit";
    }
    return NULL;
}

static const char *check(const struct policy *of, const void *self)
{
    const struct fits *f = self;
    const struct pc_area everywhere = {0};
    const char *wrong = NULL;
    if (f->ranks < of->rank_capacity)
        return NULL;
    for (uint32_t i = 0; i < f->count && wrong == NULL; i++) {
        const struct table *t = &f->tables[i];
        const struct pc_ask ask = {.p = f->policy,
                                   .request = &t->request,
                                   .job = PC_NONE,
                                   .task = PC_NONE,
                                   .area = &everywhere,
                                   .set = t->set,
                                   .pools = &of->cluster->pool_sets[t->set],
                                   .now_only = t->now_only};
        wrong = check_table(&ask, t, f->ranks);
    }
    return wrong;
}

const struct pc_module pc_fits_module = {
    .name = "fit index",
    .create = create,
    .destroy = destroy,
    .check = check,
};
