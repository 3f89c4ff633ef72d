/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of domains given by labels. */
#include "state/domains.h"
#include "tests/lib/harness.h"
#include "tests/lib/racks.h"

#include <stdio.h>
#include <string.h>

/* Each domain as "level<parent:ranks", e.g. "0:012 1<0:01 1<0:2"; ranks are digits. */
static void write_tree(const struct pc_topology *t, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < t->domain_count; i++) {
        const struct pc_domain *d = &t->domains[i];
        int n = i == 0 ? snprintf(text, size, "0:")
                       : snprintf(text + used, size - used, " %u<%u:", d->level, d->parent);
        ck_assert(n > 0 && (size_t)n < size - used);
        used += (size_t)n;
        for (uint32_t k = 0; k < d->node_count; k++) {
            ck_assert_uint_lt(used + 2, size);
            text[used++] = (char)('0' + t->ranks[d->first_node + k]);
            text[used] = '\0';
        }
    }
}

static const struct {
    uint32_t levels;
    struct racks_node nodes[RACKS_NODES];
    const char *tree;
} rows[] = {
    {1, {{.at = {1}, .devices = 1}}, "0:0 1<0:0"},
    {1,
     {{.at = {2}, .devices = 1}, {.at = {1}, .devices = 1}, {.at = {2}, .devices = 1}},
     "0:102 1<0:1 1<0:02"},
    /* racks of the same name in different pods are different */
    {2,
     {{.at = {2, 1}, .devices = 1},
      {.at = {1, 1}, .devices = 1},
      {.at = {2, 1}, .devices = 1},
      {.at = {1, 3}, .devices = 1}},
     "0:1302 1<0:13 1<0:02 2<1:1 2<1:3 2<2:02"},
    /* a label of a level is missing: outside, whatever the others are */
    {2,
     {{.at = {1, 0}, .devices = 1},
      {.at = {0, 1}, .devices = 1},
      {.at = {1, 1}, .devices = 1},
      {.at = {0, 0}, .devices = 1}},
     "0:2 1<0:2 2<1:2"},
    {3, {{.at = {1, 2, 0}, .devices = 1}}, "0:"},
    /* a label that is no level does not matter */
    {1, {{.at = {1, 2, 3}, .devices = 1}, {.at = {1, 3, 3}, .devices = 1}}, "0:01 1<0:01"},
    /* nodes that are down keep their place in the tree */
    {1, {{.at = {1}, .devices = 1, .down = true}, {.at = {1}, .devices = 1}}, "0:01 1<0:01"},
};

START_TEST(labels_make_a_tree)
{
    struct racks r;
    char text[256];
    racks_open(&r, rows[_i].levels, NULL, 0);
    uint32_t count = racks_nodes(&r, rows[_i].nodes, RACKS_NODES);
    const struct pc_topology *t = pc_domains_current(r.p, 0);
    ck_assert_ptr_nonnull(t);
    write_tree(t, text, sizeof text);
    ck_assert_str_eq(text, rows[_i].tree);
    /* Nodes know their domain, and domains their nodes. */
    uint32_t outside = count;
    for (uint32_t d = t->level_start[t->level_count]; d < t->domain_count; d++)
        for (uint32_t k = 0; k < t->domains[d].node_count; k++, outside--)
            ck_assert_uint_eq(r.p->cluster->nodes[t->ranks[t->domains[d].first_node + k]].domain[0],
                              d);
    for (uint32_t i = 0; i < count; i++)
        outside -= r.p->cluster->nodes[i].domain[0] == PC_NONE;
    ck_assert_uint_eq(outside, 0);
    racks_close(&r);
}
END_TEST

START_TEST(the_tree_follows_the_nodes)
{
    struct racks r;
    char text[256];
    racks_open(&r, 2, NULL, 0);
    racks_node(&r, 0, &(struct racks_node){.at = {1, 1}, .devices = 1});
    policy_node second = racks_node(&r, 1, &(struct racks_node){.at = {1, 2}, .devices = 1});
    write_tree(pc_domains_current(r.p, 0), text, sizeof text);
    ck_assert_str_eq(text, "0:01 1<0:01 2<1:0 2<1:1");
    racks_node(&r, 2, &(struct racks_node){.at = {2, 1}, .devices = 1});
    write_tree(pc_domains_current(r.p, 0), text, sizeof text);
    ck_assert_str_eq(text, "0:012 1<0:01 1<0:2 2<1:0 2<1:1 2<2:2");
    ck_assert_int_eq(policy_remove_node(r.p, 0, second), POLICY_OK);
    write_tree(pc_domains_current(r.p, 0), text, sizeof text);
    ck_assert_str_eq(text, "0:02 1<0:0 1<0:2 2<1:0 2<2:2");
    uint32_t upside_down[] = {2, 1};
    ck_assert_int_eq(policy_set_topology(r.p, 0, 1, upside_down, 2), POLICY_OK);
    write_tree(pc_domains_current(r.p, 0), text, sizeof text);
    ck_assert_str_eq(text, "0:02 1<0:02 2<1:0 2<1:2");
    uint64_t calls = r.tally.calls;
    ck_assert_ptr_nonnull(pc_domains_current(r.p, 0));
    ck_assert_uint_eq(r.tally.calls, calls);
    racks_close(&r);
}
END_TEST

START_TEST(domains_lie_inside_each_other)
{
    static const struct racks_node nodes[] = {
        {.at = {1, 1, 1}, .devices = 1}, {.at = {1, 1, 2}, .devices = 1},
        {.at = {1, 2, 1}, .devices = 1}, {.at = {2, 1, 1}, .devices = 1},
        {.at = {2, 1, 2}, .devices = 1}, {.devices = 0}};
    /* 0 root; 1 and 2 pods; 3, 4 and 5 spines; 6 to 10 racks */
    static const struct {
        uint32_t domain, level, first, end;
    } inside[] = {{0, 0, 0, 1}, {0, 1, 1, 3}, {0, 2, 3, 6},  {0, 3, 6, 11}, {1, 2, 3, 5},
                  {1, 3, 6, 9}, {2, 2, 5, 6}, {2, 3, 9, 11}, {4, 3, 8, 9},  {10, 3, 10, 11}};
    struct racks r;
    racks_open(&r, 3, NULL, 0);
    racks_nodes(&r, nodes, RACKS_NODES);
    const struct pc_topology *t = pc_domains_current(r.p, 0);
    ck_assert_uint_eq(t->domain_count, 11);
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        uint32_t first;
        uint32_t end;
        pc_domains_inside(t, inside[i].domain, inside[i].level, &first, &end);
        ck_assert_uint_eq(first, inside[i].first);
        ck_assert_uint_eq(end, inside[i].end);
        for (uint32_t d = first; d < end; d++)
            ck_assert_uint_eq(pc_domain_above(t, d, t->domains[inside[i].domain].level),
                              inside[i].domain);
    }
    racks_close(&r);
}
END_TEST

/* The n-th allocation fails, for all n; the next call recovers. */
START_TEST(without_memory_there_is_no_tree)
{
    uint64_t failures = 0;
    for (bool failed = true; failed; failures += failed) {
        struct racks r;
        char text[64];
        racks_open(&r, 2, NULL, 0);
        racks_node(&r, 0, &(struct racks_node){.at = {1, 1}, .devices = 1});
        r.tally.fail_at = r.tally.calls + failures + 1;
        failed = pc_domains_current(r.p, 0) == NULL;
        ck_assert_int_eq(failed, r.tally.failed);
        write_tree(pc_domains_current(r.p, 0), text, sizeof text);
        ck_assert_str_eq(text, "0:0 1<0:0 2<1:0");
        racks_close(&r);
    }
    ck_assert_uint_eq(failures, 3); /* paths, ranks, domains */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("domains");
    TCase *tcase = tcase_create("domains");
    tcase_add_loop_test(tcase, labels_make_a_tree, 0, ROWS(rows));
    tcase_add_test(tcase, the_tree_follows_the_nodes);
    tcase_add_test(tcase, domains_lie_inside_each_other);
    tcase_add_test(tcase, without_memory_there_is_no_tree);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
