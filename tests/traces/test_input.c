/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input: plain, gzip and zstd give the same bytes and digest; truncated, corrupt and missing files
 * are reported. */
#include "tests/lib/harness.h"
#include "traces/input.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define SIZE ((size_t)300000)

struct packed {
    unsigned char *bytes;
    size_t n;
};

/* Text that compresses a little, longer than any chunk. */
static char *sample(void)
{
    char *text = malloc(SIZE);
    ck_assert_ptr_nonnull(text);
    uint32_t state = 1;
    for (size_t i = 0; i < SIZE; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = (char)('a' + (state >> 24) % 20);
    }
    return text;
}

static struct packed plain(const char *text, size_t n)
{
    struct packed packed = {malloc(n + 1), n};
    ck_assert_ptr_nonnull(packed.bytes);
    memcpy(packed.bytes, text, n);
    return packed;
}

static struct packed gzip(const char *text, size_t n)
{
    struct packed packed = {malloc(n + 1000), n + 1000};
    ck_assert_ptr_nonnull(packed.bytes);
    z_stream stream = {0};
    ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    char *copy = (char *)plain(text, n).bytes;
    stream.next_in = (unsigned char *)copy;
    stream.avail_in = (unsigned)n;
    stream.next_out = packed.bytes;
    stream.avail_out = (unsigned)packed.n;
    ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.n -= stream.avail_out;
    ck_assert_int_eq(deflateEnd(&stream), Z_OK);
    free(copy);
    return packed;
}

/* With a checksum, like the zstd program: without one, changed literals would go unnoticed. */
static struct packed zstd(const char *text, size_t n)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ck_assert_ptr_nonnull(context);
    ck_assert(!ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)));
    struct packed packed = {malloc(ZSTD_compressBound(n)), ZSTD_compressBound(n)};
    ck_assert_ptr_nonnull(packed.bytes);
    packed.n = ZSTD_compress2(context, packed.bytes, packed.n, text, n);
    ck_assert(!ZSTD_isError(packed.n));
    (void)ZSTD_freeCCtx(context);
    return packed;
}

static const struct {
    const char *name;
    struct packed (*pack)(const char *, size_t);
} packers[] = {
    {"plain", plain},
    {"gzip", gzip},
    {"zstd", zstd},
};

/* All bytes of the input; *result is -1 if it ends in an error. */
static char *drain(struct input *input, size_t *n, int *result, struct err *err)
{
    char *all = NULL;
    const char *bytes;
    size_t size;
    *n = 0;
    while ((*result = input_read(input, &bytes, &size, err)) > 0) {
        ck_assert_uint_gt(size, 0);
        all = realloc(all, *n + size);
        ck_assert_ptr_nonnull(all);
        memcpy(all + *n, bytes, size);
        *n += size;
    }
    return all;
}

static void expect_text(struct input *input, const char *text, size_t length)
{
    struct err err = {0};
    size_t n;
    int result;
    char *all = drain(input, &n, &result, &err);
    ck_assert_msg(result == 0, "%s", err.msg);
    ck_assert_uint_eq(n, length);
    ck_assert_int_eq(memcmp(all, text, length), 0);
    struct digest digest;
    char hex[DIGEST_HEX], expected[DIGEST_HEX];
    digest_init(&digest);
    digest_add(&digest, text, length);
    digest_hex(&digest, expected);
    input_digest(input, hex);
    ck_assert_str_eq(hex, expected);
    const char *bytes;
    ck_assert_int_eq(input_read(input, &bytes, &n, &err), 0);
    free(all);
}

START_TEST(the_same_bytes_from_memory)
{
    char *text = sample();
    struct packed packed = packers[_i].pack(text, SIZE);
    struct input *input = input_memory("m", packed.bytes, packed.n);
    expect_text(input, text, SIZE);
    input_close(input);
    free(packed.bytes);
    free(text);
}
END_TEST

/* The bytes decide, not the name. */
START_TEST(the_same_bytes_from_a_file)
{
    char path[256];
    struct err err = {0};
    char *text = sample();
    struct packed packed = packers[_i].pack(text, SIZE);
    harness_file(path, sizeof path, ".txt", packed.bytes, packed.n);
    struct input *input = input_open(path, &err);
    ck_assert_ptr_nonnull(input);
    ck_assert_str_eq(input_name(input), path);
    expect_text(input, text, SIZE);
    input_close(input);
    harness_forget(path);
    free(packed.bytes);
    free(text);
}
END_TEST

START_TEST(peeking_takes_nothing)
{
    struct err err = {0};
    char *text = sample();
    struct packed packed = packers[_i].pack(text, SIZE);
    struct input *input = input_memory("m", packed.bytes, packed.n);
    const char *head;
    size_t n;
    ck_assert_int_eq(input_peek(input, &head, &n, &err), 1);
    ck_assert_int_eq(memcmp(head, text, n), 0);
    ck_assert_int_eq(input_peek(input, &head, &n, &err), 1);
    expect_text(input, text, SIZE);
    ck_assert_int_eq(input_peek(input, &head, &n, &err), 0);
    input_close(input);
    free(packed.bytes);
    free(text);
}
END_TEST

START_TEST(parts_that_follow_each_other)
{
    char *text = sample();
    struct packed first = packers[_i].pack(text, 1000),
                  second = packers[_i].pack(text + 1000, SIZE - 1000);
    unsigned char *both = malloc(first.n + second.n);
    ck_assert_ptr_nonnull(both);
    memcpy(both, first.bytes, first.n);
    memcpy(both + first.n, second.bytes, second.n);
    struct input *input = input_memory("m", both, first.n + second.n);
    expect_text(input, text, SIZE);
    input_close(input);
    free(first.bytes);
    free(second.bytes);
    free(both);
    free(text);
}
END_TEST

/* Compressed data truncated anywhere is never taken as complete. */
START_TEST(cut_data)
{
    char *text = sample();
    for (int k = 1; k < ROWS(packers); k++) {
        struct packed packed = packers[k].pack(text, SIZE);
        for (size_t cut = 5; cut < packed.n; cut += 1 + packed.n / 50) {
            struct err err = {0};
            size_t n;
            int result;
            struct input *input = input_memory("m", packed.bytes, cut);
            free(drain(input, &n, &result, &err));
            ck_assert_int_eq(result, -1);
            ck_assert_int_eq(err.code, EXIT_INPUT);
            harness_contains(err.msg, "truncated ");
            harness_contains(err.msg, packers[k].name);
            input_close(input);
        }
        free(packed.bytes);
    }
    free(text);
}
END_TEST

START_TEST(corrupt_data)
{
    char *text = sample();
    for (int k = 1; k < ROWS(packers); k++) {
        struct packed packed = packers[k].pack(text, SIZE);
        memset(packed.bytes + packed.n / 2, 0xff, 64);
        struct err err = {0};
        size_t n;
        int result;
        struct input *input = input_memory("m", packed.bytes, packed.n);
        free(drain(input, &n, &result, &err));
        ck_assert_int_eq(result, -1);
        harness_contains(err.msg, "corrupt ");
        input_close(input);
        free(packed.bytes);
    }
    free(text);
}
END_TEST

START_TEST(bytes_behind_the_end)
{
    for (int k = 1; k < ROWS(packers); k++) {
        struct packed packed = packers[k].pack("abc", 3);
        packed.bytes = realloc(packed.bytes, packed.n + 10);
        ck_assert_ptr_nonnull(packed.bytes);
        memcpy(packed.bytes + packed.n, "not packed", 10);
        struct err err = {0};
        size_t n;
        int result;
        struct input *input = input_memory("m", packed.bytes, packed.n + 10);
        free(drain(input, &n, &result, &err));
        ck_assert_int_eq(result, -1);
        ck_assert_int_eq(err.code, EXIT_INPUT);
        input_close(input);
        free(packed.bytes);
    }
}
END_TEST

START_TEST(nothing_at_all)
{
    struct packed packed = packers[_i].pack("", 0);
    struct input *input = input_memory("m", packed.bytes, packed.n);
    struct err err = {0};
    const char *bytes;
    size_t n;
    char hex[DIGEST_HEX];
    ck_assert_int_eq(input_peek(input, &bytes, &n, &err), 0);
    ck_assert_int_eq(input_read(input, &bytes, &n, &err), 0);
    input_digest(input, hex);
    ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    input_close(input);
    free(packed.bytes);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
    struct err err = {0};
    ck_assert_ptr_null(input_open("/no/such/file.csv", &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    ck_assert_str_eq(err.msg, "/no/such/file.csv: cannot read: No such file or directory");
    ck_assert_ptr_null(input_open("/tmp", &err));
    ck_assert_str_eq(err.msg, "/tmp: is a directory, expected a file");
    input_close(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("input");
    TCase *tcase = tcase_create("input");
    tcase_add_loop_test(tcase, the_same_bytes_from_memory, 0, ROWS(packers));
    tcase_add_loop_test(tcase, the_same_bytes_from_a_file, 0, ROWS(packers));
    tcase_add_loop_test(tcase, peeking_takes_nothing, 0, ROWS(packers));
    tcase_add_loop_test(tcase, parts_that_follow_each_other, 0, ROWS(packers));
    tcase_add_test(tcase, cut_data);
    tcase_add_test(tcase, corrupt_data);
    tcase_add_test(tcase, bytes_behind_the_end);
    tcase_add_loop_test(tcase, nothing_at_all, 0, ROWS(packers));
    tcase_add_test(tcase, files_that_cannot_be_read);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
