/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task-by-task scheduling: which task is next, and that the heap returns tasks in that order. */
#include "order/task_queue.h"

#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

/* Four jobs: 0 and 1 of one priority and time, 2 later, 3 of a higher priority and later still. */
static struct pc_job jobs[] = {
    {.key = {0, 10}, .rank = 1},
    {.key = {0, 10}, .rank = 2},
    {.key = {0, 20}, .rank = 3},
    {.key = {-50, 30}, .rank = 4},
};

static const struct {
    const char *what;
    struct pc_queued_task a, b; /* a comes before b */
    bool turns;
} rows[] = {
    {"priority before all else",
     {.job = 3, .stage = PC_POD_WAITS},
     {.job = 0, .stage = PC_POD_KEEPS},
     false},
    {"at equal priority the one with a place",
     {.job = 2, .stage = PC_POD_KEEPS},
     {.job = 0, .stage = PC_POD_WAITS},
     false},
    {"the time of submission",
     {.job = 1, .stage = PC_POD_WAITS, .task = 7},
     {.job = 2, .stage = PC_POD_WAITS},
     false},
    {"all tasks of the first",
     {.job = 0, .stage = PC_POD_WAITS, .task = 7},
     {.job = 1, .stage = PC_POD_WAITS},
     false},
    {"one of each in turn",
     {.job = 1, .stage = PC_POD_WAITS},
     {.job = 0, .stage = PC_POD_WAITS, .task = 1},
     true},
    {"of equal tasks the first job",
     {.job = 0, .stage = PC_POD_WAITS, .task = 1},
     {.job = 1, .stage = PC_POD_WAITS, .task = 1},
     true},
    {"of a job the first task",
     {.job = 0, .stage = PC_POD_WAITS, .task = 1},
     {.job = 0, .stage = PC_POD_WAITS, .task = 2},
     false},
    {"turns only of what came together",
     {.job = 1, .stage = PC_POD_WAITS, .task = 9},
     {.job = 2, .stage = PC_POD_WAITS},
     true},
};

static struct policy *make(struct tally *tally, struct pc_cluster *c, struct policy *p, bool turns)
{
    *c = (struct pc_cluster){.jobs = jobs, .job_count = 4};
    *p = (struct policy){.cluster = c, .memory = {tally_allocator(tally)}};
    p->config.pods.order = turns ? POLICY_PODS_IN_TURNS : POLICY_PODS_BY_JOB;
    return p;
}

START_TEST(the_next_task)
{
    struct tally tally = {0};
    struct pc_cluster c;
    struct policy room;
    const struct policy *p = make(&tally, &c, &room, rows[_i].turns);
    ck_assert_msg(pc_queued_task_before(p, &rows[_i].a, &rows[_i].b), "%s", rows[_i].what);
    ck_assert_msg(!pc_queued_task_before(p, &rows[_i].b, &rows[_i].a), "%s", rows[_i].what);
}
END_TEST

/* Whatever is pushed and popped in between, the first entry is returned. */
START_TEST(the_heap_hands_out_the_first)
{
    enum { MOST = 60 };
    struct tally tally = {0};
    struct pc_cluster c;
    struct policy room;
    struct policy *p = make(&tally, &c, &room, _i % 2 == 1);
    struct pc_queued_task in[MOST];
    uint32_t count = 0;
    uint64_t random = (uint64_t)_i + 1;
    for (int step = 0; step < 400; step++) {
        if (count < MOST && test_draw(&random) % 5 < 3) {
            in[count] = (struct pc_queued_task){.job = (uint32_t)(test_draw(&random) % 4),
                                                .task = (uint32_t)step, /* entries are unique */
                                                .stage = (uint8_t)(test_draw(&random) % 2)};
            ck_assert(pc_task_queue_push(p, &in[count++]));
            continue;
        }
        struct pc_queued_task first;
        ck_assert_int_eq(pc_task_queue_pop(p, &first), count > 0);
        if (count == 0)
            continue;
        uint32_t best = 0;
        for (uint32_t i = 1; i < count; i++)
            best = pc_queued_task_before(p, &in[i], &in[best]) ? i : best;
        ck_assert_uint_eq(first.task, in[best].task);
        in[best] = in[--count];
    }
    pc_release(&p->memory, c.pods.of, c.pods.capacity, sizeof *c.pods.of);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(no_memory_is_said)
{
    struct tally tally = {.fail_at = 1};
    struct pc_cluster c;
    struct policy room;
    struct policy *p = make(&tally, &c, &room, false);
    ck_assert(!pc_task_queue_push(p, &rows[0].a));
    ck_assert(c.out_of_memory);
    ck_assert_uint_eq(c.pods.count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("task queue");
    TCase *tcase = tcase_create("task queue");
    tcase_add_loop_test(tcase, the_next_task, 0, ROWS(rows));
    tcase_add_loop_test(tcase, the_heap_hands_out_the_first, 0, harness_repeats(8));
    tcase_add_test(tcase, no_memory_is_said);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
