/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event queue against a plain array that is scanned for its smallest element. */
#include "sim/kernel/events.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <stdlib.h>

enum { MOST = 4096, SEVERAL_KINDS = 16 };

struct model {
    struct event events[MOST]; /* in the order of scheduling */
    size_t count;
};

static bool before(const struct event *a, const struct event *b)
{
    return a->time_ms != b->time_ms ? a->time_ms < b->time_ms : a->kind < b->kind;
}

/* The first of the smallest: equal events leave in the order of scheduling. */
static struct event model_pop(struct model *model)
{
    size_t least = 0;
    for (size_t i = 1; i < model->count; i++)
        if (before(&model->events[i], &model->events[least]))
            least = i;
    struct event found = model->events[least];
    for (size_t i = least + 1; i < model->count; i++)
        model->events[i - 1] = model->events[i];
    model->count--;
    return found;
}

static void both_push(struct event_queue *queue, struct model *model, struct event event)
{
    event_push(queue, event.time_ms, event.kind, event.subject);
    model->events[model->count++] = event;
}

static void both_pop(struct event_queue *queue, struct model *model)
{
    struct event expected = model_pop(model);
    ck_assert_int_eq(event_next_time(queue), expected.time_ms);
    struct event got = event_pop(queue);
    ck_assert_int_eq(got.time_ms, expected.time_ms);
    ck_assert_uint_eq(got.kind, expected.kind);
    ck_assert_uint_eq(got.subject, expected.subject);
    ck_assert_uint_eq(queue->count, model->count);
}

static bool is_third(const void *self, const struct event *event)
{
    return event->subject % 3 == *(const uint32_t *)self;
}

static void both_drop(struct event_queue *queue, struct model *model, uint32_t rest)
{
    size_t kept = 0;
    for (size_t i = 0; i < model->count; i++)
        if (!is_third(&rest, &model->events[i]))
            model->events[kept++] = model->events[i];
    model->count = kept;
    event_drop(queue, is_third, &rest);
    ck_assert_uint_eq(queue->count, kept);
}

START_TEST(an_empty_queue_has_no_time)
{
    struct event_queue queue;
    event_queue_init(&queue);
    ck_assert_int_eq(event_next_time(&queue), INT64_MAX);
    ck_assert_uint_eq(queue.count, 0);
    event_queue_fini(&queue);
}
END_TEST

/* Times from one value to ranges with few ties. Growing, shrinking, up and down. */
static const struct {
    int64_t span;
    uint64_t push_of_ten;
    int steps;
} mixes[] = {
    {1, 5, 4000},
    {3, 6, 4000},
    {40, 5, 4000},
    {1000, 7, 4000},
    {INT64_C(1) << 40, 5, 4000},
    {INT64_C(1) << 62, 6, 4000},
};

START_TEST(any_mixture_comes_out_in_order)
{
    struct event_queue queue;
    struct model *model = calloc(1, sizeof *model);
    event_queue_init(&queue);
    uint64_t random = (uint64_t)_i;
    for (int step = 0; step < mixes[_i].steps; step++) {
        if (model->count == 0 ||
            (test_draw(&random) % 10 < mixes[_i].push_of_ten && model->count < 700)) {
            int64_t time =
                (int64_t)(test_draw(&random) % (uint64_t)mixes[_i].span) - mixes[_i].span / 2;
            both_push(&queue, model,
                      (struct event){time, (enum event_kind)(test_draw(&random) % SEVERAL_KINDS),
                                     (uint32_t)test_draw(&random) & EVENT_MAX_SUBJECT});
        } else {
            both_pop(&queue, model);
        }
        if (step % 499 == 498)
            both_drop(&queue, model, (uint32_t)step % 4); /* by 3: nothing is dropped */
    }
    while (model->count > 0)
        both_pop(&queue, model);
    ck_assert_int_eq(event_next_time(&queue), INT64_MAX);
    event_queue_fini(&queue);
    free(model);
}
END_TEST

/* Every size around which a 4-ary heap gains a level or a group of siblings. */
START_TEST(every_size_comes_out_sorted)
{
    int n = _i;
    static const int patterns[] = {1, -1, 37, 0};
    for (int p = 0; p < ROWS(patterns); p++) {
        struct event_queue queue;
        struct model *model = calloc(1, sizeof *model);
        event_queue_init(&queue);
        for (int i = 0; i < n; i++) /* rising, falling, mixed, all equal */
            both_push(&queue, model,
                      (struct event){(int64_t)i * patterns[p] % 101, EVENT_JOB_END, (uint32_t)i});
        while (model->count > 0)
            both_pop(&queue, model);
        event_queue_fini(&queue);
        free(model);
    }
}
END_TEST

START_TEST(ties_follow_kind_then_scheduling)
{
    struct event_queue queue;
    event_queue_init(&queue);
    enum event_kind late = (enum event_kind)3;
    event_push(&queue, 7, late, 1);
    event_push(&queue, 7, EVENT_JOB_END, 2);
    event_push(&queue, 6, late, 3);
    event_push(&queue, 7, EVENT_JOB_END, 1);
    ck_assert_uint_eq(event_pop(&queue).subject, 3);
    event_push(&queue, 7, EVENT_JOB_END,
               0); /* scheduled last, so it comes last despite its small subject */
    static const uint32_t rest[] = {2, 1, 0, 1};
    for (int i = 0; i < ROWS(rest); i++)
        ck_assert_uint_eq(event_pop(&queue).subject, rest[i]);
    event_queue_fini(&queue);
}
END_TEST

START_TEST(the_whole_range_of_times_is_ordered)
{
    static const int64_t times[] = {INT64_MIN, INT64_MIN + 1, -1000,         -1,       0,
                                    1,         1000,          INT64_MAX - 1, INT64_MAX};
    struct event_queue queue;
    event_queue_init(&queue);
    for (int i = ROWS(times); i-- > 0;)
        event_push(&queue, times[i], EVENT_JOB_END, EVENT_MAX_SUBJECT - (uint32_t)i);
    for (int i = 0; i < ROWS(times); i++) {
        struct event event = event_pop(&queue);
        ck_assert_int_eq(event.time_ms, times[i]);
        ck_assert_uint_eq(event.subject, EVENT_MAX_SUBJECT - (uint32_t)i);
    }
    event_queue_fini(&queue);
}
END_TEST

START_TEST(a_closed_queue_may_be_used_again)
{
    struct event_queue queue;
    event_queue_init(&queue);
    for (uint32_t i = 0; i < 100; i++)
        event_push(&queue, 5, EVENT_JOB_END, i);
    event_queue_fini(&queue);
    event_queue_init(&queue);
    event_push(&queue, 5, EVENT_JOB_END, 9);
    ck_assert_uint_eq(event_pop(&queue).subject, 9);
    event_queue_fini(&queue);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tcase = tcase_create("events");
    tcase_add_test(tcase, an_empty_queue_has_no_time);
    tcase_add_loop_test(tcase, any_mixture_comes_out_in_order, 0, ROWS(mixes));
    tcase_add_loop_test(tcase, every_size_comes_out_sorted, 0, 90);
    tcase_add_test(tcase, ties_follow_kind_then_scheduling);
    tcase_add_test(tcase, the_whole_range_of_times_is_ordered);
    tcase_add_test(tcase, a_closed_queue_may_be_used_again);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
