/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heap against a plain array that is scanned for its smallest element. */
#include "sim/base/heap.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

#include <stdint.h>

enum { MOST = 64, STEPS = 20000 };

struct entry {
    uint32_t key, number; /* keys repeat, numbers do not */
};

static bool before(const struct entry *a, const struct entry *b)
{
    return a->key != b->key ? a->key < b->key : a->number < b->number;
}

HEAP(entry, struct entry, before)

static uint32_t draw(uint64_t *state, uint32_t below)
{
    return (uint32_t)(test_draw(state) % below);
}

static struct entry take_least(struct entry *of, size_t *count)
{
    size_t least = 0;
    for (size_t i = 1; i < *count; i++)
        if (before(&of[i], &of[least]))
            least = i;
    struct entry found = of[least];
    of[least] = of[--*count];
    return found;
}

static void same(struct entry got, struct entry expected)
{
    ck_assert_uint_eq(got.key, expected.key);
    ck_assert_uint_eq(got.number, expected.number);
}

START_TEST(elements_leave_in_order)
{
    struct entry heap[MOST], model[MOST];
    size_t count = 0, model_count = 0;
    uint64_t state = 1;
    for (uint32_t step = 0; step < STEPS; step++) {
        if (count < MOST && (count == 0 || draw(&state, 2) == 0)) {
            struct entry added = {draw(&state, 20), step};
            entry_put(heap, &count, added);
            model[model_count++] = added;
        } else {
            same(entry_take(heap, &count), take_least(model, &model_count));
        }
        ck_assert_uint_eq(count, model_count);
    }
}
END_TEST

START_TEST(an_array_becomes_a_heap)
{
    uint64_t state = 2;
    for (size_t n = 0; n <= MOST; n++) {
        struct entry heap[MOST], model[MOST];
        for (size_t i = 0; i < n; i++)
            heap[i] = model[i] = (struct entry){draw(&state, 10), (uint32_t)i};
        size_t count = n, model_count = n;
        entry_make(heap, count);
        while (count > 0)
            same(entry_take(heap, &count), take_least(model, &model_count));
    }
}
END_TEST

START_TEST(a_first_element_that_grew_sinks)
{
    struct entry heap[MOST];
    size_t count = 0;
    for (uint32_t i = 0; i < MOST; i++)
        entry_put(heap, &count, (struct entry){i, i});
    heap[0].key = MOST / 2;
    entry_sink(heap, count, 0);
    for (uint32_t i = 1; i < MOST / 2; i++)
        ck_assert_uint_eq(entry_take(heap, &count).number, i);
    ck_assert_uint_eq(entry_take(heap, &count).number, 0);
    ck_assert_uint_eq(entry_take(heap, &count).number, MOST / 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heap");
    TCase *tcase = tcase_create("heap");
    tcase_add_test(tcase, elements_leave_in_order);
    tcase_add_test(tcase, an_array_becomes_a_heap);
    tcase_add_test(tcase, a_first_element_that_grew_sinks);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
