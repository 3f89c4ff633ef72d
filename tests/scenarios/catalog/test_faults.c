/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of faults against the published counts behind it, and messages about wrong
 * profiles. */
#include "scenarios/catalog/faults.h"

#include "scenarios/schema/faults.h"
#include "sim/faults/rates.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct catalog_faults *load(void)
{
    struct catalog_faults *catalog = NULL;
    struct err err = {0};
    ck_assert_msg(catalog_faults(&catalog, &err), "%s", err.msg);
    return catalog;
}

/* Llama 3 Table 5: counts in 2,048 nodes x 54 days; 15 % of "faulty GPU" count as NVLink. */
static const struct count_row {
    enum fault_class_id id;
    double count;
} count_rows[] = {
    {FAULT_GPU, 0.85 * 148},
    {FAULT_NVLINK, 0.15 * 148},
    {FAULT_HBM, 72},
    {FAULT_SRAM, 19},
    {FAULT_GSP, 17},
    {FAULT_THERMAL, 6},
    {FAULT_SDC, 6},
    {FAULT_NIC, 7},
    {FAULT_LINK, 35},
    {FAULT_HOST, 14},
    {FAULT_HOST_MAINTENANCE, 32},
    {FAULT_SOFTWARE, 56},
    {FAULT_HANG, 7},
    {FAULT_MAINTENANCE, 47},
};

START_TEST(rates_of_llama_3)
{
    struct catalog_faults *catalog = load();
    double sum = 0;
    for (int i = 0; i < ROWS(count_rows); i++) {
        double rate = catalog->classes[count_rows[i].id].class.rate;
        ck_assert_double_eq_tol(rate * 110.592, count_rows[i].count, 0.005);
        sum += count_rows[i].id != FAULT_MAINTENANCE ? count_rows[i].count : 0;
    }
    ck_assert_double_eq(sum, 419);
    // A switch: 0.051 % a month. The fleet's storage: once in 60 days.
    ck_assert_double_eq_tol(catalog->classes[FAULT_LEAF].class.rate, 0.00051 / 30.4 * 1000, 0.0001);
    ck_assert_double_eq_tol(catalog->classes[FAULT_STORAGE].class.rate, 1000. / 60, 0.001);
    catalog_faults_free(catalog);
}
END_TEST

static const struct profile_row {
    const char *name;
    double total, mean_reset_h;
} profile_rows[] = {
    {"a100_good", 2.34, 0.88},  {"h100", 3.789, 2.2},
    {"a100_busy", 6.50, 0.88},  {"early", 12, 0.88}, /* between 9 and 16 */
    {"b200", 1.5 * 3.789, 2.2},
};

START_TEST(profiles_have_their_totals)
{
    const struct profile_row *row = &profile_rows[_i];
    struct catalog_faults *catalog = load();
    const struct catalog_fault_profile *found = catalog_faults_find(catalog, row->name);
    ck_assert_ptr_nonnull(found);
    const struct fault_profile *profile = &found->profile;
    ck_assert_double_eq_tol(fault_profile_total(profile), row->total, 1e-6 * row->total);
    const struct fault_span *reset = &profile->classes[FAULT_GPU].transient;
    ck_assert_double_eq_tol(fault_span_mean_s(reset) / 3600, row->mean_reset_h, 0.001);
    ck_assert_double_eq(reset->a, 20 * 60);
    ck_assert_double_eq(profile->lemon_share, 0.012);
    ck_assert_double_eq(profile->drift_sigma, 0.5);
    // Classes with units of their own are the same everywhere, and so are the repairs specific to a
    // class.
    ck_assert_double_eq(profile->classes[FAULT_LEAF].rate, catalog->classes[FAULT_LEAF].class.rate);
    ck_assert_double_eq(profile->classes[FAULT_HBM].transient_share, 0.92);
    ck_assert_double_eq(profile->classes[FAULT_GPU].transient_share, 0.73);
    catalog_faults_free(catalog);
}
END_TEST

START_TEST(classes_are_complete)
{
    struct catalog_faults *catalog = load();
    bool numbers[23] = {false};
    for (int i = 0; i < FAULT_CLASSES; i++) {
        const struct catalog_fault_class *row = &catalog->classes[i];
        ck_assert_str_eq(row->name, fault_class_name((enum fault_class_id)i));
        ck_assert_int_eq(fault_class_find(row->name), i);
        ck_assert_uint_gt(row->marks.count, 0);
        numbers[strtol(row->id + 1, NULL, 10)] = true;
        const char *what;
        for (size_t p = 0; p < catalog->profile_count; p++)
            ck_assert_msg(fault_profile_check(&catalog->profiles[p].profile, &what), "%s", what);
    }
    for (int i = 1; i <= 22; i++)
        ck_assert_msg(numbers[i], "there is no C%d", i);
    ck_assert_int_eq(fault_class_find("gpus"), -1);
    catalog_faults_free(catalog);
}
END_TEST

/* Figures marked as memory or assumption in the survey are unverified here; so are those without a
 * mark. */
START_TEST(marks_tell_verified_from_unverified)
{
    struct catalog_faults *catalog = load();
    static const enum fault_class_id guessed[] = {FAULT_NVLINK,      FAULT_SPINE, FAULT_FLAP,
                                                  FAULT_SLOW_DEVICE, FAULT_RACK,  FAULT_MOUNT,
                                                  FAULT_STORAGE};
    for (int i = 0; i < ROWS(guessed); i++)
        ck_assert_int_eq(catalog_mark_of(&catalog->classes[guessed[i]].marks, "rate"), 'A');
    ck_assert_int_eq(catalog_mark_of(&catalog->classes[FAULT_LEAF].marks, "rate"), 'P');
    ck_assert_int_eq(catalog_mark_of(&catalog->classes[FAULT_GPU].marks, "rate"), 'D');
    ck_assert_int_eq(catalog_mark_of(&catalog->classes[FAULT_GPU].marks, "frail"), 'A');
    ck_assert(catalog_mark_verified('P') && catalog_mark_verified('S') &&
              catalog_mark_verified('D'));
    ck_assert(!catalog_mark_verified('M') && !catalog_mark_verified('A'));
    catalog_faults_free(catalog);
}
END_TEST

/* ---- profiles of users */

static bool read(const char *text, struct fault_profile *profile, struct err *err)
{
    struct json_source source;
    struct catalog_faults *catalog = load();
    ck_assert_msg(json_source_parse(&source, "mine.json", text, strlen(text), err), "%s", err->msg);
    struct check check = {.where = check_where_file, .of = &source, .whole = true, .err = err};
    bool ok = check_value(&check, &schema_fault_profile, source.root) &&
              catalog_faults_read(&check, catalog, source.root, FAULT_USUAL_GPUS, profile);
    json_source_close(&source);
    catalog_faults_free(catalog);
    return ok;
}

START_TEST(profiles_inherit_and_change)
{
    struct fault_profile mine;
    struct err err = {0};
    ck_assert_msg(
        read("{\"based_on\": \"a100_busy\", \"total\": 13, \"transient\": \"30m\", \"drift\": 0,\n"
             " \"classes\": {\"hbm\": {\"arrival\": \"weibull\", \"shape\": 0.9},\n"
             " \"rack\": {\"rate\": 0}, \"nic\": {\"effect_share\": 0}}}",
             &mine, &err),
        "%s", err.msg);
    struct catalog_faults *catalog = load();
    const struct fault_profile *busy = &catalog_faults_find(catalog, "a100_busy")->profile;
    ck_assert_double_eq_tol(fault_profile_total(&mine), 13, 1e-9);
    ck_assert_double_eq_tol(mine.classes[FAULT_GPU].rate, 2 * busy->classes[FAULT_GPU].rate, 1e-9);
    ck_assert_int_eq(mine.classes[FAULT_GPU].transient.kind, FAULT_SPAN_FIXED);
    ck_assert_double_eq(mine.classes[FAULT_GPU].transient.a, 1800);
    ck_assert_int_eq(mine.classes[FAULT_HBM].transient.kind, FAULT_SPAN_UNIFORM); // its own value
    ck_assert_int_eq(mine.classes[FAULT_HBM].arrival, FAULT_ARRIVAL_WEIBULL);
    ck_assert_double_eq(mine.classes[FAULT_RACK].rate, 0);
    ck_assert_double_eq(mine.classes[FAULT_NIC].effect_share, 0);
    ck_assert_double_eq(mine.drift_sigma, 0);
    ck_assert_double_eq(mine.lemon_factor, 225);
    catalog_faults_free(catalog);
}
END_TEST

START_TEST(exponential_profiles_have_no_memory)
{
    struct fault_profile mine;
    struct err err = {0};
    ck_assert_msg(read("{\"based_on\": \"h100\", \"exponential\": true}", &mine, &err), "%s",
                  err.msg);
    ck_assert_double_eq(mine.drift_sigma, 0);
    ck_assert_double_eq(fault_profile_frailty(&mine), 1);
    ck_assert_double_eq_tol(fault_profile_total(&mine), 3.789, 1e-9);
    for (int i = 0; i < FAULT_CLASSES; i++) {
        ck_assert_int_ne(mine.classes[i].arrival, FAULT_ARRIVAL_WEIBULL);
        ck_assert_double_eq(mine.classes[i].relapse, 0);
    }
    ck_assert_int_eq(mine.classes[FAULT_MAINTENANCE].arrival, FAULT_ARRIVAL_PERIODIC);
}
END_TEST

START_TEST(rates_are_scaled)
{
    struct catalog_faults *catalog = load();
    struct fault_profile profile = catalog_faults_find(catalog, "h100")->profile, twice = profile;
    fault_profile_scale(&twice, 2);
    ck_assert_double_eq_tol(fault_profile_total(&twice), 2 * 3.789, 1e-9);
    ck_assert_double_eq(twice.classes[FAULT_RACK].rate, 2 * profile.classes[FAULT_RACK].rate);
    ck_assert_double_eq(twice.classes[FAULT_MAINTENANCE].rate,
                        profile.classes[FAULT_MAINTENANCE].rate);
    ck_assert_double_eq(twice.classes[FAULT_USER].rate, profile.classes[FAULT_USER].rate);
    // Memory: per device and GB. 4 devices of 160 GB are 8 of 80.
    struct fault_pool pool = {
        .nodes = 1, .gpus = 4, .nics = 4, .hbm_gb = 160, .nodes_per_domain = 1};
    ck_assert_double_eq_tol(fault_daily(&profile, FAULT_HBM, &pool),
                            profile.classes[FAULT_HBM].rate / 1000, 1e-12);
    ck_assert_double_eq_tol(fault_daily(&profile, FAULT_GPU, &pool),
                            profile.classes[FAULT_GPU].rate / 2000, 1e-12);
    ck_assert_double_eq_tol(fault_daily(&profile, FAULT_LINK, &pool),
                            profile.classes[FAULT_LINK].rate / 2000, 1e-12);
    ck_assert_double_eq_tol(fault_daily(&profile, FAULT_HOST, &pool),
                            profile.classes[FAULT_HOST].rate / 1000, 1e-12);
    ck_assert_double_eq_tol(fault_daily(&profile, FAULT_MAINTENANCE, &pool), 64 * 0.42499 / 1000,
                            1e-9);
    ck_assert_double_eq(fault_daily(&profile, FAULT_USER, &pool), 0);
    ck_assert_double_eq_tol(fault_rate_of_hours(88768), 24000. / 88768, 1e-12);
    catalog_faults_free(catalog);
}
END_TEST

static const struct wrong_row {
    const char *text, *message;
} wrong_rows[] = {
    {"{\"based_on\": \"h1000\"}",
     "mine.json:1: based_on: there is no profile 'h1000' of faults, did you mean 'h100'?"},
    {"{\"totl\": 3}", "mine.json:1: totl: unknown key 'totl', did you mean 'total'?"},
    {"{\n\"classes\": {\n\"gpus\": {}}}",
     "mine.json:3: classes.gpus: unknown key 'gpus', did you mean 'gpu'?"},
    {"{\"classes\": {\"gpu\": {\"rate\": -1}}}",
     "mine.json:1: classes.gpu.rate: expected a number from 0 to 1000000"},
    {"{\"classes\": {\"gpu\": {\"arrival\": \"weibul\"}}}", "did you mean 'weibull'?"},
    {"{\"classes\": {\"user\": {\"rate\": 1.5}}}",
     "classes.user.rate: expected a share of the jobs"},
    {"{\"classes\": {\"gpu\": {\"loss\": [0.5, 0.1]}}}",
     "classes.gpu.loss: the least loss is larger"},
    {"{\"classes\": {\"gpu\":\n{\"detect\": {\"from\": 5, \"to\": 1}}}}",
     "mine.json:2: classes.gpu.detect: 'to' is earlier"},
    {"{\"transient\": {\"median\": 5}}",
     "transient: expected one of fixed; from and to; median and sigma"},
    {"{\"transient\": {\"median\": 5, \"mean\": 1}}", "transient: expected a median above 0"},
    {"{\"transient\": {\"median\": 5, \"sigma\": 1, \"mean\": 1}}",
     "transient: expected a median above 0"},
    {"{\"transient\": {\"median\": 5, \"sigma\": 1, \"mean\": \"9d\"}}",
     "does not make the mean as large"},
    {"{\"based_on\": \"h100\", \"lemon_factor\": 0.5}", "lemon_factor: expected a number from 1"},
};

START_TEST(wrong_profiles_are_refused)
{
    struct fault_profile mine;
    struct err err = {0};
    ck_assert(!read(wrong_rows[_i].text, &mine, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, wrong_rows[_i].message);
}
END_TEST

static const struct wrong_row wrong_catalogs[] = {
    {"{\"fauxfleet_catalog\": 1, \"classes\": {}, \"faults\": {}}",
     "classes: there is no class 'gpu'"},
    {"{\"fauxfleet_catalog\": 1, \"classes\": {\"gpu\": {\"rate\": 1}}, \"faults\": {}}",
     "classes.gpu: expected id, summary and source"},
    {"{\"fauxfleet_catalog\": 1, \"classes\": {\"gpu\": {\"id\": \"C1\", \"summary\": \"s\", "
     "\"source\": \"s\",\n"
     "\"marks\": {\"rat\": \"A\"}, \"rate\": 1}}, \"faults\": {}}",
     "there is no key 'rat' for this to refer to"},
    {"{\"fauxfleet_catalog\": 1, \"classes\": {}}", "the key 'faults' is missing"},
    {"{", "f.json:1"},
};

START_TEST(wrong_catalogs_are_refused)
{
    struct catalog_faults *catalog = NULL;
    struct err err = {0};
    const char *text = wrong_catalogs[_i].text;
    ck_assert(!catalog_faults_parse(&catalog, "f.json", text, strlen(text), &err));
    harness_contains(err.msg, wrong_catalogs[_i].message);
    ck_assert_ptr_null(catalog);
    catalog_faults_free(NULL);
}
END_TEST

/* Every range of a profile is checked. */
START_TEST(ranges_are_checked)
{
    struct catalog_faults *catalog = load();
    const struct fault_profile good = catalog_faults_find(catalog, "h100")->profile;
    struct fault_profile bad[12];
    for (int i = 0; i < ROWS(bad); i++)
        bad[i] = good;
    bad[0].hbm_gb = 0;
    bad[1].lemon_share = 1.5;
    bad[2].lemon_factor = 0.5;
    bad[3].drift_sigma = 4;
    bad[4].classes[FAULT_HOST].rate = -1;
    bad[5].classes[FAULT_GPU].shape = 0;
    bad[6].classes[FAULT_MAINTENANCE].width = 0;
    bad[7].classes[FAULT_GPU].relapse = 2;
    bad[8].classes[FAULT_SPINE].loss_high = 0.1;
    bad[9].classes[FAULT_SDC].rollback = -1;
    bad[10].classes[FAULT_GPU].detect.b = -5;
    bad[11].classes[FAULT_USER].rate = 2;
    const char *what;
    ck_assert(fault_profile_check(&good, &what));
    for (int i = 0; i < ROWS(bad); i++)
        ck_assert_msg(!fault_profile_check(&bad[i], &what), "row %d", i);
    catalog_faults_free(catalog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog of faults");
    TCase *tcase = tcase_create("catalogue");
    tcase_add_test(tcase, rates_of_llama_3);
    tcase_add_loop_test(tcase, profiles_have_their_totals, 0, ROWS(profile_rows));
    tcase_add_test(tcase, classes_are_complete);
    tcase_add_test(tcase, marks_tell_verified_from_unverified);
    tcase_add_test(tcase, profiles_inherit_and_change);
    tcase_add_test(tcase, exponential_profiles_have_no_memory);
    tcase_add_test(tcase, rates_are_scaled);
    tcase_add_loop_test(tcase, wrong_profiles_are_refused, 0, ROWS(wrong_rows));
    tcase_add_loop_test(tcase, wrong_catalogs_are_refused, 0, ROWS(wrong_catalogs));
    tcase_add_test(tcase, ranges_are_checked);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
