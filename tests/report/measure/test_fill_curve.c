/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve of a packing study: buckets, means and neighbours of a study small enough to compute by
 * hand. */
#include "report/measure/frag.h"
#include "tests/sim/small.h"

#include <cjson/cJSON.h>

static cJSON *run(struct small *s, const int64_t *order, size_t count)
{
    struct fill_curve curve;
    small_observe(s, fill_curve_observer(&curve));
    ck_assert(small_create(s));
    fill_curve_init(&curve, s->sim, s->jobs, s->job_count);
    ck_assert_msg(sim_fill(s->sim, s->jobs, order, count, &s->err) && sim_finish(s->sim, &s->err),
                  "%s", s->err.msg);
    struct out *out = out_memory();
    struct json json;
    json_init(&json, out, 0);
    json_begin_object(&json, NULL);
    fill_curve_json(&curve, s->sim, &json);
    json_end_object(&json);
    cJSON *parsed = cJSON_Parse(out_memory_text(out, NULL));
    ck_assert_ptr_nonnull(parsed);
    out_discard(out);
    fill_curve_fini(&curve);
    return parsed;
}

static const cJSON *bucket(const cJSON *json, int percent)
{
    const cJSON *curve = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "fill"), "curve");
    ck_assert_int_eq(cJSON_GetArraySize(curve), FILL_BUCKETS);
    const cJSON *found = cJSON_GetArrayItem(curve, percent);
    ck_assert_int_eq(cJSON_GetObjectItem(found, "arrived_pct")->valueint, percent);
    return found;
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    ck_assert_msg(cJSON_IsNumber(item), "%s is no number", key);
    return item->valuedouble;
}

/*
 * 4 GPUs on two nodes; the only typical task wants one whole GPU. Arrivals: a whole GPU (25 %), a
 * half (38 %, 37.5 rounded to even), a half on the same device (50 %), 0 (50 %), 3 GPUs (125 %:
 * does not fit), a whole one (150 %: off the end).
 */
START_TEST(buckets_are_means_over_their_arrivals)
{
    struct small s;
    small_begin(&s, "best-fit", "");
    s.silent = true;
    small_pool(&s, "p", 2, 2);
    for (int i = 0; i < 60; i++) /* 60 of 63 are 95 % */
        small_job(&s, "whole", 0, 0, 1);
    small_job(&s, "half", 0, 0, TRACE_UNKNOWN)->gpus = 1;
    s.jobs[60].gpu_milli = 500;
    small_job(&s, "none", 0, 0, 0);
    small_job(&s, "three", 0, 0, TRACE_UNKNOWN)->gpus = 3;
    static const int64_t order[] = {0, 60, 60, 61, 62, 1};
    cJSON *json = run(&s, order, ROWS(order));
    ck_assert_double_eq_tol(number(bucket(json, 25), "alloc_pct"), 25, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 25), "frag_ratio_pct"), 0, 1e-9);
    /* 2.5 GPUs are free, half of one is too small: 20 % of the free ones, 12.5 % of all. */
    ck_assert_double_eq_tol(number(bucket(json, 38), "alloc_pct"), 37.5, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 38), "frag_ratio_pct"), 20, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 38), "frag_amount_pct"), 12.5, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 50), "alloc_pct"), 50, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 50), "frag_ratio_pct"), 0, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 125), "alloc_pct"), 50, 1e-9);
    /* An empty bucket is the mean of its neighbours, unless they are empty, too. */
    ck_assert_double_eq_tol(number(bucket(json, 37), "alloc_pct"), 37.5, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 51), "alloc_pct"), 50, 1e-9);
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(bucket(json, 0), "alloc_pct")));
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(bucket(json, 130), "frag_ratio_pct")));
    const cJSON *fill = cJSON_GetObjectItem(json, "fill");
    ck_assert_double_eq(number(fill, "failed_tasks"), 1);
    ck_assert_double_eq(number(fill, "arrived_gpus"), 6);
    ck_assert_double_eq(number(fill, "allocated_gpus"), 3);
    cJSON_Delete(json);
    small_end(&s);
}
END_TEST

/* Two arrivals in one bucket, 0 % and 1 % of 200 GPUs. */
START_TEST(several_arrivals_share_a_bucket)
{
    struct small s;
    small_begin(&s, "best-fit", "");
    small_pool(&s, "p", 25, 8);
    small_job(&s, "one", 0, 0, 1);
    small_job(&s, "none", 0, 0, 0);
    static const int64_t order[] = {1, 0, 0}; /* 0, 0.5 (to even: 0), 1 % */
    cJSON *json = run(&s, order, ROWS(order));
    ck_assert_double_eq_tol(number(bucket(json, 0), "alloc_pct"), 0.25, 1e-9);
    ck_assert_double_eq_tol(number(bucket(json, 1), "alloc_pct"), 1, 1e-9);
    cJSON_Delete(json);
    small_end(&s);
}
END_TEST

START_TEST(a_fleet_without_devices_has_no_curve)
{
    struct small s;
    small_begin(&s, "best-fit", "");
    small_pool(&s, "p", 1, 0);
    small_job(&s, "none", 0, 0, 0);
    static const int64_t order[] = {0};
    cJSON *json = run(&s, order, 1);
    for (int b = 0; b < FILL_BUCKETS; b++)
        ck_assert(cJSON_IsNull(cJSON_GetObjectItem(bucket(json, b), "alloc_pct")));
    cJSON_Delete(json);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_curve");
    TCase *tcase = tcase_create("curve");
    tcase_add_test(tcase, buckets_are_means_over_their_arrivals);
    tcase_add_test(tcase, several_arrivals_share_a_bucket);
    tcase_add_test(tcase, a_fleet_without_devices_has_no_curve);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
