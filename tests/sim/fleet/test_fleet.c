/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fleet: valid and refused allocations, and that sums follow. */
#include "sim/fleet/fleet.h"
#include "tests/lib/harness.h"

#include <string.h>

/* Two pools: a node of 8 devices with 16 cores, 64 GiB and at most 3 tasks; two of 4 devices
 * without bounds. */
static void build(struct fleet *fleet)
{
    fleet_init(fleet);
    char name[8] = "big"; /* overwritten below: names are copies */
    uint32_t pool = fleet_add_pool(fleet, name);
    fleet_add_node(fleet, &(struct fleet_node){.name = name,
                                               .pool = pool,
                                               .gpus = 8,
                                               .cpu_milli = 16000,
                                               .mem_mib = 65536,
                                               .max_tasks = 3});
    memcpy(name, "small", 6);
    pool = fleet_add_pool(fleet, name);
    for (int i = 0; i < 2; i++)
        fleet_add_node(fleet, &(struct fleet_node){.name = name,
                                                   .pool = pool,
                                                   .gpus = 4,
                                                   .cpu_milli = -1,
                                                   .mem_mib = -1,
                                                   .max_tasks = -1});
}

START_TEST(installed_devices_add_up)
{
    struct fleet fleet;
    build(&fleet);
    ck_assert_int_eq(fleet.milli, 16000);
    ck_assert_uint_eq(fleet.node_count, 3);
    ck_assert_uint_eq(fleet.pool_count, 2);
    ck_assert_str_eq(fleet.pools[0].name, "big");
    ck_assert_str_eq(fleet.nodes[0].name, "big");
    ck_assert_str_eq(fleet.pools[1].name, "small");
    ck_assert_int_eq(fleet.pools[1].milli, 8000);
    ck_assert_int_eq(fleet.pools[1].gpus_per_node, 4);
    ck_assert_int_eq(fleet_most_gpus(&fleet), 8);
    ck_assert_uint_eq(fleet.pools[1].first_node, 1);
    ck_assert_uint_eq(fleet.pools[1].node_count, 2);
    fleet_fini(&fleet);
}
END_TEST

/* Each row allocates `first` on node 0, then tries `second`. */
static const struct {
    struct fleet_use first, second;
    const char *refusal; /* NULL: it fits */
} rows[] = {
    {{0x01, 1000, 0, 0, 0, 0}, {0x02, 1000, 0, 0, 0, 0}, NULL},
    {{0x01, 1000, 0, 0, 0, 0}, {0x01, 1000, 0, 0, 0, 0}, "device 0"},
    {{0x03, 1000, 0, 0, 0, 0}, {0x06, 1000, 0, 0, 0, 0}, "device 1"},
    {{0x01, 1000, 0, 0, 0, 0}, {0x01, 1, 0, 0, 0, 0}, "1000 of 1000 in use, 1 more"},
    {{0x80, 400, 0, 0, 0, 0}, {0x80, 600, 0, 0, 0, 0}, NULL},
    {{0x80, 400, 0, 0, 0, 0}, {0x80, 601, 0, 0, 0, 0}, "device 7"},
    {{0x00, 0, 0, 0, 0, 0}, {0x100, 1000, 0, 0, 0, 0}, "device 8"},
    {{0x00, 0, 0, 0, 0, 0}, {0xff, 1000, 0, 0, 0, 0}, NULL},
    {{0x01, 1000, 15999, 0, 0, 0}, {0x02, 1000, 1, 0, 0, 0}, NULL},
    {{0x01, 1000, 15999, 0, 0, 0}, {0x02, 1000, 2, 0, 0, 0}, "CPU or memory"},
    {{0x01, 1000, 0, 65535, 0, 0}, {0x02, 1000, 0, 1, 0, 0}, NULL},
    {{0x01, 1000, 0, 65535, 0, 0}, {0x02, 1000, 0, 2, 0, 0}, "CPU or memory"},
    {{0x00, 0, 16000, 65536, 0, 0}, {0x00, 0, 0, 0, 0, 0}, NULL},
    {{0x00, 0, 16000, 65536, 0, 0}, {0x00, 0, 1, 0, 0, 0}, "CPU or memory"},
};

START_TEST(what_is_there_can_be_taken_once)
{
    struct fleet fleet;
    struct err err = {0};
    build(&fleet);
    ck_assert_msg(fleet_take(&fleet, 0, &rows[_i].first, &err), "%s", err.msg);
    struct fleet_node before = fleet.nodes[0];
    int64_t used = fleet.milli_used;
    bool taken = fleet_take(&fleet, 0, &rows[_i].second, &err);
    ck_assert_int_eq(taken, rows[_i].refusal == NULL);
    if (!taken) {
        harness_contains(err.msg, rows[_i].refusal);
        ck_assert_int_eq(err.code, EXIT_INVARIANT);
        ck_assert_int_eq(fleet.milli_used, used);
        ck_assert_int_eq(fleet.nodes[0].tasks, before.tasks);
        ck_assert_int_eq(fleet.nodes[0].cpu_used, before.cpu_used);
    } else {
        fleet_give(&fleet, 0, &rows[_i].second);
    }
    fleet_give(&fleet, 0, &rows[_i].first);
    ck_assert_int_eq(fleet.milli_used, 0);
    ck_assert_int_eq(fleet.pools[0].milli_used, 0);
    ck_assert_int_eq(fleet.nodes[0].milli_used, 0);
    ck_assert_int_eq(fleet.nodes[0].tasks, 0);
    ck_assert_int_eq(fleet.nodes[0].cpu_used, 0);
    ck_assert_int_eq(fleet.nodes[0].mem_used, 0);
    fleet_fini(&fleet);
}
END_TEST

START_TEST(tasks_are_bounded)
{
    struct fleet fleet;
    struct err err = {0};
    build(&fleet);
    const struct fleet_use nothing = {0};
    for (int i = 0; i < 3; i++)
        ck_assert(fleet_take(&fleet, 0, &nothing, &err));
    ck_assert(!fleet_take(&fleet, 0, &nothing, &err));
    harness_contains(err.msg, "more than 3 tasks");
    for (int i = 0; i < 100; i++)
        ck_assert(fleet_take(&fleet, 1, &nothing, &err));
    fleet_fini(&fleet);
}
END_TEST

START_TEST(counted_devices_stay_within_their_pool)
{
    struct fleet fleet;
    struct err err = {0};
    build(&fleet);
    ck_assert(fleet_count(&fleet, 1, 8000, &err));
    ck_assert(!fleet_count(&fleet, 1, 1, &err));
    harness_contains(err.msg, "pool 'small'");
    ck_assert_int_eq(fleet.milli_used, 8000);
    ck_assert(fleet_count(&fleet, 0, 500, &err));
    ck_assert(fleet_count(&fleet, 1, -8000, &err));
    ck_assert(!fleet_count(&fleet, 1, -1, &err));
    ck_assert_int_eq(fleet.milli_used, 500);
    ck_assert_int_eq(fleet.pools[0].milli_used, 500);
    ck_assert_int_eq(fleet.pools[1].milli_used, 0);
    fleet_fini(&fleet);
}
END_TEST

/* Random allocations and releases of shares; plain arrays give the rest. */
START_TEST(sums_follow_a_plain_picture)
{
    enum { HELD = 200 };
    struct fleet fleet;
    struct err err = {0};
    build(&fleet);
    struct fleet_use held[HELD];
    uint32_t node_of[HELD];
    int n = 0;
    int room[3][8];
    for (int i = 0; i < 24; i++)
        room[i / 8][i % 8] = i / 8 == 0 || i % 8 < 4 ? 1000 : 0;
    uint64_t random = 1;
    for (int step = 0; step < 5000; step++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t r = random >> 20;
        if (n > 0 && (r % 5 == 0 || n == HELD)) {
            int which = (int)(r / 5 % (uint64_t)n);
            fleet_give(&fleet, node_of[which], &held[which]);
            for (int d = 0; d < 8; d++)
                room[node_of[which]][d] +=
                    (held[which].devices >> d & 1) != 0 ? held[which].milli : 0;
            held[which] = held[--n];
            node_of[which] = node_of[n];
            continue;
        }
        uint32_t node = 1 + (uint32_t)(r / 5 % 2);
        struct fleet_use use = {.devices = 1 + (r >> 8) % 15, .milli = 1 + (int)((r >> 16) % 1000)};
        bool fits = true;
        int64_t sum = 0;
        for (int d = 0; d < 8; d++)
            fits &= (use.devices >> d & 1) == 0 || room[node][d] >= use.milli;
        ck_assert_int_eq(fleet_take(&fleet, node, &use, &err), fits);
        for (int d = 0; fits && d < 8; d++)
            room[node][d] -= (use.devices >> d & 1) != 0 ? use.milli : 0;
        if (fits) {
            node_of[n] = node;
            held[n++] = use;
        }
        for (int i = 0; i < 24; i++)
            sum += (i / 8 == 0 || i % 8 < 4 ? 1000 : 0) - room[i / 8][i % 8];
        ck_assert_int_eq(fleet.milli_used, sum);
        ck_assert_int_eq(fleet.pools[1].milli_used, sum);
    }
    fleet_fini(&fleet);
}
END_TEST

/* ---- parts of devices ---- */

/* A node of 2 devices of 80,000 MiB; each row allocates `first`, then tries `second`. Shares are
 * thousandths, memory MiB. */
static const struct {
    struct fleet_use first, second;
    const char *refusal; /* NULL: it fits */
} memories[] = {
    {{1, 500, 0, 0, 40000, 0}, {1, 500, 0, 0, 40000, 0}, NULL},
    {{1, 500, 0, 0, 40000, 0}, {1, 500, 0, 0, 40002, 0}, "40000 of 80000 MiB in use, 40002 more"},
    {{1, 333, 0, 0, 26666, 0}, {1, 666, 0, 0, 53334, 0}, NULL},
    {{1, 500, 0, 0, 0, 0},
     {1, 500, 0, 0, 40000, 0},
     NULL}, /* a share includes its part of the memory */
    {{1, 500, 0, 0, 0, 0}, {1, 500, 0, 0, 40002, 0}, "memory of device 0"},
    {{1, 250, 0, 0, 20000, 0}, {1, 750, 0, 0, 0, 0}, NULL},
    {{1, 250, 0, 0, 20002, 0}, {1, 750, 0, 0, 0, 0}, "memory of device 0"},
    {{2, 1000, 0, 0, 0, 0}, {2, 0, 0, 0, 50, 0}, "memory of device 1"},
    {{2, 1000, 0, 0, 0, 0}, {1, 625, 0, 0, 50000, 0}, NULL},
    {{3, 500, 0, 0, 40000, 0}, {2, 500, 0, 0, 40002, 0}, "memory of device 1"},
};

START_TEST(memory_is_taken_once)
{
    struct fleet fleet;
    struct err err = {0};
    fleet_init(&fleet);
    fleet_add_pool(&fleet, "p");
    fleet_add_node(&fleet, &(struct fleet_node){.name = "n",
                                                .gpus = 2,
                                                .cpu_milli = -1,
                                                .mem_mib = -1,
                                                .max_tasks = -1,
                                                .device_mem_mib = 80000});
    for (int round = 0; round < 3;
         round++) { /* what was released can be allocated again, and no more */
        ck_assert_msg(fleet_take(&fleet, 0, &memories[_i].first, &err), "%s", err.msg);
        bool taken = fleet_take(&fleet, 0, &memories[_i].second, &err);
        ck_assert_int_eq(taken, memories[_i].refusal == NULL);
        if (taken)
            fleet_give(&fleet, 0, &memories[_i].second);
        else
            harness_contains(err.msg, memories[_i].refusal);
        fleet_give(&fleet, 0, &memories[_i].first);
        ck_assert_int_eq(fleet.milli_used, 0);
    }
    fleet_fini(&fleet);
}
END_TEST

START_TEST(memory_counts_in_whole_thousandths)
{
    const struct fleet_node node = {.device_mem_mib = 81920};
    ck_assert_int_eq(fleet_milli(&node, 250, 0), 250);
    ck_assert_int_eq(fleet_milli(&node, 0, 40960), 500);
    ck_assert_int_eq(fleet_milli(&node, 0, 27306), 333);
    ck_assert_int_eq(fleet_milli(&node, 0, 81920), 1000);
    ck_assert_int_eq(fleet_milli(&(struct fleet_node){0}, 0, 100), 0);
}
END_TEST

/* ---- levels ---- */

START_TEST(nodes_stand_in_domains)
{
    struct fleet fleet;
    fleet_init(&fleet);
    fleet_add_level(&fleet, "pod");
    fleet_add_level(&fleet, "rack");
    fleet_close_levels(&fleet);
    fleet_add_pool(&fleet, "p");
    for (int i = 0; i < 4; i++) {
        char rack[] = "r0";
        char name[] = "n0";
        rack[1] = (char)('0' + i / 2);
        name[1] = (char)('0' + i);
        uint32_t domains[] = {fleet_domain(&fleet, 0, "p0"), fleet_domain(&fleet, 1, rack)};
        fleet_add_node(&fleet, &(struct fleet_node){.name = name, .gpus = 1, .domains = domains});
    }
    ck_assert_uint_eq(fleet_find_level(&fleet, "rack"), 1);
    ck_assert_uint_eq(fleet_find_level(&fleet, "node"), 2);
    ck_assert_uint_eq(fleet_find_level(&fleet, "leaf"), fleet.level_count);
    ck_assert_str_eq(fleet_domain_name(&fleet, 1, 3), "r1");
    ck_assert_str_eq(fleet_domain_name(&fleet, 2, 3), "n3");
    ck_assert_uint_eq(fleet_domain_of(&fleet, 1, 0), fleet_domain_of(&fleet, 1, 1));
    ck_assert_uint_ne(fleet_domain_of(&fleet, 1, 1), fleet_domain_of(&fleet, 1, 2));
    ck_assert_uint_eq(fleet_domain_of(&fleet, 0, 0), fleet_domain_of(&fleet, 0, 3));
    ck_assert_uint_eq(fleet_domain_of(&fleet, 2, 3), 3);
    fleet_fini(&fleet);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fleet");
    TCase *tcase = tcase_create("fleet");
    tcase_add_test(tcase, installed_devices_add_up);
    tcase_add_loop_test(tcase, what_is_there_can_be_taken_once, 0, ROWS(rows));
    tcase_add_test(tcase, tasks_are_bounded);
    tcase_add_test(tcase, counted_devices_stay_within_their_pool);
    tcase_add_test(tcase, sums_follow_a_plain_picture);
    tcase_add_loop_test(tcase, memory_is_taken_once, 0, ROWS(memories));
    tcase_add_test(tcase, memory_counts_in_whole_thousandths);
    tcase_add_test(tcase, nodes_stand_in_domains);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
