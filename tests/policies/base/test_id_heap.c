/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heap of ids against a scan for the smallest. */
#include "base/id_heap.h"
#include "state/state.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/* Nodes serve as members: the rank is the key, the number of labels the position in the heap. */
static bool is_before(const struct policy *p, uint32_t a, uint32_t b)
{
    return p->cluster->nodes[a].rank != p->cluster->nodes[b].rank
               ? p->cluster->nodes[a].rank < p->cluster->nodes[b].rank
               : a < b;
}

static void has_moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->cluster->nodes[id].label_count = position;
}

static const struct pc_idheap_type type = {is_before, has_moved};

START_TEST(ids_move_with_their_keys)
{
    enum { MEMBERS = 40 };
    struct pc_node members[MEMBERS] = {0};
    struct pc_cluster cluster = {.nodes = members};
    uint32_t ids[MEMBERS];
    struct policy policy = {.cluster = &cluster};
    struct pc_idheap heap = {.ids = ids, .capacity = MEMBERS};
    for (uint32_t i = 0; i < MEMBERS; i++)
        members[i].label_count = PC_NONE;
    for (uint32_t step = 0; step < 5000; step++) {
        uint32_t id = step * 17 % MEMBERS;
        bool in = members[id].label_count != PC_NONE;
        if (in && step % 3 == 0) {
            pc_idheap_remove(&policy, &heap, &type, members[id].label_count);
            ck_assert_uint_eq(members[id].label_count, PC_NONE);
        } else {
            members[id].rank = step * 7919 % 97;
            if (in)
                pc_idheap_fix(&policy, &heap, &type, members[id].label_count);
            else
                pc_idheap_add(&policy, &heap, &type, id);
        }
        uint32_t best = PC_NONE;
        for (uint32_t i = 0; i < MEMBERS; i++) {
            if (members[i].label_count == PC_NONE)
                continue;
            ck_assert_uint_eq(ids[members[i].label_count], i);
            if (best == PC_NONE || is_before(&policy, i, best))
                best = i;
        }
        if (best != PC_NONE)
            ck_assert_uint_eq(ids[0], best);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heap");
    TCase *tcase = tcase_create("heap");
    tcase_add_test(tcase, ids_move_with_their_keys);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
