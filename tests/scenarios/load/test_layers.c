/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios that extend one another: precedence, the folder of file names, and the file in
 * messages.
 */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of files for one test: ROOT/x.json, ROOT/sub/y.json. */
struct folder {
    char root[128];
    char *paths[LAYERS_FILES_MAX + 1];
    size_t count;
};

static void open_folder(struct folder *folder)
{
    harness_name(folder->root, sizeof folder->root, ".d");
    char sub[160];
    (void)snprintf(sub, sizeof sub, "%s/sub", folder->root);
    ck_assert_int_eq(mkdir(folder->root, 0700), 0);
    ck_assert_int_eq(mkdir(sub, 0700), 0);
    folder->count = 0;
}

static const char *put(struct folder *folder, const char *name, const char *text)
{
    char *path = mem_format("%s/%s", folder->root, name);
    folder->paths[folder->count++] = path;
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static void close_folder(struct folder *folder)
{
    char sub[160];
    for (size_t i = 0; i < folder->count; i++) {
        harness_forget(folder->paths[i]);
        free(folder->paths[i]);
    }
    (void)snprintf(sub, sizeof sub, "%s/sub", folder->root);
    ck_assert_int_eq(rmdir(sub), 0);
    ck_assert_int_eq(rmdir(folder->root), 0);
}

static struct scenario *load(const char *path, const struct scen_overrides *overrides)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    ck_assert_msg(scenario_load(&scenario, path, overrides, &err), "refused: %s", err.msg);
    return scenario;
}

static void refuse(const char *path, const char *part)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    ck_assert(!scenario_load(&scenario, path, NULL, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, part);
}

static const char base[] =
    "{\"fauxfleet_scenario\": 1, \"name\": \"base\", \"seed\": 7,\n"
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": 8}, \"count\": 2}]},\n"
    " \"queues\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n"
    " \"workload\": {\"trace\": \"jobs.csv\", \"time_scale\": 2},\n"
    " \"policy\": {\"name\": \"sjf\",\n"
    "  \"options\": {\"blocking\": \"skip\", \"scope\": \"fleet\"}}}\n";

START_TEST(keys_are_inherited_and_overridden)
{
    struct folder folder;
    open_folder(&folder);
    put(&folder, "sub/base.json", base);
    put(&folder, "sub/jobs.csv", "job_id\n");
    put(&folder, "middle.json",
        "{\"fauxfleet_scenario\": 1, \"extends\": \"sub/base.json\", \"seed\": 8, \"replicas\": "
        "3}");
    const char *top =
        put(&folder, "top.json",
            "{\"fauxfleet_scenario\": 1, \"extends\": \"middle.json\",\n"
            " \"queues\": [{\"name\": \"c\"}],\n"
            " \"workload\": {\"load_scale\": 4},\n"
            " \"policy\": {\"options\": {\"scope\": null, \"placement\": \"count\"}}}");
    struct scenario *scenario = load(top, NULL);
    ck_assert_str_eq(scenario->name, "base");
    ck_assert_uint_eq(scenario->seed, 8);
    ck_assert_int_eq(scenario->replicas, 3);
    ck_assert_uint_eq(scenario->queue_count, 1); // lists are replaced whole
    ck_assert_str_eq(scenario->queues[0].name, "c");
    ck_assert_double_eq(scenario->sources[0].time_scale, 2);
    ck_assert_double_eq(scenario->sources[0].load_scale, 4);
    ck_assert_str_eq(scenario->policy.name, "sjf");
    ck_assert_uint_eq(scenario->policy.option_count, 2);
    ck_assert_str_eq(scenario->policy.options[0].name, "blocking");
    ck_assert_str_eq(scenario->policy.options[1].name, "placement");
    // The trace is in the folder of the file that names it.
    char expected[192], where[400];
    (void)snprintf(expected, sizeof expected, "%s/sub/jobs.csv", folder.root);
    ck_assert_str_eq(scenario->sources[0].trace, expected);
    harness_contains(scenario->resolved, "\"trace\": \"sub/jobs.csv\"");
    ck_assert_ptr_null(strstr(scenario->resolved, "extends"));
    // Messages name the file that contains the value.
    (void)snprintf(expected, sizeof expected, "%s/sub/base.json:6: policy.options.blocking",
                   folder.root);
    ck_assert_str_eq(scenario_where(scenario, "policy.options.blocking", where, sizeof where),
                     expected);
    (void)snprintf(expected, sizeof expected, "%s:4: policy.options.placement", top);
    ck_assert_str_eq(scenario_where(scenario, "policy.options.placement", where, sizeof where),
                     expected);
    (void)snprintf(expected, sizeof expected, "%s:2: queues[0].parent", top);
    ck_assert_str_eq(scenario_where(scenario, "queues[0].parent", where, sizeof where), expected);
    // The resolved text can be kept anywhere: it is the same scenario if base_dir names the
    // original folder.
    const char *kept = put(&folder, "sub/kept.json", scenario->resolved);
    struct scenario *again = load(kept, &(struct scen_overrides){.base_dir = folder.root});
    ck_assert_str_eq(again->resolved, scenario->resolved);
    ck_assert_str_eq(again->digest, scenario->digest);
    ck_assert_str_eq(again->sources[0].trace, scenario->sources[0].trace);
    scenario_destroy(again);
    scenario_destroy(scenario);
    close_folder(&folder);
}
END_TEST

START_TEST(an_exclusive_key_replaces_the_other)
{
    struct folder folder;
    open_folder(&folder);
    put(&folder, "base.json", base);
    put(&folder, "pools.csv", "name,nodes,gpus_per_node,gpu_type\nx,3,4,t4\n");
    const char *top = put(&folder, "sub/top.json",
                          "{\"fauxfleet_scenario\": 1, \"extends\": \"../base.json\",\n"
                          " \"fleet\": {\"pools_file\": \"../pools.csv\"},\n"
                          " \"queues\": \"from-trace\",\n"
                          " \"workload\": {\"generate\": {\"profile\": \"batch\"}}}");
    struct scenario *scenario = load(top, NULL);
    ck_assert_uint_eq(scenario->pool_count, 1);
    ck_assert_str_eq(scenario->pools[0].name, "x");
    ck_assert_int_eq(scenario->pools[0].count, 3);
    ck_assert_int_eq(scenario->pools[0].node.gpus, 4);
    ck_assert_str_eq(scenario->pools[0].node.gpu_type, "t4");
    ck_assert(scenario->queues_from_trace);
    ck_assert_ptr_null(scenario->sources[0].trace);
    ck_assert_ptr_null(strstr(scenario->resolved, "\"pools\""));
    scenario_destroy(scenario);
    close_folder(&folder);
}
END_TEST

START_TEST(the_version_is_inherited)
{
    struct folder folder;
    open_folder(&folder);
    put(&folder, "s.json", WITHOUT_KEYS);
    const char *top = put(&folder, "top.json", "{\"extends\": \"s.json\", \"seed\": 5}");
    struct scenario *scenario = load(top, NULL);
    ck_assert_uint_eq(scenario->seed, 5);
    ck_assert_uint_eq(scenario->pool_count, 1);
    scenario_destroy(scenario);
    close_folder(&folder);
}
END_TEST

START_TEST(chains_that_do_not_end_are_refused)
{
    struct folder folder;
    open_folder(&folder);
    const char *a =
        put(&folder, "a.json", "{\"fauxfleet_scenario\": 1,\n \"extends\": \"sub/b.json\"}");
    put(&folder, "sub/b.json",
        "{\"fauxfleet_scenario\": 1,\n\n \"extends\": \"../sub/../a.json\"}");
    refuse(a, "sub/b.json:3: extends: '");
    refuse(a, "extends itself");
    const char *c =
        put(&folder, "c.json", "{\"fauxfleet_scenario\": 1, \"extends\": \"./c.json\"}");
    refuse(c, "extends itself");
    const char *d =
        put(&folder, "d.json", "{\"fauxfleet_scenario\": 1,\n\"extends\": \"none.json\"}");
    refuse(d, "d.json:2: extends: cannot open '");
    put(&folder, "sub/plain.json", "{\"name\": \"x\"}");
    const char *g = put(&folder, "g.json", "{\"extends\": \"sub/plain.json\"}");
    refuse(g, "sub/plain.json:1: not a scenario: the key 'fauxfleet_scenario' is missing");
    // An error inside the extended file names that file.
    put(&folder, "sub/e.json", "{\"fauxfleet_scenario\": 1,\n\"sede\": 1}");
    const char *f =
        put(&folder, "f.json", "{\"fauxfleet_scenario\": 1, \"extends\": \"sub/e.json\"}");
    refuse(f, "sub/e.json:2: sede: unknown key 'sede'");
    close_folder(&folder);
}
END_TEST

START_TEST(long_chains_are_refused)
{
    struct folder folder;
    char name[32], text[96];
    open_folder(&folder);
    for (int i = 0; i <= LAYERS_FILES_MAX; i++) {
        (void)snprintf(name, sizeof name, "%d.json", i);
        (void)snprintf(text, sizeof text, "{\"fauxfleet_scenario\": 1, \"extends\": \"%d.json\"}",
                       i + 1);
        put(&folder, name, text);
    }
    refuse(folder.paths[0], "more than 16 scenarios");
    close_folder(&folder);
}
END_TEST

START_TEST(base_dir_stands_for_the_folder)
{
    struct folder folder;
    open_folder(&folder);
    put(&folder, "sub/jobs.csv", "job_id\n");
    const char *top = put(&folder, "top.json", base);
    char dir[192], expected[256];
    (void)snprintf(dir, sizeof dir, "%s/sub", folder.root);
    struct scenario *scenario = load(top, &(struct scen_overrides){.base_dir = dir});
    (void)snprintf(expected, sizeof expected, "%s/jobs.csv", dir);
    ck_assert_str_eq(scenario->sources[0].trace, expected);
    harness_contains(scenario->resolved, "\"trace\": \"jobs.csv\"");
    scenario_destroy(scenario);
    refuse(top, "cannot open '"); // there is no jobs.csv beside top.json
    close_folder(&folder);
}
END_TEST

START_TEST(names_of_the_command_line_are_relative_to_the_working_directory)
{
    struct folder folder;
    open_folder(&folder);
    const char *top = put(&folder, "top.json", base);
    struct scenario *scenario = load(top, &(struct scen_overrides){.trace = "Makefile"});
    ck_assert_str_eq(scenario->sources[0].trace, "Makefile");
    scenario_destroy(scenario);
    static const char *const sets[] = {"workload.trace=Makefile"};
    scenario = load(top, &(struct scen_overrides){.set = sets, .set_count = 1});
    ck_assert_str_eq(scenario->sources[0].trace, "Makefile");
    harness_contains(scenario->resolved, "\"trace\": \"Makefile\"");
    scenario_destroy(scenario);
    close_folder(&folder);
}
END_TEST

START_TEST(text_in_memory_extends_nothing)
{
    refuse_text("{\"fauxfleet_scenario\": 1,\n\"extends\": \"x.json\"}", NULL,
                "t.json:2: extends: needs a scenario");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layers");
    TCase *tcase = tcase_create("extends");
    tcase_add_test(tcase, keys_are_inherited_and_overridden);
    tcase_add_test(tcase, an_exclusive_key_replaces_the_other);
    tcase_add_test(tcase, the_version_is_inherited);
    tcase_add_test(tcase, chains_that_do_not_end_are_refused);
    tcase_add_test(tcase, long_chains_are_refused);
    tcase_add_test(tcase, base_dir_stands_for_the_folder);
    tcase_add_test(tcase, names_of_the_command_line_are_relative_to_the_working_directory);
    tcase_add_test(tcase, text_in_memory_extends_nothing);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
