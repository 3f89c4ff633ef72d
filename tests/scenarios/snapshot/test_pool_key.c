/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of quotas by pool: names before types before lists. */
#include "scenarios/snapshot/pool_key.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

/* "mixed" has two types, and a pool is called as the type of another. */
static const struct pool_type pools[] = {
    {"a", "h100"}, {"mixed", "h100"}, {"mixed", "h200"}, {"c", "l40s"}, {"l40s", "a30"},
};

static const struct {
    const char *key, *found;
} rows[] = {
    {"a", "a"},      {"h100", "a+mixed"}, {"h200", "mixed"}, {"l40s", "l40s"},
    {"a30", "l40s"}, {"c|a", "a+c"},      {"c|c", "c"},      {"mixed|l40s", "mixed+l40s"},
    {"h100|c", ""},  {"a|", ""},          {"|a", ""},        {"", ""},
    {"b", ""},       {"A", ""},
};

START_TEST(a_key_names_pools)
{
    struct scen_pool_quota quotas[ROWS(pools) + 1];
    size_t n = pool_key_find(pools, (size_t)ROWS(pools), rows[_i].key, 7000, quotas);
    char text[64] = "";
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                       quotas[i].joined ? "+" : "", quotas[i].pool);
        ck_assert_int_eq(quotas[i].quota_milli, 7000);
    }
    ck_assert_str_eq(text, rows[_i].found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool_key");
    TCase *tcase = tcase_create("keys");
    tcase_add_loop_test(tcase, a_key_names_pools, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
