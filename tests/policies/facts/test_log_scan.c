/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a log back: a writer that continues writes the same bytes as one that was never
 * interrupted, wherever the file was cut; incomplete, hence unacknowledged, data is cut off;
 * changed or missing data is refused.
 */
#include "policies/facts/log.h"

#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct fact_policy policy = {
    .version = FACTS_VERSION, .contract = POLICY_VERSION, .name = "fifo", .facts = 2};

static void open_log(struct fact_log *log, const char *path)
{
    char error[256] = "";
    ck_assert_msg(fact_log_open(log, path, error, sizeof error), "%s", error);
    ck_assert_msg(fact_log_scan(log, error, sizeof error), "%s", error);
    log->is_grouped = true;
}

static void add_fact(struct fact_log *log, uint32_t node)
{
    fact_log_fact(log, &(struct fact){.kind = FACT_NODE_REMOVE, .at = 5, .node = {node}});
}

/*
 * Units of a session, by number: a section with the two facts that begin it, facts, and as many
 * decisions as the unit's number modulo three.
 */
static void add_unit(struct fact_log *log, uint32_t unit)
{
    struct fact_decision d = {
        .at = 5,
        .d = {.kind = POLICY_START, .action = POLICY_ALLOCATE, .for_job = {POLICY_NO_ID, 0}}};
    if (unit % 40 == 0) {
        fact_log_begin(log, 5, &policy);
        add_fact(log, 1);
        add_fact(log, 2);
    } else if (unit % 2 == 0) {
        fact_log_fact(log, &(struct fact){.kind = FACT_DECIDE, .at = 5, .count = unit % 3});
        for (d.d.job.i = 0; d.d.job.i < unit % 3; d.d.job.i++)
            fact_log_decision(log, &d);
    } else {
        add_fact(log, unit);
    }
}

/* Stores the ends of all units in `ends`, from 0; returns their number. */
static uint32_t write_units(struct fact_log *log, uint32_t from, uint32_t to, off_t *ends,
                            uint64_t *records)
{
    for (uint32_t unit = from; unit < to; unit++) {
        add_unit(log, unit);
        ck_assert(fact_log_commit(log));
        ends[unit + 1] = log->size;
        records[unit + 1] = log->records;
    }
    return to;
}

enum { UNITS = 200 };

START_TEST(cut_anywhere_it_continues_as_if_uncut)
{
    struct folder folder;
    struct fact_log log;
    off_t ends[UNITS + 1] = {0};
    uint64_t records[UNITS + 1] = {0};
    folder_make(&folder);
    char *path = strdup(folder_path(&folder, "j"));
    open_log(&log, path);
    uint32_t count = write_units(&log, 0, UNITS, ends, records);
    ck_assert(fact_log_close(&log));
    char *whole = folder_read(&folder, "j");
    for (off_t at = _i; at <= ends[count]; at += 97) {
        uint32_t unit = 0;
        while (unit < count && ends[unit + 1] <= at)
            unit++;
        ck_assert_int_eq(truncate(path, at), 0);
        open_log(&log, path);
        log.sync_ms = FACT_LOG_NEVER;
        ck_assert_msg(log.size == ends[unit], "cut at %jd: %jd bytes, expected %jd", (intmax_t)at,
                      (intmax_t)log.size, (intmax_t)ends[unit]);
        ck_assert_uint_eq(log.records, records[unit]);
        (void)write_units(&log, unit, UNITS, ends, records);
        ck_assert(fact_log_close(&log));
        char *again = folder_read(&folder, "j");
        ck_assert_str_eq(again, whole);
        free(again);
    }
    free(whole);
    free(path);
    folder_remove(&folder);
}
END_TEST

struct seen {
    uint64_t next, stop;
    uint64_t nodes; /* the sum of their numbers */
};

static bool see(void *self, uint64_t number, const char *line, size_t length)
{
    struct seen *seen = self;
    const char *node = strstr(line, "\"node\": ");
    ck_assert_uint_eq(number, seen->next++);
    if (node != NULL && node < line + length)
        seen->nodes += strtoul(node + 8, NULL, 10);
    return number != seen->stop;
}

START_TEST(single_records_are_read)
{
    struct folder folder;
    struct fact_log log;
    folder_make(&folder);
    open_log(&log, folder_path(&folder, "j"));
    fact_log_begin(&log, 5, &(struct fact_policy){.version = FACTS_VERSION, .name = "fifo"});
    for (uint32_t i = 2; i <= 300; i++)
        add_fact(&log, i); /* record i */
    ck_assert(fact_log_commit(&log));
    ck_assert(!fact_log_has(&log, 0) && fact_log_has(&log, 1) && fact_log_has(&log, 300) &&
              !fact_log_has(&log, 301));
    for (uint64_t from = 2; from <= 300; from++) {
        struct seen seen = {.next = from, .stop = from};
        ck_assert(!fact_log_read(&log, from, (struct fact_log_reader){see, &seen}));
        ck_assert_uint_eq(seen.nodes, from);
        ck_assert_uint_eq(seen.next, from + 1);
    }
    struct seen all = {.next = 1};
    ck_assert(fact_log_read(&log, 1, (struct fact_log_reader){see, &all}));
    ck_assert_uint_eq(all.next, 301);
    ck_assert(fact_log_close(&log));
    folder_remove(&folder);
}
END_TEST

START_TEST(a_renewed_log_continues_its_numbers)
{
    struct folder folder;
    struct fact_log log;
    char error[256];
    folder_make(&folder);
    char *path = strdup(folder_path(&folder, "j"));
    open_log(&log, path);
    add_unit(&log, 0);
    ck_assert(fact_log_commit(&log));
    char before[CHAIN_DIGITS + 1];
    memcpy(before, log.chain.last, sizeof before);
    ck_assert(fact_log_renew(&log, path, 5,
                             &(struct fact_policy){.version = FACTS_VERSION, .name = "fifo"}, error,
                             sizeof error));
    ck_assert_uint_eq(log.records, 3);
    add_fact(&log, 4);
    ck_assert(fact_log_commit(&log));
    ck_assert(!fact_log_has(&log, 3) && fact_log_has(&log, 4));
    for (int i = 0; i < 2; i++) {
        struct seen seen = {.next = 4};
        ck_assert(fact_log_read(&log, 4, (struct fact_log_reader){see, &seen}));
        ck_assert_uint_eq(seen.nodes, 4);
        ck_assert(fact_log_close(&log));
        open_log(&log, path);
        ck_assert_uint_eq(log.records, 4);
        ck_assert_uint_eq(log.base, 3);
    }
    ck_assert(fact_log_close(&log));
    char *text = folder_read(&folder, "j");
    ck_assert_ptr_nonnull(strstr(text, before));
    ck_assert_ptr_nonnull(strstr(text, "\"records\": 3"));
    free(text);
    ck_assert(folder_has(&folder, "j.1"));
    free(path);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_changed_byte_is_found)
{
    struct folder folder;
    struct fact_log log;
    char error[256];
    folder_make(&folder);
    char *path = strdup(folder_path(&folder, "j"));
    open_log(&log, path);
    for (uint32_t unit = 0; unit < 6; unit++)
        add_unit(&log, unit);
    off_t size = log.size + (off_t)log.held.length;
    ck_assert(fact_log_close(&log));
    int file = open(path, O_RDWR);
    for (off_t i = 0; i < size; i++) {
        char byte;
        ck_assert_int_eq(pread(file, &byte, 1, i), 1);
        byte ^= 1;
        ck_assert_int_eq(pwrite(file, &byte, 1, i), 1);
        bool opened = fact_log_open(&log, path, error, sizeof error);
        /* Without the last line feed the last line is incomplete. */
        ck_assert_msg(!opened || log.torn > 0 || !fact_log_scan(&log, error, sizeof error),
                      "byte %jd", (intmax_t)i);
        (void)fact_log_close(&log);
        if (opened && log.torn > 0)
            break;
        byte ^= 1;
        ck_assert_int_eq(pwrite(file, &byte, 1, i), 1);
    }
    (void)close(file);
    free(path);
    folder_remove(&folder);
}
END_TEST

/* A file system that is full in the middle of a group. */
START_TEST(a_failed_write_leaves_nothing_behind)
{
    struct folder folder;
    struct fact_log log;
    struct rlimit limit, most;
    folder_make(&folder);
    open_log(&log, folder_path(&folder, "j"));
    add_unit(&log, 0);
    ck_assert(fact_log_commit(&log));
    off_t size = log.size;
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &most), 0);
    limit = (struct rlimit){.rlim_cur = (rlim_t)size + 300, .rlim_max = most.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (uint32_t i = 0; i < 10; i++)
        add_fact(&log, i);
    ck_assert(!fact_log_commit(&log));
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &most), 0);
    ck_assert_int_eq(log.error, EFBIG);
    add_fact(&log, 11);
    ck_assert(!fact_log_commit(&log));
    ck_assert(!fact_log_close(&log));
    char *text = folder_read(&folder, "j");
    ck_assert_int_eq((off_t)strlen(text), size);
    free(text);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts/log_scan");
    TCase *tcase = tcase_create("scan");
    tcase_add_loop_test(tcase, cut_anywhere_it_continues_as_if_uncut, 0, harness_repeats(4));
    tcase_add_test(tcase, single_records_are_read);
    tcase_add_test(tcase, a_renewed_log_continues_its_numbers);
    tcase_add_test(tcase, a_changed_byte_is_found);
    tcase_add_test(tcase, a_failed_write_leaves_nothing_behind);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
