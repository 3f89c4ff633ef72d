/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts left on a node for scores: now and after release, with nominations, shares and instances.
 */
#include "place/left.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

// clang-format off
static const struct row {
    const char *what, *world;
    int64_t cpu[2];     /* after release, now */
    int32_t whole[2], sum[2];
    uint64_t devices[2]; /* wholly free */
} rows[] = {
    {"an idle node", "node n0 4 cpu=8; queue q;", {8000, 8000}, {4, 4}, {4000, 4000}, {0xf, 0xf}},
    {"what runs is gone", "node n0 4 cpu=8; queue q; job r q 1x1+c2@n0;", {6000, 6000}, {3, 3},
     {3000, 3000}, {0xe, 0xe}},
    {"released ones are free", "node n0 4 cpu=8; queue q; job r q 1x1+c2@n0!;", {8000, 6000},
     {4, 3}, {4000, 3000},
     {0xf, 0xe}},
    {"a share leaves the rest", "node n0 2; queue q; job r q 1x.3@n0:1;", {PC_PLENTY, PC_PLENTY},
     {1, 1}, {1700, 1700}, {1, 1}},
    {"also next to one that is released", "node n0 2; queue q; job r q 1x.3@n0:1; job s q "
                                         "1x.5@n0:1!;", {PC_PLENTY, PC_PLENTY},
     {1, 1}, {1700, 1200}, {1, 1}},
    {"memory is a share of what the device has", "node n0 2 gpumem=10000; queue q; job r q "
                                                 "1xm2500@n0:0;",
     {PC_PLENTY, PC_PLENTY}, {1, 1}, {1750, 1750}, {2, 2}},
    {"a split device is of no use to others", "node n0 2 mig=free; queue q; job r q "
                                                    "1x2g@n0:1;", {PC_PLENTY, PC_PLENTY},
     {1, 1}, {1000, 1000}, {1, 1}},
    {"nor are devices with fixed instances", "node n0 2 mig=2x3g+1x1g; queue q;", {PC_PLENTY,
     PC_PLENTY}, {2, 2}, {0, 0}, {0, 0}},
};
// clang-format on

START_TEST(capacity_left)
{
    const struct row *row = &rows[_i];
    struct story s;
    story_open(&s, row->world);
    const struct pc_node *n = &s.p->cluster->nodes[0];
    for (int now = 0; now < 2; now++) {
        struct pc_left left;
        pc_left_on(n, now != 0, &left);
        ck_assert_msg(left.cpu == row->cpu[now], "%s: CPU %lld", row->what, (long long)left.cpu);
        ck_assert_msg(left.sum == row->sum[now], "%s: %d thousandths", row->what, left.sum);
        ck_assert_msg(left.whole == row->devices[now], "%s: devices %llx", row->what,
                      (unsigned long long)left.whole);
        ck_assert_int_eq(pc_milli_left(n, now != 0), row->sum[now]);
        ck_assert_int_eq(pc_whole_left(n, now != 0), row->whole[now]);
    }
    story_close(&s);
}
END_TEST

START_TEST(amounts_of_a_task)
{
    struct story s;
    story_open(
        &s,
        "node n0 2 gpumem=10000; node n1 2 mig=free; node n2 0 mig=1x1g; queue q; job r q "
        "1x1g@n1:1;job x q 1x2; job y q 2x.25+c3; job z q 1xm2501; job u q 1x1g; job v q 1x7g;");
    const struct pc_cluster *c = s.p->cluster;
    static const struct {
        const char *job;
        uint32_t node;
        int32_t devices, milli;
    } wants[] = {
        {"x", 0, 2, 1000}, {"y", 0, 1, 250}, {"z", 0, 1, 251}, /* rounded up */
        {"u", 1, 0, 1000},                                     /* next to the existing instance */
        {"v", 1, 1, 1000},                                     /* cuts another device */
        {"u", 2, 0, 1000},                                     /* has its instances already */
    };
    for (int i = 0; i < ROWS(wants); i++) {
        const struct pc_request *r =
            &c->shapes[c->jobs[story_job(&s, wants[i].job).i].shape].roles[0].request;
        struct pc_want want = pc_want_on(c, &c->nodes[wants[i].node], r);
        ck_assert_msg(want.devices == wants[i].devices && want.milli == wants[i].milli,
                      "%s on n%u: %d x %d", wants[i].job, wants[i].node, want.devices, want.milli);
        ck_assert_int_eq(want.cpu, r->cpu);
    }
    story_close(&s);
}
END_TEST

START_TEST(the_usual_devices)
{
    static const struct pc_left left = {.devices = 5,
                                        .sum = 2900,
                                        .usable = 0x1f,
                                        .whole = 0x12,
                                        .room = {300, 1000, 0, 600, 1000}};
    static const struct {
        struct pc_want want;
        uint64_t devices;
    } cases[] = {
        {{1, 1000, 0}, 0x02}, {{2, 1000, 0}, 0x12}, {{1, 300, 0}, 0x01}, {{1, 301, 0}, 0x08},
        {{2, 200, 0}, 0x09},  {{3, 500, 0}, 0x1a},  {{1, 700, 0}, 0x02}, {{0, 1000, 0}, 0},
    };
    for (int i = 0; i < ROWS(cases); i++)
        ck_assert_uint_eq(pc_usual_devices(&left, &cases[i].want), cases[i].devices);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("left");
    TCase *tcase = tcase_create("left");
    tcase_add_loop_test(tcase, capacity_left, 0, ROWS(rows));
    tcase_add_test(tcase, amounts_of_a_task);
    tcase_add_test(tcase, the_usual_devices);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
