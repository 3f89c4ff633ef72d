/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules of a policy: created once, in the order of the rows, freed in reverse, and asked to
 * reserve memory before anything changes. */
#include "state/engine.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

static char calls[64];

static void note(char letter)
{
    size_t length = strlen(calls);
    ck_assert_uint_lt(length + 1, sizeof calls);
    calls[length] = letter;
    calls[length + 1] = '\0';
}

static int first_self, second_self;
static bool no_room, no_object;

static void *create_first(struct policy *p)
{
    (void)p;
    note('a');
    return &first_self;
}

static void *create_second(struct policy *p)
{
    (void)p;
    note('b');
    return no_object ? NULL : &second_self;
}

static void destroy(struct policy *p, void *self)
{
    (void)p;
    note(self == &first_self ? 'x' : 'y');
}

static bool reserve(struct policy *p, void *self, uint32_t job, const struct policy_job_spec *spec)
{
    (void)p, (void)job, (void)spec;
    note(self == &first_self ? '1' : '2');
    return !no_room;
}

static const char *complain(const struct policy *p, const void *self)
{
    (void)p, (void)self;
    return "a sum";
}

static const struct pc_module first = {
    .name = "first", .create = create_first, .destroy = destroy, .reserve_job = reserve};
static const struct pc_module second = {
    .name = "second", .create = create_second, .destroy = destroy, .reserve_job = reserve};
static const struct pc_module plain = {.name = "plain"};
static const struct pc_module wrong = {.name = "wrong", .check = complain};

static void setup(void)
{
    calls[0] = '\0';
    no_room = no_object = false;
}

START_TEST(each_is_made_once)
{
    struct policy p = {0};
    ck_assert(pc_module_open(&p, &first));
    ck_assert(pc_module_open(&p, NULL));
    ck_assert(pc_module_open(&p, &second));
    ck_assert(pc_module_open(&p, &first));
    ck_assert(pc_module_open(&p, &plain)); /* without an object */
    ck_assert_uint_eq(p.modules.count, 3);
    ck_assert_ptr_eq(pc_module_self(&p, &first), &first_self);
    ck_assert_ptr_eq(pc_module_self(&p, &second), &second_self);
    ck_assert_ptr_null(pc_module_self(&p, &plain));
    ck_assert_ptr_null(pc_module_self(&p, &wrong));
    pc_modules_close(&p);
    ck_assert_str_eq(calls, "abyx");
    ck_assert_uint_eq(p.modules.count, 0);
}
END_TEST

START_TEST(one_that_cannot_be_made_is_not_there)
{
    struct policy p = {0};
    no_object = true;
    ck_assert(pc_module_open(&p, &first));
    ck_assert(!pc_module_open(&p, &second));
    ck_assert_uint_eq(p.modules.count, 1);
    pc_modules_close(&p);
    ck_assert_str_eq(calls, "abx");
}
END_TEST

START_TEST(room_is_asked_for_until_one_has_none)
{
    struct policy p = {0};
    const struct policy_job_spec spec = {0};
    ck_assert(pc_module_open(&p, &plain));
    ck_assert(pc_module_open(&p, &first));
    ck_assert(pc_module_open(&p, &second));
    ck_assert(pc_modules_reserve_job(&p, 0, &spec));
    no_room = true;
    ck_assert(!pc_modules_reserve_job(&p, 0, &spec));
    ck_assert_str_eq(calls, "ab121");
    pc_modules_job_waits(&p, 0); /* no module is informed */
    pc_modules_close(&p);
}
END_TEST

START_TEST(the_first_complaint_counts)
{
    struct policy p = {0};
    ck_assert(pc_module_open(&p, &plain));
    ck_assert_ptr_null(pc_modules_check(&p));
    ck_assert(pc_module_open(&p, &wrong));
    ck_assert_str_eq(pc_modules_check(&p), "a sum");
    pc_modules_close(&p);
}
END_TEST

/* The state only reports jobs if some module has hooks for them. */
START_TEST(modules_with_job_hooks_hear_of_jobs)
{
    struct policy p = {0};
    ck_assert(pc_module_open(&p, &plain) && pc_module_open(&p, &wrong));
    ck_assert(!p.modules.hear_of_jobs);
    struct tally tally = {0};
    struct policy *srtf = core_create(&tally, "srtf", "");
    ck_assert(srtf->modules.hear_of_jobs);
    core_destroy(srtf, &tally);
}
END_TEST

START_TEST(there_is_room_for_sixteen)
{
    static const struct pc_module many[PC_MOST_MODULES + 1];
    struct policy p = {0};
    for (uint32_t i = 0; i < PC_MOST_MODULES; i++)
        ck_assert(pc_module_open(&p, &many[i]));
    ck_assert(!pc_module_open(&p, &many[PC_MOST_MODULES]));
    ck_assert_uint_eq(p.modules.count, PC_MOST_MODULES);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("modules");
    TCase *tcase = tcase_create("modules");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, each_is_made_once);
    tcase_add_test(tcase, one_that_cannot_be_made_is_not_there);
    tcase_add_test(tcase, room_is_asked_for_until_one_has_none);
    tcase_add_test(tcase, the_first_complaint_counts);
    tcase_add_test(tcase, modules_with_job_hooks_hear_of_jobs);
    tcase_add_test(tcase, there_is_room_for_sixteen);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
