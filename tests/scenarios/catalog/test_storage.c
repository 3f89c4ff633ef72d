/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of storage reproduces measurements; contradictions are refused. */
#include "scenarios/catalog/storage.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <string.h>

/* Llama-3-8B, 15 GB on one A10G, published seconds: loading, and until the engine is ready (-1: not
 * published). */
static const struct {
    const char *store, *loader;
    double load_s, ready_s;
} measured[] = {
    {"gp3", "default", 47.99, 66.13},   {"gp3", "streamer", 14.34, 35.08},
    {"gp3", "streamer-1", 47.56, -1},   {"gp3", "tensorizer", 16.11, 36.19},
    {"io2", "default", 47, 62.69},      {"io2", "streamer", 7.53, 28.28},
    {"io2", "streamer-1", 43.71, -1},   {"io2", "tensorizer", 10.36, 30.88},
    {"s3", "streamer", 4.88, 23.18},    {"s3", "streamer-4", 28.24, -1},
    {"s3", "tensorizer", 37.36, 65.18},
};

START_TEST(loaders_are_as_fast_as_measured)
{
    struct err err = {0};
    struct catalog_storage *catalog;
    ck_assert_msg(catalog_storage(&catalog, &err), "%s", err.msg);
    const struct store *store = catalog_storage_find(catalog, measured[_i].store, &err);
    ck_assert_msg(store != NULL, "%s", err.msg);
    const struct store_loader *loader = store_find_loader(store, measured[_i].loader, &err);
    ck_assert_msg(loader != NULL, "%s", err.msg);
    double load_s = store_loader_seconds(loader, 15), engine_s = store_loader_engine_s(loader);
    ck_assert_msg(fabs(load_s - measured[_i].load_s) < 1e-9, "%s: %g s", measured[_i].store,
                  load_s);
    ck_assert(fabs(store_loader_gbps(loader) * measured[_i].load_s - 15) < 1e-9);
    double ready_s = measured[_i].ready_s < 0 ? load_s : measured[_i].ready_s;
    ck_assert_msg(fabs(load_s + engine_s - ready_s) < 1e-9, "%s: ready after %g s",
                  measured[_i].store, load_s + engine_s);
    ck_assert(fabs(store_loader_seconds(loader, 30) - 2 * load_s) < 1e-9);
    catalog_storage_free(catalog);
}
END_TEST

START_TEST(unknown_names_get_a_suggestion)
{
    struct err err = {0};
    struct catalog_storage *catalog;
    ck_assert_msg(catalog_storage(&catalog, &err), "%s", err.msg);
    ck_assert_ptr_null(catalog_storage_find(catalog, "gp33", &err));
    ck_assert_ptr_nonnull(strstr(err.msg, "did you mean 'gp3'?"));
    const struct store *store = catalog_storage_find(catalog, "s3", &err);
    ck_assert_ptr_null(store_find_loader(store, "streamr", &err));
    ck_assert_ptr_nonnull(strstr(err.msg, "did you mean 'streamer'?"));
    catalog_storage_free(catalog);
}
END_TEST

static const struct {
    const char *store, *message;
} refused[] = {
    {"{\"loaders\": {\"x\": {\"gb\": 1, \"load_s\": 2, \"ready_s\": 1}}}",
     "storage.mine.loaders.x: the engine is ready"},
    {"{\"loaders\": {\"x\": {\"gb\": 1}}}", "load_s"},
    {"{\"read_gbps\": 0}", "storage.mine.read_gbps: expected a number"},
    {"{\"read_gb\": 1}", "unknown key"},
};

START_TEST(impossible_values_are_refused)
{
    struct err err = {0};
    struct catalog_storage *catalog;
    char text[512];
    int n = snprintf(text, sizeof text, "{\"fauxfleet_catalog\": 1, \"storage\": {\"mine\": %s}}",
                     refused[_i].store);
    ck_assert(!catalog_storage_parse(&catalog, "x.json", text, (size_t)n, &err));
    ck_assert_msg(strstr(err.msg, refused[_i].message) != NULL, "%s", err.msg);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog_storage");
    TCase *tcase = tcase_create("storage");
    tcase_add_loop_test(tcase, loaders_are_as_fast_as_measured, 0, ROWS(measured));
    tcase_add_test(tcase, unknown_names_get_a_suggestion);
    tcase_add_loop_test(tcase, impossible_values_are_refused, 0, ROWS(refused));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
