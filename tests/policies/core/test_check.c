/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_check() notices when something inside is bent: one row, one thing broken. */
#include "core/state.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

static void break_room(struct policy *p)
{
    p->nodes[0].room[5] = 400;
}

static void break_whole(struct policy *p)
{
    p->nodes[0].whole ^= 2;
}

static void break_cpu(struct policy *p)
{
    p->nodes[0].cpu_free--;
}

static void break_tasks(struct policy *p)
{
    p->nodes[0].tasks++;
}

static void break_list(struct policy *p)
{
    pc_bits_remove(&p->sites[0].nodes, p->nodes[1].rank);
}

static void break_stray(struct policy *p)
{
    pc_bits_add(&p->sites[0].by_free[3], 40);
}

static void break_sum(struct policy *p)
{
    p->sites[0].milli++;
}

static void break_type(struct policy *p)
{
    p->sites[0].milli_of_type[0]--;
    p->sites[0].milli_of_type[1]++;
}

static void break_pool(struct policy *p)
{
    p->pools[0].free_milli += 1000;
}

static void break_pending(struct policy *p)
{
    p->groups[p->jobs[1].group].pending++;
}

static void break_first(struct policy *p)
{
    struct pc_entry *e = p->groups[p->jobs[1].group].heap.entries;
    struct pc_entry swap = e[0];
    e[0] = e[1];
    e[1] = swap;
}

static void break_lane(struct policy *p)
{
    p->lanes[0].groups.count = 0;
}

static void break_blocked(struct policy *p)
{
    for (int32_t need = 0; need < PC_NEEDS; need++)
        p->sites[0].waiting[need].count = 0;
}

static void break_backlog(struct policy *p)
{
    p->sites[0].backlog[POLICY_REASON_NEVER_FITS].jobs++;
}

static void break_queue(struct policy *p)
{
    p->queues[0].jobs--;
}

static void break_slots(struct policy *p)
{
    p->slots_free--;
}

static void break_slot(struct policy *p)
{
    p->slots[p->jobs[0].first_slot].devices ^= 0x81;
}

static void break_held(struct policy *p)
{
    p->held_jobs++;
}

static void (*const breaks[])(struct policy *) = {
    break_room,    break_whole,   break_cpu,   break_tasks,   break_list,  break_stray,
    break_sum,     break_type,    break_pool,  break_pending, break_first, break_lane,
    break_blocked, break_backlog, break_queue, break_slots,   break_slot,  break_held,
};

START_TEST(what_is_bent_is_noticed)
{
    struct tally tally = {0};
    struct policy *p =
        core_create(&tally, "slurm", "backfilling=none queue_limits=false placement=first-fit");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_node(p, 1, 8);
    core_submit(p, 0, q, 1, 2, core_devices(5));
    core_submit(p, 0, q, 2, 1, core_devices(8));
    core_submit(p, 0, q, 3, 1, core_devices(8));
    core_decide(p, 0, 2); /* the first starts, the second blocks */
    breaks[_i](p);
    struct policy_error error = {0};
    ck_assert_int_eq(policy_check(p, &error), POLICY_CONFLICT);
    ck_assert_uint_gt(strlen(error.message), 0);
    ck_assert_int_eq(policy_check(p, NULL), POLICY_CONFLICT);
    policy_destroy(p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *tcase = tcase_create("check");
    tcase_add_loop_test(tcase, what_is_bent_is_noticed, 0, ROWS(breaks));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
