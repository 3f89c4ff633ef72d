/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of a snapshot that get numbers. */
#include "scenarios/snapshot/names.h"
#include "tests/scenarios/snapshots.h"

static const char text[] =
    SNAP("\"topologies\": [{\"name\": \"idle\", \"levels\": [\"row\"]}, {\"name\": \"used\", "
         "\"levels\": [\"zone\", \"rack\"]}],"
         "\"nodes\": [{\"name\": \"n\", \"gpu_type\": \"h100\", \"mig\": \"mixed\", "
         "\"mig_profiles\": {\"7g.80gb\": 1},"
         " \"labels\": {\"row\": \"1\", \"zone\": \"z\", \"rack\": \"r\", \"os\": \"linux\", "
         "\"arch\": \"x\"}}],\"jobs\": [{\"id\": \"j\", \"groups\": [{\"name\": \"g\", "
         "\"topology\": {\"topology\": \"used\", \"required\": \"rack\"}}],"
         " \"tasks\": [{\"id\": \"a\", \"node_labels\": {\"arch\": \"arm\"}, \"gpu_types\": "
         "\"b200|a100\", \"mig\": {\"1g.10gb\": 1}},"
         " {\"id\": \"b\", \"gpu_types\": \"b200|a100\"}]}]");

START_TEST(only_names_with_a_bearing_get_numbers)
{
    static const char *const keys[] = {"arch", "rack", "zone"};
    static const char *const labels[] = {"arch", "arm", "r", "rack", "x", "z", "zone"};
    static const char *const types[] = {"a100", "b200", "h100"};
    static const char *const profiles[] = {"1g.10gb", "7g.80gb"};
    static const struct {
        const char *const *names;
        size_t count;
        size_t set;
    } rows[] = {
        {keys, ROWS(keys), offsetof(struct snap_names, label_keys)},
        {labels, ROWS(labels), offsetof(struct snap_names, labels)},
        {types, ROWS(types), offsetof(struct snap_names, types)},
        {profiles, ROWS(profiles), offsetof(struct snap_names, profiles)},
    };
    struct snapshot *s = load_snapshot(text);
    struct snap_names names;
    struct err err = {0};
    ck_assert_msg(snap_names_init(&names, s, false, &err), "%s", err.msg);
    for (int i = 0; i < ROWS(rows); i++) {
        const struct name_set *set =
            (const struct name_set *)(const void *)((const char *)&names + rows[i].set);
        ck_assert_uint_eq(set->count, rows[i].count);
        for (size_t k = 0; k < rows[i].count; k++)
            ck_assert_str_eq(set->names[k], rows[i].names[k]);
    }
    ck_assert(!names.topologies[0] && names.topologies[1]);
    ck_assert_uint_eq(snap_types(&names, "b200|a100"), 3);
    ck_assert_uint_eq(snap_types(&names, "h100"), 4);
    ck_assert_uint_eq(snap_types(&names, ""), 0);
    snap_names_fini(&names);
    snapshot_destroy(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_names");
    TCase *tcase = tcase_create("names");
    tcase_add_test(tcase, only_names_with_a_bearing_get_numbers);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
