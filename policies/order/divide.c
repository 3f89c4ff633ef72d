/* SPDX-License-Identifier: MIT */
/* Stand-alone fair-share division of a whole queue forest: policy_divide(). */
#include "base/memory.h"
#include "order/fair_share.h"
#include "state/sized.h"

#include <string.h>

enum { GPU, CPU, MEM, RESOURCES };

static const int64_t units[RESOURCES] = {[GPU] = POLICY_WHOLE, [CPU] = 1, [MEM] = 1};

/* The forest as lists of children, with the total request of the leaves below each row. */
struct link {
    uint32_t first_child, next_sibling;
    int64_t request;
};

/* Scratch memory for `count` rows. */
struct division {
    struct policy_share_row *rows;
    struct link *links;
    struct pc_claim *claims;
    struct pc_claim **order;
    uint32_t first_root, count;
    int64_t k_ppm;
};

static int64_t amount_of(const struct policy_amounts *amounts, int resource)
{
    const int64_t of[RESOURCES] = {
        [GPU] = amounts->gpu, [CPU] = amounts->cpu, [MEM] = amounts->mem};
    return of[resource];
}

static void set_amount(struct policy_amounts *amounts, int resource, int64_t value)
{
    int64_t *const of[RESOURCES] = {
        [GPU] = &amounts->gpu, [CPU] = &amounts->cpu, [MEM] = &amounts->mem};
    *of[resource] = value;
}

static const struct policy_share *share_of(const struct policy_share_row *row, int resource)
{
    const struct policy_share *const of[RESOURCES] = {
        [GPU] = &row->gpu, [CPU] = &row->cpu, [MEM] = &row->mem};
    return of[resource];
}

/* These bounds keep all sums of requests and weights at or below 2^62. */
#define ROWS_MAX    (UINT32_C(1) << 20)
#define REQUEST_MAX (INT64_C(1) << 42)

static bool row_is_sound(const struct policy_share_row *row, int resource)
{
    const struct policy_share *share = share_of(row, resource);
    int64_t request = amount_of(&row->request, resource);
    return share->quota >= POLICY_UNLIMITED && share->limit >= POLICY_UNLIMITED &&
           share->weight >= 0 && share->weight <= PC_WEIGHT_MAX && request >= 0 &&
           request <= REQUEST_MAX && amount_of(&row->usage_ppm, resource) >= 0;
}

static bool is_sound(const struct policy_amounts *capacity, const struct policy_share_row *rows,
                     uint32_t count)
{
    if (count > ROWS_MAX)
        return false;
    for (int resource = GPU; resource < RESOURCES; resource++) {
        if (amount_of(capacity, resource) < POLICY_UNLIMITED)
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (!row_is_sound(&rows[i], resource))
                return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].parent != POLICY_NO_ID && rows[i].parent >= i)
            return false;
    return true;
}

static void link_rows(struct division *d)
{
    d->first_root = POLICY_NO_ID;
    for (uint32_t i = 0; i < d->count; i++)
        d->links[i].first_child = POLICY_NO_ID;
    for (uint32_t i = d->count; i-- > 0;) {
        uint32_t parent = d->rows[i].parent;
        uint32_t *head = parent == POLICY_NO_ID ? &d->first_root : &d->links[parent].first_child;
        d->links[i].next_sibling = *head;
        *head = i;
    }
}

static void sum_requests(struct division *d, int resource)
{
    for (uint32_t i = 0; i < d->count; i++)
        d->links[i].request =
            d->links[i].first_child == POLICY_NO_ID ? amount_of(&d->rows[i].request, resource) : 0;
    for (uint32_t i = d->count; i-- > 0;)
        if (d->rows[i].parent != POLICY_NO_ID)
            d->links[d->rows[i].parent].request += d->links[i].request;
}

/* Divides an amount among a list of siblings. */
static int64_t divide_among(struct division *d, int resource, uint32_t first, int64_t amount)
{
    uint32_t n = 0;
    for (uint32_t i = first; i != POLICY_NO_ID; i = d->links[i].next_sibling) {
        const struct policy_share_row *row = &d->rows[i];
        const struct policy_share *share = share_of(row, resource);
        d->claims[n++] = (struct pc_claim){
            .quota = share->quota,
            .limit = share->limit,
            .weight = share->weight,
            .request = d->links[i].request,
            .usage_ppm = amount_of(&row->usage_ppm, resource),
            .created = row->created,
            .rank = i,
            .priority = row->priority,
        };
    }
    int64_t left = pc_divide(amount, units[resource], d->k_ppm, d->claims, n, d->order);
    for (uint32_t i = 0; i < n; i++)
        set_amount(&d->rows[d->claims[i].rank].fair_share, resource, d->claims[i].share);
    return left;
}

static int divide_rows(struct pc_memory memory, const struct policy_amounts *capacity,
                       int64_t usage_k_ppm, struct policy_share_row *rows, uint32_t count,
                       struct policy_amounts *remaining)
{
    struct division d = {.rows = rows, .count = count, .k_ppm = usage_k_ppm};
    if (!is_sound(capacity, rows, count))
        return POLICY_INVALID;
    if (count == 0) {
        *remaining = *capacity;
        return POLICY_OK;
    }
    d.links = pc_alloc(&memory, count, sizeof *d.links);
    d.claims = pc_alloc(&memory, count, sizeof *d.claims);
    d.order = pc_alloc(&memory, count, sizeof(struct pc_claim *));
    bool ready = d.links != NULL && d.claims != NULL && d.order != NULL;
    if (ready) {
        link_rows(&d);
        for (int resource = GPU; resource < RESOURCES; resource++) {
            sum_requests(&d, resource);
            set_amount(remaining, resource,
                       divide_among(&d, resource, d.first_root, amount_of(capacity, resource)));
            for (uint32_t i = 0; i < count; i++) // parents come first, so their share is known
                if (d.links[i].first_child != POLICY_NO_ID)
                    divide_among(&d, resource, d.links[i].first_child,
                                 amount_of(&rows[i].fair_share, resource));
        }
    }
    pc_release(&memory, d.order, count, sizeof(struct pc_claim *));
    pc_release(&memory, d.claims, count, sizeof *d.claims);
    pc_release(&memory, d.links, count, sizeof *d.links);
    return ready ? POLICY_OK : POLICY_NO_MEMORY;
}

/* Converts the caller's rows to this version. Returns false for invalid sizes. */
static bool read_rows(const struct policy_share_row *given, struct policy_share_row *rows,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct policy_share_row *row =
            pc_sized_in(PC_SHARE_ROW, pc_sized_at(given, i), &rows[i]);
        if (row == NULL || row->size != given->size)
            return false;
        if (row != &rows[i])
            rows[i] = *row;
    }
    return true;
}

/* Divides copies of rows of another size, and copies the results back. */
static int divide_others(struct pc_memory memory, const struct policy_amounts *capacity,
                         int64_t usage_k_ppm, struct policy_share_row *given, uint32_t count,
                         struct policy_amounts *remaining)
{
    if (count > ROWS_MAX || !pc_sized_fits(PC_SHARE_ROW, given) ||
        given->size % _Alignof(struct policy_share_row) != 0)
        return POLICY_INVALID;
    struct policy_share_row *rows = pc_alloc(&memory, count, sizeof *rows);
    if (rows == NULL)
        return POLICY_NO_MEMORY;
    int status = POLICY_INVALID;
    if (read_rows(given, rows, count))
        status = divide_rows(memory, capacity, usage_k_ppm, rows, count, remaining);
    for (uint32_t i = 0; status == POLICY_OK && i < count; i++) {
        char *row = (char *)given + (size_t)i * given->size;
        memcpy(row + offsetof(struct policy_share_row, fair_share), &rows[i].fair_share,
               sizeof rows[i].fair_share);
    }
    pc_release(&memory, rows, count, sizeof *rows);
    return status;
}

int policy_divide(struct policy_allocator allocator, const struct policy_amounts *capacity,
                  int64_t usage_k_ppm, struct policy_share_row *rows, uint32_t count,
                  struct policy_amounts *remaining)
{
    const struct pc_memory memory = {allocator};
    bool known = true;
    for (uint32_t i = 0; i < count && known; i++)
        known = rows[i].size == sizeof *rows;
    return known ? divide_rows(memory, capacity, usage_k_ppm, rows, count, remaining)
                 : divide_others(memory, capacity, usage_k_ppm, rows, count, remaining);
}
