/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in memory: compared like directories with the same texts; runs that do not pair are refused,
 * or accepted on request. */
#include "report/compare/comparison.h"
#include "report/results/replicas.h"
#include "sim/base/mem.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLICAS = 3 };

static char scenario_a[] =
    "{\"name\": \"a\", \"workload\": {\"shake_s\": 30}, \"policy\": {\"name\": \"fifo\"}}";
static char scenario_b[] =
    "{\"name\": \"b\", \"workload\": {\"shake_s\": 30}, \"policy\": {\"name\": \"sjf\"}}";
static char other_work[] =
    "{\"name\": \"b\", \"workload\": {\"shake_s\": 60}, \"policy\": {\"name\": \"sjf\"}}";

struct texts {
    char *text[REPLICAS];
};

static struct texts made(const char *digest, const char *trace, int seed, const char *journal,
                         double wait)
{
    struct texts made;
    for (int k = 0; k < REPLICAS; k++)
        made.text[k] =
            mem_format("{\"fauxfleet_summary\": 1, \"scenario\": \"s\", \"scenario_digest\": "
                       "\"%s\", \"trace_digest\": \"%s%d\", \"policy\": \"p\", \"seed\": %d, "
                       "\"window\": {\"start_s\": 0}, \"wait_s\": {\"mean\": %g}, "
                       "\"engine\": {\"journal_sha256\": \"%s%d\"}}",
                       digest, trace, k, seed + k, wait * (k + 1) + k, journal, k);
    return made;
}

static void forget(struct texts *texts)
{
    for (int k = 0; k < REPLICAS; k++)
        free(texts->text[k]);
}

/* As written by `run`. */
static char *written(struct folder *folder, const char *name, const struct texts *texts,
                     const char *scenario)
{
    struct err err = {0};
    char file[64];
    folder_sub(folder, name);
    for (int k = 0; k < REPLICAS; k++) {
        (void)snprintf(file, sizeof file, "%s/rep-%d", name, k + 1);
        folder_sub(folder, file);
        (void)snprintf(file, sizeof file, "%s/rep-%d/summary.json", name, k + 1);
        folder_put(folder, file, texts->text[k]);
        (void)snprintf(file, sizeof file, "%s/rep-%d/scenario.json", name, k + 1);
        folder_put(folder, file, scenario);
    }
    char *path = mem_format("%s/%s", folder->path, name);
    ck_assert_msg(replicas_write_summary(path, REPLICAS, &err), "%s", err.msg);
    return path;
}

static char *table_of(struct comparison *comparison)
{
    struct out *out = out_memory();
    comparison_table(comparison, out, 120);
    char *text = mem_text(out_memory_text(out, NULL));
    out_discard(out);
    comparison_close(comparison);
    return text;
}

/* Queues are compared by name, in any order; a missing weight is the quota. */
START_TEST(changes_have_names)
{
    static char queues_a[] = "{\"queues\": [{\"name\": \"x\", \"gpu\": {\"quota\": 8, \"weight\": "
                             "8}}, {\"name\": \"y.z\", \"gpu\": {\"quota\": 0, \"weight\": 1}}, "
                             "{\"name\": \"gone\"}]}";
    static char queues_b[] =
        "{\"queues\": [{\"name\": \"y.z\", \"gpu\": {\"quota\": 4, \"weight\": 4}}, {\"name\": "
        "\"x\", \"gpu\": {\"quota\": 24, \"weight\": 9}}]}";
    static const struct {
        const char *path, *text;
    } expected[] = {
        {"queues.x.gpu.quota", "8 -> 24"},
        {"queues.x.gpu.weight", "8 -> 9"},
        {"queues.y.z.gpu.quota", "0 -> 4"},
        {"queues.y.z.gpu.weight", "1 -> 4 (follows the quota unless a weight is given)"},
        {"queues.gone", "{\"name\":\"gone\"} -> -"},
    };
    struct texts a = made("aa", "t", 7, "x", 10), b = made("bb", "t", 7, "y", 15);
    const struct pairing_side sides[SIDES] = {
        {.name = "a", .scenario = queues_a, .summaries = a.text, .count = REPLICAS},
        {.name = "b", .scenario = queues_b, .summaries = b.text, .count = REPLICAS}};
    struct pairing pairing;
    struct err err = {0};
    ck_assert_msg(pairing_make(&pairing, sides, &err), "%s", err.msg);
    ck_assert_uint_eq(pairing.change_count, ROWS(expected));
    for (int i = 0; i < ROWS(expected); i++) {
        char *text = pairing_change_text(&pairing.changes[i]);
        ck_assert_str_eq(pairing.changes[i].path, expected[i].path);
        ck_assert_str_eq(text, expected[i].text);
        free(text);
    }
    pairing_close(&pairing);
    forget(&a);
    forget(&b);
}
END_TEST

START_TEST(memory_and_directories_say_the_same)
{
    static const struct comparison_options options = {.alpha = 0.05};
    struct texts a = made("aa", "t", 7, "x", 10), b = made("bb", "t", 7, "y", 15);
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    char *dir_a = written(&folder, "a", &a, scenario_a),
         *dir_b = written(&folder, "b", &b, scenario_b);
    const struct pairing_side sides[SIDES] = {{dir_a, scenario_a, a.text, REPLICAS, false},
                                              {dir_b, scenario_b, b.text, REPLICAS, false}};
    struct comparison comparison;
    ck_assert_msg(comparison_open(&comparison, dir_a, dir_b, &options, &err), "%s", err.msg);
    char *from_disk = table_of(&comparison);
    ck_assert_msg(comparison_make(&comparison, sides, &options, &err), "%s", err.msg);
    ck_assert_uint_eq(comparison.pairing.replicas, REPLICAS);
    ck_assert_uint_eq(comparison.pairing.change_count, 1);
    ck_assert_str_eq(comparison.pairing.changes[0].path, "policy.name");
    char *from_memory = table_of(&comparison);
    ck_assert_str_eq(from_memory, from_disk);
    free(from_disk);
    free(from_memory);
    free(dir_a);
    free(dir_b);
    forget(&a);
    forget(&b);
    folder_remove(&folder);
}
END_TEST

static const struct {
    const char *trace, *scenario, *complaint, *when_wanted; /* complaint NULL: they pair */
    int seed;
} pairs[] = {
    {"t", scenario_b, NULL, NULL, 7},
    {"u", scenario_b, "the traces of replica 1", NULL, 7},
    {"t", other_work, "workload.shake_s is 30 in A", NULL, 7},
    {"t", scenario_b, "replica 1 has seed 7 in A", "has seed", 8},
};

START_TEST(sides_must_pair)
{
    struct texts a = made("aa", "t", 7, "x", 10),
                 b = made("bb", pairs[_i].trace, pairs[_i].seed, "x", 10);
    for (int wanted = 0; wanted < 2; wanted++) {
        const struct pairing_side sides[SIDES] = {
            {"A", scenario_a, a.text, REPLICAS, false},
            {"B", pairs[_i].scenario, b.text, REPLICAS, wanted == 1}};
        const char *complaint = wanted ? pairs[_i].when_wanted : pairs[_i].complaint;
        struct pairing p;
        struct err err = {0};
        bool ok = pairing_make(&p, sides, &err);
        ck_assert_msg(ok == (complaint == NULL), "%s", err.msg);
        if (ok) {
            ck_assert_uint_eq(p.same_decisions, REPLICAS);
            char *data;
            struct rundir replica = pairing_replica(&p, SIDE_B, 1, &data), run = p.run[SIDE_B];
            ck_assert(data == NULL && !rundir_has(&run, "", "jobs.csv"));
            ck_assert_double_eq(json_number_at(replica.summary, "seed"), 8);
            pairing_close(&p);
        } else {
            ck_assert_int_eq(err.code, EXIT_BASELINE);
            ck_assert_msg(strstr(err.msg, complaint) != NULL, "%s", err.msg);
        }
    }
    forget(&a);
    forget(&b);
}
END_TEST

START_TEST(one_replica_and_numbers_that_differ)
{
    struct texts a = made("aa", "t", 7, "x", 10);
    struct pairing_side sides[SIDES] = {{"A", scenario_a, a.text, 1, false},
                                        {"B", scenario_a, a.text, 1, false}};
    struct pairing p;
    struct err err = {0};
    ck_assert_msg(pairing_make(&p, sides, &err), "%s", err.msg);
    ck_assert_uint_eq(p.replicas, 1);
    pairing_close(&p);
    sides[SIDE_B].count = 2;
    ck_assert(!pairing_make(&p, sides, &err));
    ck_assert_int_eq(err.code, EXIT_BASELINE);
    char broken[] = "{\"seed\": 1}", *texts[] = {broken};
    sides[SIDE_B] = (struct pairing_side){"B", scenario_a, texts, 1, false};
    ck_assert(!pairing_make(&p, sides, &err));
    ck_assert_int_eq(err.code, EXIT_INTERNAL);
    forget(&a);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pairing");
    TCase *tcase = tcase_create("pairing");
    tcase_add_test(tcase, changes_have_names);
    tcase_add_test(tcase, memory_and_directories_say_the_same);
    tcase_add_loop_test(tcase, sides_must_pair, 0, ROWS(pairs));
    tcase_add_test(tcase, one_replica_and_numbers_that_differ);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
