/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin's saved state moves from one policy to another, in parts; invalid states are refused. */
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"

#include <stdio.h>
#include <string.h>

#define BYTES 5000 /* more than two parts */

/* Counts the jobs passed to it; the rest must arrive unchanged. */
struct counter {
    uint32_t count;
    uint8_t rest[BYTES - 4];
};

static void *make(const struct policy_allocator *memory)
{
    struct counter *counter = memory->resize(memory->user, NULL, 0, sizeof *counter);
    if (counter != NULL)
        memset(counter, 0, sizeof *counter);
    return counter;
}

static void drop(void *self, const struct policy_allocator *memory)
{
    (void)memory->resize(memory->user, self, sizeof(struct counter), 0);
}

/* The first three jobs in their order, all others before them, the last one first. */
static int64_t in_turn(void *self, const struct policy_job_spec *job)
{
    struct counter *counter = self;
    const int64_t count = ++counter->count;
    counter->rest[(size_t)job->rank * 1000] = (uint8_t)(job->rank * 7 + 9);
    return count <= 3 ? count : -count;
}

static size_t save(const void *self, void *bytes, size_t room)
{
    if (room >= sizeof(struct counter))
        memcpy(bytes, self, sizeof(struct counter));
    return sizeof(struct counter);
}

static bool load(void *self, uint32_t version, const void *bytes, size_t size)
{
    if (version != 3 || size != sizeof(struct counter))
        return false;
    memcpy(self, bytes, size);
    return true;
}

static const struct policy_plugin plugin = {POLICY_PLUGIN_HEAD("counts", "others first"),
                                            .create = make,
                                            .destroy = drop,
                                            .key = in_turn,
                                            .state_version = 3,
                                            .save = save,
                                            .load = load};

/* ---- helpers ---- */

static struct policy *policy_of(struct tally *tally, const struct policy_plugin *of)
{
    struct policy *p = plugin_create(tally, of, "");
    core_node(p, 0, 1);
    (void)core_queue(p, NULL, 0);
    return p;
}

static void submit(struct policy *p, uint64_t first, uint64_t last)
{
    for (uint64_t rank = first; rank <= last; rank++)
        core_submit(p, 0, (policy_queue){0}, rank, 1, core_devices(1));
}

/* Record i of the plugin's state; false: past the last. */
static bool part_of(const struct policy *p, int i, struct policy_history *h)
{
    *h = (struct policy_history){.size = sizeof *h};
    for (uint64_t next = 0; policy_history(p, &next, h);)
        if (h->kind == POLICY_HISTORY_PLUGIN && i-- == 0)
            return true;
    return false;
}

/* Gives all parts to another one; returns the first status that is not OK. */
static int hand_over(const struct policy *from, struct policy *to)
{
    struct policy_history h;
    int status = POLICY_OK;
    for (int i = 0; status == POLICY_OK && part_of(from, i, &h); i++)
        status = policy_set_history(to, 0, &h);
    return status;
}

static bool same_state(const struct policy *a, const struct policy *b)
{
    struct policy_history x, y;
    int i = 0;
    for (; part_of(a, i, &x); i++)
        if (!part_of(b, i, &y) || strcmp(x.data, y.data) != 0 || x.place != y.place ||
            x.count != y.count || x.level != y.level)
            return false;
    return i == 3 && !part_of(b, i, &y); /* 5000 bytes, and "counts" with its 0, in parts of 2048 */
}

/* ---- tests ---- */

START_TEST(the_state_goes_along)
{
    struct tally first = {0}, second = {0}, third = {0};
    char text[64];
    struct policy *a = policy_of(&first, &plugin), *b = policy_of(&second, &plugin);
    struct policy *fresh = policy_of(&third, &plugin);
    submit(a, 1, 3);
    ck_assert(!same_state(a, b));
    ck_assert_int_eq(hand_over(a, b), POLICY_OK);
    ck_assert(same_state(a, b));
    submit(b, 4, 4);
    submit(b, 1, 2); /* as numbers 5 and 6 they come before it */
    submit(fresh, 4, 4);
    submit(fresh, 1, 2);
    ck_assert_str_eq(core_decisions(b, 1, text, sizeof text), "2:0@0[0x01]");
    ck_assert_str_eq(core_decisions(fresh, 1, text, sizeof text), "0:0@0[0x01]");
    core_destroy(a, &first);
    core_destroy(b, &second);
    core_destroy(fresh, &third);
}
END_TEST

START_TEST(parts_that_are_no_state_are_refused)
{
    struct tally first = {0}, second = {0};
    struct policy *a = policy_of(&first, &plugin), *b = policy_of(&second, &plugin);
    struct policy_history h;
    submit(a, 1, 3);
    ck_assert(part_of(a, 1, &h));
    ck_assert_int_eq(policy_set_history(b, 0, &h),
                     POLICY_CONFLICT); /* the previous part is missing */
    static const char *const texts[] = {NULL, "", "0", "0g", "0A"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert(part_of(a, 0, &h));
        h.data = texts[i];
        ck_assert_int_eq(policy_set_history(b, 0, &h), POLICY_INVALID);
    }
    ck_assert(part_of(a, 0, &h));
    h.count = 100;
    ck_assert_int_eq(policy_set_history(b, 0, &h), POLICY_INVALID); /* longer than the whole */
    ck_assert_int_eq(hand_over(a, b), POLICY_OK); /* the failed attempt has no effect */
    core_destroy(a, &first);
    core_destroy(b, &second);
}
END_TEST

START_TEST(another_plugin_or_version_does_not_take_it)
{
    struct tally first = {0}, second = {0}, third = {0}, fourth = {0};
    struct policy_plugin other = plugin, newer = plugin;
    other.name = "sums";
    newer.state_version = 4;
    struct policy *a = policy_of(&first, &plugin), *b = policy_of(&second, &other);
    struct policy *c = policy_of(&third, &newer), *d = policy_of(&fourth, &smallest_first_plugin);
    struct policy_history h;
    submit(a, 1, 3);
    ck_assert_int_eq(hand_over(a, b), POLICY_UNSUPPORTED);
    ck_assert_int_eq(hand_over(c, b), POLICY_UNSUPPORTED);
    ck_assert_int_eq(hand_over(c, a), POLICY_INVALID); /* load() takes version 3 only */
    harness_contains(policy_last_error(a)->message, "the plugin does not take it");
    ck_assert_int_eq(hand_over(a, d), POLICY_UNSUPPORTED);
    ck_assert(!part_of(d, 0, &h));
    core_destroy(a, &first);
    core_destroy(b, &second);
    core_destroy(c, &third);
    core_destroy(d, &fourth);
}
END_TEST

/* Whichever allocation fails: the fact is refused, or a record says that there is no state, and a
 * repetition succeeds. */
START_TEST(without_memory_nothing_is_taken)
{
    for (uint64_t n = 1; n < 40; n++) {
        struct tally first = {0}, second = {0};
        struct policy *a = policy_of(&first, &plugin), *b = policy_of(&second, &plugin);
        struct policy_history h;
        submit(a, 1, 3);
        second.fail_at = second.calls + n;
        first.fail_at = first.calls + n;
        bool saved = part_of(a, 0, &h) && h.count > 0;
        ck_assert(saved || first.failed);
        int status = saved ? hand_over(a, b) : POLICY_NO_MEMORY;
        ck_assert(status == POLICY_OK || first.failed || second.failed);
        first.fail_at = second.fail_at = 0;
        ck_assert_int_eq(hand_over(a, b), POLICY_OK);
        ck_assert(same_state(a, b));
        core_destroy(a, &first);
        core_destroy(b, &second);
    }
}
END_TEST

START_TEST(names_are_stored_on_request)
{
    struct tally tally = {0};
    struct policy *p = policy_of(&tally, &plugin);
    char longest[257];
    memset(longest, 'x', 256);
    longest[255] = '\0';
    ck_assert_int_eq(policy_set_name(p, 0, POLICY_NAME_TYPE, 0, "H100"), POLICY_OK);
    ck_assert_int_eq(policy_set_name(p, 0, POLICY_NAME_TYPE, 63, longest), POLICY_OK);
    ck_assert_int_eq(policy_set_name(p, 0, POLICY_NAME_TYPE, 64, "H100"), POLICY_INVALID);
    ck_assert_int_eq(policy_set_name(p, 0, 3, 0, "H100"), POLICY_INVALID);
    longest[255] = 'x';
    longest[256] = '\0';
    ck_assert_int_eq(policy_set_name(p, 0, POLICY_NAME_POOL, 0, longest), POLICY_INVALID);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_state");
    TCase *tcase = tcase_create("plugin_state");
    tcase_add_test(tcase, the_state_goes_along);
    tcase_add_test(tcase, parts_that_are_no_state_are_refused);
    tcase_add_test(tcase, another_plugin_or_version_does_not_take_it);
    tcase_add_test(tcase, without_memory_nothing_is_taken);
    tcase_add_test(tcase, names_are_stored_on_request);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
