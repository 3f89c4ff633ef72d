/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes that suit a task, tasks that fit now and soon, and the devices they get: one node (or two
 * where the second is the alternative), and only allocate.
 */
#include "state/nodes.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>
#include <string.h>

static const struct story_row rows[] = {
    /* ---- CPU, memory, slots ---- */
    {"CPU just enough", "node n0 1 cpu=2; queue q; job x q 1x1+c2", "x/0@n0"},
    {"too little CPU", "node n0 1 cpu=1.999; queue q; job x q 1x1+c2", ""},
    {"memory just enough", "node n0 1 mem=100; queue q; job x q 1x1+r100", "x/0@n0"},
    {"too little memory", "node n0 1 mem=99; queue q; job x q 1x1+r100", ""},
    {"CPU that is being released", "node n0 2 cpu=2; queue q; job r q 1xc2@n0!; job x q 1x1+c1",
     "x/0~n0"},
    {"memory that is being released",
     "node n0 2 mem=9; queue q; job r q 1x0+r9@n0!; job x q 1x1+r1", "x/0~n0"},
    {"CPU that was promised",
     "node n0 2 cpu=2; queue q; job r q 1xc2@n0!; job x q 1x1+c2;"
     "job y q 1x1+c1",
     "x/0~n0"},
    {"places for tasks", "node n0 9 tasks=2; queue q; job x q 3x1/1", "x/0@n0 x/1@n0"},
    {"places of tasks without devices", "node n0 9 tasks=1; queue q; job x q 1xc1; job y q 1x1",
     "x/0@n0"},
    {"a place that is being released", "node n0 9 tasks=1; queue q; job r q 1x1@n0!; job x q 1x1",
     "x/0~n0"},

    /* ---- whole devices ---- */
    {"as many as there are", "node n0 4; queue q; job x q 1x4", "x/0@n0"},
    {"one more", "node n0 4; queue q; job x q 1x5", ""},
    {"idle ones start at once, all others wait",
     "node n0 3; queue q; job r q 1x1@n0!; job x q 1x2;"
     "job y q 1x1",
     "x/0@n0 y/0~n0"},
    {"partly idle: the task waits", "node n0 3; queue q; job r q 1x2@n0!; job x q 1x2", "x/0~n0"},
    {"a shared device is no whole one", "node n0 2; queue q; job r q 1x.1@n0:0; job x q 1x2", ""},
    {"one that is all being released will be",
     "node n0 2; queue q; job r q 2x.1@n0:0!,n0:0!;"
     "job x q 1x2",
     "x/0~n0"},

    /* ---- shares ---- */
    {"the fullest device with room",
     "node n0 4; queue q; job a q 1x.3@n0:1; job b q 1x.6@n0:2;"
     "job x q 1x.3",
     "x/0@n0:2"},
    {"with enough of it", "node n0 4; queue q; job a q 1x.3@n0:1; job b q 1x.6@n0:2; job x q 1x.5",
     "x/0@n0:1"},
    {"up to all of it", "node n0 4; queue q; job a q 1x.4@n0:3; job x q 1x.6", "x/0@n0:3"},
    {"else an idle one", "node n0 4; queue q; job a q 1x.3@n0:1; job b q 1x.6@n0:2; job x q 1x.8",
     "x/0@n0:0"},
    {"spread: an idle one first",
     "opt device_placement=spread; node n0 4; queue q; job a q 1x.3@n0:0; job b q 1x.6@n0:1;"
     "job x q 1x.3",
     "x/0@n0:2"},
    {"spread: the emptiest where none is idle",
     "opt device_placement=spread; node n0 2; queue q; job a q 1x.3@n0:1; job b q 1x.6@n0:0;"
     "job x q 1x.3",
     "x/0@n0:1"},
    {"several devices, each once",
     "node n0 4; queue q; job a q 1x.3@n0:1; job b q 1x.6@n0:2;"
     "job x q 1x3*.3",
     "x/0@n0:012"},
    {"not several times on one", "node n0 1; queue q; job x q 1x2*.3", ""},
    {"released and running on one device: only soon",
     "node n0 1; queue q; job a q 1x.5@n0:0; job b q 1x.5@n0:0!; job x q 1x.5", "x/0~n0:0"},
    {"room next to what is being released: now",
     "node n0 1; queue q; job a q 1x.3@n0:0; job b q 1x.3@n0:0!; job x q 1x.4", "x/0@n0:0"},
    {"a device that is all being released: soon",
     "node n0 1; queue q; job b q 1x.3@n0:0!; job x q 1x.4", "x/0~n0:0"},
    {"an idle one rather than that", "node n0 2; queue q; job b q 1x.3@n0:0!; job x q 1x.4",
     "x/0@n0:1"},
    {"promised shares take room",
     "node n0 1; queue q; job b q 1x1@n0!; job x q 1x.6; job y q 1x.6; job z q 1x.4",
     "x/0~n0:0 z/0~n0:0"},
    {"whole devices and shares do not mix",
     "node n0 2; queue q; job a q 1x.5@n0:1; job x q 1x1;"
     "job y q 1x.5",
     "x/0@n0 y/0@n0:1"},

    /* ---- memory of devices ---- */
    {"memory of a device", "node n0 1 gpumem=1000; queue q; job x q 2xm500/1", "x/0@n0:0 x/1@n0:0"},
    {"hundreds of MiB count",
     "node n0 1 gpumem=1099; queue q; job x q 2xm500;"
     "job y q 1xm50",
     "x/0@n0:0 x/1@n0:0"},
    {"more than a device has", "node n0 2 gpumem=1000; queue q; job x q 1xm1001", ""},
    {"all that it has", "node n0 2 gpumem=1000; queue q; job x q 1xm1000", "x/0@n0"},
    {"not known", "node n0 2; queue q; job x q 1xm1", ""},
    {"beside shares",
     "node n0 1 gpumem=1000; queue q; job a q 1x.4@n0:0; job x q 1xm601;"
     "job y q 1xm600",
     "y/0@n0:0"},
    {"on several devices",
     "node n0 2 gpumem=1000; queue q; job x q 1x2*m700;"
     "job y q 1xm300",
     "x/0@n0:01 y/0@n0:0"},

    /* ---- the reservation of a shared device takes a slot ---- */
    {"opening a device takes two places", "node n0 2 tasks=1; queue q; job x q 1x.5", ""},
    {"and finds them", "node n0 2 tasks=2; queue q; job x q 1x.5", "x/0@n0:0"},
    {"joining one takes one",
     "node n0 2 tasks=3; queue q; job x q 1x.5; job y q 1x.5;"
     "job z q 1xc1",
     "x/0@n0:0 y/0@n0:0"},
    {"each of several that are opened",
     "node n0 3 tasks=3; queue q; job x q 1x3*.5; job y q 1x2*.5", "y/0@n0:01"},
    {"so a whole device may not", "node n0 2 tasks=2; queue q; job x q 1x.5@n0:0; job y q 1x1", ""},
    {"spread: no task slot to open another",
     "opt device_placement=spread; node n0 2 tasks=3; queue q;"
     "job x q 1x.5@n0:0; job y q 1x.5",
     "y/0@n0:0"},
    {"spread: a task slot to open another",
     "opt device_placement=spread; node n0 2 tasks=4; queue q;"
     "job x q 1x.5@n0:0; job y q 1x.5",
     "y/0@n0:1"},

    /* ---- MIG ---- */
    {"an instance", "node n0 1 mig=2x3g; queue q gpu=9; job x q 1x3g", "x/0@n0"},
    {"as many as there are", "node n0 1 mig=2x3g; queue q gpu=9; job x q 3x3g/1", "x/0@n0 x/1@n0"},
    {"of another profile", "node n0 1 mig=2x3g; queue q gpu=9; job x q 1x2g", ""},
    {"several profiles on one node",
     "node n0 1 mig=1x3g+2x1g; queue q gpu=9; job x q 2x3g/1;"
     "job y q 3x1g/1",
     "x/0@n0 y/0@n0 y/1@n0"},
    {"one that is being released",
     "node n0 1 mig=1x3g; queue q gpu=9; job r q 1x3g@n0!; job x q 1x3g;"
     "job y q 1x3g",
     "x/0~n0"},
    {"no instance without MIG", "node n0 1; queue q gpu=9; job x q 1x3g", ""},
    {"instances only where they are counted: no whole device",
     "node n0 4 mig=1x3g; queue q gpu=9;"
     "job x q 1x1",
     ""},
    {"nor a share", "node n0 4 mig=1x3g; queue q gpu=9; job x q 1x.5", ""},
    {"single: whole devices", "node n0 4 mig=single; queue q gpu=9; job x q 1x1", "x/0@n0"},
    {"single: no instances", "node n0 4 mig=single; queue q gpu=9; job x q 1x3g", ""},
    {"single: no shares", "node n0 4 mig=single; queue q gpu=9; job x q 1x.5", ""},
    {"single: no memory", "node n0 4 mig=single gpumem=1000; queue q gpu=9; job x q 1xm5", ""},
    {"tasks without devices go anywhere", "node n0 4 mig=1x3g; queue q gpu=9; job x q 1xc1",
     "x/0@n0"},
    {"made freely: by the geometry of a device",
     "node n0 1 mig=free; queue q gpu=99; job x q 2x3g;"
     "job y q 1x1g",
     "x/0@n0:0 x/1@n0:0"},
    {"freely created: next to whole devices",
     "node n0 2 mig=free; queue q gpu=99; job x q 1x3g; job y q 1x1;job z q 1x1",
     "x/0@n0:0 y/0@n0"},

    /* ---- choice of nodes ---- */
    {"labels", "node n0 1; node n1 1 label=1:2; node n2 1 label=1:3; queue q; job x q 1x1+k1:3",
     "x/0@n2"},
    {"all of them",
     "node n0 1 label=1:3; node n1 1 label=1:3 label=2:5; queue q; job x q 1x1+k1:3+k2:5",
     "x/0@n1"},
    {"labels that no node has", "node n0 1 label=1:3; queue q; job x q 1x1+k1:4", ""},
    {"labels are not obeyed",
     "opt node_predicates=false; node n0 1; node n1 1 label=1:3; queue q;"
     "job x q 1x1+k1:3",
     "x/0@n0"},
    {"types of devices",
     "node n0 1 type=1; node n1 1 type=2; node n2 1 type=3; queue q;"
     "job x q 3x1+t2+t3/1",
     "x/0@n1 x/1@n2"},
    {"types of devices of a share", "node n0 1 type=1; node n1 1 type=2; queue q; job x q 1x.5+t2",
     "x/0@n1:0"},
    {"a type that no node has", "node n0 1 type=1; queue q; job x q 1x1+t2", ""},
    {"tasks without devices do not mind", "node n0 1 type=1; queue q; job x q 1xc1+t2", "x/0@n0"},
    {"types are not obeyed", "opt node_predicates=false; node n0 1 type=1; queue q; job x q 1x1+t2",
     "x/0@n0"},
    {"only nodes that are up", "node n0 1 down; node n1 1 drain; node n2 1; queue q; job x q 1x1",
     "x/0@n2"},
    {"pools of the queue", "node n0 1 pool=3; node n1 1 pool=4; queue q pools=4; job x q 1x1",
     "x/0@n1"},
    {"one of several",
     "node n0 1 pool=3; node n1 1 pool=4; node n2 1 pool=5; queue q pools=4,5;"
     "job x q 3x1/1",
     "x/0@n1 x/1@n2"},
    {"nodes that are sold as wholes",
     "node n0 4 whole; node n1 2; queue q; job x q 1x1; job y q 1x4;"
     "job z q 1x2",
     "x/0@n1 y/0@n0"},
    {"no shares there", "node n0 1 whole; queue q; job x q 1x.5", ""},
    {"nor tasks without devices", "node n0 1 whole cpu=8; node n1 1 cpu=1; queue q; job x q 2xc1/1",
     "x/0@n1"},
    {"nor where the node has none", "node n0 0 whole cpu=8; queue q; job x q 1xc1/1", ""},
    {"nor instances, made freely or counted",
     "node n0 1 whole mig=free; node n1 1 whole mig=7x1g; queue q gpu=9;job x q 1x1g", ""},
    {"but as a whole", "node n0 1 whole mig=free; queue q; job x q 1x1", "x/0@n0"},
};

START_TEST(fitting_tasks)
{
    char text[512];
    const char *rest = rows[_i].text;
    bool options = strncmp(rest, "opt ", 4) == 0;
    (void)snprintf(text, sizeof text, "opt actions=allocate%s%s", options ? " " : ";",
                   options ? rest + 4 : rest);
    story_expects(text, rows[_i].expected, rows[_i].what);
}
END_TEST

/* ---- devices that fail ----------------------------------------------------------------------- */

START_TEST(broken_devices_take_nothing_new)
{
    struct story s;
    story_open(
        &s,
        "opt actions=allocate; node n0 3; queue q; job r q 1x.5@n0:1; job x q 1x2; job y q 1x.5");
    ck_assert_int_eq(policy_set_device_health(s.p, s.now, story_node(&s, "n0"), 0, false),
                     POLICY_OK);
    ck_assert_int_eq(policy_set_device_health(s.p, s.now, story_node(&s, "n0"), 1, false),
                     POLICY_OK);
    story_decides(&s, "y/0@n0:2", "one device is left");
    ck_assert_int_eq(policy_task_ended(s.p, s.now, story_job(&s, "r"), 0, POLICY_SUCCEEDED),
                     POLICY_OK);
    story_decides(&s, "", "a broken device becomes idle");
    ck_assert_int_eq(policy_set_device_health(s.p, s.now, story_node(&s, "n0"), 1, true),
                     POLICY_OK);
    story_decides(&s, "", "one whole device");
    ck_assert_int_eq(policy_set_device_health(s.p, s.now, story_node(&s, "n0"), 0, true),
                     POLICY_OK);
    story_decides(&s, "x/0@n0", "two");
    story_close(&s);
}
END_TEST

/* ---- units ---- */

/* 10000 MiB of 81559 are 122.6 thousandths: eight tasks have 123 each, and 16 are left. */
START_TEST(memory_in_thousandths)
{
    struct story s;
    story_open(&s, "opt actions=allocate");
    s.p->cluster->traits.thousandths = true;
    story_tell(&s, "node n0 1 gpumem=81559; queue q; job x q 9xm10000/1");
    story_decides(&s, "x/0@n0:0 x/1@n0:0 x/2@n0:0 x/3@n0:0 x/4@n0:0 x/5@n0:0 x/6@n0:0 x/7@n0:0",
                  "eight of nine");
    ck_assert_int_eq(pc_device_of(&s.p->cluster->nodes[0], 0).used, 8 * 123);
    ck_assert_int_eq(s.p->cluster->queues[0].allocated.of[PC_GPU], 8 * 123);
    ck_assert_int_eq(s.p->cluster->queues[0].request.of[PC_GPU],
                     9 * 123); /* pending: by the smallest device */
    story_tell(&s, "job y q 1x.017; job z q 1x.016");
    story_decides(&s, "z/0@n0:0", "what is left");
    story_close(&s);
}
END_TEST

/* ---- reports about nodes ----------------------------------------------------------------------
 */

static const struct {
    const char *text;
    int32_t idle, releasing;
} infos[] = {
    {"node n0 4; queue q; job x q 1x1@n0", 3, 0},
    {"node n0 4; queue q; job x q 1x1@n0!", 3, 1},
    {"node n0 4; queue q; job x q 1x.5@n0:2", 3, 0},
    {"node n0 4; queue q; job x q 1x.5@n0:2!", 3, 1},
    {"node n0 4; queue q; job x q 2x.5@n0:2,n0:2!", 3, 0},
    {"node n0 1; queue q; job x q 1x1@n0!; job p q 1x1", 0, 0},     /* promised */
    {"node n0 4; queue q; job x q 2x1@n0!,n0!; job p q 1x5", 2, 2}, /* does not fit */
    {"node n0 4; queue q; job x q 2x1@n0!,n0!; job p q 1x3", 1,
     0}, /* one of the idle devices with two of the others */
    {"node n0 4; queue q; job x q 2x1@n0!,n0!; job p q 1x4", 0, 0},
};

START_TEST(whole_devices_are_counted)
{
    struct story s;
    char text[128];
    struct policy_node_info info = {.size = sizeof info};
    (void)snprintf(text, sizeof text, "opt actions=allocate; %s", infos[_i].text);
    story_open(&s, text);
    char unused[256];
    (void)story_decide(&s, unused, sizeof unused);
    ck_assert_int_eq(policy_node_info(s.p, story_node(&s, "n0"), &info), POLICY_OK);
    ck_assert_int_eq(info.idle, infos[_i].idle);
    ck_assert_int_eq(info.releasing, infos[_i].releasing);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nodes");
    TCase *tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, fitting_tasks, 0, ROWS(rows));
    tcase_add_test(tcase, broken_devices_take_nothing_new);
    tcase_add_test(tcase, memory_in_thousandths);
    tcase_add_loop_test(tcase, whole_devices_are_counted, 0, ROWS(infos));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
