/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain lines and libcsv together call the reader exactly as libcsv alone does, for any bytes in
 * any pieces. */
#include "sim/base/csv_lines.h"
#include "sim/base/out.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

/* The reader's calls: "[field]", and "/" for the end of a row. */
struct heard {
    struct out *out;
    char delimiter;
    bool every_end; /* CSV_REPALL_NL: line ends of blank lines too */
};

static void on_field(void *text, size_t n, void *data)
{
    struct heard *heard = data;
    out_char(heard->out, '[');
    out_bytes(heard->out, text, n);
    out_char(heard->out, ']');
}

static void on_end(int c, void *data)
{
    struct heard *heard = data;
    (void)c;
    out_char(heard->out, '/');
}

static bool on_plain(const char *line, size_t n, void *data)
{
    struct heard *heard = data;
    uint32_t ends[CSV_LINES_FIELDS];
    char copy[64];
    size_t count = csv_lines_split(line, n, heard->delimiter, copy, ends);
    for (size_t i = 0; i < count; i++) {
        size_t from = i > 0 ? ends[i - 1] + 1 : 0;
        out_char(heard->out, '[');
        ck_assert_int_eq(copy[ends[i]], '\0');
        out_bytes(heard->out, copy + from, ends[i] - from);
        out_char(heard->out, ']');
    }
    if (count > 0)
        on_end('\n', data);
    if (count > 0 && heard->every_end && n > 0 && line[n - 1] == '\r')
        on_end('\r', data);
    return count > 0;
}

/* Reads the bytes in pieces of `piece`, with libcsv alone or with plain lines; false if libcsv
 * refuses them. */
static bool read_all(struct heard *heard, const char *bytes, size_t n, size_t piece, bool alone)
{
    struct csv_parser parser;
    unsigned char options = CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL;
    ck_assert_int_eq(
        csv_init(&parser, (unsigned char)(options | (heard->every_end ? CSV_REPALL_NL : 0))), 0);
    csv_set_delim(&parser, (unsigned char)heard->delimiter);
    struct csv_lines lines = {&parser, on_field, on_end, on_plain, heard, true};
    bool ok = true;
    for (size_t at = 0; at < n && ok; at += piece) {
        size_t m = piece < n - at ? piece : n - at;
        size_t taken = alone ? csv_parse(&parser, bytes + at, m, on_field, on_end, heard)
                             : csv_lines_parse(&lines, bytes + at, m);
        ok = taken == m;
        if (!ok)
            out_format(heard->out, "refused at %zu", at + taken);
    }
    ok = ok && csv_fini(&parser, on_field, on_end, heard) == 0;
    csv_free(&parser);
    return ok;
}

static void check_same(const char *bytes, size_t n, size_t piece, char delimiter, bool every_end)
{
    struct heard both = {out_memory(), delimiter, every_end},
                 alone = {out_memory(), delimiter, every_end};
    bool ok = read_all(&both, bytes, n, piece, false);
    ck_assert_int_eq(read_all(&alone, bytes, n, piece, true), ok);
    size_t n_both, n_alone;
    const char *heard = out_memory_text(both.out, &n_both),
               *expected = out_memory_text(alone.out, &n_alone);
    ck_assert_str_eq(heard, expected);
    ck_assert_uint_eq(n_both, n_alone);
    ck_assert_int_eq(memcmp(heard, expected, n_both), 0);
    out_discard(both.out);
    out_discard(alone.out);
}

START_TEST(random_bytes_read_as_by_libcsv)
{
    static const char alphabet[] = {'a',  'b', 'c', ',',  ',', '\n', '\n',
                                    '\r', '"', ' ', '\t', ';', '\0'};
    uint64_t random = (uint64_t)_i + 1;
    char bytes[64];
    for (int round = 0; round < 20000; round++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t n = (size_t)(random >> 33) % sizeof bytes;
        size_t letters = round % 3 == 0 ? sizeof alphabet : 8; /* two in three without quotes */
        for (size_t i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = alphabet[(size_t)(random >> 33) % letters];
        }
        check_same(bytes, n, 1 + (size_t)(random >> 40) % 64, ",;\t"[round % 7 % 3], _i % 2 == 0);
    }
}
END_TEST

static const struct {
    const char *line;
    size_t count, last; /* fields, and the end of the last one */
} split_rows[] = {
    {"", 0, 0},      {"a", 1, 1},       {"a,b", 2, 3},   {",", 2, 1},          {"a,b\r", 2, 3},
    {"\r", 0, 0},    {"a\rb", 0, 0},    {"a b,c", 2, 5}, {" a,b", 0, 0},       {"a ,b", 0, 0},
    {"a,b\t", 0, 0}, {"a,\"b\"", 0, 0}, {"a,b\"", 0, 0}, {"\xc3\xa4,b", 2, 4},
};

START_TEST(lines_are_split_when_they_are_plain)
{
    uint32_t ends[CSV_LINES_FIELDS];
    char copy[16];
    const char *line = split_rows[_i].line;
    size_t count = csv_lines_split(line, strlen(line), ',', copy, ends);
    ck_assert_uint_eq(count, split_rows[_i].count);
    if (count > 0)
        ck_assert_uint_eq(ends[count - 1], split_rows[_i].last);
}
END_TEST

START_TEST(many_fields_are_left_to_libcsv)
{
    uint32_t ends[CSV_LINES_FIELDS];
    char line[CSV_LINES_FIELDS + 1], copy[CSV_LINES_FIELDS + 1];
    memset(line, ',', sizeof line);
    ck_assert_uint_eq(csv_lines_split(line, CSV_LINES_FIELDS - 1, ',', copy, ends),
                      CSV_LINES_FIELDS);
    ck_assert_uint_eq(csv_lines_split(line, CSV_LINES_FIELDS, ',', copy, ends), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("csv_lines");
    TCase *tcase = tcase_create("read");
    tcase_add_loop_test(tcase, random_bytes_read_as_by_libcsv, 0, 4);
    tcase_add_loop_test(tcase, lines_are_split_when_they_are_plain, 0, ROWS(split_rows));
    tcase_add_test(tcase, many_fields_are_left_to_libcsv);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
