/* SPDX-License-Identifier: MIT */
/* The highest score, and scores that are kept; see scores.h. Without memory for a row its scores are found anew. */
#include "place/scores.h"
#include "place/place.h"

#include <string.h>

#define MOST_SCORES (UINT32_C(1) << 20) /* 16 MiB */

/* ---- rows ---- */

struct pc_scores *pc_scores_create(const struct pc_memory *memory)
{
    struct pc_scores *s = pc_alloc(memory, 1, sizeof *s);
    if (s != NULL)
        *s = (struct pc_scores){0};
    return s;
}

void pc_scores_forget(struct pc_scores *s, const struct pc_memory *memory)
{
    for (uint32_t i = 0; i < s->row_count; i++)
        pc_release(memory, s->rows[i].of_node, s->node_count, sizeof *s->rows[i].of_node);
    s->row_count = 0;
}

void pc_scores_destroy(struct pc_scores *s, const struct pc_memory *memory)
{
    if (s == NULL)
        return;
    pc_scores_forget(s, memory);
    pc_release(memory, s->rows, s->row_capacity, sizeof *s->rows);
    pc_release(memory, s, 1, sizeof *s);
}

static struct pc_score_row *find(const struct pc_scores *s, const struct pc_request *r, int64_t mem,
                                 uint64_t types)
{
    for (uint32_t i = 0; i < s->row_count; i++)
        if (s->rows[i].cpu == r->cpu && s->rows[i].devices == r->devices && s->rows[i].milli == r->milli &&
            s->rows[i].mem == mem && s->rows[i].types == types)
            return &s->rows[i];
    return NULL;
}

/* A row for new contents. */
static struct pc_score_row *provide(struct pc_scores *s, const struct pc_memory *memory)
{
    if (s->row_count > 0 && (uint64_t)(s->row_count + 1) * s->node_count > MOST_SCORES) {
        s->next = s->next < s->row_count ? s->next : 0;
        return &s->rows[s->next++];
    }
    if (!PC_GROW(memory, s->rows, s->row_capacity, s->row_count + 1))
        return NULL;
    struct pc_score *of_node = pc_alloc(memory, s->node_count, sizeof *of_node);
    if (of_node == NULL)
        return NULL;
    s->rows[s->row_count].of_node = of_node;
    return &s->rows[s->row_count++];
}

/* Scores of all nodes for such requests, or NULL: no memory. */
static struct pc_score *scores_for(const struct policy *p, const struct pc_request *r)
{
    struct pc_scores *s = p->scores;
    if (s->node_count < p->node_count) { /* the fleet has grown */
        pc_scores_forget(s, &p->memory);
        s->node_count = p->node_capacity;
    }
    int64_t mem = p->plugin != NULL ? r->mem : 0;
    uint64_t types = p->plugin != NULL ? r->types : 0;
    struct pc_score_row *row = find(s, r, mem, types);
    if (row != NULL)
        return row->of_node;
    row = provide(s, &p->memory);
    if (row == NULL)
        return NULL;
    row->cpu = r->cpu;
    row->devices = r->devices;
    row->milli = r->milli;
    row->mem = mem;
    row->types = types;
    memset(row->of_node, 0, s->node_count * sizeof *row->of_node);
    return row->of_node;
}

/* ---- the highest ---- */

static int64_t kept_score(const struct policy *p, uint32_t node, const struct pc_request *r,
                          pc_score_of *score, struct pc_score *kept)
{
    const struct pc_node *n = &p->nodes[node];
    if (kept == NULL)
        return score(p, n, r);
    if (kept[node].state != n->version)
        kept[node] = (struct pc_score){n->version, score(p, n, r)};
    return kept[node].score;
}

static uint32_t highest(const struct policy *p, const struct pc_site *s, const struct pc_request *r,
                        pc_score_of *score, struct pc_score *kept)
{
    uint32_t best = PC_NONE;
    int64_t best_score = 0;
    for (uint32_t rank = pc_bits_first(&s->nodes); rank != PC_NONE;
         rank = pc_bits_next(&s->nodes, rank + 1)) {
        if (!pc_fits(pc_ranked(p, rank), r))
            continue;
        int64_t sc = kept_score(p, p->node_of_rank[rank], r, score, kept);
        if (best == PC_NONE || sc > best_score) {
            best = rank;
            best_score = sc;
        }
    }
    return best;
}

uint32_t pc_highest(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                    pc_score_of *score)
{
    if (ask->any)
        return pc_first_fitting(p, &s->nodes, ask->request);
    return highest(p, s, ask->request, score, NULL);
}

uint32_t pc_highest_kept(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                         pc_score_of *score)
{
    if (ask->any)
        return pc_first_fitting(p, &s->nodes, ask->request);
    return highest(p, s, ask->request, score, scores_for(p, ask->request));
}
