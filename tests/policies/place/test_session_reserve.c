/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices reserved for build sessions: what counts as free, which jobs may have it, and nested
 * queues. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define ALLOCATE "opt actions=allocate; "

static const struct story_row rows[] = {
    {"the rest is for all", ALLOCATE "node n0 4; queue q gpu=2 keeps=2; queue r; job x r 3x1/1",
     "x/0@n0 x/1@n0"},
    {"the sessions of the queue may have it",
     ALLOCATE "node n0 2; queue q gpu=2 keeps=2; job t q 1x1; job b q build 1x2", "b/0@n0"},
    {"sessions of others may not",
     ALLOCATE "node n0 2; queue q gpu=2 keeps=2; queue r; job b r build 1x1", ""},
    {"devices held by sessions are not reserved twice",
     ALLOCATE "node n0 3; queue q gpu=2 keeps=2; queue r; job b q build 1x1@n0;job x r 2x1/1",
     "x/0@n0"},
    {"beyond the reserve a session is like other jobs",
     ALLOCATE "node n0 3; queue q gpu=2 keeps=1; queue r gpu=2 keeps=2;job b q build 1x1@n0; job c "
              "q build 1x1; job d r build 1x1",
     "d/0@n0"},
    {"partly within the reserve: 2 of 3, of which 1 is reserved for them and 1 for others",
     ALLOCATE "node n0 3; queue q gpu=4 keeps=1; queue r gpu=1 keeps=1; job b q build 1x2",
     "b/0@n0"},
    {"more of it than there is next to the reserve",
     ALLOCATE "node n0 2; queue q gpu=4 keeps=1; queue r gpu=1 keeps=1; job b q build 1x2", ""},
    {"shares leave shares", ALLOCATE "node n0 2; queue q gpu=2 keeps=1.5; queue r; job x r 2x.5/1",
     "x/0@n0:0"},
    {"tasks without devices are free to go anywhere",
     ALLOCATE "node n0 1; queue q gpu=1 keeps=1; queue r; job x r 1xc1", "x/0@n0"},
    {"on nodes of other pools nothing is reserved",
     ALLOCATE
     "node n0 1 pool=0; node n1 1 pool=1; queue q gpu=1 keeps=1 pools=0; queue r; job x r 2x1/1",
     "x/0@n1"},
    {"nodes that are down are not there",
     ALLOCATE "node n0 1; node n1 1 down; queue q gpu=1 keeps=1; queue r; job x r 1x1", ""},

    /* MIG instances that are made freely: two devices are two, not fourteen */
    {"devices taken whole by others are gone",
     ALLOCATE "node n0 3 mig=free; queue q gpu=2 keeps=2; queue r; job v r 1x1@n0;job x r 1x1", ""},
    {"cut into instances it is gone too",
     ALLOCATE "node n0 2 mig=free; queue q gpu=2 keeps=2; queue r; job x r 1x1g", ""},
    {"what remains of a device that is cut", /* 1 + 3/7: 3g takes half the memory, 1g a seventh of
                                                the computing */
     ALLOCATE "node n0 2 mig=free; queue q gpu=2 keeps=1.4; queue r; job x r 1x3g; job y r 1x1g",
     "x/0@n0:0"},
    {"and no more than remains of it", /* 3g is half a device by its memory */
     ALLOCATE "node n0 2 mig=free; queue q gpu=2 keeps=1.6; queue r; job x r 1x3g; job y r 1x2g",
     "y/0@n0:0"},
    {"sessions of instances count as in the quota: 3 devices", /* so nothing is left of the 3, and
                                                                  the other device is free */
     ALLOCATE
     "node n0 2 mig=free; queue q gpu=3 keeps=3; queue r; job b q build 1x3g@n0:0; job x r 1x1",
     "x/0@n0"},
    {"instances of fixed counts weigh as in quotas", /* 2 * 3 reserved of 2 * 3 + 2 * 1 */
     ALLOCATE
     "node n0 2 mig=2x3g+2x1g; queue q gpu=6 keeps=6; queue r; job x r 1x3g; job y r 3x1g/1",
     "y/0@n0 y/1@n0"},

    /* queues inside queues */
    {"a department reserves for its teams, not twice",
     ALLOCATE "node n0 8; queue D gpu=8 keeps=4; queue a in=D gpu=4 keeps=4;queue r; job t r 5x1/1",
     "t/0@n0 t/1@n0 t/2@n0 t/3@n0"},
    {"nor is it granted twice",
     ALLOCATE "node n0 8; queue D gpu=8 keeps=4; queue a in=D gpu=4 keeps=4; queue r;job b a build "
              "1x2@n0; job t r 5x1/1",
     "t/0@n0 t/1@n0 t/2@n0 t/3@n0"},
    {"teams together keep more than their department",
     ALLOCATE "node n0 8; queue D gpu=8 keeps=4;"
              "queue a in=D gpu=3 keeps=3; queue b in=D gpu=3 keeps=3; queue r; job t r 3x1/1",
     "t/0@n0 t/1@n0"},
    {"a department reserves more than its teams",
     ALLOCATE "node n0 8; queue D gpu=8 keeps=6; queue a in=D gpu=3 keeps=3;queue r; job t r 3x1/1",
     "t/0@n0 t/1@n0"},
    {"which any of its teams may use",
     ALLOCATE "node n0 4; queue D gpu=4 keeps=4; queue a in=D gpu=2 keeps=2;queue b in=D gpu=4; "
              "job s b build 2x1/1; job t b 1x1",
     "s/0@n0 s/1@n0"},
    {"except what another team reserves",
     ALLOCATE "node n0 4; queue D gpu=4 keeps=4; queue a in=D gpu=2 keeps=2;queue b in=D gpu=4; "
              "job s b build 3x1/1; job u a build 1x1",
     "s/0@n0 s/1@n0 u/0@n0"},
    {"where a team has other nodes, both are reserved",
     ALLOCATE "node n0 2 pool=0; node n1 2 pool=1;"
              "queue D gpu=4 keeps=2; queue a in=D gpu=2 keeps=2 pools=1; queue r; queue s "
              "pools=0; job t r 4x1/1",
     "t/0@n0 t/1@n0"},
};

START_TEST(reserves_are_respected)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kept for sessions");
    TCase *tcase = tcase_create("kept for sessions");
    tcase_add_loop_test(tcase, reserves_are_respected, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
