/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for parameters with distances whose minimum is known. The source is in no library. */
#include "sim/calibrate/fit.c"

#include "tests/lib/harness.h"

static struct fit fit;
static struct err err;

static void setup(void)
{
    fit = (struct fit){.count = 0};
    err = (struct err){0};
}

static void teardown(void)
{
    fit_fini(&fit);
}

static double value_of(const struct fit *f, size_t i, double otherwise)
{
    return f->keys[i].set ? f->keys[i].value : otherwise;
}

/* |x - 60|, 100 without a value. */
static bool valley(void *self, const struct fit *f, double *distance, struct err *e)
{
    (void)self;
    (void)e;
    *distance = fabs(value_of(f, 0, 160) - 60);
    return true;
}

START_TEST(a_valley_is_found)
{
    ck_assert(fit_add(&fit, "policy.cycle_s", &err));
    fit.measure = valley;
    ck_assert(fit_search(&fit, &err));
    ck_assert(fit.keys[0].set);
    ck_assert_double_eq_tol(fit.keys[0].value, 60, 1);
    ck_assert_double_eq(fit.before, 100);
    ck_assert_double_le(fit.after, 1);
    ck_assert_int_le(fit.tries, 1 + 24 + 2 + SECTIONS);
}
END_TEST

/* (x - 3)^2 + (y - 70)^2 / 100 + 1: the keys do not depend on each other. */
static bool bowl(void *self, const struct fit *f, double *distance, struct err *e)
{
    double x = value_of(f, 0, 0), y = value_of(f, 1, 0);
    (void)self;
    (void)e;
    *distance = (x - 3) * (x - 3) + (y - 70) * (y - 70) / 100 + 1;
    return true;
}

START_TEST(two_keys_one_after_the_other)
{
    ck_assert(fit_add(&fit, "a=0..8", &err));
    ck_assert(fit_add(&fit, "b=0..1000", &err));
    fit.measure = bowl;
    ck_assert(fit_search(&fit, &err));
    ck_assert_double_eq(fit.before, 59); /* 9 + 49 + 1 */
    ck_assert_double_eq_tol(fit.keys[0].value, 3, 0.1);
    ck_assert_double_eq_tol(fit.keys[1].value, 70, 8);
    ck_assert_double_le(fit.after, 1 + 0.01 + 0.64);
}
END_TEST

static bool flat(void *self, const struct fit *f, double *distance, struct err *e)
{
    (void)self;
    (void)e;
    *distance = 5 + 1e-6 * value_of(f, 0, 0);
    return true;
}

/* The scenario's own value, 0, is the best one. */
static bool rising(void *self, const struct fit *f, double *distance, struct err *e)
{
    (void)self;
    (void)e;
    *distance = 5 + value_of(f, 0, 0);
    return true;
}

START_TEST(unrelated_keys_stay_as_they_are)
{
    ck_assert(fit_add(&fit, "policy.cycle_s", &err));
    fit.measure = flat;
    ck_assert(fit_search(&fit, &err));
    ck_assert(!fit.keys[0].set && fit.keys[0].flat);
    ck_assert_double_eq(fit.after, fit.before);
    fit.measure = rising;
    ck_assert(fit_search(&fit, &err));
    ck_assert(!fit.keys[0].set && !fit.keys[0].flat);
}
END_TEST

/* Fails when the key is above 100. */
static bool broken(void *self, const struct fit *f, double *distance, struct err *e)
{
    (void)self;
    *distance = 1;
    return value_of(f, 0, 0) <= 100 || err_set(e, EXIT_INPUT, "no run");
}

START_TEST(a_failure_ends_the_search)
{
    ck_assert(fit_add(&fit, "policy.cycle_s", &err));
    fit.measure = broken;
    ck_assert(!fit_search(&fit, &err));
    ck_assert_str_eq(err.msg, "no run");
    ck_assert_int_eq(fit.tries, 1 + 16); /* 0 1 2 3 5 6 9 10 15 20 30 45 60 90 100 150 */
}
END_TEST

START_TEST(keys_as_given)
{
    static const char *const wrong[] = {"x=1",    "x=5..5",       "x=9..5",  "x=-1..5",  "=0..5",
                                        "x=a..b", "policy.cycle", "x=1..2z", "x=0..1e13"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(!fit_add(&fit, wrong[i], &err), "%s", wrong[i]);
        ck_assert_int_eq(err.code, EXIT_INPUT);
    }
    ck_assert(!fit_add(&fit, "policy.cycle_", &err));
    harness_contains(err.msg, "did you mean 'policy.cycle_s'?");
    ck_assert(fit_add(&fit, "a.b=0.5..2", &err));
    ck_assert_str_eq(fit.keys[0].key, "a.b");
    ck_assert_double_eq(fit.keys[0].low, 0.5);
    for (int i = 1; i < FIT_KEYS; i++)
        ck_assert(fit_add(&fit, "x=0..1", &err));
    ck_assert(!fit_add(&fit, "x=0..1", &err));
    ck_assert_uint_eq(fit.count, FIT_KEYS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit");
    TCase *tcase = tcase_create("fit");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_valley_is_found);
    tcase_add_test(tcase, two_keys_one_after_the_other);
    tcase_add_test(tcase, unrelated_keys_stay_as_they_are);
    tcase_add_test(tcase, a_failure_ends_the_search);
    tcase_add_test(tcase, keys_as_given);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
