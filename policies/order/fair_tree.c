/* SPDX-License-Identifier: MIT */
/*
 * Fair Tree; see fair_tree.h. Walking the tree with merged accounts is equivalent to sorting users
 * by their paths: the larger value at the first level at which two paths differ comes first.
 */
#include "order/fair_tree.h"

#include "base/int128.h"
#include "base/sort.h"

#define UNIT     (UINT64_C(1) << 40)
#define INFINITE UINT64_MAX

/* ---- values ---- */

static void sum_up(struct pc_fair_row *rows, uint32_t count, uint64_t *all_used,
                   uint64_t *all_shares)
{
    *all_used = *all_shares = 0;
    for (uint32_t i = 0; i < count; i++) {
        rows[i].depth = 0;
        rows[i].siblings = 0;
        rows[i].used = rows[i].user ? rows[i].used : 0;
        rows[i].level = 0; /* first accumulates the shares of its children */
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = rows[i].parent;
        *(parent == PC_FAIR_ROOT ? all_shares : &rows[parent].level) += rows[i].shares;
        for (uint32_t above = parent; above != PC_FAIR_ROOT; above = rows[above].parent) {
            rows[i].depth++;
            rows[above].used += rows[i].user ? rows[i].used : 0;
        }
        *all_used += rows[i].user ? rows[i].used : 0;
    }
    for (uint32_t i = 0; i < count; i++)
        rows[i].siblings =
            rows[i].parent == PC_FAIR_ROOT ? *all_shares : rows[rows[i].parent].level;
}

static uint64_t level_of(const struct pc_fair_row *row, uint64_t used_by_all)
{
    if (row->shares == 0)
        return 0;
    if (row->used == 0)
        return INFINITE;
    uint64_t rest;
    uint64_t part = pc_multiply_divide(row->shares, UNIT, row->siblings, &rest);
    struct pc_int128 product = pc_int128_multiply(part, used_by_all);
    if (product.hi >= row->used)
        return INFINITE - 1;
    uint64_t level = pc_int128_divide(product, row->used, &rest);
    return level < INFINITE ? level : INFINITE - 1;
}

/* ---- the order ---- */

/* Returns a negative number if a's path has the larger value at the first level at which they
 * differ; 0 if they agree as far as both go. */
static int compare_paths(const struct pc_fair_row *rows, uint32_t a, uint32_t b)
{
    while (rows[a].depth > rows[b].depth)
        a = rows[a].parent;
    while (rows[b].depth > rows[a].depth)
        b = rows[b].parent;
    int order = 0;
    for (; a != b; a = rows[a].parent, b = rows[b].parent)
        if (rows[a].level != rows[b].level)
            order = rows[a].level > rows[b].level
                        ? -1
                        : 1; /* the last difference found is the uppermost */
    return order;
}

/* Users precede accounts of the same value, and so everything below these. */
static bool before(const void *context, uint32_t a, uint32_t b)
{
    const struct pc_fair_row *rows = context;
    int order = compare_paths(rows, a, b);
    if (order != 0)
        return order < 0;
    if (rows[a].depth != rows[b].depth)
        return rows[a].depth < rows[b].depth;
    return a < b;
}

uint32_t pc_fair_tree(struct pc_fair_row *rows, uint32_t count, uint32_t *users)
{
    uint64_t all_used;
    uint64_t all_shares;
    uint32_t found = 0;
    sum_up(rows, count, &all_used, &all_shares);
    for (uint32_t i = 0; i < count; i++) {
        rows[i].level = level_of(
            &rows[i], rows[i].parent == PC_FAIR_ROOT ? all_used : rows[rows[i].parent].used);
        if (rows[i].user)
            users[found++] = i;
    }
    pc_sort_ids(users, found, before, rows);
    for (uint32_t i = 0; i < found; i++) {
        bool tied = i > 0 && compare_paths(rows, users[i - 1], users[i]) == 0;
        rows[users[i]].place = tied ? rows[users[i - 1]].place : found - i;
    }
    return found;
}
