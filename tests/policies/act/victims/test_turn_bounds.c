/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a queue takes back in a trial before the job's turn. Jobs j0, j1, ... of queue B run on 4
 * nodes of 8 devices; a job of queue A, which has nothing, looks for victims. B is older, which
 * breaks ties. Queues are compared by: within their quota with the next job, then the share
 * (allocation with it / quota), then the share without it.
 */
#include "act/victims/turn_bounds.h"
#include "state/engine.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

struct size {
    int32_t tasks, devices;
};

struct row {
    const char *name;
    int32_t quota_b, quota_a; /* devices */
    struct size b[4], a;
    uint32_t evicted; /* bits of j0, j1, ... */
    int32_t least;
    bool alike;
    int64_t late, largest; /* devices */
};

#define FOUR                                                                                       \
    {                                                                                              \
        {1, 8}, {1, 8}, {1, 8},                                                                    \
        {                                                                                          \
            1, 8                                                                                   \
        }                                                                                          \
    }
#define GANG_FIRST                                                                                 \
    {                                                                                              \
        {2, 8}, {1, 4}, {1, 8},                                                                    \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }

/* clang-format off */
static const struct row rows[] = {
    {"j3 would take B from 24 to 32 of 16, A is within its quota", 16, 16, FOUR, {1, 8}, 8, 8,
     true, 8, 8},
    {"B 16/16, A 8/16: all come after the job, which leaves 2 of 3 places", 16, 16, FOUR, {1, 8},
     14, 8, true, 8, 8},
    {"B 8/16, A 8/16: j0 is first as B is older, the job leaves 2 of 3 places to the others", 16,
     16, FOUR, {1, 8}, 15, 8, true, 8, 8},
    {"B 8/16, A 16/16: j0 is first; then 16/16 each, and B has 8 already: 1 of 3 places is left",
     16, 16, FOUR, {2, 8}, 15, 8, true, 16, 8},
    {"A 24/16: B is first while within its quota; then 24/16 each, and no place is left", 16, 16,
     FOUR, {3, 8}, 15, 8, true, 16, 8},
    {"j0 is first; the gang finds 1 place, and may find another one elsewhere", 16, 16, { {1, 8},
     {2, 8}, {1, 8}, {0, 0} }, {2, 8}, 7, 8, true, 24, 16},
    {"B 16/24 and 20/24, A 8/8: both first; j2 would be the 28th of 24", 24, 8, GANG_FIRST, {1, 8},
     7, 8, true, 8, 8},
    {"the gang of two is the first of all, and returns to its places", 24, 8, GANG_FIRST, {1, 8}, 7,
     8, false, 8, 8},
    {"as the second one it may find no room where the job finds some", 64, 8, { {1, 4}, {2, 8},
     {0, 0}, {0, 0} }, {1, 8}, 3, 8, false, 16, 16},
    {"j1 is late, and counts among tasks with 4", 20, 8, { {2, 8}, {2, 4}, {0, 0}, {0, 0} }, {1,
     8}, 3, 4, true, 8, 8},
    {"but not among those with 8", 20, 8, { {2, 8}, {2, 4}, {0, 0}, {0, 0} }, {1, 8}, 3, 8, true,
     0, 0},
};
/* clang-format on */

static struct policy *with_nodes(struct tally *tally)
{
    struct policy *p = core_create(tally, "runai", "");
    for (uint32_t i = 0; i < 4; i++)
        core_node(p, i, 8);
    return p;
}

static policy_queue add_queue_below(struct policy *p, policy_queue parent, uint32_t rank,
                                    int32_t devices)
{
    const struct policy_share open = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    int64_t quota = (int64_t)devices * POLICY_WHOLE;
    const struct policy_queue_spec spec = {.size = sizeof spec,
                                           .parent = parent,
                                           .priority = 100,
                                           .rank = rank,
                                           .gpu = {quota, POLICY_UNLIMITED, quota},
                                           .cpu = open,
                                           .mem = open,
                                           .preempt_min_runtime_ms = POLICY_INHERIT,
                                           .reclaim_min_runtime_ms = POLICY_INHERIT};
    policy_queue q = policy_add_queue(p, 0, &spec);
    p->cluster->queues[q.i].allocatable.of[PC_GPU] = quota;
    return q;
}

static policy_queue add_queue(struct policy *p, uint32_t rank, int32_t devices)
{
    return add_queue_below(p, (policy_queue){POLICY_NO_ID}, rank, devices);
}

static policy_job submit(struct policy *p, policy_queue q, uint64_t rank, struct size size)
{
    struct policy_role role = core_role(size.tasks, core_devices(size.devices));
    role.min_tasks = size.tasks;
    struct policy_job_spec spec = core_job_spec(q, rank, &role, 1);
    spec.preemptible = true;
    return policy_submit(p, 0, &spec);
}

struct world {
    struct tally tally;
    struct policy *p;
    struct pc_search s;
    uint32_t b;
    policy_job jobs[4];
};

static void open_world(struct world *w, const struct row *row)
{
    static const struct pc_purpose others = {.reach = PC_OTHERS};
    *w = (struct world){0};
    w->p = with_nodes(&w->tally);
    struct pc_cluster *c = w->p->cluster;
    policy_queue b = add_queue(w->p, 0, row->quota_b);
    policy_queue a = add_queue(w->p, 1, row->quota_a);
    for (uint32_t i = 0; i < 4 && row->b[i].tasks > 0; i++)
        w->jobs[i] = submit(w->p, b, i, row->b[i]);
    size_t count;
    const struct policy_decision *d = policy_decide(w->p, 0, &count);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(d[i].kind, POLICY_START);
    w->b = b.i;
    w->s = (struct pc_search){
        .p = w->p, .c = c, .purpose = &others, .job = submit(w->p, a, 4, row->a).i};
    w->s.asks.of[PC_GPU] = (int64_t)row->a.tasks * row->a.devices * POLICY_WHOLE;
    c->queues[b.i].allocatable.of[PC_GPU] = (int64_t)row->quota_b * POLICY_WHOLE;
    c->queues[a.i].allocatable.of[PC_GPU] = (int64_t)row->quota_a * POLICY_WHOLE;
}

static void close_world(struct world *w)
{
    w->p->cluster->evicted.count = 0;
    core_destroy(w->p, &w->tally);
}

static void list_victim(struct world *w, const struct row *row, uint32_t i, int32_t task)
{
    if (task < row->b[i].tasks && (row->evicted >> i & 1) != 0)
        ck_assert(pc_list_victim(&w->s, &w->p->cluster->evicted, w->jobs[i].i, (uint32_t)task));
}

enum order { FIRST_FIRST, LAST_FIRST, TASK_BY_TASK, ORDERS };

static void list_victims(struct world *w, const struct row *row, enum order order)
{
    w->p->cluster->evicted.count = 0;
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++) {
            if (order == TASK_BY_TASK)
                list_victim(w, row, b, (int32_t)a);
            else
                list_victim(w, row, order == FIRST_FIRST ? a : 3 - a, (int32_t)b);
        }
}

/* In whatever order the victims were found. */
START_TEST(counts_what_is_late)
{
    const struct row *row = &rows[_i];
    struct world w;
    open_world(&w, row);
    for (enum order order = 0; order < ORDERS; order++) {
        list_victims(&w, row, order);
        const struct pc_late late = pc_most_late(&w.s, w.b, row->least, row->alike);
        ck_assert_int_eq(late.milli, row->late * POLICY_WHOLE);
        ck_assert_int_eq(late.largest, row->largest * POLICY_WHOLE);
    }
    close_world(&w);
}
END_TEST

static bool is_bounded(const struct world *w)
{
    return pc_most_late(&w->s, w->b, 8, true).milli < INT64_MAX;
}

static bool spares_all(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    (void)p;
    (void)job;
    (void)task;
    (void)node;
    return true;
}

/* Whatever may refuse a victim the place that the job would get, or gives places in another
 * order. */
START_TEST(without_a_known_order_there_is_no_bound)
{
    static const struct pc_purpose all = {.reach = PC_ALL}, own = {.reach = PC_OWN};
    static uint8_t plugin; /* only its address counts */
    struct world w;
    open_world(&w, &rows[0]);
    list_victims(&w, &rows[0], FIRST_FIRST);
    struct pc_cluster *c = w.p->cluster;
    const struct pc_purpose *others = w.s.purpose;
    ck_assert(is_bounded(&w));
    w.s.purpose = &all;
    ck_assert(!is_bounded(&w));
    w.s.purpose = &own;
    ck_assert(!is_bounded(&w));
    w.s.purpose = others;
    w.p->config.backfill = POLICY_EASY;
    ck_assert(!is_bounded(&w));
    w.p->config.backfill = POLICY_NO_BACKFILL;
    c->fixed_milli = 1;
    ck_assert(!is_bounded(&w));
    c->fixed_milli = 0;
    c->reservation.spares = spares_all;
    ck_assert(!is_bounded(&w));
    c->reservation.spares = NULL;
    w.p->plugin = (void *)&plugin;
    ck_assert(!is_bounded(&w));
    w.p->plugin = NULL;
    c->queues[w.b].limited = true; /* may block a victim */
    ck_assert(!is_bounded(&w));
    c->queues[w.b].limited = false;
    ck_assert(is_bounded(&w));
    close_world(&w);
}
END_TEST

/*
 * The same below departments D, the older one, and E. B and C of D have two jobs with 8 devices
 * each: j0, j1 and j2, j3; the job is one of A of E. Each of B and C has half of D's quota, and A
 * all of E's.
 */
static const struct tree_row {
    const char *name;
    int32_t quota_d, quota_e; /* devices */
    int32_t a;                /* devices requested by the job */
    uint32_t evicted;
    bool alike;
    int64_t late; /* devices */
} tree_rows[] = {
    {"j3 would take D from 24 to 32 of 16, E is within its quota", 16, 16, 8, 8, true, 8},
    {"D 8/16, E 8/16: j0 is first as D is older; then D 16/16, and all others may be lost", 16, 16,
     8, 15, true, 24},
    {"D 8/48, 16/48, E 8/16: j0 and j2 are first; then 24/48, and D has more already", 48, 16, 8,
     15, true, 16},
    {"D 32/64, E 4/4: j0 comes first, and returns, though it is larger than the job", 64, 4, 4, 1,
     false, 0},
    {"j1, too, but where j0 went is not known: j1 may be lost", 64, 4, 4, 3, false, 8},
    {"D 32/32, E 8/16: the job is first", 32, 16, 8, 1, true, 8},
};

START_TEST(counts_what_is_late_below_departments)
{
    const struct tree_row *row = &tree_rows[_i];
    struct tally tally = {0};
    struct policy *p = with_nodes(&tally);
    struct pc_cluster *c = p->cluster;
    static const struct pc_purpose others = {.reach = PC_OTHERS};
    struct pc_search s = {.p = p, .c = c, .purpose = &others};
    policy_queue d = add_queue(p, 0, row->quota_d);
    policy_queue e = add_queue(p, 1, row->quota_e);
    policy_queue b[2] = {add_queue_below(p, d, 2, row->quota_d / 2),
                         add_queue_below(p, d, 3, row->quota_d / 2)};
    policy_queue a = add_queue_below(p, e, 4, row->quota_e);
    policy_job jobs[4];
    for (uint32_t i = 0; i < 4; i++)
        jobs[i] = submit(p, b[i / 2], i, (struct size){1, 8});
    size_t count;
    ck_assert_ptr_nonnull(policy_decide(p, 0, &count));
    ck_assert_uint_eq(count, 4);
    s.job = submit(p, a, 4, (struct size){1, row->a}).i;
    s.asks.of[PC_GPU] = (int64_t)row->a * POLICY_WHOLE;
    for (uint32_t q = 0; q < c->queue_count; q++)
        c->queues[q].allocatable.of[PC_GPU] = c->queues[q].quota.of[PC_GPU];
    for (uint32_t i = 0; i < 4; i++)
        if ((row->evicted >> i & 1) != 0)
            ck_assert(pc_list_victim(&s, &c->evicted, jobs[i].i, 0));
    const struct pc_late late = pc_most_late(&s, d.i, 0, row->alike);
    ck_assert_int_eq(late.milli, row->late * POLICY_WHOLE);
    ck_assert_int_eq(late.largest, row->late > 0 ? 8 * POLICY_WHOLE : 0);
    ck_assert_int_eq(c->queues[d.i].allocated.of[PC_GPU], 32 * POLICY_WHOLE);
    c->evicted.count = 0;
    core_destroy(p, &tally);
}
END_TEST

START_TEST(victims_are_alike_when_their_tasks_are)
{
    struct tally tally = {0};
    struct policy *p = with_nodes(&tally);
    struct pc_cluster *c = p->cluster;
    struct pc_search s = {.p = p, .c = c};
    policy_queue b = add_queue(p, 0, 16);
    policy_job gang = submit(p, b, 0, (struct size){2, 8});
    policy_job small = submit(p, b, 1, (struct size){1, 4});
    size_t count;
    ck_assert_ptr_nonnull(policy_decide(p, 0, &count));
    s.job = submit(p, add_queue(p, 1, 16), 2, (struct size){1, 8}).i;
    ck_assert(pc_list_victim(&s, &c->evicted, gang.i, 0) &&
              pc_list_victim(&s, &c->evicted, gang.i, 1));
    ck_assert(pc_victims_alike(&s));
    ck_assert(pc_list_victim(&s, &c->evicted, small.i, 0));
    ck_assert(!pc_victims_alike(&s));
    c->evicted.count = 0;
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("turn bounds");
    TCase *tcase = tcase_create("turns");
    tcase_add_loop_test(tcase, counts_what_is_late, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, without_a_known_order_there_is_no_bound);
    tcase_add_loop_test(tcase, counts_what_is_late_below_departments, 0,
                        sizeof tree_rows / sizeof *tree_rows);
    tcase_add_test(tcase, victims_are_alike_when_their_tasks_are);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
