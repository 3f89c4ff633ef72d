/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers of spot capacity: the catalogue, a pool's own values, and refusals. */
#include "scenarios/catalog/spot.h"
#include "tests/scenarios/scenarios.h"

#define POOL(keys)                                                                                 \
    "{\"fauxfleet_scenario\": 1,\n \"workload\": {\"generate\": {\"profile\": \"batch\"}},\n "     \
    "\"fleet\": "                                                                                  \
    "{\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": 8}, \"count\": 9, " keys "}]}}"

#define MINUTE_MS 60000

/* The middle of the band and the notice of each offer. */
static const struct offer_row {
    const char *name;
    int64_t notice_ms;
    double monthly;
} offer_rows[] = {
    {"generic", 2 * MINUTE_MS, 0.075},
    {"aws-a100", 2 * MINUTE_MS, 0.075},
    {"aws-h100", 2 * MINUTE_MS, 0.175},
    {"gcp", 30000, 0.075},
    {"azure", 30000, 0.075},
};

START_TEST(offers_are_as_published)
{
    struct catalog_spot *catalog = NULL;
    struct err err = {0};
    ck_assert_msg(catalog_spot(&catalog, &err), "%s", err.msg);
    ck_assert_uint_eq(catalog->count, sizeof offer_rows / sizeof *offer_rows);
    const struct catalog_spot_offer *offer = catalog_spot_find(catalog, offer_rows[_i].name);
    ck_assert_ptr_nonnull(offer);
    ck_assert_int_eq(offer->notice_ms, offer_rows[_i].notice_ms);
    ck_assert_double_eq(offer->monthly, offer_rows[_i].monthly);
    ck_assert_int_gt(offer->away_ms, 0);
    ck_assert_ptr_nonnull(json_member(offer->object, "source"));
    catalog_spot_free(catalog);
}
END_TEST

static const struct pool_row {
    const char *text;
    struct scen_spot spot;
} pool_rows[] = {
    {POOL("\"spot\": null"), {.given = false}},
    {POOL("\"spot\": \"aws-h100\""), {true, 120000, 3600000, 0.175, 0.2, 4, -1}},
    {POOL("\"spot\": {}"), {true, 120000, 3600000, 0.075, 0.2, 4, -1}},
    {POOL("\"spot\": {\"based_on\": \"gcp\", \"away\": \"2h\", \"usd_per_gpu_hour\": 0}"),
     {true, 30000, 7200000, 0.075, 0.2, 4, 0}},
    {POOL("\"spot\": {\"notice\": 0, \"monthly_interruption\": 0.9, \"correlated\": 1, "
          "\"correlated_nodes\": 9, \"usd_per_gpu_hour\": 0.86}"),
     {true, 0, 3600000, 0.9, 1, 9, 0.86}},
};

START_TEST(pools_take_an_offer_or_their_own)
{
    struct scenario *scenario = load_text(pool_rows[_i].text, NULL);
    const struct scen_spot *got = &scenario->pools[0].spot, *expected = &pool_rows[_i].spot;
    ck_assert_int_eq(scenario->spot, expected->given);
    ck_assert_int_eq(scenario->checkpoint.given,
                     expected->given); /* otherwise no work could be lost */
    ck_assert_int_eq(got->given, expected->given);
    ck_assert_int_eq(got->notice_ms, expected->notice_ms);
    ck_assert_int_eq(got->away_ms, expected->away_ms);
    ck_assert_double_eq(got->monthly, expected->monthly);
    ck_assert_double_eq(got->correlated, expected->correlated);
    ck_assert_int_eq(got->together, expected->together);
    ck_assert_double_eq(got->usd_per_gpu_hour, expected->usd_per_gpu_hour);
    scenario_destroy(scenario);
}
END_TEST

static const struct refused_row {
    const char *text, *part;
} refused_rows[] = {
    {POOL("\"spot\": \"aws-h10\""), "t.json:3: fleet.pools[0].spot: unknown offer of spot capacity "
                                    "'aws-h10', did you mean 'aws-h100'? (list spot shows all)"},
    {POOL("\"spot\": {\"based_on\": \"gpc\"}"),
     "fleet.pools[0].spot.based_on: unknown offer of spot capacity 'gpc', did you mean 'gcp'?"},
    {POOL("\"spot\": {\"notise\": 3}"),
     "fleet.pools[0].spot.notise: unknown key 'notise', did you mean 'notice'?"},
    {POOL("\"spot\": {\"monthly_interruption\": 7.5}"),
     "fleet.pools[0].spot.monthly_interruption: expected"},
    {POOL("\"spot\": {\"correlated\": 2}"), "fleet.pools[0].spot.correlated: expected"},
    {POOL("\"spot\": {\"correlated_nodes\": 0}"), "fleet.pools[0].spot.correlated_nodes: expected"},
    {POOL("\"spot\": {\"away\": 0}"),
     "fleet.pools[0].spot.away: expected more than 0: the nodes leave"},
    {POOL("\"spot\": 7"), "fleet.pools[0].spot: expected"},
};

START_TEST(nonsense_is_refused)
{
    refuse_text(refused_rows[_i].text, NULL, refused_rows[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog of spot capacity");
    TCase *tcase = tcase_create("spot");
    tcase_add_loop_test(tcase, offers_are_as_published, 0, ROWS(offer_rows));
    tcase_add_loop_test(tcase, pools_take_an_offer_or_their_own, 0, ROWS(pool_rows));
    tcase_add_loop_test(tcase, nonsense_is_refused, 0, ROWS(refused_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
