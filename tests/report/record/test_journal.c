/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal: the hash is recomputed from the lines of the text, record by record in the layout of
 * report/record/journal.h, with the test's knowledge of the run (numbers of jobs, nodes and pools).
 */
#include "report/record/journal.h"
#include "tests/lib/folder.h"
#include "tests/sim/small.h"

#include <cjson/cJSON.h>
#include <nettle/sha2.h>

/* ---- from a line to a record ---- */

static void put(uint8_t *record, size_t offset, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        record[offset + (size_t)i] = (uint8_t)(value >> (8 * i));
}

static int64_t whole(const cJSON *line, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, key);
    ck_assert_msg(cJSON_IsNumber(item), "no %s", key);
    return (int64_t)item->valuedouble;
}

static const char *text(const cJSON *line, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static uint64_t job_number(const struct small *s, const char *id)
{
    for (size_t i = 0; i < s->job_count; i++)
        if (strcmp(s->jobs[i].id, id) == 0)
            return i;
    ck_abort_msg("line with unknown job '%s'", id);
    return 0;
}

static uint32_t node_number(const struct small *s, const char *name)
{
    for (uint32_t i = 0; i < s->fleet.node_count; i++)
        if (strcmp(s->fleet.nodes[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

static uint32_t pool_number(const struct small *s, const char *name)
{
    for (uint32_t i = 0; i < s->fleet.pool_count; i++)
        if (strcmp(s->fleet.pools[i].name, name) == 0)
            return i;
    ck_abort_msg("line with unknown pool '%s'", name);
    return 0;
}

static void record_of(const struct small *s, const cJSON *line, uint8_t record[64])
{
    memset(record, 0, 64);
    uint64_t devices = 0;
    const cJSON *device;
    cJSON_ArrayForEach(device, cJSON_GetObjectItem(line, "devices")) devices |= UINT64_C(1)
                                                                                << device->valueint;
    uint32_t node = node_number(s, text(line, "node"));
    put(record, 0, (uint64_t)whole(line, "t_ms"), 8);
    put(record, 8, job_number(s, text(line, "job")), 8);
    put(record, 16, UINT64_MAX, 8);
    put(record, 24, devices, 8);
    put(record, 32, (uint64_t)whole(line, "gpu_milli"), 8);
    put(record, 40, node == UINT32_MAX ? UINT32_MAX : (uint64_t)whole(line, "task"), 4);
    put(record, 44, node, 4);
    put(record, 48,
        node == UINT32_MAX ? pool_number(s, text(line, "pool")) : s->fleet.nodes[node].pool, 4);
    ck_assert_str_eq(text(line, "kind"), "start");
    ck_assert_str_eq(text(line, "action"), "allocate");
    put(record, 52, 1, 1);
    put(record, 53, 1, 1);
}

static void hex_of(const struct sha256_ctx *ctx, char hex[65])
{
    struct sha256_ctx copy = *ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&copy, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        (void)snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

/* ---- runs ---- */

static void build(struct small *s, const char *options)
{
    small_begin(s, "fifo", options);
    small_pool(s, "p", 2, 4);
    small_pool(s, "q", 1, 8);
    small_job(s, "a \"quoted\" id", -5000, 3000, 3);
    small_job(s, "b", -4000, 3000, 8);
    struct trace_job *gang = small_job(s, "gang", 0, 1000, TRACE_UNKNOWN);
    gang->tasks = gang->min_tasks = gang->max_tasks = 3;
    gang->gpus = 2;
    struct trace_job *share = small_job(s, "share", 0, 1000, TRACE_UNKNOWN);
    share->gpus = 1;
    share->gpu_milli = 250;
    small_job(s, "none", 1000, 1000, 0);
}

static const char *const options[] = {"placement=best-fit", "placement=spread", "placement=count"};

START_TEST(the_hash_is_that_of_the_records)
{
    struct small s;
    struct folder folder;
    struct journal journal;
    build(&s, options[_i]);
    folder_make(&folder);
    journal_init(&journal);
    ck_assert(journal_open(&journal, folder.path, "fifo", &s.err));
    small_observe(&s, journal_observer(&journal));
    small_run(&s);
    struct out *closing = journal.out;
    ck_assert(out_close(closing, &s.err));

    char *lines = folder_read(&folder, "journal.jsonl");
    char *rest = lines;
    struct sha256_ctx ctx;
    sha256_init(&ctx);
    char hex[65] = "";
    uint64_t count = 0;
    for (bool first = true; *rest != '\0'; first = false) {
        char *end = strchr(rest, '\n');
        ck_assert_ptr_nonnull(end);
        *end = '\0';
        cJSON *line = cJSON_Parse(rest);
        ck_assert_msg(line != NULL, "no JSON: %s", rest);
        if (first) {
            ck_assert_int_eq(whole(line, "fauxfleet_journal"), 1);
            ck_assert_str_eq(text(line, "policy"), "fifo");
        } else {
            uint8_t record[64];
            record_of(&s, line, record);
            sha256_update(&ctx, sizeof record, record);
            hex_of(&ctx, hex);
            ck_assert_uint_eq(strlen(text(line, "hash")), 16);
            ck_assert_int_eq(strncmp(text(line, "hash"), hex, 16), 0);
            count++;
        }
        cJSON_Delete(line);
        rest = end + 1;
    }
    free(lines);
    ck_assert_uint_eq(count, strcmp(options[_i], "placement=count") == 0
                                 ? 5
                                 : 7); /* one per task, or one per job */
    ck_assert_uint_eq(journal.count, count);
    ck_assert_uint_eq(s.sim->decision_count, count);
    char told[DIGEST_HEX];
    journal_hex(&journal, told);
    ck_assert_str_eq(told, hex);
    folder_remove(&folder);
    small_end(&s);
}
END_TEST

static void hash_of_run(const char *option, int64_t shift_ms, char hex[DIGEST_HEX])
{
    struct small s;
    struct journal journal;
    build(&s, option);
    s.jobs[4].duration_ms += shift_ms; /* end of the last job: no decision changes */
    journal_init(&journal);
    small_observe(&s, journal_observer(&journal));
    small_run(&s);
    journal_hex(&journal, hex);
    small_end(&s);
}

/* Without a text the hash is the same; it depends on decisions only. */
START_TEST(equal_decisions_have_equal_hashes)
{
    char first[DIGEST_HEX], again[DIGEST_HEX], longer[DIGEST_HEX], other[DIGEST_HEX];
    hash_of_run("placement=best-fit", 0, first);
    hash_of_run("placement=best-fit", 0, again);
    hash_of_run("placement=best-fit", 5000, longer);
    hash_of_run("placement=spread", 0, other);
    ck_assert_str_eq(first, again);
    ck_assert_str_eq(first, longer);
    ck_assert_str_ne(first, other);
}
END_TEST

START_TEST(no_decisions_hash_to_that_of_nothing)
{
    struct journal journal;
    char hex[DIGEST_HEX];
    journal_init(&journal);
    journal_hex(&journal, hex);
    ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
END_TEST

/* Evictions name the job that they serve, and the reason. */
START_TEST(evictions_name_the_job_and_the_reason)
{
    struct small s;
    struct folder folder;
    struct journal journal;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 2);
    small_queue(&s, "x", 0);
    small_queue(&s, "y", 0)->gpu.quota = 2000;
    small_job_of(&s, "x", "a", 0, 100000, 2);
    small_job_of(&s, "y", "b", 40000, 10000, 2);
    s.config.grace_ms = 5000;
    folder_make(&folder);
    journal_init(&journal);
    ck_assert(journal_open(&journal, folder.path, "runai", &s.err));
    small_observe(&s, journal_observer(&journal));
    small_run(&s);
    ck_assert(out_close(journal.out, &s.err));
    char *lines = folder_read(&folder, "journal.jsonl");
    static const char *const parts[] = {
        "{\"t_ms\": 40000, \"kind\": \"evict\", \"job\": \"a\", \"task\": 0, \"node\": \"p-0\", "
        "\"devices\": [0, 1], "
        "\"gpu_milli\": 2000, \"action\": \"reclaim\", \"for_job\": \"b\", \"reason\": "
        "\"RECLAIM_OVER_QUOTA\", \"hash\": \"",
        "{\"t_ms\": 40000, \"kind\": \"nominate\", \"job\": \"b\", \"task\": 0, \"node\": \"p-0\"",
        "{\"t_ms\": 45000, \"kind\": \"start\", \"job\": \"b\", \"task\": 0, \"node\": \"p-0\"",
        "{\"t_ms\": 55000, \"kind\": \"start\", \"job\": \"a\"",
    };
    for (int i = 0; i < ROWS(parts); i++)
        harness_contains(lines, parts[i]);
    free(lines);
    folder_remove(&folder);
    small_end(&s);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
    struct journal journal;
    struct err err = {0};
    journal_init(&journal);
    ck_assert(!journal_open(&journal, "/nonexistent/folder", "fifo", &err));
    harness_contains(err.msg, "/nonexistent/folder/journal.jsonl");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("journal");
    TCase *tcase = tcase_create("journal");
    tcase_add_loop_test(tcase, the_hash_is_that_of_the_records, 0, ROWS(options));
    tcase_add_test(tcase, equal_decisions_have_equal_hashes);
    tcase_add_test(tcase, no_decisions_hash_to_that_of_nothing);
    tcase_add_test(tcase, evictions_name_the_job_and_the_reason);
    tcase_add_test(tcase, a_folder_that_is_not_there_is_an_error);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
