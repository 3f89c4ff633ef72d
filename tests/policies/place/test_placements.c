/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of requests not covered by the published rules of a placement: where each placement puts
 * device memory, MIG instances and tasks without devices, as documented in its file.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

static const struct story_row rows[] = {
    {"first-fit: an instance on the first node that makes them",
     "opt actions=allocate placement=first-fit; node n0 4; node n1 4 mig=free; node n2 1 mig=free; "
     "queue q; job x q 1x1g",
     "x/0@n1"},
    {"best-fit: an instance where the fewest devices are free",
     "opt actions=allocate placement=best-fit; node n0 4 mig=free; node n1 2 mig=free; queue q; "
     "job x q 1x1g",
     "x/0@n1"},
    {"best-fit: memory joins the shared device with the least left",
     "opt actions=allocate placement=best-fit; node n0 2 gpumem=10000; node n1 2 gpumem=10000; "
     "queue q;"
     "job a q 1xm2000@n0:0; job b q 1xm5000@n1:1; job x q 1xm3000",
     "x/0@n1:1"},
    {"best-fit: a task without devices where the fewest are free",
     "opt actions=allocate placement=best-fit; node n0 4; node n1 1; queue q; job x q 1xc1",
     "x/0@n1"},
    {"consolidated: the same for an instance",
     "opt actions=allocate placement=consolidated; node n0 4 mig=free; node n1 2 mig=free; queue "
     "q; job x q 1x1g",
     "x/0@n1"},
    {"binpack with quotas follows its options", /* a device that is shared attracts tasks without
                                                    devices */
     "opt actions=allocate placement=binpack; node n0 2 cpu=4; node n1 2 cpu=8; queue q; job a q "
     "1x.5@n1:0; job x q 1xc1",
     "x/0@n1"},
    {"spread: an instance where most is free",
     "opt actions=allocate placement=spread; node n0 2 mig=free; node n1 4 mig=free; queue q; job "
     "a q 1x1g@n0:0; job x q 1x1g",
     "x/0@n1"},
    {"spread: a task without devices where the largest part of the CPUs is free",
     "opt actions=allocate placement=spread; node n0 2 cpu=4; node n1 2 cpu=8; queue q; job a q "
     "1xc1@n0; job b q 1xc1@n1;job x q 1xc1",
     "x/0@n1"},
    {"fgd-best-fit: memory by its share", /* 8000 - 500 against 4000 - 250 thousandths */
     "opt actions=allocate placement=fgd-best-fit; node n0 8 gpumem=10000; node n1 4 gpumem=20000; "
     "queue q; job x q 1xm5000",
     "x/0@n1:0"},
    {"dot-product: the least similar to the task", /* 2 against 8 devices */
     "opt actions=allocate placement=dot-product; node n0 8 mig=free; node n1 2 mig=free; queue q; "
     "job x q 1x7g",
     "x/0@n1:0"},
    {"gpu-packing: an instance next to others before a free device",
     "opt actions=allocate placement=gpu-packing; node n0 1 mig=free; node n1 2 mig=free; queue q; "
     "job a q 1x1g@n1:1;job x q 1x1g",
     "x/0@n1"},
    {"gpu-packing: a device of a node in use before a free node",
     "opt actions=allocate placement=gpu-packing; node n0 2 mig=free; node n1 2 mig=free; queue q; "
     "job a q 1x7g@n1:1;job x q 1x1g",
     "x/0@n1"},
    {"gpu-clustering: instances, memory and shares are of one kind",
     "opt actions=allocate placement=gpu-clustering; node n0 2 gpumem=10000; node n1 2 mig=free; "
     "node n2 2; queue q;job a q 1x1g@n1:0; job x q 1x.5",
     "x/0@n1:1"},
    {"fgd without typical tasks: rank alone, whatever is asked for",
     "opt actions=allocate placement=fgd; node n0 4; node n1 2 mig=free; node n2 1 mig=free; queue "
     "q; job x q 1x1g; job y q 1xc1",
     "x/0@n1 y/0@n0"},
    {"most-allocated: an instance where most slices are taken",
     "opt actions=allocate placement=most-allocated; node n0 2 mig=free; node n1 2 mig=free; queue "
     "q; job a q 1x3g@n1:0;job x q 1x1g",
     "x/0@n1"},
    {"topology: a gang of instances on one node",
     "opt actions=allocate placement=topology; node n0 1 mig=free; node n1 2 mig=free; queue q; "
     "job a q 1x3g@n0:0; job x q 2x4g",
     "x/0@n1:0 x/1@n1:1"},
    {"fits now before fits after release, under any placement",
     "opt actions=allocate placement=fgd-best-fit; node n0 2; node n1 8; queue q; job r q 1x2@n0!; "
     "job x q 1x1",
     "x/0@n1"},
    {"a required label comes before any score",
     "opt actions=allocate placement=gpu-packing; node n0 4; node n1 8 label=1:2; queue q; job r q "
     "1x.5@n0:0; job x q 1x1+k1:2",
     "x/0@n1"},
};

START_TEST(every_kind_has_a_place)
{
    story_expects(rows[_i].text, rows[_i].expected, rows[_i].what);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("placements");
    TCase *tcase = tcase_create("placements");
    tcase_add_loop_test(tcase, every_kind_has_a_place, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
