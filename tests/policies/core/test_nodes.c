/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One node alone: what fits, which devices are taken, how much an empty one holds. */
#include "core/nodes.h"
#include "tests/lib/harness.h"

#include <string.h>

/* A node of four devices, with so much left on each. */
static struct pc_node make(uint16_t room[POLICY_MAX_DEVICES], const uint16_t left[4])
{
    memset(room, 0, POLICY_MAX_DEVICES * sizeof *room);
    memcpy(room, left, 4 * sizeof *left);
    struct pc_node n = {
        .exists = true,
        .devices = 4,
        .type = 2,
        .max_tasks = -1,
        .cpu_free = 1000,
        .cpu_total = 4000,
        .mem_free = 100,
        .mem_total = 400,
        .usable = 0xf,
        .room = room,
    };
    pc_summarise(&n);
    return n;
}

#define ANY UINT64_MAX

static const struct {
    uint16_t room[4];
    struct pc_request request;
    bool fits;
    uint64_t devices;
} rows[] = {
    {{1000, 1000, 1000, 1000}, {2, 1000, 0, 0, ANY},      true,  0x3},
    {{0, 1000, 500, 1000},     {2, 1000, 0, 0, ANY},      true,  0xa},
    {{0, 1000, 500, 999},      {2, 1000, 0, 0, ANY},      false, 0  },
    {{1000, 700, 500, 1000},   {1, 500, 0, 0, ANY},       true,  0x4}, /* the fullest with room */
    {{1000, 700, 500, 1000},   {1, 501, 0, 0, ANY},       true,  0x2},
    {{1000, 700, 500, 1000},   {1, 701, 0, 0, ANY},       true,  0x1}, /* break the lowest free one */
    {{600, 600, 600, 600},     {1, 300, 0, 0, ANY},       true,  0x1},
    {{1000, 400, 500, 300},    {2, 400, 0, 0, ANY},       true,  0x6},
    {{1000, 300, 500, 300},    {2, 400, 0, 0, ANY},       true,  0x5}, /* a shared and a free one */
    {{1000, 300, 300, 300},    {2, 400, 0, 0, ANY},       false, 0  },
    {{1000, 0, 0, 0},          {1, 1000, 1000, 100, ANY}, true,  0x1},
    {{1000, 0, 0, 0},          {1, 1000, 1001, 100, ANY}, false, 0  },
    {{1000, 0, 0, 0},          {1, 1000, 1000, 101, ANY}, false, 0  },
    {{1000, 0, 0, 0},          {1, 1000, 0, 0, 4},        true,  0x1},
    {{1000, 0, 0, 0},          {1, 1000, 0, 0, 3},        false, 0  },
    {{0, 0, 0, 0},             {0, 0, 1000, 0, ANY},      true,  0  },
    {{0, 0, 0, 0},             {1, 1, 0, 0, ANY},         false, 0  },
};

START_TEST(tasks_fit_and_take_devices)
{
    uint16_t room[POLICY_MAX_DEVICES];
    struct pc_node n = make(room, rows[_i].room);
    ck_assert_int_eq(pc_fits(&n, &rows[_i].request), rows[_i].fits);
    if (rows[_i].fits)
        ck_assert_uint_eq(pc_devices(&n, &rows[_i].request), rows[_i].devices);
    n.max_tasks = n.tasks;
    ck_assert(!pc_fits(&n, &rows[_i].request));
    n.max_tasks = -1;
    n.state = POLICY_NODE_DRAINING;
    ck_assert(!pc_fits(&n, &rows[_i].request));
}
END_TEST

static const struct {
    int32_t devices, max_tasks;
    struct pc_request request;
    int64_t holds;
} fills[] = {
    {8,  -1, {1, 1000, 0, 0, ANY},    8        },
    {8,  -1, {3, 1000, 0, 0, ANY},    2        },
    {8,  -1, {9, 1000, 0, 0, ANY},    0        },
    {8,  -1, {1, 300, 0, 0, ANY},     24       },
    {3,  -1, {2, 300, 0, 0, ANY},     4        }, /* nine thirds, two a task: round robin */
    {3,  -1, {2, 400, 0, 0, ANY},     3        },
    {3,  -1, {2, 1000, 0, 0, ANY},    1        },
    {1,  -1, {2, 100, 0, 0, ANY},     0        },
    {8,  5,  {1, 1000, 0, 0, ANY},    5        },
    {8,  -1, {1, 1000, 1000, 0, ANY}, 4        },
    {8,  -1, {1, 1000, 0, 150, ANY},  2        },
    {8,  -1, {1, 1000, 4001, 0, ANY}, 0        },
    {8,  -1, {0, 0, 500, 0, ANY},     8        },
    {8,  -1, {0, 0, 0, 0, ANY},       INT64_MAX},
    {8,  -1, {1, 1000, 0, 0, 1},      0        },
    {64, -1, {1, 1, 0, 0, ANY},       64000    },
};

START_TEST(an_empty_node_holds_so_many)
{
    static const uint16_t taken[4] = {0, 0, 0, 0};
    uint16_t room[POLICY_MAX_DEVICES];
    struct pc_node n = make(room, taken); /* what is left now plays no part */
    n.devices = fills[_i].devices;
    n.max_tasks = fills[_i].max_tasks;
    ck_assert_int_eq(pc_node_holds(&n, &fills[_i].request), fills[_i].holds);
}
END_TEST

START_TEST(summaries_follow_rooms_and_health)
{
    static const uint16_t left[4] = {1000, 300, 0, 1000};
    uint16_t room[POLICY_MAX_DEVICES];
    struct pc_node n = make(room, left);
    ck_assert_uint_eq(n.whole, 0x9);
    ck_assert_uint_eq(n.partial, 0x2);
    ck_assert_int_eq(n.free_milli, 2300);
    ck_assert_int_eq(pc_unusable_milli(&n), 0);
    ck_assert_int_eq(pc_most_room(&n), 1000);
    n.usable = 0x6;
    pc_summarise(&n);
    ck_assert_uint_eq(n.whole, 0);
    ck_assert_int_eq(n.free_milli, 300);
    ck_assert_int_eq(pc_unusable_milli(&n), 2000);
    ck_assert_int_eq(pc_most_room(&n), 300);
    n.state = POLICY_NODE_DOWN;
    ck_assert_int_eq(pc_unusable_milli(&n), 2300);
    ck_assert_uint_eq(pc_all_devices(64), UINT64_MAX);
    ck_assert_uint_eq(pc_all_devices(0), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nodes");
    TCase *tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, tasks_fit_and_take_devices, 0, ROWS(rows));
    tcase_add_loop_test(tcase, an_empty_node_holds_so_many, 0, ROWS(fills));
    tcase_add_test(tcase, summaries_follow_rooms_and_health);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
