/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary of several replicas, from hand-written summaries. */
#include "report/results/replicas.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *combined(const char *const *summaries, int count)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    for (int i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "rep-%d", i + 1);
        folder_sub(&folder, name);
        (void)snprintf(name, sizeof name, "rep-%d/summary.json", i + 1);
        folder_put(&folder, name, summaries[i]);
    }
    ck_assert_msg(replicas_write_summary(folder.path, count, &err), "%s", err.msg);
    char *text = folder_read(&folder, "summary.json");
    cJSON *json = cJSON_Parse(text);
    ck_assert_msg(json != NULL, "no JSON: %s", text);
    free(text);
    folder_remove(&folder);
    return json;
}

static const cJSON *member(const cJSON *json, const char *a, const char *b)
{
    const cJSON *found =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, a), b);
    ck_assert_msg(found != NULL, "no %s.%s", a, b);
    return found;
}

static const char *const three[] = {
    "{\"fauxfleet_summary\": 1, \"scenario\": \"s\", \"trace_digest\": \"a\", \"seed\": 5,"
    " \"wait_s\": {\"p50\": 1, \"p95\": 10, \"max\": null}, \"fill\": null,"
    " \"list\": [{\"x\": 1}, {\"x\": 2}], \"queues\": {\"only first\": 3, \"all\": 1}}",
    "{\"fauxfleet_summary\": 1, \"scenario\": \"s\", \"trace_digest\": \"b\", \"seed\": 6,"
    " \"wait_s\": {\"p50\": 2, \"p95\": null, \"max\": 9}, \"fill\": null,"
    " \"list\": [{\"x\": 3}, {\"x\": 5}], \"queues\": {\"all\": 4}}",
    "{\"fauxfleet_summary\": 1, \"scenario\": \"s\", \"trace_digest\": \"c\", \"seed\": 7,"
    " \"wait_s\": {\"p50\": 6, \"p95\": 30, \"max\": 1}, \"fill\": null,"
    " \"list\": [{\"x\": 5}, {\"x\": 5}], \"queues\": {\"all\": 7}}",
};

START_TEST(numbers_are_means_with_deviations)
{
    cJSON *json = combined(three, 3);
    ck_assert_double_eq_tol(member(json, "wait_s", "p50")->valuedouble, 3, 1e-9);
    const cJSON *sd = cJSON_GetObjectItem(json, "sd");
    ck_assert_double_eq_tol(member(sd, "wait_s", "p50")->valuedouble, 2.645751,
                            1e-6); /* sqrt((4 + 1 + 9) / 2) */
    const cJSON *list = cJSON_GetObjectItem(json, "list");
    ck_assert_int_eq(cJSON_GetArraySize(list), 2);
    ck_assert_double_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "x")->valuedouble, 3);
    ck_assert_double_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 1), "x")->valuedouble, 4);
    ck_assert_double_eq(member(json, "queues", "all")->valuedouble, 4);
    cJSON_Delete(json);
}
END_TEST

START_TEST(null_anywhere_is_null)
{
    cJSON *json = combined(three, 3);
    const cJSON *sd = cJSON_GetObjectItem(json, "sd");
    ck_assert(cJSON_IsNull(member(json, "wait_s", "p95"))); /* in the middle */
    ck_assert(cJSON_IsNull(member(json, "wait_s", "max"))); /* in the first */
    ck_assert(cJSON_IsNull(member(sd, "wait_s", "p95")));
    ck_assert(cJSON_IsNull(member(json, "queues", "only first"))); /* absent in others */
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(json, "fill")));
    cJSON_Delete(json);
}
END_TEST

START_TEST(texts_stay_where_all_agree)
{
    cJSON *json = combined(three, 3);
    ck_assert_str_eq(cJSON_GetObjectItem(json, "scenario")->valuestring, "s");
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(json, "trace_digest")));
    ck_assert_double_eq(cJSON_GetObjectItem(json, "seed")->valuedouble, 5); /* of the first */
    ck_assert_double_eq(cJSON_GetObjectItem(json, "fauxfleet_summary")->valuedouble, 1);
    cJSON_Delete(json);
}
END_TEST

START_TEST(the_parts_are_kept_whole)
{
    cJSON *json = combined(three, 3);
    const cJSON *replicas = cJSON_GetObjectItem(json, "replicas");
    ck_assert_int_eq(cJSON_GetArraySize(replicas), 3);
    for (int i = 0; i < 3; i++) {
        cJSON *part = cJSON_Parse(three[i]);
        ck_assert(cJSON_Compare(cJSON_GetArrayItem(replicas, i), part, true));
        cJSON_Delete(part);
    }
    cJSON_Delete(json);
}
END_TEST

START_TEST(one_replica_has_no_deviation)
{
    cJSON *json = combined(three, 1);
    ck_assert_double_eq(member(json, "wait_s", "p50")->valuedouble, 1);
    ck_assert(cJSON_IsNull(member(cJSON_GetObjectItem(json, "sd"), "wait_s", "p50")));
    cJSON_Delete(json);
}
END_TEST

static const char *const broken[] = {"", "{\"a\": 1", "not json"};

START_TEST(unreadable_input_is_an_error)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    folder_sub(&folder, "rep-1");
    folder_sub(&folder, "rep-2");
    folder_put(&folder, "rep-1/summary.json", three[0]);
    ck_assert(!replicas_write_summary(folder.path, 2, &err));
    harness_contains(err.msg, "rep-2/summary.json");
    for (int i = 0; i < ROWS(broken); i++) {
        folder_put(&folder, "rep-2/summary.json", broken[i]);
        ck_assert(!replicas_write_summary(folder.path, 2, &err));
        harness_contains(err.msg, "rep-2/summary.json");
    }
    ck_assert(!folder_has(&folder, "summary.json"));
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replicas");
    TCase *tcase = tcase_create("replicas");
    tcase_add_test(tcase, numbers_are_means_with_deviations);
    tcase_add_test(tcase, null_anywhere_is_null);
    tcase_add_test(tcase, texts_stay_where_all_agree);
    tcase_add_test(tcase, the_parts_are_kept_whole);
    tcase_add_test(tcase, one_replica_has_no_deviation);
    tcase_add_test(tcase, unreadable_input_is_an_error);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
