/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces from files: streaming over many chunks, order, sorting, digests, and input that is not a
 * trace. */
#include "tests/lib/fixture.h"
#include "tests/lib/harness.h"
#include "traces/input.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define HEAD "job_id,submit_s,duration_s,gpus\n"

START_TEST(strings_live_until_the_next_job)
{
    // Long names, so that rows cross the ends of chunks in all places; one row is longer than a
    // chunk.
    size_t size = 3000000, used = 0;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    used += (size_t)snprintf(text, size, "job_id,after,submit_s,duration_s,gpus\n");
    for (int i = 0; i < 3000; i++) {
        int pad = i == 1500 ? 100000 : i % 300 + 1;
        used +=
            (size_t)snprintf(text + used, size - used, "job-%0*d,after-%d,%d,1,1\n", pad, i, i, i);
    }
    struct fixture f;
    ck_assert_msg(fixture_open_bytes(&f, text, used, NULL, false), "%s", f.err.msg);
    for (int i = 0; i < 3000; i++) {
        char after[32];
        ck_assert_msg(fixture_next(&f) == TRACE_JOB, "%s", f.err.msg);
        (void)snprintf(after, sizeof after, "after-%d", i);
        ck_assert_str_eq(f.job.after, after);
        size_t length = strlen(f.job.id), digits = i < 10 ? 1 : i < 100 ? 2 : i < 1000 ? 3 : 4;
        size_t pad = i == 1500 ? 100000 : (size_t)(i % 300 + 1);
        ck_assert_uint_eq(length, 4 + (pad > digits ? pad : digits));
        ck_assert_int_eq(strtol(f.job.id + 4, NULL, 10), i);
        ck_assert_uint_eq(f.job.row, (uint64_t)i);
        ck_assert_int_eq(f.job.submit_ms, i * 1000);
    }
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    fixture_close(&f);
    free(text);
}
END_TEST

START_TEST(an_unsorted_file_cannot_be_streamed)
{
    struct fixture f;
    ck_assert(fixture_open(&f, HEAD "a,10,1,1\nb,10,1,1\nc,9.5,1,1\nd,11,1,1\n", NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(fixture_next(&f), TRACE_UNSORTED);
    ck_assert_int_eq(f.err.code, EXIT_INPUT);
    ck_assert_str_eq(
        f.err.msg,
        "t:4:2: job 'c' was submitted 500 ms before the one above it: not in order of submission");
    memset(&f.err, 0, sizeof f.err);
    ck_assert_int_eq(fixture_next(&f), TRACE_UNSORTED);
    harness_contains(f.err.msg, "not in order");
    fixture_close(&f);
}
END_TEST

START_TEST(sorting_is_stable)
{
    size_t size = 200000, used = 0;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    used += (size_t)snprintf(text, size, HEAD);
    for (int i = 0; i < 5000; i++)
        used += (size_t)snprintf(text + used, size - used, "job%d,%d,1,1\n", i, i * 7919 % 101);
    struct fixture f;
    ck_assert(fixture_open_bytes(&f, text, used, NULL, true));
    int64_t last_ms = -1, last_row = -1;
    char name[32];
    for (int i = 0; i < 5000; i++) {
        ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
        ck_assert(f.job.submit_ms > last_ms ||
                  (f.job.submit_ms == last_ms && (int64_t)f.job.row > last_row));
        last_ms = f.job.submit_ms;
        last_row = (int64_t)f.job.row;
        (void)snprintf(name, sizeof name, "job%d", (int)f.job.row);
        ck_assert_str_eq(f.job.id, name);
    }
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    fixture_close(&f);
    free(text);
}
END_TEST

static const struct {
    const char *rows, *error;
} repeated[] = {
    {"a,1,1,1\nb,1,1,1\na,1,1,1\n", "t:4:1: the job id 'a' is that of line 2 too"},
    {"\"a\",1,1,1\n\"a\",1,1,1\n", "t:3:1: the job id 'a' is that of line 2 too"},
    {"a,1,1,1\na,1,1,1\nb,x,1,1\n", "t:3:1: the job id 'a' is that of line 2 too"},
    {"a,1,1,1\nb,x,1,1\na,1,1,1\n", "t:3:2: column 'submit_s': 'x' is not valid"},
    {"a,1,1,1\na,1,1,1\nb,1,1,\"1\"1\n", "t:3:1: the job id 'a' is that of line 2 too"},
    {"a,1,1,1\nb,1,1,1\n\nb,1,1,1\na,1,1,1\n", "t:5:1: the job id 'b' is that of line 3 too"},
};

/* The first of several mistakes in a chunk is reported, although ids are compared after all of its
 * rows were read. */
START_TEST(an_id_comes_once)
{
    struct fixture f;
    char text[200];
    (void)snprintf(text, sizeof text, HEAD "%s", repeated[_i].rows);
    ck_assert(fixture_open(&f, text, NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_ERROR);
    harness_contains(f.err.msg, repeated[_i].error);
    fixture_close(&f);
}
END_TEST

START_TEST(a_file_with_a_header_alone)
{
    struct fixture f;
    ck_assert(fixture_open(&f, HEAD, NULL, _i != 0));
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    fixture_close(&f);
}
END_TEST

START_TEST(the_digest_is_that_of_the_text)
{
    struct fixture f;
    char hex[DIGEST_HEX];
    ck_assert(fixture_open(&f, HEAD "a,1,2,3\n", NULL, false));
    ck_assert_int_eq(fixture_rest(&f), 1);
    trace_digest(f.trace, hex);
    struct digest digest;
    char expected[DIGEST_HEX];
    digest_init(&digest);
    digest_add(&digest, HEAD "a,1,2,3\n", strlen(HEAD "a,1,2,3\n"));
    digest_hex(&digest, expected);
    ck_assert_str_eq(hex, expected);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *text;
    size_t n;
    const char *message;
} hostile[] = {
    {"", 0, "t:1:1: the file is empty, expected a job trace"},
    {"\n\n", 2, "t:3:1: no job trace"},
    {"\0\0\0\0\0\0\0\0", 8, "t:1:1: unknown format"},
    {"\x7f"
     "ELF\x02\x01\x01\0\0\0\0",
     11, "t:1:1: unknown format"},
    {"\x1f\x8b\x08\0\0\0\0\0\0\x03", 10, "t:1:1: truncated gzip data"},
    {"\x1f\x8b\xff\xff\xff\xff\xff\xff\xff\xff", 10, "t:1:1: corrupt gzip data"},
    {"\x28\xb5\x2f\xfd\0\0", 6, "t:1:1: truncated zstd data"},
};

START_TEST(files_that_are_no_trace_are_refused)
{
    struct fixture f;
    ck_assert(!fixture_open_bytes(&f, hostile[_i].text, hostile[_i].n, NULL, false));
    ck_assert_int_eq(f.err.code, EXIT_INPUT);
    harness_contains(f.err.msg, hostile[_i].message);
    fixture_close(&f);
}
END_TEST

/* The place reached in a text of fields: 1-based line, and number of the field on it. */
struct reached {
    size_t line, column;
};

static struct reached reached_in(const char *text, size_t n, char separator)
{
    struct reached at = {1, 1};
    for (size_t i = 0; i < n; i++) {
        at.column = text[i] == '\n' ? 1 : at.column + (text[i] == separator);
        at.line += text[i] == '\n';
    }
    return at;
}

/* Unpacks the first bytes of compressed data with zlib itself. */
static size_t unpacked(const unsigned char *bytes, size_t n, char *text, size_t size)
{
    z_stream stream = {0};
    unsigned char *copy = malloc(n);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, n);
    ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = copy;
    stream.avail_in = (unsigned)n;
    stream.next_out = (unsigned char *)text;
    stream.avail_out = (unsigned)size;
    (void)inflate(&stream, Z_SYNC_FLUSH);
    ck_assert_int_eq(inflateEnd(&stream), Z_OK);
    free(copy);
    return size - stream.avail_out;
}

static size_t pack(char *text, size_t n, unsigned char *bytes, size_t size)
{
    z_stream stream = {0};
    ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (unsigned char *)text;
    stream.avail_in = (unsigned)n;
    stream.next_out = bytes;
    stream.avail_out = (unsigned)size;
    ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    ck_assert_int_eq(deflateEnd(&stream), Z_OK);
    return size - stream.avail_out;
}

static int native_row(char *text, size_t size, int i)
{
    return snprintf(text, size, "job%d,%d,%d,1\n", i, i, i * 7919 % 1000);
}

static int swf_row(char *text, size_t size, int i)
{
    return snprintf(text, size, "%d %d 1 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", i,
                    i * 7919 % 1000 + i * 1000);
}

static const struct {
    const char *head;
    int (*row)(char *text, size_t size, int i);
    char separator;
} packable[] = {
    {HEAD, native_row, ','},
    {";\n", swf_row, ' '},
};

/* Wherever compressed data is truncated, the message says so, with the line and field that the text
 * reaches. */
START_TEST(cut_data_names_the_place)
{
    enum { SIZE = 100000 };
    static char text[SIZE], part[SIZE];
    static unsigned char bytes[SIZE];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", packable[_i].head);
    for (int i = 0; i < 1500; i++)
        n += (size_t)packable[_i].row(text + n, sizeof text - n, i);
    size_t size = pack(text, n, bytes, sizeof bytes);
    for (size_t cut = 2; cut < size; cut += cut < 100 ? 1 : 97) {
        struct fixture f;
        char expected[80];
        struct reached at =
            reached_in(part, unpacked(bytes, cut, part, sizeof part), packable[_i].separator);
        (void)snprintf(expected, sizeof expected, "t:%zu:%zu: truncated gzip data", at.line,
                       at.column);
        ck_assert(!fixture_open_bytes(&f, bytes, cut, NULL, false) || fixture_rest(&f) < 0);
        ck_assert_str_eq(f.err.msg, expected);
        fixture_close(&f);
    }
}
END_TEST

static const struct {
    const char *text, *format, *message;
} empty[] = {
    {HEAD, NULL, "t:2:1: the trace has no jobs"},
    {"job_id,submit_s,duration_s,gpus", NULL, "t:1:1: the trace has no jobs"},
    {"; nothing\n", NULL, "t:2:1: the trace has no jobs"},
    {";\n1 0 -1 -1 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n", NULL,
     "t:3:1: the trace has no jobs: all its rows were dropped"},
};

START_TEST(a_trace_without_jobs)
{
    for (int sort = 0; sort < 2; sort++) {
        struct fixture f;
        ck_assert(fixture_open(&f, empty[_i].text, empty[_i].format, sort));
        ck_assert_int_eq(fixture_next(&f), TRACE_END);
        fixture_close(&f);
        fixture_begin(&f);
        struct input *input = input_memory("t", empty[_i].text, strlen(empty[_i].text));
        struct trace_options options = {.names = f.names, .sort = sort, .nonempty = true};
        ck_assert(trace_open_input(&f.trace, input, &options, &f.err));
        ck_assert_int_eq(fixture_next(&f), TRACE_ERROR);
        ck_assert_int_eq(f.err.code, EXIT_INPUT);
        ck_assert_str_eq(f.err.msg, empty[_i].message);
        fixture_close(&f);
    }
}
END_TEST

START_TEST(files_that_are_not_there)
{
    struct fixture f;
    ck_assert(!fixture_open_file(&f, "/no/such/trace.csv", false));
    ck_assert_int_eq(f.err.code, EXIT_INPUT);
    harness_contains(f.err.msg, "/no/such/trace.csv: cannot read");
    fixture_close(&f);
}
END_TEST

START_TEST(a_format_by_name_is_not_guessed)
{
    struct fixture f;
    ck_assert(!fixture_open(&f, HEAD "a,1,2,3\n", "openb", false));
    harness_contains(f.err.msg, "t:1:5: the header has no column 'name'");
    fixture_close(&f);
    ck_assert(!fixture_open(&f, HEAD "a,1,2,3\n", "csv", false));
    harness_contains(f.err.msg, "unknown trace format 'csv'");
    fixture_close(&f);
    ck_assert(fixture_open(&f, HEAD "a,1,2,3\n", "auto", false));
    fixture_close(&f);
}
END_TEST

/* Any prefix of a trace ends with its complete rows or with an input error. */
START_TEST(truncated_anywhere)
{
    static const char text[] = HEAD "\"a,\"\"x\",1.5,2,3\r\nb,2,1e1,0.5\r\nc,3,,1\n";
    for (size_t n = 0; n < sizeof text; n++) {
        struct fixture f;
        if (fixture_open_bytes(&f, text, n, "native", false)) {
            if (fixture_rest(&f) < 0)
                ck_assert_int_eq(f.err.code, EXIT_INPUT);
        } else {
            ck_assert_int_eq(f.err.code, EXIT_INPUT);
        }
        fixture_close(&f);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file");
    TCase *tcase = tcase_create("file");
    tcase_add_test(tcase, strings_live_until_the_next_job);
    tcase_add_test(tcase, an_unsorted_file_cannot_be_streamed);
    tcase_add_loop_test(tcase, an_id_comes_once, 0, ROWS(repeated));
    tcase_add_test(tcase, sorting_is_stable);
    tcase_add_loop_test(tcase, a_file_with_a_header_alone, 0, 2);
    tcase_add_test(tcase, the_digest_is_that_of_the_text);
    tcase_add_loop_test(tcase, files_that_are_no_trace_are_refused, 0, ROWS(hostile));
    tcase_add_loop_test(tcase, cut_data_names_the_place, 0, ROWS(packable));
    tcase_add_loop_test(tcase, a_trace_without_jobs, 0, ROWS(empty));
    tcase_add_test(tcase, files_that_are_not_there);
    tcase_add_test(tcase, a_format_by_name_is_not_guessed);
    tcase_add_test(tcase, truncated_anywhere);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
