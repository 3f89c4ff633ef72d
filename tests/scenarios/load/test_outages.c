/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of recorded outages. */
#include "tests/scenarios/scenarios.h"
#include "traces/nodes.h"

#include <stdio.h>

static const char text[] =
    "{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": "
    "8}, \"count\": 2}]}, \"workload\": {\"generate\": {\"profile\": \"teams\"}}}";

struct given {
    char path[256], set[300];
    const char *sets[1];
    struct scen_overrides overrides;
};

static const struct scen_overrides *given(struct given *g, const char *csv)
{
    harness_file(g->path, sizeof g->path, ".csv", csv, strlen(csv));
    (void)snprintf(g->set, sizeof g->set, "outages_file=%s", g->path);
    g->sets[0] = g->set;
    g->overrides = (struct scen_overrides){.set = g->sets, .set_count = 1};
    return &g->overrides;
}

START_TEST(outages_are_read)
{
    struct given g;
    struct scenario *scenario =
        load_text(text, given(&g, "node,down_s,up_s\np-1,30,40\np-0,10,20\np-1,40,\n"));
    ck_assert_uint_eq(scenario->outages.count, 3);
    ck_assert_str_eq(scenario->outages.rows[0].node, "p-1");
    ck_assert_int_eq(scenario->outages.rows[0].down_ms, 30000);
    ck_assert(scenario->outages.rows[2].up_ms == INT64_MAX);
    scenario_destroy(scenario);
    harness_forget(g.path);
    scenario = load_text(text, NULL);
    ck_assert_uint_eq(scenario->outages.count, 0);
    scenario_destroy(scenario);
}
END_TEST

/* Two files with the same rows give the same scenario; a single different time gives another one.
 */
START_TEST(the_file_is_part_of_the_digest)
{
    static const char *const files[] = {"node,down_s,up_s\np-0,1,2\n",
                                        "up_s,down_s,node\n2,1,p-0\n",
                                        "node,down_s,up_s\np-0,1,3\n"};
    char digests[3][DIGEST_HEX];
    for (size_t i = 0; i < ROWS(files); i++) {
        struct given g;
        struct scenario *scenario = load_text(text, given(&g, files[i]));
        memcpy(digests[i], scenario->digest, DIGEST_HEX);
        scenario_destroy(scenario);
        harness_forget(g.path);
    }
    ck_assert_str_eq(digests[0], digests[1]);
    ck_assert_str_ne(digests[0], digests[2]);
}
END_TEST

static const struct {
    const char *csv, *part;
} refused[] = {
    {"node,down_s,up_s\np-0,5,5\n", ":2:3: the node 'p-0' is up again before it is down"},
    {"node,down_s,up_s\np-0,5,9\np-1,1,\np-0,8,\n", ":4:2: the node 'p-0' is down already"},
    {"node,down_s,up_s\np-1,1,\np-1,7,9\n", ":3:2: the node 'p-1' is down already"},
    {"node,down_s\n", "no rows below the header"},
    {"name,down_s\nx,1\n", "outages_file"},
};

START_TEST(outages_are_refused)
{
    struct given g;
    refuse_text(text, given(&g, refused[_i].csv), refused[_i].part);
    harness_forget(g.path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_outages");
    TCase *tcase = tcase_create("outages");
    tcase_add_test(tcase, outages_are_read);
    tcase_add_test(tcase, the_file_is_part_of_the_digest);
    tcase_add_loop_test(tcase, outages_are_refused, 0, ROWS(refused));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
