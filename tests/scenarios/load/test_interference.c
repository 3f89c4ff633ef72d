/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interference and virtual NICs in scenarios; and that every name of the schema is known. */
#include "scenarios/schema/interference.h"
#include "tests/scenarios/scenarios.h"

#include <string.h>

#define SCENARIO(pool, rest)                                                                       \
    "{\"fauxfleet_scenario\": 1,\n"                                                                \
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": 8}, \"count\": 2" pool        \
    "}]},\n"                                                                                       \
    " \"workload\": {\"generate\": {\"profile\": \"batch\"}}" rest "}"

START_TEST(absent_keys_are_in_nobodys_way)
{
    struct scenario *scenario = load_text(SCENARIO("", ""), NULL);
    ck_assert_ptr_null(scenario->pools[0].node.vnic);
    ck_assert_int_eq(scenario->interference.sharing, PERF_SHARING_MPS);
    ck_assert(!scenario->interference.numa && !scenario->interference.cpu);
    ck_assert_ptr_null(strstr(scenario->resolved, "interference"));
    ck_assert_ptr_null(strstr(scenario->resolved, "vnic"));
    scenario_destroy(scenario);
}
END_TEST

START_TEST(keys_arrive)
{
    struct scenario *scenario = load_text(
        SCENARIO(
            ", \"vnic\": \"tcp-vnic\"",
            ", \"interference\": {\"sharing\": \"time-slicing\", \"numa\": true, \"cpu\": true}"),
        NULL);
    ck_assert_str_eq(scenario->pools[0].node.vnic->name, "tcp-vnic");
    ck_assert_int_eq(scenario->interference.sharing, PERF_SHARING_TIMESLICES);
    ck_assert(scenario->interference.numa && scenario->interference.cpu);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(names_of_the_schema_are_those_of_the_tables)
{
    size_t length = 0;
    for (const struct perf_vnic *row = perf_vnics; row->name; row++) {
        ck_assert(schema_lists(SCHEMA_VNICS, row->name));
        length += strlen(row->name) + 1;
    }
    ck_assert_uint_eq(length, sizeof SCHEMA_VNICS); /* and no others */
    for (int i = 0; i < PERF_SHARING_KINDS; i++)
        ck_assert(schema_lists(SCHEMA_SHARINGS, perf_sharing_name((enum perf_sharing)i)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_interference");
    TCase *tcase = tcase_create("keys");
    tcase_add_test(tcase, absent_keys_are_in_nobodys_way);
    tcase_add_test(tcase, keys_arrive);
    tcase_add_test(tcase, names_of_the_schema_are_those_of_the_tables);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
