/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progressive filling of connected flows; see maxmin.h. Amounts on links are in millionths of the
 * rates' unit. */
#include "sim/storage/maxmin.h"

#include "sim/base/heap.h"
#include "sim/base/mem.h"
#include "sim/base/order.h"
#include "sim/base/wide.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct crossing {
    uint32_t flow, link;
    int64_t weight;
    uint32_t prev, next; /* on the link */
};

struct link {
    int64_t capacity;
    wide wanted;    /* sum of weight x want; the link binds if that exceeds capacity x
                       MAXMIN_WHOLE */
    uint32_t first; /* crossing */
    uint64_t seen;
    bool dirty;
    wide left, weight; /* while rates are computed: the capacity left, and the weight of the flows
                          that share it */
};

struct flow {
    int64_t want; /* at most what each link could give it alone */
    int64_t rate, next_rate;
    struct crossing *crossings;
    size_t count;
    uint32_t *ids; /* of the crossings in the links' lists */
    uint64_t seen, solved;
    bool used, dirty;
};

struct list {
    uint32_t *of;
    size_t count, room;
};

struct key {
    int64_t level;
    uint32_t link;
};

struct wish {
    int64_t want;
    uint32_t flow;
};

struct maxmin {
    struct link *links;
    size_t link_count, link_room;
    struct flow *flows;
    size_t flow_count, flow_room;
    struct crossing *crossings;
    size_t crossing_count, crossing_room;
    struct list free_flows, free_crossings, dirty_links, dirty_flows;
    struct list some_links, some_flows, changed; /* links and flows being recomputed */
    struct key *heap;
    size_t heap_count, heap_room;
    struct wish *wishes;
    size_t wish_room;
    uint64_t round;
};

static void push(struct list *list, uint32_t value)
{
    list->of = mem_grow(list->of, &list->room, list->count + 1, sizeof *list->of);
    list->of[list->count++] = value;
}

struct maxmin *maxmin_create(void)
{
    return mem_alloc(1, sizeof(struct maxmin));
}

void maxmin_destroy(struct maxmin *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->flow_count; i++)
        free(m->flows[i].ids);
    struct list *lists[] = {&m->free_flows, &m->free_crossings, &m->dirty_links, &m->dirty_flows,
                            &m->some_links, &m->some_flows,     &m->changed};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->of);
    free(m->links);
    free(m->flows);
    free(m->crossings);
    free(m->heap);
    free(m->wishes);
    free(m);
}

uint32_t maxmin_add_link(struct maxmin *m, int64_t capacity)
{
    m->links = mem_grow(m->links, &m->link_room, m->link_count + 1, sizeof *m->links);
    m->links[m->link_count] = (struct link){.capacity = capacity, .first = NONE};
    return (uint32_t)m->link_count++;
}

/* ---- arrivals and departures ---- */

static bool binds(const struct link *link)
{
    return link->wanted > (wide)link->capacity * MAXMIN_WHOLE;
}

/* The others on links that bind are concerned. */
static void mark_links(struct maxmin *m, const struct flow *flow)
{
    for (size_t i = 0; i < flow->count; i++) {
        uint32_t id = m->crossings[flow->ids[i]].link;
        struct link *link = &m->links[id];
        if (link->dirty || !binds(link))
            continue;
        link->dirty = true;
        push(&m->dirty_links, id);
    }
}

static uint32_t new_crossing(struct maxmin *m)
{
    if (m->free_crossings.count > 0)
        return m->free_crossings.of[--m->free_crossings.count];
    m->crossings =
        mem_grow(m->crossings, &m->crossing_room, m->crossing_count + 1, sizeof *m->crossings);
    return (uint32_t)m->crossing_count++;
}

static void hang_on(struct maxmin *m, uint32_t id, uint32_t flow, const struct maxmin_cross *cross)
{
    struct link *link = &m->links[cross->link];
    m->crossings[id] = (struct crossing){.flow = flow,
                                         .link = cross->link,
                                         .weight = cross->weight,
                                         .prev = NONE,
                                         .next = link->first};
    if (link->first != NONE)
        m->crossings[link->first].prev = id;
    link->first = id;
}

static void take_off(struct maxmin *m, uint32_t id)
{
    const struct crossing *c = &m->crossings[id];
    if (c->prev != NONE)
        m->crossings[c->prev].next = c->next;
    else
        m->links[c->link].first = c->next;
    if (c->next != NONE)
        m->crossings[c->next].prev = c->prev;
    push(&m->free_crossings, id);
}

static void count_wish(struct maxmin *m, const struct flow *flow, int sign)
{
    for (size_t i = 0; i < flow->count; i++) {
        const struct crossing *c = &m->crossings[flow->ids[i]];
        m->links[c->link].wanted += sign * (wide)c->weight * flow->want;
    }
}

static uint32_t new_flow(struct maxmin *m)
{
    if (m->free_flows.count > 0)
        return m->free_flows.of[--m->free_flows.count];
    m->flows = mem_grow(m->flows, &m->flow_room, m->flow_count + 1, sizeof *m->flows);
    m->flows[m->flow_count] = (struct flow){0};
    return (uint32_t)m->flow_count++;
}

static void mark_flow(struct maxmin *m, uint32_t id)
{
    if (m->flows[id].dirty)
        return;
    m->flows[id].dirty = true;
    push(&m->dirty_flows, id);
}

uint32_t maxmin_join(struct maxmin *m, int64_t want, const struct maxmin_cross *crosses,
                     size_t count)
{
    uint32_t id = new_flow(m);
    struct flow *flow = &m->flows[id];
    bool dirty = flow->dirty;
    *flow = (struct flow){.want = want,
                          .rate = -1,
                          .count = count,
                          .ids = mem_alloc(count + 1, sizeof *flow->ids),
                          .used = true,
                          .dirty = dirty};
    for (size_t i = 0; i < count; i++) {
        wide alone = (wide)m->links[crosses[i].link].capacity * MAXMIN_WHOLE / crosses[i].weight;
        flow->want = alone < flow->want ? (int64_t)alone : flow->want;
        flow->ids[i] = new_crossing(m);
        hang_on(m, flow->ids[i], id, &crosses[i]);
    }
    count_wish(m, flow, 1);
    mark_links(m, flow);
    mark_flow(m, id);
    return id;
}

void maxmin_leave(struct maxmin *m, uint32_t id)
{
    struct flow *flow = &m->flows[id];
    mark_links(m, flow);
    count_wish(m, flow, -1);
    for (size_t i = 0; i < flow->count; i++)
        take_off(m, flow->ids[i]);
    free(flow->ids);
    *flow = (struct flow){.dirty = flow->dirty};
    push(&m->free_flows, id);
}

/* ---- what is worked out anew ---- */

static void see_flow(struct maxmin *m, uint32_t id)
{
    if (m->flows[id].seen == m->round)
        return;
    m->flows[id].seen = m->round;
    push(&m->some_flows, id);
}

static void see_flows_on(struct maxmin *m, uint32_t link)
{
    for (uint32_t c = m->links[link].first; c != NONE; c = m->crossings[c].next)
        see_flow(m, m->crossings[c].flow);
}

static void see_link(struct maxmin *m, uint32_t id)
{
    struct link *link = &m->links[id];
    if (link->seen == m->round || !binds(link))
        return;
    link->seen = m->round;
    link->left = (wide)link->capacity * MAXMIN_WHOLE;
    link->weight = 0;
    push(&m->some_links, id);
    for (uint32_t c = link->first; c != NONE; c = m->crossings[c].next)
        link->weight += m->crossings[c].weight;
    see_flows_on(m, id);
}

/* All that is tied to what changed. */
static void see_all(struct maxmin *m)
{
    m->round++;
    m->some_links.count = m->some_flows.count = 0;
    for (size_t i = 0; i < m->dirty_flows.count; i++) {
        struct flow *flow = &m->flows[m->dirty_flows.of[i]];
        flow->dirty = false;
        if (flow->used)
            see_flow(m, m->dirty_flows.of[i]);
    }
    for (size_t i = 0; i < m->dirty_links.count; i++) {
        m->links[m->dirty_links.of[i]].dirty = false;
        see_flows_on(m, m->dirty_links.of[i]);
    }
    m->dirty_flows.count = m->dirty_links.count = 0;
    for (size_t i = 0; i < m->some_flows.count; i++) {
        const struct flow *flow = &m->flows[m->some_flows.of[i]];
        for (size_t k = 0; k < flow->count; k++)
            see_link(m, m->crossings[flow->ids[k]].link);
    }
}

/* ---- filling ---- */

/* The share of a link for each flow without a rate; it never falls while rates are assigned. */
static int64_t level_of(const struct link *link)
{
    wide level = link->left / link->weight;
    return level < MAXMIN_MOST ? (int64_t)level : MAXMIN_MOST;
}

static bool is_before(const struct key *a, const struct key *b)
{
    return a->level != b->level ? a->level < b->level : a->link < b->link;
}

HEAP(key, struct key, is_before)

static void fill_heap(struct maxmin *m)
{
    m->heap = mem_grow(m->heap, &m->heap_room, m->some_links.count, sizeof *m->heap);
    m->heap_count = m->some_links.count;
    for (size_t i = 0; i < m->heap_count; i++)
        m->heap[i] = (struct key){level_of(&m->links[m->some_links.of[i]]), m->some_links.of[i]};
    key_make(m->heap, m->heap_count);
}

/* The link with the lowest level; NULL when all flows of all have their rates. Keys may be too low
 * by now. */
static const struct key *first_full(struct maxmin *m)
{
    while (m->heap_count > 0) {
        struct key *first = &m->heap[0];
        const struct link *link = &m->links[first->link];
        if (link->weight == 0) {
            (void)key_take(m->heap, &m->heap_count);
            continue;
        }
        int64_t level = level_of(link);
        if (level == first->level)
            return first;
        first->level = level;
        key_sink(m->heap, m->heap_count, 0);
    }
    return NULL;
}

static void give(struct maxmin *m, uint32_t id, int64_t rate)
{
    struct flow *flow = &m->flows[id];
    flow->solved = m->round;
    flow->next_rate = rate;
    for (size_t i = 0; i < flow->count; i++) {
        const struct crossing *c = &m->crossings[flow->ids[i]];
        struct link *link = &m->links[c->link];
        if (link->seen != m->round)
            continue;
        link->left -= (wide)c->weight * rate;
        link->weight -= c->weight;
    }
}

static int by_want(const void *a, const void *b)
{
    const struct wish *x = a, *y = b;
    if (x->want != y->want)
        return x->want < y->want ? -1 : 1;
    return (x->flow > y->flow) - (x->flow < y->flow);
}

static void sort_wishes(struct maxmin *m)
{
    size_t count = m->some_flows.count;
    m->wishes = mem_grow(m->wishes, &m->wish_room, count, sizeof *m->wishes);
    for (size_t i = 0; i < count; i++)
        m->wishes[i] = (struct wish){m->flows[m->some_flows.of[i]].want, m->some_flows.of[i]};
    if (count > 1)
        qsort(m->wishes, count, sizeof *m->wishes, by_want);
}

static void fill(struct maxmin *m)
{
    sort_wishes(m);
    fill_heap(m);
    for (size_t i = 0; i < m->some_flows.count;) {
        const struct wish *wish = &m->wishes[i];
        if (m->flows[wish->flow].solved == m->round) {
            i++;
            continue;
        }
        const struct key *full = first_full(m);
        if (full == NULL || wish->want <= full->level) {
            give(m, wish->flow, wish->want);
            continue;
        }
        const struct key key = *full;
        (void)key_take(m->heap, &m->heap_count);
        for (uint32_t c = m->links[key.link].first; c != NONE; c = m->crossings[c].next)
            if (m->flows[m->crossings[c].flow].solved != m->round)
                give(m, m->crossings[c].flow, key.level);
    }
}

const uint32_t *maxmin_settle(struct maxmin *m, size_t *count)
{
    see_all(m);
    fill(m);
    m->changed.count = 0;
    for (size_t i = 0; i < m->some_flows.count; i++) {
        struct flow *flow = &m->flows[m->some_flows.of[i]];
        if (flow->rate == flow->next_rate)
            continue;
        flow->rate = flow->next_rate;
        push(&m->changed, m->some_flows.of[i]);
    }
    if (m->changed.count > 1)
        qsort(m->changed.of, m->changed.count, sizeof *m->changed.of, order_u32);
    *count = m->changed.count;
    return m->changed.of;
}

int64_t maxmin_rate(const struct maxmin *m, uint32_t flow)
{
    return m->flows[flow].rate;
}

/* ---- audit ---- */

/* What is left of a link is too little to give one more unit to each flow with the highest rate on
 * it. */
static bool is_full(const struct maxmin *m, const struct link *link, int64_t *most)
{
    wide used = 0, weight = 0;
    *most = 0;
    for (uint32_t c = link->first; c != NONE; c = m->crossings[c].next) {
        int64_t rate = m->flows[m->crossings[c].flow].rate;
        used += (wide)m->crossings[c].weight * rate;
        weight += m->crossings[c].weight;
        *most = rate > *most ? rate : *most;
    }
    return used + weight > (wide)link->capacity * MAXMIN_WHOLE;
}

static bool check_links(const struct maxmin *m, struct err *err)
{
    for (size_t i = 0; i < m->link_count; i++) {
        wide used = 0, wanted = 0;
        for (uint32_t c = m->links[i].first; c != NONE; c = m->crossings[c].next) {
            used += (wide)m->crossings[c].weight * m->flows[m->crossings[c].flow].rate;
            wanted += (wide)m->crossings[c].weight * m->flows[m->crossings[c].flow].want;
        }
        if (used > (wide)m->links[i].capacity * MAXMIN_WHOLE || wanted != m->links[i].wanted)
            return err_set(err, EXIT_INVARIANT,
                           "storage: link %zu carries more than it can, or sums are wrong", i);
    }
    return true;
}

bool maxmin_check(const struct maxmin *m, struct err *err)
{
    if (!check_links(m, err))
        return false;
    for (size_t i = 0; i < m->flow_count; i++) {
        const struct flow *flow = &m->flows[i];
        bool fair = !flow->used || flow->rate == flow->want;
        for (size_t k = 0; k < flow->count && !fair; k++) {
            int64_t most;
            fair =
                is_full(m, &m->links[m->crossings[flow->ids[k]].link], &most) && flow->rate >= most;
        }
        if (!fair || (flow->used && (flow->rate < 0 || flow->rate > flow->want)))
            return err_set(err, EXIT_INVARIANT,
                           "storage: flow %zu has %lld and wants %lld, and could have more", i,
                           (long long)flow->rate, (long long)flow->want);
    }
    return true;
}
