/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A state is complete or refused: cut anywhere, or with any byte changed, it is refused with a
 * message. */
#include "policies/facts/saved.h"

#include "tests/lib/harness.h"

#include <string.h>

enum { FACTS = 5 };

static void put(void *self, const char *bytes, size_t n)
{
    text_bytes(self, bytes, n);
}

static void write_state(struct text *file, int64_t records, const char *after)
{
    struct saved_writer w = {.put = put, .self = file};
    saved_begin(&w, 5,
                &(struct fact_policy){.version = FACTS_VERSION,
                                      .contract = POLICY_VERSION,
                                      .name = "fifo",
                                      .after = after,
                                      .records = records});
    for (int i = 0; i < FACTS; i++)
        saved_fact(&w, &(struct fact){.kind = FACT_NODE_REMOVE, .at = 5, .node = {(uint32_t)i}});
    saved_end(&w, 5);
    ck_assert(!w.failed && !file->failed);
}

static bool opens(const char *bytes, size_t n, char error[256])
{
    struct saved s;
    error[0] = '\0';
    bool ok = saved_open(&s, bytes, n, error, 256);
    ck_assert(ok == (error[0] == '\0'));
    saved_close(&s);
    return ok;
}

START_TEST(what_is_written_is_read)
{
    struct text file = {.length = 0};
    struct saved s;
    char error[256] = "";
    write_state(&file, 500, "0123456789abcdef");
    ck_assert_msg(saved_open(&s, file.bytes, file.length, error, sizeof error), "%s", error);
    ck_assert(saved_next(&s));
    const struct fact_policy *policy = s.line.fact.spec;
    ck_assert_int_eq(policy->records, 500);
    ck_assert_str_eq(policy->after, "0123456789abcdef");
    for (uint32_t i = 0; i < FACTS; i++) {
        ck_assert(saved_next(&s));
        ck_assert_uint_eq(s.line.fact.node.i, i);
    }
    ck_assert(!saved_next(&s));
    saved_close(&s);
    text_fini(&file);
}
END_TEST

START_TEST(a_part_of_it_is_refused)
{
    struct text file = {.length = 0};
    char error[256];
    write_state(&file, 500, "0123456789abcdef");
    ck_assert(opens(file.bytes, file.length, error));
    for (size_t n = 0; n < file.length; n++)
        ck_assert_msg(!opens(file.bytes, n, error), "%zu bytes", n);
    text_bytes(&file, "{}\n", 3);
    ck_assert(!opens(file.bytes, file.length, error));
    text_fini(&file);
}
END_TEST

START_TEST(a_changed_byte_is_found)
{
    struct text file = {.length = 0};
    char error[256];
    write_state(&file, 500, "0123456789abcdef");
    for (size_t i = 0; i < file.length; i++) {
        file.bytes[i] ^= 1;
        ck_assert_msg(!opens(file.bytes, file.length, error), "byte %zu", i);
        file.bytes[i] ^= 1;
    }
    text_fini(&file);
}
END_TEST

START_TEST(it_must_name_a_record)
{
    static const struct {
        int64_t records;
        const char *after;
    } none[] = {{0, "0123456789abcdef"}, {-1, "0123456789abcdef"}, {500, NULL}, {500, "0123"}};
    for (int i = 0; i < ROWS(none); i++) {
        struct text file = {.length = 0};
        char error[256];
        write_state(&file, none[i].records, none[i].after);
        ck_assert(!opens(file.bytes, file.length, error));
        ck_assert_ptr_nonnull(strstr(error, "'records' and 'after'"));
        text_fini(&file);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts/saved");
    TCase *tcase = tcase_create("state");
    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, a_part_of_it_is_refused);
    tcase_add_test(tcase, a_changed_byte_is_found);
    tcase_add_test(tcase, it_must_name_a_record);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
